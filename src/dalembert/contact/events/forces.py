"""Accelerations of a phase: forces of its contacts, by their modes.

    M v' = Q + J_e^T lam_e + J^T lam,     J_e v' = r_e              joints and formulas
    n (closed):   u_n' = 0                                          lam_n
    t, stick:     u_t' = 0                                          lam_t
    t, slip:      lam_t = -mu lam_n d,   d = u_t / |u_t|
    spin, rolling, held:   u' = 0                                   the moment
    spin, rolling:         moment = -d_r lam_n d,  d = u / |u|      with the arm d_r
    drives:       u' = 0, or a given force                          (contact 20)
    soft:         lam = -k phi - d phi' (`springs`); its friction as of spin and rolling, arm mu
    stabilised:   u_n' + (2 / eps) u_n + phi / eps^2 = 0,  u_t' + (2 / eps) u_t = 0

With Y the responses to J, joints kept, W = J Y^T is that of contacts alone, and its rows with an
equation give the forces; with sliding they are not symmetric. Forces that contacts share in more
than one way are those nearest to the last ones. Past the moment at which sliding ends, where a step
may look before it is found out, d goes on as it was.
"""

import math

from dalembert._jit import apart, border, kernel
from dalembert.contact.events.bias import add_side_bias, write_bias
from dalembert.contact.events.layout import (
    AT_LEAST,
    AT_MOST,
    HELD,
    LOCKED,
    PRESSED,
    SERVO,
    SLIP,
    SMOOTH,
    STICK,
    TURNING,
    Phase,
)
from dalembert.contact.events.rows import (
    look,
    write_jacobian,
    write_velocities,
)
from dalembert.contact.events.springs import push
from dalembert.mechanics.dense import CONTINUED_TOLERANCE
from dalembert.mechanics.motion import kinematic_map
from dalembert.numerics.orthogonal import orthogonal_factor, orthogonal_solve
from dalembert.system.borders import NO_CONVERGENCE, OK, RATING, factor, solve
from dalembert.system.state_layout import State

SOFT = 3e-6
"""Speed [m/s] that is added along its first direction to sliding in space that begins: u_t / |u_t|
turns as fast as |u_t| is small, and where sliding begins with hardly an acceleration it is small
for long (contact 20)."""

DEPENDENT = 1e-9
"""Part of the largest row below which an equation follows from others."""


@border(RATING)
def phase_rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """q' = N v; v' with the forces of the phase."""
    kinematic_map(state, q, v, qdot_out)
    return phase_forces(state, t, h, q, v, vdot_out, lam_out)


@apart(int)
def phase_forces(state: State, t, h, q, v, vdot_out, lam_out):
    """Forces of all contacts, and the accelerations with them."""
    phase = Phase(state, state.method_scratch)
    status = write_bias(state, phase, t, h, q, v)
    if status == OK:
        status = look(state, t, h, q, v)
    if status != OK:
        return status
    if not write_velocities(state, phase, phase.u):
        return NO_CONVERGENCE  # out of sight: the step was too long, or features have changed
    write_jacobian(state, phase)
    add_side_bias(state, phase, t, q, v)
    stabilise(state, phase)
    status = factor(state, CONTINUED_TOLERANCE)
    if status != OK:
        return status
    give_forces(state, phase)
    status = respond_to_all(state, phase)
    if status == OK:
        status = free_accelerations(state, phase)
    if status != OK:
        return status
    solve_modes(state, phase)
    top = with_forces(state, phase)
    return solve(state, top, state.rhs_a, vdot_out, lam_out)


@kernel
def stabilise(state: State, phase: Phase):
    """Add gaps and velocities to the equations, where they are to die out by themselves."""
    eps = phase.settling_time
    if not eps > 0.0:
        return
    for i in range(phase.contacts):
        active = phase.contact(i)
        mode, first, dim = int(active.mode), int(active.first), int(active.dim)
        if is_closed(mode):
            phase.bias[first] += 2.0 / eps * phase.u[first] + active.gap / (eps * eps)
        if mode == STICK:
            for r in range(1, dim):
                phase.bias[first + r] += 2.0 / eps * phase.u[first + r]
        elif mode == LOCKED:
            for r in range(dim):
                phase.bias[first + r] += 2.0 / eps * phase.u[first + r]
        elif mode == HELD:
            over = phase.u[first] - state.drive(int(active.side)).target_speed
            phase.bias[first] += 2.0 / eps * over


