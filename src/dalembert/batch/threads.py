"""Pieces of work in threads that stay: whoever asks works, too; others help if they are free."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

MOST_THREADS = 64
"""Threads that are kept; those beyond do not help."""

_making = threading.Lock()
_kept: list[ThreadPoolExecutor] = []


def _pool() -> ThreadPoolExecutor:
    """The threads that are kept; they begin when they are first needed."""
    with _making:
        if not _kept:
            _kept.append(ThreadPoolExecutor(MOST_THREADS, "dalembert"))
        return _kept[0]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_kept.clear)


def in_threads(
    threads: int, make: Callable[[], Any], function: Callable[..., None], pieces: Sequence[Any]
) -> None:
    """Call a function with what `make` returns, once in each thread, and each of the pieces.

    The first error of any is raised when all have ended.
    """
    left = iter(pieces)
    taking = threading.Lock()

    def work() -> None:
        own = make()
        for piece in _taken(left, taking):
            function(own, *piece)

    helpers = [_pool().submit(work) for _ in range(min(threads, len(pieces)) - 1)]
    try:
        work()
    finally:
        # whoever has not begun is not needed: everything is taken
        begun = [helper for helper in helpers if not helper.cancel()]
        problems = [helper.exception() for helper in begun]
    for problem in problems:
        if problem is not None:
            raise problem


def _taken(left: Iterator[Any], taking: threading.Lock) -> Iterator[Any]:
    """Pieces, each for one thread."""
    while True:
        with taking:
            piece = next(left, None)
        if piece is None:
            return
        yield piece
