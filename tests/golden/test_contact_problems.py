"""Held-out contact problems, replayed: residual and work of every solver beside what it was.

The problems are made by code (`tests.support.contact_problems.HELD_OUT`): arches, grasps with a
tree, gear trains, mixed shapes, piles, a wall. No constant of a solver was chosen on them. The
record has the iterations or sweeps and the factorisations at the tolerance 1e-8 (nsgs and pgs:
within 1000 sweeps), null where the solver stalled. A change that needs half as much again fails,
and so does one that no longer converges. What improves, record it anew with `python -m
tests.golden.test_contact_problems`.
"""

from __future__ import annotations

import functools
import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support import contact_oracle as oracle
from tests.support.contact_problems import HELD_OUT, given

from dalembert.contact.given.problem import solve
from dalembert.contact.solvers.table import (
    ADMM,
    AutomaticContact,
    ConvexContact,
    GaussSeidel,
    InteriorPoint,
    Lemke,
    NewtonContact,
    ProjectedGaussSeidel,
)

RECORD = Path(__file__).with_name("contact_problems.json")
TOL = 1e-8

SOLVERS = {
    "auto": AutomaticContact(),
    "newton": NewtonContact(),
    "interior": InteriorPoint(),
    "nsgs": GaussSeidel(sweeps=1000),
    "admm": ADMM(),
    "convex": ConvexContact(),
    "lemke": Lemke(directions=4),
    "pgs": ProjectedGaussSeidel(sweeps=1000),
}
CONTACTS_FOR_LEMKE = 60


@functools.cache
def problem_of(name):
    return HELD_OUT[name]()


def work(name, solver):
    """(iterations or sweeps, factorisations), None when stalled; "refused" by kind or by size."""
    problem = problem_of(name)
    package = given(problem)
    if solver.refuse(frozenset(b.kind for b in package.blocks)) is not None:
        return "refused"
    if isinstance(solver, Lemke) and len(problem.blocks) > CONTACTS_FOR_LEMKE:
        return "refused"
    v, lam, info = solve(package, solver, tol=TOL)
    assert info.residual == pytest.approx(oracle.residual(problem, v, lam), abs=1e-12)
    assert oracle.momentum_error(problem, v, lam) <= 1e-11
    if info.status != "converged":
        return None
    if solver.law == "cone":
        assert oracle.residual(problem, v, lam) <= 1.001 * TOL
    elif solver.law == "pyramid":
        assert oracle.residual(problem, v, lam, solver.friction.edges) <= 1.001 * TOL
    else:
        assert oracle.convex_residual(problem, v, lam) <= 1.001 * TOL
    return [max(info.iterations, info.sweeps), info.factorisations]


def recorded():
    return json.loads(RECORD.read_text())


def test_there_are_enough_of_them():
    assert len(HELD_OUT) >= 20
    assert set(recorded()) == set(HELD_OUT)


def with_room(solver, before):
    """A solver that may take the half more sweeps that are allowed below; rounding decides."""
    if not isinstance(before, list) or not hasattr(solver, "sweeps"):
        return solver
    return replace(solver, sweeps=max(solver.sweeps, int(1.5 * before[0]) + 5))


@pytest.mark.parametrize("name", HELD_OUT)
def test_replay(name):
    for key, before in recorded()[name].items():
        now = work(name, with_room(SOLVERS[key], before))
        if before == "refused" or now == "refused":
            assert now == before
        elif before is not None:
            assert now is not None, f"{key} no longer converges"
            for count, was in zip(now, before, strict=True):
                assert count <= 1.5 * was + 5, f"{key}: {now} instead of {before}"


def test_the_default_solves_all_of_them():
    assert all(row["auto"] is not None for row in recorded().values())


if __name__ == "__main__":
    rows = {name: {key: work(name, s) for key, s in SOLVERS.items()} for name in HELD_OUT}
    lines = (f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n")
