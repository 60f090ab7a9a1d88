"""Catalog models of bodies and joints, by interpreted evaluation: they close, and move as said."""

import numpy as np
import pytest

from dalembert import catalog
from dalembert.errors import ModelError
from dalembert.formulas.derivative import time_derivative
from dalembert.formulas.evaluate import evaluate
from dalembert.model.check.check import state
from dalembert.model.one_sided.rows import hard_only

pytestmark = pytest.mark.share(2)

# name, options -> rows, rank, degrees of freedom
MODELS = {
    "arm": ("arm", {}, 35, 35, 7),
    "bennett": ("bennett", {}, 20, 17, 1),
    "cardan-shaft": ("cardan-shaft", {}, 17, 17, 1),
    "cassie-leg": ("cassie-leg", {}, 60, 59, 7),
    "chain": ("chain", {}, 30, 30, 30),
    "chain of hinges": ("chain", {"count": 6, "joint": "hinge"}, 30, 30, 6),
    "ring": ("chain", {"count": 6, "closed": True, "rate": 1.0}, 21, 21, 15),
    # one plane loop: two angles of four are free; three rows repeat others
    "ring of hinges": ("chain", {"count": 4, "closed": True, "joint": "hinge"}, 25, 22, 2),
    "delta": ("delta", {}, 60, 60, 0),
    "delta on springs": ("delta", {"driven": False}, 57, 57, 3),
    "double-wishbone": ("double-wishbone", {}, 39, 39, 3),
    "dzhanibekov": ("dzhanibekov", {}, 0, 0, 6),
    "five-bar": ("five-bar", {}, 25, 22, 2),
    "four-bar-3d": ("four-bar-3d", {}, 20, 17, 1),
    "gear-train": ("gear-train", {}, 17, 17, 1),
    "governor": ("governor", {}, 20, 20, 4),
    "grid": ("grid", {}, 42, 42, 12),
    "flat grid": ("grid", {"bend": 0.0}, 42, 42, 12),
    "gripper": ("gripper", {}, 51, 45, 3),
    "gyroscope": ("gyroscope", {}, 15, 15, 3),
    "heavy-top": ("heavy-top", {}, 3, 3, 3),
    "humanoid": ("humanoid", {}, 132, 132, 18),
    "humanoid in flight": ("humanoid", {"stance": False}, 120, 120, 30),
    "jansen-leg": ("jansen-leg", {}, 51, 42, 0),
    "jansen-leg free": ("jansen-leg", {"driven": False}, 50, 41, 1),
    "n-four-bar-bodies": ("n-four-bar-bodies", {}, 35, 29, 1),
    "three four-bars": ("n-four-bar-bodies", {"count": 3}, 50, 41, 1),
    "quadruped": ("quadruped", {}, 72, 72, 6),
    "quadruped in flight": ("quadruped", {"stance": False}, 60, 60, 18),
    "rolling-coin": ("rolling-coin", {}, 3, 3, 3),
    "coin on a circle": ("rolling-coin", {"circle": 0.05}, 3, 3, 3),
    "slider-crank-bodies": ("slider-crank-bodies", {}, 20, 17, 1),
    "slider-crank unequal": ("slider-crank-bodies", {"l2": 1.5}, 20, 17, 1),
    "spatial-slider-crank": ("spatial-slider-crank", {}, 17, 17, 1),
    "stewart-platform": ("stewart-platform", {}, 72, 72, 6),
    "stewart-platform driven": ("stewart-platform", {"driven": True}, 78, 78, 0),
    "towing-tank-bodies": ("towing-tank-bodies", {}, 5, 5, 1),
}

CONSERVATIVE = {
    "bennett",
    "cardan-shaft",
    "chain",
    "dzhanibekov",
    "four-bar-3d",
    "gear-train",
    "grid",
    "gyroscope",
    "heavy-top",
    "n-four-bar-bodies",
    "rolling-coin",
    "spatial-slider-crank",
    "stewart-platform",
}

each_model = pytest.mark.parametrize("label", MODELS)


def load(label):
    name, options, *_ = MODELS[label]
    return catalog.load(name, **options)


def residuals(model):
    """All rows at the start, and their rates."""
    rows, rates = [], []
    for joint in model.joints.values():
        position, velocity = joint.formulas()
        rows += position
        rates += velocity
    for constraint in model.constraints:
        rows += constraint.rows
    values = state(model)
    found = evaluate([*rows, *time_derivative(rows), *rates], values)
    return np.abs([float(x) for x in found])


