"""Impulses of a step: its problem, solved until the answer is the one it was made for.

Drives that are part of A may come to other bounds, impacts may have to be completed or made again,
and a tree whose impulses are others than those of the last step has other forces of inertia.

Whether a gap closes, and then bounces, and whether sliding goes on is known when impulses are. What
was taken otherwise is put right, and the problem solved once more, from the impulses it has.

A speculative row stops surfaces where they meet, at the end of the step:  u_n >= -phi / s.  What is
left of their approach, phi / s, would be taken in the next step, by a second impact. Without
friction both are one: v+ is the nearest to v- that opens or holds all rows, and a part of the way
there changes nothing. Coulomb's law of two impacts is not that of both together: sliding that the
first one stops or turns makes the friction of the second another, and the velocities after them
depend on phi, which is where in the step it happened. Hence, where friction acts in the island,

    q+ = q (+) s v_w,   v_w with  u_n >= -phi / s        the way, up to the surface
    v+                  with  u_n >= 0  of all that met  the law of impacts with e = 0, once

both from the same v*. v+ is what e -> 0 leads to, wherever in the step surfaces met, but for O(h).

What approaches with no more than forces do in a step, O(h), is left to the next; so is what is not
to be told from the tolerance of the solve, and a step that is not solved to it.
"""

from dalembert._jit import Border, apart, border, kernel, name_around
from dalembert._once import once
from dalembert.contact.algebra.prepare import READY, prepare_rows
from dalembert.contact.problem.layout import CONVERGED, FAILED, OVERFLOW, STALLED, Problem
from dalembert.contact.problem.record_layout import INFO_FLOATS, Info
from dalembert.contact.problem.writing import begin_with_impulses
from dalembert.contact.rows.assemble import take_velocities, take_without_impulses
from dalembert.contact.rows.far_stops import far_stops_hold
from dalembert.contact.rows.implicit_drives import ROUNDS, bar_all, begin_with_last, drives_hold
from dalembert.contact.rows.one_sided_rows import LOAD_ROUNDS, renew_loads
from dalembert.contact.rows.second_order import withdraw, withdraw_tangents
from dalembert.contact.run.run_layout import PROBLEM_ROOM, ContactRun, contact_of
from dalembert.contact.solvers.automatic import QUICK
from dalembert.contact.solvers.least_norm import finer, least_norm
from dalembert.contact.solvers.solver import SMALL, SMALL_TOLERANCE
from dalembert.contact.solvers.table import AUTO, kernel_of, solve_problem
from dalembert.contact.step.missing_inertia import (
    CLOSER,
    EXACT,
    PASSES,
    START,
    begin_lending,
    grows,
    lend,
    take_back,
)
from dalembert.contact.step.plastic import begin_again, close, has_completed, lags, renew_way
from dalembert.contact.step.restitution import impact, late, take_from_aside
from dalembert.contact.step.static_friction import let_stick
from dalembert.contact.step.step_problem import assemble, evaluate_middle
from dalembert.system.borders import (
    NEEDS_ROOM,
    NOT_POSITIVE_DEFINITE,
    NOT_SOLVED,
    OK,
    STEPPING,
    evaluate_sides,
    solve_contact,
)
from dalembert.system.state_layout import State

QUIET, POLISHING = 1e-3, 30
"""Speed [m/s, rad/s] up to which a scene is at rest, and factorisations that are spent on it."""

SHORT, LEAST = 1e-4, 1e-12
"""Step [s] below which less residual is left to the solver, and the least  [m/s]."""

SURPRISE, NO_WAY = 0.01, 1e-6
"""Change of what impulses do, over the largest velocity, and its way in a step [m, rad], beyond
which forces of inertia of a tree are made anew."""

ROUNDED = 1e-13
"""Part of a velocity that is rounding."""

_call = STEPPING.call


