"""Shapes that turn on their way: where they are a moment later, and how fast they can come closer.

A body moves on with its velocity and turns about its centre of mass with its angular velocity, both
constant. A point of it at most rho away from the centre moves along n no faster than
n . v + |w| rho, which is the bound of conservative advancement (B. Mirtich 1996).
"""

import math

from dalembert._jit import apart, kernel
from dalembert.collision.layout import (
    BODY,
    BOUNDING_RADIUS,
    CENTRED,
    CONTACT_FLAGS,
    CONTACT_INTEGERS,
    CONTACT_NUMBERS,
    FLAGS,
    GAP,
    HEIGHT_FIELD,
    HORIZON,
    INNER_RADIUS,
    KIND,
    MARGIN_LEAST,
    MARGIN_RELATIVE,
    NORMAL,
    PLANE,
    POINT,
    POSITION,
    ROTATION,
    SPUN,
    STEP_LENGTH,
    SWEEP_SPEED,
    SWEPT,
    placed,
    shape_integers,
    shape_numbers,
)
from dalembert.collision.pairs import touch
from dalembert.numerics.small import (
    add,
    axpy,
    cross,
    dot,
    matrix,
    put_matrix,
    put_vector,
    scale,
    sub,
    times,
    transposed_times,
    vector,
)

FAR = 0.2
"""Angle of a step from which turning is followed: below it a chord stands for the arc well."""

STEPS = 64
"""Most advances; a pair that has not met then is near a tangent, and passes."""


@kernel
def arm_of(integers, numbers, shape):
    """From the centre of mass to the origin of a placed shape."""
    own, at = shape_integers(integers, shape), shape_numbers(integers, shape)
    if integers[own + BODY] < 0 or integers[own + FLAGS] & CENTRED:
        return (0.0, 0.0, 0.0)
    seen = transposed_times(matrix(numbers, at + ROTATION), vector(numbers, at + POSITION))
    return times(matrix(numbers, placed(integers, shape) + 3), seen)


@kernel
def turning_speed(integers, numbers, shape, arm):
    """|w| rho: the most that turning adds to the speed of a point of a shape."""
    w = vector(numbers, placed(integers, shape) + 15)
    spin = dot(w, w)
    if spin == 0.0:
        return 0.0
    r = numbers[shape_numbers(integers, shape) + BOUNDING_RADIUS] + math.sqrt(dot(arm, arm))
    return math.sqrt(spin) * r


@kernel
def is_spinning(integers, numbers, a, b):
    """Whether a pair turns far in a step, and by that further than the smaller ball within."""
    if integers[shape_integers(integers, a) + KIND] == PLANE:
        # met as its nearest points say
        return False
    w_a = vector(numbers, placed(integers, a) + 15)
    w_b = vector(numbers, placed(integers, b) + 15)
    h = numbers[STEP_LENGTH]
    if not h * h * max(dot(w_a, w_a), dot(w_b, w_b)) > FAR * FAR:
        return False
    most = numbers[SWEEP_SPEED] * min(
        numbers[shape_numbers(integers, a) + INNER_RADIUS],
        numbers[shape_numbers(integers, b) + INNER_RADIUS],
    )
    way = turning_speed(integers, numbers, a, arm_of(integers, numbers, a))
    way += turning_speed(integers, numbers, b, arm_of(integers, numbers, b))
    return h * way > most


@kernel
def centre_velocity(numbers, at, arm):
    """Velocity of the centre of mass of a placed shape."""
    return sub(vector(numbers, at + 12), cross(vector(numbers, at + 15), arm))


@kernel
def turn(a, axis, s, c):
    """A vector turned about a unit axis (Rodrigues)."""
    along = (1.0 - c) * dot(axis, a)
    return axpy(along, axis, axpy(c, a, scale(s, cross(axis, a))))


@kernel
def put_later(numbers, at, x, R, arm, u, w, t):
    """Place a shape where it is after t: centre moved by t u, turned by t w; it stands still there.

    Standing still, so that the functions of pairs do not look ahead on their own.
    """
    centre = axpy(t, u, sub(x, arm))
    spin = math.sqrt(dot(w, w))
    if spin > 0.0:
        axis = (w[0] / spin, w[1] / spin, w[2] / spin)
        s, c = math.sin(t * spin), math.cos(t * spin)
        arm = turn(arm, axis, s, c)
        e0 = turn((R[0], R[3], R[6]), axis, s, c)
        e1 = turn((R[1], R[4], R[7]), axis, s, c)
        e2 = turn((R[2], R[5], R[8]), axis, s, c)
        R = (e0[0], e1[0], e2[0], e0[1], e1[1], e2[1], e0[2], e1[2], e2[2])
    put_vector(numbers, at, add(centre, arm))
    put_matrix(numbers, at + 3, R)
    put_vector(numbers, at + 12, (0.0, 0.0, 0.0))
    put_vector(numbers, at + 15, (0.0, 0.0, 0.0))


