"""Mechanisms by chance: trees, loops, joints given twice, far stops, any mass and size.

A mechanism is planned with its bodies in place and its joints through points and along axes of the
world, so that it is closed as it stands. `Plan.model` describes it to the package in one of several
ways; `tests.support.mechanism_oracle` knows the same plan with NumPy alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from tests.support.mechanism_oracle import free_velocities

import dalembert as dl

WORLD = -1

ROWS = {
    "Fixed": 6,
    "Revolute": 5,
    "Prismatic": 5,
    "Screw": 5,
    "Cylindrical": 4,
    "Universal": 4,
    "Spherical": 3,
    "Planar": 3,
    "PointOnLine": 2,
    "PointOnPlane": 1,
    "Distance": 1,
}
"""Joints of the plans and how many motions each takes."""

TURNING = ("Revolute", "Cylindrical", "Screw")
"""Joints with an angle."""

FAMILIES = ("spatial", "planar", "spherical", "door", "floating")


@dataclass(frozen=True)
class Link:
    """A body in its place; moments about the centre of mass, along the axes of the body."""

    mass: float
    moments: np.ndarray
    center: np.ndarray
    position: np.ndarray
    rotation: np.ndarray


@dataclass(frozen=True)
class Connection:
    """A joint between two links, or the world (-1): its frames in the axes of each."""

    kind: str
    a: int
    b: int
    p_a: np.ndarray
    R_a: np.ndarray
    p_b: np.ndarray
    R_b: np.ndarray
    pitch: float = 0.0
    length: float = 0.0


@dataclass(frozen=True)
class Tie:
    """A spring between points of two links."""

    a: int
    b: int
    p_a: np.ndarray
    p_b: np.ndarray
    stiffness: float
    free_length: float
    damping: float = 0.0


@dataclass(frozen=True)
class Plan:
    """All of a mechanism; `v` is a velocity its joints admit, centre and turning of each body."""

    seed: int
    family: str
    links: tuple[Link, ...]
    joints: tuple[Connection, ...]
    ties: tuple[Tie, ...]
    gravity: np.ndarray
    v: np.ndarray
    size: float
    """A length of it  [m]"""
    period: float
    """A time in which it moves by about its size  [s]"""
    repeated: int = 0
    """Joints at the end of the list that say again what others say."""
    tags: tuple[str, ...] = field(default=())

    @property
    def conservative(self) -> bool:
        """Whether its energy stays."""
        return all(tie.damping == 0.0 for tie in self.ties)

    def alone(self) -> Plan:
        """It without the joints that are given again."""
        count = len(self.joints) - self.repeated
        return replace(self, joints=self.joints[:count], repeated=0)

    def scaled(self, length: float, mass: float, time: float) -> Plan:
        """The mechanism in other units: what moves alike, once measured in them."""
        links = tuple(
            Link(
                mass * x.mass,
                mass * length**2 * x.moments,
                length * x.center,
                length * x.position,
                x.rotation,
            )
            for x in self.links
        )
        joints = tuple(
            replace(
                x,
                p_a=length * x.p_a,
                p_b=length * x.p_b,
                pitch=length * x.pitch,
                length=length * x.length,
            )
            for x in self.joints
        )
        ties = tuple(
            replace(
                x,
                p_a=length * x.p_a,
                p_b=length * x.p_b,
                stiffness=mass / time**2 * x.stiffness,
                free_length=length * x.free_length,
                damping=mass / time * x.damping,
            )
            for x in self.ties
        )
        v = self.v.copy().reshape(-1, 6)
        v[:, :3] *= length / time
        v[:, 3:] /= time
        return replace(
            self,
            links=links,
            joints=joints,
            ties=ties,
            v=v.ravel(),
            gravity=length / time**2 * self.gravity,
            size=length * self.size,
            period=time * self.period,
        )

    def model(self, *, orientation: str = "quaternion") -> dl.Model:
        """Bodies, joints and springs of the plan."""
        model = dl.Model(f"mechanism {self.seed}", gravity=tuple(self.gravity))
        bodies = []
        for i, (link, speed) in enumerate(zip(self.links, self.v.reshape(-1, 6), strict=True)):
            arm = link.rotation @ link.center
            bodies.append(
                model.add_body(
                    f"body{i}",
                    dl.Inertia(link.mass, link.moments, center=tuple(link.center)),
                    position=link.position,
                    rotation=link.rotation,
                    velocity=speed[:3] - np.cross(speed[3:], arm),
                    angular_velocity=speed[3:],
                    orientation=orientation,
                )
            )
        for i, joint in enumerate(self.joints):
            frames = [
                (model.world if k == WORLD else bodies[k]).at(*p, rotation=R)
                for k, p, R in (
                    (joint.a, joint.p_a, joint.R_a),
                    (joint.b, joint.p_b, joint.R_b),
                )
            ]
            model.add_joint(getattr(dl, joint.kind)(*frames, name=f"joint{i}", **_options(joint)))
        for i, tie in enumerate(self.ties):
            ends = [
                (model.world if k == WORLD else bodies[k]).at(*p)
                for k, p in ((tie.a, tie.p_a), (tie.b, tie.p_b))
            ]
            model.add_force(
                dl.Spring(
                    *ends,
                    stiffness=tie.stiffness,
                    free_length=tie.free_length,
                    damping=tie.damping,
                    name=f"spring{i}",
                )
            )
        return model


def _options(joint: Connection) -> dict[str, Any]:
    if joint.kind == "Distance":
        return {"length": joint.length}
    if joint.kind == "Screw":
        return {"axis": "z", "pitch": joint.pitch}
    if joint.kind in ("Fixed", "Spherical"):
        return {}
    return {"axis": "x", "second_axis": "y"} if joint.kind == "Universal" else {"axis": "z"}


# -- chance ----------------------------------------------------------------------------------------


def turned(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation matrix."""
    x, y, z = axis / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)


