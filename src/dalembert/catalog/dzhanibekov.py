"""A free body that spins about its middle principal axis and turns over again and again.

The Dzhanibekov (tennis racket) effect. Moments 1, 2, 3 kg m^2, 10 rad/s about the middle axis,
0.01 rad/s about the others: the angular velocity about the middle axis has the period
5.5061681107466372 s. Data of reference problem A9.
"""

from __future__ import annotations

from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.shapes.solids import Cylinder


def dzhanibekov(*, spin: float = 10.0, disturbance: float = 0.01) -> Model:
    """Free body "body" turning about its y axis; no gravity, no joints.

    Parameters
    ----------
    spin : float  [rad/s]
        About the middle axis, y, at the start.
    disturbance : float  [rad/s]
        About each of the other two.

    Examples
    --------
    >>> dzhanibekov().row_count
    0
    """
    fast, slow = parameters(spin=spin, disturbance=disturbance)
    model = Model("dzhanibekov", gravity=(0.0, 0.0, 0.0))
    body = model.add_body(
        "body",
        Inertia(1.0, (1.0, 2.0, 3.0)),
        angular_velocity=(slow, fast, slow),
        axes="body",
        shapes=[
            Cylinder(radius=0.16, length=2.0, axis="x"),
            Cylinder(radius=0.12, length=1.0, axis="y", position=(0.0, 0.5, 0.0)),
        ],
    )
    model.add_point("left", body.at(x=-1.0))
    model.add_point("right", body.at(x=1.0))
    model.add_point("centre", body.at())
    model.add_point("handle", body.at(y=1.0))
    model.add_line("left", "right")
    model.add_line("centre", "handle")
    model.suggested = {"until": 12.0, "step": 1e-3}
    return model
