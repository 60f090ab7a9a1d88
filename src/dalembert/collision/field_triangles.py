"""A solid given by a formula on triangles that stand still: meshes and height fields.

A triangle near the solid is touched in two ways. Over its face: by points spread over the surface
f = 0 that look down on it, and by the lowest one, taken to where the surface is lowest along the
normal of the triangle. On its edges and corners, where the surface of the triangles is convex or
ends: by the point where f is least, if the normal of the solid may stand there (`mesh_edges`).
See docs/theory/collision.md, "Solids given by a formula".
"""

import math

from dalembert._jit import apart, kernel
from dalembert._records import value
from dalembert.collision.field import Turned, field_of, least_between, on_surface
from dalembert.collision.field_points import lowest_on_surface
from dalembert.collision.gathered import gather, put_gathered
from dalembert.collision.layout import HEIGHT_FIELD, Scene
from dalembert.collision.manifold import add_candidate, keep_four
from dalembert.collision.mesh_edges import Surface, is_convex, may_stand_on
from dalembert.collision.support import place_pair
from dalembert.collision.triangles import bounds_in, cells_under, inside

FACING = 0.7
"""Cosine of the angle (45 degrees) within which a point of the solid looks down on a triangle."""

TOUCHING = 1e-6
"""Part of the solid's size by which what is touched may lie outside of it."""

ASIDE, FARTHEST, POLISHED = 1e-4, 0.1, 3
"""Share of an edge over which normals are compared, that a step may go, and steps."""

EDGE = 1 << 20
"""Keys of edges begin here, behind those of points."""


@value
class Solid:
    """The solid of a pair, in the frame of the triangles."""

    scene: Scene
    number: int  # of the shape
    turned: Turned
    size: float  # radius of the ball about it

    def there(self, x):
        """A point of the solid in the frame of the triangles."""
        return (self.turned.R @ x) + self.turned.p


@kernel
def solid_of(scene: Scene, a, b):
    """The solid b of a pair with triangles a."""
    place_pair(scene, a, b)
    turned = Turned(field_of(scene, b), scene.pair.R, scene.pair.p)
    return Solid(scene, b, turned, scene.shape(b).bounding_radius)


# -- faces -----------------------------------------------------------------------------------------


@kernel
def _is_far(solid, triangle, margin):
    """Whether a triangle is out of the reach of the solid, as its formula tells."""
    middle = (triangle.a + triangle.b + triangle.c) / 3.0
    radius = 0.0
    for e in range(3):
        arm = triangle.corner(e) - middle
        radius = max(radius, arm.dot(arm))
    height = triangle.n.dot(solid.turned.p - triangle.a)
    if height - solid.size > margin or height + solid.size < 0.0:
        return True
    f, g = solid.turned.at(middle)
    return f > 2.0 * math.sqrt(g.dot(g)) * (margin + math.sqrt(radius))


@kernel
def _holds(solid, triangle, x, gap, margin):
    """Whether a point of the solid, so far above a triangle, touches its face."""
    if gap > margin or not inside(triangle, x):
        return False
    if gap >= 0.0:
        return True
    # below it: then the face itself must be in the solid
    f, g = solid.turned.at(-gap * triangle.n + x)
    return f <= TOUCHING * solid.size * math.sqrt(g.dot(g))


@kernel
def _looks_down(solid, n, own):
    """Whether the surface of the solid at one of its points looks against n."""
    g = solid.turned.field.at(own)[1]
    return n.dot(solid.turned.R @ g) < -FACING * math.sqrt(g.dot(g))


@kernel
def _lowest_over(solid, triangle, points, count):
    """The spread point to begin with: low, and not far aside of the triangle; -1: there is none."""
    middle, n = (triangle.a + triangle.b + triangle.c) / 3.0, triangle.n
    arm = triangle.a - middle
    radius = math.sqrt(arm.dot(arm))
    best, least = -1, 1e300
    for k in range(count):
        arm = solid.there(points[k]) - middle
        gap = n.dot(arm)
        aside = math.sqrt(max(arm.dot(arm) - gap * gap, 0.0))
        if gap + max(aside - radius, 0.0) < least:
            best, least = k, gap + max(aside - radius, 0.0)
    return best


