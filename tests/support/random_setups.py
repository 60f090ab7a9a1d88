"""Random scenes of one kind each, where those of `tests.support.random_scenes` come seldom.

Plates hit by fast balls, towers of unequal masses, machines with drives at their limits and loops,
belts, ropes, rough ground, slivers and dust, bodies in one place, heaps that fall asleep, robots.
"""

from __future__ import annotations

import numpy as np

import dalembert as dl

SOLVERS = ("auto", "newton", "nsgs", "admm", "convex", "lemke", "pgs", "interior")


def solid(dice, kind, size):
    """A shape of about a size, its middle in the middle."""
    a, b, c = (size * dice.decades(0.5, 2.0) for _ in range(3))
    axis = dice.pick("x", "y", "z")
    if kind == "sphere":
        return dl.Sphere(0.5 * a)
    if kind == "capsule":
        return dl.Capsule(0.3 * a, b, axis)
    if kind == "cylinder":
        return dl.Cylinder(0.5 * a, b, axis)
    if kind == "ellipsoid":
        return dl.Ellipsoid((0.5 * a, 0.5 * b, 0.5 * c))
    if kind == "hull":
        return dl.ConvexHull(dice.rng.normal(size=(dice.count(5, 16), 3)) * (0.4 * a))
    if kind == "formula":
        return dl.SignedDistance("x**4 + y**4 + z**4 - 0.04", size=(1.0, 1.0, 1.0))
    return dl.Box((a, b, c))


KINDS = ("sphere", "capsule", "cylinder", "ellipsoid", "hull", "box", "formula")


def body(dice, scene, kind, size, place, mass, surface, **moving):
    """A body with one shape."""
    inertia = dl.Inertia.sphere(mass, radius=0.4 * size)
    name = f"b{len(scene.model.bodies)}"
    made = scene.model.add_body(name, inertia, position=place, **moving)
    scene.model.add_shape(solid(dice, kind, size), on=made, material=surface)
    scene.notes.append(kind)
    return made


def floor(dice, scene, size, surface, kind=None):
    """A floor at z = 0."""
    kind = kind or dice.pick("plane", "box", "field", "mesh")
    far = 20.0 * size
    if kind == "plane":
        shape = dl.Plane()
    elif kind == "box":
        shape = dl.Box((far, far, size), position=(0, 0, -0.5 * size))
    elif kind == "field":
        bumps = dice.rng.normal(size=(dice.count(3, 9), dice.count(3, 9)))
        shape = dl.HeightField(bumps * dice.pick(0.0, 0.2) * size, size=(far, far))
    else:
        corners = 0.5 * far * np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
        shape = dl.Mesh(vertices=corners, faces=[(0, 1, 2), (0, 2, 3)])
    scene.model.add_shape(shape, material=surface)
    scene.notes.append(f"on {kind}")


def plates(dice, scene, size):
    """Balls and other things that fly at thin plates, which stand, lie free or hang on a hinge."""
    surface = surface_of(dice, scene)
    for k in range(dice.count(1, 3)):
        thin = size * dice.decades(1e-4, 0.05)
        place = np.array([0.0, 0.0, 2.5 * size * (k + 1)])
        plate = dl.Box((4 * size, 4 * size, thin))
        what = dice.pick("fixed", "free", "hinged")
        if what == "fixed":
            still = dl.Box((4 * size, 4 * size, thin), position=tuple(place))
            scene.model.add_shape(still, material=surface)
            continue
        inertia = dl.Inertia.box(dice.decades(0.01, 10), size=(4 * size, 4 * size, thin))
        made = scene.model.add_body(f"plate{k}", inertia, position=place)
        scene.model.add_shape(plate, on=made, material=surface)
        if what == "hinged":
            end = scene.model.world.at(*(place - (2 * size, 0, 0)))
            scene.model.add_joint(dl.Revolute(end, made.at(x=-2 * size), axis="y"))
    for _ in range(dice.count(1, 4)):
        place = size * np.array([dice.uniform(-1, 1), dice.uniform(-1, 1), 12 + dice.uniform(0, 9)])
        down = dice.decades(1.0, 1e3) * size / scene.step
        way = down * np.array([dice.uniform(-0.2, 0.2), dice.uniform(-0.2, 0.2), -1.0])
        turning = dice.vector(dice.pick(0.0, 1.0, 1e3))
        kind = dice.pick("sphere", "sphere", *KINDS[:6])
        mass = dice.decades(1e-3, 10)
        body(dice, scene, kind, 0.5 * size, place, mass, surface, velocity=way,
             angular_velocity=turning)  # fmt: skip


