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

from dalembert._jit import apart, kernel, subroutine, vector_view
from dalembert.collision.clipping import CLIPPED, MOST_CLIPPED, clip_polygon, clip_segment
from dalembert.collision.features import FEATURE, MOST_CORNERS, feature_of
from dalembert.collision.layout import (
    BOX_HALF,
    CYLINDER,
    SCRATCH_INTEGERS_AT,
    SCRATCH_NUMBERS_AT,
    WARM_CAPACITY,
    WARM_INTEGERS,
    WARM_INTEGERS_AT,
    WARM_NUMBERS,
    WARM_NUMBERS_AT,
    feature_key,
    placed,
    put_contact,
    shape_numbers,
)
from dalembert.collision.manifold import keep_four
from dalembert.collision.nearest import nearest
from dalembert.collision.pair_layout import CANDIDATE, Candidates
from dalembert.collision.support import (
    CORE,
    CORE_INTEGERS,
    CORE_SIZE,
    PAIR_POSITION,
    PAIR_ROTATION,
    RADIUS_A,
    RADIUS_B,
    is_round,
    prepare,
    separation,
)
from dalembert.numerics.small import (
    add,
    axpy,
    cross,
    dot,
    matrix,
    put_vector,
    scale,
    sub,
    times,
    vector,
)

# Floats of the scratch section, beyond those of EPA.
FEATURE_A = 2048
FEATURE_B = FEATURE_A + FEATURE * MOST_CORNERS
CLIP = FEATURE_B + FEATURE * MOST_CORNERS
SPARE = CLIP + CLIPPED * MOST_CLIPPED
FOUND = SPARE + CLIPPED * MOST_CLIPPED
NUMBERS_END = FOUND + CANDIDATE * (MOST_CLIPPED + 1)

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


@kernel
def reach(integers, numbers, shape):
    """Half the longest edge of the box about a shape."""
    x, y, z = vector(numbers, shape_numbers(integers, shape) + BOX_HALF)
    return max(x, y, z)


@kernel
def remembered(integers, a, b):
    """Slot of a pair in the table of separating directions; -1 where there is no table."""
    capacity = integers[WARM_CAPACITY]
    if capacity <= 0:
        return -1
    return ((a * 73856093) ^ (b * 19349663)) & (capacity - 1)


@kernel
def _still_apart(integers, numbers, fi, ff, a, b, slot, cutoff):
    """Whether the direction that separated the pair before does so still."""
    at = integers[WARM_INTEGERS_AT] + WARM_INTEGERS * slot
    if integers[at] != a + 1 or integers[at + 1] != b:
        return False
    n = vector(numbers, integers[WARM_NUMBERS_AT] + WARM_NUMBERS * slot)
    return separation(integers, numbers, fi, ff, n) > cutoff


@kernel
def _remember(integers, numbers, a, b, slot, n):
    at = integers[WARM_INTEGERS_AT] + WARM_INTEGERS * slot
    integers[at], integers[at + 1] = a + 1, b
    put_vector(numbers, integers[WARM_NUMBERS_AT] + WARM_NUMBERS * slot, n)


@kernel
def put_candidate(numbers, ff, k, x, gap, key):
    """Write candidate k of the manifold."""
    at = ff + FOUND + CANDIDATE * k
    put_vector(numbers, at, x)
    numbers[at + 3] = gap
    numbers[at + 4] = float(key)


@subroutine
def face_manifold(numbers, ff, reference, corners, n, incident, count, radii, margin, slack):
    """Clip the incident feature by the reference face; how many candidates there are.

    n is the normal of the face, radii those of the reference and of the other. Candidates are
    points midway between the surfaces.
    """
    to = ff + CLIP
    if count == 2:
        left = clip_segment(numbers, reference, corners, n, incident, to, slack)
    else:
        left = clip_polygon(numbers, reference, corners, n, incident, count, to, ff + SPARE, slack)
    origin = vector(numbers, reference)
    mine, other = radii
    found = 0
    for k in range(left):
        x = vector(numbers, to + CLIPPED * k)
        height = dot(n, sub(x, origin))
        gap = height - mine - other
        if gap <= margin:
            middle = axpy(-0.5 * (height + other - mine), n, x)
            put_candidate(numbers, ff, found, middle, gap, int(numbers[to + CLIPPED * k + 3]))
            found += 1
    return found


@kernel
def _line_manifold(numbers, ff, n, radii, margin):
    """Two lines side by side: ends of their overlap; how many candidates there are."""
    p, q = vector(numbers, ff + FEATURE_A), vector(numbers, ff + FEATURE_A + FEATURE)
    x, y = vector(numbers, ff + FEATURE_B), vector(numbers, ff + FEATURE_B + FEATURE)
    e, g = sub(q, p), sub(y, x)
    ee, c = dot(e, e), cross(e, g)
    along = dot(e, g)
    if dot(c, c) > PARALLEL * PARALLEL * ee * dot(g, g) or along == 0.0:
        return 0
    # where on A the ends of B are
    s, t = dot(sub(x, p), e) / ee, dot(sub(y, p), e) / ee
    low, high = max(0.0, min(s, t)), min(1.0, max(s, t))
    if low >= high:
        return 0
    mine, other = radii
    found = 0
    for k in range(2):
        u = high if k else low
        here = axpy(u, e, p)
        there = axpy((u - s) / (t - s), g, x)
        height = dot(n, sub(there, here))
        gap = height - mine - other
        if gap <= margin:
            # of the end that belongs to A or to B
            key = 2 * k + (1 if u == s or u == t else 0)
            middle = axpy(0.5 * (mine - other), n, scale(0.5, add(here, there)))
            put_candidate(numbers, ff, found, middle, gap, key)
            found += 1
    return found


