"""Kernels traced: their text, run over formulas, leaves the formulas of what it computes.

Where a text asks whether a condition holds, an example answers: a state of the model with numbers
for all symbols. The way taken is right for every world that answers alike; the conditions that say
so are kept as guards, and a world for which one fails goes on in the general form.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dalembert import _jit
from dalembert.formulas import Condition, Expression, constant, load
from dalembert.formulas.evaluate import RULES
from dalembert.formulas.node import Node, deciding


class Example:
    """Numbers for symbols, and what formulas of them are then; each is computed once."""

    def __init__(self, values: Mapping[Any, float]) -> None:
        self._known: dict[Node, Any] = {leaf: np.float64(x) for leaf, x in values.items()}

    def __setitem__(self, leaf: Node, value: Any) -> None:
        self._known[leaf] = value

    def with_leaves(self, more: Mapping[Any, float]) -> Example:
        """The example with other numbers for some symbols."""
        leaves = {leaf: x for leaf, x in self._known.items() if not leaf.args}
        return Example({**leaves, **more})

    def __call__(self, node: Node) -> Any:
        """The value of a formula or condition."""
        known = self._known
        stack = [node]
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            if top.op == "constant":
                known[top] = np.float64(top.data)
                continue
            missing = [a for a in top.args if a not in known]
            if missing:
                stack += missing
            elif not top.args:
                raise LookupError(f"{top!r} has no value in the example of a trace.")
            else:
                known[top] = RULES[top.op](*[known[a] for a in top.args])
        return known[node]


class Trace:
    """A trace that is being made.

    Attributes
    ----------
    example : Example
    guards : conditions under which it is right
    """

    def __init__(self, example: Mapping[Any, float]) -> None:
        self.example = Example(example)
        self.guards: list[Condition] = []
        self._met: set[Node] = set()

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Kernels called in the block take formulas."""
        token = deciding.set(self._decide)
        try:
            with _jit.interpreted(_jit.TRACED):
                yield
        finally:
            deciding.reset(token)

    def _decide(self, condition: Any) -> bool:
        holds = bool(self.example(condition))
        if condition not in self._met:
            self._met.add(condition)
            self.require(condition if holds else ~condition)
        return holds

    def forget(self) -> None:
        """Begin with no guards, for what is compiled apart."""
        self.guards, self._met = [], set()

    def require(self, condition: Condition) -> None:
        """Add a guard; one that holds whatever the state is no guard."""
        if not _is_number(condition):
            self.guards.append(condition)


def _is_number(node: Node) -> bool:
    """Whether a condition is one of numbers alone."""
    return all(a.op == "constant" or (bool(a.args) and _is_number(a)) for a in node.args)


def loads(array: str, count: int) -> Any:
    """Symbols of the entries of an array."""
    made = np.empty(count, dtype=object)
    made[:] = [load(array, k) for k in range(count)]
    return made


def formula(x: Any) -> Expression:
    """A number or formula as a formula."""
    return x if isinstance(x, Expression) else constant(float(x))
