"""Friction on contacts that formulas state: a block on an incline, a puck, a bead, a tip."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as dl
from dalembert.errors import ModelError
from dalembert.importers.native import load
from dalembert.importers.writing import save_model

x, y, z = dl.coordinates("x y z")
G, MASS = 9.81, 2.0


def incline(mu, slope, speed=0.0, **law):
    """A block on a ramp that falls towards +x; the sliding is the way down."""
    c, s = np.cos(slope), np.sin(slope)
    model = dl.Model.from_lagrangian(
        kinetic=MASS * (x.dot**2 + y.dot**2) / 2,
        potential=MASS * G * y,
        initial={x.dot: speed * c, y.dot: -speed * s},
        name="incline",
    )
    model.keep(s * x + c * y >= 0, name="ramp", friction=mu, sliding=c * x - s * y, **law)
    return model


def way_down(mu, slope, speed, t):
    """Closed form: it slides with g (sin - mu cos), and stays where it stops if mu > tan."""
    a = G * (np.sin(slope) - mu * np.cos(slope))
    if speed == 0.0 and a <= 0.0:
        return 0.0
    end = t if a >= 0.0 else min(t, -speed / a)
    return speed * end + a * end**2 / 2


@pytest.mark.parametrize(
    ("mu", "slope", "speed"),
    [(0.5, 0.3, 0.0), (0.2, 0.5, 0.0), (0.5, 0.3, 2.0), (np.tan(0.3) * 1.001, 0.3, 0.0)],
    ids=["sticks", "slides", "stops", "nearly slides"],
)
def test_a_block_on_an_incline(mu, slope, speed):
    run = dl.simulate(incline(mu, slope, speed), until=1.0, step=1e-3)
    c, s = np.cos(slope), np.sin(slope)
    way = c * run["x"][-1] - s * run["y"][-1]
    # a step in which it stops ends within it: h^2 a / 2
    assert way == pytest.approx(way_down(mu, slope, speed, 1.0), abs=1e-6 * G)
    assert run["ramp.force"][-1] == pytest.approx(MASS * G * c, rel=1e-9)
    rest = -MASS * G * s if mu >= np.tan(slope) and speed == 0.0 else -mu * MASS * G * c
    if speed == 0.0:
        assert run["ramp.friction"][-1] == pytest.approx(rest, rel=1e-9)
    assert run.verdict.word == "good"


def puck(**law):
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2 + z.dot**2) / 2,
        potential=G * z + y,
        initial={x.dot: 3.0, y.dot: 0.5} | law.pop("initial", {}),
    )
    model.keep(z >= 0, name="floor", friction=0.3, sliding=[x, y], **law)
    return model


def test_sliding_that_turns_has_second_order():
    def rates(_, u):
        slip = np.hypot(u[2], u[3])
        return [u[2], u[3], -0.3 * G * u[2] / slip, -1.0 - 0.3 * G * u[3] / slip]

    wanted = solve_ivp(rates, (0, 0.8), [0, 0, 3.0, 0.5], rtol=1e-12, atol=1e-14).y[:2, -1]
    steps = (4e-3, 2e-3, 1e-3)
    off = [np.abs(dl.simulate(puck(), until=0.8, step=h).q[-1, :2] - wanted).max() for h in steps]
    assert off[-1] < 1e-6
    assert np.log2(np.array(off[:-1]) / off[1:]) == pytest.approx([2.0, 2.0], abs=0.1)


def test_it_stops_and_is_held():
    run = dl.simulate(puck(), until=3.0, step=1e-3)
    assert np.abs(run.v[-1]).max() < 1e-12
    assert run["floor.friction"][-1] == pytest.approx([0.0, 1.0], abs=1e-9)


@pytest.mark.parametrize("e", [0.0, 0.5])
def test_impacts_take_mu_times_their_impulse_of_the_sliding(e):
    """One impact at 2 m/s changes the sliding by 0.3 (1 + e) 2 m/s, against it."""
    start = {z: 1e-3, z.dot: -2.0, y.dot: 0.0}
    run = dl.simulate(puck(restitution=e, initial=start), until=4e-3, step=1e-3)
    assert run.v[-1, 0] == pytest.approx(3.0 - 0.3 * (1.0 + e) * 2.0, abs=2e-2)
    assert run.v[-1, 2] == pytest.approx(2.0 * e, abs=4e-2)


def test_a_bead_in_a_rough_bowl():
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2, potential=G * y, initial={x: 1.0, y: 0.5}
    )
    n = np.sqrt(1 + x**2)
    model.keep((y - x**2 / 2) / n >= 0, name="bowl", friction=0.2, sliding=(x.dot + x * y.dot) / n)

    def rates(_, u):
        at, v = u
        n2 = 1 + at**2
        push = (G + v**2) / np.sqrt(n2)  # of unit mass, along the normal
        along = -(G * at + at * v**2) / n2 - 0.2 * push * np.sign(v) / np.sqrt(n2)
        return [v, along]

    wanted = solve_ivp(rates, (0, 0.5), [1.0, -1e-12], rtol=1e-11, atol=1e-13).y[0, -1]
    off = [dl.simulate(model, until=0.5, step=h).q[-1, 0] - wanted for h in (2e-3, 1e-3)]
    assert abs(off[1]) < 1e-5
    assert np.log2(off[0] / off[1]) > 1.7


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_bodies_and_trees(formulation):
    """A sled on a rail, its floor a formula: m g mu against the motion."""
    model = dl.Model("sled")
    sled = model.add_body("sled", dl.Inertia.box(MASS, size=(0.4, 0.2, 0.1)), velocity=(2, 0, 0))
    model.add_joint(dl.Planar(model.world, sled, axis="y", name="plane"))
    model.keep(sled.z >= 0, name="floor", friction=0.4, sliding=sled.x)
    run = dl.simulate(model, until=1.0, step=1e-3, formulation=formulation)
    assert run["sled.x"][-1] == pytest.approx(4.0 / (2 * 0.4 * G), abs=2e-3)
    early = dl.simulate(model, until=0.2, step=1e-3, formulation=formulation)
    assert early["sled.x.dot"][-1] == pytest.approx(2.0 - 0.4 * G * 0.2, abs=1e-9)
    assert early["floor.friction"][-1] == pytest.approx(-0.4 * MASS * G, rel=1e-9)


def test_files_say_it(tmp_path):
    path = tmp_path / "incline.yaml"
    save_model(incline(0.2, 0.5), path)
    assert "sliding" in path.read_text()
    again = load(path)
    one, two = (dl.simulate(m, until=0.3, step=1e-3).q for m in (incline(0.2, 0.5), again))
    assert np.abs(one - two).max() < 1e-12


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"friction": 0.3}, "has friction, but no sliding that it acts against"),
        ({"sliding": x}, "has sliding without friction"),
        ({"friction": -0.3, "sliding": x}, "friction is -0.3"),
        ({"friction": 0.3, "sliding": [x, y, x]}, "sliding has 3 formulas"),
        ({"friction": 0.3, "sliding": 1.0}, "does not move"),
        ({"friction": 0.3, "sliding": x.dot**2}, "is not linear in velocities"),
        ({"fricton": 0.3}, "did you mean 'friction'?"),
    ],
)
def test_what_cannot_be_meant(options, told):
    model = puck()
    with pytest.raises(ModelError) as problem:
        model.keep(y >= -9, name="wall", **options)
    assert told in str(problem.value)
