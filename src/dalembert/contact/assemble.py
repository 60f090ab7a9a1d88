"""From an evaluated state to the contact problem: cliques, joints, one-sided rows.

    A = M,   v* = v + h A^-1 Q                          (gyroscopic torques of bodies implicitly)
    joints and formula constraints: EQ with bias Phi_t - lead rhs_a                (contact.md 3)

rhs_a = -(J' v + ...) is what J v' equals: with J of the middle of a step the velocity at its end,
half a step later, has J v = -Phi_t + h/2 rhs_a. A step of first order has no lead.

What acts on a body is written as rows of six entries (along its velocity and angular velocity in
world axes); `put_rows` alone knows where these stand in the clique the body belongs to.
"""

import math

from dalembert._jit import kernel, vector_view
from dalembert.contact import memory
from dalembert.contact.layout import (
    BIAS,
    EQ,
    MOST_ROWS,
    OVERFLOW,
    V_BEFORE,
    V_FREE,
    add_block,
    add_clique,
    clique_size,
    jacobian_a_at,
    jacobian_b_at,
    matrix_at,
    parent_at,
    row_at,
    velocity_at,
)
from dalembert.contact.layout import BLOCK as PROBLEM_BLOCK
from dalembert.contact.layout import BLOCK_RECORD as PROBLEM_BLOCK_RECORD
from dalembert.contact.layout import CLIQUE_A as PROBLEM_CLIQUE_A
from dalembert.mechanics.tree_evaluate import rest_of, tree_of
from dalembert.numerics import small
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
    TREE_ROOM,
    vector,
)
from dalembert.system.tables import INCIDENCE_STRIDE, PAIR_STRIDE
from dalembert.system.tree_layout import (
    ARM,
    COLUMN,
    DOF,
    DOF_PARENT,
    DOF_RECORD,
    DOF_ROOM,
    DOF_TABLE,
    DOFS,
    LINK,
    LINK_ROOM,
    LINK_TABLE,
    PARENT,
    V_START,
)
from dalembert.system.tree_layout import BODY_TABLE as TREE_BODIES

VANISHING = 1e-3
"""Length of a row, over its usual one, below which it is not made longer."""


@kernel
def complete_inertias(work, sizes):
    """Add what bodies lack (a rod has no inertia about its axis) to the evaluated inertias.

    Friction may turn a body about any axis. What is missing is a small part of what the body has
    about the others (`system.body_system`).
    """
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
def add_cliques(work, sizes, integers, p, x, v, free):
    """The cliques with A, v* = `free` and the velocity before the step, v."""
    for c in range(integers[memory.CLIQUES]):
        size = integers[integers[memory.CLIQUE_TABLE] + c]
        if add_clique(p, size) == OVERFLOW:
            return NEEDS_ROOM
    if sizes[MECHANISM] == 1 and sizes[BODIES] == 0:
        add_branches(work, sizes, integers, p, x, v, free)
        return OK
    if sizes[BODIES] == 0:
        n = sizes[NV]
        at = matrix_at(p, 0)
        for k in range(n * n):
            x[at + k] = work[sizes[MASS] + k]
        to, before = velocity_at(p, V_FREE, 0), velocity_at(p, V_BEFORE, 0)
        for k in range(n):
            x[to + k] = free[k]
            x[before + k] = v[k]
        return OK
    for b in range(sizes[BODIES]):
        table = integers[memory.BODY_TABLE] + 2 * b
        c, first = integers[table], integers[table + 1]
        size = clique_size(p, c)
        at = matrix_at(p, c)
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
        to = velocity_at(p, V_FREE, c) + first
        before = velocity_at(p, V_BEFORE, c) + first
        for k in range(6):
            x[to + k] = free[6 * b + k]
            x[before + k] = v[6 * b + k]
    return OK


