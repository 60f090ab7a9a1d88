"""Derivatives through located events, against closed forms and differences."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import OptionError, SimulationError

MODES = ("forward", "adjoint")


def ball(stop=True):
    x, y = dl.coordinates("x y")
    m, g, e, h = dl.parameters(m=2.0, g=9.81, e=0.7, h=1.0)
    model = dl.Model.from_lagrangian(
        name="ball",
        coordinates=[x, y],
        kinetic=m * (x.dot**2 + y.dot**2) / 2,
        potential=m * g * y,
        initial={y: h, x.dot: 1.0},
    )
    if stop:
        model.keep(y >= 0, name="floor", restitution=e)
    return model, y, e


def height(g, e, h, v, until):
    """Height and speed of a ball that bounces, in closed form."""
    t = 0.0
    while True:
        flight = (v + np.sqrt(v * v + 2 * g * h)) / g
        if t + flight > until:
            rest = until - t
            return np.array([h + v * rest - g * rest**2 / 2, v - g * rest])
        v, h, t = e * np.sqrt(v * v + 2 * g * h), 0.0, t + flight


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("stop", [True, False])
def test_a_ball_that_bounces(mode, stop):
    model, y, e = ball(stop)
    events = [] if stop else [dl.Event(y, direction=-1, action={y.dot: -e * y.dot}, name="floor")]
    wanted = ["g", "e", "h", y.dot, "m"]
    found = dl.sensitivity(model, [y, y.dot], wanted, until=1.3, events=events, mode=mode)
    assert [name for name, _ in found.events] == ["floor", "floor"]
    assert found.events[0][1] == pytest.approx(np.sqrt(2 / 9.81), abs=1e-14)
    point = np.array([9.81, 0.7, 1.0, 0.0])
    assert found.values[0] == pytest.approx(height(*point, 1.3), abs=1e-12)
    for k in range(4):
        slope = np.zeros(2)
        for n, weight in {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}.items():
            way = np.zeros(4)
            way[k] = 1e-3 * n
            slope += weight * (height(*(point + way), 1.3) - height(*(point - way), 1.3)) / 1e-3
        assert found.derivatives[0, :, k] == pytest.approx(slope, abs=1e-9)
    assert np.abs(found.derivatives[0, :, 4]).max() < 1e-13  # its mass does not matter


@pytest.mark.parametrize("mode", MODES)
def test_a_run_that_ends_at_an_event(mode):
    """Outputs at an event move with its time: d t/dg = -t/2g."""
    model, y, _ = ball(False)
    land = dl.Event(y, terminal=True, name="landing")
    found = dl.sensitivity(model, [dl.time, y.dot], ["g", "h"], until=2.0, events=[land], mode=mode)
    t = np.sqrt(2 / 9.81)
    assert found.t[-1] == pytest.approx(t, abs=1e-14)
    exact = [[-t / 2 / 9.81, t / 2], [-t / 2, -9.81 * t / 2]]
    assert found.derivatives[0] == pytest.approx(np.array(exact), abs=1e-12)


@pytest.mark.parametrize("mode", MODES)
def test_stick_and_slip(mode):
    """A block on a belt: constraints engage and are released, a parameter is set."""
    (x,), (k, mu, belt, way) = (
        dl.coordinates("x"),
        dl.parameters(k=50.0, mu=0.3, belt=0.4, way=-1.0),
    )
    model = dl.Model.from_lagrangian(
        name="belt",
        coordinates=[x],
        kinetic=x.dot**2,
        potential=k * x**2 / 2,
        forces={x: -way * mu * 2 * 9.81},
        constraints={"stick": x.dot - belt},
        initial={x: 0.1962, x.dot: 0.4 - 1e-3},
    )
    sticks = dl.Event(
        x.dot - belt, direction=1, action=[dl.Engage("stick"), {way: 0.0}], name="sticks"
    )
    slips = dl.Event(
        "stick.force", limit=9.81, action=[dl.Release("stick"), {way: -1.0}], name="slips"
    )

    def run(**values):
        return dl.sensitivity(
            model,
            [x, x.dot],
            ["k", "mu", "belt", x],
            until=2.0,
            events=[sticks, slips],
            released=["stick"],
            mode=mode,
            parameters=values,
        )

    found = run()
    assert [name for name, _ in found.events] == ["sticks", "slips"]
    for j, name in enumerate(("k", "mu", "belt")):
        own = model.parameters[name]
        sides = [run(**{name: own * (1 + s * 1e-5)}).values[0] for s in (1, -1)]
        slope = (sides[0] - sides[1]) / (2e-5 * own)
        assert found.derivatives[0, :, j] == pytest.approx(slope, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("mode", MODES)
def test_a_limit_of_a_joint_throws_back(mode):
    """Bodies on a tree: the impact is that of the whole chain."""

    def chain(length):
        L, m = dl.parameters(L=length, m=1.0)
        model = dl.Model("chain", gravity=(0, 0, -9.81))
        before, at = model.world, 0.4
        for k in range(2):
            body = model.add_body(f"b{k}", dl.Inertia.rod(m if k else 1.0, length=L))
            joint = dl.Revolute(before, body.at(x=-L / 2), axis="y", initial=at, name=f"j{k}")
            before = body.at(x=L / 2)
            model.add_joint(joint)
        model.set_limits("j1", dl.Limits(0.3, 2.0, restitution=0.6))
        return model

    model = chain(0.5)
    found = dl.sensitivity(model, ["j0.angle", "j1.angle"], ["L", "m"], until=0.2, mode=mode)
    assert found.events
    for j, name in enumerate(("L", "m")):
        own, sides = model.parameters[name], []
        for side in (1, -1):
            run = dl.simulate(
                model,
                until=0.2,
                parameters={name: own * (1 + side * 1e-4)},
                mode="events",
                rtol=1e-12,
                atol=1e-12,
            )
            sides.append([run["j0.angle"][-1], run["j1.angle"][-1]])
        slope = (np.array(sides[0]) - sides[1]) / (2e-4 * own)
        assert found.derivatives[0, :, j] == pytest.approx(slope, rel=2e-6, abs=2e-6)


def test_what_has_no_derivative_is_refused():
    model, y, _ = ball()
    with pytest.raises(SimulationError, match=r"'floor' follow one another"):
        dl.sensitivity(model, [y], ["g"], until=4.0, step=1e-2)
    x = model.coordinates[0]
    grazing = dl.Event((x - 0.5) ** 3, name="touch")
    with pytest.raises(SimulationError, match="'touch' touches zero"):
        dl.sensitivity(ball(False)[0], [y], ["g"], until=1.0, step=1e-2, events=[grazing])
    with pytest.raises(OptionError, match=r"shapes that touch.*model\.keep"):
        dl.sensitivity(dl.catalog.load("bouncing-ball"), ["ball.z"], ["e"], until=1.0)
    plastic, y, _ = ball(False)
    plastic.keep(y >= 0, name="mud")
    with pytest.raises(OptionError, match=r"'mud' stays closed"):
        dl.sensitivity(plastic, [y], ["g"], until=1.0)
    rough, y, _ = ball(False)
    rough.keep(y >= 0, name="rough", restitution=0.5, friction=0.3, sliding=x)
    with pytest.raises(OptionError, match=r"'rough' .* has no derivative here"):
        dl.sensitivity(rough, [y], ["g"], until=1.0)


@pytest.mark.parametrize("direction", [1, 0])
def test_an_event_that_an_impact_takes_across_zero_is_refused(direction):
    """`simulate` ends there; derivatives went on to the end as if there were no such event."""
    model, y, _ = ball()
    turns = dl.Event(y.dot, direction=direction, terminal=True, name="turns")
    with pytest.raises(SimulationError, match="'turns' across zero at once"):
        dl.sensitivity(model, [y], ["h"], until=1.4, events=[turns])
