"""Derivatives through jumps of forces on bodies, against other equations of the same motion."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as dl
from dalembert.errors import SimulationError

WEIGHTS = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}


def switched(rates, side, state, until, switch):
    """The end of a motion whose sides change where `switch` is zero, from zero to zero."""
    t, state = 0.0, np.array(state, dtype=float)
    while t < until:

        def crossing(t, s):
            return switch(t, s)

        crossing.terminal, crossing.direction = True, -float(side)
        made = solve_ivp(
            lambda t, s: rates(t, s, side),  # noqa: B023
            (t, until),
            state,
            method="DOP853",
            rtol=1e-13,
            atol=1e-14,
            events=crossing,
        )
        t, state, side = made.t[-1], made.y[:, -1], -side
    return state


def slopes(value, at, reach=2e-3):
    """Differences of sixth order by each of some numbers."""
    made = []
    for k in range(len(at)):
        total = 0.0
        for n, weight in WEIGHTS.items():
            for sign in (1.0, -1.0):
                there = np.array(at, dtype=float)
                there[k] += sign * n * reach
                total = total + sign * weight * value(there)
        made.append(total / reach)
    return np.stack(made, axis=-1)


# -- a pendulum that rubs --------------------------------------------------------------------------

RUBBING = {"m": 1.2, "l": 0.8, "mu": 0.4, "c": 0.05}


def rubbing():
    m, l, mu, c = dl.parameters(**RUBBING)
    model = dl.Model("rubbing")
    rod = model.add_body("rod", dl.Inertia.rod(mass=m, length=l))
    hinge = dl.Revolute(model.world, rod.at(x=-l / 2), axis="y", name="pin", initial=0.2)
    pin = model.add_joint(hinge)
    rate = pin.angle.dot
    torque = dl.DirectDrive(pin, command=-mu * np.sign(rate) - c * rate, name="dry")
    model.add_force(torque)
    return model


def swing(p, until):
    m, l, mu, c = p

    def rates(t, s, side):
        push = m * 9.81 * l / 2 * np.cos(s[0]) - mu * side - c * s[1]
        return [s[1], push / (m * l**2 / 3)]

    return switched(rates, 1, [0.2, 0.0], until, lambda t, s: s[1] if t > 0 else 1.0)


@pytest.mark.parametrize("mode", ["forward", "adjoint"])
@pytest.mark.parametrize("step", [None, 5e-3])
def test_dry_friction_in_a_hinge(mode, step):
    model, until = rubbing(), 2.1
    wanted = ["pin.angle", "pin.angle.dot"]
    found = dl.sensitivity(model, wanted, list(RUBBING), until=until, mode=mode, step=step)
    at = list(RUBBING.values())
    accuracy = 1e-9 if step is None else 2e-7
    assert found.values[0] == pytest.approx(swing(at, until), abs=accuracy)
    expected = slopes(lambda p: swing(p, until), at)
    np.testing.assert_allclose(found.derivatives[0], expected, atol=20 * accuracy)


# -- a slider-crank: a loop ------------------------------------------------------------------------

CRANK = {"r": 0.3, "l": 0.7, "m": 1.5, "b": 0.9, "k": 4.0, "T": 2.0}


def slider_crank(force):
    """A crank, a rod and a slider in a plane, from 0.4 rad at rest; `force` adds what drives it."""
    r, l, m, b, k, T = dl.parameters(**CRANK)
    model = dl.Model("slider-crank", gravity=(0, 0, -9.81))
    crank = model.add_body("crank", dl.Inertia.rod(mass=1.0, length=r))
    rod = model.add_body("rod", dl.Inertia.rod(mass=m, length=l))
    slider = model.add_body("slider", dl.Inertia.point(mass=0.8))
    turn = dl.Revolute(model.world, crank.at(x=-r / 2), axis="y", initial=-0.4, name="turn")
    model.add_joint(turn)
    model.add_joint(dl.Revolute(crank.at(x=r / 2), rod.at(x=-l / 2), axis="y", name="pin"))
    model.add_joint(dl.Revolute(rod.at(x=l / 2), slider, axis="y", name="wrist"))
    model.add_joint(dl.Prismatic(model.world, slider, axis="x", name="guide"))
    model.set_initial({"turn.angle": -0.4, "slider.x": 0.9665})
    force(model, slider, b, k, T)
    return model


def law(model, slider, b, k, T):
    """A spring that breaks, and a motor that pushes one way and the other."""

    def breaks(extension, rate):
        return dl.where(extension > b, 0.2 * k, k * extension) + 0.3 * rate

    spring = dl.Spring(model.world, slider, free_length=0.0, law=breaks, name="spring")
    model.add_force(spring)
    turn = model.joints["turn"]
    model.add_force(dl.DirectDrive("turn", command=-T * np.sign(turn.angle - 1), name="motor"))


def crank_by_angle(p, until):
    """The same with the angle a of the crank alone, A a'' + A' a'^2/2 = Q, upwards positive."""
    r, l, m, b, k, T = p

    def places(a):
        """Slider's place and its slope, and the inertia."""
        sine = r * np.sin(a) / l
        cosine = np.sqrt(1 - sine**2)
        turn = -r * np.cos(a) / (l * cosine)  # of the rod, which falls by asin(sine)
        x, dx = r * np.cos(a) + l * cosine, -r * np.sin(a) + l * sine * turn
        # centre of the rod: half way from pin to slider
        cx, cz = (-r * np.sin(a) + dx) / 2, r * np.cos(a) / 2
        inertia = r**2 / 3 + m * (cx**2 + cz**2) + m * l**2 / 12 * turn**2 + 0.8 * dx**2
        return x, dx, inertia

    def rates(t, s, sides):
        a, w = s
        x, dx, inertia = places(a)
        slope = places(a + 1e-30j)[2].imag / 1e-30
        weight = -(1.0 + m) * 9.81 * r * np.cos(a) / 2
        spring = 0.2 * k if sides[0] > 0 else k * x
        drive = T * sides[1]  # the joint's angle is -a
        force = weight - (spring + 0.3 * dx * w) * dx - drive
        return [w, (force - slope * w**2 / 2) / inertia]

    t, state, sides = 0.0, np.array([0.4, 0.0]), [1, 1]

    def both(t, s):
        return places(s[0])[0] - b, 1 + s[0]

    sides = [int(np.sign(x)) for x in both(0.0, state)]
    while t < until:
        events = []
        for k_, side in enumerate(sides):

            def event(t, s, k_=k_):
                return both(t, s)[k_]

            event.terminal, event.direction = True, -float(side)
            events.append(event)
        made = solve_ivp(
            lambda t, s: rates(t, s, sides),
            (t, until),
            state,
            method="DOP853",
            rtol=1e-13,
            atol=1e-14,
            events=events,
        )
        t, state = made.t[-1], made.y[:, -1]
        for k_, met in enumerate(made.t_events):
            sides[k_] *= -1 if len(met) else 1
    return state


