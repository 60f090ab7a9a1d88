"""Two boxes: separating axes, then the faces clipped against one another.

1. The axis of greatest separation (`box_axes`), in favour of faces.
2. A face: the incident face clipped by the sides of the reference face (`box_axes`), all points
   within the margin, at most four (`manifold`). Every gap is measured from the reference face.
3. An edge with an edge: one point, halfway between the nearest points of the two; if the boxes
   move, also corners above the best face, which may swing down in this step.
4. Boxes apart whose faces are not above one another, that only graze, or that are fast, are
   looked at in motion (below): the axis on which they meet last is the one of contact, or
   they pass. The contacts are those of the moment they meet, moved back to now. Those that would
   meet by turning alone are looked at as they are, and so are corners that may swing down beside
   edges that meet.

Boxes that overlap by less than `GRAZING` on a second axis slide past each other along an edge and
do not touch: a box does not trip over the seam between two others whose faces are flush.

Without turning, the projections on an axis m overlap while |m . (d + u t)| < E, E being the sum of
the half widths; the boxes overlap while all 15 pairs do. They meet at the last of the moments of
entry, on the axis it belongs to, unless one pair has left before (D. Eberly, Dynamic Collision
Detection using Oriented Bounding Boxes, 1999). E is taken smaller by the `slack` of boxes that
graze.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.collision.box_axes import (
    CORNERS,
    CROSSINGS,
    NO_EDGES,
    PREFERENCE,
    Boxes,
    Incident,
    best_axis,
    clip,
    corner_key,
    edge_number,
    edges_key,
    lay_incident,
)
from dalembert.collision.layout import SWEPT, Scene
from dalembert.collision.manifold import keep_four
from dalembert.collision.segments import direction, nearest_of_segments
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3

SNAP = 1e-5
"""Part of the least half edge: corners beyond an edge by no more are on it."""

SWINGING = 0.1
"""Part of the least half edge: with a wider margin corners about an edge are looked at as well."""

GRAZING = 1e-4
"""Part of the least half edge: an overlap that small is none while the boxes pass."""


@apart(int)
def box_box(scene: Scene, a, b, margin, contacts, count):
    """Up to four contacts."""
    A, B = scene.shape(a), scene.shape(b)
    boxes = Boxes(A.R.transposed_product(B.R), A.seen(B.x), A.size, B.size)
    least = boxes.least
    s, axis, face = best_axis(boxes, margin, PREFERENCE * least)
    if axis < 0:
        return count
    slack = GRAZING * least
    found = count
    passing = s > -slack and grazes(boxes, axis, slack)
    if s <= -slack or not (passing or _fast(scene, a, b, s, least)):
        found = _as_they_are(scene, a, b, axis, face, boxes, margin, s, contacts, count)
        if s <= 0.0 or _least_gap(contacts, count, found) <= s + slack:
            return found
    u = A.R.transposed_times(B.v - A.v)
    moment, meets = meeting(boxes, u, slack, scene.horizon)
    if meets < 0:
        if found == count and not passing and _swings(scene, a, b, s):
            found = _as_they_are(scene, a, b, axis, face, boxes, margin, s, contacts, count)
        return found
    way = moment * u
    last = _manifold(
        scene, a, b, meets, boxes.moved(way), way, margin, True, -math.inf, contacts, count
    )
    for k in range(count, min(last, len(contacts))):
        contacts[k].flags = SWEPT
    if meets >= 6 and last > count and _swings(scene, a, b, s):
        # the sweep sees no turning: corners above the best face, as they are
        still = Vec3.zero()
        last = _manifold(scene, a, b, face, boxes, still, margin, False, slack, contacts, last)
    return last


@kernel
def _as_they_are(scene: Scene, a, b, axis, face, boxes, margin, s, contacts, count):
    """Contacts of boxes where they are, s apart: on the axis, and above the best face."""
    still, least = Vec3.zero(), boxes.least
    found = _manifold(scene, a, b, axis, boxes, still, margin, s <= 0.0, -math.inf, contacts, count)
    if axis != face and found > count and margin > SWINGING * least:
        above = GRAZING * least
        found = _manifold(scene, a, b, face, boxes, still, margin, False, above, contacts, found)
    return found


@kernel
def _least_gap(contacts, first, last):
    """The least gap of the contacts just found; infinite where there is none."""
    least = math.inf
    for k in range(first, min(last, len(contacts))):
        least = min(least, contacts[k].gap)
    return least


@kernel
def _swings(scene: Scene, a, b, s):
    """Whether boxes that are s apart may meet by turning, which no sweep along a line sees."""
    A, B = scene.shape(a), scene.shape(b)
    reach = A.bounding_radius * A.w.size + B.bounding_radius * B.w.size
    return scene.horizon * reach >= s


@kernel
def _fast(scene: Scene, a, b, s, least):
    """Whether boxes apart come closer by more than the ball within one of them."""
    u = scene.shape(b).v - scene.shape(a).v
    h, most = scene.step_length, scene.sweep_speed * least
    return s > 0.04 * least and h * h * u.dot(u) > most * most


@kernel
def _manifold(scene: Scene, a, b, axis, boxes, way, margin, surely, above, contacts, count):
    """Contacts along an axis; B has been moved by `way` (in axes of A) from where it is now.

    surely: there is a contact even where the faces are not above one another; above: the least
    height of points that count.
    """
    if axis >= 6:
        return _edges(scene, a, b, axis - 6, boxes, way, margin, surely, contacts, count)
    of_a = axis < 3
    k = axis if of_a else axis - 3
    # from the reference box: axes of the other, its middle, half edges of both
    T = boxes.C if of_a else boxes.C.transposed
    e = boxes.d if of_a else -boxes.C.transposed_times(boxes.d)
    h = boxes.ha if of_a else boxes.hb
    side = 1.0 if e.entry(k) > 0.0 else -1.0
    A, B = scene.shape(a), scene.shape(b)
    R = A.R if of_a else B.R
    # way of B along n, from A to B: gaps were longer by it
    moved = A.R @ way
    n = R @ Vec3.along(k, side if of_a else -side)
    ahead = n.dot(moved)
    i, j = (k + 1) % 3, (k + 2) % 3
    centre = Vec3(e.entry(i), e.entry(j), side * e.entry(k) - h.entry(k))
    axes = Mat3.of_rows(T.row(i), T.row(j), side * T.row(k))
    other = Incident(centre, axes, boxes.hb if of_a else boxes.ha)
    found = _above_face(scene, other, k, side, h, SNAP * boxes.least, above, margin + ahead)
    if found == 0 and surely:
        found = _deepest(scene.candidates, other, margin + ahead)
    found = keep_four(scene.candidates, found)
    # behind the contact of two edges there is room for three more, and not for its key
    edge = count - 1
    if above > 0.0:
        found = min(found, 3)
    c = A.x if of_a else B.x + moved
    for q in range(found):
        point = scene.candidates[q]
        x = point.x
        height = Vec3.along(k, side * (h.entry(k) + 0.5 * point.gap))
        local = x.x * Vec3.along(i, 1.0) + (x.y * Vec3.along(j, 1.0) + height)
        place = (c + (-0.5) * moved) + R @ local
        key = _key(int(point.key), of_a)
        if above > 0.0 and edge < len(contacts) and contacts[edge].key == key:
            continue
        count = contacts.add(count, a, b, key, point.gap - ahead, n, place, margin)
    return count


@kernel
def _above_face(scene: Scene, other, k, side, h, snap, above, most):
    """Points of the incident face over the reference face k, between two heights: how many."""
    polygon, candidates = scene.polygon, scene.candidates
    lay_incident(polygon, other)
    hu, hv = h.entry((k + 1) % 3), h.entry((k + 2) % 3)
    left = clip(polygon, scene.spare, k, side, hu, hv, snap)
    found = 0
    for q in range(left):
        point = polygon[q]
        if above < point.x.z <= most:
            candidates[found].put(point.x, point.x.z, point.code)
            found += 1
    return found


@kernel
def _deepest(candidates, box, most):
    """The lowest corner of the incident box as the only candidate, if it is low enough."""
    corner = 0
    x, up, columns = box.centre, box.axes.row_z, box.axes.transposed
    for k in range(3):
        s = box.half.entry(k) if up.entry(k) < 0.0 else -box.half.entry(k)
        if up.entry(k) < 0.0:
            corner |= 1 << k
        x = x + s * columns.row(k)
    candidates[0].put(x, x.z, corner)
    return 1 if x.z <= most else 0


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
def _edges(scene: Scene, a, b, edges, boxes, way, margin, surely, contacts, count):
    """Contact of edge i of A with edge j of B, edges = 3 i + j; all in axes of A."""
    C, d, ha, hb = boxes.C, boxes.d, boxes.ha, boxes.hb
    i, j = edges // 3, edges % 3
    along_a, along_b = Vec3.along(i, 1.0), C @ Vec3.along(j, 1.0)
    n = direction(along_a % along_b, along_a)[1]
    if n.dot(d) < 0.0:
        n = -n
    seen = C.transposed_times(n)
    i1, i2, j1, j2 = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
    a1 = 1.0 if n.entry(i1) > 0.0 else -1.0
    a2 = 1.0 if n.entry(i2) > 0.0 else -1.0
    b1 = -1.0 if seen.entry(j1) > 0.0 else 1.0
    b2 = -1.0 if seen.entry(j2) > 0.0 else 1.0
    middle_a = Vec3.along(i1, a1 * ha.entry(i1)) + Vec3.along(i2, a2 * ha.entry(i2))
    middle_b = Vec3.along(j1, b1 * hb.entry(j1)) + Vec3.along(j2, b2 * hb.entry(j2))
    middle_b = d + C @ middle_b
    la, lb = ha.entry(i), hb.entry(j)
    s, t = nearest_of_segments(middle_a, along_a, la, middle_b, along_b, lb)
    if not surely and (abs(s) >= la or abs(t) >= lb):
        return count
    x_a, x_b = middle_a + s * along_a, middle_b + t * along_b
    gap = n.dot(x_b - x_a) - n.dot(way)
    if gap > margin:
        return count
    A = scene.shape(a)
    point = A.in_world((-0.5) * way + 0.5 * (x_a + x_b))
    key = edges_key(edge_number(i, a1, a2), edge_number(j, b1, b2))
    return contacts.add(count, a, b, key, gap, A.R @ n, point, margin)


# -- two boxes in motion: when, and on which axis, they meet ---------------------------------------


ACROSS = 0.05
"""Cosine up to which two axes are across each other."""


@kernel
def _half_widths(boxes, m):
    """Sum of the half widths of the projections on m, in axes of A."""
    w = boxes.C.transposed_times(m)
    return boxes.ha.dot(m.absolute) + boxes.hb.dot(w.absolute)


@kernel
def _axis(C, k):
    """Direction of an axis by its number, and the square of its length."""
    if k < 3:
        return Vec3.along(k, 1.0), 1.0
    if k < 6:
        return C @ Vec3.along(k - 3, 1.0), 1.0
    m = Vec3.along((k - 6) // 3, 1.0) % (C @ Vec3.along((k - 6) % 3, 1.0))
    return m, m.dot(m)


@kernel
def grazes(boxes, axis, slack):
    """Whether boxes just touch on a face axis across the given one: they are passing."""
    m, squared = _axis(boxes.C, axis)
    most = ACROSS * ACROSS * squared
    for k in range(6):
        if k != axis:
            other = _axis(boxes.C, k)[0]
            cosine = m.dot(other)
            if cosine * cosine < most:
                apart = abs(other.dot(boxes.d)) - _half_widths(boxes, other)
                if -slack < apart < slack:
                    return True
    return False


@kernel
def meeting(boxes, u, slack, horizon):
    """Moment and axis of meeting; the axis is -1 when they do not meet before the horizon."""
    moment, axis = 0.0, -1
    last = horizon
    for k in range(15):
        m, squared = _axis(boxes.C, k)
        if squared > NO_EDGES:
            if squared != 1.0:
                m = (1.0 / math.sqrt(squared)) * m
            reach = _half_widths(boxes, m) - slack
            place, speed = m.dot(boxes.d), m.dot(u)
            if place < 0.0:
                place, speed = -place, -speed
            apart = place - reach
            if apart > 0.0:
                if speed * horizon >= -apart:
                    return 0.0, -1
                entry_time = -apart / speed
                # a face keeps a meeting that an edge ties
                if entry_time > moment + (1e-9 * horizon if k >= 6 else 0.0) or axis < 0:
                    moment, axis = entry_time, k
                last = min(last, (-place - reach) / speed)
            elif speed != 0.0:
                leaving = (reach - place) / speed if speed > 0.0 else (-reach - place) / speed
                last = min(last, leaving)
            if last < moment:
                return 0.0, -1
    return moment, axis
