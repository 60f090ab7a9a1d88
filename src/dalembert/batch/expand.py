"""Functions in formulas written out as arithmetic, which works in lanes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dalembert import _jit
from dalembert.formulas import Condition, Expression, constant, reachable
from dalembert.formulas.node import Node
from dalembert.formulas.simplify import rebuild
from dalembert.numerics.functions import (
    LARGEST_ANGLE,
    angle_of,
    exponential,
    hyperbolic_tangent,
    logarithm,
    sine_and_cosine,
)

WRITTEN_OUT: dict[str, Any] = {
    "exp": exponential,
    "log": logarithm,
    "tanh": hyperbolic_tangent,
    "arctan": lambda x: angle_of(x, constant(1.0)),
    "arctan2": angle_of,
}
"""Functions besides sine and cosine, by their operations."""


def expanded(
    formulas: Sequence[Expression], guards: Sequence[Condition]
) -> tuple[list[Expression], list[Condition]]:
    """Formulas and guards without these functions; further guards: angles are not too large."""
    outputs: list[Node] = [*formulas, *guards]
    new: dict[Node, Any] = {}
    pairs: dict[Node, tuple[Any, Any]] = {}
    more: list[Condition] = []
    with _jit.interpreted(_jit.TRACED):
        for node in reachable(outputs):
            args = tuple(new[a] for a in node.args)
            if node.op in ("sin", "cos"):
                if args[0] not in pairs:
                    pairs[args[0]] = sine_and_cosine(args[0])
                    more.append(abs(args[0]) <= LARGEST_ANGLE)
                new[node] = pairs[args[0]][node.op == "cos"]
            elif node.op in WRITTEN_OUT:
                new[node] = WRITTEN_OUT[node.op](*args)
            else:
                new[node] = node if args == node.args else rebuild(node.op, args)
    made = [new[node] for node in outputs]
    return made[: len(formulas)], [*made[len(formulas) :], *more]
