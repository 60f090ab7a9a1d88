"""The page of a run in a browser: all stands where the solution says, every control works."""

import io

import numpy as np
import pytest

import dalembert as dl
from dalembert.scene import follow

pytestmark = pytest.mark.share(3)

FPS = 50.0
EVERY = 20
"""Steps of 1 ms between two frames: every frame is a sample of the run."""
SMALL = {"width": 900, "height": 520}
"""Without a graphics card large pictures are slow."""


@pytest.fixture(scope="module")
def solution():
    """A crank-rocker of three bodies, turning."""
    return dl.simulate(dl.catalog.load("four-bar-3d"), until=2.0, step=1e-3)


@pytest.fixture(scope="module")
def address(solution, tmp_path_factory):
    """Its page."""
    path = tmp_path_factory.mktemp("player") / "four-bar.html"
    dl.save_html(solution, path, fps=FPS)
    return path.as_uri()


def opened(browser, address, harmless=(), **context):
    """A tab with the page, ready; it collects complaints."""
    tab = browser.new_page(**{"viewport": SMALL, "color_scheme": "light", **context})
    tab.set_default_timeout(120_000)
    tab.complaints = []

    def said(message):
        known = any(part in message.text for part in ("GPU stall", *harmless))
        if message.type in ("error", "warning") and not known:
            tab.complaints.append(message.text)

    def asked(request):
        if request.url != address and not request.url.startswith("data:"):
            tab.complaints.append(f"asked for {request.url}")

    tab.on("console", said)
    tab.on("pageerror", lambda problem: tab.complaints.append(str(problem)))
    tab.on("request", asked)
    tab.goto(address)
    tab.evaluate("async () => { await dalembert.ready }")
    return tab


@pytest.fixture(scope="module")
def shared(chromium, address):
    """One tab for all tests of this module; at the end nothing was wrong in any of them."""
    tab = opened(chromium, address)
    yield tab
    assert tab.complaints == []
    tab.close()


@pytest.fixture
def tab(shared):
    """The tab as at the start: paused at the first frame, seen from the front."""
    shared.evaluate(
        "() => { dalembert.pause(); dalembert.speed = 1; dalembert.view('front');"
        " document.activeElement?.blur(); dalembert.setFrame(0) }"
    )
    return shared


def settle(tab):
    """The picture has caught up."""
    tab.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")


# --------------------------------------------------------------------------------------- places


@pytest.mark.parametrize("frame", [0, 37, 100])
def test_bodies_stand_where_the_solution_says(tab, solution, frame):
    tab.evaluate(f"() => dalembert.setFrame({frame})")
    scene, _ = follow(solution, fps=FPS)
    assert tab.evaluate("() => dalembert.frames") == 101
    assert tab.evaluate("() => dalembert.time") == pytest.approx(solution.t[frame * EVERY])
    for name, body in solution.model.bodies.items():
        p, R = solution.trajectory.place(body.at())
        place = tab.evaluate("name => dalembert.bodyPosition(name)", name)
        assert np.abs(place - p[frame * EVERY]).max() < 1e-6 * scene.size
        w, x, y, z = tab.evaluate("name => dalembert.bodyRotation(name)", name)
        turned = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
        assert np.abs(turned - R[frame * EVERY]).max() < 1e-5


def test_what_is_drawn_stands_there_too(tab, solution):
    tab.evaluate("() => dalembert.setFrame(61)")
    scene, motion = follow(solution, fps=FPS)
    for b, body in enumerate(scene.bodies):
        matrix = np.reshape(tab.evaluate("name => dalembert.drawn(name)", body.name), (4, 4)).T
        _, R = solution.trajectory.place(solution.model.bodies[body.name].at())
        middle = motion.positions[61, b] + R[61 * EVERY] @ body.shapes[0].position
        assert np.abs(matrix[:3, 3] - middle).max() < 3e-6 * scene.size


