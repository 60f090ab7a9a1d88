"""A session against a clock of one's own: play, pause, speed, orders, failures."""

import math

import numpy as np
import pytest

import dalembert as dl
from dalembert.viewer.live_steering import LONGEST, Steering

FRAME = 1 / 60


def made(**options):
    """However slow this machine is: no budget."""
    session = dl.Session(dl.catalog.load("pendulum"), step=1e-3)
    return Steering(session, budget=math.inf, **options)


def run(steering, seconds, begin=0.0):
    """Ticks at 60 Hz; returns the time after them."""
    ticks = round(seconds / FRAME)
    for k in range(ticks + 1):
        steering.tick(begin + k * FRAME)
    return begin + ticks * FRAME


def test_it_keeps_time():
    steering = made()
    run(steering, 2.0)
    assert steering.session.t == pytest.approx(2.0, abs=1.1e-3)
    assert steering.real_time == pytest.approx(1.0, abs=0.01)
    assert steering.simulated == pytest.approx(steering.session.t)


def test_speed():
    steering = made(speed=0.25)
    now = run(steering, 1.0)
    assert steering.session.t == pytest.approx(0.25, abs=1.1e-3)
    steering.set_speed(3.0)
    run(steering, 1.0, now)
    assert steering.session.t == pytest.approx(3.25, abs=2.1e-3)
    assert steering.real_time == pytest.approx(3.0, abs=0.05)


def test_paused_nothing_moves_and_nothing_is_made_up_for():
    steering = made()
    now = run(steering, 0.5)
    steering.play()
    assert not steering.playing
    t = steering.session.t
    now = run(steering, 5.0, now)
    assert steering.session.t == t
    assert steering.real_time == 0.0
    steering.play(True)
    run(steering, 0.5, now)
    assert steering.session.t == pytest.approx(1.0, abs=2.1e-3)


def test_a_long_wait_is_not_made_up_for():
    steering = made()
    steering.tick(0.0)
    steering.tick(100.0)
    assert steering.session.t == pytest.approx(LONGEST)


def test_of_orders_with_one_key_the_last_is_carried_out():
    steering = made(playing=False)
    done = []
    for k in range(5):
        steering.ask(lambda session, k=k: done.append(k), "slider")
    steering.ask(lambda session: done.append("other"))
    steering.ask(lambda session: done.append("other"))
    assert steering.waits("slider")
    steering.tick(0.0)
    assert done == [4, "other", "other"]
    assert not steering.waits("slider")


def test_what_is_refused_becomes_a_sentence_and_the_motion_goes_on():
    steering = made()
    steering.ask(lambda session: session.set_parameter("m", -1.0))
    run(steering, 0.5)
    assert "mass" in steering.message
    assert steering.playing
    assert steering.session.t == pytest.approx(0.5, abs=1.1e-3)


def test_a_programming_error_does_not_end_it_either():
    steering = made()
    steering.ask(lambda session: 1 / 0)
    run(steering, 0.1)
    assert "ZeroDivisionError" in steering.message
    assert steering.session.t > 0.0


def test_a_failed_run_stops_until_it_is_reset():
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, forces={x: np.sqrt(0.3 - dl.time)})
    steering = Steering(dl.Session(model, step=1e-3), budget=math.inf)
    now = run(steering, 1.0)
    assert not steering.playing
    assert steering.message.startswith("Stopped at t = 0.3 s")
    steering.play(True)
    now = run(steering, 0.2, now)
    assert steering.session.t == pytest.approx(0.3)
    steering.ask(lambda session: steering.reset())
    run(steering, 0.2, now)
    assert steering.message == ""
    assert steering.session.t == pytest.approx(0.2, abs=2e-2)


def test_single_steps_pause():
    steering = made()
    steering.step()
    assert not steering.playing
    assert steering.session.t == 1e-3
    assert steering.simulated == 1e-3
