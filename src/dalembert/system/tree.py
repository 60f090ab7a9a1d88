"""A model of bodies as a tree: which joints carry which bodies, as flat tables for kernels.

The joints of a model are the edges of a graph whose nodes are the bodies and the world. A spanning
tree of it, grown from the world breadth first so that paths are short, gives every body a parent
and a joint to it. Coordinates q and velocities v of the tree are those of these joints; what is
left over, loop joints and constraints, stays a constraint. A body no usable joint reaches is free.

A joint is seen from the parent. Where its first frame is on the child, the two frames change places
and are turned by half a turn about x: angle and displacement keep their sign. The arms of a cross
change places too; a ball joint gives the child's frame in the parent's.

    kind          q                                v
    fixed         -                                -
    revolute      angle                            its rate
    prismatic     displacement                     its rate
    screw         angle                            its rate
    cylindrical   angle, displacement              their rates
    universal     two angles                       their rates
    planar        x, y, angle                      their rates
    spherical     quaternion (w, x, y, z)          relative angular velocity in the parent's frame
    free          centre of mass, quaternion       its velocity, angular velocity, world axes
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dalembert.errors import ModelError
from dalembert.model.frame import WORLD
from dalembert.model.joints.cylindrical import Cylindrical
from dalembert.model.joints.fixed import Fixed
from dalembert.model.joints.planar import Planar
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.joints.revolute import Revolute
from dalembert.model.joints.screw import Screw
from dalembert.model.joints.spherical import Spherical
from dalembert.model.joints.universal import Universal
from dalembert.model.quantity import value_of
from dalembert.model.rigid_body import QUATERNION
from dalembert.model.rotation import Rotation
from dalembert.model.states import from_center, number

if TYPE_CHECKING:
    from dalembert.model.model import Model

Array = npt.NDArray[np.float64]

# -- kinds of joints -------------------------------------------------------------------------------

FIXED, REVOLUTE, PRISMATIC, SCREW, CYLINDRICAL, UNIVERSAL, PLANAR, SPHERICAL, FREE = range(9)

KINDS: dict[type, int] = {
    Fixed: FIXED,
    Revolute: REVOLUTE,
    Prismatic: PRISMATIC,
    Screw: SCREW,
    Cylindrical: CYLINDRICAL,
    Universal: UNIVERSAL,
    Planar: PLANAR,
    Spherical: SPHERICAL,
}
"""Joints that can carry a body of the tree."""

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

# The integers: a head, then one record per link, then one per velocity.
LINKS, TREE_NQ, TREE_NV, LINK_TABLE, DOF_TABLE, DOF_ROOM, POSE_ROOM, COMPOSITE_ROOM = range(8)
DAMPING_START, ARMATURE_START, ROOM_LENGTH = 8, 9, 10
HEAD = 12

LINK = 6
PARENT, KIND, Q_START, V_START, DOFS, BODY = range(LINK)
"""Of a link: parent (0 for the world, links count from 1), kind of joint, where its coordinates and
velocities begin, how many of the latter, which body of the model it is."""

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


@dataclass(frozen=True)
class TreeJoint:
    """One edge of the tree.

    Attributes
    ----------
    name : of the joint; of the body for a free one
    joint : the joint of the model, or None
    kind : REVOLUTE, ...
    body, parent : names
    reversed : True where the joint's first frame is on the child
    q, v : its slices of the coordinates and velocities
    """

    name: str
    joint: Any
    kind: int
    body: str
    parent: str
    reversed: bool
    q: slice
    v: slice


@dataclass(frozen=True)
class TreeTables:
    """The tree of a model.

    Attributes
    ----------
    joints : edges, in the order of the links
    loops : joints of the model that remain as constraints
    constraints : formula constraints of the model, all of which remain
    integers, numbers : what kernels read
    armature, damping : views into `numbers`, one entry for each velocity
    nq, nv : number of coordinates and velocities
    """

    joints: list[TreeJoint]
    loops: list[Any]
    constraints: list[Any]
    integers: npt.NDArray[np.int64]
    numbers: Array
    nq: int
    nv: int
    bodies: list[str] = field(default_factory=list)

    @property
    def armature(self) -> Array:
        """Inertia of the drives, added to the diagonal of M."""
        start = int(self.integers[ARMATURE_START])
        return self.numbers[start : start + self.nv]

    @property
    def damping(self) -> Array:
        """Force against every velocity, per unit of it."""
        start = int(self.integers[DAMPING_START])
        return self.numbers[start : start + self.nv]

    def room(self) -> Array:
        """Scratch for kernels."""
        return np.zeros(int(self.integers[ROOM_LENGTH]))

    @property
    def coordinate_names(self) -> list[str]:
        """``elbow.angle``, one for each entry of q."""
        return [f"{j.name}.{part}" for j in self.joints for part in COORDINATES[j.kind]]

    @property
    def velocity_names(self) -> list[str]:
        """``elbow.angle.dot``, ``torso.wx``, one for each entry of v."""
        return [
            f"{j.name}.{part}" + ("" if j.kind >= SPHERICAL else ".dot")
            for j in self.joints
            for part in VELOCITIES[j.kind]
        ]


def tree_of(model: Model) -> TreeTables:
    """The spanning tree of a model of bodies.

    Raises
    ------
    ModelError
        The model has no bodies, or bodies described by roll, pitch and yaw.
    """
    bodies = dict(model.bodies)
    if not bodies:
        raise ModelError("tree: the model has no bodies. Add them with add_body.")
    for body in bodies.values():
        if body.orientation != QUATERNION:
            raise ModelError(
                f"tree: body '{body.name}' has roll, pitch and yaw as coordinates. Leave "
                "orientation out, so that joints can carry it."
            )
    edges = _grown(model, list(bodies))
    return _tables(model, edges)


# -- growing the tree ------------------------------------------------------------------------------

Edge = tuple[str, str, Any, bool]
"""Body, parent, joint or None, and whether the joint's first frame is on the body."""


