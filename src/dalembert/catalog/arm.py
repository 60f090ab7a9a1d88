"""Arm of seven hinges: shoulder, elbow and wrist as a man has them, with servos.

Lengths and ranges are those of the data sheet of the KUKA LBR iiwa 7 R800 (340, 400, 400, 126 mm;
170 and 120 degrees, 175 for the flange); masses, radii and gains are own.
"""

from __future__ import annotations

import numpy as np

from dalembert.catalog.posed import Part, bar, block
from dalembert.formulas.variables import parameters, time
from dalembert.model import Inertia, Model
from dalembert.model.forces.position_servo import PositionServo
from dalembert.model.joints.revolute import Revolute
from dalembert.model.one_sided.limits import Limits

HEIGHTS = (0.17, 0.34, 0.54, 0.74, 0.94, 1.14, 1.21)  # of the joints, upright [m]
FLANGE = 1.266
AXES = ("z", "y", "z", "-y", "z", "y", "z")
RANGES = (170.0, 120.0, 170.0, 120.0, 170.0, 120.0, 175.0)  # either way [degrees]
MASSES = (3.5, 3.5, 2.5, 2.5, 1.5, 1.2, 0.3)  # [kg]
RADII = (0.075, 0.07, 0.065, 0.06, 0.05, 0.045, 0.04)  # [m]
START = (0.0, 0.6, 0.0, 1.5, 0.0, -0.9, 0.0)  # [rad]
SWINGS = (0.8, 0.35, 0.4, 0.45, 0.6, 0.5, 1.2)  # [rad]
GAINS = (4000.0, 4000.0, 2000.0, 2000.0, 400.0, 300.0, 30.0)  # [N m/rad]
DAMPING = (200.0, 200.0, 60.0, 60.0, 8.0, 6.0, 0.6)  # [N m s/rad]


def arm(
    *, driven: bool = True, stops: bool = False, rate: float = 2.0, gravity: float = 9.81
) -> Model:
    """Arm of seven hinges: bodies link1, ..., link7, the last with a hand.

    Parameters
    ----------
    driven : bool
        True: servos swing all joints about the start. False: it falls freely, conservative.
    stops : bool
        Whether the joints have their ranges as limits: they stop there, by impulses, and inverse
        kinematics keeps to them.
    rate : float  [rad/s]
        Of the swing.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> arm()
    Model('arm': 7 bodies, 7 joints, 35 constraint rows)
    """
    (g,) = parameters(g=gravity)
    model = Model("arm", gravity=(0.0, 0.0, -g))
    (w,) = parameters(rate=rate) if driven else (0.0,)
    before = model.world.at(z=HEIGHTS[0])
    tops = (*HEIGHTS[1:], FLANGE)
    for k in range(7):
        length = tops[k] - HEIGHTS[k]
        parts = [bar(MASSES[k], (0, 0, 0), (0, 0, length), RADII[k])]
        if k == 6:
            parts += _hand(length)
        link = model.add_body(
            f"link{k + 1}",
            Inertia.combined([part.inertia for part in parts]),
            shapes=[part.shape for part in parts],
            color="grey" if k % 2 else "orange",
        )
        joint = model.add_joint(
            Revolute(before, link, axis=AXES[k], initial=START[k], name=f"joint{k + 1}")
        )
        most = float(np.radians(RANGES[k]))
        if stops:
            model.set_limits(joint, Limits(-most, most))
        if driven:
            wanted = START[k] + SWINGS[k] * (1 - np.cos(w * time)) / 2
            model.add_force(
                PositionServo(
                    joint, kp=GAINS[k], kd=DAMPING[k], command=wanted, name=f"servo{k + 1}"
                )
            )
        model.add_point(f"p{k + 1}", before)
        before = link.at(z=length)
    hand = model.bodies["link7"].at(z=FLANGE - HEIGHTS[6] + 0.16, name="hand")
    model.add_point("hand", hand)
    model.add_line(*(f"p{k + 1}" for k in range(7)), "hand")
    model.add_shape(bar(1.0, (0, 0, 0.02), (0, 0, HEIGHTS[0] - 0.02), 0.085).shape)
    model.suggested = {"until": 10.0, "step": 1e-3}
    return model


def _hand(length: float) -> list[Part]:
    """A palm and two fingers."""
    fingers = [block(0.1, (0, y, length + 0.11), (0.02, 0.015, 0.1)) for y in (-0.04, 0.04)]
    return [block(0.6, (0, 0, length + 0.03), (0.06, 0.16, 0.06)), *fingers]
