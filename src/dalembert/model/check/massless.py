"""Motions of bodies without kinetic energy: point masses that turn, rods about their axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dalembert.model.basics.reading import Findings
from dalembert.model.check.connections import listed
from dalembert.model.start.closing import DENSE_LIMIT
from dalembert.model.start.rows_numpy import Rows
from dalembert.model.start.states import States, number

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

Array = npt.NDArray[np.float64]

NO_INERTIA = 1e-12
"""Kinetic energy of a motion, over that of others, that counts as none."""


def check_inertia(model: Model, rows: Rows, q: Array, doubts: Findings) -> None:
    """Note motions without kinetic energy that nothing holds."""
    parameters = model.parameters
    if all(_is_heavy(body, parameters) for body in model.bodies.values()):
        return
    R = States.of(0.0, q, np.zeros(rows.velocities)).R[:, 0]
    names = list(model.bodies)
    at = rows.at(0.0, q, np.zeros(rows.velocities))
    bodies = model.bodies.values()
    roots = [_root(body, R[b], parameters) for b, body in enumerate(bodies)]
    if rows.velocities + rows.count <= DENSE_LIMIT:
        J = at.dense()[0]
        M = np.zeros((rows.velocities, rows.velocities))
        for b, root in enumerate(roots):
            M[6 * b : 6 * b + 6, 6 * b : 6 * b + 6] = root
        _, values, V = np.linalg.svd(np.concatenate([M, J]), full_matrices=True)
        free = V[int((values > NO_INERTIA * values.max()).sum()) :]
        turns = np.abs(free).reshape(len(free), len(names), 6)[:, :, 3:]
        sizes = turns.max(axis=(0, 2), initial=0.0)
        loose = [name for name, part in zip(names, sizes, strict=True) if part > 1e-6]
    else:
        held = [root @ root for root in roots]
        for block in at.blocks:
            for b, entries in zip(block.bodies, block.entries, strict=True):
                held[b] = held[b] + entries[0].T @ entries[0]
        loose = [
            name
            for name, H in zip(names, held, strict=True)
            if np.linalg.eigvalsh(H)[0] < NO_INERTIA * np.trace(H)
        ]
    if loose:
        doubts.add(
            f"{'bodies' if len(loose) > 1 else 'body'} {listed(loose)}",
            "can turn without any inertia, as nothing holds the rotation: a point mass, or a rod "
            "about its axis. That rotation means nothing; give an inertia or hold it if it should.",
        )


def _is_heavy(body: Any, parameters: Mapping[str, float]) -> bool:
    moments = np.linalg.eigvalsh(_matrix(body, parameters))
    return bool(moments[0] > NO_INERTIA * max(moments[-1], 1e-300))


def _matrix(body: Any, parameters: Mapping[str, float]) -> Array:
    rows = [[number(x, parameters) for x in row] for row in body.inertia.matrix]
    return np.asarray(np.nan_to_num(np.array(rows)))


def _root(body: Any, R: Array, parameters: Mapping[str, float]) -> Array:
    """Square root of the mass matrix of a body, over that of its mass."""
    mass = number(body.inertia.mass, parameters)
    moments, axes = np.linalg.eigh(_matrix(body, parameters))
    root = np.eye(6)
    turned = R @ axes
    root[3:, 3:] = turned @ np.diag(np.sqrt(np.maximum(moments, 0.0) / mass)) @ turned.T
    return root
