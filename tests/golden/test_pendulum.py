"""Braun & Goldfarb (2009), section 5.1: the Cartesian pendulum.

Source: physics.md, tables of sections 9.1 and 5.2 (figures measured with a prototype in double
precision), against the closed form in elliptic functions. Tolerance: a measured figure may be
exceeded by a factor of two, since it depends on the order of roundings and on nothing else; the
targets 5e-8 and 1e-14 of section 9.1 are met as printed. Where the source reports a failure, the
failure is asserted.
"""

import functools

import numpy as np
import pytest
from tests.golden import references

import dalembert as dl
from dalembert.simulation.status import Status

pytestmark = pytest.mark.reference

WRONG_START = {"x": 1 + 1e-5, "y": 1e-5, "x.dot": 1e-4, "y.dot": -1e-4}


def error(solution):
    """Largest distance from the closed form."""
    return np.linalg.norm(solution.q - references.pendulum(solution.t), axis=1).max()


def reduced_error(until, step, every=1):
    """Error of RK4 on the one angle that is left."""
    (phi,) = dl.coordinates("phi")
    model = dl.Model.from_lagrangian(
        kinetic=phi.dot**2 / 2, potential=-9.81 * np.cos(phi), initial={phi: np.pi / 2}
    )
    solution = dl.simulate(model, until=until, step=step, every=every, integrator=dl.RK4())
    position = solution[np.array([np.sin(phi), -np.cos(phi)])]
    return np.linalg.norm(position - references.pendulum(solution.t), axis=1).max()


def run(method, until, step, **options):
    return dl.simulate(
        dl.catalog.load("pendulum"),
        until=until,
        step=step,
        method=method,
        integrator=dl.RK4(),
        **options,
    )


# -- section 9.1: 1000 s, h = 1e-3 ----------------------------------------------------------------


@functools.cache
def long_run(method, wrong=False):
    initial = WRONG_START if wrong else None
    return run(method, 1000.0, 1e-3, every=10, initial=initial, consistent=False)


def test_reduced_equation():
    assert reduced_error(1000.0, 1e-3, every=10) <= 2 * 2.0e-9


def test_eq_16():
    solution = long_run(dl.BraunGoldfarb())
    assert error(solution) <= 5e-8  # the target; measured 3.8e-8
    assert solution.worst["phi"] <= 1e-14  # the target; measured 8.0e-15
    assert solution.worst["phi_dot"] <= 2 * 1.6e-13
    assert solution.q[-1, 0] == pytest.approx(-0.68323018855231, rel=0, abs=5e-8)


def test_eq_17_drifts():
    solution = long_run(dl.UdwadiaKalaba())
    assert error(solution) <= 2 * 9.5e-3
    assert solution.worst["phi"] <= 2 * 7.2e-5
    # the published fact: it grows, five orders of magnitude above the corrected equations
    corrected = long_run(dl.BraunGoldfarb())
    assert solution.worst["phi"] > 1e5 * corrected.worst["phi"]
    quarter = len(solution.t) // 4
    assert np.abs(solution.phi[-quarter:]).max() > 2 * np.abs(solution.phi[:quarter]).max()


def test_wrong_start_eq_16():
    solution = long_run(dl.BraunGoldfarb(), wrong=True)
    assert np.abs(solution.phi[0]).max() == pytest.approx(2e-5, rel=1e-3)
    settled = solution.t >= 40 * 1e-3
    assert np.abs(solution.phi[settled]).max() <= 2 * 8.0e-15
    assert np.abs(solution.phi_dot[settled]).max() <= 2 * 1.6e-13
    # another energy, hence another motion: not an error of the method
    assert 9.9e-3 / 2 <= error(solution) <= 2 * 9.9e-3


def test_wrong_start_eq_17_is_shifted():
    solution = long_run(dl.UdwadiaKalaba(), wrong=True)
    assert 0.2 / 2 <= solution.worst["phi"] <= 2 * 0.2
    assert 2.1 / 2 <= error(solution) <= 2 * 2.1


# -- section 5.2: the table over steps, 100 s -----------------------------------------------------

