"""Points spread over the surface of a solid given by a formula."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dalembert.formulas import Expression, evaluate, jacobian
from dalembert.model.shapes.surfaces import PLACE

Floats = npt.NDArray[np.float64]

CELLS = 14
"""Cells of the grid along each edge of the box that holds the surface."""

NEWTON = 8
"""Steps to the surface from where the grid is cut."""


def spread_points(formula: Expression, half: Sequence[float]) -> Floats:
    """Where edges of a grid over the box cut f = 0, taken onto the surface: (n, 3)."""
    places = list(PLACE.values())
    slopes = [x for row in jacobian([formula], places) for x in row]

    def values(x: Floats) -> tuple[Floats, Floats]:
        known = dict(zip(places, x.T, strict=True))
        with np.errstate(all="ignore"):
            found = evaluate([formula, *slopes], known)
        f, *g = (np.broadcast_to(y, len(x)) for y in found)
        return f, np.stack(g, axis=1)

    edges = np.asarray(half, dtype=float)
    axes = [np.linspace(-h, h, CELLS + 1) * (1.0 - 1e-9) for h in edges]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    f = values(grid.reshape(-1, 3))[0].reshape(grid.shape[:3])
    cuts = []
    for axis in range(3):
        low = [slice(None)] * 3
        high = [slice(None)] * 3
        low[axis], high[axis] = slice(None, -1), slice(1, None)
        a, b = f[tuple(low)], f[tuple(high)]
        crossed = (a <= 0.0) != (b <= 0.0)
        crossed &= np.isfinite(a) & np.isfinite(b)
        share = (a[crossed] / (a[crossed] - b[crossed]))[:, None]
        p, q = grid[tuple(low)][crossed], grid[tuple(high)][crossed]
        cuts.append(p + share * (q - p))
    x = np.concatenate(cuts)
    cell = float(np.linalg.norm(2.0 * edges / CELLS))
    for _ in range(NEWTON):
        if not len(x):
            break
        f_x, g = values(x)
        gg = (g * g).sum(axis=1)
        step = np.where(gg > 0.0, f_x / np.where(gg > 0.0, gg, 1.0), 0.0)[:, None] * g
        length = np.linalg.norm(step, axis=1, keepdims=True)
        x = x - step * np.minimum(1.0, cell / np.maximum(length, 1e-300))
    f_x, g = values(x) if len(x) else (np.zeros(0), np.zeros((0, 3)))
    scale = np.linalg.norm(g, axis=1) * float(edges.max())
    there = np.isfinite(f_x) & (np.abs(f_x) <= 1e-9 * scale) & np.isfinite(x).all(axis=1)
    found: Floats = x[there]
    return found
