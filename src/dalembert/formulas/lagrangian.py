"""Equations of motion M v' = Q from a Lagrangian, or from a map of the coordinates to the world.

From L = T - V by Lagrange's equations d/dt L_v - L_q = Q_nc:

    M = L_vv ,    Q = L_q - (L_vq v + L_vt) + Q_nc .

From positions x(q, t) and rotations R(q, t) (equations 2, sums over masses):

    M = m J^T J + Jw^T I Jw ,
    Q = J^T m (g - a0) - Jw^T (I w0 + w x I w) + Q_nc ,

with x' = J v + x_t, w = Jw v + w_t, and a0, w0 the parts of their derivatives without v'. The term
w x I w is not optional: angular velocity is not the derivative of anything. Angular quantities are
in body axes, where I is constant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from dalembert.errors import FormulaError
from dalembert.formulas.derivative import directional, jacobian, time_derivative
from dalembert.formulas.expression import ONE, TIME, ZERO, Expression, lift
from dalembert.formulas.graph import symbols
from dalembert.formulas.text import to_text

Matrix = list[list[Expression]]


class ParticleLike(Protocol):
    """A point mass: `mass` [kg] and `position`, 2 or 3 formulas [m]."""

    @property
    def mass(self) -> Any: ...  # noqa: D102
    @property
    def position(self) -> Any: ...  # noqa: D102


class PlanarBodyLike(ParticleLike, Protocol):
    """A planar body: also `inertia` about the centre of mass [kg m^2] and `angle` [rad]."""

    @property
    def inertia(self) -> Any: ...  # noqa: D102
    @property
    def angle(self) -> Any: ...  # noqa: D102


class SpatialBodyLike(ParticleLike, Protocol):
    """A spatial body: also `inertia`, 3 x 3 in body axes, and `rotation`, R_WB as 3 x 3 formulas.

    An attribute `w_WB_B`, the angular velocity in body axes as 3 formulas linear in the velocities,
    is used when there is one; formulas derived from R_WB are correct but longer.
    """

    @property
    def inertia(self) -> Any: ...  # noqa: D102
    @property
    def rotation(self) -> Any: ...  # noqa: D102


class MapEquations(NamedTuple):
    """Equations of motion, as `equations_from_map` returns them."""

    mass: Matrix
    force: list[Expression]
    kinetic: Expression
    potential: Expression
    """Potential energy of gravity alone."""


def equations_from_lagrangian(
    kinetic: Any,
    potential: Any,
    forces: Mapping[Expression, Any] | None,
    coordinates: Sequence[Expression],
) -> tuple[Matrix, list[Expression]]:
    """Mass matrix and right-hand side of M v' = Q.

    Parameters
    ----------
    kinetic, potential : formulas  [J]
    forces : mapping or None        coordinate -> generalised force not in the potential  [N, N m]
    coordinates : sequence          in the order of the rows

    Returns
    -------
    M : n x n formulas, symmetric
    Q : n formulas

    Examples
    --------
    >>> from dalembert.formulas import coordinates, parameters
    >>> (x,) = coordinates("x")
    >>> m, k = parameters(m=2.0, k=3.0)
    >>> equations_from_lagrangian(m * x.dot**2 / 2, k * x**2 / 2, None, [x])
    ([[m]], [-k*x])
    """
    coordinates = list(coordinates)
    kinetic, potential = lift(kinetic), lift(potential)
    check_symbols([kinetic], coordinates, "The kinetic energy")
    check_symbols([potential], coordinates, "The potential energy")
    lagrangian = kinetic - potential
    velocities = [q.dot for q in coordinates]
    momenta = jacobian([lagrangian], velocities)[0]
    M = _mirrored(jacobian(momenta, velocities))
    for i, row in enumerate(M):
        if symbols(row, "velocity"):
            raise FormulaError(
                f"The kinetic energy is not quadratic in the velocities: the momentum of "
                f"'{coordinates[i].name}' is {to_text(momenta[i], 120)}. Give T as a sum of "
                "squares of velocities times masses, or give the equations with "
                "Model.from_matrices."
            )
    gradient = jacobian([lagrangian], coordinates)[0]
    change = time_derivative(momenta, coordinates)
    Q = [g - c for g, c in zip(gradient, change, strict=True)]
    return M, _with_forces(Q, forces, coordinates)


def equations_from_map(
    coordinates: Sequence[Expression],
    *,
    particles: Sequence[ParticleLike] = (),
    planar_bodies: Sequence[PlanarBodyLike] = (),
    spatial_bodies: Sequence[SpatialBodyLike] = (),
    gravity: Sequence[Any] | None = None,
    forces: Mapping[Expression, Any] | None = None,
) -> MapEquations:
    """Equations of masses placed by formulas of the coordinates (and of time).

    Parameters
    ----------
    coordinates : sequence          in the order of the rows
    particles, planar_bodies, spatial_bodies : sequences of objects with the attributes of
        `ParticleLike`, `PlanarBodyLike`, `SpatialBodyLike`; positions are of centres of mass
    gravity : 2 or 3 formulas       as many as the positions have; None for none  [m/s^2]
    forces : mapping or None        coordinate -> generalised force  [N, N m]
    """
    sum_ = _Sum(list(coordinates))
    for body in (*particles, *planar_bodies, *spatial_bodies):
        sum_.add_mass(lift(body.mass), _lifted(body.position), gravity)
    for planar in planar_bodies:
        # the plane is one angle of a spatial body: w = angle', no gyroscopic term
        w = time_derivative([lift(planar.angle)], sum_.coordinates)
        sum_.add_turning([[lift(planar.inertia)]], w)
    for spatial in spatial_bodies:
        I_Bcm = [_lifted(row) for row in spatial.inertia]
        w_WB_B = getattr(spatial, "w_WB_B", None)
        if w_WB_B is None:
            w_WB_B = angular_velocity([_lifted(r) for r in spatial.rotation], sum_.coordinates)
        sum_.add_turning(I_Bcm, _lifted(w_WB_B))
    Q = _with_forces(sum_.Q, forces, sum_.coordinates)
    return MapEquations(_mirrored(sum_.M), Q, sum_.kinetic, sum_.potential)


def angular_velocity(rotation: Matrix, coordinates: Sequence[Expression]) -> list[Expression]:
    """w_WB_B of a rotation matrix R_WB(q, t): the axial vector of R^T R'."""
    R = np.array(rotation, dtype=object)
    velocities = {q: q.dot for q in coordinates}
    used = symbols(R.ravel(), "coordinate", "time")
    w = np.array([ZERO, ZERO, ZERO], dtype=object)
    for symbol in used:
        rate = ONE if symbol is TIME else velocities.get(symbol)
        if rate is None:
            continue
        slopes = directional(list(R.ravel()), {symbol: ONE})
        S = np.array(slopes, dtype=object).reshape(3, 3)
        # one column of Jw at a time: the velocity multiplies a short formula of positions
        axis = [R[:, 2] @ S[:, 1], R[:, 0] @ S[:, 2], R[:, 1] @ S[:, 0]]
        w = w + np.array(axis, dtype=object) * rate
    return list(w)


