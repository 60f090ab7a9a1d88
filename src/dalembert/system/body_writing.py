"""Numbers of bodies and elements, written into the state of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from dalembert.system.bodies import Mechanism
from dalembert.system.body_numbers import BodyNumbers, body_numbers
from dalembert.system.state_layout import State
from dalembert.system.tables import LACKING

TYPICAL = 1e-3
"""Part of mass times squared length that counts as rotational inertia where there is none."""

MISSING = 1e-12
"""Principal moment of inertia, over the largest, that counts as none."""


def write_elements(
    state: State, parts: Mechanism, values: Mapping[str, float], angles: Mapping[str, float]
) -> None:
    """Write the data of elements, the constant entries of J, and the angles they begin with."""
    data, blocks = state.element_data, state.jacobian_blocks
    records = body_numbers(parts, values).records
    for element, record in zip(parts.recorded, records, strict=True):
        data[element.start : element.start + len(record)] = record
    for pair in parts.pairs:
        for block, constants in zip(pair.blocks, pair.kind.constants, strict=True):
            blocks[block : block + len(constants)] = constants
    state.last_angles[:] = [angles.get(wound.name, 0.0) for wound in parts.wound]


def write_world(state: State) -> None:
    """Write the record of the world, which does not move: its rotation is the identity."""
    state.record(state.placed)[3:12] = np.eye(3).ravel()


def write_inertias(
    state: State,
    known: BodyNumbers,
    massless: Sequence[int],
    is_idle: Callable[[int, np.ndarray], bool],
) -> None:
    """Write masses and inertias of bodies, and what those lack that have none about some axis.

    `is_idle` tells whether a body never turns about any of some axes of its own.
    """
    lacking = {b: k for k, b in enumerate(massless)}
    mass, theta, length = known.mass, known.theta.copy(), known.length
    typical = np.trace(theta, axis1=1, axis2=2) / 3 + TYPICAL * mass * length[:-1] ** 2
    moments, axes = np.linalg.eigh(theta)
    bare = moments <= MISSING * moments[:, 2:]
    for b in map(int, np.flatnonzero(bare.any(axis=1))):
        missing = (axes[b] * np.where(bare[b], typical[b], 0.0)) @ axes[b].T
        if b in lacking:
            at = LACKING * lacking[b]
            state.spare_inertia[at : at + 9] = missing.ravel()
        elif is_idle(b, axes[b][:, bare[b]]):
            theta[b] += missing
    state.body_weight[:] = np.stack([1.0 / mass, 1.0 / typical], axis=1).ravel()
    upper = theta[:, [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    constants = np.concatenate([mass[:, None], upper, 1.0 / mass[:, None]], axis=1)
    state.body_constants[:] = constants.ravel()
