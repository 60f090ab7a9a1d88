"""The impact of one contact as a process: sliding that turns, ends, and begins again."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from tests.support.strikes import change_of_energy, hit

from dalembert.contact.impact.laws import ENERGETIC, OK, POISSON_ROUTH

BRIEF = 1e-9
"""Sliding, over the velocity before, at which the reference takes it to have ended."""


def rest_friction(W, mu):
    """Friction by a unit of p_n where nothing slides: it holds, or is against the slide-off."""
    A, b = W[1:, 1:], W[1:, 0]
    s = -np.linalg.solve(A, b)
    if np.linalg.norm(s) <= mu:
        return s
    g = brentq(lambda g: np.linalg.norm(np.linalg.solve(A + g * np.eye(2), b)) - mu, 0, 1e6)
    return -np.linalg.solve(A + g * np.eye(2), b)


def reference(W, u, mu, e, law):
    """Impulse by integration in p_n (DOP853), with sliding that ends at BRIEF."""
    still = BRIEF * np.linalg.norm(u)
    state = np.array([0.0, 0.0, 0.0, 0.0])  # p_n, p_t, work of p_n
    owed, pressed, rests = None, 0.0, False
    while True:

        def velocity(y):
            return u + W @ y[:3]

        def rate(_, y, rests=rests):
            v = velocity(y)
            s = rest_friction(W, mu) if rests else -mu * v[1:] / np.linalg.norm(v[1:])
            return [1.0, *s, v[0]]

        def slides(_, y, rests=rests):
            return 1.0 if rests else np.linalg.norm(velocity(y)[1:]) - still

        def turns(_, y, owed=owed):
            return velocity(y)[0] if owed is None else 1.0

        def ends(_, y, owed=owed, pressed=pressed):
            done = y[3] if law == ENERGETIC else y[0]
            return -1.0 if owed is None else done - pressed - owed

        events = [slides, turns, ends]
        for event in events:
            event.terminal = True
        slides.direction, turns.direction, ends.direction = -1, 1, 1
        far = 1e3 * np.abs(u).max() / W[0, 0]
        found = solve_ivp(
            rate, (0, far), state, method="DOP853", rtol=1e-12, atol=1e-14, events=events
        )
        state = found.y[:, -1]
        if len(found.t_events[0]):
            rests = True
        elif len(found.t_events[1]):
            pressed = state[3] if law == ENERGETIC else state[0]
            owed = -e * e * pressed if law == ENERGETIC else e * pressed
        else:
            return state[:3]


def spatial(seed, slowness):
    """W, u, mu and e of a contact in space that slides the less the slower it is."""
    rng = np.random.default_rng(seed)
    J, u = rng.normal(size=(3, 4)), rng.normal(size=3)
    u[0], u[1:] = -abs(u[0]), u[1:] / slowness
    return J @ J.T + 0.1 * np.eye(3), u, (0.1, 0.4, 0.9)[seed % 3], 0.7


@pytest.mark.parametrize("law", [ENERGETIC, POISSON_ROUTH])
@pytest.mark.parametrize("seed", range(9))
def test_sliding_that_turns_is_that_of_its_equations(law, seed):
    W, u, mu, e = spatial(seed, 1.0)
    struck = hit(law, W, u, [3], [mu], [e])
    assert (struck.status, struck.law) == (OK, law)
    assert np.linalg.norm(struck.u[1:]) > 0.1  # it slides to the end
    assert struck.p == pytest.approx(reference(W, u, mu, e, law), abs=3e-11)
    assert change_of_energy(W, u, struck.p) < 0


@pytest.mark.parametrize("law", [ENERGETIC, POISSON_ROUTH])
def test_sliding_that_ends_is_followed_by_rest_or_another(law):
    ends = {"rests": 0, "slides off": 0}
    for seed in range(12):
        W, u, mu, e = spatial(seed, 20.0)
        struck = hit(law, W, u, [3], [mu], [e])
        assert struck.p == pytest.approx(reference(W, u, mu, e, law), abs=3e-8)
        holds = np.linalg.norm(rest_friction(W, mu)) < 0.999 * mu
        rests = np.linalg.norm(struck.u[1:]) < 1e-13
        assert holds or not rests
        ends["rests"] += rests
        ends["slides off"] += not holds
    assert min(ends.values()) >= 2


@pytest.mark.parametrize("turn", [0.3, 1.1, 2.0])
@pytest.mark.parametrize("law", [ENERGETIC, POISSON_ROUTH])
def test_a_planar_impact_in_space_is_the_planar_one(law, turn):
    plane = np.array([[1.1, 0.8], [0.8, 1.5]])
    W, u = np.diag([0.0, 0.0, 0.7]), np.array([-1.0, 0.6, 0.0])
    W[:2, :2] = plane
    R = np.eye(3)
    R[1:, 1:] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    flat = hit(law, plane, u[:2], [2], [0.6], [0.5])
    turned = hit(law, R @ W @ R.T, R @ u, [3], [0.6], [0.5])
    assert turned.p == pytest.approx(R @ [*flat.p, 0.0], abs=1e-13)


def test_turning_the_tangents_changes_nothing():
    rng = np.random.default_rng(5)
    for _ in range(200):
        J = rng.normal(size=(3, 3))
        W, u = J @ J.T, rng.normal(size=3)
        u[0] = -abs(u[0])
        a = rng.uniform(0, 6)
        R = np.eye(3)
        R[1:, 1:] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
        first = hit(ENERGETIC, W, u, [3], [0.5], [0.8])
        other = hit(ENERGETIC, R @ W @ R.T, R @ u, [3], [0.5], [0.8])
        # rounding of W turned, magnified by its condition
        scale = np.abs(first.p).max() * np.linalg.cond(W)
        assert other.p == pytest.approx(R @ first.p, abs=1e-13 * scale + 1e-12)