def test_the_picture_shows_the_body_where_it_is(tab, solution):
    tab.evaluate("() => dalembert.setFrame(20)")
    scene, motion = follow(solution, fps=FPS)
    b = [body.name for body in scene.bodies].index("coupler")
    _, R = solution.trajectory.place(solution.model.bodies["coupler"].at())
    place = motion.positions[20, b] + R[20 * EVERY] @ scene.bodies[b].shapes[0].position
    x, y, _ = tab.evaluate("place => dalembert.project(place)", place.tolist())
    shown = picture(tab)
    wanted = np.array([int(scene.bodies[b].color[i : i + 2], 16) for i in (1, 3, 5)])
    around = shown[int(y) - 4 : int(y) + 5, int(x) - 4 : int(x) + 5].reshape(-1, 3)
    # Light and shade change the brightness, not the order of red, green and blue.
    nearest = around[np.argmin(np.abs(around - wanted).sum(axis=1))]
    assert np.abs(nearest - wanted).max() < 60
    assert np.abs(shown[5, shown.shape[1] - 5].astype(int) - wanted).max() > 60


def test_between_frames_it_interpolates(tab, solution):
    tab.evaluate("() => dalembert.setFrame(40.5)")
    p, _ = solution.trajectory.place(solution.model.bodies["coupler"].at())
    place = tab.evaluate("() => dalembert.bodyPosition('coupler')")
    bent = np.diff(p, 2, axis=0) / 1e-6
    # A straight line between two frames: off by (h^2 / 8) times the acceleration.
    assert np.abs(place - p[810]).max() < 1.1 * 0.02**2 / 8 * np.abs(bent).max()


def middle_of(tab, name):
    """Pixels of the view where the middle of a body's shape appears."""
    return tab.evaluate("name => dalembert.project(dalembert.drawn(name).slice(12, 15))", name)[:2]


def picture(tab):
    """The canvas as an array of colours."""
    from PIL import Image

    settle(tab)
    taken = tab.locator("#view").screenshot()
    return np.asarray(Image.open(io.BytesIO(taken)).convert("RGB"), dtype=int)


# -------------------------------------------------------------------------------------- playing


def test_the_page_begins_to_play(chromium, address):
    tab = opened(chromium, address)
    assert tab.evaluate("() => dalembert.playing")
    tab.close()
    still = opened(chromium, address, reduced_motion="reduce")
    assert not still.evaluate("() => dalembert.playing")
    still.close()


def test_picture_and_video_of_what_is_seen(tab):
    """Files of their kind, named as the run; the video ends with it, and repeating goes on."""
    with tab.expect_download() as kept:
        tab.click("#picture-button")
    assert kept.value.suggested_filename == "four-bar-3d.png"
    assert kept.value.path().read_bytes().startswith(b"\x89PNG")
    tab.evaluate("() => { dalembert.speed = 2 }")
    with tab.expect_download() as kept:
        tab.click("#film-button")
        assert tab.get_attribute("#film-button", "aria-pressed") == "true"
    assert kept.value.path().read_bytes().startswith(b"\x1a\x45\xdf\xa3")  # EBML
    assert tab.evaluate("() => dalembert.time === dalembert.app.clock.end")
    assert tab.evaluate("() => dalembert.app.clock.loop")


BEATS = (
    "() => { window.beats = 0; const real = window.requestAnimationFrame;"
    " window.requestAnimationFrame = (call) => { window.beats++; return real(call) } }"
)
"""Counts the beats that the page asks the browser for."""

HIDE = (
    "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
    " document.dispatchEvent(new Event('visibilitychange')) }"
)


