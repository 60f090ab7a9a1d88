"""Pieces of a run: smooth ones of many equal steps, and crossings, where an event is.

Each takes tangents forth and adjoints back. A piece begins at t_a and would end at a given moment T
after n steps; where t_a is the time of an event it moves with the parameters, and so do all times
of its steps, t_k = t_a + k (T - t_a)/n (sensitivity 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import SimulationError
from dalembert.gradients.flow import Flow, Outputs
from dalembert.gradients.kernels import Stretch, march, pull, push
from dalembert.gradients.stages import Stages

Array = NDArray[np.float64]


@dataclass
class Tangents:
    """Derivatives in m directions: of the state, of the time it is reached, of the entries p.

    state : (m, nx)     time : (m,)     p : (m, given)
    """

    state: Array
    time: Array
    p: Array


@dataclass
class Adjoints:
    """Derivatives of one number by the state (nx,), by the time it is reached, by p (given,)."""

    state: Array
    time: float
    p: Array


@dataclass
class Piece:
    """Steps of equal length; `planned` of them would end at a moment that does not move."""

    flow: Flow
    t: float
    h: float
    planned: int
    steps: int
    first: Array
    p: Array
    control: int
    """Row of the controls that act."""
    kept: Array | None = None
    tape: Array | None = None
    """Values of each step that are kept for the way back."""

    @property
    def states(self) -> Array:
        """States before all steps and behind the last, (steps + 1, nx): made again, or kept."""
        if self.kept is not None:
            return self.kept
        X = np.empty((self.steps + 1, len(self.first)))
        X[0] = self.first
        go(self.flow, self.t, self.h, X, self.p)
        return X

    def push(self, tangents: Tangents) -> None:
        """Tangents at the end from those at the beginning."""
        flow, dt = self.flow, tangents.time
        dh = -dt / self.planned
        stretch = stretch_of(flow, self.states, self.p, 1)
        code = flow.tangent.address
        push(code, self.t, self.h, flow.nq, stretch, tangents.p, tangents.state, dt, dh)
        tangents.time = dt + self.steps * dh

    def pull(self, adjoints: Adjoints) -> None:
        """Adjoints at the beginning from those at the end."""
        flow, times = self.flow, np.zeros(2)
        stretch = stretch_of(flow, self.states, self.p, -1, self.tape)
        code = (flow.adjoint if self.tape is None else flow.pulling).address
        pull(code, self.t, self.h, flow.nq, stretch, adjoints.state, adjoints.p, times)
        end = adjoints.time * (1.0 - self.steps / self.planned)
        adjoints.time = end + times[0] - times[1] / self.planned


@dataclass(frozen=True)
class Jump:
    """Formulas of the state behind an event, and of entries of p that are set there."""

    formulas: Outputs
    nx: int
    entries: NDArray[np.int64]

    def behind(self, t: float, x: Array, p: Array) -> tuple[Array, Array]:
        """State and p behind the event."""
        found = self.formulas.values(t, x, p)
        after = p.copy()
        after[self.entries] = found[self.nx :]
        return found[: self.nx], after


@dataclass
class Crossing:
    """The part of a step until an event, and what happens there.

    Attributes
    ----------
    guard, row : formulas of the events, and which of them is zero
    jump : what changes there; None: nothing
    told : whether results tell of it
    """

    flow: Flow
    t: float
    h: float
    before: Array
    at: Array
    p: Array
    guard: Outputs
    row: int
    jump: Jump | None
    name: str
    told: bool = True

    @property
    def moment(self) -> float:
        """The time of the event."""
        return self.t + self.h

    def _jump_slopes(self) -> Array:
        assert self.jump is not None
        return self.jump.formulas.slopes(self.moment, self.at, self.p)

    def slopes(self) -> tuple[Array, Array, float]:
        """Derivatives of the guard by (q, v, p, t) there; F_h; and how fast it crosses zero."""
        flow = self.flow
        g = self.guard.slopes(self.moment, self.at, self.p)[self.row]
        along = self._tangent(np.r_[np.zeros(flow.width - 1), 1.0])
        return g, along, float(g[: flow.nx] @ along + g[-1])

    def _tangent(self, direction: Array) -> Array:
        """How the end of the step changes with (q, v, p, t, h)."""
        flow, nx = self.flow, self.flow.nx
        stretch = stretch_of(flow, np.array([self.before, self.before]), self.p, 1)
        state, dp = direction[None, :nx].copy(), np.ascontiguousarray(direction[None, nx:-2])
        dt, dh = direction[-2:-1].copy(), direction[-1:].copy()
        push(flow.tangent.address, self.t, self.h, flow.nq, stretch, dp, state, dt, dh)
        return np.asarray(state[0])

    def _adjoint(self, weights: Array) -> Array:
        """Derivatives of the weighted end of the step by (q, v, p, t, h)."""
        flow = self.flow
        stretch = stretch_of(flow, np.array([self.before, self.before]), self.p, -1)
        lam, dp, times = np.array(weights), np.zeros(flow.given), np.zeros(2)
        pull(flow.adjoint.address, self.t, self.h, flow.nq, stretch, lam, dp, times)
        return np.asarray(np.r_[lam, dp, times])

    def push(self, tangents: Tangents) -> None:
        """Tangents behind the event (sensitivity (6), (7))."""
        nx = self.flow.nx
        g, along, speed = self.slopes()
        J = None if self.jump is None else self._jump_slopes()
        for j in range(len(tangents.time)):
            dt, dp = tangents.time[j], tangents.p[j]
            # with the end of the step at a fixed moment, it is shorter by dt
            held = self._tangent(np.r_[tangents.state[j], dp, dt, -dt])
            moves = -(g[:nx] @ held + g[nx:-1] @ dp) / speed
            state = held + moves * along
            if J is not None and self.jump is not None:
                behind = J @ np.r_[state, dp, moves]
                state = behind[:nx]
                tangents.p[j, self.jump.entries] = behind[nx:]
            tangents.state[j], tangents.time[j] = state, moves

    def pull(self, adjoints: Adjoints) -> None:
        """Adjoints before the event (sensitivity (8))."""
        nx = self.flow.nx
        g, _, speed = self.slopes()
        if self.jump is not None:
            entries = self.jump.entries
            back = self._jump_slopes().T @ np.r_[adjoints.state, adjoints.p[entries]]
            adjoints.p[entries] = 0.0
            adjoints.state = back[:nx].copy()
            adjoints.p += back[nx:-1]
            adjoints.time += back[-1]
        whole = adjoints.time + self._adjoint(adjoints.state)[-1]
        share = whole / speed
        y = self._adjoint(adjoints.state - share * g[:nx])
        adjoints.state = y[:nx].copy()
        adjoints.p += y[nx:-2] - share * g[nx:-1]
        adjoints.time = float(y[-2] - y[-1])


def go(
    flow: Flow,
    t: float,
    h: float,
    X: Array,
    p: Array,
    watch: Any = None,
    tape: Array | None = None,
) -> tuple[int, Array | None]:
    """Fill the rows of X by steps of h; how many were made, and watched values at the last one.

    watch : (CompiledFunction, values at the beginning, directions)
    tape : a row a step for values that are kept for the way back
    """
    code, g, directions = 0, np.zeros((2, 1)), np.zeros(1, dtype=np.int64)
    if watch is not None:
        code, directions = watch[0].address, watch[2]
        g = np.zeros((2, len(directions)))
        g[0] = watch[1]
    closing = 0 if flow.closing is None else flow.closing.address
    stretch = stretch_of(flow, X, p, tape=tape)
    step = flow.step if tape is None else flow.keeping
    made = march(step.address, closing, code, t, h, flow.nq, stretch, g, directions)
    if made < 0:
        moment = t - (made + 1) * h
        raise SimulationError(
            f"At {moment:g} s a step leaves what its derivatives were traced for: a singular "
            "position, rows that depend on one another, or a state that is no number. Start "
            "elsewhere, or end the run before."
        )
    return int(made), g


def stretch_of(flow: Flow, X: Array, p: Array, way: int = 0, tape: Array | None = None) -> Stretch:
    """Steps as kernels see them; `way`: 1 for tangents, -1 for adjoints."""
    n, whole = flow.stages, np.zeros(1, dtype=np.int64)
    room = np.zeros(2 * (flow.width + n) + flow.nx + 1)
    codes = (
        flow.stage,
        flow.stage_tangent if way > 0 else None,
        flow.stage_adjoint if way < 0 else None,
    )
    make: Any = Stages
    stages = make(
        *(0 if code is None else code.address for code in codes),
        np.zeros(max(1, n)),
        np.zeros((max(1, n), max(1, n))),
        np.zeros(max(1, n)),
        np.zeros(max(1, n)),
        np.zeros(max(n + n * n, flow.width + n)),
        whole,
    )
    make = Stretch
    T = np.zeros((1, 1)) if tape is None else tape
    made: Stretch = make(X, T, p if len(p) else np.zeros(1), room, whole, stages)
    return made
