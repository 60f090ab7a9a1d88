"""What a page carries of a run, and how much room it takes."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d

import dalembert as dl
from dalembert.scene import Motion, Scene, SceneBody, ScenePoint, Shape, Signal, follow
from dalembert.viewer.contents import COARSER, PLACE, contents, of_scene
from dalembert.viewer.fixed_points import attached


@pytest.fixture(scope="module")
def linkage():
    return dl.simulate(dl.catalog.load("four-bar-3d"), until=0.5, step=1e-3)


def wild(bodies, frames):
    """Bodies thrown about by band-limited noise: no order of differences foresees it."""
    noise = np.random.default_rng(7).normal(size=(frames, 7 * bodies)).astype(np.float32)
    smooth = gaussian_filter1d(noise, 3.0, axis=0).astype(float).reshape(frames, bodies, 7)
    smooth /= np.std(smooth)
    turned = smooth[..., 3:] + np.array([2.0, 0.0, 0.0, 0.0])
    turned /= np.linalg.norm(turned, axis=2, keepdims=True)
    box = Shape("box", (0.5, 0.1, 0.1))
    parts = tuple(SceneBody(f"body{b}", (box,), "#336699") for b in range(bodies))
    scene = Scene("wild", bodies=parts, size=float(np.ptp(smooth[..., :3])))
    none = np.zeros((frames, 0, 3))
    t = np.arange(frames) / 60.0
    return scene, Motion(t, smooth[..., :3], turned, none, none, none, np.zeros((frames, 0)))


@pytest.mark.slow
def test_ten_wild_minutes_of_forty_bodies_stay_below_20_megabytes():
    scene, motion = wild(40, 36000)
    made = of_scene(scene, motion, label="wild")
    assert len(made["data"]) < 19e6  # and the player itself takes less than 1 MB
    assert PLACE * scene.size < made["precision"] <= PLACE * COARSER[-1] * scene.size


def test_a_short_run_is_carried_finely(linkage):
    made = contents(linkage, label="four-bar", fps=60)
    assert made["precision"] == pytest.approx(PLACE * made["scene"]["size"])


def test_points_on_bodies_are_not_carried():
    solution = dl.simulate(dl.catalog.load("chain", count=3), until=0.5, step=1e-2)
    scene, motion = follow(solution)
    named = attached(scene, motion)
    assert all(point.body is not None for point in named.points)
    for i, point in enumerate(named.points):
        if point.body == -1:
            assert np.ptp(motion.points[:, i], axis=0).max() < 1e-9 * scene.size
            assert point.offset == pytest.approx(motion.points[0, i], abs=1e-9 * scene.size)
        else:
            far = np.linalg.norm(motion.points[:, i] - motion.positions[:, point.body], axis=1)
            assert far == pytest.approx(np.linalg.norm(point.offset), abs=1e-9 * scene.size)


def test_a_point_that_moves_in_every_body_stays_free():
    scene, motion = wild(2, 50)
    points = (motion.positions[:, 0] + motion.positions[:, 1])[:, None] / 2
    scene = replace(scene, points=(ScenePoint("between"),))
    found = attached(scene, replace(motion, points=points))
    assert found.points[0].body is None


def test_of_a_failed_run_the_part_before_it_explodes_is_shown():
    model = dl.catalog.load("four-bars")
    lost = dl.simulate(model, until=20.0, step=1e-3, method=dl.UdwadiaKalaba(), on_failure="return")
    assert lost.status.failed
    made = contents(lost, label="lost", fps=60)
    assert made["scene"]["size"] < 10.0
    assert 2.0 < made["arrays"]["t"]["frames"] / 60 < lost.t[-1] + 0.1
    assert any("flies apart" in note for note in made["scene"]["notes"])


def test_curves_without_value_are_marked():
    scene, motion = wild(1, 6)
    nan = float("nan")
    values = np.array([[1.0, 0.0], [nan, 1e-3], [nan, nan], [2.0, 1e-6], [3.0, 1e-9], [nan, 1.0]])
    signals = (Signal("a", "J", "energy"), Signal("b", "", "drift", log=True))
    made = of_scene(replace(scene, signals=signals), replace(motion, values=values), label="x")
    a, b = made["scene"]["signals"]
    assert a["missing"] == [[1, 3], [5, 6]]
    assert b["missing"] == [[2, 3]]


def test_nothing_finite_is_refused():
    scene, motion = wild(1, 3)
    lost = replace(motion, positions=np.full_like(motion.positions, np.nan))
    with pytest.raises(dl.errors.OptionError, match="nothing to show"):
        of_scene(scene, lost, label="x")
