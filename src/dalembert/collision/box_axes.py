"""Two boxes: separating axes, numbers of features, and faces clipped by one another.

Two convex bodies are apart exactly if their projections on some direction are; for boxes the
normals of the faces (6) and the products of edges (9) are enough (S. Gottschalk, M. Lin, D.
Manocha, OBBTree, SIGGRAPH 1996). With C = R_A^T R_B and d = R_A^T (c_B - c_A) the separation along
a unit direction m is

    s(m) = |m . d| - sum_i h_A,i |m . a_i| - sum_j h_B,j |m . b_j|,

negative when the projections overlap. The direction of greatest separation is the one of contact:
if it is negative, -s is the shortest way out. Axes are numbered 0-2 (faces of A), 3-5 (faces of B),
6 + 3 i + j (edge i of A with edge j of B).

Faces are preferred: an edge must be better than a face by `PREFERENCE` of the least half edge, and
of two faces that differ by less that of the larger box is taken, or of A if they are alike. Boxes
that lie flat on one another so have the same axis all the time, and a small one on a large one has
the normal of the large one.

Corner: bit k is set on the positive side of axis k. Edge along axis k: 4 k + (positive side of axis
k + 1) + 2 (positive side of axis k + 2), axes counted round.

A contact of two boxes is a corner of one on the other, or an edge across an edge. Its key says so
in these numbers, not in those of the clipping: it is the same whichever box is clipped.

The *reference* face spans axes u, v; the *incident* face is the one of the other box that looks at
it most. Its four corners are written as (x along u, y along v, height above the reference face) and
clipped by |x| <= h_u, |y| <= h_v (I. Sutherland, G. Hodgman 1974). What is left are the contacts,
the height being the gap.

Every point carries a code: a corner of the incident face (0-7), a corner of the reference face
(8 + 0-7), or an incident edge crossing a reference edge (16 + 12 incident + reference). A corner
beyond a side by no more than `snap` is moved onto it and stays what it is: boxes with flush edges
do not change their keys by rounding.
"""

import math

from dalembert._jit import kernel
from dalembert._records import value
from dalembert.collision.layout import feature_key
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3

PREFERENCE = 1e-4
LARGER = 1.001
"""Ratio of the diagonals from which a box is the larger one."""

NO_EDGES = 1e-8
"""Squared sine below which two edges are parallel, and their product no direction."""


@value
class Boxes:
    """Two boxes in axes of A: C = R_A^T R_B, d = R_A^T (c_B - c_A), and their half edges."""

    C: Mat3
    d: Vec3
    ha: Vec3
    hb: Vec3

    @property
    def least(self):
        """The least half edge."""
        return min(self.ha.least, self.hb.least)

    def moved(self, way):
        """The boxes with B elsewhere."""
        return Boxes(self.C, self.d + way, self.ha, self.hb)


@value
class Axis:
    """A separation and the number of its axis, -1 for none."""

    s: float
    number: int

    def or_better(self, s, number, slack):
        """Another axis if it separates more."""
        if s > self.s + slack:
            return Axis(s, number)
        return self


@kernel
def best_axis(boxes, margin, slack):
    """Greatest separation, its axis, and the best of the faces.

    The axis is -1 when the separation is beyond the margin.
    """
    A, d, ha, hb = boxes.C.absolute, boxes.d.absolute, boxes.ha, boxes.hb
    of_a = Axis(d.x - _reach(ha.x, A.row_x, hb), 0)
    of_a = of_a.or_better(d.y - _reach(ha.y, A.row_y, hb), 1, slack)
    of_a = of_a.or_better(d.z - _reach(ha.z, A.row_z, hb), 2, slack)
    if of_a.s > margin:
        return of_a.s, -1, -1
    e = boxes.C.transposed_times(boxes.d).absolute
    of_b = Axis(e.x - _reach(hb.x, A.x, ha), 3)
    of_b = of_b.or_better(e.y - _reach(hb.y, A.y, ha), 4, slack)
    of_b = of_b.or_better(e.z - _reach(hb.z, A.z, ha), 5, slack)
    if of_b.s > margin:
        return of_b.s, -1, -1
    face = of_b
    if of_a.s > of_b.s + slack or (
        of_a.s >= of_b.s - slack and hb.dot(hb) <= LARGER * LARGER * ha.dot(ha)
    ):
        face = of_a
    best = _best_edge(boxes, face, max(of_b.s, of_a.s) + slack)
    if best.s > margin:
        return best.s, -1, -1
    return best.s, best.number, face.number


