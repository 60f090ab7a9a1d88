"""The recorder: takes samples away from a running run, into segments, and writes checkpoints."""

from __future__ import annotations

import dataclasses
import math
import time as clocks
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.results import to_solution
from dalembert.simulation.results.facts import facts
from dalembert.simulation.results.samples import Samples, keep_last
from dalembert.simulation.results.solution import EventRecord, Solution
from dalembert.simulation.run.run import Run
from dalembert.simulation.rundir import checkpoint, commands, manifest, objects, segments
from dalembert.simulation.rundir.archive import write_bytes
from dalembert.simulation.rundir.checkpoint import Checkpoint
from dalembert.simulation.rundir.place import (
    CHECKPOINT,
    ENDING,
    MODEL,
    Lock,
    Place,
    appearing,
    swap,
)
from dalembert.simulation.status import Status

SECONDS = 2.0
"""From one checkpoint to the next."""

MOST_BYTES = 16_000_000
"""Samples in memory beyond which a segment is written before that."""

SHARE = 20
"""The time between checkpoints is at least so many times that of writing one."""


class FolderRecorder:
    """Writes one run."""

    def __init__(self, setup: Setup, events: int) -> None:
        e = setup.system.extents
        self._setup = setup
        self._own = bool(setup.method.own_multipliers)
        self._sizes = segments.Sizes.of(setup, events)
        self.most_samples = max(256, MOST_BYTES // (8 * (1 + e.nq + e.nv + e.rows)))
        self._prepared = 0.0
        self._lock: Lock | None = None
        self._hashes: list[str] = []
        self._events = 0
        self._epoch = 0
        self._due = 0.0
        self._ending_kept = False
        self._last_t = math.nan
        self._complete: Solution | None = None
        self.holds = False  # samples stay in memory, and are written with checkpoints alone

    # -- beginning ----------------------------------------------------------------------------

    def begin(
        self,
        place: Place,
        run: Run,
        options: dict[str, Any],
        events: Sequence[Event],
        prepared: float,
    ) -> None:
        """Make the folder of a new run, with a checkpoint of its start."""
        self._place, self._prepared = place, prepared
        replaced = {"replaces": place.target.name} if place.replaces else {}
        with appearing(place) as folder:
            self.fill(folder, run, options, events, replaced)
        self.folder = place.folder
        self._lock = Lock(self.folder)

    def fill(
        self,
        folder: Path,
        run: Run,
        options: dict[str, Any],
        events: Sequence[Event],
        told: dict[str, Any],
    ) -> None:
        """Write the files of a new run into an empty folder; `told` besides in run.json."""
        self.folder = folder
        data = objects.pack(self._setup, events)
        hashed = write_bytes(folder / MODEL, data, "the model of the run")
        objects.write_start(folder, self._setup, run.times)
        commands.write(folder, run)
        self.manifest = manifest.new(self._setup.model, options, hashed) | told
        self._checkpoint(run, CHECKPOINT)
        manifest.write(folder, self.manifest)
        self._due = clocks.perf_counter() + SECONDS

    def rejoin(
        self,
        place: Place,
        lock: Lock | None,
        found: dict[str, Any],
        at: Checkpoint,
        prepared: float,
    ) -> None:
        """Go on writing a run that is resumed from a checkpoint."""
        self._place, self.folder, self._lock, self.manifest = place, place.folder, lock, found
        self._hashes, self._events = at.hashes, int(at.header["events"])
        self._prepared = prepared + float(at.facts["statistics"]["compile_time"])
        self._ending_kept = at.feels_the_end
        self._epoch = int(found["epoch"])
        self._due = clocks.perf_counter() + SECONDS

    def extend(self, run: Run, until: float) -> None:
        """The run goes on to another end: what was written beyond this state does not count."""
        self._epoch += 1
        self._ending_kept = False
        self._checkpoint(run, CHECKPOINT)
        self.manifest["options"]["until"] = until
        self.manifest |= {"epoch": self._epoch, "result": None}
        manifest.write(self.folder, self.manifest)

    # -- while it runs ------------------------------------------------------------------------

    def between(self, run: Run) -> None:
        """Write what is due."""
        ending = bool(run.clock.ending) and not self._ending_kept
        full = run.clock.samples >= self.most_samples and not self.holds
        began = clocks.perf_counter()
        if not (ending or full or began >= self._due):
            return
        self._flush(run, run.clock.samples - 1)
        if ending:
            self._checkpoint(run, ENDING)
            self._ending_kept = True
        self._checkpoint(run, CHECKPOINT)
        now = clocks.perf_counter()
        self._due = now + max(SECONDS, SHARE * (now - began))

    def _flush(self, run: Run, samples: int, *, last: bool = False) -> None:
        """Write samples and new events as a segment.

        While it runs the last sample stays: a terminal event at the start of the next step takes
        its place.
        """
        commands.write(self.folder, run)
        if self.holds:
            samples = 0
        events = run.clock.event_count
        if samples <= 0 and events == self._events:
            return
        hashed = segments.write(
            self.folder,
            len(self._hashes) + 1,
            run,
            samples=max(samples, 0),
            first_event=self._events,
            own=self._own,
            epoch=self._epoch,
            last=last,
        )
        self._hashes.append(hashed)
        if samples > 0:
            self._last_t = float(run.t_out[samples - 1])
        self._events = events
        run.forget(max(samples, 0))

    def _checkpoint(self, run: Run, name: str) -> None:
        checkpoint.write(
            self.folder / name,
            run,
            run.fresh,
            hashes=self._hashes,
            events=self._events,
            epoch=self._epoch,
            facts=facts(self._setup, run, Status.INTERRUPTED, self._prepared),
        )

    # -- the end ------------------------------------------------------------------------------

    def end(self, run: Run, status: Status) -> Solution:
        """Write what is left, and how it went; the solution is that of the whole run."""
        known = to_solution.ended(self._setup, run, status, self._prepared)
        if status is Status.INTERRUPTED:
            known["message"] += advice(self._place.folder)
            self.pause(run)
            return self._solution(run, known)
        keep_last(run)
        self._flush(run, run.clock.samples, last=True)
        self.manifest["result"] = {**known, "segments": self._hashes}
        manifest.write(self.folder, self.manifest)
        self._complete = self._solution(run, known, complete=True)
        if not status.failed:
            swap(self._place)
        return self._complete

    def pause(self, run: Run) -> None:
        """Write where a run stands that was interrupted, unless it is in the midst of a step."""
        if run.settled:
            self._flush(run, run.clock.samples - 1)
            self._checkpoint(run, CHECKPOINT)

    def given_up(self, run: Run) -> Solution:
        """The solution computed until the disk refused."""
        if self._complete is not None:
            return self._complete
        return self.so_far(run, Status.NOT_WRITTEN)

    def so_far(self, run: Run, status: Status) -> Solution:
        """The solution up to where a run stands; nothing is written."""
        known = facts(self._setup, run, status, self._prepared)
        flushed = run.clock.samples == 0 and self._last_t == run.clock.t
        return self._solution(run, known, complete=bool(flushed))

    def _solution(self, run: Run, known: dict[str, Any], *, complete: bool = False) -> Solution:
        """Everything computed: what is on disk, and what is still in memory."""
        if not complete:
            keep_last(run)
        k = run.clock.samples
        rest = run.samples(k)
        run.take_log()
        samples, _ = segments.read(
            self.folder,
            self._hashes,
            self._sizes,
            own=self._own,
            every=run.every,
            pending=Samples(*rest, contacts=run.contact_log, angles=run.angle_out[:k]),
        )
        called = run.calling.commands(run.clock.logged)
        samples = dataclasses.replace(samples, commands=called)
        return to_solution.compose(self._setup, samples, to_solution.events(run), known)

    def release(self) -> None:
        """Let others write."""
        if self._lock is not None:
            self._lock.release()


def advice(folder: Path) -> str:
    """Advice on an unfinished run."""
    return f" What was computed is kept; go on with: dalembert resume {folder}"


def located(events: segments.Events, names: Sequence[str]) -> tuple[EventRecord, ...]:
    """Events read from segments."""
    return tuple(
        EventRecord(names[int(index)], float(t), np.array(q), np.array(v))
        for t, index, q, v in zip(
            events.event_t, events.event_index, events.event_q, events.event_v, strict=True
        )
    )