def test_nothing_is_drawn_while_nothing_changes_or_nobody_looks(chromium, address):
    tab = opened(chromium, address, reduced_motion="reduce")
    settle(tab)
    tab.evaluate(BEATS)
    tab.wait_for_timeout(300)
    assert tab.evaluate("() => beats") == 0  # paused
    tab.evaluate("() => dalembert.play()")
    tab.wait_for_function("() => dalembert.time > 0.05 && beats > 2")
    tab.evaluate(HIDE, True)
    asked, time = tab.evaluate("() => [beats, dalembert.time]")
    tab.wait_for_timeout(300)
    assert tab.evaluate("() => [beats, dalembert.time]") == [asked, time]  # hidden
    tab.evaluate(HIDE, False)
    tab.wait_for_function("time => dalembert.time > time", arg=time)
    # at the end, without repeating
    tab.evaluate("() => { const { clock } = dalembert.app; clock.loop = false; clock.seek(1.99) }")
    tab.wait_for_function("() => !dalembert.playing")
    settle(tab)
    asked = tab.evaluate("() => beats")
    tab.wait_for_timeout(300)
    assert tab.evaluate("() => beats") == asked
    assert tab.complaints == []
    tab.close()


def test_a_frame_that_is_scrolled_away_rests(chromium, address, tmp_path):
    path = tmp_path / "notebook.html"
    path.write_text(
        f"<!doctype html><iframe src='{address}' style='width:600px;height:300px'></iframe>"
        "<div style='height:5000px'></div>"
    )
    tab = chromium.new_page(viewport=SMALL)
    tab.goto(path.as_uri())
    frame = tab.query_selector("iframe").content_frame()
    frame.wait_for_function("() => window.dalembert?.app")
    assert frame.evaluate("() => dalembert.app.pulse.awake")
    tab.evaluate("() => scrollTo(0, 4000)")
    frame.wait_for_function("() => !dalembert.app.pulse.awake", polling=50)
    tab.evaluate("() => scrollTo(0, 0)")
    frame.wait_for_function("() => dalembert.app.pulse.awake", polling=50)
    tab.close()


def test_a_picture_has_the_names_that_are_seen(tab):
    """Names stand over the canvas in the page; a picture with them is another one."""
    from PIL import Image

    def kept():
        with tab.expect_download() as download:
            tab.keyboard.press("s")
        return np.asarray(Image.open(download.value.path()).convert("RGB"), dtype=int)

    bare = kept()
    tab.keyboard.press("n")
    named = kept()
    tab.keyboard.press("n")
    assert named.shape == bare.shape == (*picture(tab).shape[:2], 3)
    changed = np.any(np.abs(named - bare) > 60, axis=2)
    assert 200 < np.count_nonzero(changed) < 0.1 * changed.size


def test_play_and_pause(tab):
    tab.get_by_role("button", name="Play", exact=True).click()
    tab.wait_for_function("() => dalembert.time > 0.05")
    assert tab.evaluate("() => dalembert.playing")
    tab.get_by_role("button", name="Pause", exact=True).click()
    stopped = tab.evaluate("() => dalembert.time")
    settle(tab)
    assert tab.evaluate("() => dalembert.time") == stopped


def test_speed_is_run_time_over_real_time(tab):
    tab.locator("#speed").select_option("0.25")
    assert tab.evaluate("() => dalembert.speed") == 0.25
    # The clock is asked with moments of our own: the machine may be slow.
    times = tab.evaluate(
        "() => { const { clock } = dalembert.app; clock.play(); const seen = [];"
        " for (const now of [1000, 1100, 1200]) { clock.tick(now); seen.push(clock.time) }"
        " clock.pause(); return seen }"
    )
    assert np.diff(times) == pytest.approx([0.025, 0.025])


def test_the_end_repeats_or_stops(tab):
    ends = (
        "loop => { const { clock } = dalembert.app; clock.loop = loop;"
        " clock.seek(clock.end - 0.01); clock.play(); clock.tick(1000); clock.tick(1050);"
        " const seen = [clock.time, clock.playing]; clock.pause(); clock.loop = true; return seen }"
    )
    assert tab.evaluate(ends, True) == [pytest.approx(0.04), True]
    assert tab.evaluate(ends, False) == [pytest.approx(2.0), False]


