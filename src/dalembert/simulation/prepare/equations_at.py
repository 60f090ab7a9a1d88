"""Mass matrix and rows of a model at a state, with all its constraints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert._jit import interpreted
from dalembert.formulas import evaluate as numbers_of
from dalembert.formulas import time
from dalembert.model.basics.quantity import value_of
from dalembert.model.core.model import Model
from dalembert.model.start.states import States
from dalembert.simulation.prepare.carried_turns import Turned
from dalembert.simulation.prepare.consistent import open_checked
from dalembert.simulation.prepare.start import AnySystem
from dalembert.system.body_system import BodySystem
from dalembert.system.borders import evaluate as evaluate_model
from dalembert.system.borders import residual
from dalembert.system.build import build
from dalembert.system.equations import massless

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Equations:
    """M a = force + J^T lam,  J a = rhs, and the residuals of the rows.

    `system` and `values` are the equations as they are compiled, and the values of parameters.
    """

    M: Array
    force: Array
    J: Array
    rhs: Array
    phi: Array
    phi_dot: Array
    system: AnySystem
    values: list[float]


def equations_at(
    model: Model, t: float, q: Array, v: Array, turned: Turned | None = None
) -> Equations:
    """The equations at a state, which is taken as it is; `turned`: full turns of a run there."""
    system = build(model)
    values = [model.parameters[name] for name in system.parameter_names]
    said = open_checked(system, values)
    angles = None if turned is None else turned.wound_of(system)
    if angles is not None:
        said.last_angles[:] = angles
    with interpreted():
        residual(*said, t, q, v)
        phi, phi_dot = said.phi[: said.holonomic].copy(), said.phi_dot.copy()
        evaluate_model(*said, t, q, v)
    if isinstance(system, BodySystem):
        M = _mass_of_bodies(model, q)
    else:
        L = np.tril(said.mass)
        M = L + np.tril(L, -1).T
    J, force, rhs = system.jacobian(said), said.force.copy(), said.rhs_a.copy()
    if not model.is_maximal and massless(model.mass):
        M, force = _as_stated(model, t, q, v)
    return Equations(M, force, J, rhs, phi, phi_dot, system, values)


def _as_stated(model: Model, t: float, q: Array, v: Array) -> tuple[Array, Array]:
    """M and Q of the model, where those compiled hold coordinates without mass (methods 2.3)."""
    values: dict[Any, Any] = {p: model.parameters[p.name] for p in model.parameter_symbols}
    values |= zip((*model.coordinates, *model.velocities), map(float, (*q, *v)), strict=True)
    formulas = [*(x for row in model.mass for x in row), *model.force]
    found = np.array([float(x) for x in numbers_of(formulas, values | {time: t})])
    n = len(q)
    return found[: n * n].reshape(n, n), found[n * n :]


def _mass_of_bodies(model: Model, q: Array) -> Array:
    """M of bodies: mass, and the moments turned into world axes."""
    parameters = model.parameters
    R = States.of(0.0, q, np.zeros(6 * len(model.bodies))).R[:, 0]
    M = np.zeros((6 * len(model.bodies), 6 * len(model.bodies)))
    for b, body in enumerate(model.bodies.values()):
        mass = value_of(body.inertia.mass, parameters) or 0.0
        theta = [[value_of(x, parameters) or 0.0 for x in row] for row in body.inertia.matrix]
        M[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = mass * np.eye(3)
        turned = R[b] @ np.array(theta) @ R[b].T
        M[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = (turned + turned.T) / 2.0
    return M
