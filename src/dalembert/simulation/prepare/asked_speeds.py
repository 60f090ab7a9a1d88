"""Speeds that were asked for at the start: which, whether the constraints leave them, and how.

A speed counts as asked for when it was given and is not zero: `initial_speed` of a joint,
`velocity` and `angular_velocity` of a body, velocities by name. Everything else follows the
constraints. Asked speeds are kept where the constraints allow all of them together; where they do
not, the nearest velocities are taken, in kinetic energy, and the change is told or refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import AssemblyError, ProjectionError
from dalembert.formulas import Expression
from dalembert.formulas.derivative import time_derivative
from dalembert.formulas.graph import symbols
from dalembert.model.basics.by_name import RATE, formula_of
from dalembert.model.basics.constraint import Constraint
from dalembert.model.basics.quantity import value_of
from dalembert.model.start.given_names import bodies_given
from dalembert.model.start.rows_numpy import Rows
from dalembert.simulation.assembly.assembly import consistent_velocities
from dalembert.simulation.assembly.body_start import read_layer

Array = NDArray[np.float64]

KEPT, NOTED = 1e-6, 1e-3
"""Change of an asked speed, over the largest, that is a matter of digits; that is worth a doubt."""


@dataclass(frozen=True)
class Asked:
    """A speed by the user's own name, its formula and value."""

    name: str
    formula: Expression
    value: float


@dataclass(frozen=True)
class Taken:
    """An asked speed and the one that was taken."""

    name: str
    asked: float
    taken: float


class Speeds:
    """The speeds asked for in a model and for a run of it."""

    def __init__(self, model: Any, initial: Any = None, limit: float = np.inf) -> None:
        self.model, self.limit = model, limit
        read = _of_bodies if model.is_maximal else _of_formulas
        self.asked = read(model, initial)

    @property
    def largest(self) -> float:
        """The scale of all of them."""
        return max((abs(one.value) for one in self.asked), default=0.0)

    def values(self, t: float, q: Array, v: Array) -> Array:
        """The asked speeds at a state."""
        if not self.model.is_maximal:
            place = {x.dot: k for k, x in enumerate(self.model.coordinates)}
            return np.array([v[place[one.formula]] for one in self.asked])
        rows = Rows(self.model, [], self._constraints)
        given = np.array([one.value for one in self.asked])
        return np.asarray(rows.residuals(t, q, v)[1][0] + given)

    @property
    def _constraints(self) -> list[Constraint]:
        return [Constraint(one.name, (one.formula - one.value,)) for one in self.asked]

    def changed(self, t: float, q: Array, v: Array) -> list[Taken]:
        """Asked speeds that a state does not have, the most changed first."""
        if not self.asked:
            return []
        found = [
            Taken(one.name, one.value, float(now))
            for one, now in zip(self.asked, self.values(t, q, v), strict=True)
            if not abs(now - one.value) <= KEPT * self.largest
        ]
        return sorted(found, key=lambda one: -abs(one.taken - one.asked))

    def held(self, t: float, q: Array, v: Array, rows: Any) -> Array | None:
        """The velocity nearest to v that has all of them and meets the constraints, or None.

        `rows` gives J, the residuals J v + Phi_t and M at the state, for models of formulas.
        """
        if self.model.is_maximal:
            try:
                return consistent_velocities(
                    self.model, Rows(self.model), self._constraints, t, q, v
                )
            except AssemblyError:
                return None
        J, off, M = rows()
        free = np.ones(len(v), dtype=bool)
        place = {x.dot: k for k, x in enumerate(self.model.coordinates)}
        given = [place[one.formula] for one in self.asked]
        free[given] = False
        root = np.linalg.cholesky(M[np.ix_(free, free)])
        C = np.linalg.solve(root, J[:, free].T).T
        wanted = -(off + J[:, given] @ (np.array([one.value for one in self.asked]) - v[given]))
        found = v.copy()
        found[given] = [one.value for one in self.asked]
        change = np.linalg.lstsq(C, wanted, rcond=1e-9)[0] if C.size else np.zeros(C.shape[1])
        if np.abs(C @ change - wanted).max(initial=0.0) > 1e-9 * max(1.0, np.abs(wanted).max()):
            return None
        found[free] += np.linalg.solve(root.T, change)
        return found

    def refusal(self, changed: Sequence[Taken]) -> str | None:
        """Why a start is refused whose speeds are changed by more than the limit allows."""
        allowed = self.limit * max(1.0, self.largest)  # as for positions
        if not changed or abs(changed[0].taken - changed[0].asked) <= allowed:
            return None
        return (
            f"{told(changed)}: a change by more than the limit {allowed:.3g}. Give speeds that go"
            " together: dl.assemble(model, velocities=...) finds them, or says which do not; or"
            " raise initial_limit."
        )

    def doubt(self, changed: Sequence[Taken]) -> str:
        """A sentence on speeds that are changed, refused or not."""
        reason = self.refusal(changed)
        if reason is not None:
            return f"refused by run. {reason}"
        return f"{told(changed)}. dl.assemble(model, velocities=...) finds speeds that go together."

    def refuse(self, changed: Sequence[Taken]) -> None:
        """Raise where a start is refused."""
        reason = self.refusal(changed)
        if reason is not None:
            raise ProjectionError(f"Initial state: {reason}")

    def at(self, t: float, q: Array, v: Array) -> list[Taken]:
        """Speeds of a closed model of bodies that its start will not have."""
        try:
            kept = self.held(t, q, v, None)
            if kept is None:
                kept = consistent_velocities(self.model, Rows(self.model), [], t, q, v)
        except AssemblyError:
            return []  # drives contradict one another, which is told elsewhere
        return self.noted(self.changed(t, q, kept))

    def noted(self, changed: Sequence[Taken]) -> list[Taken]:
        """Speeds changed by more than their digits may explain."""
        return [one for one in changed if abs(one.taken - one.asked) > NOTED * self.largest]


