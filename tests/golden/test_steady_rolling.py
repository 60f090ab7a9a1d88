"""A disc that rolls in a circle, steadily: velocity rows, and coordinates that nothing feels."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl

R = 0.3
A, C = R**2 / 4, R**2 / 2
"""Moments of a thin disc of 1 kg across and about its axis."""


def disc():
    """Contact (x, y), heading, tilt to the left, turning angle."""
    x, y, heading, tilt, roll = dl.coordinates("x y heading tilt roll")
    ahead = np.array([np.cos(heading), np.sin(heading)])
    centre = [
        x - R * np.sin(tilt) * ahead[1],
        y + R * np.sin(tilt) * ahead[0],
        R * np.cos(tilt),
    ]
    about = roll.dot - heading.dot * np.sin(tilt)
    turning = A * (tilt.dot**2 + (heading.dot * np.cos(tilt)) ** 2) + C * about**2
    return dl.Model.from_lagrangian(
        name="disc",
        coordinates=[x, y, heading, tilt, roll],
        kinetic=(sum(c.dot**2 for c in centre) + turning) / 2,
        potential=9.81 * centre[2],
        constraints={
            "ahead": x.dot - R * roll.dot * ahead[0],
            "side": y.dot - R * roll.dot * ahead[1],
        },
        initial={tilt: 0.3},
    )


def spin(tilt: float, rate: float) -> float:
    """m g r sin = rate cos ((C + m r^2) n + A rate sin) of Newton and Euler, n about the axis."""
    return (9.81 * R * np.tan(tilt) / rate - A * rate * np.sin(tilt)) / (C + R**2)


def wobble(tilt: float, rate: float) -> float:
    """n' = k tilt' rate cos, rate' = tilt' (2 rate tan + C n / (A cos)): one oscillator remains."""
    n, s, c = spin(tilt, rate), np.sin(tilt), np.cos(tilt)
    slope_n = R**2 / (C + R**2) * rate * c
    slope_rate = 2 * rate * s / c + C * n / (A * c)
    push = 9.81 * R * c + (C + R**2) * n * rate * s - A * rate**2 * (c * c - s * s)
    push -= (C + R**2) * c * (slope_n * rate + n * slope_rate) + 2 * A * rate * slope_rate * s * c
    return -push / (A + R**2)


@pytest.mark.parametrize(("tilt", "rate"), [(0.3, 2.0), (0.8, 5.0)])
def test_a_disc_in_a_circle(tilt, rate):
    rates = {"heading": rate, "roll": None, "tilt": 0.0}
    found = dl.steady_motion(disc(), rates, {"tilt": tilt, "roll.dot": 3.0})
    expected = spin(tilt, rate) + rate * np.sin(tilt)
    assert found.rates["roll"] == pytest.approx(expected, rel=1e-12)
    assert found.v[0] == pytest.approx(R * expected, rel=1e-12)
    assert found.near.is_steady
    assert found.is_stable == (wobble(tilt, rate) > 0.0)
    swinging = found.near.frequencies()
    assert swinging == pytest.approx([np.sqrt(wobble(tilt, rate))], rel=1e-9)


def test_a_motion_that_only_passes_is_not_called_steady():
    """The same circle, with the turning too fast for its tilt."""
    near = dl.linearize(disc(), {"tilt": 0.3, "heading.dot": 2.0, "roll.dot": 9.0})
    assert not near.is_steady


def test_a_rate_that_rolling_holds_is_refused_by_name():
    with pytest.raises(dl.errors.OptionError, match="'x' does not move independently"):
        dl.steady_motion(disc(), {"heading": 2.0, "roll": 3.0, "tilt": 0.0, "x": 1.0})
