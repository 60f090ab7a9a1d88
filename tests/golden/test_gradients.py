"""Derivatives of runs against the reference problems S4.1 to S4.4 (shared_next.md)."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl


def pendulum():
    (theta,), (L, g) = dl.coordinates("theta"), dl.parameters(L=1.0, g=9.81)
    model = dl.Model.from_lagrangian(
        name="pendulum",
        kinetic=L**2 * theta.dot**2 / 2,
        potential=-g * L * np.cos(theta),
        coordinates=[theta],
        initial={theta: 1.0},
    )
    return model, theta


@pytest.mark.parametrize("mode", ["forward", "adjoint"])
def test_pendulum(mode):
    """S4.1: elliptic functions."""
    model, theta = pendulum()
    wanted = ["L", "g", theta, theta.dot]
    found = dl.sensitivity(model, [theta, theta.dot], wanted, until=3.0, mode=mode)
    assert found.mode == mode
    assert found.values[0] == pytest.approx([-0.823833839641152, -1.6520756247653], abs=1e-9)
    exact = [2.47811343714799, -0.252610951798979, -0.18145400933321, 0.20013441252257]
    assert found.derivatives[0, 0] == pytest.approx(exact, abs=1e-9)
    assert found["theta", "L"] == found.derivatives[0, 0, 0]


def four_bar():
    a, b, c = dl.coordinates("crank coupler rocker")
    A, B, C, G, rho, g = dl.parameters(A=0.4, B=1.0, C=0.7, G=1.0, rho=1.0, g=9.81)

    def along(x):
        return np.array([np.cos(x), np.sin(x)])

    def rod(length, place, angle, name):
        inertia = rho * length**3 / 12
        return dl.PlanarBody(rho * length, inertia, position=place, angle=angle, name=name)

    pin, pivot = A * along(a), np.array([G, 0.0])
    return dl.Model.from_map(
        name="four-bar",
        bodies=[
            rod(A, pin / 2, a, "crank"),
            rod(B, pin + B / 2 * along(b), b, "coupler"),
            rod(C, pivot + C / 2 * along(c), c, "rocker"),
        ],
        coordinates=[a, b, c],
        gravity=(0, -g),
        forces={a: 2.0},
        constraints={"loop": list(pin + B * along(b) - pivot - C * along(c))},
        initial={a: np.pi / 2, b: 0.3, c: 1.6},
    )


FOUR_BAR = [10.95175577756, 21.763824809345]
FOUR_BAR_BY = [
    [
        -50.74336198971,
        -16.89423638729,
        -0.4119776059544,
        11.28982682535,
        -7.654113138852,
        0.3290315255286,
    ],
    [
        467.1407699486,
        153.9357664364,
        15.70254364616,
        -116.6448441854,
        68.6590548894,
        -2.972665251231,
    ],
]


@pytest.mark.parametrize("mode", ["forward", "adjoint"])
def test_four_bar_of_formulas(mode):
    """S4.2: the start angle is held and the loop closed again."""
    found = dl.sensitivity(
        four_bar(),
        ["crank", "crank.dot"],
        ["A", "B", "C", "G", "rho", "g"],
        until=1.0,
        hold=["crank"],
        mode=mode,
    )
    assert found.values[0] == pytest.approx(FOUR_BAR, abs=1e-8)
    assert found.derivatives[0] == pytest.approx(np.array(FOUR_BAR_BY), rel=1e-6)


def test_four_bar_of_bodies():
    """S4.2 with bodies on a tree: masses, inertias and places of joints hold the lengths."""
    A, B, C, G, rho, g = dl.parameters(A=0.4, B=1.0, C=0.7, G=1.0, rho=1.0, g=9.81)
    model = dl.Model("four-bar", gravity=(0, 0, -g))
    links = {}
    for name, length in (("crank", A), ("coupler", B), ("rocker", C)):
        links[name] = model.add_body(name, dl.Inertia.rod(mass=rho * length, length=length))
    crank, coupler, rocker = links.values()
    world = model.world
    bearing = model.add_joint(
        dl.Revolute(world, crank.at(x=-A / 2), axis="y", initial=-np.pi / 2, name="bearing")
    )
    angle = -(0.303134776 - np.pi / 2)
    model.add_joint(
        dl.Revolute(crank.at(x=A / 2), coupler.at(x=-B / 2), axis="y", initial=angle, name="pin")
    )
    model.add_joint(
        dl.Revolute(world.at(x=G), rocker.at(x=-C / 2), axis="y", initial=-1.6359776, name="pivot")
    )
    model.add_joint(dl.Revolute(coupler.at(x=B / 2), rocker.at(x=C / 2), axis="y", name="loop"))
    model.add_force(dl.Torque(crank, about="y", value=-2.0, name="drive"))
    found = dl.sensitivity(
        model,
        [bearing.angle, "bearing.angle.dot"],
        ["A", "B", "C", "G", "rho", "g"],
        until=1.0,
        hold=["bearing.angle"],
    )
    assert -found.values[0] == pytest.approx(FOUR_BAR, abs=1e-6)
    assert -found.derivatives[0] == pytest.approx(np.array(FOUR_BAR_BY), rel=1e-6)


@pytest.mark.parametrize("mode", ["forward", "adjoint"])
def test_driven_oscillator(mode):
    """S4.3: closed form."""
    (x,), (m, c, k, F, w) = (
        dl.coordinates("x"),
        dl.parameters(m=2.0, c=0.8, k=50.0, F=10.0, w=4.0),
    )
    model = dl.Model.from_matrices(
        coordinates=[x], mass=[[m]], force=[F * np.cos(w * dl.time) - c * x.dot - k * x]
    )
    found = dl.sensitivity(model, [x], [m, c, k, F, w], until=2.0, mode=mode)
    assert found.values[0, 0] == pytest.approx(0.356194532151138, abs=1e-9)
    exact = [0.824115878795573, -0.0317398885681743, -0.0395806875777549, 0.0356194532151138]
    assert found.derivatives[0, 0] == pytest.approx([*exact, -0.65548837664676], abs=1e-9)


def test_identification_of_a_double_pendulum():
    """S4.4: damping and mass from angles with a known disturbance."""
    a, b = dl.coordinates("a b")
    c1, c2, m2 = dl.parameters(c1=0.2, c2=0.1, m2=0.7)
    first = np.array([np.sin(a), -np.cos(a)])
    second = first + np.array([np.sin(b), -np.cos(b)])
    between = c2 * (b.dot - a.dot)
    truth = dl.Model.from_map(
        name="double pendulum",
        particles=[dl.Particle(1.0, position=first), dl.Particle(m2, position=second)],
        coordinates=[a, b],
        gravity=(0, -9.81),
        forces={a: -c1 * a.dot + between, b: -between},
        initial={a: 1.0, b: 0.5},
    )
    times, i = 0.2 * (np.arange(20) + 1), np.arange(20)
    clean = dl.sensitivity(truth, [a, b], [c1], at=times).values
    assert clean[-1] == pytest.approx([-0.57596660175591, -1.018638326393], abs=1e-9)
    data = {a: clean[:, 0] + 1e-3 * np.sin(7 * i), b: clean[:, 1] + 1e-3 * np.cos(5 * i)}
    begin = truth.with_parameters(c1=0.1, c2=0.2, m2=1.0)
    found = dl.identify(begin, data, [c1, c2, m2], at=times)
    optimum = [0.1999006766801, 0.09980102016546, 0.7001437858265]
    assert [*found.values.values()] == pytest.approx(optimum, abs=1e-7)
    assert found.cost == pytest.approx(9.4840306870995e-06, abs=1e-12)
    assert found.start_cost == pytest.approx(0.43767555327685, abs=1e-8)
    gradient = [0.01992964636878, -0.4709379542992, 1.454332791346]
    assert found.start_gradient == pytest.approx(gradient, abs=1e-8)
    for name, true in (("c1", 0.2), ("c2", 0.1), ("m2", 0.7)):
        low, high = found.intervals[name]
        assert low < true < high