@kernel
def _reach(h, row, other):
    """Half widths of two boxes along an axis of one of them."""
    return h + row.x * other.x + row.y * other.y + row.z * other.z


@kernel
def _best_edge(boxes, best, least):
    """The edge that separates by more than `least`, and most; the axis given if there is none."""
    C, d, ha, hb = boxes.C, boxes.d, boxes.ha, boxes.hb
    for i in range(3):
        u, v = (i + 1) % 3, (i + 2) % 3
        du, dv, hu, hv = d.entry(u), d.entry(v), ha.entry(u), ha.entry(v)
        cu, cv, w = C.row(u), C.row(v), C.row(i).absolute
        # |d . (a_i x b_j)| against the sum of projections, over the length of the product
        s = abs(dv * cu.x - du * cv.x) - (hu * abs(cv.x) + hv * abs(cu.x) + hb.y * w.z + hb.z * w.y)
        best, least = _or_edge(best, least, s, cu.x * cu.x + cv.x * cv.x, 6 + 3 * i)
        s = abs(dv * cu.y - du * cv.y) - (hu * abs(cv.y) + hv * abs(cu.y) + hb.z * w.x + hb.x * w.z)
        best, least = _or_edge(best, least, s, cu.y * cu.y + cv.y * cv.y, 7 + 3 * i)
        s = abs(dv * cu.z - du * cv.z) - (hu * abs(cv.z) + hv * abs(cu.z) + hb.x * w.y + hb.y * w.x)
        best, least = _or_edge(best, least, s, cu.z * cu.z + cv.z * cv.z, 8 + 3 * i)
    return best


@kernel
def _or_edge(best, least, s, squared, number):
    """A product of edges of squared length that separates by s / length, if that is better."""
    # compared as squares where it is not better: a root is taken only for a new best
    if squared > NO_EDGES and _better(s, squared, least):
        s = s / math.sqrt(squared)
        return Axis(s, number), s
    return best, least


@kernel
def _better(s, squared, least):
    """Whether s / sqrt(squared) > least."""
    if s >= 0.0:
        return least < 0.0 or s * s > least * least * squared
    return least < 0.0 and s * s < least * least * squared


# -- numbers of the corners and edges of a box, for keys that last ---------------------------------


CORNER_OF_A, CORNER_OF_B, EDGES = 1, 2, 3
"""Sorts of features in keys."""


@kernel
def corner_number(k, sign_k, sign_next, sign_after):
    """Corner by the signs along the axes k, k + 1, k + 2."""
    bits = 0
    if sign_k > 0.0:
        bits |= 1 << k
    if sign_next > 0.0:
        bits |= 1 << ((k + 1) % 3)
    if sign_after > 0.0:
        bits |= 1 << ((k + 2) % 3)
    return bits


@kernel
def edge_number(k, sign_next, sign_after):
    """Edge along axis k by the signs along the axes k + 1 and k + 2."""
    bits = 4 * k
    if sign_next > 0.0:
        bits += 1
    if sign_after > 0.0:
        bits += 2
    return bits


@kernel
def corner_key(of_a, number):
    """Key of a corner of A or of B."""
    return feature_key(CORNER_OF_A, number, 0) if of_a else feature_key(CORNER_OF_B, 0, number)


@kernel
def edges_key(edge_a, edge_b):
    """Key of an edge across an edge."""
    return feature_key(EDGES, edge_a, edge_b)


# -- the face of one box clipped by the sides of a face of another ---------------------------------


CORNERS, CROSSINGS = 8, 16


@value
class Incident:
    """The box that is clipped, in axes (u, v, n) from the middle of the reference face."""

    centre: Vec3
    axes: Mat3  # columns
    half: Vec3


