"""Solids given by a formula f(x, y, z), negative inside: contacts, distances and rays.

Nothing is known of f but its value and slope. Where it is near zero,

    y <- y - f(y) g / |g|^2,   g = grad f

is Newton's method for a point of the surface; moving y along the surface towards x as well makes
it the point nearest to x. So a ball touches where its middle is nearest. Of other convex
shapes the point where f is least is found by the method of Frank and Wolfe (1956), which needs no
more of a shape than its support; it is one contact, and the corners of the feature that looks
at the surface there, if they are near, are the others. Each has its own normal.

A point farther from the middle than the box about the solid is outside; f is not asked there.
"""

from __future__ import annotations

import math
import weakref
from typing import Any

from dalembert._jit import Signature, apart, kernel, vector_view
from dalembert.collision.convex import FEATURE_A, reach
from dalembert.collision.features import FEATURE, feature_of
from dalembert.collision.layout import (
    BOUNDING_RADIUS,
    BOX,
    SCRATCH_INTEGERS_AT,
    SCRATCH_NUMBERS_AT,
    SPARE_INTEGER,
    shape_integers,
    shape_numbers,
)
from dalembert.collision.support import (
    CORE,
    CORE_SIZE,
    PAIR_POSITION,
    PAIR_ROTATION,
    RADIUS_A,
    core_support,
    is_round,
    load_core,
    place_pair,
)
from dalembert.collision.triangles import gather, put_gathered
from dalembert.formulas import Expression, substitute
from dalembert.formulas.derivative import jacobian
from dalembert.formulas.expression import load
from dalembert.model.shapes.surfaces import PLACE
from dalembert.numerics.small import (
    add,
    axpy,
    dot,
    matrix,
    put_vector,
    scale,
    sub,
    times,
    transposed_times,
    vector,
)
from dalembert.system.straight import Straight

FIELD = Signature("field", "place value", {})
"""f and its slope (4 numbers) at a place."""

PLACE_AT, VALUE_AT = 64, 68
"""Floats of the scratch section that the formula reads and writes."""

STEPS = 40
NEAREST_STEPS = 30
SECTIONS = 24

_codes: weakref.WeakKeyDictionary[Expression, Straight] = weakref.WeakKeyDictionary()
"""Compiled formulas. Arrays hold their addresses: whoever has the arrays keeps shape or code."""


def compiled_field(formula: Expression) -> Straight:
    """The code of a formula of x, y, z."""
    if formula not in _codes:
        places = list(PLACE.values())
        slopes = jacobian([formula], places)
        own = {x: load("place", k) for k, x in enumerate(places)}
        written: Any = substitute([formula, *_row(slopes)], own)
        stores = [("value", k, x) for k, x in enumerate(written)]
        _codes[formula] = Straight(FIELD, stores)
    return _codes[formula]


def _row(slopes: Any) -> list[Expression]:
    """The derivatives by x, y, z."""
    return list(slopes[0])


@kernel
def field_at(integers, numbers, ff, code, x):
    """f and its slope at a place, in the frame of the field."""
    place, value = vector_view(numbers, ff + PLACE_AT, 3), vector_view(numbers, ff + VALUE_AT, 4)
    put_vector(place, 0, x)
    FIELD.call(code, numbers, integers, place, value)
    return value[0], (value[1], value[2], value[3])


@kernel
def field_code(integers, shape):
    """Address of the formula of a shape."""
    return integers[shape_integers(integers, shape) + SPARE_INTEGER]


@kernel
def _nearer(x, y, far):
    """y, or the point on the way to it from x that is so far away."""
    e = sub(y, x)
    length = math.sqrt(dot(e, e))
    return y if length <= far else axpy(far / length, e, x)


@kernel
def on_surface(integers, numbers, ff, code, x, size, extent):
    """Signed distance of x from the surface, and the normal there, outwards.

    Newton's method for the nearest point; the last estimate where it does not come to rest. All of
    the surface is within `extent` of the middle: where the slope vanishes, as in the middle of
    x^4 + y^4 + z^4 - 1, steps are not longer than that allows.
    """
    f, g = field_at(integers, numbers, ff, code, x)
    gg = dot(g, g)
    far = extent + math.sqrt(dot(x, x))
    sign = 1.0 if f >= 0.0 else -1.0
    if not gg > 0.0:
        return sign * min(abs(f), far), (0.0, 0.0, 1.0)
    n = scale(1.0 / math.sqrt(gg), g)
    gap = sign * min(abs(f) / math.sqrt(gg), far)
    y = _nearer(x, axpy(-gap, n, x), far)
    for _ in range(NEAREST_STEPS):
        f, g = field_at(integers, numbers, ff, code, y)
        gg = dot(g, g)
        if not gg > 0.0:
            return gap, n
        # to the surface, and along it to where x stands straight above
        to_x = sub(x, y)
        aside = axpy(-dot(to_x, g) / gg, g, to_x)
        step = axpy(-f / gg, g, scale(0.5, aside))
        y = _nearer(x, add(y, step), far)
        n = scale(1.0 / math.sqrt(gg), g)
        arm = sub(x, y)
        gap = sign * math.sqrt(dot(arm, arm))
        if dot(step, step) <= (1e-13 * size) * (1e-13 * size):
            break
    return gap, n


