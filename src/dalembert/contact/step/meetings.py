"""When something hits within a step, and how far its continuous output is off for that.

    phi(s) = phi_0 + s u + s^2 a / 2,     the moment is its first root                  (contact 21)
    dx = N(q) dv,     |dx| h / 8          dv: what impacts changed of v, in both halves

u is the normal velocity before the step and a its change by forces. Between its ends a half step is
a cubic, which is off by at most |dx| h / 8 where x' jumps by dx.

Changes of v by impacts are what is least of three: of the change of v, of that by impulses, and of
what the step before would not have done. The first is none of what rests, the second of what flies,
the third of what goes on with one force.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.blocks import row_times
from dalembert.contact.problem.layout import BOX, Problem
from dalembert.contact.rows.assemble import take_without_impulses
from dalembert.contact.rows.second_order import is_struck
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.run.step_in_halves import Doubled
from dalembert.mechanics.motion import kinematic_map
from dalembert.system.state_layout import State

SHARE = 0.125
"""Part of |dx| h by which output is off at most."""

NEVER = -1.0
"""`meets` where nothing hits."""


@kernel
def least_of(a, b, c):
    """Which of three is the nearest to zero."""
    if abs(b) < abs(a):
        a = b
    return c if abs(c) < abs(a) else a


@apart(None)
def add_jumps(state: State, run: ContactRun, problem: Problem, h, v):
    """Add to `jump` what impacts of a solved step of length h have changed of v, now v+."""
    own, free = Doubled(state, run.doubled), run.next_push
    take_without_impulses(state, run, problem, free)
    for k in range(state.nv):
        change = h * run.next_change[k]
        own.jump[k] += least_of(change, v[k] - free[k], change - h * run.last_change[k])
        free[k] = 0.0


@apart(float)
def first_meeting(state: State, run: ContactRun, problem: Problem, h):
    """Time from the start of a solved step to the first of its impacts."""
    first, passed = h, 0.5 * h if run.second_order == 1 else 0.0
    for k in range(run.side_blocks):
        row, block = run.side_kept[k], problem.block(run.side_block(k))
        speed, bounce = state.side_phi_dot[row], run.side_bounce[row]
        if block.kind == BOX:
            continue
        if is_struck(run, problem, block, speed, bounce, state.stop(row).arm):
            start = state.side_phi[row] - passed * speed
            first = min(first, time_to(problem, block, start, speed, h))
    for k in range(run.contacts):
        contact, block = run.contact(k), problem.block(run.contact_block(k))
        if is_struck(run, problem, block, contact.speed, contact.bounce, 1.0):
            start = run.found(k).gap - passed * contact.speed
            first = min(first, time_to(problem, block, start, contact.speed, h))
    return first


@kernel
def time_to(problem: Problem, block, gap, speed, h):
    """First root of gap + s speed + s^2 a / 2, within the step; h where there is none."""
    if not speed < 0.0:
        return h
    if gap <= 0.0:
        return 0.0
    before = row_times(problem, block, 0, problem.v_before)
    a = 0.0
    if before < 0.0:  # rows of formulas have a size of their own
        a = speed * (row_times(problem, block, 0, problem.v_free) / before - 1.0) / h
    square = speed * speed - 2.0 * a * gap
    if square < 0.0:
        return h
    return min(h, 2.0 * gap / (math.sqrt(square) - speed))


@apart(float)
def output_error(state: State, run: ContactRun, h, q, rtol, atol):
    """max_i |dx_i| h / 8 over the tolerance."""
    own, worst = Doubled(state, run.doubled), 0.0
    kinematic_map(state, q, own.jump, own.jump_dot)
    for i in range(state.nq):
        off = SHARE * h * abs(own.jump_dot[i])
        worst = max(worst, off / (atol + rtol * max(abs(q[i]), abs(own.start_q[i]))))
    return worst
