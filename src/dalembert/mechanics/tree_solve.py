"""The constrained solve on a tree: M = L^T D L along it, W = J M^-1 J^T along the graph of loops.

    Y = J L^-1 D^-1/2,   W = Y Y^T,   W lam = bottom - Y y,   y = D^-1/2 L^-T top
    x = L^-1 D^-1/2 (y + Y^T lam)                                    (methods 2; Featherstone 2008,
                                                                      sec. 6.5, 8.3 and 8.4)

L keeps to the tree and Y to the ways from the ends of a loop to the world, so both cost what the
tree and the loops have, not what full matrices have. W is factored by blocks as that of bodies is
(`mechanics.dual`); near a singular position, and where rows turn out to depend on others after
all, the full matrices with their orthogonal decomposition and continuation do the stage.

Without loops the articulated-body algorithm solves with M in O(n).
"""

import math

from dalembert._jit import border, kernel, matrix_view
from dalembert.mechanics.dense import FINE_TOLERANCE
from dalembert.mechanics.dual import BY_DUAL, factor_blocks, is_regular, solve_rows
from dalembert.mechanics.tree_aba import accelerate, articulate
from dalembert.mechanics.tree_crba import factor_mass, mass_entries
from dalembert.mechanics.tree_evaluate import fill_matrices, rest_of, tree_of
from dalembert.system.borders import (
    FACTORING,
    NOT_POSITIVE_DEFINITE,
    OK,
    RESPONDING,
    SOLVING,
    predict,
)
from dalembert.system.layout import (
    BRANCH,
    DROPPED,
    DUAL,
    DUAL_EMPTY,
    DUAL_EMPTY_COUNT,
    DUAL_OFF,
    DUAL_ROW_COUNT,
    EVALUATED_TIME,
    FACTORED,
    FACTORED_TIME,
    FACTORISATIONS,
    FAILED_INDEX,
    NV,
    PROXIMAL_FACTOR,
    PROXIMAL_RESPOND,
    PROXIMAL_SOLVE,
    RANK,
    RANK_MAX,
    ROWS,
    TREE_ELEMENT_TABLE,
    TREE_ELEMENTS,
    TREE_HALF,
    TREE_MASS,
    TREE_NUMBERS,
    TREE_PRODUCT_COUNT,
    TREE_PRODUCTS,
    TREE_ROOM,
    TREE_ROOTS,
    TREE_ROWS,
    TREE_SIDE,
    vector,
)
from dalembert.system.loop_rows import ELEMENT, PRODUCT, VELOCITY
from dalembert.system.tree_layout import DOF, DOF_PARENT, DOF_TABLE

_call_factor = FACTORING.call
_call_solve = SOLVING.call
_call_respond = RESPONDING.call


# -- without loops ---------------------------------------------------------------------------------


@border(FACTORING)
def factor_open(work, sizes, tolerance):
    """All is done in one go by `solve_open`."""
    sizes[RANK] = 0
    return OK


@border(SOLVING)
def solve_open(work, sizes, top, bottom, x_out, lam_out):
    """x = M^-1 (top + forces on the links of the last evaluated state)."""
    tree, numbers = tree_of(sizes), rest_of(work, sizes, TREE_NUMBERS)
    room = rest_of(work, sizes, TREE_ROOM)
    status = articulate(tree, numbers, room, vector(work, sizes, TREE_SIDE, NV), top)
    if status != OK:
        return status
    return accelerate(tree, room, top, x_out)


@border(RESPONDING)
def respond_open(work, sizes, bottom, x_out, lam_out):
    """Nothing asks for a correction."""
    for k in range(sizes[NV]):
        x_out[k] = 0.0
    return OK


# -- with loops ------------------------------------------------------------------------------------


