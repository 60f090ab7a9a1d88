"""Kernels and borders: the only place that touches numba.

A *kernel* is a plain Python function over arrays and numbers. Its text has three lives:

* interpreted, when ``DALEMBERT_JIT=0`` or while tracing: called as the Python it is;
* compiled by Numba on first use, cached on disk;
* traced: run interpreted over object arrays of formulas (see `system.specialise`).

A *border* is a kernel reached through its address, so that a method and an integrator are each
compiled once, and not once for every pair. Its C signature is

    int32 name(double* work, int64* sizes, <scalars: double, arrays: double*> ...)

Compiled user formulas have the same form and enter by the same door.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

COMPILED = os.environ.get("DALEMBERT_JIT", "1") != "0"
"""False: every kernel runs as interpreted Python (debugger, coverage, oracle)."""


@functools.cache
def source_hash() -> str:
    """Hash of the package's sources; numba does not notice a change in a callee's file."""
    digest = hashlib.sha256()
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def cache_folder() -> Path:
    """Folder of compiled code for exactly these sources; created on first use."""
    given = os.environ.get("DALEMBERT_CACHE")
    base = Path(given) if given else _user_cache() / "dalembert"
    folder = base / source_hash()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _user_cache() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home())))
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
