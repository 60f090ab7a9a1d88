"""Interpreted evaluation of formulas with NumPy: the oracle of the compiled code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.errors import FormulaError
from dalembert.formulas.expression import UNARY, Node
from dalembert.formulas.graph import reachable
from dalembert.formulas.text import leaf_text

_RULES: dict[str, Callable[..., Any]] = {name: getattr(np, name) for name in UNARY}
_RULES |= {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "neg": np.negative,
    "power": np.power,
    "arctan2": np.arctan2,
    "minimum": np.minimum,
    "maximum": np.maximum,
    "where": np.where,
    "<": np.less,
    "<=": np.less_equal,
    "and": np.logical_and,
    "or": np.logical_or,
    "not": np.logical_not,
}


def evaluate(outputs: Sequence[Node], values: Mapping[Any, Any]) -> list[Any]:
    """Values of the outputs.

    Parameters
    ----------
    values : mapping      symbol -> number, or array with one entry per sample; arrays are
                          broadcast. A parameter left out has its own value; time left out is
                          an error only when a formula contains it.

    Returns
    -------
    list of float64 (or bool for conditions), scalars or arrays; domain errors give NaN

    Examples
    --------
    >>> from dalembert.formulas import coordinates
    >>> x, y = coordinates("x y")
    >>> float(evaluate([x * y], {x: 2.0, y: 3.0})[0])
    6.0
    """
    known: dict[Node, Any] = {}
    with np.errstate(all="ignore"):
        for node in reachable(outputs):
            if node.args:
                known[node] = _RULES[node.op](*(known[a] for a in node.args))
            elif node in values:
                known[node] = np.asarray(values[node], dtype=np.float64)[()]
            elif node.op == "constant":
                known[node] = np.float64(node.data)
            elif node.op == "parameter":
                known[node] = np.float64(node.data[1])
            else:
                raise FormulaError(
                    f"No value for {node.op} '{leaf_text(node)}'. Give it in the values."
                )
    return [known[node] for node in outputs]