def test_scrubbing(tab):
    box = tab.locator("#scrub").bounding_box()
    tab.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert tab.evaluate("() => dalembert.time") == pytest.approx(1.0, abs=0.05)
    assert (
        tab.locator("#time").inner_text() == f"{tab.evaluate('() => dalembert.time'):.3f} / 2.000 s"
    )


def test_keys(tab):
    press = tab.keyboard.press
    press("ArrowRight")
    press("ArrowRight")
    assert tab.evaluate("() => dalembert.frame") == pytest.approx(2)
    press("ArrowLeft")
    assert tab.evaluate("() => dalembert.frame") == pytest.approx(1)
    press("End")
    assert tab.evaluate("() => dalembert.time") == pytest.approx(2.0)
    press("Home")
    press("Shift+ArrowRight")
    assert tab.evaluate("() => dalembert.time") == pytest.approx(1.0)
    press("+")
    assert tab.evaluate("() => dalembert.speed") == 2
    press("-")
    press("-")
    assert tab.evaluate("() => dalembert.speed") == 0.5
    press("Space")
    assert tab.evaluate("() => dalembert.playing")
    press("Space")
    assert not tab.evaluate("() => dalembert.playing")
    press("4")
    assert tab.locator("[data-view=iso]").get_attribute("aria-pressed") == "true"
    press("w")
    tab.wait_for_function("() => document.fullscreenElement !== null")
    press("w")
    tab.wait_for_function("() => document.fullscreenElement === null")
    press("?")
    assert tab.locator("#help").is_visible()
    press("Escape")
    assert not tab.locator("#help").is_visible()


def test_trails_come_and_go(tab):
    count = "() => dalembert.app.views[0].trails.lines.size"
    before = tab.evaluate(count)
    tab.keyboard.press("t")
    after = tab.evaluate(count)
    assert (before == 0) != (after == 0)
    tab.keyboard.press("t")
    assert tab.evaluate(count) == before


def test_the_camera_follows_a_body(tab):
    tab.evaluate("() => dalembert.app.controls.setFollow('crank')")
    tab.evaluate("() => dalembert.setFrame(0)")
    first = middle_of(tab, "crank")
    tab.evaluate("() => dalembert.setFrame(30)")
    assert middle_of(tab, "crank") == pytest.approx(first, abs=2.0)
    tab.evaluate("() => { dalembert.app.controls.setFollow(''); dalembert.setFrame(0) }")
    fixed = middle_of(tab, "crank")
    tab.evaluate("() => dalembert.setFrame(30)")
    assert np.hypot(*np.subtract(middle_of(tab, "crank"), fixed)) > 20.0


def test_views_look_along_their_axes(tab):
    """The motion is in x and z: from the front both are seen, from the side only z."""
    places = {}
    for view in ("front", "side", "top"):
        tab.evaluate("view => dalembert.view(view)", view)
        here = [tab.evaluate("p => dalembert.project(p)", p)[:2] for p in np.eye(3).tolist()]
        origin = tab.evaluate("() => dalembert.project([0, 0, 0])")[:2]
        places[view] = np.abs(np.subtract(here, origin)).max(axis=1)
    assert places["front"][1] < 1.0 < 20.0 < min(places["front"][[0, 2]])
    assert places["side"][0] < 1.0 < 20.0 < min(places["side"][1:])
    assert places["top"][2] < 1.0 < 20.0 < min(places["top"][:2])


def test_the_whole_motion_is_in_view(tab, solution):
    tab.evaluate("() => dalembert.view('front')")
    box = tab.locator("#view").bounding_box()
    _, motion = follow(solution, fps=10)
    for place in motion.points.reshape(-1, 3):
        x, y, _ = tab.evaluate("p => dalembert.project(p)", place.tolist())
        assert 0 < x < box["width"]
        assert 0 < y < box["height"]


