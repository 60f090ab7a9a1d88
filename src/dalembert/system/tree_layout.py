"""Tables of a tree: what stands where, in the integers, numbers and scratch that kernels share."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert._records import Integers, Numbers, Place, value
from dalembert.numerics.matrix import Mat3, Sym3
from dalembert.numerics.quaternion import Quaternion
from dalembert.numerics.spatial import ArticulatedInertia, Force, Motion, RigidInertia
from dalembert.numerics.vector import Vec3

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

# -- places ----------------------------------------------------------------------------------------


class Head(Place):
    """Head of the integers: counts, and where tables begin."""

    class integers:
        links: int
        nq: int
        nv: int
        link_table: int
        dof_table: int
        dof_room: int
        pose_room: int
        composite_room: int
        damping_start: int
        armature_start: int
        room_length: int
        body_table: int


class Joint(Place):
    """How a link hangs on the tree."""

    class integers:
        parent: int  # 0 for the world; links count from 1
        kind: int  # of its joint
        q_start: int  # where its coordinates begin
        v_start: int  # and its velocities
        dofs: int  # how many of the latter
        body: int  # of the model, or -1 between the hinges of a compound joint
        is_leaf: int  # whether it has no children
        is_last: int  # whether it is its parent's last child


class Link(Joint):
    """A link and its joint; link 0 is the world, which has no integers."""

    class room:
        rotation: Mat3  # R
        spin: Vec3  # angular velocity  [rad/s]
        arm: Vec3  # r, its centre of mass from the parent's  [m]
        gamma: Motion  # bias acceleration: of its joint, without v'
        mass: float  # of the body
        theta: Sym3  # inertia of the body about its centre of mass  [kg m^2]
        inertia: ArticulatedInertia  # I^A
        load: Force  # p^A; before it is articulated minus the force on the body
        acceleration: Motion  # V'
        answer: Motion  # V' of solves that follow, and other velocities on the way
        pull: Force  # force at the joint in solves that follow


class Dof(Place):
    """A velocity of a joint."""

    class integers:
        parent: int  # the one before it on the way to the world, or -1
        link: int

    class room:
        S: Motion  # column of S
        U: Force  # I^A S
        over: float  # 1 / D
        u: float  # what drives it
        aside: float  # u of solves that follow
        carried: Vec3  # of a link's only velocity: torque of U about the parent's centre of mass
        angle: float  # of a hinge: its last angle,
        sine: float  # the sine of it
        cosine: float  # and the cosine


class LinkData(Place):
    """Constants of a link, whose axes are those of its joint frame."""

    class numbers:
        frame_rotation: Mat3  # the joint frame on the parent
        frame_origin: Vec3  # its origin from the parent's centre of mass  [m]
        center: Vec3  # own centre of mass from the joint frame  [m]
        mass: float
        theta: Sym3  # inertia about the centre of mass  [kg m^2]
        pitch: float  # advance of a screw per radian  [m]
        frame_quaternion: Quaternion  # frame_rotation once more
        body_quaternion: Quaternion  # from the body's axes to the link's
        body_rotation: Mat3  # the same


class Pose(Place):
    """Place and motion of a link in the world."""

    class room:
        center: Vec3
        rotation: Quaternion
        velocity: Motion


class Composite(Place):
    """Inertia of all that a link carries, itself included, about its centre of mass."""

    class room:
        inertia: RigidInertia


HEAD = Head.entries("integers")
LINK, LINK_ROOM = Link.entries("integers"), Link.entries("room")
DOF, DOF_RECORD = Dof.entries("integers"), Dof.entries("room")
NUMBERS = LinkData.entries("numbers")
POSE_RECORD, COMPOSITE_RECORD = Pose.entries("room"), Composite.entries("room")
GRAVITY_LENGTH = 3
"""The numbers begin with gravity; then come the links, then armature and damping of velocities."""


@value
class Tree:
    """A tree of links: how they hang together, and scratch.

    Link i comes before its children; `outward` goes from the world to the leaves.
    """

    integers: Integers
    room: Numbers

    @property
    def head(self):
        """Counts, and where tables begin."""
        return Head(self.integers, 0)

    @property
    def outward(self):
        """All links, parents before their children."""
        return Outward(self)

    @property
    def inward(self):
        """All links, children before their parents."""
        return Inward(self)

    def link(self, i):
        """A link by its number; 0 is the world."""
        return Link(self.integers, HEAD + LINK * (i - 1), self.room, LINK_ROOM * i)

    def parent(self, link):
        """The link that another one hangs on."""
        return self.link(link.parent)

    def link_of(self, body):
        """Number of the link that a body is."""
        return self.integers[self.head.body_table + body]

    def dof(self, k):
        """A velocity by its number."""
        head = self.head
        return Dof(
            self.integers, head.dof_table + DOF * k, self.room, head.dof_room + DOF_RECORD * k
        )

    def pose(self, i):
        """Place of a link, by its number; 0 is the world."""
        return Pose(self.room, self.head.pose_room + POSE_RECORD * i)

    def composite(self, i):
        """Composite of a link, by its number."""
        return Composite(self.room, self.head.composite_room + COMPOSITE_RECORD * i)


@value
class Outward:
    """The links from the world to the leaves."""

    tree: Tree

    def __len__(self):
        return self.tree.head.links

    def __getitem__(self, i):
        return self.tree.link(i + 1)


@value
class Inward:
    """The links from the leaves to the world."""

    tree: Tree

    def __len__(self):
        return self.tree.head.links

    def __getitem__(self, i):
        return self.tree.link(self.tree.head.links - i)


@value
class Joints:
    """The joints of all links, parents before their children."""

    integers: Integers

    def __len__(self):
        return Head(self.integers, 0).links

    def __getitem__(self, i):
        return Joint(self.integers, HEAD + LINK * i)


@value
class Ways:
    """The velocities on the way from each to the world."""

    integers: Integers

    @property
    def nv(self):
        """How many velocities there are."""
        return Head(self.integers, 0).nv

    def above(self, k):
        """The velocity before another on its way to the world, or -1."""
        return self.integers[Head(self.integers, 0).dof_table + DOF * k]


@value
class Constants:
    """Constants of a tree: links, gravity, and armature and damping of its velocities."""

    integers: Integers
    numbers: Numbers

    @property
    def gravity(self):
        """Acceleration of what falls  [m/s^2]."""
        return Vec3(self.numbers[0], self.numbers[1], self.numbers[2])

    def link(self, i):
        """Constants of a link by its number, from 1 on."""
        return LinkData(self.numbers, GRAVITY_LENGTH + NUMBERS * (i - 1))

    def armature(self, k):
        """Inertia of the drive of a velocity."""
        return self.numbers[Head(self.integers, 0).armature_start + k]

    def damping(self, k):
        """Damping of a velocity."""
        return self.numbers[Head(self.integers, 0).damping_start + k]


def link_tables(integers: Any, numbers: Any) -> tuple[Any, Any]:
    """Integers and numbers of the links as matrices, a row a link: for Python, not for kernels."""
    count = Head(integers, 0).links
    words, values = HEAD + LINK * count, GRAVITY_LENGTH + NUMBERS * count
    return (
        integers[HEAD:words].reshape(count, LINK),
        numbers[GRAVITY_LENGTH:values].reshape(count, NUMBERS),
    )


def reserve(integers: npt.NDArray[np.int64], links: int, nv: int) -> None:
    """Note where each kind of scratch begins."""
    head, at = Head(integers, 0), LINK_ROOM * (links + 1)
    head.dof_room = at
    head.pose_room = at = at + DOF_RECORD * nv
    head.composite_room = at = at + POSE_RECORD * (links + 1)
    head.room_length = at + COMPOSITE_RECORD * (links + 1)
