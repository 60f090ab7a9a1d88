"""Records: classes with named fields that kernels are written in.

A *value* is a handful of numbers with an algebra: a vector, a rotation, an inertia. It is never
changed; in compiled code its numbers are registers.

    @value
    class Vec3:
        x: float
        y: float
        z: float

        def __add__(self, b):
            return Vec3(self.x + b.x, self.y + b.y, self.z + b.z)

A *place* is where things stand in packed arrays: a link of a tree, a block of rows. Its fields are
read and written where they stand. Each table it has part in is declared as a class within it; where
a field stands follows from those before it.

    class Link(Place):
        class integers:
            parent: int
        class room:
            arm: Vec3
            load: Force

    link = Link(integers, 8 * i, room, 9 * i)
    link.load = link.load + p

In compiled code a place is the addresses of its tables and where it begins in each, however many
fields it has. `_translate` reads the same declarations; `docs/theory/kernels.md` says what a kernel
may do with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from types import FunctionType
from typing import TYPE_CHECKING, Any, Self, TypeAlias, dataclass_transform, get_type_hints

from dalembert._translate.source import keep_text

if TYPE_CHECKING:
    Numbers: TypeAlias = Any
    Integers: TypeAlias = Any
    Matrix: TypeAlias = Any
    IntegerMatrix: TypeAlias = Any
else:

    class Numbers:
        """Annotation of a field that is a vector of floats."""

    class Integers:
        """Annotation of a field that is a vector of integers."""

    class Matrix:
        """Annotation of a field that is a matrix of floats."""

    class IntegerMatrix:
        """Annotation of a field that is a matrix of integers."""


ARRAYS = (Numbers, Integers, Matrix, IntegerMatrix)


def declare_methods(cls: type) -> None:
    """Let kernels call what is defined in the class."""
    for thing in vars(cls).values():
        given = thing.fget if isinstance(thing, property) else getattr(thing, "__func__", thing)
        if isinstance(given, FunctionType):
            keep_text(given)
            given.is_method = True  # type: ignore[attr-defined]


def packed(method: Any) -> Any:
    """Declare a method of statements written out in a row, which become vector instructions.

    As `_jit.packed_kernel` does: it holds for the whole program the method is compiled into.
    """
    method.packed = True
    return method


# -- values ----------------------------------------------------------------------------------------


@dataclass_transform(frozen_default=True)
def value(cls: type) -> Any:
    """Declare a value: a frozen class whose fields are numbers, arrays or other values."""
    declare_methods(cls)
    hints = get_type_hints(cls)
    made: Any = dataclass(frozen=True, slots=True, eq=False)(cls)
    made.field_types = {field.name: hints[field.name] for field in fields(made)}
    made.is_value = True
    made.__iter__ = _items if hasattr(made, "__getitem__") else _parts
    made.__array_ufunc__ = None  # numbers of NumPy leave  s * v  to the value
    for name, kind in made.field_types.items():
        if kind not in (float, int, bool, *ARRAYS) and not getattr(kind, "is_value", False):
            raise TypeError(f"{cls.__qualname__}.{name}: {kind!r} is no kind of field.")
    return made


def _parts(self: Any) -> Iterator[Any]:
    """The fields of a value, one after another."""
    return (getattr(self, name) for name in type(self).field_types)


def _items(self: Any) -> Iterator[Any]:
    """The items of a value that has some."""
    return (self[i] for i in range(len(self)))


def size(kind: Any) -> int:
    """Numbers that a field of this kind consists of."""
    if not getattr(kind, "is_value", False):
        return 1
    return sum(size(part) for part in kind.field_types.values())


# -- places ----------------------------------------------------------------------------------------


class Field:
    """A field of a place: which of its tables it stands in, how far from the start, its kind."""

    def __init__(self, name: str, table: int, offset: int, kind: Any) -> None:
        self.name, self.table, self.offset, self.kind = name, table, offset, kind
        self.count = size(kind)

    def __get__(self, place: Any, owner: type) -> Any:
        if place is None:
            return self
        array, start = place.base[2 * self.table : 2 * self.table + 2]
        return _read(array, start + self.offset, self.kind)

    def __set__(self, place: Any, given: Any) -> None:
        array, start = place.base[2 * self.table : 2 * self.table + 2]
        _write(array, start + self.offset, given)


def _read(array: Any, at: int, kind: Any) -> Any:
    if kind is int:
        return int(array[at])
    if not getattr(kind, "is_value", False):
        return array[at]
    parts = []
    for part in kind.field_types.values():
        parts.append(_read(array, at, part))
        at += size(part)
    return kind(*parts)


def _write(array: Any, at: int, given: Any) -> int:
    if not getattr(type(given), "is_value", False):
        array[at] = given
        return at + 1
    for part in given:
        at = _write(array, at, part)
    return at


class Place:
    """Base of places; see the module's first lines.

    Attributes
    ----------
    place_fields : {name: Field}
    place_tables : {name of a table: int or float, the kind of its elements}
    """

    place_fields: dict[str, Field]
    place_tables: dict[str, type]
    _entries: dict[str, int]

    def __init_subclass__(cls) -> None:
        declare_methods(cls)
        # tables of the class it extends come first
        cls.place_fields = dict(getattr(cls, "place_fields", {}))
        cls.place_tables = dict(getattr(cls, "place_tables", {}))
        cls._entries = dict(getattr(cls, "_entries", {}))
        for table, declared in list(vars(cls).items()):
            if not isinstance(declared, type):
                continue
            kinds = get_type_hints(declared)
            elements = {int if kind is int else float for kind in kinds.values()}
            if len(elements) != 1:
                raise TypeError(f"{cls.__qualname__}.{table}: integers and numbers in one table.")
            at = 0
            for name, kind in kinds.items():
                if name in cls.place_fields:
                    raise TypeError(f"{cls.__qualname__}: two fields are called {name!r}.")
                field = Field(name, len(cls.place_tables), at, kind)
                cls.place_fields[name], at = field, at + field.count
                setattr(cls, name, field)
            cls.place_tables[table], cls._entries[table] = elements.pop(), at

    def __init__(self, *base: Any) -> None:
        if len(base) != 2 * len(self.place_tables):
            raise TypeError(f"{type(self).__qualname__} takes an array and a start for each table.")
        object.__setattr__(self, "base", base)

    def __setattr__(self, name: str, given: Any) -> None:
        if name not in self.place_fields:
            raise AttributeError(f"{type(self).__qualname__} has no field {name!r}.")
        object.__setattr__(self, name, given)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    @classmethod
    def alone(cls) -> Self:
        """A place of zeros with tables of its own: for Python, not for kernels."""
        import numpy as np

        base: list[Any] = []
        for table, element in cls.place_tables.items():
            kind = np.int64 if element is int else np.float64
            base += [np.zeros(cls._entries[table], dtype=kind), 0]
        return cls(*base)

    @classmethod
    def entries(cls, table: str) -> int:
        """How many entries of a table one place has."""
        return cls._entries[table]

    @classmethod
    def arrangement(cls) -> list[tuple[str, list[int]]]:
        """Names of the fields with their tables and offsets: what two versions must agree on."""
        return [(name, [field.table, field.offset]) for name, field in cls.place_fields.items()]

    @classmethod
    def span(cls, name: str) -> slice:
        """Entries of a field in its table, of the first place: for Python, not for kernels."""
        field = cls.place_fields[name]
        return slice(field.offset, field.offset + field.count)

    @classmethod
    def column(cls, array: Any, name: str, count: int) -> Any:
        """A field of the first places of a table, as an array: for Python, not for kernels."""
        field = cls.place_fields[name]
        width = list(cls._entries.values())[field.table]
        return array[: width * count].reshape(count, width)[:, field.offset]

    @classmethod
    def offsets(cls, *names: str) -> list[int]:
        """Where fields stand in their tables."""
        return [cls.place_fields[name].offset for name in names]
