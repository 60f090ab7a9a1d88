"""Starting times, each in a fresh process: import, help, formulas, first and second simulations.

CPU time is that of the whole child process unless the row says otherwise; `empty process` is the
part that belongs to Python. Rows about calls within a process are timed there. `wanted_s` is the
processor time that is wanted, where there is such a figure.
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

CALLS = """
import time
import warnings
import dalembert as dl
warnings.simplefilter("ignore")
def spent(*models, **options):
    best = []
    for model in models:
        began = time.process_time(), time.perf_counter()
        dl.simulate(model, progress=False, **options)
        best.append((time.process_time() - began[0], time.perf_counter() - began[1]))
    return min(best)
"""
"""Beginning of programs that time calls within one process."""

SECOND = {
    "pendulum": ('dl.catalog.load("pendulum")', 1e-3),
    "four-bar of bodies": ('dl.catalog.load("n-four-bar-bodies", count=1)', 3e-3),
    "arm": ('dl.catalog.load("arm")', 3e-3),
    "humanoid": ('dl.catalog.load("humanoid")', 5e-3),
}
"""Models whose second call is timed, and what is wanted  [s]."""

WAITS = {
    "start of a chain of 1000 bodies, the code being there": (
        """
make = lambda: dl.catalog.load("chain", count=1000)
spent(make(), until=1e-3, step=1e-3)
print(*spent(make(), make(), make(), until=1e-3, step=1e-3))
""",
        0.3,
    ),
    "a second model of the same kind, with contact": (
        """
make = lambda count: dl.catalog.load("stack", count=count)
spent(make(2), until=0.1, step=2e-3)
print(*spent(make(3), until=0.1, step=2e-3))
""",
        0.3,
    ),
    "1000 asked moments of an arm, over 1000 steps": (
        """
model = dl.catalog.load("arm")
times = [(k + 0.5) * 1e-3 for k in range(1000)]
spent(model, until=1.0, step=1e-3, times=times)
spent(model, until=1.0, step=1e-3)
asked = spent(*[model] * 5, until=1.0, step=1e-3, times=times)
plain = spent(*[model] * 5, until=1.0, step=1e-3)
print(asked[0] - plain[0], asked[1] - plain[1])
""",
        0.02,
    ),
    "1000 samples with compound joints and rotors, over their steps": (
        """
model = dl.Model("compound")
at = model.world
for i in range(6):
    body = model.add_body(f"b{i}", dl.Inertia.box(1.0, (0.3, 0.1, 0.1)))
    model.add_joint(dl.Compound(at, body.at(x=-0.15), hinges=("x", "y"), name=f"j{i}"))
    model.set_armature(f"j{i}", 0.1, 0.2)
    at = body.at(x=0.15)
every = dict(until=1.0, step=1e-3)
spent(model, **every)
few = spent(*[model] * 5, **every, every=1000)
all_ = spent(*[model] * 5, **every)
print(all_[0] - few[0], all_[1] - few[1])
""",
        0.05,
    ),
}
"""Waits within one process: the program, and what is wanted  [s]."""

ROBOTS = {
    "an arm with seven servos": 'dl.catalog.load("arm"), until=1e-2',
    "a humanoid that falls": 'dl.catalog.load("humanoid"), until=1e-2',
}
"""Robots whose first simulation is timed, with nothing compiled and with everything there."""

FIRST_CONTACT = {
    "first simulate with contact, steps": 'dl.catalog.load("stack", count=2), until=0.1, step=2e-3',
    "first simulate with contact, located events": 'dl.catalog.load("bouncing-ball"), until=1.0',
}
"""First simulations with contact: 6 s of processor time are wanted with nothing compiled."""


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
    return rows + _waits(repeats)


def _waits(repeats: int) -> list[dict[str, Any]]:
    """Waits of users, with the figure that is wanted beside each."""
    python = [sys.executable, "-c"]
    rows = []
    for title, arguments in FIRST_CONTACT.items():
        command = [*python, f"import dalembert as dl; dl.simulate({arguments})"]
        with tempfile.TemporaryDirectory() as folder:
            rows.append(_row(f"{title}, empty cache", *_whole(command, 1, folder), 6.0))
            rows.append(_row(f"{title}, warm cache", *_whole(command, repeats, folder)))
    for title, arguments in ROBOTS.items():
        command = [*python, f"import dalembert as dl; dl.simulate({arguments})"]
        with tempfile.TemporaryDirectory() as folder:
            rows.append(_row(f"first simulate, empty cache: {title}", *_whole(command, 1, folder)))
            warm = _whole(command, repeats, folder)
            rows.append(_row(f"first simulate, warm cache: {title}", *warm))
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "dalembert", "warmup"]
        rows.append(_row("dalembert warmup, empty cache", *_whole(command, 1, folder)))
    for title, (model, wanted) in SECOND.items():
        program = f"{CALLS}\nmodel = {model}\nspent(model, until=1e-3, step=1e-3)\n"
        program += "print(*spent(*[model] * 20, until=1e-3, step=1e-3))"
        found = _printed([*python, program], repeats)
        rows.append(_row(f"second call on the same model: {title}", *found, wanted))
    for title, (text, wanted) in WAITS.items():
        rows.append(_row(title, *_printed([*python, CALLS + text], repeats), wanted))
    return rows


def _row(what: str, cpu: float, wall: float, wanted: float | None = None) -> dict[str, Any]:
    return {"what": what, "cpu_s": cpu, "wall_s": wall, "wanted_s": wanted}


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
    """The environment, with another folder for compiled code when one is given.

    Processes keep Python's bytecode, as everybody's do: where that is forbidden each of them would
    compile all that it imports, three seconds.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, **({"DALEMBERT_CACHE": cache} if cache else {})}
