"""Bodies that have gone past one another, or deep into, before a step is looked at.

A step of second order is looked at in its middle, s = h/2 after it has begun. Two bodies that come
closer by c have gone s c of their way by then. Where that is more than the balls within both, one
may be behind the other, and collision finds nothing; where it is more than the smaller ball within
and they are that deep in each other, the nearest way out may be the wrong one. The start of the
step knows better: there both are apart.
"""

from dalembert._jit import kernel
from dalembert.collision.broad_phase import HALF, LOWER
from dalembert.collision.collide import arm_of, is_spinning, turning_speed
from dalembert.collision.layout import PLANE, Scene
from dalembert.contact.run.run_layout import ContactRun


@kernel
def may_have_passed(run: ContactRun, s):
    """Whether bodies may have gone past one another in the last s seconds, or are too deep."""
    scene = run.scene
    return is_past(scene, s) or is_deep(run, scene, s)


@kernel
def is_past(scene: Scene, s):
    """Whether a candidate pair has moved by more than the balls within both."""
    for k in range(scene.pairs):
        code = scene.pair_list[k]
        a, b = code >> HALF, code & LOWER
        A, B = scene.shape(a), scene.shape(b)
        if A.kind == PLANE or B.kind == PLANE:
            continue  # nothing is behind a plane
        way = s * (B.v - A.v).size
        if is_spinning(scene, a, b):
            way += s * (turning_speed(A, arm_of(A)) + turning_speed(B, arm_of(B)))
        if way > A.inner_radius + B.inner_radius:
            return True
    return False


@kernel
def is_deep(run: ContactRun, scene: Scene, s):
    """Whether a pair has come to be deeper in each other than the smaller ball within."""
    for k in range(run.contacts):
        found = run.found(k)
        A, B = scene.shape(found.shape_a), scene.shape(found.shape_b)
        if A.kind == PLANE or B.kind == PLANE:
            continue
        least = min(A.inner_radius, B.inner_radius)
        if found.gap < -least and -s * found.normal.dot(B.v - A.v) > least:
            return True
    return False
