"""Planes without end, drawn as large as what moves on them needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.model.basics.rotation import quaternion_of_matrix
from dalembert.model.shapes.solid import measured
from dalembert.model.shapes.solids import Plane
from dalembert.scene.description import Scene, Shape, quaternion, vector
from dalembert.scene.palette import GROUND

WIDER = 2.0
"""Edge of the square drawn for a plane, over the size of the scene."""

LEVEL = 0.99
"""Cosine of the angle between a plane's normal and upwards, from which on it is the floor."""


def is_endless(shape: Any) -> bool:
    """Whether a shape is a plane whose drawing the scene decides on."""
    return isinstance(shape, Plane) and shape.size is None


def laid(scene: Scene, planes: Sequence[Plane], parameters: Mapping[str, float]) -> Scene:
    """The scene with a square of each plane around the foot of its middle."""
    floor, found, level = scene.floor, list(scene.ground), list(scene.level)
    centre, up = np.array(scene.centre), np.array(scene.up)
    for plane in planes:
        place = np.nan_to_num(measured(plane.middle, dict(parameters)))
        R = plane.turn.matrix
        n = R[:, 2]
        foot = centre - n * float(n @ (centre - place))
        edge = WIDER * scene.size
        if float(n @ up) > LEVEL:
            floor = min(floor, float(foot @ up))
            level.append(len(found))
        found.append(
            Shape(
                "plane",
                (edge, edge),
                vector(foot),
                quaternion(quaternion_of_matrix(R)),
                plane.color or GROUND,
                float(plane.opacity),
            )
        )
    return replace(scene, ground=tuple(found), level=tuple(level), floor=floor)
