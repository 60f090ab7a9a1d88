"""Random scenes with contact, each from one number: all shapes, laws, joints, solvers, sizes.

`random_scene(seed)` makes a model and the options of its run. Half of the scenes are such as a user
might build; the others overlap, coincide, are slivers or dust, spin or fly fast. Nothing here is
meant to be physical, only to be something that can be described.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from tests.support.random_setups import SETUPS, robot
from tests.support.random_setups import method_of as setup_method

import dalembert as dl

SETUPS_FROM, ROBOTS_FROM = 10_000, 60_000
"""Numbers below have the scenes that they had before."""

SOLIDS = ("sphere", "capsule", "box", "cylinder", "ellipsoid", "hull", "mesh", "formula")
GROUNDS = ("plane", "field", "mesh", "formula", "box", "slope", "none")
FORMULAS = (
    "sqrt(x**2 + y**2 + z**2) - 0.4",
    "sqrt((sqrt(x**2 + y**2) - 0.35)**2 + z**2) - 0.12",
    "x**4 + y**4 + z**4 - 0.04",
)
"""Of unit size: every formula is compiled once."""

SOLVERS = ("auto", "newton", "nsgs", "admm", "convex", "lemke", "pgs")


@dataclass
class RandomScene:
    """A model, the options of its run, and what is known of it."""

    seed: int
    model: dl.Model
    step: float
    steps: int
    method: dl.ContactImpulse
    formulation: str
    wild: bool
    driven: bool = False
    """Something puts energy in: drives, moving surfaces, tangential springs, given motion."""
    bouncing: bool = False
    soft: bool = False
    """Springs that hold energy which is not counted: compliant contacts, limits, cables."""
    notes: list[str] = field(default_factory=list)

    def __str__(self):
        method = self.method.describe()
        return f"{self.seed}: {self.steps} x {self.step:.3g} s, {method}, {', '.join(self.notes)}"


class Dice:
    """Random numbers with the words that scenes need."""

    def __init__(self, seed):
        self.rng = np.random.default_rng([6, seed])

    def chance(self, p):
        return bool(self.rng.random() < p)

    def pick(self, *among):
        return among[int(self.rng.integers(len(among)))]

    def uniform(self, low, high):
        return float(self.rng.uniform(low, high))

    def decades(self, low, high):
        """Evenly over the powers of ten from low to high."""
        return float(10.0 ** self.rng.uniform(math.log10(low), math.log10(high)))

    def count(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def vector(self, size=1.0):
        return size * self.rng.normal(size=3)

    def turn(self):
        q = self.rng.normal(size=4)
        return dl.Rotation.from_quaternion(q / np.linalg.norm(q))


# -- shapes ----------------------------------------------------------------------------------------


def edges(dice, size, wild):
    """Three lengths near `size`; now and then a sliver or a needle."""
    found = size * np.array([dice.decades(0.4, 2.5) for _ in range(3)])
    if wild and dice.chance(0.3):
        thin = dice.decades(1e-6, 1e-1)
        for k in range(dice.count(1, 2)):
            found[k] *= thin
    return np.maximum(dice.rng.permutation(found), 1e-7)


def tetrahedra(dice, size):
    """Vertices and faces of a bumpy closed mesh: an octahedron with moved corners."""
    corners = size * np.array(
        [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], float
    )
    corners *= dice.rng.uniform(0.4, 1.0, (6, 1))
    faces = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    return corners, faces


def solid_of(dice, kind, size, wild):
    """A shape of a body."""
    x, y, z = map(float, edges(dice, size, wild))
    place = {} if dice.chance(0.7) else {"position": dice.vector(0.3 * size)}
    if dice.chance(0.3):
        place["rotation"] = dice.turn()
    axis = dice.pick("x", "y", "z")
    if kind == "sphere":
        return dl.Sphere(0.5 * x, **place)
    if kind == "capsule":
        return dl.Capsule(0.3 * x, y, axis, **place)
    if kind == "cylinder":
        return dl.Cylinder(0.5 * x, y, axis, **place)
    if kind == "ellipsoid":
        return dl.Ellipsoid((0.5 * x, 0.5 * y, 0.5 * z), **place)
    if kind == "hull":
        count = dice.count(1, 3) if wild and dice.chance(0.1) else dice.count(4, 20)
        points = dice.rng.normal(size=(count, 3)) * (0.4 * x, 0.4 * y, 0.4 * z)
        return dl.ConvexHull(points, **place)
    if kind == "mesh":
        corners, faces = tetrahedra(dice, 0.5 * size)
        return dl.Mesh(vertices=corners, faces=faces, **place)
    if kind == "formula":
        return dl.SignedDistance(dice.pick(*FORMULAS), size=(1.0, 1.0, 1.0), **place)
    return dl.Box((x, y, z), **place)


def ground_of(dice, kind, size):
    """A shape of the world, its surface near z = 0."""
    far = dice.decades(4.0, 40.0) * size
    if kind == "plane":
        return dl.Plane()
    if kind == "slope":
        n = np.array([0.0, 0.0, 1.0]) + dice.vector(0.5)
        return dl.Plane(tuple(n / np.linalg.norm(n)))
    if kind == "field":
        shape = dice.count(2, 9), dice.count(2, 9)
        heights = dice.rng.normal(size=shape) * dice.pick(0.0, 0.3, 1.0) * size
        return dl.HeightField(heights, size=(far, far))
    if kind == "mesh":
        count = dice.count(2, 6)
        xs = np.linspace(-far / 2, far / 2, count)
        bumps = dice.rng.normal(size=(count, count)) * dice.pick(0.0, 0.3) * size
        corners = np.array(
            [(x, y, bumps[i, k]) for i, x in enumerate(xs) for k, y in enumerate(xs)]
        )
        faces = []
        for i in range(count - 1):
            for k in range(count - 1):
                a, b = i * count + k, (i + 1) * count + k
                faces += [(a, b, b + 1), (a, b + 1, a + 1)]
        return dl.Mesh(vertices=corners, faces=faces)
    if kind == "formula":
        return dl.SignedDistance("z + 0.1*cos(3*x)*cos(2*y) + 0.1", size=(6.0, 6.0, 1.0))
    return dl.Box((far, far, size), position=(0, 0, -size / 2))


def material_of(dice, scene):
    """A surface; what it does to energy is noted in the scene."""
    given = {"friction": dice.pick(0.0, dice.uniform(0, 1), dice.uniform(0, 1), dice.uniform(0, 5))}
    if dice.chance(0.2):
        given["restitution"] = dice.pick(1.0, dice.uniform(0, 1))
        scene.bouncing = True
    if dice.chance(0.15):
        given["rolling"] = dice.decades(1e-6, 1.0)
    if dice.chance(0.15):
        given["torsional"] = dice.decades(1e-6, 1.0)
    if dice.chance(0.15):
        scene.soft = True
        if dice.chance(0.5):
            given["stiffness"] = dice.decades(1.0, 1e8)
            if dice.chance(0.6):
                given[dice.pick("damping", "dissipation")] = dice.decades(1e-3, 1e3)
        else:
            given["frequency"] = dice.decades(0.1, 1e3)
            if dice.chance(0.5):
                given["damping_ratio"] = dice.uniform(0, 2)
    if dice.chance(0.08):
        scene.soft = True
        given["tangential_stiffness"] = dice.decades(1.0, 1e8)
    if dice.chance(0.08):
        given["surface_velocity"] = tuple(dice.vector(dice.decades(0.01, 100)))
        scene.driven = True
    return dl.Material(**given)


# -- bodies and joints -----------------------------------------------------------------------------


def inertia_of(dice, solid, size, wild):
    """Of a mass between 1e-3 and 1e3 kg, about as large as the shape."""
    mass = dice.decades(1e-3, 1e3) if dice.chance(0.5) else dice.decades(0.1, 10)
    if dice.chance(0.6):
        return dl.Inertia.sphere(mass, radius=size)
    lengths = edges(dice, size, wild and dice.chance(0.3))
    return dl.Inertia.box(mass, size=tuple(map(float, lengths)))


def place_of(dice, places, size):
    """Where a body starts: near others, on one of them, or exactly where one is."""
    spread = dice.pick(0.7, 1.5, 3.0) * size
    if places and dice.chance(0.1):
        # refused by name where the shapes have one middle as well
        return places[-1] + dice.pick(0.0, 1e-14, 1e-9, 1e-9, 1e-6) * dice.vector(size)
    if places and dice.chance(0.3):
        return places[dice.count(0, len(places) - 1)] + dice.vector(0.3 * size)
    p = dice.vector(spread)
    p[2] = abs(p[2]) + dice.pick(-0.2, 0.5, 1.0) * size
    return p


def joint_of(dice, kind, a, b, name):
    """A joint between two frames that coincide at the start."""
    axis = dice.pick("x", "y", "z")
    if kind in ("revolute", "prismatic", "cylindrical", "planar"):
        return getattr(dl, kind.capitalize())(a, b, axis=axis, name=name)
    if kind == "universal":
        return dl.Universal(a, b, axis="x", second_axis="y", name=name)
    return {"spherical": dl.Spherical, "fixed": dl.Fixed}[kind](a, b, name=name)


def add_links(dice, scene, bodies, offsets, size):
    """Joints between bodies that stand unturned; loops, and now and then one twice."""
    model = scene.model
    joints = []
    parents = {}
    for k in range(1, len(bodies)):
        if dice.chance(0.25):
            continue
        parents[k] = dice.pick(k - 1, k - 1, dice.count(0, k - 1))
    links = [(p, k) for k, p in parents.items()]
    if dice.chance(0.3):
        links.append((-1, 0))
    if len(bodies) > 2 and dice.chance(0.35):
        links.append((0, len(bodies) - 1))
        scene.notes.append("loop")
    for n, (i, k) in enumerate(links):
        at = offsets[k] + dice.vector(0.5 * size)
        first = model.world.at(*at) if i < 0 else bodies[i].at(*(at - offsets[i]))
        second = bodies[k].at(*(at - offsets[k]))
        kind = dice.pick("revolute", "revolute", "spherical", "prismatic", "universal", "fixed",
                         "cylindrical", "planar")  # fmt: skip
        joint = model.add_joint(joint_of(dice, kind, first, second, f"j{n}"))
        joints.append((kind, joint))
        if dice.chance(0.1):
            model.add_joint(dl.Spherical(first, second, name=f"again{n}"))
            scene.notes.append("redundant")
    return joints


def add_laws(dice, scene, joints, bodies, offsets, size):
    """Limits, drives, brakes, friction, cables, stops."""
    model = scene.model
    for kind, joint in joints:
        if kind not in ("revolute", "prismatic"):
            continue
        reach = 1.0 if kind == "revolute" else size
        if dice.chance(0.3):
            low, high = -dice.uniform(0, 1) * reach, dice.uniform(0, 1) * reach
            soft = {}
            if dice.chance(0.2):
                soft = {"stiffness": dice.decades(1, 1e6)}
                scene.soft = True
            if dice.chance(0.2):
                soft["restitution"] = 0.0 if soft else dice.uniform(0, 1)
                scene.bouncing = True
            model.set_limits(joint, dl.Limits(low, high, **soft))
        what = dice.pick("", "", "", "velocity", "position", "brake", "friction")
        bound = dice.pick({}, {"limits": dice.decades(1e-3, 1e3)})
        if what == "velocity":
            model.add_force(dl.VelocityServo(joint, command=dice.uniform(-10, 10), **bound))
            scene.driven = True
        elif what == "position":
            gains = {"kp": dice.decades(1, 1e6), "kd": dice.pick(0.0, dice.decades(0.1, 1e4))}
            model.add_force(dl.PositionServo(joint, command=dice.uniform(-1, 1), **gains, **bound))
            scene.driven = True
        elif what == "brake":
            model.add_force(dl.Brake(joint, torque=dice.decades(1e-3, 1e3)))
        elif what == "friction":
            model.add_force(
                dl.JointFriction(joint, damping=dice.pick(0.0, 0.1), dry=dice.decades(1e-3, 10))
            )
    if len(bodies) > 1 and dice.chance(0.2):
        i, k = dice.rng.choice(len(bodies), 2, replace=False)
        apart = float(np.linalg.norm(offsets[i] - offsets[k]))
        length = max(apart * dice.pick(1.0, 1.1, 0.8), 1e-3 * size)
        soft = {"stiffness": dice.decades(1, 1e6)} if dice.chance(0.3) else {}
        scene.soft |= bool(soft)
        # cables are formulas: one with its ends in one place has no direction
        model.keep(dl.Cable(bodies[i], bodies[k].at(x=0.1 * size), length=length, **soft))
        scene.notes.append("cable")
    if dice.chance(0.1):
        model.keep(dl.Stop(model.world.at(z=-size), bodies[0], axis="z"))
        scene.notes.append("stop")


# -- scenes ----------------------------------------------------------------------------------------


def method_of(dice):
    """Solver, order, law of impacts, tolerance."""
    given = {"solver": dice.pick(*SOLVERS) if dice.chance(0.3) else "auto"}
    if dice.chance(0.25):
        given["order"] = 2
    if dice.chance(0.2):
        given["restitution"] = "poisson"
    if dice.chance(0.2):
        given["profile"] = dice.pick("fast", "accurate")
    if given["solver"] in ("pgs", "lemke") and dice.chance(0.5):
        given["friction"] = dice.pick(dl.Pyramid(4), dl.Pyramid(8))
    return dl.ContactImpulse(**given)


def random_setup(seed):
    """A scene of one of the kinds of `tests.support.random_setups`."""
    dice = Dice(seed)
    setup = dice.pick(*SETUPS) if seed % 2 else robot
    size = dice.decades(1e-3, 10.0) if dice.chance(0.3) else dice.decades(0.05, 1.0)
    step = dice.decades(2e-4, 0.02)
    method = setup_method(dice)
    formulation = dice.pick("auto", "auto", "maximal", "generalized")
    model = dl.Model(f"scene {seed}", gravity=(0, 0, dice.pick(-9.81, -9.81, 0.0)))
    scene = RandomScene(seed, model, step, dice.count(5, 30), method, formulation, True)
    scene.notes.append(f"{setup.__name__}, size {size:.1g}")
    setup(dice, scene, size)
    return scene


def random_scene(seed):
    """The scene of a number; from `SETUPS_FROM` on, one of every two is of one kind.

    From `ROBOTS_FROM` on, one of every four is a robot.
    """
    if (seed >= SETUPS_FROM and seed % 2) or (seed >= ROBOTS_FROM and seed % 4 == 0):
        return random_setup(seed)
    dice = Dice(seed)
    wild = dice.chance(0.5)
    size = dice.decades(1e-6, 1e3) if wild and dice.chance(0.4) else dice.decades(0.05, 1.0)
    step = dice.decades(1e-4, 0.05) if wild else dice.decades(5e-4, 0.02)
    method = method_of(dice)
    formulation = dice.pick("auto", "auto", "maximal", "generalized")
    model = dl.Model(f"scene {seed}", gravity=(0, 0, dice.pick(-9.81, -9.81, -9.81, 0.0)))
    scene = RandomScene(seed, model, step, dice.count(5, 20), method, formulation, wild)
    ground = dice.pick(*GROUNDS)
    if ground != "none":
        model.add_shape(ground_of(dice, ground, size), material=material_of(dice, scene))
    scene.notes.append(f"size {size:.1g} on {ground}")
    linked = dice.chance(0.4)
    speed = dice.decades(0.01, 1e3) if wild else dice.decades(0.01, 3.0)
    spin = dice.decades(0.01, 1e3) if wild and dice.chance(0.4) else dice.decades(0.01, 3.0)
    bodies, offsets = [], []
    for n in range(dice.count(1, 12 if dice.chance(0.2) else 6)):
        own = size * (dice.decades(1e-3, 1e2) if wild and dice.chance(0.1) else 1.0)
        kind = dice.pick(*SOLIDS)
        solid = solid_of(dice, kind, own, wild)
        place = place_of(dice, offsets, size)
        moving = {}
        if dice.chance(0.6):
            moving = {"velocity": dice.vector(speed), "angular_velocity": dice.vector(spin)}
        turn = None if linked or dice.chance(0.3) else dice.turn()
        inertia = inertia_of(dice, solid, own, wild)
        body = model.add_body(f"b{n}", inertia, position=place, rotation=turn, **moving)
        model.add_shape(solid, on=body, material=material_of(dice, scene))
        if dice.chance(0.15):
            more = solid_of(dice, dice.pick(*SOLIDS), own, wild)
            model.add_shape(more, on=body, material=material_of(dice, scene))
        scene.notes.append(kind)
        bodies.append(body)
        offsets.append(place)
    joints = add_links(dice, scene, bodies, offsets, size) if linked else []
    if linked:
        scene.notes.append(f"{len(joints)} joints")
    if linked or dice.chance(0.2):
        add_laws(dice, scene, joints, bodies, offsets, size)
    return scene
