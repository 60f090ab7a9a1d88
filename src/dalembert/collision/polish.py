"""The normal of a pair to the last digit, by Newton's method on the width of a slab.

For a unit normal n, from A to B, the slab between the supporting planes has the width

    s(n) = -w(n) . n,      w(n) = s_A(n) - s_B(-n),

and the signed distance of the cores, apart or overlapping, is its largest value (of overlapping
cores, a local one: EPA says which). Any n is a valid bound, so a step is kept only if s grows.
On the sphere the gradient is -(w - (w.n) n) and the Hessian -(H - (w.n) 1), with H the
second derivative of the support functions:

    ellipsoid  h = |A n|,       H = A^2 / h - (A^2 n)(A^2 n)^T / h^3
    disc       h = r |n_xy|,    H = r t t^T / |n_xy|,  t across n_xy in the plane
    vertex                      H = 0

Where a polytope or a cylinder touches with an edge or a face, the kinks of s are taken for what
they are: n stays across the edges that the corners of the simplex span, and Newton's method has
one unknown instead of two, or none.
"""

import math

from dalembert._jit import kernel, subroutine
from dalembert.collision.layout import CYLINDER, ELLIPSOID
from dalembert.collision.support import (
    CORE,
    CORE_INTEGERS,
    CORE_SIZE,
    PAIR_ROTATION,
    POINTS,
    SCALE,
    SIMPLEX_COUNT,
    has_vertices,
    separation,
    support,
)
from dalembert.numerics.small import (
    add,
    axpy,
    cross,
    dot,
    matrix,
    rotated,
    scale,
    sub,
    symmetric_times,
    transposed_times,
    vector,
)

STEPS = 12

NEAR = 1e-3
"""Cores closer than this, relative to their size, have a normal worth polishing."""

CAP = 3e-3
"""Angle between normal and axis of a cylinder below which the cap is tried as what touches."""

SAME = 1e-7
"""Edges shorter than this, relative to the size, or as parallel as this, span nothing new."""


@kernel
def core_curvature(integers, numbers, core, sizes, n):
    """H of the support function of a core along n: xx, yy, zz, xy, xz, yz in its own frame."""
    kind = integers[core + CORE]
    x, y, z = n
    if kind == ELLIPSOID:
        a, b, c = numbers[sizes], numbers[sizes + 1], numbers[sizes + 2]
        a, b, c = a * a, b * b, c * c
        h = math.sqrt(a * x * x + b * y * y + c * z * z)
        if h <= 0.0:
            return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        s = 1.0 / h
        px, py, pz = a * x * s, b * y * s, c * z * s
        return (
            s * (a - px * px),
            s * (b - py * py),
            s * (c - pz * pz),
            -s * px * py,
            -s * px * pz,
            -s * py * pz,
        )
    if kind == CYLINDER:
        rho = math.sqrt(x * x + y * y)
        if rho > 0.0:
            s = numbers[sizes] / (rho * rho * rho)
            return s * y * y, s * x * x, 0.0, -s * x * y, 0.0, 0.0
    return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0


@kernel
def curvature(integers, numbers, fi, ff, n):
    """H of both cores, in the frame of A."""
    H_A = core_curvature(integers, numbers, fi, ff + CORE_SIZE, n)
    R = matrix(numbers, ff + PAIR_ROTATION)
    other, sizes = fi + CORE_INTEGERS, ff + CORE_SIZE + 3
    H_B = core_curvature(
        integers, numbers, other, sizes, transposed_times(R, (-n[0], -n[1], -n[2]))
    )
    H_B = rotated(R, H_B)
    return (
        H_A[0] + H_B[0],
        H_A[1] + H_B[1],
        H_A[2] + H_B[2],
        H_A[3] + H_B[3],
        H_A[4] + H_B[4],
        H_A[5] + H_B[5],
    )


@kernel
def across(n):
    """Two unit vectors across a unit vector."""
    s = math.copysign(1.0, n[2])
    a = -1.0 / (s + n[2])
    b = n[0] * n[1] * a
    return (1.0 + s * n[0] * n[0] * a, s * b, -s * n[0]), (b, s + n[1] * n[1] * a, -n[1])


@kernel
def unit_or(a, other):
    """a / |a|, or another where a vanishes."""
    length = math.sqrt(dot(a, a))
    if length > 0.0:
        return scale(1.0 / length, a)
    return other


@kernel
def _one_more(dimension, first, second, e, least):
    """Take an edge among those that the normal is across: how many there are, and which."""
    ee = dot(e, e)
    if dimension == 2 or ee <= least * least:
        return dimension, first, second
    if dimension == 0:
        return 1, e, second
    c = cross(e, first)
    if dot(c, c) <= SAME * SAME * ee * dot(first, first):
        return 1, first, second
    return 2, first, e


