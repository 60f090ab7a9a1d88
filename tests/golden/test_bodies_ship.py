"""A11 with quaternions: captive ship, heave prescribed, pitch free.

Source: shared/reference/problems.md, data read in place. Bars stated there: 1e-8 in theta, 1e-6
relative in the mount force; with the mount at the centre of mass theta stays 0 and
Fz = m (g + h''). Roll-pitch-yaw is in test_reference_problems.
"""

import numpy as np
import pytest
from tests.golden import references

import dalembert as dl

pytestmark = pytest.mark.reference

OMEGA = 2 * np.pi * 0.8


def captive_ship(mount):
    """Rows roll, yaw, x_P, y_P, z_P - h(t): the last three multipliers are the force of the mount.

    Positive pitch is nose down, theta = -pitch.
    """
    model = dl.Model("tank", gravity=(0.0, 0.0, -9.81))
    ship = model.add_body(
        "ship",
        dl.Inertia(40.0, (2.0, 12.0, 12.0)),
        position=(-mount, 0.0, 0.0),
        velocity=(0.0, 0.0, 0.05 * OMEGA),
    )
    P = ship.at(x=mount).position
    heave = 0.05 * np.sin(OMEGA * dl.time)
    model.constrain(ship.roll, ship.yaw, P[0], P[1], P[2] - heave, name="mount")
    water = -90.0 * ship.pitch - 6.0 * ship.angular_velocity[1]
    model.add_force(dl.Torque(ship, about="y", value=water, name="water"))
    return model


@pytest.mark.parametrize("options", [{}, {"step": 1e-3}], ids=["default", "rk4"])
def test_angle_and_mount_force(options):
    rows = np.array(references.read("towing_tank.json")["rows"])
    model = captive_ship(0.15)
    assert model.is_maximal
    solution = dl.simulate(model, 10.0, times=rows[:, 0], **options)
    ship = model.bodies["ship"]
    assert np.abs(-solution[ship.pitch] - rows[:, 1]).max() <= 1e-8
    assert np.abs(-solution[ship.angular_velocity[1]] - rows[:, 2]).max() <= 1e-7
    force = solution["mount.force"]
    np.testing.assert_allclose(force[:, 2], rows[:, 3], rtol=1e-6)
    np.testing.assert_allclose(force[:, 4], rows[:, 4], rtol=1e-6)
    # the same by name: what a balance under the mount measures; the pitch is free
    balance = solution.reaction("mount", on="ship", about=ship.at(x=0.15))
    assert balance.unique
    np.testing.assert_allclose(balance.force[:, 0], rows[:, 3], rtol=1e-6)
    np.testing.assert_allclose(balance.force[:, 2], rows[:, 4], rtol=1e-6)
    assert np.abs(balance.force[:, 1]).max() <= 1e-9 * rows[:, 4].max()
    assert np.abs(balance.torque).max() <= 1e-9 * rows[:, 4].max()
    assert solution.worst["phi"] <= 1e-10
    assert solution.worst["phi_dot"] <= 1e-10


@pytest.mark.parametrize("options", [{}, {"step": 1e-3}], ids=["default", "rk4"])
def test_mount_at_the_centre_of_mass(options):
    solution = dl.simulate(captive_ship(0.0), 2.0, **options)
    assert np.abs(solution[solution.model.bodies["ship"].pitch]).max() == 0.0
    expected = 40 * (9.81 - 0.05 * OMEGA**2 * np.sin(OMEGA * solution.t))
    np.testing.assert_allclose(solution["mount.force"][:, 4], expected, rtol=1e-12)


def test_as_with_angles():
    """Quaternions and roll-pitch-yaw, the same equations: same motion and forces."""
    found = dl.simulate(captive_ship(0.15), 10.0, step=1e-3)
    angles = dl.simulate(dl.catalog.load("towing-tank", mount=0.15), 10.0, step=1e-3)
    pitch = found[found.model.bodies["ship"].pitch]
    assert np.abs(pitch - angles["ship.pitch"]).max() <= 1e-10
    difference = np.abs(found["mount.force"] - angles["mount.force"])
    assert difference.max() <= 1e-8 * np.abs(angles["mount.force"]).max()
