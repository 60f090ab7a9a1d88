"""Points of rims of cylinders on planes that a phase keeps closed.

The lowest point of a rim is where a cylinder rolls on it. It goes round ever faster as the cylinder
comes near to the upright, and jumps to the other side where it passes that: the point of a phase
goes on beyond, and the other side closes. A cylinder that stands touches in four points fixed in
it, one of them where it stood last (contact 20).
"""

import math

from dalembert._jit import kernel
from dalembert.contact.events.layout import Phase
from dalembert.contact.run.run_layout import ContactRun
from dalembert.numerics.vector import Vec3

LEVEL = 1e-12
"""Sine of the tilt that is none."""


@kernel
def follow_rims(run: ContactRun, phase: Phase):
    """Tell collision which points are followed."""
    scene = run.scene
    scene.upright = LEVEL
    for i in range(phase.contacts):
        active = phase.contact(i)
        if has_rim(active):
            shape = scene.shape(int(active.shape_b))
            shape.rim = Vec3(active.rim_1, active.rim_2, 0.0)
            shape.rim_held = active.rim_held


@kernel
def has_rim(active):
    """Whether a contact of the phase is the point of a rim that is followed."""
    return active.rim_1 != 0.0 or active.rim_2 != 0.0


@kernel
def aim_rim(run: ContactRun, active, k):
    """Take the direction from the contact that was found, k."""
    x, y = seen_across(run, k)
    size = math.hypot(x, y)
    if size > 0.0:
        active.rim_1, active.rim_2 = x / size, y / size


@kernel
def seen_across(run: ContactRun, k):
    """(x, y) from the axis of the second shape to a contact, in the frame of that shape."""
    found = run.found(k)
    seen = run.scene.shape(found.shape_b).seen(found.point)
    return seen.x, seen.y
