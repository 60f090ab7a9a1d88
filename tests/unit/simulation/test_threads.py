"""Runs of one model in several threads share its equations, and nothing that one changes."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest

import dalembert as dl
from dalembert._once import once, once_property
from dalembert.simulation.prepare.specialise import specialise
from dalembert.system.build import build
from dalembert.system.state_layout import State


def test_constants_of_later_functions_are_not_written_into_earlier_arrays():
    """Another thread may compile between `open` and `prepare` of this one."""
    x, y = dl.coordinates("x_of_threads y_of_threads")  # equations that nobody has compiled yet
    g, l, m = dl.parameters(g=9.81, l=1.0, m=1.0)
    model = dl.Model.from_lagrangian(
        kinetic=m * (x.dot**2 + y.dot**2) / 2,
        potential=m * g * y,
        constraints=[x**2 + y**2 - l**2],
    )
    system = build(model)
    values = [model.parameters[name] for name in system.parameter_names]
    (work, sizes), _ = system.open(values)
    specialise(system, dl.Projection())
    assert system.constants_count > len(State(work, sizes).constants)
    wide = np.full(len(work) + 100, 7.0)
    wide[: len(work)] = work
    mine = wide[: len(work)]
    before = wide.copy()
    State(before[: len(work)], sizes).constants[:] = 0.0
    system.prepare(State(mine, sizes))
    assert State(mine, sizes).constants.any()
    State(mine, sizes).constants[:] = 0.0
    assert np.array_equal(wide, before)


class Code:
    """Stands for machine code: freed when nobody has it."""


def asked_by_two(ask):
    """What two threads get that ask for the same thing at once."""
    got = [None, None]

    def run(k):
        got[k] = ask()

    threads = [threading.Thread(target=run, args=(k,)) for k in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return got


def test_the_first_thing_made_stays_whoever_else_makes_it():
    """Its address may stand in an array already."""
    both = threading.Barrier(2)
    freed = []

    def make():
        both.wait(10.0)  # nobody has one before both are at it
        code = Code()
        weakref.finalize(code, freed.append, 1)
        return code

    class Owner:
        code = once_property(lambda self: make())

    owner = Owner()
    ways = [once(make), lambda: owner.code]
    for ask in ways:
        first, second = asked_by_two(ask)
        assert first is second is ask()
        kept = weakref.ref(first)
        del first, second
        gc.collect()
        assert kept() is ask()
    assert freed == [1, 1]  # the other one of each, alone


@pytest.mark.parametrize("room", ["system", "mechanics", "contact", "collision", "_jit.py"])
def test_owners_of_machine_code_are_never_replaced(room):
    place = Path(dl.__file__).parent / room
    for file in [place] if place.is_file() else place.rglob("*.py"):
        found = re.findall(r"@(?:functools\.)?(?:cache|cached_property)\b", file.read_text())
        assert not found or file.name in ("delassus_problem.py", "pieces.py"), file


COLD = """
import sys, threading
sys.setswitchinterval(1e-5)
import dalembert as dl

name = sys.argv[1]
model = dl.catalog.load(name)
(key,) = list(model.parameters)[:1]
gate = threading.Barrier(4)
found = {}


def run(i):
    gate.wait()
    for k in range(3):
        value = model.parameters[key] * (1 + 1e-3 * (4 * k + i))
        one = dl.simulate(model, until=0.02, step=1e-3, parameters={key: value}, progress=False)
        found[4 * k + i] = one.q.tobytes() + bytes(one.verdict.word, "ascii")


threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
from dalembert.simulation.prepare.prepare import forget

forget()
for j in range(12):
    value = model.parameters[key] * (1 + 1e-3 * j)
    one = dl.simulate(model, until=0.02, step=1e-3, parameters={key: value}, progress=False)
    assert found[j] == one.q.tobytes() + bytes(one.verdict.word, "ascii"), j
"""


@pytest.mark.parametrize("name", ["pendulum", "slider-crank", "four-bar-3d"])
def test_threads_that_begin_together_in_a_new_program_find_the_same_bits(name):
    done = subprocess.run(
        [sys.executable, "-c", COLD, name], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
