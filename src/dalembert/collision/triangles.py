"""Contacts of a convex shape with triangles that stand still: meshes and height fields.

Each triangle near the shape is a convex shape of its own, seen from its front. What the shape
finds at an edge is kept only where the surface is convex there (or ends) and the normal lies
between those of the two triangles; everywhere else the normal is that of the triangle, and the
shape is clipped against it. So nothing catches on an edge within a flat floor.

Contacts are gathered from all triangles (`gathered`).

Source of the rule for edges: the Voronoi regions of a mesh, as in C. Ericson, Real-Time Collision
Detection (2005), section 5.1.5.
"""

from dalembert._jit import apart, kernel, subroutine
from dalembert.collision.clipping import FaceOf
from dalembert.collision.convex import Near, Rounding, face_manifold, manifold_of, reach
from dalembert.collision.features import feature_of
from dalembert.collision.gathered import gather, put_gathered
from dalembert.collision.layout import HULL, Scene
from dalembert.collision.mesh_edges import ALMOST, Surface, may_stand
from dalembert.collision.nearest import nearest
from dalembert.collision.support import A, B, core_support, load_core, place_pair
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3

# -- one triangle ----------------------------------------------------------------------------------


@kernel
def _gather_candidates(scene: Scene, found, count, n, k, small):
    """Note the candidates of one triangle, with its number k in the place of their keys."""
    for i in range(count):
        point = scene.candidates[i]
        # codes of corners and edges of the shape come first, then which triangle
        key = int(point.key) + (k << 24)
        found = gather(scene, found, point.x, point.gap, key, n, small)
    return found


@kernel
def inside(triangle, x):
    """Whether a point (frame of the mesh) lies over a triangle."""
    for e in range(3):
        p = triangle.corner(e)
        side = triangle.corner(e + 1) - p
        if (side % triangle.n).dot(x - p) > ALMOST * side.dot(side):
            return False
    return True


@kernel
def _on_face(scene: Scene, triangle, n, margin, small):
    """Candidates of the shape against the plane of a triangle, within it; n from A to B."""
    R, p, radius = scene.pair.R, scene.pair.p, scene.core_a.radius
    shape = scene.feature_a
    count = feature_of(scene, A, Mat3.unit(), Vec3.zero(), n, shape)[0]
    front = -n
    if count == 1:
        x = core_support(scene, A, n)[0]
        if not inside(triangle, R.transposed_times(x - p)):
            return 0
        height = front.dot(x - ((R @ triangle.a) + p))
        gap = height - radius
        if gap > margin:
            return 0
        scene.candidates[0].put(0.5 * (height + radius) * n + x, gap, 0)
        return 1
    corners, normal, _face = feature_of(scene, B, R, p, front, scene.feature_b)
    face, radii = FaceOf(scene.feature_b, corners, normal), Rounding(0.0, radius)
    return face_manifold(scene, face, shape, count, radii, margin, 1e-9 * small)


@kernel
def begin_triangle(scene: Scene, first, k):
    """Triangle k as the other core of the pair."""
    core = scene.core_b
    core.first, core.hint, scene.corners = scene.triangle_start(first, k), 0, 0


@subroutine
def one_triangle(surface, k, margin, small, found):
    """Contacts of the shape with triangle k, added to those gathered; how many there are."""
    scene, triangle = surface.scene, surface.triangle(k)
    R, p, radius = scene.pair.R, scene.pair.p, scene.core_a.radius
    front = R @ triangle.n
    corner, back = (R @ triangle.a) + p, -front
    # out of reach of the plane, or behind it
    if front.dot(core_support(scene, A, back)[0] - corner) - radius > margin:
        return found
    if front.dot(core_support(scene, A, front)[0] - corner) + radius <= 0.0:
        return found
    begin_triangle(scene, surface.first, k)
    is_near, gap, n, middle = nearest(scene, margin)
    if not is_near:
        return found
    c = n % front
    straight = n.dot(front) < 0.0 and c.dot(c) < ALMOST * ALMOST
    if not straight and may_stand(surface, k, R.transposed_times(-n)):
        made = manifold_of(scene, Near(gap, n, middle), margin, small)
        return _gather_candidates(scene, found, made.count, made.n, k, small)
    count = _on_face(scene, triangle, back, margin, small)
    return _gather_candidates(scene, found, count, back, k, small)


