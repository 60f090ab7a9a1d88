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
    squares = []
    for a, b in lines:
        pairs = zip((*a, ZERO)[:3], (*b, ZERO)[:3], strict=True)
        squares.append(sum(((y - x) ** 2 for x, y in pairs), ZERO))
    rows = [row for c in model.constraints if c.kind == "holonomic" for row in c.rows]
    matrix = jacobian([*squares, *rows], q)
    flat = [entry for line in matrix for entry in line]
    values = Prepared(flat)(state)
    J = np.array([float(x) for x in values]).reshape(len(squares) + len(rows), len(q))
    if not np.all(np.isfinite(J)):
        return [True] * len(lines)
    gradients, span = J[: len(squares)], J[len(squares) :]
    return [_within(gradient, span) for gradient in gradients]


def _within(gradient: Array, span: Array) -> bool:
    size = float(np.linalg.norm(gradient))
    if size == 0.0:
        return True
    if not len(span):
        return False
    found = np.linalg.lstsq(span.T, gradient, rcond=1e-10)[0]
    return float(np.linalg.norm(span.T @ found - gradient)) < SOFT * size


def is_elastic(model: Any) -> bool:
    """Whether the potential speaks of a distance, as that of a spring does."""
    try:
        potential = model.potential
    except Exception:  # a model that cannot state its energy can still be drawn
        return False
    return potential is not None and any(node.op == "sqrt" for node in reachable([potential]))
