"""Formulas of one kind of joint or force, with their exact derivatives (analysis 1).

Displacements of a body are u = (way of its centre, rotation vector), world components, so that a
vector fixed in it changes by  da = rotation x a,  the rule by which it changes with time.
Derivatives of formulas in these six directions are exact, as their time derivatives are.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.formulas.derivative import directional, jacobian, time_derivative
from dalembert.formulas.evaluate import Prepared
from dalembert.formulas.expression import ONE, ZERO, Expression, lift, load
from dalembert.formulas.graph import substitute
from dalembert.formulas.orientation import arm, quaternion, rotation, turning

HOLONOMIC, VELOCITY = "holonomic", "velocity"

Entry = tuple[str, int, int, Expression]
"""Table, row, column, formula."""


@dataclass(frozen=True)
class Owner:
    """Symbols of one body: its name, and those of its centre of mass."""

    name: str
    place: tuple[Expression, ...]

    @property
    def velocities(self) -> list[Expression]:
        """The six velocities."""
        return [*(x.dot for x in self.place), *turning(self.name)]


@functools.cache
def _seeds(owner: Owner) -> list[dict[Expression, Expression]]:
    """Tangents of the symbols of a body for each of its six displacements."""
    made: list[dict[Expression, Expression]] = [{x: ONE} for x in owner.place]
    name, w = owner.name, list(turning(owner.name))
    fixed = [*rotation(name).ravel(), *arm(name), *quaternion(name)]
    rates = [leaf.dot for leaf in fixed]
    for j in range(3):
        unit = {x: ONE if k == j else ZERO for k, x in enumerate(w)}
        made.append(dict(zip(fixed, substitute(rates, unit), strict=True)))
    return made


def by_places(
    table: str, formulas: Sequence[Expression], owners: Sequence[Owner], first: int = 0
) -> list[Entry]:
    """Derivatives by the displacements of each body, those that are not zero."""
    entries = []
    for b, owner in enumerate(owners):
        for j, seed in enumerate(_seeds(owner)):
            column = directional(list(formulas), seed)
            entries += [
                (table, first + i, 6 * b + j, x) for i, x in enumerate(column) if x is not ZERO
            ]
    return entries


def by_velocities(
    table: str, formulas: Sequence[Expression], owners: Sequence[Owner], first: int = 0
) -> list[Entry]:
    """Derivatives by the velocities of each body, those that are not zero."""
    variables = [v for owner in owners for v in owner.velocities]
    rows = jacobian(list(formulas), variables)
    return [
        (table, first + i, j, x)
        for i, row in enumerate(rows)
        for j, x in enumerate(row)
        if x is not ZERO
    ]


class Table:
    """Entries of matrices as formulas, evaluated together."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._program = Prepared([x for *_, x in entries])
        self.names = list(dict.fromkeys(name for name, *_ in entries))
        self._chosen = {
            name: np.array([k for k, e in enumerate(entries) if e[0] == name])
            for name in self.names
        }
        self._places = {
            name: np.array([e[1:3] for e in entries if e[0] == name]) for name in self.names
        }

    @property
    def leaves(self) -> list[Any]:
        """Symbols that need values."""
        return self._program.leaves

    def __call__(self, values: Any, count: int) -> dict[str, tuple[Any, Any, Any]]:
        """Table -> (rows, columns, numbers (entries, instances))."""
        found = self._program(values)
        flat = np.empty((len(found), count))
        for k, x in enumerate(found):
            flat[k] = x
        return {
            name: (self._places[name][:, 0], self._places[name][:, 1], flat[chosen])
            for name, chosen in self._chosen.items()
        }


