"""`doctor`: a model examined, on one page (analysis 8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dalembert._files import checked, writing
from dalembert.analysis.doctor.advice import Advice, Pace, advice, fastest, pace
from dalembert.analysis.doctor.along import Along, along
from dalembert.analysis.doctor.counts import Counts, counts
from dalembert.analysis.equations.choose import equations_of
from dalembert.analysis.equations.constrained import split
from dalembert.analysis.equations.onto_constraints import closed, moving
from dalembert.analysis.equations.point import Equations
from dalembert.analysis.equilibrium.starts import starts
from dalembert.analysis.linear.left_out import left_out
from dalembert.analysis.linear.linearize import linearize, state_of
from dalembert.errors import DalembertError, OptionError
from dalembert.numerics.one_thread import one_thread
from dalembert.simulation.evaluation import evaluate
from dalembert.simulation.prepare.options import by_name

WALKS = 4
"""Places beside the start at which the rank is looked at."""


@dataclass(frozen=True, eq=False, repr=False)
class Doctor:
    """Findings about a model.

    Attributes
    ----------
    counts : Counts             Gruebler's counts and the true mobility
    redundant : sentences, one for each row that repeats others
    remedies : sentences        how to remove redundancy
    not_unique : names of joints and constraints whose reactions the motion does not determine
    singular_start : bool       whether the start is a singular position
    along : Along or None       conditioning along a short run
    pace : Pace or None         how fast it moves, at the start and along the run
    advice : Advice             step, method, tolerance, with reasons
    doubts : sentences of `model.check()`
    left_out : parts of the model that linear models do not have
    """

    model: Any
    counts: Counts
    redundant: tuple[str, ...]
    remedies: tuple[str, ...]
    not_unique: tuple[str, ...]
    singular_start: bool
    along: Along | None
    pace: Pace | None
    advice: Advice
    doubts: tuple[str, ...]
    left_out: tuple[str, ...]

    def sections(self) -> list[tuple[str, list[str]]]:
        """Headings with their sentences."""
        made = [("Mobility", self.counts.sentences())]
        if self.singular_start:
            made[0][1].append(
                "The start is a singular position: fewer rows are independent there than beside it,"
                " and motions may branch. Start beside it if that is not meant."
            )
        made.append(("Redundancy", [*self.redundant, *self.remedies] or ["No row repeats others."]))
        if self.not_unique:
            names = ", ".join(self.not_unique)
            text = f"Not unique: {names}. The motion is; the least reactions are given, and marked."
        else:
            text = "All reactions are unique."
        made.append(("Reactions", [text]))
        made.append(("Along the motion", self._along()))
        made.append(("Pace", self._pace()))
        made.append(("Suggested", [self.advice.call, *self.advice.reasons]))
        if self.doubts:
            made.append(("Doubts", list(self.doubts)))
        return made

    def _along(self) -> list[str]:
        found = self.along
        if found is None:
            return ["It was not run."]
        if not len(found.t):
            return [f"It could not be run: {found.ended}"]
        worst, when = found.worst
        lines = [
            f"Within {found.t[-1]:.4g} s the smallest singular value of the constraints is"
            f" {worst:.2g} of the largest, at t = {when:.4g} s"
            + (": near a singular position." if worst < 1e-2 else ".")
        ]
        if self.counts.mobility:
            lines.append(
                f"The inertia of free motion has a condition of at most {found.inertia.max():.2g}."
            )
        if len(found.singular):
            moments = ", ".join(f"{x:.4g}" for x in found.singular[:5])
            lines.append(f"Mobility changes: rank is lower at t = {moments} s.")
        if found.ended:
            lines.append(f"The run ended early. {found.ended}")
        return lines

    def _pace(self) -> list[str]:
        found = self.pace
        if found is None:
            return ["The motion has no linear model."]
        lines = [
            f"Fastest swing or turn {found.swing:.4g} rad/s, fastest decay {found.decay:.4g} 1/s,"
            f" fastest growth {found.growth:.4g} 1/s."
        ]
        if found.decay > 0.0:
            word = "stiff" if found.stiffness > 1e3 else "not stiff"
            lines.append(f"Decay over the rest is {found.stiffness:.3g}: {word}.")
        if self.left_out:
            lines.append(f"Without {', '.join(self.left_out)}.")
        return lines

    def summary(self) -> str:
        """A text: all sections."""
        lines = [f"Model {self.model.name}"]
        for head, sentences in self.sections():
            lines += [f"{head}", *(f"  {x}" for x in sentences)]
        return "\n".join(lines)

    def report(self) -> dict[str, Any]:
        """All of it as data."""
        found = self.along
        return {
            "model": self.model.name,
            "velocities": self.counts.velocities,
            "rows": self.counts.rows,
            "rank": self.counts.rank,
            "mobility": self.counts.mobility,
            "gruebler": self.counts.gruebler,
            "gruebler_planar": self.counts.planar,
            "singular_start": self.singular_start,
            "not_unique": list(self.not_unique),
            "smallest_margin": None if found is None or not len(found.t) else found.worst[0],
            "suggested": self.advice.call,
            "sections": {head: list(lines) for head, lines in self.sections()},
        }

    def html(self) -> str:
        """One page that needs nothing else."""
        from dalembert.analysis.doctor.page import page

        return page(self)

    def save_html(self, path: str | Path) -> Path:
        """Write the page."""
        checked(path, "the page")
        with writing(path, "the page") as file:
            file.write(self.html().encode("utf-8"))
        return Path(path)

    def _repr_html_(self) -> str:
        from dalembert.analysis.doctor.page import body

        return body(self)

    def __repr__(self) -> str:
        return f"Doctor({self.model.name!r}, mobility {self.counts.mobility})"


@one_thread()
def doctor(
    model: Any,
    *,
    initial: Any = None,
    until: float | None = None,
    samples: int = 61,
    parameters: Mapping[Any, float] | None = None,
) -> Doctor:
    """Examine a model: mobility, redundancy, conditioning, stiffness, and what to ask of a run.

    Parameters
    ----------
    initial : state, as for `simulate`
    until : length of the run that is looked at [s]; by default two of the slowest periods, within
        0.1 and 10 s; 0 for no run
    samples : moments of it
    parameters : dict {parameter or its name: value}

    Examples
    --------
    >>> import dalembert as dl
    >>> found = dl.doctor(dl.catalog.load("four-bars"), until=0)
    >>> found.counts.gruebler, found.counts.mobility
    (1, 1)
    """
    equations_of(model, "doctor")
    if parameters is not None:
        model = model.with_parameters(**by_name(parameters))
    equations = equations_of(model, "doctor")
    if until is not None and not (np.isfinite(until) and until >= 0.0):
        raise OptionError(f"doctor: until is {until!r}. Give a number of seconds, or 0.")
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 2:
        raise OptionError(f"doctor: samples is {samples!r}. Give a whole number above 1.")
    q, v = state_of(model, initial)
    q = closed(equations, 0.0, q)
    v = moving(equations, 0.0, q, v)
    rank, here, J = _ranks(equations, q)
    redundant, remedies, doubts = _checked(model, equations)
    found = _pace(model, q, v)
    run = None
    length = _length(found) if until is None else until
    if length > 0.0:
        run = along(equations, model, (q, v), length, samples, rank)
    if run is not None and run.paces:
        found = fastest([x for x in (found, *run.paces) if x is not None])
    counted = counts(equations, J, rank)
    singular = here < rank or (run is not None and len(run.singular) > 0)
    return Doctor(
        model,
        counted,
        redundant,
        remedies,
        _not_unique(model, q, v),
        here < rank,
        run,
        found,
        advice(model, found, counted.redundant, singular),
        doubts,
        left_out(model),
    )


def _ranks(equations: Equations, q: Any) -> tuple[int, int, Any]:
    """Rank at ordinary positions and at the start, and J at an ordinary position."""
    best, J = -1, np.zeros((0, equations.nv))
    here = -1
    for place in starts(equations, 0.0, q, WALKS):
        at = equations.at(0.0, place, np.zeros(equations.nv))
        rank = split(at.J, equations.lengths).rank
        here = rank if here < 0 else here
        if rank > best:
            best, J = rank, at.J
    return best, here, J


def _checked(model: Any, equations: Equations) -> tuple[tuple[str, ...], ...]:
    """Redundant rows, remedies and doubts, in words."""
    try:
        found = model.check()
    except DalembertError as problem:
        return (), (), (str(problem),)
    seen = getattr(found, "mobility", None)
    if seen is not None:
        rows = tuple(f"{x}." for x in seen.redundant)
        return rows, tuple(found.relax), tuple(x for x in found if x not in found.shown)
    from dalembert.analysis.rank import constraint_rank

    known = constraint_rank(model)
    rows = tuple(
        f"{name} repeats what {', '.join(others)} already say."
        if others
        else f"{name} holds nothing: its gradient vanishes."
        for name, others in known.redundant
    )
    return rows if not known.is_singular else (), (), tuple(found)


def _not_unique(model: Any, q: Any, v: Any) -> tuple[str, ...]:
    if not model.bodies:
        return ()
    try:
        unique = evaluate(model, (q, v)).solution.statics.unique
    except DalembertError:
        return ()
    return tuple(name for name, known in unique.items() if known is False)


def _pace(model: Any, q: Any, v: Any) -> Pace | None:
    try:
        return pace(linearize(model, (q, v)).eigenvalues)
    except DalembertError:
        return None


def _length(found: Pace | None) -> float:
    slow = 0.0 if found is None else found.slow
    return float(np.clip(4.0 * np.pi / slow, 0.1, 10.0)) if slow > 0.0 else 1.0
