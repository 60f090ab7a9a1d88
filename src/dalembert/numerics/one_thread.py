"""Linear algebra of NumPy and SciPy in one thread.

Matrices of a mechanism are small. Threads of the BLAS that share their products wait for one
another longer than they work, six times as long with two of them.
"""

from __future__ import annotations

import contextlib
import ctypes
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import scipy

NAMES = ("scipy_openblas{}64_", "scipy_openblas{}", "openblas{}64_", "openblas{}")
"""Beginnings and ends of the names that builds of OpenBLAS give their functions."""

_lock = threading.Lock()
_within = 0
_before: list[int] = []


@cache
def _libraries() -> tuple[tuple[Callable[[], int], Callable[[int], None]], ...]:
    """How many threads each library has, and how to change it; none where there are others."""
    found = []
    for package in (np, scipy):
        place = Path(str(package.__file__)).parent
        folders = (place.parent / f"{package.__name__}.libs", place / ".dylibs")
        for file in (f for folder in folders for f in sorted(folder.glob("*openblas*"))):
            with contextlib.suppress(OSError):
                library = ctypes.CDLL(str(file))
                for name in NAMES:
                    get = getattr(library, name.format("_get_num_threads"), None)
                    put = getattr(library, name.format("_set_num_threads"), None)
                    if get is not None and put is not None:
                        found.append((get, put))
                        break
    return tuple(found)


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """One thread in the block, or in a function that it decorates; then as many as before."""
    global _within, _before
    with _lock:
        if _within == 0:
            _before = [get() for get, _ in _libraries()]
            for _, put in _libraries():
                put(1)
        _within += 1
    try:
        yield
    finally:
        with _lock:
            _within -= 1
            if _within == 0:
                for (_, put), count in zip(_libraries(), _before, strict=True):
                    put(count)
