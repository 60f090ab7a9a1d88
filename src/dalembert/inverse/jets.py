"""The derivative array of a model with prescribed outputs (servo 2).

Unknowns are coordinates with K time derivatives, inputs and multipliers with K - 2. Equations are

    c(q, t) = y(q, t) - y_d(t) = 0   and  Phi(q, t) = 0        with K time derivatives,
    M(q, t) q'' - Q(q, q', t, u) - J^T lam = 0                 with K - 2.

Each derivative is one of the graph of formulas: exact, to any order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.formulas import (
    Expression,
    constant,
    directional,
    jacobian,
    load,
    substitute,
    symbols,
    time,
)
from dalembert.formulas.expression import ONE, ZERO
from dalembert.formulas.llvm import compile_function

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Plant:
    """A model as formulas: coordinates, inputs, equations; parameters are numbers.

    Attributes
    ----------
    coordinates, velocities, inputs : symbols
    mass, force, rows : M, Q and Phi (or psi, of velocities)
    jacobian : of the rows by the velocities
    errors : outputs less what is prescribed
    """

    coordinates: Sequence[Expression]
    velocities: Sequence[Expression]
    inputs: Sequence[Expression]
    mass: Sequence[Sequence[Expression]]
    force: Sequence[Expression]
    rows: Sequence[Expression]
    jacobian: Sequence[Sequence[Expression]]
    errors: Sequence[Expression]


class Jets:
    """The array of one order K, compiled.

    Attributes
    ----------
    n, m, r : coordinates, inputs, rows
    order : K
    size : unknowns; q with its derivatives first, then u with its, then multipliers
    """

    def __init__(self, plant: Plant, order: int) -> None:
        self.plant, self.order = plant, order
        self.n, self.m, self.r = len(plant.coordinates), len(plant.inputs), len(plant.rows)
        self.inner = order - 1
        self.size = self.n * (order + 1) + (self.m + self.r) * self.inner
        self._symbols = [load("q", k) for k in range(self.size)]
        self._write()

    # -- places ------------------------------------------------------------------------------------

    def q(self, derivative: int) -> slice:
        """Places of the coordinates' derivatives."""
        return slice(self.n * derivative, self.n * (derivative + 1))

    def u(self, derivative: int) -> slice:
        """Places of the inputs' derivatives."""
        first = self.n * (self.order + 1) + self.m * derivative
        return slice(first, first + self.m)

    def multipliers(self, derivative: int) -> slice:
        """Places of the multipliers' derivatives."""
        first = self.n * (self.order + 1) + self.m * self.inner + self.r * derivative
        return slice(first, first + self.r)

    # -- formulas ----------------------------------------------------------------------------------

    def _write(self) -> None:
        plant, z = self.plant, self._symbols
        own: dict[Any, Any] = dict(zip(plant.coordinates, z[self.q(0)], strict=True))
        own |= zip(plant.velocities, z[self.q(1)], strict=True)
        own |= zip(plant.inputs, z[self.u(0)], strict=True)
        a, lam = z[self.q(2)], z[self.multipliers(0)]
        motion = []
        for i in range(self.n):
            total: Any = -plant.force[i]
            for k in range(self.n):
                total = total + plant.mass[i][k] * a[k]
            for j in range(self.r):
                total = total - plant.jacobian[j][i] * lam[j]
            motion.append(total)
        outer = substitute([*plant.errors, *plant.rows], own)
        inner = substitute(motion, own)
        equations: list[Expression] = []
        for level in range(self.order + 1):
            equations += outer
            if level < self.order:
                outer = self._derived(outer)
        for level in range(self.inner):
            equations += inner
            if level < self.inner - 1:
                inner = self._derived(inner)
        self.count = len(equations)
        slopes = jacobian(equations, z)
        stores = [("x", k, f) for k, f in enumerate(equations)]
        stores += [
            ("y", i * self.size + k, f)
            for i, row in enumerate(slopes)
            for k, f in enumerate(row)
            if f is not ZERO
        ]
        self._code = compile_function("jets", ["t", "q", "x", "y"], stores, {time: ("t", None)})

    def _derived(self, formulas: Sequence[Expression]) -> list[Expression]:
        """Time derivatives: of each unknown the next one."""
        z, seed = self._symbols, {time: ONE}
        for k in range(self.order):
            seed |= zip(z[self.q(k)], z[self.q(k + 1)], strict=True)
        for k in range(self.inner - 1):
            seed |= zip(z[self.u(k)], z[self.u(k + 1)], strict=True)
            seed |= zip(z[self.multipliers(k)], z[self.multipliers(k + 1)], strict=True)
        return directional(list(formulas), seed)

    # -- numbers -----------------------------------------------------------------------------------

    def at(self, t: float, z: Array) -> tuple[Array, Array]:
        """Residuals (count,) and their derivatives (count, size)."""
        residual, slopes = np.zeros(self.count), np.zeros(self.count * self.size)
        self._code(work=None, sizes=None, t=float(t), q=z, x=residual, y=slopes)
        return residual, slopes.reshape(self.count, self.size)


def plant_of(
    model: Any, inputs: Sequence[str], errors: Sequence[Expression], values: Mapping[str, float]
) -> Plant:
    """A model of formulas as a plant; parameters but the inputs become numbers."""
    mass = [list(row) for row in model.mass]
    rows = [row for c in model.constraints for row in c.rows]
    velocities = [x.dot for x in model.coordinates]
    kinds = [c.kind for c in model.constraints for _ in c.rows]
    by: list[list[Expression]] = []
    for row, kind in zip(rows, kinds, strict=True):
        held = model.coordinates if kind == "holonomic" else velocities
        by.append(jacobian([row], list(held))[0])
    everything = [*model.force, *rows, *errors, *(x for row in mass for x in row)]
    leaves = symbols(everything, "parameter")
    known: dict[Any, Any] = {}
    own: dict[str, Expression] = {}
    for leaf in leaves:
        if leaf.name in inputs:
            own[leaf.name] = leaf
        else:
            known[leaf] = constant(float(values.get(leaf.name, leaf.value)))

    def numbers(formulas: Sequence[Expression]) -> list[Expression]:
        return substitute(list(formulas), known)

    return Plant(
        list(model.coordinates),
        velocities,
        [own[name] for name in inputs if name in own],
        [numbers(row) for row in mass],
        numbers(model.force),
        numbers(rows),
        [numbers(row) for row in by],
        numbers(errors),
    )
