"""Results that are written to a store as they are found: arrays of Zarr, data sets of HDF5.

Worlds are taken through their steps a part at a time, whole chunks of the store, so that memory is
bounded by a part. A world has the same bits whichever part it is in. Nothing is asked of a store
but `shape`, `dtype`, `chunks` and to be written to; a path that ends in .zarr is made into an array
by the library `zarr` (extra `zarr`).
"""

from __future__ import annotations

import importlib
import os
from typing import Any

import numpy as np

from dalembert.batch.core import Core, Ended, Wishes
from dalembert.errors import OptionError

PART = 64 * 2**20
"""Bytes of a part, as long as a chunk has no more."""


def is_store(into: Any) -> bool:
    """Whether results go to a store, or to a path that is to become one."""
    if isinstance(into, str | os.PathLike):
        return True
    return not isinstance(into, np.ndarray) and hasattr(into, "chunks")


def store_of(into: Any, shape: tuple[int, ...], names: tuple[str, ...]) -> Any:
    """The store, of this shape and of float64; a path is made into an array of Zarr."""
    if isinstance(into, str | os.PathLike):
        return _created(os.fspath(into), shape, names)
    given = tuple(into.shape)
    if given != shape or np.dtype(into.dtype) != np.float64:
        raise OptionError(
            f"rollout: into is a store of {np.dtype(into.dtype)} of the shape {given}, not of"
            f" float64 of {shape}."
        )
    return into


def _created(path: str, shape: tuple[int, ...], names: tuple[str, ...]) -> Any:
    if not path.endswith(".zarr"):
        raise OptionError(
            f"rollout: into is {path!r}. Give an array, a store of Zarr or HDF5, or a path that"
            " ends in .zarr."
        )
    if os.path.exists(path):
        raise OptionError(f"rollout: into: {path!r} is there already. Give another path.")
    try:
        zarr = importlib.import_module("zarr")
    except ImportError:
        raise OptionError(
            "rollout: into a path takes Zarr. Install it by: pip install 'dalembert[zarr]'."
        ) from None
    rows = max(1, min(shape[0], 2**22 // max(1, 8 * shape[1] * shape[2])))
    made = zarr.create_array(store=path, shape=shape, chunks=(rows, *shape[1:]), dtype="float64")
    made.attrs["names"] = list(names)
    return made


def rows_of_part(store: Any) -> int:
    """Worlds of a part: whole chunks."""
    chunk = int(store.chunks[0]) if store.chunks else 1
    one = 8 * max(1, int(np.prod(store.shape[1:]))) * chunk
    return chunk * max(1, PART // one)


def roll_into(
    core: Core, q: Any, v: Any, controls: Any, rows: int, wishes: Wishes, store: Any, threads: int
) -> Ended:
    """`Core.roll` part by part, each written when its worlds have reached the end."""
    count, size = len(q), rows_of_part(store)
    found = []
    for first in range(0, count, size):
        part = np.arange(first, min(first + size, count))
        out = np.empty((len(part), *store.shape[1:]))
        own = controls[part] if len(controls) == count else controls
        given = (np.ascontiguousarray(q[part]), np.ascontiguousarray(v[part]), own, rows)
        found.append(core.of_worlds(part).roll(*given, wishes, out, threads))
        store[first : first + len(part)] = out
    return Ended(
        *(np.concatenate([getattr(x, name) for x in found]) for name in ("status", "ended", "left"))
    )
