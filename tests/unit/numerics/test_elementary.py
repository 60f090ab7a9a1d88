"""Functions by arithmetic alone agree with those of the library to a few last places."""

import math

import numpy as np
import pytest

from dalembert import _jit
from dalembert.numerics import elementary

CLOSE = 4
"""Units of the last place: two functions that are each right to two."""

RNG = np.random.default_rng(20)
WIDE = np.concatenate([10.0 ** RNG.uniform(-250, 250, 200), RNG.uniform(0.4, 2.5, 200)])
AROUND = np.concatenate([RNG.normal(size=300) * 4, 10.0 ** RNG.uniform(-9, 5, 100)])
WITHIN = np.concatenate([RNG.uniform(-1, 1, 300), [0.0, 1.0, -1.0]])

CASES = {
    "sine": (math.sin, [AROUND]),
    "cosine": (math.cos, [AROUND]),
    "tangent": (math.tan, [AROUND]),
    "logarithm": (math.log, [WIDE]),
    "exponential": (math.exp, [RNG.uniform(-700, 700, 300)]),
    "arctangent": (math.atan, [AROUND]),
    "arcsine": (math.asin, [WITHIN]),
    "arccosine": (math.acos, [WITHIN]),
    "arctangent_of": (math.atan2, [RNG.normal(size=300), RNG.normal(size=300)]),
    "hypotenuse": (math.hypot, [AROUND, AROUND[::-1]]),
    "hyperbolic_sine": (math.sinh, [np.concatenate([AROUND[:300], RNG.uniform(-600, 600, 99)])]),
    "hyperbolic_cosine": (math.cosh, [RNG.uniform(-600, 600, 300)]),
    "hyperbolic_tangent": (math.tanh, [AROUND]),
    "power": (math.pow, [10.0 ** RNG.uniform(-3, 3, 300), RNG.normal(size=300) * 20]),
}


@pytest.mark.parametrize("name", CASES)
def test_they_agree_with_the_library(name):
    known, columns = CASES[name]
    own = getattr(elementary, name)
    for x in zip(*columns, strict=True):
        x = tuple(map(float, x))
        wanted = known(*x)
        # near a zero of sine, cosine or tangent the argument itself is known to its last place
        lost = abs(math.ulp(x[0])) if name in ("sine", "cosine", "tangent") else 0.0
        assert abs(own(*x) - wanted) <= CLOSE * math.ulp(wanted) + lost, (name, x)


@pytest.mark.parametrize("name", CASES)
def test_their_text_gives_the_same_as_their_code(name):
    _, columns = CASES[name]
    own = getattr(elementary, name)
    for x in list(zip(*columns, strict=True))[:20]:
        x = tuple(map(float, x))
        with _jit.interpreted():
            text = own(*x)
        assert own(*x) == pytest.approx(text, rel=1e-15)


@pytest.mark.parametrize(
    ("name", "given", "wanted"),
    [
        ("power", (0.0, 2.0), 0.0),
        ("power", (0.0, -1.0), math.inf),
        ("power", (-2.0, 3.0), -8.0),
        ("power", (-2.0, 2.0), 4.0),
        ("power", (5.0, 0.0), 1.0),
        ("power", (2.0, 2000.0), math.inf),
        ("logarithm", (0.0,), -math.inf),
        ("logarithm", (math.inf,), math.inf),
        ("arctangent_of", (0.0, -1.0), math.pi),
        ("arctangent_of", (-0.0, -1.0), -math.pi),
        ("arctangent_of", (1.0, 0.0), 0.5 * math.pi),
        ("hypotenuse", (0.0, 0.0), 0.0),
        ("hypotenuse", (1e300, 1e300), math.hypot(1e300, 1e300)),
        ("hyperbolic_tangent", (-400.0,), -1.0),
        ("exponential", (800.0,), math.inf),
        ("arctangent", (math.inf,), 0.5 * math.pi),
    ],
)
def test_at_the_edges(name, given, wanted):
    assert getattr(elementary, name)(*given) == pytest.approx(wanted, rel=1e-15)


@pytest.mark.parametrize(
    ("name", "given"),
    [("power", (-2.0, 0.5)), ("logarithm", (-1.0,)), ("arcsine", (1.5,)), ("sine", (math.inf,))],
)
def test_beyond_them_there_is_no_number(name, given):
    assert math.isnan(getattr(elementary, name)(*given))
