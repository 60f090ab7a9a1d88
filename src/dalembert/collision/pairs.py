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
from dalembert.collision.layout import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HEIGHT_FIELD,
    HULL,
    KIND,
    MESH,
    PLANE,
    SIGNED_DISTANCE,
    SPHERE,
    shape_integers,
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
def touch(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """Contacts of two shapes with a gap up to the margin; the number of contacts so far."""
    first = integers[shape_integers(integers, a) + KIND]
    second = integers[shape_integers(integers, b) + KIND]
    if second <= BOX:
        return _simple(
            first, second, integers, numbers, a, b, margin, out_integers, out_numbers, count
        )
    if first == PLANE:
        return _with_plane(
            second, integers, numbers, a, b, margin, out_integers, out_numbers, count
        )
    return _other(first, second, integers, numbers, a, b, margin, out_integers, out_numbers, count)


@kernel
def _with_plane(second, integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """A plane with a shape that is not simple."""
    if second == CYLINDER:
        return plane_cylinder(integers, numbers, a, b, margin, out_integers, out_numbers, count)
    if second == ELLIPSOID:
        return plane_ellipsoid(integers, numbers, a, b, margin, out_integers, out_numbers, count)
    if second == HULL:
        return plane_hull(integers, numbers, a, b, margin, out_integers, out_numbers, count)
    if second == SIGNED_DISTANCE:
        return plane_field(integers, numbers, a, b, margin, out_integers, out_numbers, count)
    return count


@kernel
def _simple(first, second, integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """Spheres, capsules and boxes among themselves and with a plane."""
    if first == PLANE:
        if second == SPHERE:
            return plane_sphere(integers, numbers, a, b, margin, out_integers, out_numbers, count)
        if second == BOX:
            return plane_box(integers, numbers, a, b, margin, out_integers, out_numbers, count)
        if second == CAPSULE:
            return plane_capsule(integers, numbers, a, b, margin, out_integers, out_numbers, count)
        return count
    if first == SPHERE:
        if second == SPHERE:
            return sphere_sphere(integers, numbers, a, b, margin, out_integers, out_numbers, count)
        if second == CAPSULE:
            return sphere_capsule(integers, numbers, a, b, margin, out_integers, out_numbers, count)
        return sphere_box(integers, numbers, a, b, margin, out_integers, out_numbers, count)
    if first == CAPSULE:
        if second == CAPSULE:
            return capsule_capsule(
                integers, numbers, a, b, margin, out_integers, out_numbers, count
            )
        return capsule_box(integers, numbers, a, b, margin, out_integers, out_numbers, count)
    return box_box(integers, numbers, a, b, margin, out_integers, out_numbers, count)


@kernel
def _other(first, second, integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """Pairs with a cylinder, an ellipsoid, a hull, a height field, a mesh or a signed distance."""
    if second <= HULL:
        return convex_convex(integers, numbers, a, b, margin, out_integers, out_numbers, count)
    if first <= HULL:
        if second == MESH:
            return convex_mesh(integers, numbers, a, b, margin, out_integers, out_numbers, count)
        if second == HEIGHT_FIELD:
            return convex_height_field(
                integers, numbers, a, b, margin, out_integers, out_numbers, count
            )
        return convex_field(integers, numbers, a, b, margin, out_integers, out_numbers, count)
    if first == SIGNED_DISTANCE:
        return field_field(integers, numbers, a, b, margin, out_integers, out_numbers, count)
    return count
