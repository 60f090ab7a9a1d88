"""Measures of a state beyond q and v: accelerations, multipliers, violation, rank."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert._jit import kernel
from dalembert._records import IntegerMatrix, Integers, Matrix, value
from dalembert.system.borders import NEEDS_GENERAL, OK, rates, residual
from dalembert.system.state_layout import State


@value
class HeldCommands:
    """Commands of controllers at the samples."""

    places: IntegerMatrix  # where in `work` one belongs, and its column
    held: Matrix  # a row a sample

    def put(self, state, sample):
        """Put those of a sample into the equations."""
        for p in range(self.places.shape[0]):
            state.work[self.places[p, 0]] = self.held[sample, self.places[p, 1]]


@value
class Measures:
    """Numbers that follow from states, a row a sample."""

    a: Matrix  # accelerations
    lam: Matrix  # multipliers
    phi: Matrix  # violations of positions
    phi_dot: Matrix  # violations of velocities
    rank: Integers  # of J; -1 where it is not known


def room_for(count: int, extents: Any) -> Measures:
    """Zeros for so many samples."""
    return Measures(
        np.zeros((count, extents.nv)),
        np.zeros((count, extents.rows)),
        np.zeros((count, extents.holonomic)),
        np.zeros((count, extents.rows)),
        np.zeros(count, dtype=np.int64),
    )


@kernel
def measure(state: State, first, t, q, v, commands, out):
    """Fill the rows of the outputs for the samples (t_k, q_k, v_k) from `first` on.

    A sample at which the equations cannot be solved gets NaN accelerations and rank -1. Returns the
    number of samples done; fewer than all when the general rates are needed.
    """
    qdot = state.qdot
    a = state.vdot
    lam = state.lam
    phi = state.phi
    phi_dot = state.phi_dot
    firm = state.firm_rank
    for s in range(first, t.shape[0]):
        commands.put(state, s)
        state.rank, state.held_rank = state.rows, 0
        # A sample tells nothing of the next one: its own rows do (decision 0003, rule 10).
        state.firm_rank = 0
        status = rates(state, t[s], 1.0, q[s], v[s], qdot, a, lam)
        if status == NEEDS_GENERAL:
            state.firm_rank = firm
            return s
        good = status == OK
        out.rank[s] = max(state.rank, state.held_rank) if good else -1
        for k in range(state.nv):
            out.a[s, k] = a[k] if good else float("nan")
        residual(state, t[s], q[s], v[s])
        for i in range(state.rows):
            out.lam[s, i] = lam[i] if good else float("nan")
            out.phi_dot[s, i] = phi_dot[i]
        for i in range(state.holonomic):
            out.phi[s, i] = phi[i]
    state.firm_rank = firm
    return t.shape[0]


@kernel
def violations(state: State, t, q, v, commands, out):
    """Fill the rows of the outputs with the residuals of the constraints at the samples."""
    phi = state.phi
    phi_dot = state.phi_dot
    for s in range(t.shape[0]):
        commands.put(state, s)
        residual(state, t[s], q[s], v[s])
        for i in range(state.rows):
            out.phi_dot[s, i] = phi_dot[i]
        for i in range(state.holonomic):
            out.phi[s, i] = phi[i]
