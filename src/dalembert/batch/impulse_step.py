"""Steps at stops as a trace: the pieces of `contact.step.stops_alone`, compiled in lanes.

A step has the parts

    rows      W and b of all stops                       `open_rows`, `respond`
    pass      the rows that are held, until it is so     `solvers.active_rows`
    expect    whether inertia is to be seen anew         `push_off`, `expect`
    ask       for the lanes where it is: rows and pass once more
    arrive    q+, v+ and what the next step begins with  `push_off`, `arrive`, `nearness`
    ask       for the lanes where stops are passed:
    gaps      W and b of the correction of positions     `open_gaps`, `respond`
    pass
    apart     positions corrected                        `push_off`, `move_apart`

Two stops of one joint are one row with two sides. The places of all numbers in `s` are those of
`batch.memory.Memory`; behind them stands what one part hands on to the next ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dalembert.batch.equations import TracedEquations
from dalembert.batch.memory import Memory
from dalembert.batch.step import LARGEST, H
from dalembert.batch.traced_pieces import Traced, Written, write_parts
from dalembert.batch.tracing import formula
from dalembert.contact.run.record_layout import PUSHED, STOP
from dalembert.contact.run.run_layout import contact_of
from dalembert.contact.solvers.active_rows import look_at_sides, solve_held
from dalembert.contact.step import stops_alone as pieces
from dalembert.formulas import Condition, Expression, load, maximum, time, where
from dalembert.formulas.expression import ONE, ZERO
from dalembert.formulas.graph import Store
from dalembert.mechanics.motion import displace
from dalembert.system.borders import OK

PASSES = 30
"""Passes over the rows that are held after which a world is left to the kernels of a run."""

MOST_ROWS = 24
"""Joints with limits beyond which a pass over all of them costs more than it saves."""


def write_impulses(equations: TracedEquations, second: bool, lanes: int) -> Written:
    """The step at stops, of second order or of first, traced and ready to be compiled."""
    made = _Maker(equations, second)
    return write_parts(made.parts, made.memory.end, lanes)


class _Maker:
    def __init__(self, equations: TracedEquations, second: bool) -> None:
        self.equations, self.second = equations, second
        self.state, self.trace = equations.state, equations.trace
        with self.trace.running():
            self.run = contact_of(self.state)
        self.problem, self.parts = self.run.problem, list[Traced]()
        self._handed = 0
        self._require()
        self._pairs = self._pair()
        self.memory = Memory(equations.nv, self.state.sides, len(self._pairs))
        self._remember()
        self._trace_step()
        self._trace_correction()

    def _require(self) -> None:
        state, run = self.state, self.run
        for row in range(state.sides):
            stop = state.stop(row)
            if run.side_law(row).law != STOP or row not in self.equations.limits:
                raise LookupError("one-sided rows that are no limits of joints")
            soft = stop.stiffness, stop.frequency, stop.restitution
            if any(not isinstance(x, float) or x != 0.0 for x in soft):
                raise LookupError("stops that bounce or give way")

    # -- what a world remembers ----------------------------------------------------------------

    def _remember(self) -> None:
        """Let it be symbols."""
        self.run.second_order, self.run.last_step = int(self.second), H
        self._take_push()
        self._take_impulses()

    def _take_push(self) -> None:
        for k, place in enumerate(self.memory.push):
            self.run.last_push[k] = self._slot(place)

    def _take_impulses(self) -> None:
        for row, place in enumerate(self.memory.impulses):
            self.run.fixed_impulses[self.state.rows + row] = self._slot(place)

    def _slot(self, place: int) -> Expression:
        """Symbol of an entry of s; zero in the example."""
        symbol = load("s", place)
        self.trace.example[symbol] = np.float64(0.0)
        return symbol

    # -- the step ------------------------------------------------------------------------------

    def _trace_step(self) -> None:
        e, run, problem, state = self.equations, self.run, self.problem, self.state
        q, v = e.q.copy(), e.v.copy()
        self._run(pieces.open_rows, state, run, problem, time, H, q, v)
        self._add("rows", self._rows(self._pressed), hands=True)
        self._add_pass()
        if self.second:
            self._push_off()
            anew = self._run(pieces.expect, state, run, problem, H)
            stores = self._stores(self.memory.push, run.last_push)
            self._add("expect", [*stores, ("s", self.memory.flag, formula(anew))])
            self._take_push()
            self._ask()
            self._repeat(0, rest=2)  # lanes that are not asked for do the same again
            self._add_pass(rest=2)
        self._push_off()
        q = e.q.copy()
        if self.second:
            self._run(displace, state, 0.5 * H, e.v.copy(), q)
        passed = self._run(pieces.arrive, state, run, problem, time, H, q, v)
        near = self._run(pieces.nearness, state, run, H, self._slot(0))
        ends = _state_stores(q, v)
        kept = [("s", 0, formula(near)), ("s", self.memory.flag, formula(passed))]
        kept += self._stores(self.memory.push, run.next_push)
        kept += self._stores(self.memory.impulses, run.next_impulses[state.rows :])
        self._add("arrive", [*ends, *kept], [abs(x) <= LARGEST for _, _, x in ends], hands=True)
        self._ask()

    def _trace_correction(self) -> None:
        """`gaps` and `apart`: the step has ended, `time` is its end."""
        e, run, problem, state = self.equations, self.run, self.problem, self.state
        q, v, before = e.q.copy(), e.v.copy(), self._slot(0)
        self._take_impulses()
        e.forget_angles()
        self._run(pieces.open_gaps, state, run, problem, time, H, q, v)
        self._add("gaps", self._rows(lambda i: ZERO), hands=True, offset=1.0, rest=1)
        self._add_pass(rest=1)
        self._push_off()
        self._run(pieces.move_apart, state, run, problem, time, H, q, v)
        again = formula(self._run(pieces.is_closed, state, run, time, H, q, v))
        near = formula(self._run(pieces.nearness, state, run, H, ZERO))
        asked = self._slot(self.memory.flag) > 0.0
        # what pushes did so before positions were corrected
        near = where(before >= 1.0 * PUSHED, before, near)
        ends = [(array, k, where(asked, x, load(array, k))) for array, k, x in _state_stores(q, v)]
        self._add(
            "apart",
            [*ends, ("s", 0, where(asked, near, before))],
            [again <= 0.0],
            offset=1.0,
            rest=1,
        )

    # -- rows ----------------------------------------------------------------------------------

    def _rows(self, begins: Callable[[int], Any]) -> list[Store]:
        """W, both sides and, by their impulses, which of them are held to begin with."""
        n, problem = self.problem.blocks, self.problem
        for row, limit in self.equations.limits.items():
            J, own = problem.J_a(problem.block(row))[0], self.run.dof(limit.velocity)
            J[:] = 0.0
            J[own.place] = limit.rate
        W, b = _matrix(n), np.empty(n, dtype=object)
        self._run(pieces.respond, problem, W, b)
        memory, stores = self.memory, []
        for i, (one, other) in enumerate(self._pairs):
            for j in range(i + 1):
                first = max(one, self._pairs[j][0]), min(one, self._pairs[j][0])
                stores.append(("s", memory.entry(i, j), formula(W[first])))
            high = b[other] if other >= 0 else 1e100
            held = begins(one) - (begins(other) if other >= 0 else ZERO)
            for which, x in enumerate((b[one], high, held)):
                stores.append(("s", memory.rows(which)[i], formula(x)))
        return stores

    def _pressed(self, block: int) -> Expression:
        """1 where a stop had an impulse in the last step, else 0."""
        impulse: Any = self.run.fixed_impulses[self.state.rows + block]
        return formula(where(impulse > 0.0, ONE, ZERO))

    def _pair(self) -> list[tuple[int, int]]:
        """Rows, and for each the one that is its reverse, or -1."""
        limits, pairs = self.equations.limits, list[tuple[int, int]]()
        left = sorted(limits)
        while left:
            one = left.pop(0)
            reverse = limits[one].velocity, -limits[one].rate
            other = next((i for i in left if (limits[i].velocity, limits[i].rate) == reverse), -1)
            left = [i for i in left if i != other]
            pairs.append((one, other))
        if len(pairs) > MOST_ROWS:
            raise LookupError(f"more than {MOST_ROWS} joints with limits")
        return pairs

    def _push_off(self) -> None:
        """v by the impulses of the rows; then those of both of their sides."""
        problem, lam, rows = self.problem, self.problem.lam, self.memory.rows(3)
        found = [self._slot(place) for place in rows]
        for (one, other), x in zip(self._pairs, found, strict=True):
            lam[problem.block(one).row] = x
            if other >= 0:
                lam[problem.block(other).row] = 0.0
        self._run(pieces.push_off, problem)
        for (one, other), x in zip(self._pairs, found, strict=True):
            lam[problem.block(one).row] = maximum(x, ZERO)
            if other >= 0:
                lam[problem.block(other).row] = maximum(-x, ZERO)

    def _add_pass(self, rest: int = 0) -> None:
        """The pass: the same one wherever it is called."""
        for number, part in enumerate(self.parts):
            if part.name == "pass":
                self._repeat(number, rest=rest)
                return
        memory, n = self.memory, len(self._pairs)
        W = _matrix(n)
        for i in range(n):
            for j in range(i + 1):
                W[i, j] = self._slot(memory.entry(i, j))
        low, high, side = ([self._slot(p) for p in memory.rows(k)] for k in range(3))
        lam, after = np.empty(n, dtype=object), np.empty(n, dtype=object)
        self._run(solve_held, W, low, high, side, _matrix(n), lam)
        changed = self._run(look_at_sides, W, low, high, side, lam, after)
        stores = [*self._stores(memory.rows(2), after), *self._stores(memory.rows(3), lam)]
        self._add("pass", stores, [formula(changed) <= 0.0], most=PASSES, rest=rest)

    # -- parts ---------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Ask for the lanes whose flag is up."""
        self._add("ask", [], [self._slot(self.memory.flag) <= 0.0], asks=True)

    def _run(self, kernel: Callable[..., Any], *given: Any) -> Any:
        with self.trace.running():
            found = kernel(*given)
        if type(found) is int and found != OK:
            raise LookupError(f"a step of the example at its stops ends with status {found}")
        return found

    def _stores(self, places: Sequence[int], values: Any) -> list[Store]:
        return [("s", place, formula(values[k])) for k, place in enumerate(places)]

    def _add(
        self,
        name: str,
        stores: Sequence[Store],
        guards: Sequence[Condition] = (),
        *,
        hands: bool = False,
        **options: Any,
    ) -> None:
        part = Traced(name, list(stores), [*self.trace.guards, *guards], options)
        self.trace.forget()
        if hands:
            self._handed += part.hand_on(self.state.work, self.trace.example, self._handed)
        self.parts.append(part)

    def _repeat(self, number: int, **options: Any) -> None:
        old = self.parts[number]
        self.parts.append(Traced(old.name, [], [], {**old.options, **options}, again=number))


def _matrix(n: int) -> Any:
    made = np.empty((n, n), dtype=object)
    made[:] = 0.0
    return made


def _state_stores(q: Any, v: Any) -> list[Store]:
    stores = [("q", i, formula(x)) for i, x in enumerate(q)]
    return stores + [("v", k, formula(x)) for k, x in enumerate(v)]
