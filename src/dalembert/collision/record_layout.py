"""Places of a collision scene: what a shape, a triangle, a contact consist of.

Where they stand in the memory of a scene is said in `collision.layout`.
"""

from __future__ import annotations

from dalembert._records import Integers, Numbers, Place, value
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3, vec3

# -- shapes ----------------------------------------------------------------------------------------


class Shape(Place):
    """A shape of a scene.

    `size` by kind, in the shape's own frame, origin in its middle:

    | kind | size |
    |---|---|
    | plane | none; the half-space z <= 0 is solid |
    | sphere | radius |
    | capsule | radius, half the length between the middles of the ends, along z |
    | box | half the edges |
    | cylinder | radius, half the length, along z |
    | ellipsoid | semi-axes |
    | hull | radius by which the vertices are rounded (0: sharp) |
    | height field | length of a cell along x and y, points along x; points along y in `size_y` |
    | signed distance | half the edges of the box that holds it |
    """

    class integers:
        kind: int
        body: int  # -1: the world
        group: int  # bits; a pair is looked at when group_a & mask_b and group_b & mask_a
        mask: int
        material: int
        first: int  # in `geometry`, of vertices and the like
        count: int
        first_integer: int  # in `topology`, of faces and the like
        count_integer: int
        flags: int  # CENTRED, ALIGNED, UNBOUNDED_SHAPE
        code: int  # address of the formula of a signed distance

    class numbers:
        rotation: Mat3  # its axes are the columns, in the body's centre-of-mass frame
        position: Vec3  # of its origin from the centre of mass
        size: Vec3
        size_y: float
        bounding_radius: float  # about its origin
        inner_radius: float  # of a ball within, for the swept test
        box_centre: Vec3  # bounding box in its own frame
        box_half: Vec3
        rim: Vec3  # of a cylinder: from its axis to the point of a rim that is followed; 0: none
        rim_held: float  # 1: that point stays where it is in the cylinder

    class placed:
        x: Vec3  # its origin in the world
        R: Mat3
        v: Vec3  # of the origin
        w: Vec3

    def velocity_at(self, x):
        """Velocity of the point of the shape that is at x."""
        return self.v + self.w % (x - self.x)

    def in_world(self, x):
        """A point of its own frame in the world."""
        return self.x + self.R @ x

    def seen(self, x):
        """A point of the world in its own frame."""
        return self.R.transposed_times(x - self.x)


class Bounds(Place):
    """A box along the axes."""

    class numbers:
        low: Vec3
        high: Vec3

    def overlaps(self, other):
        """Whether two boxes overlap."""
        return (
            self.low.x <= other.high.x
            and other.low.x <= self.high.x
            and self.low.y <= other.high.y
            and other.low.y <= self.high.y
            and self.low.z <= other.high.z
            and other.low.z <= self.high.z
        )


class Swept(Place):
    """Bounds as the sweep has them: along its axis, then along the next two."""

    class numbers:
        low: float
        high: float
        low_1: float
        high_1: float
        low_2: float
        high_2: float


class Warm(Place):
    """The direction that separated a pair of shapes when it was last looked at."""

    class integers:
        first: int  # shape A + 1; 0: none
        second: int

    class numbers:
        n: Vec3


# -- contacts --------------------------------------------------------------------------------------


class Found(Place):
    """A contact; see `collision.layout`."""

    class integers:
        shape_a: int
        shape_b: int
        key: int  # of the features
        flags: int

    class numbers:
        gap: float  # [m]
        normal: Vec3
        point: Vec3
        margin: float  # [m]

    def take(self, other):
        """Become a copy of another contact."""
        self.shape_a, self.shape_b = other.shape_a, other.shape_b
        self.key, self.flags = other.key, other.flags
        self.gap, self.normal, self.point = other.gap, other.normal, other.point
        self.margin = other.margin


CONTACT_INTEGERS, CONTACT_NUMBERS = Found.entries("integers"), Found.entries("numbers")


