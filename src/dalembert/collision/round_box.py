"""A sphere or a capsule with a box.

In the frame of the box, with half edges h, the point of the box nearest to x is x clamped to +-h;
from it follow normal and gap. A centre inside is pushed out through the nearest face.

A capsule is a row of spheres, and each of its contacts is that of one of them with the box: the one
nearest to the box, and the two at the ends of the stretch above the face it lies on. Where the axis
itself runs through the box, the least overlap along the three face normals and the three products
of edges with the axis decides (separating axes).
"""

from dalembert._jit import apart, kernel
from dalembert.collision.layout import SIZE, STEP_LENGTH, placed, put_contact, shape_numbers
from dalembert.collision.passing import allowed, nearest_to_box_on_way, velocity_at
from dalembert.collision.segments import (
    direction,
    entry,
    nearest_of_segments,
    outside_of_box,
    unit_axis,
)
from dalembert.collision.spheres import axis_of
from dalembert.numerics.small import axpy, cross, dot, matrix, scale, sub, times, transposed_times
from dalembert.numerics.small import vector as vector_of

FIRST_END, LAST_END, NEAREST = range(3)
"""Keys of the contacts of a capsule."""

DEEPER = 1e-12
"""Part of the sizes: a nearest point no deeper than the ends gives no contact of its own."""


@kernel
def _put(arrays, pair, key, x, r, distance, out, h, margin, count):
    """Contact of a sphere of A at x with the box B, both in axes of B; `out`: out of the box.

    h: half edges of the box.
    """
    gap = distance - r
    if gap > margin:
        return count
    integers, numbers, out_integers, out_numbers = arrays
    a, b = pair
    at_a, at_b = placed(integers, a), placed(integers, b)
    c, R = vector_of(numbers, at_b), matrix(numbers, at_b + 3)
    place = _in_world(R, c, x)
    if gap > 0.0:
        u = sub(velocity_at(numbers, at_a, place), velocity_at(numbers, at_b, place))
        u = transposed_times(R, u)
        step = numbers[STEP_LENGTH]
        foretold = gap + step * dot(out, u)
        if foretold < 0.0:
            reach = r - allowed(r, foretold)
            moment, least = nearest_to_box_on_way(x, u, h, reach, step)
            if least >= reach:
                # it passes: the plane is that of the place where it comes nearest
                out = outside_of_box(axpy(moment, u, x), h)[1]
                gap = least - r - moment * dot(out, u)
    n = scale(-1.0, times(R, out))
    point = axpy(r + 0.5 * gap, n, place)
    return put_contact(out_integers, out_numbers, count, a, b, key, gap, n, point, margin)


@kernel
def _in_world(R, c, x):
    """c + R x."""
    y = times(R, x)
    return c[0] + y[0], c[1] + y[1], c[2] + y[2]


