"""Exact derivatives on the graph.

Forward mode pushes tangents through the operations, reverse mode pulls adjoints back; both build
new nodes of the same graph, so that derivatives of any order follow by repetition. Functions with
a kink (abs, minimum, maximum, where) are differentiated piece by piece.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dalembert.errors import FormulaError
from dalembert.formulas.expression import ONE, TIME, TWO, ZERO, Expression, acceleration
from dalembert.formulas.graph import in_depth, reachable, symbols
from dalembert.formulas.node import CONDITIONS, Node
from dalembert.formulas.simplify import choose, compare, divide, function, power
from dalembert.formulas.source_line import located

Tangent = Expression | None
"""A derivative, None standing for zero."""

_PARTIAL: dict[str, Callable[[Expression, Expression], Expression]] = {
    # y, x -> dy/dx
    "sin": lambda y, x: function("cos", x),
    "cos": lambda y, x: -function("sin", x),
    "tan": lambda y, x: 1.0 + y * y,
    "arcsin": lambda y, x: 1.0 / function("sqrt", (1.0 - x) * (1.0 + x)),
    "arccos": lambda y, x: -1.0 / function("sqrt", (1.0 - x) * (1.0 + x)),
    "arctan": lambda y, x: 1.0 / (1.0 + x * x),
    "sinh": lambda y, x: function("cosh", x),
    "cosh": lambda y, x: function("sinh", x),
    "tanh": lambda y, x: 1.0 - y * y,
    "exp": lambda y, x: y,
    "abs": lambda y, x: function("sign", x),
    "sign": lambda y, x: ZERO,
    "rint": lambda y, x: ZERO,
    "two_to": lambda y, x: math.log(2.0) * y,
}


def _partial(node: Any, k: int) -> Expression:
    """Derivative of a function node with respect to its k-th argument."""
    if node.op == "power":
        a, b = node.args
        if k == 0:
            return b * power(a, b - 1.0)  # type: ignore[no-any-return]
        return node * function("log", a)  # type: ignore[no-any-return]
    if node.op == "arctan2":
        y, x = node.args
        return (x if k == 0 else -y) / (x * x + y * y)  # type: ignore[no-any-return]
    return _PARTIAL[node.op](node, node.args[0])


def _plus(a: Tangent, b: Tangent) -> Tangent:
    if a is None:
        return b
    return a if b is None else a + b


def _choice(condition: Any, a: Tangent, b: Tangent) -> Tangent:
    if a is None and b is None:
        return None
    return choose(condition, ZERO if a is None else a, ZERO if b is None else b)


def _first_is_taken(node: Node) -> Node:
    """The condition under which a where, minimum or maximum takes its first value."""
    if node.op == "where":
        return node.args[0]  # type: ignore[no-any-return]
    a, b = node.args
    return compare("<=", a, b) if node.op == "minimum" else compare("<=", b, a)


def _tangent(node: Any, inner: Sequence[Tangent]) -> Tangent:
    """Derivative of an operation from those of its arguments."""
    op, args = node.op, node.args
    if op == "+":
        return _plus(inner[0], inner[1])
    if op == "-":
        da, db = inner
        if db is None:
            return da
        return -db if da is None else da - db
    if op == "*":
        da, db = inner
        left = None if da is None else da * args[1]
        return left if db is None else _plus(left, args[0] * db)
    if op == "/":
        da, db = inner
        if db is None:
            return None if da is None else da / args[1]
        return (-(node * db) if da is None else da - node * db) / args[1]  # type: ignore[no-any-return]
    if op == "neg":
        return None if inner[0] is None else -inner[0]
    if op in ("where", "minimum", "maximum"):
        return _choice(_first_is_taken(node), inner[-2], inner[-1])
    if op == "sqrt":
        return None if inner[0] is None else inner[0] / (TWO * node)
    if op == "log":
        return None if inner[0] is None else inner[0] / args[0]
    total: Tangent = None
    for k, d in enumerate(inner):
        if d is not None:
            total = _plus(total, d * _partial(node, k))
    return total


def directional(
    outputs: Sequence[Expression], seed: Mapping[Expression, Expression]
) -> list[Expression]:
    """Derivative of each output in the direction `seed`.

    Parameters
    ----------
    seed : mapping      symbol -> its tangent; symbols left out have tangent 0

    Examples
    --------
    >>> from dalembert.formulas import coordinates
    >>> x, y = coordinates("x y")
    >>> directional([x * y], {x: x.dot, y: y.dot})
    [x.dot*y + x*y.dot]
    """
    tangents: dict[Node, Expression] = {s: d for s, d in seed.items() if d is not ZERO}
    if not tangents:
        return [ZERO] * len(outputs)
    get = tangents.get
    for node in reachable(outputs):
        if node.args and node.op not in CONDITIONS:
            inner = [get(a) for a in node.args]
            if any(d is not None for d in inner):
                d = _tangent(node, inner)
                if d is not None and d is not ZERO:
                    tangents[node] = d
    return [get(y, ZERO) for y in outputs]


def jacobian(
    outputs: Sequence[Expression], variables: Sequence[Expression]
) -> list[list[Expression]]:
    """Partial derivatives of each output (rows) with respect to each variable (columns).

    Reverse mode when outputs are few, else forward mode over the variables each part depends on.
    """
    if 4 * len(outputs) <= len(variables):
        return [gradient(y, variables) for y in outputs]
    return _sparse_forward(outputs, variables)


def _sparse_forward(
    outputs: Sequence[Expression], variables: Sequence[Expression]
) -> list[list[Expression]]:
    gradients: dict[Node, dict[Expression, Expression]] = {x: {x: ONE} for x in variables}
    nothing: dict[Expression, Expression] = {}
    for node in reachable(outputs):
        if not node.args or node.op in CONDITIONS:
            continue
        inner = [gradients.get(a, nothing) for a in node.args]
        on = {x: None for g in inner for x in g}
        if not on:
            continue
        mine = {}
        for x in on:
            d = _tangent(node, [g.get(x) for g in inner])
            if d is not None and d is not ZERO:
                mine[x] = d
        gradients[node] = mine
    rows = [gradients.get(y, nothing) for y in outputs]
    return [[row.get(x, ZERO) for x in variables] for row in rows]


def gradient(output: Expression, variables: Sequence[Expression]) -> list[Expression]:
    """Derivatives of one formula with respect to each variable, in reverse mode."""
    order = in_depth(output)
    active: set[Node] = set(variables)
    for node in order:
        if node.op not in CONDITIONS and any(a in active for a in node.args):
            active.add(node)
    adjoints: dict[Node, Tangent] = {output: ONE}
    for node in reversed(order):
        adjoint = adjoints.get(node)
        if adjoint is None or adjoint is ZERO or node not in active:
            continue
        for k, argument in enumerate(node.args):
            if argument in active:
                adjoints[argument] = _plus(adjoints.get(argument), _pull(node, k, adjoint))
    found = [adjoints.get(x) for x in variables]
    return [ZERO if d is None else d for d in found]


def _pull(node: Any, k: int, adjoint: Expression) -> Any:
    """Share of the k-th argument in the adjoint of an operation."""
    op, args = node.op, node.args
    if op == "+":
        return adjoint
    if op == "-":
        return adjoint if k == 0 else -adjoint
    if op == "*":
        return adjoint * args[1 - k]
    if op == "/":
        return adjoint / args[1] if k == 0 else -((adjoint / args[1]) * node)
    if op == "neg":
        return -adjoint
    if op in ("where", "minimum", "maximum"):
        first = k == len(args) - 2
        taken = _first_is_taken(node)
        return _choice(taken, adjoint, None) if first else _choice(taken, None, adjoint)
    if op == "sqrt":
        return divide(adjoint, TWO * node)
    if op == "log":
        return adjoint / args[0]
    return adjoint * _partial(node, k)


def time_derivative(
    outputs: Sequence[Expression],
    coordinates: Iterable[Expression] | None = None,
    accelerations: Mapping[Expression, Expression] | None = None,
) -> list[Expression]:
    """Total time derivative along a motion: d/dt f(q, v, t) = f_q v + f_v v' + f_t.

    Parameters
    ----------
    coordinates : iterable         coordinates that move; all of them by default
    accelerations : mapping        coordinate -> its second time derivative; those left out are 0,
                                   which leaves the part of the derivative without v'
    """
    if coordinates is None:
        coordinates = symbols(outputs, "coordinate")
    seed = {TIME: ONE} | {q: q.dot for q in coordinates}
    for q, second in (accelerations or {}).items():
        seed[q.dot] = second
    return directional(outputs, seed)


def second_derivative(formula: Expression) -> Expression:
    """d^2/dt^2 f(q, t), with the accelerations as symbols: f_q v' + (f_q)' v + (f_t)'."""
    if symbols([formula], "velocity", "acceleration"):
        raise FormulaError(
            located(
                f"The second derivative of {formula} contains more than accelerations.",
                "Take .ddot of formulas of coordinates and time only.",
            )
        )
    (rate,) = time_derivative([formula])
    seed = {TIME: ONE} | {q: q.dot for q in symbols([rate], "coordinate")}
    seed |= {v: acceleration(v.name) for v in symbols([rate], "velocity")}
    return directional([rate], seed)[0]
