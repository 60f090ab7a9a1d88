"""A sphere or a capsule with a box.

In the frame of the box, with half edges h, the point of the box nearest to x is x clamped to +-h;
from it follow normal and gap. A centre inside is pushed out through the nearest face.

A capsule is a row of spheres, and each of its contacts is that of one of them with the box: the one
nearest to the box, and the two at the ends of the stretch above the face it lies on. Where the axis
itself runs through the box, the least overlap along the three face normals and the three products
of edges with the axis decides (separating axes).
"""

from dalembert._jit import apart, kernel
from dalembert.collision.layout import Pair, Scene
from dalembert.collision.passing import depth_of_grazing, nearest_to_box_on_way
from dalembert.collision.segments import direction, nearest_of_segments, outside_of_box
from dalembert.collision.spheres import Segment
from dalembert.numerics.vector import Vec3

FIRST_END, LAST_END, NEAREST = range(3)
"""Keys of the contacts of a capsule."""

DEEPER = 1e-12
"""Part of the sizes: a nearest point no deeper than the ends gives no contact of its own."""


@kernel
def _put(pair, key, x, distance, out, count):
    """Contact of a sphere of A at x with the box B, both in axes of B; `out`: out of the box."""
    scene = pair.scene
    A, B = scene.shape(pair.a), scene.shape(pair.b)
    r = A.size.x
    gap = distance - r
    if gap > pair.margin:
        return count
    R, place = B.R, B.in_world(x)
    if gap > 0.0:
        u, step = R.transposed_times(A.velocity_at(place) - B.velocity_at(place)), scene.step_length
        foretold = gap + step * out.dot(u)
        if foretold < 0.0:
            reach = r - depth_of_grazing(r, foretold)
            moment, least = nearest_to_box_on_way(x, u, B.size, reach, step)
            if least >= reach:
                # it passes: the plane is that of the place where it comes nearest
                out = outside_of_box(x + moment * u, B.size)[1]
                gap = least - r - moment * out.dot(u)
    n = -(R @ out)
    point = place + (r + 0.5 * gap) * n
    return pair.add(count, key, gap, n, point)


@apart(int)
def sphere_box(scene: Scene, a, b, margin, contacts, count):
    """One contact."""
    B = scene.shape(b)
    x = B.seen(scene.shape(a).x)
    distance, out = outside_of_box(x, B.size)
    return _put(Pair(scene, a, b, margin, contacts), 0, x, distance, out, count)


@kernel
def stretch_within(axis, h, skipped):
    """Part (first, last) of a segment between the faces of a box; `skipped`: not those of one axis.

    Empty when first > last.
    """
    first, last = -axis.half, axis.half
    for k in range(3):
        if k != skipped:
            x, way, most = axis.c.entry(k), axis.d.entry(k), h.entry(k)
            if abs(way) * axis.half <= 1e-15 * most:
                if abs(x) > most:
                    last = first - 1.0
            else:
                s, t = (-most - x) / way, (most - x) / way
                first, last = max(first, min(s, t)), min(last, max(s, t))
    return first, last


@kernel
def nearest_to_box(axis, h):
    """Place on a segment outside a box that is nearest to it: an end, or one nearest to an edge."""
    c, d, half = axis.c, axis.d, axis.half
    best, place = outside_of_box(axis.at(-half), h)[0], -half
    new = outside_of_box(axis.at(half), h)[0]
    if new < best:
        best, place = new, half
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        along, a, b = Vec3.along(k, 1.0), Vec3.along(i, h.entry(i)), Vec3.along(j, h.entry(j))
        for corner in range(4):
            sa, sb = 1.0 if corner & 1 else -1.0, 1.0 if corner & 2 else -1.0
            middle = sa * a + sb * b
            s = nearest_of_segments(c, d, half, middle, along, h.entry(k))[0]
            new = outside_of_box(axis.at(s), h)[0]
            if new < best:
                best, place = new, s
    return place


@apart(int)
def capsule_box(scene: Scene, a, b, margin, contacts, count):
    """Contacts of the nearest point and of the ends of the stretch above a face."""
    A, B = scene.shape(a), scene.shape(b)
    h, r, half = B.size, A.size.x, A.size.y
    axis = Segment(B.seen(A.x), B.R.transposed_times(A.R.z), half, r)
    reach = r + margin
    for k in range(3):
        if abs(axis.c.entry(k)) - half * abs(axis.d.entry(k)) - h.entry(k) > reach:
            return count
    pair = Pair(scene, a, b, margin, contacts)
    first, last = stretch_within(axis, h, -1)
    if first <= last:
        return _through(pair, axis, count)
    x = axis.at(nearest_to_box(axis, h))
    nearest, out = outside_of_box(x, h)
    if nearest > reach:
        return count
    face = 0
    for k in range(1, 3):
        if abs(out.entry(k)) > abs(out.entry(face)):
            face = k
    first, last = stretch_within(axis, h, face)
    slack, deeper = DEEPER * (r + half), True
    if last - first > 1e-3 * r:
        for key in range(2):
            y = axis.at(first if key == FIRST_END else last)
            distance, normal = outside_of_box(y, h)
            if distance <= nearest + slack:
                deeper = False
            count = _put(pair, key, y, distance, normal, count)
    if deeper:
        count = _put(pair, NEAREST, x, nearest, out, count)
    return count


@kernel
def _through(pair, axis, count):
    """Contacts of a capsule whose axis runs through the box."""
    h, c, d, half = pair.scene.shape(pair.b).size, axis.c, axis.d, axis.half
    least, face = 0.0, -1
    for k in range(3):
        overlap = h.entry(k) + half * abs(d.entry(k)) - abs(c.entry(k))
        if face < 0 or overlap < least:
            least, face = overlap, k
    edge, across = -1, d
    for k in range(3):
        length, m = direction(Vec3.along(k, 1.0) % d, d)
        if length > 1e-6:
            overlap = m.absolute.dot(h) - abs(m.dot(c))
            if overlap < least * (1.0 - 1e-4):
                least, edge, across = overlap, k, m
    if edge >= 0:
        out = across if across.dot(c) > 0.0 else -across
        x = axis.at(_nearest_to_edge(axis, h, edge, out))
        return _put(pair, NEAREST, x, -least, out, count)
    out = Vec3.along(face, 1.0 if c.entry(face) > 0.0 else -1.0)
    first, last = stretch_within(axis, h, face)
    for key in range(2):
        x = axis.at(first if key == FIRST_END else last)
        distance = out.dot(x) - h.entry(face)
        count = _put(pair, key, x, distance, out, count)
    return count


@kernel
def _nearest_to_edge(axis, h, k, out):
    """Place on a segment nearest to the edge of a box along axis k that lies towards `out`."""
    i, j = (k + 1) % 3, (k + 2) % 3
    hi, hj = h.entry(i), h.entry(j)
    middle = Vec3.along(i, hi if out.entry(i) > 0.0 else -hi)
    middle = middle + Vec3.along(j, hj if out.entry(j) > 0.0 else -hj)
    along = Vec3.along(k, 1.0)
    return nearest_of_segments(axis.c, axis.d, axis.half, middle, along, h.entry(k))[0]
