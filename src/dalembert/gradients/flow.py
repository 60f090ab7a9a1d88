"""A traced step compiled: its values, its tangents, its adjoints; the same of rows and signals.

All functions have one signature (`SIGNATURE`) and read t, h, q, v, p. With x = (dq, dv, dp, dt, dh)
a tangent leaves what q, v change by, and with adjoints of q and v in x an adjoint leaves those of
all five. Both are exact derivatives of the formulas of the step (sensitivity 1).

Where a step has stages that are solved for, their increments stand in s, their directions and
adjoints behind the others (sensitivity 3.1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert._once import once_property
from dalembert.batch.kernels.layout import BATCH as SIGNATURE
from dalembert.batch.tracing import loads
from dalembert.formulas import (
    Condition,
    Expression,
    directional,
    gradient,
    jacobian,
    reachable,
    substitute,
    time,
)
from dalembert.formulas.expression import ZERO
from dalembert.formulas.llvm import CompiledFunction, compile_function
from dalembert.gradients.tape import values_to_keep
from dalembert.gradients.traced import H, Traced

Array = NDArray[np.float64]


class Flow:
    """The compiled step of one setup, with its derivatives.

    Attributes
    ----------
    nq, nv, nx, given : how many coordinates, velocities, both, entries that parameters change
    width : entries of a direction, nx + given + 2
    stages : increments of stages that are solved for, 0 where there are none
    step, closing, tangent, adjoint : CompiledFunction
    keeping, pulling : the step that keeps values in `work`, and its adjoint that reads them there
    """

    def __init__(self, traced: Traced) -> None:
        self.traced = traced
        self.nq, self.nv, self.given = len(traced.q), len(traced.v), len(traced.p)
        self.nx = self.nq + self.nv
        self.width = self.nx + self.given + 2
        self.variables = [*traced.q, *traced.v, *traced.p, time, H]
        self.stages = len(traced.stages)
        status: Condition | None = None
        for guard in traced.guards:
            status = guard if status is None else status & guard
        self._status = status
        self.step = self._compiled("step", traced.step, status)
        self.closing: CompiledFunction | None = None
        if traced.closing is not None:
            state, ratio = traced.closing
            self.closing = self._compiled("closing", [*state, ratio])

    @property
    def _all(self) -> list[Expression]:
        return [*self.variables, *self.traced.stages]

    @once_property
    def tangent(self) -> CompiledFunction:
        """dq, dv behind the step in a direction."""
        return self._compiled("tangent", self._tangents(self.traced.step))

    @once_property
    def adjoint(self) -> CompiledFunction:
        """Adjoints before the step from those behind it."""
        return self._compiled("adjoint", self._adjoints(self.traced.step))

    @once_property
    def kept(self) -> list[Expression]:
        """Values of a step that are kept for the way back."""
        return values_to_keep(self.traced.step, self._adjoints(self.traced.step))

    @once_property
    def keeping(self) -> CompiledFunction:
        """The step, which leaves the values that are kept in `work`."""
        stores = [("work", k, x) for k, x in enumerate(self.kept)]
        return self._compiled("keeping", self.traced.step, self._status, stores)

    @once_property
    def pulling(self) -> CompiledFunction:
        """Adjoints before the step from those behind it, with values that were kept."""
        return self._compiled("pulling", self._adjoints_with_kept())

    def _adjoints_with_kept(self) -> list[Expression]:
        known = dict(zip(self.kept, loads("work", len(self.kept)), strict=True))
        return substitute(self._adjoints(self.traced.step), known)

    @once_property
    def stage(self) -> CompiledFunction | None:
        """Defects of the stages, and their derivatives by the stages, row by row."""
        if not self.stages:
            return None
        defects = self.traced.defects
        rows = jacobian(defects, self.traced.stages)
        return self._compiled("stage", [*defects, *(x for row in rows for x in row)])

    @once_property
    def stage_tangent(self) -> CompiledFunction | None:
        """Change of the defects in a direction, stages held."""
        if not self.stages:
            return None
        return self._compiled("stage_tangent", self._tangents(self.traced.defects, self.variables))

    @once_property
    def stage_adjoint(self) -> CompiledFunction | None:
        """Adjoints before the step from those of the defects."""
        if not self.stages:
            return None
        return self._compiled("stage_adjoint", self._adjoints(self.traced.defects, self.variables))

    def operations(self) -> tuple[int, int]:
        """Operations of a step forth, and of the way back: with a store and a load a kept value."""
        made = self.traced.step, self._adjoints_with_kept()
        forth, back = (sum(1 for x in reachable(formulas) if x.args) for formulas in made)
        return forth, back + 2 * len(self.kept)

    def _tangents(
        self, outputs: Sequence[Expression], by: Sequence[Expression] | None = None
    ) -> list[Expression]:
        by = self._all if by is None else by
        return directional(outputs, dict(zip(by, loads("x", len(by)), strict=True)))

    def _adjoints(
        self, outputs: Sequence[Expression], by: Sequence[Expression] | None = None
    ) -> list[Expression]:
        by = self._all if by is None else by
        total: Any = ZERO
        for weight, output in zip(loads("x", len(outputs)), outputs, strict=True):
            total = total + weight * output
        return gradient(total, by)

    def _compiled(
        self,
        name: str,
        outputs: Sequence[Expression],
        status: Condition | None = None,
        more: Sequence[tuple[str, int, Expression]] = (),
    ) -> CompiledFunction:
        stores = [*(("y", k, x) for k, x in enumerate(outputs)), *more]
        arguments = SIGNATURE.arguments
        return compile_function(f"gradient_{name}", arguments, stores, {}, status)

    def outputs(self, formulas: Sequence[Expression]) -> Outputs:
        """Formulas of the state, compiled with their derivatives."""
        return Outputs(self, formulas)

    def entries(self, values: Mapping[str, float]) -> Array:
        """Entries "p" with these values of parameters."""
        return self.traced.places.values({**self.traced.own, **values})

    def slopes(self, values: Mapping[str, float]) -> Array:
        """Their derivatives (rows) with respect to the parameters of the trace (columns)."""
        return self.traced.places.slopes({**self.traced.own, **values})


class Outputs:
    """Formulas of t, q, v, p: values, and derivatives with respect to (q, v, p, t)."""

    def __init__(self, flow: Flow, formulas: Sequence[Expression]) -> None:
        self.flow, self.count = flow, len(formulas)
        variables = flow.variables[:-1]
        rows = jacobian(list(formulas), variables)
        self.width = len(variables)
        self._values = flow._compiled("values", formulas)
        self._slopes = flow._compiled("slopes", [x for row in rows for x in row])

    @property
    def code(self) -> CompiledFunction:
        """The compiled values."""
        return self._values

    def values(self, t: float, x: Array, p: Array) -> Array:
        """Values, one a formula."""
        out = np.zeros(self.count)
        if self.count:
            call(self._values, self.flow, t, 0.0, x, p, out)
        return out

    def slopes(self, t: float, x: Array, p: Array) -> Array:
        """Derivatives (rows: formulas) with respect to q, v, p, t."""
        out = np.zeros(self.count * self.width)
        if self.count:
            call(self._slopes, self.flow, t, 0.0, x, p, out)
        return out.reshape(self.count, self.width)


def call(
    function: CompiledFunction, flow: Flow, t: float, h: float, state: Array, p: Array, out: Array
) -> int:
    """Call a function of a state; what it returns is left in `out`."""
    state = np.ascontiguousarray(state)
    empty = np.zeros(1)
    return function(
        work=empty,
        sizes=np.zeros(1, dtype=np.int64),
        t=float(t),
        h=float(h),
        q=state[: flow.nq],
        v=state[flow.nq :],
        p=p if len(p) else empty,
        s=empty,
        x=empty,
        y=out,
    )