def any_rotation(chance: np.random.Generator) -> np.ndarray:
    """Rotation matrix, each as likely."""
    Q, R = np.linalg.qr(chance.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return Q if np.linalg.det(Q) > 0 else -Q


def frame_along(axis: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """Rotation matrix with that third column."""
    z = axis / np.linalg.norm(axis)
    x = np.cross(z, chance.normal(size=3))
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def some_link(chance: np.random.Generator, size: float, mass: float, axis: Any) -> Link:
    """A body of three different moments, its centre of mass beside its frame."""
    spread = chance.normal(size=(3, 3))
    covariance = size**2 * (0.02 * spread @ spread.T + 0.02 * np.eye(3))
    if axis is not None:  # a plate that turns in the plane: one principal moment across it
        covariance = _across(covariance, axis)
    moments = mass * (np.trace(covariance) * np.eye(3) - covariance)
    R = any_rotation(chance)
    center = 0.1 * size * chance.normal(size=3)
    return Link(mass, R.T @ moments @ R, R.T @ center, size * chance.normal(size=3), R)


def _across(covariance: np.ndarray, axis: np.ndarray) -> np.ndarray:
    P = np.eye(3) - np.outer(axis, axis)
    return P @ covariance @ P + axis @ covariance @ axis * np.outer(axis, axis)


def connect(
    kind: str, a: int, b: int, point: np.ndarray, R: np.ndarray, links: list[Link], **more: Any
) -> Connection:
    """A joint whose frames stand at a point of the world with axes R, or turned and shifted.

    `angle` and `shift` are the coordinates the joint starts with.
    """
    angle, shift = more.pop("angle", 0.0), more.pop("shift", 0.0)
    other = point + shift * R[:, 2]
    frames = []
    for k, p, axes in ((a, point, R), (b, other, R @ turned(np.array([0.0, 0.0, 1.0]), angle))):
        if k == WORLD:
            frames += [p, axes]
        else:
            link = links[k]
            frames += [link.rotation.T @ (p - link.position), link.rotation.T @ axes]
    return Connection(kind, a, b, *frames, **more)


def _coordinates(kind: str, size: float, chance: np.random.Generator) -> dict[str, float]:
    """Where a joint of this kind may start."""
    if kind == "Screw":
        pitch, angle = size * chance.uniform(0.3, 1.0), chance.uniform(-2.5, 2.5)
        return {"pitch": pitch, "angle": angle, "shift": pitch * angle / (2 * np.pi)}
    start = {}
    if kind in ("Revolute", "Cylindrical", "Planar"):
        start["angle"] = chance.uniform(-2.5, 2.5)
    if kind in ("Prismatic", "Cylindrical", "PointOnLine"):
        start["shift"] = size * chance.uniform(-0.5, 0.5)
    return start


def _family(family: str, chance: np.random.Generator, size: float) -> tuple[Any, Any, Any]:
    """Kinds of joints along the tree, of closures, and the common axis or point."""
    if family == "planar":
        return ("Revolute", "Revolute", "Prismatic"), ("Revolute", "Distance"), "axis"
    if family == "spherical":
        return ("Revolute",), ("Revolute",), "point"
    if family == "door":
        return ("Revolute", "Spherical", "Cylindrical", "Prismatic"), (), None
    anything = tuple(k for k in ROWS if ROWS[k] >= 3)
    return anything, ("Spherical", "Distance", "PointOnPlane", "PointOnLine", "Revolute"), None


def random_mechanism(seed: int) -> Plan:
    """A mechanism; each seed another, in every version of this file's families."""
    chance = np.random.default_rng([15, seed])
    family = FAMILIES[seed % len(FAMILIES)]
    extreme = chance.random() < 0.3
    size = 10 ** chance.uniform(-2.5, 2.5) if extreme else 10 ** chance.uniform(-0.5, 0.5)
    mass = 10 ** chance.uniform(-5, 5) if extreme else 10 ** chance.uniform(-0.5, 0.5)
    ratio = 10 ** chance.uniform(0, 3) if extreme else 3.0
    heavy = chance.random() < 0.6
    gravity = 9.81 * any_rotation(chance)[:, 2] * (heavy and family != "floating")
    axis = any_rotation(chance)[:, 0]
    tree, closures, common = _family(family, chance, size)
    count = int(chance.integers(1, 6))
    if closures and common:
        count = max(3, count)
    masses = mass * ratio ** chance.uniform(-0.5, 0.5, count)
    links = [some_link(chance, size, m, axis if common == "axis" else None) for m in masses]

    def place() -> tuple[np.ndarray, np.ndarray]:
        """Point and axes of a joint."""
        point = size * chance.normal(size=3)
        if common == "axis":
            return point, frame_along(axis * chance.choice([-1.0, 1.0]), chance)
        if common == "point":
            return 0.0 * point, frame_along(chance.normal(size=3), chance)
        return point, any_rotation(chance)

    joints: list[Connection] = []
    for i in range(count):
        if family == "floating" and i == 0:
            continue
        parent = int(chance.integers(WORLD if family != "floating" else 0, i)) if i else WORLD
        kind = str(chance.choice(tree))
        point, R = place()
        if common == "axis" and kind == "Prismatic":  # along the plane
            R = frame_along(np.cross(axis, chance.normal(size=3)), chance)
        ends = (parent, i) if chance.random() < 0.5 else (i, parent)
        start = _coordinates(kind, size, chance)
        if common == "axis":
            start.pop("shift", None)
        joints.append(connect(kind, *ends, point, R, links, **start))
    ties: list[Tie] = []
    plan = Plan(seed, family, tuple(links), (), (), gravity, np.zeros(6 * count), size, 1.0)
    joints = _with_loops(joints, closures, place, plan, chance)
    joints, repeated = _with_copies(joints, family, links, size, chance)
    speed = np.sqrt(9.81 * size) if heavy else size * 10 ** chance.uniform(-1, 1)
    ties = _springs(links, family, speed, size, chance)
    plan = replace(plan, joints=tuple(joints), ties=tuple(ties), repeated=repeated)
    v = chance.normal(size=(count, 6)) * np.array([speed] * 3 + [speed / size] * 3)
    v = free_velocities(plan, v.ravel()) * (chance.random() < 0.8)
    return replace(plan, v=v, period=size / speed)


def _with_loops(joints, closures, place, plan, chance):
    """Close up to two loops, as long as something can move."""
    count = len(plan.links)
    if not closures or count < 2:
        return joints
    first = WORLD if plan.family != "floating" else 0
    for _ in range(int(chance.integers(0, 3))):
        a, b = (int(x) for x in chance.choice(np.arange(first, count), 2, replace=False))
        kind = str(chance.choice(closures))
        point, R = place()
        links = list(plan.links)
        if kind == "Distance":
            far = point + plan.size * (R[:, 0] if plan.family == "planar" else R[:, 2])
            new = connect(kind, a, b, point, R, links, length=plan.size)
            p = far if b == WORLD else links[b].rotation.T @ (far - links[b].position)
            new = replace(new, p_b=p)
        else:
            new = connect(kind, a, b, point, R, links, **_coordinates(kind, 0.0, chance))
        tried = replace(plan, joints=(*joints, new))
        v = chance.normal(size=6 * count)
        moving = free_velocities(tried, v)
        rigid = 6 if plan.family == "floating" else 0
        if _freedom(tried) > rigid and np.linalg.norm(moving) > 1e-3 * np.linalg.norm(v):
            joints = [*joints, new]
    return joints


def _freedom(plan: Plan) -> int:
    from tests.support.mechanism_oracle import freedom

    return freedom(plan)


def _with_copies(joints, family, links, size, chance):
    """Joints given again: the same, the other way round, or further along the same axis."""
    wanted = 0
    if joints and (family == "door" or chance.random() < 0.4):
        wanted = int(chance.integers(1, 3))
    copies = []
    for _ in range(wanted):
        old = joints[int(chance.integers(len(joints)))]
        way = chance.choice(["same", "reversed", "along"])
        new = old
        if way == "reversed" and old.kind not in ("PointOnLine", "PointOnPlane"):
            new = replace(old, a=old.b, b=old.a, p_a=old.p_b, R_a=old.R_b, p_b=old.p_a, R_b=old.R_a)
            if old.kind == "Universal":
                new = replace(new, R_a=_swapped(new.R_a), R_b=_swapped(new.R_b))
        elif way == "along" and old.kind in ("Revolute", "Prismatic", "Cylindrical", "Screw"):
            far = size * chance.uniform(0.2, 1.0)
            new = replace(old, p_a=old.p_a + far * old.R_a[:, 2], p_b=old.p_b + far * old.R_b[:, 2])
        copies.append(new)
    return [*joints, *copies], len(copies)


def _swapped(R: np.ndarray) -> np.ndarray:
    """Frame with x and y exchanged."""
    return np.column_stack([R[:, 1], R[:, 0], -R[:, 2]])


def _springs(links, family, speed, size, chance):
    """Up to two springs about as strong as what moves the bodies; some with dampers."""
    ties = []
    for _ in range(int(chance.integers(0, 3))):
        first = WORLD if family != "floating" else 0
        if len(links) - first < 2:
            continue
        a, b = (int(x) for x in chance.choice(np.arange(first, len(links)), 2, replace=False))
        ends = [size * 0.5 * chance.normal(size=3) for _ in range(2)]
        least = min(links[k].mass for k in (a, b) if k != WORLD)
        rate = speed / size
        damping = chance.choice([0.0, 0.0, 0.0, 0.2]) * least * rate
        ties.append(Tie(a, b, *ends, least * rate**2, size * chance.uniform(0.2, 1), damping))
    return ties
