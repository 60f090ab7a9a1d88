"""Formulas of a trace that are something simpler, found out at random states.

A limit of a joint is written in motions of bodies, for whatever joint: its rate is a scalar product
that is a velocity of the tree. What agrees with something simpler at random states, to rounding, is
that: two different expressions of this kind agree nowhere but on surfaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.batch.tracing import formula
from dalembert.formulas import evaluate, symbols, time
from dalembert.mechanics.tree_evaluate import look_around
from dalembert.system.state_layout import State

SAMPLES = 5
ROUNDED = 1e-12
"""Difference at random states that is rounding; they are of size one."""


class Samples:
    """Random states at which formulas are compared; other symbols have random numbers, too."""

    def __init__(self, q: Any, v: Any) -> None:
        generator = np.random.default_rng(1)
        self.q = generator.uniform(-0.5, 0.5, (len(q), SAMPLES))
        self.v = generator.uniform(-0.5, 0.5, (len(v), SAMPLES))
        self._known: dict[Any, Any] = dict(zip([*q, *v], [*self.q, *self.v], strict=True))
        self._known[time] = generator.uniform(0.0, 1.0, SAMPLES)
        self._generator = generator

    def of(self, formulas: Sequence[Any]) -> Any:
        """Values of formulas, (formulas, samples)."""
        raw = [formula(x) for x in formulas]
        for leaf in symbols(raw, "load"):
            if leaf not in self._known:
                self._known[leaf] = self._generator.uniform(0.5, 1.5, SAMPLES)
        found = evaluate(raw, self._known)
        return np.array([np.broadcast_to(x, (SAMPLES,)) for x in found], dtype=float)


def followed(values: Any, table: Any) -> tuple[int, float, float] | None:
    """(j, sign, offset) such that values = sign table_j + offset, but for full turns."""
    for sign in (1.0, -1.0):
        for j, row in enumerate(table):
            off = np.unwrap(values - sign * row)
            if np.ptp(off) < 1e-9:
                return j, sign, float(off[0])
    return None


def coordinates_of_angles(state: State, q: Any, v: Any) -> list[tuple[int, float, float]]:
    """For every angle whose turns are counted the coordinate it follows, a sign and an offset.

    angle = sign q_j + offset, but for full turns; refused where there is none.
    """
    look_around(state, 0.0, q, v)
    samples, made = Samples(q, v), []
    for angle in samples.of(state.angles[: state.wound]):
        found = followed(angle, samples.q)
        if found is None:
            raise LookupError("an angle whose turns are counted and that is no coordinate")
        j, sign, offset = found
        made.append((j, sign, offset - 2.0 * np.pi * float(np.round(offset / (2.0 * np.pi)))))
    return made


@dataclass(frozen=True)
class Limit:
    """A one-sided row that is a coordinate: phi = sign q_j + offset, phi' = rate v_k."""

    coordinate: int
    sign: float
    offset: float
    velocity: int
    rate: float

    def write(self, state: State, row: int, q: Any, v: Any) -> None:
        """Write its value and rate."""
        state.side_phi[row] = self.sign * q[self.coordinate] + self.offset
        state.side_phi_dot[row] = self.rate * v[self.velocity]
        state.side_phi_t[row] = 0.0


def limits_of_coordinates(state: State, q: Any, v: Any) -> dict[int, Limit]:
    """One-sided rows that are coordinates; after an evaluation of the rows at (q, v)."""
    samples, made = Samples(q, v), {}
    phi, rate = samples.of(state.side_phi), samples.of(state.side_phi_dot)
    drift = samples.of(state.side_phi_t)
    for row in range(state.sides):
        value, speed = followed(phi[row], samples.q), followed(rate[row], samples.v)
        if value is None or speed is None or np.abs(drift[row]).max() > ROUNDED:
            continue
        off = phi[row] - value[1] * samples.q[value[0]]
        if np.ptp(off) <= ROUNDED and abs(speed[2]) <= ROUNDED:
            made[row] = Limit(*value[:2], float(off[0]), *speed[:2])
    return made
