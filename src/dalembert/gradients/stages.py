"""Stages of a step that are solved for: increments Z with D(Z, x, p, t, h) = 0 (sensitivity 3.1).

What is differentiated is the solution, not the iteration: with the change D' of the defects in a
direction the stages change by -D_Z^-1 D', and adjoints Z_bar go back by -D_Z^-T Z_bar.
"""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert._records import Integers, Matrix, Numbers, value
from dalembert.batch.kernels.layout import BATCH
from dalembert.numerics.lu import lu_factor, lu_solve

_call = BATCH.call

CAP = 40
"""Newton steps."""

SOLVED, ROUNDING = 4e-16, 1e-9
"""Change over the size of a state that is none; below which one that does not fall is rounding."""


@value
class Stages:
    """Increments of the stages of a step, with room to solve for them; empty where there are none.

    defect, tangent, adjoint : addresses of the compiled functions, 0 where there are none
    """

    defect: int
    tangent: int
    adjoint: int
    z: Numbers
    D: Matrix
    order: Numbers
    r: Numbers
    y: Numbers
    dummy: Integers


@kernel
def solved_for(stages):
    """How many increments are solved for."""
    return stages.D.shape[0] if stages.defect != 0 else 0


@kernel
def look(stages, t, h, nq, x, p, turned):
    """Defects into r, and factors of D_Z, or of its transpose; whether it has some."""
    n, y = stages.D.shape[0], stages.y
    _call(stages.defect, y, stages.dummy, t, h, x[:nq], x[nq:], p, stages.z, y, y)
    for i in range(n):
        stages.r[i] = y[i]
        for j in range(n):
            if turned:
                stages.D[j, i] = y[n + n * i + j]
            else:
                stages.D[i, j] = y[n + n * i + j]
    return lu_factor(n, stages.D, 1e-18, stages.order) < 0


@kernel
def solve_stages(stages, t, h, nq, x, p):
    """Newton's method from the stages of the step before; whether they were found."""
    if stages.defect == 0:
        return True
    n, z, r = stages.D.shape[0], stages.z, stages.r
    size, last = 0.0, 1e300
    for i in range(x.shape[0]):
        size = max(size, abs(x[i]))
    for _ in range(CAP):
        if not look(stages, t, h, nq, x, p, False):
            return False
        lu_solve(n, stages.D, stages.order, r)
        moved = 0.0
        for i in range(n):
            z[i] -= r[i]
            moved, size = max(moved, abs(r[i])), max(size, abs(z[i]))
            if not abs(r[i]) < 1e300:
                return False
        if moved <= SOLVED * size or (moved <= ROUNDING * size and not moved < 0.5 * last):
            return True
        last = moved
    return False


@kernel
def factor_stages(stages, t, h, nq, x, p, turned):
    """Solve for the stages and factor D_Z there, or its transpose."""
    if stages.defect != 0:
        solve_stages(stages, t, h, nq, x, p)
        look(stages, t, h, nq, x, p, turned)


@kernel
def push_stages(stages, t, h, nq, x, p, direction, width):
    """Put the change of the stages behind the other entries of a direction."""
    if stages.defect == 0:
        return
    n, r, y = stages.D.shape[0], stages.r, stages.y
    _call(stages.tangent, y, stages.dummy, t, h, x[:nq], x[nq:], p, stages.z, direction, r)
    lu_solve(n, stages.D, stages.order, r)
    for i in range(n):
        direction[width + i] = -r[i]


@kernel
def pull_stages(stages, t, h, nq, x, p, adjoints, width):
    """Add what comes back through the stages, whose adjoints stand behind the others."""
    if stages.defect == 0:
        return
    n, r, y = stages.D.shape[0], stages.r, stages.y
    for i in range(n):
        r[i] = -adjoints[width + i]
    lu_solve(n, stages.D, stages.order, r)
    _call(stages.adjoint, y, stages.dummy, t, h, x[:nq], x[nq:], p, stages.z, r, y)
    for i in range(width):
        adjoints[i] += y[i]
