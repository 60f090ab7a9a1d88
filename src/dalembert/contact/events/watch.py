"""Guards of a phase: functions of the state that are positive as long as it lasts (contact 20).

| of | guards |
|---|---|
| a stop that is open | its gap |
| a soft stop, or soft shapes, that do not push | max(phi, phi + d/k phi') |
| that push | -(phi + d/k phi') |
| shapes that are apart | the smallest of all |
| a contact that is closed | lam_n, and rounding |
| that sticks | mu lam_n - abs(lam_t) |
| that slides | u_t along its direction at the start; (u_n' by a unit of lam_n) / W_nn - JAM |
| that carries nothing | its gap, and SLACK |
| resistance to spin or rolling | as friction that sticks, or slides |
| a drive at its speed | the way of its force to both bounds |
| a drive at a bound | its speed past the target, away from where it came to rest |
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.events.ending import AT_REST, OF_CONTACT, slides_in_space
from dalembert.contact.events.forces import SOFT, column_entry, is_closed, phase_forces, push_of
from dalembert.contact.events.layout import (
    AT_LEAST,
    AT_MOST,
    HELD,
    IDLE,
    LOCKED,
    PRESSED,
    SLIP,
    STICK,
    TURNING,
    Phase,
)
from dalembert.contact.events.rims import aim_rim, has_rim
from dalembert.contact.events.rows import NOT_FOUND, glance, index_of
from dalembert.contact.events.springs import is_soft, way_of_shapes, way_of_stop, way_to_push
from dalembert.contact.run.record_layout import STOP
from dalembert.contact.run.run_layout import ContactRun, contact_of
from dalembert.contact.step.smooth import accept
from dalembert.contact.step.step import note
from dalembert.system.borders import NOT_SOLVED, OK
from dalembert.system.state_layout import State

NEVER = 1e300
"""Value of a guard that watches nothing."""

REVERSED = 1e-12
"""Speed [m/s] against its direction with which what begins to move is no longer on its way: less is
rounding, as where a joint cannot move at all."""

UNDER_WAY = 100.0
"""Times `SOFT` at which sliding in space has its own direction."""

JAM = 1e-9
"""Part of W_nn that is left of the effect of a normal force where it jams."""

QUIET = 1e-14
"""Part of an acceleration that is rounding."""

SLACK = 3e-11
"""Depth, over the size of the smallest shape, that a contact which carries nothing may have."""


@apart(int)
def guards(state: State, t, h, q, v, out):
    """All guards at a state: stops, the smallest gap, those of the phase."""
    phase = Phase(state, state.method_scratch)
    if len(out) < state.sides + 1 + OF_CONTACT * phase.contacts:
        return NOT_SOLVED  # no room for them: the phase is another one
    if phase.contacts > 0:
        status = phase_forces(state, t, h, q, v, phase.vdot_end, phase.lam_end)
    else:
        status = glance(state, t, h, q, v)
    if status != OK:
        return status
    run = contact_of(state)
    for row in range(state.sides):
        out[row] = NEVER
        if run.side_law(row).law == STOP and not holds_side(phase, row):
            out[row] = state.side_phi[row]
            if is_soft(state.stop(row)):
                out[row] = max(out[row], way_of_stop(state, row))
    out[state.sides] = smallest_gap(state, run, phase)
    for i in range(phase.contacts):
        first = state.sides + 1 + OF_CONTACT * i
        guard_contact(state, phase, i, out[first : first + OF_CONTACT])
    return OK


@kernel
def holds_side(phase: Phase, row):
    """Whether a one-sided row is a contact of the phase."""
    for i in range(phase.contacts):
        if int(phase.contact(i).side) == row:
            return True
    return False


@kernel
def smallest_gap(state: State, run: ContactRun, phase: Phase):
    """Smallest gap of shapes of which the phase knows nothing; soft ones: until they push."""
    least = NEVER
    if run.shapes == 0:
        return least
    for i in range(phase.contacts):
        active = phase.contact(i)
        if active.side < 0.0:
            k = index_of(run, active)
            if k != NOT_FOUND:
                run.contact(k).state = -1.0
    for k in range(run.contacts):
        contact = run.contact(k)
        if contact.state == -1.0:
            contact.state = 0.0
        else:
            least = min(least, until_pushed(state, k))
    return least


@kernel
def until_pushed(state: State, k):
    """The gap of a contact that was found, or how far it is from a push where it is soft."""
    run = contact_of(state)
    found = run.found(k)
    if is_soft(run.law(found.shape_a, found.shape_b)):
        return max(found.gap, way_of_shapes(state, run, k))
    return found.gap


@kernel
def guard_contact(state: State, phase: Phase, i, out):
    """Guards of one contact of the phase."""
    active = phase.contact(i)
    mode, first = int(active.mode), int(active.first)
    out[0] = out[1] = out[2] = NEVER
    push = phase.force[first]
    if is_closed(mode):
        out[0] = push + noise(state, phase, first)
    if mode == IDLE:
        out[0] = active.gap + SLACK * phase.size
    elif mode == STICK or mode == LOCKED:
        out[1] = (active.mu + active.reserve) * push_of(phase, active) - rubbing(phase, active)
    elif mode == TURNING:
        out[1] = along(phase, active) + REVERSED * active.begins
    elif mode == SLIP:
        out[1] = along(phase, active) + REVERSED * active.begins
        out[2] = column_entry(phase, first, i) / phase.delassus[first, first] - JAM
    elif mode == HELD:
        drive = state.drive(int(active.side))
        out[0], out[1] = push - drive.least, drive.most - push
    elif mode == PRESSED:
        out[0] = -way_to_push(state, active)
    elif mode == AT_LEAST or mode == AT_MOST:
        over = phase.u[first] - state.drive(int(active.side)).target_speed
        out[1] = (over if mode == AT_LEAST else -over) + REVERSED * active.begins


@kernel
def noise(state: State, phase: Phase, row):
    """Force that is rounding of accelerations: what falls together may touch without one."""
    fastest = 0.0
    for k in range(state.nv):
        fastest = max(fastest, abs(phase.vdot_end[k]))
    return QUIET * fastest / phase.delassus[row, row] if phase.delassus[row, row] > 0.0 else 0.0


@kernel
def rubbing(phase: Phase, active):
    """Size of the force of friction."""
    first, total = active.tangent, 0.0
    for r in range(first, first + active.tangents):
        total += phase.force[r] * phase.force[r]
    return math.sqrt(total)


@kernel
def along(phase: Phase, active):
    """Speed of sliding along its direction at the start of the step."""
    first = active.tangent
    total = active.toward_1 * phase.u[first]
    if active.tangents > 1:
        total += active.toward_2 * phase.u[first + 1]
    return total


@apart(None)
def note_forces(state: State, v):
    """Write the forces of the last look where a sample takes them from: as impulses of one second.

    Accelerations are `last_change`: the start of the step is what its continuous output needs.
    """
    phase, run = Phase(state, state.method_scratch), contact_of(state)
    if phase.contacts == 0:
        accept(state, run, 1.0, v)
        return
    run.last_step = 1.0
    run.smooth_now = 0
    for k in range(run.contacts):
        contact = run.contact(k)
        contact.impulse = 0.0 * contact.n
        contact.turning_impulse = 0.0 * contact.n
        contact.viscous = 0.0 * contact.n
        contact.state = contact.slip = 0.0
    for i in range(len(run.report)):
        run.report[i] = 0.0
    for i in range(state.rows + state.sides):
        run.fixed_impulses[i] = 0.0
    for i in range(phase.contacts):
        note_contact(state, run, phase, i)
    note(run)
    for i in range(state.rows):
        state.lam[i] = phase.lam_end[i]
    for k in range(state.nv):
        run.last_change[k] = phase.vdot_end[k]


@kernel
def note_contact(state: State, run: ContactRun, phase: Phase, i):
    """The force of one contact of the phase."""
    active = phase.contact(i)
    first, dim, force = int(active.first), int(active.dim), phase.force
    mode = int(active.mode)
    report = run.solve_report
    rubs = active.owner == 0.0 or active.slides == 1.0
    if mode == STICK or (mode == LOCKED and rubs):
        report.sticking += 1.0
    elif mode == SLIP or (mode == TURNING and rubs):
        report.sliding += 1.0
    elif mode == PRESSED and active.side < 0.0:
        report.contacts += 1.0
    elif mode >= HELD and active.owner == 0.0:
        report.held += 1.0
    if is_closed(mode):
        report.contacts += 1.0
        run.step_report.penetration = max(run.step_report.penetration, -active.gap)
    if active.side >= 0.0:
        for r in range(dim):
            run.fixed_impulses[state.rows + int(active.side) + r] = force[first + r]
        return
    k = index_of(run, active)
    if k == NOT_FOUND:
        return
    contact = run.contact(k)
    if active.slides == 1.0:
        note_rubbing(phase, active, contact)
        return
    if active.owner > 0.0:
        note_resistance(phase, active, contact)
        return
    push, slide = force[first] * contact.n, 0.0
    if dim > 1:
        push = push + force[first + 1] * contact.t1 + force[first + 2] * contact.t2
        slide = math.hypot(phase.u[first + 1], phase.u[first + 2])
    contact.impulse = push
    contact.slip = slide if mode == SLIP else 0.0
    contact.state = 1.0 if mode == STICK else (2.0 if mode == SLIP else 0.0)


@kernel
def note_rubbing(phase: Phase, active, contact):
    """Friction of a soft contact, beside the push that was noted before it."""
    first, slides = int(active.first), int(active.mode) == TURNING
    contact.impulse = phase.force[first] * contact.t1 + contact.impulse
    contact.impulse = phase.force[first + 1] * contact.t2 + contact.impulse
    contact.slip = math.hypot(phase.u[first], phase.u[first + 1]) if slides else 0.0
    contact.state = 2.0 if slides else 1.0


@kernel
def note_resistance(phase: Phase, active, contact):
    """The moment of a resistance to spin or to rolling."""
    first, size, moment = int(active.first), phase.size, contact.turning_impulse
    if int(active.dim) == 1:
        moment = size * phase.force[first] * contact.n + moment
    else:
        moment = size * phase.force[first] * contact.t1 + moment
        moment = size * phase.force[first + 1] * contact.t2 + moment
    contact.turning_impulse = moment


# -- between steps ---------------------------------------------------------------------------------


@kernel
def aim(state: State):
    """Directions of sliding in space, and to points of rims, at the start of a step."""
    phase = Phase(state, state.method_scratch)
    for i in range(phase.contacts):
        active = phase.contact(i)
        if has_rim(active) and active.rim_held == 0.0:
            k = index_of(contact_of(state), active)
            if k != NOT_FOUND:
                aim_rim(contact_of(state), active, k)
        if active.begins == 1.0 and is_under_way(state, phase, active):
            active.begins = 0.0
        if slides_in_space(active) and active.begins == 0.0:
            first = active.tangent
            x, y = phase.u[first], phase.u[first + 1]
            size = math.hypot(x, y)
            if size > AT_REST:
                active.toward_1, active.toward_2 = x / size, y / size


@kernel
def is_under_way(state: State, phase: Phase, active):
    """Whether what has begun to move is so fast that its direction is its own."""
    first, mode = active.tangent, int(active.mode)
    if mode != SLIP and mode != TURNING:
        first = int(active.first)
        return abs(phase.u[first] - state.drive(int(active.side)).target_speed) > AT_REST
    if active.tangents == 1:
        return abs(phase.u[first]) > AT_REST
    return math.hypot(phase.u[first], phase.u[first + 1]) > UNDER_WAY * SOFT


@kernel
def keep_forces(state: State):
    """Forces of the end of a step are those to which the next ones are near."""
    phase = Phase(state, state.method_scratch)
    for r in range(phase.rows):
        phase.last_force[r] = phase.force[r]


@kernel
def has_opened(state: State, far):
    """Whether a contact that carries nothing has a gap beyond `far` times the smallest shape."""
    phase = Phase(state, state.method_scratch)
    for i in range(phase.contacts):
        active = phase.contact(i)
        if int(active.mode) == IDLE and active.gap > far * phase.size:
            return True
    return False
