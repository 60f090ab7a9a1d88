"""How far an answer is from the laws: the natural map in m/s, and what else is reported.

    r_i = length w | lam - P_K(lam - (u + R lam + Gamma) / w) |,    for EQ |u + R lam| length

It is zero if and only if the law of the block holds exactly. Gamma is De Saxce's term, for CONE and
ROLL the largest power friction can have per unit of normal impulse, (mu |s_t| + ..., 0, ...) with
the sliding s = u + R lam.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.blocks import block_times
from dalembert.contact.algebra.projections import Weights, bounded, cone, roll
from dalembert.contact.problem.layout import BOX, CONE, EQ, Problem
from dalembert.numerics.vector import Vec3, vec3


@kernel
def block_velocity(problem: Problem, block, v, u):
    """u = J v + b of a block; v and u are vectors over velocities and rows."""
    block_times(problem, block, v, u)
    bias = problem.bias
    for i in range(block.row, block.end):
        u[i] += bias[i]


@kernel
def friction_power(block, u, R, lam):
    """De Saxce's term of a CONE or ROLL; u, R and lam are those of its rows.

    Sliding is s = u + R lam: of a compliant tangent u alone contains the stretching of its spring.
    """
    mu = block.mu
    x, y = u[1] + R[1] * lam[1], u[2] + R[2] * lam[2]
    t = mu.sliding * math.sqrt(x * x + y * y)
    if block.dim > 3:
        t += mu.spinning * abs(u[3] + R[3] * lam[3])
    if block.dim > 4:
        x, y = u[4] + R[4] * lam[4], u[5] + R[5] * lam[5]
        t += mu.rolling * math.sqrt(x * x + y * y)
    return t


@kernel
def natural_map(problem: Problem, block, u, lam):
    """Residual of a block [m/s]; u and lam are vectors over rows."""
    u, lam, R = block.of(u), block.of(lam), block.of(problem.compliance)
    if block.kind == CONE:
        return _cone_map(block, u, R, lam)
    if block.kind < CONE:
        return _bounded_map(problem, block, u, R, lam)
    return _roll_map(problem, block, u, R, lam)


@kernel
def _cone_map(block, u, R, lam):
    w, mu = block.w, block.mu.sliding
    shift = friction_power(block, u, R, lam)
    a, b, c = lam[0], lam[1], lam[2]
    z = Vec3(
        w * a - (u[0] + R[0] * a + shift),
        w * b - (u[1] + R[1] * b),
        w * c - (u[2] + R[2] * c),
    )
    off = vec3(lam, 0) - cone(z, w, w, mu)
    return block.length * w * math.sqrt(off.dot(off))


@kernel
def _bounded_map(problem: Problem, block, u, R, lam):
    w, kind, t = block.w, block.kind, 0.0
    lower, upper = block.of(problem.lower), block.of(problem.upper)
    for i in range(block.dim):
        s = u[i] + R[i] * lam[i]
        # w = 0: a row within its bounds that has been put off (`contact.algebra.prepare`)
        if kind != EQ and w > 0.0:
            low = lower[i] if kind == BOX else 0.0
            high = upper[i] if kind == BOX else math.inf
            s = w * (lam[i] - bounded(w * lam[i] - s, w, low, high))
        t += s * s
    return block.length * math.sqrt(t)


@apart(float)
def _roll_map(problem: Problem, block, u, R, lam):
    w, angular, t = block.w, block.w_angular, 0.0
    z = block.of(problem.spare)
    for i in range(block.dim):
        c = w if i < 3 else angular
        z[i] = c * lam[i] - (u[i] + R[i] * lam[i])
    z[0] -= friction_power(block, u, R, lam)
    roll(z, Weights(w, w, angular, angular), block.mu, z)
    for i in range(block.dim):
        s = lam[i] - z[i]
        s *= w if i < 3 else angular * block.length
        t += s * s
    return math.sqrt(t)


@kernel
def island_residual(problem: Problem, island, u, lam):
    """Largest residual of an island's blocks. NaN anywhere gives infinity."""
    worst = 0.0
    for block in problem.blocks_of(island):
        r = natural_map(problem, block, u, lam)
        if not (r <= worst):
            worst = r if r > worst else math.inf
    return worst


@kernel
def island_velocities(problem: Problem, island, u):
    """u = J v + b of an island's blocks."""
    v = problem.v
    for block in problem.blocks_of(island):
        block_velocity(problem, block, v, u)


@kernel
def measure(problem: Problem, island):
    """Fill `u` and return the residual of `lam` and `v`."""
    island_velocities(problem, island, problem.u)
    return island_residual(problem, island, problem.u, problem.lam)
