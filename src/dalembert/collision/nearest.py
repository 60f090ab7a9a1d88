"""Signed distance of two convex shapes: GJK apart, EPA overlapping, the normal polished."""

import math

from dalembert._jit import kernel, subroutine
from dalembert.collision.epa import penetration
from dalembert.collision.gjk import BEYOND, TOUCHING, closest, point_of_a
from dalembert.collision.layout import CYLINDER
from dalembert.collision.polish import polish
from dalembert.collision.support import (
    CLOSEST,
    CORE,
    CORE_INTEGERS,
    CORE_SIZE,
    PAIR_POSITION,
    PAIR_ROTATION,
    RADIUS_A,
    RADIUS_B,
    SCALE,
    SIMPLEX_COUNT,
    core_support,
    is_round,
    support_of_b,
)
from dalembert.numerics.small import (
    add,
    axpy,
    dot,
    matrix,
    put_vector,
    scale,
    sub,
    times,
    transposed_times,
    vector,
)

LEVEL = 1e-7
"""Sine of an angle up to which a cylinder lies on its side or stands on a cap."""

FAR = 1e-9
"""Part of the size: a foot that misses the nearest points by more is looked for anew."""


@kernel
def _on_core(integers, numbers, core, sizes, d, x):
    """A point x near where a core touches along d, moved onto the feature there (own frame)."""
    if integers[core + CORE] != CYLINDER:
        return x
    r, half = numbers[sizes], numbers[sizes + 1]
    rho = math.sqrt(d[0] * d[0] + d[1] * d[1])
    top = half if d[2] > 0.0 else -half
    if rho <= LEVEL:
        out = math.sqrt(x[0] * x[0] + x[1] * x[1])
        s = r / out if out > r else 1.0
        return s * x[0], s * x[1], top
    z = top if abs(d[2]) > LEVEL else min(max(x[2], -half), half)
    return r * d[0] / rho, r * d[1] / rho, z


@kernel
def _touches_in_one_point(integers, core, d):
    """Whether a core touches along d in one point: an ellipsoid, or a cylinder with its rim."""
    if integers[core + CORE] == CYLINDER:
        rho = math.sqrt(d[0] * d[0] + d[1] * d[1])
        return rho > LEVEL and abs(d[2]) > LEVEL
    return is_round(integers, core)


@subroutine
def _nearest_points(integers, numbers, fi, ff, n, s):
    """Middle between the nearest points of the cores, given normal and distance."""
    R, p = matrix(numbers, ff + PAIR_ROTATION), vector(numbers, ff + PAIR_POSITION)
    other, sizes = fi + CORE_INTEGERS, ff + CORE_SIZE + 3
    back = transposed_times(R, scale(-1.0, n))
    if _touches_in_one_point(integers, fi, n):
        a = core_support(integers, numbers, fi, ff + CORE_SIZE, n)[0]
        return axpy(0.5 * s, n, a)
    if _touches_in_one_point(integers, other, back):
        b = support_of_b(integers, numbers, fi, ff, scale(-1.0, n))[0]
        return axpy(-0.5 * s, n, b)
    a = point_of_a(integers, numbers, fi, ff)
    b = sub(a, vector(numbers, ff + CLOSEST))
    left = axpy(-s, n, sub(b, a))
    if s <= 0.0 and dot(left, left) > (FAR * numbers[ff + SCALE]) * (FAR * numbers[ff + SCALE]):
        # Pulled apart along n, the cores are nearest in the same points.
        pulled = 1e-2 * numbers[ff + SCALE] - s
        put_vector(numbers, ff + PAIR_POSITION, axpy(pulled, n, p))
        integers[fi + SIMPLEX_COUNT] = 0
        closest(integers, numbers, fi, ff, math.inf, scale(-1.0, n))
        put_vector(numbers, ff + PAIR_POSITION, p)
        a = point_of_a(integers, numbers, fi, ff)
        b = axpy(-pulled, n, sub(a, vector(numbers, ff + CLOSEST)))
    a = _on_core(integers, numbers, fi, ff + CORE_SIZE, n, a)
    local = transposed_times(R, sub(b, p))
    b = add(times(R, _on_core(integers, numbers, other, sizes, back, local)), p)
    return scale(0.5, add(a, b))


@subroutine
def nearest(integers, numbers, fi, ff, cutoff):
    """Whether the pair is nearer than `cutoff`; gap, normal, point midway (frame of A)."""
    radius_a, radius_b = numbers[ff + RADIUS_A], numbers[ff + RADIUS_B]
    p = vector(numbers, ff + PAIR_POSITION)
    status = closest(integers, numbers, fi, ff, cutoff + radius_a + radius_b, (-p[0], -p[1], -p[2]))
    v = vector(numbers, ff + CLOSEST)
    if status == BEYOND:
        length = math.sqrt(dot(v, v))
        return False, math.inf, scale(-1.0 / length, v), (0.0, 0.0, 0.0)
    if status == TOUCHING:
        s, n = penetration(integers, numbers, fi, ff)
    else:
        n = scale(-1.0 / math.sqrt(dot(v, v)), v)
    n, s = polish(integers, numbers, fi, ff, n)
    middle = _nearest_points(integers, numbers, fi, ff, n, s)
    # The middle between the cores is not that between the surfaces if the radii differ.
    middle = axpy(0.5 * (radius_a - radius_b), n, middle)
    gap = s - radius_a - radius_b
    return gap <= cutoff, gap, n, middle
