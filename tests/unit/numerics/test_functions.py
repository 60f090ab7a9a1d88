"""Functions by arithmetic alone, beside 200 bits of mpmath."""

import mpmath
import numpy as np
import pytest

from dalembert import _jit
from dalembert.batch.expand import expanded
from dalembert.formulas import coordinates, evaluate, reachable
from dalembert.numerics.functions import (
    LARGEST_ANGLE,
    angle_of,
    exponential,
    hyperbolic_tangent,
    logarithm,
    sine_and_cosine,
)

MOST = 2.0
"""Error that is promised  [ulp]."""


def ulps(found, exact):
    """Error of a number in units of its last place."""
    return float(abs(mpmath.mpf(found) - exact) / mpmath.mpf(np.spacing(abs(float(exact)))))


def angles():
    random = np.random.default_rng(0)
    near = np.pi / 2 * np.arange(-300, 300)
    far = np.nextafter(np.pi / 2 * np.arange(1, 1_000_000, 5000), 0)
    small = 10.0 ** random.uniform(-300, 0, 200)
    parts = [random.uniform(-10, 10, 600), random.uniform(-1, 1, 600) * LARGEST_ANGLE]
    return np.concatenate([*parts, near, far, small])


@pytest.mark.parametrize("life", ["compiled", "interpreted"])
def test_sine_and_cosine(life):
    worst = 0.0
    with mpmath.workprec(200):
        for x in map(float, angles()):
            if life == "interpreted":
                with _jit.interpreted():
                    s, c = sine_and_cosine(x)
            else:
                s, c = sine_and_cosine(x)
            if x != 0.0:
                worst = max(worst, ulps(s, mpmath.sin(mpmath.mpf(x))))
            worst = max(worst, ulps(c, mpmath.cos(mpmath.mpf(x))))
    assert worst < MOST


def test_exponential():
    random = np.random.default_rng(1)
    given = np.concatenate([random.uniform(-708, 709.7, 1500), random.uniform(-1, 1, 500)])
    with mpmath.workprec(200):
        worst = max(ulps(exponential(float(x)), mpmath.exp(mpmath.mpf(float(x)))) for x in given)
    assert worst < MOST
    assert exponential(800.0) == np.inf
    assert exponential(-800.0) == 0.0
    assert np.isnan(exponential(np.nan))
    assert 0.0 < exponential(-744.0) < 1e-320


def test_logarithm():
    random = np.random.default_rng(2)
    wide, near = 10.0 ** random.uniform(-307, 308, 1500), random.uniform(0.4, 2.5, 1500)
    close = 1.0 + random.uniform(-1, 1, 500) * 10.0 ** random.uniform(-15, -1, 500)
    tiny = 5e-324 * np.array([1.0, 3.0, 1e5, 1e10])
    powers = 2.0 ** np.arange(-1074, 1024, 7)
    given = np.concatenate([wide, near, close, tiny, powers, [np.sqrt(2), np.sqrt(0.5)]])
    with mpmath.workprec(200):
        exact = [mpmath.log(mpmath.mpf(float(x))) for x in given]
        worst = max(
            ulps(logarithm(float(x)), e) for x, e in zip(given, exact, strict=True) if e != 0
        )
    assert worst < MOST
    assert logarithm(1.0) == 0.0
    assert logarithm(0.0) == -np.inf
    assert logarithm(np.inf) == np.inf
    assert np.isnan(logarithm(-1.0))
    assert np.isnan(logarithm(np.nan))


def test_hyperbolic_tangent():
    random = np.random.default_rng(3)
    parts = [random.uniform(-3, 3, 2000), random.uniform(-25, 25, 500)]
    given = np.concatenate([*parts, 10.0 ** random.uniform(-300, 0, 300)])
    with mpmath.workprec(200):
        worst = max(
            ulps(hyperbolic_tangent(float(x)), mpmath.tanh(mpmath.mpf(float(x)))) for x in given
        )
    assert worst < MOST
    assert hyperbolic_tangent(1e300) == 1.0
    assert hyperbolic_tangent(-np.inf) == -1.0
    assert hyperbolic_tangent(0.0) == 0.0
    assert np.isnan(hyperbolic_tangent(np.nan))


def test_angle_of():
    random = np.random.default_rng(4)
    x, y = random.uniform(-1, 1, (2, 3000))
    far, scale = random.uniform(-1, 1, (2, 600)), 10.0 ** random.uniform(-150, 150, (2, 600))
    x, y = np.concatenate([x, far[0] * scale[0]]), np.concatenate([y, far[1] * scale[1]])
    with mpmath.workprec(1200):
        worst = 0.0
        for a, b in zip(y, x, strict=True):
            exact = mpmath.atan2(mpmath.mpf(float(a)), mpmath.mpf(float(b)))
            if abs(exact) > 1e-300:
                worst = max(worst, ulps(angle_of(float(a), float(b)), exact))
    assert worst < MOST
    quarters = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
    for a, b in quarters:
        assert abs(angle_of(float(a), float(b)) - np.arctan2(a, b)) <= 4.5e-16
    assert angle_of(0.0, 0.0) == 0.0
    assert angle_of(np.inf, 1.0) == np.pi / 2
    assert np.isnan(angle_of(np.nan, 1.0))


def test_lives_agree():
    given = [0.0, 1.0, -1.0, 0.3, 1e-310, 1e200, -2.5, np.inf, -np.inf, np.nan]
    for function in (logarithm, hyperbolic_tangent, lambda x: angle_of(x, 0.7), exponential):
        for x in given:
            compiled = function(x)
            with _jit.interpreted():
                plain = function(x)
            assert np.isclose(compiled, plain, rtol=5e-16, atol=0.0, equal_nan=True), x


def test_traced_functions_are_the_same():
    random = np.random.default_rng(5)
    x, y = coordinates("x y")
    made, _ = expanded([np.log(x), np.tanh(x), np.arctan2(x, y), np.arctan(y)], [])
    assert not {n.op for n in reachable(made)} & {"log", "tanh", "arctan2", "arctan"}
    a, b = random.uniform(0.1, 5, 100), random.uniform(-5, 5, 100)
    found = evaluate(made, {x: a, y: b})
    for one, exact in zip(
        found, (np.log(a), np.tanh(a), np.arctan2(a, b), np.arctan(b)), strict=True
    ):
        assert np.abs(one - exact).max() <= 4 * np.spacing(5.0)
