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
from tests.support.random_events import FAMILIES, LAWS, random_events

import dalembert as dl

pytestmark = pytest.mark.xdist_group("contact")

COUNT, EACH = 60, 10


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, COUNT, EACH))
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


def thing(model, name, shape, size, *, mass=1.0, **placed):
    """A body with one shape and the inertia of a box."""
    body = model.add_body(name, dl.Inertia.box(mass, size=size), **placed)
    model.add_shape(shape, on=body, material=dl.Material(friction=0.5))
    return body


def test_a_cylinder_stands_on_a_box():
    """Features of these have numbers beyond 2^53, which a float does not hold."""
    model = dl.Model("tower")
    model.add_shape(dl.Plane(), material=dl.Material(friction=0.5))
    thing(model, "box", dl.Box((0.1, 0.1, 0.1)), (0.1, 0.1, 0.1), position=(0, 0, 0.05))
    placed = {"position": (0, 0, 0.15)}
    thing(model, "can", dl.Cylinder(0.03, 0.1, "z"), (0.06, 0.06, 0.1), **placed)
    solution = dl.simulate(model, until=0.2, progress=False)
    assert {entry.kind for entry in solution.log} == {"stick"}
    np.testing.assert_allclose(solution["can.z"], 0.15, atol=1e-12)


def test_sliding_that_begins_with_no_acceleration_takes_few_steps():
    """The tip of a rod breaks loose: its direction of sliding is that of rounding at first."""
    solution = dl.simulate(dl.catalog.load("painleve-rod"), until=0.9, progress=False)
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


def test_a_joint_that_cannot_move_has_no_events():
    """Dry friction in a linkage that lies against a stop: its speed is zero to rounding."""
    model = dl.Model("crank")
    crank = model.add_body("crank", dl.Inertia.box(1.0, size=(0.3, 0.03, 0.03)))
    hinge = model.add_joint(dl.Revolute(model.world, crank.at(x=-0.15), axis="y", name="hinge"))
    model.add_force(dl.JointFriction(hinge, dry=0.05))
    model.keep(crank.at(x=0.15).position[2] + 0.1 >= 0, name="anvil")
    solution = dl.simulate(model, until=0.6, progress=False)
    kinds = [entry.kind for entry in solution.log]
    assert "stepping" not in kinds and kinds.count("impact") == 1
    assert len(kinds) <= 6


def test_a_box_that_rattles_on_its_corners_comes_to_rest():
    """Restitution at four corners: impacts below rounding are none, and have their end."""
    model = dl.Model("box")
    bouncy = dl.Material(friction=0.5, restitution=0.6)
    model.add_shape(dl.Plane(), material=bouncy)
    box = model.add_body(
        "box",
        dl.Inertia.box(1.0, size=(0.1, 0.08, 0.06)),
        position=(0, 0, 0.05),
        rotation=((0, 1, 0), 0.02),
        velocity=(0.2, 0.1, 0.0),
    )
    model.add_shape(dl.Box((0.1, 0.08, 0.06)), on=box, material=bouncy)
    solution = dl.simulate(model, until=1.0, progress=False)
    assert not any(entry.kind == "stepping" for entry in solution.log)
    assert np.abs(solution.v[-1]).max() < 1e-9
    assert [e.t for e in solution.log] == sorted(e.t for e in solution.log)