class _Sum:
    """M, Q, T and V as sums over masses; M is filled in its lower triangle."""

    def __init__(self, coordinates: list[Expression]) -> None:
        n = len(coordinates)
        self.coordinates = coordinates
        self.velocities = [q.dot for q in coordinates]
        self.M: Matrix = [[ZERO] * n for _ in range(n)]
        self.Q: list[Expression] = [ZERO] * n
        self.kinetic = ZERO
        self.potential = ZERO

    def add_mass(
        self, mass: Expression, position: list[Expression], gravity: Sequence[Any] | None
    ) -> None:
        """m J^T J v' = m J^T (g - a0)."""
        check_symbols([mass, *position], self.coordinates, "A position")
        g = [ZERO] * len(position) if gravity is None else _lifted(gravity)
        if len(g) != len(position):
            raise FormulaError(
                f"The position {position} has {len(position)} entries, gravity {len(g)}. "
                "Give both in the plane or both in space."
            )
        J = jacobian(position, self.coordinates)
        rate = time_derivative(position, self.coordinates)
        a0 = time_derivative(rate, self.coordinates)
        self._add(mass, J, [gi - ai for gi, ai in zip(g, a0, strict=True)])
        self.kinetic = self.kinetic + mass * _dot(rate, rate) / 2
        self.potential = self.potential - mass * _dot(g, position)

    def add_turning(self, inertia: Matrix, w: list[Expression]) -> None:
        """Jw^T I Jw v' = -Jw^T (I w0 + w x I w), body axes; one row of w for a planar body."""
        check_symbols(w, self.coordinates, "An angular velocity")
        Jw = jacobian(w, self.velocities)
        w0 = time_derivative(w, self.coordinates)
        momentum = [_dot(row, w) for row in inertia]
        moment = [-_dot(row, w0) for row in inertia]
        if len(w) == 3:
            for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
                moment[k] = moment[k] - (w[i] * momentum[j] - w[j] * momentum[i])
        columns = list(zip(*Jw, strict=True))
        scaled = [[_dot(row, column) for row in inertia] for column in columns]  # I Jw
        for i, column in enumerate(columns):
            if all(c is ZERO for c in column):
                continue
            self.Q[i] = self.Q[i] + _dot(column, moment)
            for j in range(i + 1):
                self.M[i][j] = self.M[i][j] + _dot(column, scaled[j])
        self.kinetic = self.kinetic + _dot(w, momentum) / 2

    def _add(self, mass: Expression, J: Matrix, field: list[Expression]) -> None:
        """M += m J^T J, Q += m J^T field."""
        columns = list(zip(*J, strict=True))
        for i, column in enumerate(columns):
            if all(c is ZERO for c in column):
                continue
            self.Q[i] = self.Q[i] + mass * _dot(column, field)
            for j in range(i + 1):
                self.M[i][j] = self.M[i][j] + mass * _dot(column, columns[j])


def check_symbols(formulas: Sequence[Expression], known: Sequence[Expression], what: str) -> None:
    """Refuse coordinates and velocities outside the list of coordinates."""
    names = {q.name for q in known}
    for symbol in symbols(formulas, "coordinate", "velocity"):
        if symbol.name not in names:
            raise FormulaError(
                f"{what} contains '{to_text(symbol)}', which is not among the coordinates "
                f"{', '.join(names) or '(none)'}. Add '{symbol.name}' to the coordinates."
            )


def _with_forces(
    Q: list[Expression],
    forces: Mapping[Expression, Any] | None,
    coordinates: Sequence[Expression],
) -> list[Expression]:
    given = {q: lift(f) for q, f in (forces or {}).items()}
    check_symbols([*given, *given.values()], coordinates, "A force")
    for q in given:
        if q.op != "coordinate":
            raise FormulaError(f"A force is given for {q}. Give it for a coordinate.")
    return [value + given.get(q, ZERO) for q, value in zip(coordinates, Q, strict=True)]


def _lifted(values: Any) -> list[Expression]:
    return [lift(v) for v in values]


def _dot(a: Sequence[Expression], b: Sequence[Expression]) -> Expression:
    total = ZERO
    for x, y in zip(a, b, strict=True):
        if x is not ZERO and y is not ZERO:
            total = total + x * y
    return total


def _mirrored(M: Matrix) -> Matrix:
    """The symmetric matrix with the lower triangle of M."""
    n = len(M)
    return [[M[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
