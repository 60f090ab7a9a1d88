"""The memory of contact of a run that is kept and goes on in another process.

Only what lasts from step to step is kept (`contact.run.tables`), and how much room there was. Where
everything stands is decided anew by the process that goes on: no start of a section, no table of
the scene, no option comes out of a file, and whatever counts or names a place is looked at before
compiled code sees it.
"""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np

from dalembert.collision.layout import Found
from dalembert.collision.scene import with_pairs
from dalembert.contact.problem.capacity import Capacity
from dalembert.contact.problem.layout import Problem
from dalembert.contact.run.record_layout import PRESSED, Kept
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.run.tables import (
    COUNTS,
    LISTS,
    NUMBERS,
    SETTINGS,
    Arrays,
    Room,
    Tables,
    arrays_of,
    carry,
    room_of,
)

MOST_ENTRIES = 2**26
"""Most entries of the arrays that a file may ask for."""

MOST_STEPS = 2**53


def pack(part: Arrays) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Room, integers and numbers that last."""
    run = _opened(part)
    room = room_of(run)
    sizes = [getattr(room.problem, field.name) for field in fields(Capacity)]
    return (
        np.array([room.contacts, run.scene.pair_capacity, *sizes], dtype=np.int64),
        np.concatenate([_alone(run, COUNTS, np.int64), *_lasting(run, LISTS)]),
        np.concatenate([_alone(run, SETTINGS, np.float64), *_lasting(run, NUMBERS)]),
    )


def unpack(
    fresh: Arrays, tables: Tables, room: np.ndarray, whole: np.ndarray, real: np.ndarray
) -> Arrays:
    """Arrays with that room and memory; `fresh` are those of a run that begins.

    Raises
    ------
    ValueError      no run can have come to this
    """
    made = arrays_of(*_enlarged(fresh, tables, room))
    carry(fresh, made)
    run = _opened(made)
    for given, alone, names, kind in (
        (whole, COUNTS, LISTS, np.int64),
        (real, SETTINGS, NUMBERS, np.float64),
    ):
        targets = _lasting(run, names)
        length = len(alone) + sum(map(len, targets))
        if given.shape != (length,) or given.dtype != kind:
            raise ValueError(f"the memory of contact has {given.shape} entries, not {length}")
        for name, entry in zip(alone, given.tolist(), strict=False):
            setattr(run, name, entry)
        place = len(alone)
        for target in targets:
            target[:] = given[place : place + len(target)]
            place += len(target)
    _check(run)
    return made


def _opened(part: Arrays) -> ContactRun:
    integers, numbers = part
    return ContactRun(numbers, integers)


def _alone(run: ContactRun, names: tuple[str, ...], kind: type) -> np.ndarray:
    """Fields that are one number each."""
    return np.array([getattr(run, name) for name in names], dtype=kind)


def _lasting(run: ContactRun, names: tuple[str, ...]) -> list[np.ndarray]:
    """Views of fields that are many."""
    return [getattr(run, name) for name in names]


def _enlarged(fresh: Arrays, tables: Tables, room: np.ndarray) -> tuple[Tables, Room]:
    """Tables and room as large as they were, if that is possible."""
    begun = room_of(_opened(fresh))
    scene = tables.scene
    pairs = scene.pair_capacity
    names = [field.name for field in fields(Capacity)]
    least = [begun.contacts, pairs, *(getattr(begun.problem, name) for name in names)]
    if room.shape != (len(least),) or room.dtype != np.int64:
        raise ValueError(f"the room of contact has {room.shape} entries, not {len(least)}")
    if np.any(room < least) or np.any(room > MOST_ENTRIES):
        raise ValueError("the room of contact is none that a run can have")
    capacity = Capacity(*(int(x) for x in room[2:]))
    if (
        sum(Problem.extent(capacity.counts())) + 200 * int(room[0]) + 2 * int(room[1])
        > MOST_ENTRIES
    ):
        raise ValueError("the room of contact is too large")
    return replace(tables, scene=with_pairs(scene, int(room[1]))), Room(int(room[0]), capacity)


def _check(run: ContactRun) -> None:
    """Raise a ValueError for counts and numbers of shapes that cannot be."""
    most, counts = run.most_contacts, _alone(run, COUNTS, np.int64)
    if np.any(counts < 0) or np.any(counts > MOST_STEPS):
        raise ValueError("a count of contact is none")
    if run.smooth_now > 1 or run.near > PRESSED:
        raise ValueError("a step is neither smooth nor one with impulses")
    if run.contacts + run.resting > most or run.remembered > most:
        raise ValueError(f"there are more contacts than the {most} that fit")
    for record, table in ((Kept, run.kept_integers), (Found, run.found_integers)):
        for name in ("shape_a", "shape_b"):
            shapes = record.column(table, name, most)
            if shapes.size and not (shapes.min() >= 0 and shapes.max() < run.shapes):
                raise ValueError("a contact is of shapes that there are not")
    sleep = run.sleep_table
    if sleep.size and not (sleep.min() >= 0 and sleep.max() <= max(2 * most, 8)):
        raise ValueError("a body sleeps as none can")
