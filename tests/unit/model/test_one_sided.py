"""Limits, one-sided constraints, brakes, dry friction and bounded drives: what they say."""

import math

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import ModelError
from dalembert.formulas.evaluate import evaluate
from dalembert.model.check.check import state
from dalembert.model.one_sided.rows import BOX, UNILATERAL

NAN = math.nan


def arm(angle=0.3, speed=0.0):
    model = dl.Model("arm")
    body = model.add_body("arm", dl.Inertia.rod(mass=1.0, length=1.0))
    joint = dl.Revolute(
        model.world, body.at(x=-0.5), axis="y", initial=angle, initial_speed=speed, name="hinge"
    )
    return model, body, model.add_joint(joint)


def values(model, *formulas):
    return [float(x) for x in evaluate(list(formulas), state(model))]


# -- formulas --------------------------------------------------------------------------------------


def test_comparisons_become_what_is_not_negative():
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(kinetic=(x.dot**2 + y.dot**2) / 2)
    made = model.keep(y >= x**2, (x < 2) & (x > -1), name="room", restitution=0.5)
    assert made.rows == (y - x**2, 2 - x, x + 1)
    assert made.row_names == ("room[0]", "room[1]", "room[2]")
    assert made.law.restitution == 0.5
    assert model.keep(y >= 0).name == "keep1"
    assert [row.law for row in model.one_sided()] == [UNILATERAL] * 4
    assert model.needs_impulses == "one-sided constraints (room, keep1)"
    assert repr(made).startswith("Unilateral('room': y - x**2 >= 0, 2 - x >= 0")


def test_comparisons_of_sympy():
    sympy = pytest.importorskip("sympy")
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(kinetic=(x.dot**2 + y.dot**2) / 2)
    X, Y = sympy.symbols("x y")
    assert model.keep(Y >= X**2).rows == (y - x**2,)
    assert model.keep(Y <= 3).rows == (3 - y,)


@pytest.mark.parametrize(
    ("keep", "said"),
    [
        (lambda m, x: m.keep(), "has no formula"),
        (lambda m, x: m.keep(x), "is no comparison. Give phi >= 0"),
        (lambda m, x: m.keep("x >= 0"), "is no comparison"),
        (lambda m, x: m.keep(True), "is True whatever the motion"),
        (lambda m, x: m.keep((x > 1) | (x < 0)), "no plain comparison"),
        (lambda m, x: m.keep(x.dot >= 0), "contains a velocity"),
        (lambda m, x: m.keep(dl.time >= 0), "contains no coordinate"),
        (lambda m, x: m.keep(dl.coordinates("z")[0] >= 0), "'z', which is no coordinate"),
        (lambda m, x: m.keep(x >= 0, name="taken"), "already. Choose another"),
        (lambda m, x: m.keep(x >= 0, restitution=1.5), "restitution is 1.5"),
        (lambda m, x: m.keep(x >= 0, damping=1.0), "damping goes with stiffness"),
        (lambda m, x: m.keep(x >= 0, stifness=1.0), "no 'stifness'.*stiffness"),
        (lambda m, x: m.keep(x >= 0, friction=1.0), "has friction, but no sliding"),
        (lambda m, x: m.constrain(x, name="taken"), "one-sided constraint of that name"),
    ],
)
def test_what_cannot_be_kept_is_named(keep, said):
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(kinetic=x.dot**2 / 2)
    model.keep(x >= -1, name="taken")
    with pytest.raises(ModelError, match=said):
        keep(model, x)
    assert [one.name for one in model.unilaterals] == ["taken"]


def test_a_cable_is_as_long_as_its_way():
    model = dl.Model("crane")
    a = model.add_body("a", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, -3))
    b = model.add_body("b", dl.Inertia.sphere(1.0, radius=0.1), position=(5, 0, -2))
    rings = [model.world.at(0, 0, 1), model.world.at(5, 0, 1)]
    made = model.keep(dl.Cable(a, b, length=15.0, through=rings, name="rope", stiffness=1e4))
    assert values(model, *made.rows) == pytest.approx([15.0 - 4.0 - 5.0 - 3.0])
    assert (made.kind, made.law.stiffness) == ("cable", 1e4)
    assert "through=[world.at(z=1), world.at(x=5, z=1)]" in repr(made.element)
    (row,) = model.one_sided()
    assert (row.source, row.name, row.phi) == ("cable", "rope", made.rows[0])


