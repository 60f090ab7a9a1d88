"""Events located in time, against closed forms (docs/theory/contact.md, section 20).

Every run is the default: no step, no method. References are quadratures and closed forms of the
problems of Housner, Shaw & Holmes, Genot & Brogliato, Flores, Leine & Glocker, Kane & Levinson.
"""

import math

import numpy as np
import pytest

import dalembert as dl

G = 9.81


def times(solution, kind="impact"):
    """Moments of entries of a kind, those of one instant once."""
    found = [entry.t for entry in solution.log if entry.kind == kind]
    return np.array(sorted(set(np.round(found, 14))))


def entries(solution):
    """Kinds and moments after the start."""
    return [(entry.kind, entry.t) for entry in solution.log if entry.t > 0.0]


def falling(*, friction=0.0):
    """A point mass in the plane."""
    x, y = dl.coordinates("x y")
    return dl.Model.from_lagrangian(kinetic=(x.dot**2 + y.dot**2) / 2, potential=G * y), (x, y)


# -- impacts that accumulate -----------------------------------------------------------------------


def test_ball_on_an_incline_comes_to_rest_and_slides():
    s, d = dl.coordinates("s d")
    a = math.radians(15)
    model = dl.Model.from_lagrangian(
        kinetic=(s.dot**2 + d.dot**2) / 2,
        potential=G * (d * math.cos(a) - s * math.sin(a)),
    )
    model.keep(d >= 0, restitution=0.7, name="plane")
    solution = dl.simulate(model, until=5.0, initial={d: 1.0})
    bounces = [0.459418632845828, 1.10260471882999, 1.5528349790189]
    np.testing.assert_allclose(times(solution)[:3], bounces, rtol=1e-12)
    np.testing.assert_allclose(
        times(solution)[[9, 19]], [2.51685599098745, 2.60092838253341], rtol=1e-12
    )
    assert times(solution, "rest") == pytest.approx([2.60337225279302], abs=1e-9)
    assert solution["s"][-1] == pytest.approx(31.7376854056966, abs=1e-9)


@pytest.mark.parametrize("e", [0.3, 0.5, 0.7])
def test_friction_of_impacts_that_accumulate_is_that_of_their_weight(e):
    """All impulses together are m g t: friction has taken mu g t, bounces or not."""
    model, (x, y) = falling()
    model.keep(y >= 0, friction=0.1, restitution=e, sliding=x, name="floor")
    until = (1 + e) / (1 - e) * math.sqrt(1 / G) + 0.2
    solution = dl.simulate(model, until=until, initial={x.dot: 5.0, y: 0.5})
    assert solution["x.dot"][-1] == pytest.approx(5.0 - 0.1 * G * until, abs=1e-13)


def rocking_block(kind):
    """A block released at a tilt: as formulas of its corners, or as a body on a plane."""
    b, h = 0.15, 0.45
    tilt = 0.6 * math.atan(b / h)
    if kind == "formulas":
        x, y, turn = dl.coordinates("x y turn")
        inertia = ((2 * b) ** 2 + (2 * h) ** 2) / 12
        model = dl.Model.from_lagrangian(
            kinetic=(x.dot**2 + y.dot**2) / 2 + inertia * turn.dot**2 / 2, potential=G * y
        )
        for name, side in (("left", -1), ("right", 1)):
            along = x + side * b * np.cos(turn) + h * np.sin(turn)
            above = y + side * b * np.sin(turn) - h * np.cos(turn)
            model.keep(above >= 0, friction=1.0, sliding=along, name=name)
        low = b * math.sin(tilt) + h * math.cos(tilt)
        return model, {x: -b * math.cos(tilt) + h * math.sin(tilt), y: low, turn: -tilt}
    model = dl.Model("block")
    rough = dl.Material(friction=1.0)
    model.add_shape(dl.Plane(), name="floor", material=rough)
    place = (-b * math.cos(tilt) + h * math.sin(tilt), 0, b * math.sin(tilt) + h * math.cos(tilt))
    block = model.add_body(
        "block",
        dl.Inertia.box(1.0, size=(2 * b, 0.2, 2 * h)),
        position=place,
        rotation=((0, 1, 0), tilt),
    )
    model.add_shape(dl.Box((2 * b, 0.2, 2 * h)), on=block, material=rough)
    return model, None


