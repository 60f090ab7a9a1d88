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
from dalembert.collision.layout import CYLINDER, ELLIPSOID, Scene
from dalembert.collision.support import has_vertices, separation, support
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.vector import Vec3

STEPS = 12

NEAR = 1e-3
"""Cores closer than this, relative to their size, have a normal worth polishing."""

CAP = 3e-3
"""Angle between normal and axis of a cylinder below which the cap is tried as what touches."""

SAME = 1e-7
"""Edges shorter than this, relative to the size, or as parallel as this, span nothing new."""


@kernel
def core_curvature(core, n):
    """H of the support function of a core along n, in its own frame."""
    x, y, z = n.x, n.y, n.z
    if core.kind == ELLIPSOID:
        a = core.size.scaled(core.size)
        h = math.sqrt(a.x * x * x + a.y * y * y + a.z * z * z)
        if h <= 0.0:
            return Sym3.diagonal(0.0)
        s = 1.0 / h
        p = Vec3(a.x * x * s, a.y * y * s, a.z * z * s)
        return Sym3(
            s * (a.x - p.x * p.x),
            s * (a.y - p.y * p.y),
            s * (a.z - p.z * p.z),
            -s * p.x * p.y,
            -s * p.x * p.z,
            -s * p.y * p.z,
        )
    if core.kind == CYLINDER:
        rho = math.sqrt(x * x + y * y)
        if rho > 0.0:
            s = core.size.x / (rho * rho * rho)
            return Sym3(s * y * y, s * x * x, 0.0, -s * x * y, 0.0, 0.0)
    return Sym3.diagonal(0.0)


@kernel
def curvature(scene: Scene, n):
    """H of both cores, in the frame of A."""
    R = scene.pair.R
    of_b = core_curvature(scene.core_b, R.transposed_times(-n))
    return core_curvature(scene.core_a, n) + of_b.turned_by(R)


@kernel
def across(n):
    """Two unit vectors across a unit vector."""
    s = math.copysign(1.0, n.z)
    a = -1.0 / (s + n.z)
    b = n.x * n.y * a
    return Vec3(1.0 + s * n.x * n.x * a, s * b, -s * n.x), Vec3(b, s + n.y * n.y * a, -n.y)


@kernel
def unit_or(a, other):
    """a / |a|, or another where a vanishes."""
    length = math.sqrt(a.dot(a))
    return (1.0 / length) * a if length > 0.0 else other


@kernel
def less_along(n, e):
    """The direction of n without its part along e."""
    return unit_or((-n.dot(e) / e.dot(e)) * e + n, n)


@kernel
def _one_more(dimension, first, second, e, least):
    """Take an edge among those that the normal is across: how many there are, and which."""
    ee = e.dot(e)
    if dimension == 2 or ee <= least * least:
        return dimension, first, second
    if dimension == 0:
        return 1, e, second
    c = e % first
    if c.dot(c) <= SAME * SAME * ee * first.dot(first):
        return 1, first, second
    return 2, first, e


@kernel
def edges_of_contact(scene: Scene):
    """Edges of the touching features, from the corners of the simplex: how many, and which."""
    pair, core_a, core_b = scene.pair, scene.core_a, scene.core_b
    least = SAME * pair.size
    dimension, first, second = 0, Vec3.zero(), Vec3.zero()
    a0 = scene.corner(0).a
    b0 = a0 - scene.corner(0).w
    for k in range(1, scene.corners):
        w, a = scene.corner(k).w, scene.corner(k).a
        e = a - a0
        if has_vertices(core_a):
            dimension, first, second = _one_more(dimension, first, second, e, least)
        elif core_a.kind == CYLINDER and abs(e.z) > least:
            axis = Vec3(0.0, 0.0, 1.0)
            dimension, first, second = _one_more(dimension, first, second, axis, 0.0)
        e = a - w - b0
        if has_vertices(core_b):
            dimension, first, second = _one_more(dimension, first, second, e, least)
        elif core_b.kind == CYLINDER:
            axis = pair.R.z
            if abs(axis.dot(e)) > least:
                dimension, first, second = _one_more(dimension, first, second, axis, 0.0)
    return dimension, first, second


