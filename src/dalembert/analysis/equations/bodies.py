"""Equations of rigid bodies in maximal coordinates, with exact derivatives (analysis 1).

Joints and forces of one kind are evaluated together with NumPy, by the formulas that the joints
state; nothing is compiled. Armature counts as inertia of the joint's coordinate.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.body_coordinates import BodyCoordinates
from dalembert.analysis.equations.pieces import HOLONOMIC
from dalembert.analysis.equations.point import At, Slopes
from dalembert.errors import OptionError
from dalembert.formulas import evaluate
from dalembert.formulas.graph import symbols
from dalembert.model.start.states import States, number, size

Array = NDArray[np.float64]


class BodyEquations(BodyCoordinates):
    """The equations of a model of bodies with quaternions."""

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        values = self._parameters
        self._mass = np.array([number(b.inertia.mass, values) for b in self.bodies])
        self._theta = np.array(
            [[[number(x, values) for x in row] for row in b.inertia.matrix] for b in self.bodies]
        ).reshape(self.n, 3, 3)
        self._armature = _armature(model)
        self.lengths = np.tile([1.0] * 3 + [size(model)] * 3, self.n)

    # -- values ----------------------------------------------------------------------------------

    def at(self, t: float, q: Array, v: Array) -> At:
        """The equations at a state."""
        states = self.states(t, q, v)
        m, wide = len(self.row_names), self.nv + 6
        phi, phi_dot, gamma = (np.zeros(m) for _ in range(3))
        J, force = np.zeros((m, wide)), np.zeros(wide)
        for part in self._row_parts:
            found = self._evaluated(part.piece.values, part, states)
            for name, target in (("phi", phi), ("phi_dot", phi_dot), ("gamma", gamma), ("J", J)):
                self._add(target, part, found.get(name))
        for part in self._load_parts:
            found = self._evaluated(part.piece.values, part, states)
            self._add(force, part, found.get("F"), by_body=True)
        M, own = self._inertia(states)
        made = At(t, q, v, M, force[: self.nv] + own, J[:, : self.nv], gamma, phi, phi_dot)
        return self._with_armature(made)

    def closing(self, t: float, q: Array) -> tuple[Array, Array]:
        """Residuals and J of the rows of positions alone."""
        states = self.states(t, q, np.zeros(self.nv))
        m = len(self.row_names)
        phi, J = np.zeros(m), np.zeros((m, self.nv + 6))
        for part in self._row_parts:
            if part.piece.level == HOLONOMIC:
                found = self._evaluated(part.piece.closing, part, states)
                self._add(phi, part, found.get("phi"))
                self._add(J, part, found.get("J"))
        return phi[: self.holonomic], J[: self.holonomic, : self.nv]

    def open_by(self, t: float, q: Array) -> Array:
        """Residuals of the rows of positions."""
        still, phi = np.zeros(self.nv), np.zeros(len(self.row_names))
        states = self.states(t, q, still) if self.rows_turn else States.of(t, q, still)
        for part in self._row_parts:
            if part.piece.level == HOLONOMIC:
                found = self._evaluated(part.piece.residuals, part, states)
                self._add(phi, part, found.get("phi"))
        return phi[: self.holonomic]

    def _inertia(self, states: States) -> tuple[Array, Array]:
        """Mass matrix; gravity and gyroscopic torques."""
        M, own = np.zeros((self.n, 6, self.n, 6)), np.zeros((self.n, 6))
        theta, w = self._turned(states), states.spin[: self.n, 0]
        b, k = np.arange(self.n)[:, None], np.arange(3)
        M[b, k, b, k] = self._mass[:, None]
        M[b[:, :, None], 3 + k[:, None], b[:, :, None], 3 + k] = theta
        own[:, :3] = self._mass[:, None] * self._gravity(float(states.t[0]))
        own[:, 3:] = -np.cross(w, np.einsum("bij,bj->bi", theta, w))
        return M.reshape(self.nv, self.nv), own.ravel()

    def _gravity(self, t: float) -> Array:
        given = list(self.model.gravity)
        values: dict[Any, Any] = dict.fromkeys(symbols(given, "time"), t)
        for leaf in symbols(given, "parameter"):
            values[leaf] = self._parameters.get(leaf.name, leaf.value)
        return np.array([float(x) for x in evaluate(given, values)])

    def _turned(self, states: States) -> Array:
        """Moments of inertia in world axes."""
        R = states.R[: self.n, 0]
        theta = R @ self._theta @ R.transpose(0, 2, 1)
        return np.asarray((theta + theta.transpose(0, 2, 1)) / 2.0)

    # -- derivatives -----------------------------------------------------------------------------

    def slopes(self, at: At, a: Array, lam: Array) -> Slopes:
        """Derivatives of everything, with these accelerations and multipliers."""
        states = self.states(at.t, at.q, at.v)
        m, wide = len(self.row_names), self.nv + 6
        K, D = np.zeros((wide, wide)), np.zeros((wide, wide))
        P, Sq, Sv = (np.zeros((m, wide)) for _ in range(3))
        for part in self._row_parts:
            held = self._held(part, a, lam[part.row_array])
            found = self._evaluated(part.piece.slopes, part, states, held)
            for name, target in (("P", P), ("Sq", Sq), ("Sv", Sv)):
                self._add(target, part, found.get(name))
            self._add(K, part, _negative(found.get("Wq")), by_body=True)
            self._add(D, part, _negative(found.get("Wv")), by_body=True)
        for part in self._load_parts:
            found = self._evaluated(part.piece.slopes, part, states)
            self._add(K, part, _negative(found.get("Fq")), by_body=True)
            self._add(D, part, _negative(found.get("Fv")), by_body=True)
        n = self.nv
        made = Slopes(K[:n, :n], D[:n, :n], P[:, :n], Sq[:, :n], Sv[:, :n])
        self._inertia_slopes(states, a, made)
        self._armature_slopes(at, a, made)
        return made

    def stiffness(self, at: At, lam: Array) -> Array:
        """K at rest, where nothing is accelerated."""
        states, wide = self.states(at.t, at.q, at.v), self.nv + 6
        K = np.zeros((wide, wide))
        for part in self._row_parts:
            held = self._held(part, at.v, lam[part.row_array])
            found = self._evaluated(part.piece.stiffness, part, states, held)
            self._add(K, part, _negative(found.get("Wq")), by_body=True)
        for part in self._load_parts:
            found = self._evaluated(part.piece.stiffness, part, states)
            self._add(K, part, _negative(found.get("Fq")), by_body=True)
        return K[: self.nv, : self.nv]

    def _inertia_slopes(self, states: States, a: Array, made: Slopes) -> None:
        """Add those of  Theta w' + w x Theta w,  by rotations and by w (analysis 1.3)."""
        n = self.n
        T, w, alpha = self._turned(states), states.spin[:n, 0], a.reshape(n, 6)[:, 3:]
        W, momentum = _skews(w), _skews(np.einsum("bij,bj->bi", T, w))
        b = np.arange(n)[:, None, None]
        k = 6 * b + 3 + np.arange(3)[:, None], 6 * b + 3 + np.arange(3)
        made.K[k] += T @ _skews(alpha) - _skews(np.einsum("bij,bj->bi", T, alpha))
        made.K[k] += W @ (T @ W - momentum)
        made.D[k] += W @ T - momentum

    # -- armature --------------------------------------------------------------------------------

    def _with_armature(self, at: At) -> At:
        """I x'' of coordinates x with armature I:  M + G^T I G  and  force - G^T I gamma."""
        if not self._armature:
            return at
        names = [name for name, _ in self._armature]
        found = self.rows(names, at, np.zeros(self.nv), slopes=False)
        weight = np.array([value for _, value in self._armature])
        M = at.M + found.G.T @ (weight[:, None] * found.G)
        force = at.force - found.G.T @ (weight * found.gamma)
        return At(at.t, at.q, at.v, M, force, at.J, at.gamma, at.phi, at.phi_dot)

    def _armature_slopes(self, at: At, a: Array, made: Slopes) -> None:
        for name, value in self._armature:
            found = self.rows([name], at, a)
            second = float((found.G @ a + found.gamma)[0])
            made.K[:] += self.pull_slope(name, at, a, value * second)
            made.K[:] += value * np.outer(found.G[0], found.Sq[0])
            made.D[:] += value * np.outer(found.G[0], found.Sv[0])


def _armature(model: Any) -> list[tuple[str, float]]:
    """Coordinates along which drives have inertia, and how much."""
    found = []
    for joint, given in model.armature.items():
        parts = model.joints[joint].named_parts
        for k, value in enumerate(given):
            if value and k >= len(parts):
                raise OptionError(
                    f"model {model.name!r}: the armature of joint {joint!r} acts along no "
                    "coordinate that has a name, and is not linearised. Leave it out, or give the "
                    "rotors as bodies."
                )
            if value:
                found.append((f"{joint}.{parts[k]}", float(value)))
    return found


def _skews(x: Array) -> Array:
    """Matrices of  x cross,  of vectors (b, 3)."""
    return np.asarray(np.cross(x[:, None, :], np.eye(3)).transpose(0, 2, 1))


def _negative(found: Any) -> Any:
    return None if found is None else (found[0], found[1], -found[2])
