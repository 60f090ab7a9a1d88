"""Robots of example-robot-data against Pinocchio: masses, inertias, placements of every link."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from dalembert.errors import ImportFileError
from dalembert.importers.urdf.entry import read_urdf
from dalembert.importers.urdf.robot import ONE_COORDINATE, read_robot
from dalembert.importers.urdf.tree import starting_values

PEERS = os.environ.get("DALEMBERT_PEERS", "")
PROGRAM = Path(__file__).with_name("pinocchio_robots.py")
AGREE = 1e-10

pytestmark = pytest.mark.skipif(
    not (PEERS and Path(PEERS).exists()),
    reason="DALEMBERT_PEERS names no Python with pin and example-robot-data",
)


def ask(*arguments: str, given: str = "") -> str:
    made = subprocess.run(
        [PEERS, str(PROGRAM), *arguments], input=given, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    return made.stdout


def values_of(file: str, dice: random.Random) -> dict[str, float]:
    """A value for every joint of one coordinate; those that mimic follow."""
    robot = read_robot(file)
    own = [j for j in robot.joints.values() if j.kind in ONE_COORDINATE and j.mimic is None]
    return {j.name: dice.uniform(-1.0, 1.0) for j in own}


def model_at(file: str, base: str, values: dict[str, float], massless: float | None):
    return read_urdf(file, base=base, initial=values, massless=massless, meshes=False).model


def links(model) -> dict[str, np.ndarray]:
    """World position and rotation of every body and every frame that has a name."""
    found = {}
    for name, frame in model.world.frames.items():
        found[name] = [*frame.offset, *frame.orientation.matrix.ravel()]
    for name, (p, R, _, _) in model.placement().items():
        found[name] = [*p, *R.ravel()]
        for own, frame in model.bodies[name].frames.items():
            at = p + R @ np.array(frame.offset)
            found[own] = [*at, *(R @ frame.orientation.matrix).ravel()]
    return {name: np.array(entries) for name, entries in found.items()}


def fitted(name: str) -> str:
    made = re.sub(r"\W", "_", name)
    return made if made.isidentifier() else f"_{made}"


def off(ours, theirs) -> float:
    """Largest difference over the largest number, or over 1 where all are smaller."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    return float(np.abs(ours - theirs).max() / max(1.0, np.abs(theirs).max()))


@pytest.mark.slow
def test_every_robot_is_read_or_refused_and_agrees():
    dice = random.Random(5)
    tasks, massless, told = [], [], Counter()
    for file in ask("list").split():
        for base in ("fixed", "floating"):
            try:
                states = [values_of(file, dice) for _ in range(2)]
                given = None
                try:
                    model_at(file, base, {}, given)
                except ImportFileError as problem:
                    if "has no mass" not in str(problem):
                        raise
                    given = 1e-3
                    model_at(file, base, {}, given)
            except ImportFileError as problem:
                told[base, "refused"] += 1
                told["without a place"] += not str(problem).startswith(file)
                continue
            robot = read_robot(file)
            full = [starting_values(robot, values) for values in states]
            tasks.append({"file": file, "base": base, "values": full, "own": states})
            massless.append(given)
    worst = Counter()
    for task, given, answer in zip(
        tasks, massless, json.loads(ask(given=json.dumps(tasks))), strict=True
    ):
        file, base = task["file"], task["base"]
        assert "error" not in answer, (file, answer)
        for values, state in zip(task["own"], answer["states"], strict=True):
            model = model_at(file, base, values, given)
            found = links(model)
            for name, pose in state["frames"].items():
                if name == "universe":
                    continue
                name = fitted(name) if fitted(name) in found else f"{name}_"  # a body "world"
                worst["pose"] = max(worst["pose"], off(found[name], pose))
                told["poses"] += 1
            if given is not None:
                continue
            bodies = model.bodies
            mass = sum(body.inertia.mass for body in bodies.values())
            center = sum(
                body.inertia.mass * (p + R @ np.array(body.inertia.center))
                for body, (p, R, _, _) in zip(
                    bodies.values(), model.placement().values(), strict=True
                )
            )
            if answer["mass"] > 0.0:
                worst["mass"] = max(worst["mass"], abs(mass / answer["mass"] - 1.0))
                worst["center"] = max(worst["center"], off(center / mass, state["center"]))
            for joint in model.joints.values():
                if joint.name not in answer["bodies"]:
                    continue
                inertia = joint.second.body.inertia
                m, *rest = answer["bodies"][joint.name]
                worst["mass"] = max(worst["mass"], abs(inertia.mass / m - 1.0))
                worst["lever"] = max(worst["lever"], off(inertia.center, rest[:3]))
                scale = np.abs(rest[3:]).max() or 1.0
                moments = np.abs(np.ravel(inertia.matrix) - rest[3:]).max() / scale
                worst["moments"] = max(worst["moments"], moments)
        told[base, "agrees"] += 1
    print(dict(told), {key: f"{value:.1e}" for key, value in worst.items()})
    assert told["without a place"] == 0
    assert told["fixed", "agrees"] >= 40
    assert told["floating", "agrees"] >= 40
    assert max(worst.values()) < AGREE, worst