def tower(dice, scene, size):
    """Things on one another, of masses that differ by up to a million."""
    surface = surface_of(dice, scene)
    floor(dice, scene, size, surface)
    height = 0.0
    for k in range(dice.count(2, 8)):
        e = size * dice.decades(0.5, 1.5)
        shape = dice.pick(dl.Box((e, e, e)), dl.Cylinder(0.5 * e, e, "z"), dl.Box((e, e, e)))
        inertia = dl.Inertia.box(dice.decades(1e-3, 1e3), size=(e, e, e))
        aside = dice.pick(0.0, 0.1) * e * dice.rng.normal(size=2)
        gap = dice.pick(0.0, 1e-6, 0.1) * size
        place = (*aside, height + gap + 0.5 * e)
        made = scene.model.add_body(f"b{k}", inertia, position=place)
        scene.model.add_shape(shape, on=made, material=surface)
        height += gap + e


def machine(dice, scene, size):
    """A tree on joints with drives at their bounds, limits, and perhaps a loop, above the floor."""
    surface = surface_of(dice, scene)
    floor(dice, scene, size, surface)
    model = scene.model
    count = dice.count(2, 7)
    z = dice.uniform(0.5, 3.0) * size
    fixed = dice.chance(0.5)
    links, joints = [], []
    for k in range(count):
        place = (k * size, 0.0, z)
        inertia = dl.Inertia.box(dice.decades(0.01, 100), size=(size, 0.3 * size, 0.3 * size))
        made = model.add_body(f"b{k}", inertia, position=place)
        shape = dice.pick(dl.Capsule(0.15 * size, 0.6 * size, "x"),
                          dl.Box((0.9 * size, 0.3 * size, 0.3 * size)))  # fmt: skip
        model.add_shape(shape, on=made, material=surface)
        before = links[-1].at(x=0.5 * size) if links else model.world.at(-0.5 * size, 0, z)
        if links or fixed:
            kind = dice.pick("revolute", "revolute", "prismatic", "spherical", "universal")
            ends = before, made.at(x=-0.5 * size)
            if kind == "revolute":
                joint = dl.Revolute(*ends, axis=dice.pick("x", "y", "z"), name=f"j{k}")
            elif kind == "prismatic":
                joint = dl.Prismatic(*ends, axis=dice.pick("x", "y", "z"), name=f"j{k}")
            elif kind == "spherical":
                joint = dl.Spherical(*ends, name=f"j{k}")
            else:
                joint = dl.Universal(*ends, axis="x", second_axis="y", name=f"j{k}")
            joints.append((kind, model.add_joint(joint)))
        links.append(made)
    if count > 2 and dice.chance(0.4):
        # closed as it stands: the last link is tied to the first, or to the world
        end = links[-1].at(x=0.5 * size)
        at = ((count - 0.5) * size, 0.0, z)
        first = model.world.at(*at) if dice.chance(0.5) else links[0].at(x=(count - 0.5) * size)
        kind = dice.pick(dl.Spherical, dl.Fixed, dl.Spherical)
        model.add_joint(kind(first, end, name="loop"))
        scene.notes.append("loop")
    for kind, joint in joints:
        if kind not in ("revolute", "prismatic"):
            continue
        if dice.chance(0.4):
            model.set_limits(joint, dl.Limits(-dice.decades(1e-3, 1), dice.decades(1e-3, 1)))
        if dice.chance(0.6):
            scene.driven = True
            bound = dice.decades(1e-3, 1e4)
            if dice.chance(0.5):
                model.add_force(
                    dl.VelocityServo(joint, command=dice.uniform(-20, 20), limits=bound)
                )
            else:
                gains = {"kp": dice.decades(1, 1e6), "kd": dice.decades(0.1, 1e3)}
                aim = dice.uniform(-2, 2)
                model.add_force(dl.PositionServo(joint, command=aim, limits=bound, **gains))


