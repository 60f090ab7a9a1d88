"""Five-bar: two cranks and two rods that carry a pen, the simplest parallel robot.

Pins O and P on the ground, A and B on the cranks, C the pen; x-z plane, all lengths own. With
both cranks driven the pen goes along a circle: the angles follow from two triangles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.catalog.linkage import Linkage
from dalembert.errors import ModelError
from dalembert.formulas.expression import lift
from dalembert.formulas.functions import arccos, arctan2, sqrt
from dalembert.formulas.variables import parameters, time
from dalembert.model import Model
from dalembert.model.forces.position_servo import PositionServo
from dalembert.model.forces.torsion_spring import TorsionSpring

HALF = 0.10  # half the distance of the axles [m]
HEIGHT = 0.38  # of the circle's middle [m]


def five_bar(
    *,
    driven: bool = True,
    crank: float = 0.20,
    rod: float = 0.30,
    radius: float = 0.08,
    rate: float = 3.0,
    stiffness: float = 200.0,
    density: float = 2.0,
    gravity: float = 9.81,
) -> Model:
    """Five-bar of bodies left_crank, right_crank, left_rod and right_rod with pins O, P, A, B, C.

    Parameters
    ----------
    driven : bool
        True: servos turn the cranks so that the pen C goes along a circle. False: springs of a
        sixteenth of their stiffness hold them, conservative.
    crank, rod, radius : float  [m]
        Lengths OA and PB, AC and BC; radius of the circle.
    rate : float  [rad/s]
        Along the circle.
    stiffness : float  [N m/rad]
        Of the servos.
    density : float  [kg/m]
        Of the bars.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> five_bar()
    Model('five-bar': 4 bodies, 5 joints, 25 constraint rows)
    """
    far = float(np.hypot(HALF, HEIGHT)) + radius
    if not abs(crank - rod) < float(np.hypot(HALF, HEIGHT)) - radius or not far < crank + rod:
        raise ModelError(
            f"five-bar: the pen is up to {far:.4g} m away from an axle; crank and rod reach "
            f"{abs(crank - rod):.4g} to {crank + rod:.4g} m. Change a length or the radius."
        )
    g, mu, k = parameters(g=gravity, density=density, k=stiffness)
    model = Model("five-bar", gravity=(0.0, 0.0, -g))
    linkage = Linkage(model, mu, lift(0.0))
    pen = (0.0, HEIGHT - radius)
    linkage.support("O", -HALF, 0.0)
    linkage.support("P", HALF, 0.0)
    angles = {side: float(crank_angle(pen, side, crank, rod).value) for side in (1, -1)}
    linkage.crank("A", "O", crank, angles[1])
    linkage.crank("B", "P", crank, angles[-1])
    linkage.meet("C", "A", rod, "B", rod, side=1)
    links = {"left_crank": "OA", "right_crank": "PB", "left_rod": "AC", "right_rod": "BC"}
    for name, pins in links.items():
        linkage.link(name, pins)
    motors = {
        1: linkage.hinge("O", "world", "left_crank"),
        -1: linkage.hinge("P", "world", "right_crank"),
    }
    linkage.hinge("A", "left_crank", "left_rod")
    linkage.hinge("B", "right_crank", "right_rod")
    linkage.hinge("C", "left_rod", "right_rod")
    for side, motor in motors.items():
        name = "left" if side == 1 else "right"
        if driven:
            (w,) = parameters(rate=rate)
            place = (radius * np.sin(w * time), HEIGHT - radius * np.cos(w * time))
            wanted = crank_angle(place, side, crank, rod)
            servo = PositionServo(motor, kp=k, kd=k / 20, command=wanted, name=f"{name}_servo")
            model.add_force(servo)
        else:
            free = angles[side] + 0.15 * side
            spring = TorsionSpring(motor, free_angle=free, stiffness=k / 16, name=f"{name}_spring")
            model.add_force(spring)
    linkage.draw()
    model.suggested = {"until": 6.0, "step": 1e-3}
    return model


def crank_angle(pen: tuple[Any, Any], side: int, crank: float, rod: float) -> Any:
    """Angle of the crank left (side 1) or right (side -1) for a place of the pen, elbow outside."""
    x, z = lift(pen[0]) + side * HALF, lift(pen[1])
    square = x * x + z * z
    within = arccos((square + crank**2 - rod**2) / (2 * crank * sqrt(square)))
    return arctan2(z, x) + side * within