@value
class Side:
    """A side of the reference face: its number, half the width across it, and what is there.

    Numbers: u+, u-, v+, v-. `edge` runs along it; `corner_plus` and `corner_minus` are where it
    meets the positive and negative other side.
    """

    number: int
    most: float
    edge: int
    corner_plus: int
    corner_minus: int

    @property
    def sign(self):
        """Which way it looks."""
        return -1.0 if self.number & 1 else 1.0

    def beyond(self, x):
        """How far a point is beyond it."""
        return self.sign * (x.y if self.number & 2 else x.x) - self.most

    def onto(self, x):
        """A point moved onto it."""
        if self.number & 2:
            return Vec3(x.x, self.sign * self.most, x.z)
        return Vec3(self.sign * self.most, x.y, x.z)

    def code(self, label):
        """Code of the point where the edge of a label crosses it."""
        if label >= 4:
            return CROSSINGS + 12 * (label - 4) + self.edge
        return CORNERS + (self.corner_minus if label & 1 else self.corner_plus)


@kernel
def lay_incident(polygon, box):
    """Corners of the incident face: the one that looks at the reference face most."""
    towards = box.axes.row_z
    steep, k = towards.absolute, 0
    if steep.y > steep.x:
        k = 1
    if steep.z > max(steep.x, steep.y):
        k = 2
    i, j = (k + 1) % 3, (k + 2) % 3
    side = -1.0 if towards.entry(k) > 0.0 else 1.0
    hk, hi, hj = side * box.half.entry(k), box.half.entry(i), box.half.entry(j)
    for q in range(4):
        si = 1.0 if q == 0 or q == 3 else -1.0
        sj = 1.0 if q < 2 else -1.0
        corner = polygon[q]
        for m in range(3):
            line = box.axes.row(m)
            arm = hk * line.entry(k) + si * hi * line.entry(i) + sj * hj * line.entry(j)
            polygon.put_entry(q, m, box.centre.entry(m) + arm)
        corner.code = float(corner_number(k, side, si, sj))
        # the edge to the next corner: along i for q = 0 and 2, along j for q = 1 and 3
        edge = edge_number(i, sj, side) if q == 0 or q == 2 else edge_number(j, side, si)
        corner.label = float(4 + edge)


@kernel
def clip_side(polygon, count, out, side, snap):
    """Clip by one side of the reference face; how many points are left."""
    found = 0
    for i in range(count):
        p, q = polygon[i], polygon[i + 1 if i + 1 < count else 0]
        here, there = side.beyond(p.x), side.beyond(q.x)
        inside = here <= snap
        if inside:
            out[found].put(p)
            if here > 0.0:
                out[found].x = side.onto(p.x)
            found += 1
        if inside != (there <= snap):
            s = here / (here - there)
            way = q.x - p.x
            if (s if inside else 1.0 - s) * way.extent <= snap:
                # the point inside is as good as on the side
                if inside:
                    out[found - 1].label = float(side.number)
                continue
            new = out[found]
            new.x = side.onto(p.x + s * way)
            new.code = float(side.code(int(p.label)))
            new.label = float(side.number) if inside else p.label
            found += 1
    return found


@kernel
def clip(polygon, spare, axis, sign, hu, hv, snap):
    """Clip a quadrangle by the four sides; how many points are left there.

    axis, sign: of the reference face in its box.
    """
    u, v = (axis + 1) % 3, (axis + 2) % 3
    # reference edges: along v at +-u, along u at +-v
    side = Side(0, hu, edge_number(v, sign, 1.0), 0, 0)
    count = clip_side(polygon, 4, spare, side, snap)
    side = Side(1, hu, edge_number(v, sign, -1.0), 0, 0)
    count = clip_side(spare, count, polygon, side, snap)
    plus, minus = corner_number(axis, sign, 1.0, 1.0), corner_number(axis, sign, -1.0, 1.0)
    side = Side(2, hv, edge_number(u, 1.0, sign), plus, minus)
    count = clip_side(polygon, count, spare, side, snap)
    plus, minus = corner_number(axis, sign, 1.0, -1.0), corner_number(axis, sign, -1.0, -1.0)
    side = Side(3, hv, edge_number(u, -1.0, sign), plus, minus)
    return clip_side(spare, count, polygon, side, snap)
