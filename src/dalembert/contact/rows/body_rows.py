"""Rows that act on bodies, as rows of the cliques these belong to.

What acts on a body is written as rows of six entries, along its velocity and angular velocity in
world axes. In the clique of a tree they are S^T of it, joint by joint on the way to the world; n is
carried to each joint, n + r x f (Featherstone 2008, 2.8). `put_rows` alone knows where they stand.
"""

from dalembert._jit import apart, kernel
from dalembert.contact.problem.layout import BLOCK as PROBLEM_BLOCK
from dalembert.contact.problem.layout import BLOCK_RECORD as PROBLEM_BLOCK_RECORD
from dalembert.contact.problem.layout import CLIQUE_A as PROBLEM_CLIQUE_A
from dalembert.contact.problem.layout import (
    OVERFLOW,
    Problem,
    clique_size,
    jacobian_a_at,
    jacobian_b_at,
)
from dalembert.contact.problem.writing import add_block
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import ContactRun
from dalembert.mechanics.tree_evaluate import rest_of, tree_of
from dalembert.numerics import small
from dalembert.system.layout import BODIES, TREE_ROOM
from dalembert.system.state_layout import State
from dalembert.system.tree_layout import (
    ARM,
    COLUMN,
    DOF_RECORD,
    DOF_ROOM,
    DOFS,
    LINK,
    LINK_ROOM,
    LINK_TABLE,
    PARENT,
    V_START,
)
from dalembert.system.tree_layout import BODY_TABLE as TREE_BODIES

ROUNDED = 1e-13
"""Rest by rounding of the pull of a joint on whatever carries it, over that pull."""


@kernel
def clique_of(run: ContactRun, body):
    """Clique of a body; -1 for the world."""
    integers = run.sizes
    if body < 0 or body >= integers[memory.BODIES]:
        return -1
    return integers[integers[memory.BODY_TABLE] + 2 * body]


@kernel
def open_block(run: ContactRun, problem: Problem, kind, dim, a, b):
    """A block between two bodies, J zero; OVERFLOW where there is no room."""
    x = problem.work
    first, second = clique_of(run, a), clique_of(run, b)
    if first == second:
        second = -1
    block = add_block(problem, kind, dim, first, second)
    if block == OVERFLOW:
        return OVERFLOW
    at = jacobian_a_at(problem, block)
    for k in range(dim * (clique_size(problem, first) + clique_size(problem, second))):
        x[at + k] = 0.0
    return block


@kernel
def put_rows(state: State, run: ContactRun, problem: Problem, block, body, dim, rows, at):
    """J of the block += rows of a body: rows[at + 6 r + k] along its k-th velocity."""
    sizes = state.sizes
    integers = run.sizes
    p = problem.sizes
    x = problem.work
    clique = clique_of(run, body)
    if clique < 0:
        return
    size = clique_size(problem, clique)
    record = p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block
    to = jacobian_a_at(problem, block)
    if p[record + PROBLEM_CLIQUE_A] != clique:
        to = jacobian_b_at(problem, block)
    if sizes[BODIES] == 0:
        put_on_tree(state, run, problem, to, size, body, dim, rows, at)
        return
    to += integers[integers[memory.BODY_TABLE] + 2 * body + 1]
    for r in range(dim):
        for k in range(6):
            x[to + size * r + k] += rows[at + 6 * r + k]


@apart(None)
def put_on_tree(state: State, run: ContactRun, problem: Problem, to, size, body, dim, rows, at):
    """Add rows of a body that a tree carries to J: S^T of them, along its way to the world."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    x = problem.work
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
def put_two_on_tree(state: State, run: ContactRun, problem: Problem, to, first, second, at, other):
    """A row of two bodies of a tree: their ways are one where they meet.

    The row of a joint is a couple there, and nothing is left of it.
    """
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    x = problem.work
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
def only_entry(state: State, first, second, at, other):
    """The only velocity that a row of two bodies of a tree acts on, and its J; -1: there are more.

    As in `put_two_on_tree`; a second body that is negative is the world.
    """
    work = state.work
    sizes = state.sizes
    tree, room = tree_of(sizes), rest_of(work, sizes, TREE_ROOM)
    j, g, m = 0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    i, f, n = (
        tree[tree[TREE_BODIES] + first],
        small.vector(work, at),
        small.vector(work, at + 3),
    )
    if second >= 0:
        j = tree[tree[TREE_BODIES] + second]
        g, m = small.vector(work, other), small.vector(work, other + 3)
    found, entry = -1, 0.0
    while i != j:
        if i < j:
            i, f, n, j, g, m = j, g, m, i, f, n
        link = tree[LINK_TABLE] + LINK * (i - 1)
        for k in range(tree[link + V_START], tree[link + V_START] + tree[link + DOFS]):
            slot = tree[DOF_ROOM] + DOF_RECORD * k + COLUMN
            part = small.dot(f, small.vector(room, slot))
            part += small.dot(n, small.vector(room, slot + 3))
            if part != 0.0:
                if found >= 0:
                    return -1, 0.0
                found, entry = k, part
        n = small.add(n, small.cross(small.vector(room, LINK_ROOM * i + ARM), f))
        i = tree[link + PARENT]
    if i > 0:
        size = small.dot(f, f) + small.dot(n, n)
        f, n = small.add(f, g), small.add(n, m)
        if not small.dot(f, f) + small.dot(n, n) <= ROUNDED * ROUNDED * size:
            return -1, 0.0
    return found, entry
