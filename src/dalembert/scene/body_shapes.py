"""Shapes of a body that was given none."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.model.rotation import quaternion_of_matrix
from dalembert.model.states import number
from dalembert.scene.description import Shape, quaternion, vector


def default_shapes(body: Any, parameters: dict[str, float]) -> tuple[Shape, ...]:
    """The box of uniform density that has the inertia of the body."""
    mass = number(body.inertia.mass, parameters)
    center = [number(x, parameters) for x in body.inertia.center]
    moments, axes = body.inertia.principal(parameters)
    squares = 6.0 / mass * (moments.sum() - 2.0 * moments)
    size = np.sqrt(np.maximum(squares, 0.0))
    if np.linalg.det(axes) < 0.0:
        axes = axes * np.array([1.0, 1.0, -1.0])
    if not np.all(np.isfinite(size)) or size.max() == 0.0:
        return (Shape("sphere", (0.05,), vector(center)),)
    size = np.maximum(size, 0.04 * size.max())
    return (Shape("box", vector(size), vector(center), quaternion(quaternion_of_matrix(axes))),)
