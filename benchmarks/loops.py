"""The scene `loops`: N four-bar linkages on the tree of their hinges, a semi-implicit step.

The mechanism is that of the family `linkage`; here everybody has the same coordinates (one hinge
for each rod, N loops closed by constraints) and the same first-order step.
"""

from __future__ import annotations

import math
import time
from typing import Any

import bodies
import families
from asking import ask_peer
from tables import Row, table, text, write_csv

from peers import linkage as scene

SAMPLE = 10  # steps between samples of the accuracy run, as the peers have it
COLUMNS = (
    *("size", "engine", "version", "variant", "us_per_step", "us_whole", "error", "worst_phi"),
    *("energy", "note"),
)
HEADINGS = (
    *("N", "", "", "", "us/step", "whole call", "error at 10 s [m]", "|phi| [m]"),
    *("energy [J]", ""),
)
PEERS = ("pinocchio_loops.py", "mujoco_linkage.py Euler")


def measure(loops: int, repeats: int) -> Row:
    """Steps alone and whole `simulate` calls, least CPU times; the first call compiles."""
    import dalembert as dl

    model = bodies.linkage_model(loops)

    def run(every: int) -> Any:
        return dl.simulate(
            model,
            until=scene.UNTIL,
            step=scene.STEP,
            every=every,
            formulation="generalized",
            integrator=dl.SemiImplicitEuler(),
            method=dl.Projection(),
            progress=False,
        )

    sampled = run(SAMPLE)
    whole, alone = math.inf, math.inf
    for _ in range(repeats):
        begin = time.process_time()
        solution = run(scene.STEPS)
        whole = min(whole, time.process_time() - begin)
        alone = min(alone, float(solution.statistics["cpu_time"]))
    return {
        "size": loops,
        "engine": "dalembert",
        "version": dl.__version__,
        "variant": "Projection, Euler",
        "us_per_step": 1e6 * alone / scene.STEPS,
        "us_whole": 1e6 * whole / scene.STEPS,
        **families.linkage_measures(loops, sampled),
        "worst_phi": float(sampled.worst["phi"]),
        "note": f"{scene.STEPS} steps in one call",
    }


def show(repeats: int, interpreter: str | None) -> None:
    """One table: every size here, then the peers with their time as a multiple of ours."""
    print(
        "\nN four-bar linkages in the coordinates of their hinges, semi-implicit step; h = 1e-3 s"
    )
    rows = [measure(loops, repeats) for loops in scene.SIZES]
    ours = {row["size"]: row["us_per_step"] for row in rows}
    for program in PEERS if interpreter else ():
        rows += ask_peer(program, str(interpreter))
    rows.sort(key=lambda row: scene.SIZES.index(row["size"]))
    cells = []
    for row in rows:
        if row["engine"] != "dalembert":
            row["note"] = f"{row['us_per_step'] / ours[row['size']]:.2f}x; {row['note']}"
        cells.append(tuple(text(row.get(column, "")) for column in COLUMNS))
    print(table(HEADINGS, cells))
    write_csv("loops", COLUMNS, rows)
