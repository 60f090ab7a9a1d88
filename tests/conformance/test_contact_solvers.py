"""Every contact solver of the table keeps the facts it states (contact/solvers/table.py).

A new solver is found through `SOLVERS`; nothing is added here for it but, where it needs more than
its usual budget to converge, a line of `PATIENT`. The judge is `tests.support.contact_oracle`,
which shares nothing with the package.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.support import contact_oracle as oracle
from tests.support import contact_problems as problems
from tests.support.contact_problems import given

import dalembert as dl
from dalembert import _jit
from dalembert._records import Place
from dalembert.contact.algebra.prepare import move
from dalembert.contact.algebra.residuals import measure
from dalembert.contact.given.problem import solve
from dalembert.contact.problem.layout import CONVERGED, Problem
from dalembert.contact.solvers.comparison.friction import BoxFriction, Pyramid
from dalembert.contact.solvers.solver import ContactSolver
from dalembert.contact.solvers.table import (
    SOLVERS,
    ConvexContact,
    GaussSeidel,
    Lemke,
    ProjectedGaussSeidel,
    solver_of,
)
from dalembert.errors import DalembertError, ModelError, OptionError

pytestmark = pytest.mark.share(2)

TOL = 1e-9

PATIENT = {
    "nsgs": GaussSeidel(sweeps=50_000),
    "pgs": ProjectedGaussSeidel(sweeps=50_000),
    "pgs, eight edges": ProjectedGaussSeidel(sweeps=50_000, friction=Pyramid(8)),
    "pgs, box": ProjectedGaussSeidel(sweeps=50_000, friction=BoxFriction()),
    "lemke": Lemke(directions=4),
    "lemke, eight directions": Lemke(directions=8),
    "convex, stiff": ConvexContact(rigidity=0.1, slip=1e-4),
}
"""Solvers the battery is run with; those of the table that are missing here, as they are."""

CASES = {name: PATIENT.get(name, cls()) for name, cls in SOLVERS.items()} | PATIENT

REGULAR = {
    "sliding box": lambda: problems.incline(0.3, 0.2, (0.7, 0.4)),
    "apart": lambda: problems.apart(3),
    "mixed": lambda: problems.mixed(1),
    "mass ratio 1000": lambda: problems.mixed(2, ratio=1e3),
    "compliant": lambda: problems.compliant_box(),
    "gears": lambda: problems.gear_train(),
    "grasp": lambda: problems.grasp(),
}
"""One v solves each of these."""

DEPENDENT = {
    "stack": lambda: problems.stack(3),
    "sticking box": lambda: problems.incline(0.2, 0.4),
    "doubled hinges": lambda: problems.doubled_hinges(3),
}
"""Rows that repeat others: v is unique, lam is not."""

ROLLING = {
    "rolling balls": lambda: problems.rolling_balls(),
    "mixed, rolling": lambda: problems.mixed(4, roll=True),
}

ALL = REGULAR | DEPENDENT | ROLLING


def each(cases, **facts):
    """Parametrise over the solvers with these facts."""
    chosen = {n: s for n, s in cases.items() if all(getattr(s, k) == v for k, v in facts.items())}
    return pytest.mark.parametrize("solver", chosen.values(), ids=list(chosen))


def on(makers):
    return pytest.mark.parametrize("make", makers.values(), ids=list(makers))


def accepted(solver, problem):
    reason = solver.refuse(frozenset(b.kind for b in given(problem).blocks))
    if reason is not None:
        pytest.skip(reason)


def friction_of(solver):
    """What the oracle calls the shape of a solver's friction."""
    if solver.law != "pyramid":
        return "cone"
    return "box" if isinstance(solver.friction, BoxFriction) else solver.friction.edges


def own_residual(solver, problem, v, lam):
    """What is left of the law the solver itself keeps, by the oracle."""
    if solver.law == "regularised":
        return oracle.convex_residual(problem, v, lam, rigidity=solver.rigidity, slip=solver.slip)
    return oracle.residual(problem, v, lam, friction_of(solver))


