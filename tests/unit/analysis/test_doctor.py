"""The doctor of models: counts, words, advice, the page, the command."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.support.analysed import four_bar

import dalembert as dl
from dalembert.analysis.doctor.advice import Pace, advice, pace
from dalembert.cli import main
from dalembert.errors import OptionError


def test_bennett_moves_though_counting_says_no():
    found = dl.doctor(dl.catalog.load("bennett"), until=0)
    assert (found.counts.gruebler, found.counts.mobility) == (-2, 1)
    assert len(found.redundant) == 3
    assert set(found.not_unique) == {"hinge1", "hinge2", "hinge3", "hinge4"}
    assert "wrong by 3" in found.summary()
    assert found.along is None


def test_planar_count_agrees():
    found = dl.doctor(four_bar(), until=0)
    assert (found.counts.gruebler, found.counts.planar, found.counts.mobility) == (-2, 1, 1)


def test_singular_positions_are_found_between_samples():
    found = dl.doctor(dl.catalog.load("four-bars"), until=1.0, samples=21)
    # rank is lost at the horizontal passage (physics 11.3)
    assert found.along.singular == pytest.approx([0.714355529292960], abs=1e-6)
    assert "Mobility changes" in found.summary()
    assert found.along.worst[0] < 1e-6


def test_stiffness_is_told_from_speed():
    assert pace([-1.0, -2.0 + 5.0j, -2.0 - 5.0j, 0.0]).stiffness == pytest.approx(2.0 / 5.0)
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, potential=x**2 / 2)
    stiff = advice(model, Pace(1e6, 0.0, 1.0, 1.0), 0, False)
    assert "BDF" in stiff.call
    quick = advice(model, Pace(0.0, 0.0, 100.0, 100.0), 0, False)
    assert quick.call == "dl.simulate(model, until=..., step=0.001)"
    still = advice(model, Pace(0.0, 0.0, 0.0, 0.0), 0, False)
    assert "step" not in still.call


def test_suggested_step_meets_its_digits():
    model = dl.catalog.load("pendulum")
    found = dl.doctor(model, until=2.0)
    step = float(found.advice.call.partition("step=")[2].rstrip(")"))
    coarse = dl.simulate(model, until=2.0, step=step)
    fine = dl.simulate(model, until=2.0)
    error = np.abs(coarse["x"][-1] - fine["x"][-1])
    assert error < 1e-4


def test_contacts_are_told(tmp_path):
    found = dl.doctor(dl.catalog.load("bouncing-ball"), until=0)
    assert "impulses" in found.advice.reasons[0]
    page = found.save_html(tmp_path / "page.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "http" not in page


def test_page_shows_a_curve(tmp_path):
    found = dl.doctor(dl.catalog.load("four-bars"), until=1.0, samples=21)
    page = found.html()
    for text in ("<svg", "Gruebler", "Suggested", "Mobility changes"):
        assert text in page


@pytest.mark.parametrize("options", [{"until": -1.0}, {"samples": 1}])
def test_refusals(options):
    with pytest.raises(OptionError, match=next(iter(options))):
        dl.doctor(dl.catalog.load("pendulum"), **options)


def test_command(capsys, tmp_path):
    target = tmp_path / "page.html"
    assert main(["doctor", "bennett", "--until", "0", "--html", str(target)]) == 0
    assert "mobility is 1" in capsys.readouterr().out
    assert target.exists()
    assert main(["doctor", "bennett", "--until", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["gruebler"] == -2