@kernel
def with_forces(state: State, phase: Phase):
    """Q + J^T lam."""
    top, J = phase.top, phase.jacobian(state.nv)
    for k in range(state.nv):
        top[k] = state.force[k]
    for r in range(phase.rows):
        for k in range(state.nv):
            top[k] += phase.force[r] * J[r, k]
    return top


@apart(int)
def respond_to_all(state: State, phase: Phase):
    """Y and W = J Y^T."""
    n, J, Y, W = phase.rows, phase.jacobian(state.nv), phase.responses(state.nv), phase.delassus
    for i in range(state.rows):
        phase.bottom[i] = 0.0
    known = state.has_last
    state.has_last = 0
    for r in range(n):
        for k in range(state.nv):
            phase.top[k] = J[r, k]
        status = solve(state, phase.top, phase.bottom, Y[r], phase.lam)
        if status != OK:
            return status
    state.has_last = known
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(state.nv):
                total += J[i, k] * Y[j, k]
            W[i, j] = total
    return OK


@kernel
def free_accelerations(state: State, phase: Phase):
    """u' of all rows with the given forces only."""
    top = with_forces(state, phase)
    status = solve(state, top, state.rhs_a, phase.vdot, phase.lam)
    if status != OK:
        return status
    J = phase.jacobian(state.nv)
    for r in range(phase.rows):
        total = phase.bias[r]
        for k in range(state.nv):
            total += J[r, k] * phase.vdot[k]
        phase.free[r] = total
    return OK


@kernel
def give_forces(state: State, phase: Phase):
    """Forces that are given: of drives at a bound or with gains, of what is soft; others are 0.

    What rubs by a force that is given does so with one that is.
    """
    force = phase.force
    for r in range(phase.rows):
        force[r] = 0.0
    for i in range(phase.contacts):
        active = phase.contact(i)
        mode, row, first = int(active.mode), int(active.side), int(active.first)
        if mode == AT_LEAST:
            force[first] = state.drive(row).least
        elif mode == AT_MOST:
            force[first] = state.drive(row).most
        elif mode == SERVO:
            drive = state.drive(row)
            pull = drive.gain * (drive.target - state.side_phi[row])
            pull += drive.rate_gain * (drive.target_speed - state.side_phi_dot[row])
            force[first] = max(drive.least, min(drive.most, pull))
        elif mode == PRESSED:
            force[first] = push(state, active)
    for i in range(phase.contacts):
        active = phase.contact(i)
        owner = phase.contact(max(0, int(active.owner) - 1))
        if int(active.mode) == TURNING and int(owner.mode) == PRESSED:
            rub(phase, active)


# -- the equations of the modes --------------------------------------------------------------------


@kernel
def list_equations(phase: Phase):
    """Rows that have an equation; how many."""
    m = 0
    for i in range(phase.contacts):
        active = phase.contact(i)
        mode, first, dim = int(active.mode), int(active.first), int(active.dim)
        if mode == SMOOTH or mode == HELD or mode == SLIP:
            phase.equation[m] = first
            m += 1
        elif mode == STICK or mode == LOCKED:
            for r in range(dim):
                phase.equation[m] = first + r
                m += 1
    return m


@kernel
def slide_direction(phase: Phase, active):
    """Direction of sliding, and whether it goes on as at the start of the step."""
    first = active.tangent
    a, b = active.toward_1, active.toward_2
    if active.tangents == 1:
        return a, b
    x, y = phase.u[first], phase.u[first + 1]
    if active.begins == 1.0:
        x, y = x + SOFT * a, y + SOFT * b
    size = math.sqrt(x * x + y * y)
    if not size > 0.0:
        return a, b
    along = x * a + y * b
    # far past the end of sliding nothing is known of its direction but that before
    sign = 1.0 if along > 0.0 else -1.0
    return sign * x / size, sign * y / size


