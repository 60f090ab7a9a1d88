"""Contacts of a convex shape with triangles that stand still: meshes and height fields.

Each triangle near the shape is a convex shape of its own, seen from its front. What the shape
finds at an edge is kept only where the surface is convex there (or ends) and the normal lies
between those of the two triangles; everywhere else the normal is that of the triangle, and the
shape is clipped against it. So nothing catches on an edge within a flat floor.

Contacts are gathered from all triangles; of those with the same normal the four that carry most
are kept.

Source of the rule for edges: the Voronoi regions of a mesh, as in C. Ericson, Real-Time Collision
Detection (2005), section 5.1.5.
"""

from dalembert._jit import apart, kernel, subroutine, vector_view
from dalembert.collision.convex import (
    FEATURE_A,
    FEATURE_B,
    FOUND,
    NUMBERS_END,
    face_manifold,
    manifold_of,
    reach,
)
from dalembert.collision.features import feature_of
from dalembert.collision.layout import (
    BOX_CENTRE,
    BOX_HALF,
    COUNT,
    FIRST,
    FIRST_INTEGER,
    HULL,
    SCRATCH_INTEGERS_AT,
    SCRATCH_NUMBERS_AT,
    SIZE,
    feature_key,
    placed,
    put_contact,
    shape_integers,
    shape_numbers,
)
from dalembert.collision.manifold import keep_four
from dalembert.collision.mesh import NODE, NODE_BOUNDS, TRIANGLE
from dalembert.collision.mesh_edges import ALMOST, may_stand
from dalembert.collision.nearest import nearest
from dalembert.collision.pair_layout import CANDIDATE, Candidates
from dalembert.collision.support import (
    CORE,
    CORE_COUNT,
    CORE_FACES,
    CORE_FIRST,
    CORE_HINT,
    CORE_INTEGERS,
    CORE_LINKS,
    CORE_SIZE,
    PAIR_POSITION,
    PAIR_ROTATION,
    RADIUS_A,
    RADIUS_B,
    SIMPLEX_COUNT,
    core_support,
    load_core,
    place_pair,
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
    transposed_product,
    transposed_times,
    vector,
)

