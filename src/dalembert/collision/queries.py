"""Distances and rays among placed shapes, from Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.collision import layout
from dalembert.collision.collide import place_shapes
from dalembert.collision.distances import FOUND, distance_of
from dalembert.collision.layout import Scene
from dalembert.collision.rays import first_hit
from dalembert.collision.scene import SceneShape, pack_scene, refuse_lost
from dalembert.errors import OptionError
from dalembert.model.shapes.solid import Solid

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Separation:
    """How far apart two things are.

    Attributes
    ----------
    distance : float    [m], negative: how deep they are in each other
    normal : (3,)       unit, from a to b
    point_a, point_b : (3,)  [m]
        Nearest points; of things that overlap the deepest ones. point_b - point_a is distance
        times normal.
    shape_a, shape_b : the shapes these points are on
    """

    distance: float
    normal: Floats
    point_a: Floats
    point_b: Floats
    shape_a: Any
    shape_b: Any


@dataclass(frozen=True)
class Hit:
    """Where a ray meets a shape first.

    Attributes
    ----------
    distance : float   [m] from the origin of the ray
    point, normal : (3,)
    shape : what was hit
    """

    distance: float
    point: Floats
    normal: Floats
    shape: Any


class Placed:
    """Shapes where they stand now.

    Parameters
    ----------
    scene : memory of `collision.layout`
    records : of the bodies
    labels : what is told of each shape
    """

    def __init__(self, scene: Scene, records: npt.ArrayLike, labels: Sequence[Any]) -> None:
        self.scene = scene
        self.labels = list(labels)
        given = np.ascontiguousarray(records, float).ravel()
        if not place_shapes(scene, given):
            refuse_lost(scene, given)

    @classmethod
    def of(cls, solids: Sequence[Solid], poses: Sequence[Any]) -> Placed:
        """Shapes on bodies of their own, with the poses (position, rotation matrix) given."""
        shapes = [SceneShape.of(solid, body) for body, solid in enumerate(solids)]
        records = [np.concatenate([p, np.ravel(R), np.zeros(6)]) for p, R in poses]
        return cls(pack_scene(shapes, len(shapes)), records, solids)

    def separation(self, a: int, b: int) -> Separation:
        """Separation of two of the shapes."""
        kinds = [self.scene.shape(k).kind for k in (a, b)]
        swapped = kinds[0] > kinds[1]
        out = np.zeros(10)
        first, second = (b, a) if swapped else (a, b)
        if distance_of(self.scene, first, second, out) != FOUND:
            names = " and a ".join(layout.KIND_NAMES[kind] for kind in kinds)
            raise OptionError(
                f"distance: it is not known for a {names}. One of the two must be convex: a box, "
                "a sphere, a capsule, a cylinder, an ellipsoid or a hull."
            )
        normal, points = out[1:4], [out[4:7], out[7:10]]
        if swapped:
            normal, points = -normal, points[::-1]
        labels = self.labels[a], self.labels[b]
        return Separation(float(out[0]), normal, points[0], points[1], *labels)

    def nearest(self, ones: Iterable[int], others: Iterable[int]) -> Separation:
        """Separation of the two shapes, one of each set, that are nearest to each other."""
        rest = list(others)
        found = [self.separation(a, b) for a in ones for b in rest]
        return min(found, key=lambda one: one.distance)

    def hit(
        self, origin: Floats, direction: Floats, among: Sequence[int] | None = None
    ) -> Hit | None:
        """The first hit of a ray among some of the shapes; the direction is of unit length."""
        out = np.zeros(4)
        ray = np.concatenate([origin, direction])
        chosen = range(len(self.labels)) if among is None else among
        which = np.array(chosen, dtype=np.int64)
        k = int(first_hit(self.scene, which, ray, out))
        if k < 0:
            return None
        return Hit(float(out[0]), origin + out[0] * direction, out[1:4].copy(), self.labels[k])