@pytest.mark.parametrize("kind", ["formulas", "bodies"])
def test_rocking_block(kind):
    model, initial = rocking_block(kind)
    solution = dl.simulate(model, until=4.0, initial=initial)
    found = times(solution)
    expected = {1: 0.398742467353405, 2: 0.931580392565378, 3: 1.33940468298087}
    expected |= {5: 1.93313731713137, 10: 2.73719737180115, 20: 3.23642776895434}
    for k, t in expected.items():
        assert found[k - 1] == pytest.approx(t, abs=1e-10)
    assert times(solution, "rest")[0] == pytest.approx(3.35820034748993, abs=1e-8)
    speed = np.abs(solution.v[-1]).max()
    assert speed < 1e-12


def test_slider_crank_with_clearance_chatters():
    model, initial = clearance(0.005)
    solution = dl.simulate(model, until=0.0027, initial=initial)
    impacts = [entry for entry in solution.log if entry.kind == "impact"][:8]
    expected = [0.0023775925525847, 0.0026543877231374, 0.0026846636838139, 0.0026937311949316]
    expected += [0.0026971960026241, 0.0026986450112469, 0.0026992744740778, 0.0026995525592436]
    np.testing.assert_allclose([entry.t for entry in impacts], expected, atol=1e-10)
    assert [entry.contact for entry in impacts] == ["2", "1"] * 4
    speeds = [-0.74250572170776, -1.8481128474896, -2.3264775243762, -2.4554380056629]
    np.testing.assert_allclose([entry.before for entry in impacts[:4]], speeds, rtol=1e-9)


def test_corners_that_hit_together_do_so_in_one_impact():
    model, initial = clearance(0.0)
    solution = dl.simulate(model, until=0.0089, initial=initial)
    impacts = [entry for entry in solution.log if entry.kind == "impact"]
    expected = [0.0026925027520211, 0.0056077978680713, 0.0074656351695639]
    expected += [0.0084092527490741, 0.0088316421605508]
    np.testing.assert_allclose(times(solution), expected, atol=1e-10)
    pushes = np.array([entry.impulse for entry in impacts]).reshape(-1, 2)
    np.testing.assert_allclose(pushes[:, 0], pushes[:, 1], rtol=1e-9)
    np.testing.assert_allclose(pushes[:2, 0], [0.055395014883021, 0.016579052027994], rtol=1e-8)
    assert np.abs(solution["c.dot"]).max() < 1e-9


def clearance(tilt):
    """The slider-crank of Flores, Leine & Glocker (2010), without friction."""
    a, b, c = dl.coordinates("a b c")
    l1, l2 = 0.153, 0.306
    crank = (l1 / 2 * np.cos(a), l1 / 2 * np.sin(a))
    rod = (l1 * np.cos(a) + l2 / 2 * np.cos(b), l1 * np.sin(a) + l2 / 2 * np.sin(b))
    pin = (l1 * np.cos(a) + l2 * np.cos(b), l1 * np.sin(a) + l2 * np.sin(b))
    kinetic = 7.4e-5 * a.dot**2 / 2 + 5.9e-4 * b.dot**2 / 2 + 2.7e-6 * c.dot**2 / 2
    potential = 0.0
    for mass, (x, y) in ((0.038, crank), (0.038, rod), (0.076, pin)):
        kinetic = kinetic + mass * (x.dot**2 + y.dot**2) / 2
        potential = potential + mass * G * y
    model = dl.Model.from_lagrangian(kinetic=kinetic, potential=potential)
    for k, (along, up) in enumerate([(-1, 1), (1, 1), (-1, -1), (1, -1)]):
        corner = pin[1] + along * 0.05 * np.sin(c) + up * 0.025 * np.cos(c)
        model.keep(0.026 - up * corner >= 0, restitution=0.4, name=str(k + 1))
    return model, {a: 0.0, b: 0.0, c: tilt, a.dot: 150.0, b.dot: -75.0, c.dot: 0.0}


# -- friction --------------------------------------------------------------------------------------


def belt(**options):
    """A mass on a spring, on a belt that moves."""
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=2.0 * (x.dot**2 + y.dot**2) / 2, potential=50.0 * x**2 / 2 + 2.0 * G * y
    )
    model.keep(y >= 0, sliding=x - 0.4 * dl.time, name="belt", **options)
    return model, x


