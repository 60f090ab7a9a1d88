"""A number the user gave: a float, or a formula of parameters that stays changeable."""

from __future__ import annotations

import functools
import math
import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from dalembert.errors import FormulaError
from dalembert.formulas.evaluate import evaluate
from dalembert.formulas.expression import Expression
from dalembert.formulas.graph import symbols

Quantity = float | Expression

AS_FORMULAS: Mapping[str, Any] = {}
"""Stands for values of parameters where quantities are wanted as formulas, not as numbers."""


def as_quantity(given: Any, what: str, findings: list[str]) -> Quantity:
    """`given` as a float or formula of parameters; a finding and NaN when it is neither."""
    if isinstance(given, np.ndarray) and given.ndim == 0:
        given = given[()]
    if isinstance(given, Expression):
        if given.op == "constant":
            return given.value
        moving = symbols([given], "coordinate", "velocity", "time")
        if not moving:
            return given
        findings.append(
            f"{what} depends on {moving[0]!r}. Give a number or a formula of parameters."
        )
        return math.nan
    if isinstance(given, bool | np.bool_) or not isinstance(given, numbers.Real):
        findings.append(f"{what} is {given!r:.60}, not a number. Give a number.")
        return math.nan
    number = float(given)
    if not math.isfinite(number):
        findings.append(f"{what} is {number}. Give a finite number.")
        return math.nan
    return number


def value_of(quantity: Quantity, parameters: Mapping[str, float] | None = None) -> float | None:
    """Value of a quantity with the given parameter values; None when it is not a finite number.

    Parameters
    ----------
    parameters : mapping
        Values by name; a parameter that is not in it has the value it was made with.
        `AS_FORMULAS`: a formula is returned as it is.
    """
    if not isinstance(quantity, Expression):
        return quantity if math.isfinite(quantity) else None
    if quantity.op == "constant":
        return quantity.value if math.isfinite(quantity.value) else None
    if parameters is AS_FORMULAS:
        return quantity  # type: ignore[return-value]
    known = parameters or {}
    try:
        if quantity.op == "parameter":  # most formulas are no more
            number = float(known.get(quantity.name, quantity.value))
        else:
            held = _parameters_of(quantity)
            values = tuple([known.get(symbol.name, symbol.value) for symbol in held])
            # as keys 0.0 and -0.0 are the same
            compute = _computed if all(values) else _computed.__wrapped__
            number = compute(quantity, values)
    except (FormulaError, ArithmeticError, ValueError):
        return None
    return number if math.isfinite(number) else None


@functools.lru_cache(maxsize=4096)
def _parameters_of(quantity: Expression) -> tuple[Expression, ...]:
    """Parameters that a formula holds."""
    return tuple(symbols([quantity], "parameter"))


@functools.lru_cache(maxsize=4096)
def _computed(quantity: Expression, values: tuple[float, ...]) -> float:
    """Value of a formula with its parameters in the order of `_parameters_of`.

    Bodies of one kind share their formulas, so a large model asks for few of them many times.
    """
    with np.errstate(all="ignore"):
        known = dict(zip(_parameters_of(quantity), values, strict=True))
        return float(evaluate([quantity], known)[0])