def test_a_stop_is_along_an_axis_of_the_first_frame():
    model = dl.Model("stop")
    body = model.add_body("a", dl.Inertia.sphere(1.0, radius=0.1), position=(3, 4, 5))
    turned = model.world.at(x=1.0, rotation=("z", np.pi / 2))
    made = model.keep(dl.Stop(turned, body.at(z=1.0), axis="x", gap=0.5))
    assert made.name == "stop1"
    assert values(model, *made.rows) == pytest.approx([4.0 - 0.5])
    assert values(model, *model.keep(dl.Stop(turned, body, axis="-y")).rows) == pytest.approx([2.0])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda w, b: dl.Cable(w, b, length=0.0), "length is 0. Give a positive length"),
        (lambda w, b: dl.Cable(w, b, length=NAN), "length is nan"),
        (lambda w, b: dl.Cable(w, b, length=1, restitution=2), "restitution is 2"),
        (lambda w, b: dl.Cable(w, b, length=1, through=w), "Give a list of points"),
        (lambda w, b: dl.Cable(b, b.at(x=1), length=1), "all its points are on 'a'"),
        (lambda w, b: dl.Cable(w, b, length=1, through=[b]), "follows itself"),
        (lambda w, b: dl.Cable(w, "c", length=1), "no body 'c'"),
        (lambda w, b: dl.Stop(w, b, axis="up"), "axis 'up'"),
        (lambda w, b: dl.Stop(w, b, gap=math.inf), "gap is inf"),
        (lambda w, b: dl.Stop(w, w.at(x=1)), "both its points are on 'world'"),
    ],
)
def test_cables_and_stops_that_cannot_be(make, said):
    model = dl.Model("m")
    body = model.add_body("a", dl.Inertia.sphere(1.0, radius=0.1))
    with pytest.raises(ModelError, match=said):
        model.keep(make(model.world, body))
    assert model.unilaterals == []


# -- limits ----------------------------------------------------------------------------------------


def test_limits_are_rows_at_both_ends():
    model, _, hinge = arm(angle=0.3)
    model.set_limits(hinge, dl.Limits(-1.0, 1.5, restitution=0.2))
    low, high = model.one_sided()
    assert (low.name, high.name) == ("hinge: lower", "hinge: upper")
    assert values(model, low.phi, high.phi) == pytest.approx([1.3, 1.2])
    assert low.stop.numbers()["restitution"] == 0.2
    assert low.angular
    model.set_limits(hinge, dl.Limits(upper=1.5, effort=3.0))
    assert [row.name for row in model.one_sided()] == ["hinge: upper"]
    model.set_limits(hinge, dl.Limits(effort=3.0))
    assert model.needs_impulses == ""


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"restitution": -0.1}, "Limits: restitution is -0.1"),
        ({"stiffness": 0.0}, "stiffness is 0"),
        ({"damping": 1.0}, "goes with stiffness"),
        ({"frequency": NAN}, "frequency is nan"),
        ({"lower": 1.0, "upper": 0.0}, "Give lower <= upper"),
        ({"stiffness": dl.parameters(k=1.0)[0]}, "is a formula. Give numbers"),
    ],
)
def test_limits_that_cannot_be(given, said):
    with pytest.raises(ModelError, match=said):
        dl.Limits(**given)


# -- bounded rows ----------------------------------------------------------------------------------


