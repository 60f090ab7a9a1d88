"""Rows of bodies with roll-pitch-yaw at any states, in the words of `rows_numpy.Rows`.

The rows are formulas of the coordinates (x, y, z of the frame's origin, roll, pitch, yaw). Their J
is turned into the one that multiplies the velocity of the centre of mass and the angular velocity:
with w = B (roll, pitch, yaw)' and c the way from the origin to the centre of mass,

    J_x v + J_a (roll, pitch, yaw)' = J_x v_c + J_w w,    J_w = J_x x c + J_a B^-1.

B is singular at pitch = +-pi/2, and so are the coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dalembert.formulas.derivative import directional, jacobian, time_derivative
from dalembert.formulas.evaluate import Prepared
from dalembert.formulas.expression import ONE, TIME, ZERO
from dalembert.formulas.graph import substitute, symbols
from dalembert.model.start.linearised import Block, Linearised
from dalembert.model.start.row_formulas import HOLONOMIC, VELOCITY
from dalembert.model.start.states import States, number

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

Array = npt.NDArray[np.float64]


def angle_states(model: Model, bodies: Sequence[Any], t: Any, q: Array, v: Array) -> States:
    """Bodies with angles at k states; q and v are those of `bodies`."""
    q, v = np.atleast_2d(q), np.atleast_2d(v)
    k, n = len(q), len(bodies)
    place = q.reshape(k, n, 6).transpose(1, 0, 2)
    rates = v.reshape(k, n, 6).transpose(1, 0, 2)
    R, B = _rotation(place[:, :, 3:]), _rate_map(place[:, :, 3:])
    spin = np.einsum("nkij,nkj->nki", B, rates[:, :, 3:])
    arms = np.einsum("nkij,nj->nki", R, _centers(model, bodies))
    still = np.zeros((1, k, 3))
    return States(
        np.broadcast_to(np.asarray(t, dtype=float), (k,)),
        np.concatenate([place[:, :, :3] + arms, still]),
        np.concatenate([R, np.broadcast_to(np.eye(3), (1, k, 3, 3))]),
        np.concatenate([rates[:, :, :3] + np.cross(spin, arms), still]),
        np.concatenate([spin, still]),
        np.zeros((n, k, 4)),
    )


class AngleRows:
    """All rows of a model of bodies with angles, or those of some constraints.

    Attributes are those of `rows_numpy.Rows`.
    """

    def __init__(self, model: Model, constraints: Iterable[Any] | None = None) -> None:
        self.model = model
        self.bodies = list(model.bodies.values())
        self.names: list[str] = []
        self.owners: list[str] = []
        self.slices: dict[str, list[int]] = {}
        self._number = {body.name: k for k, body in enumerate(self.bodies)}
        self._parts: list[tuple[list[int], int, list[int], Prepared]] = []
        given = list(model.constraints if constraints is None else constraints)
        self.holonomic = 0
        for level in (HOLONOMIC, VELOCITY):
            for constraint in given:
                if constraint.kind == level:
                    self._add(constraint)
            if level == HOLONOMIC:
                self.holonomic = len(self.names)

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.names)

    @property
    def velocities(self) -> int:
        """Number of velocities, six a body."""
        return 6 * len(self.bodies)

    def bodies_of(self, owner: str) -> list[int]:
        """The bodies a joint or constraint acts on, in the order of the model."""
        mine = set(self.slices[owner])
        return sorted({b for rows, _, bodies, _ in self._parts if mine & set(rows) for b in bodies})

    def _add(self, constraint: Any) -> None:
        rows = list(constraint.rows)
        if constraint.kind == HOLONOMIC:
            phi, phi_dot = rows, time_derivative(rows)
            phi_t = directional(rows, {TIME: ONE})
        else:
            phi, phi_dot = [], rows
            phi_t = substitute(rows, dict.fromkeys(symbols(rows, "velocity"), ZERO))
        owners = {x.name.rpartition(".")[0] for x in symbols(rows, "coordinate", "velocity")}
        bodies = sorted(self._number[name] for name in owners if name in self._number)
        columns = [x.dot for b in bodies for x in self.bodies[b].coordinates]
        J = [x for row in jacobian(phi_dot, columns) for x in row]
        numbers = list(range(self.count, self.count + len(rows)))
        self.names += constraint.row_names
        self.owners += [constraint.name] * len(rows)
        self.slices.setdefault(constraint.name, []).extend(numbers)
        program = Prepared([*phi, *phi_dot, *phi_t, *J])
        self._parts.append((numbers, len(phi), bodies, program))

    def at(self, t: Any, q: Array, v: Array) -> Linearised:
        """Residuals and J at states."""
        q, v = np.atleast_2d(q), np.atleast_2d(v)
        k, n, m = len(q), len(self.bodies), self.count
        angles = q.reshape(k, n, 6)[:, :, 3:].transpose(1, 0, 2)
        arms = np.einsum("nkij,nj->nki", _rotation(angles), _centers(self.model, self.bodies))
        back = np.linalg.pinv(_rate_map(angles))
        values: dict[Any, Any] = {TIME: np.broadcast_to(np.asarray(t, dtype=float), (k,))}
        values |= zip(self.model.coordinates, q.T, strict=True)
        values |= zip((x.dot for x in self.model.coordinates), v.T, strict=True)
        parameters = self.model.parameters
        values |= {x: parameters[x.name] for x in self.model.parameter_symbols}
        phi, phi_dot, phi_t = np.zeros((k, m)), np.zeros((k, m)), np.zeros((k, m))
        blocks: list[Block] = []
        for rows, positions, bodies, program in self._parts:
            found = iter(program(values))
            for target, count in ((phi, positions), (phi_dot, len(rows)), (phi_t, len(rows))):
                for row in rows[:count]:
                    target[:, row] = next(found)
            entries = np.empty((k, len(rows), len(bodies), 6))
            for c in range(len(rows)):
                for b in range(len(bodies)):
                    for i in range(6):
                        entries[:, c, b, i] = next(found)
            for i, b in enumerate(bodies):
                Jx, Ja = entries[:, :, i, :3], entries[:, :, i, 3:]
                Jw = np.cross(Jx, arms[b][:, None, :]) + Ja @ back[b]
                whole = np.concatenate([Jx, Jw], axis=2)[None]
                blocks.append(Block(np.array([rows]), np.array([b]), whole))
        return Linearised(phi[:, : self.holonomic], phi_dot, phi_t, blocks, self.velocities)


def _centers(model: Model, bodies: Sequence[Any]) -> Array:
    parameters = model.parameters
    found = [[number(x, parameters) for x in body.inertia.center] for body in bodies]
    return np.array(found).reshape(-1, 3)


def _rotation(angles: Array) -> Array:
    """Rz(yaw) Ry(pitch) Rx(roll) of angles (..., 3)."""
    (cr, cp, cy), (sr, sp, sy) = (np.moveaxis(f(angles), -1, 0) for f in (np.cos, np.sin))
    R = np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )
    return np.asarray(np.moveaxis(R, (0, 1), (-2, -1)))


def _rate_map(angles: Array) -> Array:
    """B of w = B (roll, pitch, yaw)', world components."""
    (_, cp, cy), (_, sp, sy) = (np.moveaxis(f(angles), -1, 0) for f in (np.cos, np.sin))
    zero, one = np.zeros_like(cp), np.ones_like(cp)
    B = np.array([[cy * cp, -sy, zero], [sy * cp, cy, zero], [-sp, zero, one]])
    return np.asarray(np.moveaxis(B, (0, 1), (-2, -1)))
