"""Equations of a model of formulas, with exact derivatives (analysis 1.4)."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.pieces import Table
from dalembert.analysis.equations.point import At, Place, Rows, Signals, Slopes
from dalembert.errors import OptionError
from dalembert.formulas.derivative import jacobian, time_derivative
from dalembert.formulas.expression import TIME, ZERO, Expression, acceleration, lift, load
from dalembert.formulas.graph import symbols
from dalembert.formulas.variables import reaction_of
from dalembert.model.basics.by_name import formula_of

Array = NDArray[np.float64]


class FormulaEquations:
    """The equations of a model whose mass matrix, forces and constraints are formulas."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self._parameters: Mapping[str, float] = model.parameters
        self._q, self._v = list(model.coordinates), [x.dot for x in model.coordinates]
        self.nv = len(self._q)
        self.velocity_names = [f"{x.name}.dot" for x in self._q]
        self.lengths = np.ones(self.nv)
        self.turning = None
        ordered = [
            c for kind in ("holonomic", "velocity") for c in model.constraints if c.kind == kind
        ]
        self.row_names = [name for c in ordered for name in c.row_names]
        self.owners = [c.name for c in ordered for _ in c.rows]
        rows = [[lift(x) for x in c.rows] for c in ordered]
        self.holonomic = sum(len(c.rows) for c in ordered if c.kind == "holonomic")
        flat = [x for part in rows for x in part]
        self._phi = flat[: self.holonomic]
        self._rates = time_derivative(self._phi, self._q) + flat[self.holonomic :]
        self._gamma = time_derivative(self._rates, self._q)
        self._J = jacobian(self._rates, self._v) if self._rates else []
        self._row_tables: dict[Any, Table] = {}
        self._refuse_reactions()

    def _refuse_reactions(self) -> None:
        for leaf in symbols(list(self.model.force), "parameter"):
            if reaction_of(leaf.name):
                raise OptionError(
                    f"model {self.model.name!r}: its forces contain the reaction {leaf.name!r}, and"
                    " friction by reactions is not linearised. Leave it out, or simulate."
                )

    def parameters(self) -> Mapping[str, float]:
        """Values of the parameters."""
        return self._parameters

    # -- tables ----------------------------------------------------------------------------------

    @functools.cached_property
    def _values(self) -> Table:
        entries = [
            ("M", i, j, x) for i, row in enumerate(self.model.mass) for j, x in enumerate(row)
        ]
        entries += [("force", i, 0, x) for i, x in enumerate(self.model.force)]
        entries += [("J", i, j, x) for i, row in enumerate(self._J) for j, x in enumerate(row)]
        for name, column in (("phi", self._phi), ("phi_dot", self._rates), ("gamma", self._gamma)):
            entries += [(name, i, 0, x) for i, x in enumerate(column)]
        return Table([e for e in entries if e[3] is not ZERO])

    @functools.cached_property
    def _slopes(self) -> Table:
        n = self.nv
        residual = []
        for i in range(n):
            total = -self.model.force[i]
            for k in range(n):
                total = total + self.model.mass[i][k] * load("acc", k)
            for r, row in enumerate(self._J):
                total = total - row[i] * load("lam", r)
            residual.append(total)
        second = [
            sum((x * load("acc", k) for k, x in enumerate(row)), gamma)
            for row, gamma in zip(self._J, self._gamma, strict=True)
        ]
        parts = (
            ("K", residual, self._q),
            ("D", residual, self._v),
            ("P", self._rates, self._q),
            ("Sq", second, self._q),
            ("Sv", second, self._v),
        )
        return Table([e for name, f, by in parts for e in _entries(name, f, by)])

    def _numbers(
        self, table: Table, t: float, q: Array, v: Array, more: Mapping[Any, Any] | None = None
    ) -> dict[str, tuple[Any, Any, Any]]:
        values: dict[Any, Any] = {TIME: t}
        values |= zip([*self._q, *self._v], [*q, *v], strict=True)
        for leaf in table.leaves:
            if leaf.op == "parameter":
                values[leaf] = self._parameters.get(leaf.name, leaf.value)
        return table(values | dict(more or {}), 1)

    def at(self, t: float, q: Array, v: Array) -> At:
        """The equations at a state."""
        n, m = self.nv, len(self._rates)
        found = self._numbers(self._values, t, q, v)
        return At(
            t,
            q,
            v,
            _matrix(found.get("M"), n, n),
            _vector(found.get("force"), n),
            _matrix(found.get("J"), m, n),
            _vector(found.get("gamma"), m),
            _vector(found.get("phi"), m),
            _vector(found.get("phi_dot"), m),
        )

    @functools.cached_property
    def _closing(self) -> Table:
        entries = [("phi", i, 0, x) for i, x in enumerate(self._phi)]
        for i, row in enumerate(self._J[: self.holonomic]):
            entries += [("J", i, j, x) for j, x in enumerate(row) if x is not ZERO]
        return Table(entries)

    def closing(self, t: float, q: Array) -> tuple[Array, Array]:
        """Residuals and J of the rows of positions alone."""
        found = self._numbers(self._closing, t, q, np.zeros(self.nv))
        m = self.holonomic
        return _vector(found.get("phi"), m), _matrix(found.get("J"), m, self.nv)

    @functools.cached_property
    def _residuals(self) -> Table:
        return Table([("phi", i, 0, x) for i, x in enumerate(self._phi)])

    def open_by(self, t: float, q: Array) -> Array:
        """Residuals of the rows of positions."""
        found = self._numbers(self._residuals, t, q, np.zeros(self.nv))
        return _vector(found.get("phi"), self.holonomic)

    def slopes(self, at: At, a: Array, lam: Array) -> Slopes:
        """Derivatives of everything, with these accelerations and multipliers."""
        n, m = self.nv, len(self._rates)
        held = {load("acc", k): x for k, x in enumerate(a)}
        held |= {load("lam", i): x for i, x in enumerate(lam)}
        found = self._numbers(self._slopes, at.t, at.q, at.v, held)
        K, D = (_matrix(found.get(x), n, n) for x in "KD")
        return Slopes(K, D, *(_matrix(found.get(x), m, n) for x in ("P", "Sq", "Sv")))

    def stiffness(self, at: At, lam: Array) -> Array:
        """K at rest, where nothing is accelerated."""
        return self.slopes(at, np.zeros(self.nv), lam).K

    # -- coordinates -----------------------------------------------------------------------------

    def displaced(self, q: Array, u: Array) -> Array:
        """q + u."""
        return np.asarray(q + u)

    def bracket(self, v: Array) -> Array:
        """Nothing: velocities are rates of coordinates."""
        return np.zeros((self.nv, self.nv))

    def candidates(self) -> list[str]:
        """The coordinates."""
        return [x.name for x in self._q]

    def coordinates(self, names: Sequence[Any]) -> list[Expression]:
        """Coordinates by name, or formulas of them."""
        found = []
        for name in names:
            formula = name if isinstance(name, Expression) else formula_of(self.model, name)
            if formula is None or symbols([formula], "velocity", "acceleration"):
                raise OptionError(
                    f"model {self.model.name!r} has no coordinate {name!r}. It has"
                    f" {', '.join(x.name for x in self._q)}."
                )
            found.append(formula)
        return found

    def gradients(self, names: Sequence[Any], at: Place) -> Array:
        """G of coordinates, without anything else."""
        entries = _entries("G", self.coordinates(names), self._q)
        found = self._numbers(Table(entries), at.t, at.q, at.v)
        return _matrix(found.get("G"), len(names), self.nv)

    def rows(self, names: Sequence[Any], at: Place, a: Array, *, slopes: bool = True) -> Rows:
        """Coordinates by name as rows; without `slopes` those of P, Sq and Sv are zero."""
        n, k = self.nv, len(names)
        key = (*names, slopes)
        if key not in self._row_tables:
            self._row_tables[key] = self._row_table(self.coordinates(names), slopes)
        held = {load("acc", j): x for j, x in enumerate(a)}
        found = self._numbers(self._row_tables[key], at.t, at.q, at.v, held)
        vectors = [_vector(found.get(x), k) for x in ("x", "rate", "gamma")]
        matrices = [_matrix(found.get(x), k, n) for x in ("G", "P", "Sq", "Sv")]
        return Rows(vectors[0], vectors[1], matrices[0], vectors[2], *matrices[1:])

    def _row_table(self, formulas: Sequence[Expression], slopes: bool) -> Table:
        rates = time_derivative(formulas, self._q)
        gamma = time_derivative(rates, self._q)
        G = jacobian(rates, self._v)
        second = [
            sum((x * load("acc", j) for j, x in enumerate(row)), g)
            for row, g in zip(G, gamma, strict=True)
        ]
        entries = [
            (name, i, 0, x)
            for name, column in (("x", formulas), ("rate", rates), ("gamma", gamma))
            for i, x in enumerate(column)
        ]
        entries += [("G", i, j, x) for i, row in enumerate(G) for j, x in enumerate(row)]
        parts = (("P", rates, self._q), ("Sq", second, self._q), ("Sv", second, self._v))
        for name, f, by in parts if slopes else ():
            entries += _entries(name, f, by)
        return Table(entries)

    def signals(self, formulas: Sequence[Any], at: At, a: Array) -> Signals:
        """Formulas with their derivatives."""
        formulas, n, k = [lift(x) for x in formulas], self.nv, len(formulas)
        second = [acceleration(x.name) for x in self._q]
        entries = [("y", i, 0, x) for i, x in enumerate(formulas)]
        for name, by in (("Yq", self._q), ("Yv", self._v), ("Ya", second)):
            entries += _entries(name, formulas, by)
        held = dict(zip(second, a, strict=True))
        found = self._numbers(Table(entries), at.t, at.q, at.v, held)
        Y = [_matrix(found.get(x), k, n) for x in ("Yq", "Yv", "Ya")]
        return Signals(_vector(found.get("y"), k), *Y)

    # -- inputs ----------------------------------------------------------------------------------

    def by_parameters(self, at: At, names: Sequence[str]) -> Array:
        """d(force)/d(parameter), a column each."""
        symbol = {x.name: x for x in self.model.parameter_symbols}
        entries = _entries("B", list(self.model.force), [symbol[name] for name in names])
        found = self._numbers(Table(entries), at.t, at.q, at.v)
        return _matrix(found.get("B"), self.nv, len(names))


def _entries(name: str, formulas: Sequence[Any], by: Sequence[Any]) -> list[Any]:
    rows = jacobian(list(formulas), list(by)) if formulas else []
    return [
        (name, i, j, x) for i, row in enumerate(rows) for j, x in enumerate(row) if x is not ZERO
    ]


def _matrix(found: Any, rows: int, columns: int) -> Array:
    made = np.zeros((rows, columns))
    if found is not None:
        made[found[0], found[1]] = found[2][:, 0]
    return made


def _vector(found: Any, rows: int) -> Array:
    made = np.zeros(rows)
    if found is not None:
        made[found[0]] = found[2][:, 0]
    return made
