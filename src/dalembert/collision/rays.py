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
from dalembert._records import value
from dalembert.collision.field import field_of, field_ray
from dalembert.collision.layout import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HEIGHT_FIELD,
    HULL,
    MESH,
    PLANE,
    SIGNED_DISTANCE,
    SPHERE,
    Scene,
)
from dalembert.numerics.vector import Vec3, put_vec3, vec3


@value
class Ray:
    """A ray x = o + t d."""

    o: Vec3
    d: Vec3

    def at(self, t):
        """The point x."""
        return t * self.d + self.o


@value
class Within:
    """From where to where a ray is inside, and the normals at both ends."""

    near: float
    far: float
    n_near: Vec3
    n_far: Vec3

    def cut(self, n, offset, ray):
        """Leave what is in the half-space n.x <= offset."""
        height, speed = n.dot(ray.o) - offset, n.dot(ray.d)
        if speed == 0.0:
            near = math.inf if height > 0.0 else self.near
            return Within(near, self.far, self.n_near, self.n_far)
        t = -height / speed
        if speed < 0.0:
            if t > self.near:
                return Within(t, self.far, n, self.n_far)
        elif t < self.far:
            return Within(self.near, t, self.n_near, n)
        return self

    def cut_tube(self, r, ray):
        """Leave what is in the endless cylinder of radius r about z."""
        o, d = ray.o, ray.d
        dd = d.x * d.x + d.y * d.y
        if dd == 0.0:
            near = math.inf if o.x * o.x + o.y * o.y > r * r else self.near
            return Within(near, self.far, self.n_near, self.n_far)
        middle = -(o.x * d.x + o.y * d.y) / dd
        x, y = o.x + middle * d.x, o.y + middle * d.y
        root = r * r - x * x - y * y
        if root < 0.0:
            return Within(math.inf, self.far, self.n_near, self.n_far)
        half = math.sqrt(root / dd)
        near, far, n_near, n_far = self.near, self.far, self.n_near, self.n_far
        t = middle - half
        if t > near:
            near, n_near = t, Vec3((o.x + t * d.x) / r, (o.y + t * d.y) / r, 0.0)
        t = middle + half
        if t < far:
            far, n_far = t, Vec3((o.x + t * d.x) / r, (o.y + t * d.y) / r, 0.0)
        return Within(near, far, n_near, n_far)

    def cut_ends(self, half, ray):
        """Leave what is between z = -half and half."""
        up = Vec3(0.0, 0.0, 1.0)
        return self.cut(up, half, ray).cut(-up, half, ray)

    def cut_box(self, s, ray):
        """Leave what is in a box of half edges s."""
        x, y = Vec3(1.0, 0.0, 0.0), Vec3(0.0, 1.0, 0.0)
        left = self.cut(x, s.x, ray).cut(-x, s.x, ray).cut(y, s.y, ray).cut(-y, s.y, ray)
        return left.cut_ends(s.z, ray)

    def hit(self):
        """The hit: where it comes in, or goes out where it begins inside; infinite for none."""
        if self.near > self.far or self.far < 0.0 or self.near == math.inf:
            return math.inf, self.n_near
        if self.near >= 0.0:
            return self.near, self.n_near
        if self.far == math.inf:
            return math.inf, self.n_near
        return self.far, self.n_far


@kernel
def _everywhere(ray):
    """All of a ray, and of the line before it."""
    return Within(-math.inf, math.inf, ray.d, ray.d)


# -- solids ----------------------------------------------------------------------------------------


@kernel
def _of_ball(ray, r):
    """Ray and a ball about the origin."""
    o, d = ray.o, ray.d
    b, c = o.dot(d), o.dot(o) - r * r
    # the nearest point of the line to the middle: no digits lost far away
    foot = -b * d + o
    root = r * r - foot.dot(foot)
    if root < 0.0:
        return math.inf, d
    root = math.sqrt(root)
    t = -b - root
    if c <= 0.0 or t < 0.0:
        t = -b + root
    if t < 0.0:
        return math.inf, d
    return t, (1.0 / r) * ray.at(t)


@kernel
def _over(a, s):
    """Entry by entry a_i / s_i."""
    return Vec3(a.x / s.x, a.y / s.y, a.z / s.z)


