"""Every figure, from a solution and from a comparison; what is drawn, not how it looks."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt
from tests.support.synthetic import turning

import dalembert as dl
from dalembert.analysis.compare import compare
from dalembert.analysis.work_precision import WorkPoint, WorkPrecision
from dalembert.enforcement import BraunGoldfarb, UdwadiaKalaba
from dalembert.errors import FileError, OptionError
from dalembert.formulas.variables import coordinates
from dalembert.plotting.plot import FIGURES, plot
from dalembert.plotting.series import POINTS, thin
from dalembert.plotting.style import COLOURS, line_styles
from dalembert.simulation.status import Status

x, y = coordinates("x y")


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture
def comparison():
    drifting = np.linspace(1e-16, 1e-2, 61)[:, None]
    lost = turning(method=UdwadiaKalaba(), phi=drifting, phi_dot=drifting)
    return compare(turning(), lost)


def panels(axes):
    return [axes] if hasattr(axes, "figure") else list(axes.flat)


@pytest.mark.parametrize("what", ["drift", "energy", "trajectory", "multipliers", "stroboscope"])
def test_every_figure_of_a_solution(what, tmp_path):
    path = tmp_path / f"{what}.png"
    axes = plot(turning(), what, path=path)
    assert path.stat().st_size > 5000
    for panel in panels(axes):
        assert panel.get_lines()
        assert panel.get_ylabel()
    assert panels(axes)[-1].get_xlabel()
    assert panels(axes)[0].get_title(loc="left")


@pytest.mark.parametrize("what", ["drift", "energy", "trajectory", "multipliers"])
def test_every_figure_of_a_comparison(what, comparison, tmp_path):
    path = tmp_path / f"{what}.svg"
    plot(comparison, what, path=path)
    assert path.stat().st_size > 5000


def test_drift_is_logarithmic_with_an_epsilon_line():
    axes = plot(turning(), "drift")
    assert axes.get_yscale() == "log"
    levels = [line.get_ydata()[0] for line in axes.get_lines() if len(set(line.get_ydata())) == 1]
    assert np.finfo(float).eps in levels
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["velocity, |phi'|", "position, |phi|"]


def test_exact_zeros_stay_visible():
    zeros = np.zeros((61, 1))
    axes = plot(turning(phi=zeros, phi_dot=zeros), "drift")
    low, _ = axes.get_ylim()
    assert all(line.get_ydata()[0] > low for line in axes.get_lines())


def test_drift_of_a_comparison_has_two_panels_and_every_method(comparison):
    upper, lower = plot(comparison, "drift")
    labels = [text.get_text() for text in upper.get_legend().get_texts()]
    assert labels == ["Projection", "UdwadiaKalaba"]
    assert "phi'" in lower.get_ylabel()


def test_a_diverged_run_does_not_hide_the_others():
    huge = np.full((61, 1), 1e200)
    huge[-1] = np.nan
    lost = turning(method=UdwadiaKalaba(), phi=huge, status=Status.NON_FINITE)
    upper, _ = plot(compare(turning(), lost), "drift")
    assert upper.get_ylim()[1] <= 1e4


def test_signals_share_a_figure(comparison):
    axes = plot(comparison, x, "y.dot", turning().model.constraints[0].force)
    assert len(axes) == 3
    assert [a.get_ylabel() for a in axes] == ["x", "y.dot", "force of bar"]
    assert len(axes[0].get_lines()) == 2


def test_rows_of_a_force_are_named():
    s = turning(
        lam=np.ones((61, 2)),
        row_names=("bar[0]", "bar[1]"),
        constraint_slices={"bar": slice(0, 2)},
    )
    axes = plot(s, "bar.force")
    assert [t.get_text() for t in axes.get_legend().get_texts()] == ["bar[0]", "bar[1]"]


def test_a_long_formula_is_cut():
    label = plot(turning(), sum(x * y**k for k in range(2, 20))).get_ylabel()
    assert len(label) == 40


def test_stroboscope_shows_one_turn_by_default():
    axes = plot(turning(until=20.0, samples=2001), "stroboscope")
    assert "0 to 3.14 s" in axes.get_title(loc="left")


def test_stroboscope_of_a_given_window():
    axes = plot(turning(), "stroboscope", window=(1.0, 2.0), frames=5)
    assert "1 to 2 s" in axes.get_title(loc="left")


def test_trajectory_without_points_is_over_time():
    s = turning()
    bare = s.model.with_parameters()
    object.__setattr__(bare, "points", {})
    axes = plot(turning(model=bare), "trajectory")
    assert axes.get_xlabel() == "time [s]"


def test_work_precision():
    points = tuple(
        WorkPoint(name, h, h**order, 1e-6 / h, 1e-15, "")
        for name, order in (("A", 4), ("B", 2))
        for h in (1e-1, 1e-2, 1e-3)
    )
    study = WorkPrecision("pendulum", "closed form", points)
    axes = plot(study)
    assert axes.get_xscale() == axes.get_yscale() == "log"
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["A (order 4.0)", "B (order 2.0)"]
    assert "4.00" in study.table()


def test_work_precision_of_a_comparison():
    shifted = turning(method=BraunGoldfarb())
    axes = plot(compare(turning(q=turning().q + 1e-9), shifted), "work-precision")
    assert len(axes.get_lines()) == 1  # the first is its own reference: error zero


def test_events_of_a_ball_that_bounces():
    (height,) = coordinates("height")
    ball = dl.Model.from_lagrangian(kinetic=height.dot**2 / 2, potential=9.81 * height)
    ball.keep(height >= 0, restitution=0.5, name="floor")
    axes = plot(dl.simulate(ball, until=2.0, initial={height: 1.0}), "events")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["floor"]
    assert axes.patches or axes.collections


def test_every_figure_has_a_test():
    tested = {"drift", "energy", "trajectory", "multipliers", "stroboscope", "work-precision"}
    tested |= {"events"}
    assert set(FIGURES) == tested


@pytest.mark.parametrize(
    ("thing", "what", "options", "words"),
    [
        (turning, ("drfit",), {}, "drift"),
        (turning, ("z",), {}, "no signal 'z'"),
        (turning, ("drift", "energy"), {}, "once for each figure"),
        (turning, ("drift",), {"frames": 3}, "no option 'frames'"),
        (turning, ("stroboscope",), {"frame": 3}, "no option 'frame'"),
        (turning, ("stroboscope",), {"frames": 1}, "at least 2"),
        (dict, ("drift",), {}, "cannot draw dict"),
        (turning, ("work-precision",), {}, "work_precision"),
        (lambda: turning(potential=None), ("energy",), {}, "no potential"),
        (lambda: turning(lam=np.zeros((61, 0))), ("multipliers",), {}, "no constraints"),
    ],
)
def test_refusals(thing, what, options, words):
    with pytest.raises(OptionError, match=words):
        plot(thing(), *what, **options)


@pytest.mark.parametrize("name", ["missing/figure.png", "figure.xyz"])
def test_unwritable_figure(tmp_path, name):
    with pytest.raises(FileError, match="cannot write the figure"):
        plot(turning(), "drift", path=tmp_path / name)
    assert not plt.get_fignums()


def test_saved_figures_are_not_kept_open(tmp_path):
    plot(turning(), "drift", path=tmp_path / "a.png")
    assert not plt.get_fignums()


def test_the_user_s_settings_are_not_touched():
    before = dict(mpl.rcParams)
    plot(turning(), "energy")
    assert dict(mpl.rcParams) == before


def test_thin_keeps_the_envelope():
    t = np.arange(100_000.0)
    y = np.sin(t / 500)
    y[54_321] = 9.0
    times, values = thin(t, y)
    assert len(times) <= POINTS + 2
    assert values.max() == 9.0
    assert values.min() == pytest.approx(-1.0, abs=1e-4)
    assert np.all(np.diff(times) > 0)


def test_styles_differ():
    styles = line_styles(15)
    assert len({(s["color"], s["linestyle"]) for s in styles}) == 15
    assert len(COLOURS) == 7


def test_without_a_display_the_backend_is_agg():
    import subprocess

    code = (
        "import matplotlib as mpl\n"
        "from dalembert.plotting.style import new_figure\n"
        "new_figure(size=(3, 2))\n"
        "print(mpl.get_backend())"
    )
    import os

    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "MPLBACKEND")
    environment = {k: v for k, v in os.environ.items() if k not in hidden}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip().lower() == "agg"


def test_a_way_to_show_figures_that_came_with_the_first_shows_the_next_ones():
    """A notebook's backend is loaded by the first figure, and switches showing on."""
    import matplotlib as mpl

    from dalembert.plotting.style import looks

    before = mpl.is_interactive()
    try:
        mpl.interactive(False)
        with looks():
            mpl.interactive(True)
            size = mpl.rcParams["lines.linewidth"]
        assert mpl.is_interactive()
        assert mpl.rcParams["lines.linewidth"] != size  # the rest is the user's again
    finally:
        mpl.interactive(before)


