"""The forms of the constrained solve: they agree with one another and with NumPy.

M x = top + J^T lam,  J x = bottom, on arrays without a model behind them.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.lives import lives

import dalembert as dl
from dalembert.mechanics.choose_solve import FORMS, install
from dalembert.mechanics.dense import (
    BY_ORTHOGONAL,
    BY_SCHUR,
    CONTINUED_TOLERANCE,
    FORCE_TOLERANCE,
    WELL_APART,
)
from dalembert.system import borders
from dalembert.system.layout import Extents, allocate
from dalembert.system.state_layout import State

EPS = np.finfo(float).eps

ANY_RANK = ("orthogonal", "automatic")
PROJECTED = "projector"
"""Any rank, and corrections of least length instead of least kinetic energy (Aghili)."""

FULL_RANK = tuple(form for form in FORMS if form not in (*ANY_RANK, PROJECTED))

each_form = pytest.mark.parametrize("form", FORMS)


class Solver:
    """One form on given M and J."""

    def __init__(self, form, M, J, scale=None, tolerance=FORCE_TOLERANCE):
        m, n = J.shape
        self.m, self.n = m, n
        self.work, self.sizes = allocate(Extents(n, n, m, m, 0))
        self.put("mass", np.where(np.tri(n, dtype=bool), M, np.nan))  # the lower triangle only
        self.put("jacobian", J)
        self.put("row_scale", np.ones(m) if scale is None else scale)
        install(form, self.state)
        self.status = borders.factor(self.work, self.sizes, tolerance)

    def put(self, field, values):
        getattr(self.state, field)[...] = values

    @property
    def state(self):
        return State(self.work, self.sizes)

    def solve(self, top, bottom):
        x, lam = np.full(self.n, np.nan), np.full(self.m, np.nan)
        assert borders.solve(self.work, self.sizes, top, bottom, x, lam) == borders.OK
        return x, lam

    def respond(self, bottom):
        x, lam = np.full(self.n, np.nan), np.full(self.m, np.nan)
        assert borders.respond(self.work, self.sizes, bottom, x, lam) == borders.OK
        return x, lam


def random_problem(m, n, seed, rank=None, condition=10.0):
    """M, J (of given rank), top and a consistent bottom."""
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.standard_normal((n, n)))
    M = (Q * np.logspace(0, np.log10(condition), n)) @ Q.T
    rank = min(m, n) if rank is None else rank
    J = rng.standard_normal((m, rank)) @ rng.standard_normal((rank, n))
    return M, J, rng.standard_normal(n), J @ rng.standard_normal(n)


def by_pseudoinverse(M, J, top, bottom):
    """x and the multipliers of least length, by physics 4 with NumPy."""
    R = np.linalg.cholesky(M).T
    C = J @ np.linalg.inv(R)
    plus = np.linalg.pinv(C, rcond=1e-9)
    a = np.linalg.solve(M, top)
    x = a + np.linalg.solve(R, plus @ (bottom - J @ a))
    return x, plus.T @ plus @ (bottom - J @ a)


def tolerance_of(M, J, *values):
    """Rounding times the squared condition of C, which the Schur form works with."""
    C = J @ np.linalg.inv(np.linalg.cholesky(M).T)
    s = np.linalg.svd(C, compute_uv=False)
    s = s[s > 1e-9 * s[0]]
    size = max(np.abs(v).max(initial=0.0) for v in values)
    return 100 * EPS * np.linalg.cond(M) * (s[0] / s[-1]) ** 2 * max(1.0, size)


@lives
@each_form
@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 2), (2, 2), (2, 5), (5, 6), (6, 6)])
def test_independent_rows(form, m, n, life):
    M, J, top, bottom = random_problem(m, n, seed=10 * m + n)
    K = np.block([[M, -J.T], [J, np.zeros((m, m))]])
    expected = np.linalg.solve(K, np.concatenate([top, bottom]))
    with life():
        solver = Solver(form, M, J)
        assert solver.status == borders.OK
        x, lam = solver.solve(top, bottom)
    assert solver.state.rank == m
    assert np.abs(x - expected[:n]).max() <= tolerance_of(M, J, expected)
    assert np.abs(lam - expected[n:]).max() <= tolerance_of(M, J, expected)


@lives
@pytest.mark.parametrize("form", ANY_RANK)
@pytest.mark.parametrize(
    ("m", "n", "rank"), [(2, 3, 1), (4, 4, 2), (6, 4, 3), (5, 3, 3), (10, 9, 9)]
)
def test_dependent_rows_by_the_pseudoinverse(form, m, n, rank, life):
    M, J, top, bottom = random_problem(m, n, seed=m + n, rank=rank)
    x0, lam0 = by_pseudoinverse(M, J, top, bottom)
    with life():
        solver = Solver(form, M, J)
        assert solver.status == borders.OK
        x, lam = solver.solve(top, bottom)
    assert solver.state.rank == rank
    allowed = tolerance_of(M, J, x0, lam0, top, bottom)
    assert np.abs(x - x0).max() <= allowed
    assert np.abs(lam - lam0).max() <= allowed
    # Of all multipliers that give this J^T lam none is shorter.
    other = np.linalg.lstsq(J.T, J.T @ lam, rcond=1e-9)[0]
    assert np.linalg.norm(lam) <= np.linalg.norm(other) + allowed


@lives
@pytest.mark.parametrize("form", ANY_RANK)
def test_contradicting_rows_give_the_nearest_acceleration(form, life):
    # x' = 1 and x' = 2 for the same coordinate: the mean, as least squares has it.
    M, J = np.diag([2.0, 3.0]), np.array([[1.0, 0.0], [1.0, 0.0]])
    with life():
        x, _ = Solver(form, M, J).solve(np.array([0.0, 6.0]), np.array([1.0, 2.0]))
    assert x == pytest.approx([1.5, 2.0], abs=20 * EPS)


@lives
@pytest.mark.parametrize("form", FULL_RANK)
@pytest.mark.parametrize("rank", [0, 1, 2])
def test_forms_for_independent_rows_refuse_dependent_ones(form, rank, life):
    M, J, _, _ = random_problem(3, 5, seed=rank, rank=rank)
    with life(), np.errstate(all="ignore"):
        assert Solver(form, M, J).status == borders.RANK_DEFICIENT


@lives
@each_form
def test_no_rows_at_all(form, life):
    M, _, top, _ = random_problem(1, 3, seed=5)
    with life():
        solver = Solver(form, M, np.zeros((0, 3)))
        assert solver.status == borders.OK
        x, lam = solver.solve(top, np.zeros(0))
    assert lam.shape == (0,)
    assert np.abs(M @ x - top).max() <= 100 * EPS * np.linalg.cond(M)


@lives
@each_form
@pytest.mark.parametrize(
    ("masses", "status", "index"),
    [
        ((0.0, 1.0), borders.NOT_POSITIVE_DEFINITE, 0),
        ((1.0, -1.0), borders.NOT_POSITIVE_DEFINITE, 1),
        ((1.0, np.nan), borders.NON_FINITE, 1),
    ],
)
def test_a_bad_mass_matrix_is_named(form, masses, status, index, life):
    with life(), np.errstate(all="ignore"):
        solver = Solver(form, np.diag(masses), np.array([[1.0, 1.0]]))
    assert solver.status == status
    assert solver.state.failed_index == index


@lives
@each_form
def test_a_correction_is_a_solution_without_force(form, life):
    M, J, _, bottom = random_problem(2, 4, seed=8)
    with life():
        solver = Solver(form, M, J)
        x, lam = solver.respond(bottom)
        y, mu = solver.solve(np.zeros(4), bottom)
    if form == PROJECTED:
        assert J @ x == pytest.approx(bottom, abs=1e-12)
        return
    assert np.array_equal(x, y)
    assert np.array_equal(lam, mu)
    # The least change in the mass norm: M x lies in the span of the rows.
    assert np.abs(M @ x - J.T @ lam).max() <= tolerance_of(M, J, x, lam)


# -- nearly dependent rows ------------------------------------------------------------------------


def nearly(gap):
    """Two rows at an angle of about `gap`, a solution of theirs and its right-hand sides.

    The multipliers are of the size 1 / gap, as on the way through a singular position: they push
    along e2 with a force of 5, which neither row alone could.
    """
    M = np.diag([1.0, 2.0, 4.0])
    J = np.array([[1.0, 1.0, 0.0], [1.0, 1.0 + gap, 0.0]])
    x, force = np.array([0.3, -0.7, 0.5]), np.array([0.0, 5.0, 0.0])
    return M, J, x, M @ x - force, J @ x


@lives
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("gap", [1e-1, 1e-2, 1e-3])
def test_nearly_dependent_rows_are_solved_with_the_accuracy_of_the_form(form, gap, life):
    M, J, x, top, bottom = nearly(gap)
    with life():
        solver = Solver(form, M, J)
        found, _ = solver.solve(top, bottom)
    assert solver.state.rank == 2
    # Condition of C about 10 / gap. The orthogonal form feels it once, the others squared, and
    # the automatic one leaves the squared form at a margin of WELL_APART.
    once, squared = 1e2 * EPS / gap, 1e2 * EPS / gap**2
    allowed = {"orthogonal": once, "automatic": max(once, 1e2 * EPS / WELL_APART)}
    assert np.abs(found - x).max() <= allowed.get(form, squared)


@lives
def test_the_automatic_form_changes_over_at_its_margin(life):
    for gap in np.logspace(-3, 0, 25):
        M, J, x, top, bottom = nearly(gap)
        with life():
            solver = Solver("automatic", M, J)
            found, _ = solver.solve(top, bottom)
        margin = solver.state.margin
        expected = BY_SCHUR if margin > WELL_APART else BY_ORTHOGONAL
        assert solver.state.branch == expected
        assert np.abs(found - x).max() <= 1e2 * EPS / min(gap, WELL_APART**0.5) ** 2


@lives
@pytest.mark.parametrize("gap", [1e-5, 1e-7, 1e-9, 1e-12])
def test_a_lost_direction_is_dropped_by_the_plain_form(gap, life):
    M, J, _, top, bottom = nearly(gap)
    with life():
        solver = Solver("orthogonal", M, J, tolerance=CONTINUED_TOLERANCE)
        found, _ = solver.solve(top, bottom)
    assert solver.state.rank == 1
    only, _ = by_pseudoinverse(M, J[:1], top, bottom[:1])
    assert np.abs(found - only).max() <= 100 * (gap + EPS)


@lives
@pytest.mark.parametrize("gap", [1e-5, 1e-7, 1e-9])
def test_a_lost_direction_is_continued_by_the_automatic_form(gap, life):
    M, J, x, top, bottom = nearly(gap)
    expected = x + np.array([1e-3, -1e-3, 5e-3])  # from the accelerations of the stages before
    with life():
        solver = Solver("automatic", M, J, tolerance=CONTINUED_TOLERANCE)
        solver.put("predicted_vdot", expected)
        solver.state.has_last = 1
        solver.state.firm_rank = 2  # at the stages before both rows were told apart
        found, _ = solver.solve(top, bottom)
        correction, _ = solver.respond(bottom)
        solver.state.has_last = 0
        plain, _ = solver.solve(top, bottom)
    assert solver.state.rank == 1
    # As near to the solution as what was expected; the plain form is off by order one.
    assert np.abs(found - x).max() <= 2 * np.abs(expected - x).max()
    assert np.abs(plain - x).max() >= 0.1
    # The first row is met by both; a correction is never continued.
    for y in (found, plain):
        assert abs(J[0] @ y - bottom[0]) <= 100 * (gap + EPS)
    assert (
        np.abs(correction - by_pseudoinverse(M, J[:1], 0 * top, bottom[:1])[0]).max() <= 100 * gap
    )


@lives
@pytest.mark.parametrize(
    ("gap", "held"), [(1e-5, True), (3e-6, True), (1e-8, False), (1e-9, False)]
)
def test_a_direction_that_never_was_certain_is_held_by_forces(gap, held, life):
    M, J, x, top, bottom = nearly(gap)
    with life():
        solver = Solver("automatic", M, J, tolerance=CONTINUED_TOLERANCE)
        found, _ = solver.solve(top, bottom)
        again, _ = solver.solve(top, bottom)
        correction, _ = solver.respond(bottom)
        solver.state.has_last = -1  # a correction by the solve for forces
        exactly, _ = solver.solve(0 * top, bottom)
    assert solver.state.rank == 1
    off = np.abs(found - x).max()
    assert off <= 100 * EPS / gap**2 if held else off >= 0.1
    assert (found == again).all()
    only = by_pseudoinverse(M, J[:1], 0 * top, bottom[:1])[0]
    for y in (correction, exactly):
        assert np.abs(y - only).max() <= 100 * gap


# -- scaling of rows ------------------------------------------------------------------------------


@lives
@each_form
@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_a_row_in_other_units_changes_nothing_but_its_multiplier(form, factor, life):
    M, J, top, bottom = random_problem(2, 4, seed=3)
    units = np.array([1.0, factor])
    scale = 1 / units / np.linalg.norm(J, axis=1)
    with life():
        x, lam = Solver(form, M, J, scale=1 / np.linalg.norm(J, axis=1)).solve(top, bottom)
        other = Solver(form, M, J * units[:, None], scale=scale)
        assert other.status == borders.OK
        y, mu = other.solve(top, bottom * units)
    # LU of the saddle matrix is not scaled: its pivots see the units.
    allowed = tolerance_of(M, J, x, lam) * (1e6 if form == "saddle" else 1.0)
    assert np.abs(x - y).max() <= allowed
    assert np.abs(lam - mu * units).max() <= allowed * 10


@lives
def test_without_its_scale_a_small_row_would_be_lost(life):
    M, J, _, _ = random_problem(2, 4, seed=3)
    small = J * np.array([[1.0], [1e-7]])
    with life():
        assert Solver("orthogonal", M, small).state.rank == 1
        assert Solver("orthogonal", M, small, scale=np.array([1.0, 1e7])).state.rank == 2


@lives
def test_ranks_met_are_counted(life):
    M, J, _, _ = random_problem(3, 4, seed=2)
    met = []
    with life():
        solver = Solver("automatic", M, J)
        for rows in (J, np.vstack([J[:2], J[:1]]), J):
            solver.put("jacobian", rows)
            borders.factor(solver.work, solver.sizes, FORCE_TOLERANCE)
            met.append(solver.state.rank)
    # the largest is kept; the least is that of the samples, in which a run looks at each
    assert met == [3, 2, 3]
    assert solver.state.rank_max == 3


def test_the_least_rank_of_a_run_is_that_of_its_samples():
    """x w = 0 holds w where x is not 0, which it is at one sample."""
    x, w, z = dl.coordinates("x w z")
    model = dl.Model.from_lagrangian(
        coordinates=[x, w, z],
        kinetic=(x.dot**2 + w.dot**2 + z.dot**2) / 2,
        constraints=[z, x * w],
        initial={x: -0.5, w: 0.0, z: 0.0, x.dot: 1.0},
    )
    whole = dl.simulate(model, until=1.0, step=0.125, progress=False).statistics
    assert (whole["rank_min"], whole["rank_max"]) == (1, 2)
    assert not whole["unique_multipliers"]
    before = dl.simulate(model, until=0.25, step=0.125, progress=False).statistics
    assert (before["rank_min"], before["rank_max"]) == (2, 2)


# -- what continuation remembers ------------------------------------------------------------------


@lives
def test_accelerations_are_remembered_and_continued_on_a_line(life):
    work, sizes = allocate(Extents(2, 2, 0, 0, 0))

    def seen(t, *vdot):
        borders.remember(work, sizes, t, np.array(vdot))

    def predicted(t):
        borders.predict(work, sizes, t)
        return list(State(work, sizes).predicted_vdot)

    with life():
        assert State(work, sizes).has_last == 0
        seen(1.0, 3.0, -1.0)
        assert State(work, sizes).has_last == 1
        assert predicted(1.5) == [3.0, -1.0]  # nothing to draw a line through
        seen(2.0, 5.0, 0.0)
        assert State(work, sizes).has_last == 2
        assert predicted(2.0) == [5.0, 0.0]
        assert predicted(2.5) == [6.0, 0.5]
        assert predicted(1.5) == [4.0, -0.5]
        assert predicted(99.0) == [9.0, 2.0]  # at most twice the known stretch
        seen(2.0, 7.0, 1.0)  # the same moment again: the newer one counts
        assert predicted(2.5) == [9.0, 2.0]
        seen(3.0, 7.0, 1.0)
        assert predicted(4.0) == [7.0, 1.0]
