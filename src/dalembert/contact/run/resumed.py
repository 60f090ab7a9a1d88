"""The memory of contact of a run that is kept and goes on in another process.

Only what lasts from step to step is kept (`contact.run.tables`), and how much room there was. Where
everything stands is decided anew by the process that goes on: no start of a section, no table of
the scene, no option comes out of a file, and whatever counts or names a place is looked at before
compiled code sees it.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np

from dalembert.collision import layout as collision
from dalembert.collision.scene import with_pairs
from dalembert.contact.problem.capacity import Capacity
from dalembert.contact.problem.layout import Problem
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.tables import COUNTS, Room, Tables, arrays_of, carry, lasting, room_of
from dalembert.contact.step.smooth import PRESSED

Part = tuple[np.ndarray, np.ndarray]
"""`integers` and `numbers` of contact."""

MOST_ENTRIES = 2**26
"""Most entries of the arrays that a file may ask for."""

MOST_STEPS = 2**53


def pack(part: Part) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Room, integers and numbers that last."""
    integers, numbers = part
    room = room_of(integers)
    pairs = memory.ContactRun(numbers, integers).scene.pair_capacity
    sizes = [getattr(room.problem, field.name) for field in fields(Capacity)]
    sections = lasting(integers)
    whole = [integers[list(COUNTS)], *_cut(integers, integers, sections[0])]
    real = [numbers[: memory.SETTINGS], *_cut(integers, numbers, sections[1])]
    return (
        np.array([room.contacts, pairs, *sizes], dtype=np.int64),
        np.concatenate(whole),
        np.concatenate(real),
    )


def unpack(
    fresh: Part, tables: Tables, room: np.ndarray, whole: np.ndarray, real: np.ndarray
) -> Part:
    """Arrays with that room and memory; `fresh` are those of a run that begins.

    Raises
    ------
    ValueError      no run can have come to this
    """
    made = arrays_of(*_enlarged(fresh, tables, room))
    carry(fresh, made)
    integers, numbers = made
    sections = lasting(integers)
    lengths = [len(COUNTS) + sum(n for _, n in sections[0])]
    lengths.append(memory.SETTINGS + sum(n for _, n in sections[1]))
    for given, length, kind in zip((whole, real), lengths, (np.int64, np.float64), strict=True):
        if given.shape != (length,) or given.dtype != kind:
            raise ValueError(f"the memory of contact has {given.shape} entries, not {length}")
    integers[list(COUNTS)] = whole[: len(COUNTS)]
    numbers[: memory.SETTINGS] = real[: memory.SETTINGS]
    for start, given, target, parts in (
        (len(COUNTS), whole, integers, sections[0]),
        (memory.SETTINGS, real, numbers, sections[1]),
    ):
        place = start
        for slot, length in parts:
            target[integers[slot] : integers[slot] + length] = given[place : place + length]
            place += length
    _check(integers)
    return made


def _cut(integers: np.ndarray, array: np.ndarray, sections: list[tuple[int, int]]) -> list[Any]:
    return [array[integers[slot] : integers[slot] + length] for slot, length in sections]


def _enlarged(fresh: Part, tables: Tables, room: np.ndarray) -> tuple[Tables, Room]:
    """Tables and room as large as they were, if that is possible."""
    begun = room_of(fresh[0])
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


def _check(integers: np.ndarray) -> None:
    """Raise a ValueError for counts and numbers of shapes that cannot be."""
    most, shapes = int(integers[memory.MOST_CONTACTS]), int(integers[memory.SHAPES])
    present = int(integers[memory.CONTACTS]) + int(integers[memory.RESTING])
    counts = integers[list(COUNTS)]
    if np.any(counts < 0) or np.any(counts > MOST_STEPS):
        raise ValueError("a count of contact is none")
    if integers[memory.SMOOTH_NOW] > 1 or integers[memory.NEAR] > PRESSED:
        raise ValueError("a step is neither smooth nor one with impulses")
    if present > most or integers[memory.REMEMBERED] > most:
        raise ValueError(f"there are more contacts than the {most} that fit")
    for slot, record in (
        (memory.KEPT_INTEGERS, memory.KEPT_RECORD),
        (memory.FOUND_INTEGERS_AT, collision.CONTACT_INTEGERS),
    ):
        first = int(integers[slot])
        pairs = integers[first : first + record * most].reshape(most, record)[:, :2]
        if pairs.size and not (pairs.min() >= 0 and pairs.max() < shapes):
            raise ValueError("a contact is of shapes that there are not")
    first = int(integers[memory.SLEEP_TABLE])
    sleep = integers[first : first + memory.SLEEP_RECORD * int(integers[memory.CLIQUES])]
    if sleep.size and not (sleep.min() >= 0 and sleep.max() <= max(2 * most, 8)):
        raise ValueError("a body sleeps as none can")
