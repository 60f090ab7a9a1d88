"""The stabilised form of closed contacts, alpha = phi'' + (2 / eps) phi' + phi / eps^2 >= 0.

With it gaps die out with the time eps instead of being closed after each step; the motion is that
of the other form to the error of the integrator, and a gap that is there at first falls as
(1 + t / eps) exp(-t / eps) does.
"""

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import OptionError

COARSE = {"integrator": dl.DormandPrince(rtol=1e-6, atol=1e-6), "every": 2}
"""Samples are ends of steps: in between there is the continuous output."""


def run(model, until, eps, **options):
    method = dl.ContactImpulse() if eps is None else dl.ContactImpulse(stabilised=eps)
    return dl.simulate(model, until=until, mode="events", method=method, **options)


def widest(solution):
    """Largest gap, or depth, of what carries a force."""
    found = 0.0
    for one in solution.model.unilaterals:
        force = np.nan_to_num(solution[f"{one.name}.force"])
        found = max(found, np.abs(solution[one.rows[0]])[force > 0.0].max(initial=0.0))
    if solution.model.has_contact:
        for t in solution.t:
            for one in solution.contacts(float(t)):
                if np.linalg.norm(one.force) > 0.0:
                    found = max(found, abs(one.gap))
    return found


@pytest.mark.parametrize(
    ("name", "until"),
    [
        ("incline", 1.0),
        ("top-on-floor", 1.0),
        ("rocking-block", 1.5),
        ("string-pendulum", 2.0),
        ("stick-slip-belt", 3.0),
        ("cradle", 1.0),
    ],
)
def test_the_motion_is_the_same(name, until):
    closed = run(dl.catalog.load(name), until, None, rtol=1e-12)
    for eps in (0.01, 0.1):
        died_out = run(dl.catalog.load(name), until, eps, rtol=1e-12)
        assert not any(entry.kind == "stepping" for entry in died_out.log)
        assert np.abs(died_out.q[-1] - closed.q[-1]).max() < 3e-11
        hits = [[e.t for e in s.log if e.kind == "impact"] for s in (closed, died_out)]
        np.testing.assert_allclose(hits[0], hits[1], atol=1e-10)


@pytest.mark.parametrize(("name", "until"), [("top-on-floor", 2.0), ("string-pendulum", 0.45)])
def test_drift(name, until):
    # an eps of eleven days: neither form, as Drumwright's notes have it first
    drifts = widest(run(dl.catalog.load(name), until, 1e6, **COARSE))
    died_out = widest(run(dl.catalog.load(name), until, 0.02, **COARSE))
    closed = widest(run(dl.catalog.load(name), until, None, **COARSE))
    assert drifts > 1e-8
    assert died_out < 0.1 * drifts
    assert closed < 1e-15 < died_out


def test_a_gap_dies_out_as_it_should():
    """A mass pressed on a floor, 1e-6 m within it: phi = phi_0 (1 + t / eps) exp(-t / eps)."""
    (y,) = dl.coordinates("y")
    model = dl.Model.from_lagrangian(kinetic=0.5 * y.dot**2, potential=9.81 * y)
    model.keep(y >= 0, name="floor")
    start, eps = -1e-6, 0.05
    solution = run(model, 0.4, eps, initial={y: start}, every=2)
    times = solution.t
    expected = start * (1.0 + times / eps) * np.exp(-times / eps)
    np.testing.assert_allclose(solution["y"], expected, atol=2e-12)
    # and the force is that of alpha = 0
    expected = 9.81 + start / eps**2 * (times / eps - 1.0) * np.exp(-times / eps)
    np.testing.assert_allclose(solution["floor.force"][1:], expected[1:], atol=1e-9)


def test_it_is_resumed_to_the_bit(tmp_path):
    given = {"integrator": dl.DormandPrince(rtol=1e-10, atol=1e-10, first_step=1e-4)}
    whole = run(dl.catalog.load("rocking-block"), 1.0, 0.02, **given)
    run(dl.catalog.load("rocking-block"), 0.6, 0.02, save=tmp_path / "part", **given)
    longer = dl.resume(tmp_path / "part", until=1.0)
    assert np.array_equal(longer.q[-1], whole.q[-1])
    assert [*longer.log] == [*whole.log]


@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf")])
def test_times_that_are_none(value):
    with pytest.raises(OptionError, match="stabilised"):
        dl.ContactImpulse(stabilised=value)


def test_refused_where_no_events_are_located():
    method = dl.ContactImpulse(stabilised=0.01)
    for options in ({"mode": "stepping"}, {"step": 1e-3}):
        with pytest.raises(OptionError, match="located events, and this run takes steps"):
            dl.simulate(dl.catalog.load("incline"), until=0.1, method=method, **options)
    soft = dl.catalog.load("incline")
    bed = dl.Material(viscous=10.0)
    soft.add_shape(dl.Plane((0, 0, 1), offset=-9.0), material=bed, name="bed")
    with pytest.raises(OptionError, match="shape 'bed' has viscous"):
        dl.simulate(soft, until=0.1, method=method)
    with pytest.raises(OptionError, match="60 shapes move"):
        dl.simulate(dl.catalog.load("pile"), until=0.1, method=method)
