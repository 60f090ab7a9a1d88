"""Soft shapes between located events: springs and dampers that push, and the friction they bound.

References are piecewise, by an integrator that finds their ends, or closed forms.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as dl

G = 9.81
EXACT = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-14}
STEPPED = "stepping"

each_formulation = pytest.mark.parametrize("formulation", ["maximal", "generalized"])


def of_kind(solution, kind):
    return [one.t for one in solution.log if one.kind == kind]


def thrown_ball(skin, **pair):
    model = dl.Model("ball", gravity=(0, 0, -G))
    model.add_shape(dl.Plane(), material=skin, name="floor")
    ball = model.add_body("ball", dl.Inertia(1.0, (0.004,) * 3), position=(0, 0, 0.3))
    model.add_shape(dl.Sphere(0.1), on=ball, material=skin, name="skin")
    if pair:
        model.set_contact("floor", "skin", **pair)
    return model


def bounce(k, damper, mu, until):
    """(x, z, spin about y) of a ball that slides, sticks and leaves; the moments at which it does.

    `damper(depth)`: d. The point that rubs is in the middle of the depth.
    """
    m, inertia, r = 1.0, 0.004, 0.1

    def push(y):
        return -k * (y[1] - r) - damper(r - y[1]) * y[4]

    def sliding(y):
        return y[3] - y[5] * (y[1] + r) / 2

    def held(y):
        arm = (y[1] + r) / 2
        # x'' - w' arm - w arm' = 0,  w' = -arm f / I
        return y[5] * y[4] / 2 / (1 / m + arm**2 / inertia)

    def rates(rub):
        def of(t, y):
            f, n = (rub(y), push(y)) if rub else (0.0, 0.0)
            return [*y[3:], f / m, -G + n / m, -f * (y[1] + r) / 2 / inertia]

        return of

    def ends(function):
        function.terminal, function.direction = True, -1
        return function

    def touches(t, y):
        return y[1] - r

    def opens(t, y):
        return push(y)

    touches, opens = ends(touches), ends(opens)
    t, y, mode, sign, log = 0.0, [0, 0.3, 0, 1.0, 0, 0], "open", 1.0, []
    while t < until:
        if mode == "open":
            law, events = rates(None), [touches]
        elif mode == "slip":
            law = rates(lambda y, sign=sign: -sign * mu * push(y))
            events = [opens, ends(lambda t, y, sign=sign: sign * sliding(y))]
        else:
            law = rates(held)
            events = [opens, ends(lambda t, y: mu * push(y) - abs(held(y)))]
        first = solve_ivp(law, (t, min(until, t + 1e-6)), y, **EXACT)
        run = solve_ivp(law, (first.t[-1], until), first.y[:, -1], events=events, **EXACT)
        t, y = run.t[-1], run.y[:, -1]
        if run.status == 1:
            over = len(run.t_events[0]) > 0
            if mode == "open":
                mode, sign = "slip", np.sign(sliding(y))
            elif over:
                mode = "open"
            elif mode == "slip":
                mode = "stick"
            else:
                mode, sign = "slip", -np.sign(held(y))
            log.append((mode, t))
    return y, log


@each_formulation
@pytest.mark.parametrize("law", [{"damping": 40.0}, {"dissipation": 0.5}, {}])
def test_a_thrown_ball_slides_sticks_and_leaves(law, formulation):
    """Steps of impulses need two million of them for 1e-7; here it is 1e-9, in a hundred."""
    k, mu = 2e4, 0.3  # two equal surfaces in series: half of each
    model = thrown_ball(dl.Material(stiffness=k, friction=mu, **law))

    def damper(depth):
        return law.get("damping", 0.0) / 2 + law.get("dissipation", 0.0) * k / 2 * max(0.0, depth)

    solution = dl.simulate(
        model, until=0.6, initial={"ball.x.dot": 1.0}, formulation=formulation, progress=False
    )
    expected, log = bounce(k / 2, damper, mu, 0.6)
    found = [
        float(solution[name][-1])
        for name in ("ball.x", "ball.z", "ball.x.dot", "ball.z.dot", "ball.wy")
    ]
    assert found == pytest.approx([*expected[:2], *expected[3:]], abs=1e-8)
    told = [(one.kind, one.t) for one in solution.log if one.kind != "close"]
    assert [kind for kind, _ in told] == [kind for kind, _ in log]
    assert [t for _, t in told] == pytest.approx([t for _, t in log], abs=1e-9)
    assert solution.statistics["steps"] < 400
    assert solution.verdict.is_good


def test_a_pair_that_alone_is_soft():
    """`set_contact` makes two rigid surfaces soft: `auto` took them for rigid, verdict good."""
    rule = thrown_ball(dl.Material(friction=0.3), stiffness=1e4, damping=20.0)
    material = thrown_ball(dl.Material(friction=0.3, stiffness=2e4, damping=40.0))
    start = {"initial": {"ball.x.dot": 1.0}, "until": 0.6, "progress": False}
    one, two = dl.simulate(rule, **start), dl.simulate(material, **start)
    assert one.q[-1] == pytest.approx(two.q[-1], abs=1e-10)


@pytest.mark.parametrize("name", ["viscous", "tangential_stiffness"])
def test_a_pair_with_what_steps_know_takes_them(name):
    """The same of properties that located events do not know: they were left out silently."""
    solution = dl.simulate(
        thrown_ball(dl.Material(), **{name: 10.0}), until=0.3, progress=False, rtol=1e-3
    )
    assert "steps only" in solution.summary()


@pytest.mark.parametrize("ratio", [0.1, 1.0])
def test_softness_by_a_frequency(ratio):
    """That of the mass which the contact feels: 1 kg of a ball that falls on its lowest point."""
    w = 2 * np.pi * 20.0
    by_frequency = thrown_ball(dl.Material(friction=0.3), frequency=20.0, damping_ratio=ratio)
    by_numbers = thrown_ball(dl.Material(friction=0.3), stiffness=w**2, damping=2 * ratio * w)
    start = {"initial": {"ball.x.dot": 1.0}, "until": 0.6, "progress": False}
    one, two = dl.simulate(by_frequency, **start), dl.simulate(by_numbers, **start)
    assert one.q[-1] == pytest.approx(two.q[-1], abs=1e-10)
    assert len(of_kind(one, "close")) >= 1


@pytest.mark.parametrize("ratio", [0.1, 1.0])
def test_a_stop_by_a_frequency(ratio):
    m, w = 2.0, 2 * np.pi * 5.0
    found = []
    laws = (
        {"frequency": 5.0, "damping_ratio": ratio},
        {"stiffness": m * w**2, "damping": 2 * ratio * m * w},
    )
    for law in laws:
        (z,) = dl.coordinates("z")
        model = dl.Model.from_lagrangian(kinetic=m * z.dot**2 / 2, potential=m * G * z)
        model.keep(z >= 0, **law)
        solution = dl.simulate(model, until=0.7, initial={z: 0.2}, progress=False)
        assert len(of_kind(solution, "close")) >= 1
        found.append(solution["z"][-1])
    assert found[0] == pytest.approx(found[1], abs=1e-10)


def test_a_soft_block_breaks_loose():
    """Static friction above that of sliding: F = a t takes it along at mu_s m g, then mu m g."""
    k, mu, static, a = 1e4, 0.3, 0.5, 10.0
    model = dl.Model("block", gravity=(0, 0, -G))
    skin = dl.Material(stiffness=2 * k, friction=mu, static_friction=static)
    model.add_shape(dl.Plane(), material=skin)
    block = model.add_body("block", dl.Inertia(1.0, (1e9,) * 3), position=(0, 0, 0.1 - G / k))
    model.add_shape(dl.Sphere(0.1), on=block, material=skin)
    model.add_force(dl.Force(block, value=(a * dl.time, 0, 0), name="pull"))
    breaks = static * G / a
    until = breaks + 0.3
    solution = dl.simulate(model, until=until, progress=False)
    assert of_kind(solution, "slip") == pytest.approx([breaks], abs=1e-9)
    left = until - breaks
    way = a * (breaks * left**2 / 2 + left**3 / 6) - mu * G * left**2 / 2
    assert solution["block.x"][-1] == pytest.approx(way, abs=1e-9)
    assert solution.verdict.is_good


@each_formulation
def test_a_hammer_that_rubs_on_a_soft_floor(formulation):
    """A rod on a hinge meets the floor with its head, which slides there with friction."""
    model = dl.Model("hammer", gravity=(0, 0, -G))
    skin = dl.Material(stiffness=1e4, damping=20.0, friction=0.4)
    model.add_shape(dl.Plane(), material=skin)
    rod = model.add_body("rod", dl.Inertia(1.0, (0.1, 0.1, 0.1)), position=(1.0, 0, 0.6))
    model.add_shape(dl.Sphere(0.1), on=rod, material=skin)
    hinge = dl.Revolute(model.world.at(0, 0, 0.6), rod.at(x=-1.0), axis="y", name="hinge")
    model.add_joint(hinge)

    def torque(a, w):
        height, speed = 0.6 - np.sin(a), -np.cos(a) * w  # of the centre, downwards positive a
        gap = height - 0.1
        push = -5e3 * gap - 10.0 * speed
        arm_z = 0.6 - gap / 2  # below the hinge, of the point that rubs
        slide = -arm_z * w  # along x
        return push, push * np.cos(a) - 0.4 * push * np.sign(slide) * arm_z

    def flight(t, y):
        return [y[1], G * np.cos(y[0]) / 1.1]

    def within(t, y):
        return [y[1], (G * np.cos(y[0]) - torque(*y)[1]) / 1.1]

    def touches(t, y):
        return 0.5 - np.sin(y[0])

    def turns(t, y):
        return y[1]

    touches.terminal = turns.terminal = True
    down = solve_ivp(flight, (0, 1), [0.0, 0.0], events=touches, **EXACT)
    press = solve_ivp(within, (down.t[-1], 1), down.y[:, -1], events=turns, **EXACT)
    solution = dl.simulate(model, until=float(press.t[-1]), formulation=formulation, progress=False)
    assert of_kind(solution, "close") == pytest.approx([down.t[-1]], abs=1e-9)
    assert solution["hinge.angle"][-1] == pytest.approx(press.y[0, -1], abs=1e-9)


def test_a_box_that_lands_on_its_corners():
    """Four springs that rub, one after the other; the box slides all the time."""
    k, mu, half = 5e3, 0.2, 0.1
    model = dl.Model("box", gravity=(0, 0, -G))
    skin = dl.Material(stiffness=2 * k, friction=mu)
    model.add_shape(dl.Plane(), material=skin)
    box = model.add_body(
        "box",
        dl.Inertia(1.0, (0.01,) * 3),
        position=(0, 0, 0.15),
        rotation=dl.Rotation.about("y", 0.2),
    )
    model.add_shape(dl.Box((0.2, 0.2, 0.2)), on=box, material=skin)

    def rates(t, y):
        _, z, a, vx, vz, w = y
        fx, fz, torque = 0.0, -G, 0.0
        for cx in (-half, half):
            for cz in (-half, half):
                rx, rz = np.cos(a) * cx + np.sin(a) * cz, -np.sin(a) * cx + np.cos(a) * cz
                gap = z + rz
                if gap < 0:
                    n = -2 * k * gap  # two corners behind each other
                    rz -= gap / 2
                    fx, fz = fx - mu * n, fz + n
                    torque += rz * -mu * n - rx * n
        return [vx, vz, w, fx, fz, torque / 0.01]

    start = [0, 0.15, 0.2, 5.0, 0, 0]
    expected = solve_ivp(rates, (0, 0.3), start, max_step=1e-4, **EXACT).y[:, -1]
    solution = dl.simulate(model, until=0.3, initial={"box.x.dot": 5.0}, progress=False)
    assert not of_kind(solution, STEPPED)
    found = [solution[name][-1] for name in ("box.x", "box.z", "box.x.dot", "box.z.dot", "box.wy")]
    assert found == pytest.approx([*expected[:2], *expected[3:]], abs=1e-7)
    assert expected[3] > 1.0


@pytest.mark.parametrize("across", [False, True])
def test_a_soft_stop_that_rubs(across):
    """Formulas: x' changes by -mu times the push, until it is at rest; across: two tangents."""
    k, d, mu = 1e3, 5.0, 0.3
    x, y, z = dl.coordinates("x y z")
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2 + z.dot**2) / 2, potential=G * z, initial={"z": 0.2}
    )
    sliding = (x, y) if across else x
    model.keep(z >= 0, stiffness=k, damping=d, friction=mu, sliding=sliding, name="floor")
    toward = (0.6, 0.8) if across else (1.0, 0.0)
    start = {x.dot: 0.5 * toward[0], y.dot: 0.5 * toward[1]}
    solution = dl.simulate(model, until=0.4, initial=start, progress=False)

    def flight(t, s):
        return [s[1], -G, s[3], 0.0]

    def within(t, s):
        push = -k * s[0] - d * s[1]
        return [s[1], -G + push, s[3], -mu * push]

    def touches(t, s):
        return s[0]

    def rests(t, s):
        return s[3]

    touches.terminal = rests.terminal = True
    down = solve_ivp(flight, (0, 1), [0.2, 0.0, 0.0, 0.5], events=touches, **EXACT)
    slides = solve_ivp(within, (down.t[-1], 1), down.y[:, -1], events=rests, **EXACT)
    assert of_kind(solution, "close")[0] == pytest.approx(down.t[-1], abs=1e-10)
    assert of_kind(solution, "stick") == pytest.approx([slides.t[-1]], abs=1e-9)
    along = toward[0] * solution["x"][-1] + toward[1] * solution["y"][-1]
    assert along == pytest.approx(slides.y[2, -1], abs=1e-9)
    assert solution.verdict.is_good


