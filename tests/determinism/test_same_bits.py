"""Same input, same bits: in one process, in two, with any number of threads, after any history."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import battery
from tests.support.fingerprint import digest_of, in_a_process

import dalembert as dl
from dalembert.enforcement import METHODS


def fingerprint(solution):
    """Hash of every number a run returns."""
    return digest_of(solution).hexdigest()


def runs():
    """Fingerprints of runs that together use every method, an event, and dense output."""
    found = {}
    for case in (battery.PENDULUM, battery.SLIDER_CRANK, battery.FOUR_BARS, battery.SLEIGH):
        for name, kind in METHODS.items():
            result = battery.attempt(case.model(), 50 * case.step, step=case.step, method=kind())
            if isinstance(result, dl.Solution):
                found[f"{case.name} {name}"] = fingerprint(result)
    model = battery.PENDULUM.model()
    x, y = model.coordinates
    for order in (5, 8):
        found[f"adaptive {order}"] = fingerprint(
            dl.simulate(
                model,
                until=2.0,
                integrator=dl.DormandPrince(order=order),
                times=np.linspace(0.0, 2.0, 17),
                events=[dl.Event(x), dl.Event(y + 0.5, direction=-1)],
            )
        )
    return found


SCRIPT = """
import json, sys
history = sys.argv[1] == "history"
if history:
    # Symbols of the same names, made in another order, and other models before these.
    import numpy as np
    import dalembert as dl
    y, x = dl.coordinates("y x")
    y.dot * x.dot + np.sin(y) * np.cos(x) + y**2 + x**2
    dl.simulate(dl.catalog.load("towing-tank"), until=0.02, step=0.01)
from tests.determinism.test_same_bits import runs
json.dump(runs(), sys.stdout)
"""


@pytest.fixture(scope="module")
def here():
    return runs()


def test_twice_in_one_process(here):
    assert runs() == here


@pytest.mark.parametrize("threads", ["1", "2", "7"])
def test_in_another_process_with_any_number_of_threads(here, threads):
    names = ("OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM")
    environment = {f"{name}_NUM_THREADS": threads for name in names}
    found = in_a_process(SCRIPT, PYTHONHASHSEED=threads, **environment)
    assert found == here


def test_after_another_history(here):
    assert in_a_process(SCRIPT, "history") == here


def test_how_often_the_loop_returns_to_python_does_not_matter(monkeypatch):
    from dalembert.simulation.run import run

    model = battery.FOUR_BARS.model()
    usual = dl.simulate(model, until=0.5, step=1e-3)
    # One step at a time, and everything at once: the length of a chunk follows the clock.
    for length in (1, 10**6):
        monkeypatch.setattr(run, "_next_chunk", lambda steps, spent, length=length: length)
        assert fingerprint(dl.simulate(model, until=0.5, step=1e-3)) == fingerprint(usual)


def test_recording_less_changes_nothing():
    model = battery.FOUR_BARS.model()
    full = dl.simulate(model, until=0.5, step=1e-3)
    thin = dl.simulate(model, until=0.5, step=1e-3, every=100)
    assert np.array_equal(full.q[::100], thin.q)
    assert np.array_equal(full.lam[::100], thin.lam)
    assert thin.worst == full.worst
