"""Models of thousands of bodies: what is counted is right, and takes time in proportion."""

from __future__ import annotations

import time

import numpy as np
import pytest

import dalembert as dl
from dalembert import catalog
from dalembert.model.check.bodies import start_of
from dalembert.model.check.mobility import rank_of, unit_rows
from dalembert.model.check.sparse_rank import sparse_rank
from dalembert.model.start.closing import Closing
from dalembert.model.start.rows_numpy import Rows
from dalembert.model.start.states import displaced

MODELS = {name: catalog.load(name) for name in catalog.names()}
JOINED = [name for name, model in MODELS.items() if model.is_maximal and model.row_count]


def chain(count, joint=dl.Revolute):
    model = dl.Model("chain")
    last = model.world
    for i in range(count):
        link = model.add_body(f"b{i}", dl.Inertia.box(mass=1.0, size=(0.5, 0.1, 0.1)))
        axis = {"axis": "y"} if joint is dl.Revolute else {}
        model.add_joint(joint(last, link.at(x=-0.25), **axis))
        last = link.at(x=0.25)
    return model, last


def rank(model):
    rows = Rows(model)
    return sparse_rank(rows, 0.0, start_of(model)[0])


def test_long_chain_has_full_rank():
    # its least singular value is 1/n^2, which no threshold tells from a dependent row
    model, _ = chain(2000)
    assert rank(model) == model.row_count


def test_loop_of_a_long_chain_is_counted():
    # a closed ring of n parallel hinges: 3 of its rows repeat others
    model, last = chain(11)
    model.add_loop(dl.Revolute(last, model.world.at(x=2.0, z=1.0), axis="y", name="closing"))
    start = dl.assemble(model)
    rows = Rows(model)
    q = np.array([start[n] for b in model.bodies.values() for n in b.state_names])
    assert sparse_rank(rows, 0.0, q) == model.row_count - 3


@pytest.mark.parametrize("name", JOINED)
def test_rank_is_that_of_singular_values(name):
    model = MODELS[name]
    rows = Rows(model)
    if rows.count + rows.velocities > 600:
        pytest.skip("too large for singular values")
    closing = Closing(rows)
    q = start_of(model)[0]
    noise = np.random.default_rng(0).uniform(-1e-2, 1e-2, rows.velocities)
    for state in (q, displaced(q, noise)):
        assert sparse_rank(rows, 0.0, state) == rank_of(
            unit_rows(rows, closing, 0.0, state[None, :])[0]
        )


@pytest.mark.slow
def test_ten_thousand_bodies_from_a_file_take_seconds(tmp_path):
    frames = "frames: {l: {at: [-0.25, 0, 0]}, r: {at: [0.25, 0, 0]}}"
    bodies = [
        f"  - {{name: b{i}, mass: 1, inertia: [0.1, 0.1, 0.1], {frames}}}" for i in range(10_000)
    ]
    joints = [
        f"  j{i}: {{type: revolute, first: {a}, second: b{i}/l, axis: y}}"
        for i, a in enumerate(["world", *(f"b{i}/r" for i in range(9_999))])
    ]
    path = tmp_path / "many.yaml"
    path.write_text("\n".join(["version: 1", "name: many", "bodies:", *bodies, "joints:", *joints]))
    began = time.process_time()
    found = dl.load(path).check()
    assert time.process_time() - began < 30.0
    assert found.degrees_of_freedom == 10_000