def test_a_figure_that_nobody_sees_is_told(monkeypatch, tmp_path):
    """Without a display, a notebook or a choice of one's own."""
    solution = turning()
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "MPLBACKEND"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    with pytest.warns(dl.errors.NotShownWarning, match=r"path='figure.png'"):
        dl.plot(solution, "drift")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dl.plot(solution, "drift", path=tmp_path / "drift.png")
        monkeypatch.setenv("MPLBACKEND", "Agg")
        dl.plot(solution, "drift")


BACKEND = """
import matplotlib
from matplotlib.backends.backend_agg import *
matplotlib.interactive(True)  # as that of a notebook does when it is loaded
"""
PLOTS = """
import matplotlib
import dalembert as dl
solution = dl.simulate(dl.catalog.load("pendulum"), until=0.1, step=1e-2)
dl.plot(solution, "x")
assert matplotlib.is_interactive()
"""


def test_the_first_figure_of_a_notebook_is_not_the_last(tmp_path):
    """What a backend sets when it is loaded stays: a notebook shows the second figure, too."""
    (tmp_path / "of_notebooks.py").write_text(BACKEND)
    paths = os.pathsep.join([str(tmp_path), *sys.path])
    found = os.environ | {"MPLBACKEND": "module://of_notebooks", "PYTHONPATH": paths}
    done = subprocess.run(
        [sys.executable, "-c", PLOTS], env=found, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_what_a_notebook_shows_of_formulas_and_tables():
    model = dl.catalog.load("pendulum")
    assert model.constraints[0]._repr_latex_() == (
        "$$\\begin{aligned}\n- l^{2} + x^{2} + y^{2} &= 0\n\\end{aligned}$$"
    )
    x = model.coordinates[0]
    assert "\\leq" in (x >= 0)._repr_latex_()
    assert "\\ge 0" in model.keep(x >= -5, name="wall")._repr_latex_()
    model = dl.catalog.load("pendulum")
    runs = dl.work_precision(model, methods=["projection"], steps=[1e-2], until=0.1)
    assert "<th>CPU s</th>" in runs._repr_html_()
    compared = dl.compare(model, methods=["projection"], until=0.1, step=1e-2)
    assert "<td>Projection</td>" in compared._repr_html_()
