"""Static friction apart from that of sliding: stick-slip on a belt, blocks that come to rest.

A mass m = 2 on a spring k = 50, on a belt with the speed 0.4: with mu_s = 0.5 and mu = 0.3 its
limit cycle sticks for 2 (mu_s - mu) m g / (0.4 k) and slides for as long as an oscillation about
mu m g / k takes from mu_s m g / k back to the speed of the belt (Leine and others 1998).
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import ModelError
from dalembert.importers.native import load
from dalembert.importers.writing import save_model

G, MASS, STIFFNESS, SPEED, MU, STATIC = 9.81, 2.0, 50.0, 0.4, 0.3, 0.5

W = math.sqrt(STIFFNESS / MASS)
REACH = (STATIC - MU) * MASS * G / STIFFNESS
STICK = 2.0 * REACH / SPEED
SLIP = (2.0 * math.pi - 2.0 * math.atan(W * REACH / SPEED)) / W


def belt_of_formulas(**friction):
    """The mass and the belt as formulas."""
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=MASS * (x.dot**2 + y.dot**2) / 2,
        potential=STIFFNESS * x**2 / 2 + MASS * G * y,
        initial={x: 0.5},
    )
    model.keep(y >= 0, sliding=x - SPEED * dl.time, name="belt", **friction)
    return model


def belt_of_bodies(shape, guided=False, **friction):
    """The same as a body on a plane whose surface moves."""
    model = dl.Model("belt")
    moving = dl.Material(**friction, surface_velocity=(SPEED, 0, 0))
    model.add_shape(dl.Plane(), name="belt", material=moving)
    inertia = dl.Inertia.box(MASS, size=(0.4, 0.4, 0.1))
    block = model.add_body("block", inertia, position=(0.5, 0, 0.05))
    model.add_shape(shape, on=block, material=dl.Material(**friction))
    middle = model.world.at(z=0.05)
    model.add_force(dl.Spring(middle, block, free_length=0, stiffness=STIFFNESS, name="spring"))
    if guided:
        model.add_joint(dl.Compound(middle, block, slides=["x", "z"], name="guide"))
    return model


def spans(solution):
    """Times from stick to slip and from slip to stick, of the limit cycle."""
    found = [entry for entry in solution.log if entry.kind in ("stick", "slip") and entry.t > 1.0]
    kinds = [entry.kind for entry in found]
    assert kinds == ["stick", "slip"] * (len(kinds) // 2)
    between = np.diff([entry.t for entry in found])
    return between[2::2], between[1::2]


def test_the_closed_form_is_that_of_the_literature():
    assert STICK == pytest.approx(0.3924, abs=1e-14)
    assert SLIP == pytest.approx(0.946314124685115, abs=1e-14)


@pytest.mark.parametrize("kind", ["formulas", "maximal", "generalized"])
def test_limit_cycle_by_located_events(kind):
    friction = {"friction": MU, "static_friction": STATIC}
    model, options = belt_of_formulas(**friction), {}
    if kind != "formulas":
        model = belt_of_bodies(dl.Sphere(0.05), guided=True, **friction)
        options = {"formulation": kind}
    solution = dl.simulate(model, until=6.0, **options)
    sticks, slips = spans(solution)
    assert len(sticks) == 3
    np.testing.assert_allclose(sticks, STICK, atol=1e-10)
    np.testing.assert_allclose(slips, SLIP, atol=1e-10)
    assert entries_of_first(solution) == pytest.approx(
        [0.670484346239478, 1.0891273705148], abs=1e-10
    )


def entries_of_first(solution):
    """Moments of the first reversal and of the first stick."""
    return [entry.t for entry in solution.log if entry.t > 0.0][:2]


def belt_in_steps(kind):
    friction = {"friction": MU, "static_friction": STATIC}
    if kind == "formulas":
        return belt_of_formulas(**friction), "x"
    return belt_of_bodies(dl.Box((0.4, 0.4, 0.1)), **friction), "block.x"


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("kind", ["formulas", "bodies"])
def test_steps_converge_to_the_limit_cycle(kind, order):
    events = dl.simulate(belt_of_formulas(friction=MU, static_friction=STATIC), until=6.0)
    model, name = belt_in_steps(kind)
    errors = []
    for step in (4e-3, 2.5e-4):
        run = dl.simulate(model, until=6.0, step=step, method=dl.ContactImpulse(order=order))
        errors.append(np.abs(np.interp(events.t, run.t, run[name]) - events["x"]).max())
    assert errors[0] < 0.02
    assert errors[1] < errors[0] / 8.0  # sixteen times shorter steps; events are of first order


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_steps_in_both_coordinates(formulation):
    friction = {"friction": MU, "static_friction": STATIC}
    model = belt_of_bodies(dl.Sphere(0.05), guided=True, **friction)
    run = dl.simulate(model, until=6.0, step=1e-3, formulation=formulation)
    x = run["block.x"][run.t > 3.0]
    assert x.max() == pytest.approx(0.229787436840502, abs=1e-3)


# -- a block on an incline between both ------------------------------------------------------------

SLOPE = math.atan(0.4)


def block_on_an_incline(kind, speed, **friction):
    """A block on a slope; `speed`: up it."""
    c, s = math.cos(SLOPE), math.sin(SLOPE)
    if kind == "formulas":
        x, y = dl.coordinates("x y")
        model = dl.Model.from_lagrangian(
            kinetic=MASS * (x.dot**2 + y.dot**2) / 2,
            potential=MASS * G * (s * x + c * y),
            initial={x.dot: speed},
        )
        model.keep(y >= 0, sliding=x, name="slope", **friction)
        return model, "x"
    model = dl.Model("slope", gravity=(-G * s, 0, -G * c))
    surface = dl.Material(**friction)
    model.add_shape(dl.Plane(), material=surface)
    size = (0.4, 0.4, 0.1)
    inertia = dl.Inertia.box(MASS, size=size)
    block = model.add_body("block", inertia, position=(0, 0, 0.05), velocity=(speed, 0, 0))
    model.add_shape(dl.Box(size), on=block, material=surface)
    return model, "block.x"


def way(speed):
    """Where it comes to rest on its way up, or how far down it is after a second."""
    c, s = math.cos(SLOPE), math.sin(SLOPE)
    if speed > 0.0:
        return speed**2 / (2.0 * G * (s + MU * c))
    return speed - G * (s - MU * c) / 2.0 if speed < 0.0 else 0.0


MODES = {"events": {}, "order 1": {"order": 1}, "order 2": {"order": 2}}


@pytest.mark.parametrize("mode", list(MODES))
@pytest.mark.parametrize("kind", ["formulas", "bodies"])
@pytest.mark.parametrize("speed", [1.0, 0.0, -1.0])
def test_block_stays_where_it_comes_to_rest(speed, kind, mode):
    model, name = block_on_an_incline(kind, speed, friction=MU, static_friction=STATIC)
    options, within = {}, 1e-9
    if MODES[mode]:
        options = {"step": 5e-4, "method": dl.ContactImpulse(**MODES[mode])}
        within = 1e-9 if speed == 0.0 else 2e-3
    run = dl.simulate(model, until=1.0, **options)
    assert run[name][-1] == pytest.approx(way(speed), abs=within)


def test_without_static_friction_it_slides_back():
    model, name = block_on_an_incline("bodies", 1.0, friction=MU)
    run = dl.simulate(model, until=1.0, step=5e-4)
    assert run[name][-1] < way(1.0) - 0.1


# -- what is kept, what is not touched -------------------------------------------------------------


@pytest.mark.parametrize("kind", ["formulas", "bodies"])
def test_runs_go_on_to_the_bit(kind, tmp_path):
    model, _ = belt_in_steps(kind)
    whole = dl.simulate(model, until=2.0, step=2e-3)
    # while it sticks with more than friction of sliding could hold
    dl.simulate(model, until=1.4, step=2e-3, save=tmp_path / "run")
    resumed = dl.resume(tmp_path / "run", until=2.0)
    assert np.array_equal(whole.q, resumed.q)


@pytest.mark.parametrize("kind", ["formulas", "bodies"])
def test_the_same_coefficient_said_twice_changes_no_bit(kind):
    runs = []
    for friction in ({"friction": MU}, {"friction": MU, "static_friction": MU}):
        model = belt_of_formulas(**friction)
        if kind == "bodies":
            model = belt_of_bodies(dl.Box((0.4, 0.4, 0.1)), **friction)
        runs.append(dl.simulate(model, until=1.5, step=5e-3))
    assert np.array_equal(runs[0].q, runs[1].q)


# -- what is said ----------------------------------------------------------------------------------


def test_pairs_combine_it_as_friction():
    model = dl.Model("pair")
    floor = model.add_shape(dl.Plane(), material=dl.Material(friction=0.4, static_friction=0.9))
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 1))
    shape = model.add_shape(dl.Sphere(0.1), on=ball, material=dl.Material(friction=0.1))
    law = model.contact_law(shape, floor)
    assert law.friction == pytest.approx(0.2)
    assert law.static_friction == pytest.approx(0.3)
    model.combine = dl.Combine(friction="max")
    assert model.contact_law(shape, floor).static_friction == 0.9
    model.set_contact(shape, floor, friction=0.2, static_friction=0.25)
    assert model.contact_law(shape, floor).static_friction == 0.25
    model.set_contact(shape, floor, friction=0.3)
    assert model.contact_law(shape, floor).static_friction == 0.3
    with pytest.raises(ModelError, match="static_friction goes with friction"):
        model.set_contact(shape, floor, static_friction=0.5)


def test_refusals():
    below = "static_friction is 0.2, below friction, 0.3. Give at least that, or leave it out."
    with pytest.raises(ModelError, match=below):
        dl.Material(friction=0.3, static_friction=0.2)
    with pytest.raises(ModelError, match=below):
        belt_of_formulas(friction=0.3, static_friction=0.2)
    with pytest.raises(ModelError, match=r"static_friction is 0.2 without friction"):
        dl.Material(friction=0.0, static_friction=0.2)
    with pytest.raises(ModelError, match="static_friction is -1"):
        dl.Material(static_friction=-1.0)


def test_a_parameter_that_brings_it_below_friction_is_refused():
    (mu,) = dl.parameters(mu=0.3)
    for model in (
        belt_of_formulas(friction=mu, static_friction=0.5),
        belt_of_bodies(dl.Sphere(0.05), friction=mu, static_friction=0.5),
    ):
        with pytest.raises(ModelError, match=r"static_friction is 0\.5, below friction, 0\.6"):
            dl.simulate(model.with_parameters(mu=0.6), until=0.1, step=1e-2)


def test_files_hold_it(tmp_path):
    friction = {"friction": MU, "static_friction": STATIC}
    for k, model in enumerate((belt_of_formulas(**friction), belt_in_steps("bodies")[0])):
        path = tmp_path / f"{k}.yaml"
        save_model(model, path)
        assert "static_friction" in path.read_text()
        runs = [dl.simulate(one, until=0.5, step=5e-3) for one in (model, load(path))]
        np.testing.assert_allclose(runs[0].q, runs[1].q, atol=1e-12)