@kernel
def _on_face(solid, triangle, margin):
    """Candidates over the face of a triangle: how many."""
    scene, shape = solid.scene, solid.scene.shape(solid.number)
    points, candidates, n = scene.vertices(shape), scene.candidates, triangle.n
    best = _lowest_over(solid, triangle, points, shape.count)
    if best < 0:
        return 0
    found = 0
    down = solid.turned.R.transposed_times(n)
    low = solid.there(lowest_on_surface(solid.turned.field, points[best], down, solid.size))
    gap = n.dot(low - triangle.a)
    if _holds(solid, triangle, low, gap, margin):
        found = add_candidate(candidates, found, -0.5 * gap * n + low, gap, 0)
    for k in range(shape.count):
        x = solid.there(points[k])
        gap = n.dot(x - triangle.a)
        if _holds(solid, triangle, x, gap, margin) and _looks_down(solid, n, points[k]):
            found = add_candidate(candidates, found, -0.5 * gap * n + x, gap, 1 + k)
    return keep_four(candidates, found)


# -- edges -----------------------------------------------------------------------------------------


@kernel
def _nearest_share(field, x, y, size):
    """Share of the way from x to y that is nearest to the surface, or deepest below it.

    It is where the normal there stands across: sought by its change, from where f is least.
    """
    share, e = least_between(field, x, y), y - x
    for _ in range(POLISHED):
        if not 0.0 < share < 1.0:
            break
        here = on_surface(field, share * e + x, size)[1]
        there = on_surface(field, (share + ASIDE) * e + x, size)[1]
        bend = e.dot(there - here)
        step = -ASIDE * e.dot(here) / bend if bend > 0.0 else 0.0
        if abs(step) > FARTHEST:
            break
        share = min(max(share + step, 0.0), 1.0)
    return share


@kernel
def _on_edge(solid, surface, k, e, margin, found):
    """Contact of edge e of triangle k, or of one of its ends, where it is nearest to the solid."""
    triangle, turned = surface.triangle(k), solid.turned
    p, q = triangle.corner(e), triangle.corner(e + 1)
    share = _nearest_share(turned.field, turned.own(p), turned.own(q), solid.size)
    x = share * (q - p) + p
    gap, n = on_surface(turned.field, turned.own(x), solid.size)
    if gap > margin:
        return found
    m = turned.R @ -n
    if not may_stand_on(surface, k, e, share, m):
        return found
    return gather(solid.scene, found, 0.5 * gap * m + x, gap, EDGE + e + (k << 24), m, solid.size)


@kernel
def _one_triangle(solid, surface, k, margin, found):
    """Contacts of the solid with triangle k, added to those gathered; how many there are."""
    triangle = surface.triangle(k)
    if _is_far(solid, triangle, margin):
        return found
    candidates = solid.scene.candidates
    for i in range(_on_face(solid, triangle, margin)):
        point = candidates[i]
        key = int(point.key) + (k << 24)
        found = gather(solid.scene, found, point.x, point.gap, key, triangle.n, solid.size)
    for e in range(3):
        if is_convex(surface, k, e):
            found = _on_edge(solid, surface, k, e, margin, found)
    return found


# -- surfaces --------------------------------------------------------------------------------------


@kernel
def _in_cells(solid, surface, field, middle, half, margin):
    """Contacts gathered from the cells of a height field; how many."""
    i0, i1, j0, j1 = cells_under(surface, field, middle, half)
    ny, found = int(field.size_y), 0
    for i in range(i0, i1 + 1):
        for j in range(j0, j1 + 1):
            first = 2 * (i * (ny - 1) + j)
            for k in range(first, first + 2):
                found = _one_triangle(solid, surface, k, margin, found)
    return found


@kernel
def _in_tree(solid, surface, mesh, middle, half, margin):
    """Contacts gathered from the triangles of a mesh; how many."""
    scene, low, high = solid.scene, middle - half, middle + half
    total, found, i = scene.mesh_node(mesh, 0).beyond, 0, 0
    while i < total:
        node = scene.mesh_node(mesh, i)
        if not node.overlaps(low, high):
            i = node.beyond
            continue
        for k in range(node.first, node.first + node.count):
            found = _one_triangle(solid, surface, k, margin, found)
        i += 1
    return found


@apart(int)
def triangles_field(scene: Scene, a, b, margin, contacts, count):
    """Contacts of a mesh or a height field with a solid given by a formula."""
    solid, shape = solid_of(scene, a, b), scene.shape(a)
    middle, half = bounds_in(scene, b, a, margin)
    surface = Surface(scene, shape.first, shape.first_integer)
    if shape.kind == HEIGHT_FIELD:
        found = _in_cells(solid, surface, shape, middle, half, margin)
    else:
        found = _in_tree(solid, surface, shape, middle, half, margin)
    return put_gathered(scene, found, a, b, solid.size, margin, contacts, count)
