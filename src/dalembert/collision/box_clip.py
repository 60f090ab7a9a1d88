"""The face of one box clipped by the sides of a face of another.

The *reference* face spans axes u, v; the *incident* face is the one of the other box that looks at
it most. Its four corners are written as (x along u, y along v, height above the reference face) and
clipped by |x| <= h_u, |y| <= h_v (I. Sutherland, G. Hodgman 1974). What is left are the contacts,
the height being the gap.

Every point carries a code: a corner of the incident face (0-7), a corner of the reference face
(8 + 0-7), or an incident edge crossing a reference edge (16 + 12 incident + reference). A corner
beyond a side by no more than `snap` is moved onto it and stays what it is: boxes with flush edges
do not change their keys by rounding.
"""

from dalembert._jit import kernel
from dalembert.collision.box_features import corner_number, edge_number
from dalembert.collision.segments import entry
from dalembert.numerics.small import row

POINT = 5
"""Floats of a point: x, y, height, code, label of the edge to the next point.

Labels: 0-3 sides of the reference face (u+, u-, v+, v-), 4 + number of an incident edge.
"""

ROOM = 16 * POINT
"""Floats of a polygon: a quadrangle clipped four times has at most eight corners."""

CORNERS, CROSSINGS = 8, 16


@kernel
def lay_incident(points, towards, d, columns, h):
    """Corners of the incident face, in axes (u, v, n) of the reference face.

    towards: n in the axes of the incident box; d: its centre, in (u, v, n) from the middle of the
    reference face; columns: its axes as the columns of a matrix, in (u, v, n).
    """
    k = 0
    if abs(towards[1]) > abs(towards[0]):
        k = 1
    if abs(towards[2]) > max(abs(towards[0]), abs(towards[1])):
        k = 2
    i, j = (k + 1) % 3, (k + 2) % 3
    side = -1.0 if entry(towards, k) > 0.0 else 1.0
    hk, hi, hj = side * entry(h, k), entry(h, i), entry(h, j)
    for q in range(4):
        si = 1.0 if q == 0 or q == 3 else -1.0
        sj = 1.0 if q < 2 else -1.0
        for m in range(3):
            line = row(columns, m)
            points[POINT * q + m] = entry(d, m) + (
                hk * entry(line, k) + si * hi * entry(line, i) + sj * hj * entry(line, j)
            )
        points[POINT * q + 3] = float(corner_number(k, side, si, sj))
        # the edge to the next corner: along i for q = 0 and 2, along j for q = 1 and 3
        edge = edge_number(i, sj, side) if q == 0 or q == 2 else edge_number(j, side, si)
        points[POINT * q + 4] = float(4 + edge)


@kernel
def clip_side(points, count, out, side, most, reference_edge, corner_plus, corner_minus, snap):
    """Clip by one side of the reference face; how many points are left.

    side: 0-3; most: half the width across it; reference_edge: number of the edge along the side;
    corner_plus, corner_minus: numbers of the corners where it meets the positive and negative other
    side.
    """
    c = side >> 1
    sign = -1.0 if side & 1 else 1.0
    found = 0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        p, q = POINT * i, POINT * j
        here, there = sign * points[p + c] - most, sign * points[q + c] - most
        inside = here <= snap
        if inside:
            to = POINT * found
            for m in range(POINT):
                out[to + m] = points[p + m]
            if here > 0.0:
                out[to + c] = sign * most
            found += 1
        if inside != (there <= snap):
            s = here / (here - there)
            length = (
                abs(points[q] - points[p])
                + abs(points[q + 1] - points[p + 1])
                + abs(points[q + 2] - points[p + 2])
            )
            label = points[p + 4]
            if (s if inside else 1.0 - s) * length <= snap:
                # the point inside is as good as on the side
                if inside:
                    out[POINT * (found - 1) + 4] = float(side)
                continue
            to = POINT * found
            for m in range(3):
                out[to + m] = points[p + m] + s * (points[q + m] - points[p + m])
            out[to + c] = sign * most
            out[to + 3] = float(_code(int(label), reference_edge, corner_plus, corner_minus))
            out[to + 4] = float(side) if inside else label
            found += 1
    return found


@kernel
def _code(label, reference_edge, corner_plus, corner_minus):
    """Code of the point where the edge of a label crosses a side."""
    if label >= 4:
        return CROSSINGS + 12 * (label - 4) + reference_edge
    return CORNERS + (corner_minus if label & 1 else corner_plus)


@kernel
def clip(points, spare, axis, side, hu, hv, snap):
    """Clip the quadrangle in `points` by the four sides; how many points are left there.

    axis, side: of the reference face in its box.
    """
    u, v = (axis + 1) % 3, (axis + 2) % 3
    # reference edges: along v at +-u, along u at +-v
    count = clip_side(points, 4, spare, 0, hu, edge_number(v, side, 1.0), 0, 0, snap)
    count = clip_side(spare, count, points, 1, hu, edge_number(v, side, -1.0), 0, 0, snap)
    count = clip_side(
        points,
        count,
        spare,
        2,
        hv,
        edge_number(u, 1.0, side),
        corner_number(axis, side, 1.0, 1.0),
        corner_number(axis, side, -1.0, 1.0),
        snap,
    )
    return clip_side(
        spare,
        count,
        points,
        3,
        hv,
        edge_number(u, -1.0, side),
        corner_number(axis, side, 1.0, -1.0),
        corner_number(axis, side, -1.0, -1.0),
        snap,
    )
