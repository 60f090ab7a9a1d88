"""Blocks of the interior point method (`interior`): scaled cones, rows between bounds.

Cones are taken in the coordinates r = P lam and P^-1 y, P = diag(mu, 1, 1), where they are round
(`contact.solvers.lorentz`). With x = u + R lam and the direction of sliding t, y = T x. A row
between bounds has a dual for each of them, x = y+ - y-, (lam - lo) y+ = (hi - lam) y- = tau; one
without bounds (EQ) has x = 0, with a softness that its impulse forgets from step to step.
"""

import math

from dalembert._jit import kernel
from dalembert._memory import Part, over
from dalembert._records import Numbers, value
from dalembert.contact.problem.layout import BOX, CONE, EQ, Problem
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3, put_vec3, vec3

START, LEAST_SPEED = 0.1, 1e-3
"""Impulses begin at this part of w^-1 times the largest velocity, which is this at least [m/s]."""

FRICTIONLESS, SOFTNESS = 1e-9, 1e-8
"""mu below which a contact has no cone; softness of EQ over w."""


class Duals(Part, of=Problem):
    """Vectors over rows: duals of cones (P^-1 y) and lower bounds, of upper bounds; steps."""

    y: Numbers = over("rows", room="most_rows")
    y_upper: Numbers = over("rows", room="most_rows")
    dlam: Numbers = over("rows", room="most_rows")
    dy: Numbers = over("rows", room="most_rows")
    dy_upper: Numbers = over("rows", room="most_rows")


@kernel
def duals_of(problem: Problem):
    """Vectors of this method."""
    return Duals(problem, problem.solver_rows)


# -- cones -----------------------------------------------------------------------------------------


@value
class Cone:
    """A contact with friction, in coordinates where its cone is round."""

    r: Vec3  # P lam
    y: Vec3  # P^-1 y
    mu: float
    x: Vec3  # u + R lam
    R: Vec3
    T: Mat3  # x + mu |x_t| e_n = T x

    @property
    def is_rigid(self):
        """Whether nothing gives way."""
        return self.R.x == 0.0 and self.R.y == 0.0

    def softened(self, W2):
        """(S^-1 + T R)^-1."""
        a, T, R = softness(self.mu, W2), self.T, self.R
        return Mat3(
            a.xx + T.xx * R.x,
            a.xy + T.xy * R.y,
            a.xz + T.xz * R.z,
            a.yx,
            a.yy + R.y,
            a.yz,
            a.zx,
            a.zy,
            a.zz + R.z,
        ).inverse()


@kernel
def is_cone(block):
    """Whether a block is a contact with friction."""
    return block.kind == CONE and block.mu.sliding > FRICTIONLESS


