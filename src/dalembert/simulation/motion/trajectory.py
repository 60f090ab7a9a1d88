"""Bodies, frames and formulas along a recorded motion; each body is worked out once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.formulas import Expression, substitute, symbols, time, time_derivative
from dalembert.formulas.evaluate import Prepared
from dalembert.formulas.expression import ZERO, lift, load
from dalembert.model.start.angle_rows import angle_states
from dalembert.model.start.states import States, body_values, from_center
from dalembert.simulation.motion.turns import Turns

Array = NDArray[np.float64]

TURN = 2.0 * np.pi


class Trajectory:
    """The samples of a model of bodies.

    Parameters
    ----------
    t : (k,), q, v : (k, n)
    held : parameters that controllers changed -> values at the samples
    turned : angles that the run counted; without them turns are counted from the first sample on
    """

    def __init__(
        self,
        model: Any,
        t: Array,
        q: Array,
        v: Array,
        held: Mapping[str, Array] | None = None,
        turned: Turns | None = None,
    ) -> None:
        self.model, self.turned = model, turned
        self.parameters = model.parameters | dict(held or {})
        self.t, self.q, self.v = t, q, v
        self._bodies: dict[str, States] = {}

    def columns(self, bodies: Sequence[Any]) -> tuple[Array, Array]:
        """q and v of some bodies."""
        number = {name: b for b, name in enumerate(self.model.bodies)}
        width = 7 if self.model.is_maximal else 6
        chosen = [number[body.name] for body in bodies]
        k, n = len(self.t), len(number)
        q = self.q.reshape(k, n, width)[:, chosen].reshape(k, width * len(chosen))
        return q, self.v.reshape(k, n, 6)[:, chosen].reshape(k, 6 * len(chosen))

    def body(self, name: str) -> States:
        """One body, or the world: index 0 of the arrays."""
        if name not in self._bodies:
            bodies = [self.model.bodies[name]] if name in self.model.bodies else []
            q, v = self.columns(bodies)
            if self.model.is_maximal:
                self._bodies[name] = States.of(self.t, q, v)
            else:
                self._bodies[name] = angle_states(self.model, bodies, self.t, q, v)
        return self._bodies[name]

    def place(self, frame: Any) -> tuple[Array, Array]:
        """Origin (k, 3) and axes (k, 3, 3) of a frame."""
        states = self.body(frame.body.name)
        R = states.R[0]
        origin = states.center[0] + R @ from_center(frame, self.parameters)
        return np.asarray(origin), np.asarray(R @ frame.orientation.matrix)

    def series(
        self,
        formulas: Sequence[Expression],
        angles: Mapping[Expression, Expression] | None = None,
        extra: Mapping[Expression, Array] | None = None,
    ) -> list[Array]:
        """Values of formulas at the samples.

        Parameters
        ----------
        angles : symbol of full turns -> angle in (-pi, pi]
        extra : further symbol -> values at the samples
        """
        angles = dict(angles or {})
        for leaf in symbols(formulas, "coordinate"):
            name, _, part = leaf.name.partition(":")
            if part == "turns":
                angles[leaf] = substitute([self.model.joints[name].angle], {leaf: ZERO})[0]
        raw = list(angles.values())
        values = self._values([*formulas, *raw]) | dict(extra or {})
        found = Prepared([*raw, *time_derivative(raw)])(values)
        count = len(raw)
        for leaf, angle, rate in zip(angles, found[:count], found[count:], strict=True):
            values[leaf] = turns_along(self.turned, angles[leaf], self.t, angle, rate)
        result = Prepared(list(formulas))(values)
        return [np.broadcast_to(np.asarray(x, dtype=float), self.t.shape) for x in result]

    def _values(self, formulas: Sequence[Expression]) -> dict[Any, Any]:
        values: dict[Any, Any] = {time: self.t}
        for leaf in symbols(formulas, "parameter"):
            values[leaf] = self.parameters.get(leaf.name, leaf.value)
        leaves = symbols(formulas, "coordinate", "velocity")
        if not self.model.is_maximal:
            place = {x: k for k, x in enumerate(self.model.coordinates)}
            place |= {x.dot: len(place) + k for x, k in list(place.items())}
            both = np.concatenate([self.q, self.v], axis=1)
            return values | {x: both[:, place[x]] for x in leaves}
        owners = {_owner(leaf.name) for leaf in leaves}
        for name in owners & set(self.model.bodies):
            values |= body_values(self.model.bodies[name], 0, self.body(name))
        return values


def turns_along(turned: Turns | None, raw: Any, t: Array, angle: Any, rate: Any) -> Array:
    """Full turns at each moment: as the run counted them, else from the first moment on."""
    known = None if turned is None else turned.turns(raw, t, np.broadcast_to(angle, t.shape))
    return counted(t, angle, rate) if known is None else known


def counted(t: Array, angle: Any, rate: Any) -> Array:
    """Full turns at each sample: the angle nearest to what the last one and the rates foretell."""
    angle, rate = np.broadcast_to(angle, t.shape), np.broadcast_to(rate, t.shape)
    turns = np.zeros(t.shape)
    foretold = 0.5 * (rate[1:] + rate[:-1]) * np.diff(t)
    turns[1:] = TURN * np.cumsum(np.round((foretold - np.diff(angle)) / TURN))
    return turns


def of_element(
    element: Any,
) -> tuple[list[Any], list[Expression], dict[Expression, Expression]]:
    """Views and data of a joint or force, and the symbols of its turns with their angles."""
    views = element.views
    angles = {load("turns", k): x for k, x in enumerate(element.angles(views))}
    return views, [lift(x) for x in element.data()], angles


def _owner(name: str) -> str:
    """Name of the body a symbol belongs to."""
    return name.partition(":")[0] if ":" in name else name.rpartition(".")[0]
