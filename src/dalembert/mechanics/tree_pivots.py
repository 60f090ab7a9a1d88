"""Inertia that resists each velocity of a tree, in O(n): what shows whether M can be inverted.

The pivots D of M = L^T D L (`tree_factor`) are the D = S^T I^A S of the articulated-body
algorithm (Featherstone 2008, eq. 7.43): both eliminate the velocities from the leaves to the root.
"""

from dalembert._jit import kernel
from dalembert.mechanics.tree_aba import carry
from dalembert.mechanics.tree_crba import composite_inertias
from dalembert.numerics.spatial import ArticulatedInertia, Force
from dalembert.system.borders import NOT_POSITIVE_DEFINITE, OK
from dalembert.system.tree_layout import Constants, Tree


@kernel
def inertia_pivots(integers, numbers, room, diagonal_out, pivot_out):
    """Diagonal of M and its pivots, after `move`; ends at a pivot that is not positive."""
    tree, given = Tree(integers, room), Constants(integers, numbers)
    composite_inertias(tree)
    for i in range(1, tree.head.links + 1):
        link, carried = tree.link(i), tree.composite(i).inertia
        for k in range(link.v_start, link.v_start + link.dofs):
            S = tree.dof(k).S
            diagonal_out[k] = (carried @ S).dot(S) + given.armature(k)
    for link in tree.inward:
        own = ArticulatedInertia.of_body(link.mass, link.theta)
        I = own if link.is_leaf == 1 else link.inertia
        for k in range(link.v_start + link.dofs - 1, link.v_start - 1, -1):
            S = tree.dof(k).S
            U = I @ S
            D = U.dot(S) + given.armature(k)
            pivot_out[k] = D
            if not D > 0.0:
                return NOT_POSITIVE_DEFINITE
            I = I.less_dyad(U, (1.0 / D) * U)
        if link.parent > 0:
            carry(tree.parent(link), link, I, Force.zero())
    return OK
