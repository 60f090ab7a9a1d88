"""A run that is kept in a folder, open again where it stood."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.errors import OptionError, RunFileError
from dalembert.simulation.hybrid.make_run import make_run
from dalembert.simulation.prepare import announce
from dalembert.simulation.prepare.asked_speeds import Taken
from dalembert.simulation.prepare.controllers import Controller
from dalembert.simulation.prepare.prepare import Wanted, resumed
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.run.run import Run
from dalembert.simulation.rundir import (
    archive,
    checkpoint,
    commands,
    located,
    objects,
    reading,
    segments,
)
from dalembert.simulation.rundir.checkpoint import Checkpoint
from dalembert.simulation.rundir.place import CHECKPOINT, ENDING
from dalembert.simulation.rundir.recorder import FolderRecorder


def reopened(
    folder: Path,
    found: dict[str, Any],
    kept: objects.Objects,
    standing: tuple[Checkpoint, str],
    setup: Setup,
    recorder: FolderRecorder,
    until: float,
    moments: np.ndarray,
    progress: bool | None,
) -> tuple[Run, tuple[int, int]]:
    """The run where its checkpoint left it; of one that begins, its steps and steps to a sample."""
    at, name = standing
    options = found["options"]
    if until <= at.t and until != float(options["until"]):
        raise OptionError(
            f"resume: the run has reached {at.t:g} s already, until is {until:g} s. Give a later"
            " end."
        )
    with announce.compiling(setup.method, silent=progress is False):
        announce.begin(setup.method, setup.integrator, setup.contacts)
        run = make_run(
            setup,
            start=float(options["start"]),
            until=until,
            every=options["every"],
            times=list(moments) if len(moments) else None,
            events=kept.events,
            recorder=recorder,
        )
        fresh = run.clock.total, run.every
        run.compile(general=bool(at.header.get("general")))
        checkpoint.restore(at, run, folder / name)
        commands.take_back(folder, run)
    events = _events(folder, kept, at, own=reading.has_own(found))
    count = len(events.event_t)
    if not count == run.clock.event_count == at.header["events"]:
        raise archive.damaged(folder / name, checkpoint.WHAT, f"{count} events are in segments")
    run.take_back_events(events.event_t, events.event_index, events.event_q, events.event_v)
    return run, fresh


def extended(
    run: Run, recorder: FolderRecorder, end: float, fresh: tuple[int, int], *, free: bool
) -> None:
    """Give a run that was opened again another end; `free`: nobody said what is recorded."""
    _move_end(run, end, *fresh, free=free)
    recorder.extend(run, end)


def setup_of(
    folder: Path,
    kept: objects.Objects,
    at: Checkpoint,
    formulation: str,
    controllers: Sequence[Controller],
) -> Setup:
    """The setup of the run with its controllers, in the coordinates that it began in."""
    before = kept.setup
    model, bound = commands.with_controllers(folder, before.model, controllers)
    wanted = Wanted(
        before.method,
        before.integrator,
        before.step,
        formulation,
        watched=before.watched,
        controllers=bound,
        consistent=before.consistent,
    )
    speeds, places = _told(at, "changed_speeds"), _told(at, "changed_places")
    start = replace(before.start, changed=speeds, moved=places)
    return resumed(model, wanted, start, kept.turns)


def _told(at: Checkpoint, key: str) -> tuple[Taken, ...]:
    """Speeds or places asked for at the start of the run and not taken, as far as they are told."""
    told = at.facts.get("statistics", {}).get(key, [])
    if not isinstance(told, list):
        return ()
    return tuple(
        Taken(one[0], float(one[1]), float(one[2]))
        for one in told
        if isinstance(one, list) and [type(part) for part in one] == [str, float, float]
    )


def _events(folder: Path, kept: objects.Objects, at: Checkpoint, *, own: bool) -> segments.Events:
    """Events located before; every segment is looked at, so that damage is told now."""
    try:
        _, events = segments.read(folder, at.hashes, reading.sizes_of(kept), own=own, every=1)
    except RunFileError as problem:
        raise RunFileError(str(problem)) from problem  # what precedes the damage is for `load`
    return events


def standing_at(folder: Path, end: float | None) -> tuple[Checkpoint, str]:
    """The state to go on from; with another end one that has not felt the old one."""
    at = checkpoint.read(folder / CHECKPOINT)
    if end is None or not at.feels_the_end:
        return at, CHECKPOINT
    return checkpoint.read(folder / ENDING), ENDING


def _move_end(run: Run, end: float, total: int, every: int, *, free: bool) -> None:
    """Another end for a run whose state was restored; `total`, `every`: of one that begins."""
    run.clock.until = end
    run.clock.total = located.steps_to(run, end, total)
    run.clock.times_count = len(run.times)
    run.clock.ending = 0
    # By default a fixed-step run records at most so many samples, whatever its length.
    if free and not run.adaptive and not len(run.times) and every > run.every:
        run.record_less(math.ceil(every / run.every))
