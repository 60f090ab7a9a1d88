"""Formulas as C: one function, straight line, each node once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dalembert.formulas import Condition, Expression
from dalembert.formulas.graph import in_depth
from dalembert.formulas.llvm_piece import LIBRARY
from dalembert.formulas.node import CONDITIONS, Node

_PLAIN = {"+": "+", "-": "-", "*": "*", "/": "/", "<": "<", "<=": "<=", "and": "&&", "or": "||"}
_CALLS = {
    **LIBRARY,
    "sqrt": "sqrt",
    "sin": "sin",
    "cos": "cos",
    "exp": "exp",
    "log": "log",
    "abs": "fabs",
    "power": "pow",
    "rint": "rint",
    "two_to": "exp2",
}


def body(
    stores: Sequence[tuple[str, Expression]],
    leaves: Mapping[Any, str],
    guards: Sequence[Condition] = (),
) -> list[str]:
    """Lines that compute the formulas, store them, and return 1 where a guard does not hold.

    Parameters
    ----------
    stores : (where to, formula)
    leaves : text of each symbol
    """
    lines: list[str] = []
    known: dict[Node, str] = {}
    for node in in_depth(*(f for _, f in stores), *guards):
        if not node.args:
            known[node] = _number(node.data) if node.op == "constant" else leaves[node]
            continue
        name = f"v{len(lines)}"
        kind = "int" if node.op in CONDITIONS else "double"
        lines.append(f"const {kind} {name} = {_operation(node, [known[a] for a in node.args])};")
        known[node] = name
    lines += [f"{to} = {known[f]};" for to, f in stores]
    if guards:
        lines += [f"if (!{known[g]}) return 1;" for g in guards]
    return [*lines, "return 0;"]


def _number(x: Any) -> str:
    text = repr(float(x))
    return f"({text})" if text.startswith("-") else text


def _operation(node: Any, a: list[str]) -> str:
    op = node.op
    if op in _PLAIN:
        return f"{a[0]} {_PLAIN[op]} {a[1]}"
    if op in _CALLS:
        return f"{_CALLS[op]}({', '.join(a)})"
    if op == "neg":
        return f"-{a[0]}"
    if op == "not":
        return f"!{a[0]}"
    if op == "where":
        return f"{a[0]} ? {a[1]} : {a[2]}"
    if op in ("minimum", "maximum"):  # what is no number comes through
        sign = "<=" if op == "minimum" else ">="
        return f"({a[0]} {sign} {a[1]} || {a[0]} != {a[0]}) ? {a[0]} : {a[1]}"
    # sign: the argument itself where it is zero or no number
    return f"{a[0]} > 0.0 ? 1.0 : ({a[0]} < 0.0 ? -1.0 : {a[0]})"
