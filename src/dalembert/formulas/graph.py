"""Walks over the graph: reachable nodes, symbols, substitution, hoisting. None of them recurses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, TypeVar

from dalembert.formulas.expression import Expression, load
from dalembert.formulas.node import Node
from dalembert.formulas.simplify import rebuild

AnyNode = TypeVar("AnyNode", bound=Node)
Store = tuple[str, int, Expression]
"""Array name, index, and the formula whose value is stored there."""


def reachable(outputs: Iterable[Node]) -> list[Node]:
    """Every node the outputs depend on, themselves included, arguments before their users."""
    seen: set[Node] = set(outputs)
    stack = list(seen)
    while stack:
        for argument in stack.pop().args:
            if argument not in seen:
                seen.add(argument)
                stack.append(argument)
    return sorted(seen, key=attrgetter("id"))


def in_depth(*outputs: Node) -> list[Node]:
    """Every node the outputs depend on, arguments before their users, as they are written.

    Unlike that of `reachable` the order follows from the formulas alone, and not from what else was
    written before them: sums built in this order have the same last bit in every process.
    """
    order: list[Node] = []
    seen: set[Node] = set()
    stack: list[tuple[Node, bool]] = [(output, False) for output in reversed(outputs)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((a, False) for a in reversed(node.args) if a not in seen)
    return order


def symbols(outputs: Iterable[Node], *kinds: str) -> list[Expression]:
    """Leaves of the given kinds ('coordinate', 'velocity', ...), in order of creation."""
    return [n for n in reachable(outputs) if n.op in kinds and isinstance(n, Expression)]


def substitute(outputs: Sequence[AnyNode], mapping: Mapping[Any, Any]) -> list[AnyNode]:
    """The outputs with every node that is a key of `mapping` replaced by its value.

    Keys may be symbols or whole subexpressions; values are not searched again.
    """
    new: dict[Node, Node] = {}
    for node in reachable(outputs):
        replacement = mapping.get(node)
        if replacement is None:
            args = tuple(new[a] for a in node.args)
            replacement = node if args == node.args else rebuild(node.op, args)
        new[node] = replacement
    return [new[node] for node in outputs]  # type: ignore[misc]


def split_constant(
    stores: Sequence[Store],
    is_constant_leaf: Callable[[Expression], bool],
    offset: int,
    array: str = "work",
) -> tuple[list[Store], list[Store]]:
    """Stores split into a prologue, computed once, and the body, computed every time.

    Every largest subexpression that depends only on constant leaves and does some work is stored
    by the prologue in ``array[offset + k]`` and read from there by the body.

    Parameters
    ----------
    is_constant_leaf : callable    True for a leaf that keeps its value during a run;
                                   numbers are constant without being asked for
    offset : int                   first free entry of `array`

    Returns
    -------
    prologue, body : lists of stores; the prologue needs ``len(prologue)`` entries of `array`
    """
    order = in_depth(*(node for _, _, node in stores))
    fixed: set[Node] = set()
    for node in order:
        if node.args:
            if all(a in fixed for a in node.args):
                fixed.add(node)
        elif node.op == "constant" or is_constant_leaf(node):  # type: ignore[arg-type]
            fixed.add(node)
    wanted: dict[Node, None] = {}
    for node in order:
        if node not in fixed:
            wanted.update((a, None) for a in node.args if a in fixed and a.args)
    wanted.update((n, None) for _, _, n in stores if n in fixed and n.args)
    hoisted = [n for n in wanted if isinstance(n, Expression)]
    prologue = [(array, offset + k, node) for k, node in enumerate(hoisted)]
    bodies = substitute(
        [node for _, _, node in stores],
        {node: load(name, index) for name, index, node in prologue},
    )
    return prologue, [(s[0], s[1], node) for s, node in zip(stores, bodies, strict=True)]
