"""The interior point method: algebra of the round cone, and its steps."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import contact_oracle as oracle
from tests.support.contact_problems import HELD_OUT, given

from dalembert.contact.given.choose import solve_by
from dalembert.contact.given.problem import ContactProblem, solve
from dalembert.contact.problem import layout
from dalembert.contact.problem.capacity import grown
from dalembert.contact.solvers import lorentz
from dalembert.contact.solvers.table import InteriorPoint
from dalembert.numerics.six import (
    Six,
    below_lower,
    below_upper,
    factor_both,
    lower_times,
    upper_times,
)
from dalembert.numerics.vector import Vec3


def inside(rng, near=1.0):
    """A point inside the cone, `near` its boundary."""
    t = rng.normal(size=2)
    return Vec3(float(np.linalg.norm(t) * (1.0 + near * rng.uniform(0.1, 2.0))), *map(float, t))


def as_matrix(W):
    return np.array([[*(W @ Vec3(*e))] for e in np.eye(3)]).T


@pytest.mark.parametrize("near", [1.0, 1e-6])
def test_scaling_of_nesterov_and_todd(near):
    """W r = W^-1 y; W^2 and W^-1 are what they are called."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        r, y = inside(rng, near), inside(rng, near)
        w = lorentz.Scaling.of(r, y)
        W, back = as_matrix(w), as_matrix(w.back)
        full = np.array([[*w.squared.x], [*w.squared.y], [*w.squared.z]])
        assert np.allclose(W, W.T, rtol=1e-13, atol=0.0)
        assert np.allclose(W @ W, full, rtol=1e-9, atol=1e-9 * abs(full).max())
        assert np.allclose(W @ back, np.eye(3), atol=1e-9 * abs(full).max())
        assert np.allclose(full @ [*r], [*y], rtol=1e-7)


def test_a_point_outside_has_no_scaling():
    outside = lorentz.Scaling.of(Vec3(1.0, 2.0, 0.0), Vec3(1.0, 0.0, 0.0))
    assert np.isnan([*outside.w, outside.eta]).all()


def test_product_and_its_division():
    rng = np.random.default_rng(2)
    for _ in range(50):
        x, d = inside(rng), Vec3(*rng.normal(size=3))
        found = lorentz.divided(Vec3(*lorentz.circle(x, d)), x)
        assert np.allclose([*found], [*d], rtol=1e-10, atol=1e-10)


def test_way_out_ends_on_the_boundary():
    rng = np.random.default_rng(3)
    ended = 0
    for _ in range(200):
        x, d = np.array([*inside(rng)]), rng.normal(size=3)
        step = lorentz.way_out(Vec3(*x), Vec3(*d))
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
    X, first, second = A.ravel().copy(), B.ravel().copy(), B.ravel().copy()
    assert factor_both(X) > 0.0
    both = X.reshape(6, 6)
    lower, upper = np.tril(both, -1) + np.eye(6), np.triu(both)
    assert np.allclose(upper @ lower @ A, np.eye(6), atol=1e-13)
    below_lower(first, X)
    below_upper(second, X)
    assert np.allclose(first.reshape(6, 6), lower @ B, atol=1e-14)
    assert np.allclose(second.reshape(6, 6), upper.T @ B, atol=1e-14)
    assert np.allclose([*lower_times(X, Six(*a))], lower @ a, atol=1e-14)
    assert np.allclose([*upper_times(X, Six(*a))], upper @ a, atol=1e-14)
    assert factor_both(np.zeros(36)) == 0.0


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


def spoil(problem, rest):
    """Write into all scratch over rows and velocities."""
    for name in (*vars(layout.Problem.row_vectors), *vars(layout.Problem.velocity_vectors)):
        if not name.startswith("_"):
            getattr(problem, name)[:] = rest


def test_what_stood_in_the_arrays_does_not_matter():
    """Scratch of an earlier problem, NaN at worst, changes no bit."""
    package = given(HELD_OUT["thick arch"]())
    answers = []
    for rest in (0.0, 1e200, np.nan):
        packed = package.packed()
        spoil(packed, rest)
        while solve_by(InteriorPoint(), packed, 1e-8, 150) == layout.OVERFLOW:
            packed = package.packed(grown(packed))
            spoil(packed, rest)
        answers.append(packed.lam.tobytes())
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
    packed = problem.packed()
    packed.v_free[0] = np.nan
    while solve_by(InteriorPoint(), packed, 1e-8, 150) == layout.OVERFLOW:
        packed = problem.packed(grown(packed))
        packed.v_free[0] = np.nan
    assert packed.island(0).factorisations == 0
    assert packed.island(0).status == layout.FAILED


@pytest.mark.parametrize("name", ["pile of 45", "arch near its limit", "hinge chain"])
@pytest.mark.parametrize("budget", [7, 13, 20, 31])
def test_all_methods_of_auto_share_one_budget(name, budget):
    """Newton's trial is no addition to what interior points may take."""
    package = given(HELD_OUT[name]())
    _, _, info = solve(package, "auto", tol=1e-13, budget=budget)
    assert max(island.factorisations for island in info.islands) <= budget