def told(changed: Sequence[Taken]) -> str:
    """A sentence on the asked and the taken speeds, for the most changed ones."""
    parts = [
        f"{one.name} was given as {one.asked:.6g}, the constraints leave {one.taken:.6g}"
        for one in changed[:3]
    ]
    return "; ".join(parts)


def _coordinate_of(key: Any) -> str | None:
    """The coordinate whose velocity a key of `initial` stands for."""
    if isinstance(key, Expression):
        return key.name.removesuffix(".dot") if key.op == "velocity" else None
    if isinstance(key, str) and key.endswith("'"):
        return key[:-1]
    return key.removesuffix(".dot") if isinstance(key, str) and key.endswith(".dot") else None


def _of_formulas(model: Any, initial: Any) -> list[Asked]:
    symbols_of = {x.name: x.dot for x in model.coordinates}
    if initial is not None and not isinstance(initial, Mapping):
        values = [float(x) for x in initial[1]]
        return _whole(zip(symbols_of.items(), values, strict=True))
    if model.bodies:
        return _of_angles(model, read_layer(model, initial or {}))
    found: dict[str, float] = {}
    for source in (model.initial, initial or {}):
        for key, value in source.items():
            name = _coordinate_of(key)
            if name is not None and name in symbols_of:
                found[name] = float(value)
    return _whole(((name, symbols_of[name]), value) for name, value in found.items())


def _of_angles(model: Any, layer: Mapping[str, float]) -> list[Asked]:
    """Speeds of bodies with angles: by name those that were named, others by starts and joints."""
    set_before = model.initial_numbers()
    named = set_before | layer
    pushed = bodies_given(model, named, speeds=True)
    state = model.start_by_name([set_before, layer])
    found = {}
    for x in model.coordinates:
        rate = f"{x.name}{RATE}"
        if rate in named or (rate in state and x.name.rpartition(".")[0] not in pushed):
            found[x.name] = x.dot, state.get(rate, 0.0)
    return _whole(((name, symbol), value) for name, (symbol, value) in found.items())


