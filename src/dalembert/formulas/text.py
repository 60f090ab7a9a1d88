"""Formulas as text that `parse` reads back."""

from __future__ import annotations

from typing import Any

from dalembert.formulas.expression import Expression, Node

_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = 1, 2, 3, 4, 5
_OR, _AND, _NOT, _COMPARISON = -3, -2, -1, 0
_INFIX = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT}
_LOGIC = {"or": (_OR, " | "), "and": (_AND, " & ")}


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
        node, needed = item
        tokens, binding = _tokens(node)
        if binding < needed:
            tokens = ["(", *tokens, ")"]
        stack.extend(reversed(tokens))
    return "".join(pieces)


def _tokens(node: Any) -> tuple[list[Any], int]:
    """Pieces of text and (node, least binding) pairs, and how strongly the whole binds."""
    op, args = node.op, node.args
    if not args:
        text = leaf_text(node)
        return [text], _SIGN if text.startswith("-") else _ATOM
    if op == "*":
        base, exponent = _whole_power(node)
        if exponent > 1:
            return [(base, _ATOM), f"**{exponent}"], _POWER
        return [(args[0], _PRODUCT), "*", (args[1], _SIGN)], _PRODUCT
    if op in _INFIX:
        level = _INFIX[op]
        sign = f" {op} " if level == _SUM else op
        # the right operand keeps its parentheses, so that reading the text gives the same graph
        return [(args[0], level), sign, (args[1], level + 1)], level
    if op == "neg":
        return ["-", (args[0], _PRODUCT)], _SIGN
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
    for k, a in enumerate(args):
        listed += [", "] if k else []
        listed.append((a, _OR))
    return [*listed, ")"], _ATOM


def leaf_text(node: Expression | Any) -> str:
    """Text of a symbol or number."""
    op, data = node.op, node.data
    if op == "constant":
        return repr(int(data)) if data == int(data) and abs(data) < 1e15 else repr(data)
    if op == "coordinate":
        return str(data)
    if op == "velocity":
        return f"{data}.dot"
    if op == "parameter":
        return str(data[0])
    if op == "time":
        return "t"
    return f"{data[0]}[{data[1]}]"


def _whole_power(node: Any) -> tuple[Any, int]:
    """Base and exponent of a product of equal factors; the node itself and 1 otherwise."""
    count, base = 0, None
    stack = [node]
    while stack:
        factor = stack.pop()
        if factor.op == "*":
            if len(stack) > 16:
                return node, 1
            stack += factor.args
        else:
            if base is None:
                base = factor
            if factor is not base:
                return node, 1
            count += 1
    return base, count
