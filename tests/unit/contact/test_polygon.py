"""The impulse of most dissipation in a polygon, against conditions written down independently."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.contact_oracle import onto_polygon, polygon

from dalembert.contact.solvers.comparison.polygon import (
    SQUARE,
    least_in_polygon,
    nearest_in_polygon,
)

SQUARE_CORNERS = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)])


def corners(edges):
    return SQUARE_CORNERS if edges == SQUARE else polygon(edges)


@pytest.mark.parametrize("edges", [SQUARE, 4, 6, 8, 32])
def test_nearest_point(edges):
    rng = np.random.default_rng(edges)
    for _ in range(200):
        r, y = rng.uniform(0.1, 2), 2 * rng.standard_normal(2)
        expected = onto_polygon(y, r * corners(edges))
        assert nearest_in_polygon(edges, r, *y) == pytest.approx(expected, abs=2e-15 * 4)


@pytest.mark.parametrize("edges", [SQUARE, 4, 8])
@pytest.mark.parametrize("thin", [1.0, 1e-4, 1e-8])
def test_least_energy(edges, thin):
    """x is the nearest point of the polygon to x - gradient, for a long thin valley too."""
    rng = np.random.default_rng(edges)
    for _ in range(200):
        angle = rng.uniform(0, np.pi)
        Q = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        B, c, r = Q @ np.diag([1, thin]) @ Q.T, rng.standard_normal(2), rng.uniform(0.1, 2)
        x = np.array(least_in_polygon(edges, r, B[0, 0], B[0, 1], B[1, 1], *c))
        again = onto_polygon(x - (B @ x + c), r * corners(edges))
        assert again == pytest.approx(x, abs=1e-13 / min(1, thin**0.5))


def test_no_radius_is_the_origin():
    assert least_in_polygon(4, 0.0, 1.0, 0.0, 1.0, 3.0, 4.0) == (0.0, 0.0)
    assert nearest_in_polygon(8, 0.0, 3.0, 4.0) == (0.0, 0.0)


def test_at_a_corner():
    """Pushed along t1: the diamond gives its corner, the square the middle of a side."""
    assert least_in_polygon(4, 0.5, 1.0, 0.0, 1.0, -3.0, 0.0) == pytest.approx((0.5, 0.0))
    assert least_in_polygon(SQUARE, 0.5, 1.0, 0.0, 1.0, -3.0, 0.2) == pytest.approx((0.5, -0.2))
    assert least_in_polygon(4, 1.0, 1.0, 0.0, 1.0, -3.0, -3.0) == pytest.approx((0.5, 0.5))
