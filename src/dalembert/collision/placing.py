"""Shapes placed in the world, their bounds, and the margin of a pair.

Margin of a pair: max(relative r, s h |u|), where r is the smaller bounding radius and |u| bounds
the speed at which the surfaces can meet: the largest of |v_B - v_A|, |v_A|, |v_B|, and
|w_A| r_A + |w_B| r_B. Two that fall together meet when a third stops one of them. Bounds are boxes
along the world axes, grown by a share of their own, g = max(relative r / 2, s h (|v| + |w| r)): the
shares of two shapes add up to at least the margin of the pair.
"""

import math

from dalembert._jit import kernel
from dalembert.collision.layout import (
    ALIGNED,
    BODIES,
    BODY,
    BOUNDING_RADIUS,
    BOUNDS,
    BOUNDS_AT,
    BOX,
    BOX_CENTRE,
    BOX_HALF,
    CAPSULE,
    CENTRED,
    FALL,
    FARTHEST,
    FLAGS,
    HORIZON,
    KIND,
    LOST_BODY,
    MARGIN_LEAST,
    MARGIN_RELATIVE,
    PLANE,
    POSITION,
    ROTATION,
    SHAPES,
    SIZE,
    SPHERE,
    UNBOUNDED_SHAPE,
    placed,
    shape_integers,
    shape_numbers,
)
from dalembert.numerics.small import (
    add,
    cross,
    dot,
    matrix,
    product,
    put_matrix,
    put_vector,
    sub,
    times,
    vector,
)
from dalembert.system.layout import RECORD

TURNED = 6.0
"""Sum of the sizes of the entries of a matrix beyond which it is no rotation."""


@kernel
def is_somewhere(records, body):
    """Whether the record of a body holds a place and a motion that can be computed with."""
    at = RECORD * body
    R = matrix(records, at + 3)
    far = size_of(vector(records, at)) + size_of(vector(records, at + 12))
    far += size_of(vector(records, at + 15))
    turn = size_of((R[0], R[1], R[2])) + size_of((R[3], R[4], R[5])) + size_of((R[6], R[7], R[8]))
    return far <= FARTHEST and turn <= TURNED


@kernel
def size_of(a):
    """Sum of the sizes of the entries: not a number if one is none."""
    return abs(a[0]) + abs(a[1]) + abs(a[2])


@kernel
def place_shapes(integers, numbers, records):
    """Place every shape, and bound it; False with LOST_BODY where a body is nowhere."""
    for body in range(integers[BODIES]):
        if not is_somewhere(records, body):
            integers[LOST_BODY] = body
            return False
    for shape in range(integers[SHAPES]):
        place_shape(integers, numbers, records, shape)
        bound_shape(integers, numbers, shape)
    return True


@kernel
def place_shape(integers, numbers, records, shape):
    """Origin, rotation, velocity and angular velocity of a shape in the world."""
    own, at, to = (
        shape_integers(integers, shape),
        shape_numbers(integers, shape),
        placed(integers, shape),
    )
    body, flags = integers[own + BODY], integers[own + FLAGS]
    if body < 0:
        put_vector(numbers, to, vector(numbers, at + POSITION))
        put_matrix(numbers, to + 3, matrix(numbers, at + ROTATION))
        put_vector(numbers, to + 12, (0.0, 0.0, 0.0))
        put_vector(numbers, to + 15, (0.0, 0.0, 0.0))
        return
    record = RECORD * body
    R = matrix(records, record + 3)
    x, v, w = vector(records, record), vector(records, record + 12), vector(records, record + 15)
    if not flags & CENTRED:
        arm = times(R, vector(numbers, at + POSITION))
        x, v = add(x, arm), add(v, cross(w, arm))
    put_vector(numbers, to, x)
    if flags & ALIGNED:
        put_matrix(numbers, to + 3, R)
    else:
        put_matrix(numbers, to + 3, product(R, matrix(numbers, at + ROTATION)))
    put_vector(numbers, to + 12, v)
    put_vector(numbers, to + 15, w)


