"""The law of the friction pyramid, and what a solution leaves of it.

Signorini's law for the normal impulse; the tangent impulse dissipates most in the polygon mu lam_n
P (`contact.solvers.comparison.polygon`). Its natural map, in velocity units as that of the cone, is

    w | lam_n - max(0, lam_n - s_n / w),  lam_t - P_{mu lam_n P}(lam_t - s_t / w) |,  s = u + R lam.
"""

import math

from dalembert._jit import kernel
from dalembert._records import Place
from dalembert.contact.algebra.blocks import law_velocity
from dalembert.contact.problem.layout import BOX, CONE, EQ, ROLL, Problem
from dalembert.contact.solvers.comparison.polygon import nearest_in_polygon


class Options(Place):
    """Parameters of solvers with a pyramid."""

    class numbers:
        corners: float  # directions of the pyramid; `polygon.SQUARE` for a box


@kernel
def corners_of(problem: Problem):
    """Corners of the polygon of friction."""
    return int(Options(problem.options, 0).corners)


@kernel
def bounds_of(problem: Problem, block, i):
    """Least and largest impulse of a row that is no contact's."""
    if block.kind == BOX:
        return problem.lower[block.row + i], problem.upper[block.row + i]
    return -math.inf if block.kind == EQ else 0.0, math.inf


@kernel
def flat_pair(problem: Problem, block, row, w, edges, bound):
    """Square of w |lam - P(lam - s / w)| of two rows that share a polygon."""
    lam = block.of(problem.lam)
    x, y = lam[row], lam[row + 1]
    s, t = law_velocity(problem, block, row), law_velocity(problem, block, row + 1)
    px, py = nearest_in_polygon(edges, bound, x - s / w, y - t / w)
    return w * w * ((x - px) * (x - px) + (y - py) * (y - py))


@kernel
def clipped_row(problem: Problem, block, row, w, low, high):
    """w (lam - clip(lam - s / w)) of one row."""
    lam = problem.lam[block.row + row]
    s = law_velocity(problem, block, row)
    return w * (lam - min(max(lam - s / w, low), high))


@kernel
def pyramid_contact(problem: Problem, block, edges):
    """Square of the natural map of a contact; that of its turning rows times the length."""
    mu, bound = block.mu, max(problem.lam[block.row], 0.0)
    r = clipped_row(problem, block, 0, block.w, 0.0, math.inf)
    total = r * r
    total += flat_pair(problem, block, 1, block.w, edges, mu.sliding * bound)
    if block.kind == ROLL:
        turning, length, most = block.w_angular, block.length, mu.spinning * bound
        r = length * clipped_row(problem, block, 3, turning, -most, most)
        total += r * r
        if block.dim == 6:
            pair = flat_pair(problem, block, 4, turning, edges, mu.rolling * bound)
            total += length * length * pair
    return total


@kernel
def pyramid_block(problem: Problem, block, edges):
    """Natural map of one block, length included."""
    if block.kind == ROLL:
        return math.sqrt(pyramid_contact(problem, block, edges))
    if block.kind == CONE:
        return block.length * math.sqrt(pyramid_contact(problem, block, edges))
    total = 0.0
    for i in range(block.dim):
        if block.kind == EQ:
            r = law_velocity(problem, block, i)
        else:
            low, high = bounds_of(problem, block, i)
            r = clipped_row(problem, block, i, block.w, low, high)
        total += r * r
    return block.length * math.sqrt(total)


@kernel
def pyramid_residual(problem: Problem, island):
    """The largest natural map of an island's blocks, in m/s, with the pyramid of the options."""
    edges, worst = corners_of(problem), 0.0
    for block in problem.blocks_of(island):
        worst = max(worst, pyramid_block(problem, block, edges))
    return worst
