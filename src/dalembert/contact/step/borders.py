"""Finding contacts and solving for impulses, reached by address: each is compiled once.

A step calls them through `State.contact_collide`, `contact_solve`, `contact_close` and
`contact_share`, so that a run compiles the solver it uses and no other.
"""

from dalembert._jit import Border, border, kernel, name_around
from dalembert._once import once
from dalembert.collision.collide import collide
from dalembert.collision.layout import FARTHEST, UNPLACED
from dalembert.contact.algebra.prepare import READY, prepare_rows
from dalembert.contact.problem.layout import FAILED, OVERFLOW, Problem
from dalembert.contact.run.run_layout import PROBLEM_ROOM, SCENE_ROOM, ContactRun, contact_of
from dalembert.contact.solvers.automatic import QUICK
from dalembert.contact.solvers.least_norm import least_norm
from dalembert.contact.solvers.table import AUTO, kernel_of, solve_problem
from dalembert.numerics.vector import vec3
from dalembert.system.borders import (
    NEEDS_ROOM,
    NON_FINITE,
    NOT_POSITIVE_DEFINITE,
    NOT_SOLVED,
    OK,
    STEPPING,
)
from dalembert.system.state_layout import State
from dalembert.system.tree_layout import Constants


@border(STEPPING)
def find_contacts(state: State, t, h, q, v):
    """Contacts of the evaluated state."""
    run = contact_of(state)
    scene = run.scene
    scene.fall = scene.margin_speed * h * h * gravity(state).size
    count = collide(scene, state.body_records, h, run.found_contacts)
    if count == UNPLACED:
        state.failed_index = lost(state, q, v)
        return NON_FINITE
    if count < 0:
        run.room_wanted, run.contacts_found = SCENE_ROOM, scene.needed_contacts
        return NEEDS_ROOM
    run.contacts = leave_out(run, count)
    return OK


@kernel
def gravity(state: State):
    """Acceleration of what falls."""
    if state.bodies == 0:
        return Constants(state.tree_integers, state.tree_numbers).gravity
    return vec3(state.gravity, 0)


@kernel
def lost(state: State, q, v):
    """The first coordinate or velocity that is nowhere; velocities follow coordinates."""
    for i in range(state.nq):
        if not abs(q[i]) <= FARTHEST:
            return i
    for k in range(state.nv):
        if not abs(v[k]) <= FARTHEST:
            return state.nq + k
    return 0


@kernel
def leave_out(run: ContactRun, count):
    """Drop contacts of surfaces that a rule lets pass through each other."""
    kept = 0
    for k in range(count):
        found = run.found(k)
        if run.law(found.shape_a, found.shape_b).friction < 0.0:
            continue
        if kept < k:
            run.found(kept).take(found)
        kept += 1
    return kept


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
