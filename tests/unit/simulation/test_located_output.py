"""Asked moments, events and samples of runs with located events: x'' = -4 x beside an impact."""

from __future__ import annotations

import numpy as np

import dalembert as dl
from dalembert.simulation.run import memory


def swinging(restitution=0.0):
    """A point that swings along x with 2 rad/s and falls onto a smooth floor."""
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        name="swinging",
        kinetic=(x.dot**2 + y.dot**2) / 2,
        potential=9.81 * y + 2 * x**2,
        coordinates=[x, y],
        initial={"x": 1.0, "y": 0.3, "x.dot": 0.5},
    )
    model.keep(y >= 0, name="floor", restitution=restitution)
    return model


def test_moments_and_events_while_a_contact_is_closed():
    model = swinging()
    x, _ = model.coordinates
    times = np.linspace(0.0, 2.0, 41)
    solution = dl.simulate(model, until=2.0, times=times, events=[dl.Event(x)], progress=False)
    size, phase = np.hypot(1.0, 0.25), np.arctan2(0.25, 1.0)
    assert [one.kind for one in solution.log] == ["impact", "close"]
    assert np.allclose(solution[x], size * np.cos(2 * times - phase), rtol=0, atol=1e-10)
    assert np.allclose(solution[x.dot], -2 * size * np.sin(2 * times - phase), rtol=0, atol=1e-10)
    assert np.isclose(solution.events[0].t, (np.pi / 2 + phase) / 2, rtol=0, atol=1e-11)


def test_accelerations_while_a_contact_is_closed():
    solution = dl.simulate(swinging(), until=2.0, progress=False)
    x, y = solution.model.coordinates
    closed = solution.t >= solution.log[-1].t
    assert np.allclose(solution[x.ddot], -4 * solution[x], rtol=0, atol=1e-10)
    assert np.all(solution[y.ddot][closed] == 0.0)


def test_many_impacts_find_room_for_their_samples(monkeypatch):
    monkeypatch.setattr(memory, "MOST_SAMPLES", 64)
    model = swinging(restitution=1.0)
    solution = dl.simulate(model, until=30.0, progress=False)
    assert 30 < len(solution.t) <= 65
    assert np.all(np.diff(solution.t) > 0)
    whole = dl.simulate(model, until=30.0, every=1, progress=False)
    assert len(whole.t) > 120
    assert set(solution.t) <= set(whole.t)


def test_many_events_find_room():
    model = swinging()
    x, _ = model.coordinates
    found = dl.simulate(model, until=100.0, events=[dl.Event(x)], progress=False).events
    phase = np.arctan2(0.25, 1.0)
    moments = (np.pi * (np.arange(len(found)) + 0.5) + phase) / 2
    assert len(found) == 64
    assert np.allclose([event.t for event in found], moments, rtol=0, atol=1e-8)


def off_lines(t, x):
    """Largest distance of neighbours from the line through the two beside them, samples apart."""
    between = np.diff(t) > 1e-9
    inner = between[:-1] & between[1:]
    share = (t[1:-1] - t[:-2]) / (t[2:] - t[:-2])
    return np.abs(x[1:-1] - x[:-2] - share * (x[2:] - x[:-2]))[inner]


def test_samples_show_the_flight_of_a_ball():
    solution = dl.simulate(dl.catalog.load("bouncing-ball", restitution=0.8), until=3.0)
    t, z = solution.t, solution["ball.z"]
    first, second = np.sqrt(2 / 9.81), np.sqrt(2 / 9.81) * 2.6
    flight = (t > first) & (t < second)
    speed = 0.8 * np.sqrt(2 * 9.81)
    exact = 0.1 + speed * (t - first) - 9.81 * (t - first) ** 2 / 2
    assert np.max(np.abs(z - exact)[flight]) < 1e-10
    assert np.max(z[flight]) > 0.1 + 0.99 * 0.64  # it is seen where it is highest
    assert np.max(off_lines(t, z)) < 0.02  # a curve through the samples is that of the motion
    assert np.allclose(solution.a[flight, 2], -9.81, atol=1e-9)
    assert np.all(np.diff(t) > 0.0)


def test_samples_within_steps_have_their_own_forces():
    """A bob on a taut string: the pull at every sample is that of its place."""
    model = dl.catalog.load("string-pendulum", speed=3.0)
    solution = dl.simulate(model, until=1.0)
    x, z = solution["bob.x"], solution["bob.z"]
    rate = np.hypot(solution["bob.x.dot"], solution["bob.z.dot"])
    outward = solution.a[:, 0] * x + solution.a[:, 2] * z
    length = np.hypot(x, z)
    assert np.max(np.abs(outward / length + rate**2 / length)[1:]) < 1e-8


def test_asked_moments_and_sparse_recording_stay_as_asked():
    model = dl.catalog.load("bouncing-ball")
    moments = np.linspace(0.0, 2.0, 11)
    assert np.array_equal(dl.simulate(model, until=2.0, times=moments).t, moments)
    few, all_ = dl.simulate(model, until=2.0, every=10**6), dl.simulate(model, until=2.0)
    assert len(few.t) < 0.2 * len(all_.t)
    assert np.array_equal(few.q[-1], all_.q[-1])
