"""A polygon or a segment clipped by the sides of a face.

Points of a polygon have a code and the label of the edge to the next point. A label is
the code of the corner where an edge of the incident face begins, or -1 - s for side s of the
reference face. Codes of new points are made of the two edges that cross there.

Source: Sutherland, Hodgman, Reentrant polygon clipping (1974).
"""

import math

from dalembert._jit import kernel
from dalembert._records import value
from dalembert.collision.layout import MOST_CLIPPED
from dalembert.collision.record_layout import Feature
from dalembert.numerics.vector import Vec3

CODE_SHIFT = 5
CORNER = 1 << 22


@kernel
def crossing(label, side):
    """Code of the point where an edge crosses a side of the reference face."""
    if label >= 0:
        return (label << CODE_SHIFT) + 1 + side
    return CORNER + ((-1 - label) << CODE_SHIFT) + side


@value
class FaceOf:
    """A face that others are clipped by: its corners, how many, and its normal."""

    feature: Feature
    corners: int
    n: Vec3

    def side(self, s):
        """Side s: outward normal and offset."""
        p = self.feature[s].x
        q = self.feature[s + 1 if s + 1 < self.corners else 0].x
        m = (q - p) % self.n
        length = math.sqrt(m.dot(m))
        if length > 0.0:
            m = m / length
        return m, m.dot(p)


@kernel
def clip_polygon(reference, incident, count, polygon, spare, slack):
    """Clip a feature of three and more points; how many are left in `polygon`."""
    for k in range(count):
        here, point = polygon[k], incident[k]
        here.x, here.label = point.x, point.code
        here.code = float(int(point.code) << CODE_SHIFT)
    for s in range(reference.corners):
        count = clip_by_side(reference, s, polygon, count, spare, slack)
        for k in range(count):
            polygon[k].put(spare[k])
    return count


@kernel
def clip_by_side(reference, s, polygon, count, spare, slack):
    """Clip a polygon by one side of a face; how many points are left, in `spare`."""
    m, offset = reference.side(s)
    found = 0
    for k in range(count):
        here = polygon[k]
        x, y = here.x, polygon[k + 1 if k + 1 < count else 0].x
        # flush edges are inside, whatever rounding says
        a, b = m.dot(x) - offset, m.dot(y) - offset
        if a <= slack and found < MOST_CLIPPED:
            spare[found].put(here)
            found += 1
        if (a <= slack) != (b <= slack) and found < MOST_CLIPPED:
            out, share = spare[found], min(max(a / (a - b), 0.0), 1.0)
            out.x, out.code = share * (y - x) + x, float(crossing(int(here.label), s))
            out.label = float(-1 - s) if a <= slack else here.label
            found += 1
    return found


@kernel
def clip_segment(reference, incident, polygon, slack):
    """Clip a feature of two points; how many are left in `polygon`: two or none."""
    x, y = incident[0].x, incident[1].x
    e = y - x
    code_x, code_y = int(incident[0].code), int(incident[1].code)
    first, last = 0.0, 1.0
    from_code, to_code = code_x << CODE_SHIFT, code_y << CODE_SHIFT
    for s in range(reference.corners):
        m, offset = reference.side(s)
        a, b = m.dot(x) - offset, m.dot(y) - offset
        if a > slack and b > slack:
            return 0
        if a > slack or b > slack:
            t = min(max(a / (a - b), 0.0), 1.0)
            if b > slack and t < last:
                last, to_code = t, crossing(code_x, s)
            if a > slack and t > first:
                first, from_code = t, crossing(code_x, s)
    if first > last:
        return 0
    begin, end = polygon[0], polygon[1]
    begin.x, begin.code = first * e + x, float(from_code)
    end.x, end.code = last * e + x, float(to_code)
    return 2
