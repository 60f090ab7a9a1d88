"""Processes: for models whose Python functions hold the lock of Python.

A worker that dies breaks the whole pool of the standard library. The pool is then built anew, and
chunks that were under way are run again, nothing else. A chunk that was under way in several breaks
is run alone; if its worker dies again, the error names its rows.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection
from typing import Any, Self

from dalembert.errors import OptionError, StudyError
from dalembert.study.chunks import shown
from dalembert.study.engines.engine import AHEAD, GUARD, Function

ATTEMPTS = 3
"""Times that a worker may die while a chunk is under way; the last time it is alone."""

_function: Function | None = None
"""The function that this process, a worker, is there for."""


class Processes:
    """Chunks in processes of this machine."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            raise OptionError(f"sweep: a worker began a study of its own. {GUARD}")
        return self

    def __exit__(self, *problem: object) -> None:
        self._end()

    def map_chunks(self, function: Function, chunks: Iterator[Any]) -> Iterator[tuple[int, Any]]:
        """Number and result of every chunk, as they arrive."""
        sent = _sent(function)
        under_way: dict[Future[Any], Any] = {}
        again: list[Any] = []
        breaks: dict[int, int] = {}
        any_result = False
        while True:
            self._give(sent, under_way, again, chunks, breaks)
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            lost = []
            for future in done:
                chunk = under_way.pop(future)
                try:
                    result = future.result()
                except BrokenProcessPool:
                    lost.append(chunk)
                    continue
                any_result = True
                yield chunk[0], result
            if lost:
                lost += self._lost(under_way)
                codes = self._end()
                for number, _ in lost:
                    breaks[number] = breaks.get(number, 0) + 1
                _judge(lost, breaks, codes, any_result)
                again[:0] = lost

    def _give(
        self,
        sent: bytes,
        under_way: dict[Future[Any], Any],
        again: list[Any],
        chunks: Iterator[Any],
        breaks: dict[int, int],
    ) -> None:
        """Have as many chunks under way as there is room for; a doubtful one is alone."""
        while len(under_way) < AHEAD * self.workers:
            doubtful = [c for c in under_way.values() if breaks.get(c[0], 0) >= ATTEMPTS - 1]
            if doubtful:
                return
            if again:
                if under_way and breaks.get(again[0][0], 0) >= ATTEMPTS - 1:
                    return
                chunk = again.pop(0)
            else:
                found = next(chunks, None)
                if found is None:
                    return
                chunk = found
            pool = self._running(sent)
            try:
                under_way[pool.submit(_run, *chunk[1])] = chunk
            except BrokenProcessPool:  # a worker died meanwhile: those under way tell of it
                again.insert(0, chunk)
                if under_way:
                    return
                self._end()

    def _running(self, sent: bytes) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self.workers,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_begin,
                initargs=(sent,),
            )
        return self._pool

    def _lost(self, under_way: dict[Future[Any], Any]) -> list[Any]:
        """Chunks that were under way in a broken pool; results that came in time stay."""
        lost = []
        for future, chunk in list(under_way.items()):
            with contextlib.suppress(BaseException):
                future.exception(timeout=10.0)
            if not future.done() or future.cancelled() or future.exception() is not None:
                del under_way[future]
                lost.append(chunk)
        return lost

    def _end(self) -> list[int]:
        """End the workers, whatever they do, and return the codes they ended with."""
        pool, self._pool = self._pool, None
        if pool is None:
            return []
        processes = list((getattr(pool, "_processes", None) or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        codes = []
        for process in processes:
            with contextlib.suppress(Exception):
                process.terminate()
                process.join(5.0)
                codes.append(process.exitcode or 0)
        return codes


def _judge(lost: list[Any], breaks: dict[int, int], codes: list[int], any_result: bool) -> None:
    """Raise where trying again is of no use.

    `codes` are those the workers ended with; one that a signal ended has a negative one.
    """
    if not any_result and any(code >= 0 for code in codes):
        raise StudyError(
            f"The worker processes ended before they had done anything. {GUARD} In a session that"
            " is typed by hand, and for functions defined there, use engine='threads'."
        )
    for number, (ids, _) in lost:
        if breaks[number] >= ATTEMPTS:
            raise StudyError(
                f"The worker process that ran {shown(ids)} was killed {breaks[number]} times: by"
                " the system for want of memory, or by a crash. Run that row alone, with"
                " study.run(id)."
            )


def _sent(function: Function) -> bytes:
    """The function as it is sent, if it can be."""
    try:
        return pickle.dumps(function, protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as problem:  # whatever pickle says of a lambda, a local function, a lock
        raise OptionError(
            "sweep: the model cannot be sent to other processes"
            f" ({type(problem).__name__}: {problem!s:.100}). Functions must be importable: define"
            " them with `def` at the top of a module. Or use engine='threads'."
        ) from problem


# -- in a worker -----------------------------------------------------------------------------------


def _begin(sent: bytes) -> None:
    """Become a worker: Ctrl-C is for the parent alone, and without it the worker ends."""
    global _function
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _function = pickle.loads(sent)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _run(ids: Any, values: Any) -> Any:
    assert _function is not None
    return _function(ids, values)
