"""Stiff flyball governor (IFToMM A05): rods on a spinning shaft, held by hard spring-dampers.

A shaft, a slider on it, two rods with balls at their tips. Spring-dampers of 8e5 N/m and
4e4 N s/m between slider and rods make the problem stiff: an explicit step must stay below
1e-4 s. Data of reference problem A7.
"""

from __future__ import annotations

import numpy as np

from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.forces.spring import Spring
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.joints.revolute import Revolute

OFFSET = 0.05  # of the hinges from the axis, half the edge of the slider [m]
DENSITY = 3000.0  # of shaft, rods and slider [kg/m^3]


def governor(
    *,
    rate: float = 2 * np.pi,
    tilt: float = np.pi / 6,
    ball: float = 5.0,
    stiffness: float = 8e5,
    damping: float = 4e4,
    gravity: float = 9.81,
) -> Model:
    """Flyball governor of bodies shaft, slider, rod1 and rod2; "slide" gives the slider's height.

    Parameters
    ----------
    rate : float  [rad/s]
        Of everything about z at the start.
    tilt : float  [rad]
        Of the rods below the horizontal at the start; the slider starts where the springs carry
        nothing at pi/6.
    ball : float  [kg]
        Point mass at the tip of each rod.
    stiffness, damping : float  [N/m], [N s/m]
        Of each spring-damper, free length 0.5 m.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> governor()
    Model('governor': 4 bodies, 4 joints, 20 constraint rows)
    """
    w, a, m, k, c, g = parameters(
        rate=rate, tilt=tilt, ball=ball, k=stiffness, c=damping, g=gravity
    )
    model = Model("governor", gravity=(0.0, 0.0, -g))
    bar = DENSITY * 1.0 * 0.01 * 0.01
    shaft = model.add_body("shaft", Inertia.box(bar, (0.01, 0.01, 1.0)).moved((0.0, 0.0, 0.5)))
    slider = model.add_body("slider", Inertia.box(DENSITY * 1e-3, (0.1, 0.1, 0.1)))
    model.add_joint(Revolute(model.world, shaft, axis="z", initial_speed=w, name="bearing"))
    model.add_joint(Prismatic(shaft, slider, axis="z", initial=0.5, name="slide"))

    rod = Inertia.combined(
        [
            Inertia.box(bar, (1.0, 0.01, 0.01)).moved((0.5, 0.0, 0.0)),
            Inertia.point(m).moved((1.0, 0.0, 0.0)),
        ]
    )
    # Rod 2 is rod 1 turned by half a turn about z.
    for name, side in (("1", 1.0), ("2", -1.0)):
        turn = np.diag([side, side, 1.0])
        body = model.add_body(f"rod{name}", rod)
        head = shaft.at(x=side * OFFSET, z=1.0, rotation=turn)
        model.add_joint(Revolute(head, body, axis="y", initial=a, name=f"hinge{name}"))
        model.add_force(
            Spring(
                slider.at(x=side * OFFSET),
                body.at(x=0.5),
                free_length=0.5,
                stiffness=k,
                damping=c,
                name=f"spring{name}",
            )
        )
        model.add_point(f"hinge{name}", head)
        model.add_point(f"ball{name}", body.at(x=1.0))
        model.add_point(f"middle{name}", body.at(x=0.5))
        model.add_line(f"hinge{name}", f"ball{name}")
    model.add_point("slider", slider.at())
    model.add_point("foot", shaft.at())
    model.add_point("head", shaft.at(z=1.0))
    model.add_line("foot", "head")
    model.add_line("hinge1", "hinge2")
    model.add_line("middle1", "slider", "middle2")
    model.suggested = {"until": 10.0, "step": 5e-5}
    return model
