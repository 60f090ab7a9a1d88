"""Composite-rigid-body algorithm and what is solved with its M (Featherstone 2008, chapter 6).

    I^c_i = I_i + sum over children of X^T I^c X                               (eq. 6.11)
    M_ii = S_i^T I^c_i S_i,   M_ij = S_j^T X^T ... X^T I^c_i S_i               (table 6.2)

M_ij vanishes unless one of i, j is on the other's way to the world. The factors M = L^T D L keep
these zeros (branch-induced sparsity, sec. 6.5): nothing fills in.
"""

import math

from dalembert._jit import kernel
from dalembert.numerics.small import (
    add,
    axpy,
    cross,
    dot,
    put_vector,
    scale,
    symmetric,
    symmetric_times,
    vector,
)
from dalembert.system.borders import NOT_POSITIVE_DEFINITE, OK
from dalembert.system.tree_layout import (
    ARM,
    ARMATURE_START,
    ARTICULATED,
    COLUMN,
    COMPOSITE_RECORD,
    COMPOSITE_ROOM,
    DOF,
    DOF_PARENT,
    DOF_RECORD,
    DOF_ROOM,
    DOF_TABLE,
    DOFS,
    LINK,
    LINK_ROOM,
    LINK_TABLE,
    LINKS,
    PARENT,
    TREE_NV,
    V_START,
)


@kernel
def composite_inertias(tree, room):
    """Mass, first moment and inertia, about each link's centre of mass, of all that it carries."""
    composites = tree[COMPOSITE_ROOM]
    for i in range(1, tree[LINKS] + 1):
        mine, here = composites + COMPOSITE_RECORD * i, LINK_ROOM * i + ARTICULATED
        room[mine] = room[here]
        put_vector(room, mine + 1, (0.0, 0.0, 0.0))
        for k in range(6):
            room[mine + 4 + k] = room[here + 15 + k]
    for i in range(tree[LINKS], 0, -1):
        parent = tree[tree[LINK_TABLE] + LINK * (i - 1) + PARENT]
        mine, up = composites + COMPOSITE_RECORD * i, composites + COMPOSITE_RECORD * parent
        if parent == 0:
            continue
        r = vector(room, LINK_ROOM * i + ARM)
        mass, h = room[mine], vector(room, mine + 1)
        # J + m (2 d.r + r.r) 1 - (h r^T + r h^T + m r r^T),  h = m d
        s, t = 2.0 * dot(h, r) + mass * dot(r, r), axpy(mass, r, h)
        room[up] += mass
        room[up + 1] += t[0]
        room[up + 2] += t[1]
        room[up + 3] += t[2]
        room[up + 4] += room[mine + 4] + s - h[0] * r[0] - r[0] * t[0]
        room[up + 5] += room[mine + 5] + s - h[1] * r[1] - r[1] * t[1]
        room[up + 6] += room[mine + 6] + s - h[2] * r[2] - r[2] * t[2]
        room[up + 7] += room[mine + 7] - h[0] * r[1] - r[0] * t[1]
        room[up + 8] += room[mine + 8] - h[0] * r[2] - r[0] * t[2]
        room[up + 9] += room[mine + 9] - h[1] * r[2] - r[1] * t[2]


@kernel
def mass_matrix(tree, numbers, room, M_out):
    """M (nv x nv, both triangles), after `move` and before `articulate` (table 6.2)."""
    nv = tree[TREE_NV]
    for j in range(nv):
        for k in range(nv):
            M_out[j, k] = 0.0
    mass_entries(tree, numbers, room, M_out)


@kernel
def mass_entries(tree, numbers, room, M_out):
    """The entries of M that do not always vanish."""
    dofs, composites = tree[DOF_ROOM], tree[COMPOSITE_ROOM]
    composite_inertias(tree, room)
    for i in range(1, tree[LINKS] + 1):
        at = tree[LINK_TABLE] + LINK * (i - 1)
        mine = composites + COMPOSITE_RECORD * i
        mass, h, J = room[mine], vector(room, mine + 1), symmetric(room, mine + 4)
        for k in range(tree[at + V_START], tree[at + V_START] + tree[at + DOFS]):
            slot = dofs + DOF_RECORD * k
            sv, sw = vector(room, slot + COLUMN), vector(room, slot + COLUMN + 3)
            f = add(scale(mass, sv), cross(sw, h))
            n = add(cross(h, sv), symmetric_times(J, sw))
            link = i
            while link > 0:
                there = tree[LINK_TABLE] + LINK * (link - 1)
                first = tree[there + V_START]
                for j in range(first, first + tree[there + DOFS]):
                    other = dofs + DOF_RECORD * j + COLUMN
                    entry = dot(f, vector(room, other)) + dot(n, vector(room, other + 3))
                    M_out[k, j] = entry
                    M_out[j, k] = entry
                n = add(n, cross(vector(room, LINK_ROOM * link + ARM), f))
                link = tree[there + PARENT]
            M_out[k, k] += numbers[tree[ARMATURE_START] + k]


@kernel
def factor_mass(tree, M):
    """M = L^T D L in place: D on the diagonal, L below (table 6.3)."""
    table = tree[DOF_TABLE] + DOF_PARENT
    for k in range(tree[TREE_NV] - 1, -1, -1):
        if not M[k, k] > 0.0:
            return NOT_POSITIVE_DEFINITE
        i = tree[table + DOF * k]
        while i >= 0:
            a = M[k, i] / M[k, k]
            j = i
            while j >= 0:
                M[i, j] -= a * M[k, j]
                j = tree[table + DOF * j]
            M[k, i] = a
            i = tree[table + DOF * i]
    return OK


@kernel
def solve_transposed(tree, L, x):
    """x <- L^-T x, from the leaves to the root."""
    table = tree[DOF_TABLE] + DOF_PARENT
    for k in range(tree[TREE_NV] - 1, -1, -1):
        j = tree[table + DOF * k]
        while j >= 0:
            x[j] -= L[k, j] * x[k]
            j = tree[table + DOF * j]


@kernel
def solve_factored(tree, L, x):
    """x <- M^-1 x with the factors of `factor_mass` (table 6.4 and 6.5)."""
    table = tree[DOF_TABLE] + DOF_PARENT
    solve_transposed(tree, L, x)
    # x <- L^-1 D^-1 x
    for k in range(tree[TREE_NV]):
        total = x[k] / L[k, k]
        j = tree[table + DOF * k]
        while j >= 0:
            total -= L[k, j] * x[j]
            j = tree[table + DOF * j]
        x[k] = total


@kernel
def solve_half(tree, L, x):
    """x <- D^-1/2 L^-T x, so that x . x is the x^T M^-1 x of before."""
    solve_transposed(tree, L, x)
    for k in range(tree[TREE_NV]):
        x[k] /= math.sqrt(L[k, k])
