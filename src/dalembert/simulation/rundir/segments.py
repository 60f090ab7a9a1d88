"""Segments: samples and events of a stretch of the run, each a file of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dalembert import _npz
from dalembert._files import opened
from dalembert.errors import RunFileError
from dalembert.simulation.motion.turns import hinges_of
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.results.samples import Samples
from dalembert.simulation.run.contact_log import ContactLog
from dalembert.simulation.run.run import Run
from dalembert.simulation.rundir import archive
from dalembert.simulation.rundir.place import segment

WHAT = "a segment of the run"

LAST = -1
"""Number of steps of a sample that is there only because the run ended with it."""

EVENTS = ("event_t", "event_index", "event_q", "event_v")


class Sizes(NamedTuple):
    """How many there are of what samples and events tell of."""

    coordinates: int
    velocities: int
    rows: int
    events: int
    shapes: int
    sides: int
    hinges: int

    @classmethod
    def of(cls, setup: Setup, events: int) -> Sizes:
        """Sizes of a run."""
        e, touching = setup.system.extents, setup.contacts
        shapes = 0 if touching is None else len(touching.model.contact_shapes)
        sides = 0 if touching is None else touching.sides.count
        return cls(e.nq, e.nv, e.rows, events, shapes, sides, len(hinges_of(setup.model)))


@dataclass
class Events:
    """Events as the loop keeps them."""

    event_t: np.ndarray
    event_index: np.ndarray
    event_q: np.ndarray
    event_v: np.ndarray


def write(
    folder: Path,
    number: int,
    run: Run,
    *,
    samples: int,
    first_event: int,
    own: bool,
    epoch: int,
    last: bool,
) -> str:
    """Write the first `samples` samples in memory and the new events; returns the hash.

    The number of steps at each sample is kept with it: when samples are thinned later on, it
    decides which ones stay.
    """
    steps = np.zeros(samples, dtype=np.int64)
    if not len(run.times):
        steps = (run.flushed + np.arange(samples, dtype=np.int64)) * run.every
        if last and samples and run.clock.done % run.every:
            steps[-1] = LAST
    t, q, v, lam = run.samples(samples)
    arrays: dict[str, Any] = {"step": steps, "t": t, "q": q, "v": v}
    if own:
        arrays["lam"] = lam
    if run.angle_out.shape[1]:
        arrays["angles"] = run.angle_out[:samples]
    if run.contact_log is not None:
        run.take_log()
        log = run.contact_log.between(0, samples)
        arrays |= {"contact_steps": log.steps, "contacts": log.contacts}
    stop = run.clock.event_count
    arrays |= dict(zip(EVENTS, run.located(first_event, stop), strict=True))
    header = {"samples": samples, "events": stop - first_event, "every": run.every, "epoch": epoch}
    return archive.write(segment(folder, number), WHAT, header, arrays)


def head(path: Path, widths: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """The header alone, if the arrays are as long as it says; `widths`: shapes of their rows."""
    try:
        with opened(path) as file:
            found, shapes = _npz.heads(file)
        said = {name: found[name] for name in ("samples", "events", "every", "epoch")}
        if not all(type(x) is int and x >= 0 for x in said.values()) or not said["every"]:
            raise ValueError("its header holds other than counts")
        for name, width in widths.items():
            wanted = (said["events" if name in EVENTS else "samples"], *width)
            if shapes[name] != wanted:
                raise ValueError(f"{name!r} has {shapes[name]} entries, {wanted} expected")
        return said
    except RunFileError:
        raise
    except OSError as problem:
        raise RunFileError(
            f"{path}: {WHAT} cannot be read ({problem.strerror or problem}). Check that the folder"
            " is complete and may be read."
        ) from problem
    except Exception as problem:  # damage breaks anywhere: zip, npy, json
        raise archive.damaged(path, WHAT, str(problem) or type(problem).__name__) from problem


def read(
    folder: Path,
    hashes: Sequence[str | None],
    sizes: Sizes,
    *,
    own: bool,
    every: int,
    pending: Samples | None = None,
) -> tuple[Samples, Events]:
    """Samples and events of the first segments, in order; None stands for an unknown hash.

    Parameters
    ----------
    sizes : what the run has
    every : steps from sample to sample in the end; samples between are left out
    pending : samples that follow

    Raises
    ------
    RunFileError    its ``.solution`` is a pair like that returned, of the segments before
    """
    heads, problem = _heads(folder, len(hashes), widths_of(sizes, own=own))
    if problem is not None:
        pending = None
    after = 0 if pending is None else len(pending.t)
    made = _Gathered(sum(h["samples"] for h in heads) + after, sizes, own)
    for number, (this, known) in enumerate(zip(heads, hashes, strict=False), 1):
        path = segment(folder, number)
        try:
            made.take(archive.read(path, WHAT, known)[1], this["samples"])
        except RunFileError as found:
            problem = found
            break
        except (KeyError, ValueError) as found:
            problem = archive.damaged(path, WHAT, f"unexpected content: {found}")
            break
    if pending is not None and problem is None:
        made.append(pending)
    samples, events = made.samples(every, after), made.events()
    if problem is not None:
        problem.solution = (samples, events)
        raise problem
    return samples, events


def _heads(
    folder: Path, count: int, widths: Mapping[str, tuple[int, ...]]
) -> tuple[list[dict[str, int]], RunFileError | None]:
    """Headers of the first segments, and what is wrong with the one behind the last of them."""
    heads: list[dict[str, int]] = []
    try:
        for number in range(1, count + 1):
            heads.append(head(segment(folder, number), widths))
    except RunFileError as problem:
        return heads, problem
    return heads, None


class _Gathered:
    """Samples and events of segments, one behind the other."""

    def __init__(self, count: int, sizes: Sizes, own: bool) -> None:
        nq, nv, m = sizes[:3]
        self._sizes, self._place = sizes, 0
        self._blocks = {
            "step": np.zeros(count, dtype=np.int64),
            "t": np.zeros(count),
            "q": np.zeros((count, nq)),
            "v": np.zeros((count, nv)),
        } | ({"lam": np.zeros((count, m))} if own else {})
        none = (np.zeros(0), np.zeros(0, dtype=np.int64), np.zeros((0, nq)), np.zeros((0, nv)))
        self._located: list[list[Any]] = [[array] for array in none]
        self._logs: list[ContactLog] = []
        self._angles: list[np.ndarray] = []

    def take(self, arrays: Mapping[str, Any], samples: int) -> None:
        """Add a segment; KeyError or ValueError where it is not of the run."""
        for name, block in self._blocks.items():
            if arrays[name].dtype != block.dtype:
                raise ValueError(f"{name!r} is of {arrays[name].dtype}")
            block[self._place : self._place + samples] = arrays[name]
        if "contacts" in arrays:
            rows = ContactLog(arrays["contact_steps"], arrays["contacts"])
            rows.check(self._sizes.shapes, self._sizes.sides)
            if self._logs and rows.steps.shape[1] != self._logs[0].steps.shape[1]:
                raise ValueError("its contacts are not those of the segments before")
            self._logs.append(rows.shifted(self._place))
        if "angles" in arrays:
            angles = arrays["angles"]
            if angles.shape != (samples, self._sizes.hinges):
                raise ValueError(f"'angles' has {angles.shape} entries")
            self._angles.append(angles.astype(float))
        self._take_events(arrays)
        self._place += samples

    def _take_events(self, arrays: Mapping[str, Any]) -> None:
        for found, name in zip(self._located, EVENTS, strict=True):
            if arrays[name].dtype != (np.int64 if name == "event_index" else np.float64):
                raise ValueError(f"{name!r} is of {arrays[name].dtype}")
            found.append(arrays[name])
        index = arrays["event_index"]
        if not np.all((index >= 0) & (index < self._sizes.events)):
            raise ValueError("an event is none of the run's")

    def append(self, pending: Samples) -> None:
        """Add samples that are in no segment yet."""
        rest = slice(self._place, None)
        self._blocks["step"][rest] = LAST if len(pending.t) else 0
        for name, values in (("t", pending.t), ("q", pending.q), ("v", pending.v)):
            self._blocks[name][rest] = values
        if "lam" in self._blocks and pending.lam is not None:
            self._blocks["lam"][rest] = pending.lam
        if pending.contacts is not None:
            self._logs.append(pending.contacts.shifted(self._place))
        if pending.angles is not None and pending.angles.shape[1]:
            self._angles.append(pending.angles)
        self._place += len(pending.t)

    def samples(self, every: int, after: int) -> Samples:
        """Every so many-th step, and all of the last `after` samples."""
        place, step = self._place, self._blocks["step"]
        kept = (step[:place] != LAST) & (step[:place] % every == 0)
        kept[max(0, place - after) :] = True
        if place:
            kept[place - 1] = True
        chosen: Any = slice(0, place) if kept.all() else kept.nonzero()[0]
        names = [name for name in self._blocks if name != "step"]
        made = Samples(**{name: self._blocks[name][chosen] for name in names})
        if self._logs:
            log = ContactLog.joined(self._logs)
            made = replace(made, contacts=log.choosing(np.arange(place)[chosen]))
        if self._angles and sum(map(len, self._angles)) == place:
            made = replace(made, angles=np.concatenate(self._angles)[chosen])
        return made

    def events(self) -> Events:
        """The events of all segments."""
        return Events(*map(np.concatenate, self._located))


def widths_of(sizes: Sizes, *, own: bool) -> dict[str, tuple[int, ...]]:
    """Shape of a row of every array."""
    q, v, lam = ((n,) for n in sizes[:3])
    known = {"step": (), "t": (), "q": q, "v": v} | ({"lam": lam} if own else {})
    return known | {"event_t": (), "event_index": (), "event_q": q, "event_v": v}


def orphans(
    folder: Path, first: int, epoch: int, widths: Mapping[str, tuple[int, ...]]
) -> list[dict[str, int]]:
    """Headers of segments that were finished after the last checkpoint."""
    found: list[dict[str, int]] = []
    while segment(folder, first + len(found)).is_file():
        this = head(segment(folder, first + len(found)), widths)
        if this["epoch"] != epoch:
            break
        found.append(this)
    return found
