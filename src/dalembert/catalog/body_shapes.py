"""Shapes of bodies whose inertia says little about how they look."""

from __future__ import annotations

import numpy as np

from dalembert.model.shapes.mesh import Mesh
from dalembert.model.shapes.solids import Polyline


def hull(length: float, beam: float, depth: float) -> Mesh:
    """Hull of a ship along x, its deck at half the depth, with a pointed bow."""
    share = np.linspace(-0.5, 0.5, 13)  # from stern to bow
    width = beam / 2 * np.where(share < 0.0, 1.0 - 0.25 * (2 * share) ** 4, 1.0 - (2 * share) ** 2)
    width = np.maximum(width, 0.02 * beam)
    # deck, bilge and keel of each frame; the stem rakes forward
    rings = []
    for s, w in zip(share, width, strict=True):
        rake = 0.06 * length * max(0.0, 2 * s) ** 2
        x = length * s
        low = x - rake
        rings.append(
            [
                (x, w, depth / 2),
                (x - rake / 2, 0.9 * w, -0.1 * depth),
                (low, 0.35 * w, -depth / 2),
                (low, -0.35 * w, -depth / 2),
                (x - rake / 2, -0.9 * w, -0.1 * depth),
                (x, -w, depth / 2),
            ]
        )
    vertices = np.array(rings).reshape(-1, 3)
    faces = []
    n = 6
    for i in range(len(rings) - 1):
        for j in range(n):
            a, b = i * n + j, i * n + (j + 1) % n
            faces += [(a, b, b + n), (a, b + n, a + n)]
    for j in range(1, n - 1):
        faces.append((0, j + 1, j))
        last = (len(rings) - 1) * n
        faces.append((last, last + j, last + j + 1))
    # outwards: the rings run from port to starboard below the deck
    return Mesh(vertices=vertices, faces=np.array(faces)[:, ::-1])


def hoop(radius: float, width: float, axis: str) -> Polyline:
    """Ring about a body axis."""
    angle = np.linspace(0.0, 2.0 * np.pi, 49)
    circle = radius * np.column_stack([np.cos(angle), np.sin(angle), np.zeros(len(angle))])
    order = {"x": (2, 0, 1), "y": (1, 2, 0), "z": (0, 1, 2)}[axis]
    return Polyline(points=circle[:, order], width=width)
