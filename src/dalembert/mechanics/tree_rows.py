"""Rows of loops on a tree, J = J_b S, and what of them is left when their terms have cancelled.

    J_ik = sum over the bodies of f_i . S_lin,k + n_i . S_ang,k                   (trees 5, eq. 1)
    E_ik = sum over the bodies of |f_i| |S_lin,k| + |n_i| |S_ang,k|                     (eq. 2)

Terms of a row that says what the joints of the tree say already cancel: of J_ik only the rounding
of E_ik remains. Whatever divides by the size of such a row divides rounding by rounding. An entry
that is the rounding of its terms is zero, and the share s_i = max_k |J_ik| / E_ik of a row tells
how large it would be without cancellation: |J_i| / s_i. It holds no masses.
"""

from dalembert._jit import kernel
from dalembert.numerics.small import add, cross, dot, vector
from dalembert.system.layout import (
    JACOBIAN_BLOCKS,
    NV,
    RHS_A,
    ROW_SHARE,
    TREE_ELEMENT_TABLE,
    TREE_ELEMENTS,
    TREE_REACH,
    TREE_ROWS,
)
from dalembert.system.loop_rows import ELEMENT, SIDE, WAY
from dalembert.system.tree_layout import (
    ACCELERATION,
    ARM,
    COLUMN,
    DOF_RECORD,
    LINK_ROOM,
)

ROUNDED = 1e-12
"""Entry of J, over the size of its terms, that is rounding, of bodies at the end of a long chain,
too."""

PLAIN = 0.03
"""Largest entry of a row, over what the longest columns of S would make of it, above which its
share is taken for 1: few terms have cancelled, and nobody need know which."""


@kernel
def largest(a):
    """Maximum norm."""
    return max(abs(a[0]), max(abs(a[1]), abs(a[2])))


@kernel
def extent(a):
    """Sum norm: |a . b| <= extent(a) largest(b), and so for the entries of a x b."""
    return abs(a[0]) + abs(a[1]) + abs(a[2])


@kernel
def longest_columns(room, dofs, count):
    """Greatest sizes of S_lin and S_ang of all velocities."""
    linear, angular = 0.0, 0.0
    for k in range(count):
        slot = dofs + DOF_RECORD * k + COLUMN
        linear = max(linear, extent(vector(room, slot)))
        angular = max(angular, extent(vector(room, slot + 3)))
    return linear, angular


@kernel
def gather_rows(work, sizes, room, dofs):
    """J = J_b S of every constraint and RHS_A less J_b gamma; ROW_SHARE."""
    if sizes[TREE_ELEMENTS] == 0:
        return
    table = sizes[TREE_ELEMENT_TABLE]
    linear, angular = longest_columns(room, dofs, sizes[NV])
    for e in range(sizes[TREE_ELEMENTS]):
        at = table + ELEMENT * e
        row, count, width = sizes[at], sizes[at + 1], sizes[at + 2]
        place = sizes[TREE_ROWS] + sizes[at + 3]
        for k in range(count * width):
            work[place + k] = 0.0
        for r in range(count):
            work[sizes[ROW_SHARE] + row + r] = 0.0
        for s in range(sizes[at + 9]):
            side = table + sizes[at + 8] + SIDE * s
            add_side(work, sizes, room, dofs, at, side, linear, angular)
        for r in range(count):
            whole, big = work[sizes[ROW_SHARE] + row + r], 0.0
            for k in range(width):
                big = max(big, abs(work[place + width * r + k]))
            work[sizes[ROW_SHARE] + row + r] = 1.0
            if not big > PLAIN * whole:
                weigh_terms(work, sizes, room, dofs, at, r)


@kernel
def add_side(work, sizes, room, dofs, at, side, longest, widest):
    """Add one body's part of a constraint to J and RHS_A; a bound of its entries to ROW_SHARE."""
    row, width, place = sizes[at], sizes[at + 2], sizes[TREE_ROWS] + sizes[at + 3]
    table, block = sizes[TREE_ELEMENT_TABLE], sizes[JACOBIAN_BLOCKS] + sizes[side]
    first, links = table + sizes[side + 1], sizes[side + 2]
    bias = LINK_ROOM * sizes[first] + ACCELERATION
    linear, angular = vector(room, bias), vector(room, bias + 3)
    way_length = longest
    for i in range(links):
        way_length += widest * extent(vector(room, LINK_ROOM * sizes[first + WAY * i] + ARM))
    for r in range(sizes[at + 1]):
        f, n = vector(work, block + 6 * r), vector(work, block + 6 * r + 3)
        work[sizes[RHS_A] + row + r] -= dot(f, linear) + dot(n, angular)
        work[sizes[ROW_SHARE] + row + r] += largest(f) * way_length + largest(n) * widest
        mine = place + width * r
        for i in range(links):
            way = first + WAY * i
            for k in range(sizes[way + 2]):
                slot = dofs + DOF_RECORD * (sizes[way + 1] + k) + COLUMN
                part = dot(f, vector(room, slot)) + dot(n, vector(room, slot + 3))
                work[mine + sizes[way + 3] + k] += part
            n = add(n, cross(vector(room, LINK_ROOM * sizes[way] + ARM), f))


@kernel
def weigh_terms(work, sizes, room, dofs, at, r):
    """The share of a row, by E; entries that are rounding become zero."""
    table, width = sizes[TREE_ELEMENT_TABLE], sizes[at + 2]
    reach = sizes[TREE_REACH]
    for k in range(width):
        work[reach + k] = 0.0
    for s in range(sizes[at + 9]):
        side = table + sizes[at + 8] + SIDE * s
        block, first = sizes[JACOBIAN_BLOCKS] + sizes[side] + 6 * r, table + sizes[side + 1]
        force, torque = largest(vector(work, block)), largest(vector(work, block + 3))
        for i in range(sizes[side + 2]):
            way = first + WAY * i
            for k in range(sizes[way + 2]):
                slot = dofs + DOF_RECORD * (sizes[way + 1] + k) + COLUMN
                terms = force * extent(vector(room, slot))
                terms += torque * extent(vector(room, slot + 3))
                work[reach + sizes[way + 3] + k] += terms
            torque += force * extent(vector(room, LINK_ROOM * sizes[way] + ARM))
    mine, share = sizes[TREE_ROWS] + sizes[at + 3] + width * r, 0.0
    for k in range(width):
        entry, terms = abs(work[mine + k]), work[reach + k]
        if entry <= ROUNDED * terms:
            work[mine + k] = 0.0
        elif entry > share * terms:
            share = entry / terms
    work[sizes[ROW_SHARE] + sizes[at] + r] = share
