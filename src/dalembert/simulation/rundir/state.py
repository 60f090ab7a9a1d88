"""Integers of a run that change from step to step, and what they can be.

`sizes` holds besides them extents, addresses and starts of tables: those are never written to a
file nor taken from one. A slot that kernels change and that is not declared here is noticed when a
checkpoint is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert._jit import SIZES_LENGTH
from dalembert.integration import loop
from dalembert.system import layout
from dalembert.system.layout import HOLONOMIC, NQ, NV, ROWS

MOST = 2**62
"""Most of whatever is counted."""

Bound = int | Callable[[Any], int]
"""Largest value, which may depend on the extents."""


def _rows(sizes: Any) -> int:
    return int(sizes[ROWS])


def _dependents(sizes: Any) -> int:
    return max(1, min(int(sizes[ROWS]), int(sizes[NV])))


def _anything(sizes: Any) -> int:
    return int(sizes[NQ] + sizes[NV] + sizes[ROWS] + 6)


STATE: dict[int, Bound] = {
    layout.RANK: _rows,
    layout.RANK_LIMIT: _rows,
    layout.RANK_MAX: _rows,
    layout.BY_ALL: 1,
    layout.SEEN_RANK: _rows,
    layout.DROPPED: _rows,
    layout.LEAST_DROPPED: _rows,
    layout.BRANCH: 3,
    layout.MEMORY: _dependents,
    layout.INTEGRATOR_FLAG: 2,
    layout.HAS_LAST: 2,
    layout.SEEN: 1,
    layout.EVALUATED: 1,
    layout.FACTORED: 1,
    layout.DUAL_OFF: 2,
    layout.FAILED_INDEX: _anything,
    layout.PROJECTIONS: MOST,
    layout.ITERATIONS: MOST,
    layout.REJECTED: MOST,
    layout.EVALUATIONS: MOST,
    layout.NEAR_COUNT: MOST,
    layout.LEAPS: MOST,
    layout.FACTORISATIONS: MOST,
    layout.STEP_FACTORISATIONS: MOST,
    layout.REFINEMENTS: MOST,
    layout.CONTINUED: MOST,
}
"""Slot of `sizes` -> its largest value; none is below -1 but the index of what failed."""

MADE_AGAIN = (
    *layout.ADDRESSES,
    layout.WORK,
    SIZES_LENGTH,
    layout.CONTACT_INTEGERS,
    layout.CONTACT_INTEGERS_LENGTH,
    layout.CONTACT_NUMBERS,
    layout.CONTACT_NUMBERS_LENGTH,
)
"""Slots that the process that goes on fills by itself."""


def undeclared(sizes: Any, fresh: Any) -> list[int]:
    """Slots that have changed since the arrays were opened, and are not declared."""
    changed = np.flatnonzero(sizes[: len(fresh)] != fresh)
    return sorted({int(k) for k in changed} - set(STATE) - set(MADE_AGAIN))


def put(values: np.ndarray, sizes: Any) -> None:
    """Write the declared slots; a ValueError tells of one that is out of bounds."""
    if values.shape != (len(STATE),) or values.dtype != np.int64:
        raise ValueError(f"the state has {values.shape} integers, not {len(STATE)}")
    for value, (slot, bound) in zip(values.tolist(), STATE.items(), strict=True):
        most = bound if isinstance(bound, int) else bound(sizes)
        least = -_anything(sizes) if slot == layout.FAILED_INDEX else -1
        if not least <= value <= most:
            raise ValueError(f"slot {slot} of the state is {value}, at most {most} expected")
    sizes[list(STATE)] = values


def put_count(given: np.ndarray, run: Any, samples: int) -> None:
    """Write the counters of the loop into a run that was opened; ValueError where they cannot be.

    Extents, addresses and options stay as the run has them.
    """
    if given.shape != run.count.shape or given.dtype != np.int64:
        raise ValueError(f"there are {given.shape} counters, not {run.count.shape}")
    rows, held = int(run.sizes[ROWS]), int(run.sizes[HOLONOMIC])
    most = {
        loop.DONE: MOST,
        loop.EVERY: MOST,
        loop.SAMPLES: samples,
        loop.NEXT_TIME: len(run.times),
        loop.PHI_ROW: max(0, held - 1),
        loop.PHI_DOT_ROW: max(0, rows - 1),
        loop.EVENT_COUNT: MOST,
        loop.STOPPED: 1,
        loop.ENDING: 1,
        loop.LOGGED: MOST,
    }
    for slot, bound in most.items():
        least = {loop.EVERY: 1, loop.SAMPLES: samples, loop.PHI_ROW: -1, loop.PHI_DOT_ROW: -1}
        if not least.get(slot, 0) <= given[slot] <= bound:
            raise ValueError(f"counter {slot} is {given[slot]}, at most {bound} expected")
    for slot in most:
        run.count[slot] = given[slot]
