"""Sine, cosine and exponential in formulas written out as arithmetic, which works in lanes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dalembert import _jit
from dalembert.formulas import Condition, Expression, reachable
from dalembert.formulas.node import Node
from dalembert.formulas.simplify import rebuild
from dalembert.numerics.functions import LARGEST_ANGLE, exponential, sine_and_cosine


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
            elif node.op == "exp":
                new[node] = exponential(args[0])
            else:
                new[node] = node if args == node.args else rebuild(node.op, args)
    made = [new[node] for node in outputs]
    return made[: len(formulas)], [*made[len(formulas) :], *more]
