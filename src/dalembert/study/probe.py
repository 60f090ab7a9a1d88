"""A look at a study before it begins: a mistake that every row would make is told at once."""

from __future__ import annotations

from typing import Any

from dalembert.errors import DalembertError, OptionError
from dalembert.study.design import Design
from dalembert.study.run_chunk import read_into
from dalembert.study.task import Task

SHORT = 1e-6
"""Part of a run that is tried where no step is given."""


def probe(task: Task, design: Design, progress: bool | None) -> None:
    """Try the first row for one step, and the last if that is refused.

    Raises
    ------
    OptionError     a signal that is recorded does not exist, or an option is wrong in both rows
    """
    said = _refusal(task, design, 0, progress)
    if said is not None and str(_refusal(task, design, design.count - 1, progress)) == str(said):
        raise said


def _refusal(task: Task, design: Design, row: int, progress: bool | None) -> OptionError | None:
    """The error that a short run of a row is refused with, if it is one of options."""
    values = design.values([row])[0]
    try:
        solution = task.solve(values, **_short(task, values), progress=progress)
    except OptionError as problem:
        return problem
    except Exception:  # of that row alone, perhaps: its row will say so
        return None
    columns: dict[str, Any] = {one.name: [None] for one in task.records}
    try:
        read_into(task, solution, columns, 0)
    except OptionError as problem:
        raise OptionError(f"sweep: record: {problem}") from problem
    except DalembertError as problem:
        raise OptionError(f"sweep: record: {problem}") from problem
    except Exception:  # of a function that wants a longer run
        return None
    return None


def _short(task: Task, values: Any) -> dict[str, Any]:
    """Options for a run of one step."""
    given = dict(task.options)
    for target, value in zip(task.targets, values, strict=True):
        if target.kind == "simulate":
            given[target.name] = float(value)
    try:
        start, until, step = given.get("start", 0.0), given["until"], given.get("step")
        length = until - start
        end = start + (min(step, length) if step else SHORT * length)
        return {"until": end, "times": None, "every": None} if end > start else {}
    except (KeyError, TypeError):
        return {}
