"""A point mass on a massless bar, in Cartesian coordinates: one constraint.

Braun & Goldfarb (2009), section 5.1: m = l = 1, start at rest at (1, 0), 1000 s. The IFToMM
benchmark A01 is the same motion mirrored, start at (-1, 0).
"""

from __future__ import annotations

from dalembert.formulas.variables import coordinates, parameters
from dalembert.model import Model


def pendulum(
    *, mass: float = 1.0, length: float = 1.0, gravity: float = 9.81, side: int = 1
) -> Model:
    """Pendulum with coordinates x, y and the constraint x^2 + y^2 - l^2.

    Parameters
    ----------
    mass : float  [kg]
    length : float  [m]
    gravity : float  [m/s^2]
        Along -y.
    side : 1 or -1
        The mass starts at rest at (side * length, 0).

    Returns
    -------
    Model
        Conservative; parameters m, l, g.

    Examples
    --------
    >>> pendulum().initial["x"]
    1.0
    """
    x, y = coordinates("x y")
    m, l, g = parameters(m=mass, l=length, g=gravity)
    return Model.from_lagrangian(
        name="pendulum",
        coordinates=[x, y],
        kinetic=m * (x.dot**2 + y.dot**2) / 2,
        potential=m * g * y,
        constraints={"bar": x**2 + y**2 - l**2},
        initial={x: side * l, y: 0.0},
        points={"pivot": (0.0, 0.0), "mass": (x, y)},
        lines=[("pivot", "mass")],
        suggested={"until": 1000.0, "step": 1e-3},
    )
