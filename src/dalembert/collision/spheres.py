"""Spheres and capsules among themselves: closed forms.

Both are the points within a radius of a core, a point or a segment. With x_A, x_B the nearest
points of the cores,

    n = (x_B - x_A) / |x_B - x_A|,     gap = |x_B - x_A| - r_A - r_B.

Capsules side by side touch along a line: the ends of the stretch where they lie beside one another
give two contacts, so that one does not roll about a single point.
"""

from dalembert._jit import apart, kernel
from dalembert._records import value
from dalembert.collision.layout import Pair, Scene, feature_key
from dalembert.collision.passing import depth_of_grazing, nearest_way
from dalembert.collision.segments import (
    clamp,
    direction,
    nearest_of_segment,
    nearest_of_segments,
)
from dalembert.numerics.vector import Vec3

BESIDE = 1e-3
"""Squared sine of the angle up to which capsules lie side by side (1.8 degrees)."""

DEEPER = 1e-12
"""Part of the radii: a nearest point no deeper than the ends gives no contact of its own."""


@value
class Segment:
    """Core of a capsule: middle, unit direction, half the length; and its radius."""

    c: Vec3
    d: Vec3
    half: float
    r: float

    def at(self, s):
        """A point of it."""
        return self.c + s * self.d

    def nearest(self, x):
        """The point of it nearest to x."""
        return self.at(nearest_of_segment(self.c, self.d, self.half, x))


@kernel
def segment_of(shape):
    """Core of a placed capsule."""
    return Segment(shape.x, shape.R.z, shape.size.y, shape.size.x)


@kernel
def put_round(pair, key, x_a, x_b, otherwise, count):
    """Contact of two balls about points of two cores, if they are near enough."""
    scene = pair.scene
    A, B = scene.shape(pair.a), scene.shape(pair.b)
    r_a, r_b = A.size.x, B.size.x
    d = x_b - x_a
    reach = r_a + r_b + pair.margin
    if d.dot(d) > reach * reach:
        return count
    length, n = direction(d, otherwise)
    gap = length - (r_a + r_b)
    if gap > 0.0:
        u, h = B.velocity_at(x_b) - A.velocity_at(x_a), scene.step_length
        foretold = gap + h * n.dot(u)
        if foretold < 0.0:
            least = nearest_way(d, u, h)
            reach = r_a + r_b - depth_of_grazing(min(r_a, r_b), foretold)
            if least.dot(least) >= reach * reach:
                # it passes: the plane is that of the place where it comes nearest
                n = direction(least, n)[1]
                gap = n.dot(d) - (r_a + r_b)
    point = x_a + (r_a + 0.5 * gap) * n
    return pair.add(count, key, gap, n, point)


@kernel
def sphere_sphere(scene: Scene, a, b, margin, contacts, count):
    """One contact; that of coincident centres is vertical."""
    x_a, x_b, up = scene.shape(a).x, scene.shape(b).x, Vec3(0.0, 0.0, 1.0)
    return put_round(Pair(scene, a, b, margin, contacts), 0, x_a, x_b, up, count)


@apart(int)
def sphere_capsule(scene: Scene, a, b, margin, contacts, count):
    """One contact; a sphere whose centre lies on the axis is pushed across it."""
    x_a, B = scene.shape(a).x, scene.shape(b)
    x_b = segment_of(B).nearest(x_a)
    return put_round(Pair(scene, a, b, margin, contacts), 0, x_a, x_b, B.R.x, count)


@apart(int)
def capsule_capsule(scene: Scene, a, b, margin, contacts, count):
    """One contact, or those at the ends of the stretch where the axes lie side by side."""
    A, B = segment_of(scene.shape(a)), segment_of(scene.shape(b))
    s, t = nearest_of_segments(A.c, A.d, A.half, B.c, B.d, B.half)
    nearest = B.at(t) - A.at(s)
    least = nearest.dot(nearest)
    reach = A.r + B.r + margin
    if least > reach * reach:
        return count
    pair = Pair(scene, a, b, margin, contacts)
    aside, across = scene.shape(a).R.x, A.d % B.d
    if across.dot(across) > 0.0:
        # axes that cross are pushed apart across both
        aside = direction(across, aside)[1]
    if across.dot(across) < BESIDE:
        middle, way = A.d.dot(B.c - A.c), abs(A.d.dot(B.d)) * B.half
        first = clamp(middle - way, -A.half, A.half)
        last = clamp(middle + way, -A.half, A.half)
        if last - first > 1e-3 * (A.r + B.r):
            deeper = True
            for k in range(2):
                x_a = A.at(last if k else first)
                x_b = B.nearest(x_a)
                d = x_b - x_a
                if d.dot(d) <= least * (1.0 + DEEPER):
                    deeper = False
                key = feature_key(1, k, 0)
                count = put_round(pair, key, x_a, x_b, aside, count)
            if not deeper:
                return count
    return put_round(pair, 0, A.at(s), B.at(t), aside, count)
