"""One step of the Moreau type, for joints, one-sided rows and contacts in one problem.

    v+ = v* + A^-1 J^T lam,   v* = v + h A^-1 Q,   q+ = q (+) h v+              (contact 1, 16)

With the second order kinematics are those of the middle of the step, q (+) h/2 v, where joints are
open by O(h^2). Rows that imply one another do so on the constraints alone: independent by O(h^2)
and demanding O(h^2), they would hold what is free. There such joints are closed to be looked at.

Nothing of the last step is changed before this one has succeeded, so that it can be repeated with
more room.

Of the outcome are kept impulses, sliding, stretched springs, work, and the worst of a run. Work of
contacts is lam . (u* + u+) / 2, never positive for rigid ones without restitution (contact 16).
"""

import math

from dalembert._jit import apart, border, kernel
from dalembert.contact.algebra.blocks import block_times, row_velocity
from dalembert.contact.algebra.residuals import block_velocity
from dalembert.contact.problem.layout import CONE, STALLED, Problem
from dalembert.contact.problem.record_layout import INFO_FLOATS
from dalembert.contact.rows.assemble import row_size, take_velocities
from dalembert.contact.rows.implicit_drives import energy_in_drives, take_drives
from dalembert.contact.rows.one_sided_rows import has_drives
from dalembert.contact.rows.second_order import keep_push, leads_by_mean, struck
from dalembert.contact.rows.viscous_rows import take_viscous
from dalembert.contact.run.record_layout import AWAY, PRESSED
from dalembert.contact.run.run_layout import PROBLEM_ROOM, ContactRun, contact_of
from dalembert.contact.step.changes import note_changes
from dalembert.contact.step.held_joints import hold_joints
from dalembert.contact.step.impulses import find_impulses
from dalembert.contact.step.plastic import take_way
from dalembert.contact.step.position_pass import close_joints, position_pass
from dalembert.contact.step.restitution import energy
from dalembert.contact.step.sleeping import fall_asleep, sleep_on
from dalembert.contact.step.smooth import look_ahead, smooth_step
from dalembert.contact.step.static_friction import keep_stuck, stays
from dalembert.contact.step.tree_momentum import keep_twists
from dalembert.contact.step.warm_start import remember, take_fixed
from dalembert.mechanics.motion import displace
from dalembert.numerics.vector import Vec3, copy
from dalembert.system.borders import (
    MAY_HAVE_PASSED,
    NOT_SOLVED,
    OK,
    STEPPING,
    evaluate_sides,
    residual,
)
from dalembert.system.state_layout import State


@border(STEPPING)
def step(state: State, t, h, q, v):
    """From (t, q, v) to t + h, in place."""
    run = contact_of(state)
    if run.order_by_step == 1:
        run.second_order = 0 if run.near == PRESSED else 1
    if run.smooth == 1 and run.near == AWAY and run.solve_only == 0:
        run.smooth_now = 0
        status = smooth_step(state, run, t, h, q, v)
        if status != OK or run.smooth_now == 1:
            return status
    return step_with_impulses(state, run, run.problem, t, h, q, v)


