"""Primitives of `_jit` for kernels: views into the packed arrays, borders, min and max."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dalembert._translate import operations
from dalembert._translate.kinds import FLOAT, INTEGER, Array, Value, refuse

if TYPE_CHECKING:
    from dalembert._translate.expressions import Expressions

Primitive = Callable[["Expressions", ast.Call, Sequence[Value]], Value]


def view(f: Expressions, node: ast.Call, values: Sequence[Value]) -> Value:
    """vector_view(array, start, count) and matrix_view(array, start, rows, columns)."""
    array, *numbers = values
    if not isinstance(array.kind, Array) or array.kind.dimension != 1:
        refuse(f"a view into {array.kind}")
    first, *extents = [operations.convert(f.emit, x, INTEGER).word for x in numbers]
    return f.view(node, array, first, tuple(extents))


def smaller(f: Expressions, node: ast.Call, values: Sequence[Value]) -> Value:
    """The first if it is below the second, else the second."""
    a, b = values
    return operations.extreme(f.emit, ast.Lt(), b, a)


def larger(f: Expressions, node: ast.Call, values: Sequence[Value]) -> Value:
    """The first if it is above the second, else the second."""
    a, b = values
    return operations.extreme(f.emit, ast.Gt(), b, a)


def through_address(scalars: Sequence[bool]) -> Primitive:
    """A call of a border: (address, work, sizes, *arguments); arrays pass as their addresses."""

    def call(f: Expressions, node: ast.Call, values: Sequence[Value]) -> Value:
        address, work, sizes, *arguments = values
        pointer = f.emit(f"inttoptr i64 {address.word} to ptr")
        given = [f"ptr {work.word}", f"ptr {sizes.word}"]
        for is_scalar, value in zip(scalars, arguments, strict=True):
            if is_scalar:
                given.append(f"double {operations.convert(f.emit, value, FLOAT).word}")
            elif isinstance(value.kind, Array):
                given.append(f"ptr {value.word}")
            else:
                refuse(f"{value.kind} where a border takes an array")
        status = f.emit(f"call i32 {pointer}({', '.join(given)})")
        return Value(INTEGER, (f.emit(f"sext i32 {status} to i64"),))

    return call