@kernel
def _least_on(integers, numbers, ff, code, x, y):
    """Share of the way from x to y where f is least, by golden sections."""
    a, b = 0.0, 1.0
    ratio = 0.6180339887498949
    e = sub(y, x)
    s, t = 1.0 - ratio, ratio
    at_s = field_at(integers, numbers, ff, code, axpy(s, e, x))[0]
    at_t = field_at(integers, numbers, ff, code, axpy(t, e, x))[0]
    for _ in range(SECTIONS):
        if at_s < at_t:
            b, t, at_t = t, s, at_s
            s = b - ratio * (b - a)
            at_s = field_at(integers, numbers, ff, code, axpy(s, e, x))[0]
        else:
            a, s, at_s = s, t, at_t
            t = a + ratio * (b - a)
            at_t = field_at(integers, numbers, ff, code, axpy(t, e, x))[0]
    end = field_at(integers, numbers, ff, code, y)[0]
    least = min(at_s, at_t)
    if end <= least:
        return 1.0
    return s if at_s < at_t else t


@kernel
def deepest(integers, numbers, fi, ff, code, R, p, small):
    """Point of the core of A where f is least, in the frame of A; R, p: pose of the field in A."""
    x = (0.0, 0.0, 0.0)
    own = transposed_times(R, sub(x, p))
    g = field_at(integers, numbers, ff, code, own)[1]
    x = core_support(integers, numbers, fi, ff + CORE_SIZE, times(R, scale(-1.0, g)))[0]
    for _ in range(STEPS):
        own = transposed_times(R, sub(x, p))
        g = field_at(integers, numbers, ff, code, own)[1]
        way = times(R, g)
        y = core_support(integers, numbers, fi, ff + CORE_SIZE, scale(-1.0, way))[0]
        # how much lower f could be, were it linear
        room = dot(way, sub(x, y))
        if room <= 1e-12 * small * math.sqrt(dot(g, g)):
            break
        there = transposed_times(R, sub(y, p))
        share = _least_on(integers, numbers, ff, code, own, there)
        step = scale(share, sub(y, x))
        x = add(x, step)
        if dot(step, step) <= (1e-9 * small) * (1e-9 * small):
            break
    return x


@kernel
def _within(x, s):
    """The point of a box nearest to x."""
    return (
        min(max(x[0], -s[0]), s[0]),
        min(max(x[1], -s[1]), s[1]),
        min(max(x[2], -s[2]), s[2]),
    )


@kernel
def slide_in_box(integers, numbers, ff, code, R, p, x, s, small):
    """The lowest point of f in a box near x, by projected gradients.

    The method of Frank and Wolfe is slow where a face is touched in its midst; here steps have the
    length that the change of the slope asks for (Barzilai, Borwein 1988).
    """
    f, g = field_at(integers, numbers, ff, code, transposed_times(R, sub(x, p)))
    way = times(R, g)
    best, least = x, f
    length = 0.1 * small / max(math.sqrt(dot(g, g)), 1e-300)
    for _ in range(STEPS):
        y = _within(axpy(-length, way, x), s)
        step = sub(y, x)
        if dot(step, step) <= (1e-12 * small) * (1e-12 * small):
            break
        f, g = field_at(integers, numbers, ff, code, transposed_times(R, sub(y, p)))
        there = times(R, g)
        bend = dot(step, sub(there, way))
        # where f bends down or not at all, farther than before
        length = dot(step, step) / bend if bend > 0.0 else 4.0 * length
        x, way = y, there
        if f < least:
            best, least = y, f
    return best


@kernel
def _lowest(integers, numbers, fi, ff, code, R, p, small):
    """Where f is least in the core of A, by the method that suits it."""
    x = deepest(integers, numbers, fi, ff, code, R, p, small)
    if integers[fi + CORE] == BOX:
        s = vector(numbers, ff + CORE_SIZE)
        x = slide_in_box(integers, numbers, ff, code, R, p, x, s, small)
    return x


