"""Laws as projections: variational inequalities, and derivatives against differences."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert._jit import interpreted
from dalembert.contact.algebra.projections import (
    Weights,
    bounded,
    bounded_curvature,
    cone,
    cone_curvature,
    coulomb_curvature,
    roll,
    roll_coulomb,
    roll_curvature,
)
from dalembert.contact.problem.record_layout import Friction
from dalembert.numerics.vector import Vec3

H = 1e-7


def law(z, *given):
    """The impulse of a cone."""
    return tuple(cone.function(Vec3(*z), *given))


def law_and_slope(z, *given):
    """The impulse of a cone, and its derivative."""
    lam, g = cone_curvature.function(Vec3(*z), *given)
    return tuple(lam), g


@pytest.fixture(autouse=True)
def _interpreted():
    """As plain Python."""
    with interpreted():
        yield


def full(g):
    """A symmetric matrix as an array."""
    return np.array([[*g.x], [*g.y], [*g.z]])


def in_cone(rng, mu):
    """A random point of the cone."""
    a, angle, r = rng.exponential(), rng.uniform(0, 2 * np.pi), rng.uniform()
    return np.array([a, mu * a * r * np.cos(angle), mu * a * r * np.sin(angle)])


@pytest.mark.parametrize("mu", [0.0, 1e-3, 0.5, 3.0])
@pytest.mark.parametrize("weights", [(1.0, 1.0), (0.2, 3.0), (40.0, 0.5)])
def test_cone_is_the_nearest_point(mu, weights):
    """lam in K and (z - c lam) . (x - lam) <= 0 for every x in K: the weighted projection."""
    rng = np.random.default_rng(3)
    c = np.array([weights[0], weights[1], weights[1]])
    for _ in range(200):
        z = rng.normal(size=3)
        lam = np.array(law(tuple(z), *weights, mu))
        assert np.hypot(lam[1], lam[2]) <= mu * lam[0] * (1 + 1e-14)
        for _ in range(20):
            assert (z - c * lam) @ (in_cone(rng, mu) - lam) <= 1e-13


def test_polar_cone_goes_to_the_apex():
    assert law((-1.0, 0.0, 0.0), 1.0, 1.0, 0.0) == (0.0, 0.0, 0.0)
    assert law((0.0, 0.0, 0.0), 1.0, 1.0, 0.5) == (0.0, 0.0, 0.0)
    assert law((-1.0, 1.0, 0.0), 1.0, 1.0, 0.5) == (0.0, 0.0, 0.0)
    # Just outside the polar cone: a little above the apex.
    assert 0.0 < law((-1.0, 2.0 + 1e-9, 0.0), 1.0, 1.0, 0.5)[0] < 1e-9


@pytest.mark.parametrize("mu", [0.0, 0.5, 2.0])
def test_derivative_of_cone(mu):
    rng = np.random.default_rng(5)
    for _ in range(200):
        z, weights = rng.normal(size=3), (rng.uniform(0.5, 2), rng.uniform(0.5, 2))
        lam, g = law_and_slope(tuple(z), *weights, mu)
        assert lam == pytest.approx(law(tuple(z), *weights, mu), abs=1e-15)
        D = full(g)
        up = [np.array(law(tuple(z + H * e), *weights, mu)) for e in np.eye(3)]
        down = [np.array(law(tuple(z - H * e), *weights, mu)) for e in np.eye(3)]
        differences = (np.array(up) - np.array(down)).T / (2 * H)
        # A kink within the difference would show as a difference of the one-sided ones.
        if (
            max(np.abs(u + d - 2 * np.array(lam)).max() for u, d in zip(up, down, strict=True))
            < 1e-12
        ):
            assert pytest.approx(differences, abs=1e-6) == D
        assert np.linalg.eigvalsh(D).min() > -1e-14


def test_derivative_at_the_apex_is_one_of_the_generalised_ones():
    for z in ((0.0, 0.0, 0.0), (-1.0, 2.0, 0.0), (1.0, 0.5, 0.0)):
        D = full(law_and_slope(z, 1.0, 1.0, 0.5)[1])
        assert np.isfinite(D).all()
        values = np.linalg.eigvalsh(D)
        assert values.min() > -1e-15
        assert values.max() < 1 + 1e-15


def test_derivative_of_coulomb():
    rng = np.random.default_rng(6)

    def answer(z):
        return np.array([*coulomb_curvature.function(Vec3(*z), 0.7, 1.3, 0.6)[0]])

    seen = set()
    for _ in range(300):
        z = rng.normal(size=3)
        lam, g, beyond = coulomb_curvature.function(Vec3(*z), 0.7, 1.3, 0.6)
        D = full(g)
        D[1:, 0] += beyond
        up = np.array([answer(z + H * e) for e in np.eye(3)])
        down = np.array([answer(z - H * e) for e in np.eye(3)])
        if np.abs(up + down - 2 * np.array([*lam])).max() < 1e-12:
            assert pytest.approx((up - down).T / (2 * H), abs=1e-6) == D
            seen.add((lam.x > 0, beyond != (0.0, 0.0)))
    assert seen == {(False, False), (True, False), (True, True)}


@pytest.mark.parametrize(
    ("z", "expected", "slope"),
    [(3.0, 1.0, 0.0), (-3.0, -0.5, 0.0), (1.0, 0.5, 0.5), (2.0, 1.0, 0.0)],
)
def test_bounds(z, expected, slope):
    assert bounded.function(z, 2.0, -0.5, 1.0) == expected
    assert bounded_curvature.function(z, 2.0, -0.5, 1.0) == slope


@pytest.mark.parametrize("dim", [4, 6])
@pytest.mark.parametrize("mu", [(0.5, 0.1, 0.05), (0.0, 0.3, 0.0), (0.8, 0.0, 0.2)])
def test_rolling(dim, mu):
    """The nearest point of the common cone, and its derivative."""
    rng = np.random.default_rng(7)
    c_n, given, friction = 0.8, Weights(0.8, 1.3, 0.6, 2.0), Friction(*mu)
    weights = np.array([0.8, 1.3, 1.3, 0.6, 2.0, 2.0])[:dim]

    def answer(z):
        out = np.zeros(dim)
        roll.function(np.asarray(z), given, friction, out)
        return out

    def inside():
        a = rng.exponential()
        parts = [rng.normal(size=2), rng.normal(size=1), rng.normal(size=2)]
        scaled = [
            m * a * rng.uniform() * p / np.linalg.norm(p) for m, p in zip(mu, parts, strict=True)
        ]
        return np.concatenate([[a], *scaled])[:dim]

    smooth = 0
    for _ in range(200):
        z = rng.normal(size=dim)
        lam = answer(z)
        pairs = (np.hypot(lam[1], lam[2]), abs(lam[3]), np.hypot(*lam[4:]) if dim > 4 else 0.0)
        assert all(s <= m * lam[0] + 1e-14 for s, m in zip(pairs, mu, strict=True))
        for _ in range(10):
            assert (z - weights * lam) @ (inside() - lam) <= 1e-12
        G, out = np.zeros((dim, dim)), np.zeros(dim)
        roll_curvature.function(z, given, friction, out, G)
        assert out == pytest.approx(lam, abs=1e-15)
        up = np.array([answer(z + H * e) for e in np.eye(dim)])
        down = np.array([answer(z - H * e) for e in np.eye(dim)])
        if np.abs(up + down - 2 * lam).max() < 1e-12:
            smooth += 1
            assert G == pytest.approx((up - down).T / (2 * H), abs=1e-6)
        free, slope = np.zeros(dim), np.zeros((dim, dim))
        roll_coulomb.function(z, given, friction, free, slope)
        up, down = np.zeros((dim, dim)), np.zeros((dim, dim))
        for k, e in enumerate(np.eye(dim)):
            roll_coulomb.function(z + H * e, given, friction, up[k], slope.copy())
            roll_coulomb.function(z - H * e, given, friction, down[k], slope.copy())
        assert free[0] == pytest.approx(max(0.0, z[0] / c_n))
        if np.abs(up + down - 2 * free).max() < 1e-12:
            assert slope == pytest.approx((up - down).T / (2 * H), abs=1e-6)
    assert smooth > 150
