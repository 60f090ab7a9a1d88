"""Formulas as a flat list of plain tuples, for pickling: no recursion, shared parts once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dalembert.errors import FormulaError
from dalembert.formulas import expression as graph
from dalembert.formulas import simplify
from dalembert.formulas.graph import reachable
from dalembert.formulas.node import Node

Packed = tuple[list[tuple[Any, ...]], list[int]]
"""Nodes as (op, data or argument positions...), and the positions of the outputs."""


def pack(outputs: Sequence[Node]) -> Packed:
    """The outputs as plain data; `unpack` restores the identical nodes."""
    order = reachable(outputs)
    place = {node: k for k, node in enumerate(order)}
    rows = [(n.op, *(place[a] for a in n.args)) if n.args else (n.op, n.data) for n in order]
    return rows, [place[n] for n in outputs]


def unpack(packed: Packed) -> list[Any]:
    """The nodes packed by `pack`."""
    rows, outputs = packed
    nodes: list[Any] = []
    for op, *rest in rows:
        if op in _LEAF:
            nodes.append(_LEAF[op](rest[0]))
        elif op in simplify.OPERATIONS:
            args = tuple(nodes[k] for k in rest)
            if [isinstance(a, graph.Condition) for a in args] != _takes(op):
                raise FormulaError(
                    f"The stored formula gives '{op}' other arguments than it takes."
                )
            nodes.append(simplify.rebuild(op, args))
        else:
            raise FormulaError(f"The stored formula contains the unknown operation '{op}'.")
    return [nodes[k] for k in outputs]


def _takes(op: str) -> list[bool]:
    """For every argument of an operation whether it is a condition."""
    if op in ("and", "or"):
        return [True, True]
    if op in ("not", "where"):
        return [True] if op == "not" else [True, False, False]
    return [False] if op == "neg" or op in simplify.UNARY else [False, False]


def unpack_one(packed: Packed) -> Any:
    """The only node packed."""
    return unpack(packed)[0]


_LEAF: dict[str, Callable[[Any], Any]] = {
    "constant": graph.constant,
    "coordinate": graph.coordinate,
    "velocity": graph.velocity,
    "acceleration": graph.acceleration,
    "parameter": lambda data: graph.parameter(*data),
    "time": lambda data: graph.TIME,
    "load": lambda data: graph.load(*data),
}