# -- surfaces --------------------------------------------------------------------------------------


@kernel
def begin_triangles(scene: Scene, a, b):
    """Write the shape a, and a triangle of b to be named later, as the pair."""
    core = scene.core_b
    load_core(scene, a, scene.core_a)
    core.kind, core.count, core.faces, core.links, core.radius = HULL, 3, -1, -1, 0.0
    place_pair(scene, a, b)


@kernel
def bounds_in(scene: Scene, a, b, margin):
    """Middle and half edges of the box about shape a in the frame of shape b."""
    first, second = scene.shape(a), scene.shape(b)
    middle = second.R.transposed_times(first.R @ first.box_centre + first.x - second.x)
    R, half = second.R.transposed_product(first.R), first.box_half
    out = R.absolute @ half
    return middle, Vec3(out.x + margin, out.y + margin, out.z + margin)


@apart(int)
def convex_mesh(scene: Scene, a, b, margin, contacts, count):
    """Contacts of a convex shape with a mesh."""
    begin_triangles(scene, a, b)
    middle, half = bounds_in(scene, a, b, margin)
    low, high = middle - half, middle + half
    mesh, small = scene.shape(b), reach(scene, a)
    surface = Surface(scene, mesh.first, mesh.first_integer)
    total, found, i = scene.mesh_node(mesh, 0).beyond, 0, 0
    while i < total:
        node = scene.mesh_node(mesh, i)
        if not node.overlaps(low, high):
            i = node.beyond
            continue
        for k in range(node.first, node.first + node.count):
            found = one_triangle(surface, k, margin, small, found)
        i += 1
    return put_gathered(scene, found, a, b, small, margin, contacts, count)


@kernel
def cells_under(surface, field, middle, half):
    """Cells of a height field under a box: first and last along x, and along y."""
    dx, dy, nx, ny = field.size.x, field.size.y, int(field.size.z), int(field.size_y)
    # the first point is the first corner of triangle 0
    x0, y0 = surface.triangle(0).a.x, surface.triangle(0).a.y
    i0 = int(min(max((middle.x - half.x - x0) / dx, 0.0), float(nx)))
    i1 = int(max(min((middle.x + half.x - x0) / dx, nx - 2.0), -1.0))
    j0 = int(min(max((middle.y - half.y - y0) / dy, 0.0), float(ny)))
    j1 = int(max(min((middle.y + half.y - y0) / dy, ny - 2.0), -1.0))
    return i0, i1, j0, j1


@apart(int)
def convex_height_field(scene: Scene, a, b, margin, contacts, count):
    """Contacts of a convex shape with a height field."""
    begin_triangles(scene, a, b)
    middle, half = bounds_in(scene, a, b, margin)
    field, small, found = scene.shape(b), reach(scene, a), 0
    surface = Surface(scene, field.first, field.first_integer)
    i0, i1, j0, j1 = cells_under(surface, field, middle, half)
    ny = int(field.size_y)
    low, high = middle.z - half.z, middle.z + half.z
    for i in range(i0, i1 + 1):
        for j in range(j0, j1 + 1):
            for k in range(2 * (i * (ny - 1) + j), 2 * (i * (ny - 1) + j) + 2):
                triangle = surface.triangle(k)
                z0, z1, z2 = triangle.a.z, triangle.b.z, triangle.c.z
                if max(z0, z1, z2) >= low and min(z0, z1, z2) <= high:
                    found = one_triangle(surface, k, margin, small, found)
    return put_gathered(scene, found, a, b, small, margin, contacts, count)
