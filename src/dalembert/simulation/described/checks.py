"""Checks for kernels: an object read from a file is one that its constructor would have made.

The constructor is asked again with the fields that were read, and what it makes must be the same up
to rounding; the object keeps the numbers of the file. Shapes of arrays, numbers of corners, ranges
of options are thereby looked at wherever a class looks at them itself.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert.formulas.node import Node
from dalembert.model.basics.frame import Frame
from dalembert.model.basics.rigid_body import AngleBody, QuaternionBody
from dalembert.model.basics.rotation import Rotation
from dalembert.model.contact.contact_shape import ContactShape
from dalembert.model.core.model import Model
from dalembert.model.shapes.mesh import Mesh
from dalembert.model.shapes.mesh_file import check_mesh

ROUNDING = 1e-9
"""Relative difference that a second check may make to a number."""


def check(made: Any) -> None:
    """Raise a ValueError for an object that no constructor would have made."""
    own = _OWN.get(type(made))
    if own is not None:
        own(made)
    elif hasattr(made, "__post_init__"):
        _constructed(made)


def _constructed(made: Any) -> None:
    """Ask the constructor."""
    fields = dataclasses.fields(made)
    given = {field.name: getattr(made, field.name) for field in fields if field.init}
    again = type(made)(**given)
    for field in fields:
        if not _alike(getattr(made, field.name), getattr(again, field.name)):
            raise ValueError(f"{type(made).__name__}.{field.name} is not as it was made")


def _alike(one: Any, two: Any) -> bool:
    if one is two:
        return True
    if isinstance(one, np.ndarray) or isinstance(two, np.ndarray):
        return _alike_arrays(one, two)
    if isinstance(one, tuple):
        return isinstance(two, tuple) and len(one) == len(two) and all(map(_alike, one, two))
    if isinstance(one, float | int) and isinstance(two, float | int):
        return isinstance(one, bool) == isinstance(two, bool) and _close(one, two)
    if isinstance(one, Rotation):
        return isinstance(two, Rotation) and _alike(one._rows, two._rows)
    return type(one) is type(two) and (isinstance(one, Node) or bool(one == two))


def _alike_arrays(one: Any, two: Any) -> bool:
    if type(one) is not type(two) or one.dtype != two.dtype or one.shape != two.shape:
        return False
    if one.dtype == object:
        return all(map(_alike, one.ravel(), two.ravel()))
    return bool(np.allclose(one, two, rtol=ROUNDING, atol=ROUNDING))


def _close(one: float, two: float) -> bool:
    return math.isclose(one, two, rel_tol=ROUNDING, abs_tol=ROUNDING) or (one != one and two != two)


# -- classes whose constructor does more, or does not look -----------------------------------------


def _rotation(made: Rotation) -> None:
    rows = made._rows
    if len(rows) != 3 or any(len(row) != 3 for row in rows):
        raise ValueError("a rotation has no 3 x 3 numbers")
    matrix = np.array(rows, dtype=float)
    if not np.allclose(matrix @ matrix.T, np.eye(3), atol=1e-6) or np.linalg.det(matrix) < 0.0:
        raise ValueError("a rotation turns nothing: its rows are not those of one")


def _mesh(made: Mesh) -> None:
    """Its scale is in its vertices already, and its file need not be there."""
    vertices, faces = check_mesh(made.vertices, made.faces)
    for one, two in ((made.vertices, vertices), (made.faces, faces)):
        if not _alike_arrays(one, two):
            raise ValueError("a mesh has arrays of another kind")
    if not isinstance(made.file, str | None):
        raise ValueError("a mesh has a file without a name")
    looks = {name: getattr(made, name) for name in ("position", "rotation", "color", "opacity")}
    again = made.placed(**looks)
    if not all(_alike(part, getattr(again, name)) for name, part in looks.items()):
        raise ValueError("a mesh is not as it was made")


def _frame(made: Frame) -> None:
    if len(made.offset) != 3:
        raise ValueError(f"a frame has an offset of {len(made.offset)} numbers")


def _contact_shape(made: ContactShape) -> None:
    for bits in (made.group, made.mask):
        if not -(2**63) <= bits < 2**63:
            raise ValueError("a shape has a group that is none")


def _body(made: Any) -> None:
    for name, frame in made.frames.items():
        if frame.name != name or frame.body is not made:
            raise ValueError(f"{name!r:.40} of {made.name!r:.40} is the frame of another body")


def _model(made: Model) -> None:
    named: tuple[dict[str, Any], ...] = (
        made._bodies,
        made._joints,
        made._elements,
        made._sensors,
        made._touching,
        made._unilaterals,
    )
    for parts in named:
        for name, part in parts.items():
            if part.name != name:
                raise ValueError(f"{part.name!r:.40} stands under the name {name!r:.40}")
    if len(made._gravity) != 3 and (made._bodies or len(made._gravity) != 2):
        raise ValueError(f"gravity has {len(made._gravity)} components")
    homes = {*map(id, made._bodies.values()), id(made._world)}
    for part in (*made._joints.values(), *made._elements.values()):
        if any(id(frame.body) not in homes for frame in getattr(part, "frames", ())):
            raise ValueError(f"{part.name!r:.40} is on a body of another model")


_OWN: dict[type, Callable[[Any], None]] = {
    Rotation: _rotation,
    Mesh: _mesh,
    Frame: _frame,
    ContactShape: _contact_shape,
    QuaternionBody: _body,
    AngleBody: _body,
    Model: _model,
}
