"""Points given by formulas that turn out to be fixed on a body: their places are not carried."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dalembert.model.start.states import rotations
from dalembert.scene import Motion, Scene
from dalembert.scene.description import WORLD, Array, vector

LOOK = 16
"""Moments at which a body is looked at as a candidate."""
TOLERANCE = 1e-9
"""Part of the size of the scene; a fiftieth of the finest precision of the page would do."""


def attached(scene: Scene, motion: Motion) -> Scene:
    """The scene with every point that keeps its place in a body named as one of that body."""
    free = [i for i, point in enumerate(scene.points) if point.body is None]
    if not free or not scene.bodies:
        return scene
    points = list(scene.points)
    some = np.linspace(0, len(motion.t) - 1, LOOK).astype(int)
    R = rotations(motion.rotations[some])
    for i in free:
        x = motion.points[:, i]
        if np.all(np.ptp(x, axis=0) <= TOLERANCE * scene.size):
            points[i] = replace(points[i], body=WORLD, offset=vector(x[0]))
            continue
        local = _local(x[some, None], motion.positions[some], R)
        spread = np.max(np.ptp(local, axis=0), axis=1)
        body = int(np.argmin(spread))
        if spread[body] > TOLERANCE * scene.size:
            continue
        everywhere = _local(x, motion.positions[:, body], rotations(motion.rotations[:, body]))
        if np.max(np.ptp(everywhere, axis=0)) <= TOLERANCE * scene.size:
            offset = vector(np.mean(everywhere, axis=0))
            points[i] = replace(points[i], body=body, offset=offset)
    return replace(scene, points=tuple(points))


def _local(x: Array, p: Array, R: Array) -> Array:
    """Places in the frames of bodies: R^T (x - p)."""
    return np.asarray(np.einsum("...ji,...j->...i", R, x - p))