@kernel
def sphere_box(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """One contact."""
    r = numbers[shape_numbers(integers, a) + SIZE]
    at = placed(integers, b)
    c, R = vector_of(numbers, at), matrix(numbers, at + 3)
    h = vector_of(numbers, shape_numbers(integers, b) + SIZE)
    x = transposed_times(R, sub(vector_of(numbers, placed(integers, a)), c))
    distance, out = outside_of_box(x, h)
    arrays = (integers, numbers, out_integers, out_numbers)
    return _put(arrays, (a, b), 0, x, r, distance, out, h, margin, count)


@kernel
def stretch_within(c, d, half, h, skipped):
    """Part (first, last) of a segment between the faces of a box; `skipped`: not those of one axis.

    Empty when first > last.
    """
    first, last = -half, half
    for k in range(3):
        if k != skipped:
            x, way, most = entry(c, k), entry(d, k), entry(h, k)
            if abs(way) * half <= 1e-15 * most:
                if abs(x) > most:
                    last = first - 1.0
            else:
                s, t = (-most - x) / way, (most - x) / way
                first, last = max(first, min(s, t)), min(last, max(s, t))
    return first, last


@kernel
def nearest_to_box(c, d, half, h):
    """Place on a segment outside a box that is nearest to it: an end, or one nearest to an edge."""
    best, place = outside_of_box(axpy(-half, d, c), h)[0], -half
    new = outside_of_box(axpy(half, d, c), h)[0]
    if new < best:
        best, place = new, half
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        along, a, b = unit_axis(k, 1.0), unit_axis(i, entry(h, i)), unit_axis(j, entry(h, j))
        for corner in range(4):
            sa, sb = 1.0 if corner & 1 else -1.0, 1.0 if corner & 2 else -1.0
            middle = axpy(sa, a, scale(sb, b))
            s, _ = nearest_of_segments(c, d, half, middle, along, entry(h, k))
            new = outside_of_box(axpy(s, d, c), h)[0]
            if new < best:
                best, place = new, s
    return place


@apart(int)
def capsule_box(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """Contacts of the nearest point and of the ends of the stretch above a face."""
    size, at_a = shape_numbers(integers, a) + SIZE, placed(integers, a)
    r, half = numbers[size], numbers[size + 1]
    at = placed(integers, b)
    C, R = vector_of(numbers, at), matrix(numbers, at + 3)
    h = vector_of(numbers, shape_numbers(integers, b) + SIZE)
    c = transposed_times(R, sub(vector_of(numbers, at_a), C))
    d = transposed_times(R, axis_of(numbers, at_a))
    arrays = (integers, numbers, out_integers, out_numbers)
    reach = r + margin
    for k in range(3):
        if abs(entry(c, k)) - half * abs(entry(d, k)) - entry(h, k) > reach:
            return count
    first, last = stretch_within(c, d, half, h, -1)
    if first <= last:
        return _through(arrays, (a, b), c, d, half, h, r, margin, count)
    place = nearest_to_box(c, d, half, h)
    x = axpy(place, d, c)
    nearest, out = outside_of_box(x, h)
    if nearest > reach:
        return count
    face = 0
    for k in range(1, 3):
        if abs(entry(out, k)) > abs(entry(out, face)):
            face = k
    first, last = stretch_within(c, d, half, h, face)
    slack = DEEPER * (r + half)
    deeper = True
    if last - first > 1e-3 * r:
        for key in range(2):
            y = axpy(first if key == FIRST_END else last, d, c)
            distance, normal = outside_of_box(y, h)
            if distance <= nearest + slack:
                deeper = False
            count = _put(arrays, (a, b), key, y, r, distance, normal, h, margin, count)
    if deeper:
        count = _put(arrays, (a, b), NEAREST, x, r, nearest, out, h, margin, count)
    return count


@kernel
def _through(arrays, pair, c, d, half, h, r, margin, count):
    """Contacts of a capsule whose axis runs through the box."""
    least, face = 0.0, -1
    for k in range(3):
        overlap = entry(h, k) + half * abs(entry(d, k)) - abs(entry(c, k))
        if face < 0 or overlap < least:
            least, face = overlap, k
    edge, across = -1, d
    for k in range(3):
        length, m = direction(cross(unit_axis(k, 1.0), d), d)
        if length > 1e-6:
            overlap = abs(m[0]) * h[0] + abs(m[1]) * h[1] + abs(m[2]) * h[2] - abs(dot(m, c))
            if overlap < least * (1.0 - 1e-4):
                least, edge, across = overlap, k, m
    if edge >= 0:
        out = across if dot(across, c) > 0.0 else scale(-1.0, across)
        i, j = (edge + 1) % 3, (edge + 2) % 3
        middle = axpy(
            1.0 if entry(out, i) > 0.0 else -1.0,
            unit_axis(i, entry(h, i)),
            unit_axis(j, entry(h, j) if entry(out, j) > 0.0 else -entry(h, j)),
        )
        s, _ = nearest_of_segments(c, d, half, middle, unit_axis(edge, 1.0), entry(h, edge))
        x = axpy(s, d, c)
        return _put(arrays, pair, NEAREST, x, r, -least, out, h, margin, count)
    out = unit_axis(face, 1.0 if entry(c, face) > 0.0 else -1.0)
    first, last = stretch_within(c, d, half, h, face)
    for key in range(2):
        x = axpy(first if key == FIRST_END else last, d, c)
        distance = dot(out, x) - entry(h, face)
        count = _put(arrays, pair, key, x, r, distance, out, h, margin, count)
    return count
