"""The interface of engines: `map_chunks(function, chunks) -> iterator of (chunk number, result)`.

Results come in any order; every chunk once. An engine asks for the next chunk when it has room for
it, so that a million rows are never all in memory.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Protocol, Self

from dalembert.errors import OptionError
from dalembert.model.basics.names import did_you_mean

Function = Callable[[Any, Any], Any]
"""Function of ids and values."""

AHEAD = 2
"""Chunks that are given out for each worker: one that is run, one that waits."""

ENGINES = ("threads", "processes", "dask")

GUARD = (
    "A script that uses processes needs a main guard, as every worker imports it: put what it does"
    " under `if __name__ == '__main__':`."
)


class Engine(Protocol):
    """Runs chunks; a context manager that lets go of its workers."""

    workers: int

    def map_chunks(self, function: Function, chunks: Iterator[Any]) -> Iterator[tuple[int, Any]]:
        """Number and result of every chunk, as they arrive."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def make_engine(name: str, workers: Any = None, cluster: Any = None) -> Engine:
    """The engine of a name; `cluster` (an address, or "local") means Dask."""
    if cluster is not None and name == "threads":
        name = "dask"
    if name not in ENGINES:
        raise OptionError(
            f"sweep: there is no engine {name!r}{did_you_mean(str(name), list(ENGINES))}"
            f" Known: {', '.join(ENGINES)}."
        )
    if workers is not None and (
        isinstance(workers, bool) or not isinstance(workers, int) or workers < 1
    ):
        raise OptionError(f"sweep: workers is {workers!r}. Give a whole number, 1 or more.")
    if cluster is not None and (name != "dask" or not isinstance(cluster, str)):
        raise OptionError(
            f"sweep: cluster is {cluster!r:.60}, engine {name!r}. A cluster is the address of a"
            " Dask scheduler, such as 'tcp://10.0.0.1:8786', or 'local'."
        )
    if name == "dask":
        from dalembert.study.engines.cluster import Cluster

        return Cluster(cluster, workers)
    if name == "processes":
        from dalembert.study.engines.processes import Processes

        return Processes(workers or cores())
    from dalembert.study.engines.threads import Threads

    return Threads(workers or cores())


def cores() -> int:
    """Processors that this program may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1
