"""Linear models over a parameter: what `root_locus`, `campbell` and `critical_value` are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert.analysis.equations.choose import equations_of
from dalembert.analysis.linear.linearization import Linearization
from dalembert.analysis.linear.linearize import linearize
from dalembert.errors import OptionError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.names import nearest

Family = Callable[[float], Linearization]


def family(given: Any, parameter: Any, state: Any, asked: str) -> tuple[Family, str]:
    """The linear model for each value of a parameter, and its name.

    `given` is a model, whose start may be formulas of the parameter; or a function of the value
    that returns a `Linearization`, or anything with one as `near`.
    """
    if callable(given):
        name = "parameter" if parameter is None else str(parameter)

        def made(value: float) -> Linearization:
            found = given(value)
            found = found if isinstance(found, Linearization) else getattr(found, "near", found)
            if not isinstance(found, Linearization):
                raise OptionError(
                    f"{asked}: the function returned {found!r:.60} for {value:g}. Let it return"
                    " what dl.linearize, dl.equilibrium or dl.steady_motion return."
                )
            return found

        return made, name
    model = given
    equations_of(model, asked)
    if parameter is None:
        raise OptionError(f"{asked}: parameter= is missing. Name a parameter of the model.")
    name = parameter.name if isinstance(parameter, Expression) else str(parameter)
    if name not in model.parameters:
        raise OptionError(
            f"{asked}: model {model.name!r} has no parameter {name!r}"
            f"{nearest(name, list(model.parameters))}"
        )

    def of_model(value: float) -> Linearization:
        start = state(value) if callable(state) else state
        return linearize(model, start, parameters={name: value})

    return of_model, name


def checked_values(values: Any, asked: str) -> np.ndarray:
    """Values of a parameter, in ascending order."""
    numbers = np.sort(np.atleast_1d(np.asarray(values, dtype=float)).ravel())
    if not len(numbers) or not np.isfinite(numbers).all():
        raise OptionError(f"{asked}: give finite values of the parameter.")
    return numbers
