"""Sleeping: what rests is left alone, keeps its forces, and wakes for every reason there is."""

import numpy as np
import pytest

import dalembert as dl

G = 9.81
SLEEPY = dl.ContactImpulse(sleeping=True)


def tower(count=3, *, spots=((0.0, 0.0),)):
    """Towers of cubes of 1 kg, 0.2 m wide, on a floor."""
    model = dl.Model("towers", gravity=(0, 0, -G))
    surface = dl.Material(friction=0.5)
    model.add_shape(dl.Plane(), material=surface, name="floor")
    for n, (x, y) in enumerate(spots):
        for k in range(count):
            place = (x, y, 0.1 + 0.2 * k)
            inertia = dl.Inertia.box(1.0, size=(0.2, 0.2, 0.2))
            box = model.add_body(f"box{n}_{k}", inertia, position=place)
            model.add_shape(dl.Box(0.2, 0.2, 0.2), on=box, material=surface)
    return model


def throw(model, *, speed=10.0, arrival=0.7525, height=0.5):
    """A ball that comes along x and hits the first tower at a height, in the middle of a step.

    At its end rounding would decide which step has the hit: two runs of one model could differ.
    """
    place = (-0.15 - speed * arrival, 0.0, height + 0.5 * G * arrival**2)
    inertia = dl.Inertia.sphere(0.5, radius=0.05)
    ball = model.add_body("ball", inertia, position=place, velocity=(speed, 0.0, 0.0))
    model.add_shape(dl.Sphere(0.05), on=ball, material=dl.Material(friction=0.5))


def run(model, until, sleeping=True, **options):
    method = dl.ContactImpulse(sleeping=sleeping)
    return dl.simulate(model, until=until, step=5e-3, method=method, **options)


def moved(solution, name):
    """How far a body has gone from its start, at every sample."""
    k = list(solution.model.bodies).index(name)
    places = solution.q.reshape(len(solution.t), -1, 7)[:, k, :3]
    return np.abs(places - places[0]).max(1)


def test_a_tower_sleeps_and_is_held_as_before():
    solution = run(tower(), 1.0)
    asleep = solution.t > 0.51
    assert not solution.v[asleep].any()
    assert (solution.q[asleep] == solution.q[-1]).all()
    assert (solution.solve_info["iterations"][-80:] == 0).all()
    assert solution.solve_info["contacts"][-1] == solution.solve_info["sticking"][-1] == 12
    for k in range(3):
        under = "floor" if k == 0 else f"box0_{k - 1}"
        force = solution.contact_force(f"box0_{k}", under)[-1]
        assert force == pytest.approx([0, 0, (3 - k) * G], abs=1e-3)


def test_nothing_changes_as_long_as_nothing_sleeps():
    for model, until in ((tower(), 0.49), (dl.catalog.load("pile", count=20), 0.3)):
        awake, sleepy = run(model, until, sleeping=False), run(model, until)
        assert np.array_equal(awake.q, sleepy.q)
        assert np.array_equal(awake.v, sleepy.v)


def test_a_hit_wakes_the_tower_that_is_hit_and_no_other():
    model = tower(spots=((0.0, 0.0), (0.0, 3.0)))
    throw(model)
    sleepy, awake = run(model, 0.9), run(model, 0.9, sleeping=False)
    assert not sleepy.v[(sleepy.t > 0.6) & (sleepy.t < 0.7)][:, :36].any()
    assert moved(sleepy, "box0_2")[-1] > 0.05
    assert moved(sleepy, "box1_2").max() < 1e-8
    assert not sleepy.v[-1][18:36].any()
    # it wakes with the impulses it had: the motion is that of a tower that never slept
    assert moved(sleepy, "box0_2")[-1] == pytest.approx(moved(awake, "box0_2")[-1], rel=1e-4)


def test_a_force_wakes():
    model = tower(1)
    push = dl.where(dl.time > 1.0, 8.0, 0.0)
    model.add_force(dl.Force(model.bodies["box0_0"], value=(push, 0.0, 0.0), name="push"))
    solution = run(model, 1.5)
    assert not solution.v[(solution.t > 0.6) & (solution.t < 1.0)].any()
    # (8 - mu m g) / m for half a second
    assert moved(solution, "box0_0")[-1] == pytest.approx(0.5 * (8 - 0.5 * G) * 0.25, rel=0.03)


def test_a_support_that_is_driven_keeps_what_it_carries_awake():
    solution = dl.simulate(dl.catalog.load("gripper-with-box"), step=1e-3, until=2.0, method=SLEEPY)
    assert moved(solution, "box")[-1] == pytest.approx(0.2, abs=2e-3)


def test_gravity_that_is_turned_wakes():
    session = dl.Session(tower(1), step=5e-3, method=SLEEPY)
    session.advance(1.0)
    assert not session.v.any()
    session.set_parameter("gravity.z", 2.0)
    session.advance(0.2)
    assert session.q[2] - 0.1 == pytest.approx(0.5 * 2.0 * 0.04, rel=0.05)


def test_a_hand_wakes():
    session = dl.Session(tower(1), step=5e-3, method=SLEEPY)
    session.advance(1.0)
    session.pull("box0_0", (0, 0, 0), (0, 0, 1.0), strength=10.0)
    session.advance(0.5)
    assert session.q[2] > 0.2


def test_what_floats_does_not_sleep():
    model = dl.Model("space", gravity=(0, 0, 0))
    model.add_shape(dl.Plane(), name="floor")
    inertia = dl.Inertia.sphere(1.0, radius=0.1)
    ball = model.add_body("ball", inertia, position=(0, 0, 1), velocity=(5e-5, 0, 0))
    model.add_shape(dl.Sphere(0.1), on=ball)
    assert moved(run(model, 2.0), "ball")[-1] == pytest.approx(1e-4, rel=1e-9)


def test_sleep_goes_on_to_the_bit(tmp_path):
    model = tower(spots=((0.0, 0.0), (0.0, 3.0)))
    throw(model)
    whole = run(model, 0.9)
    run(model, 0.65, save=tmp_path / "run")
    rest = dl.resume(tmp_path / "run", until=0.9)
    assert np.array_equal(whole.q, rest.q)
    assert np.array_equal(whole.v, rest.v)
    assert np.array_equal(whole.touch.table, rest.touch.table)


def test_the_option_is_checked():
    with pytest.raises(dl.errors.OptionError, match="sleeping"):
        dl.ContactImpulse(sleeping="deep")
