"""Runs with contact give the same bits: twice, in other processes and threads, after other runs."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from tests.support.fingerprint import in_a_process

import dalembert as dl

SCENES = {
    # options, until, step, method; together boxes, balls, capsules, hinges, servos, restitution
    "stack": ({"count": 5}, 0.2, 5e-3, {}),
    "cards": ({"levels": 2}, 0.2, 5e-3, {}),
    "pile": ({"count": 30}, 0.4, 5e-3, {}),
    "boxes": ({"count": 6}, 0.4, 5e-3, {"order": 2}),
    "cradle": ({}, 0.2, 1e-3, {}),
    "chain-on-ground": ({"count": 8, "height": 0.1}, 0.4, 5e-3, {}),
    "falling-humanoid": ({}, 0.2, 2e-3, {"profile": "fast"}),
    "painleve-rod": ({}, 0.2, 1e-3, {"solver": "nsgs"}),
}


def fingerprint(solution):
    """Hash of the states, the multipliers, the contacts and what every step reports."""
    digest = hashlib.sha256()
    for name in ("t", "q", "v", "lam", "phi"):
        digest.update(np.ascontiguousarray(getattr(solution, name)).tobytes())
    for values in solution.solve_info.values():
        digest.update(np.ascontiguousarray(values).tobytes())
    for contact in solution.contacts():
        parts = (contact.point, contact.normal, contact.force, contact.torque, contact.gap)
        digest.update(b"".join(np.asarray(part, dtype=float).tobytes() for part in parts))
    return digest.hexdigest()


def run(name):
    options, until, step, method = SCENES[name]
    model = dl.catalog.load(name, **options)
    return fingerprint(
        dl.simulate(model, until=until, step=step, method=dl.ContactImpulse(**method))
    )


def runs(names=tuple(SCENES)):
    return {name: run(name) for name in names}


SCRIPT = """
import json, sys
from tests.determinism.test_contact_bits import SCENES, runs
names = list(SCENES)
json.dump(runs(names[::-1] if sys.argv[1] == "backwards" else names), sys.stdout)
"""


@pytest.fixture(scope="module")
def here():
    return runs()


def test_twice_in_one_process_in_another_order(here):
    assert runs(list(SCENES)[::-1]) == here


@pytest.mark.slow
@pytest.mark.parametrize(("threads", "order"), [("1", ""), ("2", "backwards"), ("4", "")])
def test_in_another_process_with_any_number_of_threads(here, threads, order):
    names = ("OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM")
    environment = {f"{name}_NUM_THREADS": threads for name in names}
    assert in_a_process(SCRIPT, order, PYTHONHASHSEED=threads, **environment) == here


def test_at_once_in_two_threads(here):
    with ThreadPoolExecutor(2) as pool:
        # two of the same model at a time, and different ones beside each other
        twice = [name for name in SCENES for _ in range(2)]
        found = list(pool.map(run, twice))
        assert dict(zip(twice[::2], found[::2], strict=True)) == here
        assert dict(zip(twice[1::2], found[1::2], strict=True)) == here


def test_one_model_in_two_threads():
    model = dl.catalog.load("stack", count=4)

    def once(_):
        return fingerprint(dl.simulate(model, until=0.2, step=5e-3))

    alone = once(0)
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(once, range(8))) == {alone}


def test_how_often_the_loop_returns_to_python_does_not_matter(here, monkeypatch):
    from dalembert.simulation.run import run as loop

    # one step at a time, and everything at once: the length of a chunk follows the clock
    for length in (1, 10**6):
        monkeypatch.setattr(loop, "_next_chunk", lambda steps, spent, length=length: length)
        assert run("cards") == here["cards"]
        assert run("pile") == here["pile"]


def test_growing_room_does_not_matter(here, monkeypatch):
    """A run that begins with no room for contacts makes it on the way, with the same result."""
    from dalembert.contact.run.tables import Room
    from dalembert.simulation.prepare import arrays

    usual = arrays.first_room

    def tight(tables):
        room = usual(tables)
        return Room(1, room.problem)

    monkeypatch.setattr(arrays, "first_room", tight)
    assert run("pile") == here["pile"]


def test_recording_less_changes_nothing():
    model = dl.catalog.load("pile", count=20)
    full = dl.simulate(model, until=0.4, step=5e-3)
    thin = dl.simulate(model, until=0.4, step=5e-3, every=10)
    assert np.array_equal(full.q[::10], thin.q)
    assert thin.statistics["contact"] == full.statistics["contact"]
