"""Derivatives through `where`, `sign`, `abs`, `minimum`: forces with kinks and jumps."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import ModelError, SimulationError

(x,) = dl.coordinates("x")
MODES = pytest.mark.parametrize("mode", ["forward", "adjoint"])
STEPS = pytest.mark.parametrize("step", [None, 1e-2])


def mass(force, **start):
    return dl.Model.from_lagrangian(
        coordinates=[x], kinetic=x.dot**2 / 2, forces={x: force}, initial=start
    )


@MODES
@STEPS
def test_a_moment_of_switching(mode, step):
    """x(T) = F (tau^2/2 + tau d - d^2/2), d = T - tau: bang-bang control."""
    tau, F = dl.parameters(tau=0.7, F=2.0)
    model = mass(dl.where(dl.time < tau, F, -F))
    found = dl.sensitivity(model, [x], [tau, F], until=1.5, mode=mode, step=step)
    way = 0.7**2 / 2 + 0.7 * 0.8 - 0.8**2 / 2
    assert found.values[0, 0] == pytest.approx(2 * way, abs=1e-13)
    assert found.derivatives[0, 0] == pytest.approx([2 * 2.0 * 0.8, way], abs=1e-12)
    assert found.events == ()


@MODES
@STEPS
def test_a_place_of_switching(mode, step):
    """Free to b with speed 1, then braked by F: x = b + s - F s^2/2, s = T - b."""
    b, F = dl.parameters(b=0.2, F=2.0)
    for force in (
        dl.where(x > b, -F, 0.0),
        dl.where(b > x, 0.0, -F),
        -F * (1 + np.sign(x - b)) / 2,
    ):
        found = dl.sensitivity(
            mass(force, **{"x.dot": 1.0}), [x], [b, F], until=1.0, mode=mode, step=step
        )
        assert found.values[0, 0] == pytest.approx(0.2 + 0.8 - 0.8**2, abs=1e-13)
        assert found.derivatives[0, 0] == pytest.approx([2.0 * 0.8, -(0.8**2) / 2], abs=1e-12)


@MODES
def test_dry_friction_that_turns_about(mode):
    """Half swings about +mu/10 and -mu/10 in turn; it starts at rest, on no side of the switch."""
    (mu,) = dl.parameters(mu=0.3)
    model = mass(-10 * x - mu * np.sign(x.dot), x=1.0)
    found = dl.sensitivity(model, [x], [mu], until=1.6, mode=mode)
    turned = np.cos(np.sqrt(10.0) * 1.6 - np.pi)
    # x1 = 2 mu/10 - 1,  x = -mu/10 + (x1 + mu/10) cos
    assert found.values[0, 0] == pytest.approx(-0.03 + (0.09 - 1.0) * turned, abs=1e-11)
    assert found.derivatives[0, 0, 0] == pytest.approx(-0.1 + 0.3 * turned, abs=1e-10)


def test_friction_that_sticks_is_refused():
    """The spring is too weak: the switch is crossed to and fro within every step."""
    (mu,) = dl.parameters(mu=3.0)
    model = mass(-10 * x - mu * np.sign(x.dot), x=0.4)
    with pytest.raises(SimulationError, match=r"switch to and fro within a step at x\.dot = 0"):
        dl.sensitivity(model, [x], [mu], until=3.0)


@MODES
@pytest.mark.parametrize("step", [None, 2e-3])
def test_a_stop_of_springs_and_quadratic_drag(mode, step):
    """A stiffer spring beyond 0.1, by its own variational equations from zero to zero."""
    from scipy.integrate import solve_ivp

    c, k = dl.parameters(c=0.5, k=2.0)
    spring = dl.where(x > 0.1, 5 * k * (x - 0.1) + 0.1 * k, k * x)
    found = dl.sensitivity(
        mass(-spring - c * abs(x.dot) * x.dot, x=1.0), [x], [c, k], until=5.0, mode=mode, step=step
    )

    def rates(above):
        def made(t, s):
            place, speed = s[:2]
            force, slope = (10 * (place - 0.1) + 0.2, 10.0) if above else (2 * place, 2.0)
            by_k = 5 * (place - 0.1) + 0.1 if above else place
            out = [speed, -force - 0.5 * abs(speed) * speed]
            for j, own in enumerate((-abs(speed) * speed, -by_k)):
                a, b = s[2 + 2 * j : 4 + 2 * j]
                out += [b, -slope * a - abs(speed) * b + own]
            return out

        return made

    t, state, above = 0.0, np.array([1.0, 0, 0, 0, 0, 0]), True
    while t < 5.0:

        def place(t, s):
            return s[0] - 0.1

        place.terminal, place.direction = True, -1.0 if above else 1.0
        made = solve_ivp(
            rates(above), (t, 5.0), state, method="DOP853", rtol=1e-13, atol=1e-14, events=place
        )
        t, state, above = made.t[-1], made.y[:, -1], not above
    accuracy = 1e-10 if step is None else 1e-9
    assert found.values[0, 0] == pytest.approx(state[0], abs=accuracy)
    assert found.derivatives[0, 0] == pytest.approx(state[[2, 4]], abs=accuracy)


def pushed(force):
    model = dl.Model("sledge", gravity=(0, 0, 0))
    body = model.add_body("body", dl.Inertia.sphere(1.0, radius=0.1))
    guide = model.add_joint(dl.Prismatic(model.world, body, axis="x", name="guide"))
    model.add_force(dl.DirectDrive(guide, command=force(guide.displacement), name="motor"))
    return model


@MODES
def test_kinks_of_forces_on_bodies(mode):
    """A motor that saturates: x' = u t, u = maximum(1 - b t, 0) has a kink at 1/b."""
    (b,) = dl.parameters(b=2.0)
    model = pushed(lambda s: dl.maximum(1 - b * dl.time, 0.0))
    found = dl.sensitivity(model, ["body.x"], [b], until=1.3, mode=mode, step=0.05)
    # v = 1/(2 b) from 1/b on, where x = 1/(3 b^2)
    assert found.values[0, 0] == pytest.approx(1 / 12 + 0.25 * 0.8, abs=1e-13)
    assert found.derivatives[0, 0, 0] == pytest.approx(-2 / 24 - 0.8 / 8 + 1 / 16, abs=1e-12)


