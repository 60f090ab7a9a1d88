"""Records: which signals of a run become columns of the table, and how.

    final(x)     at the end              min(x), max(x)    least and greatest, between samples too
    first(x)     at the start            mean(x), rms(x)   over time
    at hit(x)    at the first event of the name ``hit``; NaN where there was none
    series(x)    `samples` of the samples, spread evenly; NaN behind the end of a shorter run

A signal is a name, a formula, ``drift`` (the largest |phi|; its max is that of all steps) or
``reaction.NAME`` (the size of a reaction). Of several components the size is taken.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.signal_text import is_plain, parsed
from dalembert.errors import OptionError
from dalembert.formulas.node import Node
from dalembert.model.basics.by_name import formula_of
from dalembert.model.basics.constraint import ConstraintForce
from dalembert.model.basics.names import did_you_mean
from dalembert.simulation.results.quadrature import cumulative
from dalembert.simulation.results.signals import formulas
from dalembert.simulation.results.solution import Solution
from dalembert.study.between_samples import Reader, extreme, of_reaction, reader

Array = NDArray[np.float64]

AT = "at "
SERIES = "series"
REACTION = "reaction."

FIXED = ("id", "status", "verdict", "seconds", "error")
"""Columns of every table."""


def _mean(t: Array, x: Array) -> float:
    if len(t) < 2 or t[-1] == t[0]:
        return float(x[-1])
    return float(cumulative(t, x)[0][-1] / (t[-1] - t[0]))


REDUCTIONS: dict[str, Callable[[Array, Array], float]] = {
    "final": lambda t, x: float(x[-1]),
    "first": lambda t, x: float(x[0]),
    "min": lambda t, x: float(np.min(x)),
    "max": lambda t, x: float(np.max(x)),
    "mean": _mean,
    "rms": lambda t, x: math.sqrt(max(0.0, _mean(t, x * x))),
}
"""Numbers that a series (t, x) becomes."""


@dataclass(frozen=True)
class Record:
    """One column: its name, a signal (or a function of the solution) and what is taken of it."""

    name: str
    signal: Any
    reduction: str

    @property
    def is_series(self) -> bool:
        """Whether a row holds many numbers of it."""
        return self.reduction == SERIES

    def read(self, solution: Solution, samples: int) -> Any:
        """The number, or the series, of one run."""
        if not isinstance(self.signal, str | Node):
            return float(self.signal(solution))
        if not len(solution.t):
            return np.full(samples, np.nan) if self.is_series else math.nan
        if self.reduction.startswith(AT):
            return self._at(solution)
        if self.signal == "drift" and self.reduction == "max":
            return float(solution.worst["phi"])
        series = _series(solution, self.signal)
        if self.is_series:
            return spread(series, samples)
        if self.reduction in ("min", "max") and self.signal != "drift":
            sign = 1.0 if self.reduction == "max" else -1.0
            return extreme(solution, series, _between(solution, self.signal), sign)
        return REDUCTIONS[self.reduction](solution.t, series)

    def _at(self, solution: Solution) -> float:
        """The value at the first event of the name; NaN where there was none."""
        formula, model = self.signal, solution.model
        if isinstance(formula, str) and formula != "t":
            formula = formula_of(model, formula)
            if formula is None:
                formula = parsed(self.signal, model, f"record {self.name!r}")
        event = self.reduction.removeprefix(AT)
        found = next((e for e in solution.events if e.name == event), None)
        if found is None:
            return math.nan
        if isinstance(formula, str):
            return float(found.t)
        moment = np.array([found.t])
        return float(formulas(solution, [formula], moment, found.q[None], found.v[None])[0][0])


def _series(solution: Solution, signal: Any) -> Array:
    """A signal at every sample; the size of one with several components."""
    if signal == "drift":
        largest: Array = np.max(np.abs(solution.phi), axis=1, initial=0.0)
        return largest
    if isinstance(signal, str) and signal.startswith(REACTION):
        found = solution.reaction(signal.removeprefix(REACTION)).force
    else:
        found = solution[_known(solution, signal)]
    return np.linalg.norm(found, axis=1) if found.ndim == 2 else found


def _between(solution: Solution, signal: Any) -> Reader:
    """Function of moments that gives a signal there."""
    if isinstance(signal, str) and signal.startswith(REACTION):
        return of_reaction(solution, signal.removeprefix(REACTION))
    return reader(solution, _known(solution, signal))


def _known(solution: Solution, signal: Any) -> Any:
    """A signal, or the formula that a text is."""
    try:
        solution[signal]
    except OptionError:
        if not isinstance(signal, str) or is_plain(signal):
            raise
        return parsed(signal, solution.model, "record")
    return signal


def spread(series: Array, samples: int) -> Array:
    """So many samples, the first and the last among them; NaN where there are fewer."""
    if len(series) > samples:
        chosen: Array = series[np.round(np.linspace(0, len(series) - 1, samples)).astype(int)]
        return chosen
    found = np.full(samples, np.nan)
    found[: len(series)] = series
    return found


# -- what a user gives -----------------------------------------------------------------------------


def read_records(given: Any, events: Iterable[str]) -> tuple[Record, ...]:
    """Records from {name: record} or a list; a record is "max(x)", ("x", "max") or a function."""
    if isinstance(given, str):
        given = [given]
    if isinstance(given, Mapping):
        pairs = [(str(name), spec) for name, spec in given.items()]
    elif isinstance(given, Iterable):
        pairs = [(_own_name(spec), spec) for spec in given]
    else:
        raise OptionError(
            f"sweep: record is {given!r:.60}. Give a dict of columns, such as"
            " {'swing': 'max(x)'}, or a list of them."
        )
    found = tuple(_record(name, spec, list(events)) for name, spec in pairs)
    names = [record.name for record in found]
    for name in names:
        if name in FIXED or names.count(name) > 1:
            why = "is a column of every table" if name in FIXED else "is there twice"
            raise OptionError(f"sweep: record {name!r} {why}. Choose another name.")
    return found


def _own_name(spec: Any) -> str:
    if isinstance(spec, str):
        return spec
    if isinstance(spec, tuple) and len(spec) == 2:
        return f"{spec[1]}({spec[0]})"
    if callable(spec):
        return str(getattr(spec, "__name__", spec))
    return f"final({spec})"


def _record(name: str, spec: Any, events: list[str]) -> Record:
    if isinstance(spec, str):
        said = re.fullmatch(r"\s*(at .+?|\w+)\s*\((.*)\)\s*", spec, re.DOTALL)
        if said and (said[1] in (*REDUCTIONS, SERIES) or said[1].startswith(AT)):
            spec = (said[2].strip(), said[1].strip())
        elif said and is_plain(said[2]) and did_you_mean(said[1], [*REDUCTIONS, SERIES]) != ".":
            _refuse_reduction(name, said[1])  # a misspelt one
        else:
            spec = (spec.strip(), "final")
    elif isinstance(spec, Node | ConstraintForce):
        spec = (spec, "final")
    elif callable(spec):
        return Record(name, spec, "final")
    if not isinstance(spec, tuple | list) or len(spec) != 2 or not isinstance(spec[1], str):
        raise OptionError(
            f"sweep: record {name!r} is {spec!r:.60}. Write for example 'max(x)', or (formula,"
            " 'max')."
        )
    signal, reduction = spec
    if isinstance(signal, ConstraintForce):
        signal = f"{signal.name}.force"
    if not isinstance(signal, str | Node) or signal == "":
        raise OptionError(f"sweep: record {name!r}: {signal!r:.60} is no name and no formula.")
    if reduction.startswith(AT):
        event = reduction.removeprefix(AT).strip()
        if event not in events:
            said_events = f"Events: {', '.join(events)}." if events else "Give events=[...]."
            raise OptionError(
                f"sweep: record {name!r}: there is no event {event!r}"
                f"{did_you_mean(event, events)} {said_events}"
            )
        reduction = AT + event
    elif reduction not in (*REDUCTIONS, SERIES):
        _refuse_reduction(name, reduction)
    return Record(name, signal, reduction)


def _refuse_reduction(name: str, reduction: str) -> None:
    known = [*REDUCTIONS, SERIES]
    raise OptionError(
        f"sweep: record {name!r}: there is no {reduction!r}{did_you_mean(reduction, known)}"
        f" Known: {', '.join(known)}, at EVENT."
    )
