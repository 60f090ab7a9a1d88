"""Shapes of bodies in model files: what an entry may hold, reading and writing it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from dalembert.errors import DalembertError
from dalembert.importers import values
from dalembert.importers.entry import Entry, Formula, Number, RotationEntry
from dalembert.importers.source import Place
from dalembert.model.shapes import SHAPES, Solid

if TYPE_CHECKING:
    from dalembert.importers.bodies import BodyReading

KINDS = {name.lower(): kind for name, kind in SHAPES.items()}

NEEDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "box": (("size",), ()),
    "sphere": (("radius",), ()),
    "cylinder": (("radius", "length"), ("axis",)),
    "capsule": (("radius", "length"), ("axis",)),
    "cone": (("radius", "length"), ("axis",)),
    "ellipsoid": (("semi_axes",), ()),
    "plane": (("size",), ()),
    "polyline": (("points", "width"), ()),
    "mesh": ((), ("file", "scale", "vertices", "faces")),
}
"""Keys that a shape must and may have, beside those that all have."""

LISTS = {"size": 3, "semi_axes": 3}

WRITTEN_OUT = 100
"""Vertices of a mesh that stand in the model file; a larger one is named by its own file."""


class DrawnEntry(Entry):
    """A shape a body is drawn with; it has no mass."""

    type: Literal[
        "box", "sphere", "cylinder", "capsule", "cone", "ellipsoid", "plane", "polyline", "mesh"
    ]
    size: list[Formula] | None = Field(
        None, description="Edges of a box along x, y, z, or of a plane along x, y [m]."
    )
    radius: Formula | None = Field(None, description="Of a sphere, cylinder, capsule or cone [m].")
    length: Formula | None = Field(None, description="Of a cylinder, capsule or cone [m].")
    axis: Literal["x", "y", "z", "-x", "-y", "-z"] | None = Field(
        None, description="Of a cylinder, capsule or cone; default z."
    )
    semi_axes: list[Formula] | None = Field(None, description="Of an ellipsoid [m].")
    points: list[list[Number]] | None = Field(None, description="Of a polyline [m].")
    width: Formula | None = Field(None, description="Of a polyline [m].")
    file: str | None = Field(
        None, description=".stl or .obj of a mesh, from the folder of this file."
    )
    scale: Number | list[Number] | None = Field(
        None, description="0.001 for a mesh in millimetres, or 3 numbers along x, y, z."
    )
    vertices: list[list[Number]] | None = Field(None, description="Of a mesh without a file [m].")
    faces: list[list[int]] | None = Field(None, description="Corners of its triangles, from 0.")
    position: list[Formula] | None = Field(None, description="Middle, in the body frame [m].")
    rotation: RotationEntry | None = Field(None, description="In the body.")
    color: str | None = Field(None, description="#rrggbb, or red, blue, ...")
    opacity: Number | None = Field(None, description="0 to 1.")


def read(reading: BodyReading, given: DrawnEntry, place: Place, body: str) -> Solid:
    """The shape an entry describes."""
    needed, allowed = NEEDS[given.type]
    options: dict[str, Any] = {}
    for key in DrawnEntry.model_fields:
        entry = getattr(given, key)
        if key in ("type", "position", "rotation", "color", "opacity"):
            continue
        if entry is None:
            if key in needed:
                reading.source.refuse(place, f"a {given.type} needs {key!r}. Add it.")
            continue
        if key not in (*needed, *allowed):
            reading.source.refuse((*place, key), f"a {given.type} has no {key!r}. Remove it.")
        options[key] = _value(reading, given, key, entry, (*place, key))
    if given.position is not None:
        options["position"] = reading.formulas(given.position, (*place, "position"), 3)
    if given.rotation is not None:
        rotation = values.ROTATION.read(reading, given.rotation, (*place, "rotation"))
        options["rotation"] = rotation
    for key in ("color", "opacity"):
        if getattr(given, key) is not None:
            options[key] = getattr(given, key)
    try:
        return KINDS[given.type](**options)
    except DalembertError as problem:
        reading.source.refuse(place, f"{body}: {problem}")


def _value(reading: BodyReading, given: DrawnEntry, key: str, entry: Any, place: Place) -> Any:
    if key in LISTS:
        return reading.formulas(entry, place, 2 if given.type == "plane" else LISTS[key])
    if key in ("radius", "length", "width"):
        return reading.formula(entry, place)
    if key == "file":
        return Path(reading.source.path).parent / entry
    return entry


def written(shape: Solid) -> dict[str, Any]:
    """A shape as it stands in a file."""
    kind = type(shape).__name__.lower()
    data: dict[str, Any] = {"type": kind}
    file = getattr(shape, "file", None)
    if kind == "mesh" and file is not None and len(getattr(shape, "vertices", ())) > WRITTEN_OUT:
        data["file"] = os.path.abspath(file)
        scale = getattr(shape, "scale", 1.0)
        if isinstance(scale, int | float):
            data |= {} if scale == 1.0 else {"scale": float(scale)}
        else:
            data["scale"] = [float(factor) for factor in scale]
    elif kind == "mesh":
        # what was read from a small file is kept, so that the model does not depend on it
        data["vertices"] = [[float(x) for x in row] for row in getattr(shape, "vertices", ())]
        data["faces"] = [[int(k) for k in row] for row in getattr(shape, "faces", ())]
    for key in (*NEEDS[kind][0], "axis"):
        value = getattr(shape, key, None)
        if value is None or (key == "axis" and value == "z"):
            continue
        if key == "points":
            data[key] = [[float(x) for x in row] for row in value]
        elif key == "axis":
            data[key] = value
        elif isinstance(value, tuple):
            data[key] = [values.number_of(entry) for entry in value]
        else:
            data[key] = values.number_of(value)
    if any(not (isinstance(x, float) and x == 0.0) for x in shape.position):
        data["position"] = [values.number_of(x) for x in shape.position]
    if not shape.rotation.is_identity:
        data["rotation"] = values.ROTATION.write(shape.rotation)
    if shape.color is not None:
        data["color"] = shape.color
    if shape.opacity != 1.0:
        data["opacity"] = float(shape.opacity)
    return data
