"""Steps that follow a tolerance beside located events, in scenes of the catalog.

The scenes are those of the catalog of which both runs and their comparison ended within 25 s on a
busy machine; the coin is not known to events, and in those that stand still the answer is easy.
Those of which the error is more than ten times what was asked for are named, with the reason.
"""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl

MET = [
    *("arch", "bouncing-ball", "cards", "cradle", "cup", "incline", "stack", "stick-slip-belt"),
    *("string-pendulum", "top-on-floor", "wall"),
]

MISSED = [
    pytest.param(
        *("rocking-block", 1e-5),
        marks=pytest.mark.xfail(strict=True, reason="each impact tilts the next: 15 times"),
    ),
    pytest.param(
        *("hopper", 1e-5),
        marks=pytest.mark.xfail(strict=True, reason="3 mm from located events at any tolerance"),
    ),
]


def error_over_tolerance(name, tolerance):
    """Largest error of a coordinate at 21 moments of a second, over the tolerance and its size."""
    model, times = dl.catalog.load(name), np.linspace(0.0, 1.0, 21)
    options = {"until": 1.0, "times": times, "progress": False}
    exact = dl.simulate(model, mode="events", **options)
    found = dl.simulate(model, mode="stepping", rtol=tolerance, **options)
    off = np.abs(found.q - exact.q) / np.maximum(1.0, np.abs(exact.q))
    return float(off.max()) / tolerance


@pytest.mark.parametrize("tolerance", [1e-3, 1e-5, 1e-7])
@pytest.mark.parametrize("name", MET)
def test_the_tolerance_is_met(name, tolerance):
    assert error_over_tolerance(name, tolerance) < 10.0


@pytest.mark.parametrize(("name", "tolerance"), MISSED)
def test_where_it_is_not(name, tolerance):
    assert error_over_tolerance(name, tolerance) < 10.0
