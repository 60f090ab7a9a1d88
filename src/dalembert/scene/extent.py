"""How much room a motion takes, and whether it stays in a plane."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.model.start.states import rotations
from dalembert.scene import solids
from dalembert.scene.description import Array, Scene, vector

MOMENTS = 240
"""States at which the corners of all shapes are looked at."""

FLAT = 1e-6
"""Share of the size by which a planar motion may leave its plane."""


def fitted(scene: Scene, p: Array, turned: Array, points: Array) -> Scene:
    """The scene with its centre, size, floor and plane, for bodies and points at k states."""
    chosen = np.unique(np.linspace(0, len(p) - 1, min(len(p), MOMENTS)).astype(int))
    p, turned, points = p[chosen], turned[chosen], points[chosen]
    room = _finite(corners_over(scene, p, turned, points))
    low, high = room.min(axis=0), room.max(axis=0)
    size = float(np.linalg.norm(high - low))
    normal = _plane(scene, p, _matrices(p, turned), points, size or 1.0)
    return replace(
        scene,
        centre=vector((low + high) / 2),
        size=size if size > 0.0 else 1.0,
        floor=float(np.min(room @ np.array(scene.up))),
        planar=normal is not None,
        normal=scene.normal if normal is None else vector(normal),
    )


def corners_over(scene: Scene, p: Array, turned: Array, points: Array) -> Array:
    """Corners (n, 3) of everything drawn at k states."""
    found = [np.zeros((0, 3))]
    R = _matrices(p, turned)
    on: dict[int, list[Array]] = {}
    for k, body in enumerate(scene.bodies):
        on.setdefault(k, []).extend(solids.corners(shape) for shape in body.shapes)
    for joint in scene.joints:
        on.setdefault(joint.body_b, []).extend(solids.corners(shape) for shape in joint.shapes)
        on.setdefault(joint.body_a, []).extend(solids.corners(shape) for shape in joint.shapes_a)
    on.setdefault(-1, []).extend(solids.corners(shape) for shape in scene.ground)
    for k, lists in on.items():
        if not lists:
            continue
        local = np.concatenate(lists)
        if k == -1:
            found.append(local)
        else:
            found.append((np.einsum("kij,cj->kci", R[:, k], local) + p[:, None, k]).reshape(-1, 3))
    for k, point in enumerate(scene.points):
        place = points[:, k]
        found += [place - point.radius, place + point.radius]
    return np.concatenate(found)


def _matrices(p: Array, turned: Array) -> Array:
    return rotations(turned) if turned.size else np.zeros((len(p), 0, 3, 3))


def _finite(places: Array) -> Array:
    kept = places[np.all(np.isfinite(places), axis=1)]
    return kept if len(kept) else np.zeros((1, 3))


def _plane(scene: Scene, p: Array, R: Array, points: Array, size: float) -> Any:
    """Normal of the plane of the motion, towards the reader; None when there is none."""
    if scene.planar:  # points of two coordinates
        return np.array(scene.normal)
    if not scene.bodies and not scene.points:
        return None
    places = np.concatenate([p, points], axis=1)
    fitting = []
    for k in range(3):
        n = np.eye(3)[k]
        still = np.ptp(places[..., k], axis=0)
        turned = np.abs(np.einsum("kbij,j->kbi", R, n) - (R[0] @ n)[None])
        if np.max(still, initial=0.0) < FLAT * size and np.max(turned, initial=0.0) < 1e-5:
            fitting.append(k)
    if not fitting:
        return None
    # of several, the direction in which the parts lie closest together; nothing moves: no plane
    spread = [float(np.ptp(places[..., k])) for k in fitting]
    if len(fitting) == 3 or min(spread) > 0.35 * size:
        return None
    k = fitting[int(np.argmin(spread))]
    up = np.array(scene.up)
    if abs(up[k]) > 0.5:
        return up * np.sign(up[k])
    right = np.eye(3)[0 if k != 0 else 1]
    normal = np.cross(right, up)
    return normal if abs(normal[k]) > 0.5 else np.eye(3)[k]
