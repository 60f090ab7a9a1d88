"""Memories: the packed arrays of a run, opened by the names of what stands in them.

A *memory* is two arrays: numbers, and integers whose head holds counts, addresses and where every
other field begins. It is declared as a class, and all else follows: the slots of the head, what is
allocated, and what a kernel finds under a name.

    class State(Memory):
        class integers:
            nv: int  # velocities
            rows: int  # of constraints
        class lists:
            order: Integers = over("rows")
        class numbers:
            phi: Numbers = over("rows")
            jacobian: Matrix = over("rows", "nv", when="dense")
            length: float

    state = State(work, sizes)
    state.phi[i] += state.jacobian[i, k] * v[k]

A *part* divides a field that is nobody's in particular, scratch mostly: its fields stand one behind
the other, as long as counts of the memory say.

    class Room(Part, of=State):
        S: Matrix = over("rows", "rows")
        x: Numbers = over("rows")

    own = Room(state, state.method_scratch)

In compiled code a memory is the two arrays, however many fields it has. `_translate.memories` reads
the same declarations.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, get_type_hints

import numpy as np

from dalembert._records import Integers, Matrix, Numbers, declare_methods


class Extent:
    """How many: a formula of counts, as text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text, mode="eval").body
        self.names = {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)}
        self._value = self.by(operator.itemgetter, _constant, _both)

    def of(self, counts: Mapping[str, Any]) -> int:
        """Its value."""
        return int(self._value(counts))

    def by(
        self, name: Callable[[str], Any], number: Callable[[Any], Any], both: Callable[..., Any]
    ) -> Any:
        """Its value by what counts, numbers and sums, differences and products of two stand for."""

        def found(tree: ast.expr) -> Any:
            if isinstance(tree, ast.Constant):
                return number(tree.value)
            if isinstance(tree, ast.Name):
                return name(tree.id)
            if isinstance(tree, ast.BinOp) and type(tree.op) in _OPERATIONS:
                return both(type(tree.op), found(tree.left), found(tree.right))
            raise TypeError(f"The extent {self.text!r} is no sum or product of counts.")

        return found(self.tree)


_OPERATIONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


def _constant(number: int) -> Callable[[Mapping[str, Any]], int]:
    """A number as a function of counts."""
    return lambda counts: number


def _both(op: type, a: Callable[..., int], b: Callable[..., int]) -> Callable[..., int]:
    """A sum, difference or product of two functions of counts."""
    operation = _OPERATIONS[op]
    return lambda counts: operation(a(counts), b(counts))


class Span:
    """A field of the numbers, or a list of integers.

    Attributes
    ----------
    name, kind : float, Numbers, Matrix or Integers
    extents : rows and columns, or entries
    room : entries to allocate, where more may come than there are now
    when : name of a truth without which nothing is allocated for it, or ""
    slot : place of the head that holds where it begins; -1 in a `Part`
    """

    name: str
    kind: Any
    slot: int = -1

    def __init__(self, extents: tuple[str, ...], when: str, room: str = "") -> None:
        self.extents, self.when = tuple(map(Extent, extents)), when
        self.room = (Extent(room),) if room else self.extents

    def length(self, counts: Mapping[str, Any]) -> int:
        """Entries to allocate for it."""
        if self.when and not counts[self.when]:
            return 0
        length = 1
        for extent in self.room:
            length *= extent.of(counts)
        return length

    def __get__(self, memory: Any, owner: type) -> Any:
        if memory is None:
            return self
        array, start, counts = memory.place_of(self)
        if self.kind is float:
            return array[start]
        try:
            shape = [extent.of(counts) for extent in self.extents]
        except KeyError:  # the head does not hold its extent
            return array[start:]
        if self.kind is Matrix:
            return array[start : start + shape[0] * shape[1]].reshape(shape)
        return array[start : start + shape[0]]

    def __set__(self, memory: Any, given: Any) -> None:
        if self.kind is not float:
            raise AttributeError(f"{self.name} is an array: its entries can be changed.")
        array, start, _counts = memory.place_of(self)
        array[start] = given


