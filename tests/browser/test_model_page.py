"""A page in which the model runs: driven by mouse, finger and keys, its numbers those of Python."""

import csv
import io

import numpy as np
import pytest
from tests.wasm_bits import NODE, in_node

import dalembert as dl
from dalembert.engine.live import engine_of

pytestmark = pytest.mark.share(3)

SMALL = {"width": 900, "height": 520}
PHONE = {"width": 390, "height": 760}
ROUNDING = 1e-11
"""Difference of two runs of a second that round differently."""


def opened(browser, path, **context):
    """A tab with the page, ready and paused at its start; it collects complaints."""
    tab = browser.new_page(**{"viewport": SMALL, "color_scheme": "light", **context})
    tab.set_default_timeout(120_000)
    tab.complaints = []
    address = path.as_uri()

    def said(message):
        if message.type in ("error", "warning") and "GPU stall" not in message.text:
            tab.complaints.append(message.text)

    def asked(request):
        if request.url != address and not request.url.startswith(("data:", "blob:")):
            tab.complaints.append(f"asked for {request.url}")

    tab.on("console", said)
    tab.on("pageerror", lambda problem: tab.complaints.append(str(problem)))
    tab.on("request", asked)
    tab.goto(address)
    tab.evaluate("async () => { await dalembert.ready }")
    tab.evaluate("() => { dalembert.pause(); dalembert.live.asGiven() }")
    return tab


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Pages, made once."""
    folder, made = tmp_path_factory.mktemp("pages"), {}

    def page(name, **options):
        key = (name, repr(options))
        if key not in made:
            path = folder / f"{name}-{len(made)}.html"
            made[key] = dl.save_html(dl.catalog.load(name), path, live=True, **options)
        return made[key]

    return page


@pytest.fixture(scope="module")
def pendulum(chromium, pages):
    tab = opened(chromium, pages("pendulum", step=1e-3))
    yield tab
    assert tab.complaints == []


@pytest.fixture
def tab(pendulum):
    """The pendulum at its start, paused."""
    pendulum.evaluate("() => { dalembert.pause(); dalembert.live.asGiven() }")
    return pendulum


def go(tab, seconds, run=0):
    """Go on, without the clock of the wall; q and v then."""
    found = tab.evaluate(
        "([seconds, run]) => { dalembert.app.clock.drive(seconds, Infinity);"
        " const { q, v } = dalembert.live.lives[run].engine.arrays;"
        " return [[...q], [...v]] }",
        [seconds, run],
    )
    return np.array(found[0]), np.array(found[1])


def turn(tab, name, value):
    """Move a slider by hand."""
    tab.evaluate(
        "([name, value]) => { const input = document.querySelector("
        '`input[type=range][name="${name}"]`); input.max = Math.max(input.max, value);'
        " input.min = Math.min(input.min, value); input.value = value;"
        " input.dispatchEvent(new Event('input', { bubbles: true })) }",
        [name, value],
    )


def note(tab):
    """The sentence on the page."""
    return tab.evaluate("() => document.getElementById('note').textContent")


def place(tab, point):
    """Where a point of the model is on the screen."""
    return tab.evaluate(
        "(name) => { dalembert.app.draw(); const box ="
        " document.getElementById('picture').getBoundingClientRect();"
        " const [x, y] = dalembert.project(dalembert.pointPosition(name));"
        " return [box.left + x, box.top + y] }",
        point,
    )


# ---------------------------------------------------------------------------------------- numbers


def test_a_run_is_that_of_simulate(tab):
    q, v = go(tab, 1.0)
    solution = dl.simulate(dl.catalog.load("pendulum"), until=1.0, step=1e-3)
    assert np.allclose(q, solution.q[-1], atol=ROUNDING)
    assert np.allclose(v, solution.v[-1], atol=ROUNDING)
    kinetic, potential, drift = tab.evaluate(
        "() => { const l = dalembert.live.lives[0]; return [l.kinetic, l.potential, l.drift[0]] }"
    )
    assert kinetic == pytest.approx(solution.kinetic[-1], abs=ROUNDING)
    assert potential == pytest.approx(solution.potential[-1], abs=ROUNDING)
    assert drift < 1e-13


def test_a_page_opens_with_one_picture_and_gets_ready_to_play(chromium, tmp_path):
    model = dl.catalog.load("double-pendulum")
    path = dl.save_html(model, tmp_path / "p.html", live=True, step=1e-3, play=False)
    tab = chromium.new_page(viewport=SMALL)
    tab.goto(path.as_uri())
    tab.evaluate("async () => { await dalembert.ready }")
    tab.wait_for_function("() => dalembert.live.rehearsed")
    drawn = "() => dalembert.app.stage.renderer.info.render.frame"
    tab.evaluate("() => new Promise((done) => setTimeout(done, 100))")
    # one picture (of shadows, too), and one more at most for what was asked while it opened
    assert tab.evaluate(drawn) <= 2
    # what was run ahead is forgotten
    assert tab.evaluate("() => [dalembert.time, dalembert.live.lives[0].t]") == [0.0, 0.0]
    q, _ = go(tab, 0.5)
    assert np.allclose(q, dl.simulate(model, until=0.5, step=1e-3).q[-1], atol=ROUNDING)


@pytest.mark.skipif(NODE is None, reason="there is no node")
@pytest.mark.parametrize("name", ["pendulum"])
def test_chromium_has_the_bits_of_node(chromium, pages, name):
    tab = opened(chromium, pages(name, step=1e-3))
    found = tab.evaluate(
        "() => { const l = dalembert.live.lives[0]; l.take(10000);"
        " const { q, v } = l.engine.arrays;"
        " const bytes = new Uint8Array(Float64Array.from([...q, ...v]).buffer);"
        " return [...bytes].map((x) => x.toString(16).padStart(2, '0')).join('') }"
    )
    engine = engine_of(dl.Session(dl.catalog.load(name), step=1e-3))
    assert found == in_node(engine, 10_000, 1)["hex"]
    assert tab.complaints == []


def test_a_slider_goes_to_the_nearest_state_as_a_session_does(tab):
    go(tab, 0.7)
    turn(tab, "l", 1.6)
    session = dl.Session(dl.catalog.load("pendulum"), step=1e-3)
    session.advance(0.7)
    session.set_parameter("l", 1.6)
    q, v = go(tab, 0.5)
    session.advance(0.5)
    assert np.allclose(q, session.q, atol=ROUNDING)
    assert np.allclose(v, session.v, atol=ROUNDING)


def test_reset_begins_with_the_parameters_as_they_are(tab):
    turn(tab, "l", 2.0)
    tab.get_by_role("button", name="Reset").first.click()
    q, _ = go(tab, 1.0)
    model = dl.catalog.load("pendulum").with_parameters(l=2.0)
    assert np.allclose(q, dl.simulate(model, until=1.0, step=1e-3).q[-1], atol=ROUNDING)


def start(tab):
    """Numbers beside the sliders of the start, by name."""
    return tab.evaluate(
        "() => Object.fromEntries([...dalembert.live.rows].filter(([key]) => key.startsWith("
        "'start ')).map(([key, { slider }]) => [key.slice(6), Number(slider.value)]))"
    )


@pytest.mark.parametrize("x", [0.8, 0.0, -1.0 + 1e-3])
def test_another_start_has_what_was_asked_for_and_the_rest_follows(tab, x):
    turn(tab, "start x", x)  # from a position in which x cannot begin to change
    assert note(tab) == ""
    y = (1.0 - x * x) ** 0.5
    assert start(tab) == pytest.approx({"x": x, "y": y, "x.dot": 0.0, "y.dot": 0.0}, abs=1e-9)
    turn(tab, "start x.dot", 0.5)
    assert start(tab)["y.dot"] == pytest.approx(-x * 0.5 / y, abs=1e-9)
    q, _ = go(tab, 0.5)
    model = dl.catalog.load("pendulum")
    initial = [x, y], [0.5, -x * 0.5 / y]
    solution = dl.simulate(model, initial=initial, until=0.5, step=1e-3)
    assert np.allclose(q, solution.q[-1], atol=1e-9)


def test_a_start_that_cannot_be_is_told_and_the_old_one_stays(tab):
    turn(tab, "start x", 1.5)
    assert note(tab).startswith("Initial state: no configuration near the given one meets")
    assert "'x' (off by 0.5)" in note(tab)
    assert start(tab)["x"] == 1.0
    q, _ = go(tab, 0.3)
    solution = dl.simulate(dl.catalog.load("pendulum"), until=0.3, step=1e-3)
    assert np.allclose(q, solution.q[-1], atol=ROUNDING)


def test_a_pull_is_that_of_a_session(tab):
    found = tab.evaluate(
        "() => { const l = dalembert.live.lives[0];"
        " l.pull({ weights: { mass: 1 }, target: [0.3, 0.4, 0] }); l.advance(0.5);"
        " const held = [...l.engine.arrays.q]; l.release(); l.advance(0.25);"
        " return [held, [...l.engine.arrays.q]] }"
    )
    session = dl.Session(dl.catalog.load("pendulum"), step=1e-3)
    session.pull("mass", None, [0.3, 0.4, 0.0])
    session.advance(0.5)
    assert np.allclose(found[0], session.q, atol=ROUNDING)
    session.release()
    session.advance(0.25)
    assert np.allclose(found[1], session.q, atol=ROUNDING)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [("four-bar-3d", "g", 4.0), ("arm", "servo2.kp", 300.0), ("slider-crank-bodies", "l2", 1.2)],
)
def test_bodies_are_turned_and_pulled_as_in_python(chromium, pages, name, parameter, value):
    tab = opened(chromium, pages(name, step=1e-3))
    session = dl.Session(dl.catalog.load(name), step=1e-3)
    go(tab, 0.2)
    session.advance(0.2)
    turn(tab, parameter, value)
    assert note(tab) == ""
    session.set_parameter(parameter, value)
    body = list(session.model.bodies)[-1]
    tab.evaluate(
        "(body) => { const l = dalembert.live.lives[0];"
        " l.pull({ body, at: [0.1, 0, 0], target: [0.5, 0.5, 0.5],"
        " center: dalembert.app.runs[0].scene.bodies[body].center }) }",
        len(session.model.bodies) - 1,
    )
    session.pull(body, [0.1, 0.0, 0.0], [0.5, 0.5, 0.5])
    go(tab, 0.3)
    session.advance(0.3)
    own = tab.evaluate("() => [...dalembert.live.lives[0].look()]")
    # q and -q are one rotation
    found, wanted = np.reshape(own, (-1, 7)), session.q.reshape(-1, 7)
    same = np.where((found[:, 3:] * wanted[:, 3:]).sum(axis=1) < 0.0, -1.0, 1.0)
    found[:, 3:] *= same[:, None]
    assert np.allclose(found, wanted, atol=1e-9)
    assert tab.complaints == []


def started_by_formulas():
    """A mass on a spring that begins where, and as fast as, parameters say."""
    (x,) = dl.coordinates("x")
    far, k, fast = dl.parameters(far=0.5, k=2.0, fast=1.0)
    return dl.Model.from_lagrangian(
        kinetic=0.5 * x.dot**2,
        potential=0.5 * k * x**2,
        initial={x: far**2, x.dot: -fast},
        points={"mass": (x, 0.0)},
        name="spring",
    )


def test_a_start_of_formulas_follows_its_parameters(chromium, tmp_path):
    model = started_by_formulas()
    tab = opened(chromium, dl.save_html(model, tmp_path / "p.html", live=True, step=1e-3))
    go(tab, 0.2)
    turn(tab, "k", 3.0)  # goes on
    assert tab.evaluate("() => dalembert.live.lives[0].t") == pytest.approx(0.2)
    turn(tab, "far", 0.9)  # in the start alone: begins anew
    assert tab.evaluate("() => dalembert.live.lives[0].t") == 0.0
    turn(tab, "fast", 2.0)
    q, v = go(tab, 0.6)
    other = model.with_parameters(k=3.0, far=0.9, fast=2.0)
    solution = dl.simulate(other, until=0.6, step=1e-3)
    assert np.allclose([q, v], [solution.q[-1], solution.v[-1]], atol=ROUNDING)


@pytest.mark.slow
def test_a_start_of_bodies_follows_its_parameters(chromium, pages):
    tab = opened(chromium, pages("four-bar-3d", step=1e-3))
    turn(tab, "rate", 3.3)
    go(tab, 0.4)
    found = np.array(tab.evaluate("() => [...dalembert.live.lives[0].look()]"))
    model = dl.catalog.load("four-bar-3d").with_parameters(rate=3.3)
    solution = dl.simulate(model, until=0.4, step=1e-3)
    assert np.allclose(found, solution.q[-1], atol=1e-9)


@pytest.mark.slow
def test_gears_begin_with_the_turns_that_were_asked_for(chromium, pages):
    """Wherever the run has come to meanwhile; angles and relations count whole turns."""
    tab = opened(chromium, pages("gear-train", step=1e-3))
    model = dl.catalog.load("gear-train")
    for value in (-0.5, 0.5):
        go(tab, 1.2)
        turn(tab, "start guide.displacement", value)
        assert note(tab) == ""
        go(tab, 0.3)
        solution = dl.simulate(model, until=0.3, step=1e-3, initial={"guide.displacement": value})
        for name in ("guide.displacement", "pinion_axle.angle", "wheel_axle.angle"):
            assert signal(tab, name) == pytest.approx(solution[name][-1], abs=1e-9)
        assert signal(tab, "position drift |phi|") < 1e-9
    # nor is a turn lost where a parameter is turned on the way
    go(tab, 1.2)
    before = signal(tab, "pinion_axle.angle")
    assert abs(before) > 2.0 * np.pi
    turn(tab, "g", 5.0)
    assert signal(tab, "pinion_axle.angle") == pytest.approx(before, abs=1e-9)
    assert tab.complaints == []


@pytest.mark.slow
def test_bodies_begin_where_a_joint_is_asked_to(chromium, pages):
    tab = opened(chromium, pages("four-bar-3d", step=1e-3))
    was = start(tab)["hinge_A.angle"]
    turn(tab, "start hinge_A.angle", was + 0.7)
    turn(tab, "start hinge_A.angle.dot", 2.5)
    assert note(tab) == ""
    assert start(tab)["hinge_A.angle"] == pytest.approx(was + 0.7, abs=1e-9)
    go(tab, 0.4)
    found = np.array(tab.evaluate("() => [...dalembert.live.lives[0].look()]"))
    asked = {"hinge_A.angle": was + 0.7}
    model = dl.catalog.load("four-bar-3d")
    made = dl.assemble(model, hold=asked, velocities={"hinge_A": 2.5})
    solution = dl.simulate(model, initial=made, until=0.4, step=1e-3)
    assert np.allclose(found, solution.q[-1], atol=1e-8)
    assert tab.complaints == []


@pytest.mark.slow
def test_a_ball_is_thrown_and_bounces_as_sliders_say(chromium, pages):
    tab = opened(chromium, pages("bouncing-ball", step=1e-3))
    turn(tab, "e", 0.5)
    turn(tab, "mu", 0.2)
    turn(tab, "start ball.z", 0.7)
    turn(tab, "start ball.x.dot", 1.0)
    assert note(tab) == ""
    go(tab, 1.0)
    found = np.array(tab.evaluate("() => [...dalembert.live.lives[0].look()]"))
    model = dl.catalog.load("bouncing-ball").with_parameters(e=0.5, mu=0.2)
    solution = dl.simulate(model, initial={"ball.z": 0.7, "ball.x.dot": 1.0}, until=1.0, step=1e-3)
    assert np.allclose(found, solution.q[-1], atol=1e-9)
    # what cannot be is told in the words of Python, and the old value stays
    turn(tab, "e", 1.5)
    session = dl.Session(dl.catalog.load("bouncing-ball"), step=1e-3)
    with pytest.raises(dl.errors.ModelError) as problem:
        session.set_parameter("e", 1.5)
    assert note(tab) == str(problem.value)
    assert tab.evaluate("() => dalembert.live.lives[0].values.get('e')") == 0.5
    assert tab.complaints == []


# ---------------------------------------------------------------------------------------- signals


def signal(tab, name):
    """The last value of a curve."""
    return tab.evaluate(
        "(name) => { const [run] = dalembert.app.runs;"
        " const k = run.scene.signals.findIndex((s) => s.name === name);"
        " if (k < 0) throw new Error(run.scene.signals.map((s) => s.name).join(', '));"
        " return run.curve(k, run.frames - 1) }",
        name,
    )


def test_the_force_of_a_constraint_is_a_curve(tab):
    go(tab, 0.5)
    solution = dl.simulate(dl.catalog.load("pendulum"), until=0.5, step=1e-3)
    (name,) = solution.constraint_slices
    assert signal(tab, name) == pytest.approx(solution[f"{name}.force"][-1], abs=1e-9)
    # also under a pull
    tab.evaluate(
        "() => { const l = dalembert.live.lives[0];"
        " l.pull({ weights: { mass: 1 }, target: [0.3, 0.4, 0] }) }"
    )
    go(tab, 0.2)
    session = dl.Session(dl.catalog.load("pendulum"), step=1e-3)
    session.advance(0.5)
    session.pull("mass", None, [0.3, 0.4, 0.0])
    session.advance(0.2)
    assert signal(tab, name) == pytest.approx(session.measured().lam[0], abs=1e-9)
    tab.evaluate("() => dalembert.live.lives[0].release()")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["arm", "cassie-leg"])
def test_forces_of_joints_on_a_tree_are_curves(chromium, pages, name):
    """A run on a tree solves for none of them; they are those of Python, also under a pull."""
    tab, body = opened(chromium, pages(name, step=1e-3)), list(dl.catalog.load(name).bodies)[-1]
    session = dl.Session(dl.catalog.load(name), step=1e-3)
    rows = session.present.setup.system.row_names
    assert session.present.setup.on_tree is not None
    for pulled in (False, True):
        if pulled:
            tab.evaluate(
                "(body) => dalembert.live.lives[0].pull("
                "{ body, at: [0, 0, 0], target: [0.3, 0.4, 0.2] })",
                list(session.model.bodies).index(body),
            )
            session.pull(body, None, [0.3, 0.4, 0.2])
        go(tab, 0.1)
        session.advance(0.1)
        wanted = session.measured().lam
        found = np.array([signal(tab, row) for row in rows])
        # two runs that round differently, and loops that share their load by stiff springs
        assert found == pytest.approx(wanted, rel=1e-7, abs=1e-7 * np.abs(wanted).max())
    assert tab.complaints == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("four-bar-3d", ["hinge_B.angle", "hinge_C.angle.dot"]),
        ("arm", ["servo2.effort", "joint3.angle"]),
        ("governor", ["potential", "bearing.angle"]),
    ],
)
def test_signals_are_those_of_python(chromium, pages, name, wanted):
    step = 1e-4 if name == "governor" else 1e-3
    tab = opened(chromium, pages(name, step=step))
    go(tab, 0.3)
    solution = dl.simulate(dl.catalog.load(name), until=0.3, step=step)
    for each in wanted:
        found = signal(tab, "potential energy" if each == "potential" else each)
        assert found == pytest.approx(solution[each][-1], rel=1e-9, abs=1e-9)
    assert tab.complaints == []


@pytest.mark.slow
def test_contact_forces_are_curves(chromium, pages):
    tab = opened(chromium, pages("stack", step=1e-3))
    go(tab, 1.0)
    model = dl.catalog.load("stack")
    weight = sum(float(body.inertia.mass) for body in model.bodies.values()) * 9.81
    names = tab.evaluate("() => dalembert.live.lives[0].spec.touching.bodies")
    pushes = [signal(tab, f"contact on {name} z") for name in names]
    assert sum(pushes) == pytest.approx(weight, rel=1e-6)
    assert tab.complaints == []


# ---------------------------------------------------------------------------------------- by hand


def test_the_mouse_pulls_what_it_is_on(tab):
    x, y = place(tab, "mass")
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x - 80, y + 20, steps=4)
    grip = tab.evaluate("() => dalembert.live.lives[0].grip")
    assert list(grip["weights"]) == ["mass"]
    assert grip["stiffness"] > 0.0
    assert tab.evaluate("() => dalembert.playing")  # a pull sets it going
    begin = tab.evaluate("() => dalembert.time")
    tab.wait_for_function("(begin) => dalembert.time > begin + 0.05", arg=begin)
    tab.mouse.up()
    assert tab.evaluate("() => dalembert.live.lives[0].grip") is None


def test_beside_it_the_view_is_turned(tab):
    before = tab.evaluate("() => dalembert.app.eye.camera.position.toArray()")
    box = tab.evaluate(
        "() => { const b = document.getElementById('picture').getBoundingClientRect();"
        " return [b.left, b.top + b.height] }"
    )
    tab.mouse.move(box[0] + 40, box[1] - 40)
    tab.mouse.down()
    tab.mouse.move(box[0] + 140, box[1] - 90, steps=4)
    tab.mouse.up()
    assert tab.evaluate("() => dalembert.live.lives[0].grip") is None
    assert tab.evaluate("() => dalembert.app.eye.camera.position.toArray()") != before
    tab.evaluate("() => dalembert.view('front')")


def test_play_pause_step_and_the_past(tab):
    tab.evaluate("() => document.activeElement?.blur()")
    tab.keyboard.press("Space")
    tab.wait_for_function("() => dalembert.time > 0.1")
    tab.keyboard.press("Space")
    assert not tab.evaluate("() => dalembert.playing")
    now = tab.evaluate("() => dalembert.time")
    tab.keyboard.press("ArrowRight")
    assert tab.evaluate("() => dalembert.time") == pytest.approx(now + 1e-3, abs=1e-9)
    here = tab.evaluate("() => { dalembert.app.draw(); return dalembert.pointPosition('mass') }")
    tab.evaluate("() => { dalembert.setTime(0.0) }")
    assert tab.evaluate("() => dalembert.pointPosition('mass')") == pytest.approx([1.0, 0.0, 0.0])
    tab.evaluate("() => dalembert.setTime(dalembert.app.clock.end)")
    assert tab.evaluate("() => dalembert.pointPosition('mass')") == pytest.approx(here)
    tab.keyboard.press("Home")
    assert tab.evaluate("() => dalembert.time") == 0.0


@pytest.mark.parametrize(
    ("share", "speed", "told"),
    [(0.25, 1, "0.25 × real time"), (0.25, 2, "0.5 × real time, 2 asked"), (1.0, 1, None)],
)
def test_a_model_that_does_not_keep_up_is_told_with_its_speed(tab, share, speed, told):
    """An engine that makes only a share of a frame in its time: the page says how fast it goes."""
    said = tab.evaluate(
        """([share, speed]) => {
          const { clock } = dalembert.app, [live] = dalembert.live.lives, whole = live.advance;
          live.advance = function (seconds) { return whole.call(this, share * seconds); };
          try {
            clock.setSpeed(speed);
            clock.play();
            for (let now = 1000; now < 3500; now += 16) clock.tick(now);
            dalembert.live.tell();
            return document.getElementById('fidelity').textContent;
          } finally {
            live.advance = whole;
            clock.pause();
            clock.setSpeed(1);
          }
        }""",
        [share, speed],
    )
    assert (told in said) if told else "real time" not in said
    assert "asked" not in said or speed != 1


@pytest.mark.slow
def test_steps_that_become_long_do_not_hold_up_the_page(chromium, pages):
    """With contact a step may suddenly take many times longer: a frame ends with its time."""
    tab = opened(chromium, pages("bouncing-ball", step=1e-3))
    steps = tab.evaluate(
        """() => {
          const [live] = dalembert.live.lives, call = live.engine.call;
          live.advance(0.1); // many steps at once, as long as they are short
          let count = 0;
          live.engine.call = function (name, ...given) {
            if (name === "run") {
              count += 1;
              for (const until = performance.now() + 6; performance.now() < until;);
            }
            return call.call(this, name, ...given);
          };
          live.advance(1 / 60, 11);
          live.engine.call = call;
          return count;
        }"""
    )
    assert 1 <= steps <= 3
    assert tab.complaints == []


def test_numbers_are_typed_and_sliders_moved_by_keys(tab):
    field = tab.get_by_label("l, as a number")
    field.fill("")
    field.press_sequentially("2.5")  # 2 and 5 choose views elsewhere
    field.press("Enter")
    assert tab.evaluate("() => dalembert.live.lives[0].values.get('l')") == 2.5
    assert tab.evaluate("() => dalembert.app.eye.preset") == "front"
    slider = tab.locator('input[type=range][name="g"]')
    slider.focus()
    before, time = tab.evaluate("() => [dalembert.live.lives[0].values.get('g'), dalembert.time]")
    slider.press("ArrowRight")
    assert tab.evaluate("() => dalembert.live.lives[0].values.get('g')") > before
    assert tab.evaluate("() => dalembert.time") == time
    tab.evaluate("() => document.activeElement.blur()")


@pytest.mark.parametrize(
    ("button", "name", "begins"),
    [("Picture", "pendulum.png", b"\x89PNG"), ("Video", "pendulum.webm", b"\x1a\x45\xdf\xa3")],
)
def test_pictures_and_videos_are_saved(tab, button, name, begins):
    press = tab.get_by_role("button", name=button).first
    if button == "Video":
        press.click()
        tab.wait_for_function("() => dalembert.time > 0.2")
    with tab.expect_download() as download:
        press.click()
    assert download.value.suggested_filename == name
    content = download.value.path().read_bytes()
    assert content.startswith(begins)
    assert len(content) > 2000


def test_what_was_seen_is_saved(tab):
    go(tab, 0.25)
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Save CSV").click()
    assert download.value.suggested_filename == "pendulum.csv"
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text())))
    solution = dl.simulate(dl.catalog.load("pendulum"), until=0.25, step=1e-3)
    last = rows[-1]
    assert float(last["t"]) == 0.25
    found = [float(last[name]) for name in ("x", "y", "x.dot", "y.dot")]
    assert np.allclose(found, [*solution.q[-1], *solution.v[-1]], atol=ROUNDING)
    assert len(rows) > 10


def test_plots_show_the_present(tab):
    go(tab, 0.5)
    tab.evaluate("() => { dalembert.app.plots.renew(); dalembert.app.draw() }")
    readings = tab.evaluate("() => dalembert.plots().map((p) => p.readings)")
    kinetic, potential, total = (float(x) for x in readings[0])
    assert kinetic == pytest.approx(-potential, rel=1e-3)
    assert abs(total) < 1e-6


# --------------------------------------------------------------------------------------- problems


def said_by_python(parameter, value):
    """The sentence of a session in which the parameter is turned so."""
    session = dl.Session(dl.catalog.load("pendulum"), step=1e-3)
    try:
        session.set_parameter(parameter, value)
        session.advance(1.0)
    except dl.errors.DalembertError as problem:
        return str(problem)
    return ""


def test_a_mass_of_zero_is_refused_in_the_words_of_python(tab):
    turn(tab, "m", 0.0)
    assert note(tab) == said_by_python("m", 0.0)
    assert tab.evaluate("() => dalembert.live.lives[0].values.get('m')") == 1
    assert tab.evaluate("() => Number(document.querySelector('[name=m]').value)") == 1


def test_a_motion_that_is_no_number_stops_and_reset_goes_on(tab):
    turn(tab, "g", 1e300)
    go(tab, 1.0)
    assert note(tab) == said_by_python("g", 1e300)
    assert not tab.evaluate("() => dalembert.playing")
    tab.get_by_role("button", name="All as given").click()
    assert note(tab) == ""
    q, _ = go(tab, 0.5)
    solution = dl.simulate(dl.catalog.load("pendulum"), until=0.5, step=1e-3)
    assert np.allclose(q, solution.q[-1], atol=ROUNDING)


def held_by_two_rods():
    """A pin on two rods, and a mass that swings on it."""
    x, y, a = dl.coordinates("x y a")
    span, rod = dl.parameters(span=1.0, rod=1.0)
    return dl.Model.from_lagrangian(
        kinetic=x.dot**2 + y.dot**2 + 0.5 * a.dot**2,
        potential=9.81 * y - 4.0 * np.cos(a),
        constraints={"left": x**2 + y**2 - rod**2, "right": (x - span) ** 2 + y**2 - rod**2},
        initial={x: 0.5, y: 0.75**0.5, a: 0.3},
        points={"A": (0.0, 0.0), "B": (span, 0.0), "pin": (x, y)},
        lines=[("A", "pin", "B")],
        name="two rods",
    )


def offered(tab):
    """Coordinates of the start that are offered."""
    tab.locator("summary", has_text="Start").click()
    # the event of opening comes a little later
    tab.evaluate("() => new Promise((done) => setTimeout(done, 50))")
    return tab.evaluate(
        "() => [...document.querySelectorAll('input[type=range]')].filter((x) =>"
        " x.name.startsWith('start ') && x.checkVisibility()).map((x) => x.name.slice(6))"
    )


def test_of_the_start_what_constraints_hold_is_not_offered(chromium, tab, tmp_path):
    assert offered(tab) == ["x", "y", "x.dot", "y.dot"]  # x is held for this moment alone
    tab.locator("summary", has_text="Start").click()
    path = dl.save_html(held_by_two_rods(), tmp_path / "rods.html", live=True, step=1e-3)
    other = opened(chromium, path)
    assert offered(other) == ["a", "a.dot"]
    q, _ = go(other, 0.2)
    solution = dl.simulate(held_by_two_rods(), until=0.2, step=1e-3)
    assert np.allclose(q, solution.q[-1], atol=ROUNDING)
    assert other.complaints == []


def row_of_pendulums(count=7):
    """Masses that hang on rods, at rest: none can begin to rise."""
    names = [name for k in range(count) for name in (f"x{k}", f"y{k}")]
    found = dl.coordinates(" ".join(names))
    places = list(zip(found[::2], found[1::2], strict=True))
    return dl.Model.from_lagrangian(
        kinetic=sum(x.dot**2 + y.dot**2 for x, y in places),
        potential=sum(9.81 * y for _, y in places),
        constraints={f"rod{k}": x**2 + y**2 - 1.0 for k, (x, y) in enumerate(places)},
        initial={c: (0.0 if k % 2 == 0 else -1.0) for k, c in enumerate(found)},
        points={f"m{k}": (x + 3.0 * k, y) for k, (x, y) in enumerate(places)},
        name="row",
    )


def test_a_start_out_of_a_dead_centre_is_found_for_the_last_of_many(chromium, tmp_path):
    path = dl.save_html(row_of_pendulums(), tmp_path / "row.html", live=True, step=1e-3)
    tab = opened(chromium, path)
    assert len(offered(tab)) == 28  # held for this moment alone
    turn(tab, "start y6", -0.8)
    assert note(tab) == ""
    found = start(tab)
    assert found["y6"] == pytest.approx(-0.8, abs=1e-9)
    assert abs(found["x6"]) == pytest.approx(0.6, abs=1e-9)
    assert [found[f"y{k}"] for k in range(6)] == pytest.approx([-1.0] * 6, abs=1e-9)
    assert tab.complaints == []


def test_an_assembly_that_cannot_be_is_told_in_the_words_of_python(chromium, tmp_path):
    model = held_by_two_rods()
    path = dl.save_html(model, tmp_path / "rods.html", live=True, step=1e-3)
    tab = opened(chromium, path)
    go(tab, 0.1)
    before = tab.evaluate("() => [...dalembert.live.lives[0].engine.arrays.q]")
    turn(tab, "span", 2.5)
    session = dl.Session(model, step=1e-3)
    session.advance(0.1)
    with pytest.raises(dl.errors.ProjectionError) as problem:
        session.set_parameter("span", 2.5)
    assert note(tab) == str(problem.value)
    assert "'left' (off by" in note(tab)
    assert tab.evaluate("() => dalembert.live.lives[0].values.get('span')") == 1
    assert tab.evaluate("() => [...dalembert.live.lives[0].engine.arrays.q]") == before
    turn(tab, "span", 1.9)
    session.set_parameter("span", 1.9)
    assert note(tab) == ""
    q, _ = go(tab, 0.4)
    session.advance(0.4)
    assert np.allclose(q, session.q, atol=ROUNDING)
    assert tab.complaints == []


# ------------------------------------------------------------------------------------- the others


def test_two_methods_on_the_same_pull(chromium, pages):
    both = [dl.Projection(), dl.UdwadiaKalaba()]
    tab = opened(chromium, pages("pendulum", step=1e-2, method=both))
    q, _ = go(tab, 2.0)
    other, _ = go(tab, 0.0, run=1)
    for method, found in zip(both, (q, other), strict=True):
        model = dl.catalog.load("pendulum")
        solution = dl.simulate(model, until=2.0, step=1e-2, method=method)
        assert np.allclose(found, solution.q[-1], atol=ROUNDING)
    drifts = tab.evaluate("() => dalembert.live.lives.map((l) => l.drift[0])")
    assert drifts[0] < 1e-13 < 1e-9 < drifts[1]
    turn(tab, "l", 1.5)
    lengths = tab.evaluate(
        "() => dalembert.live.lives.map((l) => Math.hypot(...l.engine.arrays.q))"
    )
    assert lengths == pytest.approx([1.5, 1.5], rel=1e-12)
    assert tab.complaints == []


def test_the_method_is_switched_while_it_goes_on(chromium, pages):
    both = [dl.Projection(), dl.UdwadiaKalaba()]
    tab = opened(chromium, pages("pendulum", step=1e-2, method=both))
    go(tab, 0.5)
    menu = tab.locator("#layout")
    assert menu.is_visible()
    menu.select_option("only Projection")
    go(tab, 0.5)
    model = dl.catalog.load("pendulum")
    first = dl.simulate(model, until=1.0, step=1e-2, method=both[0])
    q = tab.evaluate("() => [...dalembert.live.lives[0].engine.arrays.q]")
    assert np.allclose(q, first.q[-1], atol=ROUNDING)
    turn(tab, "l", 1.5)
    menu.select_option("only UdwadiaKalaba")
    state = tab.evaluate("() => dalembert.live.lives[0].drift[0]")
    assert state < 1e-13  # goes on from where the other was
    assert tab.evaluate("() => dalembert.live.lives[0].values.get('l')") == 1.5
    session = dl.Session(model, step=1e-2, method=both[0])
    session.advance(1.0)
    session.set_parameter("l", 1.5)
    other = dl.simulate(
        model.with_parameters(l=1.5),
        initial=(session.q, session.v),
        start=1.0,
        until=3.0,
        step=1e-2,
        method=both[1],
    )
    go(tab, 2.0)
    q = tab.evaluate("() => [...dalembert.live.lives[0].engine.arrays.q]")
    assert np.allclose(q, other.q[-1], atol=1e-10)
    assert tab.evaluate("() => dalembert.live.lives[0].drift[0]") > 1e-9  # the drift appears
    menu.select_option("side by side")
    assert tab.evaluate("() => dalembert.live.lives.length") == 2
    times = tab.evaluate("() => dalembert.live.lives.map((l) => l.t)")
    assert times[0] == times[1]
    assert tab.complaints == []


def test_on_a_phone_by_touch(chromium, pages):
    tab = opened(chromium, pages("pendulum", step=1e-3), viewport=PHONE, has_touch=True)
    wide = tab.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= PHONE["width"]
    assert tab.get_by_role("button", name="Reset").first.is_visible()
    x, y = place(tab, "mass")
    finger = tab.context.new_cdp_session(tab)

    def touch(kind, *places):
        points = [{"x": x, "y": y} for x, y in places]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (x, y))
    assert tab.evaluate("() => dalembert.live.lives[0].grip.stiffness") > 0.0
    touch("touchMove", (x - 20, y + 15))
    touch("touchMove", (x - 40, y + 30))
    tab.wait_for_function("() => dalembert.live.lives[0].grip.target[0] < 0.95")
    touch("touchEnd")
    assert tab.evaluate("() => dalembert.live.lives[0].grip") is None
    assert tab.complaints == []


def test_names_cannot_leave_their_places(chromium, tmp_path):
    (x,) = dl.coordinates("x")
    (k,) = dl.parameters(k=2.0)
    bad = "</script><script>alert(1)</script>"
    model = dl.Model.from_lagrangian(
        kinetic=0.5 * x.dot**2,
        potential=0.5 * k * x**2,
        initial={x: 1.0},
        points={"<img src=x onerror=alert(2)>": (x, 0.0)},
        name=bad,
    )
    path = dl.save_html(model, tmp_path / "page.html", live=True, step=1e-2)
    tab = opened(chromium, path)
    assert tab.evaluate("() => document.querySelector('h1').textContent") == model.name
    go(tab, 0.5)
    assert tab.complaints == []


def test_the_policy_allows_webassembly_and_nothing_evaluated(tab):
    refused = tab.evaluate(
        # later: what playwright evaluates itself is allowed to
        "() => new Promise((done) => setTimeout(() => {"
        " try { done(String(new Function('return 1')())) } catch (e) { done(e.name) } }))"
    )
    policy = tab.evaluate("() => document.querySelector('meta[http-equiv]').content")
    assert "'wasm-unsafe-eval'" in policy
    assert "'unsafe-eval'" not in policy.replace("'wasm-unsafe-eval'", "")
    assert "default-src 'none'" in policy
    assert refused == "EvalError"
    tab.complaints.clear()  # the browser told of the attempt


# ------------------------------------------------------------------------------------------ links


def test_a_link_opens_the_page_as_it_was_left(chromium, pages):
    path = pages("pendulum", step=1e-3)
    tab = opened(chromium, path)
    turn(tab, "l", 1.75)
    turn(tab, "start x", 0.6)
    tab.evaluate("() => { dalembert.app.clock.setSpeed(0.5) }")
    tab.get_by_role("button", name="Copy link").click()
    address = tab.evaluate("() => location.href")
    assert address.endswith("#p.l=1.75&s.x=0.6&speed=0.5")
    q, _ = go(tab, 0.5)
    other = chromium.new_page(viewport=SMALL)
    other.set_default_timeout(120_000)
    other.goto(address)
    other.evaluate(
        "async () => { await dalembert.ready; dalembert.pause(); dalembert.live.reset() }"
    )
    assert other.evaluate("() => dalembert.live.lives[0].values.get('l')") == 1.75
    assert other.evaluate("() => dalembert.speed") == 0.5
    assert other.evaluate("() => document.getElementById('speed').value") == "0.5"
    found, _ = go(other, 0.5)
    assert np.array_equal(found, q)
    assert tab.complaints == []


@pytest.mark.parametrize(
    ("fragment", "told"),
    [
        ("p.nosuch=3&p.l=1.5", "The link says parameter nosuch = 3, which this page cannot follow"),
        ("p.l=abc", "The link says parameter l = abc"),
        ("p.m=0", "the mass"),
        ("%3Cimg%20src=x", "The link says <img src = x"),
    ],
)
def test_a_link_that_cannot_be_followed_is_told(tab, fragment, told):
    tab.evaluate("(text) => { location.hash = text }", fragment)
    tab.wait_for_function("() => document.getElementById('note').textContent")
    said = note(tab)
    if told == "the mass":
        assert said == said_by_python("m", 0.0)
    else:
        assert said.startswith(told)
    expected = 1.5 if "1.5" in fragment else 1.0
    assert tab.evaluate("() => dalembert.live.lives[0].values.get('l')") == expected
    assert tab.evaluate("() => dalembert.live.lives[0].values.get('m')") == 1.0
    assert tab.evaluate("() => document.querySelectorAll('img').length") == 0
    tab.evaluate("() => { history.replaceState(null, '', location.pathname) }")


# ------------------------------------------------------------------------------------------ events


def events(tab):
    tab.evaluate("() => dalembert.live.note()")
    return tab.evaluate("() => dalembert.live.log.events")


def test_what_is_done_by_hand_stands_in_the_log(tab):
    go(tab, 0.25)
    turn(tab, "l", 1.2)
    turn(tab, "l", 1.3)
    go(tab, 0.25)
    turn(tab, "g", 1e300)
    go(tab, 1.0)
    found = events(tab)
    assert [text for _, text in found[:2]] == ["l = 1.3", "g = 1e+300"]
    assert [t for t, _ in found[:2]] == pytest.approx([0.25, 0.5])
    assert found[2][1] == note(tab)
    ticks = tab.evaluate("() => document.querySelectorAll('#ticks .tick').length")
    assert ticks == 2  # two events at once are one
    assert tab.locator("summary", has_text="Events").is_visible()
    tab.get_by_role("button", name="Reset").first.click()
    assert events(tab) == []


@pytest.mark.slow
def test_impacts_are_events_at_their_times(chromium, pages):
    tab = opened(chromium, pages("bouncing-ball", step=1e-3))
    go(tab, 2.0)
    found = events(tab)
    touches = [(t, text) for t, text in found if text.startswith("touch")]
    first, e = (2.0 / 9.81) ** 0.5, 0.8
    expected = [first, first * (1 + 2 * e), first * (1 + 2 * e + 2 * e**2)]
    assert [t for t, _ in touches] == pytest.approx(expected, abs=2.1e-3)
    assert touches[0][1].startswith("touch: floor, ball")
    assert " at 4.4" in touches[0][1]
    assert tab.complaints == []
