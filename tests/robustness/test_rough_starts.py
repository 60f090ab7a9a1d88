"""Every catalog mechanism of bodies is assembled from guesses that are far off."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert import catalog
from dalembert.errors import DalembertError
from dalembert.model.check.bodies import start_of
from dalembert.model.start.states import displaced, size

pytestmark = pytest.mark.share(3)

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


def change_point(turn):
    """A four-bar with 1 + 1.7 = 2 + 0.7, `turn` beside where all its bars are in line."""
    g, c, k, r = 2.0, 1.0, 1.7, 0.7
    model = dl.Model("change-point", gravity=(0, -9.81, 0))
    bars = {"crank": c, "coupler": k, "rocker": r}
    crank, coupler, rocker = (
        model.add_body(n, dl.Inertia.rod(x, length=x)) for n, x in bars.items()
    )
    way = np.array([g, 0.0]) - c * np.array([np.cos(turn), np.sin(turn)])
    far = np.linalg.norm(way)
    one = np.arctan2(way[1], way[0]) - np.arccos((k * k + far * far - r * r) / (2 * k * far))
    end = k * np.array([np.cos(one), np.sin(one)]) - way
    A = dl.Revolute(model.world, crank.at(x=-c / 2), name="A", initial=turn, initial_speed=1.0)
    model.add_joint(A)
    joints = [(crank.at(x=c / 2), coupler.at(x=-k / 2), one - turn)]
    joints += [(model.world.at(x=g), rocker.at(x=-r / 2), np.arctan2(end[1], end[0]))]
    for first, second, initial in joints:
        model.add_joint(dl.Revolute(first, second, initial=initial))
    model.add_joint(dl.Revolute(coupler.at(x=k / 2), rocker.at(x=r / 2)))
    return model


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_starts_beside_a_singular_position(formulation):
    """Velocities of other joints are found, however weak the rows are that tell them."""
    for turn in (1e-3, 1e-5):
        run = dl.simulate(change_point(turn), until=0.05, formulation=formulation)
        assert run["A.angle.dot"][0] == pytest.approx(1.0, abs=1e-9)
        assert run.energy[-1] == pytest.approx(run.energy[0], abs=1e-10)
        assert run.verdict.word == "good"
    with pytest.raises(DalembertError, match=r"stretched out|given as 1"):
        dl.simulate(change_point(1e-7), until=0.05, formulation=formulation)
