"""Finding contacts and solving for impulses, reached by address: each is compiled once.

A step calls them through the slots CONTACT_COLLIDE, CONTACT_SOLVE and CONTACT_SHARE, so that a run
compiles the solver it uses and no other.
"""

import math
from functools import cache

from dalembert._jit import Border, border, kernel, name_around, vector_view
from dalembert.collision import layout as found
from dalembert.collision.collide import collide
from dalembert.contact.algebra.prepare import READY, prepare_rows
from dalembert.contact.problem.layout import (
    FAILED,
    INFO,
    INFO_FACTORISATIONS,
    INFO_ITERATIONS,
    INFO_SWEEPS,
    OVERFLOW,
    Problem,
)
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import ContactRun, contact_of, found_at, found_numbers_at
from dalembert.contact.solvers.automatic import QUICK
from dalembert.contact.solvers.least_norm import least_norm
from dalembert.contact.solvers.table import AUTO, kernel_of, solve_problem
from dalembert.mechanics.tree_evaluate import rest_of
from dalembert.system.borders import (
    NEEDS_ROOM,
    NON_FINITE,
    NOT_POSITIVE_DEFINITE,
    NOT_SOLVED,
    OK,
    STEPPING,
)
from dalembert.system.layout import (
    BODIES,
    BODY_RECORDS,
    FAILED_INDEX,
    GRAVITY,
    HOLONOMIC,
    NQ,
    NV,
    PLACED,
    RECORD,
    TREE_NUMBERS,
)
from dalembert.system.state_layout import State


@border(STEPPING)
def find_contacts(state: State, t, h, q, v):
    """Contacts of the evaluated state."""
    work = state.work
    sizes = state.sizes
    run = contact_of(state)
    integers = run.sizes
    scene = run.scene
    scene.fall = scene.margin_speed * h * h * gravity(state)
    records = vector_view(work, sizes[BODY_RECORDS], RECORD * sizes[PLACED])
    count = collide(scene, records, h, run.found_contacts)
    if count == found.UNPLACED:
        sizes[FAILED_INDEX] = lost(state, q, v)
        return NON_FINITE
    if count < 0:
        integers[memory.ROOM_WANTED] = memory.SCENE_ROOM
        integers[memory.CONTACTS_FOUND] = scene.needed_contacts
        return NEEDS_ROOM
    integers[memory.CONTACTS] = leave_out(run, count)
    return OK


@kernel
def gravity(state: State):
    """Size of the acceleration of gravity."""
    work = state.work
    sizes = state.sizes
    g = vector_view(work, sizes[GRAVITY], 3)
    if sizes[BODIES] == 0:
        g = rest_of(work, sizes, TREE_NUMBERS)
    return math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])


@kernel
def lost(state: State, q, v):
    """The first coordinate or velocity that is nowhere; velocities follow coordinates."""
    sizes = state.sizes
    for i in range(sizes[NQ]):
        if not abs(q[i]) <= found.FARTHEST:
            return i
    for k in range(sizes[NV]):
        if not abs(v[k]) <= found.FARTHEST:
            return sizes[NQ] + k
    return 0


@kernel
def leave_out(run: ContactRun, count):
    """Drop contacts of surfaces that a rule lets pass through each other."""
    integers = run.sizes
    numbers = run.work
    kept = 0
    for k in range(count):
        at, place = found_at(run, k), found_numbers_at(run, k)
        law = run.law(integers[at + found.SHAPE_A], integers[at + found.SHAPE_B])
        if law.friction < 0.0:
            continue
        if kept < k:
            to, put = found_at(run, kept), found_numbers_at(run, kept)
            for i in range(found.CONTACT_INTEGERS):
                integers[to + i] = integers[at + i]
            for i in range(found.CONTACT_NUMBERS):
                numbers[put + i] = numbers[place + i]
        kept += 1
    return kept


@kernel
def told(run: ContactRun, problem: Problem, status):
    """Status of a solve as that of a step."""
    integers = run.sizes
    if status == OVERFLOW:
        integers[memory.ROOM_WANTED] = memory.PROBLEM_ROOM
        return NEEDS_ROOM
    if status == FAILED:
        # by the matrix, or by a method that has no answer, such as Lemke's with a ray
        return NOT_POSITIVE_DEFINITE if prepare_rows(problem, False) != READY else NOT_SOLVED
    return OK


@cache
def solve_border(name: str) -> Border:
    """The border that solves the problem of a step by the solver of this short name."""
    solve = kernel_of(name)

    def solve_impulses(state: State, t, h, q, v):
        """Impulses of the problem."""
        run = contact_of(state)
        integers, numbers = run.sizes, run.work
        problem = run.problem
        tolerance, budget = numbers[memory.TOLERANCE], integers[memory.BUDGET]
        return told(run, problem, solve(problem, tolerance, budget))

    name_around([solve], f"solve_impulses_by_{name}", solve_impulses)
    return border(STEPPING)(solve_impulses)


@border(STEPPING)
def share_impulses(state: State, t, h, q, v):
    """Impulses of least norm in the place of those found."""
    run = contact_of(state)
    numbers = run.work
    problem = run.problem
    p, x = problem.sizes, problem.work
    info = p[INFO]
    iterations = x[info + INFO_ITERATIONS]
    factorisations, sweeps = x[info + INFO_FACTORISATIONS], x[info + INFO_SWEEPS]
    status = told(run, problem, least_norm(problem, numbers[memory.STEP_TOLERANCE]))
    # what the solves of the step have taken
    x[info + INFO_ITERATIONS] = iterations
    x[info + INFO_FACTORISATIONS], x[info + INFO_SWEEPS] = factorisations, sweeps
    return status


@border(STEPPING)
def close_gaps(state: State, t, h, q, v):
    """The problem of the position pass, always by the default solver; quickly where that is asked.

    What is not pushed out in one step is in the next. Joints are always closed.
    """
    sizes = state.sizes
    run = contact_of(state)
    integers, numbers = run.sizes, run.work
    problem = run.problem
    budget = integers[memory.BUDGET]
    if integers[memory.SOLVER] != AUTO or budget > QUICK or sizes[HOLONOMIC] > 0:
        budget = 0
    return told(run, problem, solve_problem(problem, numbers[memory.TOLERANCE], budget))
