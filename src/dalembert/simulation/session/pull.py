"""A hand that pulls: a spring and damper between a point of the mechanism and a place in space.

The hand is part of the equations from the beginning, with no strength, so that taking hold of
something compiles nothing and lets go without a trace:

- bodies: one `Bushing` between the world and a body. Which body, where on it and how strong are
  entries of the tables and records of the run;
- formulas: the generalised force J^T f of the point  p = sum of s_i p_i  over all named points,
  with  f = k (target - p) - c p'. Weights s, strength and target are parameters. Two weights hold
  a point between two others.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.formulas import evaluate, jacobian
from dalembert.formulas.expression import ZERO, Expression, lift, parameter
from dalembert.model.basics.names import nearest
from dalembert.model.basics.rotation import Rotation
from dalembert.model.core.model import Model
from dalembert.model.core.replacing import free_name, take_values
from dalembert.model.forces.bushing import Bushing
from dalembert.model.start.states import number
from dalembert.simulation.motion.values import known_values
from dalembert.system.body_system import BodySystem
from dalembert.system.body_writing import MISSING
from dalembert.system.build import build
from dalembert.system.kinds import FRAME_DATA
from dalembert.system.state_layout import State
from dalembert.system.system import System

Array = NDArray[np.float64]

PREFIX = "hand:"
"""Prefix of the names of what is added; no name of a user's contains a colon."""

SWIFTNESS = 10.0
"""Angular frequency of the critically damped spring by which things are pulled  [rad/s]."""

STABLE = 0.1
"""Largest (decay rate of the hand) x (step): a light end of a body feels eight times as much."""


@dataclass(frozen=True)
class Grip:
    """A grip: the thing held, and where the hand pulls it to.

    Attributes
    ----------
    weights : dict name -> share       one body, or points whose weighted mean is held
    at : (3,)                          on the body, in its own frame  [m]; zero for points
    target : (3,)                      place in space it is pulled to  [m]
    stiffness, damping : of the spring [N/m], [N s/m]
    """

    weights: Mapping[str, float]
    at: Array
    target: Array
    stiffness: float
    damping: float


class BodyPull:
    """The hand of a model of bodies with quaternions."""

    def __init__(self, model: Model) -> None:
        self.given = model
        self.model = copy.copy(model)
        self.names = tuple(model.bodies)
        self.element = free_name(model, "hand")
        first = next(iter(model.bodies.values()))
        self.model.add_force(Bushing(model.world, first, stiffness=(0.0,) * 6, name=self.element))

    def write(self, system: Any, work: Any, sizes: Any, grip: Grip | None, model: Model) -> None:
        """Put the grip, or none, into the arrays of a run."""
        assert isinstance(system, BodySystem)
        actions = system.parts.actions
        index = next(k for k, action in enumerate(actions) if action.name == self.element)
        state = State(work, sizes)
        record = state.data(actions[index].start)
        first = 2 * FRAME_DATA
        if grip is None:
            record[first : first + 12] = 0.0
            return
        (name,) = grip.weights
        state.action(index).b = self.names.index(name)
        record[:3] = grip.target
        record[FRAME_DATA : FRAME_DATA + 3] = grip.at - self._center(model, name)
        record[first : first + 3] = grip.stiffness
        record[first + 6 : first + 9] = grip.damping

    def reachable(self, model: Model, weights: Mapping[str, float], at: Array) -> Array:
        """The nearest place on the body at which a force turns it about no axis without inertia.

        A rod is a line and a point mass a point: pulled beside it, nothing would resist.
        """
        (name,) = weights
        body, parameters = model.bodies[name], model.parameters
        theta = np.array([[number(x, parameters) for x in row] for row in body.inertia.matrix])
        moments, axes = np.linalg.eigh(theta)
        bare = axes[:, moments <= MISSING * moments[2]]
        if not bare.size:
            return at
        center = self._center(model, name)
        if bare.shape[1] > 1 or moments[2] <= 0.0:
            return center
        axis = bare[:, 0]
        return np.asarray(center + axis * float(axis @ (at - center)))

    def held(self, model: Model, weights: Mapping[str, float], at: Array, state: Any) -> Array:
        """Where the held point is now."""
        (name,) = weights
        b = self.names.index(name)
        q = state[1][7 * b : 7 * b + 7]
        R = Rotation.from_quaternion(list(q[3:])).matrix
        return np.asarray(q[:3] + R @ (at - self._center(model, name)), dtype=float)

    def mass(self, model: Model, weights: Mapping[str, float], at: Array, state: Any) -> float:
        """Mass of the body."""
        (name,) = weights
        return number(model.bodies[name].inertia.mass, model.parameters)

    def _center(self, model: Model, name: str) -> Array:
        center = model.bodies[name].inertia.center
        return np.array([number(x, model.parameters) for x in center])


