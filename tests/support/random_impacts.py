"""Random impacts, each from one number: bodies, machines, stops and cables on their way to hit.

`random_impact(seed)` says in plain numbers what flies where; `Impact.build` makes the model of it,
as it is or turned, moved and in other units. Something meets something after the time `flight`, by
estimate; friction is none, some or much, restitution 0, 1e-12, some or 1. Sizes and masses are of
one kind (users' scenes) or differ by up to a million, speeds are metres a second.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from tests.support.random_scenes import Dice

import dalembert as dl

KINDS = ("body", "body", "pair", "pair", "flat", "chain", "chain", "limit", "cable", "runner")
SHAPES = ("sphere", "tip", "box", "hull", "capsule", "ellipsoid")


@dataclass
class Thing:
    """A body: its start and its shapes, in the axes of the scene."""

    mass: float
    inertia: np.ndarray
    position: np.ndarray
    turn: np.ndarray
    velocity: np.ndarray
    omega: np.ndarray
    shapes: list[tuple[str, Any, np.ndarray]] = field(default_factory=list)


@dataclass
class Hinge:
    """A hinge at a point about an axis, both in the axes of the scene; -1 is the world."""

    first: int
    second: int
    point: np.ndarray
    axis: np.ndarray
    speed: float
    upper: float | None = None


@dataclass
class Impact:
    """What flies where, and how it is to be run."""

    seed: int
    kind: str
    things: list[Thing]
    mu: float
    e: float
    flight: float
    law: str
    size: float
    floor: bool = True
    hinges: list[Hinge] = field(default_factory=list)
    stops: list[tuple[str, int, int, np.ndarray, float]] = field(default_factory=list)
    """Kind, two things, axis or nothing, gap or length."""
    gravity: float = 0.0
    planar: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def speed(self):
        """The largest of the start  [m/s]."""
        fast = [
            np.linalg.norm(t.velocity) + self.size * np.linalg.norm(t.omega) for t in self.things
        ]
        return max([*fast, *(self.size * abs(h.speed) for h in self.hinges)])

    @property
    def is_jointed(self):
        return bool(self.hinges)

    @property
    def has_few_freedoms(self):
        """Whether a chain has fewer than its contact has rows: many impulses serve alike."""
        few = self.kind == "chain" and len(self.things) < (2 if self.planar else 3)
        return few and self.mu > 0.0

    @property
    def has_contacts(self):
        return self.floor or any(t.shapes for t in self.things)

    def __str__(self):
        said = f"{self.seed}: {self.kind}, mu {self.mu:.3g}, e {self.e:.3g}, {self.law}"
        return f"{said}, size {self.size:.3g}, {', '.join(self.notes)}"

    def with_(self, **changes):
        return replace(self, **changes)

    def build(self, turn=None, move=(0.0, 0.0, 0.0), unit=1.0, heavy=1.0):
        """The model: turned and moved, lengths and times `unit`, masses `heavy` times as large."""
        R = np.eye(3) if turn is None else turn
        move = np.asarray(move, float) * unit
        model = dl.Model("impact", gravity=R @ (0.0, 0.0, -self.gravity / unit))
        skin = dl.Material(friction=self.mu, restitution=self.e)
        if self.floor:
            model.add_shape(dl.Plane(tuple(R[:, 2]), float(R[:, 2] @ move)), material=skin)
        bodies = []
        for k, thing in enumerate(self.things):
            inertia = dl.Inertia(heavy * thing.mass, heavy * unit**2 * thing.inertia)
            moving = {}
            if not self.is_jointed:
                moving = {
                    "velocity": R @ thing.velocity,
                    "angular_velocity": R @ thing.omega / unit,
                }
            body = model.add_body(
                f"b{k}",
                inertia,
                position=R @ thing.position * unit + move,
                rotation=dl.Rotation.from_matrix(R @ thing.turn),
                **moving,
            )
            for kind, given, place in thing.shapes:
                model.add_shape(shape_of(kind, given, place, unit), on=body, material=skin)
            bodies.append(body)
        self._join(model, bodies, R, move, unit)
        return model

    def _join(self, model, bodies, R, move, unit):
        turned = dl.Rotation.from_matrix(R)
        for hinge in self.hinges:
            ends = []
            for k in (hinge.first, hinge.second):
                if k < 0:
                    place = R @ hinge.point * unit + move
                    ends.append(model.world.at(*place, rotation=turned))
                else:
                    ends.append(bodies[k].at(*((hinge.point - self.things[k].position) * unit)))
            made = dl.Revolute(*ends, axis=tuple(hinge.axis), initial_speed=hinge.speed / unit)
            joint = model.add_joint(made)
            if hinge.upper is not None:
                model.set_limits(joint, dl.Limits(upper=hinge.upper, restitution=self.e))
        for kind, a, b, axis, gap in self.stops:
            first = model.world.at(*move, rotation=turned) if a < 0 else bodies[a]
            if kind == "cable":
                model.keep(dl.Cable(first, bodies[b], length=gap * unit, restitution=self.e))
            else:
                given = {"axis": tuple(axis), "gap": gap * unit, "restitution": self.e}
                model.keep(dl.Stop(first, bodies[b], **given))


def shape_of(kind, given, place, unit):
    """A shape of a body."""
    at = {"position": tuple(place * unit)}
    if kind in ("sphere", "tip"):
        return dl.Sphere(given * unit, **at)
    if kind == "box":
        return dl.Box(tuple(given * unit), **at)
    if kind == "hull":
        return dl.ConvexHull(given * unit, **at)
    if kind == "capsule":
        return dl.Capsule(given[0] * unit, given[1] * unit, "x", **at)
    return dl.Ellipsoid(tuple(given * unit), **at)


def lowest(kind, given, place, turn):
    """How far below the origin of its body a shape reaches, and where."""
    down = -turn[2]
    if kind in ("sphere", "tip"):
        point = place + given * down
    elif kind == "box":
        point = place + 0.5 * given * np.sign(down)
    elif kind == "hull":
        point = place + given[np.argmax(given @ down)]
    elif kind == "capsule":
        end = np.array([0.5 * given[1] * np.sign(down[0]), 0.0, 0.0])
        point = place + end + given[0] * down
    else:
        point = place + given**2 * down / math.sqrt(np.sum((given * down) ** 2))
    return point


# -- things ----------------------------------------------------------------------------------------


def rotation(dice, planar):
    """A turn, about y alone in the plane of x and z."""
    if planar:
        angle = dice.uniform(-math.pi, math.pi)
        c, s = math.cos(angle), math.sin(angle)
        return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    q, _ = np.linalg.qr(dice.rng.normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))


def thing_of(dice, size, mass, planar, kind=None):
    """A body of about a size at the origin, with one shape and some motion."""
    kind = kind or dice.pick(*SHAPES)
    place = np.zeros(3)
    extents = size * np.array([dice.decades(0.3, 1.0) for _ in range(3)])
    if kind == "sphere":
        given = 0.5 * size
    elif kind == "tip":
        given, place = 0.05 * size, np.array([0.5 * size, 0.0, 0.0])
    elif kind == "hull":
        given = dice.rng.normal(size=(dice.count(5, 12), 3)) * 0.4 * extents
        given = given - given.mean(axis=0)
    elif kind == "capsule":
        given = (0.1 * size, size)
    elif kind == "ellipsoid":
        given = 0.5 * extents
    else:
        given = extents
    if kind == "hull" and planar:
        kind, given = "box", extents
    a, b, c = 0.3 * size * np.array([dice.decades(0.4, 1.0) for _ in range(3)])
    principal = mass * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
    if dice.chance(0.3):
        principal[:] = principal[0]
    velocity, omega = dice.vector(), dice.vector(1.0 / size)
    if planar:
        velocity[1] = omega[0] = omega[2] = 0.0
    turn = rotation(dice, planar)
    shapes = [(kind, given, place)]
    return Thing(mass, np.diag(principal), np.zeros(3), turn, velocity, omega, shapes)


def drop(thing, gap):
    """Put a body over the floor by a gap; the speed [m/s] at which its lowest point approaches."""
    kind, given, place = thing.shapes[0]
    arm = thing.turn @ lowest(kind, given, place, thing.turn)
    thing.position[2] = gap - arm[2]
    return -(thing.velocity + np.cross(thing.omega, arm))[2]


# -- kinds of impacts ------------------------------------------------------------------------------


def body(dice, size, planar):
    """A body that hits the floor."""
    while True:
        thing = thing_of(dice, size, 1.0, planar)
        if drop(thing, 0.0) > 0.2:
            break
    flight = 4e-3 * size
    drop(thing, flight * drop(thing, 0.0))
    return {"things": [thing], "flight": flight}


def flat(dice, size, planar):
    """A box that comes down flat, or on an edge, without turning."""
    thing = thing_of(dice, size, 1.0, True, "box")
    thing.turn = np.eye(3) if dice.chance(0.5) else rotation(dice, True)
    thing.omega[:] = 0.0
    thing.velocity[1] = 0.0
    thing.velocity[2] = -dice.uniform(0.3, 2.0)
    flight = 4e-3 * size
    drop(thing, -flight * thing.velocity[2])
    return {"things": [thing], "flight": flight}


def pair(dice, size, planar):
    """Two bodies, round where they meet, that meet in flight."""
    ratio = dice.pick(1.0, dice.decades(1e-3, 1e3))
    things = [thing_of(dice, size, m, planar, dice.pick("sphere", "tip")) for m in (1.0, ratio)]
    b, middles = things[1], [t.turn @ t.shapes[0][2] for t in things]
    while True:
        n = dice.vector()
        if planar:
            n[1] = 0.0
        n /= np.linalg.norm(n)
        arms = [
            m + s * t.shapes[0][1] * n for t, m, s in zip(things, middles, (1.0, -1.0), strict=True)
        ]
        ends = [t.velocity + np.cross(t.omega, r) for t, r in zip(things, arms, strict=True)]
        if -n @ (ends[1] - ends[0]) > 0.3:
            break
        for t in things:
            t.velocity = dice.vector() * (1.0, 0.0 if planar else 1.0, 1.0)
    flight = 4e-3 * size
    b.position = arms[0] - arms[1] + flight * -n @ (ends[1] - ends[0]) * n
    return {"things": things, "flight": flight, "floor": False}


def chain(dice, size, planar):
    """Links on hinges, from the world or free, whose tip comes down on the floor."""
    count = dice.count(1, 4)
    while True:
        joints = [np.array([0.0, 0.0, 0.0])]
        for _ in range(count):
            way = dice.vector()
            if planar:
                way[1] = 0.0
            joints.append(joints[-1] + size * dice.uniform(0.5, 1.0) * way / np.linalg.norm(way))
        axes = [np.array([0.0, 1.0, 0.0]) if planar else dice.vector() for _ in range(count)]
        axes = [a / np.linalg.norm(a) for a in axes]
        speeds = [dice.uniform(-2.0, 2.0) / size for _ in range(count)]
        tip = joints[-1]
        down = sum(
            s * np.cross(a, tip - p)[2] for s, a, p in zip(speeds, axes, joints[:-1], strict=True)
        )
        if abs(down) > 0.3 and min(p[2] for p in joints[:-1]) > tip[2] + 0.2 * size:
            break
    if down > 0:
        speeds, down = [-s for s in speeds], -down
    flight, radius = 4e-3 * size, 0.05 * size
    lift = np.array([0.0, 0.0, radius - flight * down - tip[2]])
    things, hinges = [], []
    for k in range(count):
        mass = dice.pick(1.0, 1.0, dice.decades(1e-2, 1e2))
        middle = 0.5 * (joints[k] + joints[k + 1]) + lift
        extents = 0.3 * size * np.array([dice.decades(0.3, 1.0) for _ in range(3)])
        inertia = mass * np.diag(np.sum(extents**2) - extents**2)
        things.append(Thing(mass, inertia, middle, np.eye(3), np.zeros(3), np.zeros(3)))
        hinges.append(Hinge(k - 1, k, joints[k] + lift, axes[k], speeds[k]))
    things[-1].shapes.append(("tip", radius, tip + lift - things[-1].position))
    return {"things": things, "hinges": hinges, "flight": flight}


def limit(dice, size, planar):
    """A chain without a floor, one of whose hinges comes to its end."""
    made = chain(dice, size, planar)
    hinge = dice.pick(*made["hinges"])
    hinge.speed = abs(hinge.speed) + 0.3 / size
    hinge.upper = hinge.speed * made["flight"]
    return {**made, "floor": False}


def cable(dice, size, planar):
    """Two bodies that a cable stops, or one and the world."""
    ratio = dice.pick(1.0, dice.decades(1e-2, 1e2))
    things = [thing_of(dice, size, m, planar, "sphere") for m in (1.0, ratio)]
    n = dice.vector() * (1.0, 0.0 if planar else 1.0, 1.0)
    n /= np.linalg.norm(n)
    way = n @ (things[1].velocity - things[0].velocity)
    if way < 0.3:
        things[1].velocity += (0.3 + dice.uniform(0.0, 1.0) - way) * n
        way = n @ (things[1].velocity - things[0].velocity)
    things[1].position = 3.0 * size * n
    flight = 4e-3 * size
    apart = np.linalg.norm(things[1].position + flight * (things[1].velocity - things[0].velocity))
    stops = [("cable", 0, 1, np.zeros(3), float(apart))]
    return {"things": things, "stops": stops, "flight": flight, "floor": False}


def runner(dice, size, planar):
    """A box that slides on the floor and runs against a stop, by a force on its middle."""
    thing = thing_of(dice, size, 1.0, True, "box")
    extents = thing.shapes[0][1]
    thing.turn, thing.omega = np.eye(3), np.zeros(3)
    thing.velocity = np.array([dice.uniform(0.5, 2.0), 0.0 if planar else dice.uniform(-1, 1), 0.0])
    thing.position = np.array([0.0, 0.0, 0.5 * extents[2]])
    flight = 4e-3 * size
    # mu g t of the speed is lost on the way
    stops = [("stop", -1, 0, np.array([-1.0, 0.0, 0.0]), -flight * thing.velocity[0])]
    return {"things": [thing], "stops": stops, "flight": flight, "gravity": 9.81 / size}


MAKERS = {
    "body": body,
    "flat": flat,
    "pair": pair,
    "chain": chain,
    "limit": limit,
    "cable": cable,
    "runner": runner,
}


def random_impact(seed):
    """Impact number `seed`."""
    dice = Dice(1_000_000 + seed)
    kind = dice.pick(*KINDS)
    size = dice.pick(1.0, 1.0, dice.decades(1e-2, 1e2))
    planar = dice.chance(0.4)
    mu = dice.pick(0.0, dice.uniform(0.05, 1.0), dice.uniform(0.05, 1.0), dice.uniform(1.0, 10.0))
    e = dice.pick(0.0, 0.0, 0.0, 1e-12, dice.uniform(0.1, 0.9), 1.0)
    law = dice.pick("newton", "poisson")
    made = MAKERS[kind](dice, size, planar)
    made.setdefault("gravity", dice.pick(0.0, 0.0, 1.0 / size))
    notes = [f"{len(made['things'])} bodies", "planar" if planar else "spatial"]
    notes += [shape[0] for t in made["things"] for shape in t.shapes]
    if made["gravity"]:
        notes.append("gravity")
    return Impact(seed, kind, mu=mu, e=e, law=law, size=size, planar=planar, notes=notes, **made)
