"""Stewart platform: a plate on six legs, each with a cross joint, a slide and a ball joint.

13 bodies, 72 independent rows, six degrees of freedom. Springs along the legs carry the plate, or
the lengths of the legs are prescribed. These are the lengths for a chosen motion of the plate, so
that the plate must follow it exactly: a test of six closed loops at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.formulas.expression import lift
from dalembert.formulas.variables import parameters, time
from dalembert.model import Body, Inertia, Model
from dalembert.model.forces.spring import Spring
from dalembert.model.joints.motion import Motion
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.joints.spherical import Spherical
from dalembert.model.joints.universal import Universal

BASE, PLATE, HEIGHT = 1.0, 0.6, 1.0  # radii of the joints, height of the plate at rest [m]
HALF = 0.3  # from the end of each half of a leg to its centre of mass [m]
CIRCLE, HEAVE, ROLL = 0.1, 0.1, 0.2  # amplitudes of the prescribed motion [m], [m], [rad]


def stewart_platform(
    *,
    driven: bool = False,
    mass: float = 20.0,
    stiffness: float = 400.0,
    rate: float = 2.0,
    gravity: float = 9.81,
) -> Model:
    """Stewart platform: bodies plate, lower1, upper1, ..., lower6, upper6.

    Parameters
    ----------
    driven : bool
        False: the plate is released at rest beside its equilibrium on springs, conservative.
        True: it is moved along a circle, up and down and about x by the lengths of the legs.
    mass : float  [kg]
        Of the plate; the halves of the legs have 1 kg each.
    stiffness : float  [N/m]
        Of the springs along the legs.
    rate : float  [rad/s]
        Of the prescribed motion.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> stewart_platform()
    Model('stewart-platform': 13 bodies, 18 joints, 72 constraint rows)
    """
    m, g = parameters(m=mass, g=gravity)
    model = Model("stewart-platform", gravity=(0.0, 0.0, -g))
    moving = parameters(rate=rate)[0] if driven else None
    p, R, v, w = _start(moving)
    plate = model.add_body(
        "plate",
        Inertia.cylinder(m, PLATE, length=0.05),
        position=p,
        rotation=R,
        velocity=v,
        angular_velocity=w,
    )
    for i in range(6):
        # Two neighbouring joints of the base go to joints of the plate 80 degrees apart.
        middle, side = np.radians(120.0 * (i // 2)), 2 * (i % 2) - 1
        foot = BASE * _direction(middle + side * np.radians(10.0))
        tip = PLATE * _direction(middle + side * np.radians(50.0))
        _leg(model, plate, f"{i + 1}", foot, tip, moving)
        if moving is None:
            # Equilibrium at rest of the plate and of half of each leg, without lean.
            length = float(np.sqrt((tip - foot) @ (tip - foot) + HEIGHT**2))
            (k,) = parameters(k=stiffness)
            free = length + (m + 6.0) * g * length / (6 * k * HEIGHT)
            ends = (model.world.at(*foot), plate.at(*tip))
            model.add_force(Spring(*ends, free_length=free, stiffness=k, name=f"spring{i + 1}"))
    model.add_point("plate", plate.at())
    tips = [f"tip{i + 1}" for i in range(6)]
    model.add_line(*tips, tips[0])
    model.suggested = {"until": 10.0, "step": 1e-3}
    return model


def _leg(model: Model, plate: Body, number: str, foot: Any, tip: Any, moving: Any) -> None:
    """Lower and upper half of a leg; its z axis along it, its x axis level."""
    p, R, v, w = _start(moving)
    end = p + R @ tip
    length = float(np.sqrt((end - foot) @ (end - foot)))
    z = (end - foot) / length
    x = np.array([-z[1], z[0], 0.0]) / np.hypot(z[0], z[1])
    axes = np.column_stack([x, np.cross(z, x), z])
    # The leg turns with its end, not about itself: x stays level to first order.
    speed = v + np.cross(w, R @ tip)
    turning = np.cross(z, speed) / length
    pose: dict[str, Any] = {"rotation": axes, "angular_velocity": turning}
    half = Inertia.cylinder(mass=1.0, radius=0.02, length=2 * HALF)
    lower = model.add_body(
        f"lower{number}",
        half.moved((0.0, 0.0, HALF)),
        position=foot,
        velocity=(0.0, 0.0, 0.0),
        **pose,
    )
    upper = model.add_body(
        f"upper{number}", half.moved((0.0, 0.0, -HALF)), position=end, velocity=speed, **pose
    )
    ground = model.world.at(*foot, rotation=np.column_stack([x, (-x[1], x[0], 0.0), (0, 0, 1)]))
    model.add_joint(Universal(ground, lower, name=f"cross{number}"))
    slide = model.add_joint(Prismatic(lower, upper, axis="z", name=f"slide{number}"))
    model.add_joint(Spherical(upper, plate.at(*tip), name=f"ball{number}"))
    if moving is not None:
        place, turn = plate_motion(moving)
        d = place + turn @ tip - foot
        model.add_joint(Motion(slide, value=np.sqrt(d @ d), name=f"drive{number}"))
    model.add_point(f"foot{number}", ground)
    model.add_point(f"tip{number}", plate.at(*tip))
    model.add_line(f"foot{number}", f"tip{number}")


def plate_motion(rate: Any) -> tuple[Any, Any]:
    """Position and rotation R_WB of the plate of the driven platform, as formulas of time."""
    s, c = np.sin(rate * time), np.cos(rate * time)
    place = np.array([CIRCLE * c, CIRCLE * s, HEIGHT + HEAVE * np.sin(2 * rate * time)])
    cr, sr = np.cos(ROLL * s), np.sin(ROLL * s)
    zero, one = lift(0.0), lift(1.0)
    return place, np.array([[one, zero, zero], [zero, cr, -sr], [zero, sr, cr]])


def _start(rate: Any) -> tuple[Any, Any, Any, Any]:
    """Position, rotation, velocity and angular velocity of the plate at the start."""
    if rate is None:
        c, s = np.cos(0.15), np.sin(0.15)
        turn = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
        return np.array([0.1, 0.05, HEIGHT]), turn, np.zeros(3), np.zeros(3)
    speed, turning = np.array([0.0, CIRCLE, 2 * HEAVE]), np.array([ROLL, 0.0, 0.0])
    return np.array([CIRCLE, 0.0, HEIGHT]), np.eye(3), speed * rate, turning * rate


def _direction(angle: float) -> Any:
    return np.array([np.cos(angle), np.sin(angle), 0.0])
