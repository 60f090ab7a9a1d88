"""Rows that act on bodies, as rows of the cliques these belong to.

What acts on a body is written as rows of six entries, along its velocity and angular velocity in
world axes. In the clique of a tree they are S^T of it, joint by joint on the way to the world; the
torque is carried to each joint, n + r x f (Featherstone 2008, 2.8). `put_rows` alone knows where
they stand.

The tangent frame of a contact follows from its normal alone: T. Duff, J. Burgess, P. Christensen,
C. Hery, A. Kensler, M. Liani, R. Villemin, Building an orthonormal basis, revisited, Journal of
Computer Graphics Techniques 6 (2017): no root, no search for the smallest component, continuous
except where n_z changes its sign.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.blocks import is_nothing
from dalembert.contact.problem.layout import OVERFLOW, Problem
from dalembert.contact.problem.writing import add_block
from dalembert.contact.run.run_layout import ContactRun
from dalembert.numerics.spatial import force
from dalembert.numerics.vector import Vec3
from dalembert.system.state_layout import State

ROUNDED = 1e-13
"""Rest by rounding of the pull of a joint on whatever carries it, over that pull."""


@kernel
def clique_of(run: ContactRun, body):
    """Clique of a body; -1 for the world."""
    if body < 0 or body >= run.bodies:
        return -1
    return run.body(body).clique


@kernel
def open_block(run: ContactRun, problem: Problem, kind, dim, a, b):
    """A block between two bodies, J zero; OVERFLOW where there is no room."""
    first, second = clique_of(run, a), clique_of(run, b)
    if first == second:
        second = -1
    number = add_block(problem, kind, dim, first, second)
    if number == OVERFLOW:
        return OVERFLOW
    # J_a and J_b stand one behind the other, and behind those of all blocks before
    for k in range(problem.block(number).jacobian_a, problem.jacobian_floats):
        problem.jacobian[k] = 0.0
    return number


@kernel
def put_rows(state: State, run: ContactRun, problem: Problem, block, body, rows):
    """J of the block += rows of a body: rows[6 r + k] along its k-th velocity."""
    clique = clique_of(run, body)
    if clique < 0:
        return
    if block.clique_a == clique:
        put_side_rows(state, run, problem.J_a(block), body, rows)
    else:
        put_side_rows(state, run, problem.J_b(block), body, rows)


@kernel
def put_side_rows(state: State, run: ContactRun, J, body, rows):
    """J of one side += rows of a body."""
    if state.bodies == 0:
        put_on_tree(state, run, J, body, rows)
        return
    place = run.body(body).place
    for r in range(len(J)):
        for k in range(6):
            J[r, place + k] += rows[6 * r + k]


# -- on a tree -------------------------------------------------------------------------------------


@apart(None)
def put_on_tree(state: State, run: ContactRun, J, body, rows):
    """Add rows of a body that a tree carries to J: S^T of them, along its way to the world."""
    tree = state.tree
    if len(J) == 3:
        put_three_on_tree(tree, run, J, body, rows)
        return
    for r in range(len(J)):
        f = force(rows, 6 * r)
        i = tree.link_of(body)
        while i > 0:
            link = tree.link(i)
            put_on_link(tree, run, J[r], link, f)
            f, i = f.carried(link.arm), link.parent


@kernel
def put_three_on_tree(tree, run: ContactRun, J, body, rows):
    """Three rows on their common way."""
    f, g, h = force(rows, 0), force(rows, 6), force(rows, 12)
    i = tree.link_of(body)
    while i > 0:
        link = tree.link(i)
        for k in range(link.v_start, link.v_start + link.dofs):
            S, place = tree.dof(k).S, run.dof(k).place
            J[0, place] += f.dot(S)
            J[1, place] += g.dot(S)
            J[2, place] += h.dot(S)
        f, g, h = f.carried(link.arm), g.carried(link.arm), h.carried(link.arm)
        i = link.parent


@kernel
def put_on_link(tree, run: ContactRun, J, link, f):
    """A row of J += S^T f of one joint."""
    for k in range(link.v_start, link.v_start + link.dofs):
        J[run.dof(k).place] += f.dot(tree.dof(k).S)


@kernel
def put_two_on_tree(state: State, run: ContactRun, J, first, second):
    """A row of two bodies of a tree: their ways are one where they meet.

    The row of a joint is a couple there, and nothing is left of it. `first` and `second` are
    bodies of a one-sided row.
    """
    tree = state.tree
    i, j = tree.link_of(first.body), tree.link_of(second.body)
    f, g = force(state.side_jacobian, first.start), force(state.side_jacobian, second.start)
    while i != j:
        if i > j:
            link = tree.link(i)
            put_on_link(tree, run, J, link, f)
            f, i = f.carried(link.arm), link.parent
        else:
            link = tree.link(j)
            put_on_link(tree, run, J, link, g)
            g, j = g.carried(link.arm), link.parent
    f = f + g
    if is_nothing(f.force.dot(f.force) + f.torque.dot(f.torque)):
        return
    while i > 0:
        link = tree.link(i)
        put_on_link(tree, run, J, link, f)
        f, i = f.carried(link.arm), link.parent


@kernel
def only_entry(tree, i, f, j, g):
    """The only velocity that forces on two links of a tree act on, and its J; -1: there are more.

    As in `put_two_on_tree`; link 0 is the world. What is left by rounding is none.
    """
    found, entry, second = -1, 0.0, 0.0
    while i != j:
        if i < j:
            i, f, j, g = j, g, i, f
        link = tree.link(i)
        for k in range(link.v_start, link.v_start + link.dofs):
            part = f.dot(tree.dof(k).S)
            if abs(part) > abs(entry):
                found, entry, second = k, part, abs(entry)
            else:
                second = max(second, abs(part))
        f, i = f.carried(link.arm), link.parent
    if i > 0:
        size = f.force.dot(f.force) + f.torque.dot(f.torque)
        f = f + g
        if not f.force.dot(f.force) + f.torque.dot(f.torque) <= ROUNDED * ROUNDED * size:
            return -1, 0.0
    if second > ROUNDED * abs(entry):
        return -1, 0.0
    return found, entry


# -- the tangent frame of a contact, from its normal alone -----------------------------------------


@kernel
def tangents(n):
    """(t1, t2) such that (n, t1, t2) is a right-handed orthonormal frame; |n| = 1."""
    sign = math.copysign(1.0, n.z)
    a = -1.0 / (sign + n.z)
    b = n.x * n.y * a
    t1 = Vec3(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x)
    t2 = Vec3(b, sign + n.y * n.y * a, -n.y)
    return t1, t2
