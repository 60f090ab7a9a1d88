"""Stops, limits, cables and shapes that nothing touches change nothing; what is touched is met.

The same model without them is the reference: by the default method and integrator, in the same
coordinates.
"""

import math

import numpy as np
import pytest

import dalembert as dl


def swinging(untouched):
    """A pendulum of formulas."""
    model = dl.catalog.load("pendulum")
    if untouched:
        model.keep(model.coordinates[0] >= -5)
    return model


def double_pendulum(untouched):
    model = dl.Model("double pendulum")
    upper = model.add_body("upper", dl.Inertia.rod(1.0, 0.5, axis="z"))
    lower = model.add_body("lower", dl.Inertia.rod(0.7, 0.4, axis="z"))
    first = dl.Revolute(model.world, upper.at(z=0.25), axis="y", initial=1.9, name="first")
    second = dl.Revolute(upper.at(z=-0.25), lower.at(z=0.2), axis="y", initial=0.3, name="second")
    for joint in (first, second):
        joint = model.add_joint(joint)
        if untouched:
            model.set_limits(joint, dl.Limits(-100.0, 100.0))
    return model


def arm(untouched):
    """Shapes on all links, 5 mm apart, and a floor far below."""
    model = dl.Model("arm")
    before, place = model.world, (0.0, 0.0, 1.0)
    for k in range(3):
        x = 0.2 + 0.4 * k
        link = model.add_body(
            f"link{k}", dl.Inertia.rod(1.0, 0.4, axis="x"), position=(x, 0.0, 1.0)
        )
        near = before.at(*place) if k == 0 else before.at(x=0.2)
        joint = dl.Revolute(near, link.at(x=-0.2), axis="xyz"[1 + k % 2], initial_speed=1.0 + k)
        model.add_joint(joint)
        if untouched:
            model.add_shape(dl.Box((0.395, 0.04, 0.04)), on=link)
        before = link
    if untouched:
        model.add_shape(dl.Plane(position=(0, 0, -5)))
    return model


def tumbling(untouched):
    """A free body that turns about its middle axis, above a plane it falls towards."""
    model = dl.Model("tumbling")
    body = model.add_body(
        "book",
        dl.Inertia.box(1.0, size=(0.3, 0.2, 0.05)),
        position=(0, 0, 25.0),
        velocity=(1.0, 0, 0),
        angular_velocity=(0.1, 7.0, 0.05),
    )
    if untouched:
        model.add_shape(dl.Box((0.3, 0.2, 0.05)), on=body)
        model.add_shape(dl.Plane())
    return model


def tethered(untouched):
    """A ball on a spring, with a cable that stays slack."""
    model = dl.Model("tethered")
    ball = model.add_body(
        "ball", dl.Inertia.sphere(1.0, 0.1), position=(1.0, 0, 0), velocity=(0, 1.0, 0.3)
    )
    model.add_force(dl.Spring(model.world, ball, stiffness=40.0, free_length=0.5))
    if untouched:
        model.keep(dl.Cable(model.world.at(0, 0, 0), ball.at(0, 0, 0), length=30.0))
    return model


MODELS = [swinging, double_pendulum, arm, tumbling, tethered]


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("build", MODELS, ids=lambda f: f.__name__)
def test_what_nothing_touches_changes_nothing(build, formulation):
    if build is swinging:
        formulation = "auto"
    options = {"until": 2.0, "step": 2e-3, "formulation": formulation}
    alone, among = (dl.simulate(build(u), **options) for u in (False, True))
    assert among.statistics["contact"]["contact_steps"] == 0
    assert among.statistics["contact"]["smooth_steps"] == alone.statistics["steps"]
    for name in ("q", "v", "a", "lam", "energy"):
        assert np.array_equal(getattr(among, name), getattr(alone, name)), name


TIMES = np.linspace(0.0, 2.0, 41)


@pytest.mark.parametrize(
    "asked", [{}, {"rtol": 1e-12}, {"times": TIMES}], ids=["", "rtol", "times"]
)
@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("build", MODELS, ids=lambda f: f.__name__)
def test_runs_without_a_step_have_the_same_bits(build, formulation, asked):
    """With no option at all; a run with events has further samples within long steps.

    Forces are solved for sample after sample, each from the last: of the same samples they are the
    same, too.
    """
    if build is swinging:
        formulation = "auto"
    options = {"until": 2.0, "formulation": formulation, **asked}
    alone, among = (dl.simulate(build(u), **options) for u in (False, True))
    assert among.log == ()
    assert among.integrator == alone.integrator
    assert among.statistics["steps"] == alone.statistics["steps"]
    same = np.isin(among.t, alone.t)
    assert np.array_equal(among.t[same], alone.t)
    for name in ("q", "v", "lam") if "times" in asked else ("q", "v"):
        assert np.array_equal(getattr(among, name)[same], getattr(alone, name)), name


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("build", MODELS, ids=lambda f: f.__name__)
def test_steps_that_follow_a_tolerance_have_the_same_bits(build, formulation):
    if build is swinging:
        formulation = "auto"
    options = {"until": 2.0, "formulation": formulation}
    alone = dl.simulate(build(False), **options)
    among = dl.simulate(build(True), mode="stepping", **options)
    for name in ("t", "q", "v"):
        assert np.array_equal(getattr(among, name), getattr(alone, name)), name


