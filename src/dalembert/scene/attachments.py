"""Where joints, springs and forces hold a body."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.model.joints.relation import Relation
from dalembert.model.start.states import number
from dalembert.scene.description import Array, Vector, vector

ONE_SIDED = frozenset(("planar", "point_on_plane", "point_on_line", "point_on_curve", "rolling"))
"""Joints whose first frame is a plane or curve: its origin is no place on the body."""

UNPLACED = frozenset(("motion", "potential", "joint_friction", "motor"))
"""Elements that say what happens in a joint, not where."""


def attachments(model: Any, parameters: dict[str, float]) -> dict[str, Array]:
    """Places (n, 3) on every body, in its own frame; the same place once."""
    found: dict[str, list[Vector]] = {name: [] for name in (*model.bodies, model.world.name)}
    for joint in model.joints.values():
        if isinstance(joint, Relation) or joint.kind in UNPLACED:
            continue
        for i, frame in enumerate(joint.frames):
            if not (i == 0 and joint.kind in ONE_SIDED):
                found[frame.body.name].append(offset(frame, parameters))
    for force in model.forces.values():
        if force.kind not in UNPLACED:
            for frame in force.acted_frames():
                found[frame.body.name].append(offset(frame, parameters))
    return {name: distinct(np.array(places).reshape(-1, 3)) for name, places in found.items()}


def offset(frame: Any, parameters: dict[str, float]) -> Vector:
    """Place of a frame on its body."""
    return vector(number(x, parameters) for x in frame.offset)


def distinct(places: Array) -> Array:
    """The finite places that are not at an earlier one."""
    places = places[np.all(np.isfinite(places), axis=1)]
    reach = float(np.max(np.abs(places))) if len(places) else 0.0
    kept: list[Array] = []
    for place in places:
        if all(np.linalg.norm(place - other) > 1e-6 * (reach or 1.0) for other in kept):
            kept.append(place)
    return np.array(kept).reshape(-1, 3)
