"""Scenes of contact beside MuJoCo: whole steps, creep, penetration, residual, in one run.

    DALEMBERT_PEERS=/path/to/peers/bin/python .venv/bin/python benchmarks/contact.py [scene ...]

Every scene is a catalog model; MuJoCo gets the same bodies, shapes, hinges and servos as MJCF. Time
is CPU time of the steps alone, everybody in one thread, the least of the repeats. *Creep* is the
farthest that any centre moves in a scene that should stand still, *penetration* the deepest at any
step (ours) or at the end (MuJoCo), *residual* that of the laws of contact, which MuJoCo softens.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import dalembert as dl
from dalembert.model.forces.position_servo import PositionServo

HERE = Path(__file__).parent
REPEATS = 3
SCENES: dict[str, tuple[dict[str, Any], float, float, bool]] = {
    # options; until, step [s]; whether it should stand still
    "incline": ({"friction": 0.57735 * 1.001}, 10.0, 5e-3, True),
    "stack": ({}, 10.0, 5e-3, True),
    "cards": ({}, 5.0, 5e-3, True),
    "wall": ({"rows": 10, "columns": 10}, 2.0, 5e-3, True),
    "chain-on-ground": ({"count": 100, "tip": 1.0, "height": 0.3}, 2.0, 5e-3, False),
    "falling-humanoid": ({"rate": 0.0}, 2.0, 2e-3, False),
    "pile": ({"count": 500}, 1.0, 5e-3, False),
}
FIELDS = ("scene", "who", "us/step", "contacts", "creep", "penetration", "residual p95", "worst")


def ours(name: str) -> tuple[list[dict[str, Any]], Any]:
    """Rows of this package; the last run."""
    options, until, step, still = SCENES[name]
    rows, solution = [], None
    for label, method in (
        ("dalembert default", dl.ContactImpulse()),
        ("dalembert fast", dl.ContactImpulse(profile="fast")),
    ):
        best = np.inf
        for _ in range(REPEATS):
            model = dl.catalog.load(name, **options)
            solution = dl.simulate(model, until=until, step=step, method=method, every=20)
            facts = solution.statistics
            best = min(best, facts["cpu_time"] / facts["steps"])
        assert solution is not None
        q = solution.q.reshape(len(solution.t), -1, 7)[..., :3]
        contact = solution.statistics["contact"]
        residual = solution.solve_info["residual"]
        rows.append(
            {
                "scene": name,
                "who": label,
                "us/step": 1e6 * best,
                "contacts": contact["contacts"],
                "creep": float(np.abs(q - q[0]).max()) if still else np.nan,
                "penetration": contact["penetration"],
                "residual p95": float(np.nanpercentile(residual, 95)),
                "worst": contact["residual"],
            }
        )
    return rows, solution


# -- the same as MJCF ------------------------------------------------------------------------------


def numbers(values: Any) -> str:
    return " ".join(f"{float(x):.12g}" for x in np.ravel(values))


def quaternion(R: np.ndarray) -> np.ndarray:
    """(w, x, y, z) of a rotation matrix."""
    w = np.sqrt(max(0.0, 1.0 + np.trace(R))) / 2.0
    if w > 1e-6:
        v = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (4.0 * w)
        return np.array([w, *v])
    k = int(np.argmax(np.diagonal(R)))
    v = R[:, k] + np.eye(3)[k]
    return np.array([0.0, *(v / np.linalg.norm(v))])


def matrix(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def value(x: Any, parameters: Any) -> float:
    from dalembert.model.quantity import value_of

    return float(value_of(x, parameters) or 0.0)


def geom(model: Any, shape: Any, floor_only: bool) -> str:
    known = model.parameters
    place = numbers([value(x, known) for x in shape.position])
    turn = numbers(quaternion(shape.rotation.matrix))
    mu = value(shape.material.friction, known)
    sizes = [value(x, known) for x in shape.sizes]
    kind = shape.kind
    if kind == "plane":
        size = "0 0 1"
    elif kind == "box":
        size = numbers(np.array(sizes) / 2)
    elif kind in ("capsule", "cylinder"):
        size = numbers([sizes[0], sizes[1] / 2])
    else:
        size = numbers(sizes)
    bits = 'contype="1" conaffinity="1"'
    if floor_only:
        bits = 'contype="1" conaffinity="2"' if shape.is_fixed else 'contype="2" conaffinity="1"'
    return (
        f'<geom type="{kind}" size="{size}" pos="{place}" quat="{turn}" mass="0" condim="3"'
        f' friction="{mu:.12g} 0 0" {bits}/>'
    )


def mjcf(name: str, step: float, solution: Any) -> str:
    """The model of a run, at its start."""
    model, known = solution.model, solution.model.parameters
    states = solution.q[0].reshape(-1, 7)
    R, origin = {}, {}
    for (label, body), state in zip(model.bodies.items(), states, strict=True):
        R[label] = matrix(state[3:])
        centre = np.array([value(x, known) for x in body.inertia.center])
        origin[label] = state[:3] - R[label] @ centre
    world = model.world.name
    R[world], origin[world] = np.eye(3), np.zeros(3)
    parents: dict[str, tuple[str, Any]] = {}
    for joint in model.joints.values():
        a, b = (frame.body.name for frame in joint.frames)
        parents[b] = (a, joint)
    shapes: dict[str, list[Any]] = {}
    for shape in model.contact_shapes:
        shapes.setdefault(shape.body, []).append(shape)
    floor_only = name == "falling-humanoid"

    def text(label: str) -> str:
        body = model.bodies[label]
        parent, joint = parents.get(label, (world, None))
        place = R[parent].T @ (origin[label] - origin[parent])
        turn = quaternion(R[parent].T @ R[label])
        inside = "<freejoint/>"
        if joint is not None:
            frame = joint.frames[1]
            at = [value(x, known) for x in frame.offset]
            axis = frame.orientation.matrix[:, 2]
            inside = f'<joint name="{joint.name}" pos="{numbers(at)}" axis="{numbers(axis)}"/>'
        centre = numbers([value(x, known) for x in body.inertia.center])
        I = [[value(x, known) for x in row] for row in body.inertia.matrix]
        full = numbers([I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]])
        mass = value(body.inertia.mass, known)
        parts = "".join(geom(model, shape, floor_only) for shape in shapes.get(label, ()))
        below = "".join(text(b) for b, (a, _) in parents.items() if a == label)
        return (
            f'<body pos="{numbers(place)}" quat="{numbers(turn)}">{inside}'
            f'<inertial pos="{centre}" mass="{mass:.12g}" fullinertia="{full}"/>'
            f"{parts}{below}</body>"
        )

    tops = [b for b in model.bodies if parents.get(b, (world, None))[0] == world]
    servos = ""
    for force in model.forces.values():
        if isinstance(force, PositionServo):
            kp, kd = value(force.kp, known), value(force.kd, known)
            servos += f'<position joint="{force.joint.name}" kp="{kp:.12g}" kv="{kd:.12g}"/>'
    gravity = numbers([value(x, known) for x in model.gravity])
    planes = "".join(geom(model, shape, floor_only) for shape in shapes.get(world, ()))
    return (
        f'<mujoco><option timestep="{step}" gravity="{gravity}" cone="elliptic"'
        f' integrator="implicitfast"/><size memory="200M"/><worldbody>{planes}'
        f"{''.join(text(b) for b in tops)}</worldbody><actuator>{servos}</actuator></mujoco>"
    )


def main() -> None:
    wanted = sys.argv[1:] or list(SCENES)
    peers = os.environ.get("DALEMBERT_PEERS")
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in wanted:
            mine, solution = ours(name)
            rows += mine
            _, until, step, still = SCENES[name]
            if peers:
                file = Path(folder) / f"{name}.xml"
                file.write_text(mjcf(name, step, solution))
                job = [
                    peers,
                    str(HERE / "peers/mujoco_contact.py"),
                    str(file),
                    str(until),
                    str(REPEATS),
                ]
                done = subprocess.run(job, capture_output=True, text=True, check=False)
                if done.returncode:
                    print(f"{name}: MuJoCo failed: {done.stderr[-300:]}", file=sys.stderr)
                else:
                    for row in json.loads(done.stdout):
                        row |= {"scene": name}
                        if not still:
                            row["creep"] = float("nan")
                        rows.append(row)
            for row in rows[-4:]:
                if row["scene"] == name:
                    print("  ".join(_shown(row.get(field)) for field in FIELDS), flush=True)
    if not peers:
        print("DALEMBERT_PEERS is not set: MuJoCo is left out.")
    path = HERE / "results/contact.csv"
    kept: list[dict[str, Any]] = []
    if path.exists():
        with path.open(newline="") as file:
            kept = [row for row in csv.DictReader(file) if row["scene"] not in wanted]
    new = [{k: _shown(row.get(k)).strip() for k in FIELDS} for row in rows]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(sorted([*kept, *new], key=lambda row: list(SCENES).index(row["scene"])))


def _shown(x: Any) -> str:
    if isinstance(x, str):
        return f"{x:<20}"
    if x is None or x != x:
        return f"{'':<10}"
    return f"{x:<10.3g}"


if __name__ == "__main__":
    main()
