"""Balls that come near and pass.

A contact with a positive gap asks for n . u >= -gap / h, as if the surface were the plane across
its normal. A ball that rolls from one box onto the next, flush with it, sees the edge ahead
under a slant, and would be stopped by that plane although it never meets the edge. Where the plane
would act, the motion itself is looked at, to the end of the step and without turning: along a
line the distance of a point from a convex set is a convex function of time, so its least value is
found by halving, and for two balls it is known at once. A ball whose least gap is not below
`SLIGHTLY` of its radius, and not below a hundredth of what the plane foretells, passes. Its contact
is then that of the place where it comes nearest: across the line of centres there, or the plane
that touches the box there. It lets this motion be, and holds when an impact elsewhere changes it
within the step.
"""

from dalembert._jit import kernel
from dalembert.collision.segments import clamp, outside_of_box

SLIGHTLY = 1e-5
FORETOLD = 0.01
HALVINGS = 30


@kernel
def depth_of_grazing(r, foretold):
    """How deep a ball of radius r may come and still pass; foretold: the gap by the plane, < 0."""
    return min(SLIGHTLY * r, -FORETOLD * foretold)


@kernel
def nearest_way(d, u, h):
    """Way between two centres when nearest during h: now apart by d, its rate is u."""
    speed = u.dot(u)
    t = clamp(-d.dot(u) / speed, 0.0, h) if speed > 0.0 else 0.0
    return d + t * u


@kernel
def nearest_to_box_on_way(x, u, half, reach, h):
    """Moment at which a point at x, moving by u, is nearest to a box during h; and how near.

    In axes of the box. The first moment found at which it is nearer than `reach` will do.
    """
    distance, n = outside_of_box(x + h * u, half)
    if distance < reach or n.dot(u) <= 0.0:
        return h, distance
    low, high = 0.0, h
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        distance, n = outside_of_box(x + middle * u, half)
        if distance < reach:
            return middle, distance
        if n.dot(u) < 0.0:
            low = middle
        else:
            high = middle
    return high, outside_of_box(x + high * u, half)[0]
