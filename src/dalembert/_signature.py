"""C signatures of borders, and interpreted functions that are reached through them by a key."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import Any

from dalembert._native import Native
from dalembert._once import once_property
from dalembert._translate import primitives

SIZES_COUNT = 320
"""Length of the head of every ``sizes`` array; integer tables follow it."""

SIZES_LENGTH = SIZES_COUNT - 1
"""Slot that holds the whole length of ``sizes``; slot 0 holds the length of ``work``."""

_table: weakref.WeakValueDictionary[int, Callable[..., int]] = weakref.WeakValueDictionary()
"""Interpreted functions by key; keys are negative, machine addresses are positive."""

_keys = itertools.count(-1, -1)


class Registered:
    """An interpreted function that can be called through a border by its key.

    It lives as long as this object, as machine code does with its owner. Called it gives the key.
    """

    def __init__(self, function: Callable[..., int]) -> None:
        self.function = function
        self.key = next(_keys)
        _table[self.key] = function

    def __call__(self) -> int:
        return self.key


class Signature:
    """The C signature of one border.

    Parameters
    ----------
    name : what the border does
    arguments : names after ``work`` and ``sizes``; a name in `SCALARS` is a double, any other a
        double* whose length stands in ``sizes`` at the slot given by `lengths`
    """

    SCALARS = frozenset({"t", "h", "tolerance"})

    def __init__(self, name: str, arguments: str, lengths: dict[str, int]) -> None:
        self.name = name
        self.arguments = tuple(arguments.split())
        self.lengths = lengths
        scalars = [a in self.SCALARS for a in self.arguments]
        self.call = Native(self._call_interpreted, primitives.through_address(scalars))

    def _call_interpreted(self, address: int, work: Any, sizes: Any, *args: Any) -> int:
        if address < 0:
            return _table[int(address)](work, sizes, *args)
        return int(self._prototype(int(address))(*self._pointers(work, sizes, *args)))

    @once_property
    def _prototype(self) -> Any:
        import ctypes

        kinds = [ctypes.c_double if a in self.SCALARS else ctypes.c_void_p for a in self.arguments]
        return ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *kinds)

    def _pointers(self, work: Any, sizes: Any, *args: Any) -> list[Any]:
        values = [
            x if a in self.SCALARS else x.ctypes.data
            for a, x in zip(self.arguments, args, strict=True)
        ]
        return [work.ctypes.data, sizes.ctypes.data, *values]
