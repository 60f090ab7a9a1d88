"""Distance of two convex cores by the algorithm of Gilbert, Johnson and Keerthi.

A simplex of points of the Minkowski difference A - B walks towards the origin: its closest point
v is asked for the support w along -v, and

    v . w / |v|  <=  distance  <=  |v|

says when to end. The answer stays in the pair: the simplex, its weights, and v = a - b.

Sources: Gilbert, Johnson, Keerthi (1988); van den Bergen (2003), section 4.3; Montanari et al.
(2017) for the sub-problem (`collision.simplex`).
"""

import math

from dalembert._jit import kernel, subroutine
from dalembert.collision.layout import Scene
from dalembert.collision.simplex import on_segment, on_tetrahedron, on_triangle
from dalembert.collision.support import has_vertices, support
from dalembert.numerics.vector import Vec3

APART, TOUCHING, BEYOND = range(3)
"""Closest points found; the cores meet; farther apart than was asked for."""

MOST = 64
"""Iterations; polytopes need about ten, ellipsoids twenty."""

EXACT = 1e-14
ROUGH = 1e-10
"""Relative error of |v|^2 at the end: of polytopes, and of cores whose normal is polished."""

TOUCH = 1e-13
"""Cores closer than this, relative to their size, touch: the direction of v is rounding."""

ROUNDING = 4e-16


@kernel
def _keep(scene: Scene, k, count, weight):
    """Move corner k to place `count` if it has weight; the count with it."""
    if weight <= 0.0:
        return count
    kept = scene.corner(count)
    if k != count:
        kept.put(scene.corner(k))
    kept.weight = weight
    return count + 1


@kernel
def reduce_simplex(scene: Scene, count):
    """Closest point of a simplex of `count` corners; corners without weight are dropped."""
    a, b, c, d = scene.corner(0).w, scene.corner(1).w, scene.corner(2).w, scene.corner(3).w
    wa, wb, wc, wd = 1.0, 0.0, 0.0, 0.0
    if count == 2:
        wa, wb = on_segment(a, b)
    elif count == 3:
        weights = on_triangle(a, b, c)
        wa, wb, wc = weights.x, weights.y, weights.z
    elif count == 4:
        wa, wb, wc, wd = on_tetrahedron(a, b, c, d)
    kept = _keep(scene, 0, 0, wa)
    if count > 1:
        kept = _keep(scene, 1, kept, wb)
    if count > 2:
        kept = _keep(scene, 2, kept, wc)
    if count > 3:
        kept = _keep(scene, 3, kept, wd)
    scene.corners = kept
    v = Vec3.zero()
    for k in range(kept):
        corner = scene.corner(k)
        v = v + corner.weight * corner.w
    scene.pair.closest = v
    return v


@kernel
def _is_known(scene: Scene, count, w):
    """Whether a corner of the simplex is w."""
    for k in range(count):
        known = scene.corner(k).w
        if w.x == known.x and w.y == known.y and w.z == known.z:
            return True
    return False


@subroutine
def closest(scene: Scene, cutoff, start):
    """Closest points of the cores of the pair.

    `start` is a guess of a - b. The search ends early when the distance is above `cutoff`.
    """
    polytopes = has_vertices(scene.core_a) and has_vertices(scene.core_b)
    relative = EXACT if polytopes else ROUGH
    size, count, square = 0.0, 0, math.inf
    v = start if start.dot(start) > 0.0 else Vec3(1.0, 0.0, 0.0)
    for _ in range(MOST):
        if count == 4 or square <= TOUCH * TOUCH * size:
            return TOUCHING
        found = support(scene, -v)
        w = found.w
        size = max(size, w.dot(w))
        scene.pair.size = math.sqrt(size)
        vv, vw = v.dot(v), v.dot(w)
        if vw > 0.0 and vw * vw > cutoff * cutoff * vv:
            scene.pair.closest = v
            return BEYOND
        if count > 0:
            # |v| cannot be shortened, as far as rounding lets one say
            if vv - vw <= relative * vv + ROUNDING * math.sqrt(vv * size):
                return APART
            if _is_known(scene, count, w):
                return APART
        scene.corner(count).put(found)
        before = square
        v = reduce_simplex(scene, count + 1)
        count = scene.corners
        square = v.dot(v)
        if square >= before:
            break
    if count == 4 or square <= TOUCH * TOUCH * size:
        return TOUCHING
    return APART


@kernel
def point_of_a(scene: Scene):
    """The point of the core of A that the weights of the simplex stand for."""
    a = Vec3.zero()
    for k in range(scene.corners):
        corner = scene.corner(k)
        a = a + corner.weight * corner.a
    return a
