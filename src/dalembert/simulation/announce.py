"""One line while code is compiled for the first time on this machine."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

from dalembert import _jit


@contextlib.contextmanager
def compiling(method: Any, integrator: Any, *, silent: bool = False) -> Iterator[None]:
    """Say that kernels are being compiled, unless these have been before or nobody wants to know.

    A marker beside the compiled code remembers which pairs are ready.
    """
    if not _jit.COMPILED:
        yield
        return
    pair = f"{type(method).__name__}-{type(integrator).__name__}-{getattr(integrator, 'order', '')}"
    marker = _jit.cache_folder() / f"ready-{pair}"
    known = marker.exists()
    if not known and not silent:
        print(
            f"dalembert: compiling {type(method).__name__} for this machine, once ...",
            file=sys.stderr,
            flush=True,
        )
    yield
    if not known:
        with contextlib.suppress(OSError):
            marker.touch()
