"""Functions of formulas; each also takes numbers, and arrays of either, element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert.errors import FormulaError
from dalembert.formulas import simplify
from dalembert.formulas.expression import Condition, lift
from dalembert.formulas.source_line import located


def _elementwise(rule: Callable[..., Any], *values: Any) -> Any:
    if not any(isinstance(v, (np.ndarray, list, tuple)) for v in values):
        return rule(*values)
    objects = []
    for value in values:
        array = np.empty((), dtype=object)
        if isinstance(value, (np.ndarray, list, tuple)):
            array = np.asarray(value, dtype=object)
        else:
            array[()] = value
        objects.append(array)
    return np.frompyfunc(rule, len(values), 1)(*objects)


def _named(op: str) -> Callable[[Any], Any]:
    def scalar(x: Any) -> Any:
        return simplify.function(op, lift(x))

    def apply(x: Any) -> Any:
        return _elementwise(scalar, x)

    apply.__name__ = apply.__qualname__ = op
    apply.__doc__ = f"``{op}(x)`` of a formula, a number, or an array of them."
    return apply


sqrt = _named("sqrt")
sin = _named("sin")
cos = _named("cos")
tan = _named("tan")
arcsin = _named("arcsin")
arccos = _named("arccos")
arctan = _named("arctan")
sinh = _named("sinh")
cosh = _named("cosh")
tanh = _named("tanh")
exp = _named("exp")
log = _named("log")
sign = _named("sign")
absolute = _named("abs")


def arctan2(y: Any, x: Any) -> Any:
    """Angle of the point (x, y)  [rad]."""
    return _elementwise(lambda a, b: simplify.arctan2(lift(a), lift(b)), y, x)


def hypot(x: Any, y: Any) -> Any:
    """Length of the vector (x, y)."""
    return _elementwise(lambda a, b: lift(a).hypot(b), x, y)


def power(a: Any, b: Any) -> Any:
    """``a ** b``."""
    return _elementwise(lambda x, y: simplify.power(lift(x), lift(y)), a, b)


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two formulas; its derivative is that of the smaller one.

    Examples
    --------
    >>> from dalembert.formulas import coordinates
    >>> (x,) = coordinates("x")
    >>> minimum(x, 1.0)
    minimum(x, 1)
    """
    return _elementwise(lambda x, y: simplify.minimum(lift(x), lift(y)), a, b)


def maximum(a: Any, b: Any) -> Any:
    """The larger of two formulas; its derivative is that of the larger one.

    Examples
    --------
    >>> from dalembert.formulas import coordinates
    >>> (x,) = coordinates("x")
    >>> maximum(0.0, x)  # a spring that only pushes
    maximum(0, x)
    """
    return _elementwise(lambda x, y: simplify.maximum(lift(x), lift(y)), a, b)


def where(condition: Any, a: Any, b: Any) -> Any:
    """Formula `a` where the condition holds, else `b`.

    Parameters
    ----------
    condition : Condition      a comparison of formulas such as ``x > 0``; combine with & | ~
    a, b : Expression          both are computed, one is taken

    Examples
    --------
    >>> from dalembert.formulas import coordinates, where
    >>> (x,) = coordinates("x")
    >>> where(x < 0, -x, 0.0)
    where(x < 0, -x, 0)
    """
    return _elementwise(_where, condition, a, b)


def _where(condition: Any, a: Any, b: Any) -> Any:
    if not isinstance(condition, Condition):
        raise FormulaError(
            located(
                f"where needs a comparison of formulas, not {condition!r:.60}.",
                "Write for example dl.where(x > 0, a, b); `==` compares identity, not values.",
            )
        )
    return simplify.choose(condition, lift(a), lift(b))
