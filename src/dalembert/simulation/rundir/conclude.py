"""A run carried to its end, in a folder or in memory, and its solution."""

from __future__ import annotations

from pathlib import Path

from dalembert.errors import FileError, InterruptedRun, RunFileError
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.results import to_solution
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.run.run import Run
from dalembert.simulation.rundir.recorder import FolderRecorder
from dalembert.simulation.status import Status, error_class


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
