"""Where a guard becomes zero: a bracket on the continuous output, then a root."""

from __future__ import annotations

from collections.abc import Callable

ITERATIONS = 200


def root(f: Callable[[float], float], a: float, fa: float, b: float, fb: float) -> float:
    """x in [a, b] with f(x) = 0, f(a) > 0 >= f(b), by the method of Illinois with bisection.

    To the last digit: what a step of this length does is found by taking it.
    """
    for k in range(ITERATIONS):
        if b - a <= 1e-16 + 2.3e-16 * abs(b):
            break
        x = b - fb * (b - a) / (fb - fa) if k % 3 != 2 else 0.5 * (a + b)
        if not a < x < b:
            x = 0.5 * (a + b)
            if not a < x < b:
                break
        fx = f(x)
        if fx > 0:
            a, fa = x, fx
            fb *= 0.5 if k % 3 == 1 else 1.0
        else:
            b, fb = x, fx
            fa *= 0.5 if k % 3 == 1 else 1.0
            if fx == 0:
                break
    return b
