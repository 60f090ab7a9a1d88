"""Separating axes of two boxes.

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
"""

import math

from dalembert._jit import kernel
from dalembert._records import value
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
