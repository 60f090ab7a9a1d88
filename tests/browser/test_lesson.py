"""The lessons of the documentation in Chromium: every model opens, and runs as Python does."""

from pathlib import Path

import numpy as np
import pytest

import dalembert as dl

pytestmark = pytest.mark.share(3)

pytest.importorskip("latex2mathml")

LESSONS = Path(__file__).parents[2] / "docs" / "lessons"
CHAPTERS = ("drift", "singular-positions", "redundant-joints", "stick-and-slip", "restitution")
NINE = 9


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    sources = [LESSONS / f"{name}.md" for name in CHAPTERS]
    return dl.lesson(sources, tmp_path_factory.mktemp("lesson") / "all.html", title="Five lessons")


def opened(tab, k):
    """The frame of a model, scrolled to and ready."""
    handle = tab.query_selector_all("iframe")[k]
    handle.scroll_into_view_if_needed()
    tab.wait_for_function(
        "(k) => document.querySelectorAll('iframe')[k].contentWindow.dalembert?.ready", arg=k
    )
    frame = handle.content_frame()
    frame.evaluate("async () => { await dalembert.ready }")
    return frame


def after(frame, seconds):
    """Coordinates of every run after some seconds."""
    found = frame.evaluate(
        "(s) => { dalembert.app.clock.drive(s, Infinity);"
        " return dalembert.live.lives.map((l) => [...l.engine.arrays.q]) }",
        seconds,
    )
    return [np.array(q) for q in found]


@pytest.mark.slow
def test_every_model_of_the_lessons_runs(page, open_tab, complaints_of):
    assert page.stat().st_size < 1_500_000
    tab = open_tab(1100, 800)
    tab.goto(page.as_uri())
    assert len(tab.query_selector_all("iframe")) == NINE
    assert tab.evaluate("() => document.querySelectorAll('math').length") > 30
    assert tab.evaluate("() => document.querySelectorAll('nav.chapters a').length") == len(CHAPTERS)
    # what is out of view is not opened
    assert tab.evaluate("() => [...document.querySelectorAll('iframe')].at(-1).srcdoc") == ""
    for k in range(NINE):
        frame = opened(tab, k)
        assert not frame.evaluate("() => dalembert.playing")
        states = after(frame, 0.5)
        assert all(np.all(np.isfinite(q)) for q in states)
        assert frame.evaluate("() => document.getElementById('note').textContent") == ""
        if k == 0:
            model = dl.catalog.load("pendulum")
            for method, q in zip((dl.Projection(), dl.UdwadiaKalaba()), states, strict=True):
                run = dl.simulate(model, until=0.5, step=0.01, method=method)
                np.testing.assert_allclose(q, run.q[-1], atol=1e-11)
        if k == NINE - 3:
            labels = frame.evaluate("() => dalembert.app.runs.map((run) => run.label)")
            assert labels == ["restitution newton", "restitution poisson"]
    assert complaints_of(tab) == []


@pytest.mark.slow
def test_a_lesson_on_a_phone_is_as_wide_as_the_phone(page, open_tab, complaints_of):
    tab = open_tab(390, 780)
    tab.goto(page.as_uri())
    assert tab.evaluate("() => document.documentElement.scrollWidth") <= 390
    frame = opened(tab, 0)
    assert frame.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert complaints_of(tab) == []
