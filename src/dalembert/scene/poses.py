"""Bodies and points of a scene at given states; fast enough for a live view."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from dalembert.formulas.evaluate import Prepared
from dalembert.formulas.expression import ZERO, Expression
from dalembert.formulas.orientation import rotation as rotation_symbols
from dalembert.model.start.states import number, rotations
from dalembert.scene.description import Array, Scene
from dalembert.scene.formula_points import points_of
from dalembert.simulation.motion.values import velocity_symbols

_PLACERS: weakref.WeakKeyDictionary[Scene, Placer] = weakref.WeakKeyDictionary()


class Placer:
    """Places the bodies and points of one scene; what does not change is worked out once."""

    def __init__(self, scene: Scene, model: Any) -> None:
        self.model = model
        self.count = len(scene.bodies)
        self.maximal = bool(model.is_maximal)
        parameters = model.parameters
        bodies = list(model.bodies.values())[: self.count]
        centers = [[number(x, parameters) for x in body.inertia.center] for body in bodies]
        self._centers = np.array(centers, dtype=float).reshape(self.count, 3)
        self._points = len(scene.points)
        fixed = [(k, p) for k, p in enumerate(scene.points) if p.body is not None]
        self._fixed = np.array([k for k, _ in fixed], dtype=int)
        # the world stands behind the last body
        self._on = np.array([self.count if p.body == -1 else p.body for _, p in fixed], dtype=int)
        self._offsets = np.array([p.offset for _, p in fixed], dtype=float).reshape(-1, 3)
        free = [(k, p.name) for k, p in enumerate(scene.points) if p.body is None]
        self._free = [k for k, _ in free]
        named = points_of(model) if free else {}
        self._formulas: list[Expression] = []
        for _, name in free:
            place = list(named[name])
            self._formulas += [*place, *[ZERO] * (3 - len(place))]
        self._prepared = Prepared(self._formulas) if free else None
        self._known: list[tuple[Any, str, int]] = []
        self._values: dict[Any, float] = {}
        if self._prepared is not None:
            self._read_symbols(self._prepared, parameters)

    def __call__(self, t: Any, q: Any, v: Any) -> tuple[Array, Array, Array]:
        """Positions (k, bodies, 3), rotations (k, bodies, 4), points (k, points, 3)."""
        q = np.atleast_2d(np.asarray(q, dtype=float))
        v = np.atleast_2d(np.asarray(v, dtype=float))
        t = np.broadcast_to(np.asarray(t, dtype=float), (len(q),))
        p, turned, R = self._poses(q)
        points = np.zeros((len(q), self._points, 3))
        if len(self._fixed):
            still = np.zeros((len(q), 1, 3)), np.broadcast_to(np.eye(3), (len(q), 1, 3, 3))
            origins = np.concatenate([p, still[0]], axis=1)[:, self._on]
            axes = np.concatenate([R, still[1]], axis=1)[:, self._on]
            points[:, self._fixed] = origins + np.einsum("kpij,pj->kpi", axes, self._offsets)
        if self._prepared is not None:
            values: dict[Any, Any] = dict(self._values)
            series = {"t": t[:, None], "q": q, "v": v, "R": R.reshape(len(q), -1)}
            values |= {leaf: series[kind][:, column] for leaf, kind, column in self._known}
            found = self._prepared(values)
            for i, k in enumerate(self._free):
                for axis in range(3):
                    points[:, k, axis] = found[3 * i + axis]
        return p, turned, points

    def _poses(self, q: Array) -> tuple[Array, Array, Array]:
        """Origins of the body frames, quaternions, rotation matrices."""
        k, n = len(q), self.count
        if not n:
            return np.zeros((k, 0, 3)), np.zeros((k, 0, 4)), np.zeros((k, 0, 3, 3))
        if not self.maximal:
            state = q.reshape(k, n, 6)
            turned = of_angles(state[..., 3:])
            return state[..., :3].copy(), turned, rotations(turned)
        state = q.reshape(k, n, 7)
        turned = state[..., 3:] / np.linalg.norm(state[..., 3:], axis=2, keepdims=True)
        R = rotations(turned)
        return state[..., :3] - np.einsum("knij,nj->kni", R, self._centers), turned, R

    def _read_symbols(self, prepared: Prepared, parameters: dict[str, float]) -> None:
        """Where the value of every symbol of the formulas is found."""
        place: dict[Any, tuple[str, int]] = {
            x: ("q", k) for k, x in enumerate(self.model.coordinates)
        }
        place |= {x: ("v", k) for k, x in enumerate(velocity_symbols(self.model))}
        for b, name in enumerate(self.model.bodies):
            for i, leaf in enumerate(rotation_symbols(name).ravel()):
                place[leaf] = ("R", 9 * b + i)
        for leaf in prepared.leaves:
            if leaf.op == "parameter":
                self._values[leaf] = parameters[leaf.name]  # type: ignore[attr-defined]
            elif leaf.op == "time":
                self._known.append((leaf, "t", 0))
            elif leaf in place:
                self._known.append((leaf, *place[leaf]))
            elif leaf.op != "constant":
                self._values[leaf] = 0.0  # full turns, which no picture shows


def place(scene: Scene, model: Any, t: Any, q: Any, v: Any) -> tuple[Array, Array, Array]:
    """Positions (bodies, 3), rotations (bodies, 4) and points (points, 3) at one state.

    Arrays with a row for each of k states give results with k in front.
    """
    placer = _PLACERS.get(scene)
    if placer is None or placer.model is not model:
        placer = _PLACERS[scene] = Placer(scene, model)
    p, turned, points = placer(t, q, v)
    return (p, turned, points) if np.ndim(q) > 1 else (p[0], turned[0], points[0])


def of_angles(angles: Array) -> Array:
    """Unit quaternions (..., 4) of roll, pitch, yaw (..., 3): R = Rz(yaw) Ry(pitch) Rx(roll)."""
    c, s = np.cos(angles / 2), np.sin(angles / 2)
    cr, cp, cy = np.moveaxis(c, -1, 0)
    sr, sp, sy = np.moveaxis(s, -1, 0)
    return np.stack(
        [
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        ],
        axis=-1,
    )


def without_jumps(turned: Array) -> Array:
    """Quaternions (k, n, 4) of the same rotations, each on the side of the one before."""
    sign = np.where((turned[1:] * turned[:-1]).sum(axis=2) < 0.0, -1.0, 1.0)
    made = turned.copy()
    made[1:] *= np.cumprod(sign, axis=0)[:, :, None]
    return made
