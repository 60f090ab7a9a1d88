"""Catalog models against reference trajectories, without simulating: residuals and forces.

Data: shared/reference/data, read in place (or from the folder in DALEMBERT_REFERENCE).
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from dalembert import catalog
from dalembert.formulas.constraint import holonomic_rows
from dalembert.formulas.evaluate import evaluate
from dalembert.formulas.variables import time

pytestmark = pytest.mark.reference

_GIVEN = os.environ.get("DALEMBERT_REFERENCE")
FOLDER = (
    Path(_GIVEN) if _GIVEN else Path(__file__).parents[3].parent / "shared" / "reference" / "data"
)


def read(name):
    path = FOLDER / name
    if not path.is_file():
        pytest.skip(f"reference data {name} not found; set DALEMBERT_REFERENCE to its folder")
    return json.loads(path.read_text())


def state(model, t, q, v=None):
    v = np.zeros(len(q)) if v is None else v
    values = {time: t}
    for k, symbol in enumerate(model.coordinates):
        values |= {symbol: q[k], symbol.dot: v[k]}
    return values


def numbers(formulas, values):
    return np.array([float(x) for x in evaluate(list(formulas), values)])


def rows(model):
    return [row for constraint in model.constraints for row in constraint.rows]


BIPEDS = [
    ("biped_ex1.json", {"exercise": 1}),
    ("biped_ex2.json", {"exercise": 2}),
    ("biped_ex3.json", {"exercise": 3, "theta_d": 4 * np.pi / 9}),
    ("biped_ex3_theta1363.json", {"exercise": 3}),
]


@pytest.mark.parametrize(("name", "options"), BIPEDS)
def test_biped_samples_satisfy_all_levels_and_give_the_constraint_force(name, options):
    data = read(f"braun_goldfarb/{name}")
    model = catalog.load("biped", **options)
    assert [model.initial[q.name] for q in model.coordinates] == data["published_q0"]
    parts = holonomic_rows(rows(model), model.coordinates)
    for sample in data["samples"]:
        q, v, a = (np.array(sample[key]) for key in ("q", "v", "a"))
        values = state(model, sample["t"], q, v)
        # doubles of size 1 to 100 through some tens of operations
        tolerance = 1e-12
        assert np.abs(numbers(parts.phi, values)).max() < 1e-14
        assert np.abs(numbers(parts.phi_dot, values)).max() < 1e-13
        J = np.array([numbers(row, values) for row in parts.J])
        assert np.abs(J @ a - numbers(parts.rhs_a, values)).max() < 2e-13 * max(1, np.abs(a).max())
        M = np.array([numbers(row, values) for row in model.mass])
        Qc = M @ a - numbers(model.force, values)
        expected = np.array(sample["Qc"])
        assert np.abs(Qc - expected).max() < tolerance * np.abs(expected).max()
        # the force is one the constraints can exert
        lam = np.linalg.lstsq(J.T, expected, rcond=1e-10)[0]
        assert np.abs(J.T @ lam - expected).max() < 1e-10 * np.abs(expected).max()


def test_four_bar_samples_lie_on_the_constraints_and_keep_the_energy():
    data = read("braun_goldfarb/fourbar.json")
    model = catalog.load("four-bars")
    parts = holonomic_rows(rows(model), model.coordinates)
    for sample in data["samples"]:
        values = state(model, sample["t"], sample["q"], sample["v"])
        assert np.abs(numbers(parts.phi, values)).max() < 1e-14
        assert np.abs(numbers(parts.phi_dot, values)).max() < 1e-13
        energy = numbers([model.kinetic, model.potential], values).sum()
        assert energy == pytest.approx(data["energy"], rel=1e-14)


def test_pendulum_samples():
    data = read("braun_goldfarb/pendulum.json")
    model = catalog.load("pendulum")
    for sample in data["samples"]:
        q, v = (sample["x"], sample["y"]), (sample["vx"], sample["vy"])
        values = state(model, sample["t"], q, v)
        assert np.abs(numbers(rows(model), values)).max() < 1e-15
        assert abs(numbers([model.kinetic, model.potential], values).sum()) < 1e-14


@pytest.mark.parametrize(
    ("name", "gravity"), [("slider_crank", 9.81), ("slider_crank_no_gravity", 0.0)]
)
def test_slider_crank_acceleration(name, gravity):
    """The reduced equation of the reference is the constrained acceleration of the model."""
    data = read(f"braun_goldfarb/{name}.json")
    model = catalog.load("slider-crank", gravity=gravity)
    parts = holonomic_rows(rows(model), model.coordinates)
    for sample in data["samples"]:
        angle, rate = sample["theta1"], sample["theta1_dot"]
        if abs(np.cos(angle)) < 0.1:  # close to the rank loss the branch is not determined
            continue
        values = state(model, sample["t"], [0, 0, angle, -angle], [0, 0, rate, -rate])
        M = np.array([numbers(row, values) for row in model.mass])
        J = np.array([numbers(row, values) for row in parts.J])
        saddle = np.block([[M, -J.T], [J, np.zeros((3, 3))]])
        right = np.concatenate([numbers(model.force, values), numbers(parts.rhs_a, values)])
        acceleration = np.linalg.solve(saddle, right)
        assert acceleration[2] == pytest.approx(sample["theta1_ddot"], rel=1e-11, abs=1e-11)
        slider = numbers(model.points["slider"], values)
        assert slider[0] == pytest.approx(sample["x_slider"], abs=1e-13)


def test_car_axis_end_state_satisfies_the_constraints():
    data = read("car_axis.json")
    model = catalog.load("car-axis")
    q, v = data["reference"][:4], data["reference"][4:8]
    parts = holonomic_rows(rows(model), model.coordinates)
    values = state(model, data["t"], q, v)
    # the reference itself is good to about 1e-11
    assert np.abs(numbers(parts.phi, values)).max() < 1e-11
    assert np.abs(numbers(parts.phi_dot, values)).max() < 1e-10


def test_towing_tank_equation_and_mount_force():
    """(12 + 40 0.15^2) theta'' and the mount force of the data follow from M, Q and J."""
    data = read("towing_tank.json")
    model = catalog.load("towing-tank")
    parts = holonomic_rows(rows(model), model.coordinates)
    omega = 2 * np.pi * 0.8
    for t, theta, rate, force_x, force_z in data["rows"]:
        pitch, c, s = -theta, np.cos(theta), np.sin(theta)
        heave, speed = 0.05 * np.sin(omega * t), 0.05 * omega * np.cos(omega * t)
        q = [-0.15 * c, 0, heave - 0.15 * s, 0, pitch, 0]
        v = [0.15 * s * rate, 0, speed - 0.15 * c * rate, 0, -rate, 0]
        values = state(model, t, q, v)
        assert np.abs(numbers(parts.phi, values)).max() < 1e-15
        assert np.abs(numbers(parts.phi_dot, values)).max() < 1e-15
        M = np.array([numbers(row, values) for row in model.mass])
        J = np.array([numbers(row, values) for row in parts.J])
        saddle = np.block([[M, -J.T], [J, np.zeros((5, 5))]])
        right = np.concatenate([numbers(model.force, values), numbers(parts.rhs_a, values)])
        lam = np.linalg.solve(saddle, right)[6:]
        assert lam[2] == pytest.approx(force_x, rel=1e-11)
        assert lam[4] == pytest.approx(force_z, rel=1e-11)