def over(*extents: str, when: str = "", room: str = "") -> Any:
    """Extents of a field, the truth without which nothing is allocated for it, and its room."""
    return Span(extents, when, room)


class Slot:
    """An integer of the head."""

    def __init__(self, name: str, slot: int) -> None:
        self.name, self.slot = name, slot

    def __get__(self, memory: Any, owner: type) -> Any:
        return self if memory is None else int(memory.sizes[self.slot])

    def __set__(self, memory: Any, given: int) -> None:
        memory.sizes[self.slot] = given


def _spans(declared: type) -> Iterator[Span]:
    """The fields that a class declares, in their order."""
    kinds = get_type_hints(declared)
    for name in declared.__annotations__:
        kind = kinds[name]
        found = vars(declared).get(name, None) or Span((), "")
        if kind not in _DIMENSIONS or len(found.extents) != _DIMENSIONS[kind]:
            raise TypeError(f"{declared.__qualname__}.{name}: {kind!r} over other extents.")
        found.name, found.kind = name, kind
        yield found


_DIMENSIONS = {float: 0, Numbers: 1, Integers: 1, Matrix: 2}


class _Counts(Mapping[str, int]):
    """The integers of a memory by name."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory

    def __getitem__(self, name: str) -> int:
        field = type(self._memory).memory_fields.get(name)
        if not isinstance(field, Slot):
            raise KeyError(name)
        return int(self._memory.sizes[field.slot])

    def __iter__(self) -> Iterator[str]:
        return iter(type(self._memory).memory_fields)

    def __len__(self) -> int:
        return len(type(self._memory).memory_fields)


class Memory:
    """Base of memories; see the module's first lines.

    Attributes
    ----------
    memory_fields : {name: Slot or Span}
    """

    __slots__ = ("sizes", "work")
    is_value: ClassVar[bool] = True
    field_types: ClassVar[dict[str, Any]] = {"work": Numbers, "sizes": Integers}
    memory_fields: ClassVar[dict[str, Slot | Span]] = {}

    def __init_subclass__(cls) -> None:
        declare_methods(cls)
        fields = dict(cls.memory_fields)  # those of the class it extends come first
        for declared in [thing for thing in vars(cls).values() if isinstance(thing, type)]:
            kinds = get_type_hints(declared)
            if set(kinds.values()) == {int}:
                made: list[Slot | Span] = [Slot(name, 0) for name in kinds]
            else:
                made = [*_spans(declared)]
            for field in made:
                if field.name in fields:
                    raise TypeError(f"{cls.__qualname__}: two fields are called {field.name!r}.")
                field.slot = len(fields)
                fields[field.name] = field
                setattr(cls, field.name, field)
        cls.memory_fields = fields

    def __init__(self, work: Any, sizes: Any) -> None:
        object.__setattr__(self, "work", work)
        object.__setattr__(self, "sizes", sizes)

    def __setattr__(self, name: str, given: Any) -> None:
        if name not in self.memory_fields:
            raise AttributeError(f"{type(self).__qualname__} has no field {name!r} to change.")
        object.__setattr__(self, name, given)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.work, self.sizes))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def place_of(self, span: Span) -> tuple[Any, int, Mapping[str, int]]:
        """The array of a field, where the field begins, and the counts."""
        array = self.sizes if span.kind is Integers else self.work
        return array, int(self.sizes[span.slot]), _Counts(self)

    def start_of(self, name: str) -> int:
        """Where a field of the numbers, or a list of integers, begins in its array."""
        return int(self.sizes[self.memory_fields[name].slot])

    @classmethod
    def slot(cls, name: str) -> int:
        """Place of the head that holds an integer, or where a field begins."""
        return cls.memory_fields[name].slot

    @classmethod
    def slots(cls, declared: type) -> list[int]:
        """Slots of what one of its classes declares, in their order."""
        return [cls.memory_fields[name].slot for name in get_type_hints(declared)]

    @classmethod
    def spans(cls, *, integers: bool = False) -> list[Span]:
        """Fields of the numbers, or lists of integers, in their order."""
        fields = [field for field in cls.memory_fields.values() if isinstance(field, Span)]
        return [field for field in fields if (field.kind is Integers) == integers]

    @classmethod
    def arrangement(cls) -> list[tuple[str, Any]]:
        """Names of the fields with their slots and extents: what two versions must agree on."""
        return [
            (name, [field.slot, *(extent.text for extent in getattr(field, "room", ()))])
            for name, field in cls.memory_fields.items()
        ]

    @classmethod
    def lengths(cls, counts: Mapping[str, Any]) -> list[tuple[int, int]]:
        """(slot, entries to allocate) of every field of the numbers, in their order."""
        return [(span.slot, span.length(counts)) for span in cls.spans()]

    @classmethod
    def extent(cls, counts: Mapping[str, Any]) -> tuple[int, int]:
        """How many numbers and integers there are with these counts."""
        numbers, integers = (
            sum(span.length(counts) for span in cls.spans(integers=which))
            for which in (False, True)
        )
        # one spare number: a field of length zero at the end still has an address
        return numbers + 1, len(cls.memory_fields) + integers

    @classmethod
    def allocated(cls, counts: Mapping[str, Any]) -> Any:
        """A memory of zeros with room for what the counts say, and those it has in its head."""
        length, integers = cls.extent(counts)
        made = cls(np.zeros(length), np.zeros(integers, dtype=np.int64))
        for which, place in ((True, len(cls.memory_fields)), (False, 0)):
            for span in cls.spans(integers=which):
                made.sizes[span.slot] = place
                place += span.length(counts)
        for name, field in cls.memory_fields.items():
            if isinstance(field, Slot) and name in counts:
                made.sizes[field.slot] = counts[name]
        return made

    def enlarged(self, **counts: int) -> Any:
        """A copy of the memory in which some counts are larger; every field keeps its entries."""
        had = _Counts(self)
        slots = {n: had[n] for n, field in self.memory_fields.items() if isinstance(field, Slot)}
        made = type(self).allocated({**slots, **counts})
        for field in self.memory_fields.values():
            if isinstance(field, Span):
                array, start, _counts = self.place_of(field)
                target, first, _ = made.place_of(field)
                length = field.length(had)
                target[first : first + length] = array[start : start + length]
        return made


class Part:
    """Base of parts; see the module's first lines.

    Attributes
    ----------
    part_fields : {name: Span}
    """

    __slots__ = ("room", "state")
    is_value: ClassVar[bool] = True
    field_types: ClassVar[dict[str, Any]] = {}
    part_fields: ClassVar[dict[str, Span]] = {}

    def __init_subclass__(cls, of: type[Memory]) -> None:
        declare_methods(cls)
        cls.field_types = {"state": of, "room": Numbers}
        cls.part_fields = {span.name: span for span in _spans(cls)}
        for name, span in cls.part_fields.items():
            if name in cls.field_types:
                raise TypeError(f"{cls.__qualname__}: {name!r} is what a part is made of.")
            setattr(cls, name, span)

    def __init__(self, state: Any, room: Any) -> None:
        self.state, self.room = state, room

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def place_of(self, span: Span) -> tuple[Any, int, Mapping[str, int]]:
        """The array of a field, where the field begins, and the counts."""
        counts, start = _Counts(self.state), 0
        for before in self.part_fields.values():
            if before is span:
                break
            start += before.length(counts)
        return self.room, start, counts

    @classmethod
    def length(cls, **counts: int) -> int:
        """Numbers that it needs."""
        return sum(span.length(counts) for span in cls.part_fields.values())


def opened_by(function: Callable[..., Any]) -> Any:
    """The memory that the first parameter of a kernel is said to be, or None."""
    code = function.__code__
    if not code.co_argcount:
        return None
    said = function.__annotations__.get(code.co_varnames[0])
    if isinstance(said, str):
        said = function.__globals__.get(said)
    return said if isinstance(said, type) and issubclass(said, Memory) else None
