"""Error of fixed steps, told by states behind one another: what Newton's law misses between them.

Velocities should grow by the integral of the accelerations, and positions by that of their rates
(`docs/theory/methods.md` 12). What is missing is the error of each step, and, where the states are
too far apart for their integral, more: it is a bound. Where every step was recorded the samples are
such states; other runs keep some stretches of them (`simulation/run/stretches.py`), which stand for
all steps.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.simulation.motion import values
from dalembert.simulation.motion.turns import Turns
from dalembert.simulation.results.accelerations import measured
from dalembert.simulation.results.loads import loads
from dalembert.simulation.results.quadrature import even_weights, increments
from dalembert.simulation.results.samples import Samples, of_model
from dalembert.simulation.results.scales import length_of, slow_speed

if TYPE_CHECKING:
    from dalembert.simulation.prepare.setup import Setup
    from dalembert.simulation.results.solution import Solution
    from dalembert.simulation.run.run import Run

Array = NDArray[np.float64]
Errors = tuple[list[float], list[float], list[float]]
"""Errors of coordinates and of velocities, and speeds, by unit."""

POINTS = (4, 6, 8)
"""States through which accelerations are integrated: the best counts. Fewer than the last, and
nothing is told."""

MISSED = "missed"
"""Statistic of a run that kept stretches: errors of all steps, of coordinates and of velocities,
and speeds; the largest of each unit."""


def step_error(solution: Solution) -> float | None:
    """Errors of all steps, added up, over speed and size of the motion.

    None without a step, where something else changes velocities (controllers, actions), and where
    there are too few states behind one another.
    """
    if solution.step is None or _is_pushed(solution) or not len(solution.t):
        return None
    if not all(bool(np.all(np.isfinite(x))) for x in (solution.q, solution.v, solution.a)):
        return None
    found = _of_samples(solution)
    if found is None:
        return None
    missed, scales = found[:2], (_place_scales(solution), _speed_scales(solution, found[2]))
    if [len(each) for each in missed] != [len(each) for each in scales]:
        return None
    over = [m / s for each in zip(missed, scales, strict=True) for m, s in zip(*each, strict=True)]
    return max(x if math.isfinite(x) else math.inf for x in over)


def _is_pushed(solution: Solution) -> bool:
    """Whether velocities or forces jump at samples."""
    acted = solution.commands is not None or bool(solution.statistics.get("actions"))
    return acted or not bool(np.all(np.diff(solution.t) > 0.0))


def _of_samples(solution: Solution) -> Errors | None:
    """Errors of all steps by unit: of the samples if they are all steps, else as kept."""
    steps = solution.statistics.get("steps") or 0
    if len(solution.t) <= max(steps, POINTS[-1]):
        return _kept(solution.statistics.get(MISSED))
    model, v = solution.model, solution.v
    missing = _missing(model, solution.t, solution.q, v, solution.a)
    return *missing, _by_unit(model, np.abs(v).max(axis=0), 6, 3)


def _kept(found: Any) -> Errors | None:
    """Return the statistic as `missed` makes it; None for anything else that a file may hold."""
    try:
        places, speeds, most = (
            [float(x) for x in found[name]] for name in ("places", "speeds", "largest")
        )
    except (TypeError, ValueError, KeyError, OverflowError):
        return None
    return places, speeds, most


def missed(setup: Setup, run: Run) -> dict[str, Any]:
    """Return the statistic of a run that kept stretches; empty of others."""
    stretches = run.stretches.whole
    if not stretches:
        return {}
    done, t, q, v, angles = (np.concatenate(each) for each in zip(*stretches, strict=True))
    samples = of_model(setup, run, Samples(t, q, v, angles=angles))
    if not all(bool(np.all(np.isfinite(x))) for x in (samples.q, samples.v)):
        return {}
    turned = Turns.of(setup.model, t, samples.q, samples.v, angles)
    a = measured(setup, samples, None, loads(setup, samples, None), turned).a
    shares = _shares(done.reshape(len(stretches), -1), int(run.clock.done))
    places, speeds = _missing(setup.model, t, samples.q, samples.v, a, shares)
    largest_speeds = _by_unit(setup.model, np.abs(samples.v).max(axis=0), 6, 3)
    return {MISSED: {"places": places, "speeds": speeds, "largest": largest_speeds}}


def _shares(done: Any, total: int) -> Array:
    """Steps of a run that each step of a stretch stands for: up to halfway to the next one."""
    halfway = (done[1:, 0] + done[:-1, -1]) / 2.0
    ends = np.concatenate([[0.0], halfway, [float(total)]])
    return np.asarray(np.diff(ends) / (done.shape[1] - 1))


def _missing(
    model: Any, t: Array, q: Array, v: Array, a: Array, shares: Any = (1.0,)
) -> tuple[list[float], list[float]]:
    """Errors of steps added up, of coordinates and of velocities: the largest of each unit.

    The states are those of as many stretches as there are shares; each error counts as often.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        first, second = values.rates(model, q, v, a)
        t, q, v, a, first, second = (
            x.reshape(len(shares), -1, *x.shape[1:]) for x in (t, q, v, a, first, second)
        )
        weights = np.asarray(shares)[:, None, None]
        places = (weights * np.abs(_missing_places(t, q, first, second))).sum(axis=(0, 1))
        speeds = _missing_speeds(t, v, a, weights)
    return _by_unit(model, places, 7, 3), _by_unit(model, speeds, 6, 3)


