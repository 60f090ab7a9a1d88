"""Contacts of two convex shapes: the nearest points, and around them what else is near.

The normal of the nearest points is compared with those of the faces that look along it. A face
whose slab is as wide, up to `PREFERENCE` of the smaller shape, is the *reference*; the feature of
the other shape that looks at it is clipped by its sides, and every point left within the margin is
a contact whose gap is measured from the plane of the reference. Two lines side by side (logs) touch
at the ends of their overlap. All else touches in one point.

A pair that was apart is first asked along the direction that separated it. This memory saves
time and changes no contact: where the shapes are near, the search begins anew.
"""

import math

from dalembert._jit import apart, kernel, subroutine
from dalembert._records import value
from dalembert.collision.clipping import FaceOf, clip_polygon, clip_segment
from dalembert.collision.features import feature_of
from dalembert.collision.layout import CYLINDER, Scene, feature_key
from dalembert.collision.manifold import keep_four
from dalembert.collision.nearest import nearest
from dalembert.collision.support import A, B, is_round, prepare, separation
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3

PREFERENCE = 1e-4
"""How much narrower a slab along a face may be, relative to the smaller shape."""

LOOKING = 0.8
"""Cosine between normal and face above which a face may be the reference."""

PARALLEL = 0.02
"""Sine of the angle up to which two lines touch side by side."""

MISSED = 1e-7
"""Part of the smaller shape: a clipped manifold that misses nearest points by more gets them."""

# Sorts of feature keys.
NEAREST, FACE_OF_A, FACE_OF_B, LINES = range(32, 36)


@value
class Near:
    """The nearest points of a pair, in the frame of A."""

    gap: float
    n: Vec3
    middle: Vec3


@value
class Manifold:
    """Candidates of a pair: how many, their normal in the frame of A, and numbers for the keys."""

    count: int
    n: Vec3
    sort: int
    face: int


@value
class Rounding:
    """Radii of two cores, of which the first is the reference."""

    mine: float
    other: float


@kernel
def reach(scene: Scene, number):
    """Half the longest edge of the box about a shape."""
    half = scene.shape(number).box_half
    return max(half.x, half.y, half.z)


# -- the direction that separated a pair -----------------------------------------------------------


@kernel
def remembered(scene: Scene, a, b):
    """Slot of a pair in the table of separating directions; -1 where there is no table."""
    if scene.warm_capacity <= 0:
        return -1
    return ((a * 73856093) ^ (b * 19349663)) & (scene.warm_capacity - 1)


@kernel
def _still_apart(scene: Scene, a, b, slot, cutoff):
    """Whether the direction that separated the pair before does so still."""
    warm = scene.warm(slot)
    if warm.first != a + 1 or warm.second != b:
        return False
    return separation(scene, warm.n) > cutoff


@kernel
def _remember(scene: Scene, a, b, slot, n):
    warm = scene.warm(slot)
    warm.first, warm.second, warm.n = a + 1, b, n


# -- manifolds -------------------------------------------------------------------------------------


@subroutine
def face_manifold(scene: Scene, reference, incident, count, radii, margin, slack):
    """Clip the incident feature by the reference face; how many candidates there are.

    Candidates are points midway between the surfaces.
    """
    polygon, candidates, n = scene.polygon, scene.candidates, reference.n
    if count == 2:
        left = clip_segment(reference, incident, polygon, slack)
    else:
        left = clip_polygon(reference, incident, count, polygon, scene.spare, slack)
    origin, found = reference.feature[0].x, 0
    for k in range(left):
        x = polygon[k].x
        height = n.dot(x - origin)
        gap = height - radii.mine - radii.other
        if gap <= margin:
            middle = -0.5 * (height + radii.other - radii.mine) * n + x
            candidates[found].put(middle, gap, int(polygon[k].code))
            found += 1
    return found


@kernel
def _line_manifold(scene: Scene, n, radii, margin):
    """Two lines side by side: ends of their overlap; how many candidates there are."""
    p, q = scene.feature_a[0].x, scene.feature_a[1].x
    x, y = scene.feature_b[0].x, scene.feature_b[1].x
    e, g = q - p, y - x
    ee, c, along = e.dot(e), e % g, e.dot(g)
    if c.dot(c) > PARALLEL * PARALLEL * ee * g.dot(g) or along == 0.0:
        return 0
    # where on A the ends of B are
    s, t = (x - p).dot(e) / ee, (y - p).dot(e) / ee
    low, high = max(0.0, min(s, t)), min(1.0, max(s, t))
    if low >= high:
        return 0
    found = 0
    for k in range(2):
        u = high if k else low
        here, there = u * e + p, ((u - s) / (t - s)) * g + x
        gap = n.dot(there - here) - radii.mine - radii.other
        if gap <= margin:
            # of the end that belongs to A or to B
            key = 2 * k + (1 if u == s or u == t else 0)
            middle = 0.5 * (radii.mine - radii.other) * n + 0.5 * (here + there)
            scene.candidates[found].put(middle, gap, key)
            found += 1
    return found


