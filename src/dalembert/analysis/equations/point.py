"""The equations of motion at one state, and how they change around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Place(Protocol):
    """A state: what coordinates need of it."""

    @property
    def t(self) -> float:
        """Moment."""

    @property
    def q(self) -> Array:
        """Coordinates."""

    @property
    def v(self) -> Array:
        """Velocities."""


@dataclass(frozen=True)
class Still:
    """A place at rest."""

    t: float
    q: Array
    v: Array


@dataclass(frozen=True)
class At:
    """M a = force + J^T lam,  phi'' = J a + gamma,  at one state (analysis 1.1).

    phi : (m,)      residuals; 0 in velocity rows
    phi_dot : (m,)  their rates; residuals of velocity rows
    """

    t: float
    q: Array
    v: Array
    M: Array
    force: Array
    J: Array
    gamma: Array
    phi: Array
    phi_dot: Array


@dataclass(frozen=True)
class Slopes:
    """Derivatives by displacements and velocities, with a and lam held (analysis 1.2).

    K = d(M a - force - J^T lam)/dq,  D = the same by v,
    P = d(phi')/dq,  Sq = d(phi'')/dq,  Sv = d(phi'')/dv
    """

    K: Array
    D: Array
    P: Array
    Sq: Array
    Sv: Array


@dataclass(frozen=True)
class Rows:
    """Coordinates as rows: value, rate, G = dx/dq, gamma, and with accelerations held P, Sq, Sv."""

    x: Array
    rate: Array
    G: Array
    gamma: Array
    P: Array
    Sq: Array
    Sv: Array


@dataclass(frozen=True)
class Signals:
    """Formulas at a state, with their derivatives by displacements, velocities, accelerations."""

    y: Array
    Yq: Array
    Yv: Array
    Ya: Array


class Equations(Protocol):
    """The equations of a model, of bodies or of formulas."""

    model: Any
    nv: int
    holonomic: int
    row_names: list[str]
    """Names of the rows, position rows first."""
    owners: list[str]
    """The joint or constraint that each row belongs to."""
    velocity_names: list[str]
    lengths: Array
    """By which velocities and displacements become lengths  [m]; ones for formulas."""
    turning: Any
    """Counts full turns of hinges (`equations.turning`), or None."""

    def at(self, t: float, q: Array, v: Array) -> At:
        """The equations at a state."""

    def closing(self, t: float, q: Array) -> tuple[Array, Array]:
        """Residuals and J of the rows of positions alone."""

    def open_by(self, t: float, q: Array) -> Array:
        """Residuals of the rows of positions."""

    def slopes(self, at: At, a: Array, lam: Array) -> Slopes:
        """Their derivatives, with these accelerations and multipliers."""

    def stiffness(self, at: At, lam: Array) -> Array:
        """K at rest, where nothing is accelerated."""

    def displaced(self, q: Array, u: Array) -> Array:
        """q (+) u."""

    def bracket(self, v: Array) -> Array:
        """Omega of  u' = dv + Omega u,  u being a small displacement from a motion with v."""

    def gradients(self, names: Sequence[Any], at: Place) -> Array:
        """G of coordinates, without anything else."""

    def candidates(self) -> list[str]:
        """Names of coordinates that may be independent ones, the best first."""

    def rows(self, names: Sequence[Any], at: Place, a: Array, *, slopes: bool = True) -> Rows:
        """Coordinates by name as rows; without `slopes` those of P, Sq and Sv are zero."""

    def signals(self, formulas: Sequence[Any], at: At, a: Array) -> Signals:
        """Formulas with their derivatives."""

    def by_parameters(self, at: At, names: Sequence[str]) -> Array:
        """d(force)/d(parameter), a column each."""

    def parameters(self) -> Mapping[str, float]:
        """Values of the parameters."""
