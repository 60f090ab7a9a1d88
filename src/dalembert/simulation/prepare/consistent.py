"""The initial state moved onto the constraints, and the equations checked there."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dalembert import _jit
from dalembert.errors import AssemblyError, NonFiniteError, ProjectionError
from dalembert.mechanics.choose_solve import install
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.motion import accelerate, accelerate_within
from dalembert.mechanics.projection import MASS_NORM, project_position, project_velocity
from dalembert.model.start.rows_numpy import Rows
from dalembert.simulation.assembly.assembly import consistent_velocities
from dalembert.simulation.prepare.asked_speeds import Speeds, Taken
from dalembert.simulation.prepare.body_rows import body_rank
from dalembert.simulation.prepare.row_scales import (
    even_scales,
    row_scales,
    row_sizes,
    row_tolerances,
)
from dalembert.simulation.prepare.start import CAP, AnySystem, Start, write_rows
from dalembert.simulation.prepare.start_bodies import Placing
from dalembert.simulation.prepare.start_refusals import (
    no_velocity,
    not_finite,
    refuse_contradiction,
    refuse_far,
    refuse_mass,
    unreachable,
)
from dalembert.system.body_system import BodySystem
from dalembert.system.borders import NON_FINITE, OK, evaluate, residual
from dalembert.system.state_layout import State

MET = 1e-10
"""Residual of velocities, over the largest, with which they meet the constraints."""

SMALLEST = 1e-8
"""Coordinates below this at the start say nothing about the size of a mechanism."""

INTERPRETED = 20_000
"""Size of the dense solve up to which the kernels run as plain Python: milliseconds, against
seconds of compilation that the run itself may not need."""


def open_checked(system: AnySystem, parameters: Any) -> State:
    """State with the automatic form of the solve."""
    state, _ = system.open(parameters)
    install("automatic", state)
    system.prepare(state)
    return state


def make_consistent(
    system: AnySystem,
    parameters: Any,
    t: float,
    q0: np.ndarray,
    v0: np.ndarray,
    *,
    limit: float,
    move: bool,
    bodies: Placing | None = None,
    angles: np.ndarray | None = None,
    speeds: Speeds | None = None,
) -> Start:
    """Move (q0, v0) onto the constraints (methods 5.2) and check the equations there.

    Parameters
    ----------
    limit : how far q may be moved, over its largest entry or 1
    bodies : for a model of bodies: which of them are held to the limit, and how to assemble them
    speeds : those that were asked for; they are kept where the constraints allow it
    angles : those whose turns are counted, at a moment near this one (`last_angles` of a run)

    Raises
    ------
    MassMatrixError     the mass matrix is not positive definite there
    ProjectionError     no state on the constraints was found, or it is farther than `limit`
    InconsistentError   dependent rows demand different accelerations
    """
    given = _Given(system, parameters, t, q0, v0, limit, move, bodies, angles, speeds)
    n, m = system.extents.nv, system.extents.rows
    small = n * n * (n + m) <= INTERPRETED
    with _jit.interpreted() if small else contextlib.nullcontext():
        return _consistent(given)


@dataclass(frozen=True)
class _Given:
    """The state that was asked for, and what may be done to it."""

    system: AnySystem
    parameters: Any
    t: float
    q0: np.ndarray
    v0: np.ndarray
    limit: float
    move: bool
    bodies: Placing | None
    angles: np.ndarray | None
    speeds: Speeds | None

    @property
    def largest(self) -> float:
        """The largest coordinate."""
        return float(np.max(np.abs(self.q0), initial=0.0))

    @property
    def allowed(self) -> float:
        """How far a coordinate may be moved."""
        return self.limit * max(1.0, self.largest)

    @property
    def length(self) -> float:
        """Size of the coordinates."""
        # Smaller than any mechanism: a start that is meant to be zero.
        return min(1.0, self.largest) if self.largest > SMALLEST else 1.0


def _consistent(given: _Given) -> Start:
    system, t = given.system, given.t
    state = open_checked(system, given.parameters)
    if given.angles is not None:
        state.last_angles[: len(given.angles)] = given.angles
    q, v = given.q0.copy(), given.v0.copy()
    size, product, weight = row_sizes(state, system, t, q, v, given.length)
    scale = even_scales(weight) if isinstance(system, BodySystem) else row_scales(weight)
    tolerance = row_tolerances(product, size * given.length)
    write_rows(state, scale, tolerance, size, given.length)
    a, lam = np.zeros(state.nv), np.zeros(state.rows)
    status = accelerate(*state, t, q, v, a, lam)
    refuse_mass(status, system, state, q, given.parameters)
    if status == NON_FINITE or not np.all(np.isfinite(a)):
        raise NonFiniteError(not_finite(state, system))
    changed: list[Taken] = []
    if given.move:
        if not _is_closed(state, given, q, v):
            return _assembled(given)
        v, changed = _velocity(state, given, q, v)
    status = accelerate_within(*state, t, q, v, FORCE_TOLERANCE, a, lam)
    refuse_mass(status, system, state, q, given.parameters)
    rank = body_rank(state, system) if isinstance(system, BodySystem) else state.rank
    if rank < state.rows and given.move:
        refuse_contradiction(state, system, a)
    move_q = float(np.max(np.abs(q - given.q0), initial=0.0))
    move_v = float(np.max(np.abs(v - given.v0), initial=0.0))
    known = scale, tolerance, size, t, given.length, tuple(changed)
    return Start(q, v, move_q, move_v, rank, *known)


def _is_closed(state: State, given: _Given, q: np.ndarray, v: np.ndarray) -> bool:
    """Move q onto the constraints; False: the joints of bodies are to be put together first."""
    status = project_position(*state, given.t, q, v, MASS_NORM, CAP)
    refuse_mass(status, given.system, state, given.q0, given.parameters)
    way = np.abs(q - given.q0)
    found = status == OK and bool(np.all(np.isfinite(q)))
    near = found and bool(np.max(way, initial=0.0) <= given.allowed)
    if given.bodies is not None and not near:
        return False
    if not found:
        raise ProjectionError(unreachable(state, given.system, given.t, given.q0, given.v0))
    refuse_far(given.system, way, given.allowed)
    return True


def _assembled(given: _Given) -> Start:
    """The start of bodies far from closed: their joints are put together the right way round."""
    assert given.bodies is not None
    assert isinstance(given.system, BodySystem)
    closed = given.bodies.assembled(given.t, given.q0)
    q, wound = closed.q, given.system.parts.wound
    refuse_far(given.system, np.abs(q - given.q0) * given.bodies.limited, given.allowed)
    before = np.zeros(len(wound)) if given.angles is None else given.angles
    pairs = zip(wound, before, strict=True)
    angles = np.array([closed.angles.get(one.angle, x) for one, x in pairs])
    made = _consistent(replace(given, q0=q, limit=np.inf, bodies=None, angles=angles))
    return replace(made, move_q=float(np.max(np.abs(made.q - given.q0))))


def _velocity(
    state: State, given: _Given, q: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, list[Taken]]:
    """The velocity on the constraints, and the speeds that were asked for and are not in it."""
    speeds = given.speeds
    if project_velocity(*state, given.t, q, v, MASS_NORM) != OK:
        v = _beside_singular(state, given, q)
    if speeds is None or not speeds.asked:
        return v, []
    return _with_asked(state, given.t, q, v, given.v0, speeds)


def _beside_singular(state: State, given: _Given, q: np.ndarray) -> np.ndarray:
    """The velocity on the constraints beside a singular position, nearest to that of the start.

    A correction within a run leaves directions that are nearly lost alone: they are noise there
    (decision 0003). At the start they may need any velocity.
    """
    v: np.ndarray | None = None
    if given.bodies is not None:
        model = given.bodies.model
        with contextlib.suppress(AssemblyError):
            v = consistent_velocities(model, Rows(model), [], given.t, q, given.v0)
    if v is None or not _moves_on(state, given.t, q, v):
        v = given.v0.copy() if v is None else v
        raise ProjectionError(no_velocity(state, given.system, given.t, q, v))
    return v


def _moves_on(state: State, t: float, q: np.ndarray, v: np.ndarray) -> bool:
    """Move v onto the constraints; one that meets them already stays as it is."""
    residual(*state, t, q, v)
    speed = max(1e-3, float(np.abs(v).max(initial=0.0)))
    if float(np.abs(state.phi_dot).max(initial=0.0)) <= MET * speed:
        return True
    return bool(project_velocity(*state, t, q, v, MASS_NORM) == OK)


def _with_asked(
    state: State, t: float, q: np.ndarray, v: np.ndarray, v0: np.ndarray, speeds: Speeds
) -> tuple[np.ndarray, list[Taken]]:
    """The velocity with the speeds that were asked for, v where they do not go together."""

    def rows() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        evaluate(*state, t, q, v0)
        L = np.tril(state.mass)
        return state.jacobian.copy(), state.phi_dot.copy(), L + np.tril(L, -1).T

    changed = speeds.changed(t, q, v)
    if changed:
        held = speeds.held(t, q, v0, rows)
        if held is not None and _moves_on(state, t, q, held):
            v, changed = held, speeds.changed(t, q, held)
    speeds.refuse(changed)
    return v, changed
