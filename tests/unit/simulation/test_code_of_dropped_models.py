"""Machine code goes with the model it was made for, and stays where anything still runs it."""

import gc
import os
import sys
import weakref

import numpy as np
import pytest

import dalembert as dl
from dalembert.formulas import llvm
from dalembert.formulas.recent import Recent

COUNT = int(os.environ.get("DALEMBERT_DROPPED_MODELS", "100"))
"""How many models are made to see what they leave behind."""


@pytest.fixture(autouse=True)
def few_kept(monkeypatch):
    """Little is kept for the next run, so that what is dropped shows soon."""
    monkeypatch.setattr("dalembert.system.build._recent", Recent(4))
    monkeypatch.setattr("dalembert.system.read_mechanism._kinds", Recent(8))
    monkeypatch.setattr("dalembert.simulation.prepare.prepare._recent", Recent(4))


def pendulum(k):
    """A model of formulas that no other k has."""
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=(1.0 + 1e-3 * k) * (x.dot**2 + y.dot**2) / 2,
        potential=9.81 * y + 1e-3 * k * x**2,
        constraints=[x**2 + y**2 - 1.0],
    )
    model.set_initial({x: 1.0, y: 0.0})
    return model


def block(k):
    """Bodies with a force and a shape by formulas that no other k has."""
    model = dl.Model(f"block {k}", gravity=(0.0, 0.0, -9.81))
    body = model.add_body(
        "block", dl.Inertia.sphere(mass=1.0, radius=0.3), position=(0.0, 0.0, 0.301)
    )
    model.add_force(dl.Potential((1.0 + 1e-3 * k) * body.x**2, name="spring"))
    model.add_shape(dl.Sphere(0.3), on=body)
    bowl = dl.SignedDistance(f"z - {0.1 + 1e-4 * k} * (x**2 + y**2)", size=(1, 1, 1))
    model.add_shape(bowl, name="bowl")
    return model


@pytest.fixture
def made(monkeypatch):
    """References to everything compiled from formulas meanwhile."""
    found = []
    begin = llvm.CompiledFunction.__init__

    def noted(self, *given):
        begin(self, *given)
        found.append(weakref.ref(self))

    monkeypatch.setattr(llvm.CompiledFunction, "__init__", noted)
    return found


def alive(made):
    gc.collect()
    return sum(reference() is not None for reference in made)


def test_code_of_formulas_goes_with_its_model(made):
    for k in range(6):
        dl.simulate(pendulum(k), until=2e-3, step=1e-3)
    kept = alive(made)
    for k in range(100, 110):
        dl.simulate(pendulum(k), until=2e-3, step=1e-3)
    assert len(made) >= 10 + kept
    assert alive(made) <= kept


def test_code_of_bodies_and_of_shapes_goes_with_its_model(made):
    for k in range(10):
        dl.simulate(block(k), until=2e-3, step=1e-3)
    kept = alive(made)
    for k in range(100, 110):
        dl.simulate(block(k), until=2e-3, step=1e-3)
    assert len(made) >= 10 + kept
    assert alive(made) <= kept


def test_what_is_kept_runs_on_when_its_siblings_are_gone():
    """Models and sessions, with all that was like them dropped."""
    kept = pendulum(1000), block(1000)
    before = [dl.simulate(model, until=0.05, step=1e-3).q for model in kept]
    sessions = [dl.Session(model, step=1e-3) for model in kept]
    for session in sessions:
        session.advance(0.02)
    for k in range(1001, 1013):
        dl.simulate(pendulum(k), until=2e-3, step=1e-3)
        if k % 4 == 0:
            dl.simulate(block(k), until=2e-3, step=1e-3)
    gc.collect()
    for model, session, q in zip(kept, sessions, before, strict=True):
        session.advance(0.03)
        assert np.array_equal(session.q, q[-1])
        assert np.array_equal(dl.simulate(model, until=0.05, step=1e-3).q, q)


def test_a_session_keeps_what_it_runs():
    """Its model and its system are dropped everywhere else."""
    expected = dl.simulate(block(2000), until=0.02, step=1e-3).q[-1]
    session = dl.Session(block(2000), step=1e-3)
    for k in range(2001, 2011):
        dl.simulate(block(k), until=2e-3, step=1e-3)
    gc.collect()
    session.advance(0.02)
    assert np.array_equal(session.q, expected)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.share(3)
def test_models_leave_no_memory_behind(monkeypatch):
    """Each kept 0.2 MB and four maps: 400 of them 85 MB and 1600."""
    monkeypatch.undo()

    def used():
        gc.collect()
        with open("/proc/self/maps") as maps, open("/proc/self/statm") as pages:
            return len(maps.readlines()), 4096e-6 * int(pages.read().split()[1])

    for k in range(3000, 3034):
        dl.simulate(pendulum(k), until=2e-3, step=1e-3)
    maps, megabytes = used()
    for k in range(3040, 3040 + COUNT):
        dl.simulate(pendulum(k), until=2e-3, step=1e-3)
    after = used()
    assert after[0] - maps < 20
    assert after[1] - megabytes < 5.0
