"""Gauss and Radau IIA: their tables, what they keep, what they damp, and when they give up."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import mechanisms
from tests.support.lives import lives

import dalembert as dl
from dalembert.integration.collocation import tables as collocation_tables
from dalembert.simulation.status import Status

EPS = np.finfo(float).eps

ALL = [dl.Gauss(), dl.Gauss(order=6), dl.RadauIIA()]
each = pytest.mark.parametrize("integrator", ALL, ids=repr)


def table(integrator):
    """c, A, d, T, T^-1, eigenvalues."""
    names = ("C", "A", "D", "T", "INVERSE", "EIGEN")
    return [getattr(collocation_tables, f"{name}{integrator.order}") for name in names]


def particle(force, x=1.0, v=0.0):
    """x'' = force(x, t)."""
    (coordinate,) = dl.coordinates("x")
    return dl.Model.from_lagrangian(
        kinetic=coordinate.dot**2 / 2,
        forces={coordinate: force(coordinate)},
        coordinates=[coordinate],
        initial={coordinate: x, coordinate.dot: v},
    )


# -- tables (Hairer & Wanner, section IV.5) --------------------------------------------------------


@each
def test_simplifying_assumptions(integrator):
    c, A, d = table(integrator)[:3]
    b, s = d @ A, len(c)
    for k in range(1, integrator.order + 1):  # B(p)
        assert b @ c ** (k - 1) == pytest.approx(1 / k, abs=20 * EPS)
    for k in range(1, s + 1):  # C(s)
        assert A @ c ** (k - 1) == pytest.approx(c**k / k, abs=20 * EPS)


@each
def test_the_step_is_the_weighted_sum_of_the_rates(integrator):
    """b of the interpolating quadrature, b_j = int_0^1 l_j, is d A."""
    c, A, d = table(integrator)[:3]
    powers = np.arange(len(c))
    b = np.linalg.solve(c[None, :] ** powers[:, None], 1 / (powers + 1))
    assert d @ A == pytest.approx(b, abs=20 * EPS)


@each
def test_blocks_of_the_coefficients(integrator):
    _c, A, _d, T, inverse, eigen = table(integrator)
    D = np.zeros_like(A)
    row = 0
    for a, b in eigen:
        block = [[a]] if b == 0 else [[a, b], [-b, a]]
        D[row : row + len(block), row : row + len(block)] = block
        row += len(block)
    assert row == len(A)
    assert T @ D @ inverse == pytest.approx(A, abs=50 * EPS)


def test_orders_are_those_it_has():
    for order in (2, 5, 8, "4"):
        with pytest.raises(dl.errors.OptionError, match="Give 4 or 6"):
            dl.Gauss(order=order)


# -- what is kept ----------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [4, 6])
@pytest.mark.parametrize("resolved", [0.1, 1.0, 10.0, 1e3])
def test_gauss_keeps_the_energy_of_a_spring(order, resolved):
    """A quadratic invariant, whatever h w is: rounding of 1000 steps."""
    w = 30.0
    h = resolved / w
    model = particle(lambda x: -(w**2) * x)
    solution = dl.simulate(model, 1000 * h, step=h, integrator=dl.Gauss(order=order))
    q, v = solution.q[:, 0], solution.v[:, 0]
    energy = v**2 + (w * q) ** 2
    assert np.abs(energy / energy[0] - 1).max() <= 1000 * EPS * max(1.0, resolved)


@pytest.mark.parametrize("order", [4, 6])
def test_gauss_keeps_the_length_of_quaternions(order):
    """|p|^2 of p' = 1/2 (0, w) p is a quadratic invariant: one long step without normalisation."""
    work = dl.simulate(mechanisms.tumbling_bar(), 0.1, step=0.1, integrator=dl.Gauss(order=order))
    assert np.abs(np.linalg.norm(work.q[:, 3:], axis=1) - 1).max() <= 4 * EPS


@pytest.mark.parametrize("order", [4, 6])
def test_a_free_body_keeps_energy_and_momentum_in_the_long_run(order):
    """No drift: what the first tenth of 2000 long steps shows bounds the rest."""
    model = dl.catalog.load("dzhanibekov")
    solution = dl.simulate(model, 60.0, step=3e-2, integrator=dl.Gauss(order=order))
    change = np.abs(solution.kinetic / solution.kinetic[0] - 1)
    early = change[solution.t <= 12].max()
    assert early <= {4: 3e-4, 6: 1e-5}[order]
    assert change.max() <= 2 * early


# -- what is damped --------------------------------------------------------------------------------


def test_radau_damps_at_once_what_a_step_does_not_resolve():
    """R(z) -> 0 as 1/z: h w = 1e4 leaves 1e-3 of the amplitude; Gauss keeps it."""
    w, h = 1e6, 1e-2
    left = {}
    for integrator in ALL:
        model = particle(lambda x: -(w**2) * x, x=1.0)
        solution = dl.simulate(model, 3 * h, step=h, integrator=integrator)
        left[integrator] = np.hypot(solution.q[-1, 0], solution.v[-1, 0] / w)
    assert left[dl.RadauIIA()] <= 1e-9
    assert left[dl.Gauss()] == pytest.approx(1.0, abs=1e-6)
    assert left[dl.Gauss(order=6)] == pytest.approx(1.0, abs=1e-6)