@kernel
def cone_of(problem: Problem, block):
    """A contact with friction as it stands."""
    row, mu = block.row, block.mu.sliding
    lam, u, R = vec3(problem.lam, row), vec3(problem.u, row), vec3(problem.compliance, row)
    x = Vec3(u.x + R.x * lam.x, u.y + R.y * lam.y, u.z + R.z * lam.z)
    length = math.sqrt(x.y * x.y + x.z * x.z)
    f = mu / length if length > 0.0 else 0.0
    T = Mat3(1.0, f * x.y, f * x.z, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    return Cone(stretched(mu, lam), vec3(duals_of(problem).y, row), mu, x, R, T)


@kernel
def stretched(mu, a):
    """P a; with 1 / mu, P^-1 a."""
    return Vec3(mu * a.x, a.y, a.z)


@kernel
def softness(mu, W2):
    """S^-1 = P W^2 P as a full matrix; of 1 / mu and W^-2, S."""
    return Mat3(
        mu * mu * W2.xx,
        mu * W2.xy,
        mu * W2.xz,
        mu * W2.xy,
        W2.yy,
        W2.yz,
        mu * W2.xz,
        W2.yz,
        W2.zz,
    )


@kernel
def answer(G, d):
    """G d of a contact."""
    S, b = G.symmetric, G.beyond
    return Vec3(
        S.xx * d.x + S.xy * d.y + S.xz * d.z,
        (S.xy + b.x) * d.x + S.yy * d.y + S.yz * d.z,
        (S.xz + b.y) * d.x + (S.yz + b.z) * d.y + S.zz * d.z,
    )


# -- rows with bounds ------------------------------------------------------------------------------


@kernel
def bounds(problem: Problem, block, i):
    """Bounds of the i-th row of a block without a cone; equal ones: the impulse does not move."""
    if block.kind == EQ:
        return -math.inf, math.inf
    if block.kind == BOX:
        return problem.lower[block.row + i], problem.upper[block.row + i]
    if block.kind == CONE and i > 0:
        return 0.0, 0.0
    return 0.0, math.inf


@kernel
def bounded_curvature(problem: Problem, block, i):
    """1 / (D + R) of a row with bounds; 0 where it cannot move."""
    low, high = bounds(problem, block, i)
    if not low < high:
        return 0.0
    duals, row = duals_of(problem), block.row + i
    lam, R = problem.lam[row], problem.compliance[row]
    if low == -math.inf and high == math.inf:
        return 1.0 / (SOFTNESS * block.w + R)
    D = 0.0
    if low > -math.inf:
        D += duals.y[row] / (lam - low)
    if high < math.inf:
        D += duals.y_upper[row] / (high - lam)
    return 1.0 / (D + R)


@kernel
def bounded_aim(problem: Problem, block, i, tau, corrected):
    """y+ + e+ - y- - e- - x of a row with bounds; e+ and e-, the duals' steps without dlam."""
    low, high = bounds(problem, block, i)
    duals, row = duals_of(problem), block.row + i
    lam, R = problem.lam[row], problem.compliance[row]
    x = problem.u[row] + R * lam
    if not low < high:
        return 0.0, 0.0, 0.0
    total, first, second = -x, 0.0, 0.0
    d = duals.dlam[row]
    if low > -math.inf:
        y, way = duals.y[row], lam - low
        wanted = tau - (d * duals.dy[row] if corrected else 0.0)
        first = wanted / way - y
        total += y + first
    if high < math.inf:
        y, way = duals.y_upper[row], high - lam
        wanted = tau + (d * duals.dy_upper[row] if corrected else 0.0)
        second = wanted / way - y
        total -= y + second
    return total, first, second


@kernel
def bounded_duals(problem: Problem, block, i, step, a, b):
    """Steps of a row with bounds and of its duals, and how far they may go."""
    low, high = bounds(problem, block, i)
    duals, row = duals_of(problem), block.row + i
    lam, longest = problem.lam[row], math.inf
    y, upper, dy, dupper = duals.y[row], duals.y_upper[row], 0.0, 0.0
    if low < high:
        if low > -math.inf:
            dy = a - y / (lam - low) * step
            if step < 0.0:
                longest = min(longest, (low - lam) / step)
            if dy < 0.0:
                longest = min(longest, -y / dy)
        if high < math.inf:
            dupper = b + upper / (high - lam) * step
            if step > 0.0:
                longest = min(longest, (high - lam) / step)
            if dupper < 0.0:
                longest = min(longest, -upper / dupper)
    duals.dlam[row], duals.dy[row], duals.dy_upper[row] = step, dy, dupper
    return longest


# -- the first point -------------------------------------------------------------------------------


@kernel
def begin(problem: Problem, island):
    """lam and duals on the axes of their cones."""
    duals, lam, u = duals_of(problem), problem.lam, problem.u
    speed = LEAST_SPEED
    for block in problem.blocks_of(island):
        for i in range(block.row, block.end):
            speed = max(speed, abs(u[i]))
            # `interior` reads the steps before there are any
            duals.dlam[i], duals.dy[i], duals.dy_upper[i] = 0.0, 0.0, 0.0
    for block in problem.blocks_of(island):
        push = START * speed / block.w
        if is_cone(block):
            put_vec3(lam, block.row, Vec3(push / block.mu.sliding, 0.0, 0.0))
            put_vec3(duals.y, block.row, Vec3(speed, 0.0, 0.0))
        else:
            for i in range(block.dim):
                low, high = bounds(problem, block, i)
                away, row = min(push, 0.5 * (high - low)), block.row + i
                x = min(max(0.0, low + away), high - away) if low < high else low
                lam[row], duals.y[row], duals.y_upper[row] = x, 0.0, 0.0
                if low < high:
                    if low > -math.inf:
                        duals.y[row] = speed * push / (x - low)
                    if high < math.inf:
                        duals.y_upper[row] = speed * push / (high - x)
