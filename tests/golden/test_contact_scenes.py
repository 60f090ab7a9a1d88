"""Scenes of contact: what must stand stands, what must fall falls (contact.md 15)."""

import math

import numpy as np
import pytest

import dalembert as dl

load = dl.catalog.load
SHARP = dl.ContactImpulse(tolerance=1e-9)
FAST = dl.ContactImpulse(profile="fast")


def moved(solution):
    return np.abs(solution.q - solution.q[0]).max()


def test_tower_with_a_heavy_top_stands():
    solution = dl.simulate(load("stack"), until=10.0, step=5e-3, method=SHARP)
    assert moved(solution) <= 1e-8
    contact = solution.statistics["contact"]
    assert contact["stalled"] == 0
    assert contact["residual"] <= 1e-9
    assert contact["flagged"] == 0


def test_tower_of_a_hundred_stands():
    model = load("stack", count=100, ratio=1.0)
    solution = dl.simulate(model, until=10.0, step=5e-3, every=20)
    assert moved(solution) <= 1e-7
    assert solution.statistics["contact"]["stalled"] == 0


def test_wall_stands():
    solution = dl.simulate(load("wall", rows=10, columns=10), until=10.0, step=5e-3, every=20)
    assert moved(solution) <= 1e-8
    assert solution.statistics["contact"]["penetration"] <= 1e-6


@pytest.mark.parametrize(("friction", "stands"), [(0.6, True), (0.15, False)])
def test_house_of_cards(friction, stands):
    model = load("cards", friction=friction)
    solution = dl.simulate(model, until=10.0 if stands else 1.0, step=5e-3, every=10)
    assert (moved(solution) <= 1e-8) == stands
    if not stands:
        assert moved(solution) > 0.05


@pytest.mark.parametrize("levels", [1, 3])
@pytest.mark.parametrize("excess", [-3e-3, 3e-3])
def test_cards_stand_by_the_friction_of_their_tips(levels, excess):
    # by symmetry the force between two tips is level; the face of one is the plane of contact
    friction = math.tan(math.radians(20.0)) * (1 + excess)
    model = load("cards", levels=levels, friction=friction)
    solution = dl.simulate(model, until=10.0 if excess > 0 else 2.0, step=5e-3, every=10)
    assert (moved(solution) <= 1e-8) == (excess > 0)
    if excess < 0:
        assert moved(solution) > 0.05


@pytest.mark.parametrize(
    ("count", "thickness", "friction", "stands"),
    [
        (16, 0.115, 0.6, True),  # C13: 0.10724 is the least thickness of 16 wedges,
        (16, 0.108, 0.6, True),
        (16, 0.1068, 0.6, False),
        (16, 0.100, 0.6, False),
        (16, 0.15, 0.355, True),  # and 0.3515 the least friction for 0.15
        (16, 0.15, 0.348, False),
        (15, 0.15, 0.5, True),
        (15, 0.15, 0.3, False),
    ],
)
def test_arch(count, thickness, friction, stands):
    model = load("arch", count=count, thickness=thickness, friction=friction)
    solution = dl.simulate(model, until=10.0 if stands else 3.0, step=5e-3, every=10)
    assert (moved(solution) <= 1e-8) == stands
    if not stands:
        assert moved(solution) > 0.05


def test_dominoes_fall_one_after_the_other():
    solution = dl.simulate(load("dominoes", count=8), until=1.0, step=1e-3, every=5)
    up = 1.0 - 2.0 * (solution.q.reshape(len(solution.t), -1, 7)[:, :, 5] ** 2)
    fallen = np.argmax(up < 0.95, axis=0)
    assert np.all(np.diff(fallen[:-1]) > 0)
    assert np.all(up[-1] < 0.8)


@pytest.mark.parametrize(("formulation", "count"), [("maximal", 8), ("generalized", 20)])
def test_chain_on_the_ground_keeps_its_joints(formulation, count):
    solution = dl.simulate(
        load("chain-on-ground", count=count), until=4.0, step=5e-3, formulation=formulation
    )
    assert solution.worst["phi"] <= 1e-10
    assert np.nanpercentile(solution.solve_info["residual"], 95) <= 1e-6
    assert solution.statistics["contact"]["penetration"] <= 1e-5
    # it lies on the ground
    heights = solution.q.reshape(len(solution.t), -1, 7)[-1, :, 2]
    assert heights[-1] == pytest.approx(0.03, abs=1e-3)


def test_both_formulations_of_a_chain_agree():
    runs = [
        dl.simulate(
            load("chain-on-ground", count=4, tip=2.0),
            until=0.3,
            step=1e-3,
            formulation=formulation,
            method=dl.ContactImpulse(order=2, tolerance=1e-10),
        )
        for formulation in ("maximal", "generalized")
    ]
    assert np.abs(runs[0].q[-1] - runs[1].q[-1]).max() <= 1e-4


