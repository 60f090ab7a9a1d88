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
from dalembert.numerics.small import dot, transposed_times

PREFERENCE = 1e-4
LARGER = 1.001
"""Ratio of the diagonals from which a box is the larger one."""

NO_EDGES = 1e-8
"""Squared sine below which two edges are parallel, and their product no direction."""


@kernel
def best_axis(C, d, ha, hb, margin, slack):
    """Greatest separation, its axis, and the best of the faces.

    The axis is -1 when the separation is beyond the margin.
    """
    e = transposed_times(C, d)
    A0, A1, A2 = abs(C[0]), abs(C[1]), abs(C[2])
    A3, A4, A5 = abs(C[3]), abs(C[4]), abs(C[5])
    A6, A7, A8 = abs(C[6]), abs(C[7]), abs(C[8])
    s = abs(d[0]) - (ha[0] + A0 * hb[0] + A1 * hb[1] + A2 * hb[2])
    best, axis = s, 0
    s = abs(d[1]) - (ha[1] + A3 * hb[0] + A4 * hb[1] + A5 * hb[2])
    if s > best + slack:
        best, axis = s, 1
    s = abs(d[2]) - (ha[2] + A6 * hb[0] + A7 * hb[1] + A8 * hb[2])
    if s > best + slack:
        best, axis = s, 2
    if best > margin:
        return best, -1, -1
    first, first_axis = best, axis
    s = abs(e[0]) - (hb[0] + A0 * ha[0] + A3 * ha[1] + A6 * ha[2])
    best, axis = s, 3
    s = abs(e[1]) - (hb[1] + A1 * ha[0] + A4 * ha[1] + A7 * ha[2])
    if s > best + slack:
        best, axis = s, 4
    s = abs(e[2]) - (hb[2] + A2 * ha[0] + A5 * ha[1] + A8 * ha[2])
    if s > best + slack:
        best, axis = s, 5
    if best > margin:
        return best, -1, -1
    least = max(best, first) + slack
    if first > best + slack or (
        first >= best - slack and dot(hb, hb) <= LARGER * LARGER * dot(ha, ha)
    ):
        best, axis = first, first_axis
    face = axis
    # edges: |d . (a_i x b_j)| against the sum of projections, over the length of the product
    for i in range(3):
        if i == 0:
            du, dv, hu, hv = d[1], d[2], ha[1], ha[2]
            cu0, cu1, cu2, cv0, cv1, cv2 = C[3], C[4], C[5], C[6], C[7], C[8]
            w0, w1, w2 = A0, A1, A2
        elif i == 1:
            du, dv, hu, hv = d[2], d[0], ha[2], ha[0]
            cu0, cu1, cu2, cv0, cv1, cv2 = C[6], C[7], C[8], C[0], C[1], C[2]
            w0, w1, w2 = A3, A4, A5
        else:
            du, dv, hu, hv = d[0], d[1], ha[0], ha[1]
            cu0, cu1, cu2, cv0, cv1, cv2 = C[0], C[1], C[2], C[3], C[4], C[5]
            w0, w1, w2 = A6, A7, A8
        s = abs(dv * cu0 - du * cv0) - (hu * abs(cv0) + hv * abs(cu0) + hb[1] * w2 + hb[2] * w1)
        squared = cu0 * cu0 + cv0 * cv0
        # compared as squares where it is not better: a root is taken only for a new best
        if squared > NO_EDGES and _better(s, squared, least):
            best = s / math.sqrt(squared)
            least, axis = best, 6 + 3 * i
        s = abs(dv * cu1 - du * cv1) - (hu * abs(cv1) + hv * abs(cu1) + hb[2] * w0 + hb[0] * w2)
        squared = cu1 * cu1 + cv1 * cv1
        if squared > NO_EDGES and _better(s, squared, least):
            best = s / math.sqrt(squared)
            least, axis = best, 7 + 3 * i
        s = abs(dv * cu2 - du * cv2) - (hu * abs(cv2) + hv * abs(cu2) + hb[0] * w1 + hb[1] * w0)
        squared = cu2 * cu2 + cv2 * cv2
        if squared > NO_EDGES and _better(s, squared, least):
            best = s / math.sqrt(squared)
            least, axis = best, 8 + 3 * i
    if best > margin:
        return best, -1, -1
    return best, axis, face


@kernel
def _better(s, squared, least):
    """Whether s / sqrt(squared) > least."""
    if s >= 0.0:
        return least < 0.0 or s * s > least * least * squared
    return least < 0.0 and s * s < least * least * squared
