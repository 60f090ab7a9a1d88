"""F(v), the impulses that keep the laws at velocities v, and the projection on it.

    what is open: lam = 0,    sliding: the ray against it,    sticking: the cone,
    a motor at its bound: the bound,    compliant rows: their force.

P_F(z), the impulse of F nearest to z, and D = dP_F serve `contact.solvers.least_norm`. A torque
counts by its length, as in the residual.
"""

import math

from dalembert._jit import kernel
from dalembert._memory import Part, over
from dalembert._records import Numbers
from dalembert.contact.algebra.projections import (
    Weights,
    bounded,
    bounded_curvature,
    cone_curvature,
    roll_curvature,
)
from dalembert.contact.problem.layout import BOX, CONE, EQ, Problem
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.vector import put_vec3, vec3

FIXED, RAY, WHOLE = range(3)
"""Kinds of F for a contact (`Block.admitted`): its impulse, a ray, the cone."""


class Admitted(Part, of=Problem):
    """Vectors over rows: z, and F."""

    z: Numbers = over("rows", room="most_rows")
    low: Numbers = over("rows", room="most_rows")  # bounds of a row, or the ray of a contact
    high: Numbers = over("rows", room="most_rows")


@kernel
def admitted_of(problem: Problem):
    """Vectors of this method."""
    return Admitted(problem, problem.solver_rows)


# -- F ---------------------------------------------------------------------------------------------


@kernel
def admit(problem: Problem, island, near):
    """F of every block, from u and lam. Returns the mean of w."""
    total = 0.0
    for block in problem.blocks_of(island):
        total += block.w
        if block.kind < CONE:
            _admit_rows(problem, block, near)
        else:
            _admit_contact(problem, block, near)
    return total / island.block_count


@kernel
def _admit_rows(problem: Problem, block, near):
    """Bounds of the rows of an EQ, UNI or BOX."""
    F, kind = admitted_of(problem), block.kind
    for i in range(block.row, block.end):
        lower, upper = -math.inf, math.inf
        if kind == BOX:
            lower, upper = problem.lower[i], problem.upper[i]
        elif kind != EQ:
            lower = 0.0
        moving = kind != EQ and abs(problem.u[i]) > near
        if moving or problem.compliance[i] > 0.0:
            lower = upper = problem.lam[i]
        F.low[i], F.high[i] = lower, upper


@kernel
def _admit_contact(problem: Problem, block, near):
    """A fixed impulse, a ray or the whole cone."""
    u, lam, R = block.of(problem.u), block.of(problem.lam), block.of(problem.compliance)
    ray, dim, mu = block.of(admitted_of(problem).low), block.dim, block.mu
    soft, slip = False, 0.0
    for i in range(dim):
        soft = soft or R[i] > 0.0
        if i > 0:
            slip = max(slip, abs(u[i]))
    kind, a = WHOLE, lam[0]
    if soft or u[0] > near:
        kind = FIXED
    elif slip > near:
        # the direction is that of the impulse: lam_0 is to be in F to the last digit
        kind = RAY
    for i in range(dim):
        ray[i] = lam[i] / a if kind == RAY and a > 0.0 else lam[i]
    if kind == RAY and not a > 0.0:
        ray[0] = 1.0
        _against(u[1:3], mu.sliding, near, ray[1:3])
        if dim > 3:
            _against(u[3:4], mu.spinning, near, ray[3:4])
            _against(u[4:dim], mu.rolling, near, ray[4:dim])
    block.admitted = kind


@kernel
def _against(u, mu, near, ray):
    """-mu u / |u| of one or two rows; 0 where they rest."""
    squared = 0.0
    for i in range(len(u)):
        squared += u[i] * u[i]
    share = -mu / math.sqrt(squared) if squared > near * near else 0.0
    for i in range(len(u)):
        ray[i] = share * u[i]


# -- P_F -------------------------------------------------------------------------------------------


@kernel
def project(problem: Problem, island, wide):
    """gamma = P_F(z), and D as curvature; `wide`: as if nothing were at a bound.

    Returns (gamma - lam_0) . du.
    """
    gamma, du, before = problem.gamma, problem.du, problem.best_lam
    total = 0.0
    for block in problem.blocks_of(island):
        if block.kind < CONE:
            _project_rows(problem, block, wide)
        elif block.admitted != WHOLE:
            _project_ray(problem, block, wide)
        elif block.dim == 3:
            _project_cone(problem, block, wide)
        else:
            _project_roll(problem, block, wide)
        for i in range(block.row, block.end):
            total += (gamma[i] - before[i]) * du[i]
    return total


@kernel
def _project_rows(problem: Problem, block, wide):
    F, c = admitted_of(problem), 1.0 / block.length**2
    z, low, high = block.of(F.z), block.of(F.low), block.of(F.high)
    gamma, G = block.of(problem.gamma), block.room(problem.curvature)
    for i in range(block.dim):
        gamma[i] = bounded(z[i], c, low[i], high[i])
        if wide and low[i] < high[i]:
            G[i] = 1.0 / c
        else:
            G[i] = bounded_curvature(z[i], c, low[i], high[i])


@kernel
def _project_cone(problem: Problem, block, wide):
    z = vec3(admitted_of(problem).z, block.row)
    answer, curvature = cone_curvature(z, 1.0, 1.0, block.mu.sliding)
    put_vec3(problem.gamma, block.row, answer)
    problem.cone_curvature(block).symmetric = Sym3.diagonal(1.0) if wide else curvature


@kernel
def _project_roll(problem: Problem, block, wide):
    # a torque counts by its length
    dim, angular = block.dim, 1.0 / block.length**2
    z, gamma = block.of(admitted_of(problem).z), block.of(problem.gamma)
    G = block.square(problem.curvature)
    roll_curvature(z, Weights(1.0, 1.0, angular, angular), block.mu, gamma, G)
    if wide:
        for i in range(dim):
            for j in range(dim):
                same = 1.0 if i < 3 else 1.0 / angular
                G[i, j] = same if i == j else 0.0


@kernel
def _project_ray(problem: Problem, block, wide):
    F, dim, fixed = admitted_of(problem), block.dim, block.admitted == FIXED
    z, ray, gamma = block.of(F.z), block.of(F.low), block.of(problem.gamma)
    along = squared = 0.0
    for i in range(dim):
        along += ray[i] * z[i]
        squared += ray[i] * ray[i]
    a = 1.0 if fixed else max(0.0, along / squared)
    slope = 0.0 if fixed or (a == 0.0 and not wide) else 1.0 / squared
    for i in range(dim):
        gamma[i] = a * ray[i]
    if dim == 3:
        r = vec3(ray, 0)
        x, y, t = slope * r.x, slope * r.y, slope * r.z
        problem.cone_curvature(block).symmetric = Sym3(
            x * r.x, y * r.y, t * r.z, x * r.y, x * r.z, y * r.z
        )
        return
    G = block.square(problem.curvature)
    for i in range(dim):
        for j in range(dim):
            G[i, j] = slope * ray[i] * ray[j]
