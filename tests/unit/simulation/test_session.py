"""A session: the same motion as a run, parameters turned and bodies pulled on the way."""

import dataclasses
import math

import numpy as np
import pytest

import dalembert as dl
from dalembert import errors
from dalembert.simulation.session.tunable import exposed

STEP = 1e-3


def session(name, **options):
    return dl.Session(dl.catalog.load(name), step=STEP, **options)


# -- going on --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pendulum", "four-bar-3d", "biped", "gear-train"])
def test_frame_by_frame_it_is_the_run_to_the_bit(name):
    live = session(name)
    for _ in range(18):
        live.advance(1 / 60)
    run = dl.simulate(dl.catalog.load(name), until=0.4, step=STEP)
    k = round(live.t / STEP)
    assert live.t == run.t[k]
    assert k in (299, 300)
    assert np.array_equal(live.q, run.q[k])
    assert np.array_equal(live.v, run.v[k])


def test_what_does_not_fit_a_step_counts_for_the_next_time():
    live = session("pendulum")
    assert [round(live.advance(2.5e-3) / STEP) for _ in range(4)] == [2, 3, 2, 3]


def test_with_error_control_it_ends_where_asked():
    live = dl.Session(dl.catalog.load("pendulum"))
    for k in range(1, 7):
        live.advance(0.05)
        assert live.t == pytest.approx(0.05 * k, abs=1e-12)
    run = dl.simulate(dl.catalog.load("pendulum"), until=0.3)
    assert np.abs(live.q - run.q[-1]).max() < 1e-9


def test_a_budget_ends_it_early_and_nothing_is_made_up_for():
    live = session("pendulum")
    live.advance(100.0, budget=0.0)
    early = live.t
    assert 0.0 < early < 100.0
    assert live.advance(STEP) == pytest.approx(STEP)


def test_single_steps():
    live = session("pendulum")
    assert live.step() == STEP
    assert live.steps == 1
    adaptive = dl.Session(dl.catalog.load("pendulum"))
    taken = adaptive.step()
    assert adaptive.steps == 1
    assert 0.0 < taken == adaptive.t


def test_reset():
    live = session("four-bar-3d")
    q, v = live.q, live.v
    live.advance(0.2)
    assert not np.array_equal(live.q, q)
    live.reset()
    assert live.t == 0.0
    assert np.array_equal(live.q, q)
    assert np.array_equal(live.v, v)


def test_what_is_no_model_or_time_is_refused():
    with pytest.raises(errors.OptionError, match="is not a model"):
        dl.Session("pendulum")
    with pytest.raises(errors.OptionError, match="Give seconds"):
        session("pendulum").advance(-1.0)


# -- failures --------------------------------------------------------------------------------------


def falling_apart():
    """Runs into the root of a negative number at t = 0.1 s."""
    (x,) = dl.coordinates("x")
    (m,) = dl.parameters(m=1.0)
    force = np.sqrt(0.1 - dl.time)
    return dl.Model.from_lagrangian(kinetic=m * x.dot**2 / 2, forces={x: force})


def test_a_failure_is_told_and_reset_helps():
    live = dl.Session(falling_apart(), step=STEP)
    with pytest.raises(errors.NonFiniteError, match=r"Stopped at t = 0\.1 s"):
        live.advance(1.0)
    assert live.failure is not None
    assert live.t == pytest.approx(0.1)
    assert np.all(np.isfinite(live.q))
    with pytest.raises(errors.NonFiniteError):
        live.advance(0.1)
    live.reset()
    assert live.failure is None
    assert live.advance(0.05) == pytest.approx(0.05)


# -- parameters ------------------------------------------------------------------------------------


def test_a_length_moves_the_bob_to_the_nearest_place_and_the_motion_goes_on_from_there():
    live = session("pendulum")
    live.advance(0.3)
    before = live.q
    live.set_parameter("l", 2.0)
    assert live.t == pytest.approx(0.3)
    assert np.allclose(live.q, 2.0 * before, atol=1e-12)  # on the same ray
    assert max(live.drift()) < 1e-14
    start = (live.q, live.v)
    live.advance(0.5)
    run = dl.simulate(
        dl.catalog.load("pendulum"),
        until=0.8,
        start=0.3,
        step=STEP,
        parameters={"l": 2.0},
        initial=start,
    )
    assert np.abs(live.q - run.q[-1]).max() < 1e-12


