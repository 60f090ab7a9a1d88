"""Soft stops between located events: a spring and a damper that push, and the moments they begin.

Closed forms: x'' = -k x - d x' within, flight between; within 1e-9 at the default tolerance.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as dl

G = 9.81


def of_kind(solution, kind):
    return [one.t for one in solution.log if one.kind == kind]


@pytest.mark.parametrize("damping", [0.0, 30.0])
def test_a_mass_that_falls_on_a_spring(damping):
    """An oscillation about the sag; the damper lets go where k x + d x' = 0, below the floor."""
    k, drop = 1e4, 0.2
    (z,) = dl.coordinates("z")
    model = dl.Model.from_lagrangian(kinetic=z.dot**2 / 2, potential=G * z)
    model.keep(z >= 0, stiffness=k, damping=damping, name="floor")
    solution = dl.simulate(model, until=0.3, initial={z: drop}, progress=False)
    begins, speed = np.sqrt(2 * drop / G), np.sqrt(2 * G * drop)

    def within(t, y):
        return [y[1], -G - k * y[0] - damping * y[1]]

    def lets_go(t, y):
        return -k * y[0] - damping * y[1]

    lets_go.terminal, lets_go.direction = True, -1
    exact = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-15}
    first = solve_ivp(within, (0, 1e-4), [0.0, -speed], **exact).y[:, -1]
    rest = solve_ivp(within, (1e-4, 1), first, events=lets_go, **exact)
    ends, at, up = begins + rest.t[-1], *rest.y[:, -1]
    assert of_kind(solution, "close") == pytest.approx([begins], abs=1e-10)
    assert of_kind(solution, "open") == pytest.approx([ends], abs=1e-10)
    if damping:
        assert at < -1e-4  # it lets go below the floor
    left = 0.3 - ends
    assert solution["z"][-1] == pytest.approx(at + up * left - G * left**2 / 2, abs=1e-9)
    assert solution.verdict.is_good


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_a_pendulum_between_soft_limits(formulation):
    """Both ends of a hinge, undamped: energy with that of the springs is kept."""
    stiffness, reach = 400.0, 0.3
    model = dl.Model("pendulum", gravity=(0, 0, -G))
    rod = model.add_body("rod", dl.Inertia(1.0, (0.1, 0.1, 0.1)), position=(0, 0, -1.0))
    hinge = model.add_joint(
        dl.Revolute(model.world.at(0, 0, 0), rod.at(z=1.0), axis="y", name="hinge")
    )
    model.set_limits(hinge, dl.Limits(lower=-reach, upper=reach, stiffness=stiffness))
    solution = dl.simulate(
        model, until=3.0, initial={"hinge.angle.dot": 3.0}, formulation=formulation, progress=False
    )
    angle, speed = solution["hinge.angle"], solution["hinge.angle.dot"]
    beyond = np.maximum(np.abs(angle) - reach, 0.0)
    energy = 1.1 * speed**2 / 2 - G * np.cos(angle) + stiffness * beyond**2 / 2
    assert np.abs(energy - energy[0]).max() < 1e-9
    assert len(of_kind(solution, "close")) >= 8
    assert {one.contact for one in solution.log} == {"hinge: lower", "hinge: upper"}


def test_an_elastic_rope():
    """A mass on a rope that stretches: the highest point after the bounce is where it fell from."""
    model = dl.Model("rope", gravity=(0, 0, -G))
    ball = model.add_body("ball", dl.Inertia.point(2.0), position=(0, 0, -0.1))
    model.keep(dl.Cable(model.world, ball, length=1.0, stiffness=800.0, name="rope"))
    fall = np.sqrt(2 * 0.9 / G)
    w, speed = np.sqrt(400.0), G * fall
    stretched = 2 * (np.pi - np.arctan2(speed * w, G)) / w  # from the length to the length
    times = [fall, fall + stretched / 2, fall + stretched, 2 * fall + stretched]
    solution = dl.simulate(model, until=times[-1], times=[0.0, *times], progress=False)
    sag = G / w**2
    deepest = -1.0 - sag - np.hypot(sag, speed / w)
    assert solution["ball.z"][1:] == pytest.approx([-1.0, deepest, -1.0, -0.1], abs=1e-9)
    assert of_kind(solution, "open") == pytest.approx([fall + stretched], abs=1e-10)


def test_a_block_between_a_soft_and_a_rigid_stop():
    """An impact while the spring pushes: a damper feels the velocity behind it at once."""
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(kinetic=x.dot**2 / 2)
    model.keep(x >= 0, stiffness=100.0, damping=2.0, name="soft")
    model.keep(x >= -0.1, restitution=0.5, name="rigid")
    solution = dl.simulate(model, until=0.5, initial={x: 0.1, x.dot: -3.0}, progress=False)

    def within(t, y):
        return [y[1], -100.0 * y[0] - 2.0 * y[1]]

    def rigid(t, y):
        return y[0] + 0.1

    def lets_go(t, y):
        return -100.0 * y[0] - 2.0 * y[1]

    for one in (rigid, lets_go):
        one.terminal, one.direction = True, -1
    exact = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-15, "max_step": 1e-2}
    down = solve_ivp(within, (0.1 / 3, 1), [0.0, -3.0], events=rigid, **exact)
    up = solve_ivp(within, (down.t[-1], 1), [-0.1, -0.5 * down.y[1, -1]], events=lets_go, **exact)
    assert [one.kind for one in solution.log] == ["close", "impact", "open"]
    moments = [0.1 / 3, down.t[-1], up.t[-1]]
    assert [one.t for one in solution.log] == pytest.approx(moments, abs=1e-10)
    left = 0.5 - up.t[-1]
    assert solution["x"][-1] == pytest.approx(up.y[0, -1] + up.y[1, -1] * left, abs=1e-9)


def test_a_stop_that_is_all_but_rigid_takes_steps():
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, potential=G * x)
    model.keep(x >= 0, stiffness=1e12, damping=1e6, name="rock")
    solution = dl.simulate(model, until=1.0, initial={x: 0.1}, progress=False)
    assert any(
        one.kind == "stepping" and "rock is too stiff" in one.contact for one in solution.log
    )
    assert abs(solution["x"][-1]) < 1e-6
