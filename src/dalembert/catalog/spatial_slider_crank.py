"""Spatial slider-crank: the crank turns about x beside the line on which the slider moves.

Haug (1989), *Computer Aided Kinematics and Dynamics of Mechanical Systems*, section 12.2, and the
IFToMM benchmark of the same name: crank of 0.08 m about the point (0, 0.1, 0.12), rod of 0.3 m,
crank at 6 rad/s when it points up. Ball joint at the crank, cross joint at the slider: 17
independent rows, one degree of freedom. The published crank is light, and races where the slider
turns back; a flywheel keeps it steady.

Notes
-----
The arms of the cross are along y of the slider and across the rod. They fix the rotation of the
rod about its own axis, which sources choose differently and the other bodies do not feel beyond
its moment of inertia.
"""

from __future__ import annotations

import numpy as np

from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.joints.revolute import Revolute
from dalembert.model.joints.spherical import Spherical
from dalembert.model.joints.universal import Universal

AXLE = np.array([0.0, 0.1, 0.12])  # A [m]
CRANK, ROD = 0.08, 0.3  # AB, BC [m]


def spatial_slider_crank(
    *,
    rate: float = 6.0,
    crank: float = 0.12,
    rod: float = 0.5,
    slider: float = 2.0,
    flywheel: float = 0.02,
    gravity: float = 9.81,
) -> Model:
    """Spatial slider-crank of bodies crank, rod and slider.

    Parameters
    ----------
    rate : float  [rad/s]
        Of the crank about x at the start.
    crank, rod, slider : float  [kg]
    flywheel : float  [kg m^2]
        Moment about x added to the crank; 0 for the published data.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> spatial_slider_crank()
    Model('spatial-slider-crank': 3 bodies, 4 joints, 17 constraint rows)
    """
    w, m1, m2, m3, J, g = parameters(
        rate=rate, m1=crank, m2=rod, m3=slider, flywheel=flywheel, g=gravity
    )
    pin = AXLE + np.array([0.0, 0.0, CRANK])
    wrist = np.array([np.sqrt(ROD**2 - pin[1] ** 2 - pin[2] ** 2), 0.0, 0.0])
    along = (wrist - pin) / ROD
    y = np.array([0.0, 1.0, 0.0])
    arm = np.cross(y, along) / np.hypot(along[0], along[2])  # of the cross, in the rod

    # One radian per second of the crank: the ends of the rod, then its angular velocity. The
    # rate u x dv / l across the rod is completed so that w has no part across both arms.
    v_pin = np.cross((1.0, 0.0, 0.0), pin - AXLE)
    v_wrist = np.array([v_pin @ along / along[0], 0.0, 0.0])
    turning = np.cross(along, v_wrist - v_pin) / ROD
    normal = np.cross(y, arm)
    turning -= along * (turning @ normal) / (along @ normal)

    model = Model("spatial-slider-crank", gravity=(0.0, 0.0, -g))
    wheel = model.add_body(
        "crank",
        Inertia(m1, (1e-4 + J, 1e-5 + J / 2, 1e-4 + J / 2)),
        position=tuple(AXLE),
        velocity=(0.0, 0.0, 0.0),
        angular_velocity=(w, 0.0, 0.0),
    )
    link = model.add_body(
        "rod",
        Inertia(m2, (4e-4, 4e-3, 4e-3)),
        position=tuple((pin + wrist) / 2),
        rotation=np.column_stack([along, np.cross(arm, along), arm]),
        velocity=tuple(w * entry for entry in (v_pin + v_wrist) / 2),
        angular_velocity=tuple(w * entry for entry in turning),
    )
    block = model.add_body(
        "slider",
        Inertia(m3, (1e-4, 1e-4, 1e-4)),
        position=tuple(wrist),
        velocity=(w * v_wrist[0], 0.0, 0.0),
    )
    model.add_joint(Revolute(model.world.at(*AXLE), wheel, axis="x", name="bearing"))
    model.add_joint(Spherical(wheel.at(z=CRANK), link.at(x=-ROD / 2), name="ball"))
    model.add_joint(Universal(block, link.at(x=ROD / 2), axis="y", second_axis="z", name="cross"))
    model.add_joint(Prismatic(model.world, block, axis="x", name="guide"))
    model.add_point("axle", model.world.at(*AXLE))
    model.add_point("pin", wheel.at(z=CRANK))
    model.add_point("slider", block.at())
    model.add_line("axle", "pin", "slider")
    model.suggested = {"until": 5.0, "step": 1e-3}
    return model