@kernel
def factor_inertia(work, sizes):
    """M = L^T D L in TREE_MASS, D^-1/2 in TREE_ROOTS."""
    tree, n = tree_of(sizes), sizes[NV]
    M = matrix_view(work, sizes[TREE_MASS], n, n)
    room = rest_of(work, sizes, TREE_ROOM)
    mass_entries(tree, rest_of(work, sizes, TREE_NUMBERS), room, M)
    status = factor_mass(tree, M)
    roots = vector(work, sizes, TREE_ROOTS, NV)
    for k in range(n):
        if not M[k, k] > 0.0:
            sizes[FAILED_INDEX] = k
            return NOT_POSITIVE_DEFINITE
        roots[k] = 1.0 / math.sqrt(M[k, k])
    return status


@kernel
def half_rows(work, sizes):
    """Y = J L^-1 D^-1/2 of the rows that take part."""
    table, n = sizes[TREE_ELEMENT_TABLE], sizes[NV]
    L = matrix_view(work, sizes[TREE_MASS], n, n)
    for e in range(sizes[TREE_ELEMENTS]):
        at = table + ELEMENT * e
        width, near, count = sizes[at + 2], table + sizes[at + 7], sizes[at + 5]
        first = sizes[TREE_HALF] + sizes[at + 3]
        for i in range(count):
            j = sizes[TREE_ROWS] + sizes[at + 3] + width * sizes[table + sizes[at + 4] + i]
            for k in range(width):
                work[first + width * i + k] = work[j + k]
        # All rows of a constraint take the same way: each entry of L is fetched once.
        for k in range(width - 1, -1, -1):
            dof, up = sizes[near + VELOCITY * k], sizes[near + VELOCITY * k + 1]
            while up >= 0:
                entry = L[dof, sizes[near + VELOCITY * up]]
                for i in range(count):
                    y = first + width * i
                    work[y + up] -= entry * work[y + k]
                up = sizes[near + VELOCITY * up + 1]
            root = work[sizes[TREE_ROOTS] + dof]
            for i in range(count):
                work[first + width * i + k] *= root


@kernel
def multiply_rows(work, sizes):
    """W = Y Y^T, block by block; on the diagonal the lower triangle only."""
    W, half, table = sizes[DUAL], sizes[TREE_HALF], sizes[TREE_ELEMENT_TABLE]
    for i in range(sizes[DUAL_EMPTY_COUNT]):
        at = sizes[DUAL_EMPTY] + 2 * i
        for k in range(sizes[at + 1]):
            work[W + sizes[at] + k] = 0.0
    for p in range(sizes[TREE_PRODUCT_COUNT]):
        at = sizes[TREE_PRODUCTS] + PRODUCT * p
        place, column, row = W + sizes[at], half + sizes[at + 1], half + sizes[at + 4]
        wide, other, rows = sizes[at + 2], sizes[at + 5], sizes[at + 6]
        first, count = table + sizes[at + 8], sizes[at + 9]
        for c in range(sizes[at + 3]):
            for r in range(c + 1 if sizes[at + 7] == 1 else rows):
                total = 0.0
                for k in range(count):
                    left = work[column + wide * c + sizes[first + 2 * k]]
                    total += left * work[row + other * r + sizes[first + 2 * k + 1]]
                work[place + rows * c + r] = total


@border(FACTORING)
def factor_tree(work, sizes, tolerance):
    """Factor M and W, or the full matrices where a singular position is near."""
    if tolerance > FINE_TOLERANCE and sizes[DUAL_OFF] == 0:
        status = factor_inertia(work, sizes)
        if status != OK:
            return status
        half_rows(work, sizes)
        multiply_rows(work, sizes)
        factor_blocks(work, sizes)
        sizes[FACTORISATIONS] += 1
        if is_regular(work, sizes):
            sizes[BRANCH] = BY_DUAL
            sizes[RANK_MAX] = max(sizes[RANK_MAX], sizes[DUAL_ROW_COUNT] - sizes[DROPPED])
            sizes[FACTORED] = 1
            work[sizes[FACTORED_TIME]] = work[sizes[EVALUATED_TIME]]
            return OK
    fill_matrices(work, sizes)
    predict(work, sizes, work[sizes[EVALUATED_TIME]])
    sizes[FACTORED] = 0
    return _call_factor(sizes[PROXIMAL_FACTOR], work, sizes, tolerance)


