"""Signed distance of two convex shapes: GJK apart, EPA overlapping, the normal polished."""

import math

from dalembert._jit import kernel, subroutine
from dalembert.collision.epa import penetration
from dalembert.collision.gjk import BEYOND, TOUCHING, closest, point_of_a
from dalembert.collision.layout import CYLINDER, Scene
from dalembert.collision.polish import polish
from dalembert.collision.support import A, core_support, is_round, support_of_b
from dalembert.numerics.vector import Vec3

LEVEL = 1e-7
"""Sine of an angle up to which a cylinder lies on its side or stands on a cap."""

FAR = 1e-9
"""Part of the size: a foot that misses the nearest points by more is looked for anew."""


@kernel
def _on_core(core, d, x):
    """A point x near where a core touches along d, moved onto the feature there (own frame)."""
    if core.kind != CYLINDER:
        return x
    r, half = core.size.x, core.size.y
    rho = math.sqrt(d.x * d.x + d.y * d.y)
    top = half if d.z > 0.0 else -half
    if rho <= LEVEL:
        out = math.sqrt(x.x * x.x + x.y * x.y)
        s = r / out if out > r else 1.0
        return Vec3(s * x.x, s * x.y, top)
    z = top if abs(d.z) > LEVEL else min(max(x.z, -half), half)
    return Vec3(r * d.x / rho, r * d.y / rho, z)


@kernel
def _touches_in_one_point(core, d):
    """Whether a core touches along d in one point: an ellipsoid, or a cylinder with its rim."""
    if core.kind == CYLINDER:
        rho = math.sqrt(d.x * d.x + d.y * d.y)
        return rho > LEVEL and abs(d.z) > LEVEL
    return is_round(core)


@subroutine
def _nearest_points(scene: Scene, n, s):
    """Middle between the nearest points of the cores, given normal and distance."""
    pair = scene.pair
    R, p, size = pair.R, pair.p, pair.size
    back = R.transposed_times(-n)
    if _touches_in_one_point(scene.core_a, n):
        return 0.5 * s * n + core_support(scene, A, n)[0]
    if _touches_in_one_point(scene.core_b, back):
        return -0.5 * s * n + support_of_b(scene, -n)[0]
    a = point_of_a(scene)
    b = a - pair.closest
    left = -s * n + (b - a)
    if s <= 0.0 and left.dot(left) > (FAR * size) * (FAR * size):
        # Pulled apart along n, the cores are nearest in the same points.
        pulled = 1e-2 * size - s
        pair.p = pulled * n + p
        scene.corners = 0
        closest(scene, math.inf, -n)
        pair.p = p
        a = point_of_a(scene)
        b = -pulled * n + (a - pair.closest)
    a = _on_core(scene.core_a, n, a)
    local = R.transposed_times(b - p)
    b = (R @ _on_core(scene.core_b, back, local)) + p
    return 0.5 * (a + b)


@subroutine
def nearest(scene: Scene, cutoff):
    """Whether the pair is nearer than `cutoff`; gap, normal, point midway (frame of A)."""
    pair, radius_a, radius_b = scene.pair, scene.core_a.radius, scene.core_b.radius
    status = closest(scene, cutoff + radius_a + radius_b, -pair.p)
    v = pair.closest
    if status == BEYOND:
        return False, math.inf, (-1.0 / math.sqrt(v.dot(v))) * v, Vec3.zero()
    if status == TOUCHING:
        n = penetration(scene)[1]
    else:
        n = (-1.0 / math.sqrt(v.dot(v))) * v
    n, s = polish(scene, n)
    # The middle between the cores is not that between the surfaces if the radii differ.
    middle = 0.5 * (radius_a - radius_b) * n + _nearest_points(scene, n, s)
    gap = s - radius_a - radius_b
    return gap <= cutoff, gap, n, middle
