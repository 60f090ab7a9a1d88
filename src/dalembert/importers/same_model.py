"""Whether two descriptions of a model say the same, formulas by their values."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from dalembert.errors import FormulaError
from dalembert.formulas.evaluate import evaluate
from dalembert.formulas.expression import Expression, coordinate
from dalembert.formulas.graph import symbols
from dalembert.formulas.parser import parse

AGREE = 1e-9
"""Relative difference of values that rounding explains: constants are gathered in another order."""


def differing(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Keys under which two contents of model files (`writing.as_data`) do not say the same."""
    keys = dict.fromkeys([*one, *other])
    return [key for key in keys if not _same(one.get(key), other.get(key))]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if one == other:
        return True
    if isinstance(one, str | float | int) and isinstance(other, str | float | int):
        return _agree(str(one), str(other))
    return False


def _agree(one: str, other: str) -> bool:
    """Whether two formulas have the same values, looked at by chance."""
    names = _AnyName()
    try:
        formulas = [parse(text, names) for text in (one, other)]
    except FormulaError:
        return False  # names and words, which differ
    dice = random.Random(1)
    for _ in range(3):
        values: dict[Any, Any] = {
            leaf: dice.uniform(0.2, 0.9) for leaf in symbols(formulas, "coordinate", "velocity")
        }
        a, b = (float(number) for number in evaluate(formulas, values))
        if not np.isclose(a, b, rtol=AGREE, atol=0.0, equal_nan=True):
            return False
    return True


class _AnyName(dict[str, Expression]):
    """Every name is a symbol."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> Expression:
        self[name] = coordinate(name)
        return self[name]