@pytest.mark.parametrize("mode", ["forward", "adjoint"])
def test_jumps_in_a_closed_loop(mode):
    """A spring that breaks and mends, and a motor that turns about, on a slider-crank."""
    until = 1.7
    found = dl.sensitivity(
        slider_crank(law),
        ["turn.angle", "turn.angle.dot"],
        list(CRANK),
        until=until,
        hold=["turn.angle"],
        mode=mode,
    )
    at = list(CRANK.values())
    assert found.values[0] == pytest.approx(-crank_by_angle(at, until), abs=2e-9)
    expected = -slopes(lambda p: crank_by_angle(p, until), at, reach=2e-4)
    np.testing.assert_allclose(found.derivatives[0], expected, rtol=1e-8, atol=1e-7)


# -- what users write ------------------------------------------------------------------------------


def thrown(make, **parameters):
    """A spinning plate that is thrown through a field that begins at a height."""
    symbols = dict(zip(parameters, dl.parameters(**parameters), strict=True))
    model = dl.Model("plate", gravity=(0, 0, -9.81))
    plate = model.add_body("plate", dl.Inertia.box(mass=0.5, size=(0.4, 0.3, 0.05)))
    model.set_initial({"plate.z.dot": 5.0, "plate.x.dot": 1.0, "plate.wx": 2.0, "plate.wy": 0.7})
    make(model, plate, symbols)
    return model


