"""The arrays of a run with contact (`contact.memory`): made at its start, and anew with more room.

Capacities are fixed; a kernel that finds no room returns NEEDS_ROOM, and whoever runs it makes more
with `with_contacts` and `arrays_of`. `carry` brings everything over that lasts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dalembert.collision.layout import CONTACT_INTEGERS as FOUND_INTEGERS
from dalembert.collision.layout import CONTACT_NUMBERS as FOUND_NUMBERS
from dalembert.contact import layout, memory
from dalembert.contact.capacity import Capacity, allocate, capacity_of


@dataclass(frozen=True)
class Room:
    """How much fits: contacts, and the contact problem."""

    contacts: int
    problem: Capacity


@dataclass(frozen=True)
class Tables:
    """Tables of a run that do not change.

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
    state: int
    """Coordinates and velocities."""
    logged: int
    """Floats of a step besides its report: forces of one-sided rows, accelerations."""


def _sections(
    tables: Tables, room: Room
) -> tuple[list[tuple[int, np.ndarray | int]], list[tuple[int, np.ndarray | int]]]:
    """(slot, content or length) of the sections of `integers` and `numbers`."""
    problem = allocate(room.problem)
    most = room.contacts
    integers: list[tuple[int, np.ndarray | int]] = [
        (memory.SCENE_INTEGERS, tables.scene[0]),
        (memory.PROBLEM_INTEGERS, problem[0]),
        (memory.BODY_TABLE, tables.body_table),
        (memory.CLIQUE_TABLE, tables.cliques),
        (memory.DOF_CLIQUES, tables.dof_cliques),
        (memory.LAW_TABLE, tables.laws),
        (memory.FOUND_INTEGERS_AT, FOUND_INTEGERS * most),
        (memory.KEPT_INTEGERS, memory.KEPT_RECORD * most),
        (memory.PAIR_HASH, _hash_length(most)),
        (memory.SLEEP_TABLE, memory.SLEEP_RECORD * len(tables.cliques)),
        (memory.ASIDE_INTEGERS, FOUND_INTEGERS * most),
        (memory.SIDE_JOINT, tables.fixed_rows),
        (memory.SIDE_KEPT, tables.fixed_rows),
    ]
    numbers: list[tuple[int, np.ndarray | int]] = [
        (memory.SCENE_NUMBERS, tables.scene[1]),
        (memory.PROBLEM_NUMBERS, problem[1]),
        (memory.CLASS_TABLE, tables.classes),
        (memory.SURFACE_TABLE, tables.surfaces),
        (memory.FOUND_NUMBERS_AT, FOUND_NUMBERS * most),
        (memory.CONTACT_TABLE, memory.CONTACT_FLOATS * most),
        (memory.KEPT_NUMBERS, memory.KEPT_FLOATS * most),
        (memory.FIXED_IMPULSES, tables.fixed_rows),
        (memory.REPORT, memory.REPORT_FLOATS),
        (memory.WORST, memory.REPORT_FLOATS),
        (memory.ROW_SCRATCH, 72),
        (memory.NEXT_IMPULSES, tables.fixed_rows),
        (memory.COMPRESSION, room.problem.rows),
        (memory.KEPT_FREE, room.problem.velocities),
        (memory.LAST_CHANGE, room.problem.velocities),
        (memory.NEXT_CHANGE, room.problem.velocities),
        (memory.SLEEP_TIMES, memory.SLEEP_NUMBERS * len(tables.cliques)),
        (memory.SLEEP_PULL, room.problem.velocities),
        (memory.ASIDE_NUMBERS, FOUND_NUMBERS * most),
        (memory.LAST_TWISTS, 6 * len(tables.body_table)),
        (memory.NEXT_TWISTS, 6 * len(tables.body_table)),
        (
            memory.WHIRL,
            2 * room.problem.velocities + 12 * len(tables.body_table) + 8 * len(tables.cliques),
        ),
        (memory.LAST_PUSH, room.problem.velocities),
        (memory.NEXT_PUSH, room.problem.velocities),
        (memory.SIDE_RATES, tables.fixed_rows),
        (memory.SIDE_BOUNCE, tables.fixed_rows),
        (memory.SIDE_START, 2 * tables.fixed_rows),
        (memory.CLEAR_STATE, 1 + tables.state),
        (memory.SIDE_ENTRY, tables.fixed_rows),
        (memory.SIDE_FORCE, tables.fixed_rows),
        (memory.IMPLICIT, room.problem.velocities),
        (memory.PULL, room.problem.velocities),
        (memory.WITHOUT_DRIVES, room.problem.velocities),
        (memory.KEPT_V, room.problem.velocities),
        (memory.KEPT_LAM, room.problem.rows),
        (memory.WAY, room.problem.velocities),
        (memory.COMPLETED, len(tables.cliques)),
        (memory.REDONE, len(tables.cliques)),
        (memory.CONTACT_LOG, memory.CONTACT_LOG_FLOATS * _log_length(most)),
        (memory.STEP_LOG, (1 + memory.REPORT_FLOATS + tables.logged) * memory.LOG_STEPS),
    ]
    return integers, numbers


def _hash_length(contacts: int) -> int:
    """A power of two with room for as many pairs, half empty."""
    return 1 << (2 * max(contacts, 8) - 1).bit_length()


def _log_length(contacts: int) -> int:
    return 1024 + memory.LOG_CONTACTS * contacts


