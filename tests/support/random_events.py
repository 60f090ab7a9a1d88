"""Random scenes for located events, each from one number: few bodies, joints, stops, cables.

`random_events(seed)` makes a scene such as a user might build: things that fall on planes, slopes
and each other, pendulums and linkages with limits and dry friction, cables, belts, formulas. Sizes
are decimetres, times parts of a second; restitution is 0 to 1, by one of three laws.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from tests.support.random_scenes import Dice

import dalembert as dl

FAMILIES = ("drop", "drop", "slope", "tower", "chain", "chain", "cable", "belt", "formula", "loop")
SOLIDS = ("sphere", "box", "cylinder", "capsule")
LAWS = ("newton", "poisson", "energetic")


@dataclass
class EventScene:
    """A model, how it is to be run, and what is known of it."""

    seed: int
    family: str
    model: Any
    until: float
    law: str
    e: float
    mu: float
    size: float
    initial: dict[Any, float] | None = None
    driven: bool = False
    """A surface moves: it may put energy in."""
    jointed: bool = False
    """The model has joints: there are two kinds of coordinates."""
    rubs: bool = False
    """Friction may take energy between impacts."""
    notes: list[str] = field(default_factory=list)

    def __str__(self):
        said = f"{self.seed}: {self.family}, {self.until:.3g} s, {self.law}, e {self.e:.3g}"
        return f"{said}, mu {self.mu:.3g}, {', '.join(self.notes)}"


def random_events(seed):
    """The scene of a number."""
    dice = Dice(seed + 7_000_000)
    family = FAMILIES[seed % len(FAMILIES)]
    model = dl.Model(f"events {seed}")
    e = dice.pick(0.0, 0.0, 0.3, 0.6, 0.9, 1.0)
    mu = dice.pick(0.0, 0.2, 0.5, 0.9)
    scene = EventScene(seed, family, model, 0.0, dice.pick(*LAWS), e, mu, 0.1)
    scene.until = dice.uniform(0.2, 0.6)
    scene.rubs = mu > 0.0
    MAKERS[family](dice, scene)
    return scene


def surface(scene, **more):
    """The material of all shapes of a scene."""
    return dl.Material(friction=scene.mu, restitution=scene.e, **more)


def thing(dice, scene, name, position, *, kind=None, flat=False, moves=True):
    """A body with one shape; half its extent upwards is `reach` where it lies flat."""
    kind = kind or dice.pick(*SOLIDS)
    size = scene.size * dice.uniform(0.6, 1.4)
    mass = dice.decades(0.1, 3.0)
    if kind == "sphere":
        shape, inertia, reach = (
            dl.Sphere(0.5 * size),
            dl.Inertia.sphere(mass, radius=0.5 * size),
            0.5 * size,
        )
    elif kind == "box":
        edges = size * np.array([dice.uniform(0.5, 1.5) for _ in range(3)])
        shape, inertia = dl.Box(tuple(edges)), dl.Inertia.box(mass, size=tuple(edges))
        reach = 0.5 * edges[2]
    else:
        radius, length = 0.4 * size, size
        inertia = dl.Inertia.box(mass, size=(2 * radius, 2 * radius, length))
        made = {"cylinder": dl.Cylinder, "capsule": dl.Capsule}[kind]
        shape = made(radius, length, "z")
        reach = 0.5 * length + (radius if kind == "capsule" else 0.0)
    moving = {}
    if moves:
        moving = {"velocity": dice.vector(0.4), "angular_velocity": dice.vector(3.0)}
    rotation = None
    if not flat:
        rotation = dice.turn()
        reach = 1.2 * size
    place = np.asarray(position, float) + np.array([0.0, 0.0, reach])
    turned = {} if rotation is None else {"rotation": rotation}
    body = scene.model.add_body(name, inertia, position=tuple(place), **turned, **moving)
    scene.model.add_shape(shape, on=body, material=surface(scene))
    scene.notes.append(kind)
    return body, 2.0 * reach


def drop(dice, scene):
    """Things that fall beside each other, tumbling or flat."""
    scene.model.add_shape(dl.Plane(), material=surface(scene))
    for k in range(dice.count(1, 3)):
        flat = dice.chance(0.3)
        gap = dice.pick(0.0, 0.02, 0.05) * dice.uniform(0.5, 1.0)
        place = (4.5 * scene.size * k * dice.pick(1.0, 0.9), 0.0, gap)
        thing(dice, scene, f"b{k}", place, flat=flat, moves=not flat or dice.chance(0.5))


def slope(dice, scene):
    """Things on an incline, at rest or moving."""
    angle = dice.uniform(0.05, 0.6)
    normal = (-math.sin(angle), 0.0, math.cos(angle))
    scene.model.add_shape(dl.Plane(normal, 0.0), material=surface(scene))
    kind = dice.pick(*SOLIDS)
    tilted = dl.Rotation.about((0, 1, 0), -angle)
    size = scene.size
    shapes = {
        "sphere": (dl.Sphere(0.5 * size), 0.5 * size),
        "box": (dl.Box((size, 0.8 * size, 0.6 * size)), 0.3 * size),
        "cylinder": (dl.Cylinder(0.4 * size, size, "z"), 0.5 * size),
        "capsule": (dl.Capsule(0.3 * size, size, "y"), 0.3 * size),
    }
    shape, reach = shapes[kind]
    place = reach * np.array(normal)
    turning = dice.vector(dice.pick(0.0, 2.0))
    body = scene.model.add_body(
        "b",
        dl.Inertia.box(1.0, size=(size, size, size)),
        position=tuple(place + dice.pick(0.0, 0.03) * np.array(normal)),
        rotation=tilted,
        velocity=tuple(dice.pick(0.0, 0.5) * np.array([math.cos(angle), 0.0, math.sin(angle)])),
        angular_velocity=tuple(turning if kind == "sphere" else 0.0 * turning),
    )
    scene.model.add_shape(shape, on=body, material=surface(scene))
    scene.notes.append(f"{kind} at {angle:.2f}")


def tower(dice, scene):
    """Two things on each other."""
    scene.model.add_shape(dl.Plane(), material=surface(scene))
    height, kinds = 0.0, ("box", dice.pick("sphere", "box", "cylinder"))
    for k, kind in enumerate(kinds):
        gap = dice.pick(0.0, 0.01)
        _, tall = thing(
            dice, scene, f"b{k}", (0.0, 0.0, height + gap), kind=kind, flat=True, moves=False
        )
        height += gap + tall


def rods(dice, scene, count, **options):
    """Rods on hinges in the plane of x and z, and their joints."""
    model, before, joints, bodies = scene.model, scene.model.world, [], []
    scene.jointed = True
    length = 3.0 * scene.size
    for k in range(count):
        rod = model.add_body(
            f"rod{k}", dl.Inertia.box(dice.decades(0.2, 2.0), size=(length, 0.1 * length, 0.1))
        )
        joint = dl.Revolute(
            before,
            rod.at(x=-0.5 * length),
            axis="y",
            initial=dice.uniform(-0.5, 1.0),
            initial_speed=dice.uniform(-2.0, 2.0),
            name=f"h{k}",
            **options,
        )
        joints.append(model.add_joint(joint))
        bodies.append(rod)
        before = rod.at(x=0.5 * length)
    return joints, bodies, before


def chain(dice, scene):
    """A pendulum of rods with limits, dry friction, and perhaps a ball over a floor."""
    joints, _, end = rods(dice, scene, dice.count(1, 3))
    scene.rubs = False
    for joint in joints:
        if dice.chance(0.6):
            limits = dl.Limits(
                lower=-dice.uniform(0.6, 1.2), upper=dice.uniform(1.1, 1.6), restitution=scene.e
            )
            scene.model.set_limits(joint, limits)
            scene.notes.append("limits")
        if dice.chance(0.4):
            scene.model.add_force(dl.JointFriction(joint, dry=dice.decades(0.01, 1.0)))
            scene.rubs = True
            scene.notes.append("dry friction")
    if dice.chance(0.6):
        floor = -dice.uniform(0.85, 0.99) * 3.0 * scene.size * len(joints) - 0.05
        scene.model.add_shape(dl.Plane(position=(0, 0, floor)), material=surface(scene))
        scene.model.add_shape(dl.Sphere(0.05), on=end, material=surface(scene))
        scene.rubs = scene.rubs or scene.mu > 0.0
        scene.notes.append("floor")


def cable(dice, scene):
    """A ball on a cable, or two, over a floor."""
    scene.model.add_shape(dl.Plane(position=(0, 0, -0.6)), material=surface(scene))
    before = scene.model.world
    for k in range(dice.count(1, 2)):
        place = scene.size * np.array(
            [dice.uniform(0.2, 1.5) + 1.2 * k, dice.uniform(-0.5, 0.5), -1.0 - k]
        )
        ball, _ = thing(dice, scene, f"ball{k}", tuple(place), kind="sphere", flat=True)
        scene.model.keep(dl.Cable(before, ball, length=dice.uniform(0.4, 0.5), restitution=scene.e))
        before = ball
    scene.notes.append("cable")


def belt(dice, scene):
    """Something that lies or falls on a belt, perhaps held by a spring."""
    along = (dice.uniform(-1.0, 1.0), dice.pick(0.0, 0.3), 0.0)
    scene.model.add_shape(dl.Plane(), material=surface(scene, surface_velocity=along))
    body, _ = thing(
        dice,
        scene,
        "b",
        (0.0, 0.0, dice.pick(0.0, 0.02)),
        kind=dice.pick("box", "sphere"),
        flat=True,
        moves=False,
    )
    if dice.chance(0.5):
        end = scene.model.world.at(-1.0, 0.0, 0.05)
        scene.model.add_force(dl.Spring(end, body, stiffness=dice.decades(5, 100), free_length=1.0))
        scene.notes.append("spring")
    scene.driven = True


def formula(dice, scene):
    """Masses on springs between walls, one that slides on a floor with friction."""
    count = dice.count(1, 3)
    named = dl.coordinates(" ".join(["y", *(f"x{k}" for k in range(count))]))
    y, xs = named[0], named[1:]
    masses = [dice.decades(0.2, 3.0) for _ in named]
    kinetic = sum(m * x.dot**2 / 2 for m, x in zip(masses, (y, *xs), strict=True))
    kinetic = kinetic + masses[0] * xs[0].dot ** 2 / 2
    potential = 9.81 * masses[0] * y
    for x in xs:
        potential = potential + dice.uniform(5.0, 60.0) * (x - dice.uniform(-0.3, 0.3)) ** 2 / 2
    scene.model = dl.Model.from_lagrangian(kinetic=kinetic, potential=potential)
    more = {"friction": scene.mu, "sliding": xs[0]} if scene.mu > 0.0 else {}
    scene.model.keep(y >= 0, restitution=scene.e, name="floor", **more)
    for k, x in enumerate(xs):
        scene.model.keep(x + dice.uniform(0.3, 0.6) >= 0, restitution=scene.e, name=f"low{k}")
        if dice.chance(0.5):
            scene.model.keep(
                dice.uniform(0.3, 0.6) - np.sin(x) >= 0, restitution=scene.e, name=f"high{k}"
            )
    if count > 1 and dice.chance(0.5):
        scene.model.keep(1.2 - (xs[0] - xs[1]) ** 2 >= 0, name="strap")
    scene.initial = {y: dice.pick(0.0, 0.1, 0.3)}
    scene.initial |= {x: dice.uniform(-0.25, 0.25) for x in xs}
    scene.initial |= {x.dot: dice.uniform(-2.0, 2.0) for x in xs}


def loop(dice, scene):
    """A four-bar with a limit, dry friction, or a stop on its coupler."""
    length = 3.0 * scene.size
    model = scene.model
    scene.jointed, scene.rubs = True, False
    base = 2.0 * length
    angle = dice.uniform(0.6, 1.6)
    top = length * np.array([math.cos(angle), 0.0, math.sin(angle)])
    inertia = dl.Inertia.box(dice.decades(0.2, 2.0), size=(length, 0.03, 0.03))
    names = ("crank", "coupler", "rocker")
    starts = (np.zeros(3), top, np.array([base, 0.0, 0.0]))
    lengths, turns = (length, base, length), (-angle, 0.0, -angle)
    bodies = []
    for name, start, own, turn in zip(names, starts, lengths, turns, strict=True):
        rotation = dl.Rotation.about((0, 1, 0), turn)
        middle = start + rotation.matrix @ np.array([0.5 * own, 0.0, 0.0])
        bodies.append(model.add_body(name, inertia, position=tuple(middle), rotation=rotation))
    crank, coupler, rocker = bodies
    ends = (
        (model.world, crank.at(x=-0.5 * length)),
        (crank.at(x=0.5 * length), coupler.at(x=-0.5 * base)),
        (model.world.at(base, 0, 0), rocker.at(x=-0.5 * length)),
        (rocker.at(x=0.5 * length), coupler.at(x=0.5 * base)),
    )
    joints = [
        model.add_joint(dl.Revolute(a, b, axis="y", name=f"j{k}")) for k, (a, b) in enumerate(ends)
    ]
    if dice.chance(0.6):
        model.add_force(dl.JointFriction(joints[0], dry=dice.decades(0.01, 0.3)))
        scene.rubs = True
        scene.notes.append("dry friction")
    what = dice.pick("stop", "limit")
    if what == "stop":
        height = coupler.position[2] - top[2] * dice.uniform(0.3, 0.9)
        model.keep(height >= 0, restitution=scene.e, name="anvil")
    else:
        wall = crank.at(x=0.5 * length).position[0]
        reach = top[0] + dice.uniform(0.2, 0.8) * (length - top[0])
        model.keep(reach - wall >= 0, restitution=scene.e, name="wall")
    scene.notes.append(what)


MAKERS = {
    "drop": drop,
    "slope": slope,
    "tower": tower,
    "chain": chain,
    "cable": cable,
    "belt": belt,
    "formula": formula,
    "loop": loop,
}
