"""Samples of a run, and the worst violation met."""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert._records import Integers, Matrix, Numbers, value
from dalembert.integration.loop.clock import clock_of
from dalembert.mechanics.winding import copy_angles, wind
from dalembert.numerics.vector import copy
from dalembert.system.borders import note_sample, residual
from dalembert.system.state_layout import State


@value
class Samples:
    """Room for samples, one a row."""

    t: Numbers
    q: Matrix
    v: Matrix
    lam: Matrix
    angle: Matrix


@value
class Trace:
    """Room for states behind one another, one a row; none where they are not kept.

    States of `LENGTH` steps are kept, then none up to the next multiple of the period.
    """

    t: Numbers
    q: Matrix
    v: Matrix
    angle: Matrix
    done: Integers  # steps made before each state
    counts: Integers  # states kept, period


LENGTH = 9
"""States of a stretch: as many as the polynomials of the error of a step want, and one."""


@kernel
def trace_state(state: State, clock, q, v, trace):
    """Keep the state before a step where it belongs to a stretch."""
    k = trace.counts[0]
    if k >= len(trace.t) or clock.done % trace.counts[1] >= LENGTH:
        return
    if k > 0 and trace.done[k - 1] == clock.done:
        return  # the step is tried again
    trace.t[k], trace.done[k] = clock.t, clock.done
    copy(q, trace.q[k])
    copy(v, trace.v[k])
    copy_angles(state, trace.angle[k])
    trace.counts[0] = k + 1


@kernel
def watch(state: State, numbers, counts, t, q, v):
    """Keep the worst violation of both levels and its row."""
    clock, phi, phi_dot = clock_of(numbers, counts), state.phi, state.phi_dot
    # A projection ends with the residual of the accepted state.
    if state.seen == 0:
        residual(state, t, q, v)
    for i in range(state.holonomic):
        if abs(phi[i]) > clock.worst_phi:
            clock.worst_phi = abs(phi[i])
            clock.phi_row = i
    for i in range(state.rows):
        if abs(phi_dot[i]) > clock.worst_phi_dot:
            clock.worst_phi_dot = abs(phi_dot[i])
            clock.phi_dot_row = i


@kernel
def record(state: State, clock, t, q, v, samples):
    """One sample."""
    k = clock.samples
    samples.t[k] = t
    copy(q, samples.q[k])
    copy(v, samples.v[k])
    copy(state.lam, samples.lam[k])
    copy_angles(state, samples.angle[k])
    note_sample(state, k, v)
    clock.samples = k + 1


@kernel
def finish_step(state: State, numbers, counts, q, v, samples):
    """Watch the violation of the accepted step, count turns, and record it when it is due."""
    clock = clock_of(numbers, counts)
    watch(state, numbers, counts, clock.t, q, v)
    wind(state, clock.t, clock.t - clock.last_t, q, v)
    if clock.times_count == 0 and (
        clock.t >= clock.until or clock.stopped == 1 or clock.done % clock.every == 0
    ):
        # A terminal event at the very start of a step ends where the last sample is.
        if clock.samples > 0 and samples.t[clock.samples - 1] == clock.t:
            clock.samples -= 1
        record(state, clock, clock.t, q, v, samples)
