"""Heavy top: a spinning body held at a point of its axis, in the field of gravity.

The benchmark of Bruls, Cardona and Arnold: fast spin of 150 rad/s about the body's y axis and a
slow precession. Data of reference problem A8.
"""

from __future__ import annotations

from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.joints.spherical import Spherical


def heavy_top(
    *,
    mass: float = 15.0,
    arm: float = 1.0,
    spin: float = 150.0,
    precession: float = -4.61538,
    gravity: float = 9.81,
) -> Model:
    """Heavy top: body "top" with its tip at the origin and its axis along y.

    Parameters
    ----------
    mass, arm : float  [kg], [m]
        Mass, and distance of its centre from the tip.
    spin, precession : float  [rad/s]
        Angular velocity about the body's y and z axis at the start.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> heavy_top().row_names
    ['tip: translation x', 'tip: translation y', 'tip: translation z']
    """
    m, l, g, turning, slow = parameters(m=mass, l=arm, g=gravity, spin=spin, precession=precession)
    model = Model("heavy-top", gravity=(0.0, 0.0, -g))
    top = model.add_body(
        "top",
        Inertia(m, (0.234375, 0.46875, 0.234375), center=(0.0, l, 0.0)),
        angular_velocity=(0.0, turning, slow),
        axes="body",
    )
    model.add_joint(Spherical(model.world, top, name="tip"))
    model.add_point("tip", model.world.at())
    model.add_point("centre", top.center)
    model.add_line("tip", "centre")
    model.suggested = {"until": 2.0, "step": 1e-4}
    return model
