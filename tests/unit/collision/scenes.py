"""Two shapes and what is found between them."""

from __future__ import annotations

import numpy as np
from tests.support.collision_oracle import Core

import dalembert as dl
from dalembert.collision.scene import CollisionScene, SceneShape, motions


def turned(rng: np.random.Generator) -> np.ndarray:
    """A random rotation."""
    w, x, y, z = (q := rng.normal(size=4)) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def about(axis: str, angle: float) -> np.ndarray:
    """A rotation about an axis of the world."""
    return dl.Rotation.about(axis, angle).matrix


def solid_and_core(kind: str, sizes, x, R):
    """A shape of the library and the same of the oracle."""
    if kind == "sphere":
        return dl.Sphere(sizes[0]), Core.sphere(x, sizes[0])
    if kind == "capsule":
        return dl.Capsule(sizes[0], sizes[1]), Core.capsule(x, R, sizes[0], sizes[1])
    return dl.Box(sizes), Core.box(x, R, sizes)


def contacts(solids, places, rotations=None, *, velocities=None, spins=None, margin=0.0, h=0.0):
    """Contacts of solids on bodies of their own."""
    shapes = [SceneShape.of(solid, k) for k, solid in enumerate(solids)]
    scene = CollisionScene(shapes, len(shapes))
    scene.margin(margin)
    return scene.collide(motions(places, rotations, velocities, spins), h)


def on_ground(solid, place, rotation=None, *, margin=0.0):
    """Contacts of a solid with the plane z = 0."""
    scene = CollisionScene([SceneShape.of(dl.Plane()), SceneShape.of(solid, 0)], 1)
    scene.margin(margin)
    return scene.collide(motions([place], None if rotation is None else [rotation]))
