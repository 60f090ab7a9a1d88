"""Full turns are counted in the run: no result depends on how often it is sampled."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl

TURN = 2.0 * np.pi


def spinning(kind="revolute", *, rate=40.0, stiffness=0.0):
    """A disc about a tilted axis: driven up from rate, with a spring, an encoder and a joint."""
    model = dl.Model("spinning", gravity=(0.3, -0.2, -1.0))
    disc = model.add_body(
        "disc", dl.Inertia.cylinder(2.0, radius=0.3, length=0.1), position=(0.0, 0.0, 0.0)
    )
    axis = (0.2, 0.4, 1.0)
    makers = {
        "revolute": lambda: dl.Revolute(model.world, disc, axis=axis, name="bearing"),
        "cylindrical": lambda: dl.Cylindrical(model.world, disc, axis=axis, name="bearing"),
        "screw": lambda: dl.Screw(model.world, disc, axis=axis, pitch=0.01, name="bearing"),
        "planar": lambda: dl.Planar(model.world, disc, axis=axis, name="bearing"),
    }
    bearing = model.add_joint(makers[kind]())
    unit = np.array(axis) / np.linalg.norm(axis)
    model.set_initial(dict(zip(["disc.wx", "disc.wy", "disc.wz"], rate * unit, strict=True)))
    if kind != "screw":
        model.add_force(dl.TorsionSpring(bearing, stiffness=stiffness, damping=0.01))
    model.add_sensor(dl.JointSensor(bearing, coordinate="angle", name="encoder"))
    return model, bearing


def same(a, b, tolerance=1e-6):
    np.testing.assert_allclose(a, b, rtol=0, atol=tolerance)


@pytest.mark.parametrize("kind", ["revolute", "cylindrical", "screw", "planar"])
@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_the_angle_of_a_joint_does_not_depend_on_samples(kind, formulation):
    model, bearing = spinning(kind)
    options = {"until": 2.0, "step": 1e-3, "formulation": formulation}
    if kind == "screw":
        options["method"] = dl.Projection()
    every = dl.simulate(model, **options)
    whole = every[bearing.angle]
    assert abs(whole[-1]) > 10 * TURN
    assert np.abs(np.diff(whole)).max() < 0.1
    rare = dl.simulate(model, **options, every=700)
    same(rare[bearing.angle], whole[[0, 700, 1400, 2000]])
    moments = np.array([0.0, 0.3335, 0.9, 1.9995, 2.0])
    asked = dl.simulate(model, **options, times=moments)
    same(asked[bearing.angle], every.sampled(bearing.angle, moments), 1e-4)
    same(every.sampled(bearing.angle, [1.5]), whole[[1500]])
    same(every.sensor("encoder", times=[0.7])["angle"], whole[[700]])
    same(rare.sensor("encoder")["angle"], rare[bearing.angle])
    same(rare["encoder.angle"], rare.to_numpy()["encoder.angle"])


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_energies_and_forces_of_springs_do_not_depend_on_samples(formulation):
    model, bearing = spinning(stiffness=0.5)
    options = {"until": 2.0, "step": 1e-3, "formulation": formulation}
    every = dl.simulate(model, **options)
    rare = dl.simulate(model, **options, every=900)
    chosen = [0, 900, 1800, 2000]
    assert abs(every[bearing.angle]).max() > TURN
    same(rare.potential, every.potential[chosen])
    same(rare.a, every.a[chosen])
    same(rare.lam, every.lam[chosen], 1e-5)


def test_gears_are_kept_whatever_is_recorded():
    model = dl.catalog.load("gear-train")
    rare = dl.simulate(model, until=2.0, step=1e-3, every=777)
    assert np.abs(rare.phi).max() < 1e-10
    assert rare.worst["phi"] < 1e-10


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_several_turns_in_a_step_are_counted(formulation):
    model = dl.Model("top", gravity=(0, 0, 0))
    disc = model.add_body("disc", dl.Inertia.cylinder(1.0, radius=0.1, length=0.1))
    bearing = model.add_joint(dl.Revolute(model.world, disc, axis="z"))
    model.set_initial({"disc.wz": 900.0})
    integrator = dl.RK4() if formulation == "generalized" else dl.ImplicitMidpoint()
    step = 1e-2 if formulation == "generalized" else 2e-3
    solution = dl.simulate(
        model, until=1.0, step=step, formulation=formulation, integrator=integrator
    )
    if formulation == "generalized":  # 9 rad a step, exact
        same(solution[bearing.angle][-1], 900.0)
    else:
        assert np.all(np.diff(solution[bearing.angle]) > 0.0)


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_a_spring_is_wound_by_several_turns_in_a_step(formulation):
    """An oscillation by 450 rad: the spring must know every turn, 9 rad a step and more."""
    model = dl.Model("wound", gravity=(0, 0, 0))
    disc = model.add_body("disc", dl.Inertia.cylinder(1.0, radius=0.1, length=0.1))
    bearing = model.add_joint(dl.Revolute(model.world, disc, axis="z"))
    model.add_force(dl.TorsionSpring(bearing, stiffness=0.02))
    model.set_initial({"disc.wz": 900.0})
    step = 1e-2 if formulation == "generalized" else 4e-3
    solution = dl.simulate(model, until=1.0, step=step, formulation=formulation, every=7)
    if formulation == "generalized":
        same(solution[bearing.angle][-1], 450.0 * np.sin(2.0), 1e-2)
        assert solution.report()["energy_change_relative"] < 1e-4
    else:  # quaternions do not follow 3.6 rad a step, but no turn is lost
        assert abs(solution[bearing.angle]).max() > 100.0


def test_a_loop_of_hinges_counts_all_of_them_in_any_coordinates():
    def linkage():
        model = dl.Model("crank-rocker", gravity=(0, 0, 0))
        crank = model.add_body("crank", dl.Inertia.rod(5.0, length=0.2), position=(0.1, 0, 0))
        rod = model.add_body("rod", dl.Inertia.rod(0.1, length=1.0))
        rocker = model.add_body("rocker", dl.Inertia.rod(0.1, length=0.8))
        at = model.world.at
        joints = [
            model.add_joint(dl.Revolute(at(), crank.at(x=-0.1), axis="y", name="one")),
            model.add_joint(dl.Revolute(crank.at(x=0.1), rod.at(x=-0.5), axis="y", name="two")),
            model.add_joint(dl.Revolute(rod.at(x=0.5), rocker.at(x=0.4), axis="y", name="three")),
            model.add_joint(dl.Revolute(at(x=0.9), rocker.at(x=-0.4), axis="y", name="four")),
        ]
        return model, joints

    model, joints = linkage()
    start = dl.assemble(model, hold={joints[0]: 0.4}, velocities={joints[0]: 20.0})
    found = {}
    for formulation in ("maximal", "generalized"):
        every = dl.simulate(model, 3.0, step=1e-3, initial=start, formulation=formulation)
        rare = dl.simulate(model, 3.0, step=1e-3, initial=start, formulation=formulation, every=450)
        for joint in joints:
            chosen = np.searchsorted(every.t, rare.t - 1e-9)
            same(rare[joint.angle], every[joint.angle][chosen])
        found[formulation] = np.array([rare[joint.angle] for joint in joints])
    same(found["maximal"], found["generalized"], 1e-5)
    assert abs(found["maximal"][0]).max() > 5 * TURN


def test_files_events_and_resumed_runs_keep_the_count(tmp_path):
    model, bearing = spinning()
    options = {"step": 1e-3, "every": 700}
    whole = dl.simulate(model, until=2.0, **options)
    angle = whole[bearing.angle]
    loaded = dl.load_solution(whole.save(tmp_path / "run.npz"))
    joint = loaded.model.joints["bearing"]
    same(loaded[joint.angle], angle)
    dl.simulate(model, until=1.0, save=tmp_path / "run", **options)
    longer = dl.resume(tmp_path / "run", until=2.0, progress=False)
    same(longer[longer.model.joints["bearing"].angle], angle)
    reached = dl.Event(bearing.angle - 50.0, terminal=True, name="fifty")
    stopped = dl.simulate(model, until=2.0, events=[reached], **options)
    same(stopped[bearing.angle][-1], 50.0, 1e-5)


def test_a_session_counts_between_its_samples():
    model, bearing = spinning()
    session = dl.Session(model, step=1e-3, record=True)
    session.advance(1.0)
    whole = dl.simulate(model, until=1.0, step=1e-3)
    now = session.snapshot()
    same(now[now.model.joints["bearing"].angle][-1], whole[bearing.angle][-1], 1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_chains_by_chance_do_not_depend_on_samples(seed):
    rng = np.random.default_rng(seed)
    model = dl.Model("chain")
    before, joints = model.world, []
    for k in range(3):
        body = model.add_body(f"b{k}", dl.Inertia.box(1.0, (0.1, 0.2, 0.3)))
        axis = tuple(rng.standard_normal(3))
        near = before.at(*rng.uniform(-0.2, 0.2, 3))
        kind = [dl.Revolute, dl.Cylindrical][int(rng.integers(2))]
        joints.append(model.add_joint(kind(near, body.at(*rng.uniform(-0.2, 0.2, 3)), axis=axis)))
        before = body
    speeds = dict(zip(joints, rng.uniform(-30.0, 30.0, 3), strict=True))
    hinges = {j: x for j, x in speeds.items() if isinstance(j, dl.Revolute)}
    start = dl.assemble(model, velocities=hinges)
    for formulation in ("maximal", "generalized"):
        options = {"step": 5e-4, "initial": start, "formulation": formulation}
        every = dl.simulate(model, until=1.0, **options)
        rare = dl.simulate(model, until=1.0, **options, every=410)
        chosen = np.searchsorted(every.t, rare.t - 1e-9)
        for joint in joints:
            path = every[joint.angle]
            assert np.abs(np.diff(path)).max() < 1.0
            same(rare[joint.angle], path[chosen])


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("upper", [3.927, TURN, 7.0, 20.0])
def test_a_limit_beyond_half_a_turn_is_met_where_it_is(formulation, upper):
    """Nothing pushes: the arm turns evenly, its steps are as long as several turns."""
    model = dl.Model("arm", gravity=(0, 0, 0))
    arm = model.add_body("arm", dl.Inertia.box(1.0, size=(1.0, 0.1, 0.1)))
    joint = dl.Revolute(model.world, arm.at(x=-0.5), axis="z", initial_speed=3.0, name="hinge")
    model.add_joint(joint)
    model.set_limits("hinge", dl.Limits(-1.0, upper))
    solution = dl.simulate(model, until=8.0, formulation=formulation)
    first = solution.statistics["log"][0]
    assert first[1:3] == ["impact", "hinge: upper"]
    assert first[0] == pytest.approx(upper / 3.0, abs=1e-9)
    assert solution["hinge.angle"].max() == pytest.approx(upper, abs=1e-9)
    assert solution.verdict.is_good, solution.verdict
