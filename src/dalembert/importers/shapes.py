"""Shapes of bodies in model files: what an entry may hold, reading and writing it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from dalembert.errors import DalembertError
from dalembert.formulas.expression import Expression
from dalembert.importers import values
from dalembert.importers.checked_entries import Entry, Formula, Number, RotationEntry
from dalembert.importers.contact import MaterialEntry, named_material
from dalembert.importers.formula_text import number_of, text_of
from dalembert.importers.source import Place
from dalembert.model import Model
from dalembert.model.basics.frame import WORLD
from dalembert.model.contact.contact_shape import EVERYTHING, ContactShape
from dalembert.model.contact.material import Material
from dalembert.model.shapes.solid import Solid
from dalembert.model.shapes.solids import Plane
from dalembert.model.shapes.surfaces import SURFACES
from dalembert.model.shapes.table import SHAPES

if TYPE_CHECKING:
    from dalembert.importers.bodies import BodyReading

KINDS = {name.lower(): kind for name, kind in SHAPES.items()} | SURFACES

NEEDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "box": (("size",), ()),
    "sphere": (("radius",), ()),
    "cylinder": (("radius", "length"), ("axis",)),
    "capsule": (("radius", "length"), ("axis",)),
    "cone": (("radius", "length"), ("axis",)),
    "ellipsoid": (("semi_axes",), ()),
    "plane": ((), ("normal", "offset", "size")),
    "polyline": (("points", "width"), ()),
    "mesh": ((), ("file", "scale", "vertices", "faces")),
    "hull": (("points",), ()),
    "height_field": (("heights", "size"), ()),
    "signed_distance": (("formula", "size"), ()),
}
"""Keys that a shape must and may have, beside those that all have."""

LISTS = {"size": 3, "semi_axes": 3}
FLAT = ("plane", "height_field")
"""Shapes whose size is two edges."""

WRITTEN_OUT = 100
"""Vertices of a mesh that stand in the model file; a larger one is named by its own file."""


TOUCH_KEYS = ("material", "name", "group", "collides_with", "ignores", "drawn")
"""Keys of shapes that touch."""


class DrawnEntry(Entry):
    """A shape a body is drawn with, and may touch others by; it has no mass."""

    type: Literal[
        "box",
        "sphere",
        "cylinder",
        "capsule",
        "cone",
        "ellipsoid",
        "plane",
        "polyline",
        "mesh",
        "hull",
        "height_field",
        "signed_distance",
    ]
    size: list[Formula] | None = Field(
        None,
        description="Edges of a box or of the box about a signed distance along x, y, z; of a "
        "plane or a height field along x, y [m].",
    )
    radius: Formula | None = Field(None, description="Of a sphere, cylinder, capsule or cone [m].")
    length: Formula | None = Field(None, description="Of a cylinder, capsule or cone [m].")
    axis: Literal["x", "y", "z", "-x", "-y", "-z"] | None = Field(
        None, description="Of a cylinder, capsule or cone; default z."
    )
    semi_axes: list[Formula] | None = Field(None, description="Of an ellipsoid [m].")
    points: list[list[Number]] | None = Field(None, description="Of a polyline or a hull [m].")
    heights: list[list[Number]] | None = Field(
        None, description="Of a height field [m]: a list along y for every point along x."
    )
    formula: str | None = Field(
        None, description="Of a signed distance: in x, y, z, negative inside [m]."
    )
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
    normal: str | list[Number] | None = Field(None, description="Of a plane; default z.")
    offset: Formula | None = Field(None, description="Of a plane along its normal [m].")
    contact: bool | None = Field(
        None, description="Whether it touches; by default if it has a material, group or name."
    )
    material: str | MaterialEntry | None = Field(
        None, description="Name of one of `materials`, or its coefficients."
    )
    name: str | None = Field(None, description="For rules about pairs.")
    group: str | None = Field(None, description="The group it belongs to.")
    collides_with: list[str] | None = Field(None, description="Groups it touches; default all.")
    ignores: list[str] | None = Field(None, description="Groups it does not touch.")
    drawn: bool | None = Field(None, description="False: it touches without being seen.")

    @property
    def touches(self) -> bool:
        """Whether the shape is more than drawn."""
        said = any(getattr(self, key) is not None for key in TOUCH_KEYS)
        return said if self.contact is None else self.contact


def read(reading: BodyReading, given: DrawnEntry, place: Place, body: str) -> Solid:
    """The shape an entry describes."""
    needed, allowed = NEEDS[given.type]
    options: dict[str, Any] = {}
    for key in DrawnEntry.model_fields:
        entry = getattr(given, key)
        if key in ("type", "position", "rotation", "color", "opacity", "contact", *TOUCH_KEYS):
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
        return reading.formulas(entry, place, 2 if given.type in FLAT else LISTS[key])
    if key in ("radius", "length", "width", "offset"):
        return reading.formula(entry, place)
    if key == "file":
        return Path(reading.source.path).parent / entry
    return entry


def add(
    reading: BodyReading, given: DrawnEntry, place: Place, on: str, known: dict[str, Material]
) -> None:
    """Put the shape of an entry on a body or on the world."""
    shape = read(reading, given, place, on if on == WORLD else f"body {on!r}")
    options: dict[str, Any] = {"contact": given.touches}
    if given.touches:
        material = (*place, "material")
        options["material"] = named_material(reading.reading, known, given.material, material)
        keys = ("name", "group", "collides_with", "ignores", "drawn")
        options |= {key: x for key in keys if (x := getattr(given, key)) is not None}
    else:
        for key in TOUCH_KEYS:
            if getattr(given, key) is not None:
                reading.source.refuse((*place, key), f"{key!r} goes with contact: true.")
    try:
        reading.model.add_shape(shape, on=on, **options)
    except DalembertError as problem:
        reading.source.refuse(place, str(problem))


def shapes_of(
    model: Model, body: str, materials: Mapping[int, tuple[str, Material]]
) -> list[dict[str, Any]]:
    """The shapes of a body as they stand in a file, those that are not seen last."""
    own = [shape for shape in model.contact_shapes if shape.body == body]
    touching = {id(shape.solid): shape for shape in own if shape.drawn}
    found = [
        written(solid) | _contact(model, touching.get(id(solid)), materials)
        for solid in model.shapes.get(body, ())
    ]
    unseen = [shape for shape in own if not shape.drawn]
    return found + [written(one.solid) | _contact(model, one, materials) for one in unseen]


def _contact(
    model: Model, shape: ContactShape | None, materials: Mapping[int, tuple[str, Material]]
) -> dict[str, Any]:
    """The keys of a shape that touches."""
    if shape is None:
        return {}
    data: dict[str, Any] = {"contact": True}
    if shape.name != f"{shape.body}.{shape.solid.kind}":
        data["name"] = shape.name
    if id(shape.material) in materials:
        data["material"] = materials[id(shape.material)][0]
    groups = model.contact_groups
    by_bit = {bit: name for name, bit in groups.items()}
    if by_bit[shape.group] != "default":
        data["group"] = by_bit[shape.group]
    if shape.mask < 0:  # all but some
        if shape.mask != EVERYTHING:
            data["ignores"] = sorted(name for name, bit in groups.items() if not bit & shape.mask)
    else:
        data["collides_with"] = sorted(name for name, bit in groups.items() if bit & shape.mask)
    if not shape.drawn:
        data["drawn"] = False
    return data


def _plane(shape: Plane) -> dict[str, Any]:
    """The keys of a plane."""
    data: dict[str, Any] = {}
    if shape.normal != "z":
        normal = shape.normal
        data["normal"] = normal if isinstance(normal, str) else [float(x) for x in normal]
    if isinstance(shape.offset, Expression) or shape.offset != 0.0:
        data["offset"] = number_of(shape.offset)
    if shape.size is not None:
        data["size"] = [number_of(x) for x in shape.size]
    return data


def written(shape: Solid) -> dict[str, Any]:
    """A shape as it stands in a file."""
    kind = shape.kind if shape.kind in SURFACES else type(shape).__name__.lower()
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
    if isinstance(shape, Plane):
        data |= _plane(shape)
    for key in (*NEEDS[kind][0], "axis"):
        value = getattr(shape, key, None)
        if value is None or (key == "axis" and value == "z"):
            continue
        if key == "formula":
            data[key] = text_of(value)
        elif key in ("points", "heights"):
            data[key] = [[float(x) for x in row] for row in value]
        elif key == "axis":
            data[key] = value
        elif isinstance(value, tuple):
            data[key] = [number_of(entry) for entry in value]
        else:
            data[key] = number_of(value)
    if any(not (isinstance(x, float) and x == 0.0) for x in shape.position):
        data["position"] = [number_of(x) for x in shape.position]
    if not shape.rotation.is_identity:
        data["rotation"] = values.ROTATION.write(shape.rotation)
    if shape.color is not None:
        data["color"] = shape.color
    if shape.opacity != 1.0:
        data["opacity"] = float(shape.opacity)
    return data