def _whole(entries: Any) -> list[Asked]:
    """The given speeds, or none where all are zero: zeros count where anything else moves."""
    found = [Asked(f"{name}.dot", symbol, value) for (name, symbol), value in entries]
    return found if any(one.value for one in found) else []


def _of_bodies(model: Any, initial: Any) -> list[Asked]:
    if initial is not None and not isinstance(initial, Mapping):
        _, v = initial
        bodies = model.bodies.values()
        names = [name for body in bodies for name in body.velocity_names]
        symbols_of = [symbol for body in bodies for symbol in body.velocity_symbols]
        both = zip(names, symbols_of, v, strict=True)
        found = [Asked(name, symbol, float(x)) for name, symbol, x in both]
        return found if any(one.value for one in found) else []
    by_name = model.initial_numbers() | read_layer(model, initial or {})
    speeds: dict[str, tuple[Expression, float]] = {}
    for name, value in by_name.items():
        formula = formula_of(model, name)
        if formula is not None and symbols([formula], "velocity"):
            speeds[name] = formula, value
    found = [Asked(name, formula, value) for name, (formula, value) in speeds.items() if value]
    joints = {name.removesuffix(RATE).rpartition(".")[0] for name in speeds}
    spoken = bodies_given(model, speeds, speeds=True)
    joints = {name for name in joints if name in model.joints}
    return found + _of_starts(model, spoken) + _of_joints(model, spoken, joints)


def _of_starts(model: Any, spoken: set[str]) -> list[Asked]:
    """Velocities given with a body."""
    found = []
    bodies, parameters = model.bodies, model.parameters
    for name, start in model.starts.items():
        if name in spoken or name not in bodies:
            continue
        for what in ("velocity", "angular_velocity"):
            given = getattr(start, what)
            if given is None:
                continue
            values = np.array([value_of(x, parameters) or 0.0 for x in given])
            if not np.any(values):
                continue
            body = bodies[name]
            formulas = getattr(body, what)
            if what == "angular_velocity" and start.axes == "body":
                formulas = body.rotation.T @ formulas
            found += [
                Asked(f"{what} {axis} of body {name!r}", formula, float(value))
                for axis, formula, value in zip("xyz", formulas, values, strict=True)
            ]
    return found


def _of_joints(model: Any, spoken: set[str], named: set[str]) -> list[Asked]:
    """Speeds given with a joint, unless it or its bodies were given theirs by name."""
    found = []
    parameters = model.parameters
    for joint in model.joints.values():
        given = getattr(joint, "initial_speed", 0.0)
        speeds = list(given) if isinstance(given, list | tuple) else [given]
        if joint.name in named or spoken & {frame.body.name for frame in joint.frames}:
            continue
        if len(speeds) != len(joint.coordinates):
            found += _of_twist(joint, parameters)
            continue
        for part, speed in zip(joint.coordinates, speeds, strict=True):
            value = value_of(speed, parameters) or 0.0
            if not value:
                continue
            formula = getattr(joint, part)
            if not symbols([formula], "velocity"):
                label = f"initial_speed of joint {joint.name!r}"
                label += f" ({part})" if len(speeds) > 1 else ""
                found.append(Asked(label, time_derivative([formula])[0], float(value)))
    return found


def _of_twist(joint: Any, parameters: Mapping[str, float]) -> list[Asked]:
    """Speeds of a joint without coordinates: velocities of its second frame seen from the first."""
    given = joint.twist(parameters)
    if given is None or not np.any(given):
        return []
    a, b = joint.views
    turning = b.angular_velocity - a.angular_velocity
    sliding = b.velocity - a.velocity - np.cross(a.angular_velocity, b.origin - a.origin)
    found = []
    for word, motion, values in zip(("along", "about"), (sliding, turning), given, strict=True):
        if np.any(values):
            label = f"initial_speed of joint {joint.name!r} {word} "
            parts = zip("xyz", a.axes.T @ motion, values, strict=True)
            found += [Asked(label + axis, formula, float(x)) for axis, formula, x in parts]
    return found
