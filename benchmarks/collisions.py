"""The family `collision`: all contacts of bodies that stand still, broad and narrow phase."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from asking import ask_peer
from tables import Row, table, text, write_csv

from peers import collisions as scene

COLUMNS = ("scene", "bodies", "engine", "version", "us_per_call", "contacts", "deepest", "note")
HEADINGS = ("", "bodies", "", "", "us/call", "contacts", "deepest gap", "")
PEERS = ("mujoco_collisions.py",)


def build(what: scene.Scene) -> tuple[Any, Any]:
    """The scene here, and the records of its bodies."""
    import dalembert as dl
    from dalembert.collision.scene import CollisionScene, SceneShape, motions

    made = {
        "sphere": lambda sizes: dl.Sphere(*sizes),
        "capsule": lambda sizes: dl.Capsule(*sizes),
        "box": lambda sizes: dl.Box(sizes),
        "cylinder": lambda sizes: dl.Cylinder(*sizes),
        "ellipsoid": lambda sizes: dl.Ellipsoid(sizes),
        "hull": lambda sizes: dl.ConvexHull(scene.hull_points(sizes)),
    }
    shapes = [SceneShape.of(dl.Plane())] if what.ground else []
    shapes += [SceneShape.of(made[p.kind](p.sizes), k) for k, p in enumerate(what.pieces)]
    turns = [dl.Rotation.from_quaternion(p.turn).matrix for p in what.pieces]
    records = motions([p.place for p in what.pieces], turns)
    return CollisionScene(shapes, len(what.pieces)), records


def measure(what: scene.Scene, repeats: int) -> Row:
    """Calls in one compiled loop, least CPU time."""
    import dalembert as dl
    from dalembert.collision.collide import repeat_collide

    arrays, records = build(what)
    found = arrays.collide(records)
    flat = np.ascontiguousarray(records).ravel()
    given = (flat, 0.0, arrays.room)
    repeat_collide(arrays.memory, 1, *given)
    best = math.inf
    for _ in range(repeats):
        begin = time.process_time()
        repeat_collide(arrays.memory, what.calls, *given)
        best = min(best, time.process_time() - begin)
    gaps = found.gaps
    touching = int((gaps <= 0.0).sum())
    return {
        "scene": what.name,
        "engine": "dalembert",
        "version": dl.__version__,
        "us_per_call": 1e6 * best / what.calls,
        "contacts": touching,
        "deepest": float(gaps.min(initial=math.inf)),
        "note": f"{len(found)} contacts within the margin, {arrays.memory.pairs} candidates",
    }


def show(repeats: int, interpreter: str | None) -> None:
    """One table: every scene here, then the peers with their time as a multiple of ours."""
    print("\nCollision: placing, broad phase and contacts, nothing kept but the order")
    ours = {what.name: measure(what, repeats) for what in scene.SCENES}
    rows = list(ours.values())
    for program in PEERS if interpreter else ():
        rows += ask_peer(program, str(interpreter))
    order = {what.name: k for k, what in enumerate(scene.SCENES)}
    rows.sort(key=lambda row: order[row["scene"]])
    cells = []
    for row in rows:
        mine = ours[row["scene"]]
        row["bodies"] = len(scene.SCENES[order[row["scene"]]].pieces)
        if row is not mine:
            row["note"] = f"{row['us_per_call'] / mine['us_per_call']:.2f}x; {row['note']}"
        cells.append(tuple(text(row[column]) for column in COLUMNS))
    print(table(HEADINGS, cells))
    write_csv("collision", COLUMNS, rows)
