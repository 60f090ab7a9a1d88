"""`dl.view` without a browser: the server, what it refuses, drags, runs."""

import asyncio
import builtins
import time
import types
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import dalembert as dl
from dalembert import errors

pytest.importorskip("viser")


@pytest.fixture
def live(capsys):
    view = dl.view(
        dl.catalog.load("four-bar-3d"), step=1e-3, open_browser=False, block=False, port=8951
    )
    yield view
    view.stop()


def drag(live, phase, start, end, on="coupler", client=1):
    event = types.SimpleNamespace(
        phase=phase, start_position=start, end_position=end, client_id=client
    )
    # In a thread of its own: another test may have left an event loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, live.drag(event, on)).result()
    live.steering.tick(0.0)


def test_nothing_moves_before_somebody_looks(live):
    assert live.session.t == 0.0


def test_where_it_is_is_told(live, capsys):
    assert live.url.startswith(f"http://127.0.0.1:{live.server.get_port()}/")


def test_a_drag_takes_hold_of_the_point_that_was_grabbed(live):
    grabbed = live.session.q[7:10] + np.array([0.05, 0.0, 0.0])
    target = grabbed + np.array([0.0, 0.0, 0.5])
    drag(live, "start", grabbed, 0.5 * (grabbed + target))
    assert dict(live.session.grip.weights) == {"coupler": 1.0}
    drag(live, "update", grabbed, target)
    assert np.array_equal(live.session.grip.target, target)
    # on the rod's axis, near the place that was grabbed
    assert np.linalg.norm(live.session.held_point() - grabbed) < 0.05
    drag(live, "end", grabbed, grabbed)
    assert live.session.grip is None


def typed(live, name, value):
    """As if somebody chose the name and typed the value."""
    live.panel.which.value = name
    target = types.SimpleNamespace(value=value)
    live.panel._typed(types.SimpleNamespace(client=object(), target=target))
    live.steering.tick(0.0)


def test_a_value_beyond_the_range_can_be_typed_and_widens_the_slider(live):
    slider = live.panel._sliders["g"]
    assert slider.max < 50.0
    typed(live, "g", 50.0)
    assert live.session.parameters["g"] == 50.0
    live.panel.tell(slow=True)
    assert slider.max == 50.0
    assert slider.value == 50.0


def test_a_refused_value_is_told_and_the_slider_goes_back(live):
    typed(live, "density", -1.0)
    assert "density" in live.steering.message or "mass" in live.steering.message
    live.panel.tell(slow=True)
    assert live.panel._sliders["density"].value == 2.0
    assert live.panel.message.visible
    typed(live, "density", 3.0)
    live.panel.tell(slow=True)
    assert not live.panel.message.visible


def test_what_was_recorded_is_handed_to_the_browser(live, tmp_path):
    files = {}
    client = types.SimpleNamespace(send_file_download=files.__setitem__)
    live.save(client)
    live.steering.tick(0.0)
    assert "nothing was recorded" in live.steering.message
    live.session.recording = True
    live.steering.go(0.1)
    live.steering.go(0.1)
    live.save(client)
    live.steering.tick(0.0)
    path = tmp_path / "four-bar-3d.npz"
    path.write_bytes(files[path.name])
    assert len(dl.Solution.load(path).t) == 2


def test_a_picture_that_fails_does_not_end_the_simulation(live, monkeypatch):
    def broken(*_):
        raise ValueError("no picture")

    monkeypatch.setattr(live.drawing, "move", broken)
    live.steering.ask(lambda session: session.advance(0.01))
    live.steering.tick(0.0)
    live._show_safely(1.0)
    assert "no picture" in live.steering.message


def test_two_hands_the_last_to_let_go_releases(live):
    place = live.session.q[7:10]
    drag(live, "start", place, place + 0.1, client=1)
    drag(live, "start", place, place + 0.2, client=2)
    drag(live, "end", place, place, client=1)
    assert live.session.grip is not None
    drag(live, "end", place, place, client=2)
    assert live.session.grip is None


def test_bars_between_points_are_held_by_their_shares():
    view = dl.view(
        dl.catalog.load("double-pendulum"), step=1e-3, open_browser=False, block=False, port=8961
    )
    try:
        points = view.drawing.shown[2]
        names = [point.name for point in view.drawing.scene.points]
        a, b = names[-2:]
        place = 0.75 * points[-2] + 0.25 * points[-1]
        held, at = view._held((a, b), place)
        assert at is None
        assert held == pytest.approx({a: 0.75, b: 0.25})
        assert view._held((a, a), place) == (a, None)
    finally:
        view.stop()


def test_a_parameter_that_changes_shapes_draws_them_anew():
    view = dl.view(
        dl.catalog.load("slider-crank-bodies"), open_browser=False, block=False, port=8971
    )
    try:
        before = view.drawing
        view.steering.ask(lambda session: session.set_parameter("l2", 2.5))
        view.steering.tick(0.0)
        assert view.session.model.parameters["l2"] == 2.5
        end = time.monotonic() + 30.0
        while view.drawing is before and time.monotonic() < end:
            time.sleep(0.02)  # its thread draws
        assert view.drawing is not before
        rod = view.drawing.scene.bodies[1]
        assert max(rod.shapes[0].size) > 2.0
    finally:
        view.stop()


def test_a_port_that_is_taken_gives_the_next_one(live):
    other = dl.view(
        dl.catalog.load("pendulum"), step=1e-3, open_browser=False, block=False, port=8951
    )
    try:
        assert other.url != live.url
    finally:
        other.stop()
        other.stop()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"speed": 0.0}, "speed is 0.0"),
        ({"fps": -1}, "fps is -1"),
        ({"port": 0}, "port is 0"),
        ({"port": "8080"}, "port is '8080'"),
        ({"host": "no such host"}, "Give another host or port"),
    ],
)
def test_options_are_checked(options, words):
    with pytest.raises(errors.OptionError, match=words):
        dl.view(dl.catalog.load("pendulum"), step=1e-3, open_browser=False, block=False, **options)


def test_what_is_neither_model_nor_run_is_refused():
    with pytest.raises(errors.OptionError, match="neither a model nor a solution"):
        dl.view("pendulum")


def test_without_viser_the_command_to_install_it_is_told(monkeypatch):
    real = builtins.__import__

    def missing(name, *rest, **named):
        if name == "viser":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(errors.OptionError, match=r"pip install 'dalembert\[viewer\]'"):
        dl.view(dl.catalog.load("pendulum"))


def test_the_page_of_a_run(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    solution = dl.simulate(dl.catalog.load("pendulum"), until=0.2, step=1e-2)
    path = dl.view(solution)
    assert path.name == "pendulum.html"
    assert path.read_text().startswith("<!doctype html>")
    assert opened == [path.as_uri()]


def test_a_humanoid_stands_on_one_floor():
    """Two of its lines have one name; the plane it stands on is the grid, no plate above it."""
    view = dl.view(dl.catalog.load("falling-humanoid"), open_browser=False, block=False, port=8981)
    try:
        scene = view.drawing.scene
        names = [link.name for link in scene.links]
        assert len(set(names)) < len(names)
        assert [scene.ground[k].kind for k in scene.level] == ["plane"]
        height = scene.ground[scene.level[0]].position[2]
        assert view.floor.grid.position[2] == pytest.approx(height)
        assert view.floor.grid.plane_opacity > 0.0
        shown = list(view.server.scene._handle_from_node_name)
        assert not [path for path in shown if path.startswith("/ground")]
        assert sum("floor" in path or "grid" in path for path in shown) == 1
    finally:
        view.stop()
