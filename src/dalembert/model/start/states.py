"""Bodies at many states, as arrays: centres of mass, rotations, velocities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.formulas.orientation import quaternion, rotation, turning
from dalembert.model.basics.quantity import AS_FORMULAS, value_of

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class States:
    """Bodies at k states.

    Attributes
    ----------
    t : (k,)
    center, velocity, spin : (n + 1, k, 3)     the last body is the world
    R : (n + 1, k, 3, 3)
    quaternion : (n, k, 4)
    """

    t: Array
    center: Array
    R: Array
    velocity: Array
    spin: Array
    quaternion: Array

    @classmethod
    def of(cls, t: Any, q: Array, v: Array) -> States:
        """From moments and the rows of q and v; one state may be given as vectors."""
        q, v = np.atleast_2d(q), np.atleast_2d(v)
        k, n = len(q), q.shape[-1] // 7
        positions = q.reshape(k, n, 7).transpose(1, 0, 2)
        speeds = v.reshape(k, n, 6).transpose(1, 0, 2)
        still = np.zeros((1, k, 3))
        turned = positions[:, :, 3:]
        R = np.concatenate([rotations(turned), np.broadcast_to(np.eye(3), (1, k, 3, 3))])
        return cls(
            np.broadcast_to(np.asarray(t, dtype=float), (k,)),
            np.concatenate([positions[:, :, :3], still]),
            R,
            np.concatenate([speeds[:, :, :3], still]),
            np.concatenate([speeds[:, :, 3:], still]),
            turned,
        )

    @property
    def first(self) -> States:
        """The first of them alone."""
        rest = (self.center, self.R, self.velocity, self.spin, self.quaternion)
        return States(self.t[:1], *(part[:, :1] for part in rest))


def body_values(body: Any, index: int, states: States) -> dict[Any, Any]:
    """Every symbol of a body with its series."""
    series = (
        states.center[index],
        states.velocity[index],
        states.spin[index],
        states.quaternion[index],
        states.R[index].reshape(-1, 9),
    )
    leaves = _leaves(body.name, tuple(body.center_symbols))
    return dict(zip(leaves, np.concatenate(series, axis=1).T, strict=True))


@lru_cache(maxsize=4096)
def _leaves(name: str, place: tuple[Any, ...]) -> tuple[Any, ...]:
    """Symbols of a body: centre, velocity, angular velocity, quaternion, rotation."""
    turned = (turning(name), quaternion(name), rotation(name).ravel())
    return (*place, *(x.dot for x in place), *(x for leaves in turned for x in leaves))


def from_center(frame: Any, parameters: Mapping[str, float]) -> Array:
    """Place of a frame's origin from the centre of mass of its body, body axes."""
    offset = np.array([number(x, parameters) for x in frame.offset])
    inertia = getattr(frame.body, "inertia", None)
    if inertia is None:
        return offset
    center = np.array([number(x, parameters) for x in inertia.center])
    return np.asarray(offset - center)


def number(quantity: Any, parameters: Mapping[str, float]) -> float:
    """Value of a number or formula of parameters, NaN where it has none; itself `AS_FORMULAS`."""
    if parameters is AS_FORMULAS:
        return quantity  # type: ignore[no-any-return]
    value = value_of(quantity, parameters)
    return float("nan") if value is None else float(value)


def rotations(p: Array) -> Array:
    """R of unit quaternions (..., 4); their length does not matter."""
    w, x, y, z = np.moveaxis(p, -1, 0)
    s = 2.0 / (w * w + x * x + y * y + z * z)
    R = np.array(
        [
            [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
            [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
            [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
        ]
    )
    return np.asarray(np.moveaxis(R, (0, 1), (-2, -1)))


def displaced(q: Array, u: Array) -> Array:
    """q (+) u: centres moved, quaternions turned about fixed axes (`mechanics.motion.displace`)."""
    n = len(q) // 7
    moved, step = q.reshape(n, 7).copy(), u.reshape(n, 6)
    moved[:, :3] += step[:, :3]
    half = 0.5 * step[:, 3:]
    angle = np.linalg.norm(half, axis=1)
    x, y, z = np.sinc(angle / np.pi) * half.T
    c = np.cos(angle)
    a, b, g, d = moved[:, 3:].T.copy()
    turned = np.stack(
        [
            c * a - x * b - y * g - z * d,
            c * b + x * a + y * d - z * g,
            c * g + y * a + z * b - x * d,
            c * d + z * a + x * g - y * b,
        ],
        axis=1,
    )
    moved[:, 3:] = turned / np.linalg.norm(turned, axis=1, keepdims=True)
    return np.asarray(moved.ravel())


def turned_by(q: Array, other: Array) -> Array:
    """u with other = q (+) u: ways of the centres and rotation vectors, six a body."""
    a, b = q.reshape(-1, 7), other.reshape(-1, 7)
    u = np.empty((len(a), 6))
    u[:, :3] = b[:, :3] - a[:, :3]
    p, r = a[:, 3:], b[:, 3:]
    # r p*, the shorter way round
    w = (p * r).sum(axis=1)
    vector = p[:, :1] * r[:, 1:] - r[:, :1] * p[:, 1:] - np.cross(r[:, 1:], p[:, 1:])
    sine = np.linalg.norm(vector, axis=1)
    angle = 2.0 * np.arctan2(sine, np.abs(w))
    factor = np.where(sine > 1e-12, angle / np.where(sine > 1e-12, sine, 1.0), 2.0)
    u[:, 3:] = (np.where(w < 0.0, -1.0, 1.0) * factor)[:, None] * vector
    return np.asarray(u.ravel())


def size(model: Any) -> float:
    """Largest way from a joint to the centre of mass of a body it holds.

    Without any, the largest radius of gyration; 1 m where there is none either.
    """
    parameters, bodies = model.parameters, model.bodies
    ways = [
        float(np.linalg.norm(from_center(frame, parameters)))
        for joint in model.joints.values()
        for frame in joint.frames
        if frame.body.name in bodies
    ]
    longest = max((x for x in ways if np.isfinite(x)), default=0.0)
    return longest if longest > 0.0 else _gyration(model) or 1.0


def _gyration(model: Any) -> float:
    squares, parameters = [0.0], model.parameters
    for body in model.bodies.values():
        moments = [number(body.inertia.matrix[i][i], parameters) for i in range(3)]
        squares.append(max(moments) / number(body.inertia.mass, parameters))
    return float(np.sqrt(max(x for x in squares if np.isfinite(x))))
