"""Values of the symbols in a model's formulas along a motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.formulas import Expression, evaluate, substitute, symbols, time
from dalembert.formulas.expression import ZERO, acceleration
from dalembert.formulas.orientation import quaternion, rotation
from dalembert.formulas.orientation import turns as turns_of
from dalembert.simulation.motion.trajectory import turns_along
from dalembert.simulation.motion.turns import Turns

Array = NDArray[np.float64]


def velocity_symbols(model: Any) -> list[Expression]:
    """The symbols of v, in the order of every array."""
    if model.is_maximal:
        return [x for body in model.bodies.values() for x in body.velocity_symbols]
    return [x.dot for x in model.coordinates]


def accelerations(model: Any, a: Array) -> dict[Any, Array]:
    """Symbol of v' -> series; `a` has one row a sample."""
    names = [v.name for v in velocity_symbols(model)]
    return {acceleration(name): x for name, x in zip(names, a.T, strict=True)}


def known_values(
    model: Any,
    formulas: Sequence[Any],
    t: Any,
    q: Array,
    v: Array,
    held: Mapping[str, Array] | None = None,
    turned: Turns | None = None,
) -> dict[Any, Any]:
    """Symbol -> series, for every symbol of the formulas that the model has.

    q and v have one row a sample. `held` are parameters that controllers changed, `turned` angles
    that a run counted; without them full turns are counted from the first sample on.
    """
    parameters = model.parameters | dict(held or {})
    values: dict[Any, Any] = {time: t}
    values |= zip(model.coordinates, q.T, strict=True)
    values |= zip(velocity_symbols(model), v.T, strict=True)
    wanted = symbols(formulas, "coordinate", "velocity")
    for leaf in symbols(formulas, "parameter"):
        # The run's own values: the formula may hold a parameter that was changed for the run.
        values[leaf] = parameters.get(leaf.name, leaf.value)
    if not model.is_maximal:
        return values
    owners = {leaf.name.partition(":")[0] for leaf in wanted if ":R" in leaf.name}
    turning = [leaf.name.partition(":")[0] for leaf in wanted if leaf.name.endswith(":turns")]
    for joint in turning:
        inside = symbols([model.joints[joint].angle], "coordinate")
        owners |= {leaf.name.partition(":")[0] for leaf in inside if ":R" in leaf.name}
    for name in owners & set(model.bodies):
        values |= zip(rotation(name).ravel(), _rotation(name, values), strict=True)
    for joint in turning:
        values[turns_of(joint)] = _turns(model.joints[joint], values, t, turned)
    return values


def _rotation(name: str, values: dict[Any, Any]) -> list[Array]:
    """Entries of R from the quaternion."""
    return rotation_entries(*(values[leaf] for leaf in quaternion(name)))


def rotation_entries(w: Any, x: Any, y: Any, z: Any) -> list[Any]:
    """Entries of R, row by row, from a quaternion of any length: of arrays or of formulas."""
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return [
        1.0 - s * (y * y + z * z),
        s * (x * y - w * z),
        s * (x * z + w * y),
        s * (x * y + w * z),
        1.0 - s * (x * x + z * z),
        s * (y * z - w * x),
        s * (x * z - w * y),
        s * (y * z + w * x),
        1.0 - s * (x * x + y * y),
    ]


def _turns(joint: Any, values: dict[Any, Any], t: Any, turned: Turns | None) -> Array:
    """Full turns of a joint at each sample."""
    raw = substitute([joint.angle], {turns_of(joint.name): ZERO})[0]
    angle, rate = (np.atleast_1d(x) for x in evaluate([raw, raw.dot], values))
    return turns_along(turned, raw, np.atleast_1d(t), angle, rate)


def rates(model: Any, q: Array, v: Array, a: Array) -> tuple[Array, Array]:
    """q' and q'' along the motion; q' = v for formula coordinates."""
    if not model.is_maximal:
        return v, a
    first, second = np.zeros_like(q), np.zeros_like(q)
    for b in range(len(model.bodies)):
        i, k = 7 * b, 6 * b
        first[:, i : i + 3], second[:, i : i + 3] = v[:, k : k + 3], a[:, k : k + 3]
        p = q[:, i + 3 : i + 7]
        w, alpha = v[:, k + 3 : k + 6], a[:, k + 3 : k + 6]
        first[:, i + 3 : i + 7] = 0.5 * _product(w, p)
        second[:, i + 3 : i + 7] = 0.5 * (_product(alpha, p) + _product(w, first[:, i + 3 : i + 7]))
    return first, second


def body_state(model: Any, q: Array, qdot: Array) -> tuple[Array, Array]:
    """(q, v) of interpolated q and q': unit quaternions, w = 2 q' q* for bodies."""
    if not model.is_maximal:
        return q, qdot
    q, v = q.copy(), np.zeros((len(q), 6 * len(model.bodies)))
    for b in range(len(model.bodies)):
        i, k = 7 * b, 6 * b
        v[:, k : k + 3] = qdot[:, i : i + 3]
        part, rate = q[:, i + 3 : i + 7], qdot[:, i + 3 : i + 7]
        a, d = part[:, :1], rate[:, :1]
        square = (part * part).sum(axis=1, keepdims=True)
        turned = a * rate[:, 1:] - d * part[:, 1:] + np.cross(part[:, 1:], rate[:, 1:])
        v[:, k + 3 : k + 6] = 2.0 * turned / square
        part /= np.sqrt(square)
    return q, v


def _product(w: Array, p: Array) -> Array:
    """(0, w) p, products of quaternions row by row."""
    x, y, z = w.T
    a, b, c, d = p.T
    return np.stack(
        [
            -x * b - y * c - z * d,
            x * a + y * d - z * c,
            y * a + z * b - x * d,
            z * a + x * c - y * b,
        ],
        axis=1,
    )


def with_unit_quaternions(model: Any, q: Array) -> Array:
    """Coordinates whose quaternions are units again."""
    if not model.is_maximal:
        return q
    parts = q.reshape(len(q), -1, 7).copy()
    parts[..., 3:] /= np.linalg.norm(parts[..., 3:], axis=-1, keepdims=True)
    return parts.reshape(q.shape)
