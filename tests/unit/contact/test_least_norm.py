"""Impulses of least norm: the laws and the velocities stay, the share of a load becomes unique."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import contact_oracle as oracle
from tests.support import contact_problems as problems
from tests.support.contact_problems import given

import dalembert as dl
from dalembert.contact.given.problem import ContactProblem, solve

TOL = 1e-10

CASES = {
    "stack": lambda: problems.stack(3),
    "heavy top": lambda: problems.stack(5, top=1000.0),
    "sticking box": lambda: problems.incline(0.2, 0.4),
    "sliding box": lambda: problems.incline(0.3, 0.2, (0.7, 0.4)),
    "doubled hinges": lambda: problems.doubled_hinges(3),
    "mixed": lambda: problems.mixed(1),
    "rolling": lambda: problems.rolling_balls(),
    "grasp": lambda: problems.grasp(),
    "compliant": lambda: problems.compliant_box(),
    "apart": lambda: problems.apart(3),
}

on = pytest.mark.parametrize("make", CASES.values(), ids=list(CASES))


def table(*, legs, push=(0.0, 0.0), mu=0.5, lam0=None):
    """A board of 2 kg on legs of 0.5 m, pushed at its middle, after 5 ms."""
    problem, h = ContactProblem(), 5e-3
    free = np.array([h * push[0] / 2.0, h * push[1] / 2.0, -9.81 * h, 0, 0, 0])
    board = problem.add_clique(np.diag([2.0, 2.0, 2.0, 0.1, 0.1, 0.2]), free)
    for k, (x, y) in enumerate(legs):
        J = np.hstack([np.eye(3), -problems.cross([x, y, -0.5])])[[2, 0, 1]]
        problem.add_contact(J, board, mu=mu, lam0=0.0 if lam0 is None else lam0[k])
    return problem


SQUARE = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def nearest_of(problem, v, lam0, sweeps=3000):
    """The point of F(v) with the momentum of lam0 nearest to 0: Dykstra's alternating projections.

    For contacts that stick or slide and are rigid; lam0 is in both sets.
    """
    J = problem.jacobian()
    p, pseudo = J.T @ lam0, np.linalg.pinv(J.T)
    u = problem.parts(J @ v + problem.stacked("bias"))
    x, correction = np.zeros(len(lam0)), np.zeros(len(lam0))
    rows = problem.rows
    for _ in range(sweeps):
        x = x - pseudo @ (J.T @ x - p)  # affine: needs no correction
        y = x + correction
        z = y.copy()
        for block, at, ui in zip(problem.blocks, rows[:-1], u, strict=True):
            part = slice(at, at + 3)
            slip = np.linalg.norm(ui[1:])
            if ui[0] > 1e-9:
                z[part] = 0.0
            elif slip > 1e-9:
                ray = np.concatenate([[1.0], -block.mu[0] * ui[1:] / slip])
                z[part] = ray * max(0.0, ray @ y[part] / (ray @ ray))
            else:
                z[part] = oracle.onto_cone(y[part], block.mu[0])
        correction, x = y - z, z
    return x


@on
def test_laws_momentum_and_velocities_stay(make):
    problem = make()
    # Velocities of two answers differ by more than their residuals, as the rows are conditioned.
    v, lam, info = solve(given(problem), tol=0.01 * TOL)
    w, least, told = solve(given(problem), tol=0.01 * TOL, forces="min_norm")
    assert told.status == info.status == "converged"
    assert oracle.residual(problem, w, least) <= 1.001 * TOL
    assert told.residual == pytest.approx(oracle.residual(problem, w, least), abs=1e-13)
    assert oracle.momentum_error(problem, w, least) <= 1e-12
    assert oracle.outside(problem, least) <= 1e-12 * max(1.0, np.abs(least).max())
    assert w == pytest.approx(v, abs=10 * TOL / min(1.0, *(b.length for b in problem.blocks)))
    if all(block.length == 1.0 for block in problem.blocks):
        assert np.linalg.norm(least) <= np.linalg.norm(lam) * (1 + 1e-7)


@pytest.mark.parametrize("method", ["auto", "newton", "nsgs", "admm"])
@pytest.mark.parametrize("push", [(0, 0), (3.0, 2.0), (30.0, 5.0)])
def test_the_warm_start_does_not_matter(method, push):
    rng = np.random.default_rng(3)
    found = []
    for k in range(4):
        lam0 = None if k == 0 else np.abs(rng.normal(size=(4, 3))) * [1.0, 0.1, 0.1]
        problem = table(legs=SQUARE, push=push, lam0=lam0)
        _, lam, info = problem.solve(method, tol=TOL, forces="min_norm")
        assert info.status == "converged"
        found.append(lam)
        # masses of 2 kg: what the tolerance leaves open of the velocities
        assert lam == pytest.approx(found[0], abs=20 * TOL)


def test_four_legs_carry_the_same():
    _, lam, _ = table(legs=SQUARE).solve(tol=TOL, forces="min_norm")
    share = 2.0 * 9.81 * 5e-3 / 4
    assert lam.reshape(4, 3) == pytest.approx(np.tile([share, 0, 0], (4, 1)), abs=10 * TOL)


@pytest.mark.parametrize("push", [(0.0, 0.0), (4.0, 1.0), (8.0, 2.0)])
def test_alternating_projections_find_the_same(push):
    legs = [(1.0, 0.8), (1.2, -0.9), (-1.0, 0.7), (-0.9, -1.1), (0.3, 0.2)]
    package = table(legs=legs, push=push)
    v, lam, _ = package.solve(tol=TOL, forces="min_norm")
    scene = problems.Scene("table")
    scene.clique(package.cliques[0].A, package.cliques[0].v_free)
    blocks = [
        oracle.Block(oracle.CONE, 0, -1, b.J_a, np.zeros((3, 0)), b.bias, b.R, (0.5, 0, 0))
        for b in package.blocks
    ]
    plain = oracle.Problem(scene.A, package.cliques[0].v_free, blocks)
    _, some, _ = package.solve(tol=0.1 * TOL)  # at the same velocities
    assert lam == pytest.approx(nearest_of(plain, v, some), abs=1e-9)


@pytest.mark.parametrize("method", ["lemke", "pgs", "convex"])
def test_other_laws_are_refused(method):
    with pytest.raises(dl.errors.OptionError, match="round cone"):
        table(legs=SQUARE).solve(method, forces="min_norm")
    with pytest.raises(dl.errors.OptionError, match="round cone"):
        dl.ContactImpulse(solver=method, forces="min_norm")


def test_words_are_checked():
    for call in (table(legs=SQUARE).solve, dl.ContactImpulse):
        with pytest.raises(dl.errors.OptionError, match="'nearest', 'min_norm'"):
            call(forces="least")
