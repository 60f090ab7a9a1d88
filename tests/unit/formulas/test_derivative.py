"""Derivatives against central differences, forward against reverse mode."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalembert.formulas import coordinates, directional, evaluate, jacobian, time, time_derivative
from dalembert.formulas.derivative import _sparse_forward, gradient
from dalembert.formulas.expression import ONE, ZERO

from .graphs import SYMBOLS, V, X, formulas, states

STEP = 1e-5
x, y = X[:2]


def close(exact, approximate, scale):
    """Central differences of step h err by eps/h in rounding and h^2 f''' in truncation."""
    ok = np.isfinite(exact) & np.isfinite(approximate) & (scale < 1e3)
    near = np.abs(exact - approximate) <= 1e-5 * (1.0 + np.abs(exact) + scale)
    # a kink or a pole between the two points spoils the difference, not the derivative
    return np.mean(near[ok]) if ok.any() else 1.0


@settings(deadline=None, max_examples=60)
@given(outputs=formulas(), seed=st.integers(0, 10**6))
def test_jacobian_against_central_differences(outputs, seed):
    values = states(seed, 40)
    rows = jacobian(outputs, SYMBOLS)
    exact = evaluate([d for row in rows for d in row], values)
    k = 0
    for output in outputs:
        for symbol in SYMBOLS:
            plus = evaluate([output], {**values, symbol: values[symbol] + STEP})[0]
            minus = evaluate([output], {**values, symbol: values[symbol] - STEP})[0]
            approximate = np.broadcast_to((plus - minus) / (2 * STEP), 40)
            d = np.broadcast_to(exact[k], 40)
            # curvature estimated by the second difference tells where the quotient is useless
            here = evaluate([output], values)[0]
            curvature = np.abs(plus - 2 * here + minus) / STEP
            assert close(d, approximate, np.broadcast_to(curvature, 40)) > 0.85
            k += 1


@settings(deadline=None, max_examples=60)
@given(outputs=formulas(), seed=st.integers(0, 10**6))
def test_forward_and_reverse_mode_agree(outputs, seed):
    values = states(seed, 20)
    forward = evaluate([d for row in _sparse_forward(outputs, SYMBOLS) for d in row], values)
    reverse = evaluate([d for o in outputs for d in gradient(o, SYMBOLS)], values)
    columns = [directional(outputs, {s: ONE}) for s in SYMBOLS]
    single = evaluate([c[i] for i in range(len(outputs)) for c in columns], values)
    for a, b, c in zip(forward, reverse, single, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(a, c, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    ("formula", "slope"),
    [
        (np.sin(x), np.cos(x)),
        (np.cos(x), -np.sin(x)),
        (x**2, 2 * x),
        (x * y, y),
        (np.exp(x), np.exp(x)),
        (np.log(x), 1 / x),
        (np.sqrt(x), 0.5 / np.sqrt(x)),
        (np.abs(x), np.sign(x)),
        (np.sign(x), ZERO),
        (x**2.5, 2.5 * x**1.5),
        (y / x, -(y / x) / x),
    ],
)
def test_known_derivatives(formula, slope):
    assert jacobian([formula], [x])[0][0] is slope
    assert directional([formula], {x: ONE})[0] is slope


def test_gradient_of_many_variables_is_reverse_mode():
    q = coordinates("q", 300)
    (row,) = jacobian([q @ q], list(q))
    assert all(d is 2 * e for d, e in zip(row, q, strict=True))


def test_time_derivative():
    (xd, yd) = (x.dot, y.dot)
    assert time_derivative([x * y])[0] is xd * y + x * yd
    assert time_derivative([x * time])[0] is xd * time + x
    assert time_derivative([x * y], [x])[0] is xd * y
    assert time_derivative([xd * y])[0] is xd * yd
    full = time_derivative([xd * y], [x, y], {x: x * 3})[0]
    values = {x: 0.3, y: 0.7, xd: 1.1, yd: -0.2}
    assert evaluate([full], values)[0] == pytest.approx(1.1 * -0.2 + 0.9 * 0.7)
    assert V[0] is xd


def test_what_is_rounded_has_no_slope_and_powers_of_two_their_own():
    """Operations that kernels trace and no user writes."""
    from dalembert.formulas.simplify import function

    rounded, power = function("rint", x), function("two_to", x)
    exact = [*jacobian([rounded, power], [x])[0], *jacobian([power], [x])[0]]
    assert [float(d) for d in evaluate(exact, {x: 3.0})] == pytest.approx([0.0, 8 * np.log(2)])
