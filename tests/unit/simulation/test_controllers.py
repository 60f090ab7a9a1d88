"""Controllers: when they are called, what they see, what is held, and how they fail."""

import dataclasses
import signal
import threading

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import ControllerError, OptionError
from dalembert.simulation.status import Status

KP, KD, TARGET = 80.0, 8.0, 0.5


def arm(command=0.0, name="motor"):
    model = dl.Model("arm")
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    given = command(hinge) if callable(command) else command
    model.add_force(dl.DirectDrive(hinge, command=given, name=name))
    return model, hinge


def pd(t, x):
    return KP * (TARGET - x[0]) - KD * x[1]


def controlled(rate, callback=pd, **options):
    model, hinge = arm()
    control = dl.Controller(
        callback, rate=rate, inputs=[hinge.angle, hinge.angle.dot], outputs=["motor"]
    )
    return dl.simulate(model, until=1.0, controllers=[control], **options)


@pytest.fixture(scope="module")
def formula():
    """The same law, compiled into the loop."""
    model, _hinge = arm(lambda h: KP * (TARGET - h.angle) - KD * h.angle.dot)
    return dl.simulate(model, until=1.0, step=1e-3)


def test_converges_to_the_formula_with_first_order(formula):
    rates = [1000.0, 500.0, 250.0, 125.0]
    errors = [np.abs(controlled(r, step=1e-3).q - formula.q).max() for r in rates]
    assert errors[0] < 2e-3
    orders = np.log2(np.array(errors[1:]) / errors[:-1])
    assert np.all(np.abs(orders - 1.0) < 0.05), orders


def test_is_called_at_multiples_of_the_period_and_sees_the_state():
    seen = []

    def note(t, x):
        seen.append((t, *x))
        return pd(t, x)

    solution = controlled(250.0, note, step=1e-3)
    moments = np.array([row[0] for row in seen])
    assert np.array_equal(moments, solution.t[:-1:4])
    assert np.allclose(moments, np.arange(250) / 250.0, rtol=1e-15)
    states = np.array([row[1:] for row in seen])
    hinge = solution.model.joints["hinge"]
    shown = np.stack([solution[hinge.angle], solution[hinge.angle.dot]], axis=1)[:-1:4]
    assert np.abs(states - shown).max() < 1e-13
    # what is held is what it returned, from the moment of the call on
    held = solution["motor.effort"]
    expected = np.array([pd(row[0], row[1:]) for row in seen])
    assert np.array_equal(held[:-1].reshape(-1, 4), np.repeat(expected[:, None], 4, axis=1))
    assert np.array_equal(solution.commands.t, moments)
    assert np.array_equal(solution["motor.command"], held)


def test_adaptive_steps_end_where_it_is_called(formula):
    moments = []

    def note(t, x):
        moments.append(t)
        return pd(t, x)

    model, _hinge = arm()
    control = dl.Controller(
        note, rate=30.0, inputs=["hinge.angle", "hinge.angle.dot"], outputs=["motor"]
    )
    solution = dl.simulate(model, until=1.0, controllers=[control])
    assert np.array_equal(moments, np.arange(30) / 30.0)  # to the bit
    assert np.isin(moments, solution.t).all()
    fixed = dl.simulate(model, until=1.0, step=1.0 / 1200, controllers=[control])
    assert np.abs(solution.q[-1] - fixed.q[-1]).max() < 1e-8


def test_a_later_start_counts_from_there():
    moments = []
    model, _ = arm()
    control = dl.Controller(
        lambda t, q, v: moments.append(t) or 0.0, rate=10.0, outputs=["motor"], name="late"
    )
    dl.simulate(model, until=3.0, start=2.5, step=0.05, controllers=[control])
    assert np.allclose(moments, 2.5 + np.arange(5) / 10.0, rtol=1e-15)


def test_work_balance_closes_though_the_power_jumps():
    solution = controlled(50.0, step=1e-3)
    assert np.abs(solution.work("motor")).max() > 1.0
    assert np.abs(solution.balance.residual).max() < 1e-8
    sparse = controlled(50.0, step=1e-3, every=20)
    assert np.abs(sparse.balance.residual).max() < 1e-6
    # between samples: the acceleration jumps at a call, the interpolation knows
    q, _ = sparse.at(solution.t)
    assert np.abs(q - solution.q).max() < 1e-7


def test_repeats_to_the_bit():
    first, second = (controlled(125.0, step=1e-3) for _ in range(2))
    assert np.array_equal(first.q, second.q)
    assert np.array_equal(first.a, second.a)
    assert np.array_equal(first.commands.values, second.commands.values)


