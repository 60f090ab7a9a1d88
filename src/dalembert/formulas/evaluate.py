"""Interpreted evaluation of formulas with NumPy: the oracle of the compiled code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.errors import FormulaError
from dalembert.formulas.expression import lift
from dalembert.formulas.graph import reachable, substitute
from dalembert.formulas.node import Node
from dalembert.formulas.simplify import UNARY
from dalembert.formulas.text import leaf_text


def _where(condition: Any, a: Any, b: Any) -> Any:
    """Numbers of numbers, where NumPy gives arrays without axes."""
    return np.where(condition, a, b)[()]


RULES: dict[str, Callable[..., Any]] = {name: getattr(np, name) for name in UNARY}
RULES |= {
    "rint": np.rint,
    "two_to": np.exp2,
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "neg": np.negative,
    "power": np.power,
    "arctan2": np.arctan2,
    "minimum": np.minimum,
    "maximum": np.maximum,
    "where": _where,
    "<": np.less,
    "<=": np.less_equal,
    "and": np.logical_and,
    "or": np.logical_or,
    "not": np.logical_not,
}


class Prepared:
    """Formulas to be evaluated many times: the walk over the graph is done once.

    Examples
    --------
    >>> from dalembert.formulas import coordinates
    >>> x, y = coordinates("x y")
    >>> product = Prepared([x * y])
    >>> [float(product({x: a, y: 3.0})[0]) for a in (1.0, 2.0)]
    [3.0, 6.0]
    """

    def __init__(self, outputs: Sequence[Node]) -> None:
        nodes = reachable(outputs)
        place = {node: k for k, node in enumerate(nodes)}
        self._leaves = [(k, node) for k, node in enumerate(nodes) if not node.args]
        self._steps = [
            (k, RULES[node.op], [place[a] for a in node.args])
            for k, node in enumerate(nodes)
            if node.args
        ]
        self._outputs = [place[node] for node in outputs]
        self._size = len(nodes)

    @property
    def leaves(self) -> list[Node]:
        """Symbols and constants the formulas hold."""
        return [node for _, node in self._leaves]

    def __call__(self, values: Mapping[Any, Any]) -> list[Any]:
        """Values of the formulas; see `evaluate`."""
        known: list[Any] = [None] * self._size
        for k, node in self._leaves:
            if node in values:
                known[k] = np.asarray(values[node], dtype=np.float64)[()]
            elif node.op == "constant":
                known[k] = np.float64(node.data)
            elif node.op == "parameter":
                known[k] = np.float64(node.data[1])
            else:
                raise FormulaError(
                    f"No value for {node.op} '{leaf_text(node)}'. Give it in the values."
                )
        with np.errstate(all="ignore"):
            for k, rule, arguments in self._steps:
                known[k] = rule(*[known[a] for a in arguments])
        return [known[k] for k in self._outputs]


def computed(outputs: Sequence[Node], values: Mapping[Any, Any]) -> list[Any]:
    """Values of the outputs, as formulas where a text is traced and some of the values are."""
    if not any(isinstance(value, Node) for value in values.values()):
        return evaluate(outputs, values)
    meaning = {leaf: lift(value) for leaf, value in values.items()}
    return [x.data if x.op == "constant" else x for x in substitute(outputs, meaning)]


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
    return Prepared(outputs)(values)
