"""Two boxes: separating axes, then the faces clipped against one another.

1. The axis of greatest separation (`box_axes`), in favour of faces.
2. A face: the incident face clipped by the sides of the reference face (`box_clip`), all points
   within the margin, at most four (`manifold`). Every gap is measured from the reference face.
3. An edge with an edge: one point, halfway between the nearest points of the two; if the boxes
   move, also corners above the best face, which may swing down in this step.
4. Boxes apart whose faces are not above one another, that only graze, or that are fast, are
   looked at in motion (`box_sweep`): the axis on which they meet last is the one of contact, or
   they pass. The contacts are those of the moment they meet, moved back to now. Those that would
   meet by turning alone are looked at as they are, and so are corners that may swing down beside
   edges that meet.

Boxes that overlap by less than `GRAZING` on a second axis slide past each other along an edge and
do not touch: a box does not trip over the seam between two others whose faces are flush.
"""

import math

from dalembert._jit import apart, kernel, vector_view
from dalembert.collision.box_axes import PREFERENCE, best_axis
from dalembert.collision.box_clip import CORNERS, CROSSINGS, POINT, ROOM, clip, lay_incident
from dalembert.collision.box_features import corner_key, edge_number, edges_key
from dalembert.collision.box_sweep import grazes, meeting
from dalembert.collision.layout import (
    BOUNDING_RADIUS,
    CONTACT_FLAGS,
    CONTACT_INTEGERS,
    CONTACT_NUMBERS,
    GAP,
    HORIZON,
    KEY,
    SCRATCH_NUMBERS_AT,
    SIZE,
    STEP_LENGTH,
    SWEEP_SPEED,
    SWEPT,
    placed,
    put_contact,
    shape_numbers,
)
from dalembert.collision.manifold import CANDIDATE, keep_four
from dalembert.collision.segments import direction, entry, nearest_of_segments, unit_axis
from dalembert.numerics.small import (
    add,
    axpy,
    cross,
    dot,
    matrix,
    row,
    scale,
    sub,
    times,
    transposed_product,
    transposed_times,
    vector,
)

SNAP = 1e-5
"""Part of the least half edge: corners beyond an edge by no more are on it."""

SWINGING = 0.1
"""Part of the least half edge: with a wider margin corners about an edge are looked at as well."""

GRAZING = 1e-4
"""Part of the least half edge: an overlap that small is none while the boxes pass."""


