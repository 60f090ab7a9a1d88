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
from dalembert._records import value
from dalembert.collision.box_features import corner_number, edge_number
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3

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
