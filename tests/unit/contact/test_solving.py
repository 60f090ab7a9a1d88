"""Whole problems: Newton and Gauss-Seidel agree, and nothing but the problem decides the answer."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.unit.contact import scenes

from dalembert.contact.given.info import info_of
from dalembert.contact.given.problem import ContactProblem, solve
from dalembert.contact.problem import layout as L
from dalembert.contact.problem.capacity import Capacity, allocate
from dalembert.contact.problem.layout import Problem
from dalembert.contact.solvers.table import kernel_of, solve_problem

TOL = 1e-9

SCENES = {
    "incline": scenes.incline,
    "sliding": lambda: scenes.incline(mu=0.3),
    "tower 1000:1": scenes.stack,
    "pyramid": lambda: scenes.pyramid(5),
    "arch": scenes.arch,
    "chain": scenes.chain,
    "wall": lambda: scenes.wall(4, 5),
    "spheres": lambda: scenes.spheres(40, 1),
    "arm of 30, box of 4 contacts": scenes.grasp,
    "arm of 30, box of 2 contacts": lambda: scenes.grasp(contacts=2, seed=2),
    "27 velocities, 13 contacts": scenes.humanoid,
}


def with_blocks(problem, blocks):
    return ContactProblem(problem.cliques, blocks)


@pytest.mark.parametrize("method", ["auto", "newton"])
@pytest.mark.parametrize("name", SCENES)
def test_solved_from_nothing(name, method):
    """To 1e-9 m/s without a warm start; the residual is that of the arrays, measured again."""
    problem = SCENES[name]()
    v, lam, info = solve(problem, method, tol=TOL, budget=300)
    assert info.status == "converged"
    assert problem.residual(v, lam) <= TOL
    A, J = problem.matrices()
    free = np.concatenate([c.v_free for c in problem.cliques])
    scale = np.abs(A @ v).max() + np.abs(J.T @ lam).max()
    assert np.abs(A @ (v - free) - J.T @ lam).max() < 1e-12 * scale


@pytest.mark.parametrize("name", SCENES)
def test_warm_start_is_the_answer(name):
    problem = SCENES[name]()
    _, lam, _ = solve(problem, tol=TOL, budget=300)
    row = 0
    for block in problem.blocks:
        block.lam0 = lam[row : row + block.dim]
        row += block.dim
    again = solve(problem, tol=1.1 * TOL)
    assert (again[1] == lam).all()
    assert again[2].factorisations == again[2].sweeps == 0


@pytest.mark.parametrize("seed", range(20))
def test_problems_without_meaning(seed):
    """All kinds of blocks, cliques of all sizes: Newton and `auto` always find an answer."""
    problem = scenes.random_problem(seed, contacts_only=seed % 4 == 0)
    for method in ("newton", "auto"):
        v, lam, info = solve(problem, method, tol=TOL, budget=300)
        assert info.status == "converged"
        assert problem.residual(v, lam) <= TOL


def test_newton_and_gauss_seidel_agree():
    """v is the same where friction is too small for several answers; lam need not be."""
    compared = 0
    for seed in range(20):
        problem = scenes.random_problem(seed)
        for block in problem.blocks:
            block.mu *= 0.05
        v, _, _ = solve(problem, "newton", tol=1e-10, budget=300)
        w, _, info = solve(problem, "nsgs", tol=1e-10, budget=20_000)
        if info.status == "converged":
            compared += 1
            assert w == pytest.approx(v, abs=1e-6)
    assert compared > 10


@pytest.mark.parametrize("name", ["pyramid", "arch", "27 velocities, 13 contacts", "smooth chain"])
def test_doubled_blocks_move_the_same(name):
    """Every row twice: W is singular, v is not.

    (A chain that slides has several answers: the weight of a link can rest on either of its ends.)
    """
    problem = scenes.chain(mu=0.0) if name == "smooth chain" else SCENES[name]()
    v, _, _ = solve(problem, tol=1e-10, budget=500)
    doubled = with_blocks(problem, [b for block in problem.blocks for b in (block, block)])
    w, lam, info = solve(doubled, tol=1e-10, budget=500)
    assert info.status == "converged"
    assert w == pytest.approx(v, abs=1e-8)
    assert doubled.residual(w, lam) <= 1e-10


def test_order_of_blocks_does_not_matter():
    problem = scenes.pyramid(4)
    v, _, _ = solve(problem, tol=1e-11, budget=300)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(problem.blocks))
        w, _, info = solve(
            with_blocks(problem, [problem.blocks[i] for i in order]), tol=1e-11, budget=300
        )
        assert info.status == "converged"
        assert w == pytest.approx(v, abs=1e-8)


def empty(capacity):
    integers, numbers = allocate(capacity)
    return Problem(numbers, integers)


def bits(problem, packed, method="auto"):
    problem.write(packed)
    assert kernel_of(method)(packed, TOL, 0) != L.OVERFLOW
    return [packed.v.copy(), packed.lam.copy()]


def test_nothing_is_remembered():
    """The same bits whatever was solved in these arrays before."""
    problems = [scenes.pyramid(5), scenes.arch(), scenes.chain(8), scenes.stack(15)]
    room = dataclasses.astuple(Capacity())
    for problem in problems:
        solve(problem, tol=TOL)
        own = dataclasses.astuple(problem.capacity())
        room = tuple(max(a, 4 * b) for a, b in zip(room, own, strict=True))
    fresh = [bits(p, empty(Capacity(*room))) for p in problems]
    packed = empty(Capacity(*room))
    for k in (0, 1, 0, 2, 3, 1, 2, 2, 0):
        for again, first in zip(bits(problems[k], packed), fresh[k], strict=True):
            assert (again == first).all()


def test_a_body_that_lands_alone_is_factored_too():
    """Contacts with the world add nothing to the graph: it is the same with and without them."""
    flat = [(0.0, 0.0, 0.5), (3.0, 0.0, 0.5)]
    both = scenes.boxes(flat, [(0.5, 0.5, 0.5)] * 2, [1.0, 1.0], mu=0.5)
    one = with_blocks(both, [block for block in both.blocks if 0 in (block.a, block.b)])
    fresh = bits(both, empty(Capacity()), "newton")
    packed = empty(Capacity())
    bits(one, packed, "newton")
    again = bits(both, packed, "newton")
    assert (np.concatenate(again) == np.concatenate(fresh)).all()
    assert info_of(packed).residual <= TOL


def test_islands_do_not_see_one_another():
    """Two problems side by side, their blocks mixed, give the bits of each alone."""
    parts = [scenes.pyramid(3), scenes.arch(9), scenes.spheres(8, 3)]
    whole, rng = ContactProblem(), np.random.default_rng(0)
    blocks, offset = [], 0
    for part in parts:
        whole.cliques += part.cliques
        for block in part.blocks:
            a, b = (c + offset if c >= 0 else -1 for c in (block.a, block.b))
            blocks.append(dataclasses.replace(block, a=a, b=b))
        offset += len(part.cliques)
    # Any merge that keeps the order within each part.
    turns = rng.permutation(np.repeat(range(3), [len(p.blocks) for p in parts]))
    waiting = [
        iter(blocks[s : s + len(p.blocks)])
        for s, p in zip(np.cumsum([0, *(len(p.blocks) for p in parts)]), parts, strict=False)
    ]
    whole.blocks = [next(waiting[t]) for t in turns]
    v, _, info = solve(whole, tol=TOL)
    alone = np.concatenate([solve(p, tol=TOL)[0] for p in parts])
    assert (v == alone).all()
    assert info.status == "converged"
    assert [i.blocks for i in info.islands if i.blocks][:1] == [len(parts[0].blocks)]


def test_failure_is_told():
    problem = ContactProblem()
    clique = problem.add_clique(np.diag([1.0, -1.0]), np.zeros(2))
    problem.add_block("UNI", [[1.0, 1.0]], clique, bias=-1.0)
    packed = problem.packed()
    assert solve_problem(packed, TOL, 0) == L.FAILED
    assert info_of(packed).status == "failed"


def test_contradictory_rows_stall():
    """u = 1 and u = -1 at once: told, not hidden."""
    problem = ContactProblem()
    clique = problem.add_clique(np.eye(1), np.zeros(1))
    problem.add_block("EQ", [[1.0]], clique, bias=1.0)
    problem.add_block("EQ", [[1.0]], clique, bias=-1.0)
    v, lam, info = solve(problem)
    assert info.status == "stalled"
    assert info.residual >= 1.0
    assert np.isfinite(v).all()
    assert np.isfinite(lam).all()


@pytest.mark.parametrize("method", ["auto", "newton", "interior", "nsgs", "admm"])
@pytest.mark.parametrize("small", [1.0, 1e-3, 1e-4, 1e-5])
def test_a_joint_that_repeats_itself(method, small):
    """The middle of three rows is a small part of the others, up to rounding: a planar loop, whose
    closure across the plane says nothing, seen from axes that are nearly those of the plane.
    """
    rng = np.random.default_rng(7)
    for _ in range(20):
        root = rng.normal(size=(8, 8))
        problem = ContactProblem()
        clique = problem.add_clique(root @ root.T + np.eye(8), np.zeros(8))
        u = rng.normal(size=8)
        problem.add_block("EQ", rng.normal(size=(3, 8)), clique, bias=1e-9 * rng.normal(size=3))
        one, other = rng.normal(size=(2, 8))
        J = np.array([one, small * (one + 0.7 * other), other])
        J[1] *= 1.0 + 1e-15 * rng.normal(size=8)
        problem.add_block("EQ", J, clique, bias=1e-9 * J @ u)
        v, lam, info = solve(problem, method, tol=1e-14)
        assert info.residual <= 1e-13
        assert np.abs(v).max() <= 1e-7
        assert np.abs(lam).max() <= 1e-6


@pytest.mark.parametrize("method", ["auto", "newton", "nsgs", "interior", "admm"])
@pytest.mark.parametrize("sizes", [(4, 1), (5, 3), (9, 2), (1, 7)])
def test_a_side_without_entries_moves_nothing(method, sizes):
    """A drive on a joint may not move one of its trees: the row of that side is all zeros."""
    rng = np.random.default_rng(sum(sizes))
    problem = ContactProblem()
    for n in sizes:
        X = rng.normal(size=(n, n))
        problem.add_clique(X @ X.T + n * np.eye(n), rng.normal(size=n))
    row = rng.normal(size=(1, sizes[0]))
    given = {"lower": [-0.03], "upper": [0.03], "bias": [12.0]}
    problem.add_block("BOX", row, 0, np.zeros((1, sizes[1])), 1, **given)
    both = rng.normal(size=(1, sizes[0])), 0, rng.normal(size=(1, sizes[1])), 1
    problem.add_block("EQ", *both)
    v, lam, info = solve(problem, method)
    A, J = problem.matrices()
    free = np.concatenate([c.v_free for c in problem.cliques])
    assert np.abs(A @ (v - free) - J.T @ lam).max() < 1e-12
    assert info.residual < 1e-6
