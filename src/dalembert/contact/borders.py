"""Finding contacts and solving for impulses, reached by address: each is compiled once.

A step calls them through the slots CONTACT_COLLIDE, CONTACT_SOLVE and CONTACT_SHARE, so that a run
compiles the solver it uses and no other.
"""

import math

from dalembert._jit import border, kernel, vector_view
from dalembert.collision import layout as found
from dalembert.collision.collide import collide
from dalembert.contact import memory
from dalembert.contact.automatic import AUTO, QUICK, solve_problem
from dalembert.contact.layout import (
    FAILED,
    INFO,
    INFO_FACTORISATIONS,
    INFO_ITERATIONS,
    INFO_SWEEPS,
    OVERFLOW,
)
from dalembert.contact.least_norm import least_norm
from dalembert.contact.memory import found_at, found_numbers_at
from dalembert.contact.optional import solve_admm, solve_convex, solve_lemke, solve_pgs
from dalembert.contact.prepare import READY, prepare_rows
from dalembert.contact.solvers import ADMM, ConvexContact, Lemke, ProjectedGaussSeidel
from dalembert.contact.touching import law_at
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


@border(STEPPING)
def find_contacts(work, sizes, t, h, q, v):
    """Contacts of the evaluated state."""
    integers, numbers = memory.integers_of(sizes), memory.numbers_of(work, sizes)
    scene = vector_view(
        integers, integers[memory.SCENE_INTEGERS], integers[memory.SCENE_INTEGERS_LENGTH]
    )
    shapes = vector_view(
        numbers, integers[memory.SCENE_NUMBERS], integers[memory.SCENE_NUMBERS_LENGTH]
    )
    shapes[found.FALL] = shapes[found.MARGIN_SPEED] * h * h * gravity(work, sizes)
    most = integers[memory.MOST_CONTACTS]
    count = collide(
        scene,
        shapes,
        vector_view(work, sizes[BODY_RECORDS], RECORD * sizes[PLACED]),
        h,
        vector_view(integers, integers[memory.FOUND_INTEGERS_AT], found.CONTACT_INTEGERS * most),
        vector_view(numbers, integers[memory.FOUND_NUMBERS_AT], found.CONTACT_NUMBERS * most),
    )
    if count == found.UNPLACED:
        sizes[FAILED_INDEX] = lost(sizes, q, v)
        return NON_FINITE
    if count < 0:
        integers[memory.ROOM_WANTED] = memory.SCENE_ROOM
        integers[memory.CONTACTS_FOUND] = scene[found.NEEDED_CONTACTS]
        return NEEDS_ROOM
    integers[memory.CONTACTS] = leave_out(integers, numbers, count)
    return OK


@kernel
def gravity(work, sizes):
    """Size of the acceleration of gravity."""
    g = vector_view(work, sizes[GRAVITY], 3)
    if sizes[BODIES] == 0:
        g = rest_of(work, sizes, TREE_NUMBERS)
    return math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])


@kernel
def lost(sizes, q, v):
    """The first coordinate or velocity that is nowhere; velocities follow coordinates."""
    for i in range(sizes[NQ]):
        if not abs(q[i]) <= found.FARTHEST:
            return i
    for k in range(sizes[NV]):
        if not abs(v[k]) <= found.FARTHEST:
            return sizes[NQ] + k
    return 0


@kernel
def leave_out(integers, numbers, count):
    """Drop contacts of surfaces that a rule lets pass through each other."""
    kept = 0
    for k in range(count):
        at, place = found_at(integers, k), found_numbers_at(integers, k)
        law = law_at(integers, integers[at + found.SHAPE_A], integers[at + found.SHAPE_B])
        if numbers[law + memory.FRICTION] < 0.0:
            continue
        if kept < k:
            to, put = found_at(integers, kept), found_numbers_at(integers, kept)
            for i in range(found.CONTACT_INTEGERS):
                integers[to + i] = integers[at + i]
            for i in range(found.CONTACT_NUMBERS):
                numbers[put + i] = numbers[place + i]
        kept += 1
    return kept


@kernel
def told(integers, p, x, status):
    """Status of a solve as that of a step."""
    if status == OVERFLOW:
        integers[memory.ROOM_WANTED] = memory.PROBLEM_ROOM
        return NEEDS_ROOM
    if status == FAILED:
        # by the matrix, or by a method that has no answer, such as Lemke's with a ray
        return NOT_POSITIVE_DEFINITE if prepare_rows(p, x, False) != READY else NOT_SOLVED
    return OK


