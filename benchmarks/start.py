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

FIRST = {
    "pendulum, Braun-Goldfarb, RK4": (
        'dl.catalog.load("pendulum"), until=1.0, step=1e-2, method=dl.BraunGoldfarb()'
    ),
    "pendulum, default method, RK4": 'dl.catalog.load("pendulum"), until=1.0, step=1e-2',
    "pendulum, default method, adaptive step": 'dl.catalog.load("pendulum"), until=1.0',
    "biped of rank 9, Braun-Goldfarb, RK4": (
        'dl.catalog.load("biped", exercise=3), until=1.0, step=1e-2, method=dl.BraunGoldfarb()'
    ),
}
"""First simulations: what is handed to `simulate`."""


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
    for title, arguments in FIRST.items():
        command = [*python, f"import dalembert as dl; dl.simulate({arguments})"]
        with tempfile.TemporaryDirectory() as folder:
            cold = [_whole(command, 1, f"{folder}/{i}") for i in range(repeats)]
            warm = _whole(command, repeats, f"{folder}/0")
        rows.append(_row(f"first simulate, empty cache: {title}", *_least(cold)))
        rows.append(_row(f"first simulate, warm cache: {title}", *warm))
    return rows


def _row(what: str, cpu: float, wall: float) -> dict[str, Any]:
    return {"what": what, "cpu_s": cpu, "wall_s": wall}


def _least(times: list[tuple[float, float]]) -> tuple[float, float]:
    return min(t[0] for t in times), min(t[1] for t in times)


def _whole(command: list[str], repeats: int, cache: str | None = None) -> tuple[float, float]:
    """CPU and wall time of whole processes."""
    times = []
    for _ in range(repeats):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=_environment(cache))
        after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - start
        cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        times.append((cpu, wall))
    return _least(times)


def _printed(command: list[str], repeats: int, cache: str | None = None) -> tuple[float, float]:
    """CPU and wall time that the child measured itself and printed last."""
    environment = _environment(cache)
    times = []
    for _ in range(repeats):
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        cpu, wall = done.stdout.split()[-2:]
        times.append((float(cpu), float(wall)))
    return _least(times)


def _environment(cache: str | None) -> dict[str, str]:
    """The environment, with another folder for compiled code when one is given."""
    return {**os.environ, **({"DALEMBERT_CACHE": cache} if cache else {})}