@kernel
def add_branches(work, sizes, integers, p, x, v, free):
    """Cliques of a tree: each is made of whole branches from the world, M keeps to their ways.

    Between branches A is zero, and was since the arrays of the run were made: a run has always the
    same cliques.
    """
    tree, n = tree_of(sizes), sizes[NV]
    parents = tree[DOF_TABLE] + DOF_PARENT
    for k in range(n):
        own = integers[memory.DOF_CLIQUES] + 2 * k
        clique, place = integers[own], integers[own + 1]
        size, at = clique_size(p, clique), matrix_at(p, clique)
        x[velocity_at(p, V_FREE, clique) + place] = free[k]
        x[velocity_at(p, V_BEFORE, clique) + place] = v[k]
        j = tree[parents + DOF * k]
        before = integers[integers[memory.DOF_CLIQUES] + 2 * j + 1] if j >= 0 else -1
        p[parent_at(p, clique) + place] = before
        j = k
        while j >= 0:
            other = integers[integers[memory.DOF_CLIQUES] + 2 * j + 1]
            entry = work[sizes[MASS] + n * k + j]
            x[at + size * place + other] = entry
            x[at + size * other + place] = entry
            j = tree[parents + DOF * j]


@kernel
def take_velocities(sizes, integers, p, x, field, v):
    """v <- velocities of the problem, body after body."""
    if sizes[MECHANISM] == 1 and sizes[BODIES] == 0:
        for k in range(sizes[NV]):
            at = integers[memory.DOF_CLIQUES] + 2 * k
            v[k] = x[velocity_at(p, field, integers[at]) + integers[at + 1]]
        return
    if sizes[BODIES] == 0:
        at = velocity_at(p, field, 0)
        for k in range(sizes[NV]):
            v[k] = x[at + k]
        return
    for b in range(sizes[BODIES]):
        table = integers[memory.BODY_TABLE] + 2 * b
        at = velocity_at(p, field, integers[table]) + integers[table + 1]
        for k in range(6):
            v[6 * b + k] = x[at + k]


@kernel
def put_velocities(sizes, integers, p, x, field, v):
    """Velocities of the problem <- v of a tree."""
    for k in range(sizes[NV]):
        at = integers[memory.DOF_CLIQUES] + 2 * k
        x[velocity_at(p, field, integers[at]) + integers[at + 1]] = v[k]


@kernel
def clique_of(integers, body):
    """Clique of a body; -1 for the world."""
    if body < 0 or body >= integers[memory.BODIES]:
        return -1
    return integers[integers[memory.BODY_TABLE] + 2 * body]


@kernel
def open_block(integers, p, x, kind, dim, a, b):
    """A block between two bodies, J zero; OVERFLOW where there is no room."""
    first, second = clique_of(integers, a), clique_of(integers, b)
    if first == second:
        second = -1
    block = add_block(p, x, kind, dim, first, second)
    if block == OVERFLOW:
        return OVERFLOW
    at = jacobian_a_at(p, block)
    for k in range(dim * (clique_size(p, first) + clique_size(p, second))):
        x[at + k] = 0.0
    return block


@kernel
def put_rows(work, sizes, integers, p, x, block, body, dim, rows, at):
    """J of the block += rows of a body: rows[at + 6 r + k] along its k-th velocity."""
    clique = clique_of(integers, body)
    if clique < 0:
        return
    size = clique_size(p, clique)
    record = p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block
    to = jacobian_a_at(p, block)
    if p[record + PROBLEM_CLIQUE_A] != clique:
        to = jacobian_b_at(p, block)
    if sizes[BODIES] == 0:
        put_on_tree(work, sizes, integers, x, to, size, body, dim, rows, at)
        return
    to += integers[integers[memory.BODY_TABLE] + 2 * body + 1]
    for r in range(dim):
        for k in range(6):
            x[to + size * r + k] += rows[at + 6 * r + k]