def near(problem):
    """Ten tolerances, for rates of turning over the length that makes them speeds."""
    return 10 * TOL / min(1.0, *(b.length for b in problem.blocks))


# -- facts are well formed --------------------------------------------------------------------


@each({name: cls() for name, cls in SOLVERS.items()})
def test_facts_are_words_of_the_table(solver):
    assert solver.law in ("cone", "pyramid", "regularised")
    assert solver.kinds <= {"EQ", "UNI", "BOX", "CONE", "ROLL"}
    assert solver.describe().startswith(type(solver).__name__ + "(")
    assert solver == type(solver)()


# -- the residual is the truth ------------------------------------------------------------------


@on(ALL)
@each(CASES)
def test_the_residual_reported_is_the_one_there_is(solver, make):
    """Converged or not: stopped early, too."""
    problem = make()
    accepted(solver, problem)
    for budget in (None, 3):
        v, lam, info = solve(given(problem), solver, tol=TOL, budget=budget)
        rounding = 1e-13 * max(1.0, np.abs(v).max())
        assert info.residual == pytest.approx(oracle.residual(problem, v, lam), abs=rounding)
        own = own_residual(solver, problem, v, lam)
        if solver.law != "cone":
            reported = max(island.own_residual for island in info.islands)
            assert reported == pytest.approx(own, abs=rounding)
        assert (info.status == "converged") == (own <= TOL)
        assert np.isfinite(v).all()
        assert np.isfinite(lam).all()


@on(REGULAR | DEPENDENT | ROLLING)
@each(CASES)
def test_its_law_is_met(solver, make):
    """To the tolerance, with momentum to rounding and no impulse outside its set."""
    problem = make()
    accepted(solver, problem)
    v, lam, info = solve(given(problem), solver, tol=TOL)
    assert info.status == "converged"
    assert own_residual(solver, problem, v, lam) <= 1.001 * TOL
    assert oracle.momentum_error(problem, v, lam) <= 1e-12
    assert oracle.outside(problem, lam, friction_of(solver)) <= 1e-12 * max(1, np.abs(lam).max())


@on(REGULAR)
@each(CASES, law="cone")
def test_exact_solvers_agree(solver, make):
    problem = make()
    v, *_ = solve(given(problem), solver, tol=TOL)
    reference, *_ = solve(given(problem), "nsgs", tol=1e-12, budget=100_000)
    assert v == pytest.approx(reference, abs=near(problem))


@on(REGULAR)
@each(CASES, law="pyramid")
def test_pyramid_solvers_agree(solver, make):
    """Pivots and sweeps, on the same pyramid."""
    problem = make()
    v, *_ = solve(given(problem), solver, tol=TOL)
    patient = ProjectedGaussSeidel(sweeps=100_000, friction=solver.friction)
    reference, *_ = solve(given(problem), patient, tol=1e-12)
    assert v == pytest.approx(reference, abs=near(problem))


@pytest.mark.parametrize("seed", range(6))
@each(CASES, law="pyramid")
def test_in_the_plane_a_pyramid_is_a_cone(solver, seed):
    problem = problems.planar(seed)
    v, lam, _ = solve(given(problem), solver, tol=TOL)
    assert oracle.residual(problem, v, lam) <= 1.01 * TOL
    reference, *_ = solve(given(problem), "nsgs", tol=1e-12, budget=100_000)
    assert v == pytest.approx(reference, abs=near(problem))


def test_more_edges_come_nearer_to_the_cone():
    """Over all directions of sliding, the worst bend halves when the edges double."""
    bent = dict.fromkeys((4, 8, 16, 32), 0.0)
    for angle in np.linspace(0.0, np.pi, 13):
        problem = problems.incline(0.0, 0.2, (np.cos(angle), np.sin(angle)))
        exact, *_ = solve(given(problem), "nsgs", tol=1e-12)
        for edges in bent:
            v, *_ = solve(given(problem), Lemke(directions=edges), tol=TOL)
            bent[edges] = max(bent[edges], np.linalg.norm(v - exact))
    assert all(near < 0.7 * far for far, near in itertools.pairwise(bent.values()))


