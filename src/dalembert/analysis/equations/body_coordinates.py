"""Coordinates, signals and inputs of a model of bodies, with exact derivatives (analysis 1.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.body_elements import BodyElements
from dalembert.analysis.equations.body_kinds import coordinate_kind, coordinate_piece
from dalembert.analysis.equations.groups import Group, Single
from dalembert.analysis.equations.pieces import HOLONOMIC, RowPiece, SignalPiece
from dalembert.analysis.equations.point import At, Place, Rows, Signals
from dalembert.errors import OptionError
from dalembert.formulas import evaluate
from dalembert.formulas.derivative import jacobian
from dalembert.formulas.expression import Expression, acceleration, lift, load
from dalembert.formulas.graph import symbols
from dalembert.model.basics.by_name import formula_of, joint_names, unwritten
from dalembert.model.start.states import States, displaced

Array = NDArray[np.float64]


class BodyCoordinates(BodyElements):
    """Coordinates and signals of a motion of bodies, and inputs to it."""

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        self.velocity_names = [name for body in self.bodies for name in body.velocity_names]
        self._coordinates: dict[Any, tuple[str, Any]] = {}
        self._signal_parts: dict[Any, Single] = {}
        self._candidates: list[str] | None = None
        self._parts_of: dict[tuple[Any, ...], list[tuple[Any, Any]]] = {}

    def displaced(self, q: Array, u: Array) -> Array:
        """q (+) u: centres moved, bodies turned about fixed axes."""
        return np.asarray(displaced(q, u))

    def bracket(self, v: Array) -> Array:
        """Omega of  u' = dv + Omega u:  rotations of a body that turns with w change by w x u."""
        turn = np.zeros((self.nv, self.nv))
        for b in range(self.n):
            s = slice(6 * b + 3, 6 * b + 6)
            turn[s, s] = skew(v[s])
        return turn

    def candidates(self) -> list[str]:
        """Coordinates of joints."""
        if self._candidates is None:
            self._candidates = list(joint_names(self.model))
        return self._candidates

    # -- coordinates -----------------------------------------------------------------------------

    def _coordinate(self, name: Any) -> tuple[str, Any]:
        """The kind of a coordinate, and its joint; or no kind, and its own piece."""
        if name not in self._coordinates:
            formula = name if isinstance(name, Expression) else formula_of(self.model, name)
            if formula is None:
                reason = unwritten(self.model, str(name))
                raise OptionError(
                    f"model {self.model.name!r} has no coordinate {name!r}.{reason} Name a"
                    " coordinate of a joint ('bearing.angle') or body ('crank.x', 'crank.pitch')."
                )
            if symbols([formula], "velocity", "acceleration"):
                raise OptionError(
                    f"{name!r} is a velocity. Name a coordinate, such as 'bearing.angle'."
                )
            owner, _, part = str(name).rpartition(".")
            joint: Any = self.model.joints.get(owner)
            kind = "" if joint is None else coordinate_kind(joint, part, formula)
            if kind and len({self.body_number(frame) for frame in joint.frames}) == 2:
                self._coordinates[name] = kind, joint
            else:
                piece = self._single(
                    [formula], lambda owners: RowPiece(HOLONOMIC, [formula], owners)
                )
                self._coordinates[name] = "", piece
        return self._coordinates[name]

    def _coordinate_parts(self, names: Sequence[Any]) -> list[tuple[Any, Any]]:
        """Parts to be evaluated, each with the rows (I, 1) that its instances are."""
        key = tuple(names)
        if key not in self._parts_of:
            self._parts_of[key] = self._gathered(names)
        return self._parts_of[key]

    def _gathered(self, names: Sequence[Any]) -> list[tuple[Any, Any]]:
        groups: dict[str, Group] = {}
        found: list[tuple[Any, Any]] = []
        for i, name in enumerate(names):
            kind, what = self._coordinate(name)
            if not kind:
                found.append((what, np.array([[i]])))
                continue
            group = groups.setdefault(kind, Group(coordinate_piece(kind), frames_alone=True))
            bodies = tuple(self.body_number(frame) for frame in what.frames)
            group.add(what, bodies, [i])
        for group in groups.values():
            group.numbered(self._parameters)
            found.append((group, group.row_array))
        return found

    def gradients(self, names: Sequence[Any], at: Place) -> Array:
        """G of coordinates, without anything else."""
        states, G = self.states(at.t, at.q, at.v), np.zeros((len(names), self.nv + 6))
        for part, rows in self._coordinate_parts(names):
            found = self._evaluated(part.piece.values, part, states)
            self._add(G, part, found.get("J"), rows=rows)
        return G[:, : self.nv]

    def rows(self, names: Sequence[Any], at: Place, a: Array, *, slopes: bool = True) -> Rows:
        """Coordinates by name as rows; without `slopes` those of P, Sq and Sv are zero."""
        states = self.states(at.t, at.q, at.v)
        k, wide = len(names), self.nv + 6
        x, rate, gamma = (np.zeros(k) for _ in range(3))
        G, P, Sq, Sv = (np.zeros((k, wide)) for _ in range(4))
        for part, rows in self._coordinate_parts(names):
            found = self._evaluated(part.piece.values, part, states)
            for name, target in (("phi", x), ("phi_dot", rate), ("gamma", gamma), ("J", G)):
                self._add(target, part, found.get(name), rows=rows)
            if not slopes:
                continue
            held = self._held(part, a, np.zeros(rows.shape))
            found = self._evaluated(part.piece.slopes, part, states, held)
            for name, target in (("P", P), ("Sq", Sq), ("Sv", Sv)):
                self._add(target, part, found.get(name), rows=rows)
        n = self.nv
        return Rows(x, rate, G[:, :n], gamma, P[:, :n], Sq[:, :n], Sv[:, :n])

    def pull_slope(self, name: str, at: At, a: Array, force: float) -> Array:
        """d(G^T force)/dq of a coordinate."""
        states = self.states(at.t, at.q, at.v)
        made = np.zeros((self.nv + 6, self.nv + 6))
        for part, _ in self._coordinate_parts([name]):
            held = self._held(part, a, np.array([[force]]))
            found = self._evaluated(part.piece.slopes, part, states, held)
            self._add(made, part, found.get("Wq"), by_body=True)
        return made[: self.nv, : self.nv]

    # -- signals ---------------------------------------------------------------------------------

    def signals(self, formulas: Sequence[Any], at: At, a: Array) -> Signals:
        """Formulas with their derivatives."""
        states = self.states(at.t, at.q, at.v)
        k, wide = len(formulas), self.nv + 6
        y = np.zeros(k)
        Yq, Yv, Ya = (np.zeros((k, wide)) for _ in range(3))
        for i, formula in enumerate(formulas):
            if formula not in self._signal_parts:
                lifted = lift(formula)
                self._signal_parts[formula] = self._single([lifted], _signal(lifted))
            part = self._signal_parts[formula]
            more: dict[Any, Any] = {}
            for b in part.bodies:
                leaves = self.bodies[b].velocity_symbols
                more |= {acceleration(x.name): a[6 * b + j] for j, x in enumerate(leaves)}
            found = self._evaluated(part.piece.table, part, states, more)
            for name, target in (("y", y), ("Yq", Yq), ("Yv", Yv), ("Ya", Ya)):
                self._add(target, part, found.get(name), rows=np.array([[i]]))
        n = self.nv
        return Signals(y, Yq[:, :n], Yv[:, :n], Ya[:, :n])

    # -- inputs ----------------------------------------------------------------------------------

    def by_parameters(self, at: At, names: Sequence[str]) -> Array:
        """d(force)/d(parameter), a column each."""
        states = self.states(at.t, at.q, at.v)
        found = np.zeros((self.nv + 6, len(names)))
        symbol = {x.name: x for x in self.model.parameter_symbols}
        wanted = [symbol[name] for name in names]
        for part in self._load_parts:
            table = part.piece.by(wanted)
            for rows, columns, numbers in self._evaluated(table, part, states).values():
                places = self._columns(part, rows)
                which = np.broadcast_to(columns[:, None], places.shape)
                np.add.at(found, (places, which), numbers)
            if isinstance(part, Group):
                self._by_data(part, states, wanted, found)
        self._by_gravity(wanted, found)
        return found[: self.nv]

    def by_symbol(self, part: Group, states: States, symbol: Expression) -> Array:
        """Forces on all velocities for one unit of a parameter in the data of elements."""
        found = np.zeros((self.nv + 6, 1))
        table = part.piece.by([symbol])
        for rows, _, numbers in self._evaluated(table, part, states).values():
            np.add.at(found[:, 0], self._columns(part, rows), numbers)
        self._by_data(part, states, [symbol], found)
        return found[: self.nv, 0]

    def _by_gravity(self, wanted: list[Any], found: Array) -> None:
        slopes = jacobian([lift(x) for x in self.model.gravity], wanted)
        values = {x: self._parameters[x.name] for x in self.model.parameter_symbols}
        values |= dict.fromkeys(symbols([y for row in slopes for y in row], "time"), 0.0)
        for k, row in enumerate(slopes):
            numbers = np.array([float(x) for x in evaluate(row, values)])
            for b, body in enumerate(self.bodies):
                mass = float(evaluate([lift(body.inertia.mass)], values)[0])
                found[6 * b + k] += mass * numbers

    def _by_data(self, part: Group, states: States, wanted: list[Any], found: Array) -> None:
        """Add what comes by numbers of elements that are formulas of parameters."""
        values = {x: self._parameters[x.name] for x in self.model.parameter_symbols}
        values |= {x: self._parameters.get(x.name, x.value) for x in wanted}
        for i, element in enumerate(part.elements):
            given = [lift(x) for x in element.data()]
            if not set(symbols(given, "parameter")) & set(wanted):
                continue
            table = part.piece.by([load("data", k) for k in range(len(given))])
            slopes = jacobian(given, wanted)
            chain = np.array([[float(x) for x in evaluate(row, values)] for row in slopes])
            for rows, columns, numbers in self._evaluated(table, part, states).values():
                places = self._columns(part, rows)[:, i]
                np.add.at(found, places, numbers[:, i, None] * chain[columns])


def _signal(formula: Expression) -> Any:
    return lambda owners: SignalPiece([formula], owners)


def skew(x: Array) -> Array:
    """The matrix of  x cross."""
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])
