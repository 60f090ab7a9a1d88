"""Shapes of a model as collision has them: kind, sizes, bounds, vertices.

`PACKERS` holds one function for every kind of shape that touches; it makes a `Packed` in the
shape's own frame. Where the shape stands is no part of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.collision.field import compiled_field
from dalembert.collision.hull import build_hull
from dalembert.collision.layout import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HEIGHT_FIELD,
    HULL,
    KIND_NAMES,
    MESH,
    PLANE,
    SIGNED_DISTANCE,
    SPHERE,
    UNBOUNDED_SHAPE,
)
from dalembert.collision.mesh import Triangles, build_height_field, build_mesh
from dalembert.collision.spread import spread_points
from dalembert.errors import ModelError
from dalembert.model.shapes.solid import Solid

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


def _no_floats() -> Floats:
    return np.zeros(0)


def _no_integers() -> Integers:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Packed:
    """A shape in its own frame.

    Attributes
    ----------
    kind : one of the kinds of `collision.layout`
    sizes : as `collision.layout` has them for the kind
    half : half edges of a box about it, along its axes
    radius : of a ball about its origin that holds it; infinite for a plane
    inner : of a ball it holds, for the swept test
    centre : middle of that box
    numbers, integers : vertices, faces, grids
    flags : such as UNBOUNDED_SHAPE
    count, count_integer : of the record
    code : machine code of the formula of a signed distance
    """

    kind: int
    sizes: tuple[float, ...]
    half: tuple[float, float, float]
    radius: float
    inner: float
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    numbers: Floats = field(default_factory=_no_floats)
    integers: Integers = field(default_factory=_no_integers)
    flags: int = 0
    count: int = 0
    count_integer: int = 0
    code: Any = None

    @property
    def address(self) -> int:
        """Address of the formula; 0 without one."""
        return 0 if self.code is None else int(self.code.address)


def _plane(solid: Solid, sizes: Sequence[float]) -> Packed:
    endless = math.inf
    return Packed(PLANE, (), (endless,) * 3, endless, endless, flags=UNBOUNDED_SHAPE)


def _sphere(solid: Solid, sizes: Sequence[float]) -> Packed:
    (r,) = sizes
    return Packed(SPHERE, (r,), (r, r, r), r, r)


def _capsule(solid: Solid, sizes: Sequence[float]) -> Packed:
    r, half = sizes[0], 0.5 * sizes[1]
    return Packed(CAPSULE, (r, half), (r, r, half + r), half + r, r)


def _box(solid: Solid, sizes: Sequence[float]) -> Packed:
    x, y, z = (0.5 * s for s in sizes)
    return Packed(BOX, (x, y, z), (x, y, z), math.hypot(x, y, z), min(x, y, z))


def _cylinder(solid: Solid, sizes: Sequence[float]) -> Packed:
    r, half = sizes[0], 0.5 * sizes[1]
    return Packed(CYLINDER, (r, half), (r, r, half), math.hypot(r, half), min(r, half))


def _ellipsoid(solid: Solid, sizes: Sequence[float]) -> Packed:
    x, y, z = sizes
    return Packed(ELLIPSOID, (x, y, z), (x, y, z), max(sizes), min(sizes))


def pack_hull(points: npt.ArrayLike, rounding: float = 0.0) -> Packed:
    """The convex hull of points."""
    hull = build_hull(points)
    low, high = hull.vertices.min(axis=0), hull.vertices.max(axis=0)
    middle = 0.5 * (low + high)
    half = 0.5 * (high - low) + rounding
    inner = rounding
    if hull.dimension == 3:
        # of the ball about the mean of the vertices
        inner += float(
            np.min(-(hull.planes[:, :3] @ hull.vertices.mean(axis=0)) + hull.planes[:, 3])
        )
    return Packed(
        HULL,
        (rounding,),
        _three(half),
        float(np.linalg.norm(hull.vertices, axis=1).max()) + rounding,
        max(inner, 0.0),
        _three(middle),
        hull.numbers,
        hull.integers,
        count=len(hull.vertices),
        count_integer=len(hull.faces),
    )


def _hull(solid: Any, sizes: Sequence[float]) -> Packed:
    return pack_hull(solid.vertices)


def pack_mesh(vertices: npt.ArrayLike, faces: npt.ArrayLike) -> Packed:
    """Triangles that are touched from their front."""
    triangles = build_mesh(vertices, faces)
    return _packed_triangles(MESH, (), triangles)


def pack_height_field(x: npt.ArrayLike, y: npt.ArrayLike, heights: npt.ArrayLike) -> Packed:
    """A surface over a grid, touched from above."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    cell = (float(x[-1] - x[0]) / (len(x) - 1), float(y[-1] - y[0]) / (len(y) - 1))
    sizes = (*cell, float(len(x)), float(len(y)))
    return _packed_triangles(HEIGHT_FIELD, sizes, build_height_field(x, y, heights))


def _packed_triangles(kind: int, sizes: tuple[float, ...], triangles: Triangles) -> Packed:
    places = triangles.records[:, :9].reshape(-1, 3)
    low, high = places.min(axis=0), places.max(axis=0)
    return Packed(
        kind,
        sizes,
        _three(0.5 * (high - low)),
        float(np.linalg.norm(places, axis=1).max()),
        math.inf,  # it stands still: no swept test of its own
        _three(0.5 * (low + high)),
        triangles.numbers,
        triangles.integers,
        count=len(triangles.records),
    )


def _mesh(solid: Any, sizes: Sequence[float]) -> Packed:
    return pack_mesh(solid.vertices, solid.faces)


def _height_field(solid: Any, sizes: Sequence[float]) -> Packed:
    x, y = solid.grid
    return pack_height_field(x, y, solid.heights)


def _signed_distance(solid: Any, sizes: Sequence[float]) -> Packed:
    x, y, z = (0.5 * s for s in sizes)
    code = compiled_field(solid.formula)
    inner = min(x, y, z)
    whole = math.hypot(x, y, z)
    points = spread_points(solid.formula, (x, y, z))
    return Packed(
        SIGNED_DISTANCE,
        (x, y, z),
        (x, y, z),
        whole,
        inner,
        code=code,
        numbers=points,
        count=len(points),
    )


def _three(x: Floats) -> tuple[float, float, float]:
    return float(x[0]), float(x[1]), float(x[2])


PACKERS: dict[str, Callable[[Any, Sequence[float]], Packed]] = {
    "plane": _plane,
    "sphere": _sphere,
    "capsule": _capsule,
    "box": _box,
    "cylinder": _cylinder,
    "ellipsoid": _ellipsoid,
    "hull": _hull,
    "mesh": _mesh,
    "height_field": _height_field,
    "signed_distance": _signed_distance,
}
"""By the kind of `model.contact.contact_shape.ContactShape`."""


def pack(kind: str, solid: Solid, sizes: Iterable[float]) -> Packed:
    """A shape of a model with its sizes as numbers."""
    if kind not in PACKERS:
        raise ModelError(
            f"a {kind} does not touch. Give one of {', '.join(sorted(PACKERS))} "
            f"({', '.join(KIND_NAMES)} exist)."
        )
    return PACKERS[kind](solid, [float(size) for size in sizes])
