"""One contact problem by all solvers in one line."""

from __future__ import annotations

import pytest
from tests.support import contact_problems as problems
from tests.support.contact_problems import given

import dalembert as dl
from dalembert.contact.solvers.table import SOLVERS


def test_all_solvers_side_by_side():
    result = dl.compare_contact_solvers(given(problems.apart(3)), tol=1e-9)
    assert [row.solver for row in result.rows] == list(SOLVERS)
    by_name = {row.solver: row for row in result.rows}
    for name, row in by_name.items():
        assert row.milliseconds > 0
        assert row.iterations > 0
        v, _, info = result.answers[name]
        assert row.residual == info.residual
        assert len(v) == 36
    for name in ("auto", "newton", "nsgs", "admm"):
        assert by_name[name].residual <= 1e-9
        assert by_name[name].own_residual == by_name[name].residual
        assert by_name[name].difference <= 1e-8
    assert by_name["convex"].difference > 1e-3
    assert by_name["lemke"].own_residual <= 1e-9 < by_name["lemke"].residual
    assert str(result).splitlines()[0] == "36 velocities, 10 blocks, 9 contacts"


def test_refusals_have_their_line():
    result = dl.compare_contact_solvers(given(problems.rolling_balls()), ["auto", "lemke"])
    assert result.rows[1].iterations is None
    assert "ROLL" in result.rows[1].status
    assert "refused" in result.table()
    assert "lemke" not in result.answers


def test_the_same_solver_twice():
    solvers = [dl.ProjectedGaussSeidel(sweeps=n) for n in (5, 50)]
    result = dl.compare_contact_solvers(given(problems.incline()), solvers)
    few, many = result.rows
    assert few.solver != many.solver
    assert few.own_residual > many.own_residual


def test_a_single_name_is_refused():
    with pytest.raises(dl.errors.OptionError, match="list"):
        dl.compare_contact_solvers(given(problems.incline()), "newton")
