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

import dalembert as dl
from dalembert.errors import ImportFileError
from dalembert.importers.urdf.load import read_urdf
from dalembert.importers.urdf.read_robot import read_robot
from dalembert.importers.urdf.robot import ONE_COORDINATE
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
            found, gone = links(model), "\n".join(map(str, model.losses))
            for name, pose in state["frames"].items():
                if name == "universe":
                    continue
                if f"link '{name}' has no mass: it is not in the model" in gone:
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
                scale = max(np.abs(rest[3:]).max(), 1e-5 * m)  # rounding of a point mass is none
                moments = np.abs(np.ravel(inertia.matrix) - rest[3:]).max() / scale
                worst["moments"] = max(worst["moments"], moments)
        told[base, "agrees"] += 1
    print(dict(told), {key: f"{value:.1e}" for key, value in worst.items()})
    assert told["without a place"] == 0
    assert told["fixed", "agrees"] >= 40
    assert told["floating", "agrees"] >= 40
    assert max(worst.values()) < AGREE, worst


# -- dynamics --------------------------------------------------------------------------------------


def dynamics_of(file: str, base: str, values, speeds, efforts):
    """M, bias and accelerations of our tree by the names of joints; the base as Pinocchio's."""
    model = read_urdf(file, base=base, initial=values, meshes=False).model
    tree = dl.Tree(model)
    q, _ = tree.start()
    v, tau = np.zeros(tree.nv), np.zeros(tree.nv)
    names = [""] * tree.nv
    above = {joint.child: joint for joint in read_robot(file).joints.values()}
    to_ours = np.eye(tree.nv)  # our velocities of Pinocchio's: those of the base differ
    for edge in tree.joints:
        if edge.v.stop - edge.v.start == 1:
            names[edge.v.start] = edge.name
            v[edge.v] = speeds.get(edge.name, 0.0)
            tau[edge.v] = efforts.get(edge.name, 0.0)
        elif getattr(edge.joint, "kind", "") == "compound":  # called as the last of its parts
            link = edge.body
            for place in reversed(range(edge.v.start, edge.v.stop)):
                names[place] = above[link].name
                v[place], tau[place] = speeds[names[place]], efforts[names[place]]
                link = above[link].parent
        elif base == "floating" and edge.v.start == 0:
            names[:6] = [f"base{i}" for i in range(6)]
            x, y, z = model.bodies[edge.body].inertia.center
            to_ours[:3, 3:6] = -np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    M = to_ours.T @ tree.mass_matrix(q) @ to_ours
    bias = to_ours.T @ (tree.bias(q, v))
    a = np.linalg.solve(to_ours, tree.forward_dynamics(q, v, tau))
    return names, M, bias, a


@pytest.mark.slow
def test_dynamics_agree():
    dice = random.Random(6)
    tasks = []
    for file in ask("list").split():
        for base in ("fixed", "floating"):
            try:
                values = values_of(file, dice)
                model_at(file, base, {}, None)
            except ImportFileError:
                continue
            robot = read_robot(file)
            if any(joint.kind in ("floating", "planar") for joint in robot.joints.values()):
                continue
            full = starting_values(robot, values)
            tasks.append(
                {
                    "file": file,
                    "base": base,
                    "values": [full],
                    "own": values,
                    "speeds": {name: dice.uniform(-1, 1) for name in full},
                    "efforts": {name: dice.uniform(-1, 1) for name in full},
                }
            )
    worst, told = Counter(), Counter()
    for task, answer in zip(tasks, json.loads(ask(given=json.dumps(tasks))), strict=True):
        theirs = answer["dynamics"]
        names, M, bias, a = dynamics_of(
            task["file"],
            task["base"],
            task["own"],
            *(task[key] for key in ("speeds", "efforts")),
        )
        at = [theirs["names"].index(name) for name in names]
        told[task["base"]] += 1
        found = {
            "M": relative(M, np.array(theirs["mass_matrix"])[np.ix_(at, at)]),
            "bias": relative(bias, np.array(theirs["bias"])[at]),
        }
        if len(at) == len(theirs["names"]):  # otherwise massless ends move freely there
            # as exact as M can be inverted: compared by the forces that make the difference
            off_by = M @ (a - np.array(theirs["acceleration"])[at])
            found["aba"] = float(np.abs(off_by).max() / max(np.abs(bias).max(), 1e-3))
        for key, value in found.items():
            worst[key] = max(worst[key], value)
            told[key] += 1
    print(dict(told), {key: f"{value:.1e}" for key, value in worst.items()})
    assert min(told["fixed"], told["floating"]) >= 40
    assert max(worst.values()) < AGREE, worst


def relative(ours, theirs) -> float:
    return float(np.abs(ours - theirs).max() / max(np.abs(theirs).max(), 1e-3))