def test_a_mechanism_stays_in_its_way_of_being_put_together():
    live = dl.Session(dl.catalog.load("slider-crank-bodies"), step=STEP)
    live.advance(0.2)
    live.set_parameters({"l1": 0.6, "l2": 2.0})
    assert max(live.drift()) < 1e-12
    slider = list(live.model.bodies.values())[-1]
    assert live.snapshot()[slider.x][0] > 1.0  # in front of the crank, not mirrored behind it


def test_nothing_is_compiled_again(monkeypatch):
    from dalembert.system import body_system
    from dalembert.system import system as formulas

    live, bodies = session("pendulum"), session("four-bar-3d")

    def refuse(*_, **__):
        raise AssertionError("compiled")

    monkeypatch.setattr(formulas, "compile_function", refuse)
    monkeypatch.setattr(body_system, "compile_function", refuse)
    live.set_parameter("l", 1.5)
    live.advance(0.01)
    bodies.set_parameter("density", 3.0)
    bodies.advance(0.01)


def beam():
    """Between two bearings that are 1 m apart; any other length does not fit."""
    l, mass = dl.parameters(l=1.0, mass=2.0)
    model = dl.Model("beam")
    body = model.add_body("beam", dl.Inertia.box(mass=mass, size=(1.0, 0.1, 0.2)))
    model.add_joint(dl.Spherical(model.world, body.at(x=-l / 2), name="left"))
    model.add_joint(dl.Spherical(model.world.at(x=1.0), body.at(x=l / 2), name="right"))
    return model


def test_a_value_that_cannot_be_leaves_everything_as_it_was():
    live = dl.Session(beam(), step=STEP)
    live.advance(0.1)
    q, known = live.q, live.parameters
    with pytest.raises(errors.OptionError, match="did you mean 'mass'"):
        live.set_parameter("mas", 1.0)
    with pytest.raises(errors.ModelError):
        live.set_parameter("mass", -1.0)
    with pytest.raises(errors.SimulationError, match="do not close"):
        live.set_parameter("l", 1.5)
    assert live.parameters == known
    assert np.array_equal(live.q, q)
    assert live.advance(0.1) == pytest.approx(0.1)


def test_turns_are_kept():
    """A gear that has turned several times is not wound back by a new parameter."""
    live = dl.Session(dl.catalog.load("gear-train"), step=STEP)
    live.advance(3.0)
    q, angles = live.q, live._angles()
    live.set_parameter("g", 12.0)
    assert np.abs(live.q - q).max() < 1e-9
    assert np.abs(angles).max() > 20.0
    assert np.abs(live._angles() - angles).max() < 1e-9
    live.advance(0.1)
    assert max(live.drift()) < 1e-12


def test_a_drive_goes_on_from_where_it_is():
    live = session("jansen-leg")
    live.advance(2.0)
    q, v = live.q, live.v
    live.set_parameter("rate", 6.0)
    assert np.abs(live.q - q).max() < 1e-9
    assert np.allclose(live.v, 2.0 * v, atol=1e-9)  # twice as fast, all of it
    assert live.parameters["drive.phase"] == pytest.approx(-6.0)
    live.reset()
    assert live.parameters["drive.phase"] == 0.0
    assert live.parameters["rate"] == 6.0


def test_targets_of_actuators_are_a_group_of_their_own():
    model = dl.Model("arm", gravity=(0, 0, -9.81))
    link = model.add_body("link", dl.Inertia.rod(mass=1.0, length=1.0))
    joint = model.add_joint(dl.Revolute(model.world, link.at(x=-0.5), axis="y", name="hinge"))
    servo = dl.PositionServo(joint, kp=50.0, kd=5.0, command_limits=(-0.5, 2.0), name="servo")
    model.add_force(servo)
    live = dl.Session(model, step=STEP)
    (target,) = [knob for knob in live.knobs if knob.group == "target"]
    assert (target.name, target.low, target.high) == ("servo.command", -0.5, 2.0)
    live.set_parameter("servo.command", 1.0)
    live.advance(1.0)
    moved = dataclasses.replace(servo, command=1.0)
    other = dl.Model("arm", gravity=(0, 0, -9.81))
    link = other.add_body("link", dl.Inertia.rod(mass=1.0, length=1.0))
    joint = other.add_joint(dl.Revolute(other.world, link.at(x=-0.5), axis="y", name="hinge"))
    other.add_force(dataclasses.replace(moved, joint=joint))
    assert np.abs(live.q - dl.simulate(other, until=1.0, step=STEP).q[-1]).max() < 1e-12


