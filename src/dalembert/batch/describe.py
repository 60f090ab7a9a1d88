"""A model and what is asked of its worlds, made into a `Core`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.batch.core import Core
from dalembert.batch.given import column, name_of
from dalembert.errors import ModelError, OptionError
from dalembert.formulas import Expression, constant, substitute, symbols
from dalembert.formulas.recent import Recent
from dalembert.model.basics.by_name import formula_of, unwritten
from dalembert.model.basics.contents import contents
from dalembert.model.core.model import Model
from dalembert.simulation.prepare import announce, options
from dalembert.simulation.prepare.controllers import commanded
from dalembert.simulation.prepare.model_for_run import model_for_run
from dalembert.simulation.prepare.prepare import Wanted, prepare
from dalembert.simulation.prepare.setup import Setup


def core_of(
    who: str,
    model: Model,
    *,
    worlds: int,
    step: float,
    start: float,
    controls: Sequence[Any],
    parameters: Mapping[Any, Any] | None,
    signals: Sequence[Expression],
    stops: Sequence[Expression],
    method: Any,
    integrator: Any,
    engine: str,
) -> Core:
    """The model compiled for many worlds; `who` begins messages."""
    if isinstance(step, bool) or not isinstance(step, int | float) or not 0 < step < np.inf:
        raise OptionError(f"{who}: step is {step!r}. Give a length of time, for example 1e-3.")
    if engine not in ("auto", "lanes", "general"):
        raise OptionError(f"{who}: engine is {engine!r}. Give 'auto', 'lanes' or 'general'.")
    varied = {name_of(k): x for k, x in (parameters or {}).items()}
    single = {k: float(x) for k, x in varied.items() if not np.ndim(x)}
    model = options.model_with(model, single or None, who)
    signals, stops = _with_numbers(model, signals), _with_numbers(model, stops)
    method, integrator = options.choose(method, integrator, step, model)
    changing = {
        k: column(who, f"parameter {k}", x, worlds) for k, x in varied.items() if np.ndim(x)
    }

    def made() -> tuple[Any, Core]:
        acting, names = commanded(model, who, list(controls))
        acting, _ = model_for_run(acting, method, step, ())
        wanted = Wanted(method, integrator, float(step), start=start, held=frozenset(names))
        with announce.compiling(method, silent=False):
            setup = smooth_setup(acting, wanted, [*signals, *stops])
            return held, Core(setup, names, tuple(changing), signals, stops, engine)

    if not model.is_maximal:
        _ = model.mass  # worked out once
    marks, held = contents(model)
    for name in changing:
        if name not in model.parameters:
            options.model_with(model, {name: 0.0}, who)  # says what is wrong
    asked = tuple(name_of(x) for x in controls), tuple(changing)
    seen = tuple(x.id for x in signals), tuple(x.id for x in stops)
    options_ = (type(method), repr(method), type(integrator), repr(integrator), step, start, engine)
    core = _recent.get((marks, asked, seen, options_), made)[1]
    return core.with_values(changing) if changing else core


_recent: Recent[tuple[Any, Core]] = Recent(16)
"""Cores by the contents of their models and what was asked."""


def _with_numbers(model: Model, formulas: Sequence[Expression]) -> list[Expression]:
    """Formulas with numbers for parameters that the model does not have."""
    known = {
        leaf: constant(float(leaf.value))
        for leaf in symbols(formulas, "parameter")
        if leaf.name not in model.parameters
    }
    return substitute(list(formulas), known)


def smooth_setup(model: Model, wanted: Wanted, seen: Sequence[Expression]) -> Setup:
    """The setup of the model's own start: on a tree where there is one, and not for contact."""
    wanted = replace(wanted, watched=tuple(seen))
    if model.is_maximal and not wanted.method.impulses:
        try:
            return prepare(model, replace(wanted, formulation="generalized"))
        except (ModelError, OptionError):
            pass
    return prepare(model, wanted)


def formulas_of(who: str, what: str, model: Model, given: Any) -> dict[str, Expression]:
    """Formulas by the names or formulas that are given."""
    found: dict[str, Expression] = {}
    for one in [given] if isinstance(given, str | Expression) else given:
        formula = formula_of(model, one) if isinstance(one, str) else one
        if not isinstance(formula, Expression):
            reason = unwritten(model, one) if isinstance(one, str) else ""
            raise OptionError(
                f"{who}: {what} names {one!r}, which is no signal of model {model.name!r}.{reason}"
                " Give a formula, or a name such as 'hinge.angle', 'hinge.angle.dot' or 'box.x'."
            )
        name = one if isinstance(one, str) else repr(one)
        if found.get(name, formula) is not formula:  # long formulas may read alike
            name = f"{name} ({len(found)})"
        found[name] = formula
    return found


def whole(who: str, **numbers: Any) -> None:
    """Refuse numbers that are not whole and positive."""
    for what, number in numbers.items():
        good = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if not good or number < 1:
            raise OptionError(f"{who}: {what} is {number!r}. Give a whole number, 1 or more.")


def threads_or_all(threads: int | None) -> int:
    """As many threads as asked for, or as there are processors."""
    return (
        int(threads)
        if threads
        else len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else (os.cpu_count() or 1)
    )
