"""What a run with contact remembers and works with: two arrays at the ends of `sizes` and `work`.

`integers` and `numbers` begin with heads; this is the only file that knows offsets in them. They
hold the scene of collision and the contact problem, whose own files know what is inside
(`collision.layout`, `contact.layout`), and besides

* for every body its clique, and where its six velocities begin there;
* the laws of pairs of surfaces, by class of surface;
* the contacts of this step, and what is kept of each: frame, arms, impulses;
* the impulses of the last step, for the warm start (`contact.warm_start`);
* which cliques sleep, and how they rest (`contact.sleeping`);
* what is reported of a step, and the worst over the run.

Capacities are fixed; a kernel that finds no room returns NEEDS_ROOM, and `grown` makes more, with
everything that lasts carried over.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dalembert._jit import kernel, vector_view
from dalembert.collision.layout import CONTACT_INTEGERS as FOUND_INTEGERS
from dalembert.collision.layout import CONTACT_NUMBERS as FOUND_NUMBERS
from dalembert.contact import layout as problem_layout
from dalembert.system import layout as run_layout

# -- head of `integers` ----------------------------------------------------------------------------

# Counts and choices.
(
    BODIES,
    CLIQUES,
    CLASSES,
    CONTACTS,
    MOST_CONTACTS,
    REMEMBERED,
    FIXED_BLOCKS,
    FIXED_ROWS,
    SECOND_ORDER,
    POISSON,
    STRICT,
    SOLVER,
    BUDGET,
    STALLED_STEPS,
    FLAGGED_STEPS,
    POISSON_STEPS,
    WORST_STEP,
    STEPS,
    SHAPES,
    ROOM_WANTED,
    PROFILE,
    HASH_LENGTH,
    LOGGED_CONTACTS,
    LOGGED_STEPS,
    MOST_LOGGED_CONTACTS,
    MOST_LOGGED_STEPS,
    STEP_LOG_FLOATS,
    CONTACTS_FOUND,
    FLAGGED_NOW,
    CHANGES,
    SLEEPING,
    RESTING,
) = range(32)

# Starts (and lengths) of sections of `integers`,
(
    SCENE_INTEGERS,
    SCENE_INTEGERS_LENGTH,
    PROBLEM_INTEGERS,
    PROBLEM_INTEGERS_LENGTH,
    BODY_TABLE,
    CLIQUE_TABLE,
    LAW_TABLE,
    FOUND_INTEGERS_AT,
    KEPT_INTEGERS,
    PAIR_HASH,
    DOF_CLIQUES,
    SLEEP_TABLE,
) = range(32, 44)

# and of `numbers`.
(
    SCENE_NUMBERS,
    SCENE_NUMBERS_LENGTH,
    PROBLEM_NUMBERS,
    PROBLEM_NUMBERS_LENGTH,
    CLASS_TABLE,
    SURFACE_TABLE,
    FOUND_NUMBERS_AT,
    CONTACT_TABLE,
    KEPT_NUMBERS,
    FIXED_IMPULSES,
    REPORT,
    WORST,
    ROW_SCRATCH,
    NEXT_IMPULSES,
    CONTACT_LOG,
    STEP_LOG,
    COMPRESSION,
    KEPT_FREE,
    LAST_CHANGE,
    NEXT_CHANGE,
    SLEEP_TIMES,
    SLEEP_PULL,
    ASIDE_NUMBERS,
) = range(44, 67)
ASIDE_INTEGERS = 67
LAST_TWISTS, NEXT_TWISTS, WHIRL = range(68, 71)

SOLVE_ONLY = 71
"""1: a step ends with its impulses (`contact.recorded`)."""

LAST_PUSH, NEXT_PUSH, SIDE_RATES = range(72, 75)

HEAD = 80

# -- head of `numbers` -----------------------------------------------------------------------------

# Options, and the length of the last step; TOLERANCE is that of the solve at hand.
SLOP, THRESHOLD, TOLERANCE, PUSH_SPEED, LAST_STEP, CONTACT_WORK_SUM, STEP_TOLERANCE = range(7)
POLISHED = 7
"""Residual down to which a solved step is improved further, where that costs little; or 0."""

SETTINGS = 16

# -- records ---------------------------------------------------------------------------------------

CLASS_FLOATS = 12
"""Floats of the law of two classes of surfaces:"""
(
    FRICTION,
    SPINNING,
    ROLLING,
    RESTITUTION,
    STIFFNESS,  # 0: rigid
    DAMPING,
    FREQUENCY,  # [rad/s] 0: none
    DAMPING_RATIO,
    TANGENTIAL_STIFFNESS,
    TANGENTIAL_DAMPING,
    DISSIPATION,
) = range(11)

CONTACT_FLOATS = 55
"""Floats kept of a contact within a step:"""
FRAME = 0  # n, t1, t2
ARM_A, ARM_B = 9, 12  # from the centres of mass, world axes
LOCAL_A, LOCAL_B = 15, 18  # the points of both surfaces, in body axes
IMPULSE, TURNING_IMPULSE = 21, 24  # world axes, on B
STRETCH = 27  # of the tangential spring, world axes
SPEED = 30  # normal velocity before the step
STIFF, DAMP = 31, 32  # of the normal, 0: rigid
BOUNCE = 33  # restitution that acts in this step
SLIP = 34  # speed of sliding after the step
STATE_NOW = 35  # open, sticking, sliding (`contact.layout`)
OLD = 36  # of the last step: normal, arms, sliding, 1 + state; 0: not there (`contact.curving`)
LEAD = 49  # what second order adds to the bias of n, t1, t2
SLIDE = 52  # tangential velocity before the step, world axes

CONTACT_LOG_FLOATS = 19
"""Floats of a recorded contact (`contact.log`)."""

LOG_STEPS, LOG_CONTACTS = 256, 4
"""Samples whose reports fit, and samples of as many contacts as fit, before Python is asked."""

# What kind of room was missing (ROOM_WANTED): that of collision, or of the problem.
SCENE_ROOM, PROBLEM_ROOM = 1, 2

OLD_FLOATS = 13
"""Floats of OLD."""

KEPT_FLOATS = 12 + OLD_FLOATS
"""Floats remembered of a contact: impulse, turning impulse, stretch, point, OLD; world axes."""

KEPT_RECORD = 4
"""Integers remembered of a contact: shapes, feature, whether it has been found again."""

SLEEP_RECORD = 4
"""Integers of a clique (`contact.sleeping`): state, contacts it rests on, those now, next state."""
ASLEEP, TOUCHING, NOW, NEXT = range(4)

SLEEP_NUMBERS = 2
"""Floats of a clique: time at rest, and that after the step."""
STILL, NEXT_STILL = range(2)

REPORT_FLOATS = 24
"""Floats reported of a step: those of the solver (`contact.layout`), then"""
PENETRATION = problem_layout.INFO_FLOATS
DRIFT, ENERGY_CHANGE, PUSHED = range(PENETRATION + 1, PENETRATION + 4)


@dataclass(frozen=True)
class Room:
    """How much fits: contacts, and the contact problem."""

    contacts: int
    problem: problem_layout.Capacity


@dataclass(frozen=True)
class Tables:
    """What does not change during a run.

    Attributes
    ----------
    body_table : (bodies, 2)    clique and place in it
    cliques : sizes
    dof_cliques : (velocities, 2)   the same of velocities, for bodies that a tree carries
    laws : of one-sided rows (`contact.laws`)
    classes : (c, c, CLASS_FLOATS)
    surfaces : (shapes, 3)      velocity of the surface against its body, body axes
    scene : integers and numbers of collision
    """

    body_table: np.ndarray
    cliques: np.ndarray
    dof_cliques: np.ndarray
    laws: np.ndarray
    classes: np.ndarray
    surfaces: np.ndarray
    scene: tuple[np.ndarray, np.ndarray]
    fixed_blocks: int
    fixed_rows: int
    surface_size: float
    """Smallest bounding radius of a shape  [m]."""
    logged: int
    """Floats of a step besides its report: forces of one-sided rows, accelerations."""


def _sections(
    tables: Tables, room: Room
) -> tuple[list[tuple[int, np.ndarray | int]], list[tuple[int, np.ndarray | int]]]:
    """(slot, content or length) of the sections of `integers` and `numbers`."""
    problem = problem_layout.allocate(room.problem)
    most = room.contacts
    integers: list[tuple[int, np.ndarray | int]] = [
        (SCENE_INTEGERS, tables.scene[0]),
        (PROBLEM_INTEGERS, problem[0]),
        (BODY_TABLE, tables.body_table),
        (CLIQUE_TABLE, tables.cliques),
        (DOF_CLIQUES, tables.dof_cliques),
        (LAW_TABLE, tables.laws),
        (FOUND_INTEGERS_AT, FOUND_INTEGERS * most),
        (KEPT_INTEGERS, KEPT_RECORD * most),
        (PAIR_HASH, _hash_length(most)),
        (SLEEP_TABLE, SLEEP_RECORD * len(tables.cliques)),
        (ASIDE_INTEGERS, FOUND_INTEGERS * most),
    ]
    numbers: list[tuple[int, np.ndarray | int]] = [
        (SCENE_NUMBERS, tables.scene[1]),
        (PROBLEM_NUMBERS, problem[1]),
        (CLASS_TABLE, tables.classes),
        (SURFACE_TABLE, tables.surfaces),
        (FOUND_NUMBERS_AT, FOUND_NUMBERS * most),
        (CONTACT_TABLE, CONTACT_FLOATS * most),
        (KEPT_NUMBERS, KEPT_FLOATS * most),
        (FIXED_IMPULSES, tables.fixed_rows),
        (REPORT, REPORT_FLOATS),
        (WORST, REPORT_FLOATS),
        (ROW_SCRATCH, 72),
        (NEXT_IMPULSES, tables.fixed_rows),
        (COMPRESSION, room.problem.rows),
        (KEPT_FREE, room.problem.velocities),
        (LAST_CHANGE, room.problem.velocities),
        (NEXT_CHANGE, room.problem.velocities),
        (SLEEP_TIMES, SLEEP_NUMBERS * len(tables.cliques)),
        (SLEEP_PULL, room.problem.velocities),
        (ASIDE_NUMBERS, FOUND_NUMBERS * most),
        (LAST_TWISTS, 6 * len(tables.body_table)),
        (NEXT_TWISTS, 6 * len(tables.body_table)),
        (
            WHIRL,
            2 * room.problem.velocities + 12 * len(tables.body_table) + 8 * len(tables.cliques),
        ),
        (LAST_PUSH, room.problem.velocities),
        (NEXT_PUSH, room.problem.velocities),
        (SIDE_RATES, tables.fixed_rows),
        (CONTACT_LOG, CONTACT_LOG_FLOATS * _log_length(most)),
        (STEP_LOG, (1 + REPORT_FLOATS + tables.logged) * LOG_STEPS),
    ]
    return integers, numbers


def _hash_length(contacts: int) -> int:
    """A power of two with room for as many pairs, half empty."""
    return 1 << (2 * max(contacts, 8) - 1).bit_length()


def _log_length(contacts: int) -> int:
    return 1024 + LOG_CONTACTS * contacts


def build(tables: Tables, room: Room) -> tuple[np.ndarray, np.ndarray]:
    """The arrays at the start of a run."""
    head = np.zeros(HEAD, dtype=np.int64)
    settings = np.zeros(SETTINGS)
    head[BODIES], head[CLIQUES] = len(tables.body_table), len(tables.cliques)
    head[CLASSES], head[SHAPES] = len(tables.classes), len(tables.surfaces)
    head[MOST_CONTACTS] = room.contacts
    head[MOST_LOGGED_CONTACTS] = _log_length(room.contacts)
    head[MOST_LOGGED_STEPS] = LOG_STEPS
    head[STEP_LOG_FLOATS] = 1 + REPORT_FLOATS + tables.logged
    head[CHANGES] = int(tables.cliques.sum())
    head[HASH_LENGTH] = _hash_length(room.contacts)
    head[FIXED_BLOCKS], head[FIXED_ROWS] = tables.fixed_blocks, tables.fixed_rows
    made = []
    lengths = {SCENE_INTEGERS, PROBLEM_INTEGERS, SCENE_NUMBERS, PROBLEM_NUMBERS}
    for sections, start in zip(_sections(tables, room), (head, settings), strict=True):
        parts = [start]
        place = len(start)
        for slot, given in sections:
            part = np.zeros(given, start.dtype) if isinstance(given, int) else given
            part = np.asarray(part, dtype=start.dtype).ravel()
            head[slot] = place
            if slot in lengths:
                head[slot + 1] = len(part)
            place += len(part)
            parts.append(part)
        made.append(parts)
    integers, numbers = (np.concatenate(parts) for parts in made)
    integers[:HEAD] = head
    return integers, numbers


def carry(old: tuple[np.ndarray, np.ndarray], new: tuple[np.ndarray, np.ndarray]) -> None:
    """What lasts from step to step, into arrays with more room."""
    (a, x), (b, y) = old, new
    for slot in (*range(REMEMBERED, ROOM_WANTED), PROFILE, SLEEPING, RESTING):
        if slot not in (FIXED_BLOCKS, FIXED_ROWS):
            b[slot] = a[slot]
    b[CONTACTS] = a[CONTACTS]
    b[LOGGED_CONTACTS], b[LOGGED_STEPS] = a[LOGGED_CONTACTS], a[LOGGED_STEPS]
    y[:SETTINGS] = x[:SETTINGS]
    for slot, length in (
        (KEPT_INTEGERS, KEPT_RECORD * int(a[MOST_CONTACTS])),
        (FOUND_INTEGERS_AT, FOUND_INTEGERS * int(a[MOST_CONTACTS])),
        (SLEEP_TABLE, SLEEP_RECORD * int(a[CLIQUES])),
    ):
        b[b[slot] : b[slot] + length] = a[a[slot] : a[slot] + length]
    for slot, length in (
        (KEPT_NUMBERS, KEPT_FLOATS * int(a[MOST_CONTACTS])),
        (FOUND_NUMBERS_AT, FOUND_NUMBERS * int(a[MOST_CONTACTS])),
        (CONTACT_TABLE, CONTACT_FLOATS * int(a[MOST_CONTACTS])),
        (FIXED_IMPULSES, int(a[FIXED_ROWS])),
        (LAST_CHANGE, int(room_of(a).problem.velocities)),
        (SLEEP_TIMES, SLEEP_NUMBERS * int(a[CLIQUES])),
        (SLEEP_PULL, int(a[CHANGES])),
        (LAST_TWISTS, 6 * int(a[BODIES])),
        (LAST_PUSH, int(room_of(a).problem.velocities)),
        (REPORT, REPORT_FLOATS),
        (WORST, REPORT_FLOATS),
        (CONTACT_LOG, CONTACT_LOG_FLOATS * int(a[LOGGED_CONTACTS])),
        (STEP_LOG, int(a[STEP_LOG_FLOATS] * a[LOGGED_STEPS])),
    ):
        y[b[slot] : b[slot] + length] = x[a[slot] : a[slot] + length]


def room_of(integers: np.ndarray) -> Room:
    """The room of arrays that `build` made."""
    start = int(integers[PROBLEM_INTEGERS])
    return Room(int(integers[MOST_CONTACTS]), problem_layout.capacity_of(integers[start:]))


def scene_of(integers: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Copies of the arrays of collision."""
    start, count = int(integers[SCENE_INTEGERS]), int(integers[SCENE_INTEGERS_LENGTH])
    first, length = int(integers[SCENE_NUMBERS]), int(integers[SCENE_NUMBERS_LENGTH])
    return integers[start : start + count].copy(), numbers[first : first + length].copy()


