"""Closing joints from rough guesses, and naming what cannot be closed."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.model.test_check_bodies import INERTIA, four_bar, long_chain

import dalembert as dl
from dalembert.model.check.bodies import start_of
from dalembert.model.check.conflict import conflict
from dalembert.model.start.closing import Closing
from dalembert.model.start.rows_numpy import Rows
from dalembert.model.start.states import displaced, turned_by


def test_all_links_at_the_origin():
    model = four_bar(position=(0, 0, 0))
    rows = Rows(model)
    closing = Closing(rows)
    q, v = start_of(model)
    found = closing.close(0.0, q)
    assert found.is_closed
    assert np.abs(rows.residuals(0.0, found.q, v)[0]).max() < 1e-12


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_any_size(scale):
    lengths = tuple(scale * x for x in (1.0, 2.0, 1.5))
    model = four_bar(lengths, 2.0 * scale, position=(0, 0, 0))
    closing = Closing(Rows(model))
    found = closing.close(0.0, start_of(model)[0])
    assert found.is_closed
    assert found.worst < 1e-12 * scale


@pytest.mark.parametrize("seed", range(5))
def test_random_guesses_end_the_right_way_round(seed):
    """Axes of hinges are parallel, not opposed."""
    model = four_bar()
    q, _ = start_of(model)
    generator = np.random.default_rng(seed)
    guess = displaced(q, generator.uniform(-3.0, 3.0, 18))
    found = Closing(Rows(model)).close(0.0, guess)
    assert found.is_closed
    for part in found.q.reshape(-1, 7):
        w, _, y, _ = part[3:]
        assert w * w + y * y == pytest.approx(1.0)  # a turn about y


def test_nearer_is_nearer():
    model = four_bar(position=(0, 0, 0))
    closing = Closing(Rows(model))
    q, _ = start_of(model)
    first = closing.close(0.0, q)
    second = closing.nearer(0.0, q, first)
    assert second.is_closed
    assert closing.distance(q, second.q) <= closing.distance(q, first.q)


def test_drives_are_followed_not_opposed():
    model = dl.Model("fan")
    blade = model.add_body("blade", INERTIA, rotation=("z", 2.8))
    model.add_joint(dl.Revolute(model.world, blade, axis="z", name="hinge"))
    model.add_joint(dl.Motion("hinge", value=0.1, name="drive"))
    found = Closing(Rows(model)).close(0.0, start_of(model)[0])
    assert found.is_closed
    angle = 2 * np.arctan2(found.q[6], found.q[3])
    assert np.cos(angle - 0.1) == pytest.approx(1.0)


def test_large_models_are_sparse():
    model, before = long_chain()
    model.add_joint(dl.Spherical(before.at(x=0.5), model.world.at(x=120.0)))
    closing = Closing(Rows(model))
    assert not closing.is_small
    q, _ = start_of(model)
    bent = displaced(q, np.random.default_rng(0).normal(0, 0.05, 6 * 150))
    assert closing.close(0.0, bent).is_closed


def test_conflicts_leave_innocent_joints_out():
    model = four_bar((1.0, 1.0, 1.0), 5.0)
    arm = model.add_body("arm", INERTIA)
    model.add_joint(dl.Revolute(model.world.at(y=3.0), arm.at(x=-0.5), axis="y", name="other"))
    rows = Rows(model)
    q, _ = start_of(model)
    best = Closing(rows).close(0.0, q)
    assert not best.is_closed
    found = conflict(rows, None, 0.0, q, best)
    assert set(found.names) == {"hinge_A", "hinge_B", "hinge_C", "hinge_D"}
    assert found.is_irreducible


@pytest.mark.parametrize("size", [1e-14, 1e-3, 1.0, 3.0])
def test_turned_by_undoes_displaced(size):
    generator = np.random.default_rng(1)
    q = generator.standard_normal(14)
    for b in (3, 10):
        q[b : b + 4] /= np.linalg.norm(q[b : b + 4])
    u = generator.uniform(-1, 1, 12)
    u[3:6] *= size / np.linalg.norm(u[3:6])
    u[9:] *= size / np.linalg.norm(u[9:])
    np.testing.assert_allclose(turned_by(q, displaced(q, u)), u, atol=1e-14)
