"""Figures of linear models and driven mechanisms."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.analysed import chain, four_bar, rotor

import dalembert as dl
from dalembert.errors import OptionError


@pytest.fixture(scope="module")
def turn():
    return dl.kinematics(four_bar(), "A", (1.0, 2.0), samples=11)


def test_campbell_and_root_locus(tmp_path):
    diagram = dl.campbell(rotor(), "Omega", np.linspace(0.0, 1000.0, 6), body="rotor")
    axes = dl.plot(diagram, path=tmp_path / "campbell.png")
    assert {text.get_text() for text in axes.get_legend().get_texts()} == {
        "forward",
        "backward",
        "no whirl",
    }
    assert len(axes.lines) == 5 + 1 + 1  # modes, the line of equal speeds, the critical speed
    axes = dl.plot(diagram, "root-locus", path=tmp_path / "locus.png")
    low, high = axes.get_xlim()
    assert high - low > 1.0  # rounding is not blown up
    assert (tmp_path / "campbell.png").exists()


def test_frequency_response_and_poles(tmp_path):
    near = dl.linearize(chain(2), inputs=["joint0"], outputs=["rod1.x"])
    panels = dl.plot(near, path=tmp_path / "response.svg", frequencies=[1.0, 2.0, 3.0])
    line = panels[0, 0].lines[0]
    assert line.get_ydata() == pytest.approx(
        np.abs(near.frequency_response([1.0, 2.0, 3.0])[:, 0, 0])
    )
    axes = dl.plot(dl.linearize(chain(2)), path=tmp_path / "poles.png")
    assert len(axes.lines[0].get_xdata()) == 4


def test_driven_mechanism(tmp_path, turn):
    axes = dl.plot(turn, "D.angle", path=tmp_path / "signal.png")
    assert axes.lines[0].get_ydata() == pytest.approx(turn["D.angle"])
    point = turn.model.bodies["coupler"].at(x=0.1, y=0.3)
    axes = dl.plot(turn, "coupler-curve", points=point, path=tmp_path / "curve.png")
    assert axes.lines[0].get_xdata() == pytest.approx(turn.path(point)[:, 0])
    page = turn.solution.save_html(tmp_path / "page.html")
    assert page.stat().st_size > 10_000
    assert turn.table("D.angle").count("\n") == 12


def test_refusals(turn):
    near = dl.linearize(chain(1))
    for ask, text in (
        (lambda: dl.plot(near, "bode"), "frequency-response, poles"),
        (lambda: dl.plot(near, "frequency-response"), "inputs="),
        (lambda: dl.plot(near, "poles", size=3), "'size'"),
        (lambda: dl.plot(turn), "name signals"),
        (lambda: dl.plot(turn, "coupler-curve"), "points="),
        (lambda: dl.plot(turn, "elbow.angle"), "'elbow.angle'"),
    ):
        with pytest.raises(OptionError, match=text):
            ask()
