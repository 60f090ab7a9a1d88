"""Memories and their parts in kernels (`_memory` declares them).

Both are values whose words are arrays. An integer of the head is loaded or stored where it is
named; a field of the numbers becomes a view, whose start and extents are in the head.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dalembert._extents import Extent
from dalembert._memory import Memory, Part, Slot, Span
from dalembert._records import Integers
from dalembert._translate import operations
from dalembert._translate.kinds import FLOAT, INTEGER, Record, Value, members

if TYPE_CHECKING:
    from dalembert._translate.expressions import Expressions


def field_of(cls: type, name: str) -> Slot | Span | None:
    """The declared field of a memory or a part, or None."""
    if issubclass(cls, Memory):
        return cls.memory_fields.get(name)
    if issubclass(cls, Part):
        return cls.part_fields.get(name)
    return None


def read(f: Expressions, node: ast.AST, owner: Value, field: Slot | Span) -> Value:
    """The integer, the number or the view that a name stands for."""
    if isinstance(field, Slot):
        return _entry(f, node, members(owner)[1], str(field.slot), INTEGER)
    state, array, start = _found(f, node, owner, field)
    if field.kind is float:
        return _entry(f, node, array, start, FLOAT)
    names = {name for extent in field.extents for name in extent.names}
    if not all(_is_count(state.kind.owner, name) for name in names):
        # the head does not hold its extent
        return f.view(node, array, start, (f.emit(f"sub nsw i64 {array.extents[0]}, {start}"),))
    extents = tuple(_extent(f, node, state, extent) for extent in field.extents)
    return f.view(node, array, start, extents)


def write(
    f: Expressions, node: ast.Attribute, owner: Value, field: Slot | Span, given: Value
) -> None:
    """Change an integer of the head or a number."""
    if isinstance(field, Slot):
        array, at, element = members(owner)[1], str(field.slot), INTEGER
    else:
        if field.kind is not float:
            f.refuse(node, f"assignment to {node.attr!r}, an array: assign to its entries")
        _state, array, at = _found(f, node, owner, field)
        element = FLOAT
    _look(f, node, array, at)
    f.store(operations.convert(f.emit, given, element), f.offset(array, at))


def _found(f: Expressions, node: ast.AST, owner: Value, field: Span) -> tuple[Value, Value, str]:
    """The memory, the array a field stands in, and where it begins there."""
    cls = owner.kind.owner
    if issubclass(cls, Memory):
        work, sizes = members(owner)
        array = sizes if field.kind is Integers else work
        return owner, array, _entry(f, node, sizes, str(field.slot), INTEGER).word
    state, room = members(owner)
    start = "0"
    for extents, many in _alike_before(cls, field):
        length = str(many) if many > 1 or not extents else ""
        for extent in extents:
            count = _extent(f, node, state, extent)
            length = f.emit(f"mul nsw i64 {count}, {length}") if length else count
        start = length if start == "0" else f.emit(f"add nsw i64 {start}, {length}")
    return state, room, start


def _alike_before(cls: type[Part], field: Span) -> Iterator[tuple[tuple[Extent, ...], int]]:
    """Extents of the fields of a part before one of them, and how many have these."""
    found: dict[tuple[str, ...], list[Span]] = {}
    for before in cls.part_fields.values():
        if before is field:
            break
        found.setdefault(tuple(extent.text for extent in before.room), []).append(before)
    for alike in found.values():
        yield alike[0].room, len(alike)


_OPERATIONS: dict[type, str] = {ast.Add: "add nsw", ast.Sub: "sub nsw", ast.Mult: "mul nsw"}


def _is_count(owner: Any, name: str) -> bool:
    """Whether a memory, or a value, holds a count."""
    if issubclass(owner, Memory):
        return isinstance(owner.memory_fields.get(name), Slot)
    return name in owner.field_types or isinstance(getattr(owner, name, None), property)


def _extent(f: Expressions, node: ast.AST, state: Value, extent: Extent) -> str:
    """The word of a formula of counts."""

    def count(name: str) -> str:
        owner = state.kind.owner
        if issubclass(owner, Memory):
            at = str(owner.memory_fields[name].slot)
            return _entry(f, node, members(state)[1], at, INTEGER).word
        if name in owner.field_types:
            return members(state)[list(owner.field_types).index(name)].word
        return f.call(getattr(owner, name).fget, [state]).word

    def both(operation: type, a: str, b: str) -> str:
        return f.emit(f"{_OPERATIONS[operation]} i64 {a}, {b}")

    return str(extent.by(count, str, both))


def _entry(f: Expressions, node: ast.AST, array: Value, at: str, element: str) -> Value:
    _look(f, node, array, at)
    return f.load(element, f.offset(array, at))


def _look(f: Expressions, node: ast.AST, array: Value, at: str) -> None:
    if f.program.checked:
        f.check(node, f.emit(f"icmp ult i64 {at}, {array.extents[0]}"))


def packed(owner: Any, values: list[Value]) -> list[Value]:
    """Arguments of a kernel whose first one is a memory and was given as its two arrays."""
    work, sizes, *others = values
    kind = Record(owner, (work.kind, sizes.kind))
    return [Value(kind, (*work.words, *sizes.words)), *others]