def test_samples_do_not_depend_on_what_is_recorded():
    every, some = controlled(125.0, step=1e-3), controlled(125.0, step=1e-3, every=100)
    assert np.array_equal(every.q[::100], some.q)
    events = dl.Event(every.model.joints["hinge"].angle - 0.2, name="passed")
    with_event = controlled(125.0, step=1e-3, events=[events])
    assert np.array_equal(with_event.q, every.q)
    assert with_event.events


def test_sees_whole_state_without_inputs_and_cannot_write():
    kinds = []
    model, _ = arm()

    def look(t, q, v):
        kinds.append((type(t), q.shape, v.shape, q.flags.writeable, v.flags.writeable, id(q)))
        return 0.0

    control = dl.Controller(look, rate=100.0, outputs=["motor"])
    dl.simulate(model, until=0.1, step=1e-2, controllers=[control])
    assert kinds[0][:5] == (float, (7,), (6,), False, False)
    assert len({row[5] for row in kinds}) == 1  # the same array in every call
    with pytest.raises(ControllerError, match="read-only"):
        controlled(100.0, lambda t, x: x.__setitem__(0, 1.0), step=1e-2)


def test_sees_accelerations_of_the_commands_held_so_far():
    model, _hinge = arm()
    imu = model.add_sensor(dl.IMU(model.bodies["rod"].at(x=0.5), name="imu"))
    seen = []

    def note(t, x):
        seen.append(np.array(x))
        return 1.0

    control = dl.Controller(note, rate=100.0, inputs=[imu, "imu.ax"], outputs=["motor"])
    solution = dl.simulate(model, until=0.1, step=1e-2, controllers=[control])
    shown = solution.sensor("imu").values
    assert np.abs(np.array(seen)[1:, :6] - shown[1:-1]).max() < 1e-12
    assert np.array_equal(np.array(seen)[:, 6], np.array(seen)[:, 0])
    # at the first call nothing was commanded yet: it falls as it would by itself
    assert abs(seen[0][2] - (9.81 - 1.5 * 9.81)) < 1e-12


@pytest.mark.parametrize("method", [dl.Projection(), dl.BraunGoldfarb()])
@pytest.mark.parametrize("loop", [False, True])
def test_sees_reactions_of_the_commands_held_so_far(method, loop):
    """Of two joints, on either body, about any point, along any axes; as the solution has them."""
    model = dl.Model("arm")
    upper = model.add_body("upper", dl.Inertia.box(1.0, (1.0, 0.1, 0.2)))
    lower = model.add_body("lower", dl.Inertia.box(0.7, (0.8, 0.1, 0.1)))
    ground = model.world.at(0.1, 0.2, 0.3)
    model.add_joint(dl.Revolute(ground, upper.at(x=-0.5), axis="y", name="hinge"))
    knee = dl.Spherical(upper.at(x=0.5, y=0.1), lower.at(x=-0.4), name="knee")
    model.add_joint(dataclasses.replace(knee, initial_speed=(1.0, 0.0 if loop else 2.0, 3.0)))
    if loop:
        model.add_joint(dl.PointOnPlane(model.world, lower.at(x=0.4), axis="z", name="floor"))
    model.add_force(dl.DirectDrive("hinge", name="motor"))
    asked = [
        ("hinge", {}),
        ("hinge", {"on": "world", "frame": lower.at(rotation=("x", 0.3))}),
        ("knee", {"on": "upper", "frame": upper, "about": lower.at(x=0.2)}),
        ("knee", {"about": model.world}),
    ]
    names = [f"sensor{k}" for k in range(len(asked))]
    for name, (joint, options) in zip(names, asked, strict=True):
        model.add_sensor(dl.ForceSensor(joint, name=name, **options))
    seen = []

    def note(t, x):
        seen.append(np.array(x))
        return 2.0

    control = dl.Controller(note, rate=100.0, inputs=[*names, "sensor1.ty"], outputs=["motor"])
    solution = dl.simulate(model, until=0.1, step=1e-3, controllers=[control], method=method)
    assert solution.statistics["formulation"] == "maximal"
    shown = np.concatenate([solution.sensor(name).values for name in names], axis=1)[:-1:10]
    found = np.array(seen)
    size = np.abs(shown).max()
    assert np.abs(found[1:, :-1] - shown[1:]).max() <= 1e-9 * size
    assert np.array_equal(found[:, -1], found[:, 6 + 4])


