"""Power and work of forces and drives, and the balance of energy."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import DoubtfulWarning, OptionError
from dalembert.simulation.results.quadrature import cumulative


def flywheel(*forces):
    model = dl.Model("flywheel", gravity=(0, 0, 0))
    inertia = dl.Inertia.cylinder(mass=2.0, radius=1.0, length=0.1)  # 1 kg m^2 about z
    disc = model.add_body("disc", inertia)
    model.add_joint(dl.Revolute(model.world, disc, axis="z", name="bearing"))
    for make in forces:
        model.add_force(make(model, disc))
    return model


def motor(value=3.0):
    return lambda model, disc: dl.Torque(disc, about="z", value=value, name="motor")


def test_constant_torque():
    solution = dl.simulate(flywheel(motor()), until=1.0, step=0.1)
    np.testing.assert_allclose(solution.power("motor"), 9.0 * solution.t, atol=1e-12)
    np.testing.assert_allclose(solution.work("motor"), 4.5 * solution.t**2, atol=1e-12)
    np.testing.assert_allclose(solution.work("motor"), solution.kinetic, atol=1e-12)
    np.testing.assert_allclose(solution.power("bearing"), 0.0, atol=1e-14)
    np.testing.assert_allclose(solution.balance.residual, 0.0, atol=1e-12)


def test_by_the_object():
    model = flywheel(motor())
    solution = dl.simulate(model, until=1.0, step=0.1)
    np.testing.assert_array_equal(solution.work(model.forces["motor"]), solution.work("motor"))


def test_drive_pays_for_the_kinetic_energy():
    model = flywheel()
    model.add_joint(dl.Motion("bearing", value=0.5 * dl.time**2, name="drive"))
    solution = dl.simulate(model, until=2.0, step=1e-2)
    np.testing.assert_allclose(solution.power("drive"), solution.t, atol=1e-9)
    np.testing.assert_allclose(solution.work("drive"), solution.kinetic, atol=1e-9)
    report = solution.report()
    assert report["energy_balance"] < 1e-9
    assert report["work"] == pytest.approx(2.0)
    assert "by forces and drives" in solution.summary()


def test_formula_constraint_with_time():
    model = dl.Model("lift", gravity=(0, 0, -10))
    box = model.add_body("box", dl.Inertia.box(mass=3.0, size=(1, 1, 1)))
    model.constrain(box.z - 0.2 * dl.time, name="rope")
    solution = dl.simulate(model, until=1.0, step=1e-2)
    np.testing.assert_allclose(solution.work("rope"), solution.potential, atol=1e-9)
    np.testing.assert_allclose(solution.balance.residual, 0.0, atol=1e-9)


def test_damped_spring_loses_what_the_damper_takes():
    model = dl.Model("suspension", gravity=(0, 0, -9.81))
    box = model.add_body("box", dl.Inertia.box(mass=1.0, size=(1, 1, 1)), position=(0, 0, 1.2))
    model.add_joint(dl.Prismatic(model.world, box, axis="z", name="guide"))
    model.add_force(
        dl.Spring(model.world, box, stiffness=100.0, damping=2.0, free_length=1.0, name="strut")
    )
    solution = dl.simulate(model, until=2.0, step=1e-3)
    report = solution.report()
    assert report["conservative"] is False
    assert report["work"] < -0.1
    assert report["energy_balance"] < 1e-8
    loss = np.trapezoid(-2.0 * solution["box.z.dot"] ** 2, solution.t)
    assert report["work"] == pytest.approx(loss, rel=1e-5)


def test_a_torsion_spring_counts_turns():
    """Wound by a drive over two turns: the drive's work is in the spring."""
    model = flywheel(
        lambda model, disc: dl.TorsionSpring(
            "bearing", stiffness=2.0, free_angle=0.0, name="spring"
        )
    )
    model.add_joint(dl.Motion("bearing", value=4.0 * dl.time, name="drive"))
    solution = dl.simulate(model, until=3.0, step=1e-2)
    np.testing.assert_allclose(solution.potential, (4.0 * solution.t) ** 2, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(solution.work("spring"), -solution.potential, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(solution.work("drive"), solution.potential, rtol=1e-6, atol=1e-6)


def test_bodies_with_angles():
    model = dl.Model("tank")
    ship = model.add_body(
        "ship", dl.Inertia.box(mass=1.0, size=(1, 1, 1)), orientation="roll-pitch-yaw"
    )
    model.constrain(ship.x, ship.y, ship.z - 0.1 * np.sin(dl.time), name="mount")
    model.add_force(dl.Torque(ship, about="z", value=-0.5 * ship.yaw.dot, name="drag"))
    solution = dl.simulate(model, until=1.0, step=1e-2, initial={ship.yaw.dot: 2.0})
    np.testing.assert_allclose(solution.power("drag"), -0.5 * solution["ship.yaw.dot"] ** 2)
    assert solution.report()["energy_balance"] < 1e-8


def test_conservative_models_need_no_balance():
    report = dl.simulate(flywheel(), until=0.1, step=1e-2).report()
    assert report["conservative"] is True
    assert report["work"] is None


def test_few_samples_are_told():
    model = flywheel()
    model.add_joint(dl.Motion("bearing", value=np.sin(3 * dl.time), name="drive"))
    solution = dl.simulate(model, until=4.0, step=1e-2, every=50)
    assert "may be the samples: they are too far apart to tell" in solution.summary()


# -- quadrature ---------------------------------------------------------------------------------


def test_polynomials_are_exact_on_uneven_samples():
    t = np.array([0.0, 0.1, 0.15, 0.4, 0.6, 0.65, 1.0, 1.3])
    total, _ = cumulative(t, 6 * t**5 - 2 * t)
    np.testing.assert_allclose(total, t**6 - t**2, atol=1e-13)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5])
