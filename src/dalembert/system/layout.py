"""The packed arrays: `sizes` (integers) and `work` (floats), and who lives where in them.

This is the only file that knows offsets. A kernel opens what it needs by name,

    phi = vector(work, sizes, PHI, HOLONOMIC)
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)

where the third argument names a field and the others name its extents.

`sizes` holds, in this order: extents, addresses of borders, integer state, field offsets, and, for
models of bodies, integer tables whose starts and lengths are among the slots (`system.tables`
says what stands in them).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert._jit import SIZES_COUNT, SIZES_LENGTH, kernel, matrix_view, vector_view

# Extents. Slot 0 is the length of `work` (see _jit).
WORK, NQ, NV, HOLONOMIC, ROWS, EVENTS, ONE, OPTIONS_LENGTH = range(8)

# Addresses of borders.
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
) = range(8, 21)

# Hinges whose turns are counted (`mechanics.winding`): how many, their table, numbers, scratch;
# floats of each and where its angle and rate are; the hinge of each of the WOUND angles, or -1; the
# moment up to which they are counted.
HINGES, HINGE_TABLE, HINGE_NUMBERS, HINGE_ROOM, WOUND_HINGES, HINGE_TIME = 21, 22, 23, 43, 44, 45
HINGE_FLOATS, HINGE_FORETOLD, HINGE_RATE = 15, 12, 13

# Integer state: of the linear solve, of the method, and counters.
(
    RANK,
    BRANCH,
    RANK_LIMIT,
    RANK_MAX,
    PROJECTIONS,
    ITERATIONS,
    REJECTED,
    EVALUATIONS,
    MEMORY,
    FAILED_INDEX,
    METHOD_FLAG,
    INTEGRATOR_FLAG,
    FORCE_HAS_VELOCITY,
    SEEN_RANK,
    HAS_LAST,
    NEAR_COUNT,
    LEAPS,
    SEEN,
    GYROSCOPIC,
) = range(24, 43)

# Fields of `work`: slot of the offset in `sizes`.
(
    PARAMETERS,
    OPTIONS,
    INTEGRATOR_OPTIONS,
    CONSTANTS,
    ROW_SCALE,
    ROW_TOLERANCE,
    PHI,
    PHI_DOT,
    PHI_T,
    RHS_A,
    JACOBIAN,
    MASS,
    FORCE,
    EVENT_VALUES,
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
    SOLVE_B,
    SOLVE_S,
    SOLVE_X,
    MARGIN,
    HELD_PHI,
    HELD_PHI_DOT,
    START_Q,
    START_V,
    TOP,
    BOTTOM,
    CORRECTION,
    CORRECTION_LAM,
    QDOT,
    VDOT,
    LAM,
    METHOD_SCRATCH,
    INTEGRATOR_SCRATCH,
    ERROR,
    LAST_VDOT,
    BEFORE_LAST_VDOT,
    LAST_TIMES,
    PREDICTED_VDOT,
    SOLVE_LAST,
    ROW_SIZE,
    LENGTH,
    AFTER_Q,
    SADDLE_SCALE,
) = range(48, 108)

# Steps between those with impulses (`contact.smooth`): of an integrator, the end of a step of a
# method, and the continuous output of both.
SMOOTH_ADVANCE, SMOOTH_END, SMOOTH_PREPARE, SMOOTH_OUTPUT = range(108, 112)

# Models of bodies. Counts and integer state:
(
    BODIES,
    DENSE,
    PAIRS,
    ACTIONS,
    INCIDENCES,
    TERMS,
    WOUND,
    SPECIFIC,
    SPECIFIC_RESIDUAL,
    SPECIFIC_ACTION,
    ANGLES_OF,
    FACTORED,
    BLOCKS,
    PLACE_BODY,
    FACTORISATIONS,
    SPECIFIC_GUARD,
) = range(112, 128)

# starts of integer tables,
(
    PAIR_TABLE,
    ACTION_TABLE,
    INCIDENCE_TABLE,
    TERM_TABLE,
    COLUMN_TABLE,
    BELOW_TABLE,
    UPDATE_TABLE,
    OPERATION_TABLE,
    TURNS_TABLE,
    REFINEMENTS,
    EMPTY,
    EMPTY_TABLE,
) = range(128, 140)

# and fields of `work`.
(
    BODY_RECORDS,
    BODY_CONSTANTS,
    BODY_INERTIA,
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
    CHANGE,
    CHANGE_MASS,
    EVALUATED_TIME,
    FACTORED_TIME,
    ANGLES,
    LAST_ANGLES,
    BLOCK_SCRATCH,
    REST_WEIGHTED,
    PROXIMAL_SCALE,
    TANGENT_Q,
    SPARE_INERTIA,
) = range(140, 164)

MASSLESS, MASSLESS_TABLE, CONTINUED, PLANE = range(164, 168)

# W = J M^-1 J^T of bodies (`system.dual`): counts, state and tables,
(
    DUAL_COLUMN_COUNT,
    DUAL_DIVISION_COUNT,
    DUAL_PRODUCT_COUNT,
    DUAL_EMPTY_COUNT,
    DUAL_ROW_COUNT,
    DUAL_COLUMNS,
    DUAL_BELOW,
    DUAL_UPDATES,
    DUAL_DIVISIONS,
    DUAL_PRODUCTS,
    DUAL_EMPTY,
    DUAL_ROWS,
    DUAL_OFF,
    DUAL_INVERT,
    DROPPED,
    LEAST_DROPPED,
    PROXIMAL_FACTOR,
    PROXIMAL_SOLVE,
    PROXIMAL_RESPOND,
    LONG_STEPS,
) = range(168, 188)

# and fields.
(
    DUAL,
    DUAL_INVERSE,
    DUAL_RATIO,
    DUAL_SCRATCH,
    DUAL_Z,
    MASS_INVERSES,
    DUAL_TOP,
    DUAL_BOTTOM,
    DUAL_CHANGE,
    DUAL_WHOLE,
    DUAL_LAM,
    DUAL_BEST,
) = range(188, 200)

# Conjugate gradients of bodies' corrections (`mechanics.gradients`).
GRADIENT, DIRECTION, DIRECTION_IMAGE, DIRECTION_MOTION, KEPT_Q = range(200, 205)

# The quaternions among the coordinates: how many, and (q, v) where each begins.
QUATERNIONS, QUATERNION_TABLE = 205, 206

# Bodies, however their motion is described: 1, how many have records, where the forces on them are.
MECHANISM, PLACED, BODY_FORCE = 207, 208, 209

# Bodies carried by a tree of joints (`system.tree_system`): tables, state and fields.
(
    TREE_TABLE,
    TREE_LENGTH,
    TREE_ELEMENTS,
    TREE_ELEMENT_TABLE,
    TREE_PRODUCT_COUNT,
    TREE_PRODUCTS,
    TREE_NUMBERS,
    TREE_ROOM,
    TREE_BIAS,
    TREE_STATE,
    TREE_MASS,
    TREE_ROOTS,
    TREE_ROWS,
    TREE_HALF,
) = range(210, 224)
TREE_SEES_QUATERNIONS, TREE_SIDE, STEP_FACTORISATIONS = 238, 239, 240

# What is left of each row of J after its terms have cancelled (`mechanics.tree_rows`), 1 where none
# do; the sizes of the terms of a row.
ROW_SHARE, TREE_REACH = 247, 254

# 1: what stands in `work` is the evaluation of EVALUATED_TIME, EVALUATED_Q, EVALUATED_V.
EVALUATED, EVALUATED_Q, EVALUATED_V = 241, 242, 243

# 1: rows hold full turns of angles, not forces alone; per link of a tree 1: rows see its body.
TURNS_IN_ROWS, TREE_SEEN = 244, 245

# One-sided rows (limits, cables, motors and the like): their count, function and fields,
SIDES, SIDE_ROWS, SIDE_PHI, SIDE_PHI_DOT, SIDE_PHI_T, SIDE_JACOBIAN = range(224, 230)
SIDE_DATA, CONTACT_CLOSE, CONTACT_SHARE = 236, 237, 246

# and contact (`contact.memory`): starts and lengths of its part at the ends of `sizes` and `work`,
# the functions that find contacts, solve for impulses and share them out.
(
    CONTACT_INTEGERS,
    CONTACT_INTEGERS_LENGTH,
    CONTACT_NUMBERS,
    CONTACT_NUMBERS_LENGTH,
    CONTACT_COLLIDE,
    CONTACT_SOLVE,
) = range(230, 236)

# Controllers: inputs in `work`; the function that computes them.
INPUTS, INPUT_VALUES, INPUT_RATES, SEE, SPECIFIC_SEE, SEE_RATES = range(248, 254)

ADDRESSES = (
    *range(EVALUATE, PREPARE + 1),
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
    SMOOTH_ADVANCE,
    SMOOTH_END,
    SMOOTH_PREPARE,
    SMOOTH_OUTPUT,
)
"""Slots of addresses, which are those of one process. Integer tables hold more of them, and do not
change during a run."""

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
    """Of controllers."""
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


SIDE_NUMBERS = 8
"""Floats of the law of a one-sided row (`contact.laws`)."""

RECORD = 18
"""Floats a body shows to formulas: centre of mass 3, rotation 9, velocity 3, angular velocity 3."""

CONSTANT = 8
"""Floats of a body that do not change: mass, inertia (xx, yy, zz, xy, xz, yz), 1 / mass."""


INERTIA = 7
"""Floats of the mass matrix of a body: Theta in world axes (xx, yy, zz, xy, xz, yz), mass."""


def _fields(e: Extents) -> list[tuple[int, int]]:
    """(slot, length) of every field, in storage order; what depends on the method comes last."""
    n, m = e.nv, e.rows
    # Vectors have their true length; matrices only where they are wanted.
    nn, mn, mm = (n * n, m * n, m * m) if e.dense else (0, 0, 0)
    total = n + m if e.dense else 0
    bodies, placed, tree = e.bodies, e.placed or e.bodies, e.placed > 0
    return [
        (PARAMETERS, e.parameters),
        (OPTIONS, OPTIONS_COUNT),
        (INTEGRATOR_OPTIONS, OPTIONS_COUNT),
        (ROW_SCALE, m),
        (ROW_TOLERANCE, m),
        (ROW_SIZE, m),
        (ROW_SHARE, m),
        (LENGTH, 1),
        (MARGIN, 1),
        (ERROR, 2),
        (HELD_PHI, m),
        (HELD_PHI_DOT, m),
        (PHI, m),
        (PHI_DOT, m),
        (PHI_T, m),
        (RHS_A, m),
        (JACOBIAN, mn),
        (MASS, nn),
        (FORCE, n),
        (STIFFNESS, nn),
        (DAMPING, nn),
        (JACOBIAN_DOT, mn),
        (MASS_L, nn),
        (MASS_PIVOT, n),
        (MASS_INVERSE, n),
        (ROWS_Y, mn),
        (DELASSUS, mm),
        (DELASSUS_L, mm),
        (DELASSUS_PIVOT, m),
        (DELASSUS_INVERSE, m),
        (ORTHO_C, mn),
        (ORTHO_R, mm),
        (ORTHO_ORDER, m),
        (ORTHO_BETA, m),
        (ORTHO_GAMMA, m),
        (SADDLE, total * total),
        (SADDLE_ORDER, total),
        (SADDLE_X, total),
        (SADDLE_SCALE, total),
        (SOLVE_B, m),
        (SOLVE_S, m),
        (SOLVE_X, n),
        (SOLVE_LAST, n),
        (PREDICTED_VDOT, n),
        (LAST_VDOT, n),
        (BEFORE_LAST_VDOT, n),
        (LAST_TIMES, 2),
        (START_Q, e.nq),
        (START_V, n),
        (AFTER_Q, e.nq),
        (TOP, n),
        (BOTTOM, m),
        (CORRECTION, n),
        (CORRECTION_LAM, m),
        (QDOT, e.nq),
        (VDOT, n),
        (LAM, m),
        (BODY_RECORDS, (placed + 1) * RECORD if placed else 0),
        (BODY_CONSTANTS, bodies * CONSTANT),
        (BODY_INERTIA, INERTIA * placed),
        (BODY_FORCE, 6 * placed if tree else 0),
        (TREE_NUMBERS, e.tree_numbers),
        (TREE_ROOM, e.tree_room),
        (TREE_BIAS, 6 * placed if tree else 0),
        (TREE_STATE, 13 * placed if tree else 0),
        (TREE_MASS, n * n if e.tree_rows else 0),
        (TREE_ROOTS, n if e.tree_rows else 0),
        (TREE_ROWS, e.tree_rows),
        (TREE_HALF, e.tree_rows),
        (TREE_REACH, n if tree and m else 0),
        (TREE_SIDE, n if tree else 0),
        (BODY_WEIGHT, 2 * bodies),
        (GRAVITY, 3),
        (ELEMENT_DATA, e.element_data),
        (JACOBIAN_BLOCKS, e.jacobian_blocks),
        (SPARE, 12 if placed else 0),
        (PROXIMAL, 36 * e.blocks),
        (PROXIMAL_INVERSE, 6 * bodies),
        (ROW_WEIGHT, m if bodies else 0),
        (REST_TOP, n if placed else 0),
        (REST_BOTTOM, m if placed else 0),
        (REST_WEIGHTED, m if bodies else 0),
        (PROXIMAL_SCALE, 1),
        (TANGENT_Q, e.nq if placed else 0),
        (SPARE_INERTIA, 18 * e.massless),
        (DUAL, e.dual),
        (DUAL_INVERSE, m if e.dual else 0),
        (DUAL_RATIO, m if e.dual else 0),
        (DUAL_WHOLE, m if e.dual else 0),
        (DUAL_LAM, m if e.dual else 0),
        (DUAL_BEST, m if e.dual else 0),
        (GRADIENT, m if bodies else 0),
        (DIRECTION, m if bodies else 0),
        (DIRECTION_IMAGE, m if bodies else 0),
        (DIRECTION_MOTION, n if bodies else 0),
        (KEPT_Q, e.nq if bodies else 0),
        (DUAL_SCRATCH, e.dual_scratch),
        (DUAL_Z, e.jacobian_blocks if e.dual else 0),
        (MASS_INVERSES, INERTIA * bodies if e.dual else 0),
        (DUAL_TOP, n if e.dual else 0),
        (DUAL_BOTTOM, m if e.dual else 0),
        (DUAL_CHANGE, n if e.dual else 0),
        (CHANGE, n if placed else 0),
        (CHANGE_MASS, n if placed else 0),
        (EVALUATED_TIME, 1),
        (FACTORED_TIME, 1),
        (EVALUATED_Q, e.nq if tree else 0),
        (EVALUATED_V, n if tree else 0),
        (ANGLES, e.wound),
        (LAST_ANGLES, e.wound),
        (BLOCK_SCRATCH, 36 * e.most_below),
        (CONSTANTS, e.constants),
        (EVENT_VALUES, e.events),
        (INPUT_VALUES, e.inputs),
        (INPUT_RATES, e.nq + n + m if e.inputs else 0),
        (SIDE_PHI, e.sides),
        (SIDE_PHI_DOT, e.sides),
        (SIDE_PHI_T, e.sides),
        (SIDE_JACOBIAN, e.side_jacobian),
        (SIDE_DATA, SIDE_NUMBERS * e.sides),
        (METHOD_SCRATCH, e.method_scratch),
        (INTEGRATOR_SCRATCH, e.integrator_scratch),
    ]


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
    sizes[BODIES], sizes[WOUND], sizes[BLOCKS] = e.bodies, e.wound, e.blocks
    sizes[MASSLESS], sizes[LEAST_DROPPED], sizes[PLANE] = e.massless, e.rows, -1
    sizes[NQ], sizes[NV] = e.nq, e.nv
    sizes[HOLONOMIC], sizes[ROWS] = e.holonomic, e.rows
    sizes[EVENTS], sizes[ONE], sizes[OPTIONS_LENGTH] = e.events, 1, OPTIONS_COUNT
    sizes[INPUTS], sizes[SIDES] = e.inputs, e.sides
    sizes[RANK_LIMIT] = sizes[RANK_MAX] = sizes[RANK] = e.rows
    start = 0
    for slot, length in _fields(e):
        sizes[slot] = start
        start += length
    sizes[PLACED] = e.placed or e.bodies
    sizes[MECHANISM] = int(sizes[PLACED] > 0)
    if not e.placed:
        sizes[BODY_FORCE] = sizes[FORCE]
    # One spare float: a field of length zero at the end still has an address.
    sizes[WORK] = start + 1
    work = np.zeros(start + 1)
    work[sizes[ROW_SHARE] : sizes[ROW_SHARE] + e.rows] = 1.0
    return work, sizes


def offset(e: Extents, field: int) -> int:
    """Where a field starts in `work`."""
    start = 0
    for slot, length in _fields(e):
        if slot == field:
            return start
        start += length
    raise KeyError(field)


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
