"""Threads: no start-up, nothing is sent; compiled steps run beside one another.

The threads are daemons, so that Ctrl-C does not wait for the rows that they are at.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import Any, Self

from dalembert.study.engines.engine import AHEAD, Function

LOOK = 0.5
"""Seconds after which whoever waits looks whether it was interrupted (for Windows)."""


class Threads:
    """Chunks in threads of this process."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._stopped = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self._stopped.set()

    def map_chunks(self, function: Function, chunks: Iterator[Any]) -> Iterator[tuple[int, Any]]:
        """Number and result of every chunk, as they arrive."""
        given: queue.SimpleQueue[Any] = queue.SimpleQueue()
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()

        def work() -> None:
            while not self._stopped.is_set():
                chunk = given.get()
                if chunk is None:
                    return
                number, (ids, values) = chunk
                try:
                    done.put((number, function(ids, values), None))
                except BaseException as problem:  # handed to whoever waits
                    done.put((number, None, problem))

        threads = [
            threading.Thread(target=work, name=f"dalembert-study-{i}", daemon=True)
            for i in range(self.workers)
        ]
        for thread in threads:
            thread.start()
        flying = 0
        try:
            while True:
                while flying < AHEAD * self.workers and (chunk := next(chunks, None)) is not None:
                    given.put(chunk)
                    flying += 1
                if not flying:
                    return
                number, result, problem = _next(done)
                flying -= 1
                if problem is not None:
                    raise problem
                yield number, result
        finally:
            for _ in threads:
                given.put(None)


def _next(done: queue.SimpleQueue[Any]) -> Any:
    while True:
        try:
            return done.get(timeout=LOOK)
        except queue.Empty:
            continue
