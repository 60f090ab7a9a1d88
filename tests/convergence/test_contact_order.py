"""Order of time stepping in contact (contact.md 15): 1, and 2 with `order=2`, on four step sizes.

Smooth motions with a contact that stays: on a hill, in a bowl, sliding that turns, a top. And the
bodies with joints of the battery, in both formulations. References are runs of second order with
far smaller steps (and the closed form of `test_contact_runs`, smooth methods for joints).
"""

import math

import numpy as np
import pytest
from tests.convergence.test_orders import PROBLEMS

import dalembert as dl


def on_a_hill(friction=0.0):
    """A ball on top of a fixed one, that slides; with friction, it rolls from the start."""
    model = dl.Model("hill")
    surface = dl.Material(friction=friction)
    model.add_shape(dl.Sphere(1.0, position=(0, 0, -1.0)), material=surface)
    s, c = math.sin(0.05), math.cos(0.05)
    ball = model.add_body(
        "ball",
        dl.Inertia.sphere(1.0, 0.1),
        position=(1.1 * s, 0, -1 + 1.1 * c),
        velocity=(0.5 * c, 0.3, -0.5 * s),
        angular_velocity=(-3 * c, 5, 3 * s) if friction else (0, 0, 0),
    )
    model.add_shape(dl.Sphere(0.1), on=ball, material=surface)
    return model


def tripod():
    """Three feet that slide and spin: friction turns with them."""
    model = dl.Model("tripod")
    surface = dl.Material(friction=0.3)
    model.add_shape(dl.Plane(), material=surface)
    body = model.add_body(
        "body",
        dl.Inertia.box(1.0, size=(0.4, 0.3, 0.1)),
        position=(0, 0, 0.2),
        velocity=(1.5, 0.4, 0),
        angular_velocity=(0, 0, 4.0),
    )
    for x, y in ((0.2, 0), (-0.15, 0.15), (-0.1, -0.15)):
        model.add_shape(dl.Sphere(0.02, position=(x, y, -0.18)), on=body, material=surface)
    return model


def spinning_ball():
    model = dl.Model("ball")
    surface = dl.Material(friction=0.2)
    model.add_shape(dl.Plane(), material=surface)
    ball = model.add_body(
        "ball",
        dl.Inertia.sphere(1.0, 0.1),
        position=(0, 0, 0.1),
        velocity=(1.5, 0.4, 0),
        angular_velocity=(8, -5, 4),
    )
    model.add_shape(dl.Sphere(0.1), on=ball, material=surface)
    return model


def in_a_bowl():
    """A point that must stay above a parabola."""
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2, potential=9.81 * y, initial={x: 0.5, y: 0.25}
    )
    model.keep(y >= x**2, name="bowl")
    return model


def top():
    return dl.catalog.load("top-on-floor", spin=60.0)


def wobbling_coin():
    """Resistance to rolling whose direction goes round."""
    return dl.catalog.load("spinning-coin")


MOTIONS = {
    # model; length [s], steps of the coarsest run
    "hill": (on_a_hill, 0.3, 150),
    "rolling down a hill": (lambda: on_a_hill(1.0), 0.3, 75),
    "tripod": (tripod, 0.3, 75),
    "ball": (spinning_ball, 0.15, 38),
    "bowl": (in_a_bowl, 0.5, 500),
    "top": (top, 0.1, 200),
    "coin": (wobbling_coin, 0.1, 100),
}


def ended(model, until, count, order):
    method = dl.ContactImpulse(order=order, tolerance=1e-12)
    solution = dl.simulate(model, until=until, step=until / count, every=count, method=method)
    return np.concatenate([solution.q[-1], 0.1 * solution.v[-1]])


@pytest.mark.parametrize("name", MOTIONS)
def test_contacts_that_stay(name):
    make, until, coarsest = MOTIONS[name]
    counts = coarsest * 2 ** np.arange(4)
    exact = ended(make(), until, int(16 * counts[-1]), 2)
    for order in (1, 2):
        errors = [np.abs(ended(make(), until, int(n), order) - exact).max() for n in counts]
        observed = dl.observed_order(until / counts, errors)
        assert observed == pytest.approx(order, abs=0.3), errors


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("problem", ["ball-bar", "loop", "driven-arm", "rolling-body"])
def test_bodies_with_joints(problem, formulation):
    until, counts = 0.8, np.array([80, 160, 320, 640])
    times = np.linspace(0.0, until, 21)
    tight = dl.DormandPrince(rtol=1e-12, atol=1e-12)
    exact = dl.simulate(PROBLEMS[problem](), until=until, times=times, integrator=tight)
    errors = []
    for n in counts:
        found = dl.simulate(
            PROBLEMS[problem](),
            until=until,
            step=until / n,
            every=int(n) // 20,
            method=dl.ContactImpulse(order=2),
            formulation=formulation,
        )
        errors.append(max(np.abs(found.q - exact.q).max(), np.abs(found.v - exact.v).max()))
    assert dl.observed_order(until / counts, errors) == pytest.approx(2.0, abs=0.2), errors


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_velocities_of_jointed_bodies_have_second_order(formulation):
    """A pawl that slides up a tooth: links turn the rows of its contact, on a tree as well."""
    model = dl.catalog.load("ratchet")
    exact = dl.simulate(model, mode="events", until=0.1).v[-1]
    errors = []
    for step in (1e-3, 5e-4, 2.5e-4):
        method = dl.ContactImpulse(order=2)
        run = dl.simulate(model, until=0.1, step=step, method=method, formulation=formulation)
        errors.append(np.abs(run.v[-1] - exact).max())
    slope = math.log(errors[0] / errors[2]) / math.log(4.0)
    assert slope > 1.8
    assert errors[0] < 3e-4
