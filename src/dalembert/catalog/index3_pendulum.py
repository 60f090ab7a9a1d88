"""The pendulum of the DAE literature, with its multiplier.

Hairer & Wanner II, section VII.1: x'' = -x lam, y'' = -y lam - 1, x^2 + y^2 = 1, start (1, 0) at
rest. The constraint is written (1 - x^2 - y^2) / 2, whose gradient is -(x, y), so that the
multiplier is the book's lambda.
"""

from __future__ import annotations

from dalembert.formulas.variables import coordinates
from dalembert.model import Model


def index3_pendulum() -> Model:
    """Unit pendulum with gravity 1 and the multiplier of Hairer & Wanner.

    Examples
    --------
    >>> index3_pendulum().row_names
    ['circle']
    """
    x, y = coordinates("x y")
    return Model.from_lagrangian(
        name="index3-pendulum",
        coordinates=[x, y],
        kinetic=(x.dot**2 + y.dot**2) / 2,
        potential=y,
        constraints={"circle": (1 - x**2 - y**2) / 2},
        initial={x: 1.0, y: 0.0},
        points={"pivot": (0.0, 0.0), "mass": (x, y)},
        lines=[("pivot", "mass")],
        suggested={"until": 10.0, "step": 1e-3},
    )
