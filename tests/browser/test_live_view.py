"""The live view in a browser: what is done in the page reaches the simulation."""

import time
import urllib.request

import numpy as np
import pytest

import dalembert as dl

pytest.importorskip("viser")
pytestmark = pytest.mark.slow

HARMLESS = ("preventDefault", "WebGL", "GPU stall")
"""Parts of messages of the browser or of software rendering that are nobody's fault."""


def block():
    """A cube between a spring and nothing else: it swings along x."""
    k, m = dl.parameters(k=20.0, m=2.0)
    model = dl.Model("block", gravity=(0, 0, 0))
    body = model.add_body(
        "cube", dl.Inertia.box(mass=m, size=(0.6, 0.6, 0.6)), position=(0.3, 0.0, 0.0)
    )
    model.add_force(dl.Potential(k * body.x**2 / 2, name="spring"))
    return model


def assert_soon(condition, seconds=60.0):
    """Until it is so; the machine may be slow."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def appears(locator):
    """Until it is seen. Playwright itself waits for pictures, which take long here."""
    assert_soon(lambda: locator.count() > 0 and locator.first.is_visible())


def turn(slider, key, condition):
    """Press a key on a slider until it is heard: a panel that is drawn anew loses the focus."""

    def heard():
        if not condition():
            slider.focus()
            slider.press(key)
            time.sleep(0.5)
        return condition()

    assert_soon(heard)


@pytest.fixture(scope="module")
def live():
    view = dl.view(block(), step=1e-3, fps=15, open_browser=False, block=False, port=8931)
    # without a graphics card shadows take most of the time
    view.server.scene.configure_default_lights(cast_shadow=False)
    yield view
    view.stop()


@pytest.fixture(scope="module")
def tab(live, open_tab):
    """One page for all tests: its first picture takes seconds without a graphics card."""
    page = open_tab(width=800, height=500)
    page.goto(live.url)
    appears(page.get_by_role("button", name="Pause"))
    assert_soon(lambda: live.session.t > 0.0)
    return page


@pytest.fixture
def shown(live, tab):
    """The page with the motion at its start, paused."""

    def begin(session):
        session.release()
        session.reset_parameters()
        live.steering.play(False)
        live.reset()

    live.steering.ask(begin)
    assert_soon(lambda: live.session.t == 0.0 and not live.steering.playing)
    appears(tab.get_by_role("button", name="Play"))
    return tab


def press(page, name):
    """A click that does not wait for animations to end."""
    page.get_by_role("button", name=name, exact=True).first.evaluate("button => button.click()")


def pixel(live, place):
    """Where a place in space is on the screen."""
    (client,) = live.server.get_clients().values()
    camera = client.camera
    w, x, y, z = camera.wxyz
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    right, down, ahead = turn.T @ (np.asarray(place) - camera.position)
    scale = 0.5 * camera.image_height / np.tan(0.5 * camera.fov)
    return (
        0.5 * camera.image_width + scale * right / ahead,
        0.5 * camera.image_height + scale * down / ahead,
    )


def test_play_pause_step_reset(live, shown):
    press(shown, "Play")
    assert_soon(lambda: live.session.t > 0.1)
    press(shown, "Pause")
    assert_soon(lambda: not live.steering.playing)
    t, q = live.session.t, live.session.q
    time.sleep(0.3)
    assert live.session.t == t
    assert np.array_equal(live.session.q, q)
    press(shown, "1 step")
    assert_soon(lambda: live.session.t > t)
    assert live.session.t == pytest.approx(t + 1e-3)
    press(shown, "1 frame")
    assert_soon(lambda: live.session.t > t + 2e-3)
    assert live.session.t == pytest.approx(t + 1e-3 + 1 / 60, abs=1.1e-3)
    press(shown, "Reset")
    assert_soon(lambda: live.session.t == 0.0)
    assert live.session.q[0] == pytest.approx(0.3)


def test_a_slider_changes_the_motion(live, shown):
    assert live.session.measured().a[0] == pytest.approx(-20.0 * 0.3 / 2.0)
    slider = shown.get_by_role("slider").nth(1)  # the first is the speed
    turn(slider, "End", lambda: live.session.parameters["k"] == 60.0)
    assert live.session.measured().a[0] == pytest.approx(-60.0 * 0.3 / 2.0)
    # a quarter of the shorter period later it passes the middle
    live.steering.ask(lambda session: session.advance(0.5 * np.pi / np.sqrt(60.0 / 2.0)))
    assert_soon(lambda: live.session.t > 0.0)
    assert_soon(lambda: abs(live.session.q[0]) < 0.01)


def test_the_speed(live, shown):
    slider = shown.get_by_role("slider").nth(0)
    turn(slider, "End", lambda: live.steering.speed == 5.0)
    turn(slider, "Home", lambda: live.steering.speed == 0.05)
    assert live.steering.speed == 0.05
    live.steering.set_speed(1.0)


def test_the_page_follows_the_system_into_the_dark_and_back(live, shown):
    """Whatever the browser: it chooses a picture by its scheme, and the server notices which."""
    for scheme in ("dark", "light", "dark", "light"):
        shown.emulate_media(color_scheme=scheme)
        assert_soon(lambda scheme=scheme: live.panel.dark.value == (scheme == "dark"))
    page = "() => document.documentElement.getAttribute('data-mantine-color-scheme')"
    assert_soon(lambda: shown.evaluate(page) == "light")


def test_a_drag_pulls_the_body(live, shown):
    time.sleep(1.0)  # the picture follows
    x, y = pixel(live, live.session.q[:3])
    shown.mouse.move(x, y)
    time.sleep(1.0)  # what is below the cursor is looked for frame by frame
    shown.mouse.down()
    shown.mouse.move(x + 15, y - 15, steps=3)
    shown.mouse.move(x + 60, y - 120, steps=6)
    assert_soon(lambda: live.session.grip is not None)
    shown.mouse.move(x + 60, y - 121)  # the page tells moves a few times a second
    assert_soon(lambda: abs(pixel(live, live.session.grip.target)[1] - y + 120) < 3.0)
    assert live.session.pull_force()[2] > 20.0  # upwards
    assert dict(live.session.grip.weights) == {"cube": 1.0}
    assert np.abs(live.session.grip.at).max() < 0.31  # on the cube
    goal = live.session.grip.target
    assert pixel(live, goal) == pytest.approx((x + 60, y - 120), abs=3.0)
    live.steering.ask(lambda session: live.steering.play(True))
    # held against the spring, it comes to rest near the cursor
    assert_soon(lambda: live.session.t > 3.0)
    assert live.session.held_point()[2] == pytest.approx(goal[2], abs=0.05)
    assert live.session.q[2] > 0.05  # it was at 0
    shown.mouse.up()
    assert_soon(lambda: live.session.grip is None)


def test_a_failure_becomes_a_sentence_and_reset_helps(live, shown):
    live.steering.ask(lambda session: session.set_parameter("k", 1e12))  # no step is short enough
    press(shown, "Play")
    sentence = shown.get_by_text("faster than a fixed step can follow")
    appears(sentence)
    assert shown.get_by_text("begins again").is_visible()
    assert live.session.failure is not None
    assert not live.steering.playing
    live.steering.ask(lambda session: session.reset_parameters())
    press(shown, "Reset")
    assert_soon(lambda: live.session.failure is None and live.session.t == 0.0)
    assert_soon(lambda: not sentence.is_visible())
    press(shown, "Play")
    assert_soon(lambda: live.session.t > 0.05)


def test_a_closed_page_loses_nothing(live, shown):
    live.steering.ask(lambda session: session.advance(0.123))
    assert_soon(lambda: live.session.t > 0.1)
    shown.goto("about:blank")
    assert_soon(lambda: not live.server.get_clients())
    assert live.session.t == pytest.approx(0.123)
    shown.goto(live.url)
    appears(shown.get_by_text("t = 0.123 s"))
    appears(shown.get_by_role("button", name="Play"))


def test_nothing_was_asked_of_other_hosts_and_no_error_was_shown(tab, complaints_of):
    found = complaints_of(tab)
    assert [c for c in found if not any(part in c for part in HARMLESS)] == []


def test_only_this_computer_is_served(live):
    assert live.url.startswith("http://127.0.0.1:")
    with urllib.request.urlopen(live.url) as answer:
        assert answer.status == 200
    # another address of the same machine: it would be served if all interfaces were
    with pytest.raises(OSError, match=r"refused|timed out"):
        urllib.request.urlopen(live.url.replace("127.0.0.1", "127.0.0.2"), timeout=5)
