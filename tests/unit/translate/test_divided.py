"""Arrays divided by the counts of a value: the same in compiled and in interpreted life."""

import numpy as np
import pytest
from tests.support.lives import lives

from dalembert import _jit
from dalembert._divided import Divided
from dalembert._jit import kernel
from dalembert._memory import over
from dalembert._records import Matrix, Numbers, value
from dalembert._translate.kinds import UnsupportedError


@value
class Counts:
    """Counts by a field, by a property, and by one of another array."""

    n: int
    given: Numbers

    @property
    def more(self):
        """One more."""
        return self.n + 1

    @property
    def m(self):
        """How many are given."""
        return len(self.given)


class Room(Divided, by=Counts):
    """What a kernel keeps."""

    first: float
    x: Numbers = over("n")
    y: Numbers = over("n")
    S: Matrix = over("more", "n")
    z: Numbers = over("m * m")
    last: float
    rest: Numbers = over("others")

    def shifted(self, i):
        """An entry of x, and the first number."""
        return self.x[i] + self.first


@kernel
def fill(counts, numbers):
    """Every field by its name; the lengths of those that depend on a count."""
    own = Room(counts, numbers)
    own.first, own.last = 1.0, 2.0
    for i in range(counts.n):
        own.x[i], own.y[i] = 10.0 + i, 20.0 + i
        for k in range(counts.more):
            own.S[k, i] = 100.0 * k + i
    for i in range(len(own.z)):
        own.z[i] = 30.0 + i
    own.rest[0] = own.shifted(1)
    return len(own.x), len(own.z), len(own.rest)


@lives
def test_fields_stand_one_behind_the_other(life):
    counts, numbers = Counts(2, np.zeros(1)), np.zeros(Room.length(n=2, more=3, m=1, others=4))
    with life():
        assert fill(counts, numbers) == (2, 1, 4)
    expected = [1, 10, 11, 20, 21, 0, 1, 100, 101, 200, 201, 30, 2, 12, 0, 0, 0]
    assert numbers.tolist() == expected


def test_numbers_are_read_and_written_by_python_too():
    own = Room(Counts(2, np.zeros(1)), np.zeros(17))
    own.first, own.x[1] = 3.0, 4.0
    assert own.shifted(1) == 7.0
    assert own.S.shape == (3, 2)
    with pytest.raises(AttributeError, match="x is an array"):
        own.x = np.zeros(2)


@kernel
def misspelt(counts, numbers):
    return Room(counts, numbers).lost


def test_a_field_that_is_not_there_is_refused():
    with pytest.raises(UnsupportedError, match="no field 'lost'"):
        misspelt(Counts(2, np.zeros(1)), np.zeros(17))


def test_an_array_that_is_too_short_is_noticed():
    counts, numbers = Counts(2, np.zeros(1)), np.zeros(3)
    with _jit.interpreted(), pytest.raises((IndexError, ValueError)):
        fill(counts, numbers)
