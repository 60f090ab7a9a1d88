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


CLIPPED, CANDIDATE = Clipped.entries("numbers"), Candidate.entries("numbers")


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
