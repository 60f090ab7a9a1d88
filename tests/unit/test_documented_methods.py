"""docs/reference/methods.md states the facts of every method as the classes do."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalembert.enforcement import METHODS, Method

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "methods.md"
LEVELS = {"p": "position", "v": "velocity", "a": "acceleration"}


def table() -> dict[str, list[str]]:
    rows = {}
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 7:
            rows[cells[0].strip("`")] = cells[1:]
    return rows


def bodies() -> dict[str, list[str]]:
    """Class -> number of bodies, rods and point masses."""
    rows = {}
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3:
            rows |= {name.strip("` "): cells[1:] for name in cells[0].split(",")}
    return rows


def test_every_method_is_documented_on_bodies():
    assert set(bodies()) == {method.__name__ for method in METHODS.values()}


@pytest.mark.parametrize("name", METHODS)
def test_facts_on_bodies_agree(name):
    method = METHODS[name]
    number, rods = bodies()[method.__name__]
    full = method.uses_matrices or method.form == "saddle"
    assert number.startswith("full matrices" if full else "any")
    assert rods.startswith("refused" if method.inverts_mass else "yes")


def test_every_method_is_documented():
    assert list(table()) == list(METHODS)


@pytest.mark.parametrize("name", METHODS)
def test_facts_agree(name):
    call, levels, drift, redundant, velocity_rows, order = table()[name]
    method = METHODS[name]
    assert call.strip("`* ").startswith(method.__name__ + "(")
    assert {LEVELS[letter] for letter in levels.split()} == set(method.levels)
    assert drift == method.drift
    assert redundant == ("yes" if method.redundant else "no")
    assert velocity_rows == ("yes" if method.velocity_rows else "no")
    assert order == {None: "1 or 2", Method.order: "any"}.get(method.order, str(method.order))
    assert call.endswith("*") == (method.advance is not None)
