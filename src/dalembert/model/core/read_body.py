"""One body as the user gave it, read and checked, and the formulas inside elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.errors import FormulaError, ModelError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.inertia import Inertia
from dalembert.model.basics.quantity import Quantity, as_quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rigid_body import Body
from dalembert.model.basics.rotation import Rotation, as_rotation
from dalembert.model.forces.base import ForceElement
from dalembert.model.joints.joint import Joint
from dalembert.model.shapes.solid import Solid, read_color
from dalembert.model.shapes.table import ends_somewhere, read_shapes
from dalembert.model.start.placement import Start

AXES = ("world", "body")
"""Axes along which an angular velocity may be given."""


@dataclass(frozen=True)
class Look:
    """Shapes and colour that were given to a body."""

    shapes: tuple[Solid, ...]
    color: str | None


def read_look(shapes: Any, color: str | None, element: str, findings: Findings) -> Look:
    """Shapes that end somewhere, and a colour."""
    drawn = read_shapes(shapes, element, findings)
    for shape in drawn:
        ends_somewhere(shape, element, findings)
    said: list[str] = []
    paint = read_color(color, said)
    for what in said:
        findings.add(element, what)
    return Look(drawn, paint)


def read_turn(rotation: Any, element: str, findings: Findings) -> Rotation | None:
    """The rotation that was given, or None."""
    try:
        return None if rotation is None else as_rotation(rotation)
    except ModelError as problem:
        findings.add(element, str(problem))
        return None


def read_vector(
    given: Sequence[Any] | None, what: str, element: str, findings: Findings
) -> tuple[Quantity, ...] | None:
    """Three quantities, or None where nothing was given."""
    if given is None:
        return None
    entries = list(given) if isinstance(given, tuple | list | np.ndarray) else [given]
    if len(entries) != 3:
        findings.add(element, f"{what} has {len(entries)} entries. Give 3 numbers.")
        return (0.0, 0.0, 0.0)
    return tuple(as_quantity(entry, f"{element}: {what}", findings) for entry in entries)


def make_body(
    name: str, inertia: Inertia, orientation: str, element: str, findings: Findings
) -> Body | None:
    """The body; None and a finding where its name is none."""
    try:
        return Body.named(name, inertia, orientation=orientation)
    except (FormulaError, AttributeError, TypeError) as problem:
        fits = isinstance(name, str) and name.isidentifier()
        findings.add(
            element,
            str(problem)
            if fits
            else "the name must be a Python name: letters, digits and underscores.",
        )
        return None


# -- formulas of parameters ------------------------------------------------------------------------


def formulas_of_body(inertia: Inertia, start: Start, look: Look) -> list[Expression]:
    """Every formula of parameters in what was given of a body."""
    quantities = [inertia.mass, *inertia.center, *(e for row in inertia.matrix for e in row)]
    quantities += start.quantities
    quantities += [formula for shape in look.shapes for formula in shape.formulas]
    return [q for q in quantities if isinstance(q, Expression)]


def formulas_of_element(element: Joint | ForceElement) -> list[Expression]:
    """Every formula of parameters in a joint or force and its frames."""
    quantities: list[Any] = [*element.data()]
    for frame in element.frames:
        quantities += frame.offset
    quantities += _start(element)
    return [q for q in quantities if isinstance(q, Expression)] + inside(element.structure())


def inside(structure: Any) -> list[Expression]:
    """The formulas in nested tuples."""
    if isinstance(structure, Expression):
        return [structure]
    if isinstance(structure, tuple):
        return [formula for part in structure for formula in inside(part)]
    return []


def _start(element: Any) -> list[Any]:
    found: list[Any] = []
    for field in ("initial", "initial_speed"):
        given = getattr(element, field, ())
        found += given if isinstance(given, tuple) else [given]
    return found