@kernel
def halve(work, sizes, x):
    """x <- D^-1/2 L^-T x."""
    tree, n = tree_of(sizes), sizes[NV]
    L = matrix_view(work, sizes[TREE_MASS], n, n)
    parents = tree[DOF_TABLE] + DOF_PARENT
    for k in range(n - 1, -1, -1):
        j = tree[parents + DOF * k]
        while j >= 0:
            x[j] -= L[k, j] * x[k]
            j = tree[parents + DOF * j]
        x[k] *= work[sizes[TREE_ROOTS] + k]


@kernel
def finish(work, sizes, x):
    """x <- L^-1 D^-1/2 x."""
    tree, n = tree_of(sizes), sizes[NV]
    L = matrix_view(work, sizes[TREE_MASS], n, n)
    parents = tree[DOF_TABLE] + DOF_PARENT
    for k in range(n):
        total = x[k] * work[sizes[TREE_ROOTS] + k]
        j = tree[parents + DOF * k]
        while j >= 0:
            total -= L[k, j] * x[j]
            j = tree[parents + DOF * j]
        x[k] = total


@kernel
def rows_times(work, sizes, y, b):
    """b -= Y y on the rows that take part."""
    table = sizes[TREE_ELEMENT_TABLE]
    for e in range(sizes[TREE_ELEMENTS]):
        at = table + ELEMENT * e
        width, near = sizes[at + 2], table + sizes[at + 7]
        for i in range(sizes[at + 5]):
            row = sizes[at] + sizes[table + sizes[at + 4] + i]
            half = sizes[TREE_HALF] + sizes[at + 3] + width * i
            total = b[row]
            for k in range(width):
                total -= work[half + k] * y[sizes[near + VELOCITY * k]]
            b[row] = total


@kernel
def add_rows(work, sizes, lam, y):
    """y += Y^T lam."""
    table = sizes[TREE_ELEMENT_TABLE]
    for e in range(sizes[TREE_ELEMENTS]):
        at = table + ELEMENT * e
        width, near = sizes[at + 2], table + sizes[at + 7]
        for i in range(sizes[at + 5]):
            own = lam[sizes[at] + sizes[table + sizes[at + 4] + i]]
            half = sizes[TREE_HALF] + sizes[at + 3] + width * i
            for k in range(width):
                y[sizes[near + VELOCITY * k]] += work[half + k] * own


@border(SOLVING)
def solve_tree(work, sizes, top, bottom, x_out, lam_out):
    """Forces."""
    if sizes[BRANCH] != BY_DUAL:
        return _call_solve(sizes[PROXIMAL_SOLVE], work, sizes, top, bottom, x_out, lam_out)
    for k in range(sizes[NV]):
        x_out[k] = top[k]
    halve(work, sizes, x_out)
    for i in range(sizes[ROWS]):
        lam_out[i] = bottom[i]
    rows_times(work, sizes, x_out, lam_out)
    solve_rows(work, sizes, lam_out, lam_out)
    add_rows(work, sizes, lam_out, x_out)
    finish(work, sizes, x_out)
    return OK


@border(RESPONDING)
def respond_tree(work, sizes, bottom, x_out, lam_out):
    """Corrections."""
    if sizes[BRANCH] != BY_DUAL:
        return _call_respond(sizes[PROXIMAL_RESPOND], work, sizes, bottom, x_out, lam_out)
    solve_rows(work, sizes, bottom, lam_out)
    for k in range(sizes[NV]):
        x_out[k] = 0.0
    add_rows(work, sizes, lam_out, x_out)
    finish(work, sizes, x_out)
    return OK