@kernel
def find_impulses(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """Problem and impulses of a step from t; q is where it is looked at, `left` before its end."""
    run.tolerance = tolerance_of_step(run, h)
    if state.contact_share != 0:
        run.tolerance = finer(run.tolerance, run.cliques)
    status = solve_step(state, run, problem, t, h, left, q, v)
    if status != OK:
        return status
    info = problem.info
    if info.status == STALLED and run.step_tolerance == 0.0 and info.residual <= SMALL_TOLERANCE:
        info.status = CONVERGED  # what a short step asks for besides may be rounding
    if left < h and state.on_tree and surprised(state, run, problem, h):
        status = solve_again(state, run, problem, t, h, left, q, v)
        if status != OK:
            return status
    if state.contact_share != 0 and run.repeated_now == 0:
        return _call(state.contact_share, *state, t, h, q, v)
    return OK


@kernel
def tolerance_of_step(run: ContactRun, h):
    """Residual that a step may have  [m/s]; 0: the solver's own.

    What forces do in a step goes with h, and the error that a step may make by itself with h^2: of
    short steps of small scenes no more is left to the solver, or who carries the load, and when
    sliding begins, is chosen by its tolerance (contact 16).
    """
    if run.step_tolerance == 0.0 and run.solver == AUTO and run.cliques <= SMALL and h < SHORT:
        return max(SMALL_TOLERANCE * (h / SHORT) * (h / SHORT), LEAST)
    return run.step_tolerance


@kernel
def solve_step(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """Problem and impulses; with the stops that are far, too, where one of these does not hold."""
    run.all_stops = 0
    status = solve_near(state, run, problem, t, h, left, q, v)
    if status != OK or state.sides == 0 or far_stops_hold(state, run, problem, left):
        return status
    run.all_stops = 1
    return solve_near(state, run, problem, t, h, left, q, v)


@kernel
def solve_near(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """Problem and impulses, drives at the bounds where they are."""
    if state.sides > 0:
        begin_with_last(state, run)
    rounds = 0
    while True:
        status = assemble(state, run, problem, t + h - left, h, left, q, v)
        if status != OK:
            return status
        status = solve_laws(state, run, problem, t, h, q, v)
        if status == OK and state.massless > 0 and not state.on_tree:
            status = take_out_missing(state, run, problem, t, h, q, v)
        if status != OK:
            return status
        status = complete(state, run, problem, t, h, left, q, v)
        if status != OK:
            return status
        if run.absorbed == 0 or drives_hold(state, run, problem, left):
            break
        rounds += 1
        if rounds == ROUNDS:
            bar_all(state, run)
    status = polish(state, run, problem, t, h, q, v)
    if status != OK:
        return status
    return impact(state, run, problem, t, h, q, v)


@apart(int)
def take_out_missing(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """Solve again, until inertias that bodies are lent resist no more (`missing_inertia`)."""
    begin_lending(state, run, problem)
    last, tolerance, status = START, run.tolerance, OK
    for _ in range(PASSES):
        change = lend(state, run, problem)
        if change <= EXACT:
            break
        leads_nowhere = grows(change, last)
        run.tolerance = CLOSER
        if leads_nowhere:
            take_back(state, run, problem)
            run.tolerance = tolerance
        status = solve_laws(state, run, problem, t, h, q, v)
        if status != OK or leads_nowhere:
            break
        last = change
    run.tolerance = tolerance
    return status


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
    # in one comparison, which worlds in lanes answer each for itself
    return min(off - SURPRISE * fast, h * off - NO_WAY) > 0.0


@kernel
def solve_again(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """The step of a tree with forces of inertia for the impulses it has, not those of the last.

    An impact is not to be foreseen. Without it the momentum of the tree has an error of first order
    in every one.
    """
    last, kept, pushed, status = run.last_push, run.next_push, state.correction, OK
    for k in range(state.nv):
        kept[k], last[k] = last[k], pushed[k] / h
    if has_other_inertia(state, run, problem, t + h - left, h, q, v):
        status = solve_step(state, run, problem, t, h, left, q, v)
    for k in range(state.nv):
        last[k] = kept[k]
    return status


@apart(bool)
def has_other_inertia(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """Whether `last_push` changes v* of a tree: what only slides has no forces of inertia."""
    if evaluate_middle(state, run, t, h, q, v) != OK:
        return True
    free, fast, off = state.top, 0.0, 0.0
    take_without_impulses(state, run, problem, free)
    for k in range(state.nv):
        fast = max(fast, abs(free[k]))
        off = max(off, abs(v[k] + h * state.vdot[k] - free[k]))
    evaluate_sides(state, t, q, v)
    return not off <= ROUNDED * fast


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
    before, budget, tolerance = Info(run.row_scratch, 0), run.budget, run.tolerance
    run.budget, run.tolerance, problem.prepared = POLISHING, wanted, problem.one_tree
    status = solve_contact(state, t, h, q, v)
    run.budget, run.tolerance, problem.prepared = budget, tolerance, 0
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


# -- the problem of a step whose laws depend on its answer -----------------------------------------


@kernel
def solve_laws(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """Solve; again where impacts came late, or where sliding that was to go on did not."""
    status = solve_loads(state, run, problem, t, h, q, v)
    if status != OK:
        return status
    again = late(state, run, problem)
    if run.second_order == 1 and withdraw(state, run, problem):
        again = True
    if run.second_order == 1 and run.side_blocks > 0 and withdraw_tangents(state, run, problem):
        again = True
    if (run.is_static == 1 or run.side_blocks > 0) and let_stick(state, run, problem):
        again = True
    return solve_loads(state, run, problem, t, h, q, v) if again else OK


@kernel
def solve_loads(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """Solve until friction by the loads of joints has the bounds of the loads that are found."""
    status = solve_contact(state, t, h, q, v)
    if run.side_blocks == 0:
        return status
    for _ in range(LOAD_ROUNDS):
        if status != OK or not renew_loads(state, run, problem, h):
            break
        begin_with_impulses(problem)
        status = solve_contact(state, t, h, q, v)
    return status


# -- impacts that give nothing back are complete in the step in which surfaces meet ----------------


COMPLETIONS = 3
"""Times that an impact is solved again as it has brought others together."""


@kernel
def complete(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """The velocities of a solved step whose impacts are complete; `way`: those of its positions."""
    run.completed_now = 0
    for _ in range(COMPLETIONS):
        if problem.info.status != CONVERGED or not close(state, run, problem, h, left):
            break
        begin_again(state, run, problem)
        status = solve_laws(state, run, problem, t, h, q, v)
        if status != OK:
            return status
        for i in range(problem.islands):
            island = problem.island(i)
            if not has_completed(run, problem, island):
                take_from_aside(run, problem, island)
    if run.completed_now == 1 and lags(state, run, problem, h, left):
        return renew_way(state, run, problem, t, h, q, v)
    return OK


# -- solvers, reached by address: each is compiled once, and a run compiles those it uses ----------


@kernel
def told(run: ContactRun, problem: Problem, status):
    """Status of a solve as that of a step."""
    if status == OVERFLOW:
        run.room_wanted = PROBLEM_ROOM
        return NEEDS_ROOM
    if status == FAILED:
        # by the matrix, or by a method that has no answer, such as Lemke's with a ray
        return NOT_POSITIVE_DEFINITE if prepare_rows(problem, False) != READY else NOT_SOLVED
    return OK


@once
def solve_border(name: str) -> Border:
    """The border that solves the problem of a step by the solver of this short name."""
    solve = kernel_of(name)

    def solve_impulses(state: State, t, h, q, v):
        """Impulses of the problem."""
        run = contact_of(state)
        problem = run.problem
        problem.unreported = run.unreported
        return told(run, problem, solve(problem, run.tolerance, run.budget))

    name_around([solve], f"solve_impulses_by_{name}", solve_impulses)
    return border(STEPPING)(solve_impulses)


@border(STEPPING)
def share_impulses(state: State, t, h, q, v):
    """Impulses of least norm in the place of those found."""
    run = contact_of(state)
    problem = run.problem
    info = problem.info
    iterations, factorisations, sweeps = info.iterations, info.factorisations, info.sweeps
    status = told(run, problem, least_norm(problem, run.step_tolerance))
    # what the solves of the step have taken
    info.iterations, info.factorisations, info.sweeps = iterations, factorisations, sweeps
    return status


@border(STEPPING)
def close_gaps(state: State, t, h, q, v):
    """The problem of the position pass, always by the default solver; quickly where that is asked.

    What is not pushed out in one step is in the next. Joints are always closed.
    """
    run = contact_of(state)
    problem, budget = run.problem, run.budget
    if run.solver != AUTO or budget > QUICK or state.holonomic > 0:
        budget = 0
    return told(run, problem, solve_problem(problem, run.tolerance, budget))
