"""Composite-rigid-body algorithm: the mass matrix of a tree (Featherstone 2008, chapter 6).

    I^c_i = I_i + sum over children of X^T I^c X                               (eq. 6.11)
    M_ii = S_i^T I^c_i S_i,   M_ij = S_j^T X^T ... X^T I^c_i S_i               (table 6.2)

M_ij vanishes unless one of i, j is on the other's way to the world; `mechanics.tree_factor` solves
with it.
"""

from dalembert._jit import kernel
from dalembert.numerics.spatial import RigidInertia
from dalembert.numerics.vector import Vec3
from dalembert.system.tree_layout import Constants, Tree


@kernel
def composite_inertias(tree):
    """Mass, first moment and inertia, about each link's centre of mass, of all that it carries."""
    links = tree.head.links
    for i in range(1, links + 1):
        own = tree.link(i)
        tree.composite(i).inertia = RigidInertia(own.mass, Vec3.zero(), own.theta)
    for i in range(links, 0, -1):
        link = tree.link(i)
        if link.parent > 0:
            above = tree.composite(link.parent)
            above.inertia = above.inertia + tree.composite(i).inertia.carried(link.arm)


@kernel
def mass_matrix(integers, numbers, room, M_out):
    """M (nv x nv, both triangles), after `move` (table 6.2)."""
    nv = Tree(integers, room).head.nv
    for j in range(nv):
        for k in range(nv):
            M_out[j, k] = 0.0
    mass_entries(integers, numbers, room, M_out)


@kernel
def mass_entries(integers, numbers, room, M_out):
    """The entries of M that do not always vanish."""
    tree, given = Tree(integers, room), Constants(integers, numbers)
    composite_inertias(tree)
    for i in range(1, tree.head.links + 1):
        own, carried = tree.link(i), tree.composite(i).inertia
        for k in range(own.v_start, own.v_start + own.dofs):
            f, on = carried @ tree.dof(k).S, i
            while on > 0:
                link = tree.link(on)
                for j in range(link.v_start, link.v_start + link.dofs):
                    entry = f.dot(tree.dof(j).S)
                    M_out[k, j] = entry
                    M_out[j, k] = entry
                f, on = f.carried(link.arm), link.parent
            M_out[k, k] += given.armature(k)
