"""Kinds of values in a kernel.

A value is a kind and the LLVM words it consists of: a number is one word, an array its address and
extents, a tuple the words of its members. Arrays are C-contiguous; strides follow from extents.
"""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from dalembert._once import once

FLOAT, INTEGER, TRUTH, NOTHING = "double", "i64", "i1", "void"
"""Kinds of one word, named as LLVM names them; NOTHING is what a kernel without a result gives."""


class UnsupportedError(Exception):
    """The kernel uses something outside the part of Python that is translated."""

    def __init__(self, reason: str, place: str | None = None) -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.reason = reason
        self.place = place


def refuse(reason: str) -> NoReturn:
    """Raise UnsupportedError; the place is added where it is known."""
    raise UnsupportedError(reason)


@dataclass(frozen=True)
class Array:
    """Kind of an array: FLOAT or INTEGER elements in one or two dimensions."""

    element: str
    dimension: int

    def __str__(self) -> str:
        return f"{self.element}[{self.dimension}]"


def kind_text(kind: Kind) -> str:
    """Text by which `kind_named` knows a number, an array or a record."""
    if isinstance(kind, Record):
        return f"{kind.owner.__module__}:{kind.owner.__qualname__}"
    return str(kind)


def kind_named(text: str) -> Kind:
    """The kind of a number, an array or a record by its text."""
    module, _, name = text.partition(":")
    if name:
        from dalembert._translate.records import kind_of_record

        return kind_of_record(getattr(importlib.import_module(module), name))
    element, _, rest = text.partition("[")
    return Array(element, int(rest[:-1])) if rest else element


class Record(tuple[Any, ...]):
    """Kind of a record (`_records`): the kinds of what it consists of, and its class."""

    __slots__ = ()
    owner: type

    def __new__(cls, owner: type, kinds: Iterable[Any]) -> Record:
        """Kind of a record of the class `owner`, made of values of these kinds."""
        made = super().__new__(_record_class(owner), kinds)
        return made

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.owner, tuple.__hash__(self)))

    def __str__(self) -> str:
        return self.owner.__qualname__


@once
def _record_class(owner: type) -> type[Record]:
    """Kinds of the records of one class are a class of their own."""
    return type(f"Record of {owner.__qualname__}", (Record,), {"owner": owner, "__slots__": ()})


Kind = Any
"""FLOAT, INTEGER, TRUTH, NOTHING, an `Array`, a tuple of kinds, or a `Record`."""


@dataclass(frozen=True)
class Value:
    """A value: its kind and its words, constants or names of LLVM registers."""

    kind: Kind
    words: tuple[str, ...]

    @property
    def word(self) -> str:
        """The word of a number, or the address of an array."""
        return self.words[0]

    @property
    def extents(self) -> tuple[str, ...]:
        """Extents of an array."""
        return self.words[1:]


def word_types(kind: Kind) -> list[str]:
    """LLVM types of the words of a kind."""
    if kind == NOTHING:
        return []
    if isinstance(kind, tuple):
        return [word for member in kind for word in word_types(member)]
    if isinstance(kind, Array):
        return ["ptr"] + ["i64"] * kind.dimension
    return [kind]


def leaves(parts: Any) -> list[Any]:
    """The members of tuples and records, and of theirs, in a row."""
    found: list[Any] = []
    for part in parts:
        cls = type(part)
        if cls is np.ndarray:
            found.append(part)
        elif isinstance(part, tuple):
            found += leaves(part)
        elif (spread := _spread(cls)) is not None:
            found += spread(part)
        else:
            found.append(part)
    return found


@once
def _spread(cls: Any) -> Callable[[Any], Any] | None:
    """A function that gives the leaves of a record of this class; None for what is no record."""
    if hasattr(cls, "place_tables"):
        return operator.attrgetter("base")
    if not getattr(cls, "is_value", False):
        return None
    paths = _paths(cls)
    read = operator.attrgetter(*paths)
    return read if len(paths) > 1 else lambda record: (read(record),)


def _paths(cls: Any) -> list[str]:
    """Paths to the leaves of a value: "state.work"."""
    found = []
    for name, kind in cls.field_types.items():
        inner = _paths(kind) if getattr(kind, "is_value", False) else [""]
        found += [f"{name}.{path}" if path else name for path in inner]
    return found


def is_record(given: Any) -> bool:
    """Whether something from Python is a value or a place (`_records`)."""
    cls: Any = type(given)
    return _is_record(cls)


@once
def _is_record(cls: type) -> bool:
    return bool(getattr(cls, "is_value", False) or hasattr(cls, "place_tables"))


def returned_type(kind: Kind) -> str:
    """LLVM type a function returns for a kind: nothing, one word, or a structure of words."""
    words = word_types(kind)
    if not words:
        return "void"
    return words[0] if len(words) == 1 else f"{{ {', '.join(words)} }}"


def members(value: Value) -> list[Value]:
    """The members of a tuple."""
    found, start = [], 0
    for kind in value.kind:
        size = len(word_types(kind))
        found.append(Value(kind, value.words[start : start + size]))
        start += size
    return found


def tuple_of(values: list[Value]) -> Value:
    """The tuple of the given members."""
    return Value(tuple(v.kind for v in values), tuple(w for v in values for w in v.words))


def is_number(kind: Kind) -> bool:
    """Whether values of this kind can be calculated with."""
    return kind in (FLOAT, INTEGER, TRUTH)


def joined(a: Kind, b: Kind) -> Kind:
    """The kind of a variable that holds both: the wider of two numbers."""
    if a == b:
        return a
    if is_number(a) and is_number(b):
        return FLOAT if FLOAT in (a, b) else INTEGER
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b) and type(a) is type(b):
        kinds = (joined(x, y) for x, y in zip(a, b, strict=True))
        return Record(a.owner, kinds) if isinstance(a, Record) else tuple(kinds)
    return refuse(f"a value is both {a} and {b}")


ELEMENTS = {np.dtype(np.float64): FLOAT, np.dtype(np.int64): INTEGER}
"""Elements an array may have."""


def kind_of(given: Any) -> Kind:
    """Kind of an argument from Python; None for one that has no kind."""
    if isinstance(given, np.ndarray):
        element = ELEMENTS.get(given.dtype)
        if element is None or given.ndim not in (1, 2) or not given.flags.c_contiguous:
            return None
        return Array(element, given.ndim)
    if isinstance(given, (bool, np.bool_)):
        return TRUTH
    if isinstance(given, (int, np.integer)):
        return INTEGER
    if isinstance(given, (float, np.floating)):
        return FLOAT
    if type(given) is tuple and given:
        kinds = tuple(kind_of(x) for x in given)
        return None if None in kinds else kinds
    return _kind_of_record(given) if is_record(given) else None


def _kind_of_record(given: Any) -> Kind:
    """Kind of a record from Python, None if one of its arrays is not what it is declared to be."""
    cls: Any = type(given)
    kind, parts = _declared(cls)
    for part, declared in zip(leaves([given]), parts, strict=True):
        if isinstance(declared, Array) and kind_of(part) != declared:
            return None
    return kind


@once
def _declared(cls: type) -> tuple[Kind, list[Kind]]:
    """Kind of a class of records, and of its members in a row."""
    from dalembert._translate.records import kind_of_record

    kind = kind_of_record(cls)
    return kind, leaves([kind])