@subroutine
def manifold_of(integers, numbers, fi, ff, n, gap, middle, margin, small):
    """Candidates of a pair that is near: how many, their normal, and the numbers for the keys."""
    mine, other = numbers[ff + RADIUS_A], numbers[ff + RADIUS_B]
    if not (is_round(integers, fi) or is_round(integers, fi + CORE_INTEGERS)):
        R, p = matrix(numbers, ff + PAIR_ROTATION), vector(numbers, ff + PAIR_POSITION)
        identity = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
        back = scale(-1.0, n)
        at, to = ff + FEATURE_A, ff + FEATURE_B
        count_a, n_a, face_a = feature_of(
            integers, numbers, fi, ff + CORE_SIZE, identity, (0.0, 0.0, 0.0), n, at
        )
        count_b, n_b, face_b = feature_of(
            integers, numbers, fi + CORE_INTEGERS, ff + CORE_SIZE + 3, R, p, back, to
        )
        best = gap + mine + other - PREFERENCE * small
        s_a, s_b = -math.inf, -math.inf
        if count_a > 2 and count_b > 1 and dot(n_a, n) > LOOKING:
            s_a = separation(integers, numbers, fi, ff, n_a)
        if count_b > 2 and count_a > 1 and dot(n_b, back) > LOOKING:
            s_b = separation(integers, numbers, fi, ff, scale(-1.0, n_b))
        slack = 1e-9 * small
        found = 0
        # of two faces the first, but a polygon that stands for a cap only if it must
        first = s_a >= best and s_a >= s_b - PREFERENCE * small
        if first and integers[fi + CORE] == CYLINDER and s_b >= best:
            first = False
        if first:
            found = face_manifold(
                numbers, ff, at, count_a, n_a, to, count_b, (mine, other), margin, slack
            )
            sort, face, n_new = FACE_OF_A, face_a, n_a
        elif s_b >= best:
            found = face_manifold(
                numbers, ff, to, count_b, n_b, at, count_a, (other, mine), margin, slack
            )
            sort, face, n_new = FACE_OF_B, face_b, scale(-1.0, n_b)
        else:
            if count_a == 2 and count_b == 2:
                found = _line_manifold(numbers, ff, n, (mine, other), margin)
            sort, face, n_new = LINES, 0, n
        if found > 0:
            least = math.inf
            for k in range(found):
                least = min(least, numbers[ff + FOUND + CANDIDATE * k + 3])
            if least > gap + MISSED * small:
                put_candidate(numbers, ff, found, middle, gap, (1 << 23) + NEAREST)
                found += 1
            return found, n_new, sort, face
    put_candidate(numbers, ff, 0, middle, gap, 0)
    return 1, n, NEAREST, 0


@kernel
def put_manifold(
    integers, numbers, ff, found, n, sort, face, a, b, margin, out_integers, out_numbers, count
):
    """Write the four best candidates as contacts, in the world."""
    view = vector_view(numbers, ff + FOUND, CANDIDATE * (MOST_CLIPPED + 1))
    found = keep_four(Candidates(view), found)
    at = placed(integers, a)
    R, p = matrix(numbers, at + 3), vector(numbers, at)
    normal = times(R, n)
    for k in range(found):
        x = add(times(R, vector(view, CANDIDATE * k)), p)
        gap, key = view[CANDIDATE * k + 3], feature_key(sort, face, int(view[CANDIDATE * k + 4]))
        count = put_contact(out_integers, out_numbers, count, a, b, key, gap, normal, x, margin)
    return count


@apart(int)
def convex_convex(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """Contacts of two of: sphere, capsule, box, cylinder, ellipsoid, hull."""
    fi, ff = integers[SCRATCH_INTEGERS_AT], integers[SCRATCH_NUMBERS_AT]
    prepare(integers, numbers, a, b)
    slot = remembered(integers, a, b)
    cutoff = margin + numbers[ff + RADIUS_A] + numbers[ff + RADIUS_B]
    if slot >= 0 and _still_apart(integers, numbers, fi, ff, a, b, slot, cutoff):
        return count
    near, gap, n, middle = nearest(integers, numbers, fi, ff, margin)
    if not near:
        if slot >= 0:
            _remember(integers, numbers, a, b, slot, n)
        return count
    small = min(reach(integers, numbers, a), reach(integers, numbers, b))
    found, n, sort, face = manifold_of(integers, numbers, fi, ff, n, gap, middle, margin, small)
    return put_manifold(
        integers, numbers, ff, found, n, sort, face, a, b, margin, out_integers, out_numbers, count
    )