def test_names_where_the_pointer_is(tab):
    tab.evaluate("() => dalembert.setFrame(20)")
    x, y = middle_of(tab, "coupler")
    box = tab.locator("#view").bounding_box()
    tab.mouse.move(box["x"] + x, box["y"] + y)
    tab.wait_for_function("() => document.getElementById('tip').classList.contains('on')")
    assert tab.locator("#tip b").inner_text() == "coupler"
    tab.mouse.move(box["x"] + 5, box["y"] + box["height"] - 5)
    tab.wait_for_function("() => !document.getElementById('tip').classList.contains('on')")


# ------------------------------------------------------------------------------ arrows and plots


def test_arrows_are_the_reactions(tab, solution):
    tab.evaluate("() => dalembert.setFrame(33)")
    assert all(arrow["length"] == 0 for arrow in tab.evaluate("() => dalembert.arrows()"))
    tab.keyboard.press("a")
    arrows = [a for a in tab.evaluate("() => dalembert.arrows()") if a["unit"] == "N"]
    assert {a["name"] for a in arrows} == {"hinge_A", "hinge_B", "hinge_C", "hinge_D"}
    for arrow in arrows:
        force = solution.reaction(arrow["name"]).force
        largest = np.linalg.norm(force, axis=1).max()
        assert np.abs(force[33 * EVERY] - arrow["vector"]).max() < 2.0**-12 * largest
        assert arrow["length"] > 0
    lengths = [arrow["length"] for arrow in arrows]
    tab.evaluate("() => dalembert.app.controls.setScale(Math.log10(2))")
    doubled = [a["length"] for a in tab.evaluate("() => dalembert.arrows()") if a["unit"] == "N"]
    assert doubled == pytest.approx([2 * length for length in lengths])
    tab.evaluate("() => dalembert.app.controls.setScale(0)")
    tab.keyboard.press("a")


def test_plots_read_what_the_solution_says(tab, solution):
    tab.evaluate("() => dalembert.setFrame(33)")
    energy = tab.evaluate("() => dalembert.plots()")[0]
    assert energy["title"] == "Energy [J]"
    found = dict(zip(energy["curves"], map(float, energy["readings"]), strict=True))
    assert found["energy/kinetic energy"] == pytest.approx(solution.kinetic[33 * EVERY], rel=1e-3)
    assert found["energy/total energy"] == pytest.approx(solution.energy[33 * EVERY], rel=1e-3)