@kernel
def column_entry(phase: Phase, i, c):
    """u_i' by a unit of the normal force of contact c, with the friction that slides along.

    Resistances that are overcome are behind their contact, and take part.
    """
    W, active = phase.delassus, phase.contact(c)
    total = W[i, int(active.first)]
    if int(active.mode) == SLIP:
        total -= rubbing_along(phase, active, W[i])
    for k in range(c + 1, min(c + 3, phase.contacts)):
        other = phase.contact(k)
        if int(other.owner) == c + 1 and int(other.mode) == TURNING:
            total -= rubbing_along(phase, other, W[i])
    return total


@kernel
def rubbing_along(phase: Phase, active, row):
    """A row of W times mu d, over the tangents of a contact or a resistance."""
    first = active.tangent
    a, b = slide_direction(phase, active)
    total = active.mu * a * row[first]
    if active.tangents > 1:
        total += active.mu * b * row[first + 1]
    return total


@kernel
def contact_of_row(phase: Phase, r):
    """The contact of a row."""
    for i in range(phase.contacts):
        active = phase.contact(i)
        if int(active.first) <= r and r < int(active.first) + int(active.dim):
            return i
    return 0


@kernel
def write_equations(phase: Phase, m):
    """A of the rows with an equation, scaled by the sizes of W."""
    A, W, y = phase.decomposed(m).C, phase.delassus, phase.unit
    for i in range(m):
        r = int(phase.equation[i])
        y[i] = 1.0 / math.sqrt(W[r, r]) if W[r, r] > 0.0 else 1.0
    for j in range(m):
        s = int(phase.equation[j])
        c = contact_of_row(phase, s)
        slides = is_closed(int(phase.contact(c).mode)) and int(phase.contact(c).first) == s
        for i in range(m):
            r = int(phase.equation[i])
            entry = column_entry(phase, r, c) if slides else W[r, s]
            A[i, j] = y[i] * entry * y[j]


@kernel
def solve_modes(state: State, phase: Phase):
    """Forces of the rows that have an equation, nearest to the last ones; friction that slides."""
    m = list_equations(phase)
    if m > 0:
        write_equations(phase, m)
        parts, unit, last = phase.decomposed(m), phase.unit, phase.y
        for j in range(m):
            last[j] = phase.last_force[int(phase.equation[j])] / unit[j]
        for i in range(m):
            total = -phase.free[int(phase.equation[i])] * unit[i]
            for j in range(m):
                total -= parts.C[i, j] * last[j]
            phase.b[i] = total
        for i in range(m):
            phase.force[int(phase.equation[i])] = last[i]
        solve_rows(phase, m, phase.b)
        for i in range(m):
            r = int(phase.equation[i])
            phase.force[r] = (phase.force[r] + phase.x[i]) * unit[i]
    slide_along(phase)


@apart(None)
def solve_rows(phase: Phase, m, b):
    """x = C^+ b, of the m rows that are written in C."""
    parts = phase.decomposed(m)
    rank, _ = orthogonal_factor(parts, DEPENDENT, 0.0, m)
    orthogonal_solve(parts, rank, rank, b, phase.y, phase.scratch, phase.x, phase.y)


@kernel
def slide_along(phase: Phase):
    """lam_t = -mu lam_n d of contacts that slide, and of resistances that are overcome."""
    for i in range(phase.contacts):
        active = phase.contact(i)
        if int(active.mode) == SLIP or int(active.mode) == TURNING:
            rub(phase, active)


@kernel
def rub(phase: Phase, active):
    """lam_t = -mu lam_n d."""
    first = active.tangent
    a, b = slide_direction(phase, active)
    most = active.mu * push_of(phase, active)
    phase.force[first] = -most * a
    if active.tangents > 1:
        phase.force[first + 1] = -most * b


@kernel
def push_of(phase: Phase, active):
    """The normal force of a contact, or of that which a resistance belongs to."""
    if active.owner > 0.0:
        return phase.force[int(phase.contact(int(active.owner) - 1).first)]
    return phase.force[int(active.first)]


@kernel
def is_closed(mode):
    """Whether the gap of a contact of this mode is kept closed."""
    return mode == SMOOTH or mode == STICK or mode == SLIP
