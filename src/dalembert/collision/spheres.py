"""Spheres and capsules among themselves: closed forms.

Both are the points within a radius of a core, a point or a segment. With x_A, x_B the nearest
points of the cores,

    n = (x_B - x_A) / |x_B - x_A|,     gap = |x_B - x_A| - r_A - r_B.

Capsules side by side touch along a line: the ends of the stretch where they lie beside one another
give two contacts, so that one does not roll about a single point.
"""

from dalembert._jit import apart, kernel
from dalembert.collision.layout import (
    SIZE,
    STEP_LENGTH,
    feature_key,
    placed,
    put_contact,
    shape_numbers,
)
from dalembert.collision.passing import allowed, nearest_way, velocity_at
from dalembert.collision.segments import (
    along,
    clamp,
    direction,
    nearest_of_segment,
    nearest_of_segments,
)
from dalembert.numerics.small import axpy, cross, dot, sub, vector

BESIDE = 1e-3
"""Squared sine of the angle up to which capsules lie side by side (1.8 degrees)."""

DEEPER = 1e-12
"""Part of the radii: a nearest point no deeper than the ends gives no contact of its own."""


@kernel
def axis_of(numbers, at):
    """Direction of the z axis of a placed shape."""
    return numbers[at + 5], numbers[at + 8], numbers[at + 11]


@kernel
def put_round(arrays, pair, key, x_a, r_a, x_b, r_b, otherwise, margin, count):
    """Contact of two balls about points of two cores, if they are near enough."""
    d = sub(x_b, x_a)
    reach = r_a + r_b + margin
    if dot(d, d) > reach * reach:
        return count
    integers, numbers, out_integers, out_numbers = arrays
    a, b = pair
    length, n = direction(d, otherwise)
    gap = length - (r_a + r_b)
    if gap > 0.0:
        at_a, at_b = placed(integers, a), placed(integers, b)
        u = sub(velocity_at(numbers, at_b, x_b), velocity_at(numbers, at_a, x_a))
        h = numbers[STEP_LENGTH]
        foretold = gap + h * dot(n, u)
        if foretold < 0.0:
            least = nearest_way(d, u, h)
            reach = r_a + r_b - allowed(min(r_a, r_b), foretold)
            if dot(least, least) >= reach * reach:
                # it passes: the plane is that of the place where it comes nearest
                n = direction(least, n)[1]
                gap = dot(n, d) - (r_a + r_b)
    point = axpy(r_a + 0.5 * gap, n, x_a)
    return put_contact(out_integers, out_numbers, count, a, b, key, gap, n, point, margin)


@kernel
def sphere_sphere(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """One contact; that of coincident centres is vertical."""
    arrays = (integers, numbers, out_integers, out_numbers)
    r_a = numbers[shape_numbers(integers, a) + SIZE]
    r_b = numbers[shape_numbers(integers, b) + SIZE]
    x_a, x_b = vector(numbers, placed(integers, a)), vector(numbers, placed(integers, b))
    up = (0.0, 0.0, 1.0)
    return put_round(arrays, (a, b), 0, x_a, r_a, x_b, r_b, up, margin, count)


@kernel
def sphere_capsule(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """One contact; a sphere whose centre lies on the axis is pushed across it."""
    arrays = (integers, numbers, out_integers, out_numbers)
    size_b, at_b = shape_numbers(integers, b) + SIZE, placed(integers, b)
    r_a, r_b = numbers[shape_numbers(integers, a) + SIZE], numbers[size_b]
    x_a, c, d = vector(numbers, placed(integers, a)), vector(numbers, at_b), axis_of(numbers, at_b)
    x_b = along(c, nearest_of_segment(c, d, numbers[size_b + 1], x_a), d)
    aside = (numbers[at_b + 3], numbers[at_b + 6], numbers[at_b + 9])
    return put_round(arrays, (a, b), 0, x_a, r_a, x_b, r_b, aside, margin, count)


@apart(int)
def capsule_capsule(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """One contact, or those at the ends of the stretch where the axes lie side by side."""
    arrays = (integers, numbers, out_integers, out_numbers)
    size_a, size_b = shape_numbers(integers, a) + SIZE, shape_numbers(integers, b) + SIZE
    at_a, at_b = placed(integers, a), placed(integers, b)
    r_a, l_a, r_b, l_b = numbers[size_a], numbers[size_a + 1], numbers[size_b], numbers[size_b + 1]
    c_a, d_a = vector(numbers, at_a), axis_of(numbers, at_a)
    c_b, d_b = vector(numbers, at_b), axis_of(numbers, at_b)
    aside = (numbers[at_a + 3], numbers[at_a + 6], numbers[at_a + 9])
    s, t = nearest_of_segments(c_a, d_a, l_a, c_b, d_b, l_b)
    x_a, x_b = along(c_a, s, d_a), along(c_b, t, d_b)
    nearest = sub(x_b, x_a)
    reach = r_a + r_b + margin
    if dot(nearest, nearest) > reach * reach:
        return count
    across = cross(d_a, d_b)
    if dot(across, across) > 0.0:
        # axes that cross are pushed apart across both
        aside = direction(across, aside)[1]
    if dot(across, across) < BESIDE:
        r = sub(c_b, c_a)
        middle, way = dot(d_a, r), abs(dot(d_a, d_b)) * l_b
        first = clamp(middle - way, -l_a, l_a)
        last = clamp(middle + way, -l_a, l_a)
        if last - first > 1e-3 * (r_a + r_b):
            least = dot(nearest, nearest)
            deeper = True
            for k in range(2):
                x_a = along(c_a, last if k else first, d_a)
                x_b = along(c_b, nearest_of_segment(c_b, d_b, l_b, x_a), d_b)
                d = sub(x_b, x_a)
                if dot(d, d) <= least * (1.0 + DEEPER):
                    deeper = False
                key = feature_key(1, k, 0)
                count = put_round(arrays, (a, b), key, x_a, r_a, x_b, r_b, aside, margin, count)
            if not deeper:
                return count
            x_a, x_b = along(c_a, s, d_a), along(c_b, t, d_b)
    return put_round(arrays, (a, b), 0, x_a, r_a, x_b, r_b, aside, margin, count)