def test_dragging_in_a_plot_moves_the_motion(tab):
    canvas = tab.locator(".plot canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    left, right = box["x"] + 54, box["x"] + box["width"] - 10
    tab.mouse.move(left, box["y"] + 60)
    tab.mouse.down()
    tab.mouse.move((left + right) / 2, box["y"] + 60)
    tab.mouse.up()
    assert tab.evaluate("() => dalembert.time") == pytest.approx(1.0, abs=0.03)
    settle(tab)
    cursor = tab.evaluate("() => dalembert.plots()[0].cursor")
    assert cursor == pytest.approx((left + right) / 2 - box["x"], abs=2)


def test_any_curve_can_be_plotted(tab, solution):
    before = len(tab.evaluate("() => dalembert.plots()"))
    tab.locator("#add-plot").select_option("body/coupler.z")
    plots = tab.evaluate("() => dalembert.plots()")
    assert len(plots) == before + 1
    assert plots[-1]["curves"] == ["body/coupler.z"]
    p, _ = solution.trajectory.place(solution.model.bodies["coupler"].at())
    z = tab.evaluate("() => dalembert.curve('body/coupler.z', 61)")
    assert z == pytest.approx(p[61 * EVERY, 2], abs=1e-5)
    tab.locator("#add-plot").select_option("body/coupler.x")  # joins it: same group, same unit
    assert len(tab.evaluate("() => dalembert.plots()")) == before + 1
    tab.locator(".plot").last.get_by_role("button", name="Close this plot").click()
    assert len(tab.evaluate("() => dalembert.plots()")) == before


# ------------------------------------------------------------------------------- look and readers


def test_light_and_dark(tab):
    corner = picture(tab)[-5, -5]
    assert tab.locator("#app").get_attribute("data-theme") == "light"
    tab.keyboard.press("d")
    assert tab.locator("#app").get_attribute("data-theme") == "dark"
    dark = picture(tab)[-5, -5]
    assert corner.min() > 180
    assert dark.max() < 90
    tab.get_by_role("button", name="Light or dark").click()
    assert tab.locator("#app").get_attribute("data-theme") == "light"


def test_the_report_is_on_the_page(tab, solution):
    chip = tab.locator("#fidelity")
    assert f"{solution.worst['phi']:.1e}".replace("e-0", "e-") in chip.inner_text()
    chip.click()
    report = tab.locator("#report").inner_text()
    assert chip.inner_text().startswith("good")
    assert report.splitlines()[1].split() == ["verdict", "good"]
    assert "Projection" in report
    assert "energy error" in report
    chip.click()
    assert not tab.locator("#report").is_visible()


def test_every_control_has_a_name(tab):
    unnamed = tab.evaluate(
        "() => [...document.querySelectorAll('button, input, select')].filter(e =>"
        " !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length))"
        ".map(e => e.outerHTML)"
    )
    assert unnamed == []


def test_focus_is_seen(tab):
    tab.keyboard.press("Tab")
    outline = tab.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_a_phone_in_the_dark(chromium, address):
    size = {"width": 390, "height": 760}
    tab = opened(chromium, address, viewport=size, has_touch=True, color_scheme="dark")
    assert tab.locator("#app").get_attribute("data-theme") == "dark"
    assert tab.evaluate("() => document.documentElement.scrollWidth") <= size["width"]
    tab.get_by_role("button", name="Pause", exact=True).tap()  # it began to play
    for name in ("Play", "One frame on", "Keys and help", "Repeat"):
        box = tab.get_by_role("button", name=name, exact=True).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        assert box["y"] + box["height"] <= size["height"]
        assert min(box["width"], box["height"]) >= 40
    picture_box = tab.locator("#view").bounding_box()
    assert picture_box["height"] > 200
    x, y = middle_of(tab, "coupler")
    tab.touchscreen.tap(picture_box["x"] + x, picture_box["y"] + y)
    assert tab.locator("#tip b").inner_text() == "coupler"
    assert tab.complaints == []
    tab.close()


def test_without_webgl_the_page_says_so_and_plots(chromium, address):
    tab = chromium.new_page(viewport=SMALL)
    tab.add_init_script(
        "const get = HTMLCanvasElement.prototype.getContext;"
        " HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {"
        " return kind.startsWith('webgl') ? null : get.call(this, kind, ...rest) }"
    )
    tab.goto(address)
    tab.evaluate("async () => { await dalembert.ready }")
    assert "WebGL" in tab.locator("#note").inner_text()
    tab.keyboard.press("Space")  # it began to play, and would begin again
    tab.keyboard.press("End")
    assert tab.evaluate("() => dalembert.time") == pytest.approx(2.0)
    assert tab.locator(".plot").count() >= 2
    tab.close()


LONG = "a_name_without_any_space_that_somebody_gave_to_a_part_of_a_robot_from_a_file_"


def test_long_names_stay_inside(chromium, tmp_path):
    model = dl.Model(f"{LONG}robot")
    one = model.add_body(f"{LONG}arm", dl.Inertia.box(1.0, size=(1.0, 0.1, 0.1)))
    joint = dl.Revolute(model.world.at(), one.at(x=-0.5), axis="y", name=f"{LONG}shoulder")
    model.add_joint(joint)
    path = tmp_path / "long.html"
    runs = [dl.simulate(model, until=0.2, step=1e-2)] * 2
    dl.save_html(runs, path, names=[f"{LONG}first", f"{LONG}second"], plots=["reaction"])
    for size in (SMALL, {"width": 390, "height": 760}):
        tab = opened(chromium, path.as_uri(), viewport=size, reduced_motion="reduce")
        tab.evaluate("() => { document.getElementById('show').open = true }")
        outside = tab.evaluate(
            "() => [...document.querySelectorAll('#panel, header, #labels .run')].filter(e =>"
            " e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'hidden'"
            " || e.getBoundingClientRect().left < -1"
            " || e.getBoundingClientRect().right > innerWidth + 1).map(e => e.id || e.className)"
        )
        assert outside == []
        # cut in the middle: names of one file differ at their ends
        ends = [text[-5:] for text in tab.locator("#labels .run").all_inner_texts()]
        assert ends == ["first", "econd"]
        legend = tab.locator(".plot .legend span").first
        assert len(legend.inner_text()) < len(LONG)
        assert legend.get_attribute("title") == f"|{LONG}shoulder|"
        x, y = middle_of(tab, f"{LONG}arm")
        box = tab.locator("#view").bounding_box()
        tab.mouse.move(box["x"] + x, box["y"] + y)
        tab.wait_for_function("() => document.getElementById('tip').classList.contains('on')")
        tip = tab.locator("#tip").bounding_box()
        assert tip["x"] >= box["x"]
        assert tip["x"] + tip["width"] <= box["x"] + box["width"]
        assert tab.complaints == []
        tab.close()


def test_bodies_stand_on_the_floor_of_the_page(chromium, tmp_path):
    """A plane without end is no plate of its own: one floor, at its height."""
    model = dl.Model("cube")
    model.add_shape(dl.Plane(), name="ground")
    cube = model.add_body("cube", dl.Inertia.box(1.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.3))
    model.add_shape(dl.Box(size=(0.2, 0.2, 0.2)), on=cube)
    path = tmp_path / "cube.html"
    dl.save_html(dl.simulate(model, until=0.1, step=5e-3), path)
    tab = opened(chromium, path.as_uri(), reduced_motion="reduce")
    found = tab.evaluate(
        "() => { const { stage, views } = dalembert.app; const { grid, shade } = stage.grounds[0];"
        " return { heights: [grid, shade].map(m => m.matrix.elements[14]),"
        " solid: stage.grounds[0].solid, trails: views[0].trails.lines.size,"
        " plates: views[0].mechanism.batches.filter("
        "   b => b.mesh.userData.layer === 'ground').length } }"
    )
    assert found == {"heights": [0, 0], "solid": True, "trails": 1, "plates": 0}
    assert tab.complaints == []
    tab.close()


def test_a_point_on_a_straight_way_is_a_cart_on_a_rail(chromium, tmp_path):
    s, x, y = dl.coordinates("s x y")
    model = dl.Model.from_lagrangian(
        kinetic=s.dot**2 + (x.dot**2 + y.dot**2) / 2,
        potential=20.0 * s**2 + 9.81 * y,
        constraints={"rod": (x - s) ** 2 + y**2 - 1.0},
        initial={s: 0.3, x: 0.9, y: -0.8},
        points={"wall": (-1.5, 0.0), "cart": (s, 0.0), "bob": (x, y)},
        lines=[("wall", "cart"), ("cart", "bob")],
        name="cart",
    )
    path = tmp_path / "cart.html"
    dl.save_html(dl.simulate(model, until=1.0, step=1e-2), path)
    tab = opened(chromium, path.as_uri(), reduced_motion="reduce")
    scene = "dalembert.app.runs[0].scene"
    assert tab.evaluate(f"() => {scene}.links.map(l => l.kind)") == ["spring", "bar"]
    assert tab.evaluate(f"() => {scene}.points.map(p => p.slide !== null)") == [False, True, False]
    assert tab.evaluate(f"() => {scene}.trails") == [2]  # the rail shows the way of the cart
    rails = tab.evaluate(
        "() => dalembert.app.views[0].mechanism.batches.filter("
        "b => b.mesh.userData.layer === 'joints').length"
    )
    assert rails == 1
    assert tab.complaints == []
    tab.close()


# -------------------------------------------------------------------------------- several runs


def test_two_runs_side_by_side_and_overlaid(chromium, tmp_path):
    model = dl.catalog.load("pendulum")
    long = dl.simulate(model, until=1.0, step=1e-2)
    short = dl.simulate(model, until=0.5, step=1e-2, method=dl.UdwadiaKalaba())
    path = tmp_path / "both.html"
    nasty = "</script><script>window.caught = true</script> & <b>two</b>"
    dl.save_html([long, short], path, title=nasty, names=["long", "short"], fps=100)
    tab = opened(chromium, path.as_uri())
    assert tab.title() == nasty
    assert not tab.evaluate("() => window.caught ?? false")
    assert tab.locator("#labels .run").all_inner_texts() == ["long", "short"]
    for time, second in ((0.3, 0.3), (0.8, 0.5)):
        tab.evaluate("time => dalembert.setTime(time)", time)
        for run, solution, moment in ((0, long, time), (1, short, second)):
            q, _ = solution.at(moment)
            place = tab.evaluate(f"name => dalembert.pointPosition(name, {run})", "mass")
            assert place[:2] == pytest.approx(q, abs=1e-5)
    width = tab.locator("#view").bounding_box()["width"]
    first, second = (
        tab.evaluate(f"() => dalembert.project([0, 0, 0], {run})")[0] for run in (0, 1)
    )
    assert second - first == pytest.approx(width / 2, abs=1)
    tab.keyboard.press("c")
    assert [text[:5] for text in tab.locator("#labels .run").all_inner_texts()] == [
        "solid",
        "faint",
    ]
    first, second = (
        tab.evaluate(f"() => dalembert.project([0, 0, 0], {run})")[0] for run in (0, 1)
    )
    assert second == pytest.approx(first)
    settle(tab)
    assert tab.complaints == []
    tab.close()


# -- events ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def caught():
    """A pendulum on a string that flies and is caught."""
    return dl.simulate(dl.catalog.load("string-pendulum"), until=2.0)


def test_events_are_ticks_of_the_time_axis(chromium, caught, tmp_path):
    dl.save_html(caught, tmp_path / "string.html")
    tab = opened(chromium, (tmp_path / "string.html").as_uri())
    tab.evaluate("() => { dalembert.pause(); dalembert.setFrame(0) }")
    ticks = tab.locator("#ticks .tick")
    assert ticks.count() == len({e.t for e in caught.log})
    # where the slider stands at that moment
    track, last = tab.locator("#ticks").bounding_box(), ticks.last.bounding_box()
    part = (last["x"] + last["width"] / 2 - track["x"]) / track["width"]
    assert part == pytest.approx(caught.log[-1].t / 2.0, abs=5e-3)
    said = tab.locator("#said")
    assert said.is_hidden()
    ticks.last.hover()
    assert said.inner_text().splitlines() == [
        "1.22099 s  impact: string, -4.88 to 0 m/s",
        "1.22099 s  close: string",
    ]
    ticks.last.click()
    assert tab.evaluate("dalembert.time") == pytest.approx(caught.log[-1].t, abs=1e-6)
    assert tab.locator("#phases canvas").get_attribute("aria-label").endswith(": string")
    assert "open" in tab.locator("#phases .legend").inner_text()
    assert tab.complaints == []
    tab.close()


def test_a_run_without_events_has_no_ticks(tab):
    assert tab.locator("#ticks").is_hidden()
    assert tab.locator("#phases").count() == 0
