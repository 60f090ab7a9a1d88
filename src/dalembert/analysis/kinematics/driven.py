"""A mechanism with one coordinate driven: its place, velocity and acceleration (analysis 6.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from dalembert.analysis.equations.constrained import split
from dalembert.analysis.equations.point import At, Equations, Place, Rows, Still
from dalembert.analysis.kinematics.winding import Winding
from dalembert.errors import OptionError
from dalembert.formulas.expression import Expression
from dalembert.model.start.states import turned_by

Array = NDArray[np.float64]

MOST = 25
EXACT = 1e-14
CLOSED = 1e-12
"""Residual over the size of its row."""

REACH = 0.5
"""Longest step of Newton's method, over the size of the model."""


class Driven:
    """Rows of a model, those of coordinates that are held, and the driven coordinate."""

    def __init__(
        self, equations: Equations, t: float, drive: Any, held: Sequence[Any], q: Array
    ) -> None:
        self._winding = Winding(equations)
        equations = self._winding.equations
        self.equations, self.t, self.drive = equations, t, drive
        self.held = list(held)
        self.is_angle = is_angle(drive)
        at = self.still(q)
        equations.gradients([drive], at)  # refuses what is no coordinate
        self.targets = self._coordinates(self.held, at).x if self.held else np.zeros(0)
        J = self._rows(equations.at(t, q, at.v).J, at)
        parts = split(J, equations.lengths)
        free = parts.Z.shape[1]
        if free != 1:
            raise OptionError(
                f"kinematics: model {equations.model.name!r} has {free} freedoms"
                + (" beside what is held" if held else "")
                + ", and one is driven."
                + (" Hold others with hold=[...]." if free > 1 else " It cannot move.")
            )
        self.rank = len(parts.chosen)
        """How many rows are independent at the start."""

    def at(self, q: Array, v: Array) -> At:
        """The equations at a state."""
        return self.equations.at(self.t, q, v)

    def still(self, q: Array) -> Still:
        """A place at rest."""
        return Still(self.t, q, np.zeros(self.equations.nv))

    def _coordinates(self, names: Sequence[Any], at: Place) -> Rows:
        return self.equations.rows(names, at, at.v, slopes=False)

    def _rows(self, J: Array, at: Place) -> Array:
        """J of the constraints and of what is held."""
        if self.held:
            J = np.concatenate([J, self.equations.gradients(self.held, at)])
        return J

    def value(self, q: Array) -> float:
        """The driven coordinate."""
        return float(self._coordinates([self.drive], self.still(q)).x[0])

    def off(self, q: Array, value: float) -> float:
        """How far the driven coordinate is from a value; angles by the shorter way."""
        way = value - self.value(q)
        return float(np.remainder(way + np.pi, 2 * np.pi) - np.pi) if self.is_angle else way

    def way(self, q: Array, other: Array) -> Array:
        """The displacement from one place to another."""
        return turned_by(q, other) if self.equations.model.is_maximal else other - q

    # -- places ----------------------------------------------------------------------------------

    def close(self, q: Array, value: float) -> Array | None:
        """The place with this value that Newton's method finds from a guess, or None."""
        equations, lengths = self.equations, self.equations.lengths
        last = np.inf
        for _ in range(MOST):
            self._winding.wind(self.still(q), value)
            J, G, rest = self._residuals(q, value)
            if not np.isfinite(rest).all():
                return None
            rows = np.concatenate([J, G]) / lengths
            sizes = np.linalg.norm(rows, axis=1)
            sizes = np.where(sizes > 1e-12, sizes, 1.0)
            off = float((np.abs(rest) / sizes).max())
            if off <= EXACT or (off <= CLOSED and off >= 0.5 * last):
                return q
            last = off
            u = np.linalg.lstsq(rows / sizes[:, None], rest / sizes, rcond=1e-10)[0] / lengths
            reach = float(np.abs(u * lengths).max())
            q = equations.displaced(q, u * min(1.0, REACH * float(lengths.max()) / (reach or 1.0)))
        return None

    def reached(self, q: Array, value: float) -> None:
        """Note a place on the way, from which turns are counted on."""
        self._winding.reached(self.still(q), value)

    def _residuals(self, q: Array, value: float) -> tuple[Array, Array, Array]:
        """J of constraints and held coordinates, G of the drive, and what is missing."""
        equations = self.equations
        phi, J = equations.closing(self.t, q)
        found = self._coordinates([*self.held, self.drive], self.still(q))
        missing = np.concatenate([self.targets, [value]]) - found.x
        if self.is_angle:
            missing[-1] = np.remainder(missing[-1] + np.pi, 2 * np.pi) - np.pi
        for k, name in enumerate(self.held):
            if is_angle(name):
                missing[k] = np.remainder(missing[k] + np.pi, 2 * np.pi) - np.pi
        J = np.concatenate([J, found.G[:-1]])
        return J, found.G[-1:], np.concatenate([-phi, missing])

    def _all_rows(self, q: Array) -> Array:
        """J of all rows, those of velocities included."""
        if self.equations.holonomic == len(self.equations.row_names):
            return self.equations.closing(self.t, q)[1]
        return self.at(q, np.zeros(self.equations.nv)).J

    # -- motion ----------------------------------------------------------------------------------

    def moving(self, q: Array, speed: float, second: float) -> tuple[Array, Array]:
        """Velocity and acceleration for a speed and acceleration of the drive."""
        equations, lengths = self.equations, self.equations.lengths
        at = self.at(q, np.zeros(equations.nv))
        rows = np.concatenate([self._rows(at.J, at), equations.gradients([self.drive], at)])
        wanted = np.concatenate([-at.phi_dot, np.zeros(len(self.held)), [speed]])
        v = _solved(rows / lengths, wanted) / lengths
        at = self.at(q, v)
        found = self._coordinates([*self.held, self.drive], at)
        wanted = np.concatenate([-at.gamma, -found.gamma])
        wanted[-1] += second
        return v, _solved(rows / lengths, wanted) / lengths

    def tangent(self, q: Array, ahead: Array | None = None) -> tuple[Array, float]:
        """The free displacement, of unit length, and what it does to the drive.

        It goes along `ahead` where that is given, else forward.
        """
        at, lengths = self.still(q), self.equations.lengths
        _, _, Vt = np.linalg.svd(self._unit_rows(q, at))
        u = Vt[-1] / lengths
        G = self.equations.gradients([self.drive], at)[0]
        turned = float((ahead * lengths) @ (u * lengths)) if ahead is not None else float(G @ u)
        u = -u if turned < 0.0 else u
        return u, float(G @ u)

    def _unit_rows(self, q: Array, at: Place) -> Array:
        """All rows, of unit size, turns counted as lengths."""
        rows = self._rows(self._all_rows(q), at) / self.equations.lengths
        sizes = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(sizes > 1e-12, sizes, 1.0))

    def margin(self, q: Array) -> tuple[float, float]:
        """Smallest singular value of the rows, and of these with the drive, over the largest.

        Of as many as are independent at the start; which ones are differs from place to place.
        """
        at = self.still(q)
        J = self._unit_rows(q, at)
        G = self.equations.gradients([self.drive], at) / self.equations.lengths
        G /= np.linalg.norm(G) or 1.0
        own = np.linalg.svd(J, compute_uv=False)
        both = np.linalg.svd(np.concatenate([J, G]), compute_uv=False)
        first = float(own[self.rank - 1] / own[0]) if self.rank else 1.0
        return first, float(both[self.rank] / both[0])


def _solved(rows: Array, wanted: Array) -> Array:
    return np.asarray(la.lstsq(rows, wanted, cond=1e-11, lapack_driver="gelsd")[0])


def is_angle(name: Any) -> bool:
    """Whether a coordinate is an angle, by its name; formulas are taken as they are."""
    if isinstance(name, Expression):
        return False
    part = str(name).rpartition(".")[2]
    return part.startswith("angle") or part in ("roll", "pitch", "yaw")