def wind(model, plate, p):
    """A wind above h, at a corner, along axes of the plate."""
    blows = dl.where(plate.position[2] > p["h"], p["F"], 0.0)
    model.add_force(dl.Force(plate.at(x=0.2), value=(blows, 0, blows / 2), axes="body"))


def field(model, plate, p):
    """A torque against the spin that grows below a speed, and a push to one side and back."""
    spin = plate.angular_velocity[0]
    torque = -0.01 * p["h"] * (2 - np.sign(spin - p["F"]))
    model.add_force(dl.Torque(plate, about="x", value=torque))
    push = dl.where(dl.time < p["h"], p["F"], dl.where(dl.time < 2 * p["h"], 0.0, -p["F"]))
    model.add_force(dl.Force(plate, value=(0, push, 0)))


@pytest.mark.parametrize(("make", "h", "F"), [(wind, 0.8, 2.0), (field, 0.3, 1.9)])
def test_jumps_against_differences_of_located_runs(make, h, F):
    """`simulate` ends steps at events that stand where the forces jump, and do nothing."""
    wanted, until = ["plate.x", "plate.y", "plate.z", "plate.wx", "plate.wz"], 0.9
    model = thrown(make, h=h, F=F)
    found = dl.sensitivity(model, wanted, ["h", "F"], until=until)
    plate = model.bodies["plate"]
    p = dict(zip("hF", dl.parameters(h=h, F=F), strict=True))
    if make is wind:
        guards = [plate.position[2] - p["h"]]
    else:
        guards = [plate.angular_velocity[0] - p["F"], dl.time - p["h"], dl.time - 2 * p["h"]]

    def run(at):
        made = dl.simulate(
            model.with_parameters(h=at[0], F=at[1]),
            until=until,
            integrator=dl.DormandPrince(order=8, rtol=1e-13, atol=1e-14),
            events=[dl.Event(g, name=f"g{k}") for k, g in enumerate(guards)],
        )
        return np.array([made[name][-1] for name in wanted])

    assert found.values[0] == pytest.approx(run([h, F]), abs=1e-9)
    expected = slopes(run, [h, F], 2e-4)
    np.testing.assert_allclose(found.derivatives[0], expected, rtol=1e-6, atol=1e-6)


def test_kinks_of_a_hinges_angle_are_where_they_are():
    """A spring beyond an angle; its kink was looked for at half of it."""
    (c,) = dl.parameters(c=0.5)
    model = dl.Model("flap", gravity=(0, 0, 0))
    flap = model.add_body("flap", dl.Inertia.box(1.0, size=(0.5, 0.1, 0.1)))
    h = model.add_joint(dl.Revolute(model.world, flap.at(x=-0.25), axis="y", name="h"))
    model.add_force(dl.DirectDrive(h, command=-3 * dl.maximum(h.angle - c, 0.0), name="spring"))
    model.set_initial({"h.angle.dot": 1.0})
    found = dl.sensitivity(model, ["h.angle"], [c], until=1.0, step=0.01)
    inertia = (0.5**2 + 0.1**2) / 12 + 0.25**2
    w = np.sqrt(3 / inertia)
    assert found.values[0, 0] == pytest.approx(0.5 + np.sin(0.5 * w) / w, abs=1e-7)
    assert found.derivatives[0, 0, 0] == pytest.approx(1 - np.cos(0.5 * w), abs=1e-6)


def test_friction_that_sticks_is_refused_on_bodies():
    model = rubbing().with_parameters(mu=10.0)
    model.set_initial({"pin.angle": 1.5, "pin.angle.dot": 0.5})
    with pytest.raises(SimulationError, match="switch to and fro within a step"):
        dl.sensitivity(model, ["pin.angle"], ["mu"], until=1.0)
