"""Places and values that the functions of pairs work with: parts of shapes, and scratch.

Where they stand in the memory of a scene is said in `collision.layout`.
"""

from __future__ import annotations

from dalembert._records import Numbers, Place, value
from dalembert.numerics.vector import Vec3, vec3

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
