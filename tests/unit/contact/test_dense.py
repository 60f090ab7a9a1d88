"""Small islands of trees in contact space: W, the step, the answers."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.unit.contact import scenes

from dalembert.contact.algebra.prepare import prepare_rows
from dalembert.contact.given.problem import ContactProblem, solve
from dalembert.contact.problem import layout as L
from dalembert.contact.problem.capacity import Capacity, allocate
from dalembert.contact.problem.layout import Problem
from dalembert.contact.solvers.dense import newton as D
from dalembert.contact.solvers.dense import step as S
from dalembert.contact.solvers.dense.response import (
    collect,
    respond,
    space_block,
    space_of,
    tried_of,
)
from dalembert.contact.solvers.proximal import block_law
from dalembert.contact.solvers.table import solve_problem

TOL = 1e-9


def with_servos(problem, rng, most=np.inf):
    """The same with a servo on some velocities of trees, before the other blocks."""
    new = ContactProblem(list(problem.cliques))
    for k, clique in enumerate(problem.cliques):
        n = len(clique.v_free)
        for j in range(n):
            if n != 6 and (j == 0 or rng.uniform() < 0.6):
                row = np.zeros((1, n))
                row[0, j] = rng.uniform(0.5, 2.0)
                given = {"lower": -most, "upper": most, "R": rng.uniform(0.01, 1.0)}
                new.add_block("BOX", row, k, bias=0.3 * rng.normal(size=1), **given)
    new.blocks += [b for b in problem.blocks if b.kind != "ROLL"]
    return new


def examples():
    """Problems of one island, with servos."""
    rng = np.random.default_rng(7)
    yield with_servos(scenes.humanoid(), rng)
    yield with_servos(scenes.grasp(), rng)
    for seed in range(40):
        problem = with_servos(scenes.random_problem(seed), rng)
        sizes = {len(c.v_free) for c in problem.cliques}
        if sizes != {6} and sum(b.dim for b in problem.blocks) < L.SPACE_ROWS:
            yield problem


def in_space(problem):
    """Arrays, island by island those that are for contact space."""
    arrays = problem.packed()
    assert prepare_rows(arrays, True) == 0
    for i in range(arrays.islands):
        if arrays.island(i).block_count > 0 and collect(arrays, arrays.island(i)):
            respond(arrays)
            yield arrays


def places(problem, arrays):
    """Rows of J of the listed blocks, in their order."""
    starts = np.cumsum([0, *(b.dim for b in problem.blocks)])
    found = []
    for k in range(arrays.space_blocks):
        own = space_block.function(arrays, k)
        assert own.row == len(found)
        found += range(starts[own.number], starts[own.number + 1])
    return found


def test_w_and_q_are_those_of_full_matrices():
    compared = 0
    for problem in examples():
        A, J = problem.matrices()
        free = np.concatenate([c.v_free for c in problem.cliques])
        bias = np.concatenate([b.bias for b in problem.blocks])
        for arrays in in_space(problem):
            own = places(problem, arrays)
            assert len(own) == arrays.space_rows
            W = space_of.function(arrays).W[:, : len(own)]
            expected = J[own] @ np.linalg.solve(A, J[own].T)
            size = np.abs(expected).max() * np.linalg.cond(A) * np.finfo(float).eps
            assert np.abs(W - expected).max() < 50 * size
            q = tried_of.function(arrays).free_u[own]
            assert q == pytest.approx((J @ free + bias)[own], abs=1e-11)
            compared += 1
    assert compared > 10


def test_without_servos_w_is_that_of_the_problem():
    problem = scenes.humanoid()
    W, q = problem.delassus()
    (arrays,) = in_space(problem)
    own = places(problem, arrays)
    assert space_of.function(arrays).W[:, : len(own)] == pytest.approx(W, abs=1e-11)
    assert tried_of.function(arrays).free_u[own] == pytest.approx(q, abs=1e-12)


@pytest.mark.parametrize("p", [1e-1, 1e-4])
def test_the_step_is_that_of_h(p):
    """(1 + G W) dx = gamma - x moves u as (A + J^T G J) dv = -(A (v - v*) - J^T gamma) does."""
    rng = np.random.default_rng(3)
    slid = compared = 0
    for problem in examples():
        A, J = problem.matrices()
        for arrays in in_space(problem):
            own, space = places(problem, arrays), space_of.function(arrays)
            rows = arrays.space_rows
            space.x[:] = rng.normal(size=rows)
            arrays.u[own] = rng.normal(size=rows)
            arrays.lam[own] = space.x
            G = np.zeros((rows, rows))
            for k in range(arrays.space_blocks):
                listed = space_block.function(arrays, k)
                block = arrays.block(listed.number)
                block_law(arrays, block, p, True)
                fill(G, arrays, listed.row, block)
            e = arrays.gamma[own] - space.x
            space.e[:] = e
            _, slides = S.classify(arrays)
            m = S.unknowns(arrays)
            S.right_side(arrays, m)
            S.assemble_active(arrays, m, slides)
            assert S.factor_active(arrays, m, slides)
            S.solve_active(arrays, m, slides)
            S.expand(arrays, m)
            H = A + J[own].T @ G @ J[own]
            dv = np.linalg.solve(H, J[own].T @ e)
            found, expected = space.W[:, :rows] @ space.dx[:rows], J[own] @ dv
            scale = np.finfo(float).eps * np.linalg.cond(H) * np.abs(expected).max()
            assert np.abs(found - expected).max() < 200 * scale
            slid += slides
            compared += 1
    assert slid > 5
    assert compared > 10


def fill(G, arrays, first, block):
    """G of a block, in full."""
    if block.kind == L.CONE:
        g = arrays.cone_curvature(block)
        local = np.array([[*g.symmetric.x], [*g.symmetric.y], [*g.symmetric.z]])
        local[1:, 0] += g.beyond.x, g.beyond.y
    else:
        local = np.diag(block.room(arrays.curvature)[: block.dim])
    G[first : first + block.dim, first : first + block.dim] = local


def test_answers_are_those_of_newton():
    """Where friction is too small for several answers; and it was contact space that found them."""
    by_few = compared = 0
    for problem in examples():
        problem = with_little_friction(problem)
        v, _, one = solve(problem, "newton", tol=TOL, budget=300)
        w, lam, info = solve(problem, "auto", tol=TOL, budget=300)
        if one.status == "converged":
            compared += 1
            assert info.status == "converged"
            assert problem.residual(w, lam) <= TOL
            assert w == pytest.approx(v, abs=1e4 * TOL)
            by_few += info.factorisations < one.factorisations
    assert by_few > 0.8 * compared > 10


def with_little_friction(problem):
    blocks = [dataclasses.replace(b, mu=0.05 * np.asarray(b.mu)) for b in problem.blocks]
    return ContactProblem(list(problem.cliques), blocks)


@pytest.mark.parametrize("most", [1e-3, 1e-2, 1e-1])
def test_servos_at_their_bounds(most):
    """Bounds are kept, and momentum is."""
    problem = with_servos(scenes.humanoid(), np.random.default_rng(1), most)
    v, lam, info = solve(problem, tol=TOL)
    assert info.status == "converged"
    A, J = problem.matrices()
    free = np.concatenate([c.v_free for c in problem.cliques])
    assert np.abs(A @ (v - free) - J.T @ lam).max() < 1e-11
    assert problem.residual(v, lam) <= TOL
    servos = [b.kind == "BOX" for b in problem.blocks for _ in range(b.dim)]
    assert np.abs(lam[servos]).max() == most


def test_impulses_are_in_their_cones():
    for problem in examples():
        _, lam, _ = solve(problem, tol=TOL)
        row = 0
        for block in problem.blocks:
            if block.kind == "CONE":
                n, t = lam[row], np.hypot(*lam[row + 1 : row + 3])
                assert n >= 0.0
                assert t <= np.ravel(block.mu)[0] * n * (1.0 + 1e-14)
            row += block.dim


def test_a_warm_start_takes_one_factorisation():
    """Free velocities change a little: the same contacts stick and slide."""
    problem = with_servos(scenes.humanoid(), np.random.default_rng(5))
    _, lam, _ = solve(problem, tol=TOL)
    row = 0
    for block in problem.blocks:
        block.lam0 = lam[row : row + block.dim]
        row += block.dim
    problem.cliques[0].v_free = problem.cliques[0].v_free * (1.0 + 1e-3)
    _, _, info = solve(problem, tol=TOL)
    assert info.status == "converged"
    assert info.factorisations <= 2
    assert info.sweeps == 0


def test_nothing_is_remembered():
    """The same bits whatever was solved in these arrays before."""
    problems = list(examples())[:6]
    room = dataclasses.astuple(Capacity())
    for problem in problems:
        own = dataclasses.astuple(problem.capacity())
        room = tuple(max(a, 4 * b) for a, b in zip(room, own, strict=True))

    def empty():
        integers, numbers = allocate(Capacity(*room))
        return Problem(numbers, integers)

    def bits(problem, packed):
        problem.write(packed)
        assert solve_problem(packed, TOL, 0) != L.OVERFLOW
        return [packed.v.copy(), packed.lam.copy()]

    fresh = [bits(p, empty()) for p in problems]
    packed = empty()
    for k in (0, 1, 0, 2, 3, 5, 1, 4, 2, 0):
        for again, first in zip(bits(problems[k], packed), fresh[k], strict=True):
            assert (again == first).all()


def test_p_is_small():
    """What is left of a subproblem is p w times the change of impulses: below any tolerance."""
    assert D.P <= 1e-6
