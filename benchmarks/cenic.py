"""Work and precision beside CENIC, Drake's integrator with error control for compliant contact.

    DALEMBERT_MORE_PEERS=/path/to/others/bin/python .venv/bin/python benchmarks/cenic.py [SCENE ...]

Five scenes (`cenic_scenes.py`), everybody's CPU time over everybody's error: the largest distance
of a body from where it should be, at 21 moments of the run. Ours is the whole call of `simulate`,
with error control (`mode="stepping"`, tolerances 1e-1 to 1e-7, and `auto`, which locates events
where they are few) and with fixed steps of first and second order; CENIC is its simulator alone
(`peers/drake_cenic.py`). Ours is judged by located events where they know the scene, else by steps
of 2e-5 s. CENIC, whose contacts are soft, is judged by its own run with an accuracy of 1e-9 (or
`FINEST`) or by ours, whichever is kinder. For every error the table has the least time with which
it was reached: CENIC's over ours, and that of the best fixed step over ours. `results/cenic.csv`
has all runs.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import one_thread  # noqa: F401
from cenic_ours import build
from cenic_scenes import SCENES
from tables import table, write_csv

import dalembert as dl

MOMENTS, REPEATS, PEER_REPEATS = 21, 5, 2
TOLERANCES = (
    *(1e-1, 5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4),
    *(5e-5, 2e-5, 1e-5, 5e-6, 2e-6, 1e-6, 1e-7),
)
AUTO_TOLERANCES = (1e-2, 5e-3, 2e-3, 1e-3, 1e-4, 1e-5, 1e-6)
STEPS = (
    *(1.4e-2, 1e-2, 7e-3, 5e-3, 3e-3, 2e-3, 1.4e-3, 1e-3),
    *(7e-4, 5e-4, 3e-4, 2e-4, 1.4e-4, 1e-4),
)
ACCURACIES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
ERRORS = (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6)
BY_EVENTS = ("coin", "ball")
COLUMNS = ("scene", "who", "setting", "milliseconds", "error", "steps", "rejected")
FINEST = {"clutter": 1e-6, "gripper": 1e-7, "belt": 1e-7}
"""Accuracy of CENIC's own reference where 1e-9 takes too long."""

Row = dict[str, Any]


def places(solution: dl.Solution, bodies: dict[str, Any]) -> np.ndarray:
    """Positions by moment, body and axis."""
    rows = [[solution[b.position[i]] for i in range(3)] for b in bodies.values()]
    return np.moveaxis(np.array(rows), 2, 0)


def runner(name: str) -> tuple[Callable[..., tuple[float, Any]], list[str], Callable[[Any], Any]]:
    """A function that runs a scene with options: CPU seconds and solution; its bodies; places."""
    scene = SCENES[name]()
    model, bodies = build(name, scene)
    moments = np.linspace(0.0, scene["until"], MOMENTS)

    def run(repeats: int = REPEATS, **options: Any) -> tuple[float, Any]:
        least = math.inf
        for _ in range(repeats + (repeats > 1)):  # the first one may compile
            began = time.process_time()
            found = dl.simulate(
                model, until=scene["until"], times=moments, progress=False, **options
            )
            least = min(least, time.process_time() - began)
        return least, found

    return run, list(bodies), lambda solution: places(solution, bodies)


def ours(name: str) -> tuple[list[Row], np.ndarray, list[str], float]:
    """Rows of this package, the reference, its bodies, and how well the reference is known."""
    run, bodies, where = runner(name)
    exact = {"mode": "events"} if name in BY_EVENTS else fixed(2e-5, 2)
    other = {"mode": "stepping", "rtol": 1e-7} if name in BY_EVENTS else fixed(4e-5, 2)
    reference = where(run(1, **exact)[1])
    known = float(np.abs(where(run(1, **other)[1]) - reference).max())
    rows = []
    asked = [("error control", f"{r:g}", {"mode": "stepping", "rtol": r}) for r in TOLERANCES]
    asked += [("error control, auto", f"{r:g}", {"rtol": r}) for r in AUTO_TOLERANCES]
    asked += [(f"steps, order {k}", f"{h:g}", fixed(h, k)) for h in STEPS for k in (1, 2)]
    for who, setting, options in asked:
        cpu, solution = run(**options)
        error = float(np.linalg.norm(where(solution) - reference, axis=2).max())
        rows.append(row(name, who, setting, cpu, error, solution.statistics["steps"]))
        rows[-1]["rejected"] = solution.statistics["rejected"]
    return rows, reference, bodies, known


