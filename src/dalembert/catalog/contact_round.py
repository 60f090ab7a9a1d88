"""Round things: a pile of balls, Newton's cradle, a ball and its cup, a top on the floor."""

from __future__ import annotations

import math

import numpy as np

from dalembert.catalog.on_floor import at_least, on_floor
from dalembert.formulas.functions import sin
from dalembert.formulas.variables import parameters, time
from dalembert.model import Inertia, Model
from dalembert.model.contact.material import Material
from dalembert.model.joints.distance import Distance
from dalembert.model.joints.motion import Motion
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.one_sided.cable import Cable
from dalembert.model.shapes.solid import Solid
from dalembert.model.shapes.solids import Box, Capsule, Cylinder, Plane, Sphere


def pile(
    count: int = 60,
    *,
    radius: float = 0.05,
    friction: float = 0.4,
    seed: int = 0,
    gravity: float = 9.81,
) -> Model:
    """Balls that are dropped into a box, from a grid that is a little disturbed.

    Parameters
    ----------
    count : int
    radius : float  [m]
    friction : float
    seed : int
        Of the disturbance.
    gravity : float  [m/s^2]

    Examples
    --------
    >>> pile(8)
    Model('pile-8': 8 bodies)
    """
    at_least(1, "pile", count)
    model, surface = on_floor(f"pile-{count}", friction, gravity)
    across = max(2, round((count / 2.5) ** (1.0 / 3.0)))
    # farther apart than they are disturbed: nothing overlaps at the start
    pitch = 2.1 * radius
    half = 0.5 * across * pitch
    for name, normal in (("east", (-1, 0, 0)), ("west", (1, 0, 0)), ("north", (0, -1, 0))):
        place = tuple(-half * x for x in normal)
        model.add_shape(Plane(normal=normal, position=place), material=surface, name=name)
    model.add_shape(Plane(normal=(0, 1, 0), position=(0, -half, 0)), material=surface, name="south")
    random = np.random.default_rng(seed)
    for k in range(count):
        i, j, layer = k % across, (k // across) % across, k // across**2
        x, y = ((n - 0.5 * (across - 1)) * pitch for n in (i, j))
        off = random.uniform(-0.04 * radius, 0.04 * radius, 2)
        place = (x + float(off[0]), y + float(off[1]), radius + pitch * layer)
        ball = model.add_body(f"ball{k}", Inertia.sphere(0.1, radius), position=place)
        model.add_shape(Sphere(radius), on=ball, material=surface)
    model.suggested = {"until": 3.0, "step": 0.005}
    return model


def cradle(
    count: int = 5, *, speed: float = 1.0, restitution: float = 1.0, gap: float = 0.0
) -> Model:
    """Newton's cradle: balls side by side on rods, the first one arriving.

    Parameters
    ----------
    count : int
    speed : float  [m/s]
        Of the first ball towards the others.
    restitution : float
    gap : float  [m]
        Between neighbours. With a gap the balls hit one after the other and the last one leaves
        alone. Where they touch it depends on the law: ``ContactImpulse(impacts="sequential")``,
        which is suggested, lets them hit one after the other, too; as one impact, Newton's law
        shares the momentum out with the same energy.

    Examples
    --------
    >>> cradle()
    Model('cradle-5': 5 bodies, 10 joints, 10 constraint rows)
    """
    at_least(2, "cradle", count)
    radius, length, spread = 0.05, 0.5, 0.2
    model = Model(f"cradle-{count}")
    steel = Material(friction=0.0, restitution=restitution)
    rod = math.hypot(length, spread)
    for i in range(count):
        x = i * (2.0 * radius + gap)
        v = (speed if i == 0 else 0.0, 0.0, 0.0)
        ball = model.add_body(
            f"ball{i}", Inertia.sphere(1.0, radius), position=(x, 0.0, 0.0), velocity=v
        )
        model.add_shape(Sphere(radius), on=ball, material=steel)
        for side in (-1.0, 1.0):
            hook = model.world.at(x=x, y=side * spread, z=length)
            model.add_joint(Distance(hook, ball, length=rod))
    model.suggested = {"until": 5.0, "method": "contact-impulse:impacts=sequential"}
    return model


def cup(
    *, rope: float = 0.45, reach: float = 0.05, rate: float = 6.0, friction: float = 0.3
) -> Model:
    """Ball that falls into a cup of eight staves, which moves up and down and is tied to it.

    Parameters
    ----------
    rope : float  [m]
        From the bottom of the cup to the middle of the ball; slack at the start.
    reach : float  [m]
        Amplitude of the cup.
    rate : float  [rad/s]
        Of its motion.
    friction : float

    Examples
    --------
    >>> cup()
    Model('cup': 2 bodies, 2 joints, 6 constraint rows)
    """
    model = Model("cup")
    wood = Material(friction=friction)
    r, wall, height, thick = 0.03, 0.05, 0.08, 0.01
    body = model.add_body("cup", Inertia.cylinder(0.2, radius=wall, length=height))
    shape: list[Solid] = [Cylinder(wall, thick)]
    for k in range(8):
        a = k * math.pi / 4.0
        place = (wall * math.cos(a), wall * math.sin(a), 0.5 * height)
        width = 2.0 * wall * math.tan(math.pi / 8.0)
        shape.append(Box(thick, width, height, position=place, rotation=("z", a)))
    model.add_shape(shape, on=body, material=wood)
    slide = model.add_joint(Prismatic(model.world, body, axis="z", name="slide"))
    far, w = parameters(reach=reach, rate=rate)
    model.add_joint(Motion(slide, far * sin(w * time), name="hand"))
    ball = model.add_body("ball", Inertia.sphere(0.05, r), position=(0.004, 0.002, 0.3))
    model.add_shape(Sphere(r), on=ball, material=wood)
    model.keep(Cable(body, ball, length=rope, name="rope"))
    model.suggested = {"until": 3.0, "step": 0.001}
    return model


def top(
    *, spin: float = 120.0, lean: float = 0.15, friction: float = 0.3, gravity: float = 9.81
) -> Model:
    """Spinning top on the floor: a disc on a stem with a round tip, which slides and rises.

    Parameters
    ----------
    spin : float  [rad/s]
        About its axis, at the start.
    lean : float  [rad]
        Of the axis from the vertical.
    friction : float
        Between tip and floor; it lets a fast top rise.
    gravity : float  [m/s^2]

    Examples
    --------
    >>> top()
    Model('top': 1 body)
    """
    model, surface = on_floor("top", friction, gravity)
    tip, height, radius = 0.004, 0.03, 0.03
    axis = (math.sin(lean), 0.0, math.cos(lean))
    # the middle of the tip's sphere is `height` below the centre of mass
    place = (axis[0] * height, 0.0, tip + axis[2] * height)
    body = model.add_body(
        "top",
        Inertia.cylinder(0.1, radius=radius, length=0.01),
        position=place,
        rotation=("y", lean),
        angular_velocity=tuple(spin * x for x in axis),
    )
    model.add_shape(Cylinder(radius, 0.01), on=body, material=surface, name="disc")
    model.add_shape(
        Capsule(tip, height, position=(0.0, 0.0, -0.5 * height)), on=body, material=surface
    )
    model.suggested = {"until": 4.0, "step": 0.001}
    return model
