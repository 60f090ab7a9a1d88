"""Where the camera of a live view stands: what moves is seen beside the panel, or above it."""

import numpy as np
import pytest

from dalembert.viewer.live_camera import ABOVE_PANEL, FIELD_OF_VIEW, Look

UP = np.array([0.0, 0.0, 1.0])
TOWARD = np.array([0.6, -0.64, 0.48])
LOOK = Look(np.array([1.0, 2.0, 0.5]), 2.0, UP, TOWARD)


def on_screen(look, aspect, place):
    """Across and up, both from -1 to 1, of a place in a picture."""
    position, target = look.from_where(aspect)
    ahead = (target - position) / np.linalg.norm(target - position)
    right = np.cross(ahead, look.up)
    right /= np.linalg.norm(right)
    way = place - position
    half = np.tan(0.5 * FIELD_OF_VIEW) * (way @ ahead)
    return way @ right / (half * aspect), way @ np.cross(right, ahead) / half


@pytest.mark.parametrize("aspect", [390 / 844, 0.6, 0.75])
def test_an_upright_window_shows_everything_above_the_panel(aspect):
    lowest = 1.0 - 2.0 * ABOVE_PANEL
    assert on_screen(LOOK, aspect, LOOK.centre) == pytest.approx((0.0, 1.0 - ABOVE_PANEL))
    ahead = -TOWARD
    right = np.cross(ahead, UP) / np.linalg.norm(np.cross(ahead, UP))
    upward = np.cross(right, ahead)
    for way in (right, -right, upward, -upward):
        across, above = on_screen(LOOK, aspect, LOOK.centre + 0.5 * LOOK.size * way)
        assert abs(across) < 1.0
        assert lowest < above < 1.0


def test_a_wide_window_shows_it_left_of_the_panel():
    across, above = on_screen(LOOK, 1.5, LOOK.centre)
    assert -0.3 < across < -0.05
    assert above == pytest.approx(0.0, abs=1e-12)
