"""A8 and A9 from bodies: heavy top, steady precession, tumbling about the intermediate axis.

Source: shared/reference/problems.md, data read in place. Bars stated there: heavy top 1e-7 at
t = 1; both rates of precession with a constant tilt; tumbling 1e-6 at t = 5 with energy and |L| to
1e-12 relative.
"""

import numpy as np
import pytest
from tests.golden import references

import dalembert as dl

pytestmark = pytest.mark.reference

TIGHT = dl.DormandPrince(order=8, rtol=1e-13, atol=1e-13)
UP = np.array([0.0, 0.0, 1.0])


def assert_holds(solution):
    assert solution.worst["phi"] <= 1e-10
    assert solution.worst["phi_dot"] <= 1e-10


# -- A8 --------------------------------------------------------------------------------------------


def heavy_top():
    model = dl.Model("heavy top", gravity=(0.0, 0.0, -9.81))
    top = model.add_body(
        "top",
        dl.Inertia(15.0, (0.234375, 0.46875, 0.234375), center=(0.0, 1.0, 0.0)),
        angular_velocity=(0.0, 150.0, -4.61538),
        axes="body",
    )
    model.add_joint(dl.Spherical(model.world, top, name="tip"))
    return model, top


@pytest.mark.parametrize("integrator", [None, TIGHT], ids=["default", "tight"])
def test_heavy_top(integrator):
    rows = np.array(references.read("heavy_top.json")["rows"])
    model, top = heavy_top()
    solution = dl.simulate(model, 2.0, integrator=integrator, times=rows[:, 0])
    center = solution[top.center.position]
    early = rows[:, 0] <= 1.0
    assert np.abs(center - rows[:, 1:4])[early].max() <= 1e-7
    spin = solution[top.angular_velocity @ top.rotation]
    assert np.abs(spin - rows[:, 4:7])[early].max() <= 1e-7
    turn = solution[top.quaternion]
    turn *= np.sign((turn * rows[:, 7:]).sum(axis=1, keepdims=True))
    assert np.abs(turn - rows[:, 7:])[early].max() <= 1e-7
    if integrator is TIGHT:  # at t = 2 too
        assert np.abs(center - rows[:, 1:4]).max() <= 1e-7
    assert_holds(solution)


def test_heavy_top_with_a_fixed_step():
    """150 rad/s: RK4 needs h = 1e-4 for the bar."""
    rows = np.array(references.read("heavy_top.json")["rows"])
    model, top = heavy_top()
    solution = dl.simulate(model, 1.0, step=1e-4)
    at = np.round(rows[:4, 0] / 1e-4).astype(int)
    assert np.abs(solution[top.center.position][at] - rows[:4, 1:4]).max() <= 1e-7
    assert np.ptp(solution.energy) <= 1e-9 * abs(solution.energy[0])
    assert_holds(solution)


# -- A9 --------------------------------------------------------------------------------------------


def precession_rates(A, C, torque, tilt, spin):
    """Roots of  A cos(tilt) W^2 - C spin W + torque = 0, torque = m g l."""
    return np.sort(np.roots([A * np.cos(tilt), -C * spin, torque]).real)


def gyroscope(rate, A, C, weight, arm, tilt, spin):
    """Symmetric top with moments A, A, C about its pivot, turning about z at `rate`.

    The numbers of A9 belong to no rigid body with its mass at `arm` (A < m l^2), so the weight is
    a potential at the arm's end and the moments are those about the pivot.
    """
    model = dl.Model("gyroscope", gravity=(0.0, 0.0, 0.0))
    axis = np.array([np.sin(tilt), 0.0, np.cos(tilt)])
    top = model.add_body(
        "top",
        dl.Inertia(1.0, (A, A, C)),
        rotation=("y", tilt),
        angular_velocity=rate * (UP - np.cos(tilt) * axis) + spin * axis,
    )
    model.add_joint(dl.Spherical(model.world, top, name="pivot"))
    model.add_force(dl.Potential(weight * top.at(z=arm).position[2], name="weight"))
    return model


def solid_gyroscope(rate, A, C, weight, arm, tilt, spin):
    """The same with the mass where it is; A is then about the pivot of a real body."""
    model = dl.Model("gyroscope", gravity=(0.0, 0.0, -9.81))
    mass = weight / 9.81
    axis = np.array([np.sin(tilt), 0.0, np.cos(tilt)])
    across = A - mass * arm**2
    top = model.add_body(
        "top",
        dl.Inertia(mass, (across, across, C), center=(0.0, 0.0, arm)),
        rotation=("y", tilt),
        angular_velocity=rate * (UP - np.cos(tilt) * axis) + spin * axis,
    )
    model.add_joint(dl.Spherical(model.world, top, name="pivot"))
    return model


TOPS = {
    "A9": (gyroscope, {"A": 0.05, "C": 0.02, "weight": 9.81, "arm": 0.3}),
    "solid": (solid_gyroscope, {"A": 0.05, "C": 0.02, "weight": 9.81, "arm": 0.15}),
}


@pytest.mark.parametrize("which", [0, 1], ids=["slow", "fast"])
@pytest.mark.parametrize("kind", TOPS)
def test_steady_precession(kind, which):
    build, numbers = TOPS[kind]
    tilt, spin = np.radians(40.0), 100.0
    torque = numbers["weight"] * numbers["arm"]
    rate = precession_rates(numbers["A"], numbers["C"], torque, tilt, spin)[which]
    if kind == "A9":
        assert rate == pytest.approx((1.5154842111543787, 50.700807362136764)[which], rel=1e-14)
    model = build(rate, **numbers, tilt=tilt, spin=spin)
    solution = dl.simulate(model, 1.0, integrator=TIGHT)
    axis = solution[model.bodies["top"].rotation[:, 2]]
    found = np.arctan2(np.hypot(axis[:, 0], axis[:, 1]), axis[:, 2])
    azimuth = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
    # error control at 1e-13 over some 350 steps
    assert np.abs(found - tilt).max() <= 1e-11
    assert np.abs(azimuth - rate * solution.t).max() <= 1e-10
    assert_holds(solution)


def test_tumbling_about_the_intermediate_axis():
    rows = np.array(references.read("dzhanibekov.json")["rows"])
    rows = rows[rows[:, 0] <= 5.0]
    model = dl.Model("dzhanibekov", gravity=(0.0, 0.0, 0.0))
    moments = np.array([1.0, 2.0, 3.0])
    body = model.add_body(
        "body", dl.Inertia(1.0, moments), angular_velocity=(0.01, 10.0, 0.01), axes="body"
    )
    seen = body.angular_velocity @ body.rotation
    solution = dl.simulate(model, 5.0, integrator=TIGHT, times=rows[:, 0])
    assert np.abs(solution[seen] - rows[:, 1:]).max() <= 1e-6
    solution = dl.simulate(model, 5.0, integrator=TIGHT)
    assert np.abs(solution.energy / solution.energy[0] - 1).max() <= 1e-12
    momentum = np.linalg.norm(solution[seen] * moments, axis=1)
    assert np.abs(momentum / momentum[0] - 1).max() <= 1e-12
    # the vector, in world axes: the orientation errs by 1e-13 in each of some 300 steps as well
    R = solution[body.rotation.ravel()].reshape(-1, 3, 3)
    vector = np.einsum("kij,kj->ki", R, solution[seen] * moments)
    assert np.abs(vector - vector[0]).max() <= 3e-11 * momentum[0]