def test_several_outputs_and_several_controllers():
    model = dl.Model("gantry", gravity=(0, 0, 0))
    block = model.add_body("block", dl.Inertia.box(mass=2.0, size=(1, 1, 1)))
    model.add_joint(dl.Planar(model.world, block, axis="z"))
    one = model.add_force(dl.Torque(block, about="z", value=0.0, name="spin"))
    model.add_joint(
        dl.Prismatic(
            model.world,
            other := model.add_body("other", dl.Inertia.box(mass=1.0, size=(1, 1, 1))),
            axis="x",
            name="rail",
        )
    )
    model.add_force(dl.DirectDrive("rail", name="push"))
    calls = {"fast": 0, "slow": 0}

    def fast(t, q, v):
        calls["fast"] += 1
        return np.array([0.5, 1.0])

    assert other.name == "other"
    control = dl.Controller(fast, rate=100.0, outputs=[one, "push"])
    solution = dl.simulate(model, until=1.0, step=1e-2, controllers=[control])
    assert abs(solution["other.x"][-1] - 0.5) < 1e-12
    assert abs(solution["block.wz"][-1] - 0.5 / (2.0 / 6)) < 1e-12

    def slow(t, q, v):
        calls["slow"] += 1
        return [2.0]

    both = [
        dl.Controller(lambda t, q, v: fast(t, q, v)[0], rate=100.0, outputs=["spin"], name="a"),
        dl.Controller(slow, rate=25.0, outputs=["push"]),
    ]
    for step in (1e-2, None):
        calls.update(fast=0, slow=0)
        solution = dl.simulate(model, until=1.0, step=step, controllers=both)
        assert calls == {"fast": 100, "slow": 25}
        assert abs(solution["other.x"][-1] - 1.0) < 1e-9


def test_formulas_of_coordinates_and_parameters_as_outputs():
    (x,) = dl.coordinates("x")
    u, m = dl.parameters(u=0.0, m=2.0)
    model = dl.Model.from_lagrangian(
        kinetic=m * x.dot**2 / 2, forces={x: 3 * u}, initial={x: 1.0}, name="mass"
    )
    control = dl.Controller(lambda t, s: 4.0 * s[0] / s[0], rate=10.0, inputs=["x"], outputs=[u])
    solution = dl.simulate(model, until=1.0, step=0.05, controllers=[control])
    assert abs(solution[x][-1] - 4.0) < 1e-12  # 1 + 12 / 2 / 2
    assert np.allclose(solution.a, 6.0)
    bad = dl.Controller(lambda t, q, v: 0.0, rate=10.0, outputs=["m"])
    with pytest.raises(OptionError, match="stands in the mass matrix"):
        dl.simulate(model, until=1.0, step=0.05, controllers=[bad])


def test_a_parameter_of_bodies_must_be_a_command():
    model = dl.Model("arm")
    length, push = dl.parameters(length=1.0, push=0.0)
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=length))
    hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5 * length), axis="y", name="h"))
    # inside a formula of the motion
    model.add_force(dl.DirectDrive(hinge, command=push * np.cos(hinge.angle), name="motor"))
    control = dl.Controller(lambda t, q, v: 9.81 / -2.0, rate=100.0, outputs=[push])
    solution = dl.simulate(model, until=0.2, step=1e-2, controllers=[control])
    assert np.abs(solution[hinge.angle]).max() < 1e-12  # the weight is carried
    bad = dl.Controller(lambda t, q, v: 1.0, rate=100.0, outputs=["length"])
    with pytest.raises(OptionError, match=r"another place than as a command|stands in a mass"):
        dl.simulate(model, until=0.2, step=1e-2, controllers=[bad])


# -- failures --------------------------------------------------------------------------------------


def broken(t, x):
    values = [1.0]
    return values[int(t > 0.4)]  # too far


def test_an_exception_ends_the_run_and_shows_the_line():
    with pytest.raises(ControllerError) as caught:
        controlled(100.0, broken, step=1e-2)
    text = str(caught.value)
    assert "t = 0.41 s, 'broken'" in text or "t = 0.4 s, 'broken'" in text
    assert "raised IndexError: list index out of range" in text
    assert "test_controllers.py: return values[int(t > 0.4)]" in text
    assert isinstance(caught.value.__cause__, IndexError)
    solution = caught.value.solution
    assert solution.status is Status.CONTROLLER_FAILED
    assert 0.39 < solution.t[-1] < 0.42
    assert np.isfinite(solution.a).all()
    returned = controlled(100.0, broken, step=1e-2, on_failure="return")
    assert np.array_equal(returned.q, solution.q)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "returned None, not a number"),
        (float("nan"), "returned nan for 'motor.command'"),
        (float("inf"), "returned inf for 'motor.command'"),
        ([1.0, 2.0], r"returned \[1.0, 2.0\], not a number"),
        ([], r"returned \[\], not a number"),
        ("3", "returned '3', not a number"),
        (np.zeros(2), "not a number"),
        ({"u": 1.0}, "not a number"),
        (1j, "not a number"),
    ],
)
def test_what_is_no_command_is_named(value, said):
    with pytest.raises(ControllerError, match=said) as caught:
        controlled(100.0, lambda t, x: value if t > 0.05 else 0.0, step=1e-2)
    assert len(caught.value.solution.t) > 5


