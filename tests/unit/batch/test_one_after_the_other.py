"""Worlds in the general form begin in arrays of another: without what no step looks back at."""

import numpy as np
import pytest

import dalembert as dl
from dalembert.batch import core
from dalembert.contact.run.run_layout import ContactRun
from dalembert.simulation.prepare.contacts import part_of


def test_problem_and_log_are_left_where_they_are(monkeypatch):
    seen = []
    finish = core.Core.finish

    def finished(self, *rest):
        finish(self, *rest)
        seen.append(self._general)

    monkeypatch.setattr(core.Core, "finish", finished)
    dl.rollout(dl.catalog.load("stack"), worlds=2, step=1e-3, steps=3, threads=1)
    opened, parts = seen[0].opened, seen[0].parts
    run = ContactRun(*reversed(part_of(opened.state)))
    holes = ((run.problem_numbers, run.contact_log, run.step_log), (run.problem_integers,))
    for array, own, left in zip(opened.state, parts, holes, strict=True):
        kept = np.zeros(len(array), dtype=bool)
        for first, end in own.reshape(-1, 2):
            assert not kept[first:end].any()
            kept[first:end] = True
        assert kept.sum() == len(array) - sum(map(len, left))
        for hole in left:
            first = (hole.ctypes.data - array.ctypes.data) // array.itemsize
            assert not kept[first : first + len(hole)].any()


def test_without_contact_a_run_is_taken_whole():
    model = dl.catalog.load("slider-crank-bodies")
    found = dl.rollout(model, worlds=2, step=1e-3, steps=3, engine="general")
    assert np.array_equal(found.data[0], found.data[1])


@pytest.mark.parametrize("name", ["chain-on-ground", "stack"])
def test_a_world_has_its_own_bits_whoever_was_before_it(name):
    model = dl.catalog.load(name)
    options = {"step": 2e-3, "steps": 60, "threads": 1}
    first = dl.rollout(model, worlds=1, steps=1, step=2e-3)
    q = np.repeat(first.q[:, 0], 3, axis=0)
    v = 0.3 * np.random.default_rng(3).uniform(-1, 1, (3, first.v.shape[2]))
    together = dl.rollout(model, (q, v), **options).data
    for k in range(3):
        alone = dl.rollout(model, (q[k : k + 1], v[k : k + 1]), **options).data[0]
        assert np.array_equal(alone, together[k])
