"""From an evaluated state to the contact problem: cliques and joints.

    A = M,   v* = v + h A^-1 Q                          (gyroscopic torques of bodies implicitly)
    joints and formula constraints: EQ with bias Phi_t - lead rhs_a                (contact 16)

rhs_a = -(J' v + ...) is what J v' equals: with J of the middle of a step the velocity at its end,
half a step later, has J v = -Phi_t + h/2 rhs_a. A step of first order has no lead.
"""

import math

from dalembert._jit import apart, kernel, vector_view
from dalembert.contact.problem.layout import (
    BIAS,
    EQ,
    MOST_ROWS,
    OVERFLOW,
    V_BEFORE,
    V_FREE,
    Problem,
    clique_size,
    jacobian_a_at,
    jacobian_b_at,
    matrix_at,
    parent_at,
    row_at,
    velocity_at,
)
from dalembert.contact.problem.layout import BLOCK as PROBLEM_BLOCK
from dalembert.contact.problem.layout import BLOCK_RECORD as PROBLEM_BLOCK_RECORD
from dalembert.contact.problem.layout import CLIQUE_A as PROBLEM_CLIQUE_A
from dalembert.contact.problem.layout import CLIQUE_B as PROBLEM_CLIQUE_B
from dalembert.contact.problem.writing import add_block, add_clique
from dalembert.contact.rows.body_rows import clique_of, open_block, put_rows
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import ContactRun
from dalembert.mechanics.tree_evaluate import tree_of
from dalembert.system.borders import NEEDS_ROOM, OK
from dalembert.system.layout import (
    BODIES,
    BODY_INERTIA,
    INCIDENCE_TABLE,
    INCIDENCES,
    INERTIA,
    JACOBIAN,
    JACOBIAN_BLOCKS,
    MASS,
    MASSLESS,
    MASSLESS_TABLE,
    MECHANISM,
    NV,
    PAIR_TABLE,
    PAIRS,
    PHI_T,
    RHS_A,
    ROW_SIZE,
    ROWS,
    SPARE_INERTIA,
)
from dalembert.system.state_layout import State
from dalembert.system.tables import INCIDENCE_STRIDE, PAIR_STRIDE
from dalembert.system.tree_layout import DOF, DOF_PARENT, DOF_TABLE

ROUNDED = 1e-10
"""Length of a row of joint velocities, over that of bodies, below which it is rounding."""

VANISHING = 1e-3
"""Length of a row, over its usual one, below which it is not made longer."""


@kernel
def complete_inertias(state: State):
    """Add what bodies lack (a rod has no inertia about its axis) to the evaluated inertias.

    Friction may turn a body about any axis. What is missing is a small part of what the body has
    about the others (`system.body_system`).
    """
    work = state.work
    sizes = state.sizes
    for i in range(sizes[MASSLESS]):
        body = sizes[sizes[MASSLESS_TABLE] + 2 * i]
        theta = vector_view(work, sizes[BODY_INERTIA] + INERTIA * body, INERTIA)
        own = vector_view(work, sizes[SPARE_INERTIA] + 18 * i + 9, 9)
        theta[0] += own[0]
        theta[1] += own[4]
        theta[2] += own[8]
        theta[3] += own[1]
        theta[4] += own[2]
        theta[5] += own[5]