# -- what does not change the answer ----------------------------------------------------------


@on(REGULAR)
@each(CASES)
def test_the_order_of_blocks_does_not_matter(solver, make):
    problem = make()
    order = np.random.default_rng(0).permutation(len(problem.blocks))
    v, *_ = solve(given(problem), solver, tol=TOL)
    other, *_ = solve(given(oracle.permuted(problem, order)), solver, tol=TOL)
    assert other == pytest.approx(v, abs=near(problem))


@on(REGULAR)
@each(CASES)
def test_heavier_bodies_and_larger_impulses(solver, make):
    """Masses, bounds and impulses four times as large: the same velocities."""
    problem = make()
    v, lam, _ = solve(given(problem), solver, tol=TOL)
    w, more, _ = solve(given(oracle.scaled(problem, 4.0)), solver, tol=TOL)
    assert w == pytest.approx(v, abs=near(problem))
    assert oracle.residual(oracle.scaled(problem, 4.0), w, more) == pytest.approx(
        oracle.residual(problem, v, lam), abs=10 * TOL
    )


@on(ALL)
@each(CASES)
def test_the_same_bits_again(solver, make):
    problem = make()
    accepted(solver, problem)
    v, lam, info = solve(given(problem), solver, tol=TOL)
    again, same, told = solve(given(problem), solver, tol=TOL)
    assert np.array_equal(v, again)
    assert np.array_equal(lam, same)
    assert info == told


# -- warm start, dependent rows, continuity ---------------------------------------------------


def started(problem, lam):
    blocks = [replace(b, lam0=x) for b, x in zip(problem.blocks, problem.parts(lam), strict=True)]
    return problem.but(blocks=blocks)


@on(ALL)
@each(CASES, warm_start=True)
def test_what_is_solved_takes_no_iteration(solver, make):
    problem = make()
    accepted(solver, problem)
    v, lam, _ = solve(given(problem), solver, tol=TOL)
    w, same, info = solve(given(started(problem, lam)), solver, tol=2 * TOL)
    assert info.status == "converged"
    assert info.iterations == info.sweeps == info.factorisations == 0
    assert np.array_equal(same, lam)
    assert w == pytest.approx(v, abs=1e-13 * max(1, np.abs(v).max()))


@on(ALL)
@each(CASES, warm_start=False)
def test_without_warm_start_the_beginning_does_not_matter(solver, make):
    problem = make()
    accepted(solver, problem)
    lam0 = np.random.default_rng(1).standard_normal(problem.rows[-1])
    v, lam, _ = solve(given(problem), solver, tol=TOL)
    w, same, _ = solve(given(started(problem, lam0)), solver, tol=TOL)
    assert np.array_equal(w, v)
    assert np.array_equal(same, lam)


@on(DEPENDENT)
@each(CASES, redundant=True)
def test_dependent_rows(solver, make):
    """Every block twice: the same motion."""
    problem = make()
    accepted(solver, problem)
    if solver.law == "regularised":
        pytest.skip("Two springs are stiffer than one.")
    v, *_ = solve(given(problem), solver, tol=TOL)
    twice = problem.but(blocks=[b for b in problem.blocks for _ in range(2)])
    w, lam, info = solve(given(twice), solver, tol=TOL)
    assert info.status == "converged"
    assert own_residual(solver, twice, w, lam) <= 1.001 * TOL
    assert w == pytest.approx(v, abs=1e3 * TOL)


@on(DEPENDENT)
@each(CASES, unique=True)
def test_unique_impulses_follow_the_data(solver, make):
    """A change of v* by d moves lam by no more than a constant times d."""
    problem = make()
    push = np.random.default_rng(2).standard_normal(len(problem.v_free))
    _, lam, _ = solve(given(problem), solver, tol=1e-13)
    moves = []
    for d in (1e-4, 1e-6):
        pushed = problem.but(v_free=problem.v_free + d * push)
        _, other, _ = solve(given(pushed), solver, tol=1e-13)
        moves.append(np.abs(other - lam).max() / d)
    assert moves[1] <= 2 * moves[0] + 1e-3