@kernel
def _of_features(scene: Scene, near, margin, small):
    """Candidates of the features that look along the normal; none where they touch in a point."""
    pair, n, back = scene.pair, near.n, -near.n
    feature_a, feature_b = scene.feature_a, scene.feature_b
    count_a, n_a, face_a = feature_of(scene, A, Mat3.unit(), Vec3.zero(), n, feature_a)
    count_b, n_b, face_b = feature_of(scene, B, pair.R, pair.p, back, feature_b)
    mine, other = scene.core_a.radius, scene.core_b.radius
    best = near.gap + mine + other - PREFERENCE * small
    s_a, s_b = -math.inf, -math.inf
    if count_a > 2 and count_b > 1 and n_a.dot(n) > LOOKING:
        s_a = separation(scene, n_a)
    if count_b > 2 and count_a > 1 and n_b.dot(back) > LOOKING:
        s_b = separation(scene, -n_b)
    slack = 1e-9 * small
    # of two faces the first, but a polygon that stands for a cap only if it must
    first = s_a >= best and s_a >= s_b - PREFERENCE * small
    if first and scene.core_a.kind == CYLINDER and s_b >= best:
        first = False
    if first:
        face, radii = FaceOf(feature_a, count_a, n_a), Rounding(mine, other)
        found = face_manifold(scene, face, feature_b, count_b, radii, margin, slack)
        return Manifold(found, n_a, FACE_OF_A, face_a)
    if s_b >= best:
        face, radii = FaceOf(feature_b, count_b, n_b), Rounding(other, mine)
        found = face_manifold(scene, face, feature_a, count_a, radii, margin, slack)
        return Manifold(found, -n_b, FACE_OF_B, face_b)
    found = 0
    if count_a == 2 and count_b == 2:
        found = _line_manifold(scene, n, Rounding(mine, other), margin)
    return Manifold(found, n, LINES, 0)


@subroutine
def manifold_of(scene: Scene, near, margin, small):
    """Candidates of a pair that is near."""
    candidates = scene.candidates
    if not (is_round(scene.core_a) or is_round(scene.core_b)):
        made = _of_features(scene, near, margin, small)
        found = made.count
        if found > 0:
            least = math.inf
            for k in range(found):
                least = min(least, candidates[k].gap)
            if least > near.gap + MISSED * small:
                candidates[found].put(near.middle, near.gap, (1 << 23) + NEAREST)
                found += 1
            return Manifold(found, made.n, made.sort, made.face)
    candidates[0].put(near.middle, near.gap, 0)
    return Manifold(1, near.n, NEAREST, 0)


@kernel
def put_manifold(scene: Scene, manifold, a, b, margin, contacts, count):
    """Write the four best candidates as contacts, in the world."""
    shape, candidates = scene.shape(a), scene.candidates
    R, p = shape.R, shape.x
    normal = R @ manifold.n
    for k in range(keep_four(candidates, manifold.count)):
        point = candidates[k]
        x, gap = (R @ point.x) + p, point.gap
        key = feature_key(manifold.sort, manifold.face, int(point.key))
        count = contacts.add(count, a, b, key, gap, normal, x, margin)
    return count


@apart(int)
def convex_convex(scene: Scene, a, b, margin, contacts, count):
    """Contacts of two of: sphere, capsule, box, cylinder, ellipsoid, hull."""
    prepare(scene, a, b)
    slot = remembered(scene, a, b)
    cutoff = margin + scene.core_a.radius + scene.core_b.radius
    if slot >= 0 and _still_apart(scene, a, b, slot, cutoff):
        return count
    is_near, gap, n, middle = nearest(scene, margin)
    if not is_near:
        if slot >= 0:
            _remember(scene, a, b, slot, n)
        return count
    small = min(reach(scene, a), reach(scene, b))
    manifold = manifold_of(scene, Near(gap, n, middle), margin, small)
    return put_manifold(scene, manifold, a, b, margin, contacts, count)