@pytest.mark.parametrize("value", [1, np.float64(1.0), np.float32(1.0), [1.0], np.ones(1), True])
def test_numbers_of_all_kinds_are_commands(value):
    solution = controlled(100.0, lambda t, x: value, step=1e-2)
    assert np.array_equal(solution["motor.effort"], np.ones(len(solution.t)))


def test_failure_at_the_first_call_leaves_the_start():
    with pytest.raises(ControllerError) as caught:
        controlled(100.0, lambda t, x: None, step=1e-2)
    assert len(caught.value.solution.t) == 1
    assert np.isfinite(caught.value.solution.a).all()


@pytest.fixture
def listening():
    """A shell may have started the tests with the signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("listening")
def test_ctrl_c_while_a_callback_runs():
    def press(t, x):
        if abs(t - 0.5) < 1e-9:
            signal.raise_signal(signal.SIGINT)
        return 0.0

    assert threading.current_thread() is threading.main_thread()
    with pytest.raises(KeyboardInterrupt) as caught:
        controlled(100.0, press, step=1e-2)
    solution = caught.value.solution
    assert solution.status is Status.INTERRUPTED
    assert 0.5 <= solution.t[-1] <= 1.0

    def insist(t, x):
        if abs(t - 0.5) < 1e-9:
            raise KeyboardInterrupt
        return 0.0

    with pytest.raises(KeyboardInterrupt) as caught:
        controlled(100.0, insist, step=1e-2)
    solution = caught.value.solution
    assert solution.status is Status.INTERRUPTED
    assert abs(solution.t[-1] - 0.5) < 1e-9


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rate": 0.0}, "rate is 0"),
        ({"rate": "often"}, "rate is 'often'"),
        ({"callback": 3.0}, "cannot be called"),
        ({"outputs": []}, "has no outputs"),
        ({"outputs": ["moter"]}, "'moter' is neither an actuator nor a parameter"),
        ({"outputs": ["hinge"]}, "'hinge' is neither"),
        ({"outputs": ["grease"]}, "takes no command"),
        ({"outputs": ["motor", "motor"]}, "already"),
        ({"inputs": ["hinge.angel"]}, "no such sensor or signal"),
        ({"inputs": [3.0]}, "neither a formula nor a sensor"),
        ({"rate": 300.0}, "does not divide its period"),
        ({"rate": 2e4}, "does not divide its period"),
    ],
)
def test_mistakes_are_told_before_the_run(options, said):
    model, hinge = arm()
    model.add_force(dl.JointFriction(hinge, damping=0.1, name="grease"))
    given = {"callback": pd, "rate": 100.0, "outputs": ["motor"]} | options

    def run():
        control = dl.Controller(given.pop("callback"), **given)
        dl.simulate(model, until=0.1, step=1e-3, controllers=[control])

    with pytest.raises(OptionError, match=said):
        run()


def test_lists_are_asked_for():
    model, _ = arm()
    control = dl.Controller(pd, rate=100.0, outputs=["motor"])
    with pytest.raises(OptionError, match="takes a list"):
        dl.simulate(model, until=0.1, step=1e-3, controllers=control)
    with pytest.raises(OptionError, match=r"controllers\[0\]"):
        dl.simulate(model, until=0.1, step=1e-3, controllers=[pd])


# -- keeping ---------------------------------------------------------------------------------------


def test_kept_runs_are_resumed_with_the_functions_given_again(tmp_path):
    model, hinge = arm()
    control = dl.Controller(pd, rate=50.0, inputs=[hinge.angle, hinge.angle.dot], outputs=["motor"])
    whole = dl.simulate(model, until=1.0, step=1e-3, controllers=[control])
    folder = tmp_path / "run"
    dl.simulate(model, until=0.5, step=1e-3, controllers=[control], save=folder)
    with pytest.raises(OptionError, match=r"'pd' at 50 Hz.*Give them again"):
        dl.resume(folder, until=1.0)
    other = dl.Controller(pd, rate=25.0, inputs=[hinge.angle, hinge.angle.dot], outputs=["motor"])
    with pytest.raises(OptionError, match="other names, rates or outputs"):
        dl.resume(folder, until=1.0, controllers=[other])
    resumed = dl.resume(folder, until=1.0, controllers=[control])
    for again in (resumed, dl.load(folder)):
        assert np.array_equal(again.q, whole.q)
        assert np.array_equal(again.a, whole.a)
        assert np.array_equal(again["motor.effort"], whole["motor.effort"])
    whole.save(tmp_path / "run.npz")
    loaded = dl.load_solution(tmp_path / "run.npz")
    assert np.array_equal(loaded["motor.effort"], whole["motor.effort"])
    assert np.array_equal(loaded.work("motor"), whole.work("motor"))
    dl.simulate(model, until=0.5, step=1e-3, save=tmp_path / "plain")
    with pytest.raises(OptionError, match="without controllers"):
        dl.resume(tmp_path / "plain", until=1.0, controllers=[control])
