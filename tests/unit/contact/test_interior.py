"""The interior point method: algebra of the round cone, and its steps."""

from __future__ import annotations

import numpy as np
import pytest
from tests import contact_oracle as oracle
from tests.contact_problems import HELD_OUT, given

from dalembert.contact import layout, lorentz
from dalembert.contact.capacity import grown, section
from dalembert.contact.choose import solve_by
from dalembert.contact.problem import ContactProblem, solve
from dalembert.contact.solvers import InteriorPoint
from dalembert.numerics.six import below_lower, below_upper, factor_both, lower_times, upper_times


def inside(rng, near=1.0):
    """A point inside the cone, `near` its boundary."""
    t = rng.normal(size=2)
    return (float(np.linalg.norm(t) * (1.0 + near * rng.uniform(0.1, 2.0))), *map(float, t))


def as_matrix(w):
    return np.array([lorentz.scaled_by(w, tuple(e)) for e in np.eye(3)]).T


@pytest.mark.parametrize("near", [1.0, 1e-6])
def test_scaling_of_nesterov_and_todd(near):
    """W r = W^-1 y; W^2 and W^-1 are what they are called."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        r, y = inside(rng, near), inside(rng, near)
        w = lorentz.scaling(r, y)
        W, back = as_matrix(w), as_matrix(lorentz.turned_back(w))
        square = lorentz.square_of(w)
        a, b, c, d, e, f = square
        full = np.array([[a, b, c], [b, d, e], [c, e, f]])
        assert np.allclose(W, W.T, rtol=1e-13, atol=0.0)
        assert np.allclose(W @ W, full, rtol=1e-9, atol=1e-9 * abs(full).max())
        assert np.allclose(W @ back, np.eye(3), atol=1e-9 * abs(full).max())
        assert np.allclose(full @ r, y, rtol=1e-7)


def test_a_point_outside_has_no_scaling():
    assert np.isnan(lorentz.scaling((1.0, 2.0, 0.0), (1.0, 0.0, 0.0))).all()


def test_product_and_its_division():
    rng = np.random.default_rng(2)
    for _ in range(50):
        x, d = inside(rng), tuple(rng.normal(size=3))
        assert np.allclose(lorentz.divided(lorentz.circle(x, d), x), d, rtol=1e-10, atol=1e-10)


def test_way_out_ends_on_the_boundary():
    rng = np.random.default_rng(3)
    ended = 0
    for _ in range(200):
        x, d = np.array(inside(rng)), rng.normal(size=3)
        step = lorentz.way_out(tuple(x), tuple(d))
        for part in (0.2, 0.999):
            at = x + part * min(step, 1e3) * d
            assert at[0] > np.hypot(at[1], at[2])
        if step < 1e3:
            ended += 1
            at = x + 1.001 * step * d
            assert at[0] < np.hypot(at[1], at[2])
    assert 100 < ended < 200


def test_triangular_inverses_of_a_block():
    rng = np.random.default_rng(4)
    A, B, a = rng.normal(size=(6, 6)) + 5.0 * np.eye(6), rng.normal(size=(6, 6)), rng.normal(size=6)
    x = np.concatenate([A.ravel(), B.ravel(), B.ravel()])
    assert factor_both(x, 0) > 0.0
    both = x[:36].reshape(6, 6)
    lower, upper = np.tril(both, -1) + np.eye(6), np.triu(both)
    assert np.allclose(upper @ lower @ A, np.eye(6), atol=1e-13)
    below_lower(x, 36, 0)
    below_upper(x, 72, 0)
    assert np.allclose(x[36:72].reshape(6, 6), lower @ B, atol=1e-14)
    assert np.allclose(x[72:].reshape(6, 6), upper.T @ B, atol=1e-14)
    assert np.allclose(lower_times(x, 0, tuple(a)), lower @ a, atol=1e-14)
    assert np.allclose(upper_times(x, 0, tuple(a)), upper @ a, atol=1e-14)
    assert factor_both(np.zeros(36), 0) == 0.0


@pytest.mark.parametrize("name", list(HELD_OUT))
def test_held_out_problems(name):
    """Measured by another program; in a number of steps that hardly depends on the problem."""
    problem = HELD_OUT[name]()
    package = given(problem)
    if any(block.kind == "ROLL" for block in package.blocks):
        pytest.skip("no rolling friction")
    v, lam, info = solve(package, InteriorPoint(), tol=1e-8)
    assert info.status == "converged"
    assert oracle.residual(problem, v, lam) <= 1.001e-8
    assert max(island.factorisations for island in info.islands) <= 60


def test_what_stood_in_the_arrays_does_not_matter():
    """Scratch of an earlier problem, NaN at worst, changes no bit."""
    package = given(HELD_OUT["thick arch"]())
    answers = []
    for rest in (0.0, 1e200, np.nan):
        integers, numbers = package.arrays()
        start, count = int(integers[layout.ROW_WORK]), int(integers[layout.MOST_TOTAL_ROWS])
        numbers[start : start + layout.ROW_VECTORS * count] = rest
        while solve_by(InteriorPoint(), integers, numbers, 1e-8, 150) == layout.OVERFLOW:
            integers, numbers = package.arrays(grown(integers))
            start, count = int(integers[layout.ROW_WORK]), int(integers[layout.MOST_TOTAL_ROWS])
            numbers[start : start + layout.ROW_VECTORS * count] = rest
        answers.append(section(integers, numbers, layout.LAM).tobytes())
    assert answers[0] == answers[1] == answers[2]


def bounded(kind, **options):
    """A mass of 2 kg pushed at 1 m/s along a row of that kind, beside a contact that slides."""
    problem = ContactProblem()
    body = problem.add_clique(2.0 * np.eye(3), v_free=[1.0, 0.5, -0.2])
    problem.add_block(kind, [[1.0, 0.0, 0.0]], body, **options)
    problem.add_contact([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], body, mu=0.3)
    return problem


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("EQ", {}),
        ("EQ", {"R": 0.1}),
        ("UNI", {"bias": -2.0}),
        ("BOX", {"lower": -0.5, "upper": 0.5}),
        ("BOX", {"lower": -50.0, "upper": 1e290}),
        ("BOX", {"lower": 0.0, "upper": 0.0}),
        ("BOX", {"lower": -np.inf, "upper": -0.1}),
    ],
)
def test_kinds_of_rows(kind, options):
    problem = bounded(kind, **options)
    v, lam, info = solve(problem, "interior", tol=1e-10)
    other, _, _ = solve(problem, "newton", tol=1e-10)
    assert info.status == "converged"
    assert np.allclose(v, other, atol=1e-9)
    assert problem.residual(v, lam) <= 1e-10


@pytest.mark.parametrize("R", [(0.3, 0.2, 0.2), (0.3, 0.0, 0.0), (0.0, 0.2, 0.2)])
@pytest.mark.parametrize("mu", [0.0, 0.2, 3.0])
def test_compliant_contacts(R, mu):
    rng = np.random.default_rng(5)
    root = rng.normal(size=(6, 6))
    problem = ContactProblem()
    body = problem.add_clique(root @ root.T + np.eye(6), v_free=rng.normal(size=6))
    for _ in range(3):
        problem.add_contact(rng.normal(size=(3, 6)), body, mu=mu, R=R, bias=(-0.5, 0.1, 0.0))
    v, _, info = solve(problem, "interior", tol=1e-10)
    other, _, _ = solve(problem, "nsgs", tol=1e-11, budget=100000)
    assert info.status == "converged"
    assert np.allclose(v, other, atol=1e-8)


def test_nan_ends_it_at_once():
    """No factorisation is spent on a velocity that is no number."""
    problem = bounded("EQ")
    integers, numbers = problem.arrays()
    section(integers, numbers, layout.V_FREE)[0] = np.nan
    while solve_by(InteriorPoint(), integers, numbers, 1e-8, 150) == layout.OVERFLOW:
        integers, numbers = problem.arrays(grown(integers))
        section(integers, numbers, layout.V_FREE)[0] = np.nan
    record = int(integers[layout.ISLAND])
    assert integers[record + layout.FACTORISATIONS] == 0
    assert integers[record + layout.STATUS] == layout.FAILED


@pytest.mark.parametrize("name", ["pile of 45", "arch near its limit", "hinge chain"])
@pytest.mark.parametrize("budget", [7, 13, 20, 31])
def test_all_methods_of_auto_share_one_budget(name, budget):
    """Newton's trial is no addition to what interior points may take."""
    package = given(HELD_OUT[name]())
    _, _, info = solve(package, "auto", tol=1e-13, budget=budget)
    assert max(island.factorisations for island in info.islands) <= budget
