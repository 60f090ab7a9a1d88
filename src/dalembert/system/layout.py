"""Allocation of the state of a run, and the slots of `sizes` by number.

`system.state_layout` declares what stands where. Kernels that are not written with it yet open what
they need by slots,

    phi = vector(work, sizes, PHI, HOLONOMIC)
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)

where the third argument names a field and the others name its extents.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from dalembert._jit import SIZES_COUNT, SIZES_LENGTH, kernel, matrix_view, vector_view
from dalembert.system.state_layout import State
from dalembert.system.tables import CONSTANT, INERTIA, RECORD, SIDE_NUMBERS

__all__ = ["CONSTANT", "INERTIA", "RECORD", "SIDE_NUMBERS"]

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


def allocate(e: Extents, tables: Mapping[int, Any] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Zeroed `work` and `sizes` for the given counts; `tables`: slot -> integers to append."""
    flat = {
        slot: np.asarray(table, dtype=np.int64).ravel() for slot, table in (tables or {}).items()
    }
    sizes = np.zeros(SIZES_COUNT + sum(map(len, flat.values())), dtype=np.int64)
    place = SIZES_COUNT
    for slot, table in flat.items():
        sizes[slot] = place
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
        sizes[BODY_FORCE] = sizes[FORCE]
    state.row_share[:] = 1.0
    return state.work, sizes


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
    state.one, state.options_length = 1, OPTIONS_COUNT
    state.bodies, state.wound, state.blocks = e.bodies, e.wound, e.blocks
    state.massless, state.plane = e.massless, -1
    state.placed = e.placed or e.bodies
    state.mechanism = int(state.placed > 0)
    state.rank_limit = state.rank_max = state.rank = state.least_dropped = e.rows


def offset(e: Extents, field: int) -> int:
    """Where a field starts in `work`."""
    slots, starts, _ = _starts(e)
    found = np.flatnonzero(slots == field)
    if not len(found):
        raise KeyError(field)
    return int(starts[found[0]])


@kernel
def vector(work, sizes, field, length):
    """View of a field with `sizes[length]` entries."""
    return vector_view(work, sizes[field], sizes[length])


@kernel
def matrix(work, sizes, field, rows, columns):
    """View of a field as a matrix of `sizes[rows]` by `sizes[columns]`, row by row."""
    return matrix_view(work, sizes[field], sizes[rows], sizes[columns])


@kernel
def scratch_vector(work, sizes, field, start, length):
    """Part of a scratch field, from `start`, with `length` entries."""
    return vector_view(work, sizes[field] + start, length)


@kernel
def scratch_matrix(work, sizes, field, start, rows, columns):
    """Part of a scratch field as a matrix."""
    return matrix_view(work, sizes[field] + start, rows, columns)


# -- slots, for kernels that are not written with the state yet ------------------------------------

(
    WORK,
    NQ,
    NV,
    HOLONOMIC,
    ROWS,
    EVENTS,
    ONE,
    OPTIONS_LENGTH,
    INPUTS,
    SIDES,
    QUATERNIONS,
    MECHANISM,
    PLACED,
    BODIES,
    DENSE,
    PLANE,
    PAIRS,
    ACTIONS,
    INCIDENCES,
    TERMS,
    WOUND,
    BLOCKS,
    MASSLESS,
    EMPTY,
    HINGES,
    TREE_ELEMENTS,
    TREE_PRODUCT_COUNT,
    TREE_LENGTH,
    DUAL_COLUMN_COUNT,
    DUAL_DIVISION_COUNT,
    DUAL_PRODUCT_COUNT,
    DUAL_EMPTY_COUNT,
    DUAL_ROW_COUNT,
    CONTACT_INTEGERS_LENGTH,
    CONTACT_NUMBERS_LENGTH,
    RANK,
    BRANCH,
    RANK_LIMIT,
    LASTING_RANK,
    BY_ALL,
    RANK_MAX,
    SEEN_RANK,
    SEEN,
    FACTORED,
    DROPPED,
    LEAST_DROPPED,
    DUAL_OFF,
    CONTINUED,
    EVALUATED,
    HAS_LAST,
    MEMORY,
    METHOD_FLAG,
    INTEGRATOR_FLAG,
    FAILED_INDEX,
    PROJECTIONS,
    ITERATIONS,
    REJECTED,
    EVALUATIONS,
    FACTORISATIONS,
    STEP_FACTORISATIONS,
    REFINEMENTS,
    NEAR_COUNT,
    LEAPS,
    FORCE_HAS_VELOCITY,
    GYROSCOPIC,
    LONG_STEPS,
    TREE_SEES_QUATERNIONS,
    TURNS_IN_ROWS,
    SEE_RATES,
) = State.slots(State.integers)

(
    QUATERNION_TABLE,
    HINGE_TABLE,
    WOUND_HINGES,
    PAIR_TABLE,
    ACTION_TABLE,
    INCIDENCE_TABLE,
    TERM_TABLE,
    COLUMN_TABLE,
    BELOW_TABLE,
    UPDATE_TABLE,
    TURNS_TABLE,
    EMPTY_TABLE,
    MASSLESS_TABLE,
    DUAL_COLUMNS,
    DUAL_BELOW,
    DUAL_UPDATES,
    DUAL_DIVISIONS,
    DUAL_PRODUCTS,
    DUAL_EMPTY,
    DUAL_ROWS,
    TREE_TABLE,
    TREE_ELEMENT_TABLE,
    TREE_PRODUCTS,
    TREE_SEEN,
    CONTACT_INTEGERS,
) = State.slots(State.tables)