@pytest.mark.parametrize(
    ("make", "limits", "expected"),
    [
        (lambda j: dl.PositionServo(j, kp=50.0, name="a"), None, (-math.pi, math.pi)),
        (lambda j: dl.PositionServo(j, kp=50.0, gear=-2.0, name="a"), (-0.5, 1.5), (-3.0, 1.0)),
        (lambda j: dl.PositionServo(j, kp=5.0, command=4.0, name="a"), None, (-math.pi, 4.0)),
        (lambda j: dl.VelocityServo(j, kd=5.0, name="a"), None, (-2 * math.pi, 2 * math.pi)),
        (lambda j: dl.DirectDrive(j, limits=7.0, name="a"), None, (-7.0, 7.0)),
        (lambda j: dl.DirectDrive(j, gear=5.0, name="a"), (-1.0, 1.0), (-8.0, 8.0)),
        (lambda j: dl.DirectDrive(j, name="a"), None, (-1.0, 1.0)),
    ],
)
def test_a_target_without_limits_has_the_range_of_its_joint(make, limits, expected):
    model = dl.Model("arm", gravity=(0, 0, -9.81))
    link = model.add_body("link", dl.Inertia.rod(mass=1.0, length=1.0))
    joint = model.add_joint(dl.Revolute(model.world, link.at(x=-0.5), axis="y", name="hinge"))
    model.add_force(make(joint))
    if limits is not None:
        model.set_limits(joint, dl.Limits(*limits, effort=40.0))
    (target,) = [knob for knob in exposed(model)[1] if knob.group == "target"]
    assert (target.low, target.high) == pytest.approx(expected)


def test_numbers_without_a_name_can_be_turned_too():
    def made(stiffness):
        model = dl.Model("swing", gravity=(0, 0, 0))
        ball = model.add_body("ball", dl.Inertia.sphere(mass=2.0, radius=0.1), position=(1.5, 0, 0))
        model.add_force(
            dl.Spring(model.world, ball, free_length=1.0, stiffness=stiffness, name="spring")
        )
        model.add_force(dl.Force(ball, value=(0, 0, 0), name="thrust"))
        return model

    live = dl.Session(made(8.0), step=STEP)
    names = {knob.name: knob.group for knob in live.knobs}
    assert names == {
        "spring.free_length": "force",
        "spring.stiffness": "force",
        "thrust.value.x": "force",
        "thrust.value.y": "force",
        "thrust.value.z": "force",
    }
    live.set_parameter("spring.stiffness", 18.0)
    live.advance(1.0)
    run = dl.simulate(made(18.0), until=1.0, step=STEP)
    assert np.abs(live.q - run.q[-1]).max() < 1e-12
    assert sum(live.energy()) == pytest.approx(0.5 * 18.0 * 0.25, rel=1e-9)
    live.set_parameter("thrust.value.y", 3.0)
    assert live.measured().a[1] == pytest.approx(1.5)


def test_ranges_hold_the_value_and_both_signs_of_a_command():
    from dalembert.simulation.session.tunable import span

    assert span(2.0) == (0.2, 6.0)
    assert span(-9.81, "gravity.z") == (-29.0, -0.98)
    assert span(0.0) == (-1.0, 1.0)
    assert span(0.5, "motor.command") == (-1.0, 1.0)
    assert span(4.0, "thrust.value.x") == (-12.0, 12.0)
    for value in (3e-7, 1.0, -250.0):
        low, high = span(value)
        assert low < value < high


def test_the_models_own_values():
    live = session("pendulum")
    live.set_parameters({"l": 2.0, "g": 5.0})
    live.reset_parameters()
    assert live.parameters == dl.catalog.load("pendulum").parameters


# -- pulling ---------------------------------------------------------------------------------------

SWIFT = 10.0


def approach(t):
    """Way of a mass at rest to 1 by a critically damped spring."""
    return 1.0 - (1.0 + SWIFT * t) * np.exp(-SWIFT * t)


def quaternion_ball():
    model = dl.Model("ball", gravity=(0, 0, 0))
    model.add_body("ball", dl.Inertia.sphere(mass=3.0, radius=0.1))
    return model


def angle_ball():
    model = dl.Model("ball", gravity=(0, 0, 0))
    inertia = dl.Inertia.sphere(mass=3.0, radius=0.1)
    model.add_body("ball", inertia, orientation="roll-pitch-yaw")
    return model


