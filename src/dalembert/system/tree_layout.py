"""Tables of a tree: what stands where, in the integers, numbers and scratch that kernels share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

# -- kinds of joints -------------------------------------------------------------------------------

FIXED, REVOLUTE, PRISMATIC, SCREW, CYLINDRICAL, UNIVERSAL, PLANAR, SPHERICAL, FREE = range(9)

COMPOUND = 9
"""Slides and hinges in series: links of their own, no kind of a link."""

COORDINATES: tuple[tuple[str, ...], ...] = (
    (),
    ("angle",),
    ("displacement",),
    ("angle",),
    ("angle", "displacement"),
    ("angle_1", "angle_2"),
    ("x", "y", "angle"),
    ("qw", "qx", "qy", "qz"),
    ("x", "y", "z", "qw", "qx", "qy", "qz"),
)
"""Names of the coordinates of each kind."""

VELOCITIES: tuple[tuple[str, ...], ...] = (
    *COORDINATES[:SPHERICAL],
    ("wx", "wy", "wz"),
    ("vx", "vy", "vz", "wx", "wy", "wz"),
)
"""Names of what the velocities of each kind are rates of, or of the velocities themselves."""

# -- tables ----------------------------------------------------------------------------------------

# The integers: a head, one record per link, one per velocity, the link of every body.
LINKS, TREE_NQ, TREE_NV, LINK_TABLE, DOF_TABLE, DOF_ROOM, POSE_ROOM, COMPOSITE_ROOM = range(8)
DAMPING_START, ARMATURE_START, ROOM_LENGTH, BODY_TABLE = 8, 9, 10, 11
HEAD = 12

LINK = 8
PARENT, KIND, Q_START, V_START, DOFS, BODY, IS_LEAF, IS_LAST = range(LINK)
"""Of a link: parent (0 for the world, links count from 1), kind of joint, where its coordinates and
velocities begin, how many of the latter, which body of the model it is, or -1 between the hinges of
a compound joint; whether it has no children, whether it is its parent's last child."""

DOF = 2
DOF_PARENT, DOF_LINK = range(DOF)
"""Of a velocity: the one before it on the way to the world, or -1; its link."""

# The numbers: gravity, then one record per link, then armature and damping of every velocity.
NUMBERS = 40
FRAME_ROTATION, FRAME_ORIGIN, CENTER, LINK_MASS, LINK_INERTIA, PITCH = 0, 9, 12, 15, 16, 22
FRAME_QUATERNION, BODY_QUATERNION, BODY_ROTATION = 23, 27, 31
"""Of a link, whose axes are those of its joint frame: the joint frame on the parent (rotation,
origin from the parent's centre of mass), own centre of mass from the joint frame, mass, inertia
about the centre of mass, advance of a screw per radian; the first rotation and that from the body's
axes to the link's once more as quaternions."""

GRAVITY_LENGTH = 3

# -- scratch ---------------------------------------------------------------------------------------

LINK_ROOM = 60
ROTATION, SPIN, ARM, BIAS, ARTICULATED, LOAD, ACCELERATION, ANSWER = 0, 9, 12, 15, 21, 42, 48, 54
"""Of a link (0 is the world): R, angular velocity, centre of mass from the parent's, bias
acceleration, articulated inertia (M, H, J), articulated bias force, acceleration, the same for
solves that follow."""

DOF_RECORD = 21
COLUMN, IMAGE, PIVOT, DRIVE, ASIDE, CARRIED, ANGLE = 0, 6, 12, 13, 14, 15, 18
"""Of a velocity: column of S, its image U = I S, 1 / D, what drives it, the same for solves; of a
link's only velocity also the torque of U about the parent's centre of mass; of a hinge the last
angle, its sine and cosine."""

POSE_RECORD = 13
"""Of a link: centre of mass, quaternion of its axes, velocity, angular velocity."""

COMPOSITE_RECORD = 10
"""Of a link: mass, first moment, inertia about its centre of mass of all it carries."""


def reserve(integers: npt.NDArray[np.int64], links: int, nv: int) -> None:
    """Note where each kind of scratch begins."""
    at = LINK_ROOM * (links + 1)
    integers[DOF_ROOM] = at
    integers[POSE_ROOM] = at = at + DOF_RECORD * nv
    integers[COMPOSITE_ROOM] = at = at + POSE_RECORD * (links + 1)
    integers[ROOM_LENGTH] = at + COMPOSITE_RECORD * (links + 1)