(
    HINGE_NUMBERS,
    HINGE_ROOM,
    HINGE_TIME,
    CONTACT_NUMBERS,
) = State.slots(State.attached)

(
    EVALUATE,
    RESIDUAL,
    TANGENT,
    GUARD,
    FACTOR,
    SOLVE,
    RESPOND,
    RATES,
    RATES_GENERAL,
    BEGIN_STEP,
    END_STEP,
    ADVANCE,
    PREPARE,
    SEE,
    SPECIFIC_SEE,
    SPECIFIC,
    SPECIFIC_RESIDUAL,
    SPECIFIC_ACTION,
    SPECIFIC_GUARD,
    ANGLES_OF,
    PLACE_BODY,
    DUAL_INVERT,
    PROXIMAL_FACTOR,
    PROXIMAL_SOLVE,
    PROXIMAL_RESPOND,
    SIDE_ROWS,
    CONTACT_COLLIDE,
    CONTACT_SOLVE,
    CONTACT_CLOSE,
    CONTACT_SHARE,
    CONTACT_NOTE,
    CONTACT_LOG_FULL,
    CONTACT_WAS_SMOOTH,
    SMOOTH_ADVANCE,
    SMOOTH_END,
    SMOOTH_PREPARE,
    SMOOTH_OUTPUT,
) = State.slots(State.addresses)

(
    PARAMETERS,
    OPTIONS,
    INTEGRATOR_OPTIONS,
    ROW_SCALE,
    ROW_TOLERANCE,
    ROW_SIZE,
    ROW_SHARE,
    LENGTH,
    MARGIN,
    ERROR,
    HELD_PHI,
    HELD_PHI_DOT,
    PHI,
    PHI_DOT,
    PHI_T,
    RHS_A,
    JACOBIAN,
    MASS,
    FORCE,
    STIFFNESS,
    DAMPING,
    JACOBIAN_DOT,
    MASS_L,
    MASS_PIVOT,
    MASS_INVERSE,
    ROWS_Y,
    DELASSUS,
    DELASSUS_L,
    DELASSUS_PIVOT,
    DELASSUS_INVERSE,
    ORTHO_C,
    ORTHO_R,
    ORTHO_ORDER,
    ORTHO_BETA,
    ORTHO_GAMMA,
    SADDLE,
    SADDLE_ORDER,
    SADDLE_X,
    SADDLE_SCALE,
    SOLVE_B,
    SOLVE_S,
    SOLVE_X,
    SOLVE_LAST,
    PREDICTED_VDOT,
    LAST_VDOT,
    BEFORE_LAST_VDOT,
    LAST_TIMES,
    START_Q,
    START_V,
    AFTER_Q,
    TOP,
    BOTTOM,
    CORRECTION,
    CORRECTION_LAM,
    QDOT,
    VDOT,
    LAM,
    BODY_RECORDS,
    BODY_CONSTANTS,
    BODY_INERTIA,
    BODY_FORCE,
    TREE_NUMBERS,
    TREE_ROOM,
    TREE_BIAS,
    TREE_STATE,
    TREE_MASS,
    TREE_ROOTS,
    TREE_ROWS,
    TREE_HALF,
    TREE_REACH,
    TREE_SIDE,
    BODY_WEIGHT,
    GRAVITY,
    ELEMENT_DATA,
    JACOBIAN_BLOCKS,
    SPARE,
    PROXIMAL,
    PROXIMAL_INVERSE,
    ROW_WEIGHT,
    REST_TOP,
    REST_BOTTOM,
    REST_WEIGHTED,
    PROXIMAL_SCALE,
    TANGENT_Q,
    SPARE_INERTIA,
    DUAL,
    DUAL_INVERSE,
    DUAL_RATIO,
    DUAL_WHOLE,
    DUAL_LAM,
    DUAL_BEST,
    GRADIENT,
    DIRECTION,
    DIRECTION_IMAGE,
    DIRECTION_MOTION,
    KEPT_Q,
    DUAL_SCRATCH,
    DUAL_Z,
    MASS_INVERSES,
    DUAL_TOP,
    DUAL_BOTTOM,
    DUAL_CHANGE,
    CHANGE,
    CHANGE_MASS,
    EVALUATED_TIME,
    FACTORED_TIME,
    EVALUATED_Q,
    EVALUATED_V,
    ANGLES,
    LAST_ANGLES,
    BLOCK_SCRATCH,
    CONSTANTS,
    EVENT_VALUES,
    INPUT_VALUES,
    INPUT_RATES,
    SIDE_PHI,
    SIDE_PHI_DOT,
    SIDE_PHI_T,
    SIDE_JACOBIAN,
    SIDE_DATA,
    METHOD_SCRATCH,
    INTEGRATOR_SCRATCH,
) = State.slots(State.numbers)

ADDRESSES = tuple(State.slots(State.addresses))
"""Slots of addresses, which are those of one process. Integer tables hold more of them, and do not
change during a run."""
