"""A polygon or a segment clipped by the sides of a face.

Points of a polygon take `CLIPPED` floats: place 3, code, and the label of the edge to the next
point. A label is the code of the corner where an edge of the incident face begins, or -1 - s for
side s of the reference face. Codes of new points are made of the two edges that cross there.

Source: Sutherland, Hodgman, Reentrant polygon clipping (1974).
"""

import math

from dalembert._jit import kernel
from dalembert.collision.features import FEATURE, MOST_CORNERS
from dalembert.numerics.small import axpy, cross, dot, put_vector, sub, vector

CLIPPED = 5
MOST_CLIPPED = 2 * MOST_CORNERS + 2

CODE_SHIFT = 5
CORNER = 1 << 22


@kernel
def crossing(label, side):
    """Code of the point where an edge crosses a side of the reference face."""
    if label >= 0:
        return (label << CODE_SHIFT) + 1 + side
    return CORNER + ((-1 - label) << CODE_SHIFT) + side


@kernel
def _side(numbers, reference, corners, s, n):
    """Side s of a face with normal n: outward normal (not of length 1) and offset."""
    p = vector(numbers, reference + FEATURE * s)
    q = vector(numbers, reference + FEATURE * (s + 1 if s + 1 < corners else 0))
    m = cross(sub(q, p), n)
    length = math.sqrt(dot(m, m))
    if length > 0.0:
        m = (m[0] / length, m[1] / length, m[2] / length)
    return m, dot(m, p)


@kernel
def clip_polygon(numbers, reference, corners, n, incident, count, to, spare, slack):
    """Clip a feature of three and more points; how many are left at `to`."""
    for k in range(count):
        at, here = incident + FEATURE * k, to + CLIPPED * k
        put_vector(numbers, here, vector(numbers, at))
        code = numbers[at + 3]
        numbers[here + 3] = float(int(code) << CODE_SHIFT)
        numbers[here + 4] = code
    for s in range(corners):
        m, offset = _side(numbers, reference, corners, s, n)
        found = 0
        for k in range(count):
            here = to + CLIPPED * k
            there = to + CLIPPED * (k + 1 if k + 1 < count else 0)
            x, y = vector(numbers, here), vector(numbers, there)
            # flush edges are inside, whatever rounding says
            a, b = dot(m, x) - offset, dot(m, y) - offset
            if a <= slack and found < MOST_CLIPPED:
                out = spare + CLIPPED * found
                for i in range(CLIPPED):
                    numbers[out + i] = numbers[here + i]
                found += 1
            if (a <= slack) != (b <= slack) and found < MOST_CLIPPED:
                out = spare + CLIPPED * found
                share = min(max(a / (a - b), 0.0), 1.0)
                put_vector(numbers, out, axpy(share, sub(y, x), x))
                label = int(numbers[here + 4])
                numbers[out + 3] = float(crossing(label, s))
                numbers[out + 4] = float(-1 - s) if a <= slack else float(label)
                found += 1
        count = found
        for i in range(CLIPPED * count):
            numbers[to + i] = numbers[spare + i]
    return count


@kernel
def clip_segment(numbers, reference, corners, n, incident, to, slack):
    """Clip a feature of two points; how many are left at `to`: two or none."""
    x, y = vector(numbers, incident), vector(numbers, incident + FEATURE)
    e = sub(y, x)
    code_x, code_y = int(numbers[incident + 3]), int(numbers[incident + FEATURE + 3])
    first, last = 0.0, 1.0
    from_code, to_code = code_x << CODE_SHIFT, code_y << CODE_SHIFT
    for s in range(corners):
        m, offset = _side(numbers, reference, corners, s, n)
        a, b = dot(m, x) - offset, dot(m, y) - offset
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
    put_vector(numbers, to, axpy(first, e, x))
    numbers[to + 3] = float(from_code)
    put_vector(numbers, to + CLIPPED, axpy(last, e, x))
    numbers[to + CLIPPED + 3] = float(to_code)
    return 2
