"""One step of the Moreau type, for joints, one-sided rows and contacts in one problem.

    v+ = v* + A^-1 J^T lam,   v* = v + h A^-1 Q,   q+ = q (+) h v+              (contact 1, 16)

With the second order kinematics are those of the middle of the step, q (+) h/2 v, where joints are
open by O(h^2). Rows that imply one another do so on the constraints alone: independent by O(h^2)
and demanding O(h^2), they would hold what is free. There such joints are closed to be looked at.

Nothing of the last step is changed before this one has succeeded, so that it can be repeated with
more room.
"""

from dalembert._jit import kernel
from dalembert.contact.problem.layout import CONE, STALLED, Problem
from dalembert.contact.problem.record_layout import INFO_FLOATS
from dalembert.contact.rows.assemble import take_velocities
from dalembert.contact.rows.implicit_drives import energy_in_drives, take_drives
from dalembert.contact.rows.one_sided_rows import evaluate_sides
from dalembert.contact.run.run_layout import PROBLEM_ROOM, ContactRun, contact_of
from dalembert.contact.step.after_solve import note, take_impulses
from dalembert.contact.step.changes import note_changes
from dalembert.contact.step.impulses import find_impulses
from dalembert.contact.step.plastic import take_way
from dalembert.contact.step.position_pass import close_joints, position_pass
from dalembert.contact.step.restitution import energy
from dalembert.contact.step.second_order import keep_push
from dalembert.contact.step.sleeping import fall_asleep, sleep_on
from dalembert.contact.step.smooth import AWAY, PRESSED, look_ahead, smooth_step
from dalembert.contact.step.tree_momentum import keep_twists
from dalembert.contact.step.warm_start import remember, take_fixed
from dalembert.mechanics.motion import displace
from dalembert.system.borders import NOT_SOLVED, OK, residual
from dalembert.system.state_layout import State


@kernel
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
    take_fixed(state, run, problem)
    if run.absorbed > 0:
        take_drives(state, run, problem, h, left)
    go_on(state, run, left, q, v)
    status = position_pass(state, t + h, h, q, v)
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
    gain = energy(problem, problem.v) - energy(problem, problem.v_before)
    run.step_report.energy_change = gain - energy_in_drives(state, run, problem)


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
    if run.second_order == 1:
        keep_push(state, run, problem, h, v)
    if run.controlled == 1:
        note_changes(state, run, problem)


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