@pytest.mark.parametrize("moment", [0.205, 0.22, 0.2318])
def test_an_action_that_changes_nothing(moment):
    """Within the push, while it slides, sticks and slides again: contacts are handed over."""
    (mass,) = dl.parameters(mass=1.0)
    model = dl.Model("ball", gravity=(0, 0, -G))
    skin = dl.Material(stiffness=2e4, damping=40.0, friction=0.3, rolling=0.001)
    model.add_shape(dl.Plane(), material=skin)
    ball = model.add_body("ball", dl.Inertia(mass, (0.004,) * 3), position=(0, 0, 0.3))
    model.add_shape(dl.Sphere(0.1), on=ball, material=skin)
    model.set_initial({"ball.x.dot": 1.0, "ball.y.dot": 0.3})
    tick = dl.Event(dl.time - moment, action={"mass": 1.0}, name="tick")
    one = dl.simulate(model, until=0.6, progress=False)
    two = dl.simulate(model, until=0.6, progress=False, events=[tick])
    kinds = [entry.kind for entry in two.log]
    assert kinds.count("set") == 1
    assert [kind for kind in kinds if kind != "set"] == [entry.kind for entry in one.log]
    # the direction in which sliding begins is known to 2e-8 m/s (contact 20)
    assert two.q[-1] == pytest.approx(one.q[-1], abs=1e-8)
