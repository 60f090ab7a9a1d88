"""Contacts of a convex shape with triangles that stand still: meshes and height fields.

Each triangle near the shape is a convex shape of its own, seen from its front. What the shape
finds at an edge is kept only where the surface is convex there (or ends) and the normal lies
between those of the two triangles; everywhere else the normal is that of the triangle, and the
shape is clipped against it. So nothing catches on an edge within a flat floor.

Contacts are gathered from all triangles; of those with the same normal the four that carry most
are kept.

Source of the rule for edges: the Voronoi regions of a mesh, as in C. Ericson, Real-Time Collision
Detection (2005), section 5.1.5.
"""

from dalembert._jit import apart, kernel, subroutine
from dalembert.collision.clipping import FaceOf
from dalembert.collision.convex import Near, Rounding, face_manifold, manifold_of, reach
from dalembert.collision.features import feature_of
from dalembert.collision.layout import HULL, MOST_GATHERED, Scene, feature_key
from dalembert.collision.manifold import keep_four
from dalembert.collision.mesh_edges import ALMOST, Surface, may_stand
from dalembert.collision.nearest import nearest
from dalembert.collision.support import A, B, core_support, load_core, place_pair
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3

SAME_NORMAL = 0.9998
"""Cosine of the angle (1 degree) up to which contacts are of one surface."""


# -- contacts gathered from triangles --------------------------------------------------------------


@kernel
def gather(scene: Scene, found, x, gap, key, n):
    """Note a contact in the frame of A; how many there are."""
    if found >= MOST_GATHERED:
        return found
    contact = scene.gathered(found)
    contact.x, contact.gap, contact.key, contact.n = x, gap, float(key), n
    return found + 1


@kernel
def _gather_candidates(scene: Scene, found, count, n, k):
    """Note the candidates of one triangle, with its number k in the place of their keys."""
    for i in range(count):
        point = scene.candidates[i]
        # codes of corners and edges of the shape come first, then which triangle
        key = int(point.key) + (k << 24)
        found = gather(scene, found, point.x, point.gap, key, n)
    return found


@kernel
def _outermost_first(group, count):
    """Exchange the first candidate with the one farthest from their middle.

    Of points equally deep the first is kept: it shall be a corner of the whole, not of a triangle.
    """
    middle = Vec3.zero()
    for k in range(count):
        middle = middle + group[k].x / count
    best, most = 0, -1.0
    for k in range(count):
        arm = group[k].x - middle
        if arm.dot(arm) > most * (1.0 + ALMOST):
            best, most = k, arm.dot(arm)
    group.swap(0, best)


@kernel
def _without_between(group, kept):
    """How many are left when of points on one line only the ends are kept."""
    if kept < 3:
        return kept
    a = group[0].x
    far, most = 1, -1.0
    for k in range(1, kept):
        e = group[k].x - a
        if e.dot(e) > most:
            far, most = k, e.dot(e)
    group.swap(1, far)
    e = group[1].x - a
    for k in range(2, kept):
        c = e % (group[k].x - a)
        if c.dot(c) > (ALMOST * most) * (ALMOST * most):
            return kept
    return 2


@kernel
def _is_known(group, kept, x, small):
    """Whether a point is among those of a group."""
    for j in range(kept):
        apart = x - group[j].x
        if apart.dot(apart) < (ALMOST * small) * (ALMOST * small):
            return True
    return False


@kernel
def _same_normal(scene: Scene, k, found, small):
    """Take contact k and all with its normal into the group; how many different ones there are."""
    group, n, kept = scene.group, scene.gathered(k).n, 0
    for i in range(k, found):
        contact = scene.gathered(i)
        if contact.key < 0.0 or n.dot(contact.n) < SAME_NORMAL:
            continue
        if not _is_known(group, kept, contact.x, small):
            group[kept].put(contact.x, contact.gap, contact.key)
            kept += 1
        contact.key = -1.0
    return kept


@kernel
def put_gathered(scene: Scene, found, a, b, small, margin, contacts, count):
    """Write what was gathered as contacts: four of each normal."""
    shape, group = scene.shape(a), scene.group
    R, p = shape.R, shape.x
    for k in range(found):
        if scene.gathered(k).key < 0.0:
            continue
        kept = _same_normal(scene, k, found, small)
        _outermost_first(group, kept)
        kept = _without_between(group, keep_four(group, kept))
        normal = R @ scene.gathered(k).n
        for i in range(kept):
            point = group[i]
            x, gap, key = (R @ point.x) + p, point.gap, int(point.key)
            key = feature_key(40, key >> 24, key & ((1 << 24) - 1))
            count = contacts.add(count, a, b, key, gap, normal, x, margin)
    return count


# -- one triangle ----------------------------------------------------------------------------------


@kernel
def _inside(triangle, x):
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
        if not _inside(triangle, R.transposed_times(x - p)):
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
        return _gather_candidates(scene, found, made.count, made.n, k)
    count = _on_face(scene, triangle, back, margin, small)
    return _gather_candidates(scene, found, count, back, k)


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


@apart(int)
def convex_height_field(scene: Scene, a, b, margin, contacts, count):
    """Contacts of a convex shape with a height field."""
    begin_triangles(scene, a, b)
    middle, half = bounds_in(scene, a, b, margin)
    field, small, found = scene.shape(b), reach(scene, a), 0
    surface = Surface(scene, field.first, field.first_integer)
    dx, dy, nx, ny = field.size.x, field.size.y, int(field.size.z), int(field.size_y)
    # cells under the box about the shape; the first point is the first corner of triangle 0
    x0, y0 = surface.triangle(0).a.x, surface.triangle(0).a.y
    i0 = int(min(max((middle.x - half.x - x0) / dx, 0.0), float(nx)))
    i1 = int(max(min((middle.x + half.x - x0) / dx, nx - 2.0), -1.0))
    j0 = int(min(max((middle.y - half.y - y0) / dy, 0.0), float(ny)))
    j1 = int(max(min((middle.y + half.y - y0) / dy, ny - 2.0), -1.0))
    low, high = middle.z - half.z, middle.z + half.z
    for i in range(i0, i1 + 1):
        for j in range(j0, j1 + 1):
            for k in range(2 * (i * (ny - 1) + j), 2 * (i * (ny - 1) + j) + 2):
                triangle = surface.triangle(k)
                z0, z1, z2 = triangle.a.z, triangle.b.z, triangle.c.z
                if max(z0, z1, z2) >= low and min(z0, z1, z2) <= high:
                    found = one_triangle(surface, k, margin, small, found)
    return put_gathered(scene, found, a, b, small, margin, contacts, count)