def arrays_of(tables: Tables, room: Room) -> tuple[np.ndarray, np.ndarray]:
    """The arrays at the start of a run."""
    head = np.zeros(memory.HEAD, dtype=np.int64)
    settings = np.zeros(memory.SETTINGS)
    head[memory.BODIES], head[memory.CLIQUES] = len(tables.body_table), len(tables.cliques)
    head[memory.CLASSES], head[memory.SHAPES] = len(tables.classes), len(tables.surfaces)
    head[memory.MOST_CONTACTS] = room.contacts
    head[memory.MOST_LOGGED_CONTACTS] = _log_length(room.contacts)
    head[memory.MOST_LOGGED_STEPS] = memory.LOG_STEPS
    head[memory.STEP_LOG_FLOATS] = 1 + memory.REPORT_FLOATS + tables.logged
    head[memory.CHANGES] = int(tables.cliques.sum())
    head[memory.HASH_LENGTH] = _hash_length(room.contacts)
    head[memory.FIXED_BLOCKS], head[memory.FIXED_ROWS] = tables.fixed_blocks, tables.fixed_rows
    made = []
    lengths = {
        memory.SCENE_INTEGERS,
        memory.PROBLEM_INTEGERS,
        memory.SCENE_NUMBERS,
        memory.PROBLEM_NUMBERS,
    }
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
    integers[: memory.HEAD] = head
    return integers, numbers


COUNTS = (
    memory.REMEMBERED,
    memory.STALLED_STEPS,
    memory.FLAGGED_STEPS,
    memory.POISSON_STEPS,
    memory.WORST_STEP,
    memory.STEPS,
    memory.RESTING,
    memory.CONTACTS,
    memory.SMOOTH_NOW,
    memory.SMOOTH_STEPS,
    memory.NEAR,
)
"""Counts that last from step to step."""

CHOICES = (
    memory.SECOND_ORDER,
    memory.POISSON,
    memory.STRICT,
    memory.SOLVER,
    memory.BUDGET,
    memory.PROFILE,
    memory.SLEEPING,
    memory.SMOOTH,
    memory.ORDER_BY_STEP,
    memory.REDUNDANT,
)
"""Options of the method."""

Sections = list[tuple[int, int]]
"""(slot of the start, length)."""


def lasting(a: np.ndarray) -> tuple[Sections, Sections]:
    """Sections of `integers` and of `numbers` that last from step to step."""
    most, cliques = int(a[memory.MOST_CONTACTS]), int(a[memory.CLIQUES])
    velocities = int(room_of(a).problem.velocities)
    integers = [
        (memory.KEPT_INTEGERS, memory.KEPT_RECORD * most),
        (memory.FOUND_INTEGERS_AT, FOUND_INTEGERS * most),
        (memory.SLEEP_TABLE, memory.SLEEP_RECORD * cliques),
    ]
    numbers = [
        (memory.KEPT_NUMBERS, memory.KEPT_FLOATS * most),
        (memory.FOUND_NUMBERS_AT, FOUND_NUMBERS * most),
        (memory.CONTACT_TABLE, memory.CONTACT_FLOATS * most),
        (memory.FIXED_IMPULSES, int(a[memory.FIXED_ROWS])),
        (memory.LAST_CHANGE, velocities),
        (memory.SLEEP_TIMES, memory.SLEEP_NUMBERS * cliques),
        (memory.SLEEP_PULL, int(a[memory.CHANGES])),
        (memory.LAST_TWISTS, 6 * int(a[memory.BODIES])),
        (memory.LAST_PUSH, velocities),
        (memory.REPORT, memory.REPORT_FLOATS),
        (memory.WORST, memory.REPORT_FLOATS),
    ]
    return integers, numbers


def carry(old: tuple[np.ndarray, np.ndarray], new: tuple[np.ndarray, np.ndarray]) -> None:
    """Copy what lasts from step to step into arrays with more room."""
    (a, x), (b, y) = old, new
    for slot in (*COUNTS, *CHOICES, memory.LOGGED_CONTACTS, memory.LOGGED_STEPS):
        b[slot] = a[slot]
    y[: memory.SETTINGS] = x[: memory.SETTINGS]
    # options of the solver are inside the problem
    was, now = (
        int(n[memory.PROBLEM_NUMBERS] + n[n[memory.PROBLEM_INTEGERS] + layout.OPTIONS])
        for n in (a, b)
    )
    y[now : now + layout.OPTIONS_FLOATS] = x[was : was + layout.OPTIONS_FLOATS]
    integers, numbers = lasting(a)
    logs = [
        (memory.CONTACT_LOG, memory.CONTACT_LOG_FLOATS * int(a[memory.LOGGED_CONTACTS])),
        (memory.STEP_LOG, int(a[memory.STEP_LOG_FLOATS] * a[memory.LOGGED_STEPS])),
    ]
    for sections, here, there in ((integers, a, b), ([*numbers, *logs], x, y)):
        for slot, length in sections:
            there[b[slot] : b[slot] + length] = here[a[slot] : a[slot] + length]


def room_of(integers: np.ndarray) -> Room:
    """The room of arrays that `arrays_of` made."""
    start = int(integers[memory.PROBLEM_INTEGERS])
    return Room(int(integers[memory.MOST_CONTACTS]), capacity_of(integers[start:]))


def scene_of(integers: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Copies of the arrays of collision."""
    start, count = int(integers[memory.SCENE_INTEGERS]), int(integers[memory.SCENE_INTEGERS_LENGTH])
    first, length = int(integers[memory.SCENE_NUMBERS]), int(integers[memory.SCENE_NUMBERS_LENGTH])
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
