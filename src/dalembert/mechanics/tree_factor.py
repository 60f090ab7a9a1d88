"""Factors of the mass matrix along its tree, M = L^T D L (Featherstone 2008, sec. 6.5).

M_ij vanishes unless one of i, j is on the other's way to the world. The factors keep these zeros
(branch-induced sparsity): nothing fills in.
"""

import math

from dalembert._jit import kernel
from dalembert.system.borders import NOT_POSITIVE_DEFINITE, OK
from dalembert.system.tree_layout import Ways


@kernel
def factor_mass(integers, M):
    """M = L^T D L in place: D on the diagonal, L below (table 6.3)."""
    ways = Ways(integers)
    for k in range(ways.nv - 1, -1, -1):
        if not M[k, k] > 0.0:
            return NOT_POSITIVE_DEFINITE
        i = ways.above(k)
        while i >= 0:
            a = M[k, i] / M[k, k]
            j = i
            while j >= 0:
                M[i, j] -= a * M[k, j]
                j = ways.above(j)
            M[k, i] = a
            i = ways.above(i)
    return OK


@kernel
def to_root(integers, L, x):
    """x <- L^-T x, from the leaves to the root (table 6.5)."""
    ways = Ways(integers)
    for k in range(ways.nv - 1, -1, -1):
        j = ways.above(k)
        while j >= 0:
            x[j] -= L[k, j] * x[k]
            j = ways.above(j)


@kernel
def from_root(integers, L, x):
    """x <- L^-1 x, from the root to the leaves (table 6.5)."""
    ways = Ways(integers)
    for k in range(ways.nv):
        total = x[k]
        j = ways.above(k)
        while j >= 0:
            total -= L[k, j] * x[j]
            j = ways.above(j)
        x[k] = total


@kernel
def solve_factored(integers, L, x):
    """x <- M^-1 x with the factors of `factor_mass`."""
    to_root(integers, L, x)
    for k in range(Ways(integers).nv):
        x[k] /= L[k, k]
    from_root(integers, L, x)


@kernel
def solve_half(integers, L, x):
    """x <- D^-1/2 L^-T x, so that x . x is the x^T M^-1 x of before."""
    to_root(integers, L, x)
    for k in range(Ways(integers).nv):
        x[k] /= math.sqrt(L[k, k])