@each
@pytest.mark.parametrize("stiffness", [1e2, 1e5, 1e8, 1e11])
def test_slow_motion_of_a_stiff_system_is_followed(integrator, stiffness):
    """x'' = -k (x - sin t) - 2 sqrt(k) (x' - cos t) - sin t with x = sin t (Prothero-Robinson)."""
    damping = 2 * np.sqrt(stiffness)
    (x,) = dl.coordinates("x")
    t = dl.time
    law = -stiffness * (x - np.sin(t)) - damping * (x.dot - np.cos(t)) - np.sin(t)
    model = dl.Model.from_lagrangian(
        kinetic=x.dot**2 / 2, forces={x: law}, coordinates=[x], initial={x: 0.0, x.dot: 1.0}
    )
    h = 0.1
    solution = dl.simulate(model, 5.0, step=h, integrator=integrator)
    error = np.abs(solution.q[:, 0] - np.sin(solution.t)).max()
    s = (integrator.order + 1) // 2
    # order of the stages, h^(s+1) / (s+1)! a step, at worst added up over 1/h of them
    assert error <= h**s


# -- the iteration ---------------------------------------------------------------------------------


@each
def test_a_shorter_last_step(integrator):
    """The factors belong to a step: the last one has its own."""
    model = particle(lambda x: -9.0 * x)
    solution = dl.simulate(model, 1.0, step=0.03, integrator=integrator)
    assert solution.statistics["steps"] == 34
    error = abs(solution.q[-1, 0] - np.cos(3.0))
    assert error <= (3 * 0.03) ** integrator.order / 50


@each
def test_few_iterations(integrator):
    """Smooth motion without a matrix: evaluations are those of the stages and no others."""
    bar = dl.simulate(mechanisms.hinged_bar(), 1.0, step=1e-2, integrator=integrator)
    stages = (integrator.order + 1) // 2
    assert bar.statistics["iterations"] <= 100 * (7 + 3)  # with those of the projections
    assert bar.statistics["evaluations"] <= 100 * (7 * stages + 3)


@each
def test_a_stiff_linear_system_takes_two_iterations(integrator):
    """One with the matrix, and one to see that it was right."""
    model = particle(lambda x: -1e8 * x)
    solution = dl.simulate(model, 1.0, step=1e-2, integrator=integrator)
    assert solution.statistics["iterations"] <= 100 * 2.2


@each
def test_many_bodies_need_no_matrices(integrator):
    """Evaluations a step do not grow with the bodies, and room only in proportion to them."""
    evaluations = []
    for count in (10, 150):
        solution = dl.simulate(
            dl.catalog.load("chain", count=count), 2e-2, step=1e-3, integrator=integrator
        )
        assert solution.worst["phi"] <= 1e-12
        evaluations.append(solution.statistics["evaluations"])
    assert evaluations[1] <= 1.5 * evaluations[0]
    room = [integrator.scratch(7 * count, 6 * count, 0) for count in (150, 1500)]
    assert room[1] <= 10.1 * room[0]


# -- singular positions ----------------------------------------------------------------------------


@each
@pytest.mark.parametrize(
    ("name", "step"),
    [("four-bars", 5e-3), ("slider-crank", 1e-3), ("n-four-bar-bodies", 5e-3), ("bennett", 5e-3)],
)
def test_singular_positions_are_passed_on_the_branch(name, step, integrator):
    """Ten seconds; Bennett's rows depend on one another on the constraints only."""
    times = [2.0, 5.0, 10.0]
    tight = dl.DormandPrince(rtol=1e-12)
    exact = dl.simulate(dl.catalog.load(name), 10.0, integrator=tight, times=times)
    found = dl.simulate(dl.catalog.load(name), 10.0, step=step, integrator=integrator, times=times)
    assert np.abs(found.q - exact.q).max() <= 2e-6
    assert found.worst["phi"] <= 1e-12


@each
def test_no_branch_is_taken_where_a_step_is_too_long(integrator):
    """Steps of 1e-2 s are too long for Bennett's linkage: stopped, or right."""
    solution = dl.simulate(
        dl.catalog.load("bennett"), 14.0, step=1e-2, integrator=integrator, on_failure="return"
    )
    assert solution.status in (Status.OK, Status.NO_CONVERGENCE)
    assert np.abs(solution.energy - solution.energy[0]).max() <= 1e-3


# -- refusals --------------------------------------------------------------------------------------


@each
def test_a_step_without_a_solution_is_refused(integrator):
    """x'' = x'^2 from x' = 10 is infinite at t = 0.1: no step over that moment exists.

    (In parts: the last step may end before.)
    """
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(
        kinetic=x.dot**2 / 2, forces={x: x.dot**2}, coordinates=[x], initial={x.dot: 10.0}
    )
    solution = dl.simulate(model, 1.0, step=0.04, integrator=integrator, on_failure="return")
    assert solution.status is Status.NO_CONVERGENCE
    assert solution.t[-1] <= 0.12
    assert np.all(np.isfinite(solution.q))


@each
def test_a_prediction_out_of_range_is_forgotten(integrator):
    """The law has no value for x < 0, where the polynomial of a fall continues to."""
    (x,) = dl.coordinates("x")
    law = -9.81 + 1.0 / np.sqrt(x) ** 3
    model = dl.Model.from_lagrangian(
        kinetic=x.dot**2 / 2, forces={x: law}, coordinates=[x], initial={x: 1.0}
    )
    solution = dl.simulate(model, 3.0, step=4e-2, integrator=integrator)
    assert solution.status is Status.OK
    assert 0 < solution.q.min() < 0.1


# -- both lives ------------------------------------------------------------------------------------


@lives
@each
def test_the_same_motion_interpreted(life, integrator):
    with life():
        solution = dl.simulate(mechanisms.hinged_bar(), 0.05, step=1e-2, integrator=integrator)
    exact = dl.simulate(
        mechanisms.hinged_bar(), 0.05, integrator=dl.DormandPrince(rtol=1e-13, atol=1e-13)
    )
    assert np.abs(solution.q[-1] - exact.q[-1]).max() <= 1e-7
    assert np.abs(solution.v[-1] - exact.v[-1]).max() <= 1e-6
