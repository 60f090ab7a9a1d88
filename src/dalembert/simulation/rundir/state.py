"""Integers of a run that change from step to step, and what they can be.

`sizes` holds besides them extents, addresses and starts of tables: those are never written to a
file nor taken from one. A slot that kernels change and that is not declared here is noticed when a
checkpoint is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert._signature import SIZES_LENGTH
from dalembert.integration import loop
from dalembert.system.state_layout import State

MOST = 2**62
"""Most of whatever is counted."""

Bound = int | Callable[[State], int]
"""Largest value, which may depend on the extents."""


def _rows(state: State) -> int:
    return int(state.rows)


def _dependents(state: State) -> int:
    return max(1, min(int(state.rows), int(state.nv)))


def _anything(state: State) -> int:
    return int(state.nq + state.nv + state.rows + 6)


STATE: dict[str, Bound] = {
    "rank": _rows,
    "rank_limit": _rows,
    "rank_max": _rows,
    "by_all": 1,
    "seen_rank": _rows,
    "held_rank": _rows,
    "firm_rank": _rows,
    "dropped": _rows,
    "least_dropped": _rows,
    "branch": 3,
    "memory": _dependents,
    "integrator_flag": 2,
    "has_last": 2,
    "seen": 1,
    "evaluated": 1,
    "factored": 1,
    "dual_off": 2,
    "failed_index": _anything,
    "projections": MOST,
    "iterations": MOST,
    "rejected": MOST,
    "evaluations": MOST,
    "near_count": MOST,
    "leaps": MOST,
    "leaps_in_row": MOST,
    "beside_steps": MOST,
    "undecided_steps": MOST,
    "left_off": MOST,
    "weak_for_good": 1,
    "factorisations": MOST,
    "step_factorisations": MOST,
    "refinements": MOST,
    "continued": MOST,
}
"""Integer of the state -> its largest value; none is below -1 but the index of what failed."""

SLOTS = [State.slot(name) for name in STATE]
"""Where they stand in `sizes`."""

MADE_AGAIN = (
    *State.slots(State.addresses),
    SIZES_LENGTH,
    State.slot("work_length"),
    State.slot("contact_integers"),
    State.slot("contact_integers_length"),
    State.slot("contact_numbers"),
    State.slot("contact_numbers_length"),
    State.slot("long_steps"),
    State.slot("dense"),
)
"""Slots that the process that goes on fills by itself."""


def undeclared(sizes: Any, fresh: Any) -> list[int]:
    """Slots that have changed since the arrays were opened, and are not declared."""
    changed = np.flatnonzero(sizes[: len(fresh)] != fresh)
    return sorted({int(k) for k in changed} - set(SLOTS) - set(MADE_AGAIN))


def taken(state: State) -> np.ndarray:
    """The declared integers, in their order."""
    return np.array([getattr(state, name) for name in STATE], dtype=np.int64)


def put(values: np.ndarray, state: State) -> None:
    """Write the declared integers; a ValueError tells of one that is out of bounds."""
    if values.shape != (len(STATE),) or values.dtype != np.int64:
        raise ValueError(f"the state has {values.shape} integers, not {len(STATE)}")
    for value, (name, bound) in zip(values.tolist(), STATE.items(), strict=True):
        most = bound if isinstance(bound, int) else bound(state)
        least = -_anything(state) if name == "failed_index" else -1
        if not least <= value <= most:
            slot = State.slot(name)
            raise ValueError(f"slot {slot} of the state is {value}, at most {most} expected")
    for value, name in zip(values.tolist(), STATE, strict=True):
        setattr(state, name, value)


def put_count(given: np.ndarray, run: Any, samples: int) -> None:
    """Write the counters of the loop into a run that was opened; ValueError where they cannot be.

    Extents, addresses and options stay as the run has them.
    """
    if given.shape != run.clock_counts.shape or given.dtype != np.int64:
        raise ValueError(f"there are {given.shape} counters, not {run.clock_counts.shape}")
    rows, held = run.state.rows, run.state.holonomic
    most = {
        "done": MOST,
        "every": MOST,
        "samples": samples,
        "next_time": len(run.times),
        "phi_row": max(0, held - 1),
        "phi_dot_row": max(0, rows - 1),
        "event_count": MOST,
        "stopped": 1,
        "ending": 1,
        "logged": MOST,
    }
    least = {"every": 1, "samples": samples, "phi_row": -1, "phi_dot_row": -1}
    kept = loop.Clock(run.clock_numbers, 0, given, 0)
    for name, bound in most.items():
        found = getattr(kept, name)
        if not least.get(name, 0) <= found <= bound:
            raise ValueError(f"counter {name} is {found}, at most {bound} expected")
    for name in most:
        setattr(run.clock, name, getattr(kept, name))