def test_of_the_others_one_is_not_unique():
    """The fact is not empty: the exact law leaves the impulses of a stack open."""
    problem = problems.stack(3)
    _, lam, _ = solve(given(problem), "newton", tol=TOL)
    tilt = np.tile([1.0, 0, 0, -1.0, 0, 0, -1.0, 0, 0, 1.0, 0, 0], 3)
    lam0 = lam + 0.2 * lam.max() * tilt
    _, other, info = solve(given(started(problem, lam0)), "newton", tol=TOL)
    assert info.status == "converged"
    assert np.abs(other - lam).max() > 0.01 * lam.max()


# -- kinds, budgets, refusals -----------------------------------------------------------------


@pytest.mark.parametrize("kind", ["EQ", "UNI", "BOX", "CONE", "ROLL"])
@each(CASES)
def test_kinds_are_treated_or_refused(solver, kind):
    problem = problems.mixed(4, roll=True)
    kinds = {oracle.EQ: "EQ", oracle.UNI: "UNI", oracle.BOX: "BOX", oracle.CONE: "CONE"}
    chosen = [b for b in problem.blocks if kinds.get(b.kind, "ROLL") == kind]
    problem = problem.but(blocks=chosen)
    if kind in solver.kinds:
        v, lam, info = solve(given(problem), solver, tol=TOL)
        assert info.status == "converged"
        assert own_residual(solver, problem, v, lam) <= 1.001 * TOL
    else:
        with pytest.raises(OptionError, match=f"{type(solver).__name__}.*{kind}"):
            solve(given(problem), solver)


@each(CASES)
def test_the_budget_is_kept(solver):
    problem = problems.mixed(1)
    _, _, info = solve(given(problem), solver, tol=1e-18, budget=2)
    spent = {"sweeps": info.sweeps, "": info.factorisations, "factorisations": info.factorisations}
    assert spent.get(solver.counts, info.iterations) <= 2
    if solver.law != "regularised":
        assert info.status != "converged"


@each(CASES)
def test_nothing_to_do(solver):
    """No blocks: free flight. A contact that opens: no impulse."""
    problem = problems.incline(0.3, 0.4)
    v, lam, info = solve(given(problem.but(blocks=[])), solver)
    assert np.array_equal(v, problem.v_free)
    assert len(lam) == 0
    assert info.status == "converged"
    away = problem.but(v_free=problem.v_free + np.array([0, 0, 5.0, 0, 0, 0]))
    v, lam, info = solve(given(away), solver)
    assert np.abs(lam).max() <= 1e-30
    assert v == pytest.approx(away.v_free, abs=1e-15)
    assert info.status == "converged"


@each(CASES)
@pytest.mark.parametrize("name", ["bias", "R", "mu", "lam0", "J_a", "lower", "length"])
def test_numbers_that_are_none_are_named(solver, name):
    problem = given(problems.gear_train())
    block = problem.blocks[-1]
    if name == "length":
        block.length = np.nan
    elif name == "J_a":
        (block.J_a if block.a >= 0 else block.J_b)[0] = np.nan
    else:
        getattr(block, name)[0] = np.nan
    with pytest.raises(ModelError, match=f"block {len(problem.blocks) - 1} "):
        solve(problem, solver)


@each(CASES)
def test_mass_that_is_none_is_named(solver):
    problem = given(problems.gear_train())
    problem.cliques[1].v_free[0] = np.inf
    with pytest.raises(ModelError, match="clique 1"):
        solve(problem, solver)
    problem = given(problems.gear_train())
    problem.cliques[2].A *= -1
    with pytest.raises(DalembertError, match=r"clique 2.*positive definite"):
        solve(problem, solver)