@kernel
def add_cliques(state: State, run: ContactRun, problem: Problem, v, free):
    """The cliques with A, v* = `free` and the velocity before the step, v."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    x = problem.work
    for c in range(integers[memory.CLIQUES]):
        size = integers[integers[memory.CLIQUE_TABLE] + c]
        if add_clique(problem, size) == OVERFLOW:
            return NEEDS_ROOM
    if sizes[MECHANISM] == 1 and sizes[BODIES] == 0:
        add_branches(state, run, problem, v, free)
        return OK
    if sizes[BODIES] == 0:
        n = sizes[NV]
        at = matrix_at(problem, 0)
        for k in range(n * n):
            x[at + k] = work[sizes[MASS] + k]
        to, before = velocity_at(problem, V_FREE, 0), velocity_at(problem, V_BEFORE, 0)
        for k in range(n):
            x[to + k] = free[k]
            x[before + k] = v[k]
        return OK
    for b in range(sizes[BODIES]):
        table = integers[memory.BODY_TABLE] + 2 * b
        c, first = integers[table], integers[table + 1]
        size = clique_size(problem, c)
        at = matrix_at(problem, c)
        for r in range(first, first + 6):
            for k in range(size):
                x[at + size * r + k] = 0.0
        t = sizes[BODY_INERTIA] + INERTIA * b
        mass = work[t + 6]
        at += (size + 1) * first
        x[at] = mass
        x[at + size + 1] = mass
        x[at + 2 * (size + 1)] = mass
        at += 3 * (size + 1)
        x[at], x[at + 1], x[at + 2] = work[t], work[t + 3], work[t + 4]
        at += size
        x[at], x[at + 1], x[at + 2] = work[t + 3], work[t + 1], work[t + 5]
        at += size
        x[at], x[at + 1], x[at + 2] = work[t + 4], work[t + 5], work[t + 2]
        to = velocity_at(problem, V_FREE, c) + first
        before = velocity_at(problem, V_BEFORE, c) + first
        for k in range(6):
            x[to + k] = free[6 * b + k]
            x[before + k] = v[6 * b + k]
    return OK


@apart(None)
def add_branches(state: State, run: ContactRun, problem: Problem, v, free):
    """Cliques of a tree: each is made of whole branches from the world, M keeps to their ways.

    Between branches A is zero, and was since the arrays of the run were made: a run has always the
    same cliques.
    """
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    p = problem.sizes
    x = problem.work
    tree, n = tree_of(sizes), sizes[NV]
    parents = tree[DOF_TABLE] + DOF_PARENT
    for k in range(n):
        own = integers[memory.DOF_CLIQUES] + 2 * k
        clique, place = integers[own], integers[own + 1]
        size, at = clique_size(problem, clique), matrix_at(problem, clique)
        x[velocity_at(problem, V_FREE, clique) + place] = free[k]
        x[velocity_at(problem, V_BEFORE, clique) + place] = v[k]
        j = tree[parents + DOF * k]
        before = integers[integers[memory.DOF_CLIQUES] + 2 * j + 1] if j >= 0 else -1
        p[parent_at(problem, clique) + place] = before
        j = k
        while j >= 0:
            other = integers[integers[memory.DOF_CLIQUES] + 2 * j + 1]
            entry = work[sizes[MASS] + n * k + j]
            x[at + size * place + other] = entry
            x[at + size * other + place] = entry
            j = tree[parents + DOF * j]


@kernel
def take_velocities(state: State, run: ContactRun, problem: Problem, field, v):
    """v <- velocities of the problem, body after body."""
    sizes = state.sizes
    integers = run.sizes
    x = problem.work
    if sizes[MECHANISM] == 1 and sizes[BODIES] == 0:
        for k in range(sizes[NV]):
            at = integers[memory.DOF_CLIQUES] + 2 * k
            v[k] = x[velocity_at(problem, field, integers[at]) + integers[at + 1]]
        return
    if sizes[BODIES] == 0:
        at = velocity_at(problem, field, 0)
        for k in range(sizes[NV]):
            v[k] = x[at + k]
        return
    for b in range(sizes[BODIES]):
        table = integers[memory.BODY_TABLE] + 2 * b
        at = velocity_at(problem, field, integers[table]) + integers[table + 1]
        for k in range(6):
            v[6 * b + k] = x[at + k]


@kernel
def take_without_impulses(state: State, run: ContactRun, problem: Problem, v):
    """v <- v*, without drives and other impulses, in a step of second order."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    take_velocities(state, run, problem, V_FREE, v)
    if integers[memory.ABSORBED] > 0:
        for k in range(sizes[NV]):
            v[k] = numbers[integers[memory.WITHOUT_DRIVES] + k]


@kernel
def put_velocities(state: State, run: ContactRun, problem: Problem, field, v):
    """Velocities of the problem <- v of a tree."""
    sizes = state.sizes
    integers = run.sizes
    x = problem.work
    for k in range(sizes[NV]):
        at = integers[memory.DOF_CLIQUES] + 2 * k
        x[velocity_at(problem, field, integers[at]) + integers[at + 1]] = v[k]