def test_mass_on_a_belt_reverses_sticks_and_breaks_loose():
    model, x = belt(friction=0.3)
    solution = dl.simulate(model, until=1.9, initial={x: 0.5})
    kinds, moments = zip(*entries(solution)[:3], strict=True)
    assert kinds == ("reverse", "stick", "slip")
    expected = [0.670484346239478, 1.0891273705148, 1.33178871962871]
    np.testing.assert_allclose(moments, expected, atol=1e-10)
    at, _ = solution.at(np.array(expected))
    np.testing.assert_allclose(
        at[:, 0], [-0.256095460354437, 0.0206554603544375, 0.11772], atol=1e-9
    )


@pytest.mark.parametrize("rtol", [1e-9, 1e-11, 1e-13])
def test_where_sliding_in_space_ends_nothing_is_lost_but_the_tolerance(rtol):
    """A ball in a guide on a belt: every event as late as those before it have made it."""
    model = dl.Model("belt", gravity=(0, 0, -G))
    moving = dl.Material(friction=0.3, surface_velocity=(0.4, 0, 0))
    model.add_shape(dl.Plane(), material=moving)
    mass = model.add_body("mass", dl.Inertia.box(2.0, size=(0.2, 0.2, 0.2)))
    model.add_joint(dl.Compound(model.world, mass, slides=["x", "z"], initial=(0.5, 0.1)))
    model.add_shape(dl.Sphere(0.1), on=mass, material=dl.Material(friction=0.3))
    wall = model.world.at(x=-2, z=0.1)
    model.add_force(dl.Spring(wall, mass, stiffness=50.0, free_length=2.0))
    solution = dl.simulate(model, until=1.5, rtol=rtol, progress=False)
    found = entries(solution)
    assert [kind for kind, _ in found] == ["reverse", "stick", "slip"]
    expected = [0.670484346239478, 1.0891273705148, 1.33178871962871]
    np.testing.assert_allclose([t for _, t in found], expected, atol=3.0 * rtol + 5e-12)


def test_mass_on_a_belt_with_static_friction_sticks_and_slips():
    model, x = belt(friction=0.3, static_friction=0.5)
    solution = dl.simulate(model, until=5.0, initial={x: 0.03924, x.dot: 0.4})
    sticks, slips = times(solution, "stick"), times(solution, "slip")
    assert len(sticks) == len(slips) == 4
    np.testing.assert_allclose(slips - sticks, 0.3924, atol=1e-10)
    np.testing.assert_allclose(sticks[1:] - slips[:3], 0.946314124685115, atol=1e-10)
    np.testing.assert_allclose(np.diff(sticks), 1.33871412468512, atol=1e-10)
    at, _ = solution.at(np.concatenate([slips, sticks]))
    np.testing.assert_allclose(at[:, 0], [0.1962] * 4 + [0.03924] * 4, atol=1e-9)


def test_billiard_ball_slides_obliquely_and_then_rolls():
    model = dl.Model("billiard")
    cloth = dl.Material(friction=0.2)
    model.add_shape(dl.Plane(), name="table", material=cloth)
    ball = model.add_body(
        "ball",
        dl.Inertia.sphere(0.17, radius=0.03),
        position=(0, 0, 0.03),
        velocity=(2, 0, 0),
        angular_velocity=(-40, -25, 10),
    )
    model.add_shape(dl.Sphere(0.03), on=ball, material=cloth)
    solution = dl.simulate(model, until=2.0)
    assert entries(solution) == [("stick", pytest.approx(0.436932668958133, abs=1e-10))]
    end = [solution[f"ball.{axis}"][-1] for axis in "xyz"]
    np.testing.assert_allclose(end, [2.60022354851927, 0.61081154246432, 0.03], atol=1e-10)
    velocity = [1.21428571428571, 0.342857142857143, 0, -11.4285714285714, 40.4761904761905, 10]
    np.testing.assert_allclose(solution.v[-1], velocity, atol=1e-9)


RODS = {
    "jam": (40, 0.5, -8, 0.05794452663287, 1e-6),
    "open": (40, 5.0, -8, 0.022486326122486, 1e-9),
    "stick": (30, 0.0, -1, 0.081329976020381, 1e-9),
}


@pytest.mark.parametrize("kind", list(RODS))
def test_sliding_rod_of_painleve(kind):
    angle, rate, speed, expected, within = RODS[kind]
    x, y, turn = dl.coordinates("x y turn")
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2 + turn.dot**2 / 24, potential=G * y
    )
    model.keep(
        y - 0.5 * np.sin(turn) >= 0, friction=1.6, sliding=x - 0.5 * np.cos(turn), name="tip"
    )
    a = math.radians(angle)
    initial = {x: 0.5 * math.cos(a), y: 0.5 * math.sin(a), turn: a, turn.dot: rate}
    initial |= {x.dot: speed - 0.5 * math.sin(a) * rate, y.dot: 0.5 * math.cos(a) * rate}
    solution = dl.simulate(model, until=expected + 2e-3, initial=initial)
    assert entries(solution)[0] == (kind, pytest.approx(expected, abs=within))


