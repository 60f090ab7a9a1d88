"""Layout of a collision scene: two flat arrays that hold everything but the motion.

`integers` (int64) begins with a head of `HEAD` counts and starts; `numbers` (float64) begins with
the `SETTINGS`. This is the only file that knows offsets. The arrays hold

* the shapes: an integer record (`SHAPE_INTEGERS`) and a number record (`SHAPE_NUMBERS`) each;
* what shapes are made of: vertices, faces, grids, wherever FIRST and FIRST_INTEGER of a shape say;
* the table of excluded pairs of shapes;
* what is kept between calls (order of the broad phase, warm simplices), which changes how long a
  call takes and never what it finds;
* room to work in: placed shapes, bounds, candidate pairs, scratch of the pair functions.

Body motions come as the records of `system.layout` (centre of mass 3, rotation 9, velocity 3,
angular velocity 3; RECORD floats apart). Contacts go to two arrays of the caller, record after
record; their lengths are the capacity:

    count = collide(integers, numbers, records, h, out_integers, out_numbers)

`count` = OVERFLOW: integers[NEEDED_CONTACTS] and integers[NEEDED_PAIRS] tell how much room is
missing; the caller grows (`collision.scene`) and calls again. UNPLACED: the record of body
integers[LOST_BODY] is no motion, but not finite or beyond FARTHEST. The contacts are sorted by
pair, so they do not depend on what was kept.

**Contact** k, in out_integers[CONTACT_INTEGERS * k ...] and out_numbers[CONTACT_NUMBERS * k ...]:
shape A, shape B, feature key, flags; gap, normal (3, unit, from A to B, world), point (3, world,
midway between the surfaces), margin the pair was looked at with. A is the shape of the smaller
kind, and of two of one kind that of the smaller index. The gap is n . (p_B - p_A), negative when
penetrating, so p_A = point - gap/2 n and p_B = point + gap/2 n.

**Pair functions** have one signature and return the number of contacts so far:

    count = function(integers, numbers, a, b, margin, out_integers, out_numbers, count)

with kind(a) <= kind(b). They find the shapes placed in the world (`placed`, a record like that of a
body), write with `put_contact`, which counts on without writing when there is no room left, and may
use the scratch sections freely.
"""

from __future__ import annotations

from dalembert._jit import kernel

OVERFLOW = -1
"""Result of `collide` when contacts or candidate pairs found no room."""

UNPLACED = -2
"""Result of `collide` when a body is nowhere."""

FARTHEST = 1e30
"""Largest place [m] and velocity [m/s, rad/s] of a body: its powers are numbers."""

# -- kinds of shapes -------------------------------------------------------------------------------

(
    PLANE,
    SPHERE,
    CAPSULE,
    BOX,
    CYLINDER,
    ELLIPSOID,
    HULL,
    HEIGHT_FIELD,
    MESH,
    SIGNED_DISTANCE,
) = range(10)
KINDS = 10
KIND_NAMES = (
    *("plane", "sphere", "capsule", "box", "cylinder", "ellipsoid"),
    *("hull", "height field", "mesh", "signed distance"),
)

# Sizes (SIZE .. SIZE + 3) by kind, in the shape's own frame, origin in its middle:
#   PLANE            none; the half-space z <= 0 is solid
#   SPHERE           radius
#   CAPSULE          radius, half the length between the middles of the ends, along z
#   BOX              half the edges
#   CYLINDER         radius, half the length, along z
#   ELLIPSOID        semi-axes
#   HULL             radius by which the vertices are rounded (0: sharp)
#   others           as their file says

# -- integer record of a shape ---------------------------------------------------------------------

SHAPE_INTEGERS = 16
(
    KIND,
    BODY,  # -1: the world
    GROUP,  # bits; a pair is looked at when group_a & mask_b and group_b & mask_a
    MASK,
    MATERIAL,
    FIRST,  # in numbers, of vertices and the like
    COUNT,
    FIRST_INTEGER,  # in integers, of faces and the like
    COUNT_INTEGER,
    FLAGS,
    SPARE_INTEGER,  # six for the kind's own use
) = range(11)

CENTRED, ALIGNED, UNBOUNDED_SHAPE = 1, 2, 4
"""Flags: the shape's origin is the centre of mass; its axes are the body's; no bounding box."""

# -- number record of a shape ----------------------------------------------------------------------

SHAPE_NUMBERS = 32
ROTATION = 0  # 9, row by row: the shape's axes are the columns, in the body's centre-of-mass frame
POSITION = 9  # 3, of the shape's origin from the centre of mass
SIZE = 12  # 4
BOUNDING_RADIUS = 16  # about the origin of the shape
INNER_RADIUS = 17  # of a ball within, for the swept test
BOX_CENTRE = 18  # 3, bounding box in the shape's own frame
BOX_HALF = 21  # 3
SPARE_NUMBER = 24  # 8 for the kind's own use

PLACED = 18
"""Floats of a placed shape: origin 3, rotation 9, velocity of the origin 3, angular velocity 3."""

