"""The live view in a browser: what is done in the page reaches the simulation."""

import time
import urllib.request

import numpy as np
import pytest

import dalembert as dl

pytest.importorskip("viser")

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


def wait(condition, seconds=20.0):
    """Until it is so; the machine may be slow."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def lighten(view):
    """No shadows: without a graphics card they take most of the time."""
    view.server.scene.configure_default_lights(cast_shadow=False)


@pytest.fixture
def page(page):
    """A small one is drawn faster."""
    page.set_viewport_size({"width": 800, "height": 500})
    return page


@pytest.fixture
def live():
    view = dl.view(block(), step=1e-3, fps=10, open_browser=False, block=False, port=8931)
    lighten(view)
    yield view
    view.stop()


@pytest.fixture
def shown(live, page):
    """The page, when it is connected and the motion has begun."""
    page.goto(live.url)
    page.get_by_role("button", name="Pause").wait_for()
    wait(lambda: live.session.t > 0.0)
    return page


def press(page, name):
    """A click that does not wait for animations to end."""
    page.get_by_role("button", name=name, exact=True).first.evaluate("button => button.click()")


def pause(live, page):
    press(page, "Pause")
    wait(lambda: not live.steering.playing)
    page.get_by_role("button", name="Play").wait_for()


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


def test_pause_step_reset(live, shown, complaints):
    pause(live, shown)
    t, q = live.session.t, live.session.q
    time.sleep(0.3)
    assert live.session.t == t
    assert np.array_equal(live.session.q, q)
    press(shown, "1 step")
    wait(lambda: live.session.t > t)
    assert live.session.t == pytest.approx(t + 1e-3)
    press(shown, "1 frame")
    wait(lambda: live.session.t > t + 2e-3)
    assert live.session.t == pytest.approx(t + 1e-3 + 1 / 60, abs=1.1e-3)
    press(shown, "Reset")
    wait(lambda: live.session.t == 0.0)
    assert live.session.q[0] == pytest.approx(0.3)
    press(shown, "Play")
    wait(lambda: live.session.t > 0.05)
    assert [c for c in complaints if not any(part in c for part in HARMLESS)] == []


def test_a_slider_changes_the_motion(live, shown):
    pause(live, shown)
    live.steering.ask(lambda session: session.reset())
    wait(lambda: live.session.t == 0.0)
    assert live.session.measured().a[0] == pytest.approx(-20.0 * 0.3 / 2.0)
    slider = shown.get_by_role("slider").nth(1)  # the first is the speed
    slider.focus()
    slider.press("End")
    wait(lambda: live.session.parameters["k"] == 60.0)
    assert live.session.measured().a[0] == pytest.approx(-60.0 * 0.3 / 2.0)
    # a quarter of the shorter period later it passes the middle
    live.session.advance(0.5 * np.pi / np.sqrt(60.0 / 2.0))
    assert abs(live.session.q[0]) < 0.01


def test_a_drag_pulls_the_body(live, shown):
    pause(live, shown)
    live.steering.ask(lambda session: session.reset())
    wait(lambda: live.session.t == 0.0)
    time.sleep(1.0)  # the picture follows
    x, y = pixel(live, live.session.q[:3])
    shown.mouse.move(x, y)
    time.sleep(1.0)  # what is below the cursor is looked for frame by frame
    shown.mouse.down()
    shown.mouse.move(x + 15, y - 15, steps=3)
    shown.mouse.move(x + 60, y - 120, steps=6)
    wait(lambda: live.session.grip is not None)
    wait(lambda: live.session.pull_force()[2] > 50.0)  # upwards
    assert dict(live.session.grip.weights) == {"cube": 1.0}
    assert np.abs(live.session.grip.at).max() < 0.31  # on the cube
    goal = live.session.grip.target
    assert pixel(live, goal) == pytest.approx((x + 60, y - 120), abs=3.0)
    live.steering.ask(lambda session: live.steering.play(True))
    # held against the spring, it comes to rest near the cursor
    wait(lambda: live.session.t > 3.0)
    assert live.session.held_point()[2] == pytest.approx(goal[2], abs=0.05)
    shown.mouse.up()
    wait(lambda: live.session.grip is None)


def test_a_failure_becomes_a_sentence_and_reset_helps(page):
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(
        kinetic=x.dot**2 / 2,
        forces={x: np.sqrt(1.0 - dl.time)},
        points={"bead": (x, 0.0)},
        name="root",
    )
    live = dl.view(model, step=1e-3, fps=10, open_browser=False, block=False, port=8941)
    lighten(live)
    try:
        page.goto(live.url)
        page.get_by_text("no longer a finite number").wait_for()
        assert page.get_by_text("Reset begins again").is_visible()
        assert live.session.t == pytest.approx(1.0, abs=2e-3)
        press(page, "Reset")
        wait(lambda: live.session.failure is None)
        assert live.session.t < 1.0
        page.get_by_text("no longer a finite number").wait_for(state="hidden")
    finally:
        live.stop()


def test_a_closed_page_loses_nothing(live, shown, chromium):
    pause(live, shown)
    t = live.session.t
    shown.goto("about:blank")
    wait(lambda: not live.server.get_clients())
    assert live.session.t == t
    again = chromium.new_page()
    again.goto(live.url)
    again.get_by_role("button", name="Play").wait_for()
    again.get_by_text(f"t = {t:.3f} s").wait_for()
    again.close()


def test_only_this_computer_is_served(live):
    assert live.url.startswith("http://127.0.0.1:")
    with urllib.request.urlopen(live.url) as answer:
        assert answer.status == 200
    # another address of the same machine: it would be served if all interfaces were
    with pytest.raises(OSError, match="refused|timed out"):
        urllib.request.urlopen(live.url.replace("127.0.0.1", "127.0.0.2"), timeout=5)
