"""Shapes and places of the live view, without a page."""

import numpy as np
import pytest

from dalembert.scene import Shape
from dalembert.viewer.live_drawing import between, coil, mesh_of, rgb, turned
from dalembert.viewer.live_panel import tick


def volume(vertices, faces):
    """Of a closed surface whose faces run counter-clockwise seen from outside."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


def test_bars_lie_between_their_ends():
    for a, b in (
        ([0, 0, 0], [1, 2, 3]),
        ([1, 0, 0], [1, 0, -4]),
        ([0, 0, 1], [0, 0, 5]),
        ([2, 1, 0], [-3, 1, 0]),
    ):
        middle, turn, length = between(np.array(a, float), np.array(b, float))
        half = turned(turn, np.array([0, 0, length / 2]))
        assert np.allclose(middle - half, a)
        assert np.allclose(middle + half, b)
    assert between(np.ones(3), np.ones(3))[2] == 0.0


def test_a_spring_begins_and_ends_on_its_axis():
    line = coil(0.1)
    assert np.allclose(line[0], (0, 0, -0.5))
    assert np.allclose(line[-1], (0, 0, 0.5))
    assert np.hypot(line[:, 0], line[:, 1]).max() == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("shape", "exact"),
    [
        (Shape("cone", (0.3, 1.2)), np.pi * 0.3**2 * 1.2 / 3),
        (Shape("capsule", (0.3, 1.2)), np.pi * 0.3**2 * 1.2 + 4 / 3 * np.pi * 0.3**3),
    ],
)
def test_round_shapes_have_their_volume(shape, exact):
    assert volume(*mesh_of(shape)) == pytest.approx(exact, rel=0.03)


def test_colours():
    assert rgb("#ff8000", "#000000") == (255, 128, 0)
    assert rgb(None, "#010203") == (1, 2, 3)


def test_sliders_have_some_hundred_to_a_few_thousand_steps():
    for low, high in ((0.1, 3.0), (-1.0, 1.0), (0.98, 29.0), (1e-7, 3e-6), (40000.0, 1.2e6)):
        assert 150 <= (high - low) / tick(low, high) <= 2500
