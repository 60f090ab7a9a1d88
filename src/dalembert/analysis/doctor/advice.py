"""Step, method and tolerance that suit a model, with the reason (analysis 8.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

STIFF = 1e3
"""Fastest decay over what is to be seen from which on an explicit method wastes steps."""

RK4_DECAY = 2.78
"""h |lambda| up to which RK4 is stable, along the negative real axis."""

A_PERIOD = 60
"""Steps of a period for about five digits with RK4 after some periods."""


@dataclass(frozen=True)
class Pace:
    """How fast a model moves, by its linear model: rates in 1/s, 0 where there are none.

    decay : fastest decay;  growth : fastest growth;  slow : slowest rate
    swing : fastest swing, or turn of a body
    """

    decay: float
    growth: float
    swing: float
    slow: float

    @property
    def stiffness(self) -> float:
        """Fastest decay over what else moves; 0 where nothing decays."""
        rest = max(self.swing, self.growth, self.slow)
        return self.decay / rest if rest > 0.0 else 0.0


def pace(eigenvalues: Any) -> Pace:
    """The pace from eigenvalues."""
    values = np.asarray(eigenvalues)
    size = float(np.abs(values).max(initial=0.0))
    own = values[np.abs(values) > 1e-9 * max(size, 1e-300)]
    if not len(own):
        return Pace(0.0, 0.0, 0.0, 0.0)
    decay = float(max(0.0, -own.real.min()))
    # what decays within a swing is no swing to be seen
    swinging = own[np.abs(own.imag) > 0.1 * np.abs(own.real)]
    return Pace(
        decay,
        float(max(0.0, own.real.max())),
        float(np.abs(swinging.imag).max(initial=0.0)),
        float(np.abs(own).min()),
    )


def fastest(paces: Sequence[Pace]) -> Pace | None:
    """The largest of each rate, the smallest of the slow ones."""
    if not paces:
        return None
    return Pace(
        max(x.decay for x in paces),
        max(x.growth for x in paces),
        max(x.swing for x in paces),
        min((x.slow for x in paces if x.slow > 0.0), default=0.0),
    )


@dataclass(frozen=True)
class Advice:
    """A call of `simulate`, and why."""

    call: str
    reasons: tuple[str, ...]


def advice(model: Any, found: Pace | None, redundant: int, singular: bool) -> Advice:
    """A call of `simulate`, with its reasons."""
    reasons: list[str] = []
    needs = model.needs_impulses
    if needs:
        reasons.append(
            f"{needs}: contacts, limits and dry friction are found by impulses; without a step"
            " events are located in time, and the tolerance is met between them."
        )
        return Advice("dl.simulate(model, until=...)", tuple(reasons))
    if redundant:
        reasons.append(
            f"{redundant} of the rows depend on others: Projection (the default) takes rows of any"
            " rank; methods that need independent ones stop and say so."
        )
    if singular:
        reasons.append(
            "Rank changes along the motion: Projection passes singular positions; a fixed step"
            " should not be chosen so that it lands on one."
        )
    if found is None or not max(found.decay, found.swing, found.growth) > 0.0:
        reasons.append("Nothing sets a pace; the tolerance chooses the steps.")
        return Advice("dl.simulate(model, until=...)", tuple(reasons))
    fast = max(found.swing, found.growth)
    if found.stiffness > STIFF:
        reasons.append(
            f"Stiff: something decays with {found.decay:.3g} 1/s, {found.stiffness:.2g} times"
            f" faster than the rest moves. RK4 would need steps below"
            f" {RK4_DECAY / found.decay:.2g} s to be stable; BDF chooses them by accuracy."
        )
        call = "dl.simulate(model, until=..., integrator=dl.BDF(), method=dl.IndexTwo())"
        return Advice(call, tuple(reasons))
    step = _round(2.0 * np.pi / (A_PERIOD * fast)) if fast > 0.0 else np.inf
    if found.decay > 0.0:
        step = min(step, _round(0.5 * RK4_DECAY / found.decay))
    reasons.append(
        f"The fastest motion has {fast:.4g} rad/s"
        + (f" and the fastest decay {found.decay:.3g} 1/s" if found.decay > 0.0 else "")
        + f": with a fixed step of {step:g} s RK4 makes {A_PERIOD} or more a period, about five"
        " digits; without a step Dormand-Prince follows the default tolerance of 1e-11."
    )
    return Advice(f"dl.simulate(model, until=..., step={step:g})", tuple(reasons))


def _round(x: float) -> float:
    """Down to 1, 2 or 5 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(x))
    return float(power * max(k for k in (1.0, 2.0, 5.0) if k * power <= x * (1.0 + 1e-12)))
