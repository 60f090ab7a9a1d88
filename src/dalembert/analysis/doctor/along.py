"""Conditioning and rank of the constraints along a motion (analysis 8.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from dalembert.analysis.doctor.advice import Pace, pace
from dalembert.analysis.equations.constrained import split
from dalembert.analysis.equations.point import Equations
from dalembert.analysis.linear.linearize import linearize
from dalembert.errors import DalembertError
from dalembert.simulation.simulate import simulate

Array = NDArray[np.float64]

NEAR, PASSED = 0.1, 1e-4
"""Margins at which a closer look is taken, and at which a singular position was passed."""

FINE = {"xatol": 1e-10}

PACES = 7
"""Moments at which the pace is looked at."""

LOST = 1e-6
"""Singular value of unit rows, over the largest, at which a row counts as lost (methods 2)."""


@dataclass(frozen=True)
class Along:
    """The constraints at moments of a run.

    Attributes
    ----------
    t : (k,)
    margin : (k,)     smallest singular value of as many rows as are independent, over the largest
    rank : (k,)
    inertia : (k,)    condition of the inertia of free motion
    passages : (moment, margin) of singular positions passed between samples
    paces : how fast it moves at some of the moments
    ended : why the run ended early; empty if it did not
    """

    t: Array
    margin: Array
    rank: NDArray[np.int64]
    inertia: Array
    passages: tuple[tuple[float, float], ...]
    paces: tuple[Pace, ...]
    ended: str

    @property
    def singular(self) -> list[float]:
        """Moments at which rank is lower than elsewhere."""
        own = [float(x) for x in self.t[self.rank < self.rank.max(initial=0)]]
        return sorted({*own, *(t for t, _ in self.passages)})

    @property
    def worst(self) -> tuple[float, float]:
        """Smallest margin, and when."""
        if not len(self.t):
            return 1.0, 0.0
        k = int(np.argmin(self.margin))
        return min([(float(self.margin[k]), float(self.t[k])), *((m, t) for t, m in self.passages)])


def along(
    equations: Equations, model: Any, initial: Any, until: float, samples: int, rank: int
) -> Along:
    """Run a model for a while and look at its constraints."""
    try:
        times = np.linspace(0.0, until, samples).tolist()
        run = simulate(model, until=until, times=times, initial=initial, on_failure="return")
    except DalembertError as problem:
        none = np.zeros(0)
        return Along(none, none, np.zeros(0, dtype=np.int64), none, (), (), str(problem))
    t, q, v = run.t, run.q, run.v
    ended = run.message if run.status.failed else ""
    found = [_at(equations, float(one), a, b, rank) for one, a, b in zip(t, q, v, strict=True)]
    margin, ranks, inertia = (np.array(x) for x in zip(*found, strict=True))
    passages = _passages(equations, run, margin, rank)
    chosen = np.unique(np.linspace(0, len(t) - 1, PACES).astype(int))
    paces = tuple(_pace(equations, model, float(t[k]), q[k], v[k]) for k in chosen)
    known = tuple(x for x in paces if x is not None)
    return Along(t, margin, ranks.astype(np.int64), inertia, passages, known, ended)


def _passages(
    equations: Equations, run: Any, margin: Array, rank: int
) -> tuple[tuple[float, float], ...]:
    """Smallest margins between samples, where they are those of singular positions."""
    found = []
    for k in range(1, len(margin) - 1):
        if margin[k] < NEAR and margin[k] <= min(margin[k - 1], margin[k + 1]):
            low, high = float(run.t[k - 1]), float(run.t[k + 1])

            def there(t: float) -> float:
                q, v = run.at(t)
                return _at(equations, t, q, v, rank)[0]

            least = minimize_scalar(there, bounds=(low, high), method="bounded", options=FINE)
            if least.fun < PASSED:
                found.append((float(least.x), float(least.fun)))
    return tuple(found)


def _pace(equations: Equations, model: Any, t: float, q: Array, v: Array) -> Pace | None:
    try:
        found = pace(linearize(model, (q, v), t=t).eigenvalues)
    except DalembertError:
        return None
    if not model.is_maximal:
        return found
    turning = float(np.abs(v.reshape(-1, 6)[:, 3:]).max(initial=0.0))
    return Pace(found.decay, found.growth, max(found.swing, turning), found.slow)


def _at(equations: Equations, t: float, q: Array, v: Array, rank: int) -> tuple[float, int, float]:
    at = equations.at(t, q, v)
    J = at.J / equations.lengths
    sizes = np.linalg.norm(J, axis=1, keepdims=True)
    values = np.linalg.svd(J / np.where(sizes > 1e-12, sizes, 1.0), compute_uv=False)
    here = int((values > LOST * values.max(initial=0.0)).sum()) if len(values) else 0
    margin = float(values[rank - 1] / values[0]) if 0 < rank <= len(values) else 1.0
    Z = split(at.J, equations.lengths).Z
    own = np.linalg.eigvalsh(Z.T @ at.M @ Z) if Z.shape[1] else np.ones(1)
    condition = float(own[-1] / own[0]) if own[0] > 0.0 else np.inf
    return margin, here, condition
