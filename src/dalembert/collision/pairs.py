"""Which function finds the contacts of which pair of kinds.

One compiled function for all: functions cannot be passed to kernels, so the table is a chain of
comparisons, the commonest pairs first; it is compiled once, not where it is called. kind(a) <=
kind(b) always. A pair that stands nowhere here (two planes, two meshes) has no contacts. Larger
functions are compiled when such a pair first meets.
"""

from dalembert._jit import kernel, subroutine
from dalembert.collision.box_box import box_box
from dalembert.collision.convex import convex_convex
from dalembert.collision.field import convex_field
from dalembert.collision.field_points import field_field, plane_field
from dalembert.collision.field_triangles import triangles_field
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
from dalembert.collision.planes import (
    plane_box,
    plane_capsule,
    plane_cylinder,
    plane_ellipsoid,
    plane_hull,
    plane_sphere,
)
from dalembert.collision.round_box import capsule_box, sphere_box
from dalembert.collision.spheres import capsule_capsule, sphere_capsule, sphere_sphere
from dalembert.collision.triangles import convex_height_field, convex_mesh


@subroutine
def touch(scene: Scene, a, b, margin, contacts, count):
    """Contacts of two shapes with a gap up to the margin; the number of contacts so far."""
    first, second = scene.shape(a).kind, scene.shape(b).kind
    if second <= BOX:
        return _simple(scene, first, second, a, b, margin, contacts, count)
    if first == PLANE:
        return _with_plane(scene, second, a, b, margin, contacts, count)
    return _other(scene, first, second, a, b, margin, contacts, count)


@kernel
def _with_plane(scene: Scene, second, a, b, margin, contacts, count):
    """A plane with a shape that is not simple."""
    if second == CYLINDER:
        return plane_cylinder(scene, a, b, margin, contacts, count)
    if second == ELLIPSOID:
        return plane_ellipsoid(scene, a, b, margin, contacts, count)
    if second == HULL:
        return plane_hull(scene, a, b, margin, contacts, count)
    if second == SIGNED_DISTANCE:
        return plane_field(scene, a, b, margin, contacts, count)
    return count


@kernel
def _simple(scene: Scene, first, second, a, b, margin, contacts, count):
    """Spheres, capsules and boxes among themselves and with a plane."""
    if first == PLANE:
        if second == SPHERE:
            return plane_sphere(scene, a, b, margin, contacts, count)
        if second == BOX:
            return plane_box(scene, a, b, margin, contacts, count)
        if second == CAPSULE:
            return plane_capsule(scene, a, b, margin, contacts, count)
        return count
    if first == SPHERE:
        if second == SPHERE:
            return sphere_sphere(scene, a, b, margin, contacts, count)
        if second == CAPSULE:
            return sphere_capsule(scene, a, b, margin, contacts, count)
        return sphere_box(scene, a, b, margin, contacts, count)
    if first == CAPSULE:
        if second == CAPSULE:
            return capsule_capsule(scene, a, b, margin, contacts, count)
        return capsule_box(scene, a, b, margin, contacts, count)
    return box_box(scene, a, b, margin, contacts, count)


@kernel
def _other(scene: Scene, first, second, a, b, margin, contacts, count):
    """Pairs with a cylinder, an ellipsoid, a hull, a height field, a mesh or a signed distance."""
    if second <= HULL:
        return convex_convex(scene, a, b, margin, contacts, count)
    if first <= HULL:
        if second == MESH:
            return convex_mesh(scene, a, b, margin, contacts, count)
        if second == HEIGHT_FIELD:
            return convex_height_field(scene, a, b, margin, contacts, count)
        return convex_field(scene, a, b, margin, contacts, count)
    if first == SIGNED_DISTANCE:
        return field_field(scene, a, b, margin, contacts, count)
    if second == SIGNED_DISTANCE:
        return triangles_field(scene, a, b, margin, contacts, count)
    return count
