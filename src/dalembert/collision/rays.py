"""Where a ray first meets a shape, and the normal of the surface there.

A ray is x = o + t d, t >= 0, with d of unit length. A ray that begins inside a solid leaves it: the
hit is where it comes out. Everything is computed in the frame of the shape.

| shape | method |
|---|---|
| plane, box, hull | half-spaces: the last entered, the first left |
| sphere, ellipsoid | a quadratic equation (ellipsoid: scaled to a ball) |
| cylinder, capsule | a quadratic equation for the side, then caps or ends |
| mesh | tree of boxes, then Möller and Trumbore (1997) for each triangle |
| height field | the same for the cells under the ray |
| signed distance | steps of f / |grad f| until f changes sign, then halving |
"""

import math

from dalembert._jit import kernel
from dalembert.collision.field import field_code, field_ray
from dalembert.collision.layout import (
    BOX,
    CAPSULE,
    COUNT,
    COUNT_INTEGER,
    CYLINDER,
    ELLIPSOID,
    FIRST,
    FIRST_INTEGER,
    HEIGHT_FIELD,
    HULL,
    KIND,
    MESH,
    PLANE,
    SCRATCH_NUMBERS_AT,
    SIGNED_DISTANCE,
    SIZE,
    SPHERE,
    Scene,
    placed,
    shape_integers,
    shape_numbers,
)
from dalembert.collision.mesh import NODE, NODE_BOUNDS, TRIANGLE
from dalembert.numerics.small import (
    axpy,
    cross,
    dot,
    matrix,
    scale,
    sub,
    times,
    transposed_times,
    vector,
)


@kernel
def _of_ball(o, d, r):
    """Ray and a ball about the origin."""
    b, c = dot(o, d), dot(o, o) - r * r
    # the nearest point of the line to the middle: no digits lost far away
    foot = axpy(-b, d, o)
    root = r * r - dot(foot, foot)
    if root < 0.0:
        return math.inf, d
    root = math.sqrt(root)
    t = -b - root
    if c <= 0.0 or t < 0.0:
        t = -b + root
    if t < 0.0:
        return math.inf, d
    return t, scale(1.0 / r, axpy(t, d, o))


@kernel
def _of_ellipsoid(o, d, s):
    """Ray and an ellipsoid: a ball in scaled coordinates."""
    p = (o[0] / s[0], o[1] / s[1], o[2] / s[2])
    e = (d[0] / s[0], d[1] / s[1], d[2] / s[2])
    length = math.sqrt(dot(e, e))
    t, n = _of_ball(p, scale(1.0 / length, e), 1.0)
    n = (n[0] / s[0], n[1] / s[1], n[2] / s[2])
    return t / length, scale(1.0 / math.sqrt(dot(n, n)), n)


@kernel
def _slab(near, far, n_near, n_far, n, offset, o, d):
    """Cut the ray by the half-space n.x <= offset: the interval that is left and its normals."""
    height, speed = dot(n, o) - offset, dot(n, d)
    if speed == 0.0:
        if height > 0.0:
            near = math.inf
        return near, far, n_near, n_far
    t = -height / speed
    if speed < 0.0:
        if t > near:
            near, n_near = t, n
    elif t < far:
        far, n_far = t, n
    return near, far, n_near, n_far


@kernel
def _of_interval(near, far, n_near, n_far):
    """The hit of a ray that is inside from near to far."""
    if near > far or far < 0.0 or near == math.inf:
        return math.inf, n_near
    if near >= 0.0:
        return near, n_near
    if far == math.inf:
        return math.inf, n_near
    return far, n_far


@kernel
def _box_slabs(near, far, a, b, s, o, d):
    """Cut the ray by the six faces of a box of half edges s."""
    near, far, a, b = _slab(near, far, a, b, (1.0, 0.0, 0.0), s[0], o, d)
    near, far, a, b = _slab(near, far, a, b, (-1.0, 0.0, 0.0), s[0], o, d)
    near, far, a, b = _slab(near, far, a, b, (0.0, 1.0, 0.0), s[1], o, d)
    near, far, a, b = _slab(near, far, a, b, (0.0, -1.0, 0.0), s[1], o, d)
    near, far, a, b = _slab(near, far, a, b, (0.0, 0.0, 1.0), s[2], o, d)
    near, far, a, b = _slab(near, far, a, b, (0.0, 0.0, -1.0), s[2], o, d)
    return near, far, a, b


@kernel
def _of_box(o, d, s):
    """Ray and a box of half edges s."""
    near, far, a, b = _box_slabs(-math.inf, math.inf, d, d, s, o, d)
    return _of_interval(near, far, a, b)


