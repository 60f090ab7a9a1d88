"""Trees with every kind of joint against Pinocchio, which runs in an environment of its own."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from tests.support.trees import random_tree, state

import dalembert as dl
from dalembert.model.start.states import number
from dalembert.system.tree_layout import FREE
from dalembert.system.tree_links import compound_axes

INTERPRETER = os.environ.get("DALEMBERT_PEERS")
PROGRAM = Path(__file__).with_name("pinocchio_trees.py")
SEEDS = range(20)
RELATIVE = 1e-10

pytestmark = pytest.mark.skipif(
    not INTERPRETER,
    reason="Pinocchio: set DALEMBERT_PEERS to the interpreter of the peers' environment",
)


def frame_of(frame):
    return {
        "position": [float(x) for x in frame.offset],
        "rotation": frame.orientation.matrix.tolist(),
    }


def described(tree, q, v, tau):
    """What the program is told: frames as the model has them, nothing our kernels use."""
    edges = []
    for edge in tree.joints:
        body = tree.model.bodies[edge.body]
        center = [number(x, {}) for x in body.inertia.center]
        told = {"name": edge.name, "body": edge.body, "parent": edge.parent}
        told |= {"q": edge.q.start, "v": edge.v.start, "mass": float(body.inertia.mass)}
        told |= {"center": center, "inertia": np.array(body.inertia.matrix, float).tolist()}
        if edge.kind == FREE:
            still = {"position": [0.0] * 3, "rotation": np.eye(3).tolist()}
            told |= {"kind": "free", "parent_frame": still}
            told["child_frame"] = still | {"position": center}
        else:
            near, far = edge.joint.frames
            told |= {"kind": edge.joint.kind, "pitch": getattr(edge.joint, "pitch", 0.0)}
            if edge.joint.kind == "compound":
                axes = compound_axes(edge.joint).tolist()
                count = len(edge.joint.slides)
                told |= {"slides": axes[:count], "hinges": axes[count:]}
                told["apart"] = [float(x) for x in edge.joint.apart]
            told |= {"parent_frame": frame_of(near), "child_frame": frame_of(far)}
        edges.append(told)
    gravity = tree.tables.numbers[:3].tolist()
    return {"gravity": gravity, "edges": edges} | {
        name: x.tolist() for name, x in (("q", q), ("v", v), ("tau", tau))
    }


@pytest.fixture(scope="module")
def compared():
    """Our trees with their states, and the answers of the peer."""
    trees = [dl.Tree(random_tree(seed, 12, turned=False)) for seed in SEEDS]
    states = [state(tree, seed) for seed, tree in zip(SEEDS, trees, strict=True)]
    told = [described(tree, *given) for tree, given in zip(trees, states, strict=True)]
    done = subprocess.run(
        [INTERPRETER, PROGRAM],
        input=json.dumps(told),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return list(zip(trees, states, json.loads(done.stdout), strict=True))


def near(ours, theirs):
    wanted = np.array(theirs)
    return np.abs(ours - wanted).max() <= RELATIVE * np.abs(wanted).max()


def test_mass_matrices(compared):
    assert all(near(tree.mass_matrix(q), theirs["M"]) for tree, (q, _, _), theirs in compared)


def test_biases(compared):
    assert all(near(tree.bias(q, v), theirs["bias"]) for tree, (q, v, _), theirs in compared)


def test_forward_dynamics(compared):
    for tree, (q, v, tau), theirs in compared:
        assert near(tree.forward_dynamics(q, v, tau), theirs["a"])


def test_frames(compared):
    for tree, (q, _, _), theirs in compared:
        found = tree.forward_kinematics(q)
        for name in tree.model.bodies:
            position, rotation = theirs["places"][name]
            assert np.abs(found[name].position - position).max() <= RELATIVE
            assert np.abs(found[name].rotation - rotation).max() <= RELATIVE