def oblique():
    """A pendulum of two links in a plane, and a floor that pushes it out of it."""
    model = double_pendulum(untouched=False)
    rough = dl.Material(friction=0.3)
    model.add_shape(
        dl.Sphere(0.05, position=(0, 0, -0.2)), on=model.bodies["lower"], material=rough
    )
    model.add_shape(
        dl.Plane(normal=(0.3, 0.3, 0.9), position=(0, 0, -0.85)), material=rough, name="floor"
    )
    return model


def test_a_mechanism_in_a_plane_is_held_in_it_by_its_joints():
    """Bodies and joint coordinates move alike."""
    options = {"until": 1.5, "times": np.linspace(0.0, 1.5, 31)}
    bodies, tree = (
        dl.simulate(oblique(), formulation=f, **options) for f in ("maximal", "generalized")
    )
    steps = dl.simulate(oblique(), formulation="maximal", step=1e-3, **options)
    assert "impact" in {entry.kind for entry in bodies.log}
    np.testing.assert_allclose(bodies.q, tree.q, rtol=0, atol=1e-8)
    np.testing.assert_allclose(bodies.energy, tree.energy, rtol=0, atol=1e-8)
    touching = (options["times"] > 0.25) & (options["times"] < 0.45)
    across = np.flatnonzero(np.abs(steps.lam[touching]).max(axis=0) > 0.2)
    assert len(across) > 4  # more rows than those of the plane
    np.testing.assert_allclose(bodies.lam[touching], steps.lam[touching], rtol=0, atol=0.3)


def neighbours(gap):
    """Two pendulums side by side that swing together; their boxes stay `gap` apart."""
    model = dl.Model("neighbours")
    for k in range(2):
        y = k * (0.1 + gap)
        bob = model.add_body(f"bob{k}", dl.Inertia.box(1.0, size=(0.1, 0.1, 0.1)))
        joint = dl.Revolute(
            model.world.at(0, y, 0), bob.at(z=0.5), axis="y", initial=1.0, name=f"hinge{k}"
        )
        model.add_joint(joint)
        model.add_shape(dl.Box((0.1, 0.1, 0.1)), on=bob)
    return model


def test_what_is_near_and_stays_apart_is_not_touched():
    solution = dl.simulate(neighbours(2e-3), until=2.0, step=1e-3)
    assert solution.statistics["contact"]["contact_steps"] == 0
    assert np.ptp(solution.energy) < 1e-9


@pytest.mark.parametrize("speed", [3.0, 300.0])
def test_what_comes_flying_is_met_in_time(speed):
    """A ball and a thin wall, also where a step is many radii long; no gravity: |v| stays."""
    model = dl.Model("wall", gravity=(0, 0, 0))
    glass = dl.Material(friction=0.0, restitution=1.0)
    model.add_shape(dl.Box((0.01, 2, 2), position=(1.0, 0, 0)), material=glass)
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, 0.05), velocity=(speed, 0, 0))
    model.add_shape(dl.Sphere(0.05), on=ball, material=glass)
    solution = dl.simulate(model, until=3.0 / speed, step=0.021 / speed * 7)
    assert solution.q[:, 0].max() <= 0.945 + 1e-6
    assert solution.v[-1, 0] == pytest.approx(-speed, rel=1e-9)
    assert solution.statistics["contact"]["smooth_steps"] > 0


def bouncing():
    model = dl.Model("bouncing")
    lively = dl.Material(friction=0.3, restitution=0.8)
    model.add_shape(dl.Plane(), material=lively)
    box = model.add_body(
        "box",
        dl.Inertia.box(1.0, size=(0.2, 0.1, 0.1)),
        position=(0, 0, 0.6),
        angular_velocity=(1, 3, 2),
    )
    model.add_shape(dl.Box((0.2, 0.1, 0.1)), on=box, material=lively)
    return model


def test_runs_with_smooth_steps_go_on_to_the_bit(tmp_path):
    whole = dl.simulate(bouncing(), until=1.0, step=2e-3)
    assert 50 < whole.statistics["contact"]["smooth_steps"] < 500
    dl.simulate(bouncing(), until=0.25, step=2e-3, save=tmp_path / "run")
    resumed = dl.resume(tmp_path / "run", until=1.0)
    assert np.array_equal(whole.q, resumed.q)
    assert np.array_equal(whole.solve_info["smooth"], resumed.solve_info["smooth"], equal_nan=True)


def test_events_are_located_on_the_smooth_motion():
    found = []
    for untouched in (False, True):
        model = swinging(untouched)
        lowest = dl.Event(model.coordinates[0], name="lowest")
        run = dl.simulate(model, until=2.0, step=5e-3, events=[lowest])
        found.append([event.t for event in run.events])
    assert len(found[0]) >= 2
    np.testing.assert_allclose(found[0], found[1], rtol=0, atol=1e-12)


