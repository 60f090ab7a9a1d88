"""Looks that keep two shapes from passing through each other between them (contact 20).

A gap that is positive at two looks may have been negative between them: a box that falls past a
small one is above it, then below. Two shapes with balls of radii a and b within them overlap on a
way of 2 (a + b). So the next look comes before any pair has gone what keeps it apart for certain,
and a + b.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.collision.broad_phase import wanted
from dalembert.contact.run.run_layout import contact_of
from dalembert.system.state_layout import State

ENDLESS = 1e300
"""Way of pairs that cannot pass each other."""


@apart(float)
def top_speed(state: State):
    """Largest speed of two shapes that may touch against each other, where they were seen last."""
    run, most = contact_of(state), 0.0
    if run.shapes == 0:
        return most
    scene = run.scene
    for a in range(run.shapes):
        for b in range(a + 1, run.shapes):
            speed = _speed(scene.shape(a), scene.shape(b))
            if speed > most and wanted(scene, a, b):
                most = speed
    return most


@apart(float)
def clear_way(state: State):
    """Way that no pair of shapes can go without being seen, from where they were seen last."""
    run, least = contact_of(state), ENDLESS
    if run.shapes == 0:
        return least
    scene = run.scene
    for a in range(run.shapes):
        for b in range(a + 1, run.shapes):
            way = _way(scene.shape(a), scene.shape(b))
            if way < least and wanted(scene, a, b):
                least = way
    return least


@kernel
def _speed(A, B):
    """Most with which points of two shapes move against each other."""
    return (B.v - A.v).size + _tip_speed(A) + _tip_speed(B)


@kernel
def _tip_speed(shape):
    """Most that turning adds to the speed of a point of a shape."""
    spin = shape.w.dot(shape.w)
    return 0.0 if spin == 0.0 else math.sqrt(spin) * shape.bounding_radius


@kernel
def _way(A, B):
    """Least distance of two shapes, and the balls within them."""
    apart_by = (B.x - A.x).size - A.bounding_radius - B.bounding_radius
    return max(apart_by, 0.0) + A.inner_radius + B.inner_radius
