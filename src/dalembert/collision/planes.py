"""A plane with everything that has points furthest down: sphere, capsule, box, cylinder, hull.

The plane is the half-space z <= 0 of its frame, n its z axis, p a point of it. The gap of a point x
of the other shape is n . (x - p), and the contact point lies half the gap below it. The points:

| shape | points |
|---|---|
| sphere, ellipsoid | the lowest |
| capsule | the lowest of each end |
| box | corners of the face that looks down most |
| cylinder | lowest of each rim; of the lower rim also those a quarter and half a turn on |
| hull | vertices within the margin, at most four (`manifold`) |
"""

import math

from dalembert._jit import apart, kernel
from dalembert.collision.layout import UPRIGHT, Scene, feature_key
from dalembert.collision.manifold import add_candidate, keep_four
from dalembert.collision.spheres import segment_of
from dalembert.numerics.vector import Vec3


@kernel
def _put(contacts, count, a, b, key, x, n, gap, margin):
    """Contact of a point x of the other shape, if it is near enough."""
    if gap > margin:
        return count
    return contacts.add(count, a, b, key, gap, n, x + (-0.5 * gap) * n, margin)


@kernel
def plane_sphere(scene: Scene, a, b, margin, contacts, count):
    """One contact."""
    plane, ball = scene.shape(a), scene.shape(b)
    n, x, r = plane.R.z, ball.x, ball.size.x
    gap = n.dot(x - plane.x) - r
    return _put(contacts, count, a, b, 0, x + (-r) * n, n, gap, margin)


@apart(int)
def plane_ellipsoid(scene: Scene, a, b, margin, contacts, count):
    """One contact: the lowest point is x - S^2 n / |S n| in the axes of the ellipsoid."""
    plane, B = scene.shape(a), scene.shape(b)
    n, x, R, s = plane.R.z, B.x, B.R, B.size
    y = s.scaled(R.transposed_times(n))
    reach = y.size
    low = (-s).scaled(y) / reach
    gap = n.dot(x - plane.x) - reach
    # each product added to the place in turn
    x = Vec3(
        x.x + R.xx * low.x + R.xy * low.y + R.xz * low.z,
        x.y + R.yx * low.x + R.yy * low.y + R.yz * low.z,
        x.z + R.zx * low.x + R.zy * low.y + R.zz * low.z,
    )
    return _put(contacts, count, a, b, 0, x, n, gap, margin)


@apart(int)
def plane_capsule(scene: Scene, a, b, margin, contacts, count):
    """A contact of each end."""
    plane, axis = scene.shape(a), segment_of(scene.shape(b))
    n, p = plane.R.z, plane.x
    for k in range(2):
        x = axis.at(axis.half if k else -axis.half)
        gap = n.dot(x - p) - axis.r
        count = _put(contacts, count, a, b, k, x + (-axis.r) * n, n, gap, margin)
    return count


@kernel
def plane_box(scene: Scene, a, b, margin, contacts, count):
    """Contacts of the corners of the face that looks down most; key: number of the corner."""
    plane, B = scene.shape(a), scene.shape(b)
    n, h = plane.R.z, B.size
    down = B.R.transposed_times(n)
    height = n.dot(B.x - plane.x)
    rise = h.scaled(down)
    if height - rise.extent > margin:
        return count
    steep, face = down.absolute, 0
    if steep.y > steep.x:
        face = 1
    if steep.z > max(steep.x, steep.y):
        face = 2
    fixed = 0 if down.entry(face) > 0.0 else 1
    for k in range(8):
        if ((k >> face) & 1) == fixed:
            sx = 1.0 if k & 1 else -1.0
            sy = 1.0 if k & 2 else -1.0
            sz = 1.0 if k & 4 else -1.0
            gap = height + sx * rise.x + sy * rise.y + sz * rise.z
            if gap <= margin:
                corner = B.in_world(Vec3(sx * h.x, sy * h.y, sz * h.z))
                count = _put(contacts, count, a, b, k, corner, n, gap, margin)
    return count


@kernel
def lowest_of_rim(scene: Scene, B, up, tilt):
    """From the axis of a cylinder to the lowest point of its rims, of length 1.

    `up` is the normal in its frame. A point that is followed goes on as the highest one where the
    cylinder passes the upright: there the lowest jumps to the other side.
    """
    follows = B.rim.x != 0.0 or B.rim.y != 0.0
    if not tilt > (UPRIGHT if B.rim_held == 1.0 else scene.upright):
        return B.R @ B.rim if follows else B.R.x
    size = -1.0 / tilt
    if follows and up.x * B.rim.x + up.y * B.rim.y > 0.0:
        size = 1.0 / tilt
    return (size * up.x) * B.R.x + (size * up.y) * B.R.y


@apart(int)
def plane_cylinder(scene: Scene, a, b, margin, contacts, count):
    """Lowest points of the rims; of the lower one also those a quarter and half a turn on.

    Key: 4 times the end, and which point of its rim.
    """
    plane, B = scene.shape(a), scene.shape(b)
    n, r, half = plane.R.z, B.size.x, B.size.y
    c, d = B.x, B.R.z
    height = n.dot(c - plane.x)
    up = B.R.transposed_times(n)
    # across the axis in the cylinder's own frame: n - (n . d) d is rounding where it stands
    slope, tilt = up.z, math.hypot(up.x, up.y)
    if height - half * abs(slope) - r * tilt > margin:
        return count
    end = 0 if slope > 0.0 else 1
    lower = half if end else -half
    before = count
    low = lowest_of_rim(scene, B, up, tilt)
    aside = d % low
    rim = c + lower * d
    for k in range(4):
        along_low = r if k == 0 else (-r if k == 1 else 0.0)
        along_aside = r if k == 2 else (-r if k == 3 else 0.0)
        arm = along_aside * aside + along_low * low
        gap = height + lower * slope + n.dot(arm)
        count = _put(contacts, count, a, b, 4 * end + k, rim + arm, n, gap, margin)
    if count < before + 4:
        arm = (-lower) * d + r * low
        gap = height + n.dot(arm)
        count = _put(contacts, count, a, b, 4 * (1 - end), c + arm, n, gap, margin)
    return count


@apart(int)
def plane_hull(scene: Scene, a, b, margin, contacts, count):
    """Vertices within the margin, four at most; key: number of the vertex."""
    plane, B = scene.shape(a), scene.shape(b)
    n, rounding = plane.R.z, B.size.x
    own = B.R.transposed_times(n)
    height = n.dot(B.x - plane.x) - rounding
    candidates, vertices = scene.candidates, scene.vertices(B)
    found = 0
    for k in range(len(vertices)):
        gap = height + own.dot(vertices[k])
        if gap <= margin:
            found = add_candidate(candidates, found, B.in_world(vertices[k]), gap, k)
    found = keep_four(candidates, found)
    for k in range(found):
        one = candidates[k]
        x, key = one.x + (-rounding) * n, feature_key(0, 0, int(one.key))
        count = _put(contacts, count, a, b, key, x, n, one.gap, margin)
    return count
