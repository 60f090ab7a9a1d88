"""`assemble`: closed configurations from rough guesses, held values, speeds, named conflicts."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.model.test_check_bodies import INERTIA, four_bar, long_chain

import dalembert as dl
from dalembert.errors import AssemblyError, OptionError, ProjectionError
from dalembert.model.check.bodies import start_of
from dalembert.model.start.states import displaced


def slider_crank(**place):
    model = dl.Model("slider-crank", gravity=(0, 0, -9.81))
    crank, rod = (model.add_body(name, INERTIA, **place) for name in ("crank", "rod"))
    block = model.add_body("block", INERTIA, **place)
    model.add_joint(dl.Revolute(model.world, crank.at(x=-0.5), axis="-y", name="bearing"))
    model.add_joint(dl.Revolute(crank.at(x=0.5), rod.at(x=-1.0), axis="-y", name="pin"))
    model.add_joint(dl.Revolute(rod.at(x=1.0), block, axis="-y", name="wrist"))
    model.add_joint(dl.Prismatic(model.world, block, axis="x", name="guide"))
    return model


def place_of_block(angle):
    return np.cos(angle) + np.sqrt(4 - np.sin(angle) ** 2)


# -- positions ------------------------------------------------------------------------------------


def test_everything_at_the_origin():
    made = dl.assemble(four_bar(position=(0, 0, 0)))
    assert made.residual < 1e-12
    assert made.degrees_of_freedom == 1
    assert made.moves["rocker"].distance > 0.5


def test_closed_already():
    model = dl.Model("pendulum")
    rod = model.add_body("rod", INERTIA)
    model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    made = dl.assemble(model)
    assert made.moves["rod"].distance == 0.0
    assert "nothing moved" in made.summary()
    assert repr(made) == "Assembly('pendulum', 0 bodies moved)"


@pytest.mark.parametrize("angle", [0.3, 1.0, 2.0, -2.5])
def test_held_joint_angle(angle):
    model = slider_crank()
    made = dl.assemble(model, hold={"bearing": angle})
    assert made["bearing"] == pytest.approx(angle, abs=1e-12)
    assert made["block.x"] == pytest.approx(place_of_block(angle), abs=1e-9)
    assert made.degrees_of_freedom == 0
    assert made.held == (f"bearing held at {angle:.6g}",)


@pytest.mark.parametrize("key", ["guide", "guide.displacement", "block.x", "object", "formula"])
def test_ways_to_name_what_is_held(key):
    model = slider_crank()
    key = {"object": model.joints["guide"], "formula": model.bodies["block"].x}.get(key, key)
    made = dl.assemble(model, {key: 2.5})
    assert made["block.x"] == pytest.approx(2.5, abs=1e-10)
    assert np.cos(made["bearing"]) == pytest.approx((1 + 2.5**2 - 4) / (2 * 2.5), abs=1e-9)


def test_held_where_they_are():
    model = four_bar()
    before = model.placement()["crank"]
    made = dl.assemble(model, hold=["crank"])
    assert made.moves["crank"].distance < 1e-10
    assert made["crank.x"] == pytest.approx(before[0][0], abs=1e-10)
    assert dl.assemble(model, hold="crank").moves["crank"].angle < 1e-9


def test_the_guess_decides_the_branch():
    """Elbow up and elbow down are both closed; the nearer one is found."""
    model = four_bar()
    heights = []
    for sign in (1.0, -1.0):
        first = dl.assemble(model, {"hinge_A": -1.0}, initial=guess(model, sign))
        shaken = displaced(first.q, np.random.default_rng(0).uniform(-0.1, 0.1, 18))
        again = dl.assemble(model, {"hinge_A": -1.0}, initial=(shaken, first.v))
        np.testing.assert_allclose(again.q, first.q, atol=1e-9)
        heights.append(again["rocker.z"])
    assert heights[0] > 0.1 > -0.1 > heights[1]


def guess(model, sign):
    """Rocker pointing up or down."""
    q, v = start_of(model)
    q[14:] = [2.0, 0.0, 0.7 * sign, np.cos(np.pi / 4), 0.0, -sign * np.sin(np.pi / 4), 0.0]
    return q, v


def test_drives_are_read_at_the_start():
    model = slider_crank()
    model.add_joint(dl.Motion("bearing", value=0.5 + 2 * dl.time, name="drive"))
    made = dl.assemble(model, start=0.25)
    assert made["bearing"] == pytest.approx(1.0)
    assert made[model.joints["bearing"].angle.dot] == pytest.approx(2.0)
    assert made.t == 0.25


# -- velocities -----------------------------------------------------------------------------------


def test_joint_speed():
    model = slider_crank()
    made = dl.assemble(model, {"bearing": 1.0}, velocities={"bearing": 3.0})
    h = 1e-6
    slope = (place_of_block(1.0 + h) - place_of_block(1.0 - h)) / (2 * h)
    assert made[model.bodies["block"].velocity[0]] == pytest.approx(3.0 * slope, rel=1e-8)
    assert made.velocity_residual < 1e-12


@pytest.mark.parametrize("key", ["block.x.dot", "block.x", "guide"])
def test_ways_to_name_speeds(key):
    model = slider_crank()
    made = dl.assemble(model, {"bearing": 1.0}, velocities={key: 0.5})
    assert made[model.bodies["block"].velocity[0]] == pytest.approx(0.5)


def test_velocities_change_least_in_kinetic_energy():
    """Gauss: what is left of a given velocity is its projection."""
    model = dl.Model("pendulum")
    rod = model.add_body("rod", INERTIA, velocity=(0.3, 0.0, 1.0))
    model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="-y", name="hinge"))
    made = dl.assemble(model)
    moment = INERTIA.matrix[1][1]
    expected = 0.5 * 1.0 / (moment + 0.25)  # angular momentum about the hinge is kept
    assert made[model.joints["hinge"].angle.dot] == pytest.approx(expected)


# -- use ------------------------------------------------------------------------------------------


def test_as_the_start_of_a_run():
    model = four_bar(position=(0, 0, 0))
    made = dl.assemble(model, velocities={"hinge_A": 1.0})
    solution = dl.simulate(model, until=0.05, step=1e-3, initial=made)
    assert solution.initial_move["q"] < 1e-12
    np.testing.assert_allclose(solution.q[0], made.q, atol=1e-12)


def test_as_the_start_of_a_model():
    model = four_bar()
    made = dl.assemble(model, {"hinge_A": -1.0})
    model.set_initial(made.state)
    assert "start               closed" in str(model.check())


@pytest.mark.share(3)
def test_large_models():
    model, before = long_chain()
    model.add_joint(dl.Spherical(before.at(x=0.5), model.world.at(x=149.0), name="end"))
    bend = {f"b{k}.z": 0.05 * k * (150 - k) / 150 for k in range(150)}
    made = dl.assemble(model, initial=bend, velocities={"b75.z": 0.1})
    assert made.residual < 1e-10
    assert made.velocity_residual < 1e-8
    assert made.degrees_of_freedom is None
    assert "too large" in made.summary()


# -- conflicts ------------------------------------------------------------------------------------


def test_held_value_out_of_reach():
    with pytest.raises(AssemblyError, match="cannot be met together") as caught:
        dl.assemble(four_bar(), {"crank.x": 9.0})
    assert set(caught.value.conflict) == {"hinge_A", "crank.x held at 9"}
    assert isinstance(caught.value, ProjectionError)


def test_impossible_loop():
    with pytest.raises(AssemblyError, match="does not close") as caught:
        dl.assemble(four_bar((1.0, 1.0, 1.0), 5.0))
    assert caught.value.conflict == ("hinge_A", "hinge_B", "hinge_C", "hinge_D")


def test_speeds_that_do_not_go_together():
    with pytest.raises(AssemblyError, match="ask for speeds that do not go together") as caught:
        dl.assemble(slider_crank(), {"bearing": 1.0}, velocities={"bearing": 1.0, "guide": 5.0})
    assert {"speed of bearing held at 1", "speed of guide held at 5"} <= set(caught.value.conflict)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hold": "bearng"}, "did you mean 'bearing'"),
        ({"hold": {"block.x": "far"}}, "Give a number"),
        ({"hold": {"block.x": np.nan}}, "finite"),
        ({"hold": {"block": 1.0}}, "it can be held where it is"),
        ({"hold": {"block.x.dot": 1.0}}, "is a velocity"),
        ({"hold": 3.0}, "no joint, body or coordinate"),
        ({"velocities": ["bearing"]}, "no dict"),
        ({"velocities": {"bearing": None}}, "give a number"),
        ({"initial": {"block.q": 1.0}}, "no coordinate or velocity"),
    ],
)
def test_wrong_names(options, message):
    with pytest.raises((OptionError, dl.errors.ModelError), match=message):
        dl.assemble(slider_crank(), **options)


def test_joints_with_two_coordinates():
    model = dl.Model("sleeve")
    sleeve = model.add_body("sleeve", INERTIA)
    model.add_joint(dl.Cylindrical(model.world, sleeve, axis="x", name="shaft"))
    with pytest.raises(OptionError, match=r"'shaft.angle' or 'shaft.displacement'"):
        dl.assemble(model, {"shaft": 1.0})
    made = dl.assemble(model, {"shaft.angle": 0.4, "shaft.displacement": 0.2})
    assert made["sleeve.x"] == pytest.approx(0.2)
    assert made["shaft.angle"] == pytest.approx(0.4)


def test_models_of_formulas():
    with pytest.raises(OptionError, match="model of bodies"):
        dl.assemble(dl.catalog.load("pendulum"))


# -- the start of a run ---------------------------------------------------------------------------


def test_simulate_assembles_bodies_placed_by_their_joints():
    solution = dl.simulate(four_bar(), until=0.02, step=1e-3)
    assert solution.worst["phi"] < 1e-12
    assert solution.initial_move["q"] > 0.1


def test_simulate_refuses_given_positions_far_off():
    with pytest.raises(ProjectionError, match=r"would have to move by .* more than the limit"):
        dl.simulate(four_bar(position=(0, 0, 0)), until=0.02, step=1e-3)
    solution = dl.simulate(four_bar(position=(0, 0, 0)), until=0.02, step=1e-3, initial_limit=9)
    assert solution.worst["phi"] < 1e-12


def test_simulate_refuses_positions_given_for_the_run():
    with pytest.raises(ProjectionError, match=r"'crank.*more than the limit"):
        dl.simulate(four_bar(), until=0.02, step=1e-3, initial={"crank.x": 2.0})


def test_simulate_names_the_conflict():
    with pytest.raises(AssemblyError, match="the joints do not close") as caught:
        dl.simulate(four_bar((1.0, 1.0, 1.0), 5.0), until=0.02, step=1e-3)
    assert caught.value.conflict == ("hinge_A", "hinge_B", "hinge_C", "hinge_D")
