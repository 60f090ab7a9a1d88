"""Memories and their parts: packed arrays by name, the same in compiled and in interpreted life."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.lives import lives

from dalembert import _jit
from dalembert._jit import apart, border, kernel
from dalembert._memory import Memory, Part, over
from dalembert._records import Matrix, Numbers, Place
from dalembert._signature import SIZES_LENGTH, Signature
from dalembert._translate.kinds import FLOAT, INTEGER, Array, UnsupportedError
from dalembert._translate.program import entry_program
from dalembert.system.state_layout import State

VECTOR, INTEGERS = Array(FLOAT, 1), Array(INTEGER, 1)


class Store(Memory):
    """A small one."""

    class integers:
        n: int
        m: int
        steps: int

    class numbers:
        a: Matrix = over("m", "n")
        gain: float
        x: Numbers = over("n")
        y: Numbers = over("m", when="wanted")
        rest: Numbers = over("unknown")


class Room(Part, of=Store):
    """What a kernel keeps in the rest."""

    S: Matrix = over("m", "m + n")
    z: Numbers = over("2 * n")
    last: float


def make(n=3, m=2):
    counts = {"n": n, "m": m, "wanted": True, "unknown": m * (m + n) + 2 * n + 1}
    sizes, start = np.zeros(len(Store.memory_fields), dtype=np.int64), 0
    for slot, length in Store.lengths(counts):
        sizes[slot], start = start, start + length
    store = Store(np.linspace(0.1, 2.0, start), sizes)
    store.n, store.m = n, m
    return store


@kernel
def use(store: Store, t):
    own = Room(store, store.rest)
    for i in range(store.m):
        store.y[i] = t
        for k in range(store.n):
            store.y[i] += store.a[i, k] * store.x[k]
            own.S[i, store.m + k] = store.y[i]
    own.last = own.z[2 * store.n - 1] + len(own.z) + store.gain
    store.gain *= 2.0
    store.steps += 1
    return own.last


@kernel
def told_by_arrays(work, sizes, t):
    return use(work, sizes, t)


@kernel
def told_by_members(store: Store, t):
    return told_by_arrays(*store, t)


def both(call):
    """(result, numbers, integers) of both lives."""
    found = []
    for life in (False, True):
        store = make()
        if life:
            with _jit.interpreted():
                result = call(store)
        else:
            result = call(store)
        found.append((result, store.work, store.sizes))
    return found


@pytest.mark.parametrize(
    "call",
    [
        lambda s: use(s, 0.5),
        lambda s: use(s.work, s.sizes, 0.5),
        lambda s: told_by_arrays(s.work, s.sizes, 0.5),
        lambda s: told_by_members(s, 0.5),
    ],
)
def test_both_lives_and_all_ways_of_giving_it_agree(call):
    (a, work, sizes), (b, other_work, other_sizes) = both(call)
    assert a == pytest.approx(b, rel=1e-15)
    np.testing.assert_allclose(work, other_work, rtol=1e-14)
    np.testing.assert_array_equal(sizes, other_sizes)
    store = make()
    expected = 0.5 + store.a @ store.x
    np.testing.assert_allclose(Store(work, sizes).y, expected, rtol=1e-14)
    assert Store(work, sizes).steps == 1
    assert Store(work, sizes).gain == 2.0 * store.gain


def test_slots_and_lengths_follow_from_the_declaration():
    assert Store.slots(Store.integers) == [0, 1, 2]
    counts = {"n": 3, "m": 2, "wanted": False, "unknown": 7}
    assert Store.lengths(counts) == [(3, 6), (4, 1), (5, 3), (6, 0), (7, 7)]
    assert Room.length(n=3, m=2) == 2 * 5 + 6 + 1


@lives
def test_the_door_sees_other_arrays_and_other_numbers(life):
    with life():
        for n in (3, 4, 5):
            store = make(n)
            first = use(store, 0.5)
            assert use(store, 0.5) == pytest.approx(first + 0.25 * store.gain)
            assert store.steps == 2


class Pair(Place):
    class numbers:
        x: float
        y: float


@kernel
def swap(pair, factor):
    pair.x, pair.y = factor * pair.y, pair.x
    return pair.x


@lives
def test_places_are_given_by_python_too(life):
    with life():
        numbers = np.arange(6.0)
        assert swap(Pair(numbers, 2), 2) == 6.0
        assert swap(Pair(numbers, 4), 1) == 5.0
        np.testing.assert_array_equal(numbers, [0, 1, 6, 2, 5, 4])


def test_arrays_of_other_kinds_are_refused_at_the_door():
    store = make()
    with pytest.raises(TypeError, match="argument 1"):
        use._entry(Store(store.work.astype(np.float32), store.sizes), 0.5)


STEP = Signature("step", "t x", {"x": 0})


@border(STEP)
def push(store: Store, t, x):
    for k in range(store.n):
        x[k] += t * store.x[k]
    return store.m


@kernel
def through(address, work, sizes, t, x):
    return STEP.call(address, work, sizes, t, x)


@lives
def test_a_border_takes_a_memory(life):
    with life():
        store, x = make(), np.zeros(3)
        assert through(push.address, *store, 2.0, x) == 2
        np.testing.assert_array_equal(x, 2.0 * store.x)


@apart(int)
def rare(store: Store, t):
    store.x[0] = t
    return store.n


@kernel
def often(store: Store, t):
    return rare(store, t) if t > 2.0 else 0


@pytest.mark.skipif(not _jit.COMPILED, reason="nothing is compiled")
def test_a_part_takes_a_memory():
    store = make()
    assert often(store, 1.0) == 0
    assert not rare._found
    assert often(store, 3.0) == 3
    assert store.x[0] == 3.0
    assert list(rare._found) == ["part Store double"]


def asks_for_no_field(work, sizes):
    return Store(work, sizes).b


def assigns_an_array(work, sizes):
    store = Store(work, sizes)
    store.x = 1.0
    return store.x[0]


def spreads_a_number(work, sizes):
    return use(*work[0], 1.0)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (asks_for_no_field, "Store has no field 'b'"),
        (assigns_an_array, "assignment to 'x', an array"),
        (spreads_a_number, "the members of double"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(function, reason):
    with pytest.raises(UnsupportedError, match=reason) as told:
        entry_program(function, (VECTOR, INTEGERS), checked=False)
    assert "test_memory.py:" in str(told.value)


def test_what_is_wrong_is_noticed_by_python():
    store = make()
    with pytest.raises(AttributeError, match="no field 'b'"):
        store.b = 1.0
    with pytest.raises(AttributeError, match="its entries"):
        store.x = 1.0
    with pytest.raises(TypeError, match="two fields"):

        class Twice(Memory):
            class integers:
                x: int

            class numbers:
                x: float

    with pytest.raises(TypeError, match="other extents"):

        class Flat(Memory):
            class numbers:
                a: Matrix = over("n")


@pytest.mark.skipif(not _jit.COMPILED, reason="nothing is compiled")
def test_fields_are_looked_at_in_the_checked_life():
    program, _ = entry_program(told_by_arrays.function, (VECTOR, INTEGERS, FLOAT), checked=True)
    assert program.count("call void @out_of_range") > 20


def test_the_head_has_room_for_the_slots_of_the_state():
    assert [field.slot for field in State.memory_fields.values()] == list(
        range(len(State.memory_fields))
    )
    assert State.work_length.slot == 0
    assert len(State.memory_fields) < SIZES_LENGTH