TABLE = [
    # h, reduced, held: error, phi, phi_dot; per stage: error, phi; eq. 17: error, phi
    (5e-4, 7.7e-12, 2.1e-11, 6.7e-16, 6.1e-15, 3.5e-6, 1.6e-7, 6.1e-7, 4.5e-8),
    (1e-3, 1.3e-10, 2.1e-10, 8.0e-15, 1.6e-13, 2.8e-5, 6.5e-7, 9.8e-6, 7.2e-7),
    (2e-3, 1.5e-9, 4.8e-9, 2.5e-13, 5.0e-12, 2.2e-4, 2.6e-6, 1.6e-4, 1.2e-5),
    (5e-3, 2.3e-8, 1.0e-6, 2.6e-11, 4.9e-10, 3.5e-3, 1.6e-5, 6.1e-3, 4.5e-4),
    (1e-2, 2.1e-6, 3.9e-5, 8.6e-10, 1.6e-8, 2.8e-2, 6.5e-5, 9.8e-2, 7.2e-3),
    (2e-2, 9.4e-5, 1.4e-3, 3.1e-8, 5.1e-7, 2.2e-1, 2.5e-4, 1.3, 1.2e-1),
    (5e-2, 1.1e-2, 1.4e-1, 3.9e-6, 5.3e-5, 1.9, 1.3e-3, None, None),
]
STEPS = [f"h={row[0]:g}" for row in TABLE]


@pytest.mark.parametrize(("h", "figure"), [row[:2] for row in TABLE], ids=STEPS)
def test_table_reduced(h, figure):
    assert reduced_error(100.0, h) <= 2 * figure


@pytest.mark.parametrize("row", TABLE, ids=STEPS)
def test_table_held(row):
    h, _, figure, phi, phi_dot, *_ = row
    solution = run(dl.BraunGoldfarb(), 100.0, h)
    assert error(solution) <= 2 * figure
    assert solution.worst["phi"] <= 2 * phi
    assert solution.worst["phi_dot"] <= 2 * phi_dot


@pytest.mark.parametrize("row", TABLE, ids=STEPS)
def test_table_per_stage(row):
    h, *_, figure, phi, _, _ = row
    solution = run(dl.BraunGoldfarbPerStage(), 100.0, h)
    assert error(solution) <= 2 * figure
    assert phi / 2 <= solution.worst["phi"] <= 2 * phi  # O(h^2): the published fact


@pytest.mark.parametrize("row", TABLE, ids=STEPS)
def test_table_eq_17(row):
    h, *_, figure, phi = row
    solution = run(dl.UdwadiaKalaba(), 100.0, h, on_failure="return")
    if figure is None:
        assert solution.status is Status.NON_FINITE
        return
    assert error(solution) <= 2 * figure
    assert phi / 2 <= solution.worst["phi"] <= 2 * phi


# -- section 5.2: variable step, DOP853 at 1e-9, 50 s ---------------------------------------------


@functools.cache
def adaptive(method):
    integrator = dl.DormandPrince(order=8, rtol=1e-9, atol=1e-9)
    return dl.simulate(
        dl.catalog.load("pendulum"), until=50.0, method=method, integrator=integrator
    )


@pytest.mark.parametrize(
    ("method", "steps", "figure", "phi"),
    [
        (dl.UdwadiaKalaba(), 761, 8.6e-6, 2.3e-6),
        (dl.BraunGoldfarb(), 766, 3.5e-7, 9.2e-11),
        (dl.BraunGoldfarbPerStage(), 20909, 2.2e-10, 2.1e-11),
        (dl.Projection(), 761, 2.4e-7, 1e-14),  # measured 2.2e-16; section 11 allows 1e-14
    ],
    ids=["eq. 17", "held", "per stage", "projection"],
)
def test_variable_step(method, steps, figure, phi):
    solution = adaptive(method)
    # The figures are those of the final state: the held one agrees with it to two digits, and
    # the largest error on the way is half as large again.
    assert np.linalg.norm(solution.q[-1] - references.pendulum(50.0)) <= 2 * figure
    assert solution.worst["phi"] <= 2 * phi
    # step control differs in its first step and in its safety factor only
    assert solution.statistics["steps"] <= 1.1 * steps


@pytest.mark.parametrize("method", [dl.BraunGoldfarbPerStage(), dl.BaumgarteVelocity(1e-3)])
def test_variable_step_finds_feedback_stiff(method):
    """Measured: 20909 steps per stage, 36756 with a constant 1/dt, against 766 held."""
    steps = adaptive(method).statistics["steps"]
    assert steps > 10 * adaptive(dl.BraunGoldfarb()).statistics["steps"]
    assert steps <= 2 * 36756