def test_every_model_of_bodies_is_here():
    here = {name for name, *_ in MODELS.values()}
    models = {name: catalog.load(name) for name in catalog.names()}
    # those that touch are in tests/golden, test_contact_scenes.py and test_catalog_events.py
    free = {n for n, m in models.items() if m.is_maximal and not m.has_contact and not hard_only(m)}
    assert here == free
    conserved = {name for name in here if catalog.load(name).conservative}
    assert conserved == CONSERVATIVE
    assert catalog.load("jansen-leg", driven=False).conservative
    for name in ("arm", "delta", "five-bar", "gripper", "humanoid", "quadruped"):
        assert catalog.load(name, driven=False).conservative, name
    assert catalog.load("cassie-leg", driven=False, damping=0.0).conservative
    assert catalog.load("slider-crank-bodies", torque=0.0, damping=0.0).conservative
    assert catalog.load("double-wishbone", steer=0.0, bump=0.0, damping=0.0).conservative


@each_model
def test_starts_on_its_constraints(label):
    model = load(label)
    found = residuals(model)
    speed = max(1.0, *(abs(x) for x in model.initial.values()))
    assert found.max(initial=0.0) <= 1e-15 * 10 * speed


@each_model
def test_degrees_of_freedom(label):
    *_, rows, rank, freedom = MODELS[label]
    model = load(label)
    found = model.check()
    assert model.row_count == rows
    assert found.rank == rank
    assert found.degrees_of_freedom == freedom
    assert len(found.mobility.redundant) == rows - rank
    assert not found.unconnected or label == "dzhanibekov" or "in flight" in label
    singular = [text for text in found if "singular position" in text]
    assert bool(singular) == (label == "flat grid")


@pytest.mark.parametrize(
    ("label", "changes"),
    [
        ("slider-crank-bodies", {"l1": 0.8, "l2": 1.3}),
        ("slider-crank-bodies", {"m": 3.0, "torque": 1.0}),
        ("n-four-bar-bodies", {"l": 0.7, "speed": 2.0}),
        ("four-bar-3d", {"rate": -5.0, "density": 0.5}),
        ("jansen-leg", {"rate": 7.0}),
        ("spatial-slider-crank", {"rate": -2.0, "flywheel": 0.0}),
        ("stewart-platform driven", {"rate": 0.5}),
        ("double-wishbone", {"speed": 30.0, "steer": 0.01}),
        ("ring", {"l": 0.3, "rate": 4.0}),
        ("bennett", {"rate": -3.0}),
        ("grid", {"size": 0.2}),
        ("cardan-shaft", {"l": 0.5, "rate": 20.0}),
        ("cassie-leg", {"rate": 9.0, "c": 3.0}),
        ("delta", {"rate": 9.0, "plate": 3.0}),
        ("gripper", {"density": 3.0, "k": 2.0}),
        ("gear-train", {"R": 0.5, "r": 0.2}),
        ("governor", {"tilt": 0.3, "rate": 1.0}),
        ("gyroscope", {"spin": 90.0, "arm": 0.3}),
        ("heavy-top", {"l": 0.4}),
        ("rolling-coin", {"r": 0.5, "spin": 1.0}),
        ("coin on a circle", {"r": 0.02, "circle": 0.5}),
        ("towing-tank-bodies", {"mount": 0.3, "amplitude": 0.1}),
    ],
)
def test_stays_closed_when_parameters_change(label, changes):
    model = load(label).with_parameters(**changes)
    speed = max(1.0, *(abs(x) for x in model.initial.values()))
    assert residuals(model).max() <= 1e-15 * 10 * speed


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("n-four-bar-bodies", {"count": 0}, "count is 0"),
        ("chain", {"count": 2.5}, "count is 2.5"),
        ("chain", {"count": 2, "closed": True}, "at least 3"),
        ("chain", {"joint": "glue"}, "'ball' or 'hinge'"),
        ("chain", {"joint": "hinge", "rate": 1.0}, "cannot turn about z"),
        ("grid", {"rows": True}, "rows is True"),
        ("four-bar-3d", {"rocker": 0.01}, "pins B and D are"),
        ("cardan-shaft", {"angle": 2.0}, "right angle"),
        ("bennett", {"twists": (0.5, 0.5)}, "two different twists"),
        ("rolling-coin", {"circle": -1.0}, "circle is -1"),
        ("five-bar", {"radius": 0.3}, "the pen is up to"),
        ("stewart-platform", {"driven": "no"}, "'driven' is 'no'. Give true or false"),
    ],
)
def test_impossible_options_are_refused_by_name(name, options, words):
    with pytest.raises(ModelError, match=name) as found:
        catalog.load(name, **options)
    assert words in str(found.value)
