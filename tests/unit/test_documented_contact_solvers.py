"""docs/reference/contact-solvers.md states the facts of every solver as the classes do."""

from __future__ import annotations

from pathlib import Path

import pytest

import dalembert as dl
from dalembert.contact.solvers.table import SOLVERS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "contact-solvers.md"


def table() -> dict[str, list[str]]:
    rows = {}
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 8:
            rows[cells[0].strip("`")] = cells[1:]
    return rows


def test_every_solver_is_documented():
    assert list(table()) == list(SOLVERS)


@pytest.mark.parametrize("name", SOLVERS)
def test_facts_agree(name):
    call, law, kinds, redundant, warm_start, unique, budget = table()[name]
    solver = SOLVERS[name]
    assert call.strip("`").replace("(", "(tolerance=None, ", 1) == repr(solver())
    assert law == solver.law
    assert set(kinds.split()) == solver.kinds
    assert redundant == ("yes" if solver.redundant else "no")
    assert warm_start == ("yes" if solver.warm_start else "no")
    assert unique == ("yes" if solver.unique else "no")
    assert budget == solver.counts


@pytest.mark.parametrize("name", SOLVERS)
def test_every_solver_is_public(name):
    assert getattr(dl, SOLVERS[name].__name__) is SOLVERS[name]
