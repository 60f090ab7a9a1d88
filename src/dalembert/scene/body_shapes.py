"""Shapes of bodies: those given, else what the inertia and the joints tell.

An inertia made of rods, boxes, cylinders and spheres is drawn as these, with thin bars to joints
that lie outside. Of any other the joints tell more than the moments: a body joined at two points
is a bar, at three or more a plate or a star of bars. One that is joined at most once is the box of
uniform density with its moments.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.model.basics.rotation import quaternion_of_matrix
from dalembert.model.shapes.solid import measured
from dalembert.model.shapes.surfaces import SURFACES
from dalembert.model.start.states import number
from dalembert.scene import solids
from dalembert.scene.description import Array, Shape, quaternion, vector
from dalembert.scene.surfaces import surface_triangles

THINNEST = 0.02
"""Least thickness of a box drawn for an inertia, in its largest edge."""


def shapes_of(
    body: Any,
    given: tuple[Any, ...],
    places: Array,
    unit: float,
    parameters: dict[str, float],
    most: float = np.inf,
) -> tuple[Shape, ...]:
    """The shapes of one body; `places` are where it is held, `unit` the radius of a joint.

    A solid that is only guessed from moments is drawn no larger than `most`: files of robots hold
    inertias that no solid of their size has.
    """
    if given:
        return tuple(given_shape(shape, parameters) for shape in given)
    known = _of_measures(body.inertia, unit, parameters)
    if known:
        return (*known, *_stubs(known, places, 0.5 * unit))
    if len(places) < 2:
        box = [_shrunk(shape, most) for shape in _equivalent(body.inertia, unit, parameters)]
        return (*box, *_stubs(box, places, 0.5 * unit))
    return _between(places, _center(body.inertia, parameters), unit)


def extent(body: Any, given: tuple[Any, ...], places: Array, parameters: dict[str, float]) -> float:
    """Largest length of a body, before it is drawn."""
    shapes = [given_shape(shape, parameters) for shape in given]
    shapes += _of_measures(body.inertia, 0.0, parameters)
    if not shapes and len(places) < 2:
        shapes += _equivalent(body.inertia, 0.0, parameters)
    corners = np.concatenate([places, *(solids.corners(shape) for shape in shapes)])
    corners = corners[np.all(np.isfinite(corners), axis=1)]
    return float(np.linalg.norm(np.ptp(corners, axis=0))) if len(corners) else 0.0


def given_shape(shape: Any, parameters: dict[str, float]) -> Shape:
    """A shape of the user's, in numbers."""
    place = measured(shape.middle, parameters)
    kind, sizes = shape.kind, measured(shape.sizes, parameters)
    vertices = faces = None
    if kind == "mesh":
        vertices, faces = shape.vertices, shape.faces
    elif kind == "polyline":
        vertices = shape.points
    elif kind in SURFACES:
        vertices, faces = surface_triangles(shape)
        kind, sizes = "mesh", np.zeros(0)
    return Shape(
        kind,
        tuple(map(float, np.nan_to_num(sizes))),
        vector(np.nan_to_num(place)),
        quaternion(quaternion_of_matrix(shape.turn.matrix)),
        shape.color,
        float(shape.opacity),
        vertices,
        faces,
    )


def _of_measures(inertia: Any, unit: float, parameters: dict[str, float]) -> list[Shape]:
    """Shapes the inertia was made of; rods and points have no thickness of their own."""
    found = []
    for part in getattr(inertia, "measures", ()):
        size = measured(part.size, parameters)
        place = measured(part.position, parameters)
        if not (np.all(np.isfinite(size)) and np.all(np.isfinite(place))):
            return []
        at = vector(place), quaternion(quaternion_of_matrix(part.rotation.matrix))
        if part.kind == "rod":
            found.append(Shape("cylinder", (0.6 * unit, float(size[0])), *at))
        elif part.kind == "point":
            found.append(Shape("sphere", (2.0 * unit,), *at))
        else:
            if part.kind == "box":  # a sheet is still to be seen
                size = np.maximum(size, THINNEST * size.max())
            found.append(Shape(part.kind, tuple(map(float, size)), *at))
    return found


