"""Arithmetic, comparison and conversion of numbers, as LLVM instructions.

The semantics are Python's, with two exceptions that hold for all compiled kernels: integers have 64
bits, and a division by zero gives an infinity or NaN. A product and a sum may be fused
(`contract`); nothing else may be reordered.
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert._translate.kinds import (
    FLOAT,
    INTEGER,
    TRUTH,
    Kind,
    Value,
    is_number,
    joined,
    members,
    refuse,
    tuple_of,
)

Emit = Callable[[str], str]
"""Append an instruction that has a result; return the name of the result."""

FUSING = "contract "
"""Flag of sums and products that may be fused; `tests.prints --unfused` does without."""

_FLOAT: dict[type, str] = {
    ast.Add: "fadd",
    ast.Sub: "fsub",
    ast.Mult: "fmul",
    ast.Div: "fdiv",
}
_INTEGER: dict[type, str] = {
    ast.Add: "add nsw",
    ast.Sub: "sub nsw",
    ast.Mult: "mul nsw",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.LShift: "shl",
    ast.RShift: "ashr",
}
_COMPARE: dict[type, tuple[str, str]] = {
    ast.Eq: ("eq", "oeq"),
    ast.NotEq: ("ne", "une"),
    ast.Lt: ("slt", "olt"),
    ast.LtE: ("sle", "ole"),
    ast.Gt: ("sgt", "ogt"),
    ast.GtE: ("sge", "oge"),
}
_CONVERT = {
    (INTEGER, FLOAT): "sitofp",
    (TRUTH, FLOAT): "uitofp",
    (TRUTH, INTEGER): "zext",
    (FLOAT, INTEGER): "fptosi",
}


def constant(x: Any) -> Value:
    """A Python number as a value."""
    if isinstance(x, np.generic):
        x = x.item()
    if isinstance(x, bool):
        return Value(TRUTH, ("true" if x else "false",))
    if isinstance(x, int) and -(2**63) <= x < 2**63:
        return Value(INTEGER, (str(int(x)),))
    if isinstance(x, float):
        bits = struct.unpack("<Q", struct.pack("<d", x))[0]
        return Value(FLOAT, (f"0x{bits:016X}",))
    return refuse(f"the constant {x!r}")


def convert(emit: Emit, x: Value, kind: Kind) -> Value:
    """A value as one of another kind; a float becomes an integer by dropping its fraction."""
    if x.kind == kind:
        return x
    if isinstance(kind, tuple) and type(x.kind) is type(kind) and len(kind) == len(x.kind):
        made = tuple_of([convert(emit, m, k) for m, k in zip(members(x), kind, strict=True)])
        return Value(kind, made.words)
    if not (is_number(kind) and is_number(x.kind)):
        refuse(f"{x.kind} where {kind} is needed")
    if kind == TRUTH:
        return truth(emit, x)
    return Value(kind, (emit(f"{_CONVERT[x.kind, kind]} {x.kind} {x.word} to {kind}"),))


def truth(emit: Emit, x: Value) -> Value:
    """Whether a number is not zero."""
    if x.kind == TRUTH:
        return x
    if x.kind == INTEGER:
        return Value(TRUTH, (emit(f"icmp ne i64 {x.word}, 0"),))
    if x.kind == FLOAT:
        return Value(TRUTH, (emit(f"fcmp une double {x.word}, 0.0"),))
    return refuse(f"{x.kind} as a condition")


def negation(emit: Emit, x: Value) -> Value:
    """not x."""
    return Value(TRUTH, (emit(f"xor i1 {truth(emit, x).word}, true"),))


def minus(emit: Emit, x: Value) -> Value:
    """-x."""
    if x.kind == FLOAT:
        return Value(FLOAT, (emit(f"fneg double {x.word}"),))
    return Value(INTEGER, (emit(f"sub nsw i64 0, {convert(emit, x, INTEGER).word}"),))


def magnitude(emit: Emit, x: Value) -> Value:
    """abs(x)."""
    if x.kind == FLOAT:
        return Value(FLOAT, (emit(f"call double @llvm.fabs.f64(double {x.word})"),))
    word = convert(emit, x, INTEGER).word
    return Value(INTEGER, (emit(f"call i64 @llvm.abs.i64(i64 {word}, i1 false)"),))


def binary(emit: Emit, operator: ast.operator, a: Value, b: Value) -> Value:
    """The binary operations except powers."""
    kind = joined(a.kind, b.kind)
    if not is_number(kind):
        refuse(f"arithmetic with {kind}")
    operation = type(operator)
    if operation is ast.Div:
        kind = FLOAT
    elif kind == TRUTH:
        kind = INTEGER
    x, y = convert(emit, a, kind).word, convert(emit, b, kind).word
    if kind == FLOAT and operation in _FLOAT:
        return Value(FLOAT, (emit(f"{_FLOAT[operation]} {FUSING}double {x}, {y}"),))
    if kind == INTEGER and operation in _INTEGER:
        return Value(INTEGER, (emit(f"{_INTEGER[operation]} i64 {x}, {y}"),))
    if kind == INTEGER and operation in (ast.FloorDiv, ast.Mod):
        return _floor(emit, operation is ast.FloorDiv, x, y)
    return refuse(f"{operation.__name__} of {kind}")


def _floor(emit: Emit, quotient: bool, x: str, y: str) -> Value:
    """x // y or x % y: the machine rounds towards zero, Python downwards."""
    rest = emit(f"srem i64 {x}, {y}")
    opposite = emit(f"icmp slt i64 {emit(f'xor i64 {rest}, {y}')}, 0")
    some = emit(f"icmp ne i64 {rest}, 0")
    down = emit(f"and i1 {opposite}, {some}")
    if quotient:
        plain = emit(f"sdiv i64 {x}, {y}")
        moved = emit(f"sub nsw i64 {plain}, 1")
    else:
        plain, moved = rest, emit(f"add nsw i64 {rest}, {y}")
    return Value(INTEGER, (emit(f"select i1 {down}, i64 {moved}, i64 {plain}"),))


def compare(emit: Emit, operator: ast.cmpop, a: Value, b: Value) -> Value:
    """One comparison; with NaN every one but != is false."""
    kind = joined(a.kind, b.kind)
    if not is_number(kind) or type(operator) not in _COMPARE:
        refuse(f"{type(operator).__name__} of {kind}")
    if kind == TRUTH:
        kind = INTEGER
    x, y = convert(emit, a, kind).word, convert(emit, b, kind).word
    of_integers, of_floats = _COMPARE[type(operator)]
    word = f"fcmp {of_floats} double" if kind == FLOAT else f"icmp {of_integers} i64"
    return Value(TRUTH, (emit(f"{word} {x}, {y}"),))


def extreme(emit: Emit, operator: ast.cmpop, a: Value, b: Value) -> Value:
    """min or max of two as Python has it: the first unless the second is beyond it."""
    kind = joined(a.kind, b.kind)
    a, b = convert(emit, a, kind), convert(emit, b, kind)
    beyond = compare(emit, operator, b, a).word
    return Value(kind, (emit(f"select i1 {beyond}, {kind} {b.word}, {kind} {a.word}"),))
