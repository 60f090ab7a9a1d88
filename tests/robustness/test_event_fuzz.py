"""Random scenes with located events keep to the laws, however they are run.

Each is judged by `tests.event_fuzz`. Here are a few dozen; with DALEMBERT_FUZZ=1000 so many, in
processes of their own that may not hang.
"""

import os

import numpy as np
import pytest
from tests import event_fuzz
from tests.event_fuzz import Verdict, judge
from tests.support import fuzz_driver
from tests.support.of_the_day import of_the_day
from tests.support.random_events import FAMILIES, LAWS, random_events

import dalembert as dl

COUNT, EACH = 60, 10


@pytest.mark.slow
@pytest.mark.parametrize("first", of_the_day(range(0, COUNT, EACH), 4))
def test_scenes(first):
    found = [judge(seed) for seed in range(first, first + EACH)]
    assert [f"{v.seed}: {v.complaints}" for v in found if v.complaints] == []
    assert sum(v.runs for v in found) >= EACH
    assert sum(v.fallbacks for v in found) <= 1


def test_there_is_some_of_everything():
    scenes = [random_events(seed) for seed in range(COUNT)]
    assert {scene.family for scene in scenes} == set(FAMILIES)
    assert {scene.law for scene in scenes} == set(LAWS)
    assert {0.0, 1.0} < {scene.e for scene in scenes}
    assert sum(scene.mu > 0.0 for scene in scenes) > COUNT // 3


def test_the_judge_sees_what_is_wrong(monkeypatch):
    """Runs that differ, gain energy or pull are noticed: here by bounds that nothing meets."""
    monkeypatch.setattr(event_fuzz, "DEPTH", -1.0)
    assert any("depth" in text for text in judge(4).complaints)


@pytest.mark.slow
@pytest.mark.skipif("DALEMBERT_FUZZ" not in os.environ, reason="DALEMBERT_FUZZ says how many")
def test_many_scenes():
    count = int(os.environ["DALEMBERT_FUZZ"])
    found = fuzz_driver.many("tests.event_fuzz", Verdict, 0, count)
    assert [f"{v.seed}: {v.complaints}" for v in found if v.complaints] == []


# -- what was wrong once ---------------------------------------------------------------------------

FOUND = {
    163: "numbers of features beyond 2^53, which a float does not hold: no convergence",
    193: "the same, and a box with a can on it that never came to rest",
    133: "a ball on a box: sliding that began in the direction of rounding",
    29: "dry friction in a linkage that cannot move: events of rounding",
    199: "the same, against another stop",
    197: "a box that rattles on its corners, and then comes ever nearer to sliding on its belt",
    245: "a joint at rest on its stop with dry friction: both hold it, in turns",
    30025: "the same, with other limits",
    9300001: "the end depended on the moments that were asked for, 1e-10: forces of a look went on",
    99712010: "the same with every=, 4e-16",
}
"""Scenes that were wrong, ended with an error, or went on with steps of impulses."""


@pytest.mark.parametrize("seed", FOUND)
def test_scenes_that_were_wrong(seed):
    found = judge(seed)
    assert found.complaints == []
    assert found.fallbacks == 0


def thing(model, name, shape, size, *, mass=1.0, **placed):
    """A body with one shape and the inertia of a box."""
    body = model.add_body(name, dl.Inertia.box(mass, size=size), **placed)
    model.add_shape(shape, on=body, material=dl.Material(friction=0.5))
    return body


def test_sliding_that_begins_with_no_acceleration_takes_few_steps():
    """The tip of a rod breaks loose: its direction of sliding is that of rounding at first."""
    solution = dl.simulate(dl.catalog.load("painleve-rod"), until=1.0, progress=False)
    slip = next(entry.t for entry in solution.log if entry.kind == "slip")
    assert slip == pytest.approx(0.64844634, abs=1e-7)
    assert solution.statistics["steps"] < 1000


def test_what_lies_apart_does_not_begin_to_slide():
    """A capsule at rest on two points is none of the business of another that breaks loose."""
    model = dl.Model("two")
    model.add_shape(dl.Plane(), material=dl.Material(friction=0.2))
    rod = dl.Capsule(0.02, 0.1, "x")
    size = (0.14, 0.04, 0.04)
    thing(model, "lies", rod, size, position=(0.0, 0.0, 0.02))
    lean = 0.9
    tall = 0.05 * np.sin(lean) + 0.02
    turned = dl.Rotation.about((0, 1, 0), -lean)
    thing(model, "leans", rod, size, position=(0.5, 0.0, tall), rotation=turned)
    solution = dl.simulate(model, until=0.3, progress=False)
    assert any(entry.kind == "slip" and "leans" in entry.contact for entry in solution.log)
    told = [entry.kind for entry in solution.log if "lies" in entry.contact]
    assert told == ["stick", "stick"]


def test_a_run_that_steps_from_its_start_has_no_phases():
    """Two balls in each other: the first steps were those of phases, and ended in an error."""
    for seed in (20106, 20136, 20926, 264):
        scene = random_events(seed)
        solution = dl.simulate(scene.model, until=scene.until, progress=False)
        assert [entry.kind for entry in solution.log] == ["stepping"]
        assert solution.log[0].t == 0.0


def test_samples_leave_contacts_alone():
    """Contacts that had opened stayed in the phase where samples were asked for in every step."""
    scene = random_events(20876)
    runs = [
        dl.simulate(
            random_events(20876).model,
            until=scene.until,
            times=np.linspace(0.0, scene.until, count),
            progress=False,
        )
        for count in (7, 61)
    ]
    assert [entry.kind for entry in runs[0].log] == [entry.kind for entry in runs[1].log]
    assert np.abs(runs[0].q - runs[1].q[::10]).max() < 1e-13


def test_contacts_that_opened_are_not_struck():
    """A box was pushed 1.3e-5 m into its floor by closing a corner 5e-5 m above it."""
    scene = random_events(140)
    method = event_fuzz.method_of(scene)
    solution = dl.simulate(scene.model, until=scene.until, method=method, progress=False)
    assert not any(entry.kind == "stepping" for entry in solution.log)
    for t in solution.t:
        assert all(one.gap > -1e-10 for one in solution.contacts(float(t)))
