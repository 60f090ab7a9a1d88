"""A run with actions in a folder: pieces that are over, and the part that goes on.

    run.json, model.npz   of the whole run, as of every run; options and events as they were given
    parts.npz             where the run stands: its part, what acts, what was done
    piece-000001.npz      a part that is over, as a solution
    part-000002/          the part that goes on: a run folder of its own

A new part appears whole before `parts.npz` tells of it, and what precedes it is removed only then:
a process that is killed leaves the old part or the new one.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dalembert.errors import FileError, RunFileError
from dalembert.model.core.model import Model
from dalembert.simulation.actions.chain import Chain
from dalembert.simulation.actions.joined import Piece
from dalembert.simulation.actions.part import Part, stopping
from dalembert.simulation.actions.perform import Situation
from dalembert.simulation.actions.plan import Plan
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.run.run import Run
from dalembert.simulation.rundir import actions_state, manifest, pieces
from dalembert.simulation.rundir.actions_state import Standing
from dalembert.simulation.rundir.archive import write_bytes
from dalembert.simulation.rundir.place import MODEL, Lock, Place, appearing, part_folder, swap
from dalembert.simulation.rundir.recorder import FolderRecorder, advice
from dalembert.simulation.status import Status


class PartRecorder(FolderRecorder):
    """Writes one part; where forces are looked at its samples stay in memory."""

    def __init__(self, setup: Setup, events: int, watch: Any) -> None:
        super().__init__(setup, events)
        self._watch, self.holds = watch, watch is not None

    def between(self, run: Run) -> None:
        """Look at forces, then write what is due."""
        if self._watch is not None:
            self._watch.between(run)
        super().between(run)

    def options(self, plan: Plan, run: Run, events: Sequence[Event]) -> dict[str, Any]:
        """Options of the part, as they are written beside it."""
        setup = self._setup
        return {
            "until": plan.until,
            "start": setup.start.t,
            "step": setup.step,
            "every": 1 if self.holds else plan.every,
            "times": len(run.times) or None,
            "method": setup.method,
            "integrator": setup.integrator,
            "events": [event.label for event in events],
            "formulation": "maximal" if setup.on_tree is None else "generalized",
            "consistent": setup.consistent,
            "own_multipliers": setup.method.own_multipliers,
        }


class ActionsKeeper:
    """Writes a whole run."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._lock: Lock | None = None
        self._hashes: list[str] = []
        self._number = 0
        self.manifest: dict[str, Any] = {}
        self.part: Part | None = None
        self._recorder: PartRecorder

    def rejoin(self, lock: Lock, found: dict[str, Any], standing: Standing, part: Part) -> None:
        """Go on writing a run that is resumed."""
        self._lock, self.manifest, self.part = lock, found, part
        self._hashes, self._number = list(standing.hashes), standing.part

    def release(self) -> None:
        """Let others write."""
        if self._lock is not None:
            self._lock.release()

    # -- parts ---------------------------------------------------------------------------------

    def recorder(self, setup: Setup, events: int, watch: Any) -> PartRecorder:
        """Whoever writes a part that is about to be opened."""
        self._recorder = PartRecorder(setup, events, watch)
        return self._recorder

    def begun(self, chain: Chain, part: Part, now: Situation, fired: Sequence[Event]) -> None:
        """Write pieces that are over and the part that has been opened, then tell of them."""
        if not self._number:
            with appearing(self._place) as folder:
                self._begin(folder, chain)
                (inside := part_folder(folder, 1)).mkdir()
                self._fill(inside, chain.asked, part)
                self._stand(folder, 1, chain, now, fired)
            self._lock = Lock(self._place.folder)
        else:
            folder, number = self._place.folder, self._number + 1
            self._write(folder, chain.pieces)
            inside = part_folder(folder, number)
            shutil.rmtree(inside, ignore_errors=True)  # of a process that was killed just then
            with appearing(Place(inside, inside)) as made:
                self._fill(made, chain.asked, part)
            self._stand(folder, number, chain, now, fired)
            shutil.rmtree(part_folder(folder, number - 1), ignore_errors=True)
        self._number += 1
        self._recorder.folder = part_folder(self._place.folder, self._number)
        self.part = part

    def _begin(self, folder: Path, chain: Chain) -> None:
        """Write what the run is."""
        plan = chain.asked
        hashed = write_bytes(
            folder / MODEL, actions_state.pack(chain.model, plan), actions_state.WHAT
        )
        said = {name: getattr(plan, name) for name in (*actions_state.KINDS, "until")}
        said |= {
            "released": sorted(plan.released),
            "times": None if plan.times is None else len(plan.times),
            "events": [event.label for event in plan.events],
            "controllers": [[c.name, c.rate] for c in plan.controllers],
        }
        self.manifest = manifest.new(chain.model, said, hashed) | {"parts": True}
        if self._place.replaces:
            self.manifest["replaces"] = self._place.target.name
        manifest.write(folder, self.manifest)

    def _fill(self, folder: Path, plan: Plan, part: Part) -> None:
        events = stopping(part.events)
        said = self._recorder.options(plan, part.run, events)
        self._recorder.fill(folder, part.run, said, events, {})

    def _stand(
        self, folder: Path, number: int, chain: Chain, now: Situation, fired: Sequence[Event]
    ) -> None:
        Standing.of(chain, number, self._hashes, now, fired).write(folder)

    def _write(self, folder: Path, found: Sequence[Piece]) -> None:
        """Write pieces that are new."""
        for number in range(len(self._hashes), len(found)):
            self._hashes.append(pieces.write(folder, number + 1, found[number]))

    # -- the end -------------------------------------------------------------------------------

    def extend(self, until: float) -> None:
        """The run goes on to another end."""
        self.manifest["options"]["until"] = until
        self.manifest["result"] = None
        manifest.write(self._place.folder, self.manifest)

    def end(self, solution: Solution, found: Sequence[Piece]) -> Solution:
        """Write what is left, and how it went."""
        folder = self._place.folder
        if solution.status is Status.INTERRUPTED:
            return replace(solution, message=solution.message + advice(folder))
        self._write(folder, found)
        self.manifest["result"] = {
            "status": int(solution.status),
            "message": solution.message,
            "statistics": dict(solution.statistics),
            "worst": dict(solution.worst),
            "segments": self._hashes,
        }
        manifest.write(folder, self.manifest)
        if not solution.status.failed:
            swap(self._place)
        return solution


def run_with_actions(model: Model, plan: Plan, place: Place) -> Solution:
    """A run with actions from its start to its end, in a folder."""
    keeper = ActionsKeeper(place)
    chain = Chain(model, plan, keeper)
    return carried(chain, keeper, chain.run)


def carried(chain: Chain, keeper: ActionsKeeper, go: Any) -> Solution:
    """Return what `go` does; a disk that refuses is told with everything computed so far."""
    try:
        return go()  # type: ignore[no-any-return]
    except FileError as problem:
        if keeper.part is None or getattr(problem, "solution", None) is not None:
            raise
        solution = chain.so_far(keeper.part, Status.NOT_WRITTEN, str(problem))
        raise RunFileError(str(problem), solution) from problem
    finally:
        keeper.release()
