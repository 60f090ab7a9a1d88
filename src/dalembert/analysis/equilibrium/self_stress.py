"""`self_stress`: forces that constraints can hold against one another (analysis 4.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.choose import equations_of
from dalembert.analysis.linear.linearize import state_of
from dalembert.numerics.one_thread import one_thread
from dalembert.simulation.prepare.options import by_name

Array = NDArray[np.float64]

DEPENDENT = 1e-9
"""Singular value of rows of unit size, over the largest, up to which rows depend on one another."""


@dataclass(frozen=True, eq=False, repr=False)
class SelfStress:
    """Multipliers lam with J^T lam = 0: constraints that pull against one another, nothing else.

    Attributes
    ----------
    basis : (states, rows)      independent states of self-stress, the largest entry of each 1
    rows : names of the rows
    margin : smallest singular value of the rows, over the largest: 0 where there is a self-stress
    nearest : (rows,)           multipliers that are nearest to a self-stress, largest entry 1
    freedom : int               velocities that the rows leave free
    """

    basis: Array
    rows: tuple[str, ...]
    margin: float
    nearest: Array
    freedom: int

    def __len__(self) -> int:
        return len(self.basis)

    def __getitem__(self, k: int) -> dict[str, float]:
        """One of them: row -> multiplier."""
        return dict(zip(self.rows, map(float, self.basis[k]), strict=True))

    def __repr__(self) -> str:
        return f"SelfStress({len(self.basis)} states, {len(self.rows)} rows)"


@one_thread()
def self_stress(
    model: Any,
    state: Any = None,
    *,
    t: float = 0.0,
    parameters: Mapping[Any, float] | None = None,
) -> SelfStress:
    """States of self-stress of the constraints at a place: forces that balance by themselves.

    Parameters
    ----------
    state, t, parameters : as for `linearize`

    Notes
    -----
    With rows (|d|^2 - l^2) / 2 of bars and cables, multipliers are force densities: force over
    length, positive where the bar pushes its ends apart.

    Examples
    --------
    >>> import dalembert as dl
    >>> x, y = dl.coordinates("x y")
    >>> bars = {"left": (x + 1) ** 2 / 2 - 0.5, "right": (x - 1) ** 2 / 2 - 0.5}
    >>> model = dl.Model.from_lagrangian(
    ...     kinetic=(x.dot**2 + y.dot**2) / 2, constraints=bars, initial={x: 0.0}
    ... )
    >>> {row: round(x, 9) for row, x in dl.self_stress(model)[0].items()}
    {'left': 1.0, 'right': 1.0}
    """
    equations_of(model, "self_stress")
    if parameters is not None:
        model = model.with_parameters(**by_name(parameters))
    equations = equations_of(model, "self_stress")
    q, v = state_of(model, state)
    at = equations.at(float(t), q, v)
    J = at.J / equations.lengths
    m, n = J.shape
    if not m:
        return SelfStress(np.zeros((0, 0)), (), 1.0, np.zeros(0), n)
    sizes = np.linalg.norm(J, axis=1)
    sizes = np.where(sizes > 1e-12, sizes, 1.0)
    U, values, _ = np.linalg.svd(J / sizes[:, None])
    full = np.concatenate([values, np.zeros(max(0, m - n))])
    lam = (U / sizes[:, None]).T
    lam = np.array([_scaled(x) for x in lam])
    slack = full <= DEPENDENT * full[0]
    return SelfStress(
        lam[slack],
        tuple(equations.row_names),
        float(full[-1] / full[0]),
        lam[-1],
        n - int((~slack).sum()),
    )


def _scaled(x: Array) -> Array:
    largest = x[int(np.argmax(np.abs(x)))]
    return x / largest if largest else x