@kernel
def _of_tube(near, far, n_near, n_far, o, d, r):
    """Cut the ray by the endless cylinder of radius r about z."""
    dd = d[0] * d[0] + d[1] * d[1]
    if dd == 0.0:
        if o[0] * o[0] + o[1] * o[1] > r * r:
            near = math.inf
        return near, far, n_near, n_far
    middle = -(o[0] * d[0] + o[1] * d[1]) / dd
    x, y = o[0] + middle * d[0], o[1] + middle * d[1]
    root = r * r - x * x - y * y
    if root < 0.0:
        return math.inf, far, n_near, n_far
    half = math.sqrt(root / dd)
    t = middle - half
    if t > near:
        near, n_near = t, ((o[0] + t * d[0]) / r, (o[1] + t * d[1]) / r, 0.0)
    t = middle + half
    if t < far:
        far, n_far = t, ((o[0] + t * d[0]) / r, (o[1] + t * d[1]) / r, 0.0)
    return near, far, n_near, n_far


@kernel
def _of_cylinder(o, d, r, half):
    """Ray and a cylinder about z."""
    near, far, a, b = -math.inf, math.inf, d, d
    near, far, a, b = _of_tube(near, far, a, b, o, d, r)
    near, far, a, b = _slab(near, far, a, b, (0.0, 0.0, 1.0), half, o, d)
    near, far, a, b = _slab(near, far, a, b, (0.0, 0.0, -1.0), half, o, d)
    return _of_interval(near, far, a, b)


@kernel
def _within_ball(o, d, z, r):
    """From where to where a ray is in a ball about (0, 0, z); empty when it is not."""
    p = (o[0], o[1], o[2] - z)
    b = dot(p, d)
    foot = axpy(-b, d, p)
    root = r * r - dot(foot, foot)
    if root < 0.0:
        return math.inf, -math.inf
    root = math.sqrt(root)
    return -b - root, -b + root


@kernel
def _of_capsule(o, d, r, half):
    """Ray and a capsule about z: the hull of two balls, so the ray is in it from first to last."""
    near, far, a, b = -math.inf, math.inf, d, d
    near, far, a, b = _of_tube(near, far, a, b, o, d, r)
    near, far, a, b = _slab(near, far, a, b, (0.0, 0.0, 1.0), half, o, d)
    near, far, a, b = _slab(near, far, a, b, (0.0, 0.0, -1.0), half, o, d)
    if near > far:
        near, far = math.inf, -math.inf
    for k in range(2):
        first, last = _within_ball(o, d, half if k else -half, r)
        if first <= last:
            near, far = min(near, first), max(far, last)
    t = near if near >= 0.0 else far
    if near > far or far < 0.0:
        return math.inf, d
    x = axpy(t, d, o)
    n = (x[0], x[1], x[2] - min(max(x[2], -half), half))
    return t, scale(1.0 / math.sqrt(dot(n, n)), n)


@kernel
def _of_hull(numbers, first, count, faces, o, d):
    """Ray and the half-spaces of a hull; a flat one has two that meet."""
    near, far, a, b = -math.inf, math.inf, d, d
    for f in range(faces):
        at = first + 3 * count + 4 * f
        n = vector(numbers, at)
        near, far, a, b = _slab(near, far, a, b, n, numbers[at + 3], o, d)
    return _of_interval(near, far, a, b)


@kernel
def _of_triangle(numbers, record, o, d):
    """Where a ray crosses a triangle, from either side; infinite where it does not."""
    p = vector(numbers, record)
    e, f = sub(vector(numbers, record + 3), p), sub(vector(numbers, record + 6), p)
    h = cross(d, f)
    det = dot(e, h)
    if det == 0.0:
        return math.inf
    s = sub(o, p)
    u = dot(s, h) / det
    q = cross(s, e)
    v = dot(d, q) / det
    t = dot(f, q) / det
    # edges belong to both neighbours: a ray through one hits
    if u < -1e-12 or v < -1e-12 or u + v > 1.0 + 1e-12 or t < 0.0:
        return math.inf
    return t


@kernel
def _enters(numbers, low, o, d, best):
    """Whether a ray enters a box before `best`."""
    near, far = 0.0, best
    for i in range(3):
        p = o[0] if i == 0 else (o[1] if i == 1 else o[2])
        s = d[0] if i == 0 else (d[1] if i == 1 else d[2])
        first, last = numbers[low + i] - p, numbers[low + 3 + i] - p
        if s == 0.0:
            if first > 0.0 or last < 0.0:
                return False
        else:
            first, last = first / s, last / s
            near, far = max(near, min(first, last)), min(far, max(first, last))
    # a box may be flat: leave room for rounding
    return near <= far * (1.0 + 1e-12) + 1e-300


@kernel
def _of_mesh(integers, numbers, record, o, d):
    """Ray and a mesh: distance and number of the triangle."""
    first, triangles = integers[record + FIRST], integers[record + COUNT]
    bounds = first + TRIANGLE * triangles
    nodes = integers[record + FIRST_INTEGER] + 3 * triangles
    total = integers[nodes]
    best, hit, node = math.inf, -1, 0
    while node < total:
        at = nodes + NODE * node
        if not _enters(numbers, bounds + NODE_BOUNDS * node, o, d, best):
            node = integers[at]
            continue
        for k in range(integers[at + 1], integers[at + 1] + integers[at + 2]):
            t = _of_triangle(numbers, first + TRIANGLE * k, o, d)
            if t < best:
                best, hit = t, k
        node += 1
    return best, hit


