"""Free flight of rigid bodies in momenta (mechanics/drift.py)."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import battery
from tests.support.lives import lives

import dalembert as dl
from dalembert.mechanics.drift import drift

THETA = np.array([[1.0, 0.2, -0.1], [0.2, 2.0, 0.3], [-0.1, 0.3, 2.5]])


def opened(matrix=THETA, spin=(3.0, -2.0, 5.0)):
    model = dl.Model("top", gravity=(0, 0, 0))
    start = {"position": (1, 2, 3), "velocity": (0.1, 0.2, 0.3), "angular_velocity": spin}
    model.add_body("top", dl.Inertia(2.0, matrix), rotation=("x", 0.4), **start)
    _, start, run = battery.opened(model, dl.Projection())
    turn = dl.Rotation.from_quaternion(start.q[3:]).matrix
    theta = np.diag(matrix) if np.ndim(matrix) == 1 else matrix
    momentum = np.concatenate([2.0 * start.v[:3], turn @ theta @ turn.T @ start.v[3:]])
    return model, run, start.q.copy(), momentum


def flown(run, q, momentum, until, steps):
    place = q.copy()
    for _ in range(steps):
        drift(run.work, run.sizes, until / steps, momentum, place)
    return place


@lives
def test_second_order_with_momentum_exact(life):
    model, _, q, momentum = opened()
    exact = dl.simulate(model, until=1.0, integrator=dl.DormandPrince(rtol=1e-13)).q[-1]
    with life():
        _, run, q, momentum = opened()
        errors = [np.abs(flown(run, q, momentum, 1.0, n) - exact).max() for n in (100, 200, 400)]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.05)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.05)
    assert errors[2] <= 1e-3


@lives
def test_the_way_back_leads_to_the_start(life):
    with life():
        _, run, q, momentum = opened()
        there = flown(run, q, momentum, 0.5, 20)
        back = flown(run, there, momentum, -0.5, 20)
    assert np.abs(there - q).max() > 0.1
    assert np.abs(back - q).max() <= 1e-13


@lives
def test_about_a_principal_axis_it_is_exact(life):
    with life():
        _, run, q, momentum = opened(np.array([1.0, 2.0, 2.8]), (4.0, 0.0, 0.0))
        end = flown(run, q, momentum, 1.0, 1)
    exact = dl.Rotation.about("x", 4.4).quaternion
    assert min(np.abs(end[3:] - exact).max(), np.abs(end[3:] + exact).max()) <= 1e-14
    assert np.abs(end[:3] - [1.1, 2.2, 3.3]).max() <= 1e-14


def test_energy_does_not_drift():
    # Two thousand turns with ten steps each: a symplectic step keeps the energy in a band.
    _, run, q, momentum = opened()
    values = []
    for _ in range(20_000):
        drift(run.work, run.sizes, 0.1 / 5.0, momentum, q)
        turn = dl.Rotation.from_quaternion(q[3:] / np.linalg.norm(q[3:])).matrix
        local = turn.T @ momentum[3:]
        values.append(local @ np.linalg.solve(THETA, local) / 2)
    first, last = np.array(values[:5000]), np.array(values[-5000:])
    assert abs(last.mean() - first.mean()) <= 1e-3 * first.mean()
    assert np.ptp(last) <= 1.1 * np.ptp(first)
