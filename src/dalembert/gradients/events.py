"""Events of a run with derivatives: what is watched, where it crosses zero, what happens there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from dalembert.errors import SimulationError
from dalembert.gradients.flow import Flow
from dalembert.gradients.pieces import Crossing, Jump, go
from dalembert.gradients.watched import Watched
from dalembert.integration.loop.output import ROUNDING, has_crossed

Array = NDArray[np.float64]

GRAZING = 1e-7
"""Speed of a crossing over what it could be, below which it touches zero rather than crossing."""

ZERO = 1e-11
"""A formula over the size of its terms that is zero just behind an event."""


BACK = 1e-9
"""A formula over the size of its terms, on the wrong side of a switch, that is no rounding."""

PART = 1e-3
"""Part of a step by which it is told where a formula goes from zero."""


class Watch:
    """All events of a run."""

    def __init__(self, flow: Flow, watched: Sequence[Watched]) -> None:
        self.flow, self.watched = flow, list(watched)
        self.guard = flow.outputs([w.guard for w in watched])
        self.jumps: dict[int, Jump | None] = {}
        self.directions = np.array([w.direction for w in watched], dtype=np.int64)

    def jump(self, row: int, into: Flow) -> Jump | None:
        """The change of the state and of p at an event that leads into a flow."""
        if row not in self.jumps:
            one, flow = self.watched[row], self.flow
            state = into.traced.fitted() if one.engages else one.state
            changes = state is not None or one.sets
            after = [*flow.traced.q, *flow.traced.v] if state is None else list(state)
            made = flow.outputs([*after, *(x for _, x in one.sets)]) if changes else None
            entries = np.array([k for k, _ in one.sets], dtype=np.int64)
            self.jumps[row] = None if made is None else Jump(made, flow.nx, entries)
        return self.jumps[row]

    def ends(self, row: int) -> bool:
        """Whether the run ends at this event."""
        return self.watched[row].ends

    def _number(self, name: str) -> int:
        """Which event has this name; -1: none."""
        names = [one.name for one in self.watched]
        return names.index(name) if name in names else -1

    def looking(self, t: float, x: Array, p: Array, fired: str) -> Any:
        """Everything that `go` needs to look for events; the one that has just been is at zero."""
        g = self.guard.values(t, x, p)
        if fired:
            slopes = np.abs(self.guard.slopes(t, x, p))
            size = slopes[:, : len(x)] @ np.abs(x) + slopes[:, -1] * abs(t)
            g[np.abs(g) <= ZERO * size] = 0.0
            if self._number(fired) >= 0:
                g[self._number(fired)] = 0.0
        return self.guard.code, g, self.directions

    def crossing(
        self, t: float, h: float, X: Array, p: Array, made: int, g: Any, fired: str
    ) -> Crossing | None:
        """The first event within the last step that was made, if there is one."""
        flow = self.flow
        self._refuse_accumulation(t, h, X, p, made, self._number(fired))
        before, after = g
        begin, state = t + (made - 1) * h, X[made - 1].copy()
        met = []
        for row, way in enumerate(self.directions):
            up = before[row] < 0.0 <= after[row] and way >= 0
            down = before[row] > 0.0 >= after[row] and way <= 0
            if up or down:
                met.append((self._length(begin, h, state, p, row), row))
        for length, row in sorted(met):
            at, one = self._state(begin, length, state, p), self.watched[row]
            what = flow, begin, length, state, at, p, self.guard, row, None, one.name, one.told
            found = Crossing(*what)
            slopes, along, speed = found.slopes()
            nx = flow.nx
            if abs(speed) > GRAZING * (np.abs(slopes[:nx]) @ np.abs(along) + abs(slopes[-1])):
                return found
            if not one.kink:
                raise SimulationError(
                    f"At {found.moment:g} s the event {found.name!r} touches zero without crossing"
                    " it: a run has no derivative there. End the run before, or change its start."
                )
        return None

    def refuse_crossed(self, crossing: Crossing, x: Array, p: Array) -> None:
        """Refuse a jump to x and p that takes another event of the user across zero at once."""
        before = self.guard.values(crossing.moment, crossing.at, crossing.p)
        behind = self.guard.values(crossing.moment, x, p)
        for row, one in enumerate(self.watched):
            was, now = float(before[row]), float(behind[row])
            if (
                row == crossing.row
                or one.one_sided
                or one.kink
                or abs(was) <= ZERO * max(1.0, abs(now))
            ):
                continue
            if has_crossed(was, 0.0 if abs(now) <= ROUNDING * abs(was) else now, one.direction):
                raise SimulationError(
                    f"At {crossing.moment:g} s {crossing.name!r} takes the event {one.name!r}"
                    " across zero at once: derivatives are not carried through both. Give it a"
                    " direction, or a formula that has no jump there."
                )

    # -- switches --------------------------------------------------------------------------------

    def settle(self, t: float, x: Array, p: Array, entries: Array, step: float, row: int) -> None:
        """Write sides of switches into entries of p; that of `row`, which has just been, turns.

        Of formulas that are zero it is told by a part of a step.
        """
        sides = [(k, list(one.sides)) for k, one in enumerate(self.watched) if one.sides]
        if not sides:
            return
        p = p.copy()
        g, size = self.guard.values(t, x, p), self._sizes(t, x, p)
        for k, side in sides:
            if k == row:
                p[side] = 1.0 - p[side]
            elif abs(g[k]) > ZERO * size[k]:
                p[side] = float(g[k] > 0.0)
        zero = [(k, side) for k, side in sides if k != row and abs(g[k]) <= ZERO * size[k]]
        if zero:
            part = PART * step
            ahead = self.guard.values(t + part, self._state(t, part, x, p), p)
            for k, side in zero:
                p[side] = float(ahead[k] > 0.0)
        for _, side in sides:
            entries[side] = p[side]

    def _sizes(self, t: float, x: Array, p: Array) -> Array:
        """Sizes of the terms of the formulas."""
        slopes = np.abs(self.guard.slopes(t, x, p))
        return np.asarray(slopes[:, : len(x)] @ np.abs(x) + slopes[:, -1] * abs(t))

    def refuse_wrong_sides(self, t: float, h: float, X: Array, p: Array, made: int) -> None:
        """Refuse forces that switch back before a step is over: sticking, or too long a step."""
        for at in (1, made):
            if made < 1 or not any(one.sides for one in self.watched):
                return
            g, size = self.guard.values(t + at * h, X[at], p), self._sizes(t + at * h, X[at], p)
            for k, one in enumerate(self.watched):
                wrong = one.sides and (g[k] > 0.0) != (p[one.sides[0]] > 0.5)
                if wrong and abs(g[k]) > BACK * size[k]:
                    raise SimulationError(
                        f"Behind {t:g} s forces switch to and fro within a step at"
                        f" {one.name.partition(': ')[2]} = 0 (friction that sticks, for example):"
                        " there are no derivatives. Take a shorter step, or state what holds it"
                        " there by dl.Event(..., action=dl.Engage(...))."
                    )

    def _state(self, t: float, h: float, x: Array, p: Array) -> Array:
        X = np.empty((2, len(x)))
        X[0] = x
        go(self.flow, t, h, X, p)
        return np.asarray(X[1])

    def _length(self, t: float, h: float, x: Array, p: Array, row: int) -> float:
        """Length of the step that ends at the event."""

        def value(part: float) -> float:
            y = x if part == 0.0 else self._state(t, part, x, p)
            return float(self.guard.values(t + part, y, p)[row])

        return float(brentq(value, 0.0, h, xtol=1e-300, rtol=8.9e-16, maxiter=200))

    def _refuse_accumulation(
        self, t: float, h: float, X: Array, p: Array, made: int, fired: int
    ) -> None:
        if fired < 0 or made < 1 or not self.watched[fired].one_sided:
            return
        if self.guard.values(t + h, X[1], p)[fired] < 0.0:
            raise SimulationError(
                f"Behind {t:g} s the events {self.watched[fired].name!r} follow one another within"
                " a step: it comes to rest, or they accumulate. Derivatives end there: take a"
                " shorter step, or end the run before."
            )
