"""A run in the coordinates of joints: its start, and its states seen as those of bodies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import ProjectionError
from dalembert.mechanics.choose_solve import install
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.motion import displace
from dalembert.mechanics.projection import MASS_NORM, project
from dalembert.mechanics.tree_crba import mass_matrix
from dalembert.mechanics.tree_states import (
    accelerations_of_bodies,
    read_bodies,
    states_of_bodies,
    states_of_tree,
)
from dalembert.simulation.prepare.body_rows import independent_rows
from dalembert.simulation.prepare.row_scales import row_scales, row_tolerances
from dalembert.simulation.prepare.start import CAP, SEED, Start, write_rows
from dalembert.system.borders import OK, evaluate
from dalembert.system.jacobian_blocks import blocks_of_all
from dalembert.system.state_layout import State
from dalembert.system.tree_layout import COMPOUND
from dalembert.system.tree_system import TreeSystem

Array = NDArray[np.float64]

TRIALS = 9
"""States at and around the start that tell how large rows are."""


@dataclass(frozen=True)
class OnTree:
    """The part of a run on a tree that goes beyond the setup of its bodies."""

    system: TreeSystem
    start: Start
    rows: NDArray[np.int64]
    """Row of the bodies' system for every row of the tree's."""
    all_rows: int
    """How many rows the bodies' system has."""
    numbers: Array
    """Numbers of the tree, with the values of the parameters."""
    signs: Array
    """1 or -1 for every entry of the bodies' q: of q and -q the one the start has."""
    near: Array | None = None
    """Coordinates that those of the start are within half a turn of, where they are not zero."""
    wound: Array | None = None
    """Angles whose turns the tree counts, at the start; None: no turns."""

    def bodies(self, q: Array, v: Array) -> tuple[Array, Array]:
        """States of the bodies, seven and six numbers each, from states of the tree."""
        tree = self.system.tree
        count = len(tree.bodies)
        q_out, v_out = np.zeros((len(q), 7 * count)), np.zeros((len(q), 6 * count))
        if len(q):
            states_of_bodies(tree.integers, self.numbers, tree.room(), q, v, q_out, v_out)
        return q_out * self.signs, v_out

    @property
    def has_compounds(self) -> bool:
        """Whether joints with slides and hinges in series carry bodies."""
        return any(edge.kind == COMPOUND for edge in self.system.tree.joints)

    def states(self, samples: Any) -> tuple[Array, Array]:
        """Coordinates and velocities of the tree at samples of the bodies.

        Those of the run where it has left them: coordinates of several hinges in series are found
        from how bodies stand by iteration.
        """
        if samples.of_tree is not None:
            q, v = samples.of_tree
            return q, v
        seen = samples.q * self.signs
        found = states_of_tree(self.system.tree, self.numbers, self.start.q, seen, samples.v)
        return found[0], found[1]

    def accelerations(self, samples: Any, a: Array) -> Array:
        """Accelerations of the bodies at samples, from those of the tree."""
        tree = self.system.tree
        out = np.zeros((len(samples.q), 6 * len(tree.bodies)))
        if len(out):
            own = self.states(samples)
            accelerations_of_bodies(tree.integers, self.numbers, tree.room(), *own, a, out)
        return out

    def multipliers(self, lam: Array) -> Array:
        """Multipliers of all rows of the bodies; of joints of the tree they are not known."""
        found = np.full((len(lam), self.all_rows), np.nan)
        found[:, self.rows] = lam
        return found


def neutral(system: TreeSystem) -> Array:
    """Coordinates of a tree with all joints at zero."""
    q = np.zeros(system.tree.nq)
    for place, _ in system.quaternions:
        q[place] = 1.0
    return q