def test_a_session_is_smooth_as_well():
    runs = [dl.Session(swinging(untouched), step=1e-3) for untouched in (False, True)]
    for session in runs:
        session.advance(1.0)
    np.testing.assert_allclose(runs[0].q, runs[1].q, rtol=0, atol=1e-12)


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_impacts_between_smooth_steps_keep_the_energy(formulation):
    """An elastic limit: the error of an impact is of second order, and none is added between."""
    worst = []
    for step in (2e-3, 1e-3):
        model = dl.Model("pendulum")
        bob = model.add_body("bob", dl.Inertia.sphere(1.0, 0.1), position=(0.5, 0, 0))
        hinge = model.add_joint(dl.Revolute(model.world, bob.at(x=-0.5), axis="y", name="hinge"))
        model.set_limits(hinge, dl.Limits(upper=0.8, restitution=1.0))
        run = dl.simulate(model, until=3.0, step=step, formulation=formulation)
        assert run.statistics["contact"]["contact_steps"] < 0.05 * run.statistics["steps"]
        worst.append(np.abs(run.energy - run.energy[0]).max() / run.kinetic.max())
    assert worst[1] < 1e-4


# -- curved bodies -------------------------------------------------------------------------------


def celt():
    """An ellipsoid whose axes of inertia are turned against those of its surface, spun."""
    model = dl.Model("celt")
    rough = dl.Material(friction=1.0)
    model.add_shape(dl.Plane(), material=rough)
    s, c = math.sin(math.radians(5)), math.cos(math.radians(5))
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    matrix = turn @ np.diag([2e-4, 1.6e-3, 1.7e-3]) @ turn.T
    body = model.add_body(
        "celt", dl.Inertia(0.113, matrix), position=(0, 0, 0.02), angular_velocity=(0.02, 0.01, -5)
    )
    model.add_shape(dl.Ellipsoid((0.2, 0.03, 0.02)), on=body, material=rough)
    return model


def test_a_celt_turns_back_at_a_coarse_step():
    """Converged (2e-4 s): -5 rad/s becomes 5.0. First order at 5 ms comes to 1.05."""
    spin = dl.simulate(celt(), until=8.0, step=5e-3).v[:, 5]
    assert spin[0] == -5.0
    assert spin[-1] > 4.0
    fine = dl.simulate(celt(), until=8.0, step=1e-3).v[:, 5]
    assert fine[-1] == pytest.approx(5.0, abs=0.05)


def test_an_eccentric_ball_rolls_as_far_up_as_its_energy_says():
    """(I + m (r - e)^2) w^2 / 2 = m g e (1 - cos a); first order is off by three degrees."""
    radius, off, mass = 0.1, 0.05, 1.0
    felt = 0.4 * mass * radius**2 + mass * (radius - off) ** 2
    top = math.sqrt(4.0 * mass * 9.81 * off / felt)
    spin = 0.97 * top
    model = dl.Model("ball")
    rough = dl.Material(friction=2.0)
    model.add_shape(dl.Plane(), material=rough)
    ball = model.add_body(
        "ball",
        dl.Inertia.sphere(mass, radius),
        position=(0, 0, radius - off),
        velocity=(spin * (radius - off), 0, 0),
        angular_velocity=(0, spin, 0),
    )
    model.add_shape(dl.Sphere(radius, position=(0, 0, off)), on=ball, material=rough)
    q = dl.simulate(model, until=3.0, step=5e-3).q
    tilt = np.degrees(np.arccos(1.0 - 2.0 * (q[:, 4] ** 2 + q[:, 5] ** 2))).max()
    assert tilt == pytest.approx(math.degrees(math.acos(1.0 - 2.0 * 0.97**2)), abs=1.0)


def test_forces_at_asked_moments_are_those_of_the_moment():
    """They were those of the end of the step, whatever that was: 5.6 to 8.7 N instead of 8.7."""
    moments = [0.4, 0.45, 0.5, 1.45]
    found = [
        dl.simulate(oblique(), formulation="maximal", until=1.5, times=moments, rtol=rtol)
        for rtol in (1e-9, 1e-11)
    ]
    for k, t in enumerate(moments):
        ends = dl.simulate(oblique(), formulation="maximal", until=t)
        for run in found:
            np.testing.assert_allclose(run.lam[k], ends.lam[-1], rtol=0, atol=1e-5)
            np.testing.assert_allclose(run.a[k], ends.a[-1], rtol=0, atol=1e-5)


@pytest.mark.parametrize("rtol", [1e-9, 1e-10, 1e-11, 3e-12, 1e-12])
@pytest.mark.parametrize("until", [1.0, 1.5, 2.0, 3.0, 4.0])
def test_what_is_foretold_and_does_not_come_hides_no_impact(until, rtol):
    """A leg at its stop, which carries nothing: the foot fell up to 25 cm through the floor."""
    hops = dl.simulate(dl.catalog.load("hopper"), until=until, rtol=rtol)
    assert hops["foot.z"].min() > 0.04 - 1e-9
