"""Hinges whose full turns a run counts, and their angles when results are read.

A hinge is a pair of frames whose angle about z some joint or force of the model counts. A run
follows all of them from step to step (`mechanics.winding`) and records their angles with the
samples; readers only look which of the angles raw + 2 pi k is meant. So no result depends on how
far apart samples are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.formulas import Expression
from dalembert.model.basics.contents import remembered
from dalembert.model.basics.frame import Frame
from dalembert.model.forces.torsion_spring import TorsionSpring
from dalembert.model.joints.joint import angle_about_z
from dalembert.model.start.states import rotations

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

TURN = 2.0 * np.pi


@dataclass(frozen=True)
class Hinge:
    """Two frames, and the name of the joint or force that counts their angle."""

    name: str
    a: Frame
    b: Frame


@remembered
def hinges_of(model: Any) -> dict[Expression, Hinge]:
    """Angle in (-pi, pi] -> hinge, of everything in a model of bodies that counts turns."""
    if not model.is_maximal:
        return {}
    found: dict[Expression, Hinge] = {}
    for joint in model.joints.values():
        if hasattr(type(joint), "angle") and len(joint.frames) == 2:
            for raw in joint.angles(joint.views):
                found.setdefault(raw, Hinge(joint.name, *joint.frames))
    for force in model.forces.values():
        if isinstance(force, TorsionSpring):
            raw = angle_about_z(*force.views[:2])
            found.setdefault(raw, Hinge(force.name, *force.frames[:2]))
    return found


@dataclass(frozen=True, eq=False)
class Turns:
    """Angles that a run recorded.

    Attributes
    ----------
    t : (k,)            moments
    angles : (k, n)     with full turns, to within less than half a turn
    rates : (k, n)
    column : raw angle -> which of the n
    """

    t: Array
    angles: Array
    rates: Array
    column: Mapping[Expression, int]

    @classmethod
    def of(cls, model: Any, t: Array, q: Array, v: Array, angles: Array | None) -> Turns | None:
        """Turns at samples; None where none were counted."""
        if angles is None or not angles.shape[1] or not len(t):
            return None
        hinges = hinges_of(model)
        if len(hinges) != angles.shape[1]:
            return None
        rates = np.stack([_rate(model, hinge, q, v) for hinge in hinges.values()], axis=1)
        return cls(t, angles, rates, {raw: k for k, raw in enumerate(hinges)})

    def turns(self, raw: Expression, times: Array, angle: Array) -> Array | None:
        """Full turns [rad] of an angle in (-pi, pi] at moments of the run; None: not counted."""
        k = self.column.get(raw)
        if k is None:
            return None
        missing = self.foretold(k, times) - angle
        return np.asarray(TURN * np.round(missing / TURN))

    def foretold(self, k: int, times: Array) -> Array:
        """The angle at any moments: the cubic through the angles and rates of neighbours."""
        t, y, r = self.t, self.angles[:, k], self.rates[:, k]
        if len(t) == 1:
            return np.asarray(y[0] + r[0] * (times - t[0]))
        left = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
        h = t[left + 1] - t[left]
        s = (times - t[left]) / h
        rise, first, last = y[left + 1] - y[left], h * r[left], h * r[left + 1]
        bend = first + last - 2.0 * rise
        return np.asarray(y[left] + s * (first + s * (rise - first - (1.0 - s) * bend)))

    def at(self, model: Any, times: Array, q: Array) -> Array:
        """Angles at other states of the same motion."""
        raw = RawAngles(model)(q)
        foretold = np.stack([self.foretold(k, times) for k in range(raw.shape[1])], axis=1)
        return np.asarray(raw + TURN * np.round((foretold - raw) / TURN))


def _axes(model: Any, frame: Frame, q: Array) -> Array:
    """Axes of a frame at states, (k, 3, 3)."""
    names = list(model.bodies)
    if frame.body.name not in names:
        return np.broadcast_to(frame.orientation.matrix, (len(q), 3, 3))
    b = names.index(frame.body.name)
    return np.asarray(rotations(q[:, 7 * b + 3 : 7 * b + 7]) @ frame.orientation.matrix)


class RawAngles:
    """Angles of all hinges of a model, in (-pi, pi], at states."""

    def __init__(self, model: Any) -> None:
        number = {name: k for k, name in enumerate(model.bodies)}
        hinges, world = list(hinges_of(model).values()), len(number)
        self._sides = [
            (
                np.array([number.get(frame.body.name, world) for frame in side], dtype=np.int64),
                np.array([frame.orientation.matrix for frame in side]).reshape(-1, 3, 3),
            )
            for side in ([one.a for one in hinges], [one.b for one in hinges])
        ]

    def __call__(self, q: Array) -> Array:
        """(states, hinges); q has a state a row."""
        k = len(q)
        R = rotations(q.reshape(k, -1, 7)[:, :, 3:])
        R = np.concatenate([R, np.broadcast_to(np.eye(3), (k, 1, 3, 3))], axis=1)
        a, b = (R[:, bodies] @ own for bodies, own in self._sides)
        x = b[..., 0]
        sine, cosine = (a[..., 1] * x).sum(axis=-1), (a[..., 0] * x).sum(axis=-1)
        return np.asarray(np.arctan2(sine, cosine))


def _rate(model: Any, hinge: Hinge, q: Array, v: Array) -> Array:
    names = list(model.bodies)
    spin = np.zeros((len(q), 3))
    for sign, frame in ((1.0, hinge.b), (-1.0, hinge.a)):
        if frame.body.name in names:
            b = names.index(frame.body.name)
            spin = spin + sign * v[:, 6 * b + 3 : 6 * b + 6]
    return np.asarray((_axes(model, hinge.a, q)[:, :, 2] * spin).sum(axis=1))
