"""Gaps of simple shapes against MuJoCo, which runs in an environment of its own."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from tests.unit.collision.scenes import contacts, on_ground

import dalembert as dl

INTERPRETER = os.environ.get("DALEMBERT_PEERS")
PROGRAM = Path(__file__).with_name("mujoco_contacts.py")

pytestmark = pytest.mark.skipif(
    not INTERPRETER,
    reason="MuJoCo: set DALEMBERT_PEERS to the interpreter of the peers' environment",
)

PAIRS = [
    ("plane", "sphere"),
    ("plane", "capsule"),
    ("plane", "box"),
    ("sphere", "sphere"),
    ("sphere", "capsule"),
    ("sphere", "box"),
    ("capsule", "capsule"),
]
"""Pairs MuJoCo has closed forms for that are exact."""


def drawn(rng, kind):
    """A shape at random near the origin, above a plane that is not far."""
    q = rng.normal(size=4)
    sizes = rng.uniform(0.2, 0.8, {"sphere": 1, "capsule": 2, "box": 3, "plane": 1}[kind])
    place = np.zeros(3) if kind == "plane" else rng.normal(size=3) * 0.5
    turn = [1.0, 0, 0, 0] if kind == "plane" else q / np.linalg.norm(q)
    told = {"kind": kind, "sizes": sizes.tolist(), "place": place.tolist(), "turn": list(turn)}
    made = {
        "sphere": lambda: dl.Sphere(*sizes),
        "capsule": lambda: dl.Capsule(*sizes),
        "box": lambda: dl.Box(sizes),
        "plane": lambda: dl.Plane(),
    }[kind]()
    return told, made, place, dl.Rotation.from_quaternion(turn).matrix


def ask(pairs):
    done = subprocess.run(
        [str(INTERPRETER), str(PROGRAM)],
        input=json.dumps(pairs),
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_least_gaps_are_those_of_mujoco(first, second):
    """To 1e-12 wherever both find contacts within a tenth of a metre."""
    rng = np.random.default_rng(1)
    drawings = [(drawn(rng, first), drawn(rng, second)) for _ in range(60)]
    answers = ask([[a[0], b[0]] for a, b in drawings])
    compared = 0
    for (a, b), answer in zip(drawings, answers, strict=True):
        if first == "plane":
            found = on_ground(b[1], b[2], b[3], margin=0.1)
        else:
            found = contacts([a[1], b[1]], [a[2], b[2]], [a[3], b[3]], margin=0.1)
        if not answer:
            assert found.gaps.min(initial=1.0) > 0.1 - 1e-9
            continue
        compared += 1
        assert abs(found.gaps.min() - min(answer)) <= 1e-12
    assert compared > 15
