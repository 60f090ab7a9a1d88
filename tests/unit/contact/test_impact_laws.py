"""Laws of impact against closed forms: S1.5 and S1.9 of the reference problems."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.support.strikes import change_of_energy, hit

from dalembert.contact.impact.impact import Contacts, Impact, room_length, weigh
from dalembert.contact.impact.laws import (
    ENERGETIC,
    NEWTON,
    OK,
    POISSON,
    POISSON_ROUTH,
    SEQUENTIAL,
    SIMULTANEOUS,
)
from dalembert.contact.impact.newton import newton_law


def row(masses, J, v, e, law, order):
    """Velocities after the impact of bodies in a row, and the law that acted."""
    M, J, v = np.diag(masses), np.array(J, dtype=float), np.array(v, dtype=float)
    W = J @ np.linalg.solve(M, J.T)
    struck = hit(law, W, J @ v, [1] * len(J), [0.0] * len(J), e, order)
    assert struck.status == OK
    after = v + np.linalg.solve(M, J.T @ struck.p)
    assert struck.u == pytest.approx(J @ after, abs=1e-13)
    return after, struck.law


STACK = [0.6, 0.06], [[1, 0], [-1, 1]], [-3, -3]
CHAIN = [1, 2, 0.5], [[-1, 1, 0], [0, -1, 1]], [1, 0, 0]


@pytest.mark.parametrize("law", [NEWTON, POISSON, ENERGETIC, POISSON_ROUTH])
@pytest.mark.parametrize(
    ("scene", "e", "expected"),
    [
        (STACK, [1, 1], [1.90909090909091, 7.90909090909091]),
        (STACK, [0.9, 0.8], [1.76727272727273, 6.32727272727273]),
        (CHAIN, [0.3, 0.9], [0.133333333333333, 0.268666666666667, 0.658666666666667]),
    ],
)
def test_one_by_one_every_law_is_that_of_pairs(law, scene, e, expected):
    after, used = row(*scene, e, law, SEQUENTIAL)
    assert after == pytest.approx(expected, abs=1e-12)
    assert used == law


@pytest.mark.parametrize(
    ("law", "scene", "e", "expected"),
    [
        (NEWTON, STACK, [1, 1], [3, 3]),
        (POISSON, STACK, [1, 1], [3, 3]),
        (NEWTON, STACK, [0.9, 0.8], [2.7, 2.7]),
        (POISSON, STACK, [0.9, 0.8], [2.7, 2.7]),
        (NEWTON, CHAIN, [0.3, 0.9], [0.07142857142857, 0.3714285714286, 0.3714285714286]),
        (POISSON, CHAIN, [0.3, 0.9], [0.07142857142857, 0.3285714285714, 0.5428571428571]),
    ],
)
def test_all_at_once_the_laws_differ(law, scene, e, expected):
    after, used = row(*scene, e, law, SIMULTANEOUS)
    assert after == pytest.approx(expected, abs=1e-12)
    assert used == law


def test_five_balls_of_a_cradle_one_by_one():
    J = [[-1, 1, 0, 0, 0], [0, -1, 1, 0, 0], [0, 0, -1, 1, 0], [0, 0, 0, -1, 1]]
    after, _ = row([1] * 5, J, [1, 0, 0, 0, 0], [1] * 4, NEWTON, SEQUENTIAL)
    assert after == pytest.approx([0, 0, 0, 0, 1], abs=1e-14)


def double_pendulum():
    """M, J (normal, tangent) and rates before, of S1.9."""
    a, b = math.radians(15), math.radians(30)
    k = 0.5 * math.cos(a - b)
    M = np.array([[4 / 3, k], [k, 1 / 3]])
    J = np.array([[math.sin(a), math.sin(b)], [math.cos(a), math.cos(b)]])
    return M, J, np.array([0.0, -2.0])


@pytest.mark.parametrize(
    ("law", "p", "rates", "energy"),
    [
        (
            POISSON,
            [0.9741018656513, 0.1091128741529],
            [-0.7656307698449, 0.8539501621581],
            0.19656589698333,
        ),
        (
            POISSON_ROUTH,
            [0.9741018656513, 0.1539361064838],
            [-0.786065846357, 1.000012488041],
            0.19895844719761,
        ),
        (
            ENERGETIC,
            [1.221987769943, 0.02999315433811],
            [-0.9117358187315, 1.231909916802],
            0.26465593148124,
        ),
    ],
)
def test_double_pendulum_on_a_rough_floor(law, p, rates, energy):
    M, J, v = double_pendulum()
    struck = hit(law, J @ np.linalg.solve(M, J.T), J @ v, [2], [0.5], [0.8])
    after = v + np.linalg.solve(M, J.T @ struck.p)
    assert (struck.status, struck.law) == (OK, law)
    assert struck.p == pytest.approx(p, abs=1e-10)
    assert after == pytest.approx(rates, abs=1e-10)
    assert 0.5 * after @ M @ after == pytest.approx(energy, abs=1e-10)


def test_newtons_law_is_guarded_where_it_creates_energy():
    M, J, v = double_pendulum()
    W = J @ np.linalg.solve(M, J.T)
    newton, poisson = (hit(law, W, J @ v, [2], [0.5], [0.8]) for law in (NEWTON, POISSON))
    assert newton.law == POISSON
    assert newton.p.tolist() == poisson.p.tolist()


def test_poissons_law_is_guarded_where_unlike_restitution_creates_energy():
    # as integers: p_c = (2, 1, 2, 2), and the whole expansion would end with more than before
    J = np.array([[-1, -2, -2], [2, 1, -2], [-2, -1, 1], [1, 2, 1]], dtype=float)
    W, u, mu = J @ J.T, J @ [2.0, 1.0, 2.0], [0.5, 1.0]
    struck = hit(POISSON, W, u, [2, 2], mu, [1, 0])
    assert struck.compression == pytest.approx([2, 1, 2, 2], abs=1e-13)
    assert 0 < struck.kept < 1
    assert change_of_energy(W, u, struck.p) == pytest.approx(0, abs=1e-13)
    whole = struck.compression + (struck.p - struck.compression) / struck.kept
    assert change_of_energy(W, u, whole) > 0.1
    assert struck.u[[0, 2]].min() >= -1e-13
    # with one e there is nothing to guard against
    for e in (0.0, 0.5, 1.0):
        assert hit(POISSON, W, u, [2, 2], mu, [e, e]).kept == 1


def test_without_friction_unlike_restitution_creates_none():
    rng = np.random.default_rng(2)
    for _ in range(500):
        J = rng.normal(size=(4, 3)) * 10 ** rng.uniform(-1, 1, (4, 1))
        struck = hit(
            POISSON, J @ J.T, J @ rng.normal(size=3), [1] * 4, [0.0] * 4, rng.choice([0, 0.5, 1], 4)
        )
        assert (struck.status, struck.kept) == (OK, 1)


def test_newtons_law_by_itself_creates_energy():
    """Row 1 of S1.9, before the guard."""
    M, J, v = double_pendulum()
    W, mu, u = J @ np.linalg.solve(M, J.T), np.array([0.5]), J @ v
    one, room = np.zeros(1, dtype=np.int64), np.zeros(room_length(1, 2))
    e = np.array([0.8])
    impact = Impact(Contacts(one, one + 2, one - 1, mu, e, np.ascontiguousarray(W)), room)
    impact.member[0], impact.speed = 1.0, np.abs(u).max()
    weigh(impact)
    assert newton_law(impact, e, u) == OK
    assert impact.x == pytest.approx([5.262990915245, -2.612435565298], abs=1e-10)
    after = v + np.linalg.solve(M, J.T @ impact.x)
    assert after == pytest.approx([-2.676852171961, 2.985640646055], abs=1e-10)
    assert 0.5 * after @ M @ after == pytest.approx(2.4028031404404, abs=1e-10)


@pytest.mark.parametrize("law", [NEWTON, POISSON])
def test_resistance_to_rolling_is_bounded_by_the_push_of_its_contact(law):
    """Random contacts in space, each with a resistance of one row and one of two."""
    rng = np.random.default_rng(11)
    for _ in range(200):
        count = int(rng.integers(1, 4))
        n = 6 * count
        J, A = rng.normal(size=(n, n + 2)), rng.normal(size=(n + 2, n + 2))
        W = J @ np.linalg.solve(A @ A.T + np.eye(n + 2), J.T)
        u, mu = J @ rng.normal(size=n + 2), rng.uniform(0.05, 0.8, 3 * count)
        dim, owner = [3, 1, 2] * count, [-1, 0, 0] * count
        owner = [o if o < 0 else 3 * (k // 3) for k, o in enumerate(owner)]
        e = np.repeat(rng.uniform(0, 1), 3 * count) * (np.array(owner) < 0)
        struck = hit(law, W, u, dim, mu, e, owner=owner)
        assert struck.status == OK
        assert change_of_energy(W, u, struck.p) <= 1e-12
        if law == POISSON or struck.law != NEWTON:
            continue
        for c in range(count):
            push = struck.p[6 * c]
            for k, rows in ((1, slice(6 * c + 3, 6 * c + 4)), (2, slice(6 * c + 4, 6 * c + 6))):
                moment, speed = struck.p[rows], struck.u[rows]
                most = mu[3 * c + k] * push
                assert np.linalg.norm(moment) <= most + 1e-10
                size = np.linalg.norm(speed)
                if size > 1e-8:
                    np.testing.assert_allclose(moment, -most * speed / size, atol=1e-7)
