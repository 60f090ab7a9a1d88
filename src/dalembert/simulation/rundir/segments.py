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
from dalembert.integration import loop
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
        if last and samples and run.count[loop.DONE] % run.every:
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
    stop = int(run.count[loop.EVENT_COUNT])
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
    nq, nv, m = sizes[:3]
    heads: list[dict[str, int]] = []
    problem: RunFileError | None = None
    try:
        for number in range(1, len(hashes) + 1):
            heads.append(head(segment(folder, number), widths_of(sizes, own=own)))
    except RunFileError as found:
        problem, pending = found, None
    after = 0 if pending is None else len(pending.t)
    count = sum(h["samples"] for h in heads) + after
    step = np.zeros(count, dtype=np.int64)
    t, q, v = np.zeros(count), np.zeros((count, nq)), np.zeros((count, nv))
    lam = np.zeros((count, m)) if own else None
    blocks = {"step": step, "t": t, "q": q, "v": v} | ({} if lam is None else {"lam": lam})
    located: list[list[Any]] = [[] for _ in EVENTS]
    logs: list[ContactLog] = []
    angles: list[np.ndarray] = []
    place = 0
    for number, (this, known) in enumerate(zip(heads, hashes, strict=False), 1):
        path = segment(folder, number)
        try:
            _, arrays = archive.read(path, WHAT, known)
            for name, block in blocks.items():
                if arrays[name].dtype != block.dtype:
                    raise ValueError(f"{name!r} is of {arrays[name].dtype}")
                block[place : place + this["samples"]] = arrays[name]
            if "contacts" in arrays:
                rows = ContactLog(arrays["contact_steps"], arrays["contacts"])
                rows.check(sizes.shapes, sizes.sides)
                if logs and rows.steps.shape[1] != logs[0].steps.shape[1]:
                    raise ValueError("its contacts are not those of the segments before")
                logs.append(rows.shifted(place))
            if "angles" in arrays:
                found_angles = arrays["angles"]
                if found_angles.shape != (this["samples"], sizes.hinges):
                    raise ValueError(f"'angles' has {found_angles.shape} entries")
                angles.append(found_angles.astype(float))
            for found_events, name in zip(located, EVENTS, strict=True):
                if arrays[name].dtype != (np.int64 if name == "event_index" else np.float64):
                    raise ValueError(f"{name!r} is of {arrays[name].dtype}")
                found_events.append(arrays[name])
            index = arrays["event_index"]
            if not np.all((index >= 0) & (index < sizes.events)):
                raise ValueError("an event is none of the run's")
        except RunFileError as found:
            problem = found
            break
        except (KeyError, ValueError) as found:
            problem = archive.damaged(path, WHAT, f"unexpected content: {found}")
            break
        place += this["samples"]
    if pending is not None and problem is None:
        step[place:] = LAST if len(pending.t) else 0
        t[place:], q[place:], v[place:] = pending.t, pending.q, pending.v
        if lam is not None and pending.lam is not None:
            lam[place:] = pending.lam
        if pending.contacts is not None:
            logs.append(pending.contacts.shifted(place))
        if pending.angles is not None and pending.angles.shape[1]:
            angles.append(pending.angles)
        place += after
    kept = (step[:place] != LAST) & (step[:place] % every == 0)
    kept[max(0, place - after) :] = True
    if place:
        kept[place - 1] = True
    chosen: Any = slice(0, place) if kept.all() else kept.nonzero()[0]
    samples = Samples(t[chosen], q[chosen], v[chosen], None if lam is None else lam[chosen])
    if logs:
        log = ContactLog.joined(logs)
        samples = replace(samples, contacts=log.choosing(np.arange(place)[chosen]))
    if angles and sum(map(len, angles)) == place:
        samples = replace(samples, angles=np.concatenate(angles)[chosen])
    empty = (np.zeros(0), np.zeros(0, dtype=np.int64), np.zeros((0, nq)), np.zeros((0, nv)))
    events = Events(
        *(np.concatenate([none, *parts]) for none, parts in zip(empty, located, strict=True))
    )
    if problem is not None:
        problem.solution = (samples, events)
        raise problem
    return samples, events


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
