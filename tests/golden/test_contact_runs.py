"""Limits, drives, cables and friction of joints; order, repeatability and files of contact runs."""

import math
from dataclasses import replace

import numpy as np
import pytest

import dalembert as dl
from dalembert.contact.run.tables import Room
from dalembert.simulation.prepare import contacts

G = 9.81
SHARP = dl.ContactImpulse(tolerance=1e-10)


def disc(**options):
    """A disc of 1 kg m^2 on an axle."""
    model = dl.Model("disc", gravity=(0, 0, 0))
    body = model.add_body("disc", dl.Inertia.cylinder(2.0, radius=1.0, length=0.1))
    axle = model.add_joint(dl.Revolute(model.world, body, axis="z", name="axle"))
    return model, body, axle


@pytest.fixture(params=["maximal", "generalized"])
def formulation(request):
    return request.param


def run(model, until, step, formulation, **options):
    return dl.simulate(
        model, until=until, step=step, formulation=formulation, method=SHARP, **options
    )


# -- one-sided rows ------------------------------------------------------------------------------


def test_limit_stops_the_joint_with_the_torque_of_the_load(formulation):
    model = dl.Model("pendulum")
    rod = model.add_body("rod", dl.Inertia.box(1.0, size=(1, 0.1, 0.1)))
    hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    model.set_limits(hinge, dl.Limits(-1.0, 0.5))
    solution = run(model, 1.0, 5e-3, formulation)
    angle = solution[hinge.angle]
    assert angle.max() <= 0.5 + 1e-6
    assert angle[-1] == pytest.approx(0.5, abs=1e-9)
    torque = solution["hinge: upper.force"][-1]
    assert torque == pytest.approx(G * 0.5 * math.cos(0.5), rel=1e-7)


@pytest.mark.parametrize(("torque", "turns"), [(0.5 * (1 - 1e-6), False), (0.5 * (1 + 1e-6), True)])
def test_dry_friction_breaks_away_at_its_torque(torque, turns, formulation):
    model, body, axle = disc()
    model.add_force(dl.JointFriction(axle, dry=0.5, name="rub"))
    model.add_force(dl.Torque(body, about="z", value=torque))
    solution = run(model, 1.0, 1e-2, formulation)
    speed = solution["disc.wz"][-1]
    assert speed == pytest.approx(5e-7 if turns else 0.0, abs=2e-9)
    assert abs(solution["rub.force"][-1]) == pytest.approx(min(torque, 0.5), abs=1e-9)


def test_drive_at_its_limit_gives_exactly_that(formulation):
    model, _, axle = disc()
    servo = dl.VelocityServo(axle, kd=100.0, command=2.0, limits=(-3.0, 3.0), name="drive")
    model.add_force(servo)
    solution = run(model, 1.0, 1e-2, formulation)
    early = solution.t < 0.6
    assert solution["drive.effort"][1:][early[1:]] == pytest.approx(3.0, rel=1e-9)
    assert solution["disc.wz"][50] == pytest.approx(1.5, rel=1e-9)
    assert solution["disc.wz"][-1] == pytest.approx(2.0, rel=1e-3)


def test_cable_pulls_and_never_pushes(formulation):
    model = dl.Model("bob")
    bob = model.add_body("bob", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, -0.5))
    model.keep(dl.Cable(model.world, bob, length=1.0, name="rope"))
    solution = run(model, 1.5, 2e-3, "maximal")
    z, pull = solution.q[:, 2], solution["rope.force"]
    assert z.min() >= -1.0 - 1e-6
    assert np.nanmin(pull) >= 0.0
    assert np.nanmax(pull[solution.t < 0.3]) == 0.0
    assert pull[-1] == pytest.approx(G, rel=1e-6)


def test_formulas_may_be_kept_positive():
    # no bodies at all: a point above a hill y >= -x^2
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(kinetic=(x.dot**2 + y.dot**2) / 2, potential=G * y)
    model.keep(y + x**2 >= 0, name="hill")
    solution = dl.simulate(model, until=1.0, step=1e-3, initial={"x": 0.1, "y": 0.2})
    gap = solution[y + x**2]
    assert gap.min() >= -1e-5
    assert np.nanmax(solution["hill.force"]) > 0.0
    assert solution.q[-1, 0] > 0.2


