"""A solid given by a formula against what is not convex: by points of its surface.

Points spread over the surface f = 0 (`spread_points`) are held against the other shape. Up to four
within the margin are contacts, as those of a hull. The lowest of all is first taken to where the
surface is lowest (`lowest_on_surface`): there the gap is exact to rounding, and a ball rolls on
its own curvature. See docs/theory/collision.md, "Solids given by a formula".
"""

import math

from dalembert._jit import apart, kernel, vector_view
from dalembert.collision.field import field_at, field_code, on_surface
from dalembert.collision.layout import (
    BOUNDING_RADIUS,
    COUNT,
    FIRST,
    SCRATCH_NUMBERS_AT,
    feature_key,
    placed,
    put_contact,
    shape_integers,
    shape_numbers,
)
from dalembert.collision.manifold import MOST, keep_four
from dalembert.collision.pair_layout import CANDIDATE, Candidates
from dalembert.numerics.small import (
    add,
    axpy,
    dot,
    matrix,
    scale,
    sub,
    times,
    transposed_product,
    transposed_times,
    vector,
)

POINTS_AT = 128
"""Floats of the scratch section where candidates stand, beyond those that a formula uses."""

STEPS = 60
LIFTS = 3
"""Newton's steps back to the surface after every step along it."""


@kernel
def _along(integers, numbers, ff, code, x, way, length):
    """A step against `way` and back to f = 0: the point and the gradient there, 0 where lost."""
    y = axpy(-length, way, x)
    for _ in range(LIFTS):
        f, g = field_at(integers, numbers, ff, code, y)
        gg = dot(g, g)
        if not gg > 0.0:
            return y, (0.0, 0.0, 0.0)
        y = axpy(-f / gg, g, y)
    return y, field_at(integers, numbers, ff, code, y)[1]


@kernel
def _next_length(step, turn, length):
    """The length of the next step, by what the direction has changed over the last."""
    bend = dot(step, turn)
    return dot(step, step) / bend if bend > 0.0 else 2.0 * length


@kernel
def lowest_on_surface(integers, numbers, ff, code, x, n, size):
    """The point of the surface near x that is lowest along n, in the frame of the field.

    Steps along the surface against n, as long as the change of their direction asks for (Barzilai,
    Borwein 1988), each followed by Newton's steps back to f = 0.
    """
    g = field_at(integers, numbers, ff, code, x)[1]
    gg = dot(g, g)
    if not gg > 0.0:
        return x
    way = axpy(-dot(n, g) / gg, g, n)
    best, least = x, dot(n, x)
    length = 0.1 * size
    for _ in range(STEPS):
        far = math.sqrt(dot(way, way)) * length
        if far <= 1e-13 * size:
            break
        y, g = _along(integers, numbers, ff, code, x, way, length * min(1.0, 0.2 * size / far))
        gg = dot(g, g)
        if not gg > 0.0:
            return best
        there = axpy(-dot(n, g) / gg, g, n)
        length = _next_length(sub(y, x), sub(there, way), length)
        x, way = y, there
        if dot(n, x) < least:
            best, least = x, dot(n, x)
    return best


@kernel
def _note(scratch, found, x, gap, key):
    """Add a candidate; how many there are."""
    if found == MOST:
        found = keep_four(Candidates(scratch), found)
    to = CANDIDATE * found
    scratch[to], scratch[to + 1], scratch[to + 2] = x[0], x[1], x[2]
    scratch[to + 3] = gap
    scratch[to + 4] = float(key)
    return found + 1


