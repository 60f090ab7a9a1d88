"""Dask distributed (extra `cluster`): workers on other machines, or a cluster on this one.

Every chunk is sent with the task, a few kilobytes, so that a worker may come and go at any time.
Dask runs again what a lost worker had; without its scheduler the study stops and can go on later.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
from collections.abc import Iterator
from typing import Any, Self

from dalembert.errors import OptionError, StudyError
from dalembert.study.chunks import shown
from dalembert.study.engines.engine import AHEAD, GUARD, Function, cores
from dalembert.study.engines.suspects import Suspects

LOCAL = "local"

PATIENCE = "10s"
"""How long a scheduler may take to answer at first."""

DEATHS = 8
"""Workers that a row outlives at most: Dask gives a chunk up after four, and it is given twice."""

LOOK = 5.0
"""Seconds after which whoever waits for results looks whether the scheduler is there."""

LOOKS = 4
"""Times that a cluster of our own may be found without a worker: one that ends begins anew."""


class Cluster:
    """Chunks on the workers of a Dask scheduler; `address` None or "local" starts one here."""

    def __init__(self, address: str | None, workers: int | None) -> None:
        self._dask: Any = _distributed()
        self._client: Any = None
        self._own: Any = None
        self.address = None if address == LOCAL else address
        self.workers = workers or cores()

    def __enter__(self) -> Self:
        if self.address is None:
            try:
                self._own = self._dask.LocalCluster(
                    n_workers=self.workers,
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
                self._client = self._dask.Client(self._own)
            except Exception as problem:
                self._close()
                raise StudyError(f"A local cluster did not start ({problem}). {GUARD}") from problem
            return self
        try:
            self._client = self._dask.Client(self.address, timeout=PATIENCE)
        except (OSError, ValueError, TimeoutError) as problem:
            raise StudyError(
                f"{self.address}: no Dask scheduler answers ({problem!s:.100}). Start one with"
                " `dask scheduler`, and workers with `dask worker ADDRESS`."
            ) from problem
        threads = self._client.nthreads()
        self.workers = max(1, sum(threads.values()))
        return self

    def __exit__(self, *problem: object) -> None:
        self._close()

    def _close(self) -> None:
        for part in (self._client, self._own):
            if part is not None:
                with contextlib.suppress(Exception):
                    part.close(timeout=5)
        self._client = self._own = None

    def map_chunks(self, function: Function, chunks: Iterator[Any]) -> Iterator[tuple[int, Any]]:
        """Number and result of every chunk, as they arrive."""
        under_way: dict[Any, Any] = {}
        suspects = Suspects()
        while True:
            while len(under_way) < AHEAD * self.workers:
                chunk = next(chunks, None)
                if chunk is None:
                    break
                under_way[self._given(function, chunk)] = chunk
            if not under_way:
                break
            for future in self._done(under_way):
                chunk = under_way.pop(future)
                try:
                    result = self._result(future, chunk[1][0])
                except self._dask.KilledWorker:
                    suspects.add(chunk)
                    continue
                yield chunk[0], result
        while (chunk := suspects.next()) is not None:
            future = self._given(function, chunk)
            self._done({future: chunk})
            try:
                yield chunk[0], self._result(future, chunk[1][0])
            except self._dask.KilledWorker:
                suspects.convict(chunk, DEATHS)
        suspects.tell()

    def _given(self, function: Function, chunk: Any) -> Any:
        """The future of a chunk that is sent."""
        with self._asking():
            return self._client.submit(function, *chunk[1], pure=False)

    def _done(self, under_way: dict[Any, Any]) -> list[Any]:
        """Futures that have ended, at least one."""
        without_workers = 0
        while True:
            with self._asking(), contextlib.suppress(TimeoutError, self._dask.TimeoutError):
                self._dask.wait(list(under_way), timeout=LOOK, return_when="FIRST_COMPLETED")
            ended = [future for future in under_way if future.status != "pending"]
            if ended:
                return ended
            without_workers = (
                0 if self._own is None or self._client.nthreads() else 1 + without_workers
            )
            if without_workers > LOOKS:
                rows = ", ".join(shown(ids) for _, (ids, _) in under_way.values())
                raise StudyError(
                    f"{self._where()}: no worker is left; {rows} were under way. Workers were ended"
                    " by the system for want of memory, or by a crash."
                )

    @contextlib.contextmanager
    def _asking(self) -> Iterator[None]:
        """Ask the scheduler for something; whatever Dask raises then means that it is lost."""
        try:
            if self._client.status != "running":
                raise OSError("closed")
            yield
        except (Exception, asyncio.CancelledError) as problem:
            raise StudyError(
                f"{self._where()}: the connection to the scheduler is lost"
                f" ({type(problem).__name__})."
            ) from problem

    def _result(self, future: Any, ids: Any) -> Any:
        if future.status in ("cancelled", "lost"):
            raise StudyError(f"{self._where()}: the scheduler was lost while {shown(ids)} ran.")
        try:
            return future.result(timeout=60)
        except self._dask.KilledWorker:
            raise
        except (OSError, TimeoutError, self._dask.CancelledError) as problem:
            raise StudyError(
                f"{self._where()}: the result of {shown(ids)} did not arrive ({problem!s:.100})."
            ) from problem
        except (ImportError, AttributeError) as problem:
            raise StudyError(
                f"{self._where()}: the workers cannot run the study"
                f" ({type(problem).__name__}: {problem!s:.100}). Install the same versions of"
                " dalembert, and of the modules with your functions, on all of them."
            ) from problem

    def _where(self) -> str:
        return self.address or "local cluster"


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError as problem:
        raise OptionError(
            "sweep: engine 'dask' needs Dask. Install dalembert[cluster], or use"
            " engine='processes'."
        ) from problem
