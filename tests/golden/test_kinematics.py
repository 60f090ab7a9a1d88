"""Driven mechanisms against closed forms: coupler curve, limit positions, branches."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.analysed import four_bar, slider_crank

import dalembert as dl
from dalembert.errors import OptionError


def coupler_point(theta, x, y, side=1.0, bars=(0.4, 1.0, 0.7, 1.0)):
    """A point of the coupler by circles that meet; x from its middle, y across."""
    a, b, c, d = bars
    A = np.stack([a * np.cos(theta), a * np.sin(theta)], axis=1)
    r = np.array([d, 0.0]) - A
    length = np.linalg.norm(r, axis=1)
    along = (b * b + length**2 - c * c) / (2 * length)
    e = r / length[:, None]
    n = np.stack([-e[:, 1], e[:, 0]], axis=1)
    C = A + along[:, None] * e + side * np.sqrt(b * b - along**2)[:, None] * n
    u = (C - A) / b
    return A + (b / 2 + x) * u + y * np.stack([-u[:, 1], u[:, 0]], axis=1), C


def test_coupler_curve():
    model = four_bar()
    found = dl.kinematics(model, "A", samples=91)
    point = found.path(model.bodies["coupler"].at(x=0.1, y=0.3))
    exact, _ = coupler_point(found.values, 0.1, 0.3)
    assert found.complete
    assert np.abs(point[:, :2] - exact).max() <= 1e-13
    assert np.abs(point[:, 2]).max() <= 1e-13


def test_other_branch_and_all_assemblies():
    model = four_bar()
    both = dl.assemblies(model, {"A": 1.0}, count=25)
    assert len(both) == 2
    other = dl.kinematics(model, "A", (1.0, 3.0), samples=21, initial=both[1])
    point = other.path(model.bodies["coupler"].at(x=0.1, y=0.3))
    exact, _ = coupler_point(other.values, 0.1, 0.3, side=-1.0)
    assert np.abs(point[:, :2] - exact).max() <= 1e-13


def test_velocities_and_accelerations_are_derivatives():
    found = dl.kinematics(four_bar(), "A", (0.9, 1.1), samples=41, speed=2.0, acceleration=-3.0)
    h = found.values[1] - found.values[0]
    angle = found["D.angle"]
    slope = (angle[20 - 3 : 20 + 4] @ np.array([-1, 9, -45, 0, 45, -9, 1])) / 60.0 / h
    curve = (angle[20 - 3 : 20 + 4] @ np.array([2, -27, 270, -490, 270, -27, 2])) / 180.0 / h**2
    assert found["D.angle.dot"][20] == pytest.approx(2.0 * slope, abs=1e-10)
    assert found["D.angle.ddot"][20] == pytest.approx(4.0 * curve - 3.0 * slope, abs=1e-7)


def test_limit_positions_of_a_crank_rocker():
    found = dl.kinematics(four_bar(), "A", samples=91)
    extremes = {x.name: x.value for x in found.special if "D.angle" in x.name}
    # crank and coupler in line: cosine rule with b + a and b - a
    for name, reach, turn in (("largest", 0.6, np.pi), ("smallest", 1.4, 0.0)):
        angle = np.arccos((1.0 + reach**2 - 0.7**2) / (2 * reach)) + turn
        value = extremes[f"D.angle at its {name} value"]
        assert np.remainder(value - angle + 1.0, 2 * np.pi) - 1.0 == pytest.approx(0.0, abs=1e-10)


def test_transmission_angle():
    found = dl.kinematics(four_bar(), "A", samples=91)
    angle = found.transmission_angle("C")
    ground = 1.0 + 0.16 - 0.8 * np.cos(found.values)
    cosine = (1.0 + 0.49 - ground) / 1.4
    exact = np.arccos(np.abs(cosine))
    assert np.abs(angle - exact).max() <= 1e-13


def test_a_rocker_is_driven_from_limit_to_limit():
    """No bar of this one turns: the crank goes as far as coupler and rocker reach in line."""
    a, b, c, ground = 0.6, 0.5, 0.55, 1.2
    model = dl.Model("triple rocker")
    bars = [
        model.add_body(n, dl.Inertia.rod(x, length=x))
        for n, x in zip("abc", (a, b, c), strict=True)
    ]
    model.add_joint(dl.Revolute(model.world, bars[0].at(x=-a / 2), name="A", initial=0.5))
    model.add_joint(dl.Revolute(bars[0].at(x=a / 2), bars[1].at(x=-b / 2), name="B", initial=-0.3))
    fixed = model.world.at(x=ground)
    model.add_joint(dl.Revolute(fixed, bars[2].at(x=-c / 2), name="D", initial=2.3))
    model.add_joint(dl.Revolute(bars[1].at(x=b / 2), bars[2].at(x=c / 2), name="C"))
    found = dl.kinematics(model, "A", samples=41)
    reach = np.arccos((a**2 + ground**2 - (b + c) ** 2) / (2 * a * ground))
    ends = [x.value for x in found.special if x.kind == "limit"]
    assert ends == pytest.approx([-reach, reach], abs=1e-12)
    assert len(found.values) == 41
    assert found.values == pytest.approx(np.linspace(-reach, reach, 43)[1:-1], abs=1e-12)
    square = a**2 + ground**2 - 2 * a * ground * np.cos(found.values)
    exact = np.arccos(np.abs(b**2 + c**2 - square) / (2 * b * c))
    assert np.abs(found.transmission_angle("C") - exact).max() < 1e-11
    assert np.abs(np.diff(found["D.angle"])).max() < 0.3  # one branch
    assert not found.complete


@pytest.mark.parametrize("at", [0.0, 0.3])
def test_transmission_angle_of_a_slider(at):
    """Between the rod and the normal of the slide, wherever on the slider its guide is."""
    r, length, offset = 0.25, 0.8, 0.1
    model = dl.Model("offset slider-crank")
    crank = model.add_body("crank", dl.Inertia.rod(1.0, length=r))
    rod = model.add_body("rod", dl.Inertia.rod(2.0, length=length))
    slider = model.add_body("slider", dl.Inertia.sphere(0.7, radius=0.1))
    bearing = dl.Revolute(model.world, crank.at(x=-r / 2), axis="-y", initial=0.3, name="A")
    model.add_joint(bearing)
    pin = dl.Revolute(crank.at(x=r / 2), rod.at(x=-length / 2), axis="-y", initial=-0.4, name="B")
    model.add_joint(pin)
    model.add_joint(dl.Revolute(rod.at(x=length / 2), slider, axis="-y", name="C"))
    guide = dl.Prismatic(model.world.at(z=offset + at), slider.at(z=at), axis="x", name="guide")
    model.add_joint(guide)
    found = dl.kinematics(model, "A", samples=31)
    lean = np.arcsin((r * np.sin(found.values) - offset) / length)
    assert np.abs(found.transmission_angle("C") - (np.pi / 2 - np.abs(lean))).max() < 1e-13


def test_dead_centres_and_end_of_the_stroke():
    turned = dl.kinematics(slider_crank(), "bearing", samples=61)
    dead = [x.value for x in turned.special if "guide" in x.name]
    assert dead == pytest.approx([np.pi, 2 * np.pi], abs=1e-10)
    pushed = dl.kinematics(slider_crank(), "guide", (0.5, 0.8), samples=31)
    assert not pushed.complete
    assert [x.kind for x in pushed.special] == ["limit"]
    assert pushed.special[0].value == pytest.approx(0.7, abs=1e-12)
    assert pushed["bearing.angle"][-1] > 0.0


def parallelogram():
    model = dl.Model("parallelogram", gravity=(0, -9.81, 0))
    one = model.add_body("one", dl.Inertia.rod(1.0, length=1.0))
    bar = model.add_body("bar", dl.Inertia.rod(1.0, length=2.0))
    two = model.add_body("two", dl.Inertia.rod(1.0, length=1.0))
    model.add_joint(dl.Revolute(model.world, one.at(x=-0.5), name="A", initial=1.0))
    model.add_joint(dl.Revolute(one.at(x=0.5), bar.at(x=-1.0), name="B", initial=-1.0))
    model.add_joint(dl.Revolute(model.world.at(x=2.0), two.at(x=-0.5), name="D", initial=1.0))
    model.add_joint(dl.Revolute(bar.at(x=1.0), two.at(x=0.5), name="C"))
    return model


def test_change_point_of_a_parallelogram():
    found = dl.kinematics(parallelogram(), "A", (1.0, 2.9), samples=20)
    assert found.complete
    through = dl.kinematics(parallelogram(), "A", (1.0, 3.5), samples=26)
    kinds = {x.kind for x in through.special}
    assert "change point" in kinds
    value = next(x.value for x in through.special if x.kind == "change point")
    assert value == pytest.approx(np.pi, abs=1e-6)


def test_torque_of_the_drive_is_inverse_dynamics():
    model = four_bar()
    found = dl.kinematics(model, "A", (0.5, 1.5), samples=11, speed=3.0)
    torque = found.solution.reaction("drive").torque[:, 2]
    # virtual work: power of the drive is that of inertia, gravity and spring
    equations = [dl.evaluate(model, (q, v)) for q, v in zip(found.q, found.v, strict=True)]
    power = [v @ (e.M @ a - e.force) for e, v, a in zip(equations, found.v, found.a, strict=True)]
    assert np.abs(torque) == pytest.approx(np.abs(np.array(power) / 3.0), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("drive", "options", "text"),
    [
        ("nothing", {}, "no coordinate 'nothing'"),
        ("A", {"over": (1.0, float("nan"))}, "finite"),
        ("A", {"over": [1.0, 2.0, 1.5]}, "one way"),
        ("A", {"samples": 1}, "samples"),
        ("A", {"speed": float("inf")}, "speed"),
        ("guide", {}, "'guide'"),
    ],
)
def test_refusals(drive, options, text):
    with pytest.raises(OptionError, match=text):
        dl.kinematics(four_bar(), drive, **options)


def test_formulas_are_driven_too():
    model = dl.catalog.load("slider-crank", l2=1.5)
    found = dl.kinematics(model, "theta1", (0.0, 3.0), samples=13)
    theta = found.values
    exact = np.cos(theta) + np.sqrt(1.5**2 - np.sin(theta) ** 2)
    assert np.abs(found.path("slider")[:, 0] - exact).max() <= 1e-13
    with pytest.raises(OptionError, match="no point"):
        found.path("nowhere")


def test_a_second_freedom_is_held():
    model = dl.catalog.load("five-bar")
    names = ["hinge_O.angle", "hinge_P.angle"]
    with pytest.raises(OptionError, match="2 freedoms"):
        dl.kinematics(model, names[0], (0.0, 0.1))
    start = dl.equilibrium(model)
    value = start[names[0]]
    found = dl.kinematics(
        model, names[0], (value, value + 0.1), samples=4, hold=[names[1]], initial=start
    )
    assert np.ptp(found[names[1]]) <= 1e-12
    assert found[names[0]] == pytest.approx(found.values, abs=1e-12)


def test_more_freedoms_than_drives():
    model = dl.catalog.load("double-pendulum")
    with pytest.raises(OptionError, match="freedoms"):
        dl.kinematics(model, next(x.name for x in model.coordinates), (0.0, 1.0))


def test_gears_turn_as_often_as_they_are_driven():
    """A wheel of 0.4 m turns by 2 rad: its pinion of 0.1 m by 8 rad back, the rack by 0.8 m."""
    model = dl.catalog.load("gear-train")
    found = dl.kinematics(model, "wheel_axle", (0.0, 2.0), samples=9)
    assert found.complete
    assert not found.special
    np.testing.assert_allclose(found["pinion_axle.angle"][-1], -8.0, rtol=1e-12)
    np.testing.assert_allclose(found["guide.displacement"][-1], -0.8, rtol=1e-12)


def test_a_sample_on_a_change_point_is_passed_on_its_branch():
    """Crank and rod alike: x = 2 l cos(angle), through the places where both coincide."""
    model = dl.catalog.load("slider-crank-bodies")
    found = dl.kinematics(model, "bearing", samples=37, speed=3.0)
    assert found.complete
    named = [(round(x.value / np.pi, 7), x.kind) for x in found.special]
    assert named == [(0.5, "change point"), (1.0, "extreme"), (1.5, "change point")]
    x = found["guide.displacement"]
    reach = 2.0 * np.cos(found.values)
    np.testing.assert_allclose(x - x[0], reach - reach[0], atol=1e-9)
    np.testing.assert_allclose(
        found["guide.displacement.dot"], -6.0 * np.sin(found.values), atol=1e-7
    )


def test_rows_that_are_independent_differ_from_place_to_place():
    """Jansen's leg goes round; the motion that the model prescribes gives way to the drive."""
    found = dl.kinematics(dl.catalog.load("jansen-leg"), "hinge_O", samples=19)
    assert found.complete
    assert {x.kind for x in found.special} == {"extreme"}
    centres = found.q.reshape(19, -1, 7)[:, :, :3]
    np.testing.assert_allclose(centres[-1], centres[0], atol=1e-11)


def test_an_output_that_rests_has_no_extremes():
    """A cardan shaft slides by rounding only."""
    found = dl.kinematics(dl.catalog.load("cardan-shaft"), "bearing_in", samples=13)
    assert not [x.name for x in found.special if "displacement" in x.name]
