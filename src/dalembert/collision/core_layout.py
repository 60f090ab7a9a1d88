"""Places that GJK, EPA and the manifolds of convex shapes work on.

Where they stand in the memory of a scene is said in `collision.layout`.
"""

from __future__ import annotations

from dalembert._records import Integers, Place, value
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3


class Core(Place):
    """The core of a shape: what is left when its rounding is taken off (`collision.support`)."""

    class integers:
        kind: int  # BOX, CYLINDER, ELLIPSOID or HULL
        first: int  # of the vertices of a hull
        count: int
        faces: int  # table of faces of a hull; -1: it is one triangle
        links: int  # table of neighbours of its vertices; -1: none
        hint: int  # vertex that was the support before

    class numbers:
        size: Vec3
        radius: float  # of the rounding


class PairFrame(Place):
    """B as seen from A, and the end of the search for the closest points."""

    class numbers:
        R: Mat3  # rotation of B in A
        p: Vec3  # its origin
        closest: Vec3  # v = a - b
        size: float  # of the Minkowski difference as far as it was seen


@value
class Support:
    """A point w = a - b of the Minkowski difference, and the numbers of a and b."""

    w: Vec3
    a: Vec3
    of_a: int
    of_b: int


class Corner(Place):
    """A point of the Minkowski difference that is kept."""

    class integers:
        of_a: int
        of_b: int

    class numbers:
        w: Vec3
        a: Vec3
        weight: float  # in the closest point

    def put(self, point):
        """Write a support or another corner here; the weight stays."""
        self.w, self.a, self.of_a, self.of_b = point.w, point.a, point.of_a, point.of_b


class Plane(Place):
    """The half-space n . x <= d."""

    class numbers:
        n: Vec3
        d: float


class Face(Place):
    """A face of the polytope; across its edge e, from corner e to e + 1, lies another."""

    class integers:
        i: int  # corners, counter-clockwise seen from outside
        j: int
        k: int
        across_i: int
        across_j: int
        across_k: int
        state: int  # GONE, LIVE, SEEN

    class numbers:
        n: Vec3
        d: float

    def corner(self, e):
        """One of its corners; `e` may vary, and 3 is 0 again."""
        return self.j if e == 1 else (self.k if e == 2 else self.i)

    def across(self, e):
        """The face across one of its edges."""
        return self.across_i if e == 0 else (self.across_j if e == 1 else self.across_k)

    def put_across(self, e, f):
        """Say which face lies across an edge."""
        if e == 0:
            self.across_i = f
        elif e == 1:
            self.across_j = f
        else:
            self.across_k = f

    def put_all_across(self, f, g, h):
        """Say which faces lie across its edges."""
        self.across_i, self.across_j, self.across_k = f, g, h


class Edge(Place):
    """An edge of the horizon: its points, and the face beyond."""

    class integers:
        begin: int
        end: int
        face: int


@value
class HullFaces:
    """The table of faces of a hull, which begins at `start`."""

    integers: Integers
    start: int

    def __len__(self):
        return self.integers[self.start]

    def __getitem__(self, f):
        """Where the list of the corners of a face begins."""
        return self.integers[self.start + 2 + f]

    def corner(self, q):
        """An entry of these lists."""
        return self.integers[self.start + q]

    @property
    def links(self):
        """Where the table of the edges between vertices begins."""
        return self.start + self.integers[self.start + 1]


@value
class HullLinks:
    """The table of the edges of a hull, which begins at `start`: lists of neighbours."""

    integers: Integers
    start: int

    def first(self, vertex):
        """Where the neighbours of a vertex begin in the table, behind those of the one before."""
        return self.integers[self.start + vertex]

    def neighbour(self, i):
        """A vertex by its place in the table."""
        return self.integers[self.start + i]


CORE_INTEGERS, CORE_NUMBERS = Core.entries("integers"), Core.entries("numbers")
CORNER_INTEGERS, CORNER_NUMBERS = Corner.entries("integers"), Corner.entries("numbers")
FACE_INTEGERS, PLANE_NUMBERS = Face.entries("integers"), Plane.entries("numbers")
FRAME, EDGE = PairFrame.entries("numbers"), Edge.entries("integers")
