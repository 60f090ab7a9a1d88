"""The family `tree`: forward dynamics and a semi-implicit step in joint coordinates."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from asking import ask_peer
from tables import Row, table, text, write_csv

from peers import trees as scene

COLUMNS = ("scene", "size", "nv", "engine", "version", "variant", "us_per_step", "angle", "note")
HEADINGS = ("tree", "links", "nv", "", "", "", "us/step", "angles after 10 ms", "")
PEERS = ("pinocchio_trees.py", "mujoco_trees.py")


def build(what: scene.Scene) -> Any:
    """The model here."""
    import dalembert as dl

    model = dl.Model(what.name, gravity=(0.0, 0.0, -scene.GRAVITY))
    base: Any = model.world
    if what.limb:
        base = model.add_body("base", dl.Inertia(scene.BASE_MASS, scene.BASE_MOMENTS))
    bodies: list[Any] = []
    for i in range(what.links):
        body = model.add_body(
            f"link{i}", dl.Inertia(scene.MASS, scene.MOMENTS, center=scene.CENTER)
        )
        parent = base if what.parent(i) < 0 else bodies[what.parent(i)]
        at = parent.at(*what.place(i))
        model.add_joint(dl.Revolute(at, body, axis=what.axis(i), name=f"hinge{i}"))
        bodies.append(body)
    return model


def measure(what: scene.Scene, repeats: int) -> Row:
    """Steps in one compiled call, least CPU time."""
    from tree_motion import advance

    import dalembert as dl

    tree = dl.Tree(build(what))
    tables, room, a = tree.tables, tree.tables.room(), np.zeros(tree.nv)
    start, tau = tree.neutral(), np.zeros(tree.nv)
    for i in range(what.links):
        start[tree.joint(f"hinge{i}").q] = what.angle(i)

    def run(steps: int) -> tuple[float, np.ndarray]:
        q, v = start.copy(), np.zeros(tree.nv)
        begin = time.process_time()
        status = advance(tables.integers, tables.numbers, room, q, v, tau, a, scene.STEP, steps)
        spent = time.process_time() - begin
        if status != 0:
            raise RuntimeError(f"{what.name}: status {status}")
        return spent, q

    reached = run(scene.COMPARED)[1]
    best = min((run(what.steps)[0] for _ in range(repeats)), default=math.inf)
    angles = [float(reached[tree.joint(f"hinge{i}").q][0]) for i in range(what.links)]
    return {
        "scene": what.name,
        "size": what.links,
        "engine": "dalembert",
        "version": dl.__version__,
        "variant": "ABA, Euler",
        "us_per_step": 1e6 * best / what.steps,
        "angles": angles,
        "note": f"{what.steps} steps in one call",
    }


def show(repeats: int, interpreter: str | None) -> None:
    """One table: every tree here, then the peers with their time as a multiple of ours."""
    print("\nTrees in joint coordinates: forward dynamics and a semi-implicit step")
    ours = {(what.name, what.links): measure(what, repeats) for what in scene.SCENES}
    rows = list(ours.values())
    for program in PEERS if interpreter else ():
        rows += ask_peer(program, str(interpreter))
    order = {(what.name, what.links): k for k, what in enumerate(scene.SCENES)}
    rows.sort(key=lambda row: order[row["scene"], row["size"]])
    cells = []
    for row in rows:
        mine = ours[row["scene"], row["size"]]
        row["nv"] = scene.SCENES[order[row["scene"], row["size"]]].nv
        theirs = row.pop("angles", None) if row is not mine else None
        row["angle"] = ""
        if theirs is not None:
            row["angle"] = float(np.abs(np.subtract(theirs, mine["angles"])).max())
        if row is not mine:
            ratio = row["us_per_step"] / mine["us_per_step"]
            row["note"] = f"{ratio:.2f}x; {row['note']}"
        cells.append(tuple(text(row[column]) for column in COLUMNS))
    print(table(HEADINGS, cells))
    write_csv("tree", COLUMNS, rows)
