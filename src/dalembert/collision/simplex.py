"""The point of a simplex closest to the origin: the sub-problem of GJK.

The weights of the corners are ratios of signed volumes, of areas or lengths projected along the
axis where they are largest; a weight of the wrong sign says on which side of the simplex the
origin is, and the sides of these corners are asked in turn.

Source: Montanari, Petrinic, Barbieri, Improving the GJK algorithm for faster and more reliable
distance queries between convex objects (2017), section 4. Simplices without volume, which the
paper leaves open, ask all their sides.
"""

from dalembert._jit import kernel
from dalembert.numerics.vector import Vec3

FLAT = 1e-14
"""Relative volume below which the signs of volumes mean nothing."""


@kernel
def on_segment(a, b):
    """Weights of the point of a segment closest to the origin."""
    e = b - a
    ee = e.dot(e)
    if ee <= 0.0:
        return 1.0, 0.0
    t = -a.dot(e)
    if t <= 0.0:
        return 1.0, 0.0
    if t >= ee:
        return 0.0, 1.0
    t /= ee
    return 1.0 - t, t


@kernel
def weighted(a, b, c, weights):
    """The point of a triangle with these weights of its corners."""
    return weights.x * a + weights.y * b + weights.z * c


@kernel
def _square(a, b, c, weights):
    """Square of the distance of a weighted point."""
    x = weighted(a, b, c, weights)
    return x.dot(x)


@kernel
def _shifted(a):
    """The vector with its entries one place on."""
    return Vec3(a.y, a.z, a.x)


@kernel
def _weights_of_foot(a, b, c, n, nn):
    """Weights of the foot of the origin on the plane of a triangle, whose normal is n."""
    p = (a.dot(n) / nn) * n
    a, b, c, whole = a - p, b - p, c - p, n.x
    x, y, z = abs(n.x), abs(n.y), abs(n.z)
    # ratios of areas in the plane in which the triangle is largest
    if not (x >= y and x >= z):
        a, b, c, whole = _shifted(a), _shifted(b), _shifted(c), n.y
        if not y >= z:
            a, b, c, whole = _shifted(a), _shifted(b), _shifted(c), n.z
    return Vec3(
        (b.y * c.z - b.z * c.y) / whole,
        (c.y * a.z - c.z * a.y) / whole,
        (a.y * b.z - a.z * b.y) / whole,
    )


@kernel
def _on_sides(a, b, c, away_a, away_b, away_c):
    """Weights of the closest point of those sides that face a corner the origin is away from."""
    best, least = Vec3(1.0, 0.0, 0.0), a.dot(a)
    if away_a:
        p, q = on_segment(b, c)
        found = Vec3(0.0, p, q)
        square = _square(a, b, c, found)
        if square < least:
            least, best = square, found
    if away_b:
        p, q = on_segment(a, c)
        found = Vec3(p, 0.0, q)
        square = _square(a, b, c, found)
        if square < least:
            least, best = square, found
    if away_c:
        p, q = on_segment(a, b)
        found = Vec3(p, q, 0.0)
        square = _square(a, b, c, found)
        if square < least:
            least, best = square, found
    return best


@kernel
def on_triangle(a, b, c):
    """Weights of the point of a triangle closest to the origin."""
    ab, ac = b - a, c - a
    n = ab % ac
    nn = n.dot(n)
    away_a, away_b, away_c = True, True, True
    if nn > FLAT * FLAT * ab.dot(ab) * ac.dot(ac):
        w = _weights_of_foot(a, b, c, n, nn)
        if w.x > 0.0 and w.y > 0.0 and w.z > 0.0:
            return (1.0 / (w.x + w.y + w.z)) * w
        away_a, away_b, away_c = w.x <= 0.0, w.y <= 0.0, w.z <= 0.0
    return _on_sides(a, b, c, away_a, away_b, away_c)


@kernel
def _volume(a, b, c):
    """a . (b x c)."""
    return a.dot(b % c)


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
    least = a.dot(a)
    if ea:
        p = on_triangle(b, c, d)
        square = _square(b, c, d, p)
        if square < least:
            least, best = square, (0.0, p.x, p.y, p.z)
    if eb:
        p = on_triangle(a, c, d)
        square = _square(a, c, d, p)
        if square < least:
            least, best = square, (p.x, 0.0, p.y, p.z)
    if ec:
        p = on_triangle(a, b, d)
        square = _square(a, b, d, p)
        if square < least:
            least, best = square, (p.x, p.y, 0.0, p.z)
    if ed:
        p = on_triangle(a, b, c)
        square = _square(a, b, c, p)
        if square < least:
            least, best = square, (p.x, p.y, p.z, 0.0)
    return best