def particle():
    x, y, z = dl.coordinates("x y z")
    (m,) = dl.parameters(m=3.0)
    kinetic = m * (x.dot**2 + y.dot**2 + z.dot**2) / 2
    return dl.Model.from_lagrangian(kinetic=kinetic, points={"ball": (x, y, z)})


@pytest.mark.parametrize("make", [quaternion_ball, angle_ball, particle])
def test_a_pull_is_a_critically_damped_spring(make):
    live = dl.Session(make(), step=STEP)
    live.pull("ball", None, (0.4, -0.8, 0.2))
    assert np.allclose(live.pull_force(), 3.0 * SWIFT**2 * np.array([0.4, -0.8, 0.2]))
    live.advance(0.25)
    assert np.allclose(live.q[:3], approach(0.25) * np.array([0.4, -0.8, 0.2]), atol=1e-9)
    assert np.allclose(live.held_point(), live.q[:3])
    live.release()
    assert np.array_equal(live.measured().a, np.zeros_like(live.v))
    assert live.held_point() is None


def test_pulled_beside_its_centre_a_body_turns():
    live = dl.Session(quaternion_ball(), step=STEP)
    live.pull("ball", (0.1, 0, 0), (0.1, 0, 0.5))
    force = 3.0 * SWIFT**2 * 0.5
    a = live.measured().a
    assert a[2] == pytest.approx(force / 3.0)
    inertia = 0.4 * 3.0 * 0.1**2
    assert a[4] == pytest.approx(-0.1 * force / inertia)  # x times z is -y


def test_another_body_is_taken_hold_of_without_a_trace_of_the_first():
    live = session("chain")
    free = live.measured().a
    live.pull("link0", (0.1, 0, 0), (0, 0, 3))
    live.pull("link7", (0.2, 0, 0), (0, 0, 3))
    only = session("chain")
    only.pull("link7", (0.2, 0, 0), (0, 0, 3))
    assert np.array_equal(live.measured().a, only.measured().a)
    assert not np.array_equal(live.measured().a, free)
    live.release()
    assert np.array_equal(live.measured().a, free)


def test_a_rod_is_pulled_on_its_axis():
    """It has no inertia about it: pulled at its surface, nothing would resist the twist."""
    model = dl.Model("rod", gravity=(0, 0, 0))
    model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    live = dl.Session(model, step=STEP)
    live.pull("rod", (0.3, 0.05, -0.02), (0.3, 1.0, 1.0))
    assert np.allclose(live.grip.at, (0.3, 0, 0))
    live.advance(0.5)
    model = dl.Model("point", gravity=(0, 0, 0))
    model.add_body("point", dl.Inertia.point(mass=1.0))
    live = dl.Session(model, step=STEP)
    live.pull("point", (0.3, 0.05, -0.02), (0.3, 1.0, 1.0))
    live.advance(0.5)
    assert np.allclose(live.grip.at, 0.0)


def test_a_place_between_two_points_is_held_by_its_shares():
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + 3.0 * y.dot**2) / 2, points={"a": (x, 0.0), "b": (y, 1.0)}
    )
    live = dl.Session(model, step=STEP)
    live.pull({"a": 0.25, "b": 0.75}, None, (1.0, 0.75, 0.0))
    mass = 1.0 / (0.25**2 / 1.0 + 0.75**2 / 3.0)  # (J M^-1 J^T)^-1
    force = mass * SWIFT**2
    assert live.pull_force()[0] == pytest.approx(force)
    assert np.allclose(live.measured().a, [0.25 * force, 0.75 * force / 3.0])


def test_constraints_hold_under_a_pull():
    live = session("four-bar-3d")
    live.pull("coupler", (0.1, 0, 0), (0.5, 0.3, 4.0), strength=5.0)
    live.advance(1.0)
    assert max(live.drift()) < 1e-13


def test_a_parameter_may_change_while_something_is_held():
    live = session("pendulum")
    live.pull("mass", None, (0.5, -2.0, 0.0))
    live.set_parameter("l", 1.5)
    assert live.grip is not None
    live.advance(3.0)
    assert np.hypot(*live.q) == pytest.approx(1.5)
    # at rest where weight and hand balance; without the hand it would swing for ever
    assert np.abs(live.v).max() < 0.05


