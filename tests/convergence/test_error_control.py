"""Steps with impulses that follow a tolerance: the error is that of the tolerance.

Closed forms: S1.3a (mass on a belt), S1.4 (billiard ball) and S1.10 (point mass in a cylinder) of
the reference problems, and a ball that bounces.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.conformance.test_resume import fingerprint, stopped_after

import dalembert as dl
from dalembert.errors import OptionError
from dalembert.integration import DormandPrince
from dalembert.integration.dormand_prince import ErrorControl

G = 9.81


def belt():
    model = dl.Model("belt")
    moving = dl.Material(friction=0.3, surface_velocity=(0.4, 0, 0))
    model.add_shape(dl.Plane(), material=moving, name="belt")
    mass = model.add_body("mass", dl.Inertia(2.0, [1e10] * 3), position=(0.5, 0, 0.1))
    model.add_shape(dl.Sphere(0.1), on=mass, material=dl.Material(friction=0.3))
    model.add_force(dl.Force(mass, (-50 * mass.x, 0, 0), name="spring"))
    return model, {}


def on_the_belt(t):
    """Sliding turns about at the first moment, and ends at the second."""
    middle, turns, sticks = 0.3 * G * 2 / 50, 0.670484346239478, 1.0891273705148
    if t <= turns:
        return [middle + (0.5 - middle) * math.cos(5 * t)]
    if t <= sticks:
        s = 5 * (t - turns)
        return [-middle + (middle - 0.256095460354437) * math.cos(s) + 0.08 * math.sin(s)]
    return [0.0206554603544375 + 0.4 * (t - sticks)]


def billiard():
    model = dl.Model("billiard")
    model.add_shape(dl.Plane(), material=dl.Material(friction=0.2), name="table")
    ball = model.add_body(
        "ball",
        dl.Inertia.sphere(0.2, radius=0.03),
        position=(0, 0, 0.03),
        velocity=(2, 0, 0),
        angular_velocity=(-40, -25, 10),
    )
    model.add_shape(dl.Sphere(0.03), on=ball, material=dl.Material(friction=0.2))
    return model, {}


def bounce():
    model = dl.Model("bounce")
    material = dl.Material(friction=0.0, restitution=0.7)
    model.add_shape(dl.Plane(), material=material, name="floor")
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 1.1))
    model.add_shape(dl.Sphere(0.1), on=ball, material=material)
    return model, {}


def bounced(t):
    hit = math.sqrt(2 / G)
    if t < hit:
        return [1.1 - G * t * t / 2]
    speed = 0.7 * G * hit
    while hit + 2 * speed / G < t:
        hit += 2 * speed / G
        speed *= 0.7
    return [0.1 + speed * (t - hit) - G * (t - hit) ** 2 / 2]


def cylinder():
    x, y, z = dl.coordinates("x y z")
    kinetic = (x.dot**2 + y.dot**2 + z.dot**2) / 2
    model = dl.Model.from_lagrangian(kinetic=kinetic, potential=G * z)
    model.keep(x**2 + y**2 <= 1, name="wall", restitution=0.9)
    model.keep(z >= 0, name="floor", restitution=0.8)
    return model, {"x": 0.3, "y": 0.2, "z": 2.0, "x.dot": 1.2, "y.dot": 0.5}


HITS = [
    *(("wall", 0.49519578312466), ("floor", 0.638550856814101), ("floor", 1.66023222771666)),
    *(("wall", 2.19858102848415), ("floor", 2.47757732443871)),
]


def in_the_cylinder(t):
    p, v, now = np.array([0.3, 0.2, 2.0]), np.array([1.2, 0.5, 0.0]), 0.0
    g = np.array([0.0, 0.0, -G])
    for what, moment in HITS:
        if moment > t:
            break
        p, v, now = (
            p + (moment - now) * (v + 0.5 * (moment - now) * g),
            v + (moment - now) * g,
            moment,
        )
        if what == "floor":
            v[2] *= -0.8
        else:
            n = np.array([p[0], p[1], 0.0])
            v = v - 1.9 * (v @ n) * n / (n @ n)
    return p + (t - now) * (v + 0.5 * (t - now) * g)


SCENES = {
    "belt": (belt, 1.2, ["mass.x"], on_the_belt),
    "billiard": (
        *(billiard, 2.0, ["ball.x", "ball.y"]),
        lambda t: [2.60022354851927, 0.61081154246432],
    ),
    "bounce": (bounce, 1.5, ["ball.z"], bounced),
    "cylinder": (cylinder, 3.0, ["x", "y", "z"], in_the_cylinder),
}


def run(make, until, **options):
    model, initial = make()
    options = {"mode": "stepping", "progress": False, "initial": initial or None} | options
    return dl.simulate(model, until=until, **options)


def error_of(solution, names, exact):
    ends = [solution[name][-1] for name in names]
    return float(np.linalg.norm(np.array(ends) - exact(solution.t[-1])))


@pytest.mark.parametrize("tolerance", [1e-3, 1e-5, 1e-7])
@pytest.mark.parametrize("name", SCENES)
def test_the_error_is_that_of_the_tolerance(name, tolerance):
    make, until, names, exact = SCENES[name]
    solution = run(make, until, rtol=tolerance)
    assert error_of(solution, names, exact) < 3 * tolerance


@pytest.mark.parametrize("name", ["belt", "bounce", "cylinder"])
def test_a_loose_tolerance_is_used(name):
    """Runs are not exact by far too much work: steps and error grow with the tolerance."""
    make, until, names, exact = SCENES[name]
    loose, tight = (run(make, until, rtol=tolerance) for tolerance in (1e-3, 1e-7))
    assert error_of(loose, names, exact) > 100 * error_of(tight, names, exact)
    assert loose.statistics["steps"] < tight.statistics["steps"]


def test_samples_within_steps_have_the_error_of_the_steps():
    times = np.linspace(0.0, 1.2, 61)
    for make, name, exact in ((belt, "mass.x", on_the_belt), (bounce, "ball.z", bounced)):
        solution = run(make, 1.2, rtol=1e-5, times=times)
        found = [abs(x - exact(t)[0]) for x, t in zip(solution[name], solution.t, strict=True)]
        assert max(found) < 5e-5


def test_an_event_within_a_step_is_found():
    model, _ = belt()
    passing = dl.Event(model.bodies["mass"].x)
    solution = dl.simulate(
        model, until=0.6, rtol=1e-6, events=[passing], mode="stepping", progress=False
    )
    middle = 0.3 * G * 2 / 50
    assert solution.events[0].t == pytest.approx(math.acos(-middle / (0.5 - middle)) / 5, abs=1e-5)


@pytest.mark.parametrize("name", ["stack", "arch"])
def test_what_rests_takes_long_steps(name):
    solution = dl.simulate(dl.catalog.load(name), until=5.0, progress=False)
    assert solution.statistics["steps"] < 80
    assert solution.statistics["longest_step"] > 0.09
    heights = solution.q.reshape(len(solution.t), -1, 7)[:, :, 2]
    assert np.abs(heights[-1] - heights[0]).max() < 1e-6


def test_steps_become_short_where_something_hits_and_long_again():
    solution = dl.simulate(dl.catalog.load("boxes"), until=2.0, progress=False)
    lengths = np.diff(solution.t)
    moving = solution.t[:-1] < 0.3
    assert lengths[moving].min() < 2e-3
    assert lengths[~moving].min() > 0.05
    assert solution.statistics["rejected"] > 0


def flying(shapes):
    model = dl.Model("flying")
    size = (0.1, 0.2, 0.3)
    a = model.add_body(
        *("a", dl.Inertia.box(1.0, size=size)), position=(0, 0, 100), angular_velocity=(1, 2, 3)
    )
    b = model.add_body("b", dl.Inertia.box(1.0, size=size), position=(1, 0, 100))
    model.add_force(dl.Spring(a, b, stiffness=20.0, free_length=0.8))
    if shapes:
        model.add_shape(dl.Plane())
        model.add_shape(dl.Sphere(0.1), on=a)
    return model


def test_what_nothing_touches_moves_as_if_there_were_no_shapes():
    plain, shaped = (
        dl.simulate(flying(shapes), until=3.0, mode="stepping", progress=False)
        for shapes in (False, True)
    )
    assert isinstance(plain.integrator, DormandPrince)
    assert np.array_equal(plain.t, shaped.t)
    assert np.array_equal(plain.q, shaped.q)
    assert np.array_equal(plain.v, shaped.v)


def test_a_controller_is_called_at_its_rate():
    model = dl.catalog.load("gripper-with-box")
    calls = []
    servo = next(iter(model.forces.values()))

    def hold(t, q, v):
        calls.append(t)
        return 0.0

    controller = dl.Controller(hold, rate=70.0, outputs=[servo])
    solution = dl.simulate(
        model, until=0.5, controllers=[controller], mode="stepping", rtol=1e-3, progress=False
    )
    assert np.allclose(calls, np.arange(len(calls)) / 70.0, rtol=1e-12)
    assert set(calls) <= set(solution.t)
    assert np.diff(solution.t).max() > 0.01


@pytest.mark.parametrize("name", ["boxes", "gripper-with-box", "cup"])
def test_resumed_to_the_bit(name, tmp_path):
    options = {"until": 0.3, "mode": "stepping", "progress": False}
    whole = dl.simulate(dl.catalog.load(name), **options)
    for steps in (2, 7, 12):
        place = tmp_path / str(steps)
        with pytest.MonkeyPatch.context() as patch:
            stopped_after(steps, patch)
            dl.simulate(dl.catalog.load(name), on_failure="return", save=place, **options)
        assert fingerprint(dl.resume(place, progress=False)) == fingerprint(whole)


def test_the_report_tells_tolerance_and_steps():
    solution = dl.simulate(dl.catalog.load("boxes"), until=0.2, rtol=2e-3, progress=False)
    report = solution.report()
    assert report["tolerance"] == 2e-3
    assert report["step"] is None
    assert 0.0 < report["shortest_step"] < report["longest_step"] <= 0.02
    assert report["rejected_steps"] > 0
    assert isinstance(solution.integrator, ErrorControl)
    assert "tolerance 0.002 a second" in solution.summary()


def test_a_tolerance_is_refused_beside_a_step():
    model = dl.catalog.load("boxes")
    with pytest.raises(OptionError, match="rtol"):
        dl.simulate(model, until=1.0, step=1e-3, rtol=1e-3)


def test_what_is_not_hit_flies_on_within_a_step_in_which_something_lands():
    """A ball in free flight has its parabola at every moment, whatever happens elsewhere."""
    model = dl.Model("two balls")
    model.add_shape(dl.Plane(), name="floor")
    for name, x, z in (("low", 0.0, 0.15), ("high", 2.0, 5.0)):
        ball = model.add_body(name, dl.Inertia.sphere(1.0, 0.1), position=(x, 0.0, z))
        model.add_shape(dl.Sphere(0.1), on=ball)
    t = np.linspace(0.0, 0.5, 501)
    solution = dl.simulate(model, until=0.5, mode="stepping", rtol=1e-5, times=t)
    assert abs(solution["low.z"][-1] - 0.1) < 1e-6  # it has landed
    assert np.abs(solution["high.z"] - (5.0 - 9.81 * t**2 / 2)).max() < 1e-12


def two_balls():
    model = dl.Model("two balls")
    model.add_shape(dl.Plane(), name="floor")
    for name, x, z in (("low", 0.0, 0.15), ("high", 2.0, 5.0)):
        ball = model.add_body(name, dl.Inertia.sphere(1.0, 0.1), position=(x, 0.0, z))
        model.add_shape(dl.Sphere(0.1), on=ball)
    return model, {}


def ledge():
    """A point mass that falls on a ledge of formulas, and slides on."""
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(kinetic=(x.dot**2 + y.dot**2) / 2, potential=G * y)
    model.keep(y >= 0, name="ledge")
    return model, {"y": 0.05, "x.dot": 1.0}


def rod(limited=True):
    """A rod that falls against a limit of its hinge, which it does not leave again."""
    model = dl.Model("rod")
    body = model.add_body("rod", dl.Inertia.rod(1.0, 1.0, axis="x"), position=(0.5, 0, 0))
    hinge = model.add_joint(dl.Revolute(model.world, body.at(x=-0.5), axis="y", name="hinge"))
    if limited:
        model.set_limits(hinge, dl.Limits(upper=0.7))
    return model, {}


LANDINGS = [(two_balls, "auto"), (ledge, "auto"), (rod, "maximal"), (rod, "generalized")]


@pytest.mark.parametrize("tolerance", [1e-3, 1e-5, 1e-7])
@pytest.mark.parametrize(("make", "formulation"), LANDINGS)
def test_what_lands_is_where_it_should_be_within_the_step(make, formulation, tolerance):
    """The moment of a plastic impact is known as well as its velocity lets it matter."""
    (model, initial), t = make(), np.linspace(0.0, 0.6, 601)
    options = {"until": 0.6, "times": t, "initial": initial or None, "formulation": formulation}
    exact = dl.simulate(model, mode="events", **options)
    assert [event.kind for event in exact.log].count("impact") == 1
    found = dl.simulate(model, mode="stepping", rtol=tolerance, **options)
    scale = max(1.0, float(np.abs(exact.q).max()))
    assert np.abs(found.q - exact.q).max() < 2 * tolerance * scale
    assert found.statistics["rejected"] < 15  # it is foretold, not searched


def test_samples_within_smooth_steps_of_a_tree_are_those_without_the_limit():
    """Stages of the continuous output see the tree as those of the step do."""
    options = {"until": 0.3, "times": np.linspace(0.0, 0.3, 61), "formulation": "generalized"}
    limited = dl.simulate(rod()[0], mode="stepping", **options)
    plain = dl.simulate(rod(limited=False)[0], **options)
    assert limited.statistics["contact"]["contact_steps"] == 0
    assert np.abs(limited.q - plain.q).max() < 1e-9


def test_a_run_that_gives_events_up_follows_a_tolerance():
    """As if it had had steps from its beginning; it took those of the rule before, whatever came."""
    stack = dl.simulate(dl.catalog.load("stack"), mode="events", until=1.0, progress=False)
    assert [entry.kind for entry in stack.log] == ["stepping"]
    assert stack.statistics["steps"] < 25
    times = np.linspace(0.0, 0.3, 7)
    options = {"until": 0.3, "times": times, "progress": False}
    fallen = dl.simulate(dl.catalog.load("dominoes"), mode="events", **options)
    exact = dl.simulate(dl.catalog.load("dominoes"), mode="stepping", rtol=1e-6, **options)
    assert [entry.kind for entry in fallen.log] == ["stepping"]
    assert fallen.statistics["rejected"] > 0
    assert np.abs(fallen.q - exact.q).max() < 1e-3


def test_a_run_that_gives_events_up_goes_on_to_the_bit(tmp_path):
    options = {"until": 0.3, "mode": "events", "progress": False}
    whole = dl.simulate(dl.catalog.load("dominoes"), **options)
    with pytest.MonkeyPatch.context() as patch:
        stopped_after(20, patch)
        dl.simulate(
            dl.catalog.load("dominoes"), on_failure="return", save=tmp_path / "run", **options
        )
    assert fingerprint(dl.resume(tmp_path / "run", progress=False)) == fingerprint(whole)