def _grown(model: Model, names: list[str]) -> list[Edge]:
    """Edges, parents before their children: breadth first from the world, then from free bodies."""
    links: dict[str, list[tuple[Any, int]]] = {}
    for joint in model.joints.values():
        if type(joint) in KINDS:
            for side, frame in enumerate(joint.frames):
                links.setdefault(frame.body.name, []).append((joint, side))
    edges: list[Edge] = []
    known = {WORLD}
    waiting = [WORLD]

    def grow() -> None:
        for name in waiting:  # grows while it is read
            for joint, side in links.get(name, []):
                far = joint.frames[1 - side].body.name
                if far not in known:
                    known.add(far)
                    waiting.append(far)
                    edges.append((far, name, joint, side == 1))
        waiting.clear()

    grow()
    for name in names:
        if name not in known:
            known.add(name)
            waiting.append(name)
            edges.append((name, WORLD, None, False))
            grow()
    return _depth_first(edges)


def _depth_first(edges: list[Edge]) -> list[Edge]:
    """The same tree with every branch in one piece: what kernels touch together lies together."""
    children: dict[str, list[Edge]] = {}
    for edge in edges:
        children.setdefault(edge[1], []).append(edge)
    ordered: list[Edge] = []
    stack = list(reversed(children.get(WORLD, [])))
    while stack:
        edge = stack.pop()
        ordered.append(edge)
        stack += reversed(children.get(edge[0], []))
    return ordered


# -- numbers ---------------------------------------------------------------------------------------

HALF_TURN = np.diag([1.0, -1.0, -1.0])
"""About x: what turns z round without changing an angle's sign seen from the other side."""

