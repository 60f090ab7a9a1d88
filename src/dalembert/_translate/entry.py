"""The door of a kernel for Python: arguments are laid in a row, and one address is passed.

Asking NumPy for the address of an array takes longer than most kernels. A loop that calls a kernel
again with the same arrays, as a run does between its chunks, is therefore recognised, and only the
numbers are laid anew.
"""

from __future__ import annotations

import ctypes
import struct
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dalembert._translate.kinds import FLOAT, TRUTH, Array, Kind, kind_of, leaves, word_types
from dalembert._translate.objects import Loaded

_address = ctypes.addressof

_FORMAT = {FLOAT: "d", TRUTH: "?7x"}
"""How a word is packed; all others are integers of eight bytes."""


class _Door:
    """Machine code for arguments of given kinds; a tuple is passed as its members."""

    def __init__(self, loaded: Loaded, kinds: Sequence[Kind], *, holding: bool) -> None:
        results, kinds = loaded.note.split(), leaves(kinds)
        self.arrays = [k for k, kind in enumerate(kinds) if isinstance(kind, Array)]
        self.numbers = [k for k, kind in enumerate(kinds) if not isinstance(kind, Array)]
        self.loaded = loaded
        prototype = ctypes.PYFUNCTYPE if holding else ctypes.CFUNCTYPE
        self.code = prototype(None, ctypes.c_void_p)(loaded.address)
        self.results = _packing(results)
        self.given = _packing([kinds[k] for k in self.numbers])
        self.words = _packing([w for k in self.arrays for w in word_types(kinds[k])])
        self.room = ctypes.c_char * (self.results.size + self.given.size + self.words.size)


class _Call:
    """A door with arrays laid out for it; it keeps no array alive.

    `arguments` are the leaves of what was given, `types` the types of that.
    """

    def __init__(self, door: _Door, arguments: Sequence[Any], types: list[type]) -> None:
        self.door = door
        self.types = types
        self.arrays = [(k, weakref.ref(arguments[k])) for k in door.arrays]
        self.numbers = [(k, type(arguments[k])) for k in door.numbers]
        words = []
        for k in door.arrays:
            words += [arguments[k].__array_interface__["data"][0], *arguments[k].shape]
        self.layout = bytes(door.results.size + door.given.size) + door.words.pack(*words)

    def fits(self, arguments: Sequence[Any]) -> bool:
        """Whether these are the same arrays, and numbers of the same types."""
        for k, reference in self.arrays:
            array = reference()
            if array is None or array is not arguments[k]:
                return False
        for k, kind in self.numbers:
            if type(arguments[k]) is not kind:
                return False
        return True

    def __call__(self, arguments: Sequence[Any]) -> Any:
        door = self.door
        room = door.room.from_buffer_copy(self.layout)
        if door.numbers:
            door.given.pack_into(room, door.results.size, *[arguments[k] for k in door.numbers])
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
        self._last: _Call | None = None
        self._nested = False

    def __call__(self, *arguments: Any) -> Any:
        types = [type(a) for a in arguments]
        call = self._last
        given = leaves(arguments) if self._nested else arguments
        if call is None or call.types != types or not call.fits(given):
            if len(arguments) != self._count:
                raise TypeError(
                    f"{self._name} takes {self._count} arguments, not {len(arguments)}."
                )
            kinds = tuple([kind_of(a) for a in arguments])
            if None in kinds:
                return self._with_copies(arguments)
            if kinds not in self._doors:
                self._doors[kinds] = _Door(self._load(kinds), kinds, holding=self._holding)
            self._nested = self._nested or any(isinstance(kind, tuple) for kind in kinds)
            given = leaves(arguments)
            call = _Call(self._doors[kinds], given, types)
            # the members of a tuple may be others next time, those of a record are declared
            self._last = None if tuple in types else call
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
