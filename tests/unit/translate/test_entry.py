"""The door for Python: arguments that stay, change, or come from several threads."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from dalembert import _jit
from dalembert._jit import kernel
from dalembert._native import vector_view

pytestmark = pytest.mark.skipif(not _jit.COMPILED, reason="nothing is compiled")


@kernel
def scaled(x, factor, out):
    for i in range(len(x)):
        out[i] = factor * x[i]
    return len(x)


def test_the_same_arrays_again_with_other_numbers():
    x, out = np.arange(3.0), np.zeros(3)
    for factor in (2.0, 3.0, 4):
        assert scaled(x, factor, out) == 3
        np.testing.assert_array_equal(out, factor * x)


def test_other_arrays_in_the_same_place():
    for n in range(200):
        x, out = np.full(n, float(n)), np.zeros(n)
        assert scaled(x, 2.0, out) == n
        np.testing.assert_array_equal(out, 2.0 * x)
        del x, out
        gc.collect(0)


def test_no_array_is_kept_alive():
    x, out = np.arange(3.0), np.zeros(3)
    scaled(x, 2.0, out)
    gone = weakref.ref(x)
    del x
    gc.collect()
    assert gone() is None


def test_threads_do_not_meet():
    def work(k):
        x, out = np.full(1000, float(k)), np.zeros(1000)
        for _ in range(200):
            scaled(x, 2.0, out)
            if not np.all(out == 2.0 * k):
                return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(8)))


@kernel
def answers(n):
    return n > 2, n, 0.5 * n


def test_several_results_of_different_kinds():
    assert answers(3) == (True, 3, 1.5)
    assert answers(2)[0] is False


def test_a_wrong_number_of_arguments_is_refused():
    with pytest.raises(TypeError):
        scaled(np.zeros(3), 1.0)


SCRIPT = """
import numpy as np
from tests.unit.translate.test_entry import {name}
print({name}(np.arange(4.0), {n}))
"""


@kernel
def element(x, k):
    return x[k]


@kernel
def window(x, k):
    return vector_view(x, k, 2)[0]


@pytest.mark.parametrize(
    ("name", "inside", "outside"), [("element", 3, 4), ("element", 0, -1), ("window", 2, 3)]
)
def test_bounds_are_looked_at_when_asked(name, inside, outside, monkeypatch):
    monkeypatch.setenv("DALEMBERT_BOUNDS", "1")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(p for p in sys.path if p))
    done = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT.format(name=name, n=n)],
            capture_output=True,
            text=True,
            check=False,
        )
        for n in (inside, outside)
    ]
    assert done[0].returncode == 0, done[0].stderr
    assert done[1].returncode != 0
    assert "index out of range in" in done[1].stdout
    assert "test_entry.py" in done[1].stdout


def test_an_array_that_is_gone_is_not_taken_for_none():
    x, out = np.arange(3.0), np.zeros(3)
    scaled(x, 2.0, out)
    del x
    gc.collect()
    with pytest.raises(TypeError, match="argument 1 is None"):
        scaled(None, 2.0, out)


@kernel
def weighted(pair, x, scale):
    (a, b), n = pair
    return scale * (a * x[0] + b * x[1]) + n


def test_tuples_are_passed_as_their_members():
    x = np.array([1.0, 2.0])
    for n in (3, 4):
        assert weighted(((0.5, 0.25), n), x, 2.0) == 2.0 + n
    with _jit.interpreted():
        assert weighted(((0.5, 0.25), 3), x, 2.0) == 5.0
