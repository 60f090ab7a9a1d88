"""Solutions and models as a notebook shows them: the player moves inside the frame of an output."""

import numpy as np
import pytest

import dalembert as dl


@pytest.fixture(scope="module")
def solution():
    return dl.simulate(dl.catalog.load("four-bar-3d"), until=0.5, step=1e-2)


def test_the_embedded_player_stands_where_the_solution_says(
    solution, open_tab, complaints_of, tmp_path
):
    path = tmp_path / "output.html"
    # the text round an output is light on dark in some notebooks
    path.write_text(
        "<!doctype html><body style='background:#111;color:#ddd'>"
        f"{solution.model._repr_html_()}{solution._repr_html_()}"
    )
    tab = open_tab(900, 700)
    tab.goto(path.as_uri())
    (handle,) = tab.query_selector_all("iframe")
    handle.scroll_into_view_if_needed()
    frame = handle.content_frame()
    frame.wait_for_function("() => window.dalembert && dalembert.ready")
    frame.evaluate("async () => { await dalembert.ready }")
    frame.evaluate("() => dalembert.setFrame(30)")
    for name in ("coupler", "rocker"):
        shown = frame.evaluate(f"() => dalembert.bodyPosition('{name}')")
        expected = solution.trajectory.place(solution.model.bodies[name].at())[0][-1]
        np.testing.assert_allclose(shown, expected, atol=1e-4)
    # tables take the colours of the notebook
    color = tab.evaluate("getComputedStyle(document.querySelector('.dalembert-html td')).color")
    assert color == "rgb(221, 221, 221)"
    assert complaints_of(tab) == []


def test_a_model_runs_in_a_cell_without_a_kernel(open_tab, complaints_of, tmp_path):
    model = dl.catalog.load("pendulum")
    path = tmp_path / "output.html"
    path.write_text(f"<!doctype html><body>{dl.live(model, step=1e-3)._repr_html_()}")
    tab = open_tab(900, 700)
    tab.goto(path.as_uri())
    (handle,) = tab.query_selector_all("iframe")
    frame = handle.content_frame()
    frame.wait_for_function("() => window.dalembert && dalembert.ready")
    frame.evaluate("async () => { await dalembert.ready }")
    found = frame.evaluate(
        "() => { dalembert.pause(); dalembert.live.asGiven();"
        " dalembert.app.clock.drive(0.5, Infinity);"
        " return [...dalembert.live.lives[0].engine.arrays.q] }"
    )
    expected = dl.simulate(model, until=0.5, step=1e-3).q[-1]
    np.testing.assert_allclose(found, expected, atol=1e-11)
    assert complaints_of(tab) == []
