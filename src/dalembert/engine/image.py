"""The memory of an engine: arrays laid one behind the other, and rows of arguments for kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dalembert._translate.kinds import FLOAT, Array, Kind, leaves, word_types

ALIGNED = 16
STACK = 1 << 18
"""Bytes of the stack of the kernels."""

PAGE = 1 << 16
"""Bytes of a page of WebAssembly's memory."""


GAP = 256
"""Bytes of zero that are not carried: work arrays of long chains are megabytes of nothing."""


class Image:
    """Bytes of a memory from `begin` on: behind the data of a module and its stack."""

    def __init__(self) -> None:
        self._parts: list[Any] = []
        self._places: list[tuple[int, int, int]] = []
        self._end = 0

    def put(self, array: Any) -> int:
        """Place of an array, from the beginning of the image; a part of one is where that is."""
        first, count = array.ctypes.data, array.nbytes
        for begin, end, place in self._places if count else ():
            if begin <= first and first + count <= end:
                return int(place + first - begin)
        at = self._end
        self._parts.append((at, array))
        self._end = -(-(at + max(count, 8)) // ALIGNED) * ALIGNED
        self._places.append((first, first + count, at))
        return at

    @property
    def length(self) -> int:
        """Bytes so far."""
        return self._end

    def bytes(self, changed: dict[int, Any] | None = None) -> bytes:
        """All of it as it is now; `changed` arrays stand for those at some places."""
        made = bytearray(self._end)
        for at, array in self._parts:
            data = (changed or {}).get(at, array)
            made[at : at + array.nbytes] = np.ascontiguousarray(data).tobytes()
        return bytes(made)


def stretches(memory: bytes, gap: int = GAP) -> list[tuple[int, int]]:
    """Parts of a memory that are not zero, as places and lengths; short zeros within them stay.

    Examples
    --------
    >>> stretches(bytes(64) + b"ab" + bytes(3) + b"c" + bytes(64), gap=16)
    [(64, 6)]
    """
    filled = np.flatnonzero(np.frombuffer(memory, dtype=np.uint8))
    if not len(filled):
        return []
    breaks = np.flatnonzero(np.diff(filled) > gap)
    first = filled[np.concatenate([[0], breaks + 1])]
    last = filled[np.concatenate([breaks, [len(filled) - 1]])]
    return [(int(a), int(b - a + 1)) for a, b in zip(first, last, strict=True)]


class Row:
    """Arguments of a kernel in a row, eight bytes each: results, numbers, words of arrays.

    `numbers` are written by whoever calls; `pointers` are places of the image, to be moved to where
    it begins.
    """

    def __init__(self, image: Image, kinds: Sequence[Kind], arguments: Sequence[Any]) -> None:
        flat, given = leaves(kinds), leaves(arguments)
        self._words: list[int] = []
        self.numbers: list[bool] = []
        for kind, value in zip(flat, given, strict=True):
            if not isinstance(kind, Array):
                self.numbers.append(kind == FLOAT)
                self._words.append(0 if value is None else _bits(kind, value))
        self._places: list[int] = []
        for kind, value in zip(flat, given, strict=True):
            if isinstance(kind, Array):
                self._places.append(len(self._words))
                self._words += [image.put(value), *value.shape]
                assert len(word_types(kind)) == 1 + value.ndim

    def lay(self, image: Image, results: Sequence[str]) -> None:
        """Give the row its place, with room for results of these types."""
        self.results = [word == FLOAT for word in results]
        self.pointers = [len(results) + k for k in self._places]
        self.words = np.array([0] * len(results) + self._words, dtype=np.int64)
        self.at = image.put(self.words)


def _bits(kind: Kind, value: Any) -> int:
    return int(np.float64(value).view(np.int64)) if kind == FLOAT else int(value)
