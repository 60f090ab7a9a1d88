"""Outcome of a solved step: impulses, sliding, stretched springs, work, the worst of a run.

Work of contacts is lam . (u* + u+) / 2, never positive for rigid ones without restitution
(contact 16).
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.blocks import block_times
from dalembert.contact.algebra.residuals import block_velocity
from dalembert.contact.algebra.row_motion import row_velocity
from dalembert.contact.problem.layout import CONE, STALLED, Problem
from dalembert.contact.rows.assemble import row_size
from dalembert.contact.rows.viscous_rows import take_viscous
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.step.second_order import leads_by_mean
from dalembert.contact.step.static_friction import keep_stuck, stays
from dalembert.numerics.vector import Vec3
from dalembert.system.state_layout import State

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
            if r < 3:
                allowed += abs(lam[r] * contact.lead.entry(r))
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