@kernel
def _of_ellipsoid(ray, s):
    """Ray and an ellipsoid: a ball in scaled coordinates."""
    e = _over(ray.d, s)
    length = math.sqrt(e.dot(e))
    t, n = _of_ball(Ray(_over(ray.o, s), (1.0 / length) * e), 1.0)
    n = _over(n, s)
    return t / length, (1.0 / math.sqrt(n.dot(n))) * n


@kernel
def _within_ball(ray, z, r):
    """From where to where a ray is in a ball about (0, 0, z); empty when it is not."""
    p = Vec3(ray.o.x, ray.o.y, ray.o.z - z)
    b = p.dot(ray.d)
    foot = -b * ray.d + p
    root = r * r - foot.dot(foot)
    if root < 0.0:
        return math.inf, -math.inf
    root = math.sqrt(root)
    return -b - root, -b + root


@kernel
def _of_capsule(ray, r, half):
    """Ray and a capsule about z: the hull of two balls, so the ray is in it from first to last."""
    inside = _everywhere(ray).cut_tube(r, ray).cut_ends(half, ray)
    near, far = inside.near, inside.far
    if near > far:
        near, far = math.inf, -math.inf
    for k in range(2):
        first, last = _within_ball(ray, half if k else -half, r)
        if first <= last:
            near, far = min(near, first), max(far, last)
    t = near if near >= 0.0 else far
    if near > far or far < 0.0:
        return math.inf, ray.d
    x = ray.at(t)
    n = Vec3(x.x, x.y, x.z - min(max(x.z, -half), half))
    return t, (1.0 / math.sqrt(n.dot(n))) * n


@kernel
def _of_hull(scene: Scene, hull, ray):
    """Ray and the half-spaces of a hull; a flat one has two that meet."""
    inside = _everywhere(ray)
    for f in range(hull.count_integer):
        plane = scene.hull_plane(hull, f)
        inside = inside.cut(plane.n, plane.d, ray)
    return inside.hit()


# -- surfaces --------------------------------------------------------------------------------------


@kernel
def _of_triangle(triangle, ray):
    """Where a ray crosses a triangle, from either side; infinite where it does not."""
    p = triangle.a
    e, f = triangle.b - p, triangle.c - p
    h = ray.d % f
    det = e.dot(h)
    if det == 0.0:
        return math.inf
    s = ray.o - p
    u = s.dot(h) / det
    q = s % e
    v = ray.d.dot(q) / det
    t = f.dot(q) / det
    # edges belong to both neighbours: a ray through one hits
    if u < -1e-12 or v < -1e-12 or u + v > 1.0 + 1e-12 or t < 0.0:
        return math.inf
    return t


@kernel
def _enters(node, ray, best):
    """Whether a ray enters the box of a node before `best`."""
    near, far = 0.0, best
    for i in range(3):
        p, s = ray.o.entry(i), ray.d.entry(i)
        first, last = node.low.entry(i) - p, node.high.entry(i) - p
        if s == 0.0:
            if first > 0.0 or last < 0.0:
                return False
        else:
            first, last = first / s, last / s
            near, far = max(near, min(first, last)), min(far, max(first, last))
    # a box may be flat: leave room for rounding
    return near <= far * (1.0 + 1e-12) + 1e-300


@kernel
def _of_mesh(scene: Scene, mesh, ray):
    """Ray and a mesh: distance and number of the triangle."""
    total, best, hit, i = scene.mesh_node(mesh, 0).beyond, math.inf, -1, 0
    while i < total:
        node = scene.mesh_node(mesh, i)
        if not _enters(node, ray, best):
            i = node.beyond
            continue
        for k in range(node.first, node.first + node.count):
            t = _of_triangle(scene.triangle(mesh.first, k), ray)
            if t < best:
                best, hit = t, k
        i += 1
    return best, hit


@kernel
def _of_cell(scene: Scene, first, cell, ray):
    """Ray and the two triangles of a cell: distance and number of the triangle."""
    best, hit = math.inf, -1
    for k in range(2 * cell, 2 * cell + 2):
        t = _of_triangle(scene.triangle(first, k), ray)
        if t < best:
            best, hit = t, k
    return best, hit


