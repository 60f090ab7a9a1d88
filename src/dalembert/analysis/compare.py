"""One model by several methods, or several solutions, side by side."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dalembert.analysis import reference as references
from dalembert.analysis.runs import (
    check_times,
    merged_times,
    named_methods,
    run_one,
    unique_names,
)
from dalembert.analysis.table import below, number, text_table
from dalembert.errors import DalembertError, OptionError
from dalembert.model import Model
from dalembert.simulation.results.solution import Solution

SAMPLES = 2000
"""Samples recorded of each run unless `every` is given: enough for a figure and for an error."""


@dataclass(frozen=True)
class ComparisonRow:
    """One line of the table; None where nothing was measured."""

    method: str
    error: float | None
    phi: float | None
    phi_dot: float | None
    energy: float | None
    microseconds: float | None
    reached: float | None
    ok: bool
    status: str


@dataclass(frozen=True)
class Comparison:
    """Several answers to one question.

    Attributes
    ----------
    title : str                     what was compared
    reference : str                 what `error` is measured against
    rows : tuple of ComparisonRow   in the order given; refused methods are there with their reason
    solutions : dict                method -> Solution, of those that ran
    uncertainty : float or None     of a reference that had to be computed; smaller errors than
                                    this are not resolved and appear as "< ..." in the table
    """

    title: str
    reference: str
    rows: tuple[ComparisonRow, ...]
    solutions: Mapping[str, Solution] = field(repr=False)
    uncertainty: float | None = None

    head: ClassVar[tuple[str, ...]] = (
        "method",
        "error",
        "|phi|",
        "|phi'|",
        "energy",
        "us/step",
        "ends at",
    )

    def cells(self) -> list[tuple[str, ...]]:
        """The rows as text, in the columns of `head`."""
        return [
            (
                row.method,
                below(row.error, self.uncertainty),
                number(row.phi),
                number(row.phi_dot),
                number(row.energy),
                "-" if row.microseconds is None else f"{row.microseconds:.2f}",
                "refused" if row.reached is None else f"{row.reached:.4g} s",
            )
            for row in self.rows
        ]

    def notes(self) -> list[str]:
        """Why a method refused or failed, one line each."""
        return [f"{row.method}: {row.status}" for row in self.rows if not row.ok]

    def table(self) -> str:
        """The rows as aligned text, the reasons of failures below."""
        body = text_table(self.head, self.cells())
        return "\n".join([self.title, f"error: {self.reference}", "", body, *self.notes()])

    def summary(self) -> str:
        """Same as `table`."""
        return self.table()

    def __str__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        """The table, for notebooks."""
        from dalembert.model.text.html import titled_table

        told = f"error: {self.reference}"
        return titled_table(self.title, told, self.head, self.cells(), self.notes())


def compare(
    subject: Model | Solution,
    *others: Solution,
    methods: str | Iterable[Any] | None = "all",
    until: float | None = None,
    step: float | None = None,
    integrator: Any = None,
    reference: references.Reference | None = None,
    signal: Any = None,
    initial: Any = None,
    parameters: Mapping[str, float] | None = None,
    every: int | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Run a model by several methods, or set finished solutions side by side.

    Parameters
    ----------
    subject : Model or Solution      a model to run, or the first of several solutions
    *others : Solution               further solutions
    methods : "all" or iterable      method objects, or names as on the command line ("rattle",
        "baumgarte:alpha=5,beta=5"); "all" or None: every one, with its defaults
    until, step, integrator, initial, parameters, every, progress
        as for `simulate`; with a model only. `step` is required then, so that work is equal.
    reference : callable, Solution or array, optional
        What `error` is measured against: ``reference(t)``, a solution, or values at the samples.
        Default: for a model the finer of two independent runs that agree (see
        `analysis.reference`), with their difference as its uncertainty; for solutions the first.
    signal : formula or name, optional
        What is compared; default all coordinates.

    Returns
    -------
    Comparison   rows with error, worst |phi| and |phi'| over all steps, energy error, cost

    Examples
    --------
    >>> import dalembert as dl
    >>> result = dl.compare(dl.catalog.load("pendulum"), until=1.0, step=1e-2,
    ...                     methods=[dl.BraunGoldfarb(), dl.Baumgarte(alpha=50, beta=50)])
    >>> [row.method for row in result.rows]
    ['BraunGoldfarb', 'Baumgarte']
    """
    if isinstance(subject, Solution):
        given = [subject, *others]
        if until is not None or step is not None or integrator is not None:
            raise OptionError(
                "compare: `until`, `step` and `integrator` belong to a model, but solutions were"
                " given. Leave them out, or pass the model first."
            )
        return _of_solutions(given, reference, signal)
    if others:
        raise OptionError(
            "compare: give one model with `methods=`, or several solutions, not a mixture."
        )
    if until is None or step is None:
        raise OptionError(
            "compare: a model needs `until` and `step`, the same for every method."
            " For example compare(model, until=10.0, step=1e-3)."
        )
    check_times("compare", until, [step])
    every = every or max(1, round((until / step) / SAMPLES))
    outcomes: dict[str, Solution | str] = {}
    for name, method in named_methods(methods):
        outcomes[name] = run_one(
            model=subject,
            method=method,
            until=until,
            step=step,
            integrator=integrator,
            initial=initial,
            parameters=parameters,
            every=every,
            progress=progress,
        )
    label, uncertainty = "the given reference", None
    if reference is None:
        found = _trusted(subject, outcomes, step, every, initial, parameters, progress)
        reference, label, uncertainty = found.solution, found.label, found.uncertainty
    return Comparison(
        title=f"{subject.name}: {until:g} s, step {step:g} s"
        + (f", {integrator!r}" if integrator is not None else ""),
        reference=references.described(reference, label, signal),
        rows=tuple(_row(name, outcome, reference, signal) for name, outcome in outcomes.items()),
        solutions={n: s for n, s in outcomes.items() if isinstance(s, Solution)},
        uncertainty=uncertainty,
    )


