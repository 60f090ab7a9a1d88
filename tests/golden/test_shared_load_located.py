"""Contacts that share their load in more than one way, between located events (contact 20).

Four feet carry a block in ever so many ways. It rides on a belt until its spring wins,
|x| = mu m g / k, and then swings about that stretch with sqrt(k / m), at the speed of the belt at
most: it never sticks again.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import dalembert as dl

MU, MASS, STIFF, SPEED, G = 0.3, 2.0, 50.0, 0.4, 9.81


def block_on_belt(feet: list[tuple[float, float]]) -> dl.Model:
    """A block on a spring, on feet below its centre, that slides along x and z."""
    model = dl.Model("belt")
    belt = dl.Material(friction=MU, surface_velocity=(-SPEED, 0.0, 0.0))
    model.add_shape(dl.Plane(), material=belt, name="belt")
    block = model.add_body("block", dl.Inertia.box(MASS, size=(0.2, 0.2, 0.1)))
    guide = dl.Compound(model.world, block, slides=["x", "z"], initial=(0.0, 0.05), name="guide")
    model.add_joint(guide)
    for k, (x, y) in enumerate(feet):
        foot = dl.Sphere(0.01, position=(x, y, -0.04))
        model.add_shape(foot, on=block, material=dl.Material(friction=MU), name=f"foot{k}")
    model.add_force(dl.Force(block, (-STIFF * block.x, 0, 0), name="spring"))
    return model


def exact(t: np.ndarray) -> np.ndarray:
    """Where the block is: it rides, then swings."""
    stretch, rate = MU * MASS * G / STIFF, math.sqrt(STIFF / MASS)
    begins = stretch / SPEED
    swings = -stretch - SPEED / rate * np.sin(rate * (t - begins))
    return np.where(t < begins, -SPEED * t, swings)


FEET = {
    "square": [(x, y) for x in (-0.1, 0.1) for y in (-0.1, 0.1)],
    "uneven": [(-0.1, -0.1), (0.1, -0.05), (-0.02, 0.1), (0.08, 0.1)],
    "line": [(-0.1, 0.0), (-0.03, 0.0), (0.02, 0.0), (0.1, 0.0)],
}


@pytest.mark.parametrize("feet", FEET)
def test_a_block_on_four_feet_is_located(feet):
    model, times = block_on_belt(FEET[feet]), np.linspace(0.0, 1.0, 21)
    run = dl.simulate(
        model,
        until=1.0,
        times=times,
        initial={"guide.displacement_1.dot": -SPEED},
        progress=False,
    )
    assert {entry.kind for entry in run.log} == {"stick", "slip"}
    assert len(run.log) == 8  # every foot sticks, and slides
    x = run[model.bodies["block"].x]
    assert np.abs(x - exact(times)).max() < 1e-10
