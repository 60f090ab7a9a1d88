"""Steps of trees that nothing but rigid stops pushes: what of a step is left, in pieces.

The step is that of `step.step_with_impulses` where there are no contacts, no joints in rows, no
drives, no friction and no restitution: its texts, in its order, up to where a value would choose
the way. There a piece ends, and says what it has found; whoever calls the pieces goes on from
there, for one world or for many (batches 3).

    open_rows      the problem of all stops, where the step is looked at
    respond        its W and b
    (solve)        lam, `solvers.active_rows`
    push_off       v+ = v* + A^-1 J^T lam
    expect         whether forces of inertia are to be made anew with these impulses
    arrive         q+, what is kept for the next step, and whether positions are to be corrected
    open_gaps      the problem of the correction; then `respond`, and solve
    move_apart     q+ and v+ corrected
"""

from dalembert._jit import kernel
from dalembert._traceable import chosen
from dalembert.contact.algebra.blocks import block_add_response, dot_onto, row_times
from dalembert.contact.algebra.prepare import READY, prepare
from dalembert.contact.problem.layout import Problem
from dalembert.contact.rows.assemble import take_velocities
from dalembert.contact.rows.correction_limits import restrain
from dalembert.contact.rows.implicit_drives import begin_with_last
from dalembert.contact.run.record_layout import AWAY, COMING, PRESSED, PUSHED
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.step.impulses import surprised
from dalembert.contact.step.position_pass import (
    assemble_correction,
    carry_momentum,
    deepest,
    went_too_far,
)
from dalembert.contact.step.smooth import stop_ahead, stop_impulse
from dalembert.contact.step.step import go_half_way, take_motion
from dalembert.contact.step.step_problem import assemble
from dalembert.contact.step.warm_start import take_fixed
from dalembert.mechanics.motion import displace
from dalembert.system.borders import NOT_POSITIVE_DEFINITE, OK, evaluate_sides, residual
from dalembert.system.state_layout import State


@kernel
def open_rows(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """The problem of a step from (t, q, v); q becomes where it is looked at."""
    left = 0.5 * h if run.second_order == 1 else h
    if left < h:
        go_half_way(state, run, t, h, left, q, v)
    begin_with_last(state, run)
    run.all_stops = 1
    return assemble(state, run, problem, t + h - left, h, left, q, v)


@kernel
def respond(problem: Problem, W, b):
    """W = J A^-1 J^T + R, below its diagonal, and b = J v* + bias, over blocks of one row."""
    if prepare(problem) != READY:
        return NOT_POSITIVE_DEFINITE
    for i in range(problem.blocks):
        one = problem.block(i)
        b[i] = problem.bias[one.row] + row_times(problem, one, 0, problem.v_free)
        for j in range(i + 1):
            other = problem.block(j)
            W[i, j] = 0.0
            if one.clique_a == other.clique_a:
                W[i, j] = dot_onto(problem.J_a(other)[0], problem.Y_a(one)[0], 0.0)
        W[i, i] += problem.compliance[one.row]
    return OK


@kernel
def push_off(problem: Problem):
    """v = v* + A^-1 J^T lam."""
    for k in range(problem.velocities):
        problem.v[k] = problem.v_free[k]
    for i in range(problem.blocks):
        block_add_response(problem, problem.block(i), problem.lam, problem.v)


@kernel
def expect(state: State, run: ContactRun, problem: Problem, h):
    """Whether the step is to be made anew, 1 or 0; then `last_push` is what impulses do in it."""
    anew = surprised(state, run, problem, h)
    for k in range(state.nv):
        run.last_push[k] = chosen(anew, state.correction[k] / h, run.last_push[k])
    return chosen(anew, 1.0, 0.0)


@kernel
def arrive(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """The end of a step whose impulses are known; whether positions are to be corrected, 1 or 0."""
    left = 0.5 * h if run.second_order == 1 else h
    take_motion(state, run, problem, h, v)
    take_fixed(state, run, problem)
    for i in range(run.fixed_rows):
        run.fixed_impulses[i] = run.next_impulses[i]
    displace(state, left, v, q)
    return is_closed(state, run, t + h, h, q, v)


@kernel
def is_closed(state: State, run: ContactRun, t, h, q, v):
    """Whether stops are passed (`position_pass`), 1 or 0; rates and values of stops are written."""
    residual(state, t, q, v)
    evaluate_sides(state, t, q, v)
    depth = deepest(state, run)
    needed = chosen(depth > run.slop, 1.0, 0.0)
    if run.second_order == 1:
        passed = chosen(went_too_far(state, run, h), 1.0, 0.0)
        needed = max(needed, chosen(depth > 0.0, passed, 0.0))
    return needed


@kernel
def nearness(state: State, run: ContactRun, h, near):
    """`near` after a step with impulses, as a float (`smooth.look_ahead`)."""
    pushed = chosen(near >= 1.0 * PUSHED, 1.0 * PRESSED, 1.0 * PUSHED)
    waiting = chosen(stop_ahead(state, run, h) > 0.0, 1.0 * AWAY, 1.0 * COMING)
    return chosen(stop_impulse(state, run) > 0.0, pushed, waiting)


@kernel
def open_gaps(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """The problem of a correction of positions at (t, q, v), the end of a step."""
    return assemble_correction(state, run, problem, t, h, q, v, True)


@kernel
def move_apart(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """q and v corrected by the answer of that problem, after `push_off`."""
    move = state.correction
    take_velocities(state, run, problem, problem.v, move)
    restrain(state, run, problem, h * run.push_speed, move)
    if run.second_order == 1:
        return carry_momentum(state, run, t, move, q, v)
    displace(state, 1.0, move, q)
    return OK