def _of_solutions(
    solutions: list[Solution], reference: references.Reference | None, signal: Any
) -> Comparison:
    names = unique_names([solution.method for solution in solutions])
    label = "the given reference"
    if reference is None:
        reference, label = solutions[0], names[0]
    outcomes = dict(zip(names, solutions, strict=True))
    titles = dict.fromkeys(solution.model.name for solution in solutions)
    return Comparison(
        title=" and ".join(titles) + f": {len(solutions)} solutions",
        reference=references.described(reference, label, signal),
        rows=tuple(_row(name, solution, reference, signal) for name, solution in outcomes.items()),
        solutions=outcomes,
    )


def _trusted(
    model: Model,
    outcomes: Mapping[str, Solution | str],
    step: float,
    every: int,
    initial: Any,
    parameters: Mapping[str, float] | None,
    progress: bool | None,
) -> references.Trusted:
    times = merged_times([run.t for run in outcomes.values() if isinstance(run, Solution)])
    if len(times) < 2:
        return references.Trusted(None, "no method ran")
    given: dict[str, Any] = {"initial": initial, "parameters": parameters, "progress": progress}
    return references.trusted_run(model, times, step, every, **given)


def _row(
    name: str,
    outcome: Solution | str,
    reference: references.Reference | None,
    signal: Any,
) -> ComparisonRow:
    if isinstance(outcome, str):
        return ComparisonRow(name, None, None, None, None, None, None, False, outcome)
    report = outcome.report()
    error = None
    note = ""
    if reference is not None:
        try:
            error = references.largest_error(outcome, reference, signal)
        except DalembertError as problem:
            note = f" {problem}"
    return ComparisonRow(
        method=name,
        error=None if error is None or math.isnan(error) else error,
        phi=report["worst_phi"],
        phi_dot=report["worst_phi_dot"],
        energy=report["energy_change"] if report["conservative"] else None,
        microseconds=report["microseconds_per_step"],
        reached=report["end"],
        ok=not outcome.status.failed and not note,
        status=(outcome.message or outcome.status.meaning) + note,
    )
