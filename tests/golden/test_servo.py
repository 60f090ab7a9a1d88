"""Inputs for prescribed outputs against the reference problems S3.1 to S3.4 (shared_next.md)."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import OptionError, SimulationError

t = dl.time


def p(k, s):
    """From 0 to 1 with k derivatives zero at both ends."""
    return sum(
        (-1) ** j * comb(k + j, j) * comb(2 * k + 1, k - j) * s ** (k + j + 1) for j in range(k + 1)
    )


def crane(*, rooted=False):
    """The cable as a formula of squares, or with a root that has no derivative at zero."""
    x, y, s, length = dl.coordinates("x y s l")
    F, M = dl.parameters(F=0.0, M=0.0)
    moving = 10 * s.dot**2 + 100 * (x.dot**2 + y.dot**2) + 0.1 * (length.dot / 0.1) ** 2
    squares = (x - s) ** 2 + y**2
    return dl.Model.from_lagrangian(
        name="crane",
        coordinates=[x, y, s, length],
        kinetic=moving / 2,
        potential=100 * 9.81 * y,
        forces={s: F, length: -M / 0.1},
        constraints={"cable": np.sqrt(squares) - length if rooted else squares - length**2},
        initial={y: -4.0, length: 4.0},
    )


CRANE = {
    0.5: [0.923162703192994, 4.06909422230641, 246.45549091837, 115.953263970494],
    1.0: [2.14158243260654, 3.83684950064703, 473.530461696773, 144.739775259621],
    1.5: [2.5, 2.5, 6.87007358508571, 92.5752122355563],
    2.0: [3.18534701282096, 1.80192175467569, -454.221140470821, 88.5618580182416],
    2.5: [4.64624628213245, 1.07233595917409, -308.431141318584, 82.7360233619621],
}
FORCE = [1158.34673324527, 1386.327548632, 981.0, 846.271633126318, 867.77450211374]


def test_planar_crane():
    """S3.1, flat; played back to the model alone the load is 1e-9 m from its path."""
    model = crane()
    s = p(4, t / 3)
    path = {"x": 5 * s, "y": -4 + 3 * s}
    found = dl.servo(model, path, ["F", "M"], at=np.linspace(0.0, 3.0, 1501))
    assert (found.realisation, found.index, found.flat, found.internal) == ("mixed", 5, True, 0)
    rows = [round(moment * 500) for moment in CRANE]
    seen = np.stack([found[name][rows] for name in ("s", "l", "F", "M")], axis=1)
    assert seen == pytest.approx(np.array([*CRANE.values()]), rel=1e-8)
    assert 2 * np.abs(found.multipliers[rows, 0]) * seen[:, 1] == pytest.approx(FORCE, rel=1e-8)
    assert found["F"].min() == pytest.approx(-509.31281834116, rel=1e-5)
    assert found["F"].max() == pytest.approx(479.23189999882, rel=1e-5)
    assert np.max(np.abs(found.replay())) <= 1e-9


def test_inputs_are_played_to_models_that_have_no_start_at_zero():
    s = p(4, t / 3)
    path = {"x": 5 * s, "y": -4 + 3 * s}
    found = dl.servo(crane(rooted=True), path, ["F", "M"], until=3.0)
    assert np.max(np.abs(found.replay())) <= 1e-9


SPATIAL = {
    0.5: [
        0.317512622869225,
        0.398955438134789,
        4.02496695892881,
        153.189383221668,
        128.703063430691,
        100.808624484878,
    ],
    1.0: [
        1.17825584498313,
        1.42440425788389,
        4.16518205336728,
        235.636660988609,
        262.662335901483,
        119.437603696628,
    ],
    2.0: [
        2.5,
        -0.284878830978187,
        3.77103053186423,
        17.9824719935914,
        -551.896510630527,
        138.676693880029,
    ],
    3.0: [
        4.13462101466882,
        1.04967224852208,
        2.31063864821988,
        -289.87237274206,
        294.274241018082,
        97.3567378761047,
    ],
    3.5: [
        4.82450553766771,
        0.220509952490656,
        2.02199616940001,
        -145.935570329723,
        125.751784108784,
        94.483143977916,
    ],
}


def test_spatial_crane():
    """S3.2."""
    x, y, z, a, b, length = dl.coordinates("x y z a b l")
    Fx, Fy, M = dl.parameters(Fx=0.0, Fy=0.0, M=0.0)
    moving = 30 * a.dot**2 + 10 * b.dot**2 + 100 * (x.dot**2 + y.dot**2 + z.dot**2)
    model = dl.Model.from_lagrangian(
        name="crane",
        coordinates=[x, y, z, a, b, length],
        kinetic=(moving + 0.1 * (length.dot / 0.1) ** 2) / 2,
        potential=100 * 9.81 * z,
        forces={a: Fx, b: Fy, length: -M / 0.1},
        constraints={"cable": (x - a) ** 2 + (y - b) ** 2 + z**2 - length**2},
        initial={z: -4.0, length: 4.0},
    )
    s = p(4, t / 4)
    path = {x: 5 * s, y: 2 * np.sin(np.pi * s), z: -4 + 2 * s}
    found = dl.servo(model, path, [Fx, Fy, M], at=np.linspace(0.0, 4.0, 801))
    assert (found.realisation, found.flat) == ("mixed", True)
    rows = [round(moment * 200) for moment in SPATIAL]
    names = ("a", "b", "l", "Fx", "Fy", "M")
    seen = np.stack([found[name][rows] for name in names], axis=1)
    assert seen == pytest.approx(np.array([*SPATIAL.values()]), rel=1e-8)
    assert np.max(np.abs(found.replay())) <= 1e-9


CARS = {
    2: [
        [0.256568908691406, 1.38427734375],
        [0.44075008, 0.399168],
        [0.743431091308594, -1.38427734375],
    ],
    3: [
        [0.557831728458405, -4.37658748626709],
        [0.2926086455296, 7.96477473792],
        [0.442168271541595, 4.37658748626709],
    ],
    4: [
        [-2.28245503639337, 236.399310153723],
        [3.31864914472468, -195.345543813489],
        [3.28245503639337, -236.399310153723],
    ],
}


@pytest.mark.parametrize("n", CARS)
def test_cars_in_series(n):
    """S3.3: any index."""
    x, (F,) = dl.coordinates("x", n), dl.parameters(F=0.0)
    model = dl.Model.from_lagrangian(
        name="cars",
        coordinates=list(x),
        kinetic=sum(one.dot**2 for one in x) / 2,
        potential=5 * sum((x[i + 1] - x[i]) ** 2 for i in range(n - 1)),
        forces={x[0]: F},
    )
    found = dl.servo(model, {x[-1]: p(2 * n, t / 2)}, [F], at=[0.5, 0.8, 1.5, 2.0])
    assert (found.realisation, found.index, found.flat) == ("tangent", 2 * n + 1, True)
    accepted = 1e-8 if n < 4 else 1e-6
    seen = np.stack([found["x0"], found["F"]], axis=1)[:3]
    assert seen == pytest.approx(np.array(CARS[n]), abs=accepted)
    assert found.q[-1] == pytest.approx(np.ones(n), abs=1e-8)


def arm():
    q1, q2 = dl.coordinates("q1 q2")
    (T,) = dl.parameters(T=0.0)

    def along(angle):
        return np.array([np.cos(angle), np.sin(angle)])

    places = along(q1) / 2, along(q1) + along(q1 + q2) / 2
    return dl.Model.from_map(
        name="arm",
        bodies=[
            dl.PlanarBody(1.0, 1 / 12, position=places[0], angle=q1, name="upper"),
            dl.PlanarBody(1.0, 1 / 12, position=places[1], angle=q1 + q2, name="lower"),
        ],
        coordinates=[q1, q2],
        gravity=(0, 0),
        forces={q1: T, q2: -50 * q2 - 0.25 * q2.dot},
    )


ARM = {
    0.375: [0.10320345412617, -0.10539447923248, -0.28602236667677, 16.153082423626],
    0.75: [0.78623700977617, -0.0033553855148822, 0.67499710966331, 0.017886477660895],
    1.125: [1.467398361567, 0.10617252363939, -0.2564637191888, -16.0270674496],
    1.5: [1.5717727205873, -0.0039055751696868, 0.062489242407429, 0.23954181138558],
    2.0: [1.5705326612628, 0.0010546621282781, -0.056351569244104, -0.051527857308956],
}


def test_arm_with_a_passive_joint():
    """S3.4: internal dynamics are integrated and told."""
    model = arm()
    q1, q2 = model.coordinates
    path = np.pi / 2 * dl.where(t < 1.5, p(4, t / 1.5), 1.0)
    found = dl.servo(model, {q1 + 0.25 * q2: path}, ["T"], at=[*ARM])
    assert (found.realisation, found.flat, found.internal) == ("orthogonal", False, 2)
    seen = np.stack([found[name] for name in ("q1", "q2", "q2.dot", "T")], axis=1)
    assert seen == pytest.approx(np.array([*ARM.values()]), abs=1e-8)
    assert found.eigenvalues is not None
    exact = -1 + 19.974984355438j
    assert min(abs(found.eigenvalues - exact)) < 1e-6
    assert "2 states of internal dynamics" in str(found)


def test_unstable_zero_dynamics_are_refused_with_the_reason():
    model = arm()
    q1, q2 = model.coordinates
    path = np.pi / 2 * p(4, t / 1.5)
    with pytest.raises(SimulationError, match=r"non-minimum phase.*bounded=True"):
        dl.servo(model, {q1 + 0.5 * q2: path}, ["T"], until=1.5)


@pytest.mark.slow
@pytest.mark.share(3)
def test_unstable_zero_dynamics_have_a_bounded_motion():
    """It has begun before the path does, and the model alone follows the path with its inputs."""
    model = arm()
    q1, q2 = model.coordinates
    path = np.pi / 2 * p(4, t / 1.5)
    times = np.linspace(0.0, 1.5, 301)
    found = dl.servo(model, {q1 + 0.5 * q2: path}, ["T"], at=times, bounded=True)
    assert np.abs(found.q[0]).max() > 1e-5  # the arm has begun to move
    assert np.abs(found.q[:, 1]).max() < 1.0
    assert np.max(np.abs(found.replay())) <= 1e-8


def test_what_cannot_be_meant_is_refused():
    model = crane()
    s = p(4, t / 3)
    with pytest.raises(OptionError, match="1 outputs and 2 inputs"):
        dl.servo(model, {"x": s}, ["F", "M"], until=3.0)
    with pytest.raises(OptionError, match="'G' is no parameter"):
        dl.servo(model, {"x": s, "y": -4 + s}, ["F", "G"], until=3.0)
    with pytest.raises(OptionError, match="no formula of the time alone"):
        dl.servo(model, {"x": s, "y": model.coordinates[0]}, ["F", "M"], until=3.0)
    with pytest.raises(OptionError, match="no formula of coordinates of model"):
        dl.servo(dl.catalog.load("arm"), {"x": s}, ["F"], until=3.0)
    with pytest.raises(SimulationError, match="at 0 s no inputs were found"):
        dl.servo(model, {model.coordinates[0] ** 2: -1.0, "y": -4.0 + s}, ["F", "M"], until=3.0)
