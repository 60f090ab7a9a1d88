"""A weight between two rods that are in a line but for a small angle: it stands, forces are large.

The rods hold it with a singular value as small as the angle (decision 0003, rule 10). By statics
2 T sin(angle) = m g, and no acceleration.
"""

import itertools

import numpy as np
import pytest
from tests.mechanism_fuzz import Judge
from tests.support.random_mechanisms import random_mechanism

import dalembert as dl

MASS, G = 2.0, 9.81


def by_formulas(sag):
    x, y = dl.coordinates("x y")
    square = 1.0 + sag**2
    model = dl.Model.from_lagrangian(
        kinetic=MASS * (x.dot**2 + y.dot**2) / 2,
        potential=MASS * G * y,
        constraints=[(x + 1) ** 2 + y**2 - square, (x - 1) ** 2 + y**2 - square],
    )
    return model, {"initial": {x: 0.0, y: -sag}}


def by_bodies(sag):
    model = dl.Model(gravity=(0, 0, -G))
    weight = model.add_body("weight", dl.Inertia(MASS, (0.1, 0.1, 0.1)), position=(0, 0, -sag))
    for side in (-1.0, 1.0):
        rod = dl.Distance(model.world.at(x=side), weight, length=float(np.hypot(1.0, sag)))
        model.add_joint(rod)
    return model, {}


@pytest.mark.parametrize(
    ("described", "sag"),
    [(by_formulas, sag) for sag in (1e-3, 1e-4, 1e-5, 3e-6)]
    + [(by_bodies, sag) for sag in (1e-3, 1e-4, 3e-5, 1e-5)],
)
def test_a_weight_between_two_rods_stands(described, sag):
    model, options = described(sag)
    solution = dl.simulate(model, until=1.0, step=1e-2, progress=False, **options)
    noise = 50 * np.finfo(float).eps / sag**2
    assert np.abs(solution.a).max() < G * max(noise, 1e-10)
    assert np.abs(solution.q - solution.q[0]).max() < 1e-11
    # lam multiplies the gradient (2, 2 sag) of a formula, and the unit vector of a rod
    unit = 2 * np.hypot(1.0, sag) if described is by_formulas else 1.0
    pull = MASS * G / 2 / np.sin(np.arctan(sag)) / unit
    assert np.abs(np.abs(solution.lam) / pull - 1.0).max() < max(noise, 1e-10)


def test_a_line_nearly_in_a_plane_converges():
    """A point on a line that is 1e-5 off a plane: of first order before, off by 4e-6."""
    case = Judge(random_mechanism(105065))
    motions = [case.run(steps=count, formulation="maximal") for count in (128, 256, 512)]
    coarse, fine = (a.off(b.every(2)) for a, b in itertools.pairwise(motions))
    assert fine < 1e-8
    assert coarse / fine > 6.0