ARMS = np.array([[0.0, -1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
"""x and y change places and signs: Ry(-b) Rx(-a) becomes Rx(b) Ry(a)."""

TURNS = {FIXED: np.eye(3), UNIVERSAL: ARMS, SPHERICAL: np.eye(3)}
"""How the frames of a joint seen from its second one are turned, where not by half a turn."""


def _tables(model: Model, edges: list[Edge]) -> TreeTables:
    parameters = model.parameters
    names = list(model.bodies)
    place = {WORLD: 0} | {edge[0]: k + 1 for k, edge in enumerate(edges)}
    n = len(edges)
    joints: list[TreeJoint] = []
    nq = nv = 0
    for body, parent, joint, turned in edges:
        kind = FREE if joint is None else KINDS[type(joint)]
        q, v = len(COORDINATES[kind]), len(VELOCITIES[kind])
        name = body if joint is None else joint.name
        here = slice(nq, nq + q), slice(nv, nv + v)
        joints.append(TreeJoint(name, joint, kind, body, parent, turned, *here))
        nq, nv = nq + q, nv + v
    integers = np.zeros(HEAD + LINK * n + DOF * nv, dtype=np.int64)
    numbers = np.zeros(GRAVITY_LENGTH + NUMBERS * n + 2 * nv)
    numbers[:3] = [value_of(g, parameters) or 0.0 for g in model.gravity]
    integers[[LINKS, TREE_NQ, TREE_NV]] = n, nq, nv
    integers[LINK_TABLE], integers[DOF_TABLE] = HEAD, HEAD + LINK * n
    integers[ARMATURE_START] = GRAVITY_LENGTH + NUMBERS * n
    integers[DAMPING_START] = integers[ARMATURE_START] + nv
    _reserve(integers, n, nv)
    axes = {WORLD: np.eye(3)}  # from a link's axes to its body's
    last = [-1] * (n + 1)  # velocity nearest the link on the way to the world
    for k, edge in enumerate(joints):
        record = numbers[GRAVITY_LENGTH + NUMBERS * k :][:NUMBERS]
        axes[edge.body] = _fill(
            record, edge, model.bodies[edge.body], axes[edge.parent], parameters
        )
        above = place[edge.parent]
        count = edge.v.stop - edge.v.start
        row = (above, edge.kind, edge.q.start, edge.v.start, count, names.index(edge.body))
        integers[HEAD + LINK * k :][:LINK] = row
        last[k + 1] = last[above]
        for dof in range(edge.v.start, edge.v.stop):
            integers[HEAD + LINK * n + DOF * dof :][:DOF] = last[k + 1], k + 1
            last[k + 1] = dof
    used = {id(edge.joint) for edge in joints}
    loops = [joint for joint in model.joints.values() if id(joint) not in used]
    return TreeTables(joints, loops, list(model.constraints), integers, numbers, nq, nv, names)


def _fill(
    record: Array, edge: TreeJoint, body: Any, parent_axes: Array, parameters: Mapping[str, float]
) -> Array:
    """Write the record of a link; returns the rotation from its axes to the body's."""
    frame, frame_origin = np.eye(3), np.zeros(3)
    own, own_origin = np.eye(3), np.zeros(3)
    if edge.joint is not None:
        near, far = edge.joint.frames[:: -1 if edge.reversed else 1]
        frame, own = near.orientation.matrix, far.orientation.matrix
        if edge.reversed:
            turn = TURNS.get(edge.kind, HALF_TURN)
            frame, own = frame @ turn, own @ turn
        frame_origin, own_origin = from_center(near, parameters), from_center(far, parameters)
        if edge.kind == SCREW:
            record[PITCH] = number(edge.joint.pitch, parameters) / (2.0 * np.pi)
    inertia = body.inertia
    theta = np.array([[number(x, parameters) for x in row] for row in inertia.matrix])
    theta = own.T @ theta @ own
    turned = parent_axes.T @ frame
    record[FRAME_ROTATION:FRAME_ORIGIN] = turned.ravel()
    record[FRAME_ORIGIN:CENTER] = parent_axes.T @ frame_origin
    record[CENTER:LINK_MASS] = -own.T @ own_origin
    record[LINK_MASS] = number(inertia.mass, parameters)
    record[LINK_INERTIA:PITCH] = theta[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    record[FRAME_QUATERNION:BODY_QUATERNION] = Rotation(turned).quaternion
    record[BODY_QUATERNION:BODY_ROTATION] = Rotation(own.T).quaternion
    record[BODY_ROTATION:] = own.T.ravel()
    return own


# -- scratch ---------------------------------------------------------------------------------------

LINK_ROOM = 60
ROTATION, SPIN, ARM, BIAS, ARTICULATED, LOAD, ACCELERATION, ANSWER = 0, 9, 12, 15, 21, 42, 48, 54
"""Of a link (0 is the world): R, angular velocity, centre of mass from the parent's, bias
acceleration, articulated inertia (M, H, J), articulated bias force, acceleration, the same for
solves that follow."""

DOF_RECORD = 16
COLUMN, IMAGE, PIVOT, DRIVE, ASIDE = 0, 6, 12, 13, 14
"""Of a velocity: column of S, its image U = I S, 1 / D, what drives it, the same for solves."""

POSE_RECORD = 13
"""Of a link: centre of mass, quaternion of its axes, velocity, angular velocity."""

COMPOSITE_RECORD = 10
"""Of a link: mass, first moment, inertia about its centre of mass of all it carries."""


def _reserve(integers: npt.NDArray[np.int64], links: int, nv: int) -> None:
    """Note where each kind of scratch begins."""
    at = LINK_ROOM * (links + 1)
    integers[DOF_ROOM] = at
    integers[POSE_ROOM] = at = at + DOF_RECORD * nv
    integers[COMPOSITE_ROOM] = at = at + POSE_RECORD * (links + 1)
    integers[ROOM_LENGTH] = at + COMPOSITE_RECORD * (links + 1)
