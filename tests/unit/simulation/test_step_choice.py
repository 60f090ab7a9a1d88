"""The step of a run with impulses that was given none."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dalembert as dl
from dalembert.cli import main
from dalembert.errors import OptionError
from dalembert.model.one_sided.rows import hard_only
from dalembert.simulation.prepare.step_choice import chosen_step, one_digit

HARD = [
    name
    for name in dl.catalog.names()
    if (model := dl.catalog.load(name)).is_maximal
    and hard_only(model)
    and "step" in model.suggested
]


def drop(radius=0.1, height=0.5, **material):
    model = dl.Model("drop")
    model.add_shape(dl.Plane(), name="floor")
    ball = model.add_body(
        "ball", dl.Inertia.sphere(1.0, radius=radius), position=(0, 0, height + radius)
    )
    model.add_shape(dl.Sphere(radius), on=ball, material=dl.Material(**material))
    return model


def arm(**servo):
    model = dl.Model("arm", gravity=(0, 0, 0))
    link = model.add_body("link", dl.Inertia.rod(1.0, length=1.0))
    model.add_joint(dl.Revolute(model.world, link.at(x=-0.5), axis="z", name="hinge"))
    model.set_limits("hinge", dl.Limits(-1.0, 1.0))
    if servo:
        model.add_force(dl.PositionServo("hinge", command=0.5, name="servo", **servo))
    return model


@pytest.mark.parametrize("name", HARD)
def test_the_rule_is_near_what_people_chose(name):
    model = dl.catalog.load(name)
    chosen = model.suggested["step"]
    model.suggested = {}
    found = chosen_step(model).step
    # dominoes of cards are thin: ten times shorter steps than somebody took who knew them at rest
    assert chosen / 10.5 <= found <= 4.5 * chosen


def test_the_parts_of_the_rule():
    g = 9.81
    ball = chosen_step(drop(0.1, 0.01))
    assert ball.step == one_digit(min(5e-3, math.sqrt(2 * 0.2 / g) / 30, 0.2 / 5 / _fall(0.11)))
    small = chosen_step(drop(0.001, 0.0))
    assert small.step == one_digit(math.sqrt(2 * 0.002 / g) / 30)
    assert "is 0.002 m small" in small.reason
    fast = chosen_step(drop(0.1, 20.0))
    assert fast.step == one_digit(0.2 / 5 / _fall(20.1))
    assert "may move at 20 m/s" in fast.reason
    soft = chosen_step(drop(0.1, 0.01, frequency=20.0, damping_ratio=1.0))
    assert soft.step == one_digit(0.2 / (2 * math.pi * 20.0))
    turning = chosen_step(drop(), initial={"ball.wz": 200.0})
    assert (turning.step, turning.reason) == (5e-4, "the start turns at 200 rad/s")


def _fall(height):
    return math.sqrt(2 * 9.81 * height)


def test_springs_and_servos_are_resolved():
    # moment of the rod about the hinge by the mean of its moments: 1/18 + 1/4
    moment = 1 / 18 + 1 / 4
    found = chosen_step(arm(kp=2000.0, kd=1.0))
    assert found.step == one_digit(0.2 / math.sqrt(2000.0 / moment))
    assert "servo 'servo' has" in found.reason
    assert chosen_step(arm(kp=1e9, kd=1.0)).step == 5e-4  # implicit: no less
    model = arm()
    model.add_force(
        dl.Spring(model.world.at(x=1.0), "link", free_length=1.0, stiffness=1e6, name="stiff")
    )
    assert chosen_step(model).step == one_digit(0.2 / 1e3)


def test_a_suggested_step_a_short_run_and_controllers():
    model = arm(kp=200.0, kd=1.0)
    assert chosen_step(model, span=1e-3).step == pytest.approx(5e-5)
    assert chosen_step(model, rates=[300.0]).step == pytest.approx(1 / 300)
    assert chosen_step(model, rates=[30.0]).step == pytest.approx(1 / 30 / 7)
    model.suggested = {"step": 2e-3}
    assert chosen_step(model) == chosen_step(model, span=1.0)
    assert chosen_step(model).reason == "the model suggests it"
    x, y = dl.coordinates("x y")
    coordinates = dl.Model.from_lagrangian(kinetic=(x.dot**2 + y.dot**2) / 2, potential=9.81 * y)
    coordinates.keep(y >= 0, name="floor")
    assert chosen_step(coordinates).step == 1e-3


def test_runs_and_sessions_need_no_step_and_say_which_they_took(capsys):
    model = drop(0.1, 0.2)
    solution = dl.simulate(model, until=0.5, mode="stepping")
    assert solution.step is None
    assert solution["ball.z"][-1] == pytest.approx(0.1, abs=1e-3)
    assert "step by error control" in solution.summary()
    assert solution.report()["longest_step"] <= 20.0 * chosen_step(model).step
    given = dl.simulate(model, until=0.5, step=1e-3)
    assert given.report()["longest_step"] is None
    session = dl.Session(model)
    session.advance(0.1)
    assert session.step_length == chosen_step(model).step
    assert session.step_reason == chosen_step(model).reason
    # methods and integrators with a fixed step of one's own choice still ask for it
    with pytest.raises(OptionError, match="RK4 needs a fixed step"):
        dl.simulate(dl.catalog.load("pendulum"), until=1.0, integrator=dl.RK4())


def test_a_stop_with_a_frequency_runs():
    model = arm()
    model.keep(model.joints["hinge"].angle <= 0.1, frequency=10.0, damping_ratio=1.0)
    model.set_initial({"hinge.angle.dot": 1.0})
    solution = dl.simulate(model, until=0.5)
    assert solution.status.name == "OK"
    assert 0.1 < solution["hinge.angle"].max() < 0.15


@pytest.mark.parametrize("kind", ["friction", "friction with dry", "torsion spring"])
def test_a_damper_that_the_step_does_not_resolve_is_implicit(kind):
    model = arm()
    made = {
        "friction": dl.JointFriction("hinge", damping=1e4, name="grease"),
        "friction with dry": dl.JointFriction("hinge", damping=1e4, dry=1e-6, name="grease"),
        "torsion spring": dl.TorsionSpring("hinge", stiffness=1e-6, damping=1e4, name="grease"),
    }[kind]
    model.add_force(made)
    model.set_initial({"hinge.angle.dot": 10.0})
    solution = dl.simulate(model, until=0.5, step=5e-3)
    # r = c / I = 3e4 1/s: the way is w / r, whatever the step of an implicit method
    assert solution["hinge.angle"][-1] == pytest.approx(10.0 / 3e4, rel=1e-3)
    assert abs(solution["hinge.angle.dot"][-1]) < 1e-6
    assert solution.verdict.is_good


def test_a_damper_that_the_step_resolves_stays_as_it_is():
    model = arm()
    model.add_force(dl.JointFriction("hinge", damping=1.0, name="grease"))
    solution = dl.simulate(model, until=0.1, step=5e-3)
    assert isinstance(solution.model.forces["grease"], dl.JointFriction)


ROBOT = """<robot name="finger">
  <link name="palm"/>
  <link name="tip">
    <inertial><origin xyz="0.02 0 0"/><mass value="0.05"/>
      <inertia ixx="1e-6" ixy="0" ixz="0" iyy="1e-5" iyz="0" izz="1e-5"/></inertial>
    <collision><origin xyz="0.02 0 0"/><geometry><sphere radius="0.01"/></geometry></collision>
  </link>
  <joint name="knuckle" type="revolute">
    <parent link="palm"/><child link="tip"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/><dynamics damping="0.1"/>
  </joint>
