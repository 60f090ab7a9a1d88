"""Machine code that comes with the package: used where it fits, left where it does not."""

from __future__ import annotations

import functools
import gc
import json
import math

import numpy as np
import pytest

import dalembert as dl
from dalembert._jit import kernel
from dalembert._translate import objects, ship, shipped
from dalembert._translate.kinds import FLOAT
from dalembert._translate.processor import processor
from dalembert._translate.program import entry_program
from dalembert.formulas import llvm

NAME = "dalembert.somewhere.hypotenuse entry double double"


@kernel
def hypotenuse(x, y):
    return math.sqrt(x * x + y * y)


def written():
    program, results = entry_program(hypotenuse.function, (FLOAT, FLOAT), checked=False)
    return program, " ".join(results)


MAKE = functools.partial(objects._noted, *written())


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A file with one program; nothing of another test is remembered."""
    levels = shipped.LEVELS[processor()[1].split("-")[0]]
    level = list(levels)[-1]
    path = ship.write(tmp_path / "code", processor()[1], level, {NAME: MAKE})
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "code")
    shipped._index.cache_clear()
    yield path
    shipped._index.cache_clear()


def never(*_):
    raise AssertionError("it was compiled")


def test_nothing_is_compiled_that_came_with_the_package(made, tmp_path):
    loaded = objects.load(tmp_path, NAME, never)
    assert loaded.address
    assert loaded.note == written()[1]
    assert not list(tmp_path.glob("*.o"))  # and nothing is kept a second time


def test_a_program_that_did_not_come_is_compiled_and_collected(made, tmp_path):
    with ship.collected() as programs:
        assert objects.load(tmp_path, "dalembert.other entry", written).address
    assert list(programs) == ["dalembert.other entry"]
    assert len(list(tmp_path.glob("*.o"))) == 1


def test_formulas_come_with_the_package_by_their_text(made, monkeypatch):
    (x,) = dl.parameters(x=2.0)
    monkeypatch.setattr(llvm, "recall", lambda *_: None)  # an empty cache
    monkeypatch.setattr(llvm, "remember_bounded", lambda *_: None)
    with ship.collected() as programs:
        one = llvm.compile_function("f", ["p", "y"], [("y", 0, x**3)], {x: ("p", 0)})
    assert len(programs) == 1
    machine, level = processor()[1], made.stem.removeprefix("x86_64-linux-")
    ship.write(made.parent, machine, level, programs)
    shipped._index.cache_clear()
    del one
    gc.collect()
    monkeypatch.setattr(llvm, "_translate", never)
    y, p = np.zeros(1), np.array([2.0])
    llvm.compile_function("f", ["p", "y"], [("y", 0, x**3)], {x: ("p", 0)})(p=p, y=y)
    assert y[0] == 8.0


def changed(path, **told):
    head, line, rest = path.read_bytes().split(b"\n", 2)
    path.write_bytes(b"\n".join([head, json.dumps(json.loads(line) | told).encode(), rest]))


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: changed(path, sources="0" * 16),
        lambda path: changed(path, programs={NAME: [0, 10**9, "0" * 64]}),
        lambda path: changed(path, programs=None),
        lambda path: path.write_bytes(path.read_bytes()[:-20]),
        lambda path: path.write_bytes(b"another file\n" + path.read_bytes()),
        lambda path: path.write_bytes(shipped.HEAD + b"{not JSON\n"),
        lambda path: path.unlink(),
    ],
)
def test_code_of_other_sources_or_damaged_is_as_good_as_none(made, tmp_path, damage):
    damage(made)
    with ship.collected() as programs:
        assert objects.load(tmp_path, NAME, written).address
    assert NAME in programs


def test_the_fastest_kind_that_the_processor_is(made, monkeypatch):
    machine, version = "x86_64-unknown-linux-gnu", "0"
    for level in shipped.LEVELS["x86_64"]:
        ship.write(made.parent, machine, level, {})
    old = ",".join(f"+{each}" for each in shipped.LEVELS["x86_64"]["x86-64-v2"].split())
    for features, level in ((old + ",-avx2", "x86-64-v2"), ("-avx2", None)):
        monkeypatch.setattr(
            shipped, "processor", lambda told=features: (version, machine, "any", told)
        )
        shipped._index.cache_clear()
        found = shipped._index()
        assert (found and found.path.name) == (level and f"x86_64-linux-{level}.bin")
