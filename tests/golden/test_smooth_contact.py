"""Derivatives through smooth contact: against closed forms and differences of other runs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import dalembert as dl
from dalembert.errors import ModelError, OptionError

WEIGHTS = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
"""Of differences of sixth order."""


def dropped():
    """A ball above a floor of springs."""
    (k,) = dl.parameters(k=1e4)
    model = dl.Model("dropped")
    springs = dl.Material(friction=0.0, stiffness=k)
    model.add_shape(dl.Plane(), material=springs, name="floor")
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 1.1))
    model.add_shape(dl.Sphere(0.1), on=ball, material=dl.Material(friction=0.0), name="skin")
    return model


def height(k, h, v, t=0.8, g=9.81):
    """Fall, half a swing on the spring, and flight."""
    fall = (v + np.sqrt(v * v + 2 * g * (h - 0.1))) / g
    w, down, speed = np.sqrt(k), g / k, v - g * fall

    def depth(s):
        return -down + down * np.cos(w * s) + speed / w * np.sin(w * s)

    touch = brentq(depth, 0.9 * np.pi / w, 1.1 * np.pi / w, xtol=1e-16)
    up = -down * w * np.sin(w * touch) + speed * np.cos(w * touch)
    s = t - fall - touch
    return 0.1 + up * s - g * s * s / 2


@pytest.mark.parametrize("mode", ["forward", "adjoint"])
def test_a_ball_on_a_spring_floor(mode):
    """Closed form: derivatives by stiffness, height and speed."""
    model = dl.smooth_contact(dropped())
    asked = ["k", "ball.z", "ball.vz"]
    found = dl.sensitivity(model, ["ball.z"], asked, until=0.8, mode=mode)
    point = np.array([1e4, 1.1, 0.0])
    assert found.values[0, 0] == pytest.approx(height(*point), abs=1e-9)
    assert [name for name, _ in found.events] == ["floor, skin"] * 2
    assert found.events[0][1] == pytest.approx(np.sqrt(2 / 9.81), abs=1e-10)
    for j, reach in enumerate((10.0, 1e-3, 1e-3)):
        off = np.eye(3)[j] * reach
        slope = sum(
            w * (height(*(point + n * off)) - height(*(point - n * off)))
            for n, w in WEIGHTS.items()
        )
        assert found.derivatives[0, 0, j] == pytest.approx(slope / reach, rel=1e-7)


def test_the_result_says_that_contact_is_smooth():
    found = dl.sensitivity(dl.smooth_contact(dropped()), ["ball.z"], ["k"], until=0.2)
    assert found.contact == "smooth: springs at 1 point, friction viscous below 0.001 m/s"
    assert "contact is smooth: springs at 1 point" in str(found)
    (q,) = dl.coordinates("q")
    (m,) = dl.parameters(m=1.0)
    other = dl.Model.from_lagrangian(coordinates=[q], kinetic=m * q.dot**2 / 2, potential=q)
    assert dl.sensitivity(other, [q], [m], until=0.2).contact == ""


def law(**more):
    return dl.Material(stiffness=2e3, dissipation=0.2, friction=0.4, **more)


def thrown():
    """A ball with spin on a floor with friction."""
    model = dl.Model("thrown")
    mu, r = dl.parameters(mu=0.3, r=0.1)
    model.add_shape(dl.Plane(), material=dl.Material(friction=mu, stiffness=2e3), name="floor")
    inertia = dl.Inertia.sphere(1.0, radius=r)
    start = {"position": (0, 0, 0.2), "velocity": (1.0, 0.2, 0)}
    ball = model.add_body("ball", inertia, angular_velocity=(0, -5, 1), **start)
    soft = dl.Material(friction=mu, dissipation=0.3, stiffness=2e3)
    model.add_shape(dl.Sphere(r), on=ball, material=soft, name="skin")
    return model, [ball.x, ball.y, ball.z], ["mu", "r"]


def hammer():
    """A bar on a hinge whose round end hits a floor: a tree."""
    model = dl.Model("hammer")
    length, mass = dl.parameters(length=1.0, mass=2.0)
    model.add_shape(dl.Plane(), material=law(), name="floor")
    bar = model.add_body("bar", dl.Inertia.box(mass, size=(length, 0.1, 0.1)))
    high = model.world.at(z=0.3)
    model.add_joint(dl.Revolute(high, bar.at(x=-length / 2), axis="y", initial=0.1, name="hinge"))
    end = dl.Capsule(0.05, length=length, axis="x")
    model.add_shape(end, on=bar, material=law(), name="skin")
    return model, ["hinge.angle", "hinge.angle.dot"], ["length", "mass"]


def four_bar():
    """A coupler with a ball that hits a block: a loop."""
    model = dl.Model("four-bar")
    A, B, C, G = dl.parameters(A=0.4, B=1.0, C=0.7, G=1.0)
    crank = model.add_body("crank", dl.Inertia.rod(1.0, length=A))
    coupler = model.add_body("coupler", dl.Inertia.rod(1.0, length=B))
    rocker = model.add_body("rocker", dl.Inertia.rod(1.0, length=C))
    model.add_joint(
        dl.Revolute(model.world, crank.at(x=-A / 2), axis="y", initial=-np.pi / 2, name="a")
    )
    pin = crank.at(x=A / 2), coupler.at(x=-B / 2)
    model.add_joint(dl.Revolute(*pin, axis="y", initial=1.267661551, name="b"))
    pivot = model.world.at(x=G), rocker.at(x=-C / 2)
    model.add_joint(dl.Revolute(*pivot, axis="y", initial=-1.6359776, name="c"))
    model.add_joint(dl.Revolute(coupler.at(x=B / 2), rocker.at(x=C / 2), axis="y", name="loop"))
    block = dl.Box(0.2, 0.2, 0.2, position=(0.7, 0, 0.7))
    model.add_shape(block, material=law(), name="block")
    model.add_shape(dl.Sphere(0.1, position=(0.5, 0, 0)), on=coupler, material=law(), name="skin")
    return model, ["a.angle", "c.angle"], ["A", "B", "C", "G"]


def balls():
    """Two balls that meet off their middles, and one that meets a bar."""
    model = dl.Model("balls", gravity=(0, 0, 0))
    (k,) = dl.parameters(k=3e3)
    soft = dl.Material(stiffness=k, friction=0.3, dissipation=0.1)
    one = model.add_body("one", dl.Inertia.sphere(1.0, radius=0.1), velocity=(1, 0.05, 0))
    two = model.add_body("two", dl.Inertia.sphere(2.0, radius=0.1), position=(0.4, 0.1, 0))
    for body in (one, two):
        model.add_shape(dl.Sphere(0.1), on=body, material=soft, name=f"skin {body.name}")
    bar = dl.Capsule(0.05, length=0.5, axis="z", position=(0.75, 0.15, 0))
    model.add_shape(bar, material=soft, name="bar")
    return model, [one.x, one.y, two.x, two.y], ["k"]


def box():
    """A box that falls on its corner."""
    model = dl.Model("box")
    (m,) = dl.parameters(m=1.5)
    model.add_shape(dl.Plane(), material=law(), name="floor")
    start = {"position": (0, 0, 0.35), "rotation": ((1, 1, 0), 0.6), "velocity": (0.5, 0, 0)}
    body = model.add_body("box", dl.Inertia.box(m, size=(0.3, 0.2, 0.4)), **start)
    model.add_shape(dl.Box(0.3, 0.2, 0.4), on=body, material=law(), name="skin")
    return model, [body.x, body.z], ["m"]


@pytest.mark.parametrize("made", [thrown, hammer, four_bar, balls, box])
def test_derivatives_are_what_differences_of_other_runs_tend_to(made):
    """`simulate` under error control, which knows nothing of traces, at six neighbours."""
    hard, outputs, names = made()
    model = dl.smooth_contact(hard, slip=0.05)
    hold = ["a.angle"] if "a" in model.joints else []
    until = 0.7

    def begins(values):
        return dl.assemble(model.with_parameters(**values), {"a": -np.pi / 2}) if hold else None

    asked = {"step": 2e-4, "hold": hold, "initial": begins({})}
    forth, back = (
        dl.sensitivity(model, outputs, names, until, mode=mode, **asked)
        for mode in ("forward", "adjoint")
    )
    assert forth.events
    size = np.abs(forth.derivatives).max()
    assert np.abs(forth.derivatives - back.derivatives).max() <= 1e-10 * max(1.0, size)

    def ran(values):
        tight = dl.DormandPrince(rtol=1e-13, atol=1e-13)
        given = {"parameters": values, "initial": begins(values), "integrator": tight}
        run = dl.simulate(model, until=until, **given)
        return np.array([run[x][-1] for x in outputs])

    assert forth.values[0] == pytest.approx(ran({}), abs=1e-8)
    for j, name in enumerate(names):
        own = model.parameters[name]
        reach = 1e-3 * own  # its error is some 1e-10 of a run with kinks over it
        slope = sum(
            w * (ran({name: own + n * reach}) - ran({name: own - n * reach}))
            for n, w in WEIGHTS.items()
        )
        assert forth.derivatives[0, :, j] == pytest.approx(slope / reach, rel=1e-6, abs=1e-6)


def test_smooth_contact_tends_to_hard_contact():
    """A sliding box stops after v^2/(2 mu g), and one on a slope creeps by slip tan(a)/mu."""
    model = dl.Model("sliding")
    model.add_shape(dl.Plane(), material=dl.Material(friction=0.2), name="floor")
    body = model.add_body(
        "box", dl.Inertia.box(1.0, size=(0.2, 0.2, 0.1)), position=(0, 0, 0.05), velocity=(1, 0, 0)
    )
    model.add_shape(dl.Box(0.2, 0.2, 0.1), on=body, material=dl.Material(friction=0.2), name="skin")
    soft = dl.smooth_contact(model, stiffness=1e5, dissipation=1.0)
    run = dl.simulate(soft, until=1.0)
    hard = dl.simulate(model, until=1.0)
    assert hard[body.x][-1] == pytest.approx(1 / (2 * 0.2 * 9.81), rel=1e-3)
    assert run[body.x][-1] == pytest.approx(hard[body.x][-1], rel=0.02)


REFUSED = {
    "rigid": (dl.Material(), {}, r"floor, skin.*is rigid.*stiffness=1e5"),
    "damping": (dl.Material(stiffness=1e3, damping=2.0), {}, r"damping.*jumps.*dissipation"),
    "frequency": (dl.Material(frequency=20.0), {}, r"a frequency.*jumps.*stiffness"),
    "restitution": (dl.Material(restitution=0.5), {"stiffness": 1e3}, r"restitution has no smooth"),
    "rolling": (dl.Material(rolling=0.01), {"stiffness": 1e3}, r"rolling has no smooth"),
    "static": (
        dl.Material(friction=0.2, static_friction=0.4),
        {"stiffness": 1e3},
        r"static friction above",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_laws_with_jumps_are_refused_by_name(case):
    material, given, message = REFUSED[case]
    model = dl.Model("m")
    model.add_shape(dl.Plane(), material=material, name="floor")
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 1))
    model.add_shape(dl.Sphere(0.1), on=ball, name="skin")
    with pytest.raises(ModelError, match=message):
        dl.smooth_contact(model, **given)


def test_pairs_without_a_smooth_contact_are_refused_by_name():
    model = dl.Model("m")
    for name, x in (("one", 0.0), ("two", 1.0)):
        body = model.add_body(name, dl.Inertia.sphere(1.0, radius=0.1), position=(x, 0, 1))
        model.add_shape(dl.Box(0.1, 0.1, 0.1), on=body, name=f"skin {name}")
    with pytest.raises(
        ModelError, match=r"'skin one' \(box\) and 'skin two' \(box\).*ignore_contact"
    ):
        dl.smooth_contact(model, stiffness=1e4)
    with pytest.raises(ModelError, match="no shapes that touch"):
        dl.smooth_contact(dl.Model("empty"))
    with pytest.raises(OptionError, match=r"hard contact.*dl.smooth_contact\(model"):
        dl.sensitivity(dropped(), ["ball.z"], ["k"], until=0.1)


def test_dissipation_takes_the_place_of_a_restitution():
    """The remedy that is named is one: a ball that bounced now bounces with less than it came."""
    model = dl.Model("drop")
    model.add_shape(dl.Plane(), name="floor")
    body = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.5))
    model.add_shape(dl.Sphere(0.1), on=body, material=dl.Material(restitution=0.5), name="skin")
    with pytest.raises(ModelError, match=r"restitution .*dissipation"):
        dl.smooth_contact(model, stiffness=1e4)
    made = dl.smooth_contact(model, stiffness=1e4, dissipation=0.4)
    law = made.forces["floor, skin"]
    assert (law.stiffness, law.dissipation) == (1e4, 0.4)
    run = dl.simulate(made, until=0.4)
    came = np.sqrt(2 * 9.81 * 0.4)
    assert 0.2 * came < run["ball.z.dot"].max() < 0.9 * came
