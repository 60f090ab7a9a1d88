"""The memory of a collision scene: everything but the motion.

It holds

* the shapes, where they stand in the world now, and their bounds;
* what shapes are made of: vertices, faces, triangles, in `geometry` and `topology`;
* the table of excluded pairs of shapes;
* what is kept between calls (order of the broad phase, warm directions), which changes how long a
  call takes and never what it finds;
* room to work in: candidate pairs, scratch of the pair functions.

Body motions come as the records of `system.tables.BodyRecord`. Contacts go to two arrays of the
caller (`Contacts`), whose lengths are the capacity:

    count = collide(scene, records, h, contacts)

`count` = OVERFLOW: `needed_contacts` and `needed_pairs` tell how much room is missing; the caller
grows (`collision.scene`) and calls again. UNPLACED: the record of body `lost_body` is no motion,
but not finite or beyond FARTHEST. The contacts are sorted by pair, so they do not depend on what
was kept.

**Contact**: shapes A and B, feature key, flags; gap, normal (unit, from A to B, world), point
(world, midway between the surfaces), margin the pair was looked at with. A is the shape of the
smaller kind, and of two of one kind that of the smaller index. The gap is n . (p_B - p_A), negative
when penetrating, so p_A = point - gap/2 n and p_B = point + gap/2 n.

**Pair functions** have one signature and return the number of contacts so far:

    count = function(scene, a, b, margin, contacts, count)

with kind(a) <= kind(b). They find the shapes placed in the world, write with `contacts.add`, which
counts on without writing when there is no room left, and may use the scratch fields freely.
"""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert._memory import Memory, over
from dalembert._records import Integers, Numbers, value
from dalembert.collision.core_layout import (
    CORE_INTEGERS,
    CORE_NUMBERS,
    CORNER_INTEGERS,
    CORNER_NUMBERS,
    EDGE,
    FACE_INTEGERS,
    FRAME,
    PLANE_NUMBERS,
    Core,
    Corner,
    Face,
    PairFrame,
    Plane,
)
from dalembert.collision.record_layout import (
    CANDIDATE,
    CLIPPED,
    CONTACT_INTEGERS,
    CONTACT_NUMBERS,
    FEATURE,
    GATHERED,
    TRIANGLE,
    Bounds,
    Candidates,
    Contacts,
    Feature,
    Found,
    Gathered,
    MeshNode,
    Polygon,
    Shape,
    Swept,
    Triangle,
    Vertices,
    Warm,
)

__all__ = ["CONTACT_INTEGERS", "CONTACT_NUMBERS", "Contacts", "Found"]

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

CENTRED, ALIGNED, UNBOUNDED_SHAPE = 1, 2, 4
"""Flags: the shape's origin is the centre of mass; its axes are the body's; no bounding box."""

SWEPT = 1
"""Flag of a contact: found ahead of a fast body; its gap is measured along the motion."""
SPUN = 2
"""Flag of one whose bodies turn far until then: its points are not those that touch then."""

UPRIGHT = 1e-5
"""Sine of the tilt up to which a cylinder that stands does so on points fixed in it."""

DEFAULT_SETTINGS = {
    "margin_relative": 0.02,
    "upright": UPRIGHT,
    "margin_speed": 1.5,
    "margin_least": 0.0,
    "sweep_speed": 1.0,
}

BROAD_AUTOMATIC, BROAD_SWEEP, BROAD_GRID, BROAD_TREE = range(4)

# -- the memory ------------------------------------------------------------------------------------

SHAPE_INTEGERS, SHAPE_NUMBERS = Shape.entries("integers"), Shape.entries("numbers")
PLACED, BOUNDS = Shape.entries("placed"), Bounds.entries("numbers")
WARM_INTEGERS, WARM_NUMBERS = Warm.entries("integers"), Warm.entries("numbers")

MOST_CORNERS = 16
"""Most corners of a feature; larger faces of hulls are thinned out when they are built."""

MOST_CLIPPED, MOST_CANDIDATES = 34, 36
"""Points of a clipped polygon; points that may become contacts of one pair."""

MOST_GATHERED = 96
"""Contacts of all triangles of a surface, before four of each normal are chosen."""

MOST_POINTS, MOST_FACES, MOST_EDGES = 96, 320, 192
"""Points and faces of the polytope of EPA; edges about what a new point sees."""