# Contacts gathered, beyond the scratch of convex pairs: a candidate and its normal.
GATHERED = 8 * (NUMBERS_END // 8 + 1)
ROOM = CANDIDATE + 3
MOST_GATHERED = 96
NUMBERS_NEEDED = GATHERED + ROOM * MOST_GATHERED + CANDIDATE * MOST_GATHERED

SAME_NORMAL = 0.9998
"""Cosine of the angle (1 degree) up to which contacts are of one surface."""


@kernel
def gather(numbers, ff, found, x, gap, key, n):
    """Note a contact in the frame of A; how many there are."""
    if found >= MOST_GATHERED:
        return found
    at = ff + GATHERED + ROOM * found
    put_vector(numbers, at, x)
    numbers[at + 3] = gap
    numbers[at + 4] = float(key)
    put_vector(numbers, at + CANDIDATE, n)
    return found + 1


@kernel
def _gather_candidates(numbers, ff, found, count, n, k):
    """Note the candidates of one triangle, with its number k in the place of their keys."""
    for i in range(count):
        at = ff + FOUND + CANDIDATE * i
        # codes of corners and edges of the shape come first, then which triangle
        key = int(numbers[at + 4]) + (k << 24)
        found = gather(numbers, ff, found, vector(numbers, at), numbers[at + 3], key, n)
    return found


@kernel
def _inside(numbers, record, x):
    """Whether a point (frame of the mesh) lies over a triangle."""
    n = vector(numbers, record + 9)
    for e in range(3):
        p, q = vector(numbers, record + 3 * e), vector(numbers, record + 3 * ((e + 1) % 3))
        side = sub(q, p)
        if dot(cross(side, n), sub(x, p)) > ALMOST * dot(side, side):
            return False
    return True


@kernel
def _on_face(integers, numbers, fi, ff, record, n, margin, small):
    """Candidates of the shape against the plane of a triangle, within it; n from A to B."""
    R, p = matrix(numbers, ff + PAIR_ROTATION), vector(numbers, ff + PAIR_POSITION)
    identity = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    at, to = ff + FEATURE_A, ff + FEATURE_B
    origin = (0.0, 0.0, 0.0)
    count = feature_of(integers, numbers, fi, ff + CORE_SIZE, identity, origin, n, at)[0]
    front = scale(-1.0, n)
    if count == 1:
        radius = numbers[ff + RADIUS_A]
        x = core_support(integers, numbers, fi, ff + CORE_SIZE, n)[0]
        if not _inside(numbers, record, transposed_times(R, sub(x, p))):
            return 0
        height = dot(front, sub(x, add(times(R, vector(numbers, record)), p)))
        gap = height - radius
        if gap > margin:
            return 0
        here = ff + FOUND
        put_vector(numbers, here, axpy(0.5 * (height + radius), n, x))
        numbers[here + 3] = gap
        numbers[here + 4] = 0.0
        return 1
    corners, normal, _face = feature_of(
        integers, numbers, fi + CORE_INTEGERS, ff + CORE_SIZE + 3, R, p, front, to
    )
    radii = (0.0, numbers[ff + RADIUS_A])
    return face_manifold(numbers, ff, to, corners, normal, at, count, radii, margin, 1e-9 * small)


@subroutine
def one_triangle(integers, numbers, fi, ff, first, edges, k, margin, small, found):
    """Contacts of the shape with triangle k, added to those gathered; how many there are."""
    record = first + TRIANGLE * k
    R, p = matrix(numbers, ff + PAIR_ROTATION), vector(numbers, ff + PAIR_POSITION)
    front = times(R, vector(numbers, record + 9))
    corner = add(times(R, vector(numbers, record)), p)
    back = scale(-1.0, front)
    radius = numbers[ff + RADIUS_A]
    # out of reach of the plane, or behind it
    lowest = core_support(integers, numbers, fi, ff + CORE_SIZE, back)[0]
    if dot(front, sub(lowest, corner)) - radius > margin:
        return found
    highest = core_support(integers, numbers, fi, ff + CORE_SIZE, front)[0]
    if dot(front, sub(highest, corner)) + radius <= 0.0:
        return found
    other = fi + CORE_INTEGERS
    integers[other + CORE_FIRST] = record
    integers[other + CORE_HINT] = 0
    integers[fi + SIMPLEX_COUNT] = 0
    near, gap, n, middle = nearest(integers, numbers, fi, ff, margin)
    if not near:
        return found
    c = cross(n, front)
    straight = dot(n, front) < 0.0 and dot(c, c) < ALMOST * ALMOST
    if not straight:
        m = transposed_times(R, scale(-1.0, n))
        straight = not may_stand(integers, numbers, fi, ff, k, edges, first, m)
        if not straight:
            count, n, _sort, _face = manifold_of(
                integers, numbers, fi, ff, n, gap, middle, margin, small
            )
            return _gather_candidates(numbers, ff, found, count, n, k)
    count = _on_face(integers, numbers, fi, ff, record, back, margin, small)
    return _gather_candidates(numbers, ff, found, count, back, k)


@kernel
def _outermost_first(view, count):
    """Exchange the first candidate with the one farthest from their middle.

    Of points equally deep the first is kept: it shall be a corner of the whole, not of a triangle.
    """
    x, y, z = 0.0, 0.0, 0.0
    for k in range(count):
        p = vector(view, CANDIDATE * k)
        x, y, z = x + p[0] / count, y + p[1] / count, z + p[2] / count
    best, most = 0, -1.0
    for k in range(count):
        arm = sub(vector(view, CANDIDATE * k), (x, y, z))
        if dot(arm, arm) > most * (1.0 + ALMOST):
            best, most = k, dot(arm, arm)
    for i in range(CANDIDATE):
        other = view[i]
        view[i] = view[CANDIDATE * best + i]
        view[CANDIDATE * best + i] = other


@kernel
def _without_between(view, kept):
    """How many are left when of points on one line only the ends are kept."""
    if kept < 3:
        return kept
    a = vector(view, 0)
    far, most = 1, -1.0
    for k in range(1, kept):
        e = sub(vector(view, CANDIDATE * k), a)
        if dot(e, e) > most:
            far, most = k, dot(e, e)
    for i in range(CANDIDATE):
        other = view[CANDIDATE + i]
        view[CANDIDATE + i] = view[CANDIDATE * far + i]
        view[CANDIDATE * far + i] = other
    e = sub(vector(view, CANDIDATE), a)
    for k in range(2, kept):
        c = cross(e, sub(vector(view, CANDIDATE * k), a))
        if dot(c, c) > (ALMOST * most) * (ALMOST * most):
            return kept
    return 2


@kernel
def put_gathered(
    integers, numbers, ff, found, a, b, small, margin, out_integers, out_numbers, count
):
    """Write what was gathered as contacts: four of each normal."""
    at_a = placed(integers, a)
    R, p = matrix(numbers, at_a + 3), vector(numbers, at_a)
    spare = ff + GATHERED + ROOM * MOST_GATHERED
    view = vector_view(numbers, spare, CANDIDATE * MOST_GATHERED)
    for k in range(found):
        at = ff + GATHERED + ROOM * k
        if numbers[at + 4] < 0.0:
            continue
        n = vector(numbers, at + CANDIDATE)
        kept = 0
        for i in range(k, found):
            here = ff + GATHERED + ROOM * i
            if numbers[here + 4] < 0.0 or dot(n, vector(numbers, here + CANDIDATE)) < SAME_NORMAL:
                continue
            x = vector(numbers, here)
            known = False
            for j in range(kept):
                apart = sub(x, vector(view, CANDIDATE * j))
                if dot(apart, apart) < (ALMOST * small) * (ALMOST * small):
                    known = True
            if not known:
                for j in range(CANDIDATE):
                    view[CANDIDATE * kept + j] = numbers[here + j]
                kept += 1
            numbers[here + 4] = -1.0
        _outermost_first(view, kept)
        kept = _without_between(view, keep_four(Candidates(view), kept))
        normal = times(R, n)
        for i in range(kept):
            x = add(times(R, vector(view, CANDIDATE * i)), p)
            key = int(view[CANDIDATE * i + 4])
            key = feature_key(40, key >> 24, key & ((1 << 24) - 1))
            gap = view[CANDIDATE * i + 3]
            count = put_contact(out_integers, out_numbers, count, a, b, key, gap, normal, x, margin)
    return count


@kernel
def begin_triangles(integers, numbers, a, b):
    """Write the shape a, and a triangle of b to be named later, as the pair."""
    fi, ff = integers[SCRATCH_INTEGERS_AT], integers[SCRATCH_NUMBERS_AT]
    numbers[ff + RADIUS_A] = load_core(integers, numbers, a, fi, ff + CORE_SIZE)
    numbers[ff + RADIUS_B] = 0.0
    other = fi + CORE_INTEGERS
    integers[other + CORE] = HULL
    integers[other + CORE_COUNT] = 3
    integers[other + CORE_FACES] = -1
    integers[other + CORE_LINKS] = -1
    place_pair(integers, numbers, a, b)


@kernel
def bounds_in(integers, numbers, a, b, margin):
    """Middle and half edges of the box about shape a in the frame of shape b."""
    at_a, at_b = placed(integers, a), placed(integers, b)
    R_A, R_B = matrix(numbers, at_a + 3), matrix(numbers, at_b + 3)
    own = shape_numbers(integers, a)
    middle = add(times(R_A, vector(numbers, own + BOX_CENTRE)), vector(numbers, at_a))
    middle = transposed_times(R_B, sub(middle, vector(numbers, at_b)))
    R = transposed_product(R_B, R_A)
    h = vector(numbers, own + BOX_HALF)
    x = abs(R[0]) * h[0] + abs(R[1]) * h[1] + abs(R[2]) * h[2] + margin
    y = abs(R[3]) * h[0] + abs(R[4]) * h[1] + abs(R[5]) * h[2] + margin
    z = abs(R[6]) * h[0] + abs(R[7]) * h[1] + abs(R[8]) * h[2] + margin
    return middle, (x, y, z)


@apart(int)
def convex_mesh(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """Contacts of a convex shape with a mesh."""
    fi, ff = integers[SCRATCH_INTEGERS_AT], integers[SCRATCH_NUMBERS_AT]
    begin_triangles(integers, numbers, a, b)
    middle, half = bounds_in(integers, numbers, a, b, margin)
    record = shape_integers(integers, b)
    first, triangles = integers[record + FIRST], integers[record + COUNT]
    edges = integers[record + FIRST_INTEGER]
    bounds, nodes = first + TRIANGLE * triangles, edges + 3 * triangles
    small = reach(integers, numbers, a)
    total = integers[nodes]
    found, node = 0, 0
    while node < total:
        low = bounds + NODE_BOUNDS * node
        apart = False
        for i in range(3):
            c = middle[0] if i == 0 else (middle[1] if i == 1 else middle[2])
            h = half[0] if i == 0 else (half[1] if i == 1 else half[2])
            if numbers[low + i] > c + h or numbers[low + 3 + i] < c - h:
                apart = True
        at = nodes + NODE * node
        if apart:
            node = integers[at]
            continue
        for k in range(integers[at + 1], integers[at + 1] + integers[at + 2]):
            found = one_triangle(integers, numbers, fi, ff, first, edges, k, margin, small, found)
        node += 1
    return put_gathered(
        integers, numbers, ff, found, a, b, small, margin, out_integers, out_numbers, count
    )


@apart(int)
def convex_height_field(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """Contacts of a convex shape with a height field.

    Its sizes are the lengths of a cell along x and y; its integers the numbers of points.
    """
    fi, ff = integers[SCRATCH_INTEGERS_AT], integers[SCRATCH_NUMBERS_AT]
    begin_triangles(integers, numbers, a, b)
    middle, half = bounds_in(integers, numbers, a, b, margin)
    record, size = shape_integers(integers, b), shape_numbers(integers, b) + SIZE
    first, edges = integers[record + FIRST], integers[record + FIRST_INTEGER]
    small = reach(integers, numbers, a)
    dx, dy = numbers[size], numbers[size + 1]
    nx, ny = int(numbers[size + 2]), int(numbers[size + 3])
    # cells under the box about the shape; the first point is the first corner of triangle 0
    x0, y0 = numbers[first], numbers[first + 1]
    i0 = int(min(max((middle[0] - half[0] - x0) / dx, 0.0), float(nx)))
    i1 = int(max(min((middle[0] + half[0] - x0) / dx, nx - 2.0), -1.0))
    j0 = int(min(max((middle[1] - half[1] - y0) / dy, 0.0), float(ny)))
    j1 = int(max(min((middle[1] + half[1] - y0) / dy, ny - 2.0), -1.0))
    low, high = middle[2] - half[2], middle[2] + half[2]
    found = 0
    for i in range(i0, i1 + 1):
        for j in range(j0, j1 + 1):
            for t in range(2):
                k = 2 * (i * (ny - 1) + j) + t
                at = first + TRIANGLE * k
                z0, z1, z2 = numbers[at + 2], numbers[at + 5], numbers[at + 8]
                if max(z0, z1, z2) >= low and min(z0, z1, z2) <= high:
                    found = one_triangle(
                        integers, numbers, fi, ff, first, edges, k, margin, small, found
                    )
    return put_gathered(
        integers, numbers, ff, found, a, b, small, margin, out_integers, out_numbers, count
    )