@kernel
def _of_cells(scene: Scene, field, ray):
    """Ray and a height field, cell by cell: distance and number of the triangle."""
    o, d, corner = ray.o, ray.d, scene.triangle(field.first, 0).a
    dx, dy, nx, ny = field.size.x, field.size.y, int(field.size.z), int(field.size_y)
    x0, y0, x, y = corner.x, corner.y, Vec3(1.0, 0.0, 0.0), Vec3(0.0, 1.0, 0.0)
    # the part of the ray over the grid
    over = Within(0.0, math.inf, d, d).cut(-x, -x0, ray).cut(x, x0 + (nx - 1) * dx, ray)
    over = over.cut(-y, -y0, ray).cut(y, y0 + (ny - 1) * dy, ray)
    if over.near > over.far:
        return math.inf, -1
    i = int(min(max((o.x + over.near * d.x - x0) / dx, 0.0), nx - 2.0))
    j = int(min(max((o.y + over.near * d.y - y0) / dy, 0.0), ny - 2.0))
    step_i, step_j = (1 if d.x > 0.0 else -1), (1 if d.y > 0.0 else -1)
    while 0 <= i and i < nx - 1 and 0 <= j and j < ny - 1:
        best, hit = _of_cell(scene, field.first, i * (ny - 1) + j, ray)
        if hit >= 0:
            return best, hit
        # on to the cell whose edge is crossed first
        next_x, next_y = math.inf, math.inf
        if d.x != 0.0:
            next_x = (x0 + (i + (1 if d.x > 0.0 else 0)) * dx - o.x) / d.x
        if d.y != 0.0:
            next_y = (y0 + (j + (1 if d.y > 0.0 else 0)) * dy - o.y) / d.y
        if next_x == math.inf and next_y == math.inf:
            break
        if next_x < next_y:
            i += step_i
        else:
            j += step_j
    return math.inf, -1


# -- any shape -------------------------------------------------------------------------------------


@kernel
def _of_surface(scene: Scene, shape, ray):
    """Ray and a mesh or a height field: distance and normal."""
    t, hit = math.inf, -1
    if shape.kind == MESH:
        t, hit = _of_mesh(scene, shape, ray)
    elif shape.kind == HEIGHT_FIELD:
        t, hit = _of_cells(scene, shape, ray)
    if hit < 0:
        return math.inf, ray.d
    n = scene.triangle(shape.first, hit).n
    # of the side that is seen
    return t, (n if n.dot(ray.d) <= 0.0 else -n)


@kernel
def ray_own(scene: Scene, number, ray):
    """Distance along a ray in the frame of a shape, and the normal; infinite for a miss."""
    shape, o, d = scene.shape(number), ray.o, ray.d
    kind, s = shape.kind, shape.size
    if kind == PLANE:
        if o.z * d.z >= 0.0 and o.z != 0.0:
            return math.inf, d
        return (-o.z / d.z if d.z != 0.0 else 0.0), Vec3(0.0, 0.0, 1.0)
    if kind == SPHERE:
        return _of_ball(ray, s.x)
    if kind == CAPSULE:
        return _of_capsule(ray, s.x, s.y)
    if kind == BOX:
        return _everywhere(ray).cut_box(s, ray).hit()
    if kind == CYLINDER:
        return _everywhere(ray).cut_tube(s.x, ray).cut_ends(s.y, ray).hit()
    if kind == ELLIPSOID:
        return _of_ellipsoid(ray, s)
    if kind == HULL:
        return _of_hull(scene, shape, ray)
    if kind == SIGNED_DISTANCE:
        box = Within(0.0, math.inf, d, d).cut_box(s, ray)
        if not box.near < box.far:
            return math.inf, d
        return field_ray(field_of(scene, number), o, d, box.near, box.far)
    return _of_surface(scene, shape, ray)


@kernel
def ray_shape(scene: Scene, number, ray):
    """Distance along a ray in the world, and the normal there; infinite for a miss."""
    shape = scene.shape(number)
    t, n = ray_own(scene, number, Ray(shape.seen(ray.o), shape.R.transposed_times(ray.d)))
    return t, shape.R @ n


@kernel
def first_hit(scene: Scene, which, given, out):
    """The first of some shapes that a ray meets: its number or -1; out: distance, normal.

    given: origin 3, direction 3 (unit).
    """
    ray, best, hit = Ray(vec3(given, 0), vec3(given, 3)), math.inf, -1
    for k in range(len(which)):
        t, n = ray_shape(scene, which[k], ray)
        if t < best:
            best, hit = t, which[k]
            out[0] = t
            put_vec3(out, 1, n)
    return hit
