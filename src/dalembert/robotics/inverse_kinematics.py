"""Inverse kinematics: damped least squares within limits (Nakamura & Hanafusa 1986, Wampler 1986).

The step u from q solves  min |J u - e|^2 + mu^2 |u|^2  with e the way and rotation still to go. It
is taken if it brings the frame nearer; mu shrinks then and grows otherwise (Levenberg, Marquardt).
A coordinate that would leave its limits is put on the limit, and the others solve again for what
is left. Loops of the model add their rows to J and e.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dalembert.errors import ModelError, OptionError
from dalembert.model.basics.frame import Frame
from dalembert.model.basics.rotation import as_rotation, quaternion_of_matrix
from dalembert.system.tree_layout import FREE, SPHERICAL, LinkData, link_tables

if TYPE_CHECKING:
    from dalembert.robotics.tree import Tree

Array = npt.NDArray[np.float64]

STEPS = 100
"""Most steps of one search."""

STALLED = 12
"""Steps in a row that bring nothing, after which a search ends."""


@dataclass(frozen=True)
class Reached:
    """Result of `Tree.inverse_kinematics`.

    Attributes
    ----------
    q : (nq,)
        The configuration, or the nearest one found.
    success : bool
    message : str
        In words: what was reached, or what is missing and which limits hold.
    position_error, rotation_error : float  [m], [rad]
    loop_error : float
        Largest residual of the loops of the model.
    steps, attempts : int
    """

    q: Array
    success: bool
    message: str
    position_error: float
    rotation_error: float
    loop_error: float
    steps: int
    attempts: int


class Search:
    """One target for one frame."""

    def __init__(
        self, tree: Tree, frame: Frame, target: Any, lower: Array, upper: Array, tolerance: float
    ) -> None:
        self.tree = tree
        self.frame = frame
        self.position, self.rotation = _read(target)
        self.lower, self.upper = lower, upper
        self.tolerance = tolerance
        self.closing = bool(tree.loops or tree.tables.constraints)
        records = link_tables(tree.tables.integers, tree.tables.numbers)[1]
        spans = LinkData.span("frame_origin"), LinkData.span("center")
        arms = np.hstack([records[:, span] for span in spans])
        # A radian counts as much as the longest arm.
        self.length = float(np.abs(arms).max(initial=0.0)) or 1.0
        self.q_of = np.full(tree.nv, -1)
        for joint in tree.joints:
            if joint.kind not in (SPHERICAL, FREE):
                self.q_of[joint.v] = np.arange(joint.q.start, joint.q.stop)

    def run(self, begin: Array, attempts: int, seed: int) -> Reached:
        """The first success, or the nearest of all attempts."""
        best: Reached | None = None
        steps = 0
        for attempt in range(max(1, attempts)):
            q = self._clipped(begin if attempt == 0 else self.tree.random(seed + attempt))
            found = self._from(q, steps, attempt + 1)
            steps = found.steps
            if best is None or found.success or self._cost(found.q) < self._cost(best.q):
                best = found
            if found.success:
                break
        assert best is not None
        return best

    def _from(self, q: Array, steps: int, attempt: int) -> Reached:
        mu, stalled = 0.1 * self.length, 0
        e = self._error(q)
        for _ in range(STEPS):
            if self._close(e) or stalled >= STALLED:
                break
            steps += 1
            moved = self._clipped(self.tree.integrate(q, self._step(q, e, mu)))
            after = self._error(moved)
            gain = float(e @ e - after @ after)
            if gain > 0.0:
                stalled = stalled + 1 if gain < 1e-6 * float(e @ e) else 0
                q, e, mu = moved, after, 0.1 * mu
            else:
                mu, stalled = max(4.0 * mu, 1e-8 * self.length), stalled + 1
        return self._told(q, e, steps, attempt)

    def _error(self, q: Array) -> Array:
        place = self.tree.placement(self.frame, q)
        parts = [self.position - place.position]
        if self.rotation is not None:
            parts.append(self.length * _rotation_vector(self.rotation @ place.rotation.T))
        if self.closing:
            parts.append(-self.tree.loop_residual(q))
        return np.concatenate(parts)

    def _jacobian(self, q: Array) -> Array:
        J = self.tree.jacobian(self.frame, q)
        parts = [J[:3]]
        if self.rotation is not None:
            parts.append(self.length * J[3:])
        if self.closing:
            count = len(self.tree.loop_residual(q))
            parts.append(self.tree.loop_jacobian(q)[:count])
        return np.concatenate(parts)

    def _step(self, q: Array, e: Array, mu: float) -> Array:
        """Damped least squares; coordinates that hit a limit are held there."""
        J = self._jacobian(q)
        u, free = np.zeros(self.tree.nv), np.ones(self.tree.nv, dtype=bool)
        for _ in range(self.tree.nv + 1):
            A, rest = J[:, free], e - J[:, ~free] @ u[~free]
            damped = A.T @ A + mu * mu * np.eye(A.shape[1])
            u[free] = np.linalg.lstsq(damped, A.T @ rest, rcond=None)[0]
            held = free & (self.q_of >= 0)
            k = self.q_of[held]
            inside = np.clip(q[k] + u[held], self.lower[k], self.upper[k]) - q[k]
            over = inside != u[held]
            if not over.any():
                break
            where = np.flatnonzero(held)[over]
            u[where], free[where] = inside[over], False
            if not free.any():
                break
        return u

    def _clipped(self, q: Array) -> Array:
        return np.clip(q, self.lower, self.upper)

    def _cost(self, q: Array) -> float:
        e = self._error(q)
        return float(e @ e)

    def _parts(self, e: Array) -> tuple[float, float, float]:
        turned = 3 if self.rotation is None else 6
        rotation = float(np.linalg.norm(e[3:turned])) / self.length
        return float(np.linalg.norm(e[:3])), rotation, float(np.abs(e[turned:]).max(initial=0.0))

    def _close(self, e: Array) -> bool:
        return max(self._parts(e)) <= self.tolerance

    def _told(self, q: Array, e: Array, steps: int, attempt: int) -> Reached:
        place, turn, loop = self._parts(e)
        success = self._close(e)
        label = self.frame.label
        if success:
            message = f"'{label}' is at the target after {steps} steps."
        else:
            message = f"'{label}' stays {place:.3g} m"
            if self.rotation is not None:
                message += f" and {np.degrees(turn):.3g} degrees"
            message += f" off the target, after {attempt} attempts of {steps} steps in all."
            held = self._held(q)
            if held:
                message += f" At their limits: {', '.join(held)}."
            if loop > self.tolerance:
                message += f" Loops are open by {loop:.3g}."
            message += " Choose a nearer target, wider limits, or another q0."
        return Reached(q, success, message, place, turn, loop, steps, attempt)

    def _held(self, q: Array) -> list[str]:
        ends = (q <= self.lower) | (q >= self.upper)
        return [name for name, end in zip(self.tree.coordinate_names, ends, strict=True) if end]


def _read(target: Any) -> tuple[Array, Array | None]:
    """Position, and rotation matrix if one was given."""
    try:
        if len(target) == 2:
            position, rotation = target
            R = as_rotation(rotation).matrix
        else:
            position, R = target, None
        place = np.array([float(x) for x in position])
    except (TypeError, ValueError, ModelError) as problem:
        raise OptionError(f"inverse kinematics: target {target!r:.80}: {problem}") from None
    if place.shape != (3,) or not np.isfinite(place).all():
        raise OptionError(
            f"inverse kinematics: target {target!r:.80} is no place. Give a position of 3 numbers, "
            "or (position, rotation)."
        )
    return place, R


def _rotation_vector(R: Array) -> Array:
    """Axis times angle of a rotation matrix."""
    w, *rest = quaternion_of_matrix(R)
    axis = np.array(rest) * (-1.0 if w < 0.0 else 1.0)
    sine = float(np.linalg.norm(axis))
    if sine < 1e-9:
        return 2.0 * axis
    return axis * (2.0 * float(np.arctan2(sine, abs(w))) / sine)