@kernel
def _of_cells(integers, numbers, record, size, o, d):
    """Ray and a height field, cell by cell: distance and number of the triangle."""
    first = integers[record + FIRST]
    dx, dy = numbers[size], numbers[size + 1]
    nx, ny = int(numbers[size + 2]), int(numbers[size + 3])
    x0, y0 = numbers[first], numbers[first + 1]
    # the part of the ray over the grid
    near, far, a, b = 0.0, math.inf, d, d
    near, far, a, b = _slab(near, far, a, b, (-1.0, 0.0, 0.0), -x0, o, d)
    near, far, a, b = _slab(near, far, a, b, (1.0, 0.0, 0.0), x0 + (nx - 1) * dx, o, d)
    near, far, a, b = _slab(near, far, a, b, (0.0, -1.0, 0.0), -y0, o, d)
    near, far, a, b = _slab(near, far, a, b, (0.0, 1.0, 0.0), y0 + (ny - 1) * dy, o, d)
    if near > far:
        return math.inf, -1
    i = int(min(max((o[0] + near * d[0] - x0) / dx, 0.0), nx - 2.0))
    j = int(min(max((o[1] + near * d[1] - y0) / dy, 0.0), ny - 2.0))
    step_i, step_j = (1 if d[0] > 0.0 else -1), (1 if d[1] > 0.0 else -1)
    while 0 <= i and i < nx - 1 and 0 <= j and j < ny - 1:
        best, hit = math.inf, -1
        for s in range(2):
            k = 2 * (i * (ny - 1) + j) + s
            t = _of_triangle(numbers, first + TRIANGLE * k, o, d)
            if t < best:
                best, hit = t, k
        if hit >= 0:
            return best, hit
        # on to the cell whose edge is crossed first
        next_x, next_y = math.inf, math.inf
        if d[0] != 0.0:
            next_x = (x0 + (i + (1 if d[0] > 0.0 else 0)) * dx - o[0]) / d[0]
        if d[1] != 0.0:
            next_y = (y0 + (j + (1 if d[1] > 0.0 else 0)) * dy - o[1]) / d[1]
        if next_x == math.inf and next_y == math.inf:
            break
        if next_x < next_y:
            i += step_i
        else:
            j += step_j
    return math.inf, -1


@kernel
def ray_own(integers, numbers, shape, o, d):
    """Distance along a ray in the frame of a shape, and the normal; infinite for a miss."""
    record, size = shape_integers(integers, shape), shape_numbers(integers, shape) + SIZE
    kind = integers[record + KIND]
    s = vector(numbers, size)
    if kind == PLANE:
        if o[2] * d[2] >= 0.0 and o[2] != 0.0:
            return math.inf, d
        return (-o[2] / d[2] if d[2] != 0.0 else 0.0), (0.0, 0.0, 1.0)
    if kind == SPHERE:
        return _of_ball(o, d, s[0])
    if kind == CAPSULE:
        return _of_capsule(o, d, s[0], s[1])
    if kind == BOX:
        return _of_box(o, d, s)
    if kind == CYLINDER:
        return _of_cylinder(o, d, s[0], s[1])
    if kind == ELLIPSOID:
        return _of_ellipsoid(o, d, s)
    first = integers[record + FIRST]
    if kind == HULL:
        return _of_hull(
            numbers, first, integers[record + COUNT], integers[record + COUNT_INTEGER], o, d
        )
    if kind == SIGNED_DISTANCE:
        near, far, a, b = 0.0, math.inf, d, d
        near, far, a, b = _box_slabs(near, far, a, b, s, o, d)
        if not near < far:
            return math.inf, d
        ff = integers[SCRATCH_NUMBERS_AT]
        return field_ray(integers, numbers, ff, field_code(integers, shape), o, d, near, far)
    t, hit = math.inf, -1
    if kind == MESH:
        t, hit = _of_mesh(integers, numbers, record, o, d)
    elif kind == HEIGHT_FIELD:
        t, hit = _of_cells(integers, numbers, record, size, o, d)
    if hit < 0:
        return math.inf, d
    n = vector(numbers, first + TRIANGLE * hit + 9)
    # of the side that is seen
    return t, (n if dot(n, d) <= 0.0 else scale(-1.0, n))


@kernel
def ray_shape(integers, numbers, shape, o, d):
    """Distance along a ray in the world, and the normal there; infinite for a miss."""
    at = placed(integers, shape)
    R = matrix(numbers, at + 3)
    own = transposed_times(R, sub(o, vector(numbers, at)))
    t, n = ray_own(integers, numbers, shape, own, transposed_times(R, d))
    return t, times(R, n)


@kernel
def first_hit(scene: Scene, which, ray, out):
    """The first of some shapes that a ray meets: its number or -1; out: distance, normal.

    ray: origin 3, direction 3 (unit).
    """
    integers, numbers = scene.sizes, scene.work
    o, d = vector(ray, 0), vector(ray, 3)
    best, hit = math.inf, -1
    for k in range(len(which)):
        t, n = ray_shape(integers, numbers, which[k], o, d)
        if t < best:
            best, hit = t, which[k]
            out[0] = t
            out[1], out[2], out[3] = n
    return hit