@kernel
def put_back(numbers, at, x, R, v, w):
    """The record of a placed shape as it was."""
    put_vector(numbers, at, x)
    put_matrix(numbers, at + 3, R)
    put_vector(numbers, at + 12, v)
    put_vector(numbers, at + 15, w)


@kernel
def nearest_contact(out_numbers, first, last):
    """The contact with the least gap."""
    best = first
    for k in range(first + 1, last):
        if out_numbers[CONTACT_NUMBERS * k + GAP] < out_numbers[CONTACT_NUMBERS * best + GAP]:
            best = k
    return best


@kernel
def near_of(integers, numbers, a, b):
    """Gap up to which a fast pair has met."""
    r = min(
        numbers[shape_numbers(integers, a) + BOUNDING_RADIUS],
        numbers[shape_numbers(integers, b) + BOUNDING_RADIUS],
    )
    return max(numbers[MARGIN_RELATIVE] * r, numbers[MARGIN_LEAST])


@apart(int)
def touch_spinning(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """Contacts of a pair that turns far: where it is if it touches there, or where it meets."""
    of_a, of_b = placed(integers, a), placed(integers, b)
    x_a, R_a = vector(numbers, of_a), matrix(numbers, of_a + 3)
    x_b, R_b = vector(numbers, of_b), matrix(numbers, of_b + 3)
    v_a, w_a = vector(numbers, of_a + 12), vector(numbers, of_a + 15)
    v_b, w_b = vector(numbers, of_b + 12), vector(numbers, of_b + 15)
    arm_a, arm_b = arm_of(integers, numbers, a), arm_of(integers, numbers, b)
    still = (0.0, 0.0, 0.0)
    # A stays and turns, B moves against it and turns
    u = sub(centre_velocity(numbers, of_b, arm_b), centre_velocity(numbers, of_a, arm_a))
    turning = turning_speed(integers, numbers, a, arm_a)
    turning += turning_speed(integers, numbers, b, arm_b)
    fastest = math.sqrt(dot(u, u)) + turning
    is_convex = integers[shape_integers(integers, b) + KIND] < HEIGHT_FIELD
    near = near_of(integers, numbers, a, b)
    room = min(len(out_integers) // CONTACT_INTEGERS, len(out_numbers) // CONTACT_NUMBERS)
    t, found, met = 0.0, count, False
    for _ in range(STEPS):
        put_later(numbers, of_a, x_a, R_a, arm_a, still, w_a, t)
        put_later(numbers, of_b, x_b, R_b, arm_b, u, w_b, t)
        found = touch(integers, numbers, a, b, margin, out_integers, out_numbers, count)
        # further apart than the margin: that far at least
        gap, closing = margin, fastest
        if count < found <= room:
            best = CONTACT_NUMBERS * nearest_contact(out_numbers, count, found)
            gap = out_numbers[best + GAP]
            if is_convex:
                closing = turning - dot(vector(out_numbers, best + NORMAL), u)
        met = count < found and gap <= near
        if met or found > room or not closing > 0.0:
            break
        t += (gap - 0.5 * near) / closing
        if t > numbers[HORIZON]:
            break
    put_back(numbers, of_a, x_a, R_a, v_a, w_a)
    put_back(numbers, of_b, x_b, R_b, v_b, w_b)
    if found > room:
        return found
    if not met:
        return count
    if t == 0.0:
        return found
    c_a, c_b = sub(x_a, arm_a), axpy(t, u, sub(x_b, arm_b))
    return turned_back(c_a, w_a, c_b, w_b, u, t, near, out_integers, out_numbers, count, found)


@kernel
def turned_back(c_a, w_a, c_b, w_b, u, t, near, out_integers, out_numbers, first, last):
    """Contacts of the moment t as rows of now: arms and closing speed stay those of that moment.

    A pair that goes on as it does has then used up the gap, -t n . u(t), whichever way its points
    have gone. c_a, c_b: centres of mass at that moment.
    """
    count = first
    for k in range(first, last):
        source, to = CONTACT_NUMBERS * k, CONTACT_NUMBERS * count
        if out_numbers[source + GAP] <= near:
            n, p = vector(out_numbers, source + NORMAL), vector(out_numbers, source + POINT)
            speed = add(u, sub(cross(w_b, sub(p, c_b)), cross(w_a, sub(p, c_a))))
            out_numbers[to + GAP] = out_numbers[source + GAP] - t * min(0.0, dot(n, speed))
            put_vector(out_numbers, to + NORMAL, n)
            put_vector(out_numbers, to + POINT, axpy(-0.5 * t, u, p))
            for m in range(CONTACT_INTEGERS):
                out_integers[CONTACT_INTEGERS * count + m] = out_integers[CONTACT_INTEGERS * k + m]
            out_integers[CONTACT_INTEGERS * count + CONTACT_FLAGS] = SWEPT | SPUN
            count += 1
    return count
