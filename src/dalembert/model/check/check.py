"""Plausibility of a model at its initial state, by interpreted evaluation: nothing is compiled."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dalembert.formulas.derivative import jacobian, time_derivative
from dalembert.formulas.evaluate import evaluate
from dalembert.formulas.expression import TIME, ZERO, Expression, lift
from dalembert.formulas.orientation import turns
from dalembert.model.basics.quantity import value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rigid_body import QuaternionBody
from dalembert.model.basics.rotation import matrix_of_quaternion
from dalembert.model.check.contact import check_contact

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

LARGEST_MASS_RATIO = 1e4
"""Between masses of one model; beyond it the equations are badly conditioned."""

FAR = 0.1
"""Largest violation at the start that `simulate` corrects without being told to."""


def check(
    model: Model,
    initial: Any = None,
    given: Iterable[str] = (),
    asked: Mapping[str, float] | None = None,
) -> Any:
    """Findings about a model: errors are raised together, doubts are returned.

    Parameters
    ----------
    initial, given, asked : another start (q, v), the bodies given in it, and what was given of
        them by name; of other models values of coordinates and speeds by name

    Returns
    -------
    Findings; of a model of bodies a `bodies.BodyCheck`

    Raises
    ------
    ModelError
        Energies or constraints undefined at the initial state, a mass matrix that is not positive
        definite there; for bodies also joints that do not close and drives that contradict one
        another.
    """
    if model.is_maximal:
        from dalembert.model.check.bodies import check_bodies

        found = check_bodies(model, initial, given, asked)
        _check_masses(model, found)
        errors = Findings()
        check_contact(model, lambda: state(model, initial), errors, found, initial)
        errors.raise_if_any(f"model '{model.name}'")
        return found
    errors, doubts = Findings(), Findings()
    values = state(model, initial)
    _check_masses(model, doubts)
    _check_mass_matrix(model, values, errors)
    _check_forces(model, values, errors)
    _check_constraints(model, values, errors, doubts)
    check_contact(model, lambda: values, errors, doubts)
    errors.raise_if_any(f"model '{model.name}'")
    _check_speeds(model, values, doubts)
    return doubts


def state(model: Model, initial: Any = None) -> dict[Any, float]:
    """Value of every symbol of the model at its initial state, or another one, at time 0."""
    start = dict(model.initial)
    if initial is not None:
        start |= named(model, initial) if model.is_maximal else initial
    values: dict[Any, float] = {TIME: 0.0}
    if model.is_maximal:
        values |= _body_state(model, start)
    else:
        for q in model.coordinates:
            values[q] = start.get(q.name, 0.0)
            values[q.dot] = start.get(f"{q.name}.dot", 0.0)
    current = model.parameters
    for symbol in model.parameter_symbols:
        values[symbol] = current[symbol.name]
    return values


def named(model: Model, initial: Any) -> dict[str, float]:
    """Entries of a state (q, v) of bodies by name."""
    names = [name for body in model.bodies.values() for name in body.state_names]
    speeds = [name for body in model.bodies.values() for name in body.velocity_names]
    return {
        name: float(x)
        for own, given in zip((names, speeds), initial, strict=True)
        for name, x in zip(own, given, strict=True)
    }


def _body_state(model: Model, start: dict[str, float]) -> dict[Any, float]:
    """Symbols of bodies with quaternions, rotations included; no joint has turned yet."""
    values: dict[Any, float] = {turns(name): 0.0 for name in model.joints}
    for body in model.bodies.values():
        assert isinstance(body, QuaternionBody)
        values |= zip(body.state_symbols, (start[n] for n in body.state_names), strict=True)
        values |= zip(body.velocity_symbols, (start[n] for n in body.velocity_names), strict=True)
        R = matrix_of_quaternion([start[name] for name in body.state_names[3:]])
        values |= zip(body.rotation.ravel(), map(float, R.ravel()), strict=True)
    return values


def _check_masses(model: Model, doubts: Findings) -> None:
    masses: dict[str, float] = {}
    parameters = model.parameters
    for name, mass in model.masses().items():
        number = value_of(mass, parameters)
        if number is not None:
            masses[name] = number
    if len(masses) < 2:
        return
    light, heavy = min(masses, key=masses.__getitem__), max(masses, key=masses.__getitem__)
    ratio = masses[heavy] / masses[light]
    if ratio > LARGEST_MASS_RATIO:
        doubts.add(
            f"masses of '{heavy}' and '{light}'",
            f"differ by a factor of {ratio:.1e}. Check the units.",
        )


def _mass(model: Model, values: dict[Any, float]) -> npt.NDArray[np.float64]:
    """M in numbers; where coordinates carry no mass with the rows that hold them (methods 2.3)."""
    n = len(model.coordinates)
    M = _numbers([entry for row in model.mass for entry in row], values).reshape(n, n)
    if all(any(entry is not ZERO for entry in row) for row in model.mass):
        return M
    rates: list[Expression] = []
    for constraint in model.constraints:
        rows = list(constraint.rows)
        rates += time_derivative(rows) if constraint.kind == "holonomic" else rows
    J = _numbers([e for row in jacobian(rates, model.velocities) for e in row], values)
    J = J.reshape(len(rates), n)
    return np.asarray(M + np.trace(M) / n * J.T @ J)


def _check_mass_matrix(model: Model, values: dict[Any, float], errors: Findings) -> None:
    names = [q.name for q in model.coordinates]
    n = len(names)
    M = _mass(model, values)
    if not np.isfinite(M).all():
        i, j = np.argwhere(~np.isfinite(M))[0]
        errors.add(
            f"mass of '{names[i]}' and '{names[j]}'",
            f"is {M[i, j]} at the initial state. Start where the formulas are defined.",
        )
        return
    scale = np.sqrt(np.abs(np.diag(M)))
    scale[scale == 0.0] = 1.0
    eigenvalues, directions = np.linalg.eigh(M / np.outer(scale, scale))
    if eigenvalues[0] > n * np.finfo(float).eps:
        return
    weakest = directions[:, 0]
    involved = [name for name, part in zip(names, weakest, strict=True) if abs(part) > 0.1]
    errors.add(
        f"coordinate{'s' * (len(involved) > 1)} {', '.join(map(repr, involved))}",
        "the mass matrix is not positive definite at the initial state: a motion of "
        f"{'these' if len(involved) > 1 else 'it'} has no kinetic energy. Give mass or inertia to "
        "every motion, or start away from a singular position.",
    )


def _check_forces(model: Model, values: dict[Any, float], errors: Findings) -> None:
    for q, number in zip(model.coordinates, _numbers(model.force, values), strict=True):
        if not np.isfinite(number):
            errors.add(
                f"force on '{q.name}'",
                f"is {number} at the initial state. Start where the formulas are defined.",
            )


def _check_constraints(
    model: Model, values: dict[Any, float], errors: Findings, doubts: Findings
) -> None:
    velocities = model.velocities
    for constraint in model.constraints:
        holonomic = constraint.kind == "holonomic"
        rows = list(constraint.rows)
        rates = time_derivative(rows) if holonomic else rows
        J = _numbers([e for row in jacobian(rates, velocities) for e in row], values)
        gradients = J.reshape(len(rows), len(velocities))
        residuals = _numbers(rows, values)
        speeds = _numbers(rates, values)
        for i, name in enumerate(constraint.row_names):
            element = f"constraint '{name}'"
            if not (
                np.isfinite(gradients[i]).all() and np.isfinite([residuals[i], speeds[i]]).all()
            ):
                errors.add(element, "is undefined at the initial state. Start where it is defined.")
            elif not gradients[i].any():
                doubts.add(
                    element,
                    "its gradient vanishes at the initial state: it has no force there. "
                    "Write it without a square, or start elsewhere.",
                )
            elif holonomic and abs(residuals[i]) > FAR:
                doubts.add(
                    element,
                    f"is violated by {abs(residuals[i]):.2g} at the initial state. Give a closer "
                    "start, or raise initial_limit of simulate.",
                )


def _check_speeds(model: Model, values: dict[Any, float], doubts: Findings) -> None:
    """Note speeds that were given and that the constraints do not leave."""
    rates: list[Expression] = []
    for constraint in model.constraints:
        rows = list(constraint.rows)
        rates += time_derivative(rows) if constraint.kind == "holonomic" else rows
    # what is done about them is decided by a folder above this one
    speeds = importlib.import_module("dalembert.simulation.prepare.asked_speeds").Speeds(
        model, None, FAR
    )
    off = _numbers(rates, values)
    if not speeds.asked or not np.any(np.abs(off) > 1e-9 * speeds.largest):
        return
    q, v = (np.array([values[s] for s in some]) for some in (model.coordinates, model.velocities))
    J = _numbers([e for row in jacobian(rates, model.velocities) for e in row], values)
    J = J.reshape(len(rates), len(q))
    M = _mass(model, values)
    if speeds.held(0.0, q, v, lambda: (J, off, M)) is None:
        root = np.linalg.cholesky(M)
        C = np.linalg.solve(root, J.T).T
        near = v - np.linalg.solve(root.T, np.linalg.lstsq(C, off, rcond=1e-9)[0])
        changed = speeds.noted(speeds.changed(0.0, q, near))
        if changed:
            doubts.add("start", speeds.doubt(changed))


def _numbers(formulas: Any, values: dict[Any, float]) -> npt.NDArray[np.float64]:
    entries: list[Expression] = [lift(formula) for formula in formulas]
    return np.array([float(number) for number in evaluate(entries, values)])