@apart(int)
def box_box(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """Up to four contacts."""
    at_a, at_b = placed(integers, a), placed(integers, b)
    RA, RB = matrix(numbers, at_a + 3), matrix(numbers, at_b + 3)
    ha = vector(numbers, shape_numbers(integers, a) + SIZE)
    hb = vector(numbers, shape_numbers(integers, b) + SIZE)
    d = transposed_times(RA, sub(vector(numbers, at_b), vector(numbers, at_a)))
    C = transposed_product(RA, RB)
    least = min(ha[0], ha[1], ha[2], hb[0], hb[1], hb[2])
    s, axis, face = best_axis(C, d, ha, hb, margin, PREFERENCE * least)
    if axis < 0:
        return count
    slack = GRAZING * least
    arrays, still = (integers, numbers, out_integers, out_numbers), (0.0, 0.0, 0.0)
    found = count
    boxes = C, d, ha, hb
    passing = s > -slack and grazes(C, d, ha, hb, axis, slack)
    if s <= -slack or not (passing or _fast(numbers, at_a, at_b, s, least)):
        found = _as_they_are(arrays, (a, b), axis, face, boxes, least, margin, s, slack, count)
        if s <= 0.0 or _least_gap(out_numbers, count, found) <= s + slack:
            return found
    u = transposed_times(RA, sub(vector(numbers, at_b + 12), vector(numbers, at_a + 12)))
    moment, meets = meeting(C, d, u, ha, hb, slack, numbers[HORIZON])
    if meets < 0:
        if found == count and not passing and _swings(integers, numbers, a, b, s):
            found = _as_they_are(arrays, (a, b), axis, face, boxes, least, margin, s, slack, count)
        return found
    way, axis = scale(moment, u), meets
    boxes = (C, add(d, way), ha, hb)
    last = _manifold(arrays, (a, b), axis, boxes, way, least, margin, True, -math.inf, count)
    for k in range(count, last):
        if CONTACT_INTEGERS * (k + 1) <= len(out_integers):
            out_integers[CONTACT_INTEGERS * k + CONTACT_FLAGS] = SWEPT
    if axis >= 6 and last > count and _swings(integers, numbers, a, b, s):
        # the sweep sees no turning: corners above the best face, as they are
        boxes = C, d, ha, hb
        last = _manifold(arrays, (a, b), face, boxes, still, least, margin, False, slack, last)
    return last


@kernel
def _as_they_are(arrays, pair, axis, face, boxes, least, margin, s, slack, count):
    """Contacts of boxes where they are, s apart: on the axis, and above the best face."""
    still = (0.0, 0.0, 0.0)
    found = _manifold(arrays, pair, axis, boxes, still, least, margin, s <= 0.0, -math.inf, count)
    if axis != face and found > count and margin > SWINGING * least:
        found = _manifold(arrays, pair, face, boxes, still, least, margin, False, slack, found)
    return found


@kernel
def _least_gap(out_numbers, first, last):
    """The least gap of the contacts just found; infinite where there is none."""
    least = math.inf
    for k in range(first, last):
        if CONTACT_NUMBERS * (k + 1) <= len(out_numbers):
            least = min(least, out_numbers[CONTACT_NUMBERS * k + GAP])
    return least


@kernel
def _swings(integers, numbers, a, b, s):
    """Whether boxes that are s apart may meet by turning, which no sweep along a line sees."""
    at_a, at_b = placed(integers, a), placed(integers, b)
    w_a, w_b = vector(numbers, at_a + 15), vector(numbers, at_b + 15)
    r_a = numbers[shape_numbers(integers, a) + BOUNDING_RADIUS]
    r_b = numbers[shape_numbers(integers, b) + BOUNDING_RADIUS]
    reach = r_a * math.sqrt(dot(w_a, w_a)) + r_b * math.sqrt(dot(w_b, w_b))
    return numbers[HORIZON] * reach >= s


@kernel
def _fast(numbers, at_a, at_b, s, least):
    """Whether boxes apart come closer by more than the ball within one of them."""
    u = sub(vector(numbers, at_b + 12), vector(numbers, at_a + 12))
    h, most = numbers[STEP_LENGTH], numbers[SWEEP_SPEED] * least
    return s > 0.04 * least and h * h * dot(u, u) > most * most


@kernel
def _manifold(arrays, pair, axis, boxes, way, least, margin, surely, above, count):
    """Contacts along an axis; B has been moved by `way` (in axes of A) from where it is now.

    surely: there is a contact even where the faces are not above one another; above: the least
    height of points that count.
    """
    integers, numbers, out_integers, out_numbers = arrays
    a, b = pair
    C, d, ha, hb = boxes
    if axis >= 6:
        return _edges(arrays, pair, axis - 6, boxes, way, margin, surely, count)
    points = vector_view(numbers, integers[SCRATCH_NUMBERS_AT], ROOM)
    spare = vector_view(numbers, integers[SCRATCH_NUMBERS_AT] + ROOM, ROOM)
    of_a = axis < 3
    k = axis if of_a else axis - 3
    T = C if of_a else (C[0], C[3], C[6], C[1], C[4], C[7], C[2], C[5], C[8])
    h = ha if of_a else hb
    e = d if of_a else scale(-1.0, transposed_times(C, d))
    i, j = (k + 1) % 3, (k + 2) % 3
    side = 1.0 if entry(e, k) > 0.0 else -1.0
    towards = scale(side, row(T, k))
    ru, rv = row(T, i), row(T, j)
    columns = (
        ru[0],
        ru[1],
        ru[2],
        rv[0],
        rv[1],
        rv[2],
        towards[0],
        towards[1],
        towards[2],
    )
    hk, hu, hv = entry(h, k), entry(h, i), entry(h, j)
    centre = (entry(e, i), entry(e, j), side * entry(e, k) - hk)
    other = hb if of_a else ha
    lay_incident(points, towards, centre, columns, other)
    left = clip(points, spare, k, side, hu, hv, SNAP * least)
    at_a, at_b = placed(integers, a), placed(integers, b)
    RA = matrix(numbers, at_a + 3)
    R = RA if of_a else matrix(numbers, at_b + 3)
    # way of B along n, from A to B: gaps were longer by it
    moved = times(RA, way)
    n = times(R, unit_axis(k, side if of_a else -side))
    ahead = dot(n, moved)
    c = axpy(-0.5, moved, vector(numbers, at_a) if of_a else add(vector(numbers, at_b), moved))
    found = 0
    for q in range(left):
        p, to = POINT * q, CANDIDATE * found
        height = points[p + 2]
        if above < height <= margin + ahead:
            code = points[p + 3]
            points[to], points[to + 1], points[to + 2] = points[p], points[p + 1], height
            points[to + 3], points[to + 4] = height, code
            found += 1
    if found == 0 and surely:
        found = _deepest(points, centre, columns, other, margin + ahead)
    found = keep_four(points, found)
    # behind the contact of two edges there is room for three more, and not for its key
    edge = count - 1
    if above > 0.0:
        found = min(found, 3)
    for q in range(found):
        p = CANDIDATE * q
        gap = points[p + 3]
        x, y, z = points[p], points[p + 1], side * (hk + 0.5 * gap)
        local = axpy(x, unit_axis(i, 1.0), axpy(y, unit_axis(j, 1.0), unit_axis(k, z)))
        point = add(c, times(R, local))
        key = _key(int(points[p + 4]), of_a)
        if above > 0.0 and CONTACT_INTEGERS * edge < len(out_integers):
            if out_integers[CONTACT_INTEGERS * edge + KEY] == key:
                continue
        count = put_contact(
            out_integers, out_numbers, count, a, b, key, gap - ahead, n, point, margin
        )
    return count


@kernel
def _deepest(points, centre, columns, h, most):
    """The lowest corner of the incident box as the only candidate, if it is low enough."""
    corner = 0
    x = centre
    for k in range(3):
        up = columns[6] if k == 0 else (columns[7] if k == 1 else columns[8])
        s = entry(h, k) if up < 0.0 else -entry(h, k)
        if up < 0.0:
            corner |= 1 << k
        axis = (
            columns[0] if k == 0 else (columns[1] if k == 1 else columns[2]),
            columns[3] if k == 0 else (columns[4] if k == 1 else columns[5]),
            up,
        )
        x = axpy(s, axis, x)
    points[0], points[1], points[2], points[3] = x[0], x[1], x[2], x[2]
    points[4] = float(corner)
    return 1 if x[2] <= most else 0


@kernel
def _key(code, of_a):
    """Key of a contact by its code; of_a: A has the reference face."""
    if code < CORNERS:
        return corner_key(not of_a, code)
    if code < CROSSINGS:
        return corner_key(of_a, code - CORNERS)
    incident, reference = (code - CROSSINGS) // 12, (code - CROSSINGS) % 12
    if of_a:
        return edges_key(reference, incident)
    return edges_key(incident, reference)


@kernel
def _edges(arrays, pair, edges, boxes, way, margin, surely, count):
    """Contact of edge i of A with edge j of B, edges = 3 i + j; all in axes of A."""
    integers, numbers, out_integers, out_numbers = arrays
    a, b = pair
    C, d, ha, hb = boxes
    at_a = placed(integers, a)
    i, j = edges // 3, edges % 3
    along_a = unit_axis(i, 1.0)
    along_b = times(C, unit_axis(j, 1.0))
    n = direction(cross(along_a, along_b), along_a)[1]
    if dot(n, d) < 0.0:
        n = scale(-1.0, n)
    seen = transposed_times(C, n)
    i1, i2, j1, j2 = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
    a1 = 1.0 if entry(n, i1) > 0.0 else -1.0
    a2 = 1.0 if entry(n, i2) > 0.0 else -1.0
    b1 = -1.0 if entry(seen, j1) > 0.0 else 1.0
    b2 = -1.0 if entry(seen, j2) > 0.0 else 1.0
    middle_a = add(unit_axis(i1, a1 * entry(ha, i1)), unit_axis(i2, a2 * entry(ha, i2)))
    local = add(unit_axis(j1, b1 * entry(hb, j1)), unit_axis(j2, b2 * entry(hb, j2)))
    middle_b = add(d, times(C, local))
    la, lb = entry(ha, i), entry(hb, j)
    s, t = nearest_of_segments(middle_a, along_a, la, middle_b, along_b, lb)
    if not surely and (abs(s) >= la or abs(t) >= lb):
        return count
    x_a, x_b = axpy(s, along_a, middle_a), axpy(t, along_b, middle_b)
    gap = dot(n, sub(x_b, x_a)) - dot(n, way)
    if gap > margin:
        return count
    R, c = matrix(numbers, at_a + 3), vector(numbers, at_a)
    point = add(c, times(R, axpy(-0.5, way, scale(0.5, add(x_a, x_b)))))
    key = edges_key(edge_number(i, a1, a2), edge_number(j, b1, b2))
    return put_contact(out_integers, out_numbers, count, a, b, key, gap, times(R, n), point, margin)