@kernel
def _try(scene: Scene, n, s, candidate, slack):
    """The candidate where it is as good a normal as n, else n, with their separations."""
    if candidate.dot(n) < 0.0:
        candidate = -candidate
    found = separation(scene, candidate)
    if found >= s - slack:
        return candidate, found
    return n, s


@kernel
def _step(scene: Scene, n, dimension, e):
    """Newton's step from n, and whether s bends down there."""
    w = support(scene, n).w
    t, u = across(n)
    if dimension == 1:
        t = unit_or(e % n, t)
    wn, H = w.dot(n), curvature(scene, n)
    gt, tt = w.dot(t), t.dot(H @ t) - wn
    if dimension == 1:
        if tt <= 0.0:
            return t, False
        return (-gt / tt) * t, True
    Hu, gu = H @ u, w.dot(u)
    uu, tu = u.dot(Hu) - wn, t.dot(Hu)
    det = tt * uu - tu * tu
    if tt <= 0.0 or det <= 1e-14 * tt * uu:
        return t, False
    return (-(uu * gt - tu * gu) / det) * t + (-(tt * gu - tu * gt) / det) * u, True


@subroutine
def _newton(scene: Scene, n, s, dimension, e):
    """Newton's method on the sphere, or on the great circle across e."""
    for _ in range(STEPS):
        step, bends = _step(scene, n, dimension, e)
        length = math.sqrt(step.dot(step))
        if not bends or length > 0.5:
            return n, s
        new = unit_or(n + step, n)
        found = separation(scene, new)
        if found < s - 1e-15 * scene.pair.size:
            return n, s
        n, s = new, found
        # a quadratically converging step of this length was the last
        if length < 1e-9:
            return n, s
    return n, s


@kernel
def _along_edge(scene: Scene, n, e):
    """The best normal across the edge e near n."""
    c = less_along(n, e)
    return _newton(scene, c, separation(scene, c), 1, e)


@kernel
def _polish_round(scene: Scene, n, s, slack):
    """A better normal near n where a core curves.

    Which of the corners are those of the feature is not certain while the normal is not: what makes
    the slab widest.
    """
    dimension, first, second = edges_of_contact(scene)
    start = n
    n, s = _newton(scene, n, s, 0, first)
    if dimension > 0:
        c, found = _along_edge(scene, start, first)
        if found >= s - slack:
            n, s = c, found
    if dimension == 2:
        c, found = _along_edge(scene, start, second)
        if found > s + slack:
            n, s = c, found
        c, found = _along_edge(scene, start, second - first)
        if found > s + slack:
            n, s = c, found
        n, s = _try(scene, n, s, unit_or(first % second, n), slack)
    # flat on a cap, which is a kink of its own
    if scene.core_a.kind == CYLINDER and n.x * n.x + n.y * n.y < CAP * CAP:
        n, s = _try(scene, n, s, Vec3(0.0, 0.0, 1.0), slack)
    if scene.core_b.kind == CYLINDER:
        axis = scene.pair.R.z
        c = axis % n
        if c.dot(c) < CAP * CAP:
            n, s = _try(scene, n, s, axis, slack)
    return n, s


@subroutine
def polish(scene: Scene, n):
    """A better normal near n, and the signed distance of the cores along it."""
    s, size = separation(scene, n), scene.pair.size
    slack = 1e-14 * size
    if not (has_vertices(scene.core_a) and has_vertices(scene.core_b)):
        return _polish_round(scene, n, s, slack)
    if s > NEAR * size:
        return n, s
    dimension, first, second = edges_of_contact(scene)
    if dimension == 2:
        return _try(scene, n, s, unit_or(first % second, n), slack)
    if dimension == 1:
        # the part of n along the edge is rounding
        return _try(scene, n, s, less_along(n, first), slack)
    return n, s
