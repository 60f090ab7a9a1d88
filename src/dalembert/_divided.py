"""Arrays divided by the counts of a value, as `_memory.Part` divides a field of a memory.

    class Room(Divided, by=Contacts):
        speed: float
        weight: Numbers = over("count")  # a field or a property of Contacts
        W: Matrix = over("n", "n")
        rest: Numbers = over("others")  # no count of Contacts: all that is left

    own = Room(contacts, numbers)
    own.weight[c] = own.W[i, i]

Where a field begins follows from those before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dalembert._memory import Part, Span


class Divided(Part, of=object):  # type: ignore[arg-type]
    """Base of divided arrays; see the module's first lines.

    Attributes
    ----------
    state : the value whose counts are asked for
    room : the array
    part_fields : {name: Span}
    """

    def __init_subclass__(cls, by: type) -> None:
        super().__init_subclass__(of=by)
        for span in cls.part_fields.values():
            setattr(cls, span.name, _Share(span))


class _Counts(Mapping[str, int]):
    """Fields and properties of a value, by name."""

    def __init__(self, owner: Any) -> None:
        self._owner = owner

    def __getitem__(self, name: str) -> int:
        try:
            return int(getattr(self._owner, name))
        except AttributeError:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(dir(self._owner))

    def __len__(self) -> int:
        return len(dir(self._owner))


class _Share:
    """A field of a divided array."""

    def __init__(self, span: Span) -> None:
        self.span = span

    def __get__(self, divided: Any, owner: type) -> Any:
        if divided is None:
            return self.span
        start, counts = self._start(divided)
        if self.span.kind is float:
            return divided.room[start]
        try:
            shape = [extent.of(counts) for extent in self.span.extents]
        except KeyError:
            return divided.room[start:]
        length = shape[0] * shape[-1] if len(shape) > 1 else shape[0]
        return divided.room[start : start + length].reshape(shape)

    def __set__(self, divided: Any, given: Any) -> None:
        if self.span.kind is not float:
            raise AttributeError(f"{self.span.name} is an array: its entries can be changed.")
        start, _counts = self._start(divided)
        divided.room[start] = given

    def _start(self, divided: Any) -> tuple[int, _Counts]:
        """Where the field begins, and the counts."""
        counts, start = _Counts(divided.state), 0
        for before in divided.part_fields.values():
            if before is self.span:
                break
            start += before.length(counts)
        return start, counts
