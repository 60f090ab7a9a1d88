"""Second order of contacts that go on: surfaces that curve, sliding that turns, bodies that spin.

A step of second order has its rows J in the middle and its velocities at the ends. A contact that
was there in the last step knows its rows from there, too, a step before. With them,

    C = (J - J_old) v h / (h + h_old),     half a step's change of J v,

the velocity at the end is J v+ + C, as that of joints is J v+ - h/2 r_a, and the gap there
phi + h/2 (J v+ + C/2). Neither is to be negative:  n: b = max(C, phi / (h/2) + C/2), which keeps a
body on a hill and in a bowl;  t: b = C where it sticks. Where it slides, friction acts against the
mean of the sliding at both ends, b = J_t v, as long as nothing stops or turns about in this step,
nor hits: an impact has one velocity to rub against, that after it. That is looked at when the step
is solved, and it is solved again without where it does.

Torques of gyroscopes are those of the mean angular velocity, w + h/2 (w' + c), where c is what
impulses added in the last step; after an impact, which tells nothing about the next step, c = 0.
"""

from dalembert._jit import apart, kernel, vector_view
from dalembert.contact.algebra.row_motion import row_times, row_velocity
from dalembert.contact.problem.layout import (
    BIAS,
    BLOCK,
    BLOCK_ISLAND,
    BLOCK_RECORD,
    DIM,
    ISLANDS,
    KIND,
    LAM,
    LAM0,
    ROWS,
    SLIDING,
    STATE,
    STICKING,
    UNI,
    V_FREE,
    Problem,
    V,
    row_at,
)
from dalembert.contact.rows.assemble import take_without_impulses
from dalembert.contact.rows.frames import tangents
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import BOUNCE, LEAD, SPEED, ContactRun, contact_at
from dalembert.mechanics.gyroscopic import leave_out_gyroscopic
from dalembert.numerics.vector import Vec3
from dalembert.system.layout import FORCE, NV, SIDE_PHI_DOT, SIDES
from dalembert.system.layout import vector as run_vector
from dalembert.system.state_layout import State

TURNED = 0.04
"""Squared change of a normal beyond which it is another face that is touched."""

STEADY = 3.0
"""Times its change in a step that sliding must be to be taken as going on."""

SLOW = 1e-6
"""Speed of sliding [m/s] whose direction says nothing."""

STRUCK = 0.75
"""Approach, over the change of normal velocity by impulses, that makes it an impact. Where a
surface curves it is half of it."""


@kernel
def old_velocity(contact, record_a, record_b):
    """Relative velocity of the points that touched in the middle of the last step."""
    of_b = record_b.velocity.at(contact.old_arm_b).linear
    return of_b - record_a.velocity.at(contact.old_arm_a).linear


@kernel
def change_ahead(run: ContactRun, contact, record_a, record_b, before, h):
    """C of n, t1, t2; zeros where the contact does not go on. `before`: relative velocity."""
    if run.second_order == 0 or contact.old_state == 0.0:
        return Vec3.zero()
    n, old = contact.n, contact.old_n
    turn = n - old
    if turn.dot(turn) > TURNED:
        return Vec3.zero()
    last = old_velocity(contact, record_a, record_b)
    share = h / (h + run.last_step)
    t1, t2 = tangents(old)
    return Vec3(
        share * (n.dot(before) - old.dot(last)),
        share * (contact.t1.dot(before) - t1.dot(last)),
        share * (contact.t2.dot(before) - t2.dot(last)),
    )


@kernel
def lead_tangents(run: ContactRun, contact, bias, sliding, ahead, hits):
    """Add what second order wants of the tangents; `sliding`: relative velocity of the surfaces.

    Nothing where the contact hits.
    """
    n = contact.n
    slide = sliding - n.dot(sliding) * n
    contact.slide = slide
    if run.second_order == 0 or contact.old_state == 0.0 or hits:
        return
    a, b = ahead.y, ahead.z
    fast = slide.dot(slide)
    if contact.old_state != 1.0 + STICKING and fast > SLOW * SLOW:
        change = slide - contact.old_slide
        if fast > STEADY * STEADY * change.dot(change):
            a, b = contact.t1.dot(slide), contact.t2.dot(slide)
    contact.lead = Vec3(contact.lead.x, a, b)
    bias[1] += a
    bias[2] += b


@kernel
def leads_by_mean(contact):
    """Whether the lead of the tangents is J_t v, sliding that goes on, and not C."""
    slide, lead = contact.slide, contact.lead
    return lead.y == contact.t1.dot(slide) and lead.z == contact.t2.dot(slide)