# -- strings, walls, forced motion -----------------------------------------------------------------


def test_pendulum_on_a_string_flies_and_is_caught():
    model, (x, y) = falling()
    model.keep(1 - np.sqrt(x**2 + y**2) >= 0, name="string")
    initial = {x: 0.0, y: -1.0, x.dot: math.sqrt(3.2 * G)}
    solution = dl.simulate(model, until=1.3463297280689, initial=initial)
    kinds, moments = zip(*entries(solution), strict=True)
    assert kinds == ("open", "impact", "close")
    np.testing.assert_allclose(moments[:2], [0.480713693370352, 1.22099217638597], atol=1e-10)
    caught = next(entry for entry in solution.log if entry.kind == "impact")
    assert caught.before == pytest.approx(-4.88015264915351, abs=1e-10)
    assert solution["x"][-1] == pytest.approx(0.0, abs=1e-10)
    assert solution["x.dot"][-1] == pytest.approx(-2.7524734550873, abs=1e-10)


def test_mass_in_a_cylinder_with_a_floor():
    x, y, z = dl.coordinates("x y z")
    model = dl.Model.from_lagrangian(kinetic=(x.dot**2 + y.dot**2 + z.dot**2) / 2, potential=G * z)
    model.keep(1 - np.sqrt(x**2 + y**2) >= 0, restitution=0.9, name="w")
    model.keep(z >= 0, restitution=0.8, name="f")
    initial = {x: 0.3, y: 0.2, z: 2.0, x.dot: 1.2, y.dot: 0.5}
    solution = dl.simulate(model, until=5.2, initial=initial)
    impacts = [entry for entry in solution.log if entry.kind == "impact"]
    assert "".join(entry.contact for entry in impacts) == "wffwffffwfffff"
    expected = [0.49519578312466, 0.638550856814101, 1.66023222771666, 2.19858102848415]
    expected += [2.47757732443871, 3.13145340181635, 3.65455426371846, 4.07303495324015]
    expected += [4.08861093141728, 4.4078195048575, 4.67564714615138, 4.88990925918649]
    expected += [5.06131894961457, 5.19844670195704]
    np.testing.assert_allclose([entry.t for entry in impacts], expected, atol=1e-11)
    moment = solution["x"] * solution["y.dot"] - solution["y"] * solution["x.dot"]
    np.testing.assert_allclose(moment, -0.09, atol=1e-12)


def impact_oscillator(w):
    """Shaw and Holmes's: a mass on a spring, shaken, with a wall at its place of rest."""
    x, z = dl.coordinates("x z")
    model = dl.Model.from_lagrangian(
        kinetic=x.dot**2 / 2 + z.dot**2 / 2, potential=x**2 / 2 - x * np.cos(w * dl.time)
    )
    model.keep(-x >= 0, restitution=0.8, name="wall")
    return model, x


@pytest.mark.parametrize(("w", "orbit"), [(2.64, 1), (2.67, 2)])
def test_orbit_of_the_impact_oscillator_doubles_its_period(w, orbit):
    model, x = impact_oscillator(w)
    start = 3.0 / w
    until = start + 160 * 2 * math.pi / w
    solution = dl.simulate(model, start=start, until=until, initial={x: 0.0, x.dot: -0.5})
    after = np.array([entry.after for entry in solution.log if entry.kind == "impact"][-8:])
    np.testing.assert_allclose(after[orbit:], after[:-orbit], rtol=1e-6)
    if orbit == 2:
        assert np.abs(np.diff(after)).min() > 3e-3


def test_impact_oscillator_keeps_to_its_orbit():
    w = 2.5
    model, x = impact_oscillator(w)
    start = 3.00565037374903 / w
    solution = dl.simulate(
        model,
        start=start,
        until=start + 100.5 * 2 * math.pi / w,
        initial={x: 0.0, x.dot: -0.516281742731357 * 1.01},
    )
    last = [entry for entry in solution.log if entry.kind == "impact"][99]
    assert (last.t * w) % (2 * math.pi) == pytest.approx(3.00565037374903, abs=1e-8)
    assert last.after == pytest.approx(0.516281742731357, abs=1e-8)


