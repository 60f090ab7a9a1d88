"""Gripper like Robotiq's 2F-85: two fingers of four links each, driven together.

Of each finger the knuckle outside is driven; the finger on it, the tip and the knuckle inside close
the loop. A spring keeps outer knuckle and finger at their angle, so that the tip moves like the
coupler of a four-bar until it meets something. The arrangement is that of the Robotiq 2F-85, all
numbers are own. x from finger to finger, z towards the tips; pins of the right finger O, A, B, C,
T (the end of the tip) and I.
"""

from __future__ import annotations

import cmath
from typing import Any

import numpy as np

from dalembert.catalog.linkage import Linkage
from dalembert.formulas.expression import lift
from dalembert.formulas.variables import parameters, time
from dalembert.model import Model
from dalembert.model.forces.position_servo import PositionServo
from dalembert.model.forces.torsion_spring import TorsionSpring
from dalembert.model.joints.coupler import Coupler
from dalembert.model.shapes.solids import Box

OUTER, INNER = (0.032, 0.060), (0.014, 0.078)  # axles of the knuckles [m]
DRIVER, KNUCKLE = (0.050, 0.35), (0.075, 0.90)  # lengths [m] and angles from x [rad] at the start
FINGER, ACROSS = 0.042, 0.0255  # lengths AB, CB [m]
PAD = (0.0375, 0.0563)  # of the tip's end from C and from B [m]
TRAVEL = 0.85  # of the drivers [rad]
SERVO, LOSS = 5.0, 0.1  # of the servo [N m/rad], [N m s/rad]


def gripper(
    *,
    driven: bool = True,
    rate: float = 3.0,
    stiffness: float = 0.5,
    density: float = 0.8,
    gravity: float = 9.81,
) -> Model:
    """Gripper of two fingers: driver, finger, tip and knuckle, each called right_ and left_.

    Parameters
    ----------
    driven : bool
        True: a servo in the right driver opens and closes it. False: a spring of the servo's
        stiffness, conservative; it starts at rest, away from equilibrium.
    rate : float  [rad/s]
        Of opening and closing.
    stiffness : float  [N m/rad]
        Of the springs between drivers and fingers.
    density : float  [kg/m]
        Of the links.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> gripper()
    Model('gripper': 8 bodies, 11 joints, 51 constraint rows)
    """
    g, mu, k = parameters(g=gravity, density=density, k=stiffness)
    model = Model("gripper", gravity=(0.0, 0.0, -g))
    linkage = Linkage(model, mu, lift(0.0))
    right = _finger(linkage, "right", "OABCTI", 1, k)
    left = _finger(linkage, "left", "PDEFUJ", -1, k)
    model.add_joint(Coupler([(1.0, right), (1.0, left)], offset=cmath.pi, name="gears"))
    start = DRIVER[1]
    if driven:
        (w,) = parameters(rate=rate)
        wanted = start + TRAVEL * (1 - np.cos(w * time)) / 2
        model.add_force(PositionServo(right, kp=SERVO, kd=LOSS, command=wanted, name="servo"))
    else:
        middle = start + TRAVEL / 4
        model.add_force(TorsionSpring(right, free_angle=middle, stiffness=SERVO, name="drive"))
    linkage.draw()
    model.add_shape(Box(size=(0.07, 0.05, 0.05), position=(0.0, 0.0, 0.025), color="grey"))
    model.add_shape(Box(size=(0.05, 0.03, 0.04), position=(0.0, 0.0, 0.065), color="grey"))
    model.suggested = {"until": 6.0, "step": 1e-3}
    return model


def _finger(linkage: Linkage, hand: str, pins: str, mirror: int, stiffness: Any) -> Any:
    """Four links with pins O, A, B, C, tip, I; returns the hinge of the driver."""
    o, a, b, c, t, i = list(pins)
    linkage.support(o, mirror * OUTER[0], OUTER[1])
    linkage.support(i, mirror * INNER[0], INNER[1])
    for pin, axle, (length, angle) in ((a, o, DRIVER), (c, i, KNUCKLE)):
        linkage.crank(pin, axle, length, angle if mirror == 1 else cmath.pi - angle)
    linkage.meet(b, a, FINGER, c, ACROSS, side=-mirror)
    linkage.meet(t, c, PAD[0], b, PAD[1], side=mirror)
    parts = {"driver": o + a, "finger": a + b, "tip": c + b + t, "knuckle": i + c}
    for part, ends in parts.items():
        linkage.link(f"{hand}_{part}", ends)
    driver = linkage.hinge(o, "world", f"{hand}_driver")
    elbow = linkage.hinge(a, f"{hand}_driver", f"{hand}_finger")
    linkage.hinge(b, f"{hand}_finger", f"{hand}_tip")
    linkage.hinge(c, f"{hand}_knuckle", f"{hand}_tip")
    linkage.hinge(i, "world", f"{hand}_knuckle")
    o_, a_, b_ = (linkage.pins[pin] for pin in (o, a, b))
    rest = cmath.phase((b_ - a_) / (a_ - o_))
    name = f"{hand}_spring"
    spring = TorsionSpring(elbow, free_angle=rest, stiffness=stiffness, name=name)
    linkage.model.add_force(spring)
    return driver
