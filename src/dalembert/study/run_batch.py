"""`run_batch`: some rows of a study as worlds of one batch, with fixed steps.

What a batch refuses for one of its worlds is refused for that row alone: the rows are halved until
it stands by itself. A row has the same bits in every batch (`batch.varying`).
"""

from __future__ import annotations

import time as clocks
from typing import Any

import numpy as np

from dalembert.analysis.signal_text import is_plain, parsed
from dalembert.batch.rollout import rollout
from dalembert.errors import DalembertError, OptionError
from dalembert.formulas import Expression
from dalembert.model.basics.by_name import formula_of
from dalembert.model.core.model import Model
from dalembert.simulation.prepare.options import by_name
from dalembert.simulation.run.clock import steps_between
from dalembert.simulation.status import Status
from dalembert.study.record import AT, REACTION, REDUCTIONS, Record, spread
from dalembert.study.rows import REFUSED, Rows
from dalembert.study.task import Task

MOST_NUMBERS = 4_000_000
"""Numbers of a batch that are kept at a time."""

RUN = ("step", "start", "method", "integrator")
ALLOWED = (*RUN, "until", "initial", "parameters")
"""Options of `simulate` that a batch has as well."""


def check_batch(task: Task) -> None:
    """Refuse what a batch does not have, by its name."""
    if task.model is None:
        raise OptionError(
            "sweep: batch=True: the rows have different models. Sweep over parameters and initial"
            " values of one model, or leave `batch` out."
        )
    for name in task.options:
        if name not in ALLOWED:
            raise OptionError(f"sweep: batch=True does not go with {name}=. Leave one of them out.")
    for target in task.targets:
        if target.kind not in ("parameter", "initial"):
            raise OptionError(
                f"sweep: batch=True: the axis {target.name!r} is neither a parameter nor an initial"
                " value. Leave `batch` out."
            )
    if task.options.get("step") is None:
        raise OptionError("sweep: batch=True needs step=..., the same for all rows.")
    steps_of(task)
    for record in task.records:
        _formula(task.model, record)


def steps_of(task: Task) -> int:
    """Steps of every row."""
    start, until = float(task.options.get("start", 0.0)), float(task.options["until"])
    step = float(task.options["step"])
    count = steps_between(start, until, step)
    if not abs(start + count * step - until) <= 1e-9 * max(step, abs(until)):
        raise OptionError(
            f"sweep: batch=True: the end, {until:g} s, is no whole number of steps of {step:g} s."
        )
    return count


def _formula(model: Model, record: Record) -> Expression:
    """The formula of a record; others than of states are refused."""
    signal = record.signal
    if callable(signal) and not isinstance(signal, Expression):
        raise OptionError(
            f"sweep: batch=True: record {record.name!r} is a function of the solution, which a"
            " batch does not have. Give a formula."
        )
    special = isinstance(signal, str) and (signal == "drift" or signal.startswith(REACTION))
    if special or record.reduction.startswith(AT):
        raise OptionError(
            f"sweep: batch=True: record {record.name!r} is none of the state of the model. Leave"
            " `batch` out, or record formulas of coordinates and velocities."
        )
    if isinstance(signal, str):
        found = formula_of(model, signal)
        if found is None and not is_plain(signal):
            found = parsed(signal, model, f"record {record.name!r}")
        signal = found
    if not isinstance(signal, Expression):
        raise OptionError(f"sweep: record {record.name!r}: {record.signal!r} is no signal.")
    return signal


def run_batch(task: Task, ids: Any, values: Any) -> Rows:
    """Rows of these ids; never fails because one of them does."""
    values = np.asarray(values, dtype=float)
    width = max(1, len(task.records)) * (steps_of(task) + 1)
    most = max(1, MOST_NUMBERS // width)
    made = _Made(task, len(ids))
    for first in range(0, len(ids), most):
        made.run(np.arange(first, min(first + most, len(ids))), values)
    return Rows(
        np.asarray(ids, np.int64),
        values,
        made.status,
        np.full(len(ids), -1, np.int64),
        made.seconds,
        tuple(made.errors),
        made.columns,
    )


class _Made:
    """Rows that are being made."""

    def __init__(self, task: Task, count: int) -> None:
        assert task.model is not None
        self.task, self.model = task, task.model
        self.status, self.seconds = np.full(count, REFUSED, np.int64), np.zeros(count)
        self.errors = [""] * count
        self.columns = {
            one.name: np.full((count, task.samples) if one.is_series else count, np.nan)
            for one in task.records
        }
        asked = [_formula(self.model, one) for one in task.records]
        self.formulas = list(dict.fromkeys(asked))
        self.which = [self.formulas.index(one) for one in asked]

    def run(self, rows: Any, values: Any) -> None:
        """Run some rows, together if nothing speaks against one of them."""
        began = clocks.perf_counter()
        try:
            found = self._rolled(values[rows])
        except DalembertError as problem:
            if len(rows) == 1:
                self.errors[int(rows[0])] = f"{type(problem).__name__}: {problem}"
                return
            half = len(rows) // 2
            self.run(rows[:half], values)
            self.run(rows[half:], values)
            return
        self._take(rows, found)
        self.seconds[rows] = (clocks.perf_counter() - began) / len(rows)

    def _rolled(self, values: Any) -> Any:
        options = dict(self.task.options)
        parameters = dict(by_name(options.pop("parameters", None) or {}))
        initial: Any = options.pop("initial", None)
        for target, column in zip(self.task.targets, values.T, strict=True):
            if target.kind == "parameter":
                parameters[target.name] = column.copy()
            else:
                initial = {**(initial or {}), target.name: column.copy()}
        own = {name: options[name] for name in RUN if name in options}
        return rollout(
            self.model,
            initial,
            worlds=len(values),
            steps=steps_of(self.task),
            parameters=parameters,
            record=self.formulas or "states",
            reduce="all" if self.formulas else "final",
            threads=1,
            **own,
        )

    def _take(self, rows: Any, found: Any) -> None:
        """Put what was found into the columns."""
        self.status[rows] = found.status
        for world in found.failed:
            self.errors[int(rows[world])] = Status(int(found.status[world])).meaning
        for one, k in zip(self.task.records, self.which, strict=True):
            column = self.columns[one.name]
            for world, row in enumerate(rows):
                x = found.data[world, :, k]
                x = x[np.isfinite(x)]
                if one.is_series:
                    column[row] = spread(x, self.task.samples)
                elif len(x):
                    column[row] = REDUCTIONS[one.reduction](found.t[: len(x)], x)
