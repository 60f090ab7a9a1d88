"""A run of a setup: made, carried to its end, and wrapped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dalembert.errors import FileError, InterruptedRun, RunFileError
from dalembert.simulation.prepare.arrays import open_setup
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.results import to_solution
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.run.controller_calls import Calling
from dalembert.simulation.run.run import Recorder, Run
from dalembert.simulation.rundir.recorder import FolderRecorder
from dalembert.simulation.status import Status, error_class


def make_run(
    setup: Setup,
    *,
    start: float,
    until: float,
    every: int | None,
    times: Sequence[float] | None,
    events: Sequence[Event],
    recorder: Recorder | None = None,
    angles: Any = None,
) -> Run:
    """A run at its start, not yet compiled; `angles` of hinges where another one ended."""
    state, bound = setup.beginning, setup.controllers
    opened = open_setup(setup, angles)
    q, v = state.q.copy(), state.v.copy()
    adaptive = bool(setup.integrator.adaptive and setup.method.advance is None)
    calling = Calling(bound, opened, setup.model, (q, v), setup.step, adaptive)
    return Run(
        opened=opened,
        integrator=setup.integrator,
        method=setup.method,
        q=q,
        v=v,
        start=start,
        until=until,
        step=setup.step,
        every=every,
        times=times,
        events=events,
        recorder=recorder,
        calling=calling,
        on_tree=setup.on_tree,
    )


def conclude(
    setup: Setup,
    run: Run,
    recorder: FolderRecorder | None,
    prepared: float,
    progress: bool | None,
    on_failure: str,
    file: Path | None = None,
) -> Solution:
    """Run to the end, keep what is to be kept, and say how it went."""
    if recorder is None:
        status = run.go(progress)
        solution = to_solution.solution(setup, run, status, prepared)
        if file is not None:
            _save(solution, file)
    else:
        try:
            status = run.go(progress)
            solution = recorder.end(run, status)
        except FileError as problem:
            raise RunFileError(str(problem), recorder.given_up(run)) from problem
        finally:
            recorder.release()
    if Status(status) is Status.INTERRUPTED and on_failure == "raise":
        raise InterruptedRun(solution.message, solution) from run.calling.cause
    if Status(status).failed and on_failure == "raise":
        raise error_class(status)(solution.message, solution) from run.calling.cause
    return solution


def _save(solution: Solution, file: Path) -> None:
    try:
        solution.save(file)
    except FileError as problem:
        raise RunFileError(str(problem), solution) from problem
