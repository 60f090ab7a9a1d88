"""Records in kernels: fields, methods, operators, construction (`_records` declares them).

A value consists of the words of its fields. A place consists, for each of its tables, of the array
and of where the place begins in it; a field is loaded or stored where it is named.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dalembert._records import Field, IntegerMatrix, Integers, Matrix, Numbers, Place
from dalembert._translate import memories, operations
from dalembert._translate.kinds import (
    FLOAT,
    INTEGER,
    TRUTH,
    Array,
    Kind,
    Record,
    Value,
    members,
    refuse,
    word_types,
)

if TYPE_CHECKING:
    from dalembert._translate.expressions import Expressions

OPERATORS: dict[type, str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.MatMult: "matmul",
    ast.Mod: "mod",
    ast.Pow: "pow",
}
"""Methods of the binary operators; reflected ones have an r before the name."""

_SIMPLE: dict[Any, Kind] = {
    float: FLOAT,
    int: INTEGER,
    bool: TRUTH,
    Numbers: Array(FLOAT, 1),
    Integers: Array(INTEGER, 1),
    Matrix: Array(FLOAT, 2),
    IntegerMatrix: Array(INTEGER, 2),
}


def is_value(thing: Any) -> bool:
    """Whether it is a class of values."""
    return isinstance(thing, type) and bool(getattr(thing, "is_value", False))


def is_place(thing: Any) -> bool:
    """Whether it is a class of places."""
    return isinstance(thing, type) and issubclass(thing, Place)


def kind_of_type(given: Any) -> Kind:
    """Kind of a field by what its class declares."""
    if is_value(given):
        return kind_of_record(given)
    return _SIMPLE[given]


def kind_of_record(owner: Any) -> Record:
    """Kind of the records of a class."""
    if is_value(owner):
        return Record(owner, (kind_of_type(part) for part in owner.field_types.values()))
    kinds: list[Kind] = []
    for element in owner.place_tables.values():
        kinds += [Array(INTEGER if element is int else FLOAT, 1), INTEGER]
    return Record(owner, kinds)


def construct(f: Expressions, node: ast.AST, owner: Any, given: Sequence[Value]) -> Value:
    """A record of the class `owner` from what stands in its brackets."""
    kinds = kind_of_record(owner)
    if len(given) != len(kinds):
        f.refuse(node, f"{len(given)} of the {len(kinds)} parts of a {owner.__qualname__}")
    words: list[str] = []
    for value, kind in zip(given, kinds, strict=True):
        words += operations.convert(f.emit, value, kind).words
    return Value(kinds, tuple(words))


def attribute(f: Expressions, node: ast.Attribute, owner: Value) -> Value:
    """A field of a record, or a property."""
    cls, name = owner.kind.owner, node.attr
    if is_place(cls) and name in cls.place_fields:
        field = cls.place_fields[name]
        array, at = _where(f, node, owner, field)
        return _read(f, array, at, 0, field.kind)[0]
    if not is_place(cls) and name in cls.field_types:
        return members(owner)[list(cls.field_types).index(name)]
    declared = memories.field_of(cls, name)
    if declared is not None:
        return memories.read(f, node, owner, declared)
    found = getattr(cls, name, None)
    if isinstance(found, property) and found.fget is not None:
        return f.call(found.fget, [owner])
    return f.refuse(node, f"{cls.__qualname__} has no field {name!r}")


def put_attribute(f: Expressions, node: ast.Attribute, given: Value) -> None:
    """Write a field of a place."""
    owner = f.expression(node.value)
    cls = owner.kind.owner if isinstance(owner.kind, Record) else None
    declared = memories.field_of(cls, node.attr) if cls is not None else None
    if declared is not None:
        memories.write(f, node, owner, declared, given)
        return
    if not is_place(cls):
        f.refuse(node, f"assignment to a field of {owner.kind}, which is never changed")
    if node.attr not in cls.place_fields:  # type: ignore[union-attr]
        f.refuse(node, f"{cls.__qualname__} has no field {node.attr!r}")  # type: ignore[union-attr]
    field = cls.place_fields[node.attr]  # type: ignore[union-attr]
    array, at = _where(f, node, owner, field)
    value = operations.convert(f.emit, given, kind_of_type(field.kind))
    words = zip(value.words, word_types(value.kind), strict=True)
    for k, (word, kind) in enumerate(words):
        number = operations.convert(f.emit, Value(kind, (word,)), array.kind.element)
        f.store(number, f.offset(array, _behind(f, at, k)))


def _where(f: Expressions, node: ast.Attribute, place: Value, field: Field) -> tuple[Value, str]:
    """The array a field stands in, and its index there."""
    array, start = members(place)[2 * field.table : 2 * field.table + 2]
    at = _behind(f, start.word, field.offset)
    if f.program.checked:
        last = f.emit(f"add nsw i64 {at}, {field.count}")
        for lower, upper in (("0", at), (last, array.extents[0])):
            f.check(node, f.emit(f"icmp sle i64 {lower}, {upper}"))
    return array, at


def _behind(f: Expressions, at: str, count: int) -> str:
    return at if count == 0 else f.emit(f"add nsw i64 {at}, {count}")


def _read(f: Expressions, array: Value, at: str, skip: int, given: Any) -> tuple[Value, int]:
    """Value that stands in an array from an index on, and how many entries have been read."""
    if not is_value(given):
        number = f.load(array.kind.element, f.offset(array, _behind(f, at, skip)))
        return operations.convert(f.emit, number, kind_of_type(given)), skip + 1
    words: list[str] = []
    for part in given.field_types.values():
        found, skip = _read(f, array, at, skip, part)
        words += found.words
    return Value(kind_of_type(given), tuple(words)), skip


def method(f: Expressions, node: ast.AST, owner: Value, name: str, more: Sequence[Value]) -> Value:
    """The value of a call of a method of a record."""
    found = getattr(owner.kind.owner, name, None)
    if not getattr(found, "is_method", False):
        f.refuse(node, f"{owner.kind} has no method {name!r}")
    return f.call(found, [owner, *more])  # type: ignore[arg-type]


def binary(f: Expressions, node: ast.BinOp, a: Value, b: Value) -> Value:
    """The value of an operator between two values of which one is a record."""
    name = OPERATORS.get(type(node.op))
    for owner, other, full in ((a, b, f"__{name}__"), (b, a, f"__r{name}__")):
        if isinstance(owner.kind, Record) and hasattr(owner.kind.owner, full):
            return method(f, node, owner, full, [other])
    return refuse(f"{type(node.op).__name__} of {a.kind} and {b.kind}")
