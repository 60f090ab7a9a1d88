"""The end of a step of a phase: its contacts are closed to rounding again, on both levels.

    q <- q (+) Y^T x,  W x = -phi_n         v <- v + Y^T x,  W x = -u        (contact 20)

the least change in the norm of the kinetic energy that joints allow, as `mechanics.projection` does
it for joints, in turn with that. In the stabilised form joints alone are closed.
"""

from dalembert._jit import apart, border, kernel
from dalembert.contact.events.forces import (
    is_closed,
    list_equations,
    respond_to_all,
    solve_rows,
)
from dalembert.contact.events.layout import HELD, Phase
from dalembert.contact.events.rows import look, write_jacobian, write_velocities
from dalembert.mechanics.dense import PROJECTION_TOLERANCE
from dalembert.mechanics.motion import displace
from dalembert.mechanics.projection import project
from dalembert.system.borders import NO_CONVERGENCE, OK, STEPPING, factor
from dalembert.system.state_layout import State

ROUNDS, CAP = 4, 10
"""Times that gaps and joints are closed in turn; Gauss-Newton steps of joints."""

CLOSED = 1e-15
"""Gap that is none, over the size of the smallest shape."""


@border(STEPPING)
def phase_end(state: State, t, h, q, v):
    """Joints and contacts closed, velocities along both."""
    return close(state, t, h, q, v)


@apart(int)
def close(state: State, t, h, q, v):
    """`phase_end`, which steps and Python call."""
    phase, t = Phase(state, state.method_scratch), t + h
    if phase.settling_time > 0.0:
        # gaps and velocities die out by themselves (`forces.stabilise`)
        state.seen = 0
        return OK if state.rows == 0 else close_joints(state, t, q, v)
    for _ in range(ROUNDS):
        status = OK if state.rows == 0 else close_joints(state, t, q, v)
        if status == OK:
            status = see(state, phase, t, h, q, v)
        if status != OK:
            return status
        if not widest(phase) > CLOSED * phase.size:
            break
        status = close_gaps(state, phase, q)
        if status != OK:
            return status
    status = see(state, phase, t, h, q, v)
    if status != OK:
        return status
    status = stop_rows(state, phase, v)
    state.seen = 0
    return status


@apart(int)
def close_joints(state: State, t, q, v):
    """Joints and formulas closed, on both levels."""
    return project(state, t, q, v, state.method_flag, CAP)


@kernel
def see(state: State, phase: Phase, t, h, q, v):
    """Rows of the phase at a state."""
    status = look(state, t, h, q, v)
    if status != OK:
        return status
    return OK if write_velocities(state, phase, phase.u) else NO_CONVERGENCE


@kernel
def widest(phase: Phase):
    """Largest gap, or depth, of contacts that are closed."""
    worst = 0.0
    for i in range(phase.contacts):
        active = phase.contact(i)
        if is_closed(int(active.mode)):
            worst = max(worst, abs(active.gap))
    return worst


@kernel
def prepare(state: State, phase: Phase):
    """Factors and responses at the state that was looked at."""
    write_jacobian(state, phase)
    status = factor(state, PROJECTION_TOLERANCE)
    if status != OK:
        return status
    return respond_to_all(state, phase)


@kernel
def close_gaps(state: State, phase: Phase, q):
    """Move q until gaps are zero, to first order."""
    status = prepare(state, phase)
    if status != OK:
        return status
    m = 0
    for i in range(phase.contacts):
        active = phase.contact(i)
        if is_closed(int(active.mode)):
            phase.equation[m] = active.first
            phase.free[m] = -active.gap
            m += 1
    change(state, phase, m)
    displace(state, 1.0, phase.vdot, q)
    return OK


@kernel
def stop_rows(state: State, phase: Phase, v):
    """Take what velocities of rows are left out of v."""
    m = list_equations(phase)
    if m == 0:
        return OK
    status = prepare(state, phase)
    if status != OK:
        return status
    for i in range(m):
        r = int(phase.equation[i])
        phase.free[i] = -phase.u[r]
    for i in range(phase.contacts):
        active = phase.contact(i)
        if int(active.mode) == HELD:
            for k in range(m):
                if int(phase.equation[k]) == int(active.first):
                    phase.free[k] += state.drive(int(active.side)).target_speed
    change(state, phase, m)
    for k in range(state.nv):
        v[k] += phase.vdot[k]
    return OK


@kernel
def change(state: State, phase: Phase, m):
    """vdot = Y^T x with W x = free, for m rows of the list of equations."""
    W, Y, x = phase.delassus, phase.responses(state.nv), phase.x
    parts = phase.decomposed(m)
    for i in range(m):
        for j in range(m):
            parts.C[i, j] = W[int(phase.equation[i]), int(phase.equation[j])]
    solve_rows(phase, m, phase.free)
    for k in range(state.nv):
        total = 0.0
        for i in range(m):
            total += x[i] * Y[int(phase.equation[i]), k]
        phase.vdot[k] = total
