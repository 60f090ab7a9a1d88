"""Kernels compiled apart: when they are first called, once, and as if they were not apart."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import numpy as np
import pytest

from dalembert import _jit
from dalembert._jit import apart, kernel
from dalembert._translate import separate, workers
from dalembert._translate.kinds import FLOAT, INTEGER, Array, UnsupportedError
from dalembert._translate.program import entry_program, part_program

pytestmark = pytest.mark.skipif(not _jit.COMPILED, reason="nothing is compiled")


@apart(int)
def rare(x, n):
    for i in range(n):
        x[i] += 1.0
    return n


@kernel
def often(x, n):
    return rare(x, n) if n > 2 else 0


def test_a_part_is_compiled_when_it_is_called():
    x = np.zeros(4)
    assert often(x, 2) == 0
    assert not any(door.startswith("part") for door in rare._found)
    assert often(x, 3) == 3
    assert "part double[1] i64" in rare._found
    assert often(x, 4) == 4
    np.testing.assert_array_equal(x, [2, 2, 2, 1])


def test_a_caller_knows_no_more_than_its_name():
    kinds = Array(FLOAT, 1), INTEGER
    assert "fadd" not in entry_program(often.function, kinds, checked=False)[0]
    assert "fadd" in part_program(rare.function, kinds, checked=False)


@apart(float)
def half(x):
    return 0.5 * x


@apart(bool)
def is_large(x):
    return x > 10.0


@apart(None)
def put(out, x):
    out[0] = x


@kernel
def all_kinds(x, out):
    y = half(x)
    put(out, y)
    return y if is_large(x) else -y


def test_what_parts_return():
    out = np.zeros(1)
    assert all_kinds(12.0, out) == 6.0
    assert out[0] == 6.0
    assert all_kinds(8.0, out) == -4.0


@apart(int)
def says_otherwise(x):
    return 0.5 * x


def test_a_part_returns_what_it_says():
    with pytest.raises(UnsupportedError, match="returns double, and says i64"):
        part_program(says_otherwise.function, (FLOAT,), checked=False)


@apart(float)
def with_a_part(x):
    return half(x) + 1.0


@kernel
def calls_twice(x):
    return with_a_part(x) + half(x)


def test_parts_have_parts():
    assert calls_twice(4.0) == 5.0


def test_a_kernel_without_a_name_is_copied():
    @apart(float)
    def inner(x):
        return 3.0 * x

    @kernel
    def outer(x):
        return inner(x)

    assert outer(2.0) == 6.0
    assert not inner._found


@apart(int)
def asked_by_many(x, k):
    return x[k] + 1


@kernel
def asks(x, k):
    return asked_by_many(x, k)


def test_many_threads_ask_for_one_part(monkeypatch):
    made = []
    load = _jit.objects.load

    def noted(folder, name, write):
        made.append(name)
        return load(folder, name, write)

    x = np.arange(64)
    monkeypatch.setattr(_jit.objects, "load", noted)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda k: asks(x, k), range(64))) == list(range(1, 65))
    assert len(made) == 2  # the caller and the part


def test_work_that_nobody_waits_for_is_left():
    done = []
    with contextlib.ExitStack() as turns:
        for _ in range(workers._cores()):
            turns.enter_context(workers._turns)
        workers.begin(lambda: done.append(1))
        workers.give_up()
    join()
    workers.begin(lambda: done.append(2))
    join()
    assert done == [2]


def join():
    for thread in threading.enumerate():
        if thread.name == "dalembert-compile":
            thread.join()


INTERRUPTED = """
import os, signal, threading, time
import numpy as np
from dalembert._translate import separate
from tests.unit.translate.test_separate import often

code_of = separate.code_of

def slowly(key):
    time.sleep(1.0)
    return code_of(key)

separate.code_of = slowly
# a process in the background may have been told to take no notice
signal.signal(signal.SIGINT, signal.default_int_handler)
x = np.zeros(3)
often(x, 0)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    often(x, 3)
    for _ in range(100):
        time.sleep(0.01)
except KeyboardInterrupt:
    print("interrupted", x.sum())
"""


def test_an_interruption_waits_for_the_part():
    done = run(INTERRUPTED)
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted 3.0\n", "")


def test_what_programs_ask_by_is_one_for_all_threads():
    """Two threads that load programs at once: the first one's must not lose what they call."""
    registered = []
    with mock.patch("llvmlite.binding.add_symbol", lambda name, place: registered.append(place)):
        for _ in range(2):
            separate.provide_symbols.__wrapped__()
    half = len(registered) // 2
    assert half >= 2
    assert registered[:half] == registered[half:]


BROKEN = """
import numpy as np
from dalembert._translate import separate
from tests.unit.translate.test_separate import often

def code_of(key):
    raise RuntimeError("no memory")

separate.code_of = code_of
often(np.zeros(3), 3)
print("on and on")
"""


def test_a_part_that_cannot_be_had_ends_the_process():
    done = run(BROKEN)
    assert done.returncode != 0
    assert done.stdout == ""
    assert "rare double[1] i64 cannot be compiled: RuntimeError('no memory')" in done.stderr


def run(program):
    path = os.pathsep.join(p for p in sys.path if p)
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )


def test_python_calls_a_part_by_the_code_that_kernels_call():
    """Its entry is a door to the part, not a second copy of it."""
    text, _ = entry_program(rare.function, (Array(FLOAT, 1), INTEGER), checked=False)
    assert separate.keys_in(text) == [separate.part_key(rare.function, (Array(FLOAT, 1), INTEGER))]
    assert "fadd" not in text
    x = np.zeros(4)
    assert rare(x, 3) == 3
    assert x.tolist() == [1.0, 1.0, 1.0, 0.0]
    assert any(door.startswith("part") for door in rare._found)