def _equivalent(inertia: Any, unit: float, parameters: dict[str, float]) -> list[Shape]:
    """The box of uniform density that has these moments, a ball where there are none."""
    centre = vector(_center(inertia, parameters))
    mass = number(inertia.mass, parameters)
    try:
        moments, axes = inertia.principal(parameters)
    except (TypeError, ValueError, np.linalg.LinAlgError):
        moments, axes = np.zeros(3), np.eye(3)
    with np.errstate(all="ignore"):
        size = np.sqrt(np.maximum(6.0 / mass * (moments.sum() - 2.0 * moments), 0.0))
    if not np.all(np.isfinite(size)) or size.max() == 0.0:
        return [Shape("sphere", (2.0 * unit,), centre)]
    if inertia.is_diagonal:  # axes in the order they were given
        diagonal = np.array([number(inertia.matrix[i][i], parameters) for i in range(3)])
        size = np.sqrt(np.maximum(6.0 / mass * (diagonal.sum() - 2.0 * diagonal), 0.0))
        axes = np.eye(3)
    if np.linalg.det(axes) < 0.0:
        axes = axes * np.array([1.0, 1.0, -1.0])
    even = _of_revolution(inertia, mass, unit, parameters) if inertia.is_diagonal else None
    if even is not None:
        return [replace(even, position=centre)]
    size = np.maximum(size, max(THINNEST * size.max(), 1.2 * unit))
    return [Shape("box", vector(size), centre, quaternion(quaternion_of_matrix(axes)))]


def _of_revolution(
    inertia: Any, mass: float, unit: float, parameters: dict[str, float]
) -> Shape | None:
    """The ball or cylinder of uniform density with these moments, where two of them are equal."""
    moments = np.array([number(inertia.matrix[i][i], parameters) for i in range(3)])
    same = [
        k
        for k in range(3)
        if np.isclose(moments[(k + 1) % 3], moments[(k + 2) % 3], rtol=1e-9, atol=0.0)
    ]
    if len(same) == 3:
        return Shape("sphere", (float(np.sqrt(2.5 * moments[0] / mass)),))
    if not same:
        return None
    k = same[0]
    square = 2.0 * moments[k] / mass
    height = 12.0 * moments[(k + 1) % 3] / mass - 3.0 * square
    radius, length = np.sqrt(max(square, 0.0)), np.sqrt(max(height, 0.0))
    if height < -1e-6 * square:  # between a disc and a ring
        radius, length = np.sqrt(square / 2.0), 0.0
    least = max(THINNEST * max(radius, length), 0.6 * unit)
    size = float(max(radius, least)), float(max(length, 2.0 * least))
    return Shape("cylinder", size, rotation=solids.turned_to(np.eye(3)[k]))


def _shrunk(shape: Shape, most: float) -> Shape:
    """A copy of the shape, scaled down so that its largest length is at most `most`."""
    factor = min(1.0, most / (2.0 * float(np.max(solids.half_extents(shape)))))
    return replace(shape, size=tuple(factor * length for length in shape.size))


def _center(inertia: Any, parameters: dict[str, float]) -> Array:
    return np.nan_to_num(measured(inertia.center, parameters))


def _stubs(shapes: Any, places: Array, radius: float) -> list[Shape]:
    """Thin bars from the nearest of the shapes to every place that lies outside all of them."""
    found = []
    for place in places:
        nearest, least = None, np.inf
        for shape in shapes:
            R, middle = solids.matrix(shape.rotation), np.array(shape.position)
            local = (place - middle) @ R
            half = solids.half_extents(shape)
            inside = np.clip(local, -half, half)
            distance = float(np.linalg.norm(local - inside))
            if distance < least:
                # from the axis or middle of the shape, so that the bar leaves it inside
                deep = inside if shape.kind in ("cylinder", "capsule") else 0.5 * inside
                if shape.kind in ("cylinder", "capsule"):
                    deep = np.array([0.0, 0.0, inside[2]])
                nearest, least = R @ deep + middle, distance
        if nearest is not None and least > 0.5 * radius:
            found.append(solids.bar(nearest, place, radius))
    return found


def _between(places: Array, center: Array, unit: float) -> tuple[Shape, ...]:
    """Bar, plate or star through the places; a ball at a centre of mass that lies away."""
    middle = places.mean(axis=0)
    reach = float(np.max(np.linalg.norm(places - middle, axis=1)))
    _, widths, axes = np.linalg.svd(places - middle, full_matrices=True)
    widths = np.concatenate([widths, np.zeros(3)])[:3]
    if widths[1] < 1e-3 * widths[0]:
        along = (places - middle) @ axes[0]
        ends = places[np.argmin(along)], places[np.argmax(along)]
        shapes = [solids.bar(*ends, 0.8 * unit)]
    elif widths[2] < 1e-3 * widths[0] and len(places) <= 6:
        shapes = [solids.plate(places, axes[2], 0.9 * unit, 1.3 * unit)]
    else:
        shapes = [solids.bar(middle, place, 0.8 * unit) for place in places]
    if np.linalg.norm(center - middle) > 1.2 * reach:
        shapes += [
            solids.bar(middle, center, 0.6 * unit),
            Shape("sphere", (2 * unit,), vector(center)),
        ]
    return tuple(shapes)