@kernel
def put_on_tree(work, sizes, integers, x, to, size, body, dim, rows, at):
    """The same for a body that a tree carries: S^T of its rows, along its way to the world."""
    tree, room = tree_of(sizes), rest_of(work, sizes, TREE_ROOM)
    if dim == 3:
        put_three_on_tree(tree, room, integers, x, to, size, body, rows, at)
        return
    for r in range(dim):
        f, n = small.vector(rows, at + 6 * r), small.vector(rows, at + 6 * r + 3)
        i = tree[tree[TREE_BODIES] + body]
        while i > 0:
            put_on_link(tree, room, integers, x, to + size * r, i, f, n)
            n = small.add(n, small.cross(small.vector(room, LINK_ROOM * i + ARM), f))
            i = tree[tree[LINK_TABLE] + LINK * (i - 1) + PARENT]


@kernel
def put_three_on_tree(tree, room, integers, x, to, size, body, rows, at):
    """Three rows on their common way."""
    cliques = integers[memory.DOF_CLIQUES]
    f, n = small.vector(rows, at), small.vector(rows, at + 3)
    g, m = small.vector(rows, at + 6), small.vector(rows, at + 9)
    h, l = small.vector(rows, at + 12), small.vector(rows, at + 15)
    i = tree[tree[TREE_BODIES] + body]
    while i > 0:
        link = tree[LINK_TABLE] + LINK * (i - 1)
        for k in range(tree[link + V_START], tree[link + V_START] + tree[link + DOFS]):
            slot = tree[DOF_ROOM] + DOF_RECORD * k + COLUMN
            move, turn = small.vector(room, slot), small.vector(room, slot + 3)
            place = to + integers[cliques + 2 * k + 1]
            x[place] += small.dot(f, move) + small.dot(n, turn)
            x[place + size] += small.dot(g, move) + small.dot(m, turn)
            x[place + 2 * size] += small.dot(h, move) + small.dot(l, turn)
        arm = small.vector(room, LINK_ROOM * i + ARM)
        n, m = small.add(n, small.cross(arm, f)), small.add(m, small.cross(arm, g))
        l = small.add(l, small.cross(arm, h))
        i = tree[link + PARENT]


@kernel
def put_on_link(tree, room, integers, x, to, i, f, n):
    """A row of J += S^T (f, n) of one joint."""
    link, cliques = tree[LINK_TABLE] + LINK * (i - 1), integers[memory.DOF_CLIQUES]
    for k in range(tree[link + V_START], tree[link + V_START] + tree[link + DOFS]):
        slot = tree[DOF_ROOM] + DOF_RECORD * k + COLUMN
        part = small.dot(f, small.vector(room, slot))
        part += small.dot(n, small.vector(room, slot + 3))
        x[to + integers[cliques + 2 * k + 1]] += part


@kernel
def put_two_on_tree(work, sizes, integers, x, to, first, second, at, other):
    """A row of two bodies of a tree: their ways are one where they meet.

    The row of a joint is a couple there, and nothing is left of it.
    """
    tree, room = tree_of(sizes), rest_of(work, sizes, TREE_ROOM)
    i, j = tree[tree[TREE_BODIES] + first], tree[tree[TREE_BODIES] + second]
    f, n = small.vector(work, at), small.vector(work, at + 3)
    g, m = small.vector(work, other), small.vector(work, other + 3)
    while i != j:
        if i > j:
            put_on_link(tree, room, integers, x, to, i, f, n)
            n = small.add(n, small.cross(small.vector(room, LINK_ROOM * i + ARM), f))
            i = tree[tree[LINK_TABLE] + LINK * (i - 1) + PARENT]
        else:
            put_on_link(tree, room, integers, x, to, j, g, m)
            m = small.add(m, small.cross(small.vector(room, LINK_ROOM * j + ARM), g))
            j = tree[tree[LINK_TABLE] + LINK * (j - 1) + PARENT]
    f, n = small.add(f, g), small.add(n, m)
    if small.dot(f, f) + small.dot(n, n) == 0.0:
        return
    while i > 0:
        put_on_link(tree, room, integers, x, to, i, f, n)
        n = small.add(n, small.cross(small.vector(room, LINK_ROOM * i + ARM), f))
        i = tree[tree[LINK_TABLE] + LINK * (i - 1) + PARENT]


