"""The references themselves, before anything is compared with them.

Source: Braun & Goldfarb data computed with 40 digits (shared/reference/data/braun_goldfarb) and the
values printed in physics.md, section 9.
"""

import numpy as np
import pytest
from tests.golden import references

pytestmark = pytest.mark.reference

EPS = np.finfo(float).eps


def test_pendulum_closed_form():
    for sample in references.read("braun_goldfarb/pendulum.json")["samples"]:
        # the argument sqrt(g) t is rounded; the speed is at most sqrt(2 g)
        allowed = 4 * EPS * (1 + np.sqrt(9.81) * sample["t"] * np.sqrt(2))
        found = references.pendulum(sample["t"])
        assert np.abs(found - [sample["x"], sample["y"]]).max() <= allowed


@pytest.mark.parametrize(
    ("t", "x"),
    [(10.0, 0.27508746257612), (100.0, 0.18151335142703), (1000.0, -0.68323018855231)],
)
def test_pendulum_printed_values(t, x):
    # half a unit of the last printed digit, and the rounding of the argument
    assert references.pendulum(t)[0] == pytest.approx(x, rel=0, abs=5e-15 + 5 * EPS * t)


def test_four_bars_closed_form():
    for sample in references.read("braun_goldfarb/fourbar.json")["samples"]:
        # argument w t / 2 with w = 6.84, speed of x3 at most w
        allowed = 4 * EPS * (2 + 6.84**2 / 2 * sample["t"])
        assert abs(references.four_bars(sample["t"]) - sample["q"][4]) <= allowed


@pytest.mark.parametrize(("t", "x"), [(10.0, 2.3284581115408), (100.0, 2.2662388331727)])
def test_four_bars_printed_values(t, x):
    assert references.four_bars(t) == pytest.approx(x, rel=0, abs=5e-14 + 100 * EPS * t)


@pytest.mark.parametrize(
    ("name", "gravity"), [("slider_crank", 9.81), ("slider_crank_no_gravity", 0.0)]
)
def test_slider_crank_reduced_solution(name, gravity):
    t, slider = references.slider_crank(gravity=gravity)
    for sample in references.read(f"braun_goldfarb/{name}.json")["samples"]:
        i = round(sample["t"] / t[1])
        # 1e-13 per unit of length passed over: |theta| reaches 350
        assert abs(slider[i] - sample["x_slider"]) <= 350e-13


@pytest.mark.parametrize(
    ("rod", "t", "x", "unit"),
    [
        (1.0, 10, 1.7657635110488, 1e-13),
        (1.0, 100, -0.71743148638315, 1e-14),
        (1.5, 10, 0.852633796029, 1e-12),
        (1.5, 100, 2.499436011219, 1e-12),
    ],
)
def test_slider_crank_printed_values(rod, t, x, unit):
    moments, slider = references.slider_crank(rod)
    assert abs(slider[round(t / moments[1])] - x) <= 350e-13 + unit