@apart(bool)
def withdraw(state: State, run: ContactRun, problem: Problem):
    """Take the mean direction back where sliding stops or turns about, or something has hit.

    Whether that was anywhere. The velocity after the step is u - lead, that before it the lead.
    """
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    found, hit = False, mark_struck(state, run, problem)
    for k in range(integers[memory.CONTACTS]):
        own, block = contact_at(run, k), integers[memory.FIXED_BLOCKS] + k
        record = p[BLOCK] + BLOCK_RECORD * block
        a, b = numbers[own + LEAD + 1], numbers[own + LEAD + 2]
        if (
            p[record + DIM] < 3
            or (a == 0.0 and b == 0.0)
            or not x[row_at(problem, LAM, block)] > 0.0
        ):
            continue
        if not leads_by_mean(run.contact(k)):
            continue
        y, z = row_velocity(problem, block, 1) - a, row_velocity(problem, block, 2) - b
        goes_on = p[record + STATE] == SLIDING and y * a + z * b >= 0.25 * (a * a + b * b)
        if hit and numbers[integers[memory.REDONE] + p[record + BLOCK_ISLAND]] > 0.0:
            goes_on = False
        if not goes_on:
            bias = row_at(problem, BIAS, block)
            x[bias + 1] -= a
            x[bias + 2] -= b
            numbers[own + LEAD + 1] = numbers[own + LEAD + 2] = 0.0
            found = True
    if found:
        for i in range(p[ROWS]):
            x[p[LAM0] + i] = x[p[LAM] + i]
    return found


# -- bodies that spin ----------------------------------------------------------------------------


@apart(None)
def expect_spin(state: State, run: ContactRun, left, v):
    """FORCE with the gyroscopic torques of v + h/2 c in the place of those of v.

    NEXT_PUSH holds v + h/2 c until the step is done.
    """
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    force = run_vector(work, sizes, FORCE, NV)
    expected = vector_view(numbers, integers[memory.NEXT_PUSH], sizes[NV])
    torque = vector_view(numbers, integers[memory.NEXT_CHANGE], sizes[NV])
    for k in range(sizes[NV]):
        expected[k] = v[k] + left * numbers[integers[memory.LAST_PUSH] + k]
        torque[k] = 0.0
    leave_out_gyroscopic(work, sizes, v, force)
    leave_out_gyroscopic(work, sizes, expected, torque)
    for k in range(sizes[NV]):
        force[k] -= torque[k]


@apart(None)
def keep_push(state: State, run: ContactRun, problem: Problem, h, v):
    """NEXT_PUSH = (v+ - v*) / h; v: that after the step. After an impact both changes are zero."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    push = vector_view(numbers, integers[memory.NEXT_PUSH], sizes[NV])
    if struck(state, run, problem):
        change = vector_view(numbers, integers[memory.NEXT_CHANGE], sizes[NV])
        for k in range(sizes[NV]):
            push[k] = change[k] = 0.0
        return
    take_without_impulses(state, run, problem, push)
    for k in range(sizes[NV]):
        push[k] = (v[k] - push[k]) / h


@kernel
def bounces(state: State, run: ContactRun):
    """Whether a contact or a stop of this step gives something back."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    for row in range(sizes[SIDES]):
        if numbers[integers[memory.SIDE_BOUNCE] + row] > 0.0:
            return True
    for k in range(integers[memory.CONTACTS]):
        if numbers[contact_at(run, k) + BOUNCE] > 0.0:
            return True
    return False


@kernel
def struck(state: State, run: ContactRun, problem: Problem):
    """Whether a contact or a stop of this step is an impact."""
    if bounces(state, run):
        return True
    return mark_struck(state, run, problem)


@kernel
def mark_struck(state: State, run: ContactRun, problem: Problem):
    """REDONE of every island: 1 where a contact or a stop is an impact; whether any is."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    found = False
    for island in range(p[ISLANDS]):
        numbers[integers[memory.REDONE] + island] = 0.0
    for k in range(integers[memory.SIDE_BLOCKS] + integers[memory.CONTACTS]):
        block = integers[memory.FIXED_BLOCKS] - integers[memory.SIDE_BLOCKS] + k
        if k < integers[memory.SIDE_BLOCKS]:
            row = integers[integers[memory.SIDE_KEPT] + k]
            speed, bounce = work[sizes[SIDE_PHI_DOT] + row], integers[memory.SIDE_BOUNCE] + row
            if p[p[BLOCK] + BLOCK_RECORD * block + KIND] != UNI:
                continue
        else:
            own = contact_at(run, k - integers[memory.SIDE_BLOCKS])
            speed, bounce = numbers[own + SPEED], own + BOUNCE
        if numbers[bounce] > 0.0 or is_struck(run, problem, block, speed):
            record = p[BLOCK] + BLOCK_RECORD * block
            numbers[integers[memory.REDONE] + p[record + BLOCK_ISLAND]] = 1.0
            found = True
    return found


@kernel
def is_struck(run: ContactRun, problem: Problem, block, speed):
    """Whether a block that presses has been approached by what it takes; speed: that before."""
    numbers = run.work
    x = problem.work
    if not (speed < -numbers[memory.THRESHOLD] and x[row_at(problem, LAM, block)] > 0.0):
        return False
    change = row_times(problem, block, 0, V) - row_times(problem, block, 0, V_FREE)
    return -speed > STRUCK * change