def test_friction_is_bounded_by_stribecks_curve():
    model, _, hinge = arm(speed=0.4)
    friction = dl.JointFriction(hinge, damping=0.1, dry=2.0, static=3.0, stribeck=0.2, name="f")
    model.add_force(friction)
    (row,) = model.one_sided()
    assert (row.law, row.source, row.kd, row.replaces) == (BOX, "friction", None, False)
    expected = 2.0 + 1.0 * math.exp(-((0.4 / 0.2) ** 2))
    assert values(model, row.low, row.high, row.rate) == pytest.approx([-expected, expected, 0.4])
    assert values(model, model.forces["f"].evaluated()[0][1][1][1]) == pytest.approx([-0.04])
    assert repr(model.forces["f"]).endswith("dry=2, static=3, stribeck=0.2, name='f')")


def test_a_brake_holds_with_what_it_is_told():
    model, _, hinge = arm(speed=1.0)
    model.add_force(dl.Brake(hinge, torque=5.0 - hinge.angle.dot * 7.0, name="brake"))
    (row,) = model.one_sided()
    assert row.replaces
    assert values(model, row.low, row.high) == [0.0, 0.0]  # open where it is negative
    loads, _ = model.forces["brake"].evaluated()
    assert values(model, *loads[1][1]) == [0.0, 0.0, 0.0]


def test_servos_are_rows_behind_their_gear():
    model, _, hinge = arm(angle=0.3, speed=0.4)
    servo = dl.PositionServo(
        hinge, kp=20.0, kd=2.0, command=5.0, gear=3.0, limits=(-1, 4), command_limits=2.0
    )
    model.add_force(servo)
    (row,) = model.one_sided()
    found = values(model, row.phi, row.rate, row.target, row.low, row.high)
    assert found == pytest.approx([0.9, 1.2, 2.0, -1.0, 4.0])
    assert (row.kp, row.kd, row.replaces) == (20.0, 2.0, True)
    force = row.kp * (found[2] - found[0]) - row.kd * found[1]
    unbounded = dl.PositionServo(hinge, kp=20.0, kd=2.0, command=2.0, gear=3.0, name="same")
    loads, _ = model.add_force(unbounded).evaluated()
    assert values(model, loads[1][1][1]) == pytest.approx([3.0 * force])
    assert model.needs_impulses == ""  # without impulses they are forces, as ever


def test_a_speed_may_be_kept_exactly():
    model, _, hinge = arm()
    model.add_force(dl.VelocityServo(hinge, command=2.0, limits=0.5, name="motor"))
    (row,) = model.one_sided()
    assert (row.kd, row.kp) == (None, 0.0)
    assert values(model, row.target_rate, row.low, row.high) == [2.0, -0.5, 0.5]
    assert model.needs_impulses == "drives without a gain (motor)"
    assert repr(model.forces["motor"]) == (
        "VelocityServo('hinge', command=2, limits=(-0.5, 0.5), name='motor')"
    )


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda j: dl.Brake(j, torque=-1.0), "torque is -1"),
        (lambda j: dl.Brake(j, torque=NAN), "torque"),
        (lambda j: dl.JointFriction(j), "neither damping nor dry"),
        (lambda j: dl.JointFriction(j, dry=-1.0), "dry is -1"),
        (lambda j: dl.JointFriction(j, dry=1.0, static=2.0), "static and stribeck go together"),
        (lambda j: dl.JointFriction(j, dry=1.0, static=0.5, stribeck=1.0), "static >= dry"),
        (lambda j: dl.JointFriction(j, dry=1.0, static=2.0, stribeck=0.0), "stribeck is 0"),
        (lambda j: dl.VelocityServo(j, command=1.0), "neither kd nor limits"),
    ],
)
def test_bounded_forces_that_cannot_be(make, said):
    model, _, hinge = arm()
    with pytest.raises(ModelError, match=said):
        model.add_force(make(hinge))


def test_dry_friction_needs_a_coordinate():
    model = dl.Model("ball")
    body = model.add_body("a", dl.Inertia.sphere(1.0, radius=0.1))
    joint = model.add_joint(dl.Spherical(model.world, body, name="socket"))
    model.add_force(dl.JointFriction(joint, damping=1.0))
    with pytest.raises(ModelError, match="'socket' has no coordinate, and dry friction acts"):
        model.add_force(dl.JointFriction(joint, dry=1.0))
