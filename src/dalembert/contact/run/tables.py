"""The arrays of a run with contact: made at its start, and anew with more room.

Capacities are fixed; a kernel that finds no room returns NEEDS_ROOM, and whoever runs it makes more
with `with_contacts` and `arrays_of`. `carry` brings everything over that lasts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dalembert.collision.layout import CONTACT_INTEGERS as FOUND_INTEGERS
from dalembert.collision.layout import CONTACT_NUMBERS as FOUND_NUMBERS
from dalembert.collision.layout import Scene
from dalembert.contact.problem import layout
from dalembert.contact.problem.capacity import Capacity, allocate, capacity_of
from dalembert.contact.run import run_layout as memory


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
    laws : of one-sided rows (`contact.rows.one_sided_rows`)
    classes : (c, c, CLASS_FLOATS)
    surfaces : (shapes, 3)      velocity of the surface against its body, body axes
    scene : of collision
    """

    body_table: np.ndarray
    cliques: np.ndarray
    dof_cliques: np.ndarray
    laws: np.ndarray
    classes: np.ndarray
    surfaces: np.ndarray
    scene: Scene
    fixed_blocks: int
    fixed_rows: int
    surface_size: float
    """Smallest bounding radius of a shape  [m]."""
    state: int
    """Coordinates and velocities."""
    logged: int
    """Floats of a step besides its report: forces of one-sided rows, accelerations."""


def _hash_length(contacts: int) -> int:
    """A power of two with room for as many pairs, half empty."""
    return 1 << (2 * max(contacts, 8) - 1).bit_length()


def _log_length(contacts: int) -> int:
    return 1024 + memory.LOG_CONTACTS * contacts


def arrays_of(tables: Tables, room: Room) -> tuple[np.ndarray, np.ndarray]:
    """The arrays at the start of a run."""
    problem = allocate(room.problem)
    run = memory.ContactRun.allocated(_counts(tables, room))
    for name, given in (
        ("scene_integers", tables.scene.sizes),
        ("scene_numbers", tables.scene.work),
        ("problem_integers", problem[0]),
        ("problem_numbers", problem[1]),
        ("body_table", tables.body_table),
        ("clique_table", tables.cliques),
        ("dof_cliques", tables.dof_cliques),
        ("law_table", tables.laws),
        ("class_table", tables.classes),
        ("surface_table", tables.surfaces),
    ):
        flat = np.ravel(given)
        getattr(run, name)[: len(flat)] = flat
    return run.sizes, run.work


def _counts(tables: Tables, room: Room) -> dict[str, int]:
    """Names that the extents of `ContactRun` are said in."""
    return {
        "bodies": len(tables.body_table),
        "cliques": len(tables.cliques),
        "classes": len(tables.classes),
        "shapes": len(tables.surfaces),
        "most_contacts": room.contacts,
        "most_logged_contacts": _log_length(room.contacts),
        "most_logged_steps": memory.LOG_STEPS,
        "step_log_floats": 1 + memory.REPORT_FLOATS + tables.logged,
        "changes": int(tables.cliques.sum()),
        "hash_length": _hash_length(room.contacts),
        "fixed_blocks": tables.fixed_blocks,
        "fixed_rows": tables.fixed_rows,
        "most_rows": room.problem.rows,
        "most_velocities": room.problem.velocities,
        "state_length": tables.state,
        "scene_integers_length": len(tables.scene.sizes),
        "scene_numbers_length": len(tables.scene.work),
        "problem_integers_length": layout.Problem.extent(room.problem.counts())[1],
        "problem_numbers_length": layout.Problem.extent(room.problem.counts())[0],
        "dof_cliques_length": tables.dof_cliques.size,
        "law_table_length": tables.laws.size,
    }


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


def scene_of(integers: np.ndarray, numbers: np.ndarray) -> Scene:
    """A copy of the scene of collision."""
    scene = memory.ContactRun(numbers, integers).scene
    return Scene(scene.work.copy(), scene.sizes.copy())


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
