"""Everything that touches: place the shapes, find candidate pairs, look at each.

    count = collide(scene, records, h, contacts)

See `layout` for the scene. The contacts are in order of the pairs, and do not depend on what is
kept between calls.

Margin of a pair: max(relative r, s h |u|), where r is the smaller bounding radius and |u| bounds
the speed at which the surfaces can meet: the largest of |v_B - v_A|, |v_A|, |v_B|, and
|w_A| r_A + |w_B| r_B. Two that fall together meet when a third stops one of them. Bounds are boxes
along the world axes, grown by a share of their own, g = max(relative r / 2, s h (|v| + |w| r)): the
shares of two shapes add up to at least the margin of the pair.
"""

import math

from dalembert._jit import kernel
from dalembert.collision.bounds_tree import tree_pairs
from dalembert.collision.broad_phase import HALF, LOWER, add_pair, grid_pairs, sort_pairs, sweep
from dalembert.collision.layout import (
    ALIGNED,
    BOX,
    BROAD_GRID,
    BROAD_TREE,
    CAPSULE,
    CENTRED,
    FARTHEST,
    OVERFLOW,
    PLANE,
    SPHERE,
    UNBOUNDED_SHAPE,
    UNPLACED,
    Scene,
)
from dalembert.collision.pairs import touch_pair
from dalembert.numerics.vector import Vec3
from dalembert.system.tables import RECORD, BodyRecord


@kernel
def find_pairs(scene: Scene):
    """Candidate pairs, sorted; how many, or OVERFLOW."""
    scene.pairs = 0
    endless, bounded = scene.unbounded, scene.bounded
    for k in range(len(endless)):
        is_plane = scene.shape(endless[k]).kind == PLANE
        for j in range(len(bounded)):
            if not is_plane or plane_near(scene, endless[k], bounded[j]):
                add_pair(scene, endless[k], bounded[j])
    if scene.broad_choice == BROAD_TREE:
        tree_pairs(scene)
    elif scene.broad_choice == BROAD_GRID:
        grid_pairs(scene)
    else:
        sweep(scene)
    scene.needed_pairs = scene.pairs
    if scene.pairs > scene.pair_capacity:
        return OVERFLOW
    sort_pairs(scene)
    return scene.pairs


@kernel
def collide(scene: Scene, records, h, contacts):
    """Contacts of all pairs; how many, OVERFLOW, or UNPLACED."""
    scene.step_length, scene.horizon = h, scene.margin_speed * h
    scene.needed_contacts = 0
    if not place_shapes(scene, records):
        return UNPLACED
    pairs = find_pairs(scene)
    if pairs < 0:
        return OVERFLOW
    count = 0
    for k in range(pairs):
        code = scene.pair_list[k]
        a, b = code >> HALF, code & LOWER
        if scene.shape(a).kind > scene.shape(b).kind:
            a, b = b, a
        count = touch_pair(scene, a, b, margin_of(scene, a, b), contacts, count)
    scene.needed_contacts = count
    return count if count <= len(contacts) else OVERFLOW


@kernel
def repeat_collide(scene: Scene, times, records, h, contacts):
    """Call `collide` many times over, for measurements."""
    count = 0
    for _ in range(times):
        count = collide(scene, records, h, contacts)
    return count


# -- shapes placed in the world, and their bounds --------------------------------------------------


TURNED = 6.0
"""Sum of the sizes of the entries of a matrix beyond which it is no rotation."""


@kernel
def is_somewhere(record):
    """Whether the record of a body holds a place and a motion that can be computed with."""
    R = record.rotation
    # not a number if one of the entries is none
    far = record.center.extent + record.velocity.linear.extent
    far += record.velocity.angular.extent
    turn = R.row_x.extent + R.row_y.extent + R.row_z.extent
    return far <= FARTHEST and turn <= TURNED