@border(STEPPING)
def solve_impulses(work, sizes, t, h, q, v):
    """By Newton and Gauss-Seidel, whichever was asked for."""
    integers, numbers = memory.integers_of(sizes), memory.numbers_of(work, sizes)
    p, x = memory.problem_integers(integers), memory.problem_numbers(integers, numbers)
    tolerance, budget = numbers[memory.TOLERANCE], integers[memory.BUDGET]
    return told(integers, p, x, solve_problem(p, x, integers[memory.SOLVER], tolerance, budget))


@border(STEPPING)
def share_impulses(work, sizes, t, h, q, v):
    """Impulses of least norm in the place of those found."""
    integers, numbers = memory.integers_of(sizes), memory.numbers_of(work, sizes)
    p, x = memory.problem_integers(integers), memory.problem_numbers(integers, numbers)
    info = p[INFO]
    iterations = x[info + INFO_ITERATIONS]
    factorisations, sweeps = x[info + INFO_FACTORISATIONS], x[info + INFO_SWEEPS]
    status = told(integers, p, x, least_norm(p, x, numbers[memory.STEP_TOLERANCE]))
    # what the solves of the step have taken
    x[info + INFO_ITERATIONS] = iterations
    x[info + INFO_FACTORISATIONS], x[info + INFO_SWEEPS] = factorisations, sweeps
    return status


@border(STEPPING)
def close_gaps(work, sizes, t, h, q, v):
    """The problem of the position pass, always by the default solver; quickly where that is asked.

    What is not pushed out in one step is in the next. Joints are always closed.
    """
    integers, numbers = memory.integers_of(sizes), memory.numbers_of(work, sizes)
    p, x = memory.problem_integers(integers), memory.problem_numbers(integers, numbers)
    budget = integers[memory.BUDGET]
    if integers[memory.SOLVER] != AUTO or budget > QUICK or sizes[HOLONOMIC] > 0:
        budget = 0
    return told(integers, p, x, solve_problem(p, x, AUTO, numbers[memory.TOLERANCE], budget))


@border(STEPPING)
def solve_by_lemke(work, sizes, t, h, q, v):
    """By Lemke's method."""
    integers, numbers = memory.integers_of(sizes), memory.numbers_of(work, sizes)
    p, x = memory.problem_integers(integers), memory.problem_numbers(integers, numbers)
    return told(
        integers, p, x, solve_lemke(p, x, numbers[memory.TOLERANCE], integers[memory.BUDGET])
    )


@border(STEPPING)
def solve_by_pgs(work, sizes, t, h, q, v):
    """By projected Gauss-Seidel."""
    integers, numbers = memory.integers_of(sizes), memory.numbers_of(work, sizes)
    p, x = memory.problem_integers(integers), memory.problem_numbers(integers, numbers)
    return told(integers, p, x, solve_pgs(p, x, numbers[memory.TOLERANCE], integers[memory.BUDGET]))


@border(STEPPING)
def solve_by_admm(work, sizes, t, h, q, v):
    """By the alternating direction method of multipliers."""
    integers, numbers = memory.integers_of(sizes), memory.numbers_of(work, sizes)
    p, x = memory.problem_integers(integers), memory.problem_numbers(integers, numbers)
    return told(
        integers, p, x, solve_admm(p, x, numbers[memory.TOLERANCE], integers[memory.BUDGET])
    )


@border(STEPPING)
def solve_as_convex(work, sizes, t, h, q, v):
    """As a regularised convex problem."""
    integers, numbers = memory.integers_of(sizes), memory.numbers_of(work, sizes)
    p, x = memory.problem_integers(integers), memory.problem_numbers(integers, numbers)
    return told(
        integers, p, x, solve_convex(p, x, numbers[memory.TOLERANCE], integers[memory.BUDGET])
    )


BORDERS = {
    ADMM.code: solve_by_admm,
    ConvexContact.code: solve_as_convex,
    Lemke.code: solve_by_lemke,
    ProjectedGaussSeidel.code: solve_by_pgs,
}
"""Borders of solvers other than those of `solve_problem`, by their code."""
