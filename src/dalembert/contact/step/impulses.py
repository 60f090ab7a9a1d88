"""Impulses of a step: its problem, solved until the answer is the one it was made for.

Drives that are part of A may come to other bounds, impacts may have to be completed or made again,
and a tree whose impulses are others than those of the last step has other forces of inertia.
"""

from dalembert._jit import apart, kernel
from dalembert.contact.problem.layout import CONVERGED, Problem
from dalembert.contact.problem.record_layout import INFO_FLOATS, Info
from dalembert.contact.rows.assemble import take_velocities, take_without_impulses
from dalembert.contact.rows.implicit_drives import ROUNDS, bar_all, begin_with_last, drives_hold
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.solvers.least_norm import finer
from dalembert.contact.step.laws import solve_laws
from dalembert.contact.step.plastic import complete
from dalembert.contact.step.restitution import impact
from dalembert.contact.step.solve import begin_with_impulses, solve
from dalembert.contact.step.step_problem import assemble
from dalembert.system.borders import OK, STEPPING
from dalembert.system.state_layout import State

QUIET, POLISHING = 1e-3, 30
"""Speed [m/s, rad/s] up to which a scene is at rest, and factorisations that are spent on it."""

SURPRISE, NO_WAY = 0.01, 1e-6
"""Change of what impulses do, over the largest velocity, and its way in a step [m, rad], beyond
which forces of inertia of a tree are made anew."""

_call = STEPPING.call


@kernel
def find_impulses(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """Problem and impulses of a step from t; q is where it is looked at, `left` before its end."""
    run.tolerance = run.step_tolerance
    if state.contact_share != 0:
        run.tolerance = finer(run.step_tolerance, run.cliques)
    status = solve_step(state, run, problem, t, h, left, q, v)
    if status != OK:
        return status
    if left < h and state.on_tree and surprised(state, run, problem, h):
        status = solve_again(state, run, problem, t, h, left, q, v)
        if status != OK:
            return status
    if state.contact_share != 0 and run.repeated_now == 0:
        return _call(state.contact_share, *state, t, h, q, v)
    return OK


@kernel
def solve_step(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """Problem and impulses, drives at the bounds where they are."""
    begin_with_last(state, run)
    rounds = 0
    while True:
        status = assemble(state, run, problem, t + h - left, h, left, q, v)
        if status != OK:
            return status
        status = solve_laws(state, run, problem, t, h, q, v)
        if status != OK:
            return status
        status = complete(state, run, problem, t, h, left, q, v)
        if status != OK:
            return status
        if drives_hold(state, run, problem, left):
            break
        rounds += 1
        if rounds == ROUNDS:
            bar_all(state, run)
    status = polish(state, run, problem, t, h, q, v)
    if status != OK:
        return status
    return impact(state, run, problem, t, h, q, v)


# -- trees -----------------------------------------------------------------------------------------


@apart(bool)
def surprised(state: State, run: ContactRun, problem: Problem, h):
    """Whether the impulses of a tree are others than those of the last step; leaves v+ - v*."""
    pushed, after = state.correction, state.top
    take_without_impulses(state, run, problem, pushed)
    take_velocities(state, run, problem, problem.v, after)
    fast = off = 0.0
    for k in range(state.nv):
        pushed[k] = after[k] - pushed[k]
        fast = max(fast, abs(after[k]))
        off = max(off, abs(pushed[k] - h * run.last_push[k]))
    return off > SURPRISE * fast and h * off > NO_WAY


@kernel
def solve_again(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """The step of a tree with forces of inertia for the impulses it has, not those of the last.

    An impact is not to be foreseen. Without it the momentum of the tree has an error of first order
    in every one.
    """
    last, kept, pushed = run.last_push, run.next_push, state.correction
    for k in range(state.nv):
        kept[k], last[k] = last[k], pushed[k] / h
    status = solve_step(state, run, problem, t, h, left, q, v)
    for k in range(state.nv):
        last[k] = kept[k]
    return status


# -- rest ------------------------------------------------------------------------------------------


@apart(int)
def polish(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """Bring the residual of a solved step further down where everything is nearly at rest.

    Sticking contacts move with what is left of the laws: a scene at rest would creep for ever with
    a residual just below the tolerance. Near the limit of friction that may be much faster than
    the residual itself.
    """
    info, wanted = problem.info, run.polished
    if info.residual <= wanted or wanted == 0.0 or info.status != CONVERGED:
        return OK
    for i in range(problem.velocities):
        if not abs(problem.v[i]) <= QUIET:
            return OK
    begin_with_impulses(problem)
    keep_answer(run, problem)
    before, budget = Info(run.row_scratch, 0), run.budget
    run.budget, run.tolerance = POLISHING, wanted
    status = solve(state, t, h, q, v)
    run.budget, run.tolerance = budget, run.step_tolerance
    if info.residual <= before.residual:
        info.status = CONVERGED
        info.iterations += before.iterations
        info.factorisations += before.factorisations
        info.sweeps += before.sweeps
    else:
        take_answer(run, problem)
    return status


@kernel
def keep_answer(run: ContactRun, problem: Problem):
    """Keep lam, v and their report."""
    for i in range(problem.rows):
        run.compression[i] = problem.lam[i]
    for i in range(problem.velocities):
        run.kept_free[i] = problem.v[i]
    for i in range(INFO_FLOATS):
        run.row_scratch[i] = problem.info_numbers[i]


@kernel
def take_answer(run: ContactRun, problem: Problem):
    """lam, v and their report as they were kept."""
    for i in range(problem.rows):
        problem.lam[i] = run.compression[i]
    for i in range(problem.velocities):
        problem.v[i] = run.kept_free[i]
    for i in range(INFO_FLOATS):
        problem.info_numbers[i] = run.row_scratch[i]
