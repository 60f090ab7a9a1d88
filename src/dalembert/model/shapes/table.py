"""Every shape by name, and shapes read from what a user gives."""

from __future__ import annotations

from typing import Any

from dalembert.model.basics.reading import Findings
from dalembert.model.shapes.mesh import Mesh
from dalembert.model.shapes.solid import Solid
from dalembert.model.shapes.solids import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Plane,
    Polyline,
    Sphere,
)

SHAPES: dict[str, type[Solid]] = {
    kind.__name__: kind
    for kind in (Box, Capsule, Cone, Cylinder, Ellipsoid, Mesh, Plane, Polyline, Sphere)
}
"""Every shape by the name of its class."""


def read_shapes(given: Any, element: str, findings: Findings) -> tuple[Solid, ...]:
    """The shapes given to a body; one may stand for a list of one."""
    if isinstance(given, Solid):
        return (given,)
    if not isinstance(given, list | tuple):
        findings.add(element, f"shapes is {given!r:.60}. Give a list, such as [dl.Box(...)].")
        return ()
    strangers = [shape for shape in given if not isinstance(shape, Solid)]
    for stranger in strangers[:1]:
        findings.add(element, f"{stranger!r:.60} is no shape. Give dl.Box(...), dl.Mesh(...), ...")
    return tuple(shape for shape in given if isinstance(shape, Solid))


def ends_somewhere(shape: Solid, element: str, findings: Findings) -> None:
    """Note a plane that nothing says how much to draw of, on a body."""
    if isinstance(shape, Plane) and shape.size is None:
        findings.add(element, "a plane on a body is drawn with a size. Give size=(x, y).")
