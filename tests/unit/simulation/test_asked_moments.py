"""Moments to record: taken within compiled code, and to the bit what a look at each gives."""

import numpy as np
import pytest

import dalembert as dl
from dalembert.simulation.run.run import Run

MODELS = ["pendulum", "four-bar-3d", "heavy-top", "arm"]
TIMES = np.linspace(0.0, 0.1, 38)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("step", [2e-3, None])
def test_nobody_comes_back_to_python_for_a_moment(monkeypatch, name, step):
    model = dl.catalog.load(name)
    never = dl.Event(dl.time - 1e3)
    watched = dl.simulate(model, until=0.1, step=step, times=TIMES, events=[never])
    called = []
    chunk = Run.chunk
    monkeypatch.setattr(Run, "look", None)
    monkeypatch.setattr(Run, "chunk", lambda run, n: called.append(n) or chunk(run, n))
    alone = dl.simulate(model, until=0.1, step=step, times=TIMES)
    assert len(called) <= 3
    for part in ("t", "q", "v", "a", "lam"):
        assert np.array_equal(getattr(alone, part), getattr(watched, part))


@pytest.mark.parametrize("name", MODELS)
def test_the_motion_is_that_of_a_run_that_records_its_steps(name):
    model = dl.catalog.load(name)
    plain = dl.simulate(model, until=0.1, step=1e-3)
    asked = dl.simulate(model, until=0.1, step=1e-3, times=[0.0255, 0.0301, 0.1])
    assert np.array_equal(asked.q[-1], plain.q[-1])
    assert np.array_equal(asked.v[-1], plain.v[-1])
    assert asked.statistics["steps"] == plain.statistics["steps"]