# -- order -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "least"), [(1, 0.9), (2, 1.8)])
def test_order_in_smooth_sliding(order, least):
    # a bead that slides down a slope of springs: smooth forces, sliding all the time
    model = dl.Model("slide")
    surface = dl.Material(friction=0.2)
    model.add_shape(dl.Plane(), material=surface)
    box = model.add_body("box", dl.Inertia.box(1.0, size=(0.2, 0.2, 0.1)), position=(0, 0, 0.05))
    model.add_shape(dl.Box(0.2, 0.2, 0.1), on=box, material=surface)
    model.add_force(dl.Spring(model.world.at(x=-3, z=0.05), box, stiffness=4.0, free_length=1.0))
    ends = []
    for step in (2e-2, 1e-2, 5e-3, 2.5e-3):
        method = dl.ContactImpulse(order=order, tolerance=1e-11)
        start = {"box.x.dot": 4.0}
        ends.append(dl.simulate(model, until=0.3, step=step, initial=start, method=method).q[-1, 0])
    # by hand: x'' = -k (x + 2) - mu g
    w, mu = 2.0, 0.2
    middle = -2.0 - mu * G / 4.0
    exact = middle + (0.0 - middle) * math.cos(w * 0.3) + 4.0 / w * math.sin(w * 0.3)
    errors = np.abs(np.array(ends) - exact)
    slopes = np.log2(errors[:-1] / errors[1:])
    assert slopes.min() >= least


# -- repeatability, files ------------------------------------------------------------------------


def test_runs_repeat_to_the_bit_and_go_on_to_the_bit(tmp_path):
    model = dl.catalog.load("dominoes", count=5)
    options = {"step": 2e-3, "every": 5}
    whole = dl.simulate(model, until=0.6, **options)
    again = dl.simulate(model, until=0.6, **options)
    assert np.array_equal(whole.q, again.q)
    dl.simulate(model, until=0.3, save=tmp_path / "run", **options)
    resumed = dl.resume(tmp_path / "run", until=0.6)
    assert np.array_equal(whole.q, resumed.q)
    assert np.array_equal(whole.v, resumed.v)
    assert np.array_equal(whole.touch.table, resumed.touch.table)
    assert np.array_equal(
        whole.solve_info["residual"], resumed.solve_info["residual"], equal_nan=True
    )


def test_saved_solutions_keep_their_contacts(tmp_path):
    model = dl.catalog.load("stack", count=2)
    solution = dl.simulate(model, until=0.05, step=5e-3)
    kept = dl.load(solution.save(tmp_path / "run.npz"))
    assert np.array_equal(kept.touch.table, solution.touch.table)
    assert [c.a for c in kept.contacts()] == [c.a for c in solution.contacts()]
    assert kept.summary() == solution.summary()


def test_room_that_grows_changes_nothing(monkeypatch):
    model = dl.catalog.load("stack", count=6, ratio=5.0)
    usual = dl.simulate(model, until=0.2, step=5e-3)
    grown = []

    def tight(tables):
        room = first_room(tables)
        problem = replace(room.problem, blocks=3, rows=9, jacobian=100, edges=1, fill=1, updates=1)
        return Room(3, problem)

    first_room, enlarge = contacts.first_room, contacts.enlarge

    def count(*given):
        grown.append(1)
        return enlarge(*given)

    monkeypatch.setattr("dalembert.simulation.prepare.arrays.first_room", tight)
    monkeypatch.setattr("dalembert.simulation.prepare.arrays.enlarge", count)
    again = dl.catalog.load("stack", count=6, ratio=5.0)  # no arrays are kept of it
    small = dl.simulate(again, until=0.2, step=5e-3)
    assert len(grown) > 1
    assert np.array_equal(usual.q, small.q)
    assert np.array_equal(usual.touch.table, small.touch.table)


def test_a_session_knows_contact():
    session = dl.Session(dl.catalog.load("stack", count=2), step=5e-3)
    session.advance(0.2)
    assert session.q.reshape(-1, 7)[:, 2] == pytest.approx([0.1, 0.3], abs=1e-8)


# -- what is said ------------------------------------------------------------------------------


def test_strict_runs_stop_where_a_step_is_not_solved():
    model = dl.catalog.load("cards")
    method = dl.ContactImpulse(solver="nsgs", tolerance=1e-14, strict=True)
    with pytest.raises(dl.errors.SimulationError) as problem:
        dl.simulate(model, until=0.1, step=5e-3, method=method)
    assert "tolerance" in str(problem.value)


def test_smooth_methods_say_what_they_leave_out():
    with pytest.warns(dl.errors.DoubtfulWarning, match="shapes that touch"):
        dl.simulate(dl.catalog.load("incline"), until=0.01, step=1e-3, method=dl.Projection())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"solver": "quick"}, "contact solver"),
        ({"profile": "best"}, "profile"),
        ({"restitution": "stronge"}, "restitution"),
        ({"order": 3}, "order"),
        ({"tolerance": -1.0}, "tolerance"),
        ({"friction": "cone", "solver": "auto"}, "round cone"),
    ],
)
def test_options_are_checked(options, said):
    with pytest.raises(dl.errors.OptionError, match=said):
        dl.ContactImpulse(**options)


def test_summary_tells_of_contacts():
    text = dl.simulate(dl.catalog.load("stack", count=2), until=0.05, step=5e-3).summary()
    assert "at most 8 contacts" in text
    assert "worst residual" in text
