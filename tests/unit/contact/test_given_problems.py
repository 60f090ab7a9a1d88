"""Contacts given by W, or by M and H: solved as they are given, to 1e-8 of |q|, in any units."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.sparse as sp
from tests.support.given_problems import Given, bodies, collected, planted

from dalembert.contact.given.problem import ContactProblem
from dalembert.contact.solvers.delassus.arrays import Given as Scaled
from dalembert.contact.solvers.delassus.follow import followed
from dalembert.errors import MassMatrixError, ModelError, OptionError

pytestmark = pytest.mark.share(2)

BAR = 1e-8
OVER_W = ["auto", "newton", "interior"]


def problem_of(given, **more):
    return ContactProblem.from_delassus(given.W, given.q, given.mu, dimension=given.dim, **more)


def by_mass(given, wrap=np.asarray):
    return ContactProblem.from_mass(
        wrap(given.M), wrap(given.H), given.q, given.mu, dimension=given.dim
    )


def require_solved(given, method="auto", problem=None):
    _, lam, info = (problem or problem_of(given)).solve(method)
    assert np.isfinite(lam).all()
    assert given.residual(lam) <= BAR
    assert info.status == "converged"
    assert info.relative_residual <= BAR
    return lam


KINDS = {
    "one body, rank 6": lambda: planted(1, 40, rank=6),
    "one clique, 750 rows of rank 6": lambda: planted(2, 250, rank=6),
    "one clique, 750 rows of rank 720": lambda: planted(3, 250, rank=720),
    "half the rank": lambda: planted(4, 30, rank=45),
    "full rank": lambda: planted(5, 30, mu=0.7),
    "unsymmetric in the sixth digit": lambda: planted(6, 20, skew=1e-5),
    "unsymmetric by a sixth": lambda: planted(7, 20, skew=0.3),
    "unsymmetric and of low rank": lambda: planted(8, 20, rank=12, skew=0.3),
    "contacts that do not respond": lambda: planted(9, 12, zero=4),
    "without friction": lambda: planted(10, 30, mu=0.0, rank=20),
    "hardly any friction": lambda: planted(11, 20, mu=1e-9),
    "friction 1000": lambda: planted(12, 3, mu=1e3),
    "friction 50, planar": lambda: planted(12, 6, mu=50.0, dim=2),
    "each its own friction": lambda: planted(13, 25, mu=np.linspace(0.0, 1.2, 25)),
    "planar": lambda: planted(14, 30, dim=2, mu=0.6),
    "planar, rank 3, unsymmetric": lambda: planted(15, 12, dim=2, rank=3, skew=0.2),
    "bodies": lambda: bodies(16, 20, 40),
    "many bodies": lambda: bodies(17, 120, 200),
    "planar bodies": lambda: bodies(18, 20, 40, dim=2),
    "one contact": lambda: planted(19, 1, mu=0.4),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_solved(kind):
    require_solved(KINDS[kind]())


@pytest.mark.parametrize("method", ["newton", "interior"])
@pytest.mark.parametrize(
    "kind", ["one body, rank 6", "unsymmetric by a sixth", "planar", "bodies", "without friction"]
)
def test_by_name(kind, method):
    require_solved(KINDS[kind](), method)


@pytest.mark.parametrize("method", OVER_W)
@pytest.mark.parametrize("seed", range(6))
def test_two_and_five_contacts_of_a_rover(method, seed):
    """Two rows in a hundred times softer than the third, as wheels have them."""
    rng = np.random.default_rng(seed)
    given = planted(100 + seed, (2, 5)[seed % 2], mu=0.7)
    scale = np.tile([1.0, 0.12, 0.12], len(given.mu)) * rng.uniform(0.8, 1.2, len(given.q))
    W = 0.1 * scale[:, None] * given.W * scale
    lam = np.linalg.solve(given.W, -given.q) if seed < 2 else rng.exponential(size=len(given.q))
    q = -W @ np.abs(lam)
    require_solved(Given(W, q, given.mu), method)


@pytest.mark.parametrize("masses", [1e-12, 1e-6, 1.0, 1e4, 1e9])
@pytest.mark.parametrize("speeds", [1e-15, 1e-6, 1.0, 1e12])
def test_units_of_mass_and_time_change_nothing(masses, speeds):
    """Powers of two: bit by bit. (Of ten, with rounding.)"""
    masses, speeds = (2.0 ** round(np.log2(x)) for x in (masses, speeds))
    given = planted(21, 12, rank=18, mu=0.6)
    _, lam, info = problem_of(given).solve()
    other = given.scaled(masses, speeds)
    _, again, told = problem_of(other).solve()
    assert told.status == info.status == "converged"
    if masses <= 1.0:
        assert np.array_equal(again, lam * masses * speeds)
        assert told.sweeps == info.sweeps
    if masses <= 1e6:
        assert other.residual(again) <= BAR
    assert given.residual(again / masses / speeds) <= BAR


@pytest.mark.parametrize("scale", [1e-15, 3e-9, 7.0, 1e12])
def test_exact_however_small_or_large_q_is(scale):
    given = planted(22, 8, rank=10, skew=0.1)
    require_solved(Given(given.W, scale * given.q, given.mu))


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("skew", [0.0, 0.2])
def test_order_and_tangents_change_nothing(dim, skew):
    rng = np.random.default_rng(3)
    given = planted(23, 15, dim=dim, skew=skew)
    lam = require_solved(given)
    other, T = given.turned(rng)
    again = require_solved(other)
    # W is regular, and friction small: the answer is the only one
    assert np.linalg.norm(T @ lam - again) <= 1e-6 * np.linalg.norm(lam)


@pytest.mark.parametrize("method", [*OVER_W, "nsgs", "admm", "lemke", "pgs", "convex"])
def test_nothing_is_claimed_and_nothing_is_nan_where_there_is_no_solution(method):
    """Pressed together with no response, or held by nobody: q is beyond what impulses reach."""
    rows = np.zeros((3, 3))
    _, lam, info = ContactProblem.from_delassus(rows, [-1.0, 0.2, 0.0], 0.5).solve(method)
    assert np.isfinite(lam).all()
    assert info.status != "converged" or method == "convex"
    # two sides of one direction pressed at once
    H = np.array([[1.0, 0, 0, -1.0, 0, 0], [0, 1.0, 0, 0, 1.0, 0], [0, 0, 1.0, 0, 0, 1.0]])
    wedge = Given(H.T @ H, np.array([-1.0, 0, 0, -1.0, 0, 0]), np.array([0.2, 0.2]))
    _, lam, info = problem_of(wedge).solve(method)
    assert np.isfinite(lam).all()
    if method != "convex":
        assert info.status != "converged"


@pytest.mark.parametrize("seed", range(40))
def test_whoever_says_converged_is_right(seed):
    """Random problems, with and without a solution, by every solver that takes them."""
    rng = np.random.default_rng(seed)
    dim, count = int(rng.choice([2, 3])), int(rng.integers(1, 7))
    given = planted(
        seed, count, mu=rng.choice([0.0, 0.3, 1.0, 30.0]), dim=dim,
        rank=int(rng.integers(1, count * dim + 1)), skew=rng.choice([0.0, 0.3]),
    )  # fmt: skip
    if seed % 3 == 0:
        given.q = rng.standard_normal(len(given.q)) * 10.0 ** rng.integers(-15, 12)
    for method in (*OVER_W, "nsgs", "admm"):
        try:
            _, lam, info = problem_of(given).solve(method)
        except OptionError:
            assert method == "admm"
            continue
        assert np.isfinite(lam).all()
        assert given.residual(lam) <= BAR or info.status != "converged"
        if seed % 3 != 0 and method == "auto" and given.mu.max() <= 1.0:
            assert info.status == "converged"


def slippery(seed):
    """Up to six contacts of any rank with friction of 3 to 1000."""
    rng = np.random.default_rng(seed)
    dim, count = int(rng.choice([2, 3])), int(rng.integers(1, 7))
    mu = float(rng.choice([3.0, 10.0, 30.0, 100.0, 1000.0]))
    rank = int(rng.integers(1, count * dim + 1))
    return planted(seed, count, mu=mu, dim=dim, rank=rank, skew=float(rng.choice([0.0, 0.3])))


@pytest.mark.parametrize("seed", [4, 16, 29, 31, 35, 51, 66, 75, 123, 136, 228, 289, 449, 590])
def test_large_friction_is_solved_where_there_is_an_answer(seed):
    """Sweeps, Newton, interior points and growing friction leave all of these unsolved."""
    require_solved(slippery(seed))


def many_slippery(seed):
    """The same with up to sixty contacts."""
    rng = np.random.default_rng(seed)
    dim, count = int(rng.choice([2, 3])), int(rng.integers(1, 61))
    mu = float(rng.choice([3.0, 10.0, 30.0, 100.0, 1000.0]))
    rank = int(rng.integers(1, count * dim + 1))
    return planted(seed, count, mu=mu, dim=dim, rank=rank, skew=float(rng.choice([0.0, 0.3])))


@pytest.mark.parametrize("seed", [1, 30, 35, 39, 42, 49, 56, 70, 81, 89, 91, 92, 98])
def test_large_friction_of_many_contacts(seed):
    """Up to sixty contacts; nothing but a path of answers has come to those of these."""
    require_solved(many_slippery(seed))


@pytest.mark.parametrize("mu", [3.0, 10.0, 1000.0])
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("skew", [0.0, 0.3])
def test_a_path_of_answers_ends_where_w_is_positive_definite(mu, dim, skew):
    for seed in range(6):
        given = planted(700 + seed, 8, mu=mu, dim=dim, skew=skew)
        assert np.linalg.eigvalsh(given.W + given.W.T)[0] > 0.0
        scaled = Scaled(given.W, given.q, given.mu, dim)
        x, left, _ = followed(scaled, 0.5 * BAR * scaled.size)
        assert left <= 0.5 * BAR * scaled.size
        assert given.residual(x * scaled.speed / scaled.omega) <= BAR
        scaled.close()


def test_friction_is_what_was_given_after_it_has_been_tried_with_less():
    """Without friction there is no answer to begin with: nothing is said of that problem."""
    given = planted(104, 50, mu=100.0, rank=15)
    _, lam, info = problem_of(given).solve()
    assert info.relative_residual >= (1.0 - 1e-6) * given.residual(lam)


def test_problems_of_one_size_do_not_disturb_each_other():
    """Arrays are used again: answers are those of each problem alone, and stay what they are."""
    given = [planted(30 + k, 6, mu=0.5, rank=12) for k in range(8)]
    alone = [[x.copy() for x in problem_of(one).solve()[:2]] for one in given]
    problems = [problem_of(one) for one in given]
    kept = [problem.solve() for problem in problems]
    with ThreadPoolExecutor(4) as pool:
        threaded = list(pool.map(lambda problem: problem.solve(), problems * 20))
    for (v, lam), mine in zip(alone, kept, strict=True):
        assert np.array_equal(mine[0], v)
        assert np.array_equal(mine[1], lam)
    for k, (_, lam, info) in enumerate(threaded):
        assert np.array_equal(lam, alone[k % 8][1])
        assert info.residual == problems[k % 8].residual(None, lam)


@pytest.mark.parametrize("kind", ["planar", "unsymmetric by a sixth", "half the rank", "bodies"])
def test_what_is_reported_is_what_the_impulses_say(kind):
    given = KINDS[kind]()
    problem = problem_of(given.scaled(3.7, 0.02))
    _, lam, info = problem.solve("nsgs", budget=3)
    x = lam.reshape(-1, given.dim)
    u = (problem.W @ lam + problem.q).reshape(x.shape)
    slip, friction = (np.linalg.norm(y[:, 1:], axis=1) for y in (u, x))
    limit, power = given.mu * x[:, 0], (x[:, 1:] * u[:, 1:]).sum(axis=1)
    assert info.r_penetration_velocity == pytest.approx(max(0.0, -u[:, 0].min()))
    assert info.r_complementarity == pytest.approx(np.abs(x[:, 0] * u[:, 0]).max())
    assert info.r_cone == pytest.approx(max(0.0, (friction - limit).max()), abs=1e-15)
    assert info.r_dissipation == pytest.approx(np.abs(power + limit * slip).max())
    assert info.contact_work == pytest.approx(0.5 * (lam @ u.ravel()))
    assert info.opening == (x[:, 0] <= 0.0).sum()
    assert info.sticking + info.sliding + info.opening == len(x)


def test_no_velocities_no_impulses():
    lam = ContactProblem.from_delassus(np.eye(6), np.zeros(6), 0.3, lam0=np.ones(6)).solve()[1]
    assert not lam.any()
    v, lam, info = ContactProblem.from_delassus(np.zeros((0, 0)), [], []).solve()
    assert (len(v), len(lam), info.status) == (0, 0, "converged")


def test_a_solved_start_takes_no_work():
    given = planted(24, 10, rank=20)
    lam = require_solved(given)
    _, again, info = problem_of(given, lam0=lam).solve()
    assert np.allclose(again, lam, rtol=1e-12, atol=0)
    assert info.sweeps == info.factorisations == 0


# -- M and H ----------------------------------------------------------------------------------


@pytest.mark.parametrize("wrap", [np.asarray, sp.csc_array, sp.csr_matrix, sp.coo_array])
@pytest.mark.parametrize(
    "kind", ["bodies", "planar bodies", "unsymmetric by a sixth", "half the rank"]
)
def test_masses_and_directions(kind, wrap):
    given = KINDS[kind]()
    problem = by_mass(given, wrap)
    require_solved(given, problem=problem)
    v, lam, _ = problem.solve()
    assert v == pytest.approx(np.linalg.solve(given.M, given.H @ lam), rel=1e-9, abs=1e-12)
    W, q = problem.delassus()
    assert pytest.approx(given.W, rel=1e-9, abs=1e-12) == W
    assert np.array_equal(q, given.q)


@pytest.mark.parametrize("wrap", [sp.csc_array, sp.csr_matrix])
def test_sparse_w(wrap):
    given = KINDS["many bodies"]()
    problem = ContactProblem.from_delassus(wrap(given.W), given.q, given.mu)
    require_solved(given, problem=problem)


@pytest.mark.parametrize("method", ["admm", "lemke", "pgs", "convex", "nsgs"])
def test_solvers_with_masses_take_planar_contacts(method):
    """A pyramid of the plane is its cone."""
    given = planted(25, 4, dim=2, mu=0.5)
    v, lam, info = problem_of(given).solve(f"{method}" if method != "pgs" else "pgs:sweeps=5000")
    assert lam.shape == given.q.shape
    assert v == pytest.approx(given.W @ lam + given.q)
    if method != "convex":
        assert info.status == "converged"
        assert given.residual(lam) <= 1e-6


def test_a_clique_of_720_velocities():
    """The same contacts as one clique: its matrix is larger than W, and W is what is solved."""
    given = KINDS["one clique, 750 rows of rank 720"]()
    problem = ContactProblem()
    clique = problem.add_clique(given.M, np.zeros(len(given.M)))
    for i, mu in enumerate(given.mu):
        at = slice(3 * i, 3 * i + 3)
        problem.add_contact(given.H[:, at].T, clique, bias=given.q[at], mu=mu)
    for method in OVER_W:
        v, lam, info = problem.solve(method)
        assert info.status == "converged"
        assert given.residual(lam) <= BAR
        assert given.M @ v == pytest.approx(given.H @ lam, abs=1e-9)


# -- cliques ----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["auto", "newton", "interior", "nsgs", "admm"])
@pytest.mark.parametrize(("masses", "speeds"), [(1e-9, 1.0), (1e9, 1e-12), (1.0, 1e9), (1e3, 1e-3)])
def test_cliques_in_any_units(method, masses, speeds):
    """Relative to |q|; the masses and the speeds alone are other."""
    masses, speeds = (2.0 ** round(np.log2(x)) for x in (masses, speeds))
    answers = []
    for mass, speed in ((1.0, 1.0), (masses, speeds)):
        problem = ContactProblem()
        rng = np.random.default_rng(8)
        for body in range(3):
            A = np.diag(rng.uniform(0.5, 2.0, 6))
            problem.add_clique(mass * A, speed * rng.standard_normal(6))
            for _ in range(2):
                side = (rng.standard_normal((3, 6)), body - 1) if body else (None, -1)
                J = rng.standard_normal((3, 6))
                problem.add_contact(J, body, *side, mu=0.4)
        v, lam, info = problem.solve(method)
        W, q = problem.delassus()
        given = Given(W, q, np.full(6, 0.4))
        if info.status == "converged" and mass <= 1e3:
            assert given.residual(lam) <= BAR
        answers.append((v / speed, lam / mass / speed, info))
    (v, lam, info), (w, same, told) = answers
    assert told.status == info.status
    assert told.iterations == info.iterations
    assert np.array_equal(v, w)
    assert np.array_equal(lam, same)


# -- what is refused, and files ---------------------------------------------------------------


def test_a_solver_that_needs_masses_refuses_an_unsymmetric_w():
    problem = problem_of(planted(26, 3, skew=0.3))
    for method in ("admm", "convex", "lemke", "pgs"):
        with pytest.raises(OptionError, match=r"unsymmetric by .* Take one of: auto, newton, nsgs"):
            problem.solve(method)
    with pytest.raises(OptionError, match="belongs to no masses"):
        problem.matrices()


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"W": np.eye(5)}, ModelError, r"W has the shape \(5, 5\) and q 6 entries"),
        ({"W": np.full((6, 6), np.nan)}, ModelError, "W holds NaN"),
        ({"q": [np.inf] * 6}, ModelError, "q holds NaN or infinity"),
        ({"mu": [0.3, -0.1]}, ModelError, "mu is negative"),
        ({"mu": [0.3, 0.3, 0.3, 0.3]}, ModelError, "3 rows for every contact"),
        ({"dimension": 4}, ModelError, "2 rows or 3"),
        ({"lam0": [1.0]}, ModelError, "lam0 must have 6 finite entries"),
        ({"W": np.zeros(6)}, ModelError, "give a matrix"),
    ],
)
def test_refusals(change, error, words):
    given = {"W": np.eye(6), "q": np.ones(6), "mu": [0.3, 0.3]} | change
    with pytest.raises(error, match=words):
        ContactProblem.from_delassus(**given)


def test_masses_that_are_none():
    with pytest.raises(MassMatrixError, match="M is not positive definite"):
        ContactProblem.from_mass(np.diag([1.0, -1.0, 1.0]), np.eye(3), np.ones(3), 0.3)
    with pytest.raises(ModelError, match=r"H \(3, 2\)"):
        ContactProblem.from_mass(np.eye(3), np.ones((3, 2)), np.ones(3), 0.3)
    problem = ContactProblem.from_mass(np.eye(3), np.eye(3), np.ones(3), 0.3)
    with pytest.raises(ModelError, match="nothing can be added"):
        problem.add_clique(np.eye(2), np.zeros(2))


@pytest.mark.parametrize("kind", ["unsymmetric by a sixth", "planar bodies", "bodies"])
def test_files(kind, tmp_path):
    given = KINDS[kind]()
    for problem in (problem_of(given), *([by_mass(given)] if given.M is not None else [])):
        problem.save(tmp_path / "kept.npz")
        again = ContactProblem.load(tmp_path / "kept.npz")
        one, two = problem.solve(), again.solve()
        assert np.allclose(one[0], two[0], atol=1e-6)
        assert given.residual(two[1]) <= BAR


# -- the collections --------------------------------------------------------------------------


@pytest.mark.reference
@pytest.mark.parametrize("method", OVER_W)
def test_problems_of_the_collections(method):
    found = collected()
    if not found:
        pytest.skip("the shared collection of friction problems is not there")
    for given in found.values():
        require_solved(given, method)
        if given.M is not None:
            require_solved(given, method, by_mass(given))
            require_solved(given, method, by_mass(given, sp.csc_array))
