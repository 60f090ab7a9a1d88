"""docs/reference/integrators.md states the facts of every integrator as the classes do."""

from __future__ import annotations

import ast
import dataclasses
from pathlib import Path

import pytest

from dalembert.integration import INTEGRATORS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "integrators.md"


def table() -> dict[str, list[str]]:
    rows = {}
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 6:
            rows[cells[0].strip("`")] = cells[1:]
    return rows


def test_every_integrator_is_documented():
    assert list(table()) == list(INTEGRATORS)


@pytest.mark.parametrize("name", INTEGRATORS)
def test_facts_agree(name):
    call, order, step, kind, evaluations = table()[name]
    made = INTEGRATORS[name]()
    shown = ast.parse(call.strip("`"), mode="eval").body
    assert isinstance(shown, ast.Call)
    assert ast.unparse(shown.func) == type(made).__name__
    for option in shown.keywords:
        assert getattr(made, str(option.arg)) == ast.literal_eval(option.value)
    assert order == str(made.order)
    assert step == ("adaptive" if made.adaptive else "fixed")
    assert kind == ("explicit" if made.explicit else "implicit")
    assert evaluations == (str(made.stages) if made.explicit else "iterates")


def test_every_option_is_documented():
    text = PAGE.read_text()
    for kind in INTEGRATORS.values():
        for field in dataclasses.fields(kind):
            assert f"`{field.name}`" in text, f"{kind.__name__}: {field.name}"
