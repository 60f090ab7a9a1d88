"""Functions that a kernel may call besides kernels: those of Python and of the module `math`."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from dalembert import _traceable
from dalembert._translate import operations
from dalembert._translate.kinds import FLOAT, INTEGER, TRUTH, Array, Value, refuse

if TYPE_CHECKING:
    from dalembert._translate.writer import Writer

Builtin = Callable[["Writer", Sequence[Value]], Value]


def _library(name: str) -> Builtin:
    """A function of floats from the mathematical library."""

    def call(f: Writer, values: Sequence[Value]) -> Value:
        return f.call_library(name, [operations.convert(f.emit, v, FLOAT).word for v in values])

    return call


def _extreme(operator: ast.cmpop) -> Builtin:
    def call(f: Writer, values: Sequence[Value]) -> Value:
        if len(values) < 2:
            refuse("min or max of one argument")
        result = values[0]
        for value in values[1:]:
            result = operations.extreme(f.emit, operator, result, value)
        return result

    return call


def _converted(kind: str) -> Builtin:
    def call(f: Writer, values: Sequence[Value]) -> Value:
        (value,) = values
        return operations.convert(f.emit, value, kind)

    return call


def _abs(f: Writer, values: Sequence[Value]) -> Value:
    (value,) = values
    return operations.magnitude(f.emit, value)


def _round(f: Writer, values: Sequence[Value]) -> Value:
    """The nearest integer, the even one of two."""
    (value,) = values
    word = operations.convert(f.emit, value, FLOAT).word
    return operations.convert(f.emit, f.call_library("llvm.rint.f64", [word]), INTEGER)


def _len(f: Writer, values: Sequence[Value]) -> Value:
    (value,) = values
    if not isinstance(value.kind, Array):
        refuse(f"len of {value.kind}")
    return Value(INTEGER, (value.extents[0],))


def _isnan(f: Writer, values: Sequence[Value]) -> Value:
    word = operations.convert(f.emit, values[0], FLOAT).word
    return Value(TRUTH, (f.emit(f"fcmp uno double {word}, {word}"),))


def _chosen(f: Writer, values: Sequence[Value]) -> Value:
    """A choice without a branch."""
    condition, a, b = values
    word = operations.convert(f.emit, condition, TRUTH).word
    a, b = (operations.convert(f.emit, x, FLOAT) for x in (a, b))
    return Value(FLOAT, (f.emit(f"select i1 {word}, double {a.word}, double {b.word}"),))


def _two_to(f: Writer, values: Sequence[Value]) -> Value:
    """2^n by the bits of the exponent."""
    (value,) = values
    whole = operations.convert(f.emit, value, INTEGER).word
    biased = f.emit(f"add i64 {whole}, 1023")
    bits = f.emit(f"shl i64 {biased}, 52")
    return Value(FLOAT, (f.emit(f"bitcast i64 {bits} to double"),))


BUILTINS: dict[Any, Builtin] = {
    abs: _abs,
    len: _len,
    round: _round,
    min: _extreme(ast.Lt()),
    max: _extreme(ast.Gt()),
    int: _converted(INTEGER),
    float: _converted(FLOAT),
    bool: _converted(TRUTH),
    math.isnan: _isnan,
    math.sqrt: _library("llvm.sqrt.f64"),
    math.fabs: _library("llvm.fabs.f64"),
    math.copysign: _library("llvm.copysign.f64"),
    math.sin: _library("llvm.sin.f64"),
    math.cos: _library("llvm.cos.f64"),
    math.exp: _library("llvm.exp.f64"),
    math.log: _library("llvm.log.f64"),
    math.tan: _library("tan"),
    math.asin: _library("asin"),
    math.acos: _library("acos"),
    math.atan: _library("atan"),
    math.atan2: _library("atan2"),
    math.hypot: _library("hypot"),
    _traceable.chosen: _chosen,
    _traceable.rint: _library("llvm.rint.f64"),
    _traceable.two_to: _two_to,
}

for _name in ("sqrt", "fabs", "sin", "cos", "exp", "log", "tan", "asin", "acos", "atan", "atan2"):
    BUILTINS[getattr(_traceable, _name)] = BUILTINS[getattr(math, _name)]
BUILTINS |= {_traceable.min: BUILTINS[min], _traceable.max: BUILTINS[max]}
