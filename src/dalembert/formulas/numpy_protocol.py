"""NumPy functions applied to formulas: ``np.sin(x)``, ``np.maximum(x, 0)``, ``array * x``."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert.errors import FormulaError
from dalembert.formulas import functions
from dalembert.formulas.expression import lift
from dalembert.formulas.node import Node
from dalembert.formulas.simplify import UNARY
from dalembert.formulas.source_line import located


def _of_lifted(name: str) -> Callable[[Any], Any]:
    return lambda x: getattr(lift(x), name)()


_SCALAR: dict[Any, Callable[..., Any]] = {
    getattr(np, name): getattr(functions, name) for name in UNARY if name != "abs"
}
_SCALAR |= {
    np.add: lambda a, b: lift(a) + lift(b),
    np.subtract: lambda a, b: lift(a) - lift(b),
    np.multiply: lambda a, b: lift(a) * lift(b),
    np.divide: lambda a, b: lift(a) / lift(b),
    np.negative: lambda a: -lift(a),
    np.positive: lift,
    np.power: functions.power,
    np.float_power: functions.power,
    np.square: lambda a: lift(a) * lift(a),
    np.reciprocal: lambda a: 1.0 / lift(a),
    np.absolute: functions.absolute,
    np.fabs: functions.absolute,
    np.arctan2: functions.arctan2,
    np.hypot: functions.hypot,
    np.minimum: functions.minimum,
    np.maximum: functions.maximum,
    np.fmin: functions.minimum,
    np.fmax: functions.maximum,
    np.radians: _of_lifted("radians"),
    np.deg2rad: _of_lifted("radians"),
    np.degrees: _of_lifted("degrees"),
    np.rad2deg: _of_lifted("degrees"),
    np.conjugate: lift,
    np.less: lambda a, b: lift(a) < lift(b),
    np.less_equal: lambda a, b: lift(a) <= lift(b),
    np.greater: lambda a, b: lift(a) > lift(b),
    np.greater_equal: lambda a, b: lift(a) >= lift(b),
    np.equal: operator.is_,
    np.not_equal: operator.is_not,
    np.logical_and: operator.and_,
    np.logical_or: operator.or_,
    np.logical_not: operator.invert,
    np.bitwise_and: operator.and_,
    np.bitwise_or: operator.or_,
    np.invert: operator.invert,
}


@functools.cache
def _over_objects(ufunc: Any) -> Any:
    return np.frompyfunc(_SCALAR[ufunc], ufunc.nin, 1)


def boxed(value: Any) -> Any:
    """A formula as a 0-d object array, so that NumPy does not hand it back to us."""
    if not isinstance(value, Node):
        return value
    box = np.empty((), dtype=object)
    box[()] = value
    return box


def unboxed(value: Any) -> Any:
    """The element of a 0-d object array; anything else as it is."""
    if isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype == object:
        return value[()]
    return value


def apply_ufunc(ufunc: Any, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Apply a NumPy ufunc to inputs of which at least one is a formula."""
    if ufunc not in _SCALAR:
        known = ", ".join(sorted(f.__name__ for f in _SCALAR))
        raise FormulaError(
            located(f"np.{ufunc.__name__} does not apply to formulas.", f"Available: {known}.")
        )
    plain = method == "__call__" and not options
    if plain and not any(isinstance(x, (np.ndarray, list, tuple)) for x in inputs):
        return _SCALAR[ufunc](*inputs)
    objects = [boxed(x) if isinstance(x, Node) else np.asarray(x, dtype=object) for x in inputs]
    return unboxed(getattr(_over_objects(ufunc), method)(*objects, **options))


def apply_function(function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Apply a NumPy function such as np.where, np.clip or np.dot given a formula directly."""
    if function is np.where and len(args) == 3 and not options:
        return functions.where(*args)
    if function is np.clip:
        return _clip(*args, **options)
    args = tuple(boxed(a) for a in args)
    options = {key: boxed(value) for key, value in options.items()}
    return unboxed(function(*args, **options))


def _clip(a: Any, a_min: Any = None, a_max: Any = None, **options: Any) -> Any:
    low = options.get("min", a_min)
    high = options.get("max", a_max)
    if low is not None:
        a = functions.maximum(a, low)
    return a if high is None else functions.minimum(a, high)
