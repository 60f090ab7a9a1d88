"""Reference problems with nothing chosen, and at tight tolerances.

Source: shared/reference/problems.md. General rule: both levels below 1e-10 over the whole run with
the default solver; stated accuracy at a setting a user can reach. `test_reference_problems` has
the fixed steps; here `simulate(model, until)` chooses everything, or only the tolerance is given.
Tolerances are the thresholds stated there.
"""

import numpy as np
import pytest
from tests.golden import references

import dalembert as dl
from dalembert.simulation.status import Status

pytestmark = pytest.mark.reference

TIGHT = dl.DormandPrince(order=8, rtol=1e-13, atol=1e-13)

PROBLEMS = {
    "A1": ("pendulum", {"side": -1}, 10.0),
    "A1, 1000 s": ("pendulum", {"side": -1}, 1000.0),
    "A2, N = 1": ("n-four-bar", {"N": 1}, 10.0),
    "A2, N = 2": ("n-four-bar", {"N": 2}, 10.0),
    "A2, N = 5": ("n-four-bar", {"N": 5}, 10.0),
    "A2, N = 10": ("n-four-bar", {"N": 10}, 10.0),
    "A3": ("slider-crank", {}, 100.0),
    "A3, no gravity": ("slider-crank", {"gravity": 0.0}, 100.0),
    "A3, gravity only": ("slider-crank", {"torque": 0.0, "damping": 0.0}, 100.0),
    "A4": ("index3-pendulum", {}, 100.0),
    "A5": ("car-axis", {}, 3.0),
    "A6": ("slider-crank-sundials", {}, 10.0),
    "A11": ("towing-tank", {}, 10.0),
    "A11, mount at the centre": ("towing-tank", {"mount": 0.0}, 10.0),
}


@pytest.mark.parametrize("tolerance", [None, 1e-12], ids=["default", "1e-12"])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_general_rule(problem, tolerance):
    name, options, until = PROBLEMS[problem]
    integrator = tolerance and dl.DormandPrince(order=8, rtol=tolerance, atol=tolerance)
    solution = dl.simulate(dl.catalog.load(name, **options), until, integrator=integrator)
    assert solution.status is Status.OK
    assert solution.t[-1] == until
    assert solution.worst["phi"] <= 1e-10
    assert solution.worst["phi_dot"] <= 1e-10


def test_a1_with_velocity_and_bar_force():
    rows = np.array(references.read("pendulum_iftomm_a01.json")["rows"])
    model = dl.catalog.load("pendulum", side=-1)
    solution = dl.simulate(model, 1000.0, integrator=TIGHT, times=rows[:, 0])
    early = rows[:, 0] <= 10.0
    bar = np.where(early, 1e-8, 1e-6)
    assert np.all(np.abs(solution.q - rows[:, 1:3]).max(axis=1) <= bar)
    # v varies by g and the force by 3 g v for each unit of position, with g = 9.81, v <= 4.43
    assert np.all(np.abs(solution.v - rows[:, 3:5]).max(axis=1) <= 9.81 * bar)
    tension = -2 * solution.lam[:, 0]  # rows 2 (x, y) against the unit vector of the bar
    assert np.all(np.abs(tension - rows[:, 5]) <= 3 * 9.81 * 4.43 * bar)
    assert np.abs(solution.energy[early]).max() <= 1e-9


