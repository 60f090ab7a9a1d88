"""The arrays of a run with contact: made at its start, and anew with more room.

Capacities are fixed; a kernel that finds no room returns NEEDS_ROOM, and whoever runs it makes more
with `with_contacts` and `arrays_of`. `carry` brings everything over that lasts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dalembert.collision.layout import Scene
from dalembert.contact.problem.capacity import Capacity, allocate, capacity_of
from dalembert.contact.problem.layout import Problem
from dalembert.contact.run.record_layout import CLASS_FLOATS, REPORT_FLOATS, Law
from dalembert.contact.run.run_layout import LOG_CONTACTS, LOG_STEPS, ContactRun

Arrays = tuple[np.ndarray, np.ndarray]
"""Integers and numbers of contact."""


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
    controlled: bool = False
    """Whether steps follow a tolerance."""


def _hash_length(contacts: int) -> int:
    """A power of two with room for as many pairs, half empty."""
    return 1 << (2 * max(contacts, 8) - 1).bit_length()


def _log_length(contacts: int) -> int:
    return 1024 + LOG_CONTACTS * contacts


def arrays_of(tables: Tables, room: Room) -> Arrays:
    """The arrays at the start of a run."""
    problem = allocate(room.problem)
    run = ContactRun.allocated(_counts(tables, room))
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
    laws = [Law(run.class_table, CLASS_FLOATS * k) for k in range(len(tables.classes) ** 2)]
    run.is_viscous = int(any(law.viscous > 0.0 for law in laws))
    run.is_static = int(any(0.0 <= law.friction < law.static for law in laws))
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
        "most_logged_steps": LOG_STEPS,
        "step_log_floats": 1 + REPORT_FLOATS + tables.logged,
        "changes": int(tables.cliques.sum()),
        "hash_length": _hash_length(room.contacts),
        "fixed_blocks": tables.fixed_blocks,
        "fixed_rows": tables.fixed_rows,
        "most_rows": room.problem.rows,
        "most_velocities": room.problem.velocities,
        "state_length": tables.state,
        "scene_integers_length": len(tables.scene.sizes),
        "scene_numbers_length": len(tables.scene.work),
        "problem_integers_length": Problem.extent(room.problem.counts())[1],
        "problem_numbers_length": Problem.extent(room.problem.counts())[0],
        "dof_cliques_length": tables.dof_cliques.size,
        "law_table_length": tables.laws.size,
        "controlled": int(tables.controlled),
    }


COUNTS = (
    *("remembered", "stalled_steps", "flagged_steps", "poisson_steps", "worst_step", "steps"),
    *("resting", "contacts", "smooth_now", "smooth_steps", "near", "touched"),
    *("plain", "patience", "plain_steps"),
)
"""Counts that last from step to step."""

CHOICES = (
    *("second_order", "poisson", "strict", "solver", "budget", "profile", "sleeping", "smooth"),
    *("order_by_step", "redundant", "located", "plain_order", "unreported"),
)
"""Options of the method."""

SETTINGS = (
    *("slop", "threshold", "tolerance", "push_speed", "last_step", "contact_work_sum"),
    *(
        "step_tolerance",
        "polished",
        "hit",
        "aimed",
        "kink",
        "kink_rate",
        "doubted",
        "doubted_length",
    ),
    *("doubted_error", "doubted_rate", "steady", "error_before"),
)
"""Numbers that stand alone."""

LISTS = ("kept_integers", "found_integers", "sleep_table")
"""Integers that last from step to step."""

NUMBERS = (
    *("kept_numbers", "found_numbers", "contact_table", "fixed_impulses", "last_change"),
    *("sleep_times", "sleep_pull", "last_twists", "last_push", "report", "worst"),
    "side_stuck",
)
"""Numbers that do."""


def carry(old: Arrays, new: Arrays) -> None:
    """Copy what lasts from step to step into arrays with more room."""
    was, now = (ContactRun(numbers, integers) for integers, numbers in (old, new))
    for name in (*COUNTS, *CHOICES, *SETTINGS, "logged_contacts", "logged_steps"):
        setattr(now, name, getattr(was, name))
    now.problem.options[:] = was.problem.options  # of the solver
    for name in (*LISTS, *NUMBERS, "contact_log", "step_log"):
        given = getattr(was, name)
        getattr(now, name)[: len(given)] = given


def room_of(run: ContactRun) -> Room:
    """The room of arrays that `arrays_of` made."""
    return Room(run.most_contacts, capacity_of(run.problem))


def scene_of(run: ContactRun) -> Scene:
    """A copy of the scene of collision."""
    scene = run.scene
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