@kernel
def bound_shape(integers, numbers, shape):
    """Box along the world axes about a shape and its share of any margin."""
    own, at, from_ = (
        shape_integers(integers, shape),
        shape_numbers(integers, shape),
        placed(integers, shape),
    )
    to = integers[BOUNDS_AT] + BOUNDS * shape
    if integers[own + FLAGS] & UNBOUNDED_SHAPE:
        return
    v, w = vector(numbers, from_ + 12), vector(numbers, from_ + 15)
    r = numbers[at + BOUNDING_RADIUS]
    grown = max(
        0.5 * max(numbers[MARGIN_RELATIVE] * r, numbers[MARGIN_LEAST]),
        numbers[FALL] + numbers[HORIZON] * (math.sqrt(dot(v, v)) + r * math.sqrt(dot(w, w))),
    )
    x = vector(numbers, from_)
    kind = integers[own + KIND]
    if kind == SPHERE:
        reach = numbers[at + SIZE] + grown
        put_vector(numbers, to, (x[0] - reach, x[1] - reach, x[2] - reach))
        put_vector(numbers, to + 3, (x[0] + reach, x[1] + reach, x[2] + reach))
        return
    R, h = matrix(numbers, from_ + 3), vector(numbers, at + BOX_HALF)
    if kind == CAPSULE:
        r, half = numbers[at + SIZE] + grown, numbers[at + SIZE + 1]
        e = (abs(R[2]) * half + r, abs(R[5]) * half + r, abs(R[8]) * half + r)
        put_vector(numbers, to, sub(x, e))
        put_vector(numbers, to + 3, add(x, e))
        return
    if kind > BOX:
        x = add(x, times(R, vector(numbers, at + BOX_CENTRE)))
    e = (
        abs(R[0]) * h[0] + abs(R[1]) * h[1] + abs(R[2]) * h[2] + grown,
        abs(R[3]) * h[0] + abs(R[4]) * h[1] + abs(R[5]) * h[2] + grown,
        abs(R[6]) * h[0] + abs(R[7]) * h[1] + abs(R[8]) * h[2] + grown,
    )
    put_vector(numbers, to, sub(x, e))
    put_vector(numbers, to + 3, add(x, e))


@kernel
def margin_of(integers, numbers, a, b):
    """Up to which gap the contacts of a pair matter."""
    at_a, at_b = placed(integers, a), placed(integers, b)
    r_a = numbers[shape_numbers(integers, a) + BOUNDING_RADIUS]
    r_b = numbers[shape_numbers(integers, b) + BOUNDING_RADIUS]
    v_a, v_b = vector(numbers, at_a + 12), vector(numbers, at_b + 12)
    u = sub(v_b, v_a)
    w_a, w_b = vector(numbers, at_a + 15), vector(numbers, at_b + 15)
    # one of two that move together may be stopped by a third in this step
    speed = math.sqrt(max(dot(u, u), dot(v_a, v_a), dot(v_b, v_b)))
    wa, wb = dot(w_a, w_a), dot(w_b, w_b)
    # a turning plane moves as fast as it does where the other shape is
    if wa > 0.0:
        speed += math.sqrt(wa) * _arm(integers, numbers, a, b, r_a, r_b)
    if wb > 0.0:
        speed += math.sqrt(wb) * _arm(integers, numbers, b, a, r_b, r_a)
    least = max(numbers[MARGIN_RELATIVE] * min(r_a, r_b), numbers[MARGIN_LEAST])
    return max(least, numbers[FALL] + numbers[HORIZON] * speed)


@kernel
def _arm(integers, numbers, a, b, r_a, r_b):
    """How far from the origin of A its surface can meet B."""
    if integers[shape_integers(integers, a) + KIND] != PLANE:
        return r_a
    d = sub(vector(numbers, placed(integers, b)), vector(numbers, placed(integers, a)))
    return math.sqrt(dot(d, d)) + r_b


@kernel
def plane_near(integers, numbers, plane, shape):
    """Whether the bounds of a shape reach a plane, or come within the margin of the pair."""
    at, bounds = placed(integers, plane), integers[BOUNDS_AT] + BOUNDS * shape
    n = numbers[at + 5], numbers[at + 8], numbers[at + 11]
    low, high = vector(numbers, bounds), vector(numbers, bounds + 3)
    nearest = (
        low[0] if n[0] > 0.0 else high[0],
        low[1] if n[1] > 0.0 else high[1],
        low[2] if n[2] > 0.0 else high[2],
    )
    v, w = vector(numbers, at + 12), vector(numbers, at + 15)
    gap = dot(n, sub(nearest, vector(numbers, at)))
    if gap <= 0.0:
        return True
    r = numbers[shape_numbers(integers, shape) + BOUNDING_RADIUS]
    own = 0.5 * max(numbers[MARGIN_RELATIVE] * r, numbers[MARGIN_LEAST])
    moving = math.sqrt(dot(v, v))
    if dot(w, w) > 0.0:
        moving += math.sqrt(dot(w, w)) * _arm(integers, numbers, plane, shape, 0.0, r)
    return gap <= own + numbers[HORIZON] * moving
