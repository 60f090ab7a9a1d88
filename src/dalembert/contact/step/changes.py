"""Changes that a step makes: impacts, sliding that stops or turns about, what touches and sticks.

Looked at where steps follow a tolerance (`contact.step.controlled`): across a change the error of a
step is not what its order says.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.blocks import row_velocity
from dalembert.contact.problem.layout import BOX, CONE, SLIDING, STICKING, Problem
from dalembert.contact.rows.one_sided_rows import was_at_limit
from dalembert.contact.rows.second_order import SLOW, is_struck, leads_by_mean, struck
from dalembert.contact.run.run_layout import ContactRun, tangents_of
from dalembert.contact.step.meetings import NEVER, add_jumps, first_meeting
from dalembert.contact.step.position_pass import is_rigid_stop
from dalembert.system.state_layout import State

TURNS, STOPS, BEGINS = 1, 2, 4
"""Sliding after a step is the other way round than before; or none, or there was none before."""

NOISE, SLOWEST = 10.0, 1e-9
"""Approach that is none: over the residual of the solve, and besides  [m/s]."""

FIRST, SECOND, THIRD, MASK = 73856093, 19349663, 83492791, (1 << 40) - 1
"""Numbers that mix those of contacts."""


@apart(None)
def note_changes(state: State, run: ContactRun, problem: Problem, h, v):
    """`struck_now`, `meets`, `sliding_now`, `touching_now`, `soft_now` of a step; v: after it."""
    threshold, run.threshold = run.threshold, NOISE * run.solve_report.residual + SLOWEST
    run.struck_now, run.meets = 0, NEVER
    if struck(state, run, problem) and strikes_hard(state, run, problem):
        run.struck_now, run.meets = 1, first_meeting(state, run, problem, h)
        add_jumps(state, run, problem, h, v)
    run.threshold = threshold
    run.sliding_now = sliding_events(run, problem)
    run.sliding_now |= sliding_of_stops(state, run, problem)
    run.touching_now = touching(run, problem)
    run.soft_now = presses_softly(state, run, problem)


@kernel
def strikes_hard(state: State, run: ContactRun, problem: Problem):
    """Whether a rigid contact or stop is among what is struck: springs take their time."""
    for k in range(run.side_blocks):
        row, block = run.side_kept[k], problem.block(run.side_block(k))
        speed, bounce = state.side_phi_dot[row], run.side_bounce[row]
        hard = block.kind != BOX and is_rigid_stop(state, run, row)
        if hard and is_struck(run, problem, block, speed, bounce, state.stop(row).arm):
            return True
    for k in range(run.contacts):
        contact, block = run.contact(k), problem.block(run.contact_block(k))
        speed, bounce = contact.speed, contact.bounce
        if contact.stiff == 0.0 and is_struck(run, problem, block, speed, bounce, 1.0):
            return True
    return False


@kernel
def presses_softly(state: State, run: ContactRun, problem: Problem):
    """1: a contact or a stop with a spring presses; its force is that of the end of the step."""
    for number in range(run.side_block(0), run.contact_block(run.contacts)):
        block, k = problem.block(number), run.contact_of_block(number)
        if block.kind == BOX or not problem.lam[block.row] > 0.0:
            continue
        if k >= 0 and run.contact(k).stiff > 0.0:
            return 1
        if k < 0 and not is_rigid_stop(state, run, run.side_of_block(number)):
            return 1
    return 0


@kernel
def presses_hard(state: State, run: ContactRun, problem: Problem):
    """Whether a rigid contact or stop presses."""
    for number in range(run.side_block(0), run.contact_block(run.contacts)):
        block, k = problem.block(number), run.contact_of_block(number)
        if block.kind == BOX or not problem.lam[block.row] > 0.0:
            continue
        if k >= 0 and not run.contact(k).stiff > 0.0:
            return True
        if k < 0 and is_rigid_stop(state, run, run.side_of_block(number)):
            return True
    return False


@kernel
def touching(run: ContactRun, problem: Problem):
    """A number that changes with what presses, and with what sticks and slides of it."""
    found = 0
    for number in range(run.side_block(0), run.contact_block(run.contacts)):
        block, k = problem.block(number), run.contact_of_block(number)
        if problem.lam[block.row] == 0.0:
            continue
        mark = FIRST * (1 + number) if k < 0 else mark_of(run.found(k))
        found = (found + mark * (1 + block.state)) & MASK
    return found


@kernel
def mark_of(found):
    """A number of a contact: of its shapes and features."""
    mixed = (FIRST * (1 + found.shape_a)) ^ (SECOND * (1 + found.shape_b))
    return (mixed ^ (THIRD * (found.key & MASK))) & MASK


@kernel
def sliding_events(run: ContactRun, problem: Problem):
    """Changes of sliding in a solved step: TURNS, STOPS, BEGINS, added up over all contacts.

    `turned_speed`: the largest change of a velocity of sliding that turns or stops.
    """
    found, run.turned_speed = 0, 0.0
    for k in range(run.contacts):
        contact, block = run.contact(k), problem.block(run.contact_block(k))
        if block.dim < 3 or not problem.lam[block.row] > 0.0:
            continue
        before = contact.frame @ contact.slide
        moved = before.y * before.y + before.z * before.z > SLOW * SLOW
        if contact.old_state == 1.0 + STICKING:
            moved = False  # what rolls: its rows have turned since they held it
        if block.state == STICKING:
            found = found | (STOPS if moved else 0)
            run.turned_speed = max(run.turned_speed, math.hypot(before.y, before.z))
        elif block.state == SLIDING:
            y, z = row_velocity(problem, block, 1), row_velocity(problem, block, 2)
            if leads_by_mean(contact):
                y, z = y - contact.lead.y, z - contact.lead.z
            if not moved:
                found = found | BEGINS
            elif before.y * y + before.z * z < 0.0:
                found = found | TURNS
                change = math.hypot(before.y - y, before.z - z)
                run.turned_speed = max(run.turned_speed, change)
    return found


@kernel
def sliding_of_stops(state: State, run: ContactRun, problem: Problem):
    """`sliding_events` of stops with friction, which adds to `turned_speed`.

    They slide before the step if they do so where it begins, and did in the last: rows turn.
    """
    found = 0
    for k in range(run.side_blocks):
        row, block = run.side_kept[k], problem.block(run.side_block(k))
        if block.kind != CONE or not problem.lam[block.row] > 0.0:
            continue
        fast = along = change = 0.0
        count = 1 + tangents_of(state, run, row)
        for r in range(1, count):
            rate, lead = state.side_phi_dot[row + r], run.side_lead[row + r]
            before = run.side_rates[row + r] if run.second_order == 1 else rate
            after = row_velocity(problem, block, r) - (lead if lead == rate else 0.0)
            fast += before * before
            along += before * after
            change += (before - after) * (before - after)
        stuck = run.fixed_impulses[state.rows + row] > 0.0
        stuck = stuck and not was_at_limit(state, run, row, count)
        moved = fast > SLOW * SLOW and not stuck
        if block.state == STICKING and moved:
            found = found | STOPS
            run.turned_speed = max(run.turned_speed, math.sqrt(fast))
        elif block.state == SLIDING and not moved:
            found = found | BEGINS
        elif block.state == SLIDING and along < 0.0:
            found = found | TURNS
            run.turned_speed = max(run.turned_speed, math.sqrt(change))
    return found
