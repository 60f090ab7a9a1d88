"""Steps of free flight are as long as they like: what flies past something thin meets it."""

import numpy as np
import pytest

import dalembert as dl


def falling(shape, obstacle, height, **material):
    model = dl.Model("falls")
    steel = dl.Material(friction=0.0, **material)
    model.add_shape(obstacle, material=steel, name="obstacle")
    body = model.add_body("body", dl.Inertia.box(1.0, size=(1, 1, 1)), position=(0, 0, height))
    model.add_shape(shape, on=body, material=steel)
    return model


def test_a_box_bounces_on_a_smaller_one_again_and_again():
    model = falling(dl.Box((1, 1, 1)), dl.Box((0.75, 0.75, 0.5)), 2.75, restitution=1.0)
    fall = np.sqrt(2 * 2.0 / 9.81)
    solution = dl.simulate(model, until=20.5 * fall, times=2 * fall * np.arange(10.1))
    assert np.abs(solution["body.z"] - 2.75).max() < 1e-9


@pytest.mark.parametrize("thickness", [1e-1, 1e-3, 5e-5])
def test_a_sheet_is_met_after_a_long_fall(thickness):
    sheet = dl.Box((1.0, 1.0, thickness))
    model = falling(dl.Sphere(0.02), sheet, 500.0 + thickness / 2 + 0.02, restitution=0.5)
    solution = dl.simulate(model, until=15.0)
    first = solution.log[0]
    assert first.kind == "impact"
    assert abs(first.t - np.sqrt(2 * 500.0 / 9.81)) < 1e-9
    assert solution["body.z"].min() > 0.0
