"""Initial states that cannot be: which coordinate, constraint or formula is at fault."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dalembert.errors import InconsistentError, MassMatrixError, ProjectionError
from dalembert.formulas import Expression, symbols
from dalembert.mechanics.dense import FINE_TOLERANCE, FORCE_TOLERANCE
from dalembert.simulation.motion.singular_angles import ADVICE, singular_pitch
from dalembert.simulation.prepare.body_rows import MANY_ROWS
from dalembert.simulation.prepare.start import AnySystem
from dalembert.system.body_system import BodySystem
from dalembert.system.borders import NOT_POSITIVE_DEFINITE, evaluate
from dalembert.system.state_layout import State

SPREAD = 1e-11
"""Part of the greatest acceleration of a mechanism that may be rounding in any other."""


NO_ENERGY = (
    "Initial state: with {below} the kinetic energy of coordinate {name} is not positive: the mass "
    "matrix is not positive definite. Give masses and inertias values above zero."
)
NO_INERTIA = (
    "Initial state: the mass matrix is not positive definite; coordinate {name} has no inertia of "
    "its own there. Give it mass, or leave the coordinate out."
)
NOT_A_NUMBER = (
    "Initial state: {what} {name} is not a finite number there. Check the formula (a division by "
    "zero, a root of a negative number), or start elsewhere."
)
NO_ACCELERATION = (
    "Initial state: the accelerations are not finite numbers there. Check the mass matrix and the "
    "derivatives of the constraints, or start elsewhere."
)
UNREACHABLE = (
    "Initial state: no configuration near the given one meets all constraints; worst there: "
    "{rows}. They may contradict one another or be out of reach; check their formulas or start "
    "closer."
)
NO_VELOCITY = (
    "Initial state: no velocity meets all constraints; {row} is off by {residual}. Prescribed "
    "motions may contradict one another."
)
"""Sentences with gaps, for whoever says the same elsewhere."""


def refuse_far(system: AnySystem, way: np.ndarray, allowed: float) -> None:
    """Raise where a coordinate would have to move farther than allowed."""
    if np.max(way, initial=0.0) > allowed:
        k = int(np.argmax(way))
        raise ProjectionError(
            f"Initial state: coordinate {system.coordinate_names[k]!r} would have to move by "
            f"{way[k]:.3g} to meet the constraints, more than the limit {allowed:.3g}. "
            "Start closer, or raise initial_limit."
        )


def refuse_mass(
    status: int,
    system: AnySystem,
    state: State,
    q: np.ndarray,
    parameters: Sequence[float] = (),
) -> None:
    """Raise where the mass matrix at q is not positive definite."""
    if status != NOT_POSITIVE_DEFINITE:
        return
    name = system.velocity_names[state.failed_index].removesuffix(".dot")
    inertial = of_inertia(system)
    below = [
        f"{name} = {value:g}"
        for name, value in zip(system.parameter_names, parameters, strict=False)
        if value <= 0.0 and name in inertial
    ]
    if below:
        raise MassMatrixError(NO_ENERGY.format(below=", ".join(below), name=repr(name)))
    turned = singular_pitch(system.coordinate_names, q)
    if turned is not None:
        raise MassMatrixError(
            f"Initial state: the mass matrix is not positive definite at {turned[0]} = "
            f"{turned[1]:.5g} deg. {ADVICE}"
        )
    points = _without_moments(system)
    if points:
        some = ", ".join(map(repr, points[:3])) + (", ..." if len(points) > 3 else "")
        raise MassMatrixError(
            f"Initial state: the mass matrix is not positive definite: {some} have a mass and no"
            " moments of inertia. Give them some; for a robot's file massless=1e-3 (kg, those of a"
            " ball of 1 cm) does."
        )
    raise MassMatrixError(NO_INERTIA.format(name=repr(name)))


def _without_moments(system: AnySystem) -> list[str]:
    """Names of bodies that have a mass and no moments of inertia."""
    if not isinstance(system, BodySystem):
        return []
    return [
        body.name
        for body in system.parts.bodies
        if all(isinstance(x, float) and x == 0.0 for row in body.inertia.matrix for x in row)
    ]


def of_inertia(system: AnySystem) -> set[str]:
    """Names of the parameters in the mass matrix."""
    if isinstance(system, BodySystem):
        found = [body.inertia for body in system.parts.bodies]
        entries = [x for i in found for x in (i.mass, *(y for row in i.matrix for y in row))]
    else:
        entries = [x for row in system.equations.mass for x in row]
    formulas = [x for x in entries if isinstance(x, Expression)]
    return {leaf.name for leaf in symbols(formulas, "parameter")}


def not_finite(state: State, system: AnySystem) -> str:
    """Which formula is not a number at the initial state."""
    for values, names, what in (
        (state.force, system.velocity_names, "the force on"),
        (state.phi[: state.holonomic], system.row_names, "constraint"),
        (state.rhs_a, system.row_names, "the second derivative of constraint"),
    ):
        bad = np.flatnonzero(~np.isfinite(values))
        if bad.size:
            name = names[int(bad[0])].removesuffix(".dot")
            return NOT_A_NUMBER.format(what=what, name=repr(name))
    return NO_ACCELERATION


def unreachable(state: State, system: AnySystem, t: float, q: Any, v: Any) -> str:
    """Which constraints are farthest from being met in a configuration."""
    evaluate(*state, t, q, v)
    phi = state.phi[: state.holonomic].copy()
    worst = np.argsort(-np.abs(phi))[:3]
    rows = ", ".join(f"{system.row_names[i]!r} (off by {phi[i]:.3g})" for i in worst)
    return UNREACHABLE.format(rows=rows)


def no_velocity(state: State, system: AnySystem, t: float, q: Any, v: Any) -> str:
    """Which constraint is farthest from being met by a velocity."""
    evaluate(*state, t, q, v)
    residual = state.phi_dot.copy()
    i = int(np.argmax(np.abs(residual)))
    return NO_VELOCITY.format(row=repr(system.row_names[i]), residual=f"{residual[i]:.3g}")


def _missed(J: Any, a: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """|J a - wanted| of every row, and what of it may be rounding: its own, or of the fastest."""
    terms = np.abs(J) @ np.abs(a) + np.abs(wanted)
    size = np.abs(J) @ np.ones_like(a)
    fastest = float((terms / np.where(size > 0.0, size, np.inf)).max(initial=0.0))
    allowed = np.maximum(1e-6 * np.maximum(1.0, terms), SPREAD * fastest * size)
    return np.abs(J @ a - wanted), allowed


def refuse_contradiction(state: State, system: AnySystem, a: np.ndarray) -> None:
    """Raise where dependent rows demand different accelerations."""
    wanted, J = state.rhs_a.copy(), system.jacobian(state)
    miss, allowed = _missed(J, a, wanted)
    if (miss > allowed).any() and state.rows <= MANY_ROWS:
        # A direction nearly lost may be what is left open: whether any acceleration will do.
        size = np.linalg.norm(J, axis=1)
        size = np.where(size > 0.0, size, 1.0)
        for tolerance in (FORCE_TOLERANCE, FINE_TOLERANCE):
            least = np.linalg.lstsq(J / size[:, None], wanted / size, rcond=tolerance)[0]
            miss, allowed = _missed(J, least, wanted)
            if not (miss > allowed).any():
                break
    bad = np.flatnonzero(miss > allowed)
    if bad.size:
        names = ", ".join(repr(system.row_names[i]) for i in bad[:4])
        raise InconsistentError(
            f"Constraints {names} depend on one another but demand different accelerations "
            f"(by {miss[bad[0]]:.3g}). Remove one of them, or correct its right-hand side; where a "
            "mechanism is all but stretched out, start a little further from that."
        )
