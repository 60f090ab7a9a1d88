"""Soft contacts, limits, stops and cables: a spring and a damper where they are closed, only there.

f = max(0, -k phi - d phi') for phi < 0, else 0: no force across a gap, none that pulls.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as dl

K, SPEED, GAP, UNTIL = 1e4, 1.0, 0.0213, 0.08

every_order = pytest.mark.parametrize("order", [1, 2])
every_damping = pytest.mark.parametrize("damping", [0.0, 20.0, 100.0, 400.0])


def ball(damping):
    model = dl.Model("ball", gravity=(0, 0, 0))
    model.add_shape(dl.Plane(), material=dl.Material(friction=0.3))
    skin = dl.Material(friction=0.3, stiffness=K, damping=damping)
    body = model.add_body(
        "ball", dl.Inertia.sphere(1.0, 0.1), position=(0, 0, 0.1 + GAP), velocity=(0, 0, -SPEED)
    )
    model.add_shape(dl.Sphere(0.1), on=body, material=skin)
    return model


def cart(damping, kind):
    """One that runs against a soft limit, stop, formula or cable, and its joint."""
    model = dl.Model("cart", gravity=(0, 0, 0))
    body = model.add_body("cart", dl.Inertia.box(1.0, size=(0.1, 0.1, 0.1)))
    slide = dl.Prismatic(model.world, body, axis="x", initial_speed=SPEED, name="slide")
    slide, law = model.add_joint(slide), {"stiffness": K, "damping": damping}
    if kind == "limit":
        model.set_limits(slide, dl.Limits(upper=GAP, **law))
    elif kind == "stop":
        model.keep(dl.Stop(model.world, body, axis="-x", gap=-GAP, **law))
    elif kind == "formula":
        model.keep(GAP - slide.displacement >= 0, name="end", **law)
    else:
        far = model.world.at(x=-1.0)
        model.keep(dl.Cable(far, body, length=1.0 + GAP, **law))
    return model, slide


def run(model, order, step, **more):
    method = dl.ContactImpulse(order=order, tolerance=1e-11)
    return dl.simulate(model, until=UNTIL, step=step, method=method, **more)


def exact(damping):
    """Gap and its rate at the end: flight, then the law while it pushes."""
    begin = GAP / SPEED

    def law(_, y):
        return [y[1], -K * y[0] - damping * y[1]]

    def lets_go(_, y):
        return -K * y[0] - damping * y[1]

    lets_go.terminal, lets_go.direction = True, -1.0
    end = solve_ivp(law, (begin, UNTIL), [-1e-300, -SPEED], events=lets_go, rtol=1e-10, atol=1e-13)
    y = end.y[:, -1]
    return y[0] + y[1] * (UNTIL - end.t[-1]), y[1]


@every_order
@every_damping
def test_a_soft_contact_does_not_push_across_a_gap(order, damping):
    for step in (1e-3, 3.3e-4):
        solution = run(ball(damping), order, step)
        touched = False
        for t in solution.t[1:]:
            for contact in solution.contacts(t):
                assert contact.force[2] >= 0.0
                assert contact.gap <= 0.0 or contact.force[2] == 0.0
                touched = touched or contact.force[2] > 0.0
        assert touched


@every_order
@every_damping
def test_a_soft_contact_follows_spring_and_damper(order, damping):
    """Of first order where it closes, from wherever in a step."""
    gap, speed = exact(damping)
    for step, allowed in ((2e-4, 0.05), (2e-5, 0.005)):
        found = run(ball(damping), order, step)
        assert found.q[-1, 2] - 0.1 == pytest.approx(gap, abs=allowed * GAP)
        assert found.v[-1, 2] == pytest.approx(speed, abs=allowed * SPEED)


@every_order
@pytest.mark.parametrize("kind", ["limit", "stop", "formula", "cable"])
@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_soft_ends_do_not_act_ahead(order, kind, formulation):
    damping = 100.0
    model, slide = cart(damping, kind)
    solution = run(model, order, 1e-3, formulation=formulation)
    speed, place = solution[slide.displacement.dot], solution[slide.displacement]
    ahead = place[1:] < GAP * (1.0 - 1e-12)
    coming = ahead & (np.arange(1, len(place)) <= np.argmax(place))
    assert np.count_nonzero(coming) >= 15
    # exact until it is there, and never pulled back
    np.testing.assert_allclose(speed[1:][coming], SPEED, atol=1e-9)
    assert np.diff(speed).max() <= 1e-9
    gap, rate = exact(damping)
    fine = run(model, order, 2e-5, formulation=formulation)
    assert GAP - fine[slide.displacement][-1] == pytest.approx(gap, abs=5e-3 * GAP)
    assert -fine[slide.displacement.dot][-1] == pytest.approx(rate, abs=5e-3 * SPEED)