def robot(dice, scene, size):
    """Limbs on a trunk that is free or held, a servo in every joint, on the floor or above it."""
    surface = surface_of(dice, scene)
    floor(dice, scene, size, surface)
    model, scene.driven = scene.model, True
    z = dice.uniform(0.14, 0.5) * size
    trunk = model.add_body("trunk", _limb(dice, size), position=(0, 0, z))
    model.add_shape(dl.Box((0.8 * size, 0.3 * size, 0.3 * size)), on=trunk, material=surface)
    if dice.chance(0.3):
        model.add_joint(dl.Revolute(model.world.at(0, 0, z), trunk, axis="z", name="base"))
        _servo(dice, model, "base", size)
    for limb in range(dice.count(1, 4)):
        side, above, x = (-1.0) ** limb, trunk, dice.uniform(-0.5, 0.5) * size
        at = trunk.at(x=x, y=0.3 * side * size)
        for k in range(dice.count(1, 4)):
            name = f"limb{limb}_{k}"
            place = (x, side * (0.3 + 0.8 * k + 0.4) * size, z)
            link = model.add_body(name, _limb(dice, size), position=place)
            solid = dice.pick(dl.Capsule(0.1 * size, 0.5 * size, "y"), dl.Sphere(0.15 * size))
            model.add_shape(solid, on=link, material=surface)
            ends = at, link.at(y=-0.4 * side * size)
            ends = ends[::-1] if dice.chance(0.2) else ends
            made = dice.pick(dl.Revolute, dl.Revolute, dl.Revolute, dl.Prismatic)
            model.add_joint(made(*ends, axis=dice.pick("x", "y", "z"), name=f"to_{name}"))
            _servo(dice, model, f"to_{name}", size)
            above = link
            at = above.at(y=0.4 * side * size)
    if dice.chance(0.8):
        scene.formulation = "generalized"


def _limb(dice, size):
    return dl.Inertia.box(dice.decades(0.01, 100), size=(0.8 * size, 0.3 * size, 0.2 * size))


def _servo(dice, model, joint, size):
    """Stiff or weak, bounded or not."""
    bound = dice.pick({}, {}, {"limits": dice.decades(1e-3, 1e4)})
    if dice.chance(0.2):
        given = {"kd": dice.decades(0.1, 1e4), "command": dice.uniform(-10, 10)}
        model.add_force(dl.VelocityServo(joint, **given, **bound))
    else:
        gains = {"kp": dice.decades(1, 1e6), "kd": dice.pick(0.0, dice.decades(0.1, 1e4))}
        aim = dice.uniform(-0.5, 0.5) * min(1.0, size)
        model.add_force(dl.PositionServo(joint, command=aim, **gains, **bound))


