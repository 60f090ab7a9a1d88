"""Formulas as text that `parse` reads back, up to the association of sums and products."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dalembert.formulas.expression import Expression
from dalembert.formulas.node import Node

# How strongly a piece of text binds, as in Python.
_OR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _POWER, _ATOM = range(8)
_LOGIC = {"or": (_OR, " | "), "and": (_AND, " & ")}
_FLATTENED = 64
"""Longer chains are printed piece by piece: shared parts could multiply without end."""


def to_text(expression: Node, limit: int | None = None) -> str:
    """The formula as text; cut off with ``...`` after `limit` characters.

    Shared parts are written out each time they occur, so the text of a large formula can be very
    much longer than its graph: give a limit when in doubt.

    Examples
    --------
    >>> from dalembert.formulas import coordinates
    >>> x, y = coordinates("x y")
    >>> to_text((x + y) ** 2 - 3)
    '(x + y)**2 - 3'
    """
    pieces: list[str] = []
    length = 0
    stack: list[Any] = [(expression, _OR)]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            pieces.append(item)
            length += len(item)
            if limit is not None and length > limit:
                return "".join(pieces)[:limit] + "..."
            continue
        tokens, binding = _tokens(item[0])
        if binding < item[1]:
            tokens = ["(", *tokens, ")"]
        stack.extend(reversed(tokens))
    return "".join(pieces)


def leaf_text(node: Expression | Any) -> str:
    """Text of a symbol or number."""
    op, data = node.op, node.data
    if op == "constant":
        return repr(int(data)) if data == int(data) and abs(data) < 1e15 else repr(data)
    if op == "acceleration":
        from dalembert.formulas.orientation import shown

        return f"{shown(data)}.dot" if ":" in data else f"{data}.ddot"
    if op in ("coordinate", "velocity") and ":" in data:
        from dalembert.formulas.orientation import shown

        return shown(data)
    if op == "coordinate":
        return str(data)
    if op == "velocity":
        return f"{data}.dot"
    if op == "parameter":
        return str(data[0])
    if op == "time":
        return "t"
    return f"{data[0]}[{data[1]}]"


def _tokens(node: Any) -> tuple[list[Any], int]:
    """Pieces of text and (node, least binding) pairs, and how strongly the whole binds."""
    op, args = node.op, node.args
    if not args:
        text = leaf_text(node)
        return [text], _PRODUCT if text.startswith("-") else _ATOM
    if op in ("+", "-", "neg"):
        return _sum(node)
    if op in ("*", "/"):
        negative, tokens, binding = _product(node)
        return (["-", *tokens], _PRODUCT) if negative else (tokens, binding)
    if op == "power":
        return [(args[0], _ATOM), "**", (args[1], _ATOM)], _POWER
    if op in ("<", "<="):
        return [(args[0], _SUM), f" {op} ", (args[1], _SUM)], _COMPARISON
    if op in _LOGIC:
        level, sign = _LOGIC[op]
        # in Python & and | bind more strongly than < does
        return [(args[0], _ATOM), sign, (args[1], _ATOM)], level
    if op == "not":
        return ["~", (args[0], _ATOM)], _NOT
    listed: list[Any] = [op, "("]
    for k, argument in enumerate(args):
        listed += [", "] if k else []
        listed.append((argument, _OR))
    return [*listed, ")"], _ATOM


def _sum(node: Any) -> tuple[list[Any], int]:
    """Terms of a chain of additions and subtractions, in order."""
    terms: list[tuple[bool, Any]] = []
    stack = [(False, node)]
    while stack:
        negative, term = stack.pop()
        if term.op in ("+", "-", "neg") and len(terms) + len(stack) < _FLATTENED:
            if term.op == "neg":
                stack.append((not negative, term.args[0]))
            else:
                stack.append((negative ^ (term.op == "-"), term.args[1]))
                stack.append((negative, term.args[0]))
        else:
            terms.append((negative, term))
    tokens: list[Any] = []
    for k, (negative, term) in enumerate(terms):
        if term.op in ("*", "/"):
            flipped, inner, _ = _product(term)
            negative ^= flipped
        elif term.op == "constant" and term.data < 0.0:
            negative = not negative
            inner = [leaf_text(term)[1:]]
        else:
            # a first term may be a sum that was not flattened, a subtracted one needs parentheses
            inner = [(term, _PRODUCT if negative or k else _SUM)]
        if k:
            tokens.append(" - " if negative else " + ")
        elif negative:
            tokens.append("-")
        tokens += inner
    return tokens, _PRODUCT if len(terms) == 1 else _SUM


def _product(node: Any) -> tuple[bool, list[Any], int]:
    """Whether a product is negative, its pieces without the sign, and how it binds."""
    above: list[Any] = []
    below: list[Any] = []
    stack = [(False, node)]
    while stack:
        inverse, factor = stack.pop()
        if factor.op in ("*", "/") and len(above) + len(below) + len(stack) < _FLATTENED:
            stack.append((inverse ^ (factor.op == "/"), factor.args[1]))
            stack.append((inverse, factor.args[0]))
        else:
            (below if inverse else above).append(factor)
    negative = False
    for side in (above, below):
        negative ^= sum(f.op == "constant" and f.data < 0.0 for f in side) % 2 == 1
    tokens = _factors(above) or ["1"]
    if not below:
        return negative, tokens, _POWER if len(Counter(above)) == 1 else _PRODUCT
    under = _factors(below)
    several = len(Counter(below)) > 1
    return negative, [*tokens, "/", *(["(", *under, ")"] if several else under)], _PRODUCT


def _factors(factors: list[Any]) -> list[Any]:
    """Numbers first, the rest in the order they were written, equal ones as powers."""
    counts = Counter(sorted(factors, key=lambda f: f.op != "constant"))
    tokens: list[Any] = []
    for factor, count in counts.items():
        if factor.op == "constant" and factor.data < 0.0:
            shown: Any = leaf_text(factor)[1:]
            if shown == "1" and len(counts) > 1:
                continue
        else:
            shown = (factor, _ATOM if count > 1 else _POWER)
        tokens += ["*"] if tokens else []
        tokens.append(shown)
        if count > 1:
            tokens.append(f"**{count}")
    return tokens
