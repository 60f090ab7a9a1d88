"""Delta robot: a plate on three arms, each with a parallelogram of two rods (R. Clavel, 1985).

The parallelograms keep the plate level; three motors on the base move it. Rods have a cross joint
at the arm and a ball joint at the plate: 57 independent rows on ten bodies, three degrees of
freedom. All numbers are own. Arms in azimuth 0, 120 and 240 degrees, z up, the plate hangs below
the base.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.formulas.evaluate import evaluate
from dalembert.formulas.expression import lift
from dalembert.formulas.functions import arccos, arctan2, sqrt
from dalembert.formulas.variables import parameters, time
from dalembert.model import Body, Inertia, Model
from dalembert.model.basics.rotation import about
from dalembert.model.forces.torsion_spring import TorsionSpring
from dalembert.model.joints.motion import Motion
from dalembert.model.joints.revolute import Revolute
from dalembert.model.joints.spherical import Spherical
from dalembert.model.joints.universal import Universal
from dalembert.model.shapes.solids import Capsule, Cylinder

Array = npt.NDArray[np.float64]

BASE, ARM, ROD, PLATE = 0.20, 0.25, 0.60, 0.06  # axle from the middle, arm, rod, rods on plate [m]
HALF = 0.045  # half the distance of the rods of a pair [m]
DEPTH, STROKE, LIFT = 0.55, 0.15, 0.08  # of the plate below the base, of its motion [m]


def delta(
    *,
    driven: bool = True,
    rate: float = 4.0,
    plate: float = 0.5,
    stiffness: float = 8.0,
    gravity: float = 9.81,
) -> Model:
    """Delta robot: bodies plate, arm1, rod1a, rod1b, arm2, ..., rod3b.

    Parameters
    ----------
    driven : bool
        True: the angles of the arms are prescribed so that the plate picks and places along x.
        False: springs hold the arms, conservative.
    rate : float  [rad/s]
        Of the prescribed motion.
    plate : float  [kg]
        Mass of the plate; an arm has 0.6 kg, a rod 0.05 kg.
    stiffness : float  [N m/rad]
        Of the springs.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> delta(driven=False)
    Model('delta': 10 bodies, 15 joints, 57 constraint rows)
    """
    m, g = parameters(plate=plate, g=gravity)
    model = Model("delta", gravity=(0.0, 0.0, -g))
    start = np.array([-STROKE, 0.0, -DEPTH])
    disc = Cylinder(radius=PLATE, length=0.015)
    tool = Capsule(radius=0.01, length=0.06, position=(0.0, 0.0, -0.03))
    inertia = Inertia.cylinder(m, PLATE, length=0.02)
    moved = model.add_body(
        "plate", inertia, position=list(start), shapes=[disc, tool], color="orange"
    )
    for i in range(3):
        azimuth = 2 * np.pi * i / 3
        angle = float(evaluate([arm_angle(start, azimuth)], {})[0])
        motor = _limb(model, moved, i + 1, azimuth, angle, start)
        if driven:
            (w,) = parameters(rate=rate)
            value = arm_angle(plate_motion(w), azimuth)
            model.add_joint(Motion(motor, value=value, name=f"drive{i + 1}"))
        else:
            (k,) = parameters(k=stiffness)
            name = f"spring{i + 1}"
            model.add_force(TorsionSpring(motor, free_angle=0.0, stiffness=k, name=name))
    model.add_point("plate", moved.at())
    model.add_line("wrist1", "wrist2", "wrist3", "wrist1")
    model.add_shape(Cylinder(radius=BASE, length=0.03, position=(0, 0, 0.03), opacity=0.6))
    model.suggested = {"until": 6.0, "step": 1e-3}
    return model


def _limb(model: Model, plate: Body, number: int, azimuth: float, angle: float, at: Array) -> Any:
    """Arm and two rods; returns the hinge of the arm, which turns it down."""
    turn = about((0, 0, 1), azimuth)
    axle = model.world.at(*(turn @ (BASE, 0.0, 0.0)), rotation=turn)
    rod_inertia = Inertia.cylinder(mass=0.05, radius=0.006, length=ROD, axis="z")
    tilted = turn @ about((0, 1, 0), angle)
    looks = [
        Capsule(radius=0.018, length=ARM, axis="x", position=(ARM / 2, 0, 0)),
        Capsule(radius=0.01, length=2 * HALF, axis="y", position=(ARM, 0, 0)),
        Cylinder(radius=0.035, length=0.08, axis="y"),
    ]
    arm = model.add_body(
        f"arm{number}",
        Inertia.cylinder(mass=0.6, radius=0.02, length=ARM, axis="x").moved((ARM / 2, 0, 0)),
        shapes=looks,
        color="grey",
        position=list(turn @ (BASE, 0.0, 0.0)),
        rotation=tilted,
    )
    motor = model.add_joint(Revolute(axle, arm, axis="y", name=f"motor{number}"))
    for letter, y in (("a", -HALF), ("b", HALF)):
        name = f"{number}{letter}"
        elbow = turn @ (BASE, 0.0, 0.0) + tilted @ (ARM, y, 0.0)
        on_plate = turn @ (PLATE, y, 0.0)
        along = at + on_plate - elbow
        z = along / float(np.sqrt(along @ along))
        x = np.cross(turn[:, 1], z)
        x /= float(np.sqrt(x @ x))
        rod = model.add_body(
            f"rod{name}",
            rod_inertia.moved((0.0, 0.0, ROD / 2)),
            position=list(elbow),
            rotation=np.column_stack([x, np.cross(z, x), z]),
            color="blue",
        )
        # Turning about the arm's axle first, then about the rod's own x.
        ends = arm.at(ARM, y), rod
        model.add_joint(Universal(*ends, axis="y", second_axis="x", name=f"elbow{name}"))
        model.add_joint(Spherical(rod.at(z=ROD), plate.at(*on_plate), name=f"wrist{name}"))
    model.add_point(f"axle{number}", axle)
    model.add_point(f"elbow{number}", arm.at(ARM))
    model.add_point(f"wrist{number}", plate.at(*(turn @ (PLATE, 0.0, 0.0))))
    model.add_line(f"axle{number}", f"elbow{number}", f"wrist{number}")
    return motor


def plate_motion(rate: Any) -> tuple[Any, Any, Any]:
    """Place of the plate of the driven robot, as formulas of time: a bow, at rest at its ends."""
    c = np.cos(rate * time)
    return -STROKE * c, lift(0.0), -DEPTH + LIFT * (1 - c * c)


def arm_angle(place: Any, azimuth: float) -> Any:
    """Angle of an arm, downwards, for a place of the plate: the circle of its elbow meets a sphere.

    With the wrist (a, b, c) from the axle in the axes of the arm's plane and  ARM = L, ROD = l,
        a cos t - c sin t = (a^2 + b^2 + c^2 + L^2 - l^2) / 2 L.
    """
    x, y, c = (lift(entry) for entry in place)
    cos, sin = float(np.cos(azimuth)), float(np.sin(azimuth))
    a, b = cos * x + sin * y + (PLATE - BASE), cos * y - sin * x
    right = (a * a + b * b + c * c + (ARM**2 - ROD**2)) / (2 * ARM)
    return -arctan2(c, a) - arccos(right / sqrt(a * a + c * c))
