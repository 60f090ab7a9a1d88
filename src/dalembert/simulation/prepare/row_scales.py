"""Scale, tolerance and size of the rows of a system, found around the initial state."""

from __future__ import annotations

import numpy as np

from dalembert.mechanics.projection import ROUNDING
from dalembert.simulation.prepare.body_rows import body_row_sizes
from dalembert.simulation.prepare.start import SEED, AnySystem
from dalembert.system.body_system import BodySystem
from dalembert.system.borders import evaluate
from dalembert.system.state_layout import State

ALIKE = 4.0
"""Ratio of sizes up to which rows are of one size: found at a few states, these say no more."""

NOTHING = 1e-12
"""Terms of a row, over the size of the mechanism, that are the rounding of zero."""


def even_scales(weight: np.ndarray) -> np.ndarray:
    """Scales that make all rows of C = J R^-1 one size, for the rank decision.

    Rows are lengths and angles, or what a user has multiplied by a number: which direction is small
    beside which must not depend on whether lengths are in metres or in millimetres.
    """
    scale = np.ones(len(weight))
    large = weight > 0.0
    scale[large] = weight.max(initial=0.0) / weight[large]
    return scale


def row_scales(weight: np.ndarray) -> np.ndarray:
    """Scales that make one size of rows that are not of one size already, but for `ALIKE`.

    For sizes that were found at a few states, and change along the motion.
    """
    scale = even_scales(weight)
    return np.where(scale < ALIKE, 1.0, scale)


def row_tolerances(product: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Rounding of each row: by its largest term, or by `whole` where all its terms vanish."""
    return np.asarray(ROUNDING * np.where(product > NOTHING * whole, product, whole))


def row_sizes(
    state: State, system: AnySystem, t: float, q: np.ndarray, v: np.ndarray, length: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Size of each row of J, of the largest product |J_ik q_k| in it, and of its row in C.

    The greatest of the start and eight states around it: at a singular start a row may vanish that
    is perfectly large elsewhere. The products tell how coarsely the row rounds; C = J R^-1 is what
    the rank is decided on, masses included.
    """
    if isinstance(system, BodySystem):
        return body_row_sizes(state, system, t, q, v)
    n, m = system.extents.nv, system.extents.rows
    generator = np.random.default_rng(SEED)
    size, product, weight = np.zeros(m), np.zeros(m), np.zeros(m)
    for trial in range(9):
        moved = q if trial == 0 else q + 0.1 * generator.standard_normal(n) * (length + np.abs(q))
        evaluate(*state, t, moved, v)
        J = np.abs(state.jacobian)
        J[~np.isfinite(J)] = 0.0
        size = np.fmax(size, np.sqrt((J * J).sum(axis=1)))
        product = np.fmax(product, (J * np.abs(q)).max(axis=1, initial=0.0))
        weight = np.fmax(weight, _weights(state))
    return np.where(size > 0, size, 1.0), product, np.where(weight > 0, weight, 1.0)


def _weights(state: State) -> np.ndarray:
    """Sizes of the rows of C at the last evaluated state; zero where there is no such thing."""
    try:
        R = np.linalg.cholesky(np.tril(state.mass))
        weight = np.linalg.norm(np.linalg.solve(R, state.jacobian.T), axis=0)
    except np.linalg.LinAlgError:
        return np.zeros(state.rows)
    return np.asarray(np.where(np.isfinite(weight), weight, 0.0))
