"""Cylinders on their rims with located events, beside closed forms.

Rocking from side to side is Housner's block with the half width r: from pivot to pivot the rate
falls by (I + m (h^2 - r^2)) / (I + m (h^2 + r^2)), where 2 h is the length and I that about the
centre. A coin that rolls at a steady lean a, x towards the lowest point and z up, has

    w = W z + s d,   d = sin(a) x + cos(a) z,    G -> contact:  p = r (cos(a) x - sin(a) z) - c d
    v_G = p x w = V y,    F = m (g z - W V x),    W z x H = p x F  along y,

with H = I1 (w - (w . d) d) + I3 (w . d) d: one equation for the rate W of the precession.
"""

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import dalembert as dl

G = 9.81


def on_table(radius, length, friction, restitution=0.0, **placed):
    """A cylinder "c" and a table."""
    model = dl.Model("rim")
    material = dl.Material(friction=friction, restitution=restitution)
    model.add_shape(dl.Plane(), material=material, name="table")
    inertia = dl.Inertia.cylinder(1.0, radius=radius, length=length)
    body = model.add_body("c", inertia, **placed)
    model.add_shape(dl.Cylinder(radius, length), on=body, material=material, name="cylinder")
    return model


def tilted(tilt, radius, length, *, turn=0.0, lift=0.0):
    """Place and rotation of a cylinder that touches with one rim, turned about its own axis."""
    height = 0.5 * length * math.cos(tilt) + radius * math.sin(tilt) + lift
    rotation = dl.Rotation.about((0, 1, 0), tilt) @ dl.Rotation.about((0, 0, 1), turn)
    return {"position": (0.0, 0.0, height), "rotation": rotation}


def axes(solution):
    """The axis of the cylinder at every sample."""
    w, x, y, z = solution.q[:, 3:7].T
    return np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]).T


def kinds(solution):
    return [entry.kind for entry in solution.log]


@pytest.mark.parametrize("turn", [0.0, 0.7, math.pi / 4])
def test_rocking_is_housners(turn):
    # points of a rim that are fixed in the cylinder would make it rock on edges between them
    r, length, start = 0.04, 0.1, 0.2
    model = on_table(r, length, 3.0, **tilted(start, r, length, turn=turn))
    solution = dl.simulate(model, until=0.5, mode="events", rtol=1e-13)
    assert "stepping" not in kinds(solution)
    hits = struck(solution)
    h = 0.5 * length
    inertia = (3 * r * r + length * length) / 12
    about_rim = inertia + h * h + r * r
    ratio = (inertia + h * h - r * r) / about_rim
    # what is across the plane of rocking grows six-fold with every impact
    for before, after in itertools.pairwise(hits[:6]):
        assert after.before / before.before == pytest.approx(ratio, abs=1e-9)
        assert before.point != after.point  # from one side to the other
    reach, whole = math.hypot(h, r), math.atan2(r, h)
    fall = solve_ivp(
        lambda t, y: [y[1], -G * reach / about_rim * math.sin(whole - y[0])],
        (0.0, 0.5),
        [start, 0.0],
        events=lambda t, y: y[0],
        method="DOP853",
        rtol=1e-13,
        atol=1e-14,
    )
    assert hits[0].t == pytest.approx(fall.t_events[0][0], abs=1e-11)
    # it comes to rest upright, on all points, where the bounces would add up to
    assert abs(axes(solution)[-1] - [0, 0, 1]).max() < 1e-12
    assert np.abs(solution.v[-1]).max() < 1e-12
    assert {entry.kind for entry in solution.log if entry.t == solution.log[-1].t} >= {"stick"}


def struck(solution):
    return [entry for entry in solution.log if entry.kind == "impact" and entry.impulse > 0.0]


@pytest.mark.parametrize("turn", [0.0, 0.7, math.pi / 4])
@pytest.mark.parametrize("rtol", [None, 1e-10])
def test_rims_land_at_once_with_coarser_tolerances(turn, rtol):
    # gaps that the tolerance cannot tell apart close together: landing in turn is another motion
    r, length = 0.04, 0.1
    model = on_table(r, length, 3.0, **tilted(0.2, r, length, turn=turn))
    hits = struck(dl.simulate(model, until=0.16, mode="events", rtol=rtol))
    assert [len(hits), "stepping" in kinds(dl.simulate(model, until=0.16, rtol=rtol))] == [2, False]
    assert hits[1].before / hits[0].before == pytest.approx(0.4, abs=1e-7)


