"""B1 and B2 from bodies: a thin disc that rolls without slipping.

Source: shared/reference/problems.md (parameters of Exudyn's rollingCoinTest), data read in place.
Bars stated there: 1e-7 m; lean and radius of the steady circle constant to 1e-9 over 1 s.
"""

import numpy as np
import pytest
from tests.golden import references

import dalembert as dl

pytestmark = pytest.mark.reference

RADIUS = 0.01
UP = np.array([0.0, 0.0, 1.0])


def coin(center, lean, angular_velocity):
    """Disc with its axis along body x, leaning by a turn about y; the contact is at rest."""
    model = dl.Model("coin", gravity=(0.0, 0.0, -9.81))
    up = np.array([np.sin(lean), 0.0, np.cos(lean)])  # from the contact to the centre
    body = model.add_body(
        "coin",
        dl.Inertia(1.0, np.array([0.5, 0.25, 0.25]) * RADIUS**2),
        position=center,
        rotation=("y", lean),
        velocity=np.cross(angular_velocity, RADIUS * up),
        angular_velocity=angular_velocity,
    )
    model.add_joint(dl.Rolling(model.world, body, radius=RADIUS, axis="x", name="table"))
    return model


def contact(solution):
    """Lowest point of the rim, and the axis."""
    body = solution.model.bodies["coin"]
    axis = solution[body.rotation[:, 0]]
    up = UP - axis * axis[:, 2:]
    up /= np.linalg.norm(up, axis=1, keepdims=True)
    return solution[body.position] - RADIUS * up, axis


def assert_holds(solution):
    assert solution.worst["phi"] <= 1e-10
    assert solution.worst["phi_dot"] <= 1e-10


@pytest.mark.parametrize("options", [{}, {"step": 1e-4}], ids=["default", "rk4"])
def test_rolling_coin(options):
    rows = np.array(references.read("rolling_coin.json")["rows"])
    lean = np.radians(1.0)
    center = RADIUS * np.array([np.sin(lean), 0.0, np.cos(lean)])
    model = coin(center, lean, 10 * np.pi * UP)
    solution = dl.simulate(model, 0.5, times=rows[:, 0], **options)
    body = model.bodies["coin"]
    assert np.abs(solution[body.position] - rows[:, 1:4]).max() <= 1e-7
    assert np.abs(contact(solution)[0] - rows[:, 4:7]).max() <= 1e-7
    # 1e-7 m at r = 0.01 m is 1e-5 rad; at rates of 30 rad/s
    assert np.abs(solution[body.angular_velocity] - rows[:, 7:10]).max() <= 3e-4
    # rows: height, slip along x, slip along y: the multipliers are the force of the table
    force = solution["table.force"][:, [1, 2, 0]]
    bar = 1e-6 * np.abs(rows[:, 10:13]).max()
    assert np.abs(force - rows[:, 10:13]).max() <= bar
    reaction = solution.reaction("table", on="coin")
    assert reaction.unique
    assert np.abs(reaction.force - rows[:, 10:13]).max() <= bar
    # about the centre: the force acts at the contact, nothing else does
    arm = contact(solution)[0] - solution[body.position]
    assert np.abs(reaction.torque - np.cross(arm, reaction.force)).max() <= RADIUS * bar
    assert np.abs(solution.energy - rows[:, 13]).max() <= 1e-9 * rows[0, 13]
    assert_holds(solution)


def test_energy_over_the_run():
    lean = np.radians(1.0)
    center = RADIUS * np.array([np.sin(lean), 0.0, np.cos(lean)])
    solution = dl.simulate(coin(center, lean, 10 * np.pi * UP), 0.5, step=1e-4)
    assert np.abs(solution.energy / 0.1104408528222455 - 1).max() <= 1e-12


@pytest.mark.parametrize("options", [{}, {"step": 1e-4}], ids=["default", "rk4"])
def test_steady_circle(options):
    data = references.read("rolling_coin.json")["steady_circle"]
    lean, R, rate = data["lean"], data["R"], data["Omega"]
    assert rate == pytest.approx(7.105288766377158, rel=1e-15)
    # leaning inwards, on the x axis; spin about the axis makes the contact point stand still
    center = np.array([R - RADIUS * np.sin(lean), 0.0, RADIUS * np.cos(lean)])
    axis = np.array([np.cos(lean), 0.0, np.sin(lean)])
    model = coin(center, -lean, rate * UP - data["spin"] * axis)
    solution = dl.simulate(model, 1.0, **options)
    assert solution.initial_move["v"] <= 1e-12  # Omega R / r is the spin
    point, axis = contact(solution)
    assert np.abs(np.arcsin(axis[:, 2]) - lean).max() <= 1e-9
    assert np.abs(np.hypot(point[:, 0], point[:, 1]) - R).max() <= 1e-9
    azimuth = np.unwrap(np.arctan2(point[:, 1], point[:, 0]))
    assert np.abs(azimuth - rate * solution.t).max() <= 1e-8
    assert_holds(solution)