</robot>"""


def test_a_robot_runs_without_options(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "finger.urdf").write_text(ROBOT)
    assert main(["run", "finger.urdf"]) == 0
    out, err = capsys.readouterr()
    assert "step by error control" in out
    assert "simulated for 5 s" in err


def test_with_joints_steps_are_no_shorter_than_the_rule_unless_a_tolerance_is_asked_for():
    model = dl.catalog.load("chain-on-ground")
    rule = chosen_step(model).step
    usual = dl.simulate(model, until=0.6, progress=False)
    asked = dl.simulate(model, until=0.6, rtol=1e-2, mode="stepping", progress=False)
    with_impulses = np.diff(usual.t)[usual.solve_info["smooth"][1:] == 0.0]
    # the first is short, and so are two that share what is left to the end of the run
    assert np.sort(with_impulses)[3:].min() > 0.999 * rule
    assert usual.report()["tolerance"] == 1e-2
    plain = usual.statistics["contact"]["plain_steps"]
    assert 0 < plain < usual.statistics["steps"]
    assert f"{plain} of {usual.statistics['steps']} steps without error control" in usual.summary()
    assert asked.statistics["contact"]["plain_steps"] == 0
    assert np.diff(asked.t).min() < 0.1 * rule


def test_what_joints_hold_at_rest_takes_long_steps():
    model = arm(kp=200.0, kd=20.0)
    model.set_limits("hinge", dl.Limits(-1.0, 0.3))  # the servo presses against the stop
    solution = dl.simulate(model, until=5.0, mode="stepping", progress=False)
    assert solution.statistics["steps"] < 5.0 / chosen_step(model).step / 3.0
    assert solution["hinge.angle"][-1] == pytest.approx(0.3, abs=1e-6)