BOUNDS = 6
"""Floats of the bounds of a shape: lowest corner 3, highest corner 3, in the world."""

# -- contacts --------------------------------------------------------------------------------------

CONTACT_INTEGERS = 4
SHAPE_A, SHAPE_B, KEY, CONTACT_FLAGS = range(4)
SWEPT = 1
"""Flag of a contact: found ahead of a fast body; its gap is measured along the motion."""
SPUN = 2
"""Flag of one whose bodies turn far until then: its points are not those that touch then."""

CONTACT_NUMBERS = 8
GAP, NORMAL, POINT, MARGIN = 0, 1, 4, 7

# Feature keys are unique within a pair: what kind of feature, and one number of each shape.
KEY_SHIFT = 24
KEY_MOST = (1 << KEY_SHIFT) - 1

# -- settings: the first entries of numbers --------------------------------------------------------

SETTINGS = 16
MARGIN_RELATIVE = 0  # of the smaller bounding radius of a pair
MARGIN_SPEED = 1  # of the way the surfaces of a pair can come closer during h
MARGIN_LEAST = 2  # [m]
SWEEP_SPEED = 3  # swept test when h |v| is beyond so many inner radii; infinite: never
STEP_LENGTH = 4  # h of this call
HORIZON = 5  # how far ahead motion is looked at: MARGIN_SPEED h
TREE_SIZE = 6  # of the leaves when the order of the tree was made
FALL = 7  # [m] way that gravity alone may add during h: what starts from rest has no speed to tell
DEFAULT_SETTINGS = (0.02, 1.5, 0.0, 1.0)

# -- head of integers ------------------------------------------------------------------------------

HEAD = 64
(
    SHAPES,
    BODIES,
    SHAPE_INTEGERS_AT,
    SHAPE_NUMBERS_AT,
    PLACED_AT,
    BOUNDS_AT,
    EXCLUDED_AT,
    EXCLUDED,
    BOUNDED_AT,
    BOUNDED,
    UNBOUNDED_AT,
    UNBOUNDED,
    ORDER_AT,
    ORDER_READY,
    SORTED_AT,
    NODES_AT,
    NODES,
    RANGES_AT,
    STACK_AT,
    CELLS_AT,
    CELLS,
    LARGE,  # that many of the bounded shapes are much larger than the rest, and stand first
    BROAD_SCRATCH_AT,
    SCRATCH_INTEGERS_AT,
    SCRATCH_NUMBERS_AT,
    WARM_INTEGERS_AT,
    WARM_NUMBERS_AT,
    WARM_CAPACITY,
    BROAD_CHOICE,
    PAIRS_AT,
    PAIR_CAPACITY,
    PAIRS,
    NEEDED_CONTACTS,
    NEEDED_PAIRS,
    LOST_BODY,
) = range(35)

BROAD_AUTOMATIC, BROAD_SWEEP, BROAD_GRID, BROAD_TREE = range(4)

# -- room of the pair functions --------------------------------------------------------------------

SCRATCH_NUMBERS = 4096
SCRATCH_INTEGERS = 4096
"""Anyone's, for the length of one pair."""

WARM_INTEGERS = 8
WARM_NUMBERS = 8
"""Floats of one slot of the table of warm simplices (WARM_CAPACITY slots, a power of two)."""


@kernel
def shape_integers(integers, shape):
    """Start of the integer record of a shape."""
    return integers[SHAPE_INTEGERS_AT] + SHAPE_INTEGERS * shape


@kernel
def shape_numbers(integers, shape):
    """Start of the number record of a shape."""
    return integers[SHAPE_NUMBERS_AT] + SHAPE_NUMBERS * shape


@kernel
def placed(integers, shape):
    """Start of the record of a shape placed in the world."""
    return integers[PLACED_AT] + PLACED * shape


@kernel
def feature_key(sort, of_a, of_b):
    """Key of a contact; `sort` of a feature < 2^14, numbers of the two features < 2^24."""
    return (sort << (2 * KEY_SHIFT)) | (of_a << KEY_SHIFT) | of_b


@kernel
def put_contact(out_integers, out_numbers, count, a, b, key, gap, normal, point, margin):
    """Write a contact if there is room; the count with it."""
    at = CONTACT_INTEGERS * count
    to = CONTACT_NUMBERS * count
    if at + CONTACT_INTEGERS <= len(out_integers) and to + CONTACT_NUMBERS <= len(out_numbers):
        out_integers[at + SHAPE_A] = a
        out_integers[at + SHAPE_B] = b
        out_integers[at + KEY] = key
        out_integers[at + CONTACT_FLAGS] = 0
        out_numbers[to + GAP] = gap
        out_numbers[to + NORMAL], out_numbers[to + NORMAL + 1] = normal[0], normal[1]
        out_numbers[to + NORMAL + 2] = normal[2]
        out_numbers[to + POINT], out_numbers[to + POINT + 1] = point[0], point[1]
        out_numbers[to + POINT + 2] = point[2]
        out_numbers[to + MARGIN] = margin
    return count + 1
