"""Frictional contact problems of the Siconos and FCLIB collections, read where they are shared.

Only W, q and mu are used; the residual is evaluated from them directly (reference problems, C15):
|r - P_K(r - u_hat)| / |q|. W of some is a little unsymmetric. Impulses and velocities of mechanics
have a symmetric one: the skew part is put on the right-hand side and updated a few times.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.contact_oracle import onto_cone, residual
from tests.support.contact_problems import from_delassus, given, shared_friction_problem

from dalembert.contact.given.problem import solve
from dalembert.contact.solvers.table import GaussSeidel, Lemke

pytestmark = pytest.mark.reference

SMALL = ["FC3D_Example1", "Rover11035", "Rover4396", "Rover1039"]
STACK = "FCLIB_BoxesStack_48"
OUTER = 8


def read(name):
    data = shared_friction_problem(name)
    if data is None:
        pytest.skip("the shared collection of friction problems is not there")
    return data


def relative_residual(W, q, mu, r):
    """As the collections define it."""
    u = (W @ r + q).reshape(-1, 3)
    u[:, 0] += mu * np.linalg.norm(u[:, 1:], axis=1)
    r = r.reshape(-1, 3)
    nearest = [onto_cone(y, m) for y, m in zip(r - u, mu, strict=True)]
    return np.linalg.norm(r - nearest) / np.linalg.norm(q)


def impulses(W, q, mu, solver, tol):
    skew = (W - W.T) / 2
    r = np.zeros(len(q))
    for _ in range(OUTER):
        problem = from_delassus(W, q + skew @ r, mu)
        for block, start in zip(problem.blocks, problem.parts(r), strict=True):
            block.lam0 = start
        before, (_, r, _) = r, solve(given(problem), solver, tol=tol)
        if np.abs(skew).max() * np.abs(r - before).max() <= 1e-15:
            break
    return r


@pytest.mark.parametrize("solver", ["auto", "newton", "nsgs", "admm"])
@pytest.mark.parametrize("name", SMALL)
def test_small_problems(name, solver):
    W, q, mu = read(name)
    assert relative_residual(W, q, mu, impulses(W, q, mu, solver, 1e-12)) <= 1e-10


@pytest.mark.parametrize("solver", ["auto", "admm"])
def test_the_hyperstatic_stack(solver):
    """48 contacts, 144 rows of rank 72."""
    W, q, mu = read(STACK)
    assert relative_residual(W, q, mu, impulses(W, q, mu, solver, 1e-9)) <= 1e-6


def test_sweeps_alone_do_not_solve_the_stack():
    """What Newton is for: thousands of sweeps leave more than it does, and say so."""
    W, q, mu = read(STACK)
    problem = from_delassus(W, q, mu)
    v, lam, info = solve(given(problem), GaussSeidel(sweeps=3000), tol=1e-9)
    assert info.status == "stalled"
    assert info.residual == pytest.approx(residual(problem, v, lam), rel=1e-6)
    assert relative_residual(W, q, mu, lam) > 1e-6


@pytest.mark.parametrize("edges", [4, 8])
@pytest.mark.parametrize("name", [*SMALL, STACK])
def test_the_pyramid_version(name, edges):
    """Lemke's method solves the problem with a pyramid, to many digits, and not the one above."""
    W, q, mu = read(name)
    problem = from_delassus(W, q, mu)
    v, lam, info = solve(given(problem), Lemke(directions=edges), tol=1e-9)
    assert info.status == "converged"
    assert residual(problem, v, lam, edges) <= 1e-9
