"""Double wishbone suspension of one wheel, with spring-damper, steering rod, rack and tyre.

A quarter of a car: x forward, y to the left, z up. The body of the car moves up and down. Two arms
on hinges hold the upright by ball joints; the steering rod goes from the rack to the upright. 39
independent rows on seven bodies: height of the car, travel of the wheel, its spin.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.formulas.variables import parameters, time
from dalembert.model import Inertia, Model
from dalembert.model.forces.force import Force
from dalembert.model.forces.potential import Potential
from dalembert.model.forces.spring import Spring
from dalembert.model.joints.motion import Motion
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.joints.revolute import Revolute
from dalembert.model.joints.spherical import Spherical
from dalembert.model.joints.universal import Universal
from dalembert.model.shapes.solid import Solid
from dalembert.model.shapes.solids import Box, Capsule

# Places on the car at the start [m]: inner hinges and outer balls of the arms, wheel, rod, strut.
LOWER, LOWER_BALL = np.array([0.0, 0.35, 0.22]), np.array([0.0, 0.75, 0.20])
UPPER, UPPER_BALL = np.array([-0.03, 0.43, 0.52]), np.array([-0.03, 0.69, 0.50])
WHEEL = np.array([0.0, 0.82, 0.30])
RACK, ROD_BALL = np.array([-0.14, 0.40, 0.27]), np.array([-0.14, 0.72, 0.26])
SEAT, TOWER = np.array([0.0, 0.62, 0.2065]), np.array([0.0, 0.48, 0.62])
ANTI_DIVE = (1.0, 0.0, 0.05)  # axis of the upper hinge


def double_wishbone(
    *,
    car: float = 300.0,
    stiffness: float = 40e3,
    damping: float = 2500.0,
    tyre: float = 180e3,
    steer: float = 0.02,
    bump: float = 0.02,
    speed: float = 10.0,
    gravity: float = 9.81,
) -> Model:
    """Quarter car of bodies car, lower_arm, upper_arm, upright, rack, rod and wheel.

    Parameters
    ----------
    car : float  [kg]
        Carried by this wheel.
    stiffness, damping, tyre : float  [N/m], [N s/m], [N/m]
        Of the strut, and vertical stiffness of the tyre.
    steer, bump : float  [m]
        Stroke of the rack, at 0.5 Hz, and amplitude of the road, at 1 Hz. With steer, bump and
        damping zero the model is conservative.
    speed : float  [m/s]
        Of the car; spins the wheel at the start.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> double_wishbone()
    Model('double-wishbone': 7 bodies, 10 joints, 39 constraint rows)
    """
    M, k, kt, v, g = parameters(car=car, k=stiffness, tyre=tyre, speed=speed, g=gravity)
    model = Model("double-wishbone", gravity=(0.0, 0.0, -g))
    body = model.add_body(
        "car", Inertia.box(M, (1.0, 0.7, 0.5)), shapes=_car_shapes(), color="grey"
    )
    model.add_joint(Prismatic(model.world, body, axis="z", name="heave"))

    # Every frame starts parallel to the car's, so that places on the car serve all bodies.
    lower = model.add_body("lower_arm", Inertia.box(6.0, (0.3, 0.4, 0.04)).moved((0, 0.2, 0)))
    upper = model.add_body("upper_arm", Inertia.box(3.0, (0.2, 0.26, 0.03)).moved((0, 0.13, 0)))
    upright = model.add_body("upright", Inertia.box(8.0, (0.1, 0.1, 0.3)))
    rack = model.add_body("rack", Inertia.box(2.0, (0.03, 0.6, 0.03)))
    wheel = model.add_body("wheel", Inertia.cylinder(18.0, WHEEL[2], length=0.2, axis="y"))
    for arm, hinge, axis in ((lower, LOWER, "x"), (upper, UPPER, ANTI_DIVE)):
        name = f"{arm.name}_hinge"
        model.add_joint(Revolute(body.at(*hinge), arm, axis=axis, name=name))
    centre = (LOWER_BALL + UPPER_BALL) / 2
    low, high = lower.at(*(LOWER_BALL - LOWER)), upper.at(*(UPPER_BALL - UPPER))
    model.add_joint(Spherical(low, upright.at(*(LOWER_BALL - centre)), name="lower_ball"))
    model.add_joint(Spherical(high, upright.at(*(UPPER_BALL - centre)), name="upper_ball"))
    hub = upright.at(*(WHEEL - centre))
    model.add_joint(Revolute(hub, wheel, axis="y", initial_speed=v / float(WHEEL[2]), name="hub"))

    guide = model.add_joint(Prismatic(body.at(*RACK), rack, axis="y", name="guide"))
    reach = ROD_BALL - RACK
    link = Inertia.cylinder(1.0, 0.01, length=float(np.sqrt(reach @ reach)), axis="y")
    lean = float(np.arctan2(reach[2], reach[1]))
    rod = model.add_body("rod", link.moved(reach / 2, rotation=("x", lean)))
    outer = upright.at(*(ROD_BALL - centre))
    model.add_joint(Universal(rack, rod, axis="x", second_axis="z", name="rod_cross"))
    model.add_joint(Spherical(rod.at(*reach), outer, name="rod_ball"))
    turning = parameters(steer=steer)[0] * (1 - np.cos(np.pi * time)) / 2 if steer else 0.0
    model.add_joint(Motion(guide, value=turning, name="steering"))

    ends = lower.at(*(SEAT - LOWER)), body.at(*TOWER)
    _add_strut(model, *ends, car, stiffness, damping, k)
    # Unloaded, the wheel stands 20 mm higher.
    _add_tyre(model, wheel, wheel.position[2] - float(WHEEL[2]) - 0.02, bump, kt)

    for name, frame in (
        ("lower hinge", body.at(*LOWER)),
        ("upper hinge", body.at(*UPPER)),
        ("lower ball", low),
        ("upper ball", high),
        ("hub", hub),
        ("rack", rack.at()),
        ("rod ball", outer),
        ("seat", ends[0]),
        ("tower", ends[1]),
    ):
        model.add_point(name, frame)
    model.add_line("lower hinge", "lower ball", "upper ball", "upper hinge")
    model.add_line("lower ball", "hub", "upper ball", "rod ball")
    model.add_line("rack", "rod ball")
    model.add_line("seat", "tower")
    model.suggested = {"until": 5.0, "step": 1e-3}
    return model


def _car_shapes() -> list[Solid]:
    """Shapes of the car."""
    return [
        Box(size=(0.7, 0.05, 0.08), position=(0.0, LOWER[1] - 0.02, LOWER[2]), opacity=0.5),
        Box(size=(0.7, 0.05, 0.08), position=(0.0, UPPER[1] - 0.02, UPPER[2]), opacity=0.5),
        *(Box(size=(0.06, 0.05, 0.5), position=(x, 0.37, 0.4), opacity=0.5) for x in (-0.3, 0.3)),
        Box(size=(0.2, 0.14, 0.03), position=TOWER),
        *(
            Capsule(radius=0.018, length=0.28, axis="z", position=(x, TOWER[1], 0.49))
            for x in (-0.08, 0.08)
        ),
    ]


def _add_strut(
    model: Model, low: Any, high: Any, car: float, stiffness: float, damping: float, k: Any
) -> None:
    """A spring that carries the car, with damping."""
    strut = TOWER - SEAT
    free = float(np.sqrt(strut @ strut)) + car * 9.81 / stiffness
    c = parameters(c=damping)[0] if damping else 0.0
    model.add_force(Spring(low, high, free_length=free, stiffness=k, damping=c, name="strut"))


def _add_tyre(model: Model, wheel: Any, squeeze: Any, bump: float, kt: Any) -> None:
    """A spring between wheel and road; with a potential where the road is level."""
    if bump:
        road = parameters(bump=bump)[0] * np.sin(2 * np.pi * time)
        lift = (0.0, 0.0, -kt * (squeeze - road))
        model.add_force(Force(wheel, value=lift, name="tyre"))
    else:
        model.add_force(Potential(kt * squeeze**2 / 2, name="tyre"))
