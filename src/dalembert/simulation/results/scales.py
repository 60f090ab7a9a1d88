"""Scales of a run that its figures are compared with, and how they are said."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.model.basics.quantity import value_of

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

REST = 1e-8
"""Way, over the size of the mechanism, of what does not move."""


def length_of(solution: Solution) -> float:
    """Size of the coordinates: the largest at the start, at most 1; 1 when all are zero."""
    known = solution.statistics.get("length")
    if known:
        return float(known)
    first = largest(solution.q[:1])
    return min(1.0, first) if first > 0.0 else 1.0


def pull_of(model: Any) -> float:
    """Magnitude of gravity  [m/s^2]."""
    return math.hypot(*(value_of(g, model.parameters) or 0.0 for g in model.gravity))


def slow_speed(solution: Solution, span: float) -> float:
    """Speed of crossing the mechanism once in that time, or gained by weight in a step."""
    least = length_of(solution) / span if span > 0.0 else 1.0
    return max(least, pull_of(solution.model) * (solution.step or 0.0))


def weight_of(model: Any) -> float:
    """Weight of all bodies  [N]."""
    masses = (value_of(body.inertia.mass, model.parameters) for body in model.bodies.values())
    return sum(mass or 0.0 for mass in masses) * pull_of(model)


def stands(solution: Solution) -> bool:
    """Whether nothing moves: neither from sample to sample nor at any speed worth the name."""
    if len(solution.t) < 2 or not np.all(np.isfinite(solution.v)):
        return False
    way = largest(solution.q - solution.q[0])
    swept = largest(solution.v) * float(solution.t[-1] - solution.t[0])
    return max(way, swept) <= REST * length_of(solution)


def share(relative: float) -> str:
    """A fraction as people say it: ``3 %``, ``2.4 times`` what it is a part of."""
    if relative >= 2.0:
        return f"{relative:.2g} times"
    percent = 100.0 * relative
    return f"{percent:.0f} %" if percent >= 10.0 else f"{percent:.2g} %"


def rounded_down(value: float) -> float:
    """The next lower of 1, 2, 5, 10, 20, ...

    Examples
    --------
    >>> rounded_down(0.04), rounded_down(7.3e-4)
    (0.02, 0.0005)
    """
    power = 10.0 ** math.floor(math.log10(value))
    first = next(k for k in (5.0, 2.0, 1.0) if k * power <= value * (1.0 + 1e-9))
    return float(f"{first * power:.3g}")


def largest(values: Any) -> float:
    """Largest size of the finite numbers; 0 where there are none."""
    sizes = np.abs(values)
    return float(np.max(sizes, initial=0.0, where=np.isfinite(sizes)))


SAMPLED = 0.2
"""Part of an error of the balance from which on it may be the integral of the samples."""


def sampling_limits(figures: dict[str, Any]) -> bool:
    """Whether what is off in the balance may be the integral of samples that are too rare.

    Where every step of a given length was recorded it is the step that is too long.
    """
    off, quadrature = figures["energy_balance"], figures["energy_balance_quadrature"]
    every_step = figures["samples"] > (figures["steps"] or 0) and figures["step"] is not None
    if off is None or every_step:
        return False
    return bool(quadrature > SAMPLED * off)
