"""Points and lines of models made of formulas."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from dalembert.formulas.derivative import jacobian
from dalembert.formulas.evaluate import Prepared
from dalembert.formulas.expression import ZERO, Expression
from dalembert.formulas.graph import reachable, symbols
from dalembert.scene.description import Array

ROUNDING = 1e-12
"""Share of a squared length that rounding leaves of its gradient, where it never changes."""

SOFT = 1e-6
"""Share of a length's gradient outside the span of the constraints that makes a line no bar."""


def points_of(model: Any) -> dict[str, tuple[Any, ...]]:
    """Points as the model names them, else those its coordinates seem to be: x, y or x1, y1, z1."""
    if model.points or model.bodies:
        return dict(model.points)
    known = {x.name: x for x in model.coordinates}
    found: dict[str, tuple[Any, ...]] = {}
    for name in known:
        match = re.fullmatch(r"(.*)x(.*)", name)
        if match is None:
            continue
        before, after = match.groups()
        parts = [known.get(f"{before}{axis}{after}") for axis in "xyz"]
        if parts[1] is not None and not re.search("[a-zA-Z]", before + after):
            place = [x for x in parts if x is not None]
            found[f"({', '.join(x.name for x in place)})"] = tuple(place)
    return found


def is_fixed(place: tuple[Any, ...]) -> bool:
    """True for a point that no motion moves."""
    moving = [x for x in place if isinstance(x, Expression)]
    return not symbols(moving, "coordinate", "velocity", "time")


def rigid(model: Any, lines: list[tuple[Any, Any]], state: dict[Any, float]) -> list[bool]:
    """Whether the distance of two points is kept by the constraints, to first order at a state.

    The gradient of the squared distance must lie in the span of the gradients of the constraints.
    """
    if not lines:
        return []
    q = model.coordinates
    squares = [_squared(a, b) for a, b in lines]
    rows = [row for c in model.constraints if c.kind == "holonomic" for row in c.rows]
    matrix = jacobian([*squares, *rows], q)
    flat = [entry for line in matrix for entry in line]
    values = np.array([float(x) for x in Prepared([*squares, *flat])(state)])
    if not np.all(np.isfinite(values)):
        return [True] * len(lines)
    J = values[len(squares) :].reshape(len(squares) + len(rows), len(q))
    gradients, span = J[: len(squares)], J[len(squares) :]
    return [
        _within(np.where(np.abs(gradient) > ROUNDING * square, gradient, 0.0), span)
        for gradient, square in zip(gradients, values, strict=False)
    ]


def _within(gradient: Array, span: Array) -> bool:
    size = float(np.linalg.norm(gradient))
    if size == 0.0:
        return True
    if not len(span):
        return False
    found = np.linalg.lstsq(span.T, gradient, rcond=1e-10)[0]
    return float(np.linalg.norm(span.T @ found - gradient)) < SOFT * size


def elastic(model: Any, lines: list[tuple[Any, Any]], state: dict[Any, float]) -> list[bool]:
    """Whether stretching a line costs energy as a spring does: V'' > 0 along its gradient.

    With g the gradient of the squared length over the coordinates, V'' = d^2/ds^2 V(q + s g). Of
    weights it is zero. A potential that contains the distance itself (a root) tells it, too.
    """
    try:
        potential = model.potential
    except Exception:  # a model that cannot state its energy can still be drawn
        potential = None
    if potential is None or not lines:
        return [False] * len(lines)
    roots = any(node.op == "sqrt" for node in reachable([potential]))
    q = model.coordinates
    gradient = jacobian([potential], q)
    hessian = jacobian(list(gradient[0]), q)
    lengths = jacobian([_squared(a, b) for a, b in lines], q)
    flat = [entry for row in (*hessian, *lengths) for entry in row]
    values = np.array([float(x) for x in Prepared(flat)(state)]).reshape(-1, len(q))
    H, G = values[: len(q)], values[len(q) :]
    if not np.all(np.isfinite(values)):
        return [roots] * len(lines)
    return [roots or _bends(H, g) for g in G]


def _bends(H: Array, g: Array) -> bool:
    """Whether g^T H g is positive beyond rounding."""
    return float(g @ H @ g) > SOFT * float(np.abs(H).max(initial=0.0)) * float(g @ g) > 0.0


def _squared(a: Any, b: Any) -> Any:
    """Squared distance of two places."""
    pairs = zip((*a, ZERO)[:3], (*b, ZERO)[:3], strict=True)
    return sum(((y - x) ** 2 for x, y in pairs), ZERO)
