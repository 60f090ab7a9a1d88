"""Allocation of the state of a run: its extents, and where fields start.

`system.state_fields` declares what there is; everything here follows from it.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from dalembert._signature import SIZES_COUNT, SIZES_LENGTH
from dalembert.system.state_layout import State

OPTIONS_COUNT = 16
"""Floats a method or an integrator may keep as its options."""


@dataclass(frozen=True)
class Extents:
    """Counts that fix the layout."""

    nq: int
    nv: int
    holonomic: int
    rows: int
    parameters: int
    constants: int = 0
    events: int = 0
    inputs: int = 0
    """Inputs of controllers."""
    reactions: int = 0
    """Reactions in formulas of forces."""
    sides: int = 0
    side_jacobian: int = 0
    """One-sided rows, and floats of their J."""
    method_scratch: int = 0
    integrator_scratch: int = 0
    bodies: int = 0
    element_data: int = 0
    jacobian_blocks: int = 0
    blocks: int = 0
    most_below: int = 0
    wound: int = 0
    dual: int = 0
    """Floats of the blocks of W; 0: it is not used."""
    dual_scratch: int = 0
    massless: int = 0
    """Bodies without inertia about some axis."""
    dense: bool = True
    """Whether there is room for M, J and their factors as full matrices."""
    placed: int = 0
    """Bodies with records; of a tree, which has no `bodies` of seven coordinates each."""
    tree_numbers: int = 0
    tree_room: int = 0
    tree_rows: int = 0
    """Floats of the rows of loops over the velocities they touch."""


def _counts(e: Extents) -> dict[str, int]:
    """Names that extents of fields are said in, and truths on which they depend."""
    tree = e.placed > 0
    return {
        **asdict(e),
        "placed": e.placed or e.bodies,
        "options_length": OPTIONS_COUNT,
        "tree": tree,
        "tree_has_rows": tree and e.rows > 0,
    }


def allocate(e: Extents, tables: Mapping[str, Any] | None = None) -> State:
    """A state of zeros for the given counts; `tables`: name -> integers to append."""
    flat = {
        name: np.asarray(table, dtype=np.int64).ravel() for name, table in (tables or {}).items()
    }
    sizes = np.zeros(SIZES_COUNT + sum(map(len, flat.values())), dtype=np.int64)
    place = SIZES_COUNT
    for name, table in flat.items():
        sizes[State.slot(name)] = place
        sizes[place : place + len(table)] = table
        place += len(table)
    sizes[SIZES_LENGTH] = place
    _write_counts(State(np.zeros(0), sizes), e)
    slots, starts, length = _starts(e)
    sizes[slots] = starts
    # One spare float: a field of length zero at the end still has an address.
    state = State(np.zeros(length + 1), sizes)
    state.work_length = length + 1
    if not e.placed:
        sizes[State.slot("body_force")] = sizes[State.slot("force")]
    state.row_share[:] = 1.0
    return state


def extended(state: State, integers: np.ndarray, numbers: np.ndarray) -> State:
    """The state with more integers and numbers behind it."""
    made = State(np.concatenate([state.work, numbers]), np.concatenate([state.sizes, integers]))
    made.work_length, made.sizes[SIZES_LENGTH] = len(made.work), len(made.sizes)
    return made


@lru_cache(maxsize=256)
def _starts(e: Extents) -> tuple[np.ndarray, np.ndarray, int]:
    """Slots of all fields, where the fields start in `work`, and where the last one ends."""
    slots, lengths = (np.array(part) for part in zip(*State.lengths(_counts(e)), strict=True))
    ends = np.cumsum(lengths)
    return slots, ends - lengths, int(ends[-1])


def _write_counts(state: State, e: Extents) -> None:
    """Counts that kernels know, and what is known before the first step."""
    state.nq, state.nv, state.holonomic, state.rows = e.nq, e.nv, e.holonomic, e.rows
    state.events, state.inputs, state.sides = e.events, e.inputs, e.sides
    state.reactions = e.reactions
    state.one, state.options_length = 1, OPTIONS_COUNT
    state.bodies, state.wound, state.blocks = e.bodies, e.wound, e.blocks
    state.massless, state.plane = e.massless, -1
    state.placed = e.placed or e.bodies
    state.mechanism = int(state.placed > 0)
    state.rank_limit = state.rank_max = state.rank = state.least_dropped = e.rows


@lru_cache(maxsize=256)
def offsets(e: Extents) -> Mapping[str, int]:
    """Where the fields of the numbers start in `work`."""
    _, starts, _ = _starts(e)
    return dict(zip((span.name for span in State.spans()), starts.tolist(), strict=True))


def offset(e: Extents, name: str) -> int:
    """Where a field starts in `work`."""
    return offsets(e)[name]