@pytest.mark.parametrize("consistent", [True, False], ids=["moved", "as given"])
@pytest.mark.parametrize("method", [dl.Projection(), dl.BraunGoldfarb()])
@pytest.mark.parametrize("variant", ["A3", "A3, no gravity", "A3, gravity only"])
def test_a3_inconsistent_start_does_not_grow(variant, method, consistent):
    """q(0) = v(0) = (1e-3, 1e-2, 1e-3, 1e-2): no drift growth."""
    start = np.array([1e-3, 1e-2, 1e-3, 1e-2])
    solution = dl.simulate(
        dl.catalog.load("slider-crank", **PROBLEMS[variant][1]),
        until=100.0,
        step=1e-3,
        every=1,
        method=method,
        initial=(start, start),
        consistent=consistent,
    )
    if consistent:
        assert 1e-2 < solution.initial_move["q"] < 0.1
    settled = np.abs(solution.phi[40:]).max(axis=1)
    # one rounding of each angle, which reaches 350 rad where the crank turns
    assert settled.max() <= 1e-14 + np.spacing(np.abs(solution.q).max())
    halves = np.array_split(np.abs(solution.phi_dot[40:]).max(axis=1), 2)
    assert max(half.max() for half in halves) <= 1e-10


def test_a4_at_all_times():
    rows = np.array(references.read("pendulum_index3_hairer_wanner.json")["rows"])
    model = dl.catalog.load("index3-pendulum")
    solution = dl.simulate(model, 100.0, integrator=TIGHT, times=rows[:, 0])
    assert np.abs(solution.q - rows[:, 1:3]).max() <= 1e-9
    assert np.abs(solution.v - rows[:, 3:5]).max() <= 1e-9
    # sign: the row is (1 - x^2 - y^2)/2, so that lam is the book's lambda, x'' = -x lam
    assert np.abs(solution.lam[:, 0] - rows[:, 5]).max() <= 1e-8
    np.testing.assert_allclose(solution.a[:, 0], -solution.q[:, 0] * rows[:, 5], atol=1e-8)


FOURTH_ORDER = [
    dl.Projection(),
    dl.Projection(norm="euclidean"),
    dl.BraunGoldfarb(),
    dl.Partitioning(),
    dl.UdwadiaKalaba(),
    dl.LagrangeMultipliers(),
    dl.SchurComplement(),
    dl.Baumgarte(),
    dl.BaumgarteVelocity(),
]


@pytest.mark.parametrize("method", FOURTH_ORDER, ids=repr)
def test_a11_rigid_mount_by_other_methods(method):
    rows = np.array(references.read("towing_tank.json")["rows"])
    solution = dl.simulate(dl.catalog.load("towing-tank"), 10.0, step=1e-3, method=method)
    i = np.round(rows[:, 0] / 1e-3).astype(int)
    force = solution["mount.force"][i]
    assert np.abs(-solution["ship.pitch"][i] - rows[:, 1]).max() <= 1e-8
    np.testing.assert_allclose(force[:, 2], rows[:, 3], rtol=1e-6)
    np.testing.assert_allclose(force[:, 4], rows[:, 4], rtol=1e-6)


@pytest.mark.parametrize(
    ("method", "order"),
    [
        (dl.AugmentedLagrangian(), 2),
        (dl.IndexTwo(), 2),
        (dl.VelocitySplitting(), 1),
        (dl.Compliant(stiffness=1e7, damping=1e4), 1),
    ],
    ids=["augmented Lagrangian", "index two", "splitting", "compliant 1e7"],
)
@pytest.mark.parametrize("output", ["every step", "times"])
def test_a11_mount_force_of_the_method_itself(method, order, output):
    """Methods with their own multipliers report the mount force, also at asked moments."""
    rows = np.array(references.read("towing_tank.json")["rows"])
    model, h = dl.catalog.load("towing-tank"), 1e-3
    if output == "times":
        solution = dl.simulate(model, 10.0, step=h, method=method, times=rows[:, 0])
        i = np.arange(len(rows))
    else:
        solution = dl.simulate(model, 10.0, step=h, method=method)
        i = np.round(rows[:, 0] / h).astype(int)
    # h^p times powers of the fastest rate: omega = 5.03 rad/s, natural 2.65 rad/s
    allowed = 2 * h if order == 1 else 10 * h**2
    assert np.abs(-solution["ship.pitch"][i] - rows[:, 1]).max() <= allowed
    assert np.abs(solution["mount.force"][i, 4] / rows[:, 4] - 1).max() <= allowed
