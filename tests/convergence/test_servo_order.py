"""Order of time stepping with servos and prescribed motions: 2 with `order=2`, as their formulas.

The force of a servo is the mean of its law at both ends of a step, as far as the step resolves it;
beyond that more and more that of the end (contact 16).
"""

import numpy as np
import pytest

import dalembert as dl

KP, KD = 40.0, 2.0
STEPS = (8e-3, 4e-3, 2e-3, 1e-3)


def command():
    return 0.5 * np.sin(3.0 * dl.time)


def arm(law):
    """A rod on a hinge that follows a command, by a servo or by the formula of its law."""
    model = dl.Model("arm")
    rod = model.add_body("rod", dl.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    angle = hinge.angle
    servos = {
        "position": lambda: dl.PositionServo(hinge, kp=KP, kd=KD, command=command()),
        "bounded": lambda: dl.PositionServo(hinge, kp=KP, kd=KD, command=command(), limits=100.0),
        "velocity": lambda: dl.VelocityServo(hinge, kd=KD, command=command()),
        "formula": lambda: dl.DirectDrive(hinge, command=KP * (command() - angle) - KD * angle.dot),
        "rate formula": lambda: dl.DirectDrive(hinge, command=KD * (command() - angle.dot)),
    }
    model.add_force(servos[law]())
    return model


def two_links():
    """The second link of two swings, the first is moved."""
    model = dl.Model("two")
    inertia = dl.Inertia.rod(1.0, length=1.0, axis="x")
    first = model.add_body("first", inertia, position=(0.5, 0, 0))
    second = model.add_body("second", inertia, position=(1.5, 0, 0))
    model.add_joint(dl.Revolute(model.world, first.at(x=-0.5), axis="y", name="shoulder"))
    model.add_joint(dl.Revolute(first.at(x=0.5), second.at(x=-0.5), axis="y", name="hinge"))
    model.add_joint(dl.Motion("shoulder", value=command(), name="motion"))
    return model


def errors(model, reference, formulation):
    """Errors of the angle after a second, by step."""
    smooth = {"method": dl.Projection(), "step": 1e-3, "formulation": formulation}
    wanted = dl.simulate(reference, until=1.0, **smooth)["hinge.angle"][-1]
    found = []
    for step in STEPS:
        method = dl.ContactImpulse(order=2)
        run = dl.simulate(model, until=1.0, step=step, method=method, formulation=formulation)
        found.append(abs(run["hinge.angle"][-1] - wanted))
    return np.array(found)


LAWS = {"position": "formula", "bounded": "formula", "velocity": "rate formula"}


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("law", list(LAWS))
def test_servos(law, formulation):
    off = errors(arm(law), arm(LAWS[law]), formulation)
    assert np.all(np.log2(off[:-1] / off[1:]) > 1.9)
    assert off[-1] < 2e-6


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_prescribed_motion(formulation):
    off = errors(two_links(), two_links(), formulation)
    assert np.all(np.log2(off[:-1] / off[1:]) > 1.9)


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("kd", [0.1, 10.0, 1e3, 1e6, 1e9])
def test_a_damper_never_turns_a_velocity_about(kd, formulation):
    model = dl.Model("damped", gravity=(0, 0, 0))
    rod = model.add_body("rod", dl.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    model.add_force(dl.VelocityServo(hinge, kd=kd, command=0.0))
    run = dl.simulate(
        model,
        until=0.1,
        step=1e-2,
        method=dl.ContactImpulse(order=2),
        initial={"hinge.angle.dot": 1.0},
        formulation=formulation,
    )
    rates = run["hinge.angle.dot"]
    assert np.all(np.diff(rates) <= 1e-9)
    assert rates.min() > -1e-9
    assert rates[-1] == pytest.approx(np.exp(-3.0 * kd * 0.1), abs=0.05)


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_a_controller_is_heard_from_its_call_on(formulation):
    """A command that is held is that of the formula of its steps."""
    model = arm("position")
    servo = next(iter(model.forces))
    control = dl.Controller(
        lambda t, x: 0.5 * np.sin(3.0 * t), rate=250.0, inputs=["hinge.angle"], outputs=[servo]
    )
    options = {"until": 0.4, "method": dl.ContactImpulse(order=2), "formulation": formulation}
    ends = [
        dl.simulate(model, step=step, controllers=[control], **options)["hinge.angle"][-1]
        for step in (4e-3, 2e-3, 1e-3, 2.5e-4)
    ]
    off = np.abs(np.array(ends[:3]) - ends[3])
    assert np.all(np.log2(off[:-1] / off[1:]) > 1.8)


def shaken_hand() -> tuple[dl.Model, float, float, float]:
    """A hand of 1 kg on a slide, shaken by a stiff servo."""
    model = dl.Model("hand", gravity=(0, 0, 0))
    hand = model.add_body("hand", dl.Inertia(1.0, [1e-3] * 3))
    slide = model.add_joint(dl.Prismatic(model.world, hand, axis=(0, 0, 1), name="slide"))
    kp, kd, rate = 2e4, 400.0, 10.0 * np.pi
    command = 0.02 * np.sin(rate * dl.time)
    model.add_force(dl.PositionServo(slide, kp=kp, kd=kd, command=command, name="servo"))
    model.add_shape(dl.Sphere(0.01), on=hand)
    # touched throughout, so that no step is a smooth one
    model.add_shape(dl.Plane((1, 0, 0), position=(-0.01, 0, 0)), material=dl.Material(friction=0))
    return model, kp, kd, rate


def test_error_control_keeps_its_order_with_stiff_servos():
    """Beside the forced motion of a linear oscillator, at the tolerance and in few steps."""
    model, kp, kd, rate = shaken_hand()
    shape, times = kp + kd * 1j * rate, np.linspace(0.5, 1.0, 11)
    swing = 0.02 * kp / (shape - rate**2)  # z'' + kd z' + kp z = kp command
    exact = (swing * np.exp(1j * rate * times)).imag
    run = dl.simulate(
        model, until=1.0, times=[0.0, *times], mode="stepping", rtol=1e-3, progress=False
    )
    assert np.abs(run["slide.displacement"][1:] - exact).max() < 1e-4
    assert run.statistics["steps"] + run.statistics["rejected"] < 250
