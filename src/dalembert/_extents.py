"""How many: formulas of counts, and where the fields of a memory are by them (`_memory`)."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any


class Extent:
    """How many: a formula of counts, as text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text, mode="eval").body
        self.names = {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)}
        self._value = self.by(operator.itemgetter, _constant, _both)

    def of(self, counts: Mapping[str, Any]) -> int:
        """Its value."""
        return int(self._value(counts))

    def by(
        self, name: Callable[[str], Any], number: Callable[[Any], Any], both: Callable[..., Any]
    ) -> Any:
        """Its value by what counts, numbers and sums, differences and products of two stand for."""

        def found(tree: ast.expr) -> Any:
            if isinstance(tree, ast.Constant):
                return number(tree.value)
            if isinstance(tree, ast.Name):
                return name(tree.id)
            if isinstance(tree, ast.BinOp) and type(tree.op) in _OPERATIONS:
                return both(type(tree.op), found(tree.left), found(tree.right))
            raise TypeError(f"The extent {self.text!r} is no sum or product of counts.")

        return found(self.tree)


_OPERATIONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


def _constant(number: int) -> Callable[[Mapping[str, Any]], int]:
    """A number as a function of counts."""
    return lambda counts: number


def _both(op: type, a: Callable[..., int], b: Callable[..., int]) -> Callable[..., int]:
    """A sum, difference or product of two functions of counts."""
    operation = _OPERATIONS[op]
    return lambda counts: operation(a(counts), b(counts))


# -- from the head of a memory ---------------------------------------------------------------------

Terms = dict[tuple[str, ...], int]
"""A sum of products of counts: (their names, in order) -> its factor."""


def _product(a: Terms, b: Terms) -> Terms:
    """Terms of a product."""
    found: Terms = {}
    for names, factor in a.items():
        for others, by in b.items():
            key = tuple(sorted((*names, *others)))
            found[key] = found.get(key, 0) + factor * by
    return found


def _sum(a: Terms, b: Terms, sign: int = 1) -> Terms:
    """Terms of a sum, or of a difference."""
    found = dict(a)
    for names, factor in b.items():
        found[names] = found.get(names, 0) + sign * factor
    return found


def _terms(extent: Extent) -> Terms:
    """Terms of an extent."""

    def both(op: type, a: Terms, b: Terms) -> Terms:
        if op is ast.Mult:
            return _product(a, b)
        return _sum(a, b, 1 if op is ast.Add else -1)

    found: Terms = extent.by(lambda name: {(name,): 1}, lambda number: {(): int(number)}, both)
    return found


class Amount:
    """A number of entries, by the integers of a head.

    Attributes
    ----------
    constant, products : what is always there; factors with the slots whose integers they are of
    if_any : (slot of a truth, amount without which it is not there)
    """

    def __init__(self, terms: Terms, slots: Mapping[str, int]) -> None:
        self.constant = terms.get((), 0)
        self.products = [
            (factor, [slots[name] for name in names])
            for names, factor in terms.items()
            if names and factor
        ]
        self.if_any: list[tuple[int, Amount]] = []

    def __call__(self, sizes: Any) -> int:
        """Its value with the integers of a head."""
        total = self.constant
        if not (self.products or self.if_any):
            return total
        for factor, slots in self.products:
            product = factor
            for slot in slots:
                product *= int(sizes[slot])
            total += product
        for slot, amount in self.if_any:
            if sizes[slot]:
                total += amount(sizes)
        return total


class Place:
    """Where a field begins, and its extents; None where the head does not hold these."""

    def __init__(
        self,
        start: Callable[[Any], int],
        extents: Sequence[Extent],
        slots: Mapping[str, int],
    ) -> None:
        self.start = start
        known = all(name in slots for extent in extents for name in extent.names)
        self.extents = [Amount(_terms(x), slots) for x in extents] if known else None

    @classmethod
    def at_slot(cls, slot: int, extents: Sequence[Extent], slots: Mapping[str, int]) -> Place:
        """Place of a field whose start stands in the head."""
        return cls(lambda sizes: int(sizes[slot]), extents, slots)

    @classmethod
    def behind(
        cls,
        before: Sequence[tuple[Sequence[Extent], str]],
        extents: Sequence[Extent],
        slots: Mapping[str, int],
    ) -> Place:
        """Place of a field that stands behind others: their extents, and the truth they need."""
        always: Terms = {}
        sometimes = []
        for room, when in before:
            length: Terms = {(): 1}
            for extent in room:
                length = _product(length, _terms(extent))
            if when:
                sometimes.append((slots[when], Amount(length, slots)))
            else:
                always = _sum(always, length)
        start = Amount(always, slots)
        start.if_any = sometimes
        return cls(start, extents, slots)