@MODES
@STEPS
def test_jumps_of_forces_on_bodies(mode, step):
    """The closed forms of a mass that is switched by time and by its place."""
    tau, b, F = dl.parameters(tau=0.7, b=0.2, F=2.0)
    model = pushed(lambda s: dl.where(dl.time < tau, F, -F))
    found = dl.sensitivity(model, ["body.x"], [tau, F], until=1.5, mode=mode, step=step)
    way = 0.7**2 / 2 + 0.7 * 0.8 - 0.8**2 / 2
    assert found.values[0, 0] == pytest.approx(2 * way, abs=1e-12)
    assert found.derivatives[0, 0] == pytest.approx([2 * 2.0 * 0.8, way], abs=1e-11)
    model = pushed(lambda s: -F * (1 + np.sign(s - b)) / 2)
    model.set_initial({"guide.displacement.dot": 1.0})
    found = dl.sensitivity(model, ["body.x"], [b, F], until=1.0, mode=mode, step=step)
    assert found.values[0, 0] == pytest.approx(0.2 + 0.8 - 0.8**2, abs=1e-12)
    assert found.derivatives[0, 0] == pytest.approx([2.0 * 0.8, -(0.8**2) / 2], abs=1e-11)


@MODES
def test_a_parameter_that_an_event_alone_has_goes_through_a_release(mode):
    """A bob is let go where x = b: flight of T - t_e, by differences of the closed form."""
    p, q = dl.coordinates("p q")
    l, b = dl.parameters(l=1.0, b=0.5)
    model = dl.Model.from_lagrangian(
        coordinates=[p, q],
        kinetic=(p.dot**2 + q.dot**2) / 2,
        constraints={"bar": p**2 + q**2 - l**2},
        initial={p: 0.0, q: -1.0, p.dot: 0.8},
    )
    away = dl.Event(p - b, direction=1, action=dl.Release("bar"), name="away")
    found = dl.sensitivity(model, [p, q], [b], until=1.5, events=[away], mode=mode)
    # without gravity: angle w t, w = 0.8, b = sin(w t_e), then along the tangent
    angle = np.arcsin(0.5)
    rest = 0.8 * 1.5 - angle
    assert found.values[0] == pytest.approx(
        [0.5 + rest * np.cos(angle), -np.cos(angle) + rest * 0.5], abs=1e-10
    )
    by_angle = np.array([-rest * np.sin(angle), rest * np.cos(angle)])
    assert found.derivatives[0, :, 0] == pytest.approx(by_angle / np.cos(angle), abs=1e-9)


def test_an_unknown_parameter_is_still_refused():
    model = mass(-x, x=1.0)
    with pytest.raises((ModelError, dl.errors.OptionError), match="nothing_of"):
        dl.sensitivity(model, [x], ["nothing_of"], until=1.0)
