"""Formulas from a user's input: numbers, arrays, nested lists, SymPy expressions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dalembert.errors import FormulaError
from dalembert.formulas.expression import Condition, Expression, lift


def is_sympy(value: Any) -> bool:
    """True for an object of SymPy; does not import SymPy."""
    return type(value).__module__.partition(".")[0] == "sympy"


def as_expression(value: Any, symbols: Mapping[str, Expression] | None = None) -> Expression:
    """`value` as a formula.

    Parameters
    ----------
    value : Expression, number, 0-d array or SymPy expression
    symbols : mapping      name -> formula, for the symbols of a SymPy expression
    """
    if is_sympy(value):
        from dalembert.formulas.sympy_bridge import from_sympy

        return from_sympy(value, symbols or {})
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.reshape(())[()]
    return lift(value)


def as_rows(
    formulas: Any, where: str, symbols: Mapping[str, Expression] | None = None
) -> list[Expression]:
    """Every formula in `formulas` (one formula, arrays, nested lists), flattened.

    Parameters
    ----------
    where : str      how the user calls the place, for messages: ``constraint 'mount'``
    """
    rows: list[Expression] = []
    stack: list[tuple[Any, str]] = [(formulas, where)]
    while stack:
        item, place = stack.pop()
        if is_sympy(item) and hasattr(item, "tolist"):
            item = item.tolist()
        if isinstance(item, (list, tuple)) or (isinstance(item, np.ndarray) and item.ndim > 0):
            stack.extend((item[i], f"{place}[{i}]") for i in reversed(range(len(item))))
            continue
        rows.append(_row(item, place, symbols))
    return rows


def _row(item: Any, place: str, symbols: Mapping[str, Expression] | None) -> Expression:
    if isinstance(item, str):
        raise FormulaError(
            f"{place}: the text {item!r:.80} is not a formula. Write it with the coordinates "
            "themselves, or read it with dalembert.formulas.parser.parse."
        )
    if isinstance(item, (bool, np.bool_)):
        raise FormulaError(
            f"{place}: {item} is not a formula; `==` compares at once. "
            "Write the difference that must vanish: x - y instead of x == y."
        )
    if isinstance(item, Condition):
        raise FormulaError(
            f"{place}: {item} is a condition, not a formula. "
            "Write what must vanish: x - y instead of x <= y."
        )
    try:
        return as_expression(item, symbols)
    except FormulaError as problem:
        raise FormulaError(f"{place}: {problem}") from None
