"""What users hand in, read as formulas."""

from __future__ import annotations

import pytest

from dalembert.formulas.variables import coordinates
from dalembert.model.basics.reading import Findings, Reader


def test_names_are_asked_for_only_by_sympy():
    """A model of a thousand bodies has thousands of names; a formula needs none of them."""
    sympy = pytest.importorskip("sympy")
    (x,) = coordinates("x")
    asked = []

    def names():
        asked.append(True)
        return {"x": x}

    reader = Reader(Findings(), names)
    assert reader.formula(2 * x, "row") is 2 * x
    assert not asked
    assert reader.formula(2 * sympy.Symbol("x"), "row") is 2 * x
    assert asked
    assert not reader.findings