def test_options_are_looked_at():
    for wrong in (
        lambda: ProjectedGaussSeidel(sweeps=0),
        lambda: ProjectedGaussSeidel(friction="cone"),
        lambda: Pyramid(edges=5),
        lambda: Lemke(directions=3),
        lambda: GaussSeidel(sweeps=2.5),
        lambda: ConvexContact(slip=0.0),
        lambda: GaussSeidel(tolerance=-1.0),
        lambda: Lemke().with_friction(BoxFriction()),
        lambda: solver_of("jacobi"),
    ):
        with pytest.raises(OptionError):
            wrong()
    assert ProjectedGaussSeidel(7).with_friction(Pyramid(8)).options() == [8.0]
    assert isinstance(solver_of("pgs"), ContactSolver)


# -- compiled, interpreted, in a run ----------------------------------------------------------


@each(CASES)
def test_plain_python_gives_the_same(solver):
    problem = problems.incline(0.3, 0.2, (0.7, 0.4), contacts=2)
    v, lam, info = solve(given(problem), solver, tol=TOL)
    with _jit.interpreted():
        plain, impulses, told = solve(given(problem), solver, tol=TOL)
    assert plain == pytest.approx(v, abs=1e-12)
    assert impulses == pytest.approx(lam, abs=1e-12)
    assert told.iterations == info.iterations


def two_boxes():
    model = dl.Model("two boxes", gravity=(0, 0, -9.81))
    model.add_shape(dl.Plane(), on=model.world, material=dl.Material(friction=0.6))
    for i in range(2):
        inertia = dl.Inertia.box(mass=1.0, size=(1, 1, 1))
        box = model.add_body(f"box{i}", inertia, position=(0, 0, 0.5 + i))
        model.add_shape(dl.Box(1, 1, 1), on=box, material=dl.Material(friction=0.6))
    return model


@each({name: cls() for name, cls in SOLVERS.items()})
def test_in_a_run(solver):
    """Two boxes stand for a quarter of a second, softly with the regularised law."""
    method = dl.ContactImpulse(solver=solver)
    solution = dl.simulate(two_boxes(), until=0.25, step=1 / 240, method=method, progress=False)
    sunk = 1.5 - solution["box1.z"][-1]
    assert abs(sunk) <= (1e-4 if solver.law == "regularised" else 1e-5)
    if solver.law == "regularised":
        assert sunk > 1e-7


@_jit.kernel
def nothing(problem: Problem, island, tolerance, budget):
    """The island as it is."""
    move(problem, island)
    island.residual = measure(problem, island)
    island.iterations = int(Halves(problem.options, 0).share)
    return CONVERGED


class Halves(Place):
    class numbers:
        share: float


@dataclass(frozen=True)
class Nothing(ContactSolver):
    share: int = 7

    solve_island = nothing
    passes = Halves


def test_a_solver_is_a_class_and_a_line_of_the_table(monkeypatch):
    """Problems and runs find it there, with its kernel and its parameters."""
    monkeypatch.setitem(SOLVERS, "nothing", Nothing)
    problem = given(problems.incline(0.3, 0.2, (0.7, 0.4)))
    _, lam, info = solve(problem, "nothing:share=5")
    assert not lam.any()
    assert [(island.method, island.iterations) for island in info.islands] == [("nothing", 5)]
    assert info.residual > 0.01
    method = dl.ContactImpulse(solver=Nothing(), order=1)
    fallen = dl.simulate(two_boxes(), until=0.25, step=1 / 240, method=method, progress=False)
    assert fallen["box1.z"][-1] < 1.45


@each(CASES, law="pyramid")
def test_friction_is_given_to_the_run_or_to_the_solver(solver):
    model = two_boxes()
    by_solver = dl.ContactImpulse(solver=solver)
    by_run = dl.ContactImpulse(solver=type(solver)(), friction=solver.friction)
    if isinstance(solver, ProjectedGaussSeidel):
        by_run = replace(by_run, solver=ProjectedGaussSeidel(sweeps=solver.sweeps))
    ends = [
        dl.simulate(model, until=0.05, step=1 / 240, method=method, progress=False)["box1.z"][-1]
        for method in (by_solver, by_run)
    ]
    assert ends[0] == ends[1]