class RowPiece:
    """Rows of constraints, or coordinates treated as such (analysis 1.2).

    Tables of values: phi, phi_dot, gamma (what of phi'' does not come from accelerations), J.
    Tables of slopes, with multipliers "lam" and accelerations "acc" held: P = d(phi')/dq,
    Sq = d(phi'')/dq, Sv = d(phi'')/dv, Wq = d(J^T lam)/dq, Wv = d(J^T lam)/dv.
    """

    def __init__(self, level: str, rows: Sequence[Expression], owners: Sequence[Owner]) -> None:
        rows = [lift(x) for x in rows]
        self.level, self.count, self.owners = level, len(rows), list(owners)
        rates = time_derivative(rows) if level == HOLONOMIC else rows
        self._phi = rows if level == HOLONOMIC else [ZERO] * len(rows)
        self._rates, self._gamma = rates, time_derivative(rates)
        variables = [v for owner in owners for v in owner.velocities]
        self._J = jacobian(rates, variables)

    @functools.cached_property
    def values(self) -> Table:
        """Residuals and J."""
        return Table(self._entries(phi=self._phi, phi_dot=self._rates, gamma=self._gamma))

    @functools.cached_property
    def closing(self) -> Table:
        """Residuals of places and J alone."""
        return Table(self._entries(phi=self._phi))

    @functools.cached_property
    def residuals(self) -> Table:
        """Residuals of places."""
        return Table([("phi", i, 0, x) for i, x in enumerate(self._phi) if x is not ZERO])

    def _entries(self, **columns: Sequence[Expression]) -> list[Entry]:
        entries: list[Entry] = []
        for name, column in columns.items():
            entries += [(name, i, 0, x) for i, x in enumerate(column) if x is not ZERO]
        for i, row in enumerate(self._J):
            entries += [("J", i, j, x) for j, x in enumerate(row) if x is not ZERO]
        return entries

    @functools.cached_property
    def slopes(self) -> Table:
        """Derivatives of rates, of second derivatives, and of the forces of multipliers."""
        second, pull = [], self._pull()
        for row, gamma in zip(self._J, self._gamma, strict=True):
            second.append(sum((x * load("acc", j) for j, x in enumerate(row)), gamma))
        return Table(
            [
                *by_places("P", self._rates, self.owners),
                *by_places("Sq", second, self.owners),
                *by_velocities("Sv", second, self.owners),
                *by_places("Wq", pull, self.owners),
                *by_velocities("Wv", pull, self.owners),
            ]
        )

    @functools.cached_property
    def stiffness(self) -> Table:
        """Derivatives of the forces of multipliers by places alone."""
        return Table(by_places("Wq", self._pull(), self.owners))

    def _pull(self) -> list[Expression]:
        """Forces of multipliers "lam" on the bodies."""
        columns = zip(*self._J, strict=True)
        return [sum((x * load("lam", i) for i, x in enumerate(c)), ZERO) for c in columns]


class LoadPiece:
    """Forces on bodies: six numbers each, about the centre of mass; F, Fq, Fv, and Fd by data."""

    def __init__(
        self, loads: Sequence[Expression], owners: Sequence[Owner], data: Sequence[Any] = ()
    ) -> None:
        self._loads, self.owners = [lift(x) for x in loads], list(owners)
        self._data = list(data)

    @functools.cached_property
    def values(self) -> Table:
        """The loads."""
        return Table([("F", i, 0, x) for i, x in enumerate(self._loads) if x is not ZERO])

    @functools.cached_property
    def slopes(self) -> Table:
        """Their derivatives."""
        return Table(
            [
                *by_places("Fq", self._loads, self.owners),
                *by_velocities("Fv", self._loads, self.owners),
            ]
        )

    @functools.cached_property
    def stiffness(self) -> Table:
        """Derivatives by places alone."""
        return Table(by_places("Fq", self._loads, self.owners))

    def by(self, variables: Sequence[Expression]) -> Table:
        """Derivatives by entries of data, or by parameters."""
        rows = jacobian(self._loads, list(variables))
        return Table(
            [
                ("Fd", i, j, x)
                for i, row in enumerate(rows)
                for j, x in enumerate(row)
                if x is not ZERO
            ]
        )


class SignalPiece:
    """Any formulas of places, velocities and accelerations: y, Yq, Yv, Ya."""

    def __init__(self, formulas: Sequence[Expression], owners: Sequence[Owner]) -> None:
        from dalembert.formulas.expression import acceleration

        formulas = list(formulas)
        self.count, self.owners = len(formulas), list(owners)
        second = [acceleration(v.name) for owner in owners for v in owner.velocities]
        entries: list[Entry] = [("y", i, 0, x) for i, x in enumerate(formulas)]
        entries += by_places("Yq", formulas, owners)
        entries += by_velocities("Yv", formulas, owners)
        rows = jacobian(formulas, second)
        entries += [
            ("Ya", i, j, x)
            for i, row in enumerate(rows)
            for j, x in enumerate(row)
            if x is not ZERO
        ]
        self.table = Table(entries)
