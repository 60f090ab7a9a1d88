"""Values and places: named fields and operators, the same in compiled and in interpreted life."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.unit.translate.test_translate import both

from dalembert import _jit
from dalembert._jit import kernel
from dalembert._records import Integers, Numbers, Place, value
from dalembert._translate.kinds import FLOAT, INTEGER, Array, UnsupportedError
from dalembert._translate.program import entry_program

VECTOR, INTEGERS = Array(FLOAT, 1), Array(INTEGER, 1)


@value
class Pair:
    """Two numbers."""

    x: float
    y: float

    def __add__(self, b):
        return Pair(self.x + b.x, self.y + b.y)

    def __rmul__(self, s):
        return Pair(s * self.x, s * self.y)

    def __neg__(self):
        return Pair(-self.x, -self.y)

    def __matmul__(self, b):
        return self.x * b.x + self.y * b.y

    @property
    def norm(self):
        return math.sqrt(self @ self)

    @staticmethod
    def along(angle):
        return Pair(math.cos(angle), math.sin(angle))

    def turned(self, angle):
        c = Pair.along(angle)
        return Pair(c.x * self.x - c.y * self.y, c.y * self.x + c.x * self.y)


@value
class Ray:
    """A value of values."""

    origin: Pair
    way: Pair
    count: int

    def at(self, s):
        return self.origin + s * self.way


class Node(Place):
    """Something in two tables."""

    class integers:
        up: int
        kind: int

    class numbers:
        weight: float
        ray: Ray
        push: Pair

    def heavier(self, w):
        self.weight = self.weight + w
        return self.weight

    @property
    def is_root(self):
        return self.up < 0


@value
class Nodes:
    """A table of nodes."""

    integers: Integers
    numbers: Numbers
    count: int

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        return Node(self.integers, ENTRIES * i, self.numbers, WIDTH * i)


class Point(Place):
    class numbers:
        at: Pair
        weight: float


ENTRIES, WIDTH = Node.entries("integers"), 8


def assert_alike(function, *arguments):
    """Compiled code may fuse a product and a sum, and differs by that."""
    (compiled, arrays), (expected, others) = both(function, *arguments)
    assert (compiled is None) == (expected is None)
    if compiled is not None:
        assert compiled == pytest.approx(expected, rel=1e-14)
    for a, b in zip(arrays, others, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-14, atol=1e-15)


@kernel
def algebra(a, b, out):
    p = Pair(a, b)
    q = 2.0 * p + -p.turned(0.3)
    out[0], out[1] = q
    x, y = q
    out[2] = x * y + q.norm
    r = Ray(p, q, 3)
    out[3] = r.at(0.5) @ r.way
    out[4] = r.origin.x + r.count
    chosen = p if a > b else q
    out[5] = chosen.x


def test_values_calculate_alike():
    for a, b in ((0.3, -1.2), (2.0, 0.5)):
        assert_alike(algebra, a, b, np.zeros(6))


@kernel
def walk(integers, numbers, count):
    nodes = Nodes(integers, numbers, count)
    total = 0.0
    for node in nodes:
        if node.is_root:
            node.ray = Ray(Pair(1.0, 2.0), Pair.along(node.weight), node.kind)
        else:
            above = nodes[node.up]
            node.push += above.ray.at(node.weight)
            above.push = above.push + -node.push
            total += above.heavier(0.5)
        node.kind += len(nodes)
        node.weight *= 2.0
    return total + nodes[0].push.x


def test_places_are_read_and_written_where_they_stand():
    integers = np.array([-1, 3, 0, 4, 0, 5, 1, 6])
    numbers = np.linspace(0.1, 2.0, 4 * WIDTH)
    assert_alike(walk, integers, numbers, 4)


def test_where_fields_stand_follows_from_the_declaration():
    assert Node.entries("integers") == 2
    assert Node.entries("numbers") == 1 + 5 + 2
    assert [(f.offset, f.count) for f in Node.place_fields.values()] == [
        (0, 1),
        (1, 1),
        (0, 1),
        (1, 5),
        (6, 2),
    ]


def asks_for_no_field(i, x):
    return Node(i, 0, x, 0).wait


def asks_a_value_for_no_field(i, x):
    return Pair(1.0, 2.0).z


def leaves_out_a_part(i, x):
    return Pair(1.0).x


def calls_no_method(i, x):
    return Pair(1.0, 2.0).length()


def multiplies_what_cannot_be(i, x):
    return Pair(1.0, 2.0) * Ray(Pair(0.0, 1.0), Pair(1.0, 0.0), 1)


def gives_an_array(i, x):
    return Pair(1.0, x).x


def loops_over_a_value_without_items(i, x):
    for part in Pair(1.0, 2.0):
        x[0] += part


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (asks_for_no_field, "Node has no field 'wait'"),
        (asks_a_value_for_no_field, "Pair has no field 'z'"),
        (leaves_out_a_part, "1 of the 2 parts of a Pair"),
        (calls_no_method, "Pair has no method 'length'"),
        (multiplies_what_cannot_be, "Mult of Pair and Ray"),
        (gives_an_array, "where double is needed"),
        (loops_over_a_value_without_items, "Pair has no method '__len__'"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(function, reason):
    with pytest.raises(UnsupportedError, match=reason) as told:
        entry_program(function, (INTEGERS, VECTOR), checked=False)
    assert f"{function.__name__} (" in str(told.value)
    assert "test_records.py:" in str(told.value)


def assigns_to_a_value(x):
    p = Pair(x, x)
    p.x = 1.0
    return p.x


def assigns_what_is_not_there(i, x):
    node = Node(i, 0, x, 0)
    node.wait = 1.0
    return node.weight


def test_values_are_never_changed():
    with pytest.raises(UnsupportedError, match="never changed"):
        entry_program(assigns_to_a_value, (FLOAT,), checked=False)
    with pytest.raises(AttributeError):
        assigns_to_a_value(1.0)


def test_unknown_fields_are_not_written():
    with pytest.raises(UnsupportedError, match="no field 'wait'"):
        entry_program(assigns_what_is_not_there, (INTEGERS, VECTOR), checked=False)
    with pytest.raises(AttributeError, match="no field 'wait'"):
        assigns_what_is_not_there(np.zeros(4, dtype=int), np.zeros(8))


def test_declarations_are_checked():
    with pytest.raises(TypeError, match=r"Bad.word"):

        @value
        class Bad:
            word: str

    with pytest.raises(TypeError, match="two fields"):

        class Twice(Place):
            class a:
                x: float

            class b:
                x: float


@kernel
def reads_beyond(numbers, at):
    return Point(numbers, at).weight


@pytest.mark.skipif(not _jit.COMPILED, reason="nothing is compiled")
def test_fields_out_of_range_are_found_in_the_checked_life():
    program, _ = entry_program(reads_beyond.function, (VECTOR, INTEGER), checked=True)
    assert "out_of_range" in program
    program, _ = entry_program(reads_beyond.function, (VECTOR, INTEGER), checked=False)
    assert "out_of_range" not in program