@pytest.mark.parametrize("friction", [0.3, 1.0, 1.6, 2.5, 4.0])
def test_painleve_rod_is_always_solved(friction):
    for angle in (30.0, 50.0, 63.4, 75.0, 85.0):
        for speed in (-2.0, 2.0):
            model = load("painleve-rod", angle=angle, friction=friction, speed=speed)
            solution = dl.simulate(model, until=0.02, step=1e-3, method=SHARP)
            contact = solution.statistics["contact"]
            assert contact["residual"] <= 1e-9
            assert contact["flagged"] == 0
            assert np.isfinite(solution.v).all()


def test_pile_settles_quickly_and_does_not_explode():
    solution = dl.simulate(load("pile", count=200), until=1.5, step=5e-3, every=20, method=FAST)
    contact = solution.statistics["contact"]
    assert contact["penetration"] <= 0.01 * 0.05
    assert contact["residual"] <= 0.1
    assert contact["flagged"] == 0
    assert solution.kinetic[-5:].mean() < 0.05 * solution.kinetic.max()
    assert solution.q.reshape(len(solution.t), -1, 7)[-1, :, 2].min() >= 0.05 - 5e-4


def test_balls_that_fall_together_do_not_enter_each_other():
    # the lowest is stopped by the floor: before, nothing moved against the others
    model = dl.Model("column")
    model.add_shape(dl.Plane())
    for k in range(6):
        ball = model.add_body(
            f"ball{k}",
            dl.Inertia.sphere(0.1, radius=0.05),
            position=(0, 0, 0.2 + 0.105 * k),
            velocity=(0, 0, -3),
        )
        model.add_shape(dl.Sphere(0.05), on=ball)
    solution = dl.simulate(model, until=0.2, step=5e-3)
    assert solution.statistics["contact"]["penetration"] <= 1e-6
    heights = solution.q.reshape(len(solution.t), -1, 7)[:, :, 2]
    assert np.diff(heights, axis=1).min() >= 0.1 - 1e-6


@pytest.mark.parametrize(
    ("name", "options", "most"),
    [
        ("stack", {"ratio": 1.0}, 1e-5),
        ("stack", {}, 5e-3),
        ("cards", {}, 1e-3),
        ("wall", {"rows": 6, "columns": 6}, 1e-3),
    ],
)
def test_towers_stand_with_little_work_too(name, options, most):
    solution = dl.simulate(load(name, **options), until=2.0, step=5e-3, every=10, method=FAST)
    assert moved(solution) <= most


def test_dropped_boxes_come_to_rest_and_do_not_sink():
    solution = dl.simulate(load("boxes", count=30), until=1.0, step=5e-3, every=10)
    state = solution.q.reshape(len(solution.t), -1, 7)[-1]
    assert np.abs(state[:, 2] - 0.1).max() <= 1e-6
    assert np.abs(solution.v[-1]).max() <= 1e-7
    info = solution.solve_info
    assert info["contacts"][-1] == 120
    assert np.nanmax(info["residual"][-5:]) <= 1e-8


def test_gripper_holds_the_box_by_friction_alone():
    held = dl.simulate(load("gripper-with-box"), until=1.8, step=2e-3, every=10)
    box = held.q.reshape(len(held.t), -1, 7)[-1, 0, :3]
    assert box[2] == pytest.approx(0.25, abs=1e-5)
    # each jaw presses with what its drive may give
    assert abs(held["left_drive.effort"][-1]) == pytest.approx(30.0, rel=1e-9)
    assert -held.contact_force("box", "left")[-1, 0] + held.contact_force("box", "right")[
        -1, 0
    ] == pytest.approx(-60.0, rel=1e-6)
    lost = dl.simulate(load("gripper-with-box", force=7.0), until=1.8, step=2e-3, every=10)
    assert lost.q.reshape(len(lost.t), -1, 7)[-1, 0, 2] == pytest.approx(0.05, abs=1e-6)


def test_fast_top_rises():
    # friction at the tip of a fast top raises it (Jellett); a slow one falls
    for spin, rises in ((200.0, True), (20.0, False)):
        solution = dl.simulate(load("top-on-floor", spin=spin), until=1.0, step=5e-4, every=20)
        z = solution.q[:, 2]
        assert (z[-1] > z[0]) == rises


def test_ball_ends_in_the_cup():
    solution = dl.simulate(load("cup"), until=2.0, step=1e-3, every=20)
    cup, ball = solution.q.reshape(len(solution.t), -1, 7)[-1, :, :3]
    assert np.hypot(*(ball - cup)[:2]) < 0.05
    assert 0.0 < ball[2] - cup[2] < 0.1


def test_falling_humanoid_comes_to_the_floor():
    solution = dl.simulate(load("falling-humanoid"), until=1.2, step=2e-3, every=10)
    assert solution.worst["phi"] <= 1e-9
    assert solution.statistics["contact"]["penetration"] <= 1e-4
    assert np.isfinite(solution.q).all()