@kernel
def add_constraints(work, sizes, integers, p, x, lead):
    """EQ blocks of joints and formula constraints, in the order of `fixed_blocks`."""
    bias = vector(work, sizes, PHI_T, ROWS)
    if lead > 0.0:
        for i in range(sizes[ROWS]):
            bias[i] -= lead * work[sizes[RHS_A] + i]
    if sizes[MECHANISM] == 0:
        return add_formula_rows(work, sizes, p, x, bias)
    blocks = sizes[JACOBIAN_BLOCKS]
    for e in range(sizes[PAIRS]):
        at = sizes[PAIR_TABLE] + PAIR_STRIDE * e
        a, b, row, count = sizes[at + 2], sizes[at + 3], sizes[at + 5], sizes[at + 6]
        for part in range((count + MOST_ROWS - 1) // MOST_ROWS):
            first = MOST_ROWS * part
            dim = min(MOST_ROWS, count - first)
            block = open_block(integers, p, x, EQ, dim, a, b)
            if block == OVERFLOW:
                return NEEDS_ROOM
            put_rows(
                work, sizes, integers, p, x, block, a, dim, work, blocks + sizes[at + 7] + 6 * first
            )
            put_rows(
                work, sizes, integers, p, x, block, b, dim, work, blocks + sizes[at + 8] + 6 * first
            )
            to = row_at(p, BIAS, block)
            for r in range(dim):
                x[to + r] = bias[row + first + r]
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
            if clique_of(integers, sizes[at]) != clique_of(integers, sizes[begin]):
                other = sizes[at]
            end += 1
        for part in range((count + MOST_ROWS - 1) // MOST_ROWS):
            first = MOST_ROWS * part
            dim = min(MOST_ROWS, count - first)
            block = open_block(integers, p, x, EQ, dim, sizes[begin], other)
            if block == OVERFLOW:
                return NEEDS_ROOM
            for k in range(i, end):
                at = sizes[INCIDENCE_TABLE] + INCIDENCE_STRIDE * k
                place = blocks + sizes[at + 1] + 6 * first
                put_rows(work, sizes, integers, p, x, block, sizes[at], dim, work, place)
            to = row_at(p, BIAS, block)
            for r in range(dim):
                x[to + r] = bias[row + first + r]
        i = end
    return OK


@kernel
def row_size(work, sizes, row):
    """Length of a row of J, at least a small part of what it is elsewhere (`simulation`)."""
    total = 0.0
    for k in range(sizes[NV]):
        entry = work[sizes[JACOBIAN] + sizes[NV] * row + k]
        total += entry * entry
    return max(math.sqrt(total), VANISHING * work[sizes[ROW_SIZE] + row])


@kernel
def add_formula_rows(work, sizes, p, x, bias):
    """EQ blocks of a model of formulas: rows of J, one clique, each over its size.

    Users write rows in any unit; the tolerance of a solve is a speed.
    """
    n = sizes[NV]
    for part in range((sizes[ROWS] + MOST_ROWS - 1) // MOST_ROWS):
        first = MOST_ROWS * part
        dim = min(MOST_ROWS, sizes[ROWS] - first)
        block = add_block(p, x, EQ, dim, 0, -1)
        if block == OVERFLOW:
            return NEEDS_ROOM
        at = jacobian_a_at(p, block)
        to = row_at(p, BIAS, block)
        for r in range(dim):
            scale = 1.0 / row_size(work, sizes, first + r)
            for k in range(n):
                x[at + n * r + k] = scale * work[sizes[JACOBIAN] + n * (first + r) + k]
            x[to + r] = scale * bias[first + r]
    return OK