@kernel
def add_constraints(state: State, run: ContactRun, problem: Problem, lead):
    """EQ blocks of joints and formula constraints, in the order of `fixed_blocks`."""
    work = state.work
    sizes = state.sizes
    if sizes[MECHANISM] == 0:
        return add_formula_rows(state, problem, lead)
    blocks = sizes[JACOBIAN_BLOCKS]
    for e in range(sizes[PAIRS]):
        at = sizes[PAIR_TABLE] + PAIR_STRIDE * e
        a, b, row, count = sizes[at + 2], sizes[at + 3], sizes[at + 5], sizes[at + 6]
        for part in range((count + MOST_ROWS - 1) // MOST_ROWS):
            first = MOST_ROWS * part
            dim = min(MOST_ROWS, count - first)
            block = open_block(run, problem, EQ, dim, a, b)
            if block == OVERFLOW:
                return NEEDS_ROOM
            put_rows(state, run, problem, block, a, dim, work, blocks + sizes[at + 7] + 6 * first)
            put_rows(state, run, problem, block, b, dim, work, blocks + sizes[at + 8] + 6 * first)
            fill_bias(state, problem, block, row + first, dim, lead)
            if sizes[BODIES] == 0:
                for r in range(dim):
                    size = row_square(work, blocks + sizes[at + 7] + 6 * (first + r))
                    size += row_square(work, blocks + sizes[at + 8] + 6 * (first + r))
                    clear_rounding(state, problem, block, r, row + first + r, size, lead)
    i = 0
    while i < sizes[INCIDENCES]:
        # incidences of one constraint stand together; all its bodies are in two cliques at most
        begin = sizes[INCIDENCE_TABLE] + INCIDENCE_STRIDE * i
        row, count = sizes[begin + 2], sizes[begin + 3]
        end = i + 1
        other = sizes[begin]
        while end < sizes[INCIDENCES]:
            at = sizes[INCIDENCE_TABLE] + INCIDENCE_STRIDE * end
            if sizes[at + 4] == 1:
                break
            if clique_of(run, sizes[at]) != clique_of(run, sizes[begin]):
                other = sizes[at]
            end += 1
        for part in range((count + MOST_ROWS - 1) // MOST_ROWS):
            first = MOST_ROWS * part
            dim = min(MOST_ROWS, count - first)
            block = open_block(run, problem, EQ, dim, sizes[begin], other)
            if block == OVERFLOW:
                return NEEDS_ROOM
            for k in range(i, end):
                at = sizes[INCIDENCE_TABLE] + INCIDENCE_STRIDE * k
                place = blocks + sizes[at + 1] + 6 * first
                put_rows(state, run, problem, block, sizes[at], dim, work, place)
            fill_bias(state, problem, block, row + first, dim, lead)
            if sizes[BODIES] == 0:
                for r in range(dim):
                    size = 0.0
                    for k in range(i, end):
                        at = sizes[INCIDENCE_TABLE] + INCIDENCE_STRIDE * k
                        size += row_square(work, blocks + sizes[at + 1] + 6 * (first + r))
                    clear_rounding(state, problem, block, r, row + first + r, size, lead)
        i = end
    return OK


@kernel
def fill_bias(state: State, problem: Problem, block, row, dim, lead):
    """Phi_t - lead rhs_a of the rows of a block, the first of which is `row` of the system."""
    work = state.work
    sizes = state.sizes
    x = problem.work
    to = row_at(problem, BIAS, block)
    for r in range(dim):
        x[to + r] = work[sizes[PHI_T] + row + r] - lead * work[sizes[RHS_A] + row + r]


@kernel
def row_square(work, at):
    """Sum of the squares of a row of a body."""
    total = 0.0
    for k in range(6):
        total += work[at + k] * work[at + k]
    return total


@kernel
def clear_rounding(state: State, problem: Problem, block, r, row, size, lead):
    """Make a row of a tree zero that is nothing but rounding, as one of a joint given twice.

    Rounding over rounding would be a velocity. size: square of its length in velocities of bodies.
    """
    work = state.work
    sizes = state.sizes
    p = problem.sizes
    x = problem.work
    record = p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block
    n, m = (
        clique_size(problem, p[record + PROBLEM_CLIQUE_A]),
        clique_size(problem, p[record + PROBLEM_CLIQUE_B]),
    )
    a, b = jacobian_a_at(problem, block) + n * r, jacobian_b_at(problem, block) + m * r
    total = 0.0
    for k in range(n):
        total += x[a + k] * x[a + k]
    for k in range(m):
        total += x[b + k] * x[b + k]
    if total > ROUNDED * ROUNDED * size:
        return
    for k in range(n):
        x[a + k] = 0.0
    for k in range(m):
        x[b + k] = 0.0
    x[row_at(problem, BIAS, block) + r] = work[sizes[PHI_T] + row]


@kernel
def row_size(state: State, row):
    """Length of a row of J, at least a small part of what it is elsewhere (`simulation`)."""
    work = state.work
    sizes = state.sizes
    total = 0.0
    for k in range(sizes[NV]):
        entry = work[sizes[JACOBIAN] + sizes[NV] * row + k]
        total += entry * entry
    return max(math.sqrt(total), VANISHING * work[sizes[ROW_SIZE] + row])


@kernel
def add_formula_rows(state: State, problem: Problem, lead):
    """EQ blocks of a model of formulas: rows of J, one clique, each over its size.

    Users write rows in any unit; the tolerance of a solve is a speed.
    """
    work = state.work
    sizes = state.sizes
    x = problem.work
    n = sizes[NV]
    for part in range((sizes[ROWS] + MOST_ROWS - 1) // MOST_ROWS):
        first = MOST_ROWS * part
        dim = min(MOST_ROWS, sizes[ROWS] - first)
        block = add_block(problem, EQ, dim, 0, -1)
        if block == OVERFLOW:
            return NEEDS_ROOM
        at = jacobian_a_at(problem, block)
        fill_bias(state, problem, block, first, dim, lead)
        to = row_at(problem, BIAS, block)
        for r in range(dim):
            scale = 1.0 / row_size(state, first + r)
            for k in range(n):
                x[at + n * r + k] = scale * work[sizes[JACOBIAN] + n * (first + r) + k]
            x[to + r] *= scale
    return OK
