"""The door of a kernel for Python: arguments are laid in a row, and one address is passed.

Asking NumPy for the address of an array takes longer than most kernels. Arrays that were handed
over by the last call, as a run does again and again, are therefore recognised; numbers are laid
anew, and so are arrays that were others.
"""

from __future__ import annotations

import ctypes
import struct
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dalembert._translate.kinds import (
    ELEMENTS,
    FLOAT,
    TRUTH,
    Array,
    Kind,
    kind_of,
    leaves,
    word_types,
)
from dalembert._translate.objects import Loaded

_address = ctypes.addressof

DTYPES = {element: dtype for dtype, element in ELEMENTS.items()}
"""Elements of arrays, as NumPy has them."""

_FORMAT = {FLOAT: "d", TRUTH: "?7x"}
"""How a word is packed; all others are integers of eight bytes."""


class _Door:
    """Machine code for arguments of given kinds; a tuple is passed as its members.

    `arrays` has for each array: which of the leaves it is, its elements, dimension, and how and
    where its words are laid in the row.
    """

    def __init__(self, loaded: Loaded, kinds: Sequence[Kind], *, holding: bool) -> None:
        results, kinds = loaded.note.split(), leaves(kinds)
        self.numbers = [k for k, kind in enumerate(kinds) if not isinstance(kind, Array)]
        self.loaded = loaded
        prototype = ctypes.PYFUNCTYPE if holding else ctypes.CFUNCTYPE
        self.code = prototype(None, ctypes.c_void_p)(loaded.address)
        self.results = _packing(results)
        self.given = _packing([kinds[k] for k in self.numbers])
        self.arrays = []
        at = self.results.size + self.given.size
        for k, kind in enumerate(kinds):
            if isinstance(kind, Array):
                words = _packing(word_types(kind))
                self.arrays.append((k, DTYPES[kind.element], kind.dimension, words, at))
                at += words.size
        self.room = ctypes.c_char * at


def _nothing() -> None:
    """No array: what has never been laid."""


class _Call:
    """A door with arrays laid out for it, `given` with other leaves; it keeps no array alive."""

    def __init__(self, door: _Door, given: Sequence[Any], like: _Call | None = None) -> None:
        self.door = door
        known: list[Any] = [_nothing] * len(door.arrays)
        row = bytearray(ctypes.sizeof(door.room))
        if like is not None:
            known, row = like.references, bytearray(like.layout)
        self.references: list[Any] = known.copy()
        for n, (k, _dtype, _dimension, words, at) in enumerate(door.arrays):
            array = given[k]
            if known[n]() is not array:
                self.references[n] = weakref.ref(array)
                address = array.__array_interface__["data"][0]
                words.pack_into(row, at, address, *array.shape)
        self.layout: bytes = bytes(row)

    def with_arrays(self, given: Sequence[Any]) -> _Call | None:
        """The call for these arrays: this one if they are the same; None if they are of others."""
        known = zip(self.door.arrays, self.references, strict=True)
        others = [array for array, reference in known if reference() is not given[array[0]]]
        if not others:
            return self
        for k, dtype, dimension, *_ in others:
            array = given[k]
            if type(array) is not np.ndarray or array.dtype != dtype or array.ndim != dimension:
                return None
            if not array.flags.c_contiguous:
                return None
        return _Call(self.door, given, self)

    def __call__(self, given: Sequence[Any]) -> Any:
        door = self.door
        room = door.room.from_buffer_copy(self.layout)
        if door.numbers:
            door.given.pack_into(room, door.results.size, *[given[k] for k in door.numbers])
        door.code(_address(room))
        found = door.results.unpack_from(room)
        return found[0] if len(found) == 1 else (found or None)


class Entry:
    """The door of one kernel.

    Parameters
    ----------
    function : the kernel's own, for messages
    load : the machine code for arguments of given kinds
    holding : keep Python's lock meanwhile: code that calls Python back very often does not have to
        take it every time
    """

    def __init__(
        self,
        function: Callable[..., Any],
        load: Callable[[tuple[Kind, ...]], Loaded],
        *,
        holding: bool = False,
    ) -> None:
        self._name, self._count = function.__name__, function.__code__.co_argcount
        self._load = load
        self._holding = holding
        self._doors: dict[tuple[Kind, ...], _Door] = {}
        self._calls: dict[tuple[type, ...], _Call] = {}

    def __call__(self, *arguments: Any) -> Any:
        types = tuple(map(type, arguments))
        given, last = leaves(arguments), self._calls.get(types)
        call = None if last is None else last.with_arrays(given)
        if call is None:
            if len(arguments) != self._count:
                raise TypeError(
                    f"{self._name} takes {self._count} arguments, not {len(arguments)}."
                )
            kinds = tuple([kind_of(a) for a in arguments])
            if None in kinds:
                return self._with_copies(arguments)
            if kinds not in self._doors:
                self._doors[kinds] = _Door(self._load(kinds), kinds, holding=self._holding)
            call = _Call(self._doors[kinds], given)
        if call is not last and tuple not in types:
            # the members of a tuple may be others next time, those of a record are declared
            self._calls[types] = call
        return call(given)

    def _with_copies(self, arguments: Sequence[Any]) -> Any:
        """Call with packed copies of arrays that are not packed, and write the copies back."""
        packed = [self._packed(k, a) if kind_of(a) is None else a for k, a in enumerate(arguments)]
        found = self(*packed)
        for given, copy in zip(arguments, packed, strict=True):
            if copy is not given and given.flags.writeable:
                given[...] = copy
        return found

    def _packed(self, k: int, given: Any) -> Any:
        """A contiguous copy, as floats or as integers of 64 bits."""
        if isinstance(given, np.ndarray) and given.ndim in (1, 2) and given.dtype.kind in "fiub":
            kind = np.float64 if given.dtype.kind == "f" else np.int64
            return np.array(given, dtype=kind, order="C")
        what = f"{given.ndim}-d array of {given.dtype}" if isinstance(given, np.ndarray) else given
        raise TypeError(
            f"{self._name}: argument {k + 1} is {what!r:.80}. A kernel takes numbers and arrays of "
            "numbers in one or two dimensions."
        )


def _packing(words: Sequence[str]) -> struct.Struct:
    return struct.Struct("=" + "".join(_FORMAT.get(word, "q") for word in words))