@kernel
def _touch_at(integers, numbers, ff, code, R, p, x, key, radius, margin, small, extent, found):
    """Contact of one point of the core of A, if it is near; how many were gathered."""
    own = transposed_times(R, sub(x, p))
    f, g = field_at(integers, numbers, ff, code, own)
    slope = math.sqrt(dot(g, g))
    # far away by the slope: no need to look closer
    if f > 2.0 * slope * (margin + radius):
        return found
    gap, n = on_surface(integers, numbers, ff, code, own, small, extent)
    if gap - radius > margin:
        return found
    out = times(R, n)
    middle = axpy(-0.5 * (gap + radius), out, x)
    return gather(numbers, ff, found, middle, gap - radius, key, scale(-1.0, out))


@apart(int)
def convex_field(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """Contacts of a convex shape with a solid given by a formula."""
    fi, ff = integers[SCRATCH_INTEGERS_AT], integers[SCRATCH_NUMBERS_AT]
    radius = load_core(integers, numbers, a, fi, ff + CORE_SIZE)
    numbers[ff + RADIUS_A] = radius
    place_pair(integers, numbers, a, b)
    R, p = matrix(numbers, ff + PAIR_ROTATION), vector(numbers, ff + PAIR_POSITION)
    code, small = field_code(integers, b), reach(integers, numbers, a)
    extent = numbers[shape_numbers(integers, b) + BOUNDING_RADIUS]
    x = _lowest(integers, numbers, fi, ff, code, R, p, small)
    found = _touch_at(integers, numbers, ff, code, R, p, x, 0, radius, margin, small, extent, 0)
    if found > 0 and not is_round(integers, fi):
        g = field_at(integers, numbers, ff, code, transposed_times(R, sub(x, p)))[1]
        identity = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
        origin, at = (0.0, 0.0, 0.0), ff + FEATURE_A
        down = times(R, scale(-1.0, g))
        corners = feature_of(integers, numbers, fi, ff + CORE_SIZE, identity, origin, down, at)[0]
        if corners > 1:
            for k in range(corners):
                here = at + FEATURE * k
                y, key = vector(numbers, here), 1 + int(numbers[here + 3])
                found = _touch_at(
                    integers, numbers, ff, code, R, p, y, key, radius, margin, small, extent, found
                )
    return put_gathered(
        integers, numbers, ff, found, a, b, small, margin, out_integers, out_numbers, count
    )


@kernel
def field_distance(integers, numbers, a, b):
    """Convex shape and field: gap, normal from A, point midway, in the frame of A."""
    fi, ff = integers[SCRATCH_INTEGERS_AT], integers[SCRATCH_NUMBERS_AT]
    radius = load_core(integers, numbers, a, fi, ff + CORE_SIZE)
    place_pair(integers, numbers, a, b)
    R, p = matrix(numbers, ff + PAIR_ROTATION), vector(numbers, ff + PAIR_POSITION)
    code, small = field_code(integers, b), reach(integers, numbers, a)
    x = _lowest(integers, numbers, fi, ff, code, R, p, small)
    own = transposed_times(R, sub(x, p))
    extent = numbers[shape_numbers(integers, b) + BOUNDING_RADIUS]
    gap, n = on_surface(integers, numbers, ff, code, own, small, extent)
    out = times(R, n)
    middle = axpy(-0.5 * (gap + radius), out, x)
    return gap - radius, scale(-1.0, out), middle


@kernel
def field_ray(integers, numbers, ff, code, o, d, near, far):
    """Where f changes sign along a ray between near and far; infinite where it does not.

    Steps of f / |g|, which do not pass the surface of a true distance, and at most a 100th of
    the way; then halving.
    """
    most = 0.01 * (far - near)
    t = near
    f, g = field_at(integers, numbers, ff, code, axpy(t, d, o))
    inside = f <= 0.0
    while t < far:
        slope = math.sqrt(dot(g, g))
        step = most
        if slope > 0.0:
            step = min(most, max(abs(f) / slope, 1e-3 * most))
        before, t = t, min(t + step, far)
        f, g = field_at(integers, numbers, ff, code, axpy(t, d, o))
        if (f <= 0.0) != inside:
            low, high = before, t
            for _ in range(60):
                middle = 0.5 * (low + high)
                f, g = field_at(integers, numbers, ff, code, axpy(middle, d, o))
                if (f <= 0.0) != inside:
                    high = middle
                else:
                    low = middle
            f, g = field_at(integers, numbers, ff, code, axpy(high, d, o))
            slope = math.sqrt(dot(g, g))
            return high, (scale(1.0 / slope, g) if slope > 0.0 else d)
    return math.inf, d
