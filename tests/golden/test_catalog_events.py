"""Catalog models of impacts, friction and stops against closed forms, run with their defaults."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ellipk

import dalembert as dl
from dalembert.catalog import load

G = 9.81


def run(name, until=None, method=None, **options):
    """The model with what it suggests."""
    model = load(name, **options)
    return dl.simulate(model, until=until or model.suggested["until"], method=method)


def moments(solution, kind, contact=""):
    """Distinct moments of entries of a kind."""
    found = {e.t for e in solution.log if e.kind == kind and contact in e.contact}
    return np.array(sorted(found))


def test_bouncing_ball_comes_to_rest_after_infinitely_many_impacts():
    solution = run("bouncing-ball")
    first, e = math.sqrt(2.0 / G), 0.8
    bounces = first * (1.0 + 2.0 * np.cumsum([0.0, *(e ** np.arange(1, 20))]))
    np.testing.assert_allclose(moments(solution, "impact")[:20], bounces, rtol=1e-12)
    assert moments(solution, "rest") == pytest.approx([first * (1 + e) / (1 - e)], abs=1e-9)
    assert solution["ball.z"][-1] == pytest.approx(0.1, abs=1e-12)


def test_ball_on_a_slope_slides_after_its_bounces():
    solution = run("bouncing-ball", angle=15.0, restitution=0.7)
    np.testing.assert_allclose(
        moments(solution, "impact")[[0, 1, 2, 9]],
        [0.459418632845828, 1.10260471882999, 1.5528349790189, 2.51685599098745],
        rtol=1e-12,
    )
    assert solution["ball.x"][-1] == pytest.approx(31.7376854056966, abs=1e-9)


def test_cradle_hands_the_speed_from_one_end_to_the_other():
    solution = run("cradle", method=dl.ContactImpulse(impacts="sequential"))
    swing = math.sqrt(0.5 / G)  # of a rod of 0.5 m
    highest = math.acos(1.0 - 1.0 / (2.0 * G * 0.5))
    half = 2.0 * swing * ellipk(math.sin(highest / 2) ** 2)
    hits = moments(solution, "impact")
    np.testing.assert_allclose(hits, half * np.arange(len(hits)), atol=1e-9)
    # between the first two impacts only the last ball moves, then only the first
    for k, ball in ((0, 4), (1, 0)):
        now = (k + 0.2) * half
        balls = solution.model.bodies
        speeds = [float(solution.sampled(balls[f"ball{i}"].x.dot, [now])[0]) for i in range(5)]
        assert abs(speeds[ball]) > 0.5
        assert np.abs(np.delete(speeds, ball)).max() < 1e-9


def test_rocking_block_of_housner():
    solution = run("rocking-block")
    np.testing.assert_allclose(
        moments(solution, "impact")[[0, 1, 2, 4, 9, 19]],
        [
            0.398742467353405,
            0.931580392565378,
            1.33940468298087,
            1.93313731713137,
            2.73719737180115,
            3.23642776895434,
        ],
        atol=1e-10,
    )
    assert moments(solution, "rest")[-1] == pytest.approx(3.35820034748993, abs=1e-8)


def test_block_on_a_belt_reverses_sticks_and_breaks_loose():
    solution = run("stick-slip-belt", until=1.33, static=0.3)
    (reverse,), (stick,) = moments(solution, "reverse"), moments(solution, "stick")
    assert reverse == pytest.approx(0.670484346239478, abs=1e-10)
    assert stick == pytest.approx(1.0891273705148, abs=1e-10)


def test_block_on_a_belt_sticks_and_slips_for_ever():
    solution = run("stick-slip-belt")
    sticks, slips = moments(solution, "stick"), moments(solution, "slip")[1:]
    assert len(slips) >= 3
    np.testing.assert_allclose(slips[1:] - sticks[1 : len(slips)], 0.3924, atol=1e-9)
    period = np.diff(slips)
    np.testing.assert_allclose(period, 1.33871412468512, atol=1e-9)
    x = solution.sampled(solution.model.bodies["block"].x, slips)
    np.testing.assert_allclose(x, 0.1962, atol=1e-9)


def test_slider_with_clearance_strikes_its_guide():
    tilted = run("slider-crank-clearance", until=2.6994e-3, tilt=0.005, friction=0.0)
    np.testing.assert_allclose(
        moments(tilted, "impact")[:7],
        [
            0.0023775925525847,
            0.0026543877231374,
            0.0026846636838139,
            0.0026937311949316,
            0.0026971960026241,
            0.0026986450112469,
            0.0026992744740778,
        ],
        atol=1e-10,
    )
    struck = [e.contact for e in tilted.log if e.kind == "impact"]
    assert struck[:4] == ["upper front", "upper rear"] * 2
    level = run("slider-crank-clearance", until=9e-3, friction=0.0)
    np.testing.assert_allclose(
        moments(level, "impact")[:5],
        [
            0.0026925027520211,
            0.0056077978680713,
            0.0074656351695639,
            0.0084092527490741,
            0.0088316421605508,
        ],
        atol=1e-10,
    )
    assert np.abs(level["slider.wy"]).max() < 1e-9


def test_pendulum_on_a_string_goes_slack_flies_and_is_caught():
    solution = run("string-pendulum")
    assert moments(solution, "open") == pytest.approx([0.480713693370352], abs=1e-10)
    assert moments(solution, "impact") == pytest.approx([1.22099217638597], abs=1e-10)
    (caught,) = [e for e in solution.log if e.kind == "impact"]
    assert caught.before == pytest.approx(-4.88015264915351, abs=1e-9)
    assert solution.energy[-1] == pytest.approx(-6.02194493952, abs=1e-9)


def test_painleve_rod_jams_and_lifts_off():
    thin = {"angle": 40.0, "speed": 8.0, "radius": 1e-5}
    jammed = run("painleve-rod", until=0.1, spin=0.5, **thin)
    # a round tip of 1e-5 m moves the contact by as much
    assert moments(jammed, "jam") == pytest.approx([0.05794452663287], abs=3e-5)
    lifted = run("painleve-rod", until=0.1, spin=5.0, **thin)
    assert moments(lifted, "open") == pytest.approx([0.022486326122486], abs=3e-5)
    assert not len(moments(lifted, "jam"))


def test_hops_reach_a_fixed_part_of_the_last():
    solution = run("hopper")
    left = 5.0 / 5.2  # of the speed when the trunk takes the foot with it
    landings = [-e.before for e in solution.log if e.kind == "impact" and "floor" in e.contact]
    assert landings[0] == pytest.approx(math.sqrt(2 * G * 0.3), rel=1e-12)
    np.testing.assert_allclose(landings, landings[0] * left ** np.arange(len(landings)), rtol=1e-9)
    # stance: from the speed down to the same speed up, on the spring
    w = math.sqrt(2000.0 / 5.0)
    stance = (math.pi + 2.0 * math.atan(G / (w * landings[0]))) / w
    taken = moments(solution, "impact", "leg")[0] - moments(solution, "impact", "floor")[0]
    assert taken == pytest.approx(stance, rel=1e-9)


def test_ratchet_goes_on_by_whole_teeth():
    solution = run("ratchet")
    angle = solution["axle.angle"]
    pitch = 2.0 * math.pi / 16
    assert angle.max() - angle[0] > 2.5 * pitch
    # the torque is backwards since pi / 4 s: the pawl lies in a corner
    assert (angle[-1] - angle[0]) / pitch == pytest.approx(2.0, abs=1e-5)


def test_geneva_drive_goes_on_by_quarters():
    solution = run("geneva-drive", until=1.25)
    play, crank = 2e-4, 0.05
    shaft, wheel = solution["shaft.angle"], solution["axle.angle"]
    within = np.cos(shaft) > math.cos(math.pi / 4) + 1e-9
    first = within & (shaft < 1.0)
    x, z = math.sqrt(2.0) * crank - crank * np.cos(shaft), crank * np.sin(shaft)
    ideal = -(np.arctan2(z, x) + math.pi / 4)
    room = np.arcsin(np.minimum(1.0, play / np.hypot(x, z)))
    off = (wheel - ideal)[first]
    assert np.all(np.abs(off) <= room[first] + 1e-9)
    for name, side in (("pin - arm2", 1.0), ("pin - arm3", -1.0)):
        closed = [p for p in solution.phases[name] if p[2] == "closed" and p[0] < 0.5]
        (span,) = [p for p in closed if p[1] - p[0] > 0.05]  # of the first quarter
        pressed = (solution.t > span[0]) & (solution.t < span[1])
        assert pressed.sum() > 5
        np.testing.assert_allclose((wheel - ideal)[pressed], side * room[pressed], atol=1e-9)
    assert not any(entry.kind == "stepping" for entry in solution.log)
    # it stands from one quarter to the next
    stands = wheel[(solution.t > 0.5) & (solution.t < 1.1)]
    assert np.ptp(stands) < 1e-9
    assert abs(stands[0] + math.pi / 2) <= play / crank


def test_geneva_drive_lets_go_where_its_pin_passes_the_end_of_the_wall():
    """There J v bends: a difference across it let the pin go 5 us too early, and land again."""
    solution = run("geneva-drive", until=0.5)
    play, crank = 2e-4, 0.05
    left = 0.25 + math.acos((1.0 - play**2 / (2.0 * crank**2)) / math.sqrt(2.0)) / (2.0 * math.pi)
    last = [(entry.t, entry.kind) for entry in solution.log if entry.contact == "pin - arm3"]
    assert [kind for _, kind in last] == ["impact", "close", "open"]
    assert last[-1][0] == pytest.approx(left, abs=1e-9)


def test_coin_settles_as_rolling_resistance_takes_its_energy():
    steady = load("spinning-coin", rolling=0.0, thickness=4e-4)
    solution = dl.simulate(steady, until=1.0, step=2.5e-4)
    axis = np.array([solution[steady.bodies["coin"].rotation[i, 2]] for i in range(3)])
    turns = np.ptp(np.unwrap(np.arctan2(axis[1], axis[0])))
    assert turns == pytest.approx(2.0 * math.sqrt(G / (0.04 * math.sin(0.6))), rel=5e-3)
    model = load("spinning-coin")
    solution = dl.simulate(model, until=6.0, step=5e-4)
    lean = np.arccos(np.clip(solution[model.bodies["coin"].rotation[2, 2]], -1.0, 1.0))
    whole, _ = quad(lambda a: 1.0 / math.sqrt(math.sin(a)), 0.0, 0.6)
    theory = whole / (4.0 * 6e-4 / (3.0 * 0.04) * math.sqrt(G / 0.04))
    assert solution.t[np.argmax(lean < 2e-3)] == pytest.approx(theory, rel=0.1)
    assert lean[-1] < 1e-6
    assert solution["coin.z"][-1] == pytest.approx(1e-3, abs=5e-6)


def test_a_phase_that_hardly_moves_goes_on_in_steps():
    """Rows of a gripper that repeat one another make its forces noise: told, and not waited for."""
    solution = dl.simulate(dl.catalog.load("gripper-with-box"), until=0.6)
    assert solution.report()["steps"] < 5000
    assert [one.contact for one in solution.log if one.kind == "stepping"] in (
        [],
        ["steps between events become too short"],
    )
    assert solution.verdict.is_good
