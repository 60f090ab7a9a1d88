"""Rows of loops on a tree, J = J_b S, and what of them is left when their terms have cancelled.

    J_ik = sum over the bodies of f_i . S_lin,k + n_i . S_ang,k                   (trees 5, eq. 1)
    E_ik = sum over the bodies of |f_i| |S_lin,k| + |n_i| |S_ang,k|                     (eq. 2)

Terms of a row that says what the joints of the tree say already cancel: of J_ik only the rounding
of E_ik remains. Whatever divides by the size of such a row divides rounding by rounding. An entry
that is the rounding of its terms is zero, and the share s_i = max_k |J_ik| / E_ik of a row tells
how large it would be without cancellation: |J_i| / s_i. It holds no masses.
"""

from dalembert._jit import in_traces, kernel
from dalembert.numerics.spatial import force
from dalembert.system.loop_tables import loops_of
from dalembert.system.state_layout import State

ROUNDED = 1e-12
"""Entry of J, over the size of its terms, that is rounding, of bodies at the end of a long chain,
too."""

PLAIN = 0.03
"""Largest entry of a row, over what the longest columns of S would make of it, above which its
share is taken for 1: few terms have cancelled, and nobody need know which."""


@kernel
def longest_columns(tree):
    """Greatest sizes of S_lin and S_ang of all velocities."""
    linear, angular = 0.0, 0.0
    for k in range(tree.head.nv):
        S = tree.dof(k).S
        linear = max(linear, S.linear.extent)
        angular = max(angular, S.angular.extent)
    return linear, angular


@kernel
def gather_rows(state: State):
    """J = J_b S of every constraint and rhs_a less J_b gamma; the share of every row."""
    loops = loops_of(state)
    if len(loops) == 0:
        return
    J, share = state.tree_rows, state.row_share
    linear, angular = longest_columns(state.tree)
    for loop in loops:
        for k in range(loop.start, loop.start + loop.count * loop.width):
            J[k] = 0.0
        for r in range(loop.row, loop.row + loop.count):
            share[r] = 0.0
        for s in range(loop.side_count):
            add_side(state, loop, loops.side(loop, s), linear, angular)
        for r in range(loop.count):
            whole, big = share[loop.row + r], 0.0
            for k in range(loop.width):
                big = max(big, abs(J[loop.start + loop.width * r + k]))
            share[loop.row + r] = 1.0
            if not big > PLAIN * whole:
                weigh_terms(state, loop, r)


@kernel
def add_side(state: State, loop, side, longest, widest):
    """Add one body's part of a constraint to J and rhs_a; a bound of its entries to the shares."""
    loops, tree, J, rhs, share = (
        loops_of(state),
        state.tree,
        state.tree_rows,
        state.rhs_a,
        state.row_share,
    )
    block = state.block(side.block, loop.count)
    bias = tree.link(loops.link(side, 0).link).acceleration
    way_length = longest
    for i in range(side.link_count):
        way_length += widest * tree.link(loops.link(side, i).link).arm.extent
    for r in range(loop.count):
        row = force(block, 6 * r)
        rhs[loop.row + r] -= row.dot(bias)
        share[loop.row + r] += row.force.largest * way_length + row.torque.largest * widest
        mine = loop.start + loop.width * r
        for i in range(side.link_count):
            way = loops.link(side, i)
            for k in range(way.dofs):
                J[mine + way.index + k] += row.dot(tree.dof(way.v_start + k).S)
            row = row.carried(tree.link(way.link).arm)


@kernel
def weigh_terms(state: State, loop, r):
    """The share of a row, by E; entries that are rounding become zero."""
    loops, tree, reach, J = loops_of(state), state.tree, state.tree_reach, state.tree_rows
    for k in range(loop.width):
        reach[k] = 0.0
    for s in range(loop.side_count):
        side = loops.side(loop, s)
        row = force(state.block(side.block, loop.count), 6 * r)
        pull, turn = row.force.largest, row.torque.largest
        for i in range(side.link_count):
            way = loops.link(side, i)
            for k in range(way.dofs):
                S = tree.dof(way.v_start + k).S
                terms = pull * S.linear.extent
                terms += turn * S.angular.extent
                reach[way.index + k] += terms
            turn += pull * tree.link(way.link).arm.extent
    mine, share = loop.start + loop.width * r, 0.0
    for k in range(loop.width):
        entry, terms = abs(J[mine + k]), reach[k]
        if entry <= ROUNDED * terms:
            J[mine + k] = 0.0
        elif entry > share * terms:
            share = entry / terms
    state.row_share[loop.row + r] = share


@in_traces(weigh_terms)
def take_as_it_is(state: State, loop, r):
    """The share of a row whose terms are not weighed: all of it."""
    state.row_share[loop.row + r] = 1.0
