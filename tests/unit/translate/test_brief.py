"""Large programs are optimised briefly; what is calculated does not depend on it."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert import _jit
from dalembert._jit import copied, kernel
from dalembert._translate import program
from dalembert._translate.expressions import AT_LENGTH
from dalembert._translate.kinds import FLOAT, INTEGER, Array, UnsupportedError
from dalembert._translate.program import BRIEF, entry_program, part_program

pytestmark = pytest.mark.skipif(not _jit.COMPILED, reason="nothing is compiled")

KINDS = (Array(FLOAT, 1), INTEGER)


@kernel
def long_one(x, n):
    total = 0.0
    for i in range(n):
        a, b = x[i] + 1.0, x[i] - 1.0
        total += a * b + a * (1.0 + b * b) + (a - b) * (a + b) + a * a * b * b
        total -= b * a + b * (1.0 + a * a) + (b - a) * (b + a) + b * b * a * a
        x[i] = total
    return total


@copied
def hot_one(x, n):
    total = 0.0
    for i in range(n):
        a, b = x[i] + 1.0, x[i] - 1.0
        total += a * b + a * (1.0 + b * b) + (a - b) * (a + b) + a * a * b * b
        total -= b * a + b * (1.0 + a * a) + (b - a) * (b + a) + b * b * a * a
    return total


@kernel
def short_one(x, n):
    for i in range(n):
        x[i] += 1.0
    return x[0]


@kernel
def once(x, n):
    return long_one(x, n) + short_one(x, n) + hot_one(x, n)


@kernel
def in_a_loop(x, n):
    total = 0.0
    for _ in range(2):
        total += long_one(x, n)
    return total


def calls(function, kinds=KINDS):
    """Names of kernels whose calls are marked."""
    text = part_program(function.function, kinds, checked=False)
    lines = [line for line in text.splitlines() if "call" in line and line.endswith(AT_LENGTH)]
    return [line.split("@")[1].split(".")[0] for line in lines]


@pytest.fixture
def results(monkeypatch):
    """Let the kernels be parts, which these return floats."""
    for each in (once, in_a_loop):
        monkeypatch.setattr(each.function, "result_apart", float, raising=False)


def test_long_kernels_are_called_outside_loops(results):
    assert calls(once) == ["long_one"]
    assert calls(in_a_loop) == []


def test_parts_and_large_programs_are_brief(results, monkeypatch):
    assert part_program(once.function, KINDS, checked=False).startswith(BRIEF)
    monkeypatch.delattr(once.function, "result_apart")  # the entry of a part is no more than a door
    assert BRIEF not in entry_program(once.function, KINDS, checked=False)[0]
    monkeypatch.setattr(program, "LARGE", 10)
    assert entry_program(once.function, KINDS, checked=False)[0].startswith(BRIEF)


def test_the_result_is_the_same(monkeypatch):
    """Of whole numbers, which are not rounded in any way of calculating."""
    found = []
    for large in (10**9, 10):
        monkeypatch.setattr(program, "LARGE", large)
        monkeypatch.setattr(once, "_found", {})
        once.__dict__.pop("_entry", None)
        x = np.arange(4.0)
        found.append((once(x, 4), x.tolist()))
    x = np.arange(4.0)
    with _jit.interpreted():
        value = once(x, 4)
    assert found == [(value, x.tolist())] * 2


# -- short expressions -----------------------------------------------------------------------------


@kernel
def product(a, b):
    """a b."""
    return a * b


@kernel
def plus_product(a, b, c):
    return a + product(b, c)


def uses_short(x):
    return plus_product(x[0], x[1], x[2])


@kernel
def there(x):
    return back(x)


@kernel
def back(x):
    return there(x)


@kernel
def asks_too_much(x):
    return x.shape[0] + unheard_of  # noqa: F821


def uses_wrong(x):
    return asks_too_much(x)


def test_what_is_a_short_expression_is_written_out():
    text, _ = entry_program(uses_short, (Array(FLOAT, 1),), checked=False)
    assert "@product" not in text
    assert "@plus_product" not in text
    assert text.count("fmul") == text.count("fadd") == 1
    assert kernel(uses_short)(np.array([1.0, 2.0, 3.0])) == 7.0


def test_short_expressions_that_call_one_another_are_refused():
    with pytest.raises(UnsupportedError, match="calls itself"):
        entry_program(there.function, (Array(FLOAT, 1),), checked=False)


def test_the_place_of_a_mistake_is_that_of_the_kernel_it_stands_in():
    with pytest.raises(UnsupportedError, match=r"asks_too_much \(.*test_brief.py:\d+\)"):
        entry_program(uses_wrong, (Array(FLOAT, 1),), checked=False)
