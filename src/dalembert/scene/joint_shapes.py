"""Glyphs of joints."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.model.rotation import quaternion_of_matrix
from dalembert.model.states import number
from dalembert.scene.description import Shape, Vector, quaternion, vector


def glyph(joint: Any, size: float, parameters: dict[str, float]) -> tuple[Shape, ...]:
    """The joint as shapes in the frame of its second body."""
    if not joint.frames:
        return ()
    frame = joint.frames[-1]
    place = offset(frame, parameters)
    turned = quaternion(quaternion_of_matrix(np.asarray(frame.orientation.matrix, dtype=float)))
    if joint.kind in ("revolute", "cylindrical", "screw"):
        return (Shape("cylinder", (0.02 * size, 0.08 * size), place, turned),)
    return (Shape("sphere", (0.025 * size,), place, turned),)


def offset(frame: Any, parameters: dict[str, float]) -> Vector:
    """Place of a frame on its body."""
    return vector(number(x, parameters) for x in frame.offset)
