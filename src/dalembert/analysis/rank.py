"""Degrees of freedom, rank and redundant rows of the constraints at one state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.formulas.derivative import jacobian, time_derivative
from dalembert.formulas.evaluate import evaluate
from dalembert.formulas.graph import symbols
from dalembert.formulas.variables import time
from dalembert.model import Model

Array = NDArray[np.float64]

TOLERANCE = 1e-9
"""A unit row closer than this to the span of the rows before it counts as dependent."""

WALKS = (0.05, 0.1, 0.2)
"""How far to step away from a state to see whether it is singular, over the largest coordinate."""

NEWTON_STEPS, CLOSED = 20, 1e-9
"""To come back onto the constraints."""


@dataclass(frozen=True)
class RankReport:
    """The constraints of a model at one state.

    Attributes
    ----------
    rank : int              independent rows of J at the state
    rank_elsewhere : int    at ordinary positions nearby; larger where the state is singular
    redundant : tuple       (row, the rows it depends on); none named when the row of J vanishes
    phi, phi_dot : dict     row name -> residual at the state, position and velocity level
    """

    model: str
    coordinates: int
    rows: tuple[str, ...]
    rank: int
    rank_elsewhere: int
    redundant: tuple[tuple[str, tuple[str, ...]], ...]
    phi: Mapping[str, float]
    phi_dot: Mapping[str, float]

    @property
    def degrees_of_freedom(self) -> int:
        """Coordinates less rank, at ordinary positions."""
        return self.coordinates - self.rank_elsewhere

    @property
    def is_singular(self) -> bool:
        """Whether rows are dependent at this state that are not beside it."""
        return self.rank_elsewhere > self.rank


def constraint_rank(model: Model, initial: Mapping[str, float] | None = None) -> RankReport:
    """Rank of the constraint Jacobian at the initial state, and which rows are redundant.

    Parameters
    ----------
    initial : mapping, optional   values by name ("x", "x.dot") over those of the model

    Notes
    -----
    Rows are taken in the order of the model; a row is redundant when its part orthogonal to the
    rows before it is below 1e-9 of its length. The formulas are interpreted, nothing is compiled.
    """
    values = state_values(model, initial or {})
    names, J, phi, phi_dot = _linearised(model, values)
    independent: list[int] = []
    redundant: list[tuple[str, tuple[str, ...]]] = []
    basis: list[Array] = []
    for i, name in enumerate(names):
        length = float(np.linalg.norm(J[i]))
        rest = J[i] / length if length > 0 else J[i]
        for direction in [*basis, *basis]:  # twice: removes what rounding left the first time
            rest = rest - (direction @ rest) * direction
        size = float(np.linalg.norm(rest))
        if length > 0 and size > TOLERANCE:
            basis.append(rest / size)
            independent.append(i)
        else:
            redundant.append((name, _explained(J, i, independent, names)))
    return RankReport(
        model=model.name,
        coordinates=len(model.coordinates),
        rows=tuple(names),
        rank=len(independent),
        rank_elsewhere=_elsewhere(model, values, J, len(independent)),
        redundant=tuple(redundant),
        phi=phi,
        phi_dot=phi_dot,
    )


def _elsewhere(model: Model, values: dict[Any, Any], J: Array, rank: int) -> int:
    """Largest rank met by small steps from the state along what the rows allow, and back on them.

    The state itself may be off the constraints; steps that do not come back say nothing.
    """
    if rank == len(J):
        return rank
    q = np.array([values[coordinate] for coordinate in model.coordinates])
    free = np.linalg.svd(J)[2][rank:]
    scale = max(1.0, float(np.max(np.abs(q))))
    found, random = rank, np.random.default_rng(1)
    for part in WALKS:
        direction = free.T @ random.standard_normal(len(free))
        size = float(np.linalg.norm(direction))
        if not size:
            break
        there = dict(values)
        moved = q + part * scale * direction / size
        for _ in range(NEWTON_STEPS):
            there |= dict(zip(model.coordinates, map(float, moved), strict=True))
            names, rows, phi, _ = _linearised(model, there)
            off = np.array([phi.get(name, 0.0) for name in names])
            if not (np.isfinite(rows).all() and np.isfinite(off).all()):
                break
            if np.max(np.abs(off), initial=0.0) < CLOSED * scale:
                sizes = np.linalg.norm(rows, axis=1, keepdims=True)
                units = rows / np.where(sizes > 0, sizes, 1.0)
                found = max(found, int(np.linalg.matrix_rank(units, tol=1e-7)))
                break
            moved = moved - np.linalg.lstsq(rows, off, rcond=1e-10)[0]
    return found


def state_values(model: Model, initial: Mapping[str, float]) -> dict[Any, Any]:
    """Every symbol of the model with its value at the initial state; missing ones are zero."""
    given = {str(key): value for key, value in {**model.initial, **initial}.items()}
    values: dict[Any, Any] = {time: 0.0}
    for coordinate in model.coordinates:
        values[coordinate] = float(given.get(coordinate.name, 0.0))
        values[coordinate.dot] = float(given.get(f"{coordinate.name}.dot", 0.0))
    return values


def _linearised(
    model: Model, values: dict[Any, Any]
) -> tuple[list[str], Array, dict[str, float], dict[str, float]]:
    """Row names, J, and the residuals at both levels."""
    coordinates = list(model.coordinates)
    velocities = [coordinate.dot for coordinate in coordinates]
    names: list[str] = []
    entries: list[Any] = []
    phi: dict[str, Any] = {}
    phi_dot: dict[str, Any] = {}
    for constraint in model.constraints:
        holonomic = constraint.kind == "holonomic"
        rows = list(constraint.rows)
        entries += jacobian(rows, coordinates if holonomic else velocities)
        rates = time_derivative(rows) if holonomic else rows
        for name, row, rate in zip(constraint.row_names, rows, rates, strict=True):
            names.append(name)
            phi_dot[name] = rate
            if holonomic:
                phi[name] = row
    formulas = [entry for row in entries for entry in row]
    formulas += [*phi.values(), *phi_dot.values()]
    for leaf in symbols(formulas, "parameter"):
        values[leaf] = model.parameters.get(leaf.name, leaf.value)
    numbers = [float(number) for number in evaluate(formulas, values)]
    cut = len(names) * len(coordinates)
    J = np.array(numbers[:cut]).reshape(len(names), len(coordinates))
    residuals = numbers[cut:]
    return (
        names,
        J,
        dict(zip(phi, residuals[: len(phi)], strict=True)),
        dict(zip(phi_dot, residuals[len(phi) :], strict=True)),
    )


def _explained(J: Array, row: int, independent: list[int], names: list[str]) -> tuple[str, ...]:
    """The rows whose combination gives the redundant one."""
    if not independent or not np.any(J[row]):
        return ()
    weights = np.linalg.lstsq(J[independent].T, J[row], rcond=None)[0]
    large = np.abs(weights) > 1e-6 * np.max(np.abs(weights))
    return tuple(names[i] for i, counts in zip(independent, large, strict=True) if counts)
