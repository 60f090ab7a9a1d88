"""The family `contact_solve`: contact problems of standing scenes, the solve alone.

One call of the compiled solver: islands, factors, solve, report. Cold: without a warm start. Warm:
20 steps of a scene that stands, each begun at the impulses of the last one, the free velocities
shaken by 1e-7 m/s and rad/s.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from tables import Row, table, text, write_csv

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.unit.contact import scenes

from dalembert.contact.problem.capacity import grown

COLUMNS = (
    *("scene", "velocities", "contacts", "tolerance", "us_cold", "factorisations", "us_warm"),
    *("us_warm_worst", "worst_residual"),
)
HEADINGS = (
    *("scene", "velocities", "contacts", "tolerance", "us cold", "factorisations", "us warm"),
    *("worst warm", "worst residual"),
)

SCENES: tuple[tuple[str, Any, float], ...] = (
    ("block on an incline", scenes.incline, 1e-9),
    ("block sliding down", lambda: scenes.incline(mu=0.3), 1e-9),
    ("10 boxes, top 1000x", scenes.stack, 1e-9),
    ("100 boxes", lambda: scenes.stack(100, 1.0), 1e-9),
    ("arch of 15", scenes.arch, 1e-9),
    ("chain of 20 on the ground, tip 100x", scenes.chain, 1e-9),
    ("wall 10 x 10", scenes.wall, 1e-6),
    ("wall 10 x 10, accurate", scenes.wall, 1e-9),
    ("60 spheres in flight", lambda: scenes.spheres(60, 1), 1e-6),
    ("arm of 30 with a box", scenes.grasp, 1e-9),
    ("tree of 27, 13 contacts", scenes.humanoid, 1e-9),
)

WARM_STEPS = 20


def measure(name: str, make: Any, tolerance: float, repeats: int) -> Row:
    """Least CPU time of `repeats` solves of each problem."""
    from dalembert.contact.given.info import info_of
    from dalembert.contact.problem.layout import OVERFLOW
    from dalembert.contact.solvers.table import solve_problem

    problem = make()
    packed = problem.packed()
    while solve_problem(packed, tolerance, 0) == OVERFLOW:
        packed = problem.packed(grown(packed))

    def timed() -> float:
        times = []
        for _ in range(repeats):
            begin = time.process_time()
            solve_problem(packed, tolerance, 0)
            times.append(time.process_time() - begin)
        return 1e6 * min(times)

    cold = timed()
    info = info_of(packed)
    first, worst, warm = info.factorisations, info.residual, []
    free = packed.v_free
    # What gravity and drives add to the velocities in a step; trees get what they had.
    bodies = all(len(clique.v_free) == 6 for clique in problem.cliques)
    pull = np.tile(scenes.FALL, len(free) // 6) if bodies else free.copy()
    if "incline" in name or "sliding" in name:
        pull = free.copy()
    rng = np.random.default_rng(0)
    for _ in range(WARM_STEPS):
        packed.lam0[:] = packed.lam
        v = packed.v if bodies else 0.0
        free[:] = v + pull + 1e-7 * rng.normal(size=len(free))
        warm.append(timed())
        worst = max(worst, info_of(packed).residual)
    return {
        "scene": name,
        "velocities": len(free),
        "contacts": info.contacts,
        "tolerance": tolerance,
        "us_cold": cold,
        "factorisations": first,
        "us_warm": float(np.median(warm)),
        "us_warm_worst": max(warm),
        "worst_residual": worst,
    }


def show(repeats: int) -> None:
    """One table."""
    print("\nContact problems: the solve alone, compiled, one thread")
    rows = [measure(*scene, repeats) for scene in SCENES]
    print(table(HEADINGS, [tuple(text(row[column]) for column in COLUMNS) for row in rows]))
    write_csv("contact_solve", COLUMNS, rows)
