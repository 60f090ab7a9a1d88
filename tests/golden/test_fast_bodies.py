"""Fast bodies are stopped by what they meet, whatever the step: the law of momentum tells.

Without restitution both go on together; a body that has passed keeps its velocity.
"""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl

H, THICK, SMALL, HEAVY = 5e-3, 0.1, 0.02, 100.0
SHAPES = {
    "sphere": dl.Sphere(SMALL),
    "box": dl.Box((2 * SMALL,) * 3),
    "capsule": dl.Capsule(SMALL, 0.05, axis="x"),
}


def shot(shape, speed, apart, *, spin=0.0):
    """A small body, shot at a sheet that floats."""
    model = dl.Model("shot", gravity=(0, 0, 0))
    sheet = model.add_body("sheet", dl.Inertia.box(HEAVY, size=(2, 2, THICK)))
    model.add_shape(dl.Box((2, 2, THICK)), on=sheet, material=dl.Material(friction=0.0))
    ball = model.add_body(
        "ball",
        dl.Inertia.sphere(1.0, SMALL),
        position=(0, 0, THICK / 2 + SMALL + apart),
        velocity=(0, 0, -speed),
        angular_velocity=(0, 0, spin),
    )
    model.add_shape(shape, on=ball, material=dl.Material(friction=0.0))
    return model


@pytest.mark.parametrize("apart", [0.0, 0.03, 0.11, 0.26])
@pytest.mark.parametrize("speed", [20.0, 60.0, 300.0])
@pytest.mark.parametrize("kind", ["sphere", "box", "capsule"])
@pytest.mark.parametrize("order", [None, 2])
def test_a_sheet_stops_what_is_shot_at_it(kind, speed, apart, order):
    model = shot(SHAPES[kind], speed, apart)
    method = dl.ContactImpulse(order=order)
    solution = dl.simulate(model, until=0.05, step=H, method=method, progress=False)
    together = -speed / (1.0 + HEAVY)
    assert solution["ball.z.dot"][-1] == pytest.approx(together, rel=1e-6)
    assert solution["sheet.z.dot"][-1] == pytest.approx(together, rel=1e-6)
    assert np.all(solution["ball.z"] - solution["sheet.z"] > THICK / 2)
    assert solution.verdict.word == "good"


def test_steps_that_follow_a_tolerance_stop_it_too():
    model = shot(SHAPES["sphere"], 300.0, 0.11, spin=30.0)
    solution = dl.simulate(model, until=0.05, mode="stepping", progress=False)
    assert solution["ball.z.dot"][-1] == pytest.approx(-300.0 / (1.0 + HEAVY), rel=1e-6)


def test_what_does_not_meet_keeps_its_order():
    """Bodies that fall apart from everything have the motion of the run without shapes."""
    model = shot(SHAPES["sphere"], 60.0, 3.0)
    far = dl.simulate(model, until=0.04, step=H, progress=False)
    assert far["ball.z"][-1] == pytest.approx(THICK / 2 + SMALL + 3.0 - 60.0 * 0.04, abs=1e-12)
