"""The point of a simplex closest to the origin: the sub-problem of GJK.

The weights of the corners are ratios of signed volumes, of areas or lengths projected along the
axis where they are largest; a weight of the wrong sign says on which side of the simplex the
origin is, and the sides of these corners are asked in turn.

Source: Montanari, Petrinic, Barbieri, Improving the GJK algorithm for faster and more reliable
distance queries between convex objects (2017), section 4. Simplices without volume, which the
paper leaves open, ask all their sides.
"""

from dalembert._jit import kernel
from dalembert.numerics.small import cross, dot, sub

FLAT = 1e-14
"""Relative volume below which the signs of volumes mean nothing."""


@kernel
def on_segment(a, b):
    """Weights of the point of a segment closest to the origin."""
    e = sub(b, a)
    ee = dot(e, e)
    if ee <= 0.0:
        return 1.0, 0.0
    t = -dot(a, e)
    if t <= 0.0:
        return 1.0, 0.0
    if t >= ee:
        return 0.0, 1.0
    t /= ee
    return 1.0 - t, t


@kernel
def _square(a, b, c, weights):
    """Square of the distance of a weighted point."""
    x = weights[0] * a[0] + weights[1] * b[0] + weights[2] * c[0]
    y = weights[0] * a[1] + weights[1] * b[1] + weights[2] * c[1]
    z = weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2]
    return x * x + y * y + z * z


@kernel
def on_triangle(a, b, c):
    """Weights of the point of a triangle closest to the origin."""
    ab, ac = sub(b, a), sub(c, a)
    n = cross(ab, ac)
    nn = dot(n, n)
    ea, eb, ec = True, True, True
    if nn > FLAT * FLAT * dot(ab, ab) * dot(ac, ac):
        s = dot(a, n) / nn
        px, py, pz = s * n[0], s * n[1], s * n[2]
        x, y, z = abs(n[0]), abs(n[1]), abs(n[2])
        # the plane in which the triangle is largest
        if x >= y and x >= z:
            whole = n[0]
            a1, a2, b1, b2, c1, c2 = (
                a[1] - py,
                a[2] - pz,
                b[1] - py,
                b[2] - pz,
                c[1] - py,
                c[2] - pz,
            )
        elif y >= z:
            whole = n[1]
            a1, a2, b1, b2, c1, c2 = (
                a[2] - pz,
                a[0] - px,
                b[2] - pz,
                b[0] - px,
                c[2] - pz,
                c[0] - px,
            )
        else:
            whole = n[2]
            a1, a2, b1, b2, c1, c2 = (
                a[0] - px,
                a[1] - py,
                b[0] - px,
                b[1] - py,
                c[0] - px,
                c[1] - py,
            )
        wa = (b1 * c2 - b2 * c1) / whole
        wb = (c1 * a2 - c2 * a1) / whole
        wc = (a1 * b2 - a2 * b1) / whole
        if wa > 0.0 and wb > 0.0 and wc > 0.0:
            total = 1.0 / (wa + wb + wc)
            return wa * total, wb * total, wc * total
        ea, eb, ec = wa <= 0.0, wb <= 0.0, wc <= 0.0
    best = (1.0, 0.0, 0.0)
    least = dot(a, a)
    if ea:
        p, q = on_segment(b, c)
        found = (0.0, p, q)
        square = _square(a, b, c, found)
        if square < least:
            least, best = square, found
    if eb:
        p, q = on_segment(a, c)
        found = (p, 0.0, q)
        square = _square(a, b, c, found)
        if square < least:
            least, best = square, found
    if ec:
        p, q = on_segment(a, b)
        found = (p, q, 0.0)
        square = _square(a, b, c, found)
        if square < least:
            least, best = square, found
    return best


@kernel
def _volume(a, b, c):
    """a . (b x c)."""
    return dot(a, cross(b, c))


@kernel
def on_tetrahedron(a, b, c, d):
    """Weights of the point of a tetrahedron closest to the origin."""
    va = _volume(b, c, d)
    vb = -_volume(a, c, d)
    vc = _volume(a, b, d)
    vd = -_volume(a, b, c)
    whole = va + vb + vc + vd
    size = abs(va) + abs(vb) + abs(vc) + abs(vd)
    ea, eb, ec, ed = True, True, True, True
    if abs(whole) > FLAT * size:
        s = 1.0 / whole
        wa, wb, wc, wd = s * va, s * vb, s * vc, s * vd
        ea, eb, ec, ed = wa <= 0.0, wb <= 0.0, wc <= 0.0, wd <= 0.0
        if not (ea or eb or ec or ed):
            return wa, wb, wc, wd
    best = (1.0, 0.0, 0.0, 0.0)
    least = dot(a, a)
    if ea:
        p = on_triangle(b, c, d)
        square = _square(b, c, d, p)
        if square < least:
            least, best = square, (0.0, p[0], p[1], p[2])
    if eb:
        p = on_triangle(a, c, d)
        square = _square(a, c, d, p)
        if square < least:
            least, best = square, (p[0], 0.0, p[1], p[2])
    if ec:
        p = on_triangle(a, b, d)
        square = _square(a, b, d, p)
        if square < least:
            least, best = square, (p[0], p[1], 0.0, p[2])
    if ed:
        p = on_triangle(a, b, c)
        square = _square(a, b, c, p)
        if square < least:
            least, best = square, (p[0], p[1], p[2], 0.0)
    return best