def with_contacts(room: Room, contacts: int, rows: int, floats: int) -> Room:
    """Room for so many contacts, each with so many rows and floats of J."""
    more = contacts - room.contacts
    capacity = replace(
        room.problem,
        blocks=room.problem.blocks + more,
        rows=room.problem.rows + rows * more,
        jacobian=room.problem.jacobian + floats * more,
    )
    return Room(contacts, capacity)


# -- from kernels ----------------------------------------------------------------------------------


@kernel
def integers_of(sizes):
    """The integers of contact in a run."""
    return vector_view(
        sizes, sizes[run_layout.CONTACT_INTEGERS], sizes[run_layout.CONTACT_INTEGERS_LENGTH]
    )


@kernel
def numbers_of(work, sizes):
    """The numbers of contact in a run."""
    return vector_view(
        work, sizes[run_layout.CONTACT_NUMBERS], sizes[run_layout.CONTACT_NUMBERS_LENGTH]
    )


@kernel
def problem_integers(integers):
    """Integers of the contact problem."""
    return vector_view(integers, integers[PROBLEM_INTEGERS], integers[PROBLEM_INTEGERS_LENGTH])


@kernel
def problem_numbers(integers, numbers):
    """Numbers of the contact problem."""
    return vector_view(numbers, integers[PROBLEM_NUMBERS], integers[PROBLEM_NUMBERS_LENGTH])


@kernel
def contact_at(integers, contact):
    """Where the numbers of a contact start."""
    return integers[CONTACT_TABLE] + CONTACT_FLOATS * contact


@kernel
def found_at(integers, contact):
    """Where collision wrote a contact: integers."""
    return integers[FOUND_INTEGERS_AT] + FOUND_INTEGERS * contact


@kernel
def found_numbers_at(integers, contact):
    """Where collision wrote a contact: numbers."""
    return integers[FOUND_NUMBERS_AT] + FOUND_NUMBERS * contact