@value
class Contacts:
    """Room for contacts of the caller: two arrays, record after record."""

    integers: Integers
    numbers: Numbers

    def __len__(self):
        return min(len(self.integers) // CONTACT_INTEGERS, len(self.numbers) // CONTACT_NUMBERS)

    def __getitem__(self, k):
        return Found(self.integers, CONTACT_INTEGERS * k, self.numbers, CONTACT_NUMBERS * k)

    def add(self, count, a, b, key, gap, normal, point, margin):
        """Write a contact if there is room; the count with it."""
        if count < len(self):
            found = self[count]
            found.shape_a, found.shape_b, found.key, found.flags = a, b, key, 0
            found.gap, found.normal, found.point, found.margin = gap, normal, point, margin
        return count + 1

    def move(self, k, to, gap, point, flags):
        """Write contact k to an earlier place with another gap, point and flags."""
        old, new = self[k], self[to]
        new.shape_a, new.shape_b, new.key, new.flags = old.shape_a, old.shape_b, old.key, flags
        new.gap, new.normal, new.point = gap, old.normal, point

    def nearest(self, first, last):
        """The contact with the least gap."""
        best = first
        for k in range(first + 1, last):
            if self[k].gap < self[best].gap:
                best = k
        return self[best]


# -- places and values that the functions of pairs work with: parts of shapes, and scratch ---------


# -- what shapes are made of -----------------------------------------------------------------------


@value
class Vertices:
    """Points one behind the other."""

    numbers: Numbers
    first: int
    count: int

    def __len__(self):
        return self.count

    def __getitem__(self, k):
        return vec3(self.numbers, self.first + 3 * k)


class Triangle(Place):
    """A triangle of a surface."""

    class numbers:
        a: Vec3  # corners, counter-clockwise seen from the front
        b: Vec3
        c: Vec3
        n: Vec3  # unit normal

    def corner(self, k):
        """One of its corners; `k` may vary, and 3 and 4 are 0 and 1 again."""
        return self.c if k == 2 else (self.a if k == 0 or k == 3 else self.b)


class MeshNode(Place):
    """A node of the tree over the triangles of a mesh."""

    class integers:
        beyond: int  # node to go on with where this one is missed
        first: int  # triangle
        count: int

    class numbers:
        low: Vec3
        high: Vec3

    def overlaps(self, low, high):
        """Whether its bounds overlap a box."""
        return (
            self.low.x <= high.x
            and low.x <= self.high.x
            and self.low.y <= high.y
            and low.y <= self.high.y
            and self.low.z <= high.z
            and low.z <= self.high.z
        )


# -- manifolds -------------------------------------------------------------------------------------


class Clipped(Place):
    """A point of a clipped polygon; `label` is that of the edge to the next point."""

    class numbers:
        x: Vec3
        code: float
        label: float

    def put(self, other):
        """Write another point here."""
        self.x, self.code, self.label = other.x, other.code, other.label


class Candidate(Place):
    """A point that may become a contact."""

    class numbers:
        x: Vec3
        gap: float
        key: float

    def put(self, x, gap, key):
        """Write it."""
        self.x, self.gap, self.key = x, gap, float(key)


class FeaturePoint(Place):
    """A corner of a feature, in the frame of A; `code` is that of `core_support`."""

    class numbers:
        x: Vec3
        code: float


class Gathered(Place):
    """A contact with one of many triangles, in the frame of the shape."""

    class numbers:
        x: Vec3
        gap: float
        key: float  # negative: done
        n: Vec3

    def take(self, other):
        """Become a copy of another."""
        self.x, self.gap, self.key, self.n = other.x, other.gap, other.key, other.n


CLIPPED, CANDIDATE = Clipped.entries("numbers"), Candidate.entries("numbers")
FEATURE, GATHERED = FeaturePoint.entries("numbers"), Gathered.entries("numbers")
TRIANGLE = Triangle.entries("numbers")


@value
class Feature:
    """Points of a face, an edge or a corner, counter-clockwise about the normal of the face."""

    numbers: Numbers
    first: int

    def __len__(self):
        return len(self.numbers) // FEATURE - self.first

    def __getitem__(self, k):
        return FeaturePoint(self.numbers, FEATURE * (self.first + k))


@value
class Polygon:
    """Points of a clipped polygon."""

    numbers: Numbers

    def __len__(self):
        return len(self.numbers) // CLIPPED

    def __getitem__(self, k):
        return Clipped(self.numbers, CLIPPED * k)

    def put_entry(self, k, m, x):
        """Write one coordinate of a point."""
        self.numbers[CLIPPED * k + m] = x


@value
class Candidates:
    """Points that may become contacts."""

    numbers: Numbers

    def __len__(self):
        return len(self.numbers) // CANDIDATE

    def __getitem__(self, k):
        return Candidate(self.numbers, CANDIDATE * k)

    def swap(self, i, j):
        """Exchange two of them."""
        p, q = self[i], self[j]
        x, gap, key = p.x, p.gap, p.key
        p.x, p.gap, p.key = q.x, q.gap, q.key
        q.x, q.gap, q.key = x, gap, key
