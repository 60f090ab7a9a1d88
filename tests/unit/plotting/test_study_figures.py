"""Figures of studies show the numbers of their tables."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import OptionError

mpl.use("Agg")


@pytest.fixture(scope="module")
def study():
    """A grid of 3 x 2 x 1 in which the rows of a negative mass fail."""
    return dl.sweep(
        "pendulum",
        {"m": [-1.0, 1.0, 2.0], "g": [5.0, 10.0], "x.dot": [0.0]},
        until=0.05,
        step=1e-2,
        record={"low": "min(y)", "energy": "max(kinetic)", "path": "series(x)"},
        samples=3,
    )


def test_a_heat_map_has_a_cell_for_every_combination(study, tmp_path):
    axes = dl.plot(study, "heat-map", x="g", y="m", value="energy", path=tmp_path / "a.png")
    (mesh,) = axes.collections
    shown = mesh.get_array()
    assert shown.shape == (3, 2)
    assert shown.mask[0].all()  # the rows of a negative mass
    assert shown[1:].ravel().tolist() == study["energy"].reshape(3, 2)[1:].ravel().tolist()
    assert (tmp_path / "a.png").stat().st_size > 1000
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("g", "m")


def test_the_mean_is_taken_over_the_other_axes(study):
    axes = dl.plot(study, "heat-map", x="m", y="x.dot", value="energy")
    assert axes.get_title(loc="left") == "energy, mean over g"


def test_dots_of_a_design_that_is_no_grid():
    drawn = dl.sweep(
        "pendulum",
        {"m": dl.uniform(1, 2), "g": dl.uniform(5, 10)},
        design="sobol",
        count=8,
        until=0.02,
        step=1e-2,
        record=["min(y)"],
    )
    axes = dl.plot(drawn, "heat-map")
    offsets = axes.collections[0].get_offsets()
    assert np.array_equal(offsets, np.stack([drawn["m"], drawn["g"]], axis=1))
    assert dl.plot(drawn).shape == (3, 3)  # by default a scatter matrix


def test_a_scatter_matrix_has_a_panel_for_every_pair(study):
    panels = dl.plot(study, "scatter-matrix", columns=["m", "low", "energy"])
    assert panels.shape == (3, 3)
    x, y = panels[2, 1].lines[0].get_data()
    good = np.isfinite(study["low"])
    assert np.array_equal(x, study["low"][good])
    assert np.array_equal(y, study["energy"][good])
    assert len(panels[0, 0].patches) == 20
    for j, name in enumerate(["m", "low", "energy"]):  # each column its own range
        low, high = panels[2, j].get_xlim()
        width = np.ptp(study[name] if name == "m" else study[name][good])
        assert width <= high - low <= 1.2 * width


def test_parallel_coordinates_have_a_line_for_every_row_that_is_complete(study):
    axes = dl.plot(study, "parallel-coordinates", color="low")
    (lines,) = axes.collections
    assert len(lines.get_segments()) == 4
    assert [text.get_text() for text in axes.get_xticklabels()] == [
        "m",
        "g",
        "x.dot",
        "low",
        "energy",
    ]
    assert np.array_equal(lines.get_array(), study["low"][2:])
    ends = np.array(lines.get_segments())[:, 0, 1]  # of the masses 1, 1, 2, 2
    assert ends.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("what", "options", "said"),
    [
        (("heatmap",), {}, "Did you mean 'heat-map'"),
        (("drift",), {}, "of a study"),
        (("heat-map",), {"value": "lo"}, "did you mean 'low'"),
        (("heat-map",), {"value": "path"}, "no recorded number"),
        (("heat-map",), {"x": "low"}, "Give two axes of the study"),
        (("heat-map",), {"columns": ["m"]}, "no option 'columns'"),
        (("scatter-matrix",), {"columns": ["m", "lo"]}, "did you mean 'low'"),
        (("scatter-matrix",), {"columns": ["m"]}, "from 2 to 8"),
    ],
)
def test_what_cannot_be_drawn_is_refused(study, what, options, said):
    with pytest.raises(OptionError, match=said):
        dl.plot(study, *what, **options)
