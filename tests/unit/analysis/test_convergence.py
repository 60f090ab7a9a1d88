"""Observed order and the plateau rule."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert.analysis.convergence import observed_order, outside_plateau
from dalembert.errors import OptionError

H = 0.1 * 0.5 ** np.arange(8)


@pytest.mark.parametrize("order", [1, 2, 4, 8])
def test_clean_power(order):
    assert observed_order(H[:5], 7 * H[:5] ** order) == pytest.approx(order, abs=1e-9)


@pytest.mark.parametrize("order", [2, 4, 8])
def test_rounding_plateau_is_left_out(order):
    noise = 1e-13 * (1 + 0.5 * np.sin(np.arange(8)))
    errors = H**order + noise
    assert observed_order(H, errors) == pytest.approx(order, abs=0.3)
    assert not outside_plateau(H, errors)[errors < 1.2 * noise].any()


def test_two_points_then_flat():
    used = outside_plateau(H[:5], [1e-1, 2e-3, 1e-4, 1e-4, 1e-4])
    np.testing.assert_array_equal(used, [True, True, False, False, False])


def test_points_bent_by_the_plateau_are_left_out():
    errors = 20 * H[:6] ** 4 + 1e-6
    used = outside_plateau(H[:6], errors)
    np.testing.assert_array_equal(used, errors > 1e-5)


def test_a_lucky_cancellation_does_not_cut_the_rest():
    errors = H[:5] ** 4
    errors[2] /= 4
    assert outside_plateau(H[:5], errors).all()


def test_order_of_input_does_not_matter():
    order = [3, 0, 4, 1, 2]
    assert observed_order(H[:5][order], H[:5][order] ** 3) == pytest.approx(3)


def test_failures_are_left_out():
    errors = np.array([np.inf, 1.6e-3, 1e-4, 6.25e-6, np.nan])
    assert observed_order(H[:5], errors) == pytest.approx(4, abs=1e-9)


@pytest.mark.parametrize(
    ("steps", "errors"),
    [
        ([0.1, 0.05], [1e-3]),
        ([0.1, 0.05], [1e-3, 1e-3]),
        ([0.1], [1e-3]),
        ([0.1, 0.1], [1e-3, 1e-4]),
        ([], []),
    ],
)
def test_nothing_to_measure(steps, errors):
    with pytest.raises(OptionError):
        observed_order(steps, errors)
