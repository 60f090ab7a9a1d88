"""Scenes of contact beside other programs: time, creep, penetration, energy, residual.

    DALEMBERT_PEERS=/path/to/peers/bin/python DALEMBERT_MORE_PEERS=/path/to/others/bin/python \
        .venv/bin/python benchmarks/contact.py [scene ...]

MuJoCo, PyBullet, Drake, DART, and Siconos where DALEMBERT_SICONOS names its interpreter.

Every scene is a catalog model; the peers get the same bodies, shapes, hinges and servos as one file
of plain data (`describing.py`), and one judge takes the same numbers of everybody
(`peers/contact_judge.py`, which says what the columns are). Time is CPU time of the steps alone,
everybody in one thread with the same step, the least of the repeats. A program is run by the first
of the interpreters that has it, and left out, with a word, where none has.
"""

from __future__ import annotations

# isort: off
import one_thread  # noqa: F401  (before numpy)
# isort: on

import argparse
import csv
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from asking import ask_peer
from describing import describe
from peers.contact_judge import EVERY, Judge, matrices
from tables import RESULTS, table, text

import dalembert as dl

REPEATS = 3
SCENES: dict[str, tuple[str, dict[str, Any], float, float, float, bool]] = {
    # catalog name, its options; until, of that before the clock starts, step [s]; stands still
    "incline": ("incline", {"friction": 0.57735026919 * 1.001}, 10.0, 0.0, 5e-3, True),
    "stack": ("stack", {}, 10.0, 0.0, 5e-3, True),
    "cards": ("cards", {}, 5.0, 0.0, 5e-3, True),
    "wall": ("wall", {"rows": 10, "columns": 10}, 2.0, 0.0, 5e-3, True),
    "chain": (
        "chain-on-ground",
        {"count": 100, "tip": 1.0, "height": 0.3},
        2.0,
        0.0,
        5e-3,
        False,
    ),
    "humanoid": ("falling-humanoid", {"rate": 0.0}, 2.0, 0.0, 2e-3, False),
    "pile": ("pile", {"count": 500}, 1.0, 0.0, 5e-3, False),
    "boxes 10": ("boxes", {"count": 10}, 2.0, 1.0, 5e-3, False),
    "boxes 100": ("boxes", {"count": 100}, 2.0, 1.0, 5e-3, False),
    "boxes 1000": ("boxes", {"count": 1000}, 1.5, 1.0, 5e-3, False),
}
PEERS = {
    "mujoco": "mujoco_contact.py",
    "pybullet": "pybullet_contact.py",
    "pydrake": "drake_contact.py",
    "dartpy": "dart_contact.py",
    "siconos": "siconos_contact.py",
}
GIVEN = ("DALEMBERT_PEERS", "DALEMBERT_MORE_PEERS", "DALEMBERT_SICONOS")
"""Variables that name interpreters of the peers."""
FIELDS = (
    "scene",
    "who",
    "setting",
    "us/step",
    "ratio",
    "contacts",
    "creep",
    "penetration",
    "energy",
    "residual p95",
    "worst",
)


def ours(name: str, repeats: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rows of this package, and the scene for the others."""
    label, options, until, settling, step, still = SCENES[name]
    rows, scene = [], {}
    for profile in ("default", "fast"):
        method = dl.ContactImpulse(profile=profile)

        def run(end: float, every: int, method: Any = method) -> Any:
            model = dl.catalog.load(label, **options)
            return dl.simulate(model, until=end, step=step, method=method, every=every)

        def least(end: float, run: Any = run) -> float:
            return min(float(run(end, EVERY).statistics["cpu_time"]) for _ in range(repeats))

        seconds = least(until) - (least(settling) if settling else 0.0)
        solution = run(until, 1)
        scene = describe(solution.model, solution.q[0])
        scene |= {"until": until, "settling": settling, "step": step, "still": still}
        row = judged(scene, solution).row("dalembert", profile, seconds * step / (until - settling))
        contact, residual = solution.statistics["contact"], solution.solve_info["residual"]
        row |= {
            "contacts": int(contact["contacts"]),
            "penetration": contact["penetration"],
            "residual p95": float(np.nanpercentile(residual, 95)),
            "worst": contact["residual"],
        }
        rows.append(row)
    return rows, scene


def judged(scene: dict[str, Any], solution: Any) -> Judge:
    """Creep and energy of a run of ours, by the same text as the others'."""
    judge, names = Judge(scene), list(solution.model.bodies)
    order = [names.index(body["name"]) for body in scene["bodies"]]
    hinges = {j.frames[1].body.name: j for j in solution.model.joints.values()}
    angles = np.zeros((len(solution.t), len(order)))
    for k, body in enumerate(scene["bodies"]):
        if body["servo"]:
            angles[:, k] = solution[hinges[body["name"]].angle]
    for k in range(len(solution.t)):
        q = solution.q[k].reshape(-1, 7)[order]
        v = solution.v[k].reshape(-1, 6)[order]
        judge.state(q[:, :3], matrices(q[:, 3:]), v[:, :3], v[:, 3:], angles[k])
    return judge


def interpreters() -> dict[str, str]:
    """For every module of a peer the first interpreter that has it; says what is missing."""
    given = [os.environ.get(variable) for variable in GIVEN]
    found: dict[str, str] = {}
    for module in PEERS:
        for python in filter(None, given):
            job = [python, "-c", f"import {module}"]
            if subprocess.run(job, capture_output=True, check=False).returncode == 0:
                found[module] = python
                break
        else:
            print(f"{module} is left out: no interpreter of {', '.join(GIVEN)} has it.")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="*", help=f"some of: {', '.join(SCENES)}")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="the least time counts")
    given = parser.parse_args()
    unknown = [name for name in given.scenes if name not in SCENES]
    if unknown:
        parser.error(f"no scene {unknown[0]!r}; known: {', '.join(SCENES)}")
    pythons = interpreters()
    for name in given.scenes or SCENES:
        rows, scene = ours(name, given.repeats)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "scene.json"
            file.write_text(json.dumps(scene))
            for module, python in pythons.items():
                rows += ask_peer(f"{PEERS[module]} {file} {given.repeats}", python)
        for row in rows:
            row |= {"scene": name, "ratio": row["us/step"] / rows[0]["us/step"]}
        label, _, until, settling, step, _ = SCENES[name]
        print(f"\n{name}: catalog {label!r}, {until:g} s, h = {step:g} s", end="")
        print(f", timed from {settling:g} s" if settling else "")
        print(table(FIELDS[1:], [tuple(shown(row.get(f)) for f in FIELDS[1:]) for row in rows]))
        keep(name, rows)


def shown(x: Any) -> str:
    return "" if x is None else text(x)


def keep(name: str, rows: list[dict[str, Any]]) -> None:
    """The rows of a scene in the file of results, beside those of other scenes."""
    path = RESULTS / "contact.csv"
    RESULTS.mkdir(exist_ok=True)
    kept: list[dict[str, Any]] = []
    if path.exists():
        with path.open(newline="") as file:
            kept = [row for row in csv.DictReader(file) if row["scene"] in SCENES]
    kept = [row for row in kept if row["scene"] != name] + rows
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, extrasaction="ignore", restval="")
        writer.writeheader()
        writer.writerows(sorted(kept, key=lambda row: list(SCENES).index(row["scene"])))


if __name__ == "__main__":
    main()