@kernel
def step_with_impulses(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """Make a step of the order of the run.

    Where bodies may have gone past one another before its middle, it is one of first order, which
    is looked at where it begins.
    """
    second, status = run.second_order, MAY_HAVE_PASSED
    while status == MAY_HAVE_PASSED:
        status = try_impulses(state, run, problem, t, h, q, v)
        if status == MAY_HAVE_PASSED:
            run.second_order = 0
            copy(state.start_q, q)
    run.second_order = second
    return status


@kernel
def try_impulses(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """Impulses where the step is looked at, then velocities, then positions."""
    run.room_wanted, run.flagged_now = PROBLEM_ROOM, 0
    left = 0.5 * h if run.second_order == 1 else h
    if left < h:
        status = go_half_way(state, run, t, h, left, q, v)
        if status != OK:
            return status
    status = find_impulses(state, run, problem, t, h, left, q, v)
    if status != OK or run.solve_only == 1:
        return status
    report_answer(state, run, problem)
    if run.strict == 1 and run.solve_report.status >= STALLED:
        return NOT_SOLVED
    if run.sleeping == 1:
        fall_asleep(run, problem, h)
    if left < h and run.redundant == 1:
        # closed to be looked at: the way of a step does not lead there
        for i in range(state.nq):
            q[i] = state.start_q[i]
        displace(state, left, v, q)
    take_motion(state, run, problem, h, v)
    take_impulses(state, run, problem, h, left)
    turned = state.rows > 0 and (left == h or struck(state, run, problem))
    # laws of drives are met by the velocities of the solve, and by its impulses
    turned = turned and not has_drives(state, run)
    take_fixed(state, run, problem)
    if run.absorbed > 0:
        take_drives(state, run, problem, h, left)
    go_on(state, run, left, q, v)
    status = position_pass(state, t + h, h, q, v)
    if status == OK and turned:
        status = hold_joints(state, t + h, h, q, v)
    if status == OK:
        keep(state, run, h)
    return status


@kernel
def go_half_way(state: State, run: ContactRun, t, h, left, q, v):
    """q <- q (+) h/2 v, where a step of second order is looked at; rates of stops are kept."""
    if state.sides > 0:
        residual(state, t, q, v)
        evaluate_sides(state, t, q, v)
        for row in range(state.sides):
            run.side_rates[row] = state.side_phi_dot[row]
    displace(state, left, v, q)
    if run.redundant == 1:
        return close_joints(state, t + left, h, q, v)
    return OK


@kernel
def report_answer(state: State, run: ContactRun, problem: Problem):
    """Report of the solver on the step, contacts that rest among those it counts."""
    for i in range(INFO_FLOATS):
        run.report[i] = problem.info_numbers[i]
    report = run.solve_report
    report.contacts = run.contacts + run.resting
    for k in range(run.side_blocks):
        if problem.block(run.side_block(k)).kind == CONE:
            report.contacts += 1.0
    report.sticking += run.resting
    if run.unreported == 1:
        return
    gain = energy(problem, problem.v) - energy(problem, problem.v_before)
    if run.absorbed > 0:
        gain -= energy_in_drives(state, run, problem)
    run.step_report.energy_change = gain


@kernel
def take_motion(state: State, run: ContactRun, problem: Problem, h, v):
    """v <- v+; (v+ - v) / h and what impulses added, for the next step."""
    change, push = run.next_change, run.next_push
    for k in range(state.nv):
        change[k] = -v[k] / h
    take_velocities(state, run, problem, problem.v, v)
    if state.on_tree:
        keep_twists(state, run, v)
    for k in range(state.nv):
        change[k] += v[k] / h
        push[k] = 0.0
    if run.controlled == 1:
        note_changes(state, run, problem, h, v)
    if run.second_order == 1:
        keep_push(state, run, problem, h, v)


@kernel
def go_on(state: State, run: ContactRun, left, q, v):
    """q <- q (+) s v+, or up to the surfaces that were met."""
    if run.completed_now == 1:
        take_way(state, run, v)
        displace(state, left, run.way, q)
    else:
        displace(state, left, v, q)


@kernel
def keep(state: State, run: ContactRun, h):
    """The step has succeeded: what it found is kept for the next one."""
    remember(run)
    if run.sleeping == 1:
        sleep_on(run)
    run.last_step = h
    note(run)
    if run.smooth == 1:
        look_ahead(state, run, h)


# -- outcome of a solved step: impulses, sliding, stretched springs, work, the worst of a run ------


ROUNDING = 1e-12
"""Rounding of a velocity, over itself."""


@kernel
def take_impulses(state: State, run: ContactRun, problem: Problem, h, left):
    """Impulses of contacts in world axes; forces of constraints as multipliers."""
    for i in range(state.rows):
        state.lam[i] = problem.lam[i] / h
        if state.mechanism == 0:
            state.lam[i] /= row_size(state, i)
    for k in range(run.contacts):
        take_contact(run, problem, k, h, left)
    for k in range(run.side_blocks):
        block = problem.block(run.side_block(k))
        if block.kind == CONE:
            take_work(run, block.of(problem.lam), block.of(problem.bias))
            keep_stuck(state, run, problem, block, run.side_kept[k])
    if run.unreported == 0:
        watch_work(run, problem)
    if run.viscous_blocks > 0:
        take_viscous(run, problem)


@kernel
def take_contact(run: ContactRun, problem: Problem, k, h, left):
    """Impulses, state, sliding, stretch and work of a contact.

    The gap of a soft contact becomes that at the end of the step, which its force is of.
    """
    contact, block = run.contact(k), problem.block(run.contact_block(k))
    block_velocity(problem, block, problem.v, problem.u)
    u, lam, bias = block.of(problem.u), block.of(problem.lam), block.of(problem.bias)
    world_impulse(contact, lam)
    contact.state, contact.slip = block.state, slip_of(contact, u)
    found = run.found(k)
    law = run.law(found.shape_a, found.shape_b)
    contact.stuck = stays(problem, block, law, contact.slip)
    if block.dim > 1:
        take_work(run, lam, bias)
    if contact.stiff > 0.0:
        found.gap += left * (u[0] - bias[0])
    stretch_spring(run, problem, k, contact, block, h)


@kernel
def take_work(run: ContactRun, lam, bias):
    """Make the reported work that of the velocities themselves, without their biases."""
    report = run.solve_report
    for r in range(len(lam)):
        report.contact_work -= 0.5 * lam[r] * bias[r]


@kernel
def world_impulse(contact, lam):
    """Impulse and turning impulse of a contact from those of its rows."""
    axes, push, turn = contact.frame, Vec3.zero(), Vec3.zero()
    for r in range(len(lam)):
        part = lam[r] * axes.row(r % 3)
        if r < 3:
            push = push + part
        else:
            turn = turn + part
    contact.impulse, contact.turning_impulse = push, turn


@kernel
def slip_of(contact, u):
    """Speed of sliding at the end of the step, moving surfaces included; u of its rows.

    They are those of the end with C as their lead, and the mean of both ends with J_t v.
    """
    if len(u) < 3:
        return 0.0
    first, second = u[1], u[2]
    if leads_by_mean(contact):
        first, second = first - contact.lead.y, second - contact.lead.z
    return math.sqrt(first * first + second * second)


@apart(None)
def stretch_spring(run: ContactRun, problem: Problem, k, contact, block, h):
    """Stretch of the tangential spring after the step: that of the force it has come to."""
    found = run.found(k)
    law = run.law(found.shape_a, found.shape_b)
    stiffness, damping = law.tangential_stiffness, law.tangential_damping
    if stiffness == 0.0 or block.dim < 3:
        return
    old, new = contact.stretch, Vec3.zero()
    for r in range(1, 3):
        axis = contact.frame.row(r)
        share = stiffness * axis.dot(old) / (h * stiffness + damping)
        speed = row_velocity(problem, block, r) - share
        force = problem.lam[block.row + r] / h
        new = (-(force + damping * speed) / stiffness) * axis + new
    contact.stretch = new


@kernel
def watch_work(run: ContactRun, problem: Problem):
    """Flag a step in which a rigid contact without restitution has done work.

    At the velocities after it, lam . u+ <= 0: a contact presses where bodies come nearer, and rubs
    against their sliding. (Between v* and v+ it is the impulses of joints and contacts together
    that lose energy.) What the tolerance may let through is not flagged, nor what moving surfaces
    do, nor what contacts do to each other in the two phases of Poisson's law. `u` is filled.
    """
    if run.repeated_now == 1:
        return
    residual = run.solve_report.residual
    for k in range(run.contacts):
        contact, block = run.contact(k), problem.block(run.contact_block(k))
        if contact.stiff > 0.0 or contact.bounce > 0.0:
            continue
        u, lam, bias = block.of(problem.u), block.of(problem.lam), block.of(problem.bias)
        w = block.w if block.dim <= 3 else min(block.w, block.w_angular)
        done = allowed = 0.0
        moving = False
        for r in range(block.dim):
            speed = u[r] - bias[r]
            done += lam[r] * speed
            # the residual may be one of velocities or, over w, of impulses
            rounding = ROUNDING * (abs(speed) + abs(bias[r]))
            allowed += abs(lam[r]) * (residual + rounding)
            allowed += (abs(speed) + abs(bias[r])) * residual / w
            lead = contact.lead.entry(r) if r < 3 else contact.turn_lead.entry(r - 3)
            allowed += abs(lam[r] * lead)
            if 0 < r < 3 and bias[r] != contact.lead.entry(r):
                moving = True
        if done > 4.0 * allowed and not moving:
            # velocities that impulses have taken away may have left their rounding
            block_times(problem, block, problem.v_free, problem.u_before)
            before = block.of(problem.u_before)
            for r in range(block.dim):
                allowed += ROUNDING * abs(lam[r] * before[r])
            if done > 4.0 * allowed:
                run.flagged_now = 1


@kernel
def note(run: ContactRun):
    """The worst over the run."""
    report, worst = run.report, run.worst
    for i in range(len(report)):
        worst[i] = max(worst[i], report[i])
    run.steps += 1
    run.poisson_steps += run.repeated_now
    run.flagged_steps += run.flagged_now
    run.contact_work_sum += run.solve_report.contact_work
    if run.solve_report.status >= STALLED:
        run.stalled_steps += 1
