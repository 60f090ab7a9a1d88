"""Velocities given at the start: kept where the constraints allow it, told or refused where not."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dalembert as dl
from dalembert.cli import main
from dalembert.errors import ProjectionError

x, y = dl.coordinates("x y")


def four_bar(first=6.0, second=0.0):
    """A parallelogram: all cranks turn alike."""
    model = dl.Model("parallelogram", gravity=(0, 0, 0))
    bars = [model.add_body(n, dl.Inertia.rod(1.0, length=1.0)) for n in ("left", "top", "right")]
    left, top, right = bars
    at = model.world.at
    a = model.add_joint(
        dl.Revolute(at(), left.at(x=-0.5), axis="-y", initial=1.2, initial_speed=first, name="a")
    )
    model.add_joint(dl.Revolute(left.at(x=0.5), top.at(x=-0.5), axis="-y", initial=-1.2, name="b"))
    model.add_joint(dl.Revolute(top.at(x=0.5), right.at(x=0.5), axis="-y", name="c"))
    d = model.add_joint(
        dl.Revolute(at(x=1.0), right.at(x=-0.5), axis="-y", initial_speed=second, name="d")
    )
    return model, a, d


def rate(solution, joint):
    return float(solution[joint.angle.dot][0])


def pendulum(**initial):
    return dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        constraints={"bar": x**2 + y**2 - 1.0},
        initial={x: 0.6, y: -0.8} | {{"vx": x.dot, "vy": y.dot}[k]: v for k, v in initial.items()},
        name="pendulum",
    )


# -- what was given is kept, the rest follows -----------------------------------------------------


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_the_speed_of_one_joint_of_a_loop_is_kept(formulation):
    model, a, d = four_bar(6.0)
    solution = dl.simulate(model, until=0.01, step=1e-3, formulation=formulation)
    assert rate(solution, a) == pytest.approx(6.0, abs=1e-9)
    assert rate(solution, d) == pytest.approx(6.0, abs=1e-9)
    assert solution.verdict.is_good, solution.verdict
    assert solution.report()["changed_speeds"] == []


def rolling(**given):
    model = dl.Model("rolling", gravity=(0, 0, -9.81))
    inertia = dl.Inertia.sphere(2.0, radius=0.5)
    ball = model.add_body("ball", inertia, position=(0, 0, 0.5), **given)
    model.constrain(ball.z - 0.5, name="height")
    model.constrain(ball.velocity[0] - 0.5 * ball.angular_velocity[1], name="roll x")
    model.constrain(ball.velocity[1] + 0.5 * ball.angular_velocity[0], name="roll y")
    return model, ball


def test_a_rolling_body_follows_the_angular_velocity_that_alone_is_given():
    model, _ = rolling(angular_velocity=(0.0, 8.0, 1.0))
    solution = dl.simulate(model, until=0.1, step=1e-3)
    first = solution.v[0]
    np.testing.assert_allclose(first, [4.0, 0.0, 0.0, 0.0, 8.0, 1.0], atol=1e-9)
    assert "in v" in solution.summary()
    assert solution.verdict.is_good


def test_a_coordinate_that_is_not_given_follows():
    solution = dl.simulate(pendulum(vx=2.0), until=0.1, step=1e-3)
    np.testing.assert_allclose(solution.v[0], [2.0, 1.5], atol=1e-12)
    again = dl.simulate(pendulum(), until=0.1, step=1e-3, initial={"y'": 3.0})
    np.testing.assert_allclose(again.v[0], [4.0, 3.0], atol=1e-12)


def test_what_is_given_as_a_whole_and_goes_together_is_kept_to_the_bit():
    first = dl.simulate(pendulum(vx=2.0), until=0.5, step=1e-3)
    again = dl.simulate(pendulum(), until=0.1, step=1e-3, initial=first.at(0.5))
    np.testing.assert_allclose(again.v[0], first.v[-1], atol=1e-12)
    assert again.verdict.is_good


def test_speeds_that_follow_a_drive_need_not_be_given():
    model = dl.catalog.load("jansen-leg")
    assert dl.simulate(model, until=0.01, step=1e-3).report()["changed_speeds"] == []


# -- what cannot be had -------------------------------------------------------------------------


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_joints_that_contradict_are_refused_with_both_values(formulation):
    model, *_ = four_bar(6.0, 1.0)
    with pytest.raises(ProjectionError) as caught:
        dl.simulate(model, until=0.01, step=1e-3, formulation=formulation)
    text = str(caught.value)
    assert "initial_speed of joint" in text
    assert "assemble(model, velocities=" in text
    assert "'d' was given as 1" in text or "'a' was given as 6" in text


def test_a_velocity_and_an_angular_velocity_that_slip_are_refused_by_the_names_of_the_body():
    model, _ = rolling(angular_velocity=(0.0, 8.0, 0.0), velocity=(1.0, 0.0, 0.0))
    with pytest.raises(ProjectionError, match="of body 'ball' was given as"):
        dl.simulate(model, until=0.01, step=1e-3)
    assert model.check().refused


def test_both_coordinates_of_a_pendulum_are_refused():
    with pytest.raises(ProjectionError, match=r"\.dot was given as"):
        dl.simulate(pendulum(vx=2.0, vy=-2.0), until=0.01, step=1e-3)
    with pytest.raises(ProjectionError, match=r"\.dot was given as"):
        dl.simulate(pendulum(), until=0.01, step=1e-3, initial=([0.6, -0.8], [2.0, -2.0]))


def test_a_small_change_is_taken_told_and_doubtful():
    solution = dl.simulate(pendulum(vx=2.0, vy=1.4), until=0.01, step=1e-3)
    changed = solution.report()["changed_speeds"]
    assert {one["name"] for one in changed} == {"x.dot", "y.dot"}
    assert "was taken" in solution.summary()
    assert [reason.rule for reason in solution.verdict.reasons] == ["start"]
    wider = dl.simulate(pendulum(vx=2.0, vy=-2.0), until=0.01, step=1e-3, initial_limit=2.0)
    assert not wider.verdict.is_good
    free = dl.simulate(pendulum(vx=2.0, vy=-2.0), until=0.01, step=1e-3, consistent=False)
    assert free.v[0, 1] == -2.0


def test_assemble_is_the_remedy():
    model, a, d = four_bar(6.0, 1.0)
    start = dl.assemble(model, velocities={a: 6.0})
    solution = dl.simulate(model, until=0.01, step=1e-3, initial=start)
    assert rate(solution, d) == pytest.approx(6.0, abs=1e-9)


# -- check, files, commands ----------------------------------------------------------------------


def test_check_says_so():
    model, *_ = four_bar(6.0, 1.0)
    found = model.check()
    assert found.refused
    assert "initial_speed of joint" in str(found)
    assert not four_bar(6.0)[0].check().refused
    assert "was given as" in str(pendulum(vx=2.0, vy=-2.0).check())
    assert not pendulum(vx=2.0).check()


YAML = """version: 1
name: pendulum
coordinates: [x, y]
kinetic: (x.dot**2 + y.dot**2)/2
constraints: {bar: x**2 + y**2 - 1}
initial: {x: 0.6, y: -0.8, x.dot: 2.0%s}
"""


def test_files_and_the_command_line(tmp_path, capsys):
    path = tmp_path / "one.yaml"
    path.write_text(YAML % "")
    words = ["run", str(path), "--until", "0.01", "--step", "1e-3", "-q"]
    assert main(words) == 0
    assert main([*words, "--initial", "y.dot=-2"]) == 3
    assert "y.dot was given as -2" in capsys.readouterr().err
    path.write_text(YAML % ", y.dot: -2.0")
    assert main(words) == 3
    assert main(["check", str(path)]) == 2
    assert "was given as" in capsys.readouterr().out


def held_top(speed, blocked):
    """A top on its tip that, if blocked, may turn about z alone; a second joint is to blame."""
    model = dl.Model("top")
    top = model.add_body("top", dl.Inertia.cylinder(mass=1.0, radius=0.1, length=0.2))
    model.add_joint(dl.Spherical(model.world, top.at(z=-0.1), name="tip", initial_speed=speed))
    if blocked:
        model.add_joint(dl.Revolute(model.world, top.at(z=-0.1), axis="z", name="axle"))
    return model


def test_speeds_of_a_ball_joint_are_kept_or_refused_by_name():
    free = dl.simulate(held_top((1.0, 0.0, 5.0), False), until=0.01, step=1e-3)
    assert free.v[0, 3:] == pytest.approx([1.0, 0.0, 5.0], abs=1e-12)
    kept = dl.simulate(held_top((0.0, 0.0, 5.0), True), until=0.01, step=1e-3)
    assert kept.v[0, 3:] == pytest.approx([0.0, 0.0, 5.0], abs=1e-12)
    with pytest.raises(
        ProjectionError, match="initial_speed of joint 'tip' about x was given as 1"
    ):
        dl.simulate(held_top((1.0, 0.0, 5.0), True), until=0.01, step=1e-3)


# -- starts of joints ------------------------------------------------------------------------------


def hanging(place, initial=0.3):
    model = dl.Model("pendulum")
    where = {} if place is None else {"position": place}
    rod = model.add_body("rod", dl.Inertia.rod(1.0, 0.5, axis="z"), **where)
    model.add_joint(
        dl.Revolute(model.world, rod.at(z=0.25), axis="y", initial=initial, name="hinge")
    )
    return model


def test_a_start_of_a_joint_whose_bodies_are_placed_otherwise_is_told():
    """The place wins, as documented; that the angle is then another one must not be silent."""
    model = hanging((0, 0, -0.25))
    assert any("initial of joint 'hinge' is 0.3" in str(one) for one in model.check())
    solution = dl.simulate(model, until=0.1, step=1e-3)
    assert solution.verdict.word == "doubtful"
    assert "placed where it is 0" in str(solution.verdict)


@pytest.mark.parametrize("place", [None, (-0.25 * 0.29552, 0, -0.25 * 0.95534)])
def test_a_start_that_goes_with_the_places_is_not(place):
    model = hanging(place)
    if place is not None:
        half = 0.15
        rod = {"rod.qw": math.cos(half), "rod.qx": 0.0, "rod.qy": math.sin(half), "rod.qz": 0.0}
        model.set_initial(rod)
    assert list(model.check()) == []
    solution = dl.simulate(model, until=0.1, step=1e-3)
    assert solution.verdict.is_good
    assert solution[model.joints["hinge"].angle][0] == pytest.approx(0.3, abs=1e-4)


def test_a_run_that_goes_on_still_tells_of_its_start(tmp_path):
    model = hanging((0, 0, -0.25))
    dl.simulate(model, until=0.05, step=1e-3, save=tmp_path / "run")
    resumed = dl.resume(tmp_path / "run", until=0.1)
    assert [reason.rule for reason in resumed.verdict.reasons] == ["start"]