def belt(dice, scene, size):
    """Things on a belt, with rolling and torsional friction."""
    scene.driven = True
    speed = dice.decades(0.01, 50.0)
    rough = {"rolling": dice.pick(0.0, 0.01 * size), "torsional": dice.pick(0.0, 0.01 * size)}
    friction = dice.uniform(0.05, 2)
    cover = dl.Material(friction=friction, surface_velocity=(speed, 0, 0), **rough)
    floor(dice, scene, size, cover, dice.pick("plane", "box"))
    for k in range(dice.count(1, 8)):
        place = (2.0 * size * (k % 4), 2.0 * size * (k // 4), dice.uniform(0.5, 1.2) * size)
        mass = dice.decades(1e-2, 1e2)
        body(dice, scene, dice.pick(*KINDS), size, place, mass, surface_of(dice, scene))


def ropes(dice, scene, size):
    """Things that hang on cables, over pulleys and on one another."""
    surface = surface_of(dice, scene)
    floor(dice, scene, size, surface)
    model = scene.model
    made = []
    for k in range(dice.count(2, 5)):
        place = (1.6 * size * k, dice.uniform(-0.2, 0.2) * size, 3.0 * size)
        mass = dice.decades(1e-2, 1e2)
        kind = dice.pick("sphere", "box", "capsule")
        made.append(body(dice, scene, kind, size, place, mass, surface,
                         velocity=dice.vector(dice.decades(0.01, 10))))  # fmt: skip
        top = model.world.at(place[0], 0.0, 6.0 * size)
        long = size * dice.pick(3.0, 3.0001, 3.5)
        soft = {"stiffness": dice.decades(10, 1e6)} if dice.chance(0.2) else {}
        scene.soft |= bool(soft)
        model.keep(dl.Cable(top, made[-1], length=max(long, 3.1 * size), name=f"r{k}", **soft))
    for k in range(1, len(made)):
        if dice.chance(0.5):
            over = [model.world.at(1.6 * size * (k - 0.5), 0.0, 7.0 * size)]
            model.keep(dl.Cable(made[k - 1], made[k], length=9.0 * size, through=over,
                                name=f"over{k}"))  # fmt: skip


def ground(dice, scene, size):
    """Things that tumble fast over rough ground."""
    floor(dice, scene, size, surface_of(dice, scene), dice.pick("field", "mesh", "field", "plane"))
    for k in range(dice.count(1, 6)):
        place = (2.5 * size * (k % 3), 2.5 * size * (k // 3), dice.uniform(1.5, 3.0) * size)
        fast = dice.decades(0.1, 100)
        body(dice, scene, dice.pick(*KINDS), size, place, dice.decades(0.01, 100),
             surface_of(dice, scene), velocity=dice.vector(fast),
             angular_velocity=dice.vector(dice.decades(0.1, 300)))  # fmt: skip


def dust(dice, scene, size):
    """Slivers, needles, dust and boulders together, some exactly in one place."""
    surface = surface_of(dice, scene)
    floor(dice, scene, size, surface)
    for _ in range(dice.count(2, 6)):
        own = size * dice.decades(1e-5, 10)
        place = size * np.array([dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(0, 2)])
        if dice.chance(0.3):
            place = np.array([0.0, 0.0, size])
        kind = dice.pick(*KINDS[:6])
        body(dice, scene, kind, own, place, dice.decades(1e-3, 1e3), surface)


def heap(dice, scene, size):
    """A heap that comes to rest, with or without sleeping."""
    surface = surface_of(dice, scene)
    floor(dice, scene, size, surface, dice.pick("plane", "box"))
    for k in range(dice.count(4, 14)):
        place = size * np.array([1.3 * (k % 2), 1.3 * (k // 2 % 2), 0.7 + 1.3 * (k // 4)])
        place += dice.vector(0.02 * size)
        kind = dice.pick("sphere", "box", "capsule", "cylinder", "ellipsoid")
        body(dice, scene, kind, 0.8 * size, place, dice.decades(0.1, 10), surface)


def surface_of(dice, scene):
    """A surface; what it does to energy is noted in the scene."""
    given = {"friction": dice.pick(0.0, dice.uniform(0, 1), dice.uniform(0, 1), dice.uniform(0, 5))}
    if dice.chance(0.25):
        given["restitution"] = dice.pick(1.0, dice.uniform(0, 1))
        scene.bouncing = True
    if dice.chance(0.2):
        given["rolling"] = dice.decades(1e-5, 0.1)
    if dice.chance(0.2):
        given["torsional"] = dice.decades(1e-5, 0.1)
    if dice.chance(0.1):
        scene.soft = True
        given["stiffness"] = dice.decades(1e2, 1e8)
    return dl.Material(**given)


SETUPS = (plates, plates, tower, machine, machine, belt, ropes, ground, dust, heap)


def method_of(dice):
    """Solver, order, law of impacts, profile, sleeping, shares of forces."""
    given = {"solver": dice.pick(*SOLVERS) if dice.chance(0.4) else "auto"}
    if dice.chance(0.3):
        given["order"] = 2
    if dice.chance(0.3):
        given["restitution"] = "poisson"
    if dice.chance(0.2):
        given["profile"] = dice.pick("fast", "accurate")
    if dice.chance(0.2):
        given["sleeping"] = True
    if dice.chance(0.1):
        given["forces"] = "min_norm"
    if given["solver"] in ("pgs", "lemke") and dice.chance(0.5):
        given["friction"] = dice.pick(dl.Pyramid(4), dl.Pyramid(8))
    return dl.ContactImpulse(**given)