def on_tree(
    system: TreeSystem,
    values: Any,
    bodies: Any,
    start: Start,
    near: Array | None = None,
    angles: Array | None = None,
) -> OnTree:
    """The start of bodies, consistent as it is, in the coordinates of the tree.

    Angles are within half a turn of those in `near`, by default of zero; `angles` are those whose
    turns the tree counts (LAST_ANGLES).
    """
    tree = system.tree
    q, v = read_bodies(tree, start.q, start.v, neutral(system) if near is None else near)
    state, _ = system.open(values)
    if angles is not None:
        state.last_angles[: len(angles)] = angles
    install("automatic", state)
    m = state.rows
    size, product, weight = _row_sizes(system, state, start.t, q, v, start.length)
    scale, tolerance = row_scales(weight), row_tolerances(product, size * start.length)
    write_rows(state, scale, tolerance, size, start.length)
    if m and project(*state, start.t, q, v, MASS_NORM, CAP) != OK:
        raise ProjectionError(
            "Initial state: the loops do not close in the coordinates of the joints. Use "
            "formulation='maximal', or start elsewhere."
        )
    rank = 0
    if m:
        evaluate(*state, start.t, q, v)
        rank = len(independent_rows(relative_rows(system, state)))
    rows = np.zeros(m, dtype=np.int64)
    for name, mine in system.parts.slices.items():
        rows[mine] = bodies.parts.slices[name]
    made = Start(
        q, v, start.move_q, start.move_v, rank, scale, tolerance, size, start.t, start.length
    )
    numbers = state.tree_numbers[: len(tree.numbers)].copy()
    found = OnTree(
        *(system, made, rows, bodies.extents.rows, numbers, np.ones(len(start.q))),
        *(near, angles),
    )
    return replace(found, signs=_signs(found, start.q))


def _signs(found: OnTree, q: Array) -> Array:
    """Which of the quaternions are the opposite of those at the start."""
    seen = found.bodies(found.start.q[None], found.start.v[None])[0][0].reshape(-1, 7)
    same = (seen[:, 3:] * q.reshape(-1, 7)[:, 3:]).sum(axis=1)
    signs = np.ones((len(same), 7))
    signs[same < 0.0, 3:] = -1.0
    return signs.ravel()


def relative_rows(system: TreeSystem, state: State) -> Array:
    """C of the last evaluated state, each row over what it would be if its terms did not cancel."""
    C = reduced_rows(system, state)
    whole = _whole(C, state)
    return np.asarray(C / np.where(whole > 0.0, whole, 1.0)[:, None])


def _whole(C: Array, state: State) -> Array:
    """Sizes of the rows of C as they would be if their terms did not cancel (trees 5)."""
    share = state.row_share
    return np.asarray(np.linalg.norm(C, axis=1) / np.where(share > 0.0, share, 1.0))


def reduced_rows(system: TreeSystem, state: State) -> Array:
    """C = J R^-1 of the last evaluated state, M = R^T R."""
    n = system.tree.nv
    M = np.zeros((n, n))
    mass_matrix(system.tree.integers, state.tree_numbers, state.tree_room, M)
    R = np.linalg.cholesky(M)
    return np.asarray(np.linalg.solve(R, system.jacobian(state).T).T)


def _row_sizes(
    system: TreeSystem, state: State, t: float, q: Array, v: Array, length: float
) -> tuple[Array, Array, Array]:
    """Size of each row of J, of the largest term in its residual, and of its row in C.

    The greatest of the start and states around it: at a singular start a row may vanish that is
    perfectly large elsewhere. A row whose terms cancel everywhere, as one of a joint that is given
    twice, or across the plane of a loop, has the size 1.
    """
    m = system.extents.rows
    size, weight, share = np.zeros(m), np.zeros(m), np.zeros(m)
    if not m:
        return size, size, weight
    generator = np.random.default_rng(SEED)
    for trial in range(TRIALS):
        moved = q.copy()
        if trial:
            displace(*state, 0.1, generator.standard_normal(len(v)) * (length + 1.0), moved)
        evaluate(*state, t, moved, v)
        try:
            C = reduced_rows(system, state)
        except np.linalg.LinAlgError:
            continue  # a cross that is stretched there: the others tell
        size = np.fmax(size, np.linalg.norm(system.jacobian(state), axis=1))
        share = np.fmax(share, state.row_share)
        weight = np.fmax(weight, _whole(C, state))
    evaluate(*state, t, q, v)
    return np.where(share > FORCE_TOLERANCE, size, 1.0), _terms(system, state), weight


def _terms(system: TreeSystem, state: State) -> Array:
    """The largest term in the residual of each row: J_v times the distance from the origin, J_w."""
    bodies, product = len(system.parts.names), np.zeros(system.extents.rows)
    for rows, body, block in blocks_of_all(state, system.parts):
        J = np.abs(block)
        J = np.where(np.isfinite(J), J, 0.0)
        product[rows] = np.fmax(product[rows], J[:, 3:].max(axis=1))
        if body < bodies:
            place = np.abs(state.record(body)[:3])
            product[rows] = np.fmax(product[rows], (J[:, :3] * place).max(axis=1))
    return product