class Scene(Memory):
    """Shapes on bodies."""

    class integers:
        shapes: int
        bodies: int
        excluded_count: int
        bounded_count: int
        unbounded_count: int
        large: int  # so many of the bounded shapes are much larger than the rest, and stand first
        nodes: int  # of the tree of bounds
        cells: int  # of the grid
        geometry_length: int
        topology_length: int
        warm_capacity: int  # a power of two
        pair_capacity: int
        broad_choice: int  # BROAD_SWEEP, BROAD_GRID, BROAD_TREE
        order_ready: int  # 0: no order is kept; else by `sweep` or `bounds_tree`
        pairs: int  # that were found
        needed_contacts: int
        needed_pairs: int
        lost_body: int
        corners: int  # of the simplex of a pair

    class lists:
        shape_integers: Integers = over(f"{SHAPE_INTEGERS} * shapes")
        excluded: Integers = over("excluded_count")  # pairs, sorted
        bounded: Integers = over("bounded_count")  # shapes
        unbounded: Integers = over("unbounded_count")
        order: Integers = over("bounded_count")  # of the broad phase
        ranges: Integers = over("2 * nodes")  # first and last (exclusive) place in the order
        stack: Integers = over("128")  # nodes to be looked at
        cell_of: Integers = over("bounded_count")
        cell_starts: Integers = over("cells + 1")
        counting: Integers = over("shapes + 1")
        topology: Integers = over("topology_length")
        warm_integers: Integers = over(f"{WARM_INTEGERS} * warm_capacity")
        pair_list: Integers = over("2 * pair_capacity")  # sorted from one half into the other
        # scratch of a pair
        core_integers: Integers = over(f"{2 * CORE_INTEGERS}")
        corner_integers: Integers = over(f"{4 * CORNER_INTEGERS}")
        point_integers: Integers = over(f"{MOST_POINTS * CORNER_INTEGERS}")
        face_integers: Integers = over(f"{MOST_FACES * FACE_INTEGERS}")
        face_stack: Integers = over(f"{MOST_FACES}")  # faces to be looked at
        covered: Integers = over(f"{MOST_FACES}")  # faces that a new point covers
        horizon_edges: Integers = over(f"{MOST_EDGES * EDGE}")  # edges around them
        starting: Integers = over(f"{MOST_POINTS}")  # new face whose outer edge begins at a point
        ending: Integers = over(f"{MOST_POINTS}")

    class numbers:
        margin_relative: float  # of the smaller bounding radius of a pair
        margin_speed: float  # of the way the surfaces of a pair can come closer during h
        margin_least: float  # [m]
        sweep_speed: float  # swept test when h |v| is beyond so many inner radii; infinite: never
        step_length: float  # h of this call
        horizon: float  # how far ahead motion is looked at: margin_speed h
        tree_size: float  # of the leaves when the order of the tree was made
        upright: float  # sine of the tilt up to which a cylinder stands on points fixed in it
        fall: float  # [m] way that gravity alone may add during h: rest has no speed to tell it
        shape_numbers: Numbers = over(f"{SHAPE_NUMBERS} * shapes")
        placed_numbers: Numbers = over(f"{PLACED} * shapes")
        bounds_numbers: Numbers = over(f"{BOUNDS} * shapes")
        sorted_numbers: Numbers = over(f"{BOUNDS} * bounded_count")
        node_numbers: Numbers = over(f"{BOUNDS} * nodes")
        geometry: Numbers = over("geometry_length")
        warm_numbers: Numbers = over(f"{WARM_NUMBERS} * warm_capacity")
        # scratch of a pair
        polygon_numbers: Numbers = over(f"{MOST_CLIPPED * CLIPPED}")
        spare_numbers: Numbers = over(f"{MOST_CLIPPED * CLIPPED}")
        candidate_numbers: Numbers = over(f"{MOST_CANDIDATES * CANDIDATE}")
        core_numbers: Numbers = over(f"{2 * CORE_NUMBERS}")
        frame_numbers: Numbers = over(f"{FRAME}")
        corner_numbers: Numbers = over(f"{4 * CORNER_NUMBERS}")
        point_numbers: Numbers = over(f"{MOST_POINTS * CORNER_NUMBERS}")
        plane_numbers: Numbers = over(f"{MOST_FACES * PLANE_NUMBERS}")
        feature_numbers: Numbers = over(f"{2 * MOST_CORNERS * FEATURE}")
        gathered_numbers: Numbers = over(f"{MOST_GATHERED * GATHERED}")
        group_numbers: Numbers = over(f"{MOST_GATHERED * CANDIDATE}")
        field_place: Numbers = over("3")  # that a formula is asked at,
        field_value: Numbers = over("4")  # and what it says

    # -- shapes ------------------------------------------------------------------------------------

    def shape(self, k):
        """A shape."""
        return Shape(
            self.shape_integers,
            SHAPE_INTEGERS * k,
            self.shape_numbers,
            SHAPE_NUMBERS * k,
            self.placed_numbers,
            PLACED * k,
        )

    def own_margin(self, r):
        """Margin of a shape with a bounding radius r that does not move."""
        return max(self.margin_relative * r, self.margin_least)

    def bounds(self, k):
        """Bounds of a shape in the world."""
        return Bounds(self.bounds_numbers, BOUNDS * k)

    def node(self, k):
        """Bounds of a node of the tree."""
        return Bounds(self.node_numbers, BOUNDS * k)

    def in_order(self, k):
        """Bounds at a place of the order."""
        return Bounds(self.sorted_numbers, BOUNDS * k)

    def swept(self, k):
        """Bounds at a place of the order, along the axis of the sweep."""
        return Swept(self.sorted_numbers, BOUNDS * k)

    def warm(self, slot):
        """A place of the table of warm directions."""
        return Warm(
            self.warm_integers, WARM_INTEGERS * slot, self.warm_numbers, WARM_NUMBERS * slot
        )

    # -- what shapes are made of -------------------------------------------------------------------

    def vertices(self, shape):
        """Vertices of a hull, or points of a surface."""
        return Vertices(self.work, shape.first, shape.count)

    def hull_plane(self, hull, f):
        """Plane of a face of a hull."""
        return Plane(self.work, hull.first + 3 * hull.count + PLANE_NUMBERS * f)

    def triangle_start(self, first, k):
        """Where a triangle stands, of a surface whose triangles begin at `first`."""
        return first + TRIANGLE * k

    def triangle(self, first, k):
        """A triangle of a surface whose triangles begin at `first`."""
        return Triangle(self.work, self.triangle_start(first, k))

    def mesh_node(self, mesh, i):
        """A node of the tree of a mesh."""
        return MeshNode(
            self.sizes,
            mesh.first_integer + 3 * mesh.count + 3 * i,
            self.work,
            mesh.first + TRIANGLE * mesh.count + BOUNDS * i,
        )

    # -- scratch of a pair -------------------------------------------------------------------------

    def core(self, which):
        """Core of A, 0, or B, 1 (`collision.support`)."""
        return Core(
            self.core_integers, CORE_INTEGERS * which, self.core_numbers, CORE_NUMBERS * which
        )

    @property
    def core_a(self):
        """Core of A."""
        return self.core(0)

    @property
    def core_b(self):
        """Core of B."""
        return self.core(1)

    @property
    def pair(self):
        """B as seen from A, and what GJK has found."""
        return PairFrame(self.frame_numbers, 0)

    def corner(self, k):
        """A corner of the simplex."""
        return Corner(
            self.corner_integers, CORNER_INTEGERS * k, self.corner_numbers, CORNER_NUMBERS * k
        )

    def point(self, k):
        """A point of the polytope."""
        return Corner(
            self.point_integers, CORNER_INTEGERS * k, self.point_numbers, CORNER_NUMBERS * k
        )

    def face(self, f):
        """A face of the polytope."""
        return Face(self.face_integers, FACE_INTEGERS * f, self.plane_numbers, PLANE_NUMBERS * f)

    @property
    def feature_a(self):
        """Feature of A that touches."""
        return Feature(self.feature_numbers, 0)

    @property
    def feature_b(self):
        """Feature of B that touches."""
        return Feature(self.feature_numbers, MOST_CORNERS)

    def gathered(self, k):
        """A contact with a triangle."""
        return Gathered(self.gathered_numbers, GATHERED * k)

    @property
    def group(self):
        """Room for gathered contacts of one normal."""
        return Candidates(self.group_numbers)

    @property
    def polygon(self):
        """A polygon that is clipped."""
        return Polygon(self.polygon_numbers)

    @property
    def spare(self):
        """Room for another one."""
        return Polygon(self.spare_numbers)

    @property
    def candidates(self):
        """Points that may become contacts."""
        return Candidates(self.candidate_numbers)


@value
class Pair:
    """Two shapes that are looked at, and where their contacts go."""

    scene: Scene
    a: int
    b: int
    margin: float
    contacts: Contacts

    def add(self, count, key, gap, normal, point):
        """Write a contact if there is room; the count with it."""
        return self.contacts.add(count, self.a, self.b, key, gap, normal, point, self.margin)


# -- keys ------------------------------------------------------------------------------------------

# Feature keys are unique within a pair: what kind of feature, and one number of each shape.
KEY_SHIFT = 24


@kernel
def feature_key(sort, of_a, of_b):
    """Key of a contact; `sort` of a feature < 2^14, numbers of the two features < 2^24."""
    return (sort << (2 * KEY_SHIFT)) | (of_a << KEY_SHIFT) | of_b
