"""What the translator does not know is refused with its place; arrays are copied where needed."""

from __future__ import annotations

import functools
import importlib
import os
import pkgutil
import subprocess
import sys

import numpy as np
import pytest

import dalembert as dl
from dalembert import _jit
from dalembert._jit import kernel
from dalembert._signature import SIZES_LENGTH
from dalembert._translate import separate
from dalembert._translate.cache import KERNEL_FOLDERS
from dalembert._translate.kinds import FLOAT, INTEGER, Array, UnsupportedError, kind_named
from dalembert._translate.program import border_program, entry_program, part_program
from dalembert.integration import loop
from dalembert.numerics.ldl import ldl_forward

pytestmark = pytest.mark.skipif(not _jit.COMPILED, reason="nothing is compiled")

VECTOR = Array(FLOAT, 1)


def comprehends(x):
    return [2.0 * y for y in x]


def names_a_text(x):
    return "three"


def calls_what_is_no_kernel(x):
    return np.cross(x, x)


def calls_itself(x):
    return again(x)


again = kernel(calls_itself)


def mixes(x):
    y = x
    y = 1.0
    return y


def returns_sometimes(x):
    if x[0] > 0.0:
        return 1


def unknown(x):
    return unheard_of  # noqa: F821


def loops_over_elements(x):
    total = 0.0
    for y in x:
        total += y
    return total


def has_default(x, n=3):
    return n


def indexes_by_float(x):
    return x[0.5]


def too_many_indices(x):
    return x[0, 0]


def assigns_nothing(x):
    y = nothing(x)
    return y


@kernel
def nothing(x):
    x[0] = 1.0


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (comprehends, "ListComp"),
        (names_a_text, "'three'"),
        (calls_what_is_no_kernel, "np.cross"),
        (calls_itself, "calls itself"),
        (mixes, "both"),
        (returns_sometimes, "in some cases"),
        (unknown, "'unheard_of' is not defined"),
        (loops_over_elements, "range"),
        (has_default, "arguments"),
        (indexes_by_float, "integer"),
        (too_many_indices, "2 indices"),
        (assigns_nothing, "has none"),
    ],
)
def test_the_reason_is_told(function, reason):
    with pytest.raises(UnsupportedError, match=reason):
        entry_program(function, (VECTOR,), checked=False)


def test_the_place_is_told():
    with pytest.raises(UnsupportedError, match=r"comprehends \(.*test_beyond.py:\d+\)"):
        entry_program(comprehends, (VECTOR,), checked=False)


def test_a_border_returns_a_status():
    def no_status(work, sizes):
        return 1.5

    with pytest.raises(UnsupportedError, match="not a status"):
        border_program(no_status, (), frozenset(), {"work": 0, "sizes": 1}, checked=False)


@kernel
def total(x):
    return np.sum(x)


def test_what_is_beyond_it_is_refused_with_the_line():
    with pytest.raises(UnsupportedError, match=r"total \(.*test_beyond.py:\d+\): .*np.sum"):
        total(np.arange(4.0))


@kernel
def last(x):
    return x[x.shape[0] - 1]


@kernel
def double(x, n):
    for i in range(x.shape[0]):
        x[i] *= n
    return x[0]


@pytest.mark.parametrize(
    "x", [np.arange(6.0)[::2], np.arange(3, dtype=np.int32), np.arange(3, dtype=np.float32)]
)
def test_arrays_that_are_not_packed_are_copied_and_written_back(x):
    assert last(x) == x[-1]
    before = x.copy()
    assert double(x, 2) == 2 * before[0]
    assert np.array_equal(x, 2 * before)
    assert last(np.broadcast_to(3.0, 4)) == 3.0


@pytest.mark.parametrize("x", ["text", np.zeros((2, 2, 2)), np.zeros(2, dtype=complex), None])
def test_what_is_no_number_is_refused_by_its_place(x):
    with pytest.raises(TypeError, match="last: argument 1 is"):
        last(x)


# -- the package itself ----------------------------------------------------------------------------


def borders():
    """Every border of the package."""
    for folder in KERNEL_FOLDERS:
        package = importlib.import_module(f"dalembert.{folder}")
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(info.name)
            for name, thing in vars(module).items():
                if isinstance(thing, _jit.Border) and thing.function.__module__ == info.name:
                    yield pytest.param(thing, id=f"{info.name.removeprefix('dalembert.')}.{name}")


@pytest.mark.parametrize("border", list(borders()))
@pytest.mark.parametrize("checked", [False, True], ids=["plain", "checked"])
def test_every_border_is_translated(border, checked):
    given = border.signature
    lengths = {"work": 0, "sizes": SIZES_LENGTH, **given.lengths}
    program = border_program(
        border.function, given.arguments, given.SCALARS, lengths, checked=checked
    )
    assert "define" in program
    translate_parts(program, checked)


@functools.cache
def translate_part(key, checked):
    """A part of the package, and those that it calls."""
    kernel, kinds = separate.named(key)
    translate_parts(part_program(kernel.function, kinds, checked=checked), checked)


def translate_parts(program, checked):
    for key in separate.keys_in(program):
        translate_part(key, checked)


def test_the_loop_is_compiled_ahead_for_what_it_is_given():
    dl.simulate(dl.catalog.load("pendulum"), until=0.1, step=1e-2)
    kinds = [str(kind_named(text)) for text in loop.CHUNK_KINDS.split()]
    assert list(loop.run_chunk._found) == [" ".join(["entry", *kinds])]


def test_an_unknown_way_to_run_kernels_is_refused():
    told = subprocess.run(
        [sys.executable, "-c", "import dalembert._jit"],
        env={**os.environ, "DALEMBERT_JIT": "numba"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode != 0
    assert "DALEMBERT_JIT=numba: is unknown. Set it to 0" in told.stderr


def test_a_file_may_change_after_it_was_loaded(tmp_path, monkeypatch):
    """The function in memory is compiled, not what its file says by then."""
    file = tmp_path / "changing.py"
    file.write_text("from dalembert._jit import kernel\n@kernel\ndef f(x):\n    return x + 1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("changing")
    file.write_text("from dalembert._jit import kernel\n@kernel\ndef f(x):\n    return x + 2.0\n")
    assert module.f(1.0) == 2.0


def test_code_is_known_by_its_text_once_sources_have_changed(monkeypatch):
    """Under the name alone, the next process would be given code of another text."""
    asked = []
    monkeypatch.setattr(_jit.objects, "load", lambda folder, name, write: asked.append(name))
    for changed in (False, True):
        monkeypatch.setattr(_jit, "sources_changed", lambda answer=changed: answer)
        monkeypatch.setattr(ldl_forward, "_found", {})
        ldl_forward._load((INTEGER, Array(FLOAT, 2), VECTOR))
    assert asked[0].startswith("dalembert.numerics.ldl.ldl_forward entry i64 double[2] double[1]")
    assert asked[1] is None


def test_kinds_are_told_in_words():
    assert str(Array(INTEGER, 2)) == "i64[2]"
