"""`run_chunk`: some rows of a study, one after the other; a row that fails says why.

Here rows become runs; or, in `run_batch`, worlds of one batch.
"""

from __future__ import annotations

import time as clocks
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.errors import DalembertError
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.results.verdict import WORDS
from dalembert.simulation.status import Status
from dalembert.study.rows import REFUSED, Rows
from dalembert.study.run_batch import run_batch
from dalembert.study.task import Task

LONGEST = 2000
"""Characters of the error of a row."""


@dataclass(frozen=True)
class ChunkRunner:
    """Runs chunks of one task; can be sent to another process."""

    task: Task

    def __call__(self, ids: Any, values: Any) -> Rows:
        """Rows of these ids, whose axes have these values."""
        if self.task.batched:
            return run_batch(self.task, ids, values)
        return run_chunk(self.task, ids, values)


def run_chunk(task: Task, ids: Any, values: Any) -> Rows:
    """Rows of these ids; never fails because one of them does.

    Parameters
    ----------
    ids : (n,)
    values : (n, axes)
    """
    n = len(ids)
    status, verdict = np.full(n, REFUSED, np.int64), np.full(n, -1, np.int64)
    seconds, errors = np.zeros(n), []
    columns = {
        one.name: np.full((n, task.samples) if one.is_series else n, np.nan) for one in task.records
    }
    for i, row in enumerate(np.asarray(values, dtype=float)):
        began = clocks.perf_counter()
        error = ""
        try:
            solution = task.solve(row)
            status[i] = int(solution.status)
            if solution.status is Status.INTERRUPTED:
                raise KeyboardInterrupt
            if solution.status.failed:
                error = solution.message
            read_into(task, solution, columns, i)
            if task.judged:
                verdict[i] = WORDS.index(solution.verdict.word)
        except DalembertError as problem:
            error = error or f"{type(problem).__name__}: {problem}"
        except MemoryError:
            raise
        except Exception as problem:  # of a function of the user's, or ours: one row's alone
            error = error or f"{type(problem).__name__}: {problem}"
        seconds[i] = clocks.perf_counter() - began
        errors.append(error[:LONGEST])
    return Rows(
        np.asarray(ids, np.int64),
        np.asarray(values, dtype=float),
        status,
        verdict,
        seconds,
        tuple(errors),
        columns,
    )


def read_into(task: Task, solution: Solution, columns: dict[str, Any], i: int) -> None:
    """Put what is recorded of a run into row i."""
    for one in task.records:
        columns[one.name][i] = one.read(solution, task.samples)
