"""A solid given by a formula against what is not convex: by points of its surface.

Points spread over the surface f = 0 (`spread_points`) are held against the other shape. Up to four
within the margin are contacts, as those of a hull. The lowest of all is first taken to where the
surface is lowest (`lowest_on_surface`): there the gap is exact to rounding, and a ball rolls on
its own curvature. See docs/theory/collision.md, "Solids given by a formula".
"""

import math

from dalembert._jit import apart, kernel
from dalembert._records import value
from dalembert.collision.field import Turned, field_of, on_surface
from dalembert.collision.layout import Scene, feature_key
from dalembert.collision.manifold import MOST, keep_four
from dalembert.numerics.vector import Vec3

STEPS = 60
LIFTS = 3
"""Newton's steps back to the surface after every step along it."""


@kernel
def _along(field, x, way, length):
    """A step against `way` and back to f = 0: the point and the gradient there, 0 where lost."""
    y = -length * way + x
    for _ in range(LIFTS):
        f, g = field.at(y)
        gg = g.dot(g)
        if not gg > 0.0:
            return y, Vec3.zero()
        y = (-f / gg) * g + y
    return y, field.at(y)[1]


@kernel
def _next_length(step, turn, length):
    """The length of the next step, by what the direction has changed over the last."""
    bend = step.dot(turn)
    return step.dot(step) / bend if bend > 0.0 else 2.0 * length


@kernel
def _across(n, g, gg):
    """The part of n along the surface, whose gradient is g."""
    return (-n.dot(g) / gg) * g + n


@kernel
def lowest_on_surface(field, x, n, size):
    """The point of the surface near x that is lowest along n, in the frame of the field.

    Steps along the surface against n, as long as the change of their direction asks for (Barzilai,
    Borwein 1988), each followed by Newton's steps back to f = 0.
    """
    g = field.at(x)[1]
    gg = g.dot(g)
    if not gg > 0.0:
        return x
    way = _across(n, g, gg)
    best, least = x, n.dot(x)
    length = 0.1 * size
    for _ in range(STEPS):
        far = math.sqrt(way.dot(way)) * length
        if far <= 1e-13 * size:
            break
        y, g = _along(field, x, way, length * min(1.0, 0.2 * size / far))
        gg = g.dot(g)
        if not gg > 0.0:
            return best
        there = _across(n, g, gg)
        length = _next_length(y - x, there - way, length)
        x, way = y, there
        if n.dot(x) < least:
            best, least = x, n.dot(x)
    return best


@kernel
def _note(candidates, found, x, gap, key):
    """Add a candidate; how many there are."""
    if found == MOST:
        found = keep_four(candidates, found)
    candidates[found].put(x, gap, key)
    return found + 1


@apart(int)
def plane_field(scene: Scene, a, b, margin, contacts, count):
    """Contacts of a plane with a solid given by a formula; key: number of the point, 0: lowest."""
    plane, solid, candidates = scene.shape(a), scene.shape(b), scene.candidates
    n, points, size = plane.R.z, scene.vertices(solid), solid.bounding_radius
    own, height = solid.R.transposed_times(n), n.dot(solid.x - plane.x)
    best, least = -1, 1e300
    for k in range(solid.count):
        z = own.dot(points[k])
        if z < least:
            best, least = k, z
    # a point is within a cell of the lowest: nowhere is the surface much lower
    if best < 0 or height + least - 0.3 * size > margin:
        return count
    low = lowest_on_surface(field_of(scene, b), points[best], own, size)
    gap = height + own.dot(low)
    if gap > margin:
        return count
    found = _note(candidates, 0, low, gap, 0)
    for k in range(solid.count):
        gap = height + own.dot(points[k])
        if gap <= margin:
            found = _note(candidates, found, points[k], gap, 1 + k)
    for k in range(keep_four(candidates, found)):
        point = candidates[k]
        gap, key = point.gap, feature_key(41, 0, int(point.key))
        x = -0.5 * gap * n + (solid.x + solid.R @ point.x)
        count = contacts.add(count, a, b, key, gap, n, x, margin)
    return count


