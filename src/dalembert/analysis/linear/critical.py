"""`critical_value`: where stability is lost or won over a parameter (analysis 5.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

from dalembert.analysis.linear.family import Family, family
from dalembert.analysis.linear.linearization import UNSTABLE, Linearization
from dalembert.errors import EquilibriumError, OptionError

NARROW = 1e-3
"""Width, over that asked for, to which the change is bracketed by judging alone."""

POINTS = 7


@dataclass(frozen=True)
class Critical:
    """Where a motion loses stability.

    Attributes
    ----------
    value : of the parameter
    frequency : of the mode that begins to grow  [rad/s]
    kind : "divergence" (it does not swing), "flutter" (it swings; Hopf's bifurcation where it was
        damped before)
    stable_above : whether larger values are stable
    """

    value: float
    frequency: float
    kind: str
    stable_above: bool
    near: Linearization


def critical_value(
    model: Any, parameter: Any = None, between: Any = (), *, state: Any = None
) -> Critical:
    """The value of a parameter at which the motion near a state becomes unstable, or stable.

    Parameters
    ----------
    model, parameter, state : as for `root_locus`
    between : (low, high), of which one is stable and the other is not

    Notes
    -----
    Where the motion was damped before, the growth itself is zero; where it was not, the square of
    the growth falls to zero from the unstable side, and is extrapolated from there.

    Examples
    --------
    >>> import dalembert as dl
    >>> (x,) = dl.coordinates("x")
    >>> (c,) = dl.parameters(c=0.0)
    >>> model = dl.Model.from_lagrangian(
    ...     kinetic=x.dot**2 / 2, potential=2 * x**2, forces={x: (1.5 - c) * x.dot}
    ... )
    >>> found = dl.critical_value(model, "c", (0.0, 4.0))
    >>> round(found.value, 9), round(found.frequency, 9), found.kind
    (1.5, 2.0, 'flutter')
    """
    make, name = family(model, parameter, state, "critical_value")
    try:
        low, high = map(float, between)
    except (TypeError, ValueError):
        raise OptionError("critical_value: give between=(low, high).") from None
    if not (np.isfinite([low, high]).all() and low < high):
        raise OptionError(f"critical_value: between=({low:g}, {high:g}) is no interval.")
    both = [make(x) for x in (low, high)]
    ends = [near.is_stable for near in both]
    if ends[0] == ends[1]:
        kind = "stable" if ends[0] else "unstable"
        remedy = "Give an interval with one end of each kind."
        if not all(near.is_equilibrium or near.is_steady for near in both):
            remedy = (
                "The state is no equilibrium and no steady motion there. Give one with state=, or"
                f" in place of the model a function: lambda {name}: dl.equilibrium(...)."
            )
        raise EquilibriumError(
            f"critical_value: the motion is {kind} at both ends, {name} = {low:g} and {high:g}."
            f" {remedy}"
        )
    width = high - low
    a, b = low, high
    while b - a > NARROW * width:
        middle = 0.5 * (a + b)
        a, b = (middle, b) if make(middle).is_stable == ends[0] else (a, middle)
    stable, unstable = (a, b) if ends[0] else (b, a)
    far = (low, high) if ends[0] else (high, low)
    value = _refined(make, stable, unstable, far)
    mode = _fastest(make(unstable))
    side = make(value + 1e-6 * (unstable - stable))
    frequency = float(_fastest(side).imag)
    scale = max(1e-12, float(np.abs(side.eigenvalues).max()))
    kind = "divergence" if abs(mode.imag) <= 1e-9 * scale else "flutter"
    return Critical(value, abs(frequency), kind, not ends[0], make(value))


def _fastest(near: Linearization) -> complex:
    """The eigenvalue that grows fastest."""
    values = near.eigenvalues
    return complex(values[np.argmax(values.real)])


def _growth(near: Linearization, zeros: int) -> float:
    """Growth of the fastest mode apart from so many that neither grow nor decay."""
    values = near.eigenvalues
    return float(values[np.argsort(np.abs(values))[zeros:]].real.max(initial=-np.inf))


def _zeros(near: Linearization) -> int:
    """How many eigenvalues are 0 or rounding."""
    values = np.abs(near.eigenvalues)
    return int(np.sum(values <= 1e-9 * values.max(initial=0.0)))


def _refined(make: Family, stable: float, unstable: float, far: tuple[float, float]) -> float:
    """The value between both; `far` are the ends that were given, the stable one first."""
    end = far[1]
    inside = stable + 0.1 * (far[0] - stable)
    below = make(inside)
    size, zeros = float(np.abs(below.eigenvalues).max()), _zeros(below)
    if _growth(below, zeros) < -10.0 * UNSTABLE * size:
        low, high = sorted((inside, unstable))
        return float(
            brentq(lambda x: _growth(make(x), zeros), low, high, xtol=1e-14 * max(1.0, abs(high)))
        )
    # growth^2 over the parameter, from the unstable side; where it is zero, as an inverse
    reach = 0.05 * (end - stable)
    places = unstable + reach * (0.5 - 0.5 * np.cos(np.pi * (np.arange(POINTS) + 0.5) / POINTS))
    squares = np.array([_fastest(make(x)).real ** 2 for x in places])
    total = 0.0
    for i in range(POINTS):
        others = np.delete(squares, i)
        total += places[i] * float(np.prod(-others / (squares[i] - others)))
    return float(total)
