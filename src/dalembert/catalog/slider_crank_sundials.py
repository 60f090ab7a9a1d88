"""Slider-crank with spring-damper, in absolute coordinates q, x, p.

SUNDIALS/IDA example "slider crank": crank of radius a = 0.5 and inertia J1 = 1, rod of length 1
with m2 = 1 and J2 = 2, spring-damper k = c = 1, l0 = 1 between crank midpoint and rod point,
constant force F = 1 on the rod. Reference problem A6.
"""

from __future__ import annotations

import numpy as np

from dalembert.formulas.derivative import time_derivative
from dalembert.formulas.variables import coordinates, parameters
from dalembert.model import Model


def slider_crank_sundials() -> Model:
    """Slider-crank of the IDA examples: crank angle q, slider position x, rod angle p.

    Examples
    --------
    >>> slider_crank_sundials().row_names
    ['loop[0]', 'loop[1]']
    """
    q, x, p = coordinates("q x p")
    a, k, c, l0, F = parameters(a=0.5, k=1.0, c=1.0, l0=1.0, F=1.0)
    J1, m2, J2 = parameters(J1=1.0, m2=1.0, J2=2.0)
    length = np.sqrt(
        x**2 - x * (np.cos(p) + a * np.cos(q)) + (1 + a**2) / 4 + a * np.cos(p - q) / 2
    )
    (rate,) = time_derivative([length], [q, x, p])
    crank = (a * np.cos(q), a * np.sin(q))
    start = np.arcsin(-0.5)
    return Model.from_lagrangian(
        name="slider-crank-sundials",
        coordinates=[q, x, p],
        kinetic=(J1 * q.dot**2 + m2 * x.dot**2 + J2 * p.dot**2) / 2,
        potential=k * (length - l0) ** 2 / 2,
        dissipation=c * rate**2 / 2,
        forces={x: F, p: -F * np.sin(p)},
        constraints={"loop": [x - np.cos(p) - a * np.cos(q), -np.sin(p) - a * np.sin(q)]},
        initial={q: np.pi / 2, x: float(np.cos(start)), p: float(start)},
        points={"base": (0.0, 0.0), "pin": crank, "slider": (x, 0.0)},
        lines=[("base", "pin"), ("pin", "slider")],
        suggested={"until": 10.0, "step": 1e-3},
    )