@kernel
def _slope_in(other, x):
    """Value of another field at a point of this one, and the direction in which it grows."""
    f, g = other.field.at((other.R @ x) + other.p)
    gg = g.dot(g)
    if not gg > 0.0:
        return f, Vec3.zero()
    return f, other.R.transposed_times((1.0 / math.sqrt(gg)) * g)


@kernel
def lowest_in_field(field, other, x, size):
    """The point of the surface near x where another field is least, as `lowest_on_surface`.

    other: that field, with the pose of this one in it.
    """
    g = field.at(x)[1]
    gg = g.dot(g)
    least, n = _slope_in(other, x)
    if not gg > 0.0:
        return x
    way, best, length = _across(n, g, gg), x, 0.1 * size
    for _ in range(STEPS):
        far = math.sqrt(way.dot(way)) * length
        if far <= 1e-13 * size:
            break
        y, g = _along(field, x, way, length * min(1.0, 0.2 * size / far))
        gg = g.dot(g)
        if not gg > 0.0:
            return best
        value, n = _slope_in(other, y)
        there = _across(n, g, gg)
        length = _next_length(y - x, there - way, length)
        x, way = y, there
        if value < least:
            best, least = x, value
    return best


@value
class Points:
    """Points of the surface of one solid, `own`, against the field of another.

    other: that field, with the pose of `own` in it.
    """

    scene: Scene
    own: int
    other: Turned
    size: float

    def seen(self, x):
        """A point in the frame of the other."""
        return (self.other.R @ x) + self.other.p

    def gap(self, x):
        """Signed distance of a point from the other's surface, and the normal there."""
        return on_surface(self.other.field, self.seen(x), self.size)


@kernel
def points_of(scene: Scene, own, other):
    """Points of one solid against the field of another."""
    here, there = scene.shape(own), scene.shape(other)
    R = there.R.transposed_product(here.R)
    p = there.R.transposed_times(here.x - there.x)
    return Points(scene, own, Turned(field_of(scene, other), R, p), here.bounding_radius)


@kernel
def _find_points(points, refined, margin):
    """Candidates: points of the surface that are near the other; how many."""
    scene, shape = points.scene, scene_shape(points)
    candidates, vertices = scene.candidates, scene.vertices(shape)
    found, best, least = 0, -1, 1e300
    for k in range(shape.count):
        x = vertices[k]
        f, g = points.other.field.at(points.seen(x))
        slope = math.sqrt(g.dot(g))
        if slope > 0.0 and f / slope < least:
            best, least = k, f / slope
        if f <= 2.0 * slope * margin:
            gap = points.gap(x)[0]
            if gap <= margin:
                found = _note(candidates, found, x, gap, 1 + k)
    if best >= 0 and refined:
        field = field_of(scene, points.own)
        x = lowest_in_field(field, points.other, vertices[best], points.size)
        gap = points.gap(x)[0]
        if gap <= margin:
            found = _note(candidates, found, x, gap, 0)
    return keep_four(candidates, found)


@kernel
def scene_shape(points):
    """The solid that points are of."""
    return points.scene.shape(points.own)


@kernel
def _points_in_field(scene: Scene, a, b, own, refined, margin, contacts, count):
    """Contacts of points of the surface of `own` in the field of the other, four at most."""
    other = a if own == b else b
    points, here, there = points_of(scene, own, other), scene.shape(own), scene.shape(other)
    for k in range(_find_points(points, refined, margin)):
        x, key = scene.candidates[k].x, int(scene.candidates[k].key)
        gap, n = points.gap(x)
        out = there.R @ n
        point = -0.5 * gap * out + ((here.R @ x) + here.x)
        normal = out if other == a else -out
        key = feature_key(42 if other == a else 43, 0, key)
        count = contacts.add(count, a, b, key, gap, normal, point, margin)
    return count


@apart(int)
def field_field(scene: Scene, a, b, margin, contacts, count):
    """Contacts of two solids given by formulas: points of each surface in the other's field."""
    count = _points_in_field(scene, a, b, b, True, margin, contacts, count)
    return _points_in_field(scene, a, b, a, False, margin, contacts, count)