@apart(int)
def plane_field(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """Contacts of a plane with a solid given by a formula; key: number of the point, 0: lowest."""
    ff = integers[SCRATCH_NUMBERS_AT]
    record, at, at_b = shape_integers(integers, b), placed(integers, a), placed(integers, b)
    n, R, c = (
        (numbers[at + 5], numbers[at + 8], numbers[at + 11]),
        matrix(numbers, at_b + 3),
        vector(numbers, at_b),
    )
    own = transposed_times(R, n)
    height = dot(n, sub(c, vector(numbers, at)))
    size = numbers[shape_numbers(integers, b) + BOUNDING_RADIUS]
    first, points = integers[record + FIRST], integers[record + COUNT]
    code = field_code(integers, b)
    best, least = -1, 1e300
    for k in range(points):
        z = dot(own, vector(numbers, first + 3 * k))
        if z < least:
            best, least = k, z
    # a point is within a cell of the lowest: nowhere is the surface much lower
    if best < 0 or height + least - 0.3 * size > margin:
        return count
    low = lowest_on_surface(
        integers, numbers, ff, code, vector(numbers, first + 3 * best), own, size
    )
    scratch = vector_view(numbers, ff + POINTS_AT, CANDIDATE * (MOST + 4))
    gap = height + dot(own, low)
    if gap > margin:
        return count
    found = _note(scratch, 0, low, gap, 0)
    for k in range(points):
        y = vector(numbers, first + 3 * k)
        gap = height + dot(own, y)
        if gap <= margin:
            found = _note(scratch, found, y, gap, 1 + k)
    found = keep_four(Candidates(scratch), found)
    for k in range(found):
        to = CANDIDATE * k
        y, gap = vector(scratch, to), scratch[to + 3]
        x = times(R, y)
        x = (c[0] + x[0], c[1] + x[1], c[2] + x[2])
        key = feature_key(41, 0, int(scratch[to + 4]))
        point = axpy(-0.5 * gap, n, x)
        count = put_contact(out_integers, out_numbers, count, a, b, key, gap, n, point, margin)
    return count


@kernel
def _slope_in(integers, numbers, ff, code, R, p, x):
    """Value of another field at a point of this one, and the direction in which it grows."""
    f, g = field_at(integers, numbers, ff, code, add(times(R, x), p))
    gg = dot(g, g)
    if not gg > 0.0:
        return f, (0.0, 0.0, 0.0)
    return f, transposed_times(R, scale(1.0 / math.sqrt(gg), g))


@kernel
def lowest_in_field(integers, numbers, ff, code, other, R, p, x, size):
    """The point of the surface near x where another field is least, as `lowest_on_surface`.

    R, p: pose of the field of `code` in that of `other`.
    """
    g = field_at(integers, numbers, ff, code, x)[1]
    gg = dot(g, g)
    least, n = _slope_in(integers, numbers, ff, other, R, p, x)
    if not gg > 0.0:
        return x
    way, best, length = axpy(-dot(n, g) / gg, g, n), x, 0.1 * size
    for _ in range(STEPS):
        far = math.sqrt(dot(way, way)) * length
        if far <= 1e-13 * size:
            break
        y, g = _along(integers, numbers, ff, code, x, way, length * min(1.0, 0.2 * size / far))
        gg = dot(g, g)
        if not gg > 0.0:
            return best
        value, n = _slope_in(integers, numbers, ff, other, R, p, y)
        there = axpy(-dot(n, g) / gg, g, n)
        length = _next_length(sub(y, x), sub(there, way), length)
        x, way = y, there
        if value < least:
            best, least = x, value
    return best


@kernel
def _points_in_field(
    integers, numbers, a, b, own, other, refined, margin, out_integers, out_numbers, count
):
    """Contacts of points of the surface of `own` in the field of `other`, four at most."""
    ff = integers[SCRATCH_NUMBERS_AT]
    record, at, to = shape_integers(integers, own), placed(integers, own), placed(integers, other)
    R_own, R_other = matrix(numbers, at + 3), matrix(numbers, to + 3)
    R = transposed_product(R_other, R_own)
    p = transposed_times(R_other, sub(vector(numbers, at), vector(numbers, to)))
    first, points = integers[record + FIRST], integers[record + COUNT]
    size = numbers[shape_numbers(integers, own) + BOUNDING_RADIUS]
    extent = numbers[shape_numbers(integers, other) + BOUNDING_RADIUS]
    code, outside = field_code(integers, own), field_code(integers, other)
    scratch = vector_view(numbers, ff + POINTS_AT, CANDIDATE * (MOST + 4))
    found, best, least = 0, -1, 1e300
    for k in range(points):
        x = vector(numbers, first + 3 * k)
        y = add(times(R, x), p)
        f, g = field_at(integers, numbers, ff, outside, y)
        slope = math.sqrt(dot(g, g))
        if slope > 0.0 and f / slope < least:
            best, least = k, f / slope
        if f <= 2.0 * slope * margin:
            gap = on_surface(integers, numbers, ff, outside, y, size, extent)[0]
            if gap <= margin:
                found = _note(scratch, found, x, gap, 1 + k)
    if best >= 0 and refined:
        x = vector(numbers, first + 3 * best)
        x = lowest_in_field(integers, numbers, ff, code, outside, R, p, x, size)
        y = add(times(R, x), p)
        gap = on_surface(integers, numbers, ff, outside, y, size, extent)[0]
        if gap <= margin:
            found = _note(scratch, found, x, gap, 0)
    found = keep_four(Candidates(scratch), found)
    for k in range(found):
        x, key = vector(scratch, CANDIDATE * k), int(scratch[CANDIDATE * k + 4])
        y = add(times(R, x), p)
        gap, n = on_surface(integers, numbers, ff, outside, y, size, extent)
        out = times(R_other, n)
        point = axpy(-0.5 * gap, out, add(times(R_own, x), vector(numbers, at)))
        normal = out if other == a else scale(-1.0, out)
        key = feature_key(42 if other == a else 43, 0, key)
        count = put_contact(out_integers, out_numbers, count, a, b, key, gap, normal, point, margin)
    return count


@apart(int)
def field_field(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """Contacts of two solids given by formulas: points of each surface in the other's field."""
    count = _points_in_field(
        integers, numbers, a, b, b, a, True, margin, out_integers, out_numbers, count
    )
    return _points_in_field(
        integers, numbers, a, b, a, b, False, margin, out_integers, out_numbers, count
    )
