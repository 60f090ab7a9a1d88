"""The complete orthogonal decomposition against NumPy's pseudoinverse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.lives import lives
from tests.support.strategies import LAWS

from dalembert.numerics.orthogonal import Orthogonal, orthogonal_factor, orthogonal_solve

EPS = np.finfo(float).eps


def decomposed(C, b, tolerance=1e-6, last=None, reference=0.0, most=None):
    """(rank, seen, C^+ b, (C C^T)^+ b)."""
    m, n = C.shape
    parts = Orthogonal(
        C.copy(), *np.full((2, m), np.nan), np.full((m, m), np.nan), np.full(m, np.nan)
    )
    rank, seen = orthogonal_factor(parts, tolerance, reference, m if most is None else most)
    x, y, scratch = np.full(n, np.nan), np.full(m, np.nan), np.full(m, np.nan)
    kept = b.copy()
    direction = np.zeros(n) if last is None else last.copy()
    orthogonal_solve(parts, rank, rank if last is None else seen, kept, direction, scratch, x, y)
    assert np.array_equal(kept, b)
    return rank, seen, x, y


def of_rank(m, n, rank, seed):
    """Random m x n matrix of that rank with singular values from 1 to 1/10."""
    rng = np.random.default_rng(seed)
    U, _ = np.linalg.qr(rng.standard_normal((m, max(m, 1))))
    V, _ = np.linalg.qr(rng.standard_normal((n, max(n, 1))))
    return U[:, :rank] @ np.diag(np.logspace(0, -1, rank)) @ V[:, :rank].T


SHAPES = [(1, 1), (1, 4), (4, 1), (2, 5), (5, 2), (3, 3), (6, 9), (10, 9), (9, 6)]


@lives
@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_any_shape_and_rank(m, n, life):
    for rank in range(min(m, n) + 1):
        C = of_rank(m, n, rank, seed=10 * m + n + rank)
        b = np.random.default_rng(rank).standard_normal(m)
        with life():
            found, _, x, y = decomposed(C, b)
        assert found == rank
        plus = np.linalg.pinv(C, rcond=1e-8)
        # cond(C) is 10, that of C C^T 100.
        assert np.abs(x - plus @ b).max() <= 100 * (m + n) * EPS * 10
        assert np.abs(y - plus.T @ plus @ b).max() <= 100 * (m + n) * EPS * 100


@lives
def test_rows_far_below_what_they_should_be_are_lost(life):
    """Rounding is not a direction, even where there is nothing else to compare it with."""
    C = 1e-15 * np.array([[1.0, 2.0, 0.5], [0.3, -1.0, 2.0]])
    b = np.array([1e-15, -2e-15])
    with life():
        held, _, x, _ = decomposed(C, b)
        lost, seen, y, lam = decomposed(C, b, reference=1.0)
    assert held == 2
    assert np.abs(C @ x - b).max() < 1e-29
    assert lost == seen == 0
    assert not y.any()
    assert not lam.any()


@lives
def test_no_more_directions_than_there_are_but_for_errors(life):
    """Of three rows of rank 2 with errors of 1e-3, the third says nothing."""
    exact = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0], [1.0, 1.0, 1.0]])
    C = exact + 1e-3 * np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.3, -0.2, 1.0]])
    b = np.array([1.0, 2.0, 3.0]) + np.array([0.0, 0.0, 2e-3])
    with life():
        rank, _, x, _ = decomposed(C, b, most=2)
        free, _, far, _ = decomposed(C, b)
    assert (rank, free) == (2, 3)
    wanted = np.linalg.pinv(exact) @ np.array([1.0, 2.0, 3.0])
    assert np.abs(x - wanted).max() < 1e-2
    assert np.abs(far - wanted).max() > 0.1


@lives
def test_zero_rows_and_nothing(life):
    with life():
        rank, seen, x, y = decomposed(np.zeros((3, 4)), np.ones(3))
        assert (rank, seen) == (0, 0)
        assert np.array_equal(x, np.zeros(4))
        assert np.array_equal(y, np.zeros(3))
        rank, seen, x, y = decomposed(np.zeros((0, 4)), np.zeros(0))
        assert (rank, seen) == (0, 0)
        assert np.array_equal(x, np.zeros(4))


@lives
def test_doubled_rows_share_the_answer(life):
    C = of_rank(2, 5, 2, seed=1)
    b = np.array([0.3, -1.2])
    with life():
        _, _, x1, y1 = decomposed(C, b)
        rank, _, x2, y2 = decomposed(np.vstack([C, C]), np.concatenate([b, b]))
    assert rank == 2
    assert np.abs(x1 - x2).max() <= 100 * EPS * 10
    # Least length: both copies carry half.
    assert np.abs(y2 - np.concatenate([y1, y1]) / 2).max() <= 100 * EPS * 100


@lives
def test_contradicting_rows_are_met_in_the_least_squares_sense(life):
    row = np.array([[1.0, 2.0, -1.0]])
    with life():
        rank, _, x, _ = decomposed(np.vstack([row, row]), np.array([1.0, 3.0]))
    assert rank == 1
    assert float((row @ x)[0]) == pytest.approx(2.0, abs=50 * EPS)


@lives
@pytest.mark.parametrize("gap", [1e-2, 1e-5, 1e-7, 1e-9, 1e-12, 0.0])
def test_the_tolerance_decides_on_nearly_dependent_rows(gap, life):
    C = np.array([[1.0, 0.0, 0.0], [1.0, gap, 0.0]])
    with life():
        assert decomposed(C, np.ones(2), tolerance=1e-6)[0] == (2 if gap > 1e-6 else 1)
        assert decomposed(C, np.ones(2), tolerance=1e-10)[0] == (2 if gap > 1e-10 else 1)


@lives
def test_the_tolerance_is_relative_to_the_largest_row(life):
    C = np.array([[1.0, 0.0], [0.0, 1e-3]])
    for scale in (1e-12, 1.0, 1e12):
        with life():
            assert decomposed(scale * C, np.ones(2), tolerance=1e-2)[0] == 1
            assert decomposed(scale * C, np.ones(2), tolerance=1e-4)[0] == 2


@lives
@pytest.mark.parametrize("gap", [1e-5, 1e-7, 1e-9])
def test_a_lost_direction_is_continued_and_others_are_solved(gap, life):
    # Row 2 adds the direction e2 by `gap` only: b cannot decide it, the last solution does.
    C = np.array([[1.0, 0.0, 0.0], [1.0, gap, 0.0]])
    last = np.array([7.0, 0.25, 9.0])
    with life():
        rank, seen, x, _ = decomposed(C, np.array([2.0, 2.0]), tolerance=1e-4, last=last)
    assert (rank, seen) == (1, 2)
    # Along e1 by the rows, along e2 as before, along e3 (no row at all) nothing.
    assert x == pytest.approx([2.0, 0.25, 0.0], abs=2 * gap * 10)


@lives
def test_a_direction_below_rounding_is_not_continued(life):
    C = np.array([[1.0, 0.0, 0.0], [1.0, 1e-13, 0.0]])
    with life():
        rank, seen, x, _ = decomposed(C, np.array([2.0, 2.0]), last=np.array([7.0, 0.25, 9.0]))
    assert (rank, seen) == (1, 1)
    assert x == pytest.approx([2.0, 0.0, 0.0], abs=1e-12)


@LAWS
@given(st.data())
def test_moore_penrose_conditions(data):
    m, n = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    rank = data.draw(st.integers(0, min(m, n)))
    C = of_rank(m, n, rank, seed=data.draw(st.integers(0, 999)))
    plus = np.array([decomposed(C, e)[2] for e in np.eye(m)]).T
    bound = 1000 * (m + n) * EPS * 10
    assert np.abs(C @ plus @ C - C).max() <= bound
    assert np.abs(plus @ C @ plus - plus).max() <= 100 * bound
    assert np.abs(C @ plus - (C @ plus).T).max() <= 10 * bound
    assert np.abs(plus @ C - (plus @ C).T).max() <= 10 * bound