# -- laws of impact in a run -----------------------------------------------------------------------


STACK = {
    ("newton", "simultaneous", 1.0, 1.0): (3.0, 3.0),
    ("poisson", "simultaneous", 0.9, 0.8): (2.7, 2.7),
    ("newton", "sequential", 1.0, 1.0): (1.90909090909091, 7.90909090909091),
    ("energetic", "sequential", 0.9, 0.8): (1.76727272727273, 6.32727272727273),
}


@pytest.mark.parametrize("case", list(STACK), ids=lambda case: "-".join(map(str, case)))
def test_stack_of_two_balls(case):
    law, impacts, ground, balls = case
    a, b = dl.coordinates("a b")
    model = dl.Model.from_lagrangian(
        kinetic=0.6 * a.dot**2 / 2 + 0.06 * b.dot**2 / 2, potential=0.0 * a
    )
    model.keep(a >= 0, restitution=ground, name="ground")
    model.keep(b - a >= 0, restitution=balls, name="balls")
    method = dl.ContactImpulse(restitution=law, impacts=impacts)
    initial = {a: 0.3, b: 0.3, a.dot: -3.0, b.dot: -3.0}
    solution = dl.simulate(model, until=0.2, initial=initial, method=method)
    np.testing.assert_allclose(solution.v[-1], STACK[case], rtol=1e-12)
    struck = {entry.law for entry in solution.log if entry.kind == "impact"}
    assert struck == {law}


RATES = {
    "poisson": (-0.7656307698449, 0.8539501621581, "poisson"),
    "energetic": (-0.9117358187315, 1.231909916802, "energetic"),
    "routh": (-0.786065846357, 1.000012488041, "routh"),
    "newton": (-0.7656307698449, 0.8539501621581, "poisson"),
}


@pytest.mark.parametrize("law", list(RATES))
def test_double_pendulum_hits_a_rough_floor(law):
    """Kane & Levinson's pendulum; Newton's law would make 3.6 times the energy, and is guarded."""
    a, b = dl.coordinates("a b")
    upper = (0.5 * np.sin(a), -0.5 * np.cos(a))
    lower = (np.sin(a) + 0.5 * np.sin(b), -np.cos(a) - 0.5 * np.cos(b))
    tip = (np.sin(a) + np.sin(b), -np.cos(a) - np.cos(b))
    kinetic = (a.dot**2 + b.dot**2) / 24
    for x, y in (upper, lower):
        kinetic = kinetic + (x.dot**2 + y.dot**2) / 2
    model = dl.Model.from_lagrangian(kinetic=kinetic, potential=G * (upper[1] + lower[1]))
    low = -math.cos(math.radians(15)) - math.cos(math.radians(30))
    model.keep(tip[1] - low >= 0, friction=0.5, sliding=tip[0], restitution=0.8, name="floor")
    initial = {a: math.radians(15), b: math.radians(30), a.dot: 0.0, b.dot: -2.0}
    method = dl.ContactImpulse(restitution=law)
    solution = dl.simulate(model, until=1e-6, initial=initial, method=method)
    impact = solution.log[0]
    assert (impact.kind, impact.law) == ("impact", RATES[law][2])
    rates = solution.v[-1] - solution.a[-1] * 1e-6
    np.testing.assert_allclose(rates, RATES[law][:2], atol=1e-10)


def test_controllers_are_called_between_events():
    """A function of Python out of a compiled phase, with contacts that hold a box."""
    model = dl.catalog.load("gripper-with-box")
    servo = next(iter(model.forces.values()))
    called = []

    def hold(t, q, v):
        called.append(t)
        return 0.0

    control = dl.Controller(hold, rate=70.0, outputs=[servo])
    solution = dl.simulate(model, until=0.1, controllers=[control])
    np.testing.assert_allclose(called, np.arange(len(called)) / 70.0, atol=1e-12)
    assert len(called) == 7
    assert solution.log


def test_a_controller_that_fails_in_a_phase_is_told():
    model = dl.catalog.load("gripper-with-box")
    servo = next(iter(model.forces.values()))
    control = dl.Controller(lambda t, q, v: 1 / 0, rate=70.0, outputs=[servo])
    with pytest.raises(dl.errors.SimulationError, match="controller"):
        dl.simulate(model, until=0.1, controllers=[control])