def test_what_cannot_be_pulled_is_told():
    live = session("four-bar-3d")
    with pytest.raises(errors.OptionError, match="did you mean 'coupler'"):
        live.pull("couplr", None, (0, 0, 0))
    with pytest.raises(errors.OptionError, match="Give 3 finite numbers"):
        live.pull("coupler", None, (0, 0))
    with pytest.raises(errors.OptionError, match="positive"):
        live.pull("coupler", None, (0, 0, 0), strength=0.0)
    with pytest.raises(errors.OptionError, match="one body"):
        live.pull({"coupler": 0.5, "crank": 0.5}, None, (0, 0, 0))
    fixed = session("pendulum")
    still = next(name for name in fixed.grips if name != "mass")
    with pytest.raises(errors.OptionError, match="cannot be moved"):
        fixed.pull(still, None, (0, 0, 0))


# -- keeping ---------------------------------------------------------------------------------------


def test_a_session_can_be_kept(tmp_path):
    live = session("four-bar-3d", record=True)
    for _ in range(30):
        live.advance(1 / 60)
    kept = live.solution()
    run = dl.simulate(dl.catalog.load("four-bar-3d"), until=0.5, step=STEP)
    assert len(kept.t) == 31
    assert np.array_equal(kept.q[-1], run.q[-1])
    assert np.allclose(kept.lam, run.lam[np.round(kept.t / STEP).astype(int)], atol=1e-9)
    again = dl.Solution.load(kept.save(tmp_path / "live.npz"))
    assert np.array_equal(again.q, kept.q)
    live.set_parameter("g", 3.0)
    live.advance(0.1)
    assert live.solution().t[0] == pytest.approx(0.5)  # one set of parameters a solution
    assert live.solution().model.parameters["g"] == 3.0


def test_what_is_kept_knows_the_pull():
    live = session("pendulum", record=True)
    live.pull("mass", None, (2.0, 0.0, 0.0))
    live.advance(0.1)
    now = live.measured()
    assert np.array_equal(live.solution().lam[-1], now.lam)
    live.release()
    assert not np.allclose(live.measured().lam, now.lam)


def test_nothing_recorded_is_told():
    with pytest.raises(errors.OptionError, match="record=True"):
        session("pendulum").solution()


# -- controllers -----------------------------------------------------------------------------------


def driven_arm():
    model = dl.Model("arm")
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    model.add_force(dl.DirectDrive(hinge, limits=30.0, name="motor"))
    return model


class Hold:
    """A PD law that counts its calls."""

    def __init__(self):
        self.calls = []

    def __call__(self, t, x):
        self.calls.append(t)
        return 80.0 * (0.5 - x[0]) - 8.0 * x[1]


def control(law):
    return dl.Controller(
        law, rate=500.0, inputs=["hinge.angle", "hinge.angle.dot"], outputs=["motor"]
    )


@pytest.mark.parametrize("step", [1e-3, None])
def test_controllers_as_in_simulate(step):
    """However the time is cut; accelerations and commands are those of the moment."""
    law, model = Hold(), driven_arm()
    session = dl.Session(model, step=step, controllers=[control(law)], record=True)
    for _ in range(10):
        session.advance(0.0299)
    expected = dl.simulate(model, until=0.299, step=step, controllers=[control(Hold())])
    found = session.solution()
    assert np.abs(np.subtract(law.calls, expected.commands.t)).max() <= 1e-15
    bar = 1e-13 if step else 1e-7
    assert np.abs(session.q - expected.q[-1]).max() <= bar
    assert np.abs(found.a[-1] - expected.a[-1]).max() <= 100 * bar
    assert found["motor.effort"][-1] == pytest.approx(expected["motor.effort"][-1], rel=1e-6)
    assert "motor.command" not in session.parameters


def test_controllers_begin_anew_after_a_change():
    law = Hold()
    session = dl.Session(driven_arm(), step=1e-3, controllers=[control(law)])
    session.advance(0.101)
    session.set_parameter("motor.limits.1", 5.0)
    session.advance(0.1)
    assert len(law.calls) == 51 + 50
    assert law.calls[51] == pytest.approx(0.101)
    session.reset()
    session.advance(0.01)
    assert law.calls[101] == 0.0


def test_a_controller_that_fails_stops_the_session():
    def clumsy(t, x):
        return [][0]

    session = dl.Session(driven_arm(), step=1e-3, controllers=[control(clumsy)])
    with pytest.raises(dl.errors.ControllerError, match=r"clumsy.*IndexError"):
        session.advance(0.1)
    assert isinstance(session.failure.__cause__, IndexError)
    with pytest.raises(dl.errors.OptionError, match="does not divide"):
        dl.Session(driven_arm(), step=3e-3, controllers=[control(clumsy)])