def test_few_points(count):
    t = np.linspace(0.0, 1.0, count)
    total, error = cumulative(t, np.ones(count))
    np.testing.assert_allclose(total, t, atol=1e-14)
    assert error < 1e-13


def test_order_six():
    errors = []
    for count in (21, 41):
        t = np.linspace(0.0, 2.0, count)
        errors.append(abs(cumulative(t, np.cos(3 * t))[0][-1] - np.sin(6.0) / 3))
    assert errors[0] / errors[1] > 2**5.5


# -- bad input ----------------------------------------------------------------------------------


def test_unknown_names():
    solution = dl.simulate(flywheel(motor()), until=0.1, step=1e-2)
    with pytest.raises(OptionError, match="did you mean 'motor'"):
        solution.work("moter")
    with pytest.raises(OptionError, match="Give a force or its name"):
        solution.power(3)


def test_formula_models():
    solution = dl.simulate(dl.catalog.load("pendulum"), until=0.1, step=1e-2)
    with pytest.raises(OptionError, match="made of coordinates"):
        solution.work("bar")


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8])
def test_a_work_of_samples_too_far_apart_is_told(count):
    """Of moments asked for: it was off by as much as itself, without a word."""
    model = dl.Model("swing")
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    hinge = dl.Revolute(model.world, rod.at(x=-0.5), axis="y", initial=0.3, name="hinge")
    model.add_joint(hinge)
    model.add_force(dl.Torque(rod, about="y", value=3 * np.sin(2 * dl.time), name="hand"))
    all_of_it = dl.simulate(model, until=3.0)
    change = all_of_it.energy[-1] - all_of_it.energy[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert all_of_it.work("hand")[-1] == pytest.approx(change, rel=1e-5)
        assert np.abs(all_of_it.work("hinge")).max() < 1e-12
    rare = dl.simulate(model, until=3.0, times=np.linspace(0.0, 3.0, count))
    with pytest.warns(DoubtfulWarning, match=f"work of 'hand'.* {count} samples are too far"):
        rare.work("hand")


def test_the_error_of_few_samples_is_none_of_theirs():
    t = np.linspace(0.0, 1.0, 4)
    for count in (2, 3, 4):
        total, error = cumulative(t[:count], np.exp(5 * t[:count]))
        exact = (np.exp(5 * t[count - 1]) - 1) / 5
        assert error > 0.3 * abs(total[-1] - exact) > 0.0
