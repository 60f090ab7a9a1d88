"""A particle whose velocity obeys  y' = z x'  : the smallest nonholonomic system.

Velocity constraints: equations 4. This one depends on the configuration and cannot be integrated
to one on positions.
"""

from __future__ import annotations

from dalembert.formulas.variables import coordinates, parameters
from dalembert.model import Model


def skate_particle(*, mass: float = 1.0) -> Model:
    """Particle with coordinates x, y, z and the velocity constraint y' - z x'.

    Without forces x' = c / sqrt(1 + z^2) and z' is constant; started at z = 0 with x' = z' = 1:
    x = arcsinh(t), y = sqrt(1 + t^2) - 1, z = t.

    Examples
    --------
    >>> skate_particle().conservative
    True
    """
    x, y, z = coordinates("x y z")
    (m,) = parameters(m=mass)
    return Model.from_lagrangian(
        name="skate-particle",
        coordinates=[x, y, z],
        kinetic=m * (x.dot**2 + y.dot**2 + z.dot**2) / 2,
        constraints={"skate": y.dot - z * x.dot},
        initial={x.dot: 1.0, z.dot: 1.0},
        points={"particle": (x, y, z)},
        suggested={"until": 20.0, "step": 1e-2},
    )