def _by_unit(model: Any, errors: Array, width: int, linear: int) -> list[float]:
    """Largest error of all coordinates; of bodies that of linear and that of turning ones."""
    if not model.is_maximal:
        return [float(np.max(errors, initial=0.0))]
    turning = np.arange(len(errors)) % width >= linear
    return [float(np.max(errors[kind], initial=0.0)) for kind in (~turning, turning)]


def _missing_speeds(t: Array, v: Array, a: Array, weights: Array) -> Array:
    """sum of |v(n+1) - v(n) - integral of a| of every velocity, by the best of the integrals."""
    grown = np.diff(v, axis=1)
    missing = [(weights * np.abs(grown - _increments(t, a, n))).sum(axis=(0, 1)) for n in POINTS]
    return np.asarray(np.min(missing, axis=0))


def _increments(t: Array, a: Array, points: int) -> Array:
    """Integrals of a from state to state, by polynomials through so many."""
    if len(t) == 1:
        return increments(t[0], a[0], points)[None]
    h = (t[:, -1] - t[:, 0]) / (t.shape[1] - 1)
    return np.asarray(h[:, None, None] * (even_weights(t.shape[1], points) @ a))


def _missing_places(t: Array, q: Array, first: Array, second: Array) -> Array:
    """q(n+1) - q(n) less the integral of q', by q' and q'' at both ends of a step."""
    h = np.diff(t, axis=1)[..., None]
    ends = h / 2.0 * (first[:, :-1] + first[:, 1:])
    ends += h * h / 12.0 * (second[:, :-1] - second[:, 1:])
    missing: Array = np.diff(q, axis=1) - ends
    return missing


def _speed_scales(solution: Solution, most: list[float]) -> list[float]:
    """Speeds that errors are compared with: the largest of each unit."""
    statistics, t = solution.statistics, solution.t
    span = float(statistics.get("end", t[-1])) - float(statistics.get("start", t[0]))
    length, slow = length_of(solution), slow_speed(solution, span)
    return [max(x, least) for x, least in zip(most, (slow, slow / length), strict=False)]


def _place_scales(solution: Solution) -> list[float]:
    """Sizes that errors of coordinates are compared with; a radian is half of a quaternion."""
    length = length_of(solution)
    return [length, 0.5] if solution.model.is_maximal else [length]