def steady(lean, radius, half, spin):
    """(W, V) of the steady rolling with the spin s; the fast one of the two."""
    x, _, z = np.eye(3)
    d = math.sin(lean) * x + math.cos(lean) * z
    p = radius * (math.cos(lean) * x - math.sin(lean) * z) - half * d
    about, across = radius**2 / 2, (3 * radius**2 + 4 * half**2) / 12

    def off(rate):
        w = rate * z + spin * d
        speed = np.cross(p, w)[1]
        momentum = across * (w - (w @ d) * d) + about * (w @ d) * d
        force = G * z - rate * speed * x
        return (np.cross(rate * z, momentum) - np.cross(p, force))[1]

    grid = np.linspace(-400.0, 400.0, 4001)
    values = [off(rate) for rate in grid]
    roots = [
        brentq(off, a, b, xtol=1e-13, rtol=1e-14)
        for a, b, fa, fb in zip(grid, grid[1:], values, values[1:], strict=False)
        if fa * fb < 0.0
    ]
    rate = max(roots, key=abs)
    return rate, float(np.cross(p, rate * z + spin * d)[1])


@pytest.mark.parametrize(("lean", "spin"), [(0.6, -25.0), (1.1, -30.0), (0.3, -60.0), (0.9, -40.0)])
def test_a_coin_rolls_steadily(lean, spin):
    r, thickness = 0.04, 0.004
    rate, speed = steady(lean, r, 0.5 * thickness, spin)
    d = np.array([math.sin(lean), 0.0, math.cos(lean)])
    model = on_table(
        r,
        thickness,
        5.0,
        **tilted(lean, r, thickness),
        velocity=(0.0, speed, 0.0),
        angular_velocity=tuple(np.array([0.0, 0.0, rate]) + spin * d),
    )
    solution = dl.simulate(model, until=0.4, mode="events")
    assert kinds(solution) == ["stick"]
    t, axis, place = solution.t, axes(solution), solution.q[:, :3]
    assert np.abs(axis[:, 2] - math.cos(lean)).max() < 1e-9
    azimuth = np.exp(1j * rate * t) * math.sin(lean)
    assert np.abs(axis[:, 0] + 1j * axis[:, 1] - azimuth).max() < 1e-8
    circle = speed / rate
    assert (
        np.abs(place[:, 0] + 1j * place[:, 1] - circle * (np.exp(1j * rate * t) - 1)).max() < 1e-9
    )
    assert np.ptp(place[:, 2]) < 1e-10
    assert np.ptp(solution.energy) < 1e-9 * np.abs(solution.energy).max()


@pytest.mark.parametrize(
    "given",
    [
        {"tilt": 0.3, "lift": 0.02, "restitution": 0.3},
        {"tilt": 0.3, "lift": 0.02},
        {"tilt": 0.4, "friction": 0.0},
        {"tilt": 0.05, "angular_velocity": (1.0, 0.0, 0.0)},
        {"tilt": 0.7, "lift": 0.05, "angular_velocity": (3.0, 1.0, 2.0), "restitution": 0.3},
        {"tilt": 0.0, "velocity": (0.5, 0.2, 0.0), "angular_velocity": (0.0, 0.0, 3.0)},
    ],
)
def test_cylinders_on_their_rims_take_no_steps(given):
    given = dict(given)
    tilt, lift = given.pop("tilt"), given.pop("lift", 0.0)
    friction, bounce = given.pop("friction", 0.5), given.pop("restitution", 0.0)
    r, length = 0.04, 0.1
    model = on_table(r, length, friction, bounce, **tilted(tilt, r, length, lift=lift), **given)
    solution = dl.simulate(model, until=1.0, mode="events")
    assert "stepping" not in kinds(solution)
    for t in solution.t[:: max(1, len(solution.t) // 60)]:
        assert all(one.gap > -1e-12 for one in solution.contacts(float(t)))
    grows = np.diff(solution.energy).max() / np.abs(solution.kinetic).max()
    assert grows < 1e-9


def test_rocking_is_resumed_to_the_bit(tmp_path):
    r, length = 0.04, 0.1
    given = {"integrator": dl.DormandPrince(rtol=1e-12, atol=1e-12, first_step=1e-4)}

    def model():
        return on_table(r, length, 3.0, **tilted(0.2, r, length, turn=0.7))

    whole = dl.simulate(model(), until=0.3, mode="events", **given)
    dl.simulate(model(), until=0.15, mode="events", save=tmp_path / "part", **given)
    longer = dl.resume(tmp_path / "part", until=0.3)
    assert np.array_equal(longer.q[-1], whole.q[-1])
    assert [*longer.log] == [*whole.log]