def fixed(step: float, order: int) -> dict[str, Any]:
    """Options of a fixed step."""
    return {"step": step, "method": dl.ContactImpulse(order=order)}


def row(name: str, who: str, setting: str, cpu: float, error: float, steps: int) -> Row:
    values = (name, who, setting, 1e3 * cpu, error, steps)
    return dict(zip(COLUMNS, values, strict=False))


def cenic(name: str, reference: np.ndarray, bodies: list[str], peer: str) -> list[Row]:
    """Rows of CENIC, both stiffnesses."""
    program = Path(__file__).parent / "peers" / "drake_cenic.py"
    finest = FINEST.get(name, 1e-9)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({name: SCENES[name]()}, file)
        file.flush()
        asked = [str(a) for a in (*ACCURACIES, finest) if a >= finest]
        command = [peer, str(program), file.name, name, str(MOMENTS), str(PEER_REPEATS), *asked]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    runs = [json.loads(line) for line in told.splitlines()]
    own = {r["stiffness"]: r["path"] for r in runs if r["accuracy"] == finest}
    rows = []
    for r in runs:
        if r["accuracy"] == finest:
            continue
        path = np.array(r["path"])
        soft = np.linalg.norm(path - np.array(own[r["stiffness"]]), axis=2).max()
        chosen = [r["bodies"].index(b) for b in bodies]
        rigid = np.linalg.norm(path[:, chosen] - reference, axis=2).max()
        setting = f"{r['accuracy']:g}" + (", 1e8 N/m" if r["stiffness"] else "")
        rows.append(row(name, "CENIC", setting, r["cpu"], float(min(soft, rigid)), r["steps"]))
    return rows


def least_time(rows: list[Row], who: str, error: float) -> float:
    """Milliseconds of the fastest run of somebody that has the error or less."""
    return min(
        (r["milliseconds"] for r in rows if r["who"].startswith(who) and r["error"] <= error),
        default=math.inf,
    )


def summary(name: str, rows: list[Row]) -> list[tuple[str, ...]]:
    """For every error: times and ratios."""
    lines = []
    for error in ERRORS:
        own, best = least_time(rows, "error", error), least_time(rows, "steps", error)
        peer = least_time(rows, "CENIC", error)
        shown = [f"{x:.1f}" if x < math.inf else "-" for x in (own, best, peer)]
        ratios = [
            "-" if own == math.inf else "never" if x == math.inf else f"{x / own:.1f}"
            for x in (peer, best)
        ]
        lines.append((name, f"{error:g}", *shown, *ratios))
    return lines


def main() -> None:
    warnings.simplefilter("ignore")
    peer = os.environ.get("DALEMBERT_MORE_PEERS", "")
    if not peer:
        print("DALEMBERT_MORE_PEERS names no interpreter with Drake: ours alone.")
    rows, lines = [], []
    for name in sys.argv[1:] or SCENES:
        found, reference, bodies, known = ours(name)
        print(f"{name}: two references differ by {known:.0e} m", flush=True)
        if peer:
            found += cenic(name, reference, bodies, peer)
        rows += found
        lines += summary(name, found)
    write_csv("cenic", COLUMNS, rows)
    heads = ("scene", "error [m]", "ours [ms]", "best step [ms]", "CENIC [ms]")
    print(table((*heads, "CENIC / ours", "best step / ours"), lines))


if __name__ == "__main__":
    main()
