"""Equations with exact derivatives: against `evaluate`, and against differences."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert.analysis.equations.choose import equations_of
from dalembert.analysis.equations.constrained import Constrained, split
from dalembert.simulation.prepare.initial_state import read_initial

NAMES = (
    "pendulum",
    "slider-crank",
    "slider-crank-bodies",
    "four-bar-3d",
    "governor",
    "rolling-coin",
    "heavy-top",
    "cardan-shaft",
    "gear-train",
    "stewart-platform",
    "cassie-leg",
    "skate-particle",
    "double-wishbone",
)


def _moving(name, seed=3):
    """Equations of a catalog model, and a state beside its own, off the constraints."""
    model = dl.catalog.load(name)
    equations = equations_of(model, "test")
    q, v = read_initial(model, None)
    random = np.random.default_rng(seed)
    q = equations.displaced(q, 0.05 * random.standard_normal(equations.nv))
    return model, equations, q, v + 0.3 * random.standard_normal(equations.nv)


@pytest.mark.parametrize("name", NAMES)
def test_same_equations_as_evaluate(name):
    model, equations, q, v = _moving(name)
    if model.armature:
        pytest.skip("evaluate leaves armature out")
    at, known = equations.at(0.3, q, v), dl.evaluate(model, (q, v), t=0.3)
    order = [equations.row_names.index(x) for x in known.row_names]
    # evaluate gives a rod that joints keep from spinning some moment about its axis
    places = range(3, len(known.M), 6) if model.is_maximal else ()
    moments = [np.linalg.eigvalsh(known.M[k : k + 3, k : k + 3]) for k in places]
    bare = any(x[0] <= 1e-12 * x[2] for x in moments)
    for mine, theirs in (
        (at.M, known.M),
        (known.force if bare else at.force, known.force),
        (at.J[order], known.J),
        (-at.gamma[order], known.rhs),
        (at.phi_dot[order], known.phi_dot),
    ):
        scale = max(1.0, np.abs(theirs).max(initial=0.0))
        assert np.abs(mine - theirs).max(initial=0.0) <= 1e-12 * scale


@pytest.mark.parametrize("name", [x for x in dl.catalog.names() if x not in ("pile", "wall")])
def test_slopes_are_those_of_differences(name):
    _, equations, q, v = _moving(name)
    at = equations.at(0.3, q, v)
    random = np.random.default_rng(5)
    a, lam = random.standard_normal(equations.nv), random.standard_normal(len(at.J))
    slopes = equations.slopes(at, a, lam)

    def seen(u, dv):
        here = equations.at(0.3, equations.displaced(q, u), v + dv)
        rest = here.M @ a - here.force - here.J.T @ lam
        return np.concatenate([rest, here.phi_dot, here.J @ a + here.gamma])

    n, m, h = equations.nv, len(at.J), 1e-3
    exact_q = np.concatenate([slopes.K, slopes.P, slopes.Sq])
    exact_v = np.concatenate([slopes.D, at.J, slopes.Sv])
    still = np.zeros(n)
    for _ in range(4):  # directions
        d = random.standard_normal(n)
        for exact, u, dv in ((exact_q, d, still), (exact_v, still, d)):
            # differences of order six
            found = sum(
                c * (seen(k * h * u, k * h * dv) - seen(-k * h * u, -k * h * dv))
                for k, c in ((1, 0.75), (2, -0.15), (3, 1 / 60))
            )
            found = found / h
            scale = max(1.0, np.abs(exact).max(), np.abs(seen(still, still)).max())
            assert np.abs(found - exact @ d).max() <= 2e-9 * scale * np.abs(d).max()
    assert m == len(equations.row_names)


@pytest.mark.parametrize("name", ["slider-crank", "slider-crank-bodies", "governor"])
def test_accelerations_are_those_of_evaluate(name):
    model = dl.catalog.load(name)
    equations = equations_of(model, "test")
    known = dl.evaluate(model)
    solved = Constrained(equations, equations.at(0.0, known.q, known.v))
    scale = max(1.0, np.abs(known.a).max())
    assert np.abs(solved.a - known.a).max() <= 1e-10 * scale


def test_armature_counts_as_inertia_of_the_coordinate():
    model = dl.Model("arm")
    rod = model.add_body("rod", dl.Inertia.rod(1.0, length=1.0))
    hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    model.set_armature(hinge, 0.7)
    near = dl.linearize(model, {"hinge.angle": np.pi / 2}, inputs=["hinge"])
    assert near.B[1, 0] == pytest.approx(1.0 / (1.0 / 3.0 + 0.7), rel=1e-13)
    assert near.A[1, 0] == pytest.approx(-9.81 * 0.5 / (1.0 / 3.0 + 0.7), rel=1e-12)


@pytest.mark.parametrize(("change", "rank"), [("small", 4), ("fewer", 3), ("more", 5)])
def test_rows_of_a_place_nearby_are_taken_only_where_they_still_hold(change, rank):
    rng = np.random.default_rng(5)
    lengths = rng.uniform(0.5, 2.0, 8)
    J = rng.standard_normal((5, 8))
    J[4] = J[0] + J[1]
    near = split(J, lengths)
    moved = J + 1e-3 * rng.standard_normal((5, 8))
    if change != "more":
        moved[4] = moved[0] + moved[1]
    if change == "fewer":
        moved[2] = moved[3]
    found = split(moved, lengths, near)
    assert found.rank == split(moved, lengths).rank == rank
    assert change != "small" or (found.chosen == near.chosen).all()
    turned = lengths[:, None] * found.Z
    np.testing.assert_allclose(turned.T @ turned, np.eye(8 - rank), atol=1e-14)
    np.testing.assert_allclose(moved @ found.Z, 0.0, atol=1e-13)
    y, lam = rng.standard_normal(8), rng.standard_normal(5)
    np.testing.assert_allclose(moved @ found.seen(moved @ y), moved @ y, atol=1e-12)
    pull = moved.T @ lam
    np.testing.assert_allclose(moved.T @ found.multipliers(pull, 5), pull, atol=1e-12)
