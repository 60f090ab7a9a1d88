"""Arrows, curves and trails along a run."""

import dataclasses

import numpy as np
import pytest
from tests.support.synthetic import turning

import dalembert as dl
from dalembert.errors import OptionError
from dalembert.scene import follow
from dalembert.scene.signals import TINY, highest


@pytest.fixture(scope="module")
def swing():
    """A rod on a hinge with a motor, a push and a rope's force: reactions known."""
    model = dl.Model("swing")
    rod = model.add_body("rod", dl.Inertia.rod(mass=2.0, length=1.0))
    rod.at(x=0.5, name="tip")
    hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    model.add_force(dl.Force(rod.at(x=0.5), value=(0, 0, 3 * dl.time), name="push"))
    model.add_force(dl.Torque(rod, about="y", value=0.5, name="twist"))
    model.add_point("tip", rod.at(x=0.5))
    return dl.simulate(model, until=1.0, step=1e-2), hinge


def arrow(scene, motion, name, kind):
    names = [(a.name, a.kind) for a in scene.arrows]
    k = names.index((name, kind))
    return scene.arrows[k], motion.tails[:, k], motion.vectors[:, k]


def test_reactions_are_those_of_the_solution(swing):
    solution, hinge = swing
    scene, motion = follow(solution, times=solution.t)
    drawn, tails, vectors = arrow(scene, motion, "hinge", "reaction")
    np.testing.assert_allclose(vectors, solution.reaction(hinge).force, rtol=0, atol=1e-12)
    assert np.abs(tails).max() < 1e-12  # the hinge is at the origin
    assert (drawn.unit, drawn.body, drawn.offset) == ("N", 0, (-0.5, 0.0, 0.0))


def test_applied_forces_and_torques_act_at_their_places(swing):
    solution, _ = swing
    scene, motion = follow(solution, times=solution.t)
    _, tails, vectors = arrow(scene, motion, "push", "force")
    np.testing.assert_allclose(vectors[:, 2], 3 * solution.t, atol=1e-12)
    tip = solution.trajectory.place(solution.model.bodies["rod"].at(x=0.5))[0]
    np.testing.assert_allclose(tails, tip, atol=1e-12)
    drawn, _, vectors = arrow(scene, motion, "twist", "torque")
    assert drawn.unit == "N m"
    np.testing.assert_allclose(vectors[:, 1], 0.5, atol=1e-12)


def test_one_scale_for_all_arrows_of_a_unit_and_none_fills_the_picture(swing):
    scene, motion = follow(swing[0])
    for unit in ("N", "N m"):
        mine = [k for k, drawn in enumerate(scene.arrows) if drawn.unit == unit]
        (scale,) = {scene.arrows[k].scale for k in mine}
        longest = np.linalg.norm(motion.vectors[:, mine], axis=2).max() * scale
        assert 0.1 * scene.size < longest < 0.6 * scene.size


def test_without_reactions_there_are_only_applied_forces(swing):
    scene, motion = follow(swing[0], reactions=False)
    assert {drawn.kind for drawn in scene.arrows} == {"force", "torque"}
    assert motion.vectors.shape[1] == len(scene.arrows)
    assert not any(signal.group == "reaction" for signal in scene.signals)


def test_the_force_of_a_formula_constraint_acts_on_its_point():
    solution = dl.simulate(dl.catalog.load("pendulum"), until=1.0, step=1e-2)
    scene, motion = follow(solution, times=solution.t)
    _, tails, vectors = arrow(scene, motion, "bar on mass", "reaction")
    np.testing.assert_allclose(tails[:, :2], solution.q, atol=1e-13)
    # released from the horizontal: tension 3 m g (height lost), along the bar
    tension = -3 * 9.81 * solution["y"]
    np.testing.assert_allclose(vectors[:, :2], -tension[:, None] * solution.q, atol=1e-4)


def test_curves_are_the_series_of_the_solution(swing):
    solution, hinge = swing
    scene, motion = follow(solution, times=solution.t)
    values = {signal.name: motion.values[:, k] for k, signal in enumerate(scene.signals)}
    np.testing.assert_allclose(values["kinetic energy"], solution.kinetic)
    np.testing.assert_allclose(values["total energy"], solution.energy)
    np.testing.assert_allclose(values["hinge.angle"], solution[hinge.angle], atol=1e-12)
    size = np.linalg.norm(solution.reaction(hinge).force, axis=1)
    np.testing.assert_allclose(values["|hinge|"], size)
    drift = np.maximum(np.abs(solution.phi).max(axis=1), TINY)
    np.testing.assert_allclose(values["position drift |phi|"], drift)
    for signal in scene.signals:
        assert signal.log == (signal.group in ("drift", "error"))
        if signal.log:
            assert (values[signal.name] > 0).all()


def test_a_peak_between_two_frames_is_kept():
    known = np.linspace(0.0, 1.0, 1001)
    series = np.zeros(1001)
    series[333] = 7.0
    seen = highest(np.linspace(0.0, 1.0, 11), known, series)
    assert seen.max() == 7.0
    assert np.argmax(seen) == 3