@kernel
def edges_of_contact(integers, numbers, fi, ff):
    """Edges of the touching features, from the corners of the simplex: how many, and which."""
    least = SAME * numbers[ff + SCALE]
    R = matrix(numbers, ff + PAIR_ROTATION)
    dimension, first, second = 0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    at = ff + POINTS
    w0, a0 = vector(numbers, at), vector(numbers, at + 3)
    b0 = sub(a0, w0)
    for k in range(1, integers[fi + SIMPLEX_COUNT]):
        w, a = vector(numbers, at + 6 * k), vector(numbers, at + 6 * k + 3)
        e = sub(a, a0)
        if has_vertices(integers, fi):
            dimension, first, second = _one_more(dimension, first, second, e, least)
        elif integers[fi + CORE] == CYLINDER and abs(e[2]) > least:
            axis = (0.0, 0.0, 1.0)
            dimension, first, second = _one_more(dimension, first, second, axis, 0.0)
        e = sub(sub(a, w), b0)
        if has_vertices(integers, fi + CORE_INTEGERS):
            dimension, first, second = _one_more(dimension, first, second, e, least)
        elif integers[fi + CORE_INTEGERS + CORE] == CYLINDER:
            axis = (R[2], R[5], R[8])
            if abs(dot(axis, e)) > least:
                dimension, first, second = _one_more(dimension, first, second, axis, 0.0)
    return dimension, first, second


@kernel
def _try(integers, numbers, fi, ff, n, s, candidate, slack):
    """The candidate where it is as good a normal as n, else n, with their separations."""
    if dot(candidate, n) < 0.0:
        candidate = scale(-1.0, candidate)
    found = separation(integers, numbers, fi, ff, candidate)
    if found >= s - slack:
        return candidate, found
    return n, s


@subroutine
def _newton(integers, numbers, fi, ff, n, s, dimension, e):
    """Newton's method on the sphere, or on the great circle across e."""
    for _ in range(STEPS):
        w = support(integers, numbers, fi, ff, n)[0]
        t, u = across(n)
        if dimension == 1:
            t = unit_or(cross(e, n), t)
        wn = dot(w, n)
        H = curvature(integers, numbers, fi, ff, n)
        Ht = symmetric_times(H, t)
        gt = dot(w, t)
        tt = dot(t, Ht) - wn
        if dimension == 1:
            if tt <= 0.0:
                return n, s
            step = scale(-gt / tt, t)
        else:
            Hu = symmetric_times(H, u)
            gu = dot(w, u)
            uu, tu = dot(u, Hu) - wn, dot(t, Hu)
            det = tt * uu - tu * tu
            if tt <= 0.0 or det <= 1e-14 * tt * uu:
                return n, s
            step = axpy(-(uu * gt - tu * gu) / det, t, scale(-(tt * gu - tu * gt) / det, u))
        length = math.sqrt(dot(step, step))
        if length > 0.5:
            return n, s
        new = unit_or(add(n, step), n)
        found = separation(integers, numbers, fi, ff, new)
        if found < s - 1e-15 * numbers[ff + SCALE]:
            return n, s
        n, s = new, found
        # a quadratically converging step of this length was the last
        if length < 1e-9:
            return n, s
    return n, s


@kernel
def _along_edge(integers, numbers, fi, ff, n, e):
    """The best normal across the edge e near n."""
    c = unit_or(axpy(-dot(n, e) / dot(e, e), e, n), n)
    found = separation(integers, numbers, fi, ff, c)
    return _newton(integers, numbers, fi, ff, c, found, 1, e)


@subroutine
def polish(integers, numbers, fi, ff, n):
    """A better normal near n, and the signed distance of the cores along it."""
    s = separation(integers, numbers, fi, ff, n)
    size = numbers[ff + SCALE]
    polytopes = has_vertices(integers, fi) and has_vertices(integers, fi + CORE_INTEGERS)
    if polytopes and s > NEAR * size:
        return n, s
    slack = 1e-14 * size
    dimension, first, second = edges_of_contact(integers, numbers, fi, ff)
    if polytopes:
        if dimension == 2:
            c = unit_or(cross(first, second), n)
            return _try(integers, numbers, fi, ff, n, s, c, slack)
        if dimension == 1:
            # the part of n along the edge is rounding
            c = unit_or(axpy(-dot(n, first) / dot(first, first), first, n), n)
            return _try(integers, numbers, fi, ff, n, s, c, slack)
        return n, s
    # Which of the corners are those of the feature is not certain while the normal is not: what
    # makes the slab widest.
    start = n
    n, s = _newton(integers, numbers, fi, ff, n, s, 0, first)
    if dimension > 0:
        c, found = _along_edge(integers, numbers, fi, ff, start, first)
        if found >= s - slack:
            n, s = c, found
    if dimension == 2:
        c, found = _along_edge(integers, numbers, fi, ff, start, second)
        if found > s + slack:
            n, s = c, found
        c, found = _along_edge(integers, numbers, fi, ff, start, sub(second, first))
        if found > s + slack:
            n, s = c, found
        n, s = _try(integers, numbers, fi, ff, n, s, unit_or(cross(first, second), n), slack)
    # flat on a cap, which is a kink of its own
    if integers[fi + CORE] == CYLINDER and n[0] * n[0] + n[1] * n[1] < CAP * CAP:
        n, s = _try(integers, numbers, fi, ff, n, s, (0.0, 0.0, 1.0), slack)
    if integers[fi + CORE_INTEGERS + CORE] == CYLINDER:
        R = matrix(numbers, ff + PAIR_ROTATION)
        axis = (R[2], R[5], R[8])
        c = cross(axis, n)
        if dot(c, c) < CAP * CAP:
            n, s = _try(integers, numbers, fi, ff, n, s, axis, slack)
    return n, s
