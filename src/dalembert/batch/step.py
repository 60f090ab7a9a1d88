"""A step of many worlds at once: the texts of method and integrator traced, compiled in lanes.

A step is a row of functions of one signature that are called one after the other (`Program`):

    int32 part(work, sizes, t, h, q, v, p, s, x, y)

q, v, p hold coordinates, velocities and what differs from world to world; s is scratch that is
handed on from part to part. Small models are one part. Where the rates of a model are long they are
compiled once and called for every stage, with the stage in x and its rates in y. The last parts of
`Projection` bring both levels of the constraints to rounding as `mechanics.settle` does (methods
5.2); each is called until all lanes are there, and changes none that is. What a part returns has a
bit for every lane whose guards fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.batch.equations import TracedEquations
from dalembert.batch.expand import expanded
from dalembert.batch.kernels.layout import BATCH
from dalembert.batch.tracing import formula, loads
from dalembert.contact.run.run_layout import contact_of
from dalembert.contact.step.smooth import ends_open, starts_open
from dalembert.enforcement import Projection
from dalembert.formulas import (
    Condition,
    Expression,
    load,
    maximum,
    reachable,
    substitute,
    time,
    where,
)
from dalembert.formulas.expression import ONE, ZERO
from dalembert.formulas.graph import Store
from dalembert.formulas.llvm import CompiledFunction, compile_function
from dalembert.mechanics.corrections import correction_of_place, correction_of_speed
from dalembert.mechanics.dense import PROJECTION_TOLERANCE
from dalembert.mechanics.motion import displace
from dalembert.mechanics.residual_scale import velocity_factor
from dalembert.mechanics.settle import LOOKS
from dalembert.system.borders import OK, evaluate, factor, normalise, residual

LONG = 3000
"""Operations of all stages together from which on rates are compiled once and called."""

LARGEST = 1e300
"""Size of a coordinate or velocity beyond which it is no number (`loop.attempts.check_finite`)."""

H = load("h", 0)
"""Length of the step."""


@dataclass(frozen=True)
class Part:
    """A part of a step: its code, the moment it is for, where it finds x and leaves y in s.

    `most` is how often it may be called until no lane is left; 0: once. Lanes that are left over
    leave, or, where the part `asks`, are those that the parts behind it with `rest` 1 are for;
    with 2 these are for all lanes if it has asked for any.
    """

    function: CompiledFunction
    offset: float = 0.0
    x: int = 0
    y: int = 0
    most: int = 0
    rest: int = 0
    asks: bool = False


@dataclass
class Program:
    """The parts of a step.

    Attributes
    ----------
    lanes : worlds at a time
    scratch : entries of s
    operations : how many there are in all parts, for those who ask
    """

    lanes: int
    parts: list[Part] = field(default_factory=list)
    scratch: int = 0
    operations: int = 0


@dataclass
class _Call:
    """A call of rates within a step."""

    t: Expression
    inputs: list[Expression]
    results: Any


def compile_step(equations: TracedEquations, method: Any, integrator: Any, lanes: int) -> Program:
    """The program of one step of a method with an integrator."""
    return _Maker(equations, method, integrator, lanes).program


class _Maker:
    def __init__(
        self, equations: TracedEquations, method: Any, integrator: Any, lanes: int
    ) -> None:
        self.equations, self.method, self.lanes = equations, method, lanes
        self.state, self.trace = equations.state, equations.trace
        self.program = Program(lanes)
        self.calls: list[_Call] = []
        self.closes = isinstance(method, Projection) and equations.rows > 0
        self.factors: list[int] = []
        self.sides = self.state.sides > 0
        self._trace_rates()
        size = len(reachable(self.rates)) * integrator.stages
        self.in_parts = size > LONG and method.begin_step is None
        self._add_step(integrator)
        if self.closes:
            if self.state.mechanism == 1:
                self._add_looks()
            self._add_closing()
        if self.sides:
            self._add_look_at_stops()

    # -- rates ---------------------------------------------------------------------------------

    def _trace_rates(self) -> None:
        """Formulas of q', v' and of the factors they leave, with their guards."""
        e = self.equations
        made = [np.empty(n, dtype=object) for n in (e.nq, e.nv, e.rows)]
        self.trace.forget()
        with self.trace.running():
            status = self.method.rates(*self.state, time, H, e.q.copy(), e.v.copy(), *made)
        if status != OK:
            raise LookupError(f"rates of the example end with status {status}")
        if self.closes:
            self.factors = [k for k in e.factor_places() if isinstance(e.state.work[k], Expression)]
        values = [*made[0], *made[1], *(e.state.work[k] for k in self.factors)]
        self.rates = [formula(x) for x in values]
        self.rate_guards = list(self.trace.guards)

    def _plain_rates(self, work: Any, sizes: Any, t: Any, h: Any, q: Any, v: Any, *out: Any) -> int:
        return int(self.method.rates(work, sizes, t, h, q, v, *out))

    def _opaque_rates(
        self, work: Any, sizes: Any, t: Any, h: Any, q: Any, v: Any, qdot: Any, vdot: Any, lam: Any
    ) -> int:
        """A call of compiled rates in the place of their text."""
        nq, nv, e = len(qdot), len(vdot), self.equations
        results = loads(f"call{len(self.calls)}", len(self.rates))
        inputs = [formula(x) for x in (*q, *v)]
        self.calls.append(_Call(formula(t), inputs, results))
        example = self.trace.example
        numbers = {s: example(x) for s, x in zip([*e.q, *e.v], inputs, strict=True)}
        here = example.with_leaves({**numbers, time: example(formula(t))})
        for symbol, value in zip(results, self.rates, strict=True):
            example[symbol] = here(value)
        qdot[:], vdot[:], lam[:] = results[:nq], results[nq : nq + nv], 0.0
        for place, symbol in zip(self.factors, results[nq + nv :], strict=True):
            work[place] = symbol
        return int(OK)

    # -- the step of the integrator ------------------------------------------------------------

    def _add_step(self, integrator: Any) -> None:
        """Parts of one step of the integrator, which leave the factors of its last stage in s."""
        e, state, method = self.equations, self.state, self.method
        state.rates_general = 0
        state.rates = e.key(self._opaque_rates if self.in_parts else self._plain_rates)
        q, v = e.q.copy(), e.v.copy()
        self.trace.forget()
        with self.trace.running():
            if self.sides and not starts_open(state, contact_of(state), time, H, q, v):
                raise LookupError("a stop is closed at the start of the model itself")
            if method.begin_step is not None:
                method.begin_step(*state, time, H, q, v)
            status = integrator.advance(*state, time, H, q, v)
            if status != OK:
                raise LookupError(f"a step of the example ends with status {status}")
            normalise(state, q)
        stores = _state_stores(q, v)
        finite = [abs(x) <= LARGEST for _, _, x in stores]
        if self.calls:
            self._add_calls(stores, finite)
            return
        kept = [("s", i, formula(state.work[k])) for i, k in enumerate(self.factors)]
        self.factor_start, self.program.scratch = 0, len(self.factors)
        self._add("step", [*stores, *kept], [*self.trace.guards, *finite])

    def _add_calls(self, stores: list[Store], finite: list[Condition]) -> None:
        """Parts between the calls of rates, the calls, and the last part, with the stores."""
        e, width = self.equations, len(self.rates)
        state = e.nq + e.nv
        places: dict[Any, Expression] = {}
        rates, guards = self._compile_rates(), [*self.trace.guards, *finite]
        at = 0
        for number, call in enumerate(self.calls):
            x, y, at = at, at + state, at + state + width
            inputs = substitute(call.inputs, places)
            self._add(f"stage{number}", [("s", x + i, f) for i, f in enumerate(inputs)], [])
            (moment,) = substitute([call.t], {time: ZERO, H: ONE})
            self.program.parts.append(Part(rates, float(self.trace.example(moment)), x, y))
            places |= {symbol: load("s", y + i) for i, symbol in enumerate(call.results)}
        self.program.scratch, self.factor_start = at, at - len(self.factors)
        last = substitute([f for _, _, f in stores], places)
        made = [(*s[:2], f) for s, f in zip(stores, last, strict=True)]
        self._add("end", made, substitute(guards, places))

    def _compile_rates(self) -> CompiledFunction:
        """Rates of the stage in x, left in y."""
        e = self.equations
        meaning = {s: load("x", i) for i, s in enumerate([*e.q, *e.v])}
        formulas, guards = substitute(self.rates, meaning), substitute(self.rate_guards, meaning)
        return self._compiled("rates", [("y", i, f) for i, f in enumerate(formulas)], guards)

    # -- the end of a step ---------------------------------------------------------------------

    def _add_looks(self) -> None:
        """`settle`: both levels corrected at once, with factors of the last stage."""
        e, state = self.equations, self.state
        for i, at in enumerate(self.factors):
            state.work[at] = load("s", self.factor_start + i)
            value = self.rates[len(self.rates) - len(self.factors) + i]
            self.trace.example[state.work[at]] = self.trace.example(value)
        self.trace.forget()
        with self.trace.running():
            residual(state, time, e.q, e.v)
            guards = list(self.trace.guards)
            place, speed = self._ratios(e.v)
            q, v = self._corrected(place, speed)
        done = maximum(place, speed) <= 1.0
        self._add("look", _state_stores(q, v), [*guards, done], 1.0, most=LOOKS, asks=True)

    def _add_closing(self) -> None:
        """`project`: positions, then velocities, with factors of the state itself.

        Of a tree this is for lanes that the looks have not brought there.
        """
        e, state = self.equations, self.state
        self.trace.forget()
        with self.trace.running():
            evaluate(state, time, e.q, e.v)
            factor(state, PROJECTION_TOLERANCE)
            guards = list(self.trace.guards)
            place, speed = self._ratios(e.v)
            # velocities wait until positions are there
            q, v = self._corrected(place, where(place <= 1.0, speed, ZERO))
        done = maximum(place, speed) <= 1.0
        rest = int(self.state.mechanism == 1)
        self._add("closing", _state_stores(q, v), [*guards, done], 1.0, most=2 * LOOKS, rest=rest)

    def _add_look_at_stops(self) -> None:
        """Guards only: no stop has closed within the step (`contact.step.smooth`)."""
        e, state = self.equations, self.state
        self.trace.forget()
        with self.trace.running():
            if not ends_open(state, contact_of(state), time, H, e.q, e.v):
                raise LookupError("a stop is closed at the start of the model itself")
        self._add("stops", [], self.trace.guards, 1.0)

    def _corrected(self, place: Expression, speed: Expression) -> tuple[Any, Any]:
        """Coordinates and velocities after a correction of each level that is not at rounding."""
        e, state = self.equations, self.state
        q = e.q.copy()
        displace(state, 1.0, correction_of_place(state), q)
        q[:] = [where(place <= 1.0, old, formula(new)) for old, new in zip(e.q, q, strict=True)]
        delta = correction_of_speed(state)
        v = [where(speed <= 1.0, old, old + d) for old, d in zip(e.v, delta, strict=True)]
        return q, v

    def _ratios(self, v: Any) -> tuple[Expression, Expression]:
        """Worst residuals of positions and velocities over what is rounding."""
        state = self.state
        scale = formula(velocity_factor(state, v))
        place = speed = ZERO
        for i in range(state.rows):
            over = 1.0 / float(state.row_tolerance[i])
            if i < state.holonomic:
                place = maximum(place, formula(abs(state.phi[i])) * over)
            speed = maximum(speed, formula(abs(state.phi_dot[i])) * over)
        return place, speed / scale

    # -- code ----------------------------------------------------------------------------------

    def _add(
        self,
        name: str,
        stores: Sequence[Store],
        guards: Sequence[Condition],
        offset: float = 0.0,
        **options: Any,
    ) -> None:
        function = self._compiled(name, stores, guards)
        self.program.parts.append(Part(function, offset, **options))

    def _compiled(
        self, name: str, stores: Sequence[Store], guards: Sequence[Condition]
    ) -> CompiledFunction:
        formulas, more = expanded([f for _, _, f in stores], guards)
        made = [(*s[:2], f) for s, f in zip(stores, formulas, strict=True)]
        status: Condition | None = None
        for guard in more:
            status = guard if status is None else status & guard
        outputs: list[Any] = [*formulas, *([] if status is None else [status])]
        self.program.operations += sum(1 for node in reachable(outputs) if node.args)
        return compile_function(
            f"batch_{name}", BATCH.arguments, made, {}, status, lanes=self.lanes
        )


def _state_stores(q: Any, v: Any) -> list[Store]:
    """The end of a step, into q and v."""
    stores = [("q", i, formula(x)) for i, x in enumerate(q)]
    return stores + [("v", k, formula(x)) for k, x in enumerate(v)]
