"""From an evaluated state to the contact problem: cliques and joints.

    A = M,   v* = v + h A^-1 Q                          (gyroscopic torques of bodies implicitly)
    joints and formula constraints: EQ with bias Phi_t - lead rhs_a                (contact 16)

rhs_a = -(J' v + ...) is what J v' equals: with J of the middle of a step the velocity at its end,
half a step later, has J v = -Phi_t + h/2 rhs_a. A step of first order has no lead.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.problem.layout import EQ, OVERFLOW, Problem
from dalembert.contact.problem.record_layout import MOST_ROWS
from dalembert.contact.problem.writing import add_block, add_clique
from dalembert.contact.rows.body_rows import clique_of, open_block, put_rows
from dalembert.contact.run.run_layout import ContactRun
from dalembert.numerics.matrix import Sym3
from dalembert.system.borders import NEEDS_ROOM, OK
from dalembert.system.state_layout import State
from dalembert.system.tree_layout import Ways

ROUNDED = 1e-10
"""Length of a row of joint velocities, over that of bodies, below which it is rounding."""

VANISHING = 1e-3
"""Length of a row, over its usual one, below which it is not made longer."""


@apart(None)
def complete_inertias(state: State):
    """Add what bodies lack (a rod has no inertia about its axis) to the evaluated inertias.

    Friction may turn a body about any axis. What is missing is a small part of what the body has
    about the others (`system.body_system`).
    """
    for i in range(state.massless):
        body = state.turned_body(state.massless_body(i).body)
        body.theta = body.theta + Sym3.upper(state.missing_inertia(i).turned)


# -- cliques ---------------------------------------------------------------------------------------


@kernel
def add_cliques(state: State, run: ContactRun, problem: Problem, v, free):
    """The cliques with A, v* = `free` and the velocity before the step, v."""
    for c in range(run.cliques):
        if add_clique(problem, run.clique_table[c]) == OVERFLOW:
            return NEEDS_ROOM
    if state.on_tree:
        add_branches(state, run, problem, v, free)
    elif state.bodies == 0:
        A = problem.A(problem.clique(0))
        for i in range(state.nv):
            for k in range(state.nv):
                A[i, k] = state.mass[i, k]
            problem.v_free[i] = free[i]
            problem.v_before[i] = v[i]
    else:
        for b in range(state.bodies):
            add_body(state, run, problem, b, v, free)
    return OK


@kernel
def add_body(state: State, run: ContactRun, problem: Problem, b, v, free):
    """A, v* and v of a body of seven coordinates, in its clique."""
    member = run.body(b)
    clique, first = problem.clique(member.clique), member.place
    A = problem.A(clique)
    for r in range(first, first + 6):
        for k in range(clique.size):
            A[r, k] = 0.0
    body, turn = state.turned_body(b), first + 3
    theta = body.theta
    A[first, first] = A[first + 1, first + 1] = A[first + 2, first + 2] = body.mass
    A[turn, turn], A[turn, turn + 1], A[turn, turn + 2] = theta.xx, theta.xy, theta.xz
    A[turn + 1, turn], A[turn + 1, turn + 1], A[turn + 1, turn + 2] = theta.xy, theta.yy, theta.yz
    A[turn + 2, turn], A[turn + 2, turn + 1], A[turn + 2, turn + 2] = theta.xz, theta.yz, theta.zz
    own_free, own_v = clique.of(problem.v_free), clique.of(problem.v_before)
    for k in range(6):
        own_free[first + k] = free[6 * b + k]
        own_v[first + k] = v[6 * b + k]


@apart(None)
def add_branches(state: State, run: ContactRun, problem: Problem, v, free):
    """Cliques of a tree: each is made of whole branches from the world, M keeps to their ways.

    Between branches A is zero, and was since the arrays of the run were made: a run has always the
    same cliques.
    """
    ways = Ways(state.tree_integers)
    for k in range(state.nv):
        own = run.dof(k)
        clique, place = problem.clique(own.clique), own.place
        A = problem.A(clique)
        clique.of(problem.v_free)[place] = free[k]
        clique.of(problem.v_before)[place] = v[k]
        j = ways.above(k)
        clique.of(problem.parent)[place] = run.dof(j).place if j >= 0 else -1
        j = k
        while j >= 0:
            other = run.dof(j).place
            A[place, other] = A[other, place] = state.mass[k, j]
            j = ways.above(j)


@kernel
def take_velocities(state: State, run: ContactRun, problem: Problem, field, v):
    """v <- a vector over velocities of the problem, body after body."""
    if state.on_tree:
        for k in range(state.nv):
            own = run.dof(k)
            v[k] = field[problem.clique(own.clique).start + own.place]
    elif state.bodies == 0:
        for k in range(state.nv):
            v[k] = field[k]
    else:
        for b in range(state.bodies):
            own = run.body(b)
            start = problem.clique(own.clique).start + own.place
            for k in range(6):
                v[6 * b + k] = field[start + k]


@kernel
def take_without_impulses(state: State, run: ContactRun, problem: Problem, v):
    """v <- v*, without drives and other impulses, in a step of second order."""
    take_velocities(state, run, problem, problem.v_free, v)
    if run.absorbed > 0:
        for k in range(state.nv):
            v[k] = run.without_drives[k]


@kernel
def put_velocities(state: State, run: ContactRun, problem: Problem, field, v):
    """A vector over velocities of the problem <- v of a tree."""
    for k in range(state.nv):
        own = run.dof(k)
        field[problem.clique(own.clique).start + own.place] = v[k]


# -- joints and formula constraints ----------------------------------------------------------------


@kernel
def add_constraints(state: State, run: ContactRun, problem: Problem, lead):
    """EQ blocks of joints and formula constraints, in the order of `fixed_blocks`."""
    if state.mechanism == 0:
        return add_formula_rows(state, problem, lead)
    for e in range(state.pairs):
        pair = state.pair(e)
        for part in range((pair.count + MOST_ROWS - 1) // MOST_ROWS):
            if not add_pair(state, run, problem, pair, MOST_ROWS * part, lead):
                return NEEDS_ROOM
    i = 0
    while i < state.incidences:
        end = end_of_constraint(state, i)
        for part in range((state.incidence(i).count + MOST_ROWS - 1) // MOST_ROWS):
            if not add_incidences(state, run, problem, i, end, MOST_ROWS * part, lead):
                return NEEDS_ROOM
        i = end
    return OK


@apart(bool)
def add_pair(state: State, run: ContactRun, problem: Problem, pair, first, lead):
    """The block of a constraint of two frames, from its row `first` on. False: no room."""
    dim = min(MOST_ROWS, pair.count - first)
    number = open_block(run, problem, EQ, dim, pair.a, pair.b)
    if number == OVERFLOW:
        return False
    block = problem.block(number)
    rows_a = state.block(pair.block_a + 6 * first, dim)
    rows_b = state.block(pair.block_b + 6 * first, dim)
    put_rows(state, run, problem, block, pair.a, rows_a)
    put_rows(state, run, problem, block, pair.b, rows_b)
    fill_bias(state, problem, block, pair.row + first, lead)
    if state.bodies == 0:
        for r in range(dim):
            size = row_square(rows_a, r) + row_square(rows_b, r)
            clear_rounding(state, problem, block, r, pair.row + first + r, size)
    return True


@kernel
def end_of_constraint(state: State, i):
    """Where the incidences end, which stand together, of the constraint that the i-th begins."""
    end = i + 1
    while end < state.incidences and state.incidence(end).is_first == 0:
        end += 1
    return end


@apart(bool)
def add_incidences(state: State, run: ContactRun, problem: Problem, i, end, first, lead):
    """The block of a constraint of any number of bodies, from its row `first` on. False: no room.

    All its bodies are in two cliques at most.
    """
    begin = state.incidence(i)
    a, other = begin.body, begin.body
    for k in range(i + 1, end):
        body = state.incidence(k).body
        if clique_of(run, body) != clique_of(run, a):
            other = body
    row, dim = begin.row + first, min(MOST_ROWS, begin.count - first)
    number = open_block(run, problem, EQ, dim, a, other)
    if number == OVERFLOW:
        return False
    block = problem.block(number)
    for k in range(i, end):
        own = state.incidence(k)
        put_rows(state, run, problem, block, own.body, state.block(own.block + 6 * first, dim))
    fill_bias(state, problem, block, row, lead)
    if state.bodies == 0:
        for r in range(dim):
            size = 0.0
            for k in range(i, end):
                size += row_square(state.block(state.incidence(k).block + 6 * first, dim), r)
            clear_rounding(state, problem, block, r, row + r, size)
    return True


@kernel
def fill_bias(state: State, problem: Problem, block, row, lead):
    """Phi_t - lead rhs_a of the rows of a block, the first of which is `row` of the system."""
    bias = block.of(problem.bias)
    for r in range(block.dim):
        bias[r] = state.phi_t[row + r] - lead * state.rhs_a[row + r]


@kernel
def row_square(rows, r):
    """Sum of the squares of a row of a body."""
    total = 0.0
    for k in range(6):
        total += rows[6 * r + k] * rows[6 * r + k]
    return total


@apart(None)
def clear_rounding(state: State, problem: Problem, block, r, row, size):
    """Make a row of a tree zero that is nothing but rounding, as one of a joint given twice.

    Rounding over rounding would be a velocity. size: square of its length in velocities of bodies.
    """
    total = 0.0
    if block.clique_a >= 0:
        total = square_sum(problem.J_a(block)[r], total)
    if block.clique_b >= 0:
        total = square_sum(problem.J_b(block)[r], total)
    if total > ROUNDED * ROUNDED * size:
        return
    if block.clique_a >= 0:
        clear(problem.J_a(block)[r])
    if block.clique_b >= 0:
        clear(problem.J_b(block)[r])
    block.of(problem.bias)[r] = state.phi_t[row]


@kernel
def square_sum(x, total):
    """Sum of `total` and the squares of x."""
    for k in range(len(x)):
        total += x[k] * x[k]
    return total


@kernel
def clear(x):
    """x <- 0."""
    for k in range(len(x)):
        x[k] = 0.0


@kernel
def row_size(state: State, row):
    """Length of a row of J, at least a small part of what it is elsewhere (`simulation`)."""
    size = math.sqrt(square_sum(state.jacobian[row], 0.0))
    return max(size, VANISHING * state.row_size[row])


@apart(int)
def add_formula_rows(state: State, problem: Problem, lead):
    """EQ blocks of a model of formulas: rows of J, one clique, each over its size.

    Users write rows in any unit; the tolerance of a solve is a speed.
    """
    for part in range((state.rows + MOST_ROWS - 1) // MOST_ROWS):
        first = MOST_ROWS * part
        dim = min(MOST_ROWS, state.rows - first)
        number = add_block(problem, EQ, dim, 0, -1)
        if number == OVERFLOW:
            return NEEDS_ROOM
        block = problem.block(number)
        fill_bias(state, problem, block, first, lead)
        J, bias = problem.J_a(block), block.of(problem.bias)
        for r in range(dim):
            scale = 1.0 / row_size(state, first + r)
            for k in range(state.nv):
                J[r, k] = scale * state.jacobian[first + r, k]
            bias[r] *= scale
    return OK
