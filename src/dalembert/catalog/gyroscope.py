"""Gyroscope: a rotor in two gimbals with a weight on the inner one, precessing steadily.

The axis of the rotor is level. With C the rotor's moment about its axis and W its spin, the
weight m at the distance r turns the outer gimbal at the rate

    m g r / (C W),

exactly: the gimbals turn about a principal axis and their inertia does not enter. The start is
this steady motion; `push` disturbs it, and the axis nods.
"""

from __future__ import annotations

from dalembert.catalog.body_shapes import hoop
from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.joints.revolute import Revolute
from dalembert.model.shapes.solids import Capsule, Sphere


def gyroscope(
    *,
    spin: float = 50.0,
    weight: float = 0.2,
    arm: float = 0.15,
    push: float = 0.0,
    gravity: float = 9.81,
) -> Model:
    """Gyroscope of bodies outer (about z), inner (about y) and rotor (about x).

    Parameters
    ----------
    spin : float  [rad/s]
        Of the rotor about its axis at the start.
    weight, arm : float  [kg], [m]
        Point mass on the inner gimbal and its distance from the centre, along the axis.
    push : float  [rad/s]
        Rate of the outer gimbal at the start in addition to that of the steady precession.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> gyroscope()
    Model('gyroscope': 3 bodies, 3 joints, 15 constraint rows)
    """
    W, m, r, extra, g = parameters(spin=spin, weight=weight, arm=arm, push=push, g=gravity)
    model = Model("gyroscope", gravity=(0.0, 0.0, -g))
    disc = Inertia.cylinder(mass=1.0, radius=0.1, length=0.02, axis="x")
    precession = m * g * r / (disc.matrix[0][0] * W)
    outer = model.add_body(
        "outer", Inertia(0.3, (3e-3, 6e-3, 3e-3)), shapes=[hoop(0.14, 0.012, "y")]
    )
    ring = Inertia(0.2, (1e-3, 1e-3, 2e-3))
    inner = model.add_body(
        "inner",
        Inertia.combined([ring, Inertia.point(m).moved((r, 0.0, 0.0))]),
        shapes=[
            hoop(0.12, 0.01, "z"),
            Capsule(radius=0.004, length=r + 0.12, axis="x", position=(r / 2 - 0.06, 0.0, 0.0)),
            Sphere(radius=0.016, position=(r, 0.0, 0.0)),
        ],
    )
    rotor = model.add_body("rotor", disc)
    model.add_joint(
        Revolute(model.world, outer, axis="z", initial_speed=precession + extra, name="azimuth")
    )
    model.add_joint(Revolute(outer, inner, axis="y", name="nod"))
    model.add_joint(Revolute(inner, rotor, axis="x", initial_speed=W, name="spin"))
    model.add_point("centre", model.world.at())
    model.add_point("weight", inner.at(x=r))
    model.add_point("rim", rotor.at(z=0.1))
    model.add_line("centre", "weight")
    model.add_line("centre", "rim")
    model.suggested = {"until": 10.0, "step": 1e-3}
    return model
