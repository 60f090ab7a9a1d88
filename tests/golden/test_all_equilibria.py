"""All equilibria of systems that have many, at the options by default."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import brentq, root

import dalembert as dl

X, Y = dl.coordinates("X Y")


def places(model):
    return np.array([found.q for found in dl.equilibria(model)])


@pytest.mark.parametrize("mu", [0.5, 0.3, 0.1, 0.0121505856, 1e-3])
def test_five_points_of_lagrange(mu):
    """Two triangles, and three roots on the line of the masses."""
    one, two = np.hypot(X + mu, Y), np.hypot(X - 1 + mu, Y)
    model = dl.Model.from_lagrangian(
        coordinates=[X, Y],
        kinetic=((X.dot - Y) ** 2 + (Y.dot + X) ** 2) / 2,
        potential=-(1 - mu) / one - mu / two,
        initial={X: 0.3, Y: 0.2},
    )

    def line(x):
        return x - (1 - mu) * (x + mu) / abs(x + mu) ** 3 - mu * (x - 1 + mu) / abs(x - 1 + mu) ** 3

    near = 1e-3
    between = (-2.0, -mu - near), (-mu + near, 1 - mu - near), (1 - mu + near, 2.0)
    expected = [(brentq(line, *x, xtol=1e-15), 0.0) for x in between]
    expected += [(0.5 - mu, np.sqrt(0.75)), (0.5 - mu, -np.sqrt(0.75))]
    found = places(model)
    assert len(found) == 5
    for place in expected:
        assert np.abs(found - place).max(axis=1).min() < 1e-10


def test_a_triple_pendulum_has_eight():
    angles = dl.coordinates("a", 3)
    kinetic = potential = wide = high = 0.0
    for a in angles:
        wide, high = wide + np.cos(a) * a.dot, high + np.sin(a) * a.dot
        kinetic = kinetic + (wide**2 + high**2) / 2
    for weight, a in zip((3, 2, 1), angles, strict=True):
        potential = potential - 9.81 * weight * np.cos(a)
    model = dl.Model.from_lagrangian(
        coordinates=list(angles), kinetic=kinetic, potential=potential, initial={angles[0]: 0.4}
    )
    up = {tuple(np.round(q / np.pi).astype(int) % 2) for q in places(model)}
    assert up == set(itertools.product((0, 1), repeat=3))


def test_two_rods_have_four():
    model = dl.Model("rods", gravity=(0, 0, -9.81))
    before = model.world
    for k in range(2):
        rod = model.add_body(f"rod{k}", dl.Inertia.rod(mass=1.0, length=1.0))
        model.add_joint(dl.Revolute(before, rod.at(x=-0.5), axis="y", name=f"j{k}", initial=0.3))
        before = rod.at(x=0.5)
    found = dl.equilibria(model)
    assert sorted(round(x["rod1.z"], 9) for x in found) == [-1.5, -0.5, 0.5, 1.5]
    assert sum(x.is_stable for x in found) == 1


def magnets(count):
    """A mass on a spring above magnets, at heights that differ."""
    potential = 0.2 * (X**2 + Y**2)
    for i in range(count):
        at = 2 * np.pi * i / count + 0.1
        square = (X - np.cos(at)) ** 2 + (Y - np.sin(at)) ** 2 + (0.15 + 0.01 * i) ** 2
        potential = potential - 0.2 / np.sqrt(square)
    return dl.Model.from_lagrangian(
        coordinates=[X, Y],
        kinetic=(X.dot**2 + Y.dot**2) / 2,
        potential=potential,
        initial={X: 0.3, Y: 0.5},
    )


def arches(count):
    """Shallow arches of two springs in a row, each pressed on its own, that hold one another."""
    u = dl.coordinates("u", count)
    potential = 0.0
    for i, y in enumerate(u):
        strut = np.sqrt(1.0 + y**2) - np.sqrt(1.09)
        potential = potential + 10 * strut**2 + 0.02 * (1 + 0.3 * i) * y
        if i:
            potential = potential + 0.0075 * (y - u[i - 1]) ** 2
    return dl.Model.from_lagrangian(
        coordinates=list(u),
        kinetic=sum(y.dot**2 for y in u) / 2,
        potential=potential,
        initial=dict.fromkeys(u, 0.3),
    )


@pytest.mark.parametrize(
    ("model", "reach"), [(magnets(3), 1.5), (magnets(5), 1.5), (arches(2), 0.6), (arches(3), 0.6)]
)
def test_all_that_a_thousand_starts_find(model, reach):
    """By another solver from everywhere; and stable ones less saddles ... add up to one (Morse)."""
    from dalembert.formulas.evaluate import Prepared

    force, q = Prepared(model.force), model.coordinates
    still = {x.dot: 0.0 for x in q} | {x: x.value for x in model.parameter_symbols}
    random, expected = np.random.default_rng(1), []
    for _ in range(1000):
        start = random.uniform(-reach, reach, len(q))
        made = root(
            lambda x: np.array(force(dict(zip(q, x, strict=True)) | still), float), start, tol=1e-12
        )
        if made.success and np.abs(made.fun).max() < 1e-9:
            if not any(np.abs(made.x - other).max() < 1e-6 for other in expected):
                expected.append(made.x)
    found = dl.equilibria(model)
    at = np.array([x.q for x in found])
    for place in expected:
        assert np.abs(at - place).max(axis=1).min() < 1e-6
    assert len(found) >= 7
    downs = [sum(mode.eigenvalue.real > 1e-9 for mode in rest.modes()) for rest in found]
    assert sum((-1) ** k for k in downs) == 1
