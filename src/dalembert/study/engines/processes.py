"""Processes: for models whose Python functions hold the lock of Python.

A worker that dies breaks the whole pool of the standard library. The pool is then built anew, and
chunks that were under way are run again, nothing else. A chunk that was under way in several breaks
is a suspect: it is run at the end, alone, and if its worker dies again, the error names its rows.
"""

from __future__ import annotations

import contextlib
import itertools
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
from dalembert.study.engines.engine import AHEAD, GUARD, Function
from dalembert.study.engines.suspects import Suspects

ATTEMPTS = 3
"""Times that a worker may die while a chunk is under way; the last time it is alone, at the end."""

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
        suspects = Suspects()
        any_result = False
        while True:
            self._give(sent, under_way, itertools.chain(_taken(again), chunks), again)
            if not under_way:
                break
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
                _judge(self._end(), any_result)
                for chunk in sorted(lost, key=_number):
                    breaks[chunk[0]] = breaks.get(chunk[0], 0) + 1
                    if breaks[chunk[0]] < ATTEMPTS - 1:
                        again.append(chunk)
                    else:
                        suspects.add(chunk)
        yield from self._alone(sent, suspects)
        suspects.tell()

    def _alone(self, sent: bytes, suspects: Suspects) -> Iterator[tuple[int, Any]]:
        """Number and result of chunks that are run one by one, without those that end a worker."""
        while (chunk := suspects.next()) is not None:
            under_way: dict[Future[Any], Any] = {}
            self._give(sent, under_way, iter([chunk]), [])
            try:
                yield chunk[0], next(iter(under_way)).result()
            except BrokenProcessPool:
                self._end()
                suspects.convict(chunk, ATTEMPTS)

    def _give(
        self,
        sent: bytes,
        under_way: dict[Future[Any], Any],
        chunks: Iterator[Any],
        again: list[Any],
    ) -> None:
        """Have as many chunks under way as there is room for."""
        while len(under_way) < AHEAD * self.workers:
            chunk = next(chunks, None)
            if chunk is None:
                return
            while chunk is not None:
                try:
                    under_way[self._running(sent).submit(_run, *chunk[1])] = chunk
                    chunk = None
                except BrokenProcessPool:  # a worker died meanwhile: those under way tell of it
                    if under_way:
                        again.insert(0, chunk)
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


def _judge(codes: list[int], any_result: bool) -> None:
    """Raise where trying again is of no use.

    `codes` are those the workers ended with; one that a signal ended has a negative one.
    """
    if not any_result and any(code >= 0 for code in codes):
        raise StudyError(
            f"The worker processes ended before they had done anything. {GUARD} In a session that"
            " is typed by hand, and for functions defined there, use engine='threads'."
        )


def _taken(waiting: list[Any]) -> Iterator[Any]:
    """Chunks of a list, each taken out of it."""
    while waiting:
        yield waiting.pop(0)


def _number(chunk: Any) -> int:
    return int(chunk[0])


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
