"""Cost against accuracy: each method at several step sizes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dalembert.analysis import reference as references
from dalembert.analysis.convergence import observed_order
from dalembert.analysis.runs import check_steps, check_times, merged_times, named_methods, run_one
from dalembert.analysis.table import below, number, text_table
from dalembert.errors import DalembertError, OptionError
from dalembert.model import Model
from dalembert.simulation.results.solution import Solution

SAMPLES = 200
"""Samples at which the error of each run is measured."""


@dataclass(frozen=True)
class WorkPoint:
    """One run: what it cost and how exact it was; None where it failed."""

    method: str
    step: float
    error: float | None
    cpu_time: float | None
    phi: float | None
    status: str


@dataclass(frozen=True)
class WorkPrecision:
    """Runs of several methods at several step sizes, with the reference they are measured by."""

    title: str
    reference: str
    points: tuple[WorkPoint, ...]
    uncertainty: float | None = None

    def curve(self, method: str) -> list[WorkPoint]:
        """The points of one method, coarse to fine."""
        return sorted((p for p in self.points if p.method == method), key=lambda p: -p.step)

    @property
    def methods(self) -> list[str]:
        """Method names in the order given."""
        return list(dict.fromkeys(point.method for point in self.points))

    def order(self, method: str) -> float | None:
        """Observed order of one method, None when too few points lie outside the plateau."""
        curve = self.curve(method)
        least = self.uncertainty or 0.0  # an error not above it is the reference's, not the run's
        errors = [math.nan if p.error is None or p.error <= least else p.error for p in curve]
        try:
            return observed_order([p.step for p in curve], errors)
        except OptionError:
            return None

    head: ClassVar[tuple[str, ...]] = ("method", "step", "error", "|phi|", "CPU s", "order")

    def cells(self) -> list[tuple[str, ...]]:
        """One row a run as text, in the columns of `head`."""
        body: list[tuple[str, ...]] = []
        for method in self.methods:
            order = self.order(method)
            for i, point in enumerate(self.curve(method)):
                body.append(
                    (
                        method if i == 0 else "",
                        f"{point.step:g}",
                        below(point.error, self.uncertainty),
                        number(point.phi),
                        number(point.cpu_time),
                        f"{order:.2f}" if order is not None and i == 0 else "",
                    )
                )
        return body

    def table(self) -> str:
        """One line a run, the observed order with the first one of each method."""
        body = text_table(self.head, self.cells())
        return "\n".join([self.title, f"error: {self.reference}", "", body])

    def _repr_html_(self) -> str:
        """The table, for notebooks."""
        from dalembert.model.text.html import titled_table

        return titled_table(self.title, f"error: {self.reference}", self.head, self.cells())

    def __str__(self) -> str:
        return self.table()


def work_precision(
    model: Model,
    methods: str | Iterable[Any] | None = "all",
    *,
    steps: Sequence[float],
    until: float,
    integrator: Any = None,
    reference: references.Reference | None = None,
    signal: Any = None,
    initial: Any = None,
    parameters: Mapping[str, float] | None = None,
) -> WorkPrecision:
    """Run every method at every step size; see `compare` for the arguments.

    ``steps`` are the step sizes [s]; the result goes to ``plot(result, "work-precision")``.
    """
    steps = check_steps("work_precision", steps)
    check_times("work_precision", until, steps, "steps[{}]")
    outcomes: list[tuple[str, float, Solution | str]] = []
    for name, method in named_methods(methods):
        for step in steps:
            outcome = run_one(
                model=model,
                method=method,
                until=until,
                step=step,
                integrator=integrator,
                initial=initial,
                parameters=parameters,
                every=max(1, round(until / step / SAMPLES)),
            )
            outcomes.append((name, float(step), outcome))
    label, uncertainty = "the given reference", None
    if reference is None:
        times = merged_times([s.t for _, _, s in outcomes if isinstance(s, Solution)])
        if len(times) < 2:
            raise OptionError("work_precision: no method ran on this model with these steps.")
        found = references.trusted_run(
            model, times, min(steps), 1, initial=initial, parameters=parameters
        )
        reference, label, uncertainty = found.solution, found.label, found.uncertainty
    return WorkPrecision(
        title=f"{model.name}: {until:g} s",
        reference=references.described(reference, label, signal),
        points=tuple(_point(*outcome, reference, signal) for outcome in outcomes),
        uncertainty=uncertainty,
    )


def _point(
    name: str,
    step: float,
    outcome: Solution | str,
    reference: references.Reference | None,
    signal: Any,
) -> WorkPoint:
    if isinstance(outcome, str):
        return WorkPoint(name, step, None, None, None, outcome)
    error = None
    message = outcome.message
    if not outcome.status.failed and reference is not None:
        try:
            error = references.largest_error(outcome, reference, signal)
        except DalembertError as problem:
            message = str(problem)
    if error is not None and math.isnan(error):
        error = None
    report = outcome.report()
    return WorkPoint(name, step, error, report["cpu_time"], report["worst_phi"], message)