def test_many_samples_are_thinned_and_few_are_not(swing):
    solution, _ = swing
    scene, motion = follow(solution, fps=4)
    assert len(motion.t) == 5
    _, _, vectors = arrow(scene, motion, "hinge", "reaction")
    exact = solution.reaction("hinge").force[::25]
    np.testing.assert_allclose(vectors, exact, atol=1e-12)


# -- trails ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("wanted", ["tip", "rod/tip", "rod"])
def test_trails_of_points_frames_and_bodies_by_name(swing, wanted):
    solution, _ = swing
    scene, motion = follow(solution, times=solution.t, trails=[wanted])
    (k,) = scene.trails
    rod = solution.model.bodies["rod"]
    frame = rod.center if wanted == "rod" else rod.at(x=0.5)
    expected = solution.trajectory.place(frame)[0]
    np.testing.assert_allclose(motion.points[:, k], expected, atol=1e-12)


def test_a_trail_of_nothing_is_told_with_the_nearest_name(swing):
    with pytest.raises(OptionError, match=r"no point 'top'.*tip"):
        follow(swing[0], trails=["top"])


def test_moving_points_leave_trails_unless_told_otherwise(swing):
    scene, _ = follow(swing[0])
    assert [scene.points[k].name for k in scene.trails] == ["tip"]
    assert follow(swing[0], trails=[])[0].trails == ()


# -- odd runs --------------------------------------------------------------------------------------


def test_a_run_that_left_the_numbers_is_shown_until_then():
    solution = turning(until=4.0, samples=401)
    q = solution.q.copy()
    q[201:] = np.nan
    _, motion = follow(dataclasses.replace(solution, q=q), fps=30)
    assert motion.t[-1] == pytest.approx(solution.t[200])
    assert np.isfinite(motion.points).all()


def test_a_run_without_samples_has_nothing_to_show():
    solution = turning()
    parts = ("t", "q", "v", "a", "lam", "phi", "phi_dot", "kinetic", "potential")
    empty = {name: getattr(solution, name)[:0] for name in parts}
    with pytest.raises(OptionError, match="nothing was recorded"):
        follow(dataclasses.replace(solution, **empty))


@pytest.mark.parametrize("options", [{"fps": 0}, {"fps": -5}, {"fps": "x"}, {"times": []}])
def test_senseless_moments_are_refused(options):
    with pytest.raises(OptionError):
        follow(turning(), **options)


def test_a_planar_motion_of_bodies_is_recognised_and_a_spatial_one_is_not():
    flat = dl.simulate(dl.catalog.load("four-bar-3d"), until=0.2, step=1e-2)
    scene, _ = follow(flat)
    assert scene.planar
    assert scene.normal == pytest.approx((0, -1, 0))
    space = dl.simulate(dl.catalog.load("heavy-top"), until=0.2, step=1e-3)
    assert not follow(space)[0].planar


def test_the_scene_holds_the_whole_motion(swing):
    scene, motion = follow(swing[0])
    for k in range(len(scene.points)):
        away = np.linalg.norm(motion.points[:, k] - np.array(scene.centre), axis=1)
        assert away.max() <= scene.size / 2 * (1 + 1e-9)
    assert scene.floor <= motion.points[..., 2].min()


@pytest.mark.parametrize(("name", "expected"), [("slider-crank", {"base"}), ("biped", set())])
def test_the_end_of_a_chain_that_stands_still_is_a_support(name, expected):
    solution = dl.simulate(dl.catalog.load(name), until=0.3, step=1e-2)
    scene, _ = follow(solution)
    assert {point.name for point in scene.points if point.fixed} == expected
    assert len(scene.ground) == len(expected)


def test_where_something_touches_energy_changes_without_an_error():
    """Impacts and friction take energy; before anything touches it is kept."""
    names = []
    for until in (0.1, 0.6):
        model = dl.Model("drop")
        model.add_shape(dl.Plane(), name="floor")
        box = model.add_body("box", dl.Inertia.box(1.0, (0.2, 0.2, 0.2)), position=(0, 0, 0.5))
        model.add_shape(dl.Box((0.2, 0.2, 0.2)), on=box)
        scene, _ = follow(dl.simulate(model, until=until, step=5e-3))
        names.append([signal.name for signal in scene.signals if signal.group == "error"])
    assert names == [["energy error"], ["change of energy"]]


def test_of_many_points_the_one_that_goes_farthest_leaves_a_trail():
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        potential=9.81 * y,
        initial={x: 0.0, x.dot: 1.0},
        points={f"p{k}": (k * x, y) for k in (1, 2, 5, 3, 4)},
        name="thrown",
    )
    scene, _ = follow(dl.simulate(model, until=1.0, step=1e-2))
    assert [scene.points[k].name for k in scene.trails] == ["p5"]


def test_a_long_run_is_shown_at_larger_intervals():
    """A satellite for eight months: at sixty frames a second they would fill 50 GB."""
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        potential=-1.327e11 / (x**2 + y**2) ** 0.5,
        coordinates=[x, y],
        initial={x: 1.496e8, "y.dot": 29.8},
    )
    solution = dl.simulate(model, until=2.1e7, times=np.linspace(0.0, 2.1e7, 400))
    scene, motion = follow(solution, fps=60)
    assert len(motion.t) == 100_000
    assert motion.t[[0, -1]].tolist() == [0.0, 2.1e7]
    assert any("The run is long" in note for note in scene.notes)
