"""Sine, cosine and exponential by arithmetic alone, beside 200 bits of mpmath."""

import mpmath
import numpy as np
import pytest

from dalembert import _jit
from dalembert.numerics.functions import LARGEST_ANGLE, exponential, sine_and_cosine

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
