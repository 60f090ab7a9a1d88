"""The functions of `math` that kernels call, min, max and choices: of numbers, and of formulas.

A kernel that is traced runs over formulas, which the module `math` does not take; `_jit` puts this
module in its place then. Values whose methods are called in all lives (`numerics.vector`, ...) take
their functions from here. Compiled they are what `math` has (`_translate.builtin`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

pi, inf = math.pi, math.inf
_NUMBERS = (float, int)


def _of_one(plain: Callable[[float], float], name: str) -> Callable[[Any], Any]:
    """A function of one number, or the method of that name of a formula."""

    def apply(x: Any) -> Any:
        if type(x) in _NUMBERS or not hasattr(x, "op"):
            return plain(x)
        return getattr(x, name)()

    apply.__name__ = plain.__name__
    return apply


sqrt = _of_one(math.sqrt, "sqrt")
sin = _of_one(math.sin, "sin")
cos = _of_one(math.cos, "cos")
tan = _of_one(math.tan, "tan")
asin = _of_one(math.asin, "arcsin")
acos = _of_one(math.acos, "arccos")
atan = _of_one(math.atan, "arctan")
exp = _of_one(math.exp, "exp")
log = _of_one(math.log, "log")
fabs = _of_one(math.fabs, "__abs__")


def _is_formula(*values: Any) -> bool:
    return any(type(x) not in _NUMBERS and hasattr(x, "op") for x in values)


def atan2(y: Any, x: Any) -> Any:
    """Angle of the point (x, y)."""
    return np.arctan2(y, x) if _is_formula(x, y) else math.atan2(y, x)


def hypot(x: Any, y: Any) -> Any:
    """Length of the vector (x, y)."""
    return sqrt(x * x + y * y) if _is_formula(x, y) else math.hypot(x, y)


def max(*values: Any) -> Any:
    """The largest, as Python finds it."""
    result = values[0]
    for x in values[1:]:
        result = chosen(x > result, x, result)
    return result


def min(*values: Any) -> Any:
    """The smallest, as Python finds it."""
    result = values[0]
    for x in values[1:]:
        result = chosen(x < result, x, result)
    return result


def chosen(condition: Any, a: Any, b: Any) -> Any:
    """`a` where the condition holds, else `b`; both are computed, in every life."""
    if not hasattr(condition, "op"):
        return a if condition else b
    return np.where(condition, a, b)


rint = _of_one(lambda x: float(round(x)) if math.isfinite(x) else x, "rint")
"""The nearest whole number, the even one of two, as a float."""

two_to = _of_one(lambda n: math.ldexp(1.0, int(n)), "two_to")
"""2^n of a whole n between -1022 and 1023, as a float."""
