"""Starting times, each in a fresh process: import, help, formulas, first simulation.

CPU time is that of the whole child process unless the row says otherwise; `empty process` is the
part that belongs to Python.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from typing import Any

IMPORT = """
import time
start = time.process_time(), time.perf_counter()
import dalembert
print(time.process_time() - start[0], time.perf_counter() - start[1])
"""

FORMULAS = """
import time
import llvmlite.binding  # the library's own start is not the question
from dalembert.catalog.biped import biped
from dalembert.system.build import build
start = time.process_time(), time.perf_counter()
model = biped(exercise=3)
system = build(model)
system.open([model.parameters[name] for name in system.parameter_names])
print(time.process_time() - start[0], time.perf_counter() - start[1])
"""

SIMULATE = """
import time
start = time.process_time(), time.perf_counter()
import dalembert as dl
dl.simulate(dl.catalog.load({name!r}, **{options!r}), until=1.0, step=1e-2{method})
print(time.process_time() - start[0], time.perf_counter() - start[1])
"""


def starting_times(repeats: int) -> list[dict[str, Any]]:
    """One row per question: what, CPU seconds, wall seconds (the least of `repeats`)."""
    python = [sys.executable, "-c"]
    rows = [
        _row("empty process", *_whole([*python, "pass"], repeats)),
        _row("import dalembert (the import alone)", *_printed([*python, IMPORT], repeats)),
        _row("dalembert --help", *_whole([sys.executable, "-m", "dalembert", "--help"], repeats)),
    ]
    with tempfile.TemporaryDirectory() as folder:
        times = [_printed([*python, FORMULAS], 1, f"{folder}/{i}") for i in range(repeats)]
        rows.append(_row("biped formulas traced and compiled, empty cache", *_least(times)))
    first = (
        ("pendulum, default method", "pendulum", {}, ""),
        ("biped, Braun-Goldfarb", "biped", {"exercise": 3}, ", method=dl.BraunGoldfarb()"),
    )
    for title, name, options, method in first:
        program = SIMULATE.format(name=name, options=options, method=method)
        with tempfile.TemporaryDirectory() as folder:
            cold = _printed([*python, program], 1, folder)
            warm = _printed([*python, program], repeats, folder)
        rows.append(_row(f"import and first simulate, empty cache: {title}", *cold))
        rows.append(_row(f"import and first simulate, warm cache: {title}", *warm))
    return rows


def _row(what: str, cpu: float, wall: float) -> dict[str, Any]:
    return {"what": what, "cpu_s": cpu, "wall_s": wall}


def _least(times: list[tuple[float, float]]) -> tuple[float, float]:
    return min(t[0] for t in times), min(t[1] for t in times)


def _whole(command: list[str], repeats: int) -> tuple[float, float]:
    """CPU and wall time of whole processes."""
    times = []
    for _ in range(repeats):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - start
        cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        times.append((cpu, wall))
    return _least(times)


def _printed(command: list[str], repeats: int, cache: str | None = None) -> tuple[float, float]:
    """CPU and wall time that the child measured itself and printed last."""
    environment = {**os.environ, **({"DALEMBERT_CACHE": cache} if cache else {})}
    times = []
    for _ in range(repeats):
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        cpu, wall = done.stdout.split()[-2:]
        times.append((float(cpu), float(wall)))
    return _least(times)
