"""Friction in a polygon: the base of the friction pyramid, or a square.

The lecture's conditions for the tangent impulse lam_t = sum of lam_d d over unit directions d,

    0 <= lam_d  |  d . u + beta >= 0        0 <= beta  |  mu lam_n - sum lam_d >= 0

are those of a minimum: lam_t dissipates most among all impulses in the convex hull of the corners
mu lam_n d. beta, whose row in the matrix of the complementarity problem has a zero on the diagonal,
is the multiplier of the size of that polygon and need not be known: with u_t = B lam_t + c the
tangent impulse of one contact, lam_n given, is

    argmin  1/2 x^T B x + c^T x      over the polygon of radius mu lam_n,                       (1)

found here by looking at the interior and at every edge. A polygon is given by the number of its
corners, the first one on the axis t1; `SQUARE` is the box |x_1|, |x_2| <= radius.
"""

import math

from dalembert._jit import kernel

SQUARE = 0
"""Instead of a number of corners: each tangent by itself."""


@kernel
def least_in_polygon(edges, radius, b11, b12, b22, c1, c2):
    """The minimum (1); B positive definite."""
    if radius <= 0.0:
        return 0.0, 0.0
    corners, turned, size = edges, 0.0, radius
    if edges == SQUARE:
        corners, turned, size = 4, 0.25 * math.pi, math.sqrt(2.0) * radius
    step = 2.0 * math.pi / corners
    determinant = b11 * b22 - b12 * b12
    x, y = (b12 * c2 - b22 * c1) / determinant, (b12 * c1 - b11 * c2) / determinant
    # Half planes of the edges: their normals stand between the corners.
    apothem = size * math.cos(0.5 * step)
    inside = True
    for k in range(corners):
        angle = turned + (k + 0.5) * step
        if math.cos(angle) * x + math.sin(angle) * y > apothem:
            inside = False
            break
    if inside:
        return x, y
    return least_on_edges(corners, turned, size, b11, b12, b22, c1, c2)


@kernel
def least_on_edges(corners, turned, size, b11, b12, b22, c1, c2):
    """The minimum (1) when it is on the border.

    It is where minus the gradient points outward: inside an edge along its normal, at a corner
    between those of its edges. Values are compared only if rounding hides that.
    """
    step = 2.0 * math.pi / corners
    px, py = size * math.cos(turned), size * math.sin(turned)
    best, bx, by = math.inf, px, py
    falls = False  # along the edge before, up to its end
    for k in range(1, corners + 2):
        angle = turned + k * step
        qx, qy = size * math.cos(angle), size * math.sin(angle)
        ex, ey = qx - px, qy - py
        slope = (b11 * px + b12 * py + c1) * ex + (b12 * px + b22 * py + c2) * ey
        x, y = px, py
        if slope >= 0.0:
            if falls:
                return px, py
            falls = False
        else:
            curvature = ex * (b11 * ex + b12 * ey) + ey * (b12 * ex + b22 * ey)
            falls = -slope >= curvature
            if falls:
                x, y = qx, qy
            else:
                x, y = px - slope / curvature * ex, py - slope / curvature * ey
                gx, gy = b11 * x + b12 * y + c1, b12 * x + b22 * y + c2
                if gx * ey - gy * ex <= 0.0:
                    return x, y
        value = 0.5 * (b11 * x * x + b22 * y * y) + b12 * x * y + c1 * x + c2 * y
        if value < best:
            best, bx, by = value, x, y
        px, py = qx, qy
    return bx, by


@kernel
def nearest_in_polygon(edges, radius, x, y):
    """Projection on the polygon."""
    if edges == SQUARE:
        return min(max(x, -radius), radius), min(max(y, -radius), radius)
    return least_in_polygon(edges, radius, 1.0, 0.0, 1.0, -x, -y)