class PointPull:
    """The hand of a model of formulas: its named points, and bodies with angles."""

    def __init__(self, model: Model) -> None:
        self.given = model
        self.model = copy.copy(model)
        self.names = (*model.bodies, *(name for name in model.points if name not in model.bodies))
        self._at = [parameter(f"{PREFIX}at.{x}", 0.0) for x in "xyz"]
        self._target = [parameter(f"{PREFIX}{x}", 0.0) for x in "xyz"]
        self._k, self._c = parameter(f"{PREFIX}k", 0.0), parameter(f"{PREFIX}c", 0.0)
        self._share = {name: parameter(f"{PREFIX}of.{name}", 0.0) for name in self.names}
        self._places = {name: self._place(name) for name in self.names}
        self.point: list[Expression] = [ZERO] * 3
        for name, place in self._places.items():
            self.point = [a + self._share[name] * b for a, b in zip(self.point, place, strict=True)]
        self.slopes = jacobian(self.point, model.coordinates)
        if self.names:
            pull = [
                self._k * (x - p) - self._c * p.dot
                for x, p in zip(self._target, self.point, strict=True)
            ]
            self.model.add_force(
                {
                    q: sum((row[j] * f for row, f in zip(self.slopes, pull, strict=True)), ZERO)
                    for j, q in enumerate(model.coordinates)
                }
            )

    def _place(self, name: str) -> list[Expression]:
        if name in self.given.bodies:
            x, y, z = self._at
            place: Any = self.given.bodies[name].at(x=x, y=y, z=z).position
        else:
            place = self.given.points[name]
        return [lift(entry) for entry in (*place, ZERO, ZERO)[:3]]

    def _values(self, weights: Mapping[str, float], at: Array) -> dict[str, float]:
        values = {symbol.name: 0.0 for symbol in self._share.values()}
        values |= {self._share[name].name: share for name, share in weights.items()}
        return values | {x.name: float(a) for x, a in zip(self._at, at, strict=True)}

    def write(self, system: Any, work: Any, sizes: Any, grip: Grip | None, model: Model) -> None:
        """Put the grip, or none, into the arrays of a run."""
        if not self.names:
            return
        values = {self._k.name: 0.0, self._c.name: 0.0}
        if grip is not None:
            values = self._values(grip.weights, grip.at)
            values |= {x.name: float(a) for x, a in zip(self._target, grip.target, strict=True)}
            values |= {self._k.name: grip.stiffness, self._c.name: grip.damping}
        state = State(work, sizes)
        for name, value in values.items():
            if name in system.parameter_names:
                state.parameters[system.parameter_names.index(name)] = value
        system.prepare(state)

    def reachable(self, model: Model, weights: Mapping[str, float], at: Array) -> Array:
        """Any place."""
        return at

    def _known(self, formulas: Sequence[Any], weights: Any, at: Array, state: Any) -> Any:
        t, q, v = state
        values = known_values(self.model, formulas, np.array([t]), q[None], v[None])
        given = self._values(weights, at)
        return {leaf: given.get(getattr(leaf, "name", ""), value) for leaf, value in values.items()}

    def held(self, model: Model, weights: Mapping[str, float], at: Array, state: Any) -> Array:
        """Where the held point is now."""
        take_values(self.model, model.parameters)
        known = self._known(self.point, weights, at, state)
        return np.array([float(np.ravel(x)[0]) for x in evaluate(self.point, known)])

    def mass(self, model: Model, weights: Mapping[str, float], at: Array, state: Any) -> float:
        """Effective mass of the point: (J M^-1 J^T)^-1, the mean over the directions it can go."""
        take_values(self.model, model.parameters)
        n = len(model.coordinates)
        system = build(model)  # its mass matrix is regular where coordinates carry no mass, too
        assert isinstance(system, System)
        formulas = [x for row in self.slopes for x in row]
        formulas += [x for row in system.equations.mass for x in row]
        known = self._known(formulas, weights, at, state)
        numbers = np.array([float(np.ravel(x)[0]) for x in evaluate(formulas, known)])
        J, M = numbers[: 3 * n].reshape(3, n), numbers[3 * n :].reshape(n, n)
        ease = np.linalg.eigvalsh(J @ np.linalg.solve(M, J.T))
        moving = ease[ease > 1e-9 * ease.max(initial=0.0)]
        return float(len(moving) / moving.sum()) if moving.size else 0.0


Pull = BodyPull | PointPull


def pull_of(model: Model) -> Pull:
    """The hand of a model; `hand.model` is the model it is part of."""
    return BodyPull(model) if model.is_maximal else PointPull(model)


def take_hold(
    hand: Pull,
    model: Model,
    state: tuple[float, Array, Array],
    on: Any,
    at: Any,
    target: Any,
    strength: float,
    step: float | None,
) -> Grip:
    """The grip of `Session.pull`; `step` is that of a run with a fixed one."""
    weights = read_weights(hand, on)
    place = np.zeros(3) if at is None else _vector(at, "at")
    goal = _vector(target, "target")
    if not 0.0 < strength < math.inf:
        raise OptionError(f"pull: strength is {strength!r}. Give a positive number.")
    place = hand.reachable(model, weights, place)
    mass = strength * hand.mass(model, weights, place, state)
    if not 0.0 < mass < math.inf:
        raise OptionError(f"pull: {' and '.join(weights)} cannot be moved: nothing to pull.")
    swift = SWIFTNESS
    if step is not None:
        # an explicit step must not be longer than the hand is quick
        swift = min(swift, STABLE / (strength * step))
    return Grip(weights, place, goal, mass * swift**2, 2.0 * mass * swift)


def read_weights(hand: Pull, on: Any) -> dict[str, float]:
    """Weights of everything to be held: a body, a point, or {point: share}."""
    if isinstance(on, Mapping):
        weights = {str(name): float(share) for name, share in on.items()}
    else:
        weights = {on if isinstance(on, str) else getattr(on, "name", repr(on)): 1.0}
    for name in weights:
        if name not in hand.names:
            raise OptionError(
                f"pull: model {hand.given.name!r} has no body or point {name!r}"
                f"{nearest(name, list(hand.names))}"
            )
    if len(weights) != 1 and isinstance(hand, BodyPull):
        raise OptionError("pull: of a model of bodies one body is held at a time. Give its name.")
    return weights


def _vector(given: Any, what: str) -> Array:
    try:
        made = np.array(given, dtype=float)
    except (TypeError, ValueError):
        made = np.zeros(0)
    if made.shape != (3,) or not np.all(np.isfinite(made)):
        raise OptionError(f"pull: {what} is {given!r:.60}. Give 3 finite numbers.")
    return made
