"""Every catalog mechanism of bodies is assembled from guesses that are far off."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert import catalog
from dalembert.model.check.bodies import start_of
from dalembert.model.start.states import displaced, size

MODELS = {name: catalog.load(name) for name in catalog.names()}
JOINED = [name for name, model in MODELS.items() if model.is_maximal and model.row_count]


def at_the_origin(q):
    q = q.reshape(-1, 7).copy()
    q[:, :3], q[:, 3:] = 0.0, [1.0, 0.0, 0.0, 0.0]
    return q.ravel()


def shaken(q, length, seed):
    u = np.random.default_rng(seed).uniform(-0.5, 0.5, (len(q) // 7, 6))
    u[:, :3] *= length
    return displaced(q, u.ravel())


@pytest.mark.parametrize("name", JOINED)
@pytest.mark.parametrize("guess", ["origin", 0, 1, 2])
def test_assembled(name, guess):
    model = MODELS[name]
    q, v = start_of(model)
    length = size(model)
    rough = at_the_origin(q) if guess == "origin" else shaken(q, length, guess)
    made = dl.assemble(model, initial=(rough, v))
    assert made.residual <= 1e-9 * max(1.0, length)
    speed = max(1.0, float(np.abs(v).max()), float(np.abs(made.v).max()))
    assert made.velocity_residual <= 1e-8 * speed
    rotations = made.q.reshape(-1, 7)[:, 3:]
    np.testing.assert_allclose(np.linalg.norm(rotations, axis=1), 1.0, atol=1e-12)


@pytest.mark.parametrize("name", JOINED)
def test_a_good_start_stays(name):
    model = MODELS[name]
    q, _ = start_of(model)
    np.testing.assert_allclose(dl.assemble(model).q, q, atol=1e-9)