@kernel
def place_shapes(scene: Scene, records):
    """Place every shape, and bound it; False with `lost_body` where a body is nowhere."""
    for body in range(scene.bodies):
        if not is_somewhere(BodyRecord(records, RECORD * body)):
            scene.lost_body = body
            return False
    for shape in range(scene.shapes):
        place_shape(scene, records, shape)
        bound_shape(scene, shape)
    return True


@kernel
def place_shape(scene: Scene, records, k):
    """Origin, rotation, velocity and angular velocity of a shape in the world."""
    shape = scene.shape(k)
    if shape.body < 0:
        shape.x, shape.R = shape.position, shape.rotation
        shape.v, shape.w = Vec3.zero(), Vec3.zero()
        return
    body = BodyRecord(records, RECORD * shape.body)
    R, x, v, w = body.rotation, body.center, body.velocity.linear, body.velocity.angular
    if not shape.flags & CENTRED:
        arm = R @ shape.position
        x, v = x + arm, v + w % arm
    if shape.flags & ALIGNED:
        shape.R = R
    else:
        shape.R = R.times(shape.rotation)
    shape.x, shape.v, shape.w = x, v, w


@kernel
def bound_shape(scene: Scene, k):
    """Box along the world axes about a shape and its share of any margin."""
    shape = scene.shape(k)
    if shape.flags & UNBOUNDED_SHAPE:
        return
    r = shape.bounding_radius
    grown = max(
        0.5 * scene.own_margin(r),
        scene.fall + scene.horizon * (shape.v.size + r * shape.w.size),
    )
    x, R, kind = shape.x, shape.R, shape.kind
    if kind == SPHERE:
        reach = shape.size.x + grown
        half = Vec3(reach, reach, reach)
    elif kind == CAPSULE:
        r = shape.size.x + grown
        half = shape.size.y * R.z.absolute + Vec3(r, r, r)
    else:
        half = R.absolute @ shape.box_half + Vec3(grown, grown, grown)
        if kind > BOX:
            x = x + R @ shape.box_centre
    bounds = scene.bounds(k)
    bounds.low, bounds.high = x - half, x + half


# -- margins ---------------------------------------------------------------------------------------


@kernel
def margin_of(scene: Scene, a, b):
    """Up to which gap the contacts of a pair matter."""
    A, B = scene.shape(a), scene.shape(b)
    r_a, r_b = A.bounding_radius, B.bounding_radius
    u = B.v - A.v
    # one of two that move together may be stopped by a third in this step
    speed = math.sqrt(max(u.dot(u), A.v.dot(A.v), B.v.dot(B.v)))
    wa, wb = A.w.dot(A.w), B.w.dot(B.w)
    # a turning plane moves as fast as it does where the other shape is
    if wa > 0.0:
        speed += math.sqrt(wa) * _arm(A, B, r_a, r_b)
    if wb > 0.0:
        speed += math.sqrt(wb) * _arm(B, A, r_b, r_a)
    return max(scene.own_margin(min(r_a, r_b)), scene.fall + scene.horizon * speed)


@kernel
def _arm(A, B, r_a, r_b):
    """How far from the origin of A its surface can meet B."""
    if A.kind != PLANE:
        return r_a
    return (B.x - A.x).size + r_b


@kernel
def plane_near(scene: Scene, a, b):
    """Whether the bounds of a shape reach a plane, or come within the margin of the pair."""
    plane, shape, bounds = scene.shape(a), scene.shape(b), scene.bounds(b)
    n, low, high = plane.R.z, bounds.low, bounds.high
    nearest = Vec3(
        low.x if n.x > 0.0 else high.x,
        low.y if n.y > 0.0 else high.y,
        low.z if n.z > 0.0 else high.z,
    )
    gap = n.dot(nearest - plane.x)
    if gap <= 0.0:
        return True
    r = shape.bounding_radius
    moving, ww = plane.v.size, plane.w.dot(plane.w)
    if ww > 0.0:
        moving += math.sqrt(ww) * _arm(plane, shape, 0.0, r)
    return gap <= 0.5 * scene.own_margin(r) + scene.horizon * moving
