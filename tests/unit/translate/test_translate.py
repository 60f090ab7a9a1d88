"""The translator: every construct of the kernel language gives what Python gives.

Each kernel below runs compiled and interpreted on the same arguments; results and arrays must be
equal to the bit, which they are as long as no product and sum can be fused.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from dalembert import _jit
from dalembert._jit import kernel, packed_kernel, subroutine
from dalembert._native import larger, matrix_view, smaller, vector_view
from dalembert._translate.kinds import FLOAT, Array
from dalembert._translate.program import PACKED, entry_program

pytestmark = pytest.mark.skipif(not _jit.COMPILED, reason="nothing is compiled")

FACTOR, COUNT, YES = 2.5, 3, True
TABLE = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
PLACES = np.array([2, 0, 1])


def both(function, *arguments):
    """(result, arrays) of both lives."""
    found = []
    for life in ("compiled", "interpreted"):
        given = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        if life == "compiled":
            result = function(*given)
        else:
            with _jit.interpreted():
                result = function(*given)
        found.append((result, [a for a in given if isinstance(a, np.ndarray)]))
    return found


def assert_agree(function, *arguments):
    (compiled, arrays), (expected, others) = both(function, *arguments)
    np.testing.assert_array_equal(compiled, expected)
    assert type(compiled) is type(expected) or isinstance(expected, np.generic)
    for a, b in zip(arrays, others, strict=True):
        np.testing.assert_array_equal(a, b)
    return compiled


# -- arithmetic ----------------------------------------------------------------------------------


@kernel
def of_integers(a, b, out):
    out[0] = a + b
    out[1] = a - b
    out[2] = a * b
    out[3] = a // b
    out[4] = a % b
    out[5] = -a
    out[6] = abs(a)
    out[7] = min(a, b)
    out[8] = max(a, b, 3)
    out[9] = (a & b) | (a ^ 5)
    return a / b


@pytest.mark.parametrize(("a", "b"), [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (-6, 3), (0, 5)])
def test_integers(a, b):
    assert_agree(of_integers, a, b, np.zeros(10, dtype=np.int64))


@kernel
def of_floats(a, b, out):
    out[0] = a + b
    out[1] = a - b
    out[2] = a * b
    out[3] = a / b
    out[4] = -a
    out[5] = abs(a)
    out[6] = min(a, b)
    out[7] = max(a, b)
    out[8] = +a
    out[9] = a + 1
    out[10] = int(a) if abs(a) < 1e9 else 0


@pytest.mark.parametrize("a", [0.0, -0.0, 1.5, -2.75, np.inf, np.nan])
@pytest.mark.parametrize("b", [1.0, -3.25, np.nan])
def test_floats(a, b):
    assert_agree(of_floats, np.float64(a), np.float64(b), np.zeros(11))


@kernel
def of_library(x, out):
    out[0] = math.sqrt(x)
    out[1] = math.sin(x)
    out[2] = math.cos(x)
    out[3] = math.exp(x)
    out[4] = math.log(x)
    out[5] = math.tan(x)
    out[6] = math.atan2(x, 2.0)
    out[7] = math.copysign(x, -1.0)
    out[8] = x**1.7
    out[9] = x**2
    out[10] = math.pi


def test_the_mathematical_library():
    (_, (a,)), (_, (b,)) = both(of_library, 0.7, np.zeros(11))
    assert np.abs(a - b).max() <= np.finfo(float).eps * 4


@kernel
def nearest(x):
    return round(x)


@pytest.mark.parametrize("x", [0.5, 1.5, 2.5, -0.5, -1.5, 2.4, -2.6])
def test_rounding_is_to_even(x):
    assert_agree(nearest, x)


@kernel
def converted(x, n, yes):
    return int(x), float(n), n + yes, x + yes, bool(n)


@pytest.mark.parametrize("yes", [True, False])
@pytest.mark.parametrize("x", [2.9, -2.9])
def test_conversions(x, yes):
    assert_agree(converted, x, 4, yes)


@kernel
def not_a_number(x):
    return float("nan") if x > 0 else float("inf")


def test_constants_that_have_no_digits():
    assert math.isnan(assert_agree(not_a_number, 1.0))
    assert assert_agree(not_a_number, -1.0) == math.inf


@kernel
def extremes(a, b):
    return smaller(a, b), larger(a, b)


def test_minimum_and_maximum_that_can_be_traced():
    assert_agree(extremes, 1.0, 2.0)
    assert_agree(extremes, 2.0, 1.0)


# -- conditions ----------------------------------------------------------------------------------


@kernel
def compared(a, b, out):
    out[0] = 1 if a < b else 0
    out[1] = 1 if a <= b else 0
    out[2] = 1 if a > b else 0
    out[3] = 1 if a >= b else 0
    out[4] = 1 if a == b else 0
    out[5] = 1 if a != b else 0
    out[6] = 1 if not a < b else 0
    out[7] = 1 if 0.0 < a <= b else 0
    out[8] = 1 if a < b or a > 2.0 * b else 0
    out[9] = 1 if (a < b and b < 3.0) or not (a > 1.0) else 0
    out[10] = 1 if a else 0
    return math.isnan(a)


@pytest.mark.parametrize("a", [0.0, 1.0, 2.0, np.nan, np.inf])
@pytest.mark.parametrize("b", [1.0, 2.0, np.nan])
def test_comparisons(a, b):
    assert_agree(compared, a, b, np.zeros(11, dtype=np.int64))


@kernel
def kept_truth(a, b):
    inside = a > 0 and b > 0
    either = a > 0 or b > 0
    return inside, either, not inside, inside == either


@pytest.mark.parametrize("a", [1, -1])
@pytest.mark.parametrize("b", [1, -1])
def test_conditions_as_values(a, b):
    assert_agree(kept_truth, a, b)


@kernel
def first_above(x, limit):
    k = 0
    while k < len(x) and x[k] <= limit:
        k += 1
    return k


def test_and_looks_no_further_than_it_needs():
    x = np.array([1.0, 2.0, 3.0])
    assert [assert_agree(first_above, x, limit) for limit in (0.0, 2.5, 9.0)] == [0, 2, 3]


@kernel
def widened(n):
    return 1 if n > 3 else 0.5


def test_a_choice_has_the_wider_kind():
    assert assert_agree(widened, 2) == 0.5
    assert widened(5) == 1.0


# -- loops ---------------------------------------------------------------------------------------


@kernel
def loops(n, out):
    for i in range(n):
        out[0] += i
    for i in range(2, n):
        out[1] += i
    for i in range(n - 1, -1, -1):
        out[2] = 10 * out[2] + i
    for i in range(0, n, 3):
        if i == 3:
            continue
        if i > 7:
            break
        out[3] += i
    k = n
    while True:
        k -= 1
        if k < 0:
            return i
        out[4] += k
        for _ in range(3):
            if out[4] > 5:
                break
            out[4] += 1


@pytest.mark.parametrize("n", [1, 2, 5, 11])
def test_loops(n):
    assert_agree(loops, n, np.zeros(5, dtype=np.int64))


@kernel
def becomes_float(n):
    total = 0
    for i in range(n):
        total = total + 0.5 * i
    return total


@pytest.mark.parametrize("n", [0, 1, 4])
def test_a_variable_is_as_wide_as_what_it_is_given(n):
    (compiled, _), (expected, _) = both(becomes_float, n)
    assert compiled == expected


@kernel
def without_result(x):
    if x[0] > 0.0:
        x[0] = -1.0
        return
    x[0] = 1.0


def test_a_kernel_without_result():
    assert assert_agree(without_result, np.array([2.0])) is None
    assert assert_agree(without_result, np.array([-2.0])) is None


# -- arrays --------------------------------------------------------------------------------------


@kernel
def elements(A, x, k):
    A[0, 1] = x[k]
    A[1, 0] += 2.0 * A[0, 1]
    A[1, 2], x[0] = x[-1], A[0, 0]
    row = A[1]
    row[1] = A.shape[0] + 10 * A.shape[1] + 100 * len(x)
    part = x[1:]
    part[0] = 7.0
    x[k : k + 2][1] = row[0]
    x[:1][0] *= 3.0
    return row[2]


@pytest.mark.parametrize("k", [0, 1])
def test_elements_rows_and_slices(k):
    assert_agree(elements, np.arange(6.0).reshape(2, 3), np.array([3.0, 4.0, 5.0]), k)


@kernel
def views(work, sizes):
    x = vector_view(work, sizes[0], 3)
    A = matrix_view(work, sizes[1], 2, 2)
    numbers = vector_view(sizes, 1, 2)
    for i in range(2):
        for j in range(2):
            A[i, j] += x[i] * 10.0 + j
    return numbers[0] + numbers[1]


def test_views_into_packed_arrays():
    assert_agree(views, np.arange(8.0), np.array([1, 4, 5]))


@kernel
def integers_in_arrays(order, x, out):
    for i in range(len(order)):
        out[order[i]] = x[i]
        order[i] = order[i] + int(x[i])
    return order[-1]


def test_arrays_of_integers():
    assert_agree(integers_in_arrays, np.array([2, 0, 1]), np.array([1.5, 2.5, 3.5]), np.zeros(3))


@kernel
def from_outside(i):
    return FACTOR * TABLE[1, i] + COUNT + PLACES[i] + (1 if YES else 0)


@pytest.mark.parametrize("i", [0, 1, 2])
def test_numbers_and_tables_of_the_module(i):
    assert_agree(from_outside, i)


def test_numbers_of_an_enclosing_function():
    step = 3

    @kernel
    def moved(x):
        return x + step

    assert moved(4) == 7


# -- calls ---------------------------------------------------------------------------------------


@kernel
def pair(a, b):
    return a + b, a - b


@kernel
def second_half(x):
    return x[len(x) // 2 :]


@kernel
def calling(x, n):
    s, d = pair(x[0], x[1])
    both_of = pair(n, 2)
    half = second_half(x)
    half[0] = s * d
    return both_of[0] + both_of[1] + len(half)


def test_kernels_call_kernels():
    assert_agree(calling, np.array([3.0, 4.0, 5.0, 6.0]), 5)


def test_one_text_serves_integers_and_floats():
    assert assert_agree(pair, 3, 4) == (7, -1)
    assert assert_agree(pair, 3.5, 4) == (7.5, -0.5)


@subroutine
def _called_often(x):
    return 2.0 * x + 1.0


@kernel
def _calls_it(x):
    return _called_often(x) + _called_often(_called_often(x))


def test_a_subroutine_is_called_where_a_kernel_is_copied():
    assert _calls_it(1.5) == 4.0 + 9.0
    program, _ = entry_program(_calls_it.function, ("double",), checked=False)
    heads = [line for line in program.splitlines() if line.startswith("define internal")]
    assert [("#1" in line) for line in heads if "_called_often" in line] == [True]
    assert "attributes #1 = { nounwind noinline }" in program


@packed_kernel
def _four_products(x, y):
    x[0], x[1] = x[0] + y[0] * y[4], x[1] + y[1] * y[4]
    x[2], x[3] = x[2] + y[2] * y[4], x[3] + y[3] * y[4]


def test_packed_kernels_calculate_the_same():
    """And are asked for in the first line of their program, which others do not have."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=4), rng.normal(size=5)
    # Whole numbers: a product and a sum that are fused give the same.
    x, y = np.round(100 * x), np.round(100 * y)
    expected = x + y[:4] * y[4]
    _four_products(x, y)
    assert (x == expected).all()
    vectors = (Array(FLOAT, 1), Array(FLOAT, 1))
    program, _ = entry_program(_four_products.function, vectors, checked=False)
    assert program.startswith(PACKED)
    assert not entry_program(_not_packed, vectors, checked=False)[0].startswith(PACKED)


def _not_packed(x, y):
    x[0] = y[0]
