"""A run in pieces, with derivatives forth and back (sensitivity 1, 4)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dalembert.gradients.flow import Flow, Outputs
from dalembert.gradients.phases import Phases
from dalembert.gradients.pieces import Adjoints, Crossing, Piece, Tangents, go
from dalembert.gradients.variables import CONTROL, PARAMETER, Variable

Array = NDArray[np.float64]

LONGEST = 10_000
"""Steps in one piece."""

KEPT = 16_000_000
"""Numbers of all states together up to which they are kept; beyond it pieces are made again.

Up to half of it values of steps are kept for the way back, too.
"""


@dataclass
class Grid:
    """When samples are taken, how long steps are, and controls that are held between moments.

    Attributes
    ----------
    start, samples : the first moment, and those at which outputs are asked for, increasing
    step : longest step
    controls : (rows, entries of p): each row is held for an equal part of the run
    places : entries of p that controls are
    """

    start: float
    samples: Array
    step: float
    controls: Array = field(default_factory=lambda: np.zeros((0, 0)))
    places: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def intervals(self) -> list[tuple[float, float, int, int]]:
        """Begin, end, row of controls, and the sample at the end (-1: none)."""
        end = float(self.samples[-1])
        rows = len(self.controls)
        switches = [self.start + (end - self.start) * k / rows for k in range(1, rows)]
        moments = np.unique(np.r_[self.samples, switches])
        close = 1e-12 * max(abs(end), abs(self.start), 1e-300)
        moments = moments[moments > self.start + close]
        kept = [
            m for k, m in enumerate(moments) if k + 1 == len(moments) or moments[k + 1] - m > close
        ]
        made, begin = [], self.start
        for moment in kept:
            middle = 0.5 * (begin + moment)
            row = min(int((middle - self.start) / (end - self.start) * rows), rows - 1)
            near = np.flatnonzero(np.abs(self.samples - moment) <= close)
            made.append((begin, float(moment), row, int(near[0]) if len(near) else -1))
            begin = float(moment)
        return made


class Run:
    """A run whose pieces know their derivatives.

    Attributes
    ----------
    pieces : Piece and Crossing in the order of time
    back : whether adjoints are asked for, so that steps keep values for them
    values : (samples, outputs)
    ended : time of an event that ended the run, or None
    """

    def __init__(
        self,
        phases: Phases,
        grid: Grid,
        first: Array,
        values: Mapping[str, float],
        back: bool = False,
    ) -> None:
        self.phases, self.grid, self.back = phases, grid, back
        self.phase = phases.first
        self.flow = flow = self.phase.flow
        self.own, outputs = dict(values), self.phase.outputs
        self.entries = flow.entries(values)
        self.pieces: list[Piece | Crossing] = []
        self.after: dict[int, list[int]] = {}
        self.at_start = [k for k, t in enumerate(grid.samples) if t <= grid.start]
        self.values = np.full((len(grid.samples), outputs.count), np.nan)
        self.count = outputs.count
        self.seen: list[tuple[float, Array, Array, Outputs] | None] = [None] * len(grid.samples)
        self.ended: float | None = None
        self._stored = 0
        x = np.array(first, dtype=float)
        for k in self.at_start:
            self._see(k, grid.start, x, self._p(0))
        self.after[-1] = list(self.at_start)
        self._go(x)

    def _p(self, row: int) -> Array:
        p = self.entries.copy()
        if row >= 0 and len(self.grid.controls):
            p[self.grid.places] = self.grid.controls[row]
        return p

    def _see(self, sample: int, t: float, x: Array, p: Array) -> None:
        outputs = self.phase.outputs
        self.values[sample] = outputs.values(t, x, p)
        self.seen[sample] = (t, x.copy(), p, outputs)

    # -- forth -----------------------------------------------------------------------------------

    def _go(self, x: Array) -> None:
        fired = ""
        self._settle(self.grid.start, x)
        for begin, end, row, sample in self.grid.intervals():
            t = begin
            while t < end and self.ended is None:
                x, t, fired = self._advance(x, t, end, row, fired)
            if self.ended is not None:
                sample = len(self.grid.samples) - 1
            if sample >= 0:
                self._see(sample, t, x, self._p(row))
                self.after.setdefault(len(self.pieces) - 1, []).append(sample)
            if self.ended is not None:
                return

    def _advance(
        self, x: Array, t: float, end: float, row: int, fired: str
    ) -> tuple[Array, float, str]:
        """Steps until the end of an interval, or of a piece, or until an event."""
        planned = max(1, math.ceil((end - t) / self.grid.step * (1.0 - 1e-12)))
        h, steps = (end - t) / planned, min(planned, LONGEST)
        X = np.empty((steps + 1, len(x)))
        X[0] = x
        p, flow, watch = self._p(row), self.phase.flow, self.phase.watch
        looking = None if watch is None else watch.looking(t, x, p, fired)
        tape = self._tape(flow, X)
        made, g = go(flow, t, h, X, p, looking, tape)
        kept = self._keep(X[: made + 1])
        piece = Piece(flow, t, h, planned, made, X[0].copy(), p, row, kept, tape)
        self.pieces.append(piece)
        crossing = None
        if watch is not None:
            crossing = watch.crossing(t, h, X, p, made, g, fired)
        if watch is not None:
            watch.refuse_wrong_sides(t, h, X, p, made if crossing is None else made - 1)
        if crossing is None:
            return X[made].copy(), end if made == planned else t + made * h, ""
        piece.steps = made - 1
        piece.kept = None if piece.kept is None else piece.kept[:made]
        self.pieces.append(crossing)
        return self._behind(crossing)

    def _behind(self, crossing: Crossing) -> tuple[Array, float, str]:
        """State, time and event behind a crossing; the phase it leads into."""
        watch, t = self.phase.watch, crossing.moment
        assert watch is not None
        if watch.ends(crossing.row):
            self.ended = t
            return crossing.at, t, ""
        into = self.phases.behind(self.phase, crossing, self.entries)
        crossing.jump = watch.jump(crossing.row, into.flow)
        self.phase, x = into, crossing.at
        if crossing.jump is not None:
            x, p = crossing.jump.behind(t, x, crossing.p)
            watch.refuse_crossed(crossing, x, p)
            self.entries[crossing.jump.entries] = p[crossing.jump.entries]
        self._settle(t, x, crossing)
        return x, t, crossing.name

    def _settle(self, t: float, x: Array, crossing: Crossing | None = None) -> None:
        """Put the sides of switches where the formulas are, or where they go from zero."""
        watch = self.phase.watch
        if watch is not None:
            row = -1 if crossing is None or crossing.jump is not None else crossing.row
            watch.settle(t, x, self._p(0), self.entries, self.grid.step, row)

    def _keep(self, X: Array) -> Array | None:
        self._stored += X.size
        return X if self._stored <= KEPT else None

    def _tape(self, flow: Flow, X: Array) -> Array | None:
        """Room for values that steps keep for the way back, if there is some."""
        if not self.back or flow.stages:
            return None
        rows = len(X) - 1
        self._stored += rows * len(flow.kept)
        if not flow.kept or self._stored + X.size > KEPT // 2:
            self._stored -= rows * len(flow.kept)
            return None
        return np.empty((rows, len(flow.kept)))

    # -- derivatives -----------------------------------------------------------------------------

    def slopes_of_entries(self, variables: Sequence[Variable]) -> Array:
        """Derivatives of p (rows: variables), controls aside."""
        D = self.flow.slopes(self.own)
        made = np.zeros((len(variables), self.flow.given))
        for j, variable in enumerate(variables):
            if variable.kind == PARAMETER:
                made[j] = D[:, self.flow.traced.names.index(variable.name)]
        return made

    def tangents(
        self, start: Array, variables: Sequence[Variable], controls: Mapping[str, int]
    ) -> Array:
        """Derivatives (samples, outputs, variables), forth."""
        base = self.slopes_of_entries(variables)
        carried = Tangents(np.array(start, order="C"), np.zeros(len(variables)), base.copy())
        out = np.zeros((len(self.grid.samples), self.count, len(variables)))
        self._look(-1, carried, out)
        for number, piece in enumerate(self.pieces):
            if isinstance(piece, Piece):
                self._turn_controls(carried.p, variables, controls, piece.control)
                self._fix_time(number, carried.time)
            piece.push(carried)
            self._look(number, carried, out)
        return out

    def _fix_time(self, number: int, time: Array) -> None:
        """A piece that does not follow an event begins at a moment that does not move."""
        before = self.pieces[number - 1] if number else None
        if isinstance(before, Crossing):
            return
        if isinstance(before, Piece) and before.steps < before.planned:
            return
        time[:] = 0.0

    def _turn_controls(
        self, p: Array, variables: Sequence[Variable], controls: Mapping[str, int], row: int
    ) -> None:
        """Derivatives of the entries of p that are controls, while a row of them acts."""
        p[:, self.grid.places] = 0.0
        for j, variable in enumerate(variables):
            if variable.kind == CONTROL and variable.place == row:
                p[j, controls[variable.name]] = 1.0

    def _look(self, number: int, carried: Tangents, out: Array) -> None:
        for sample in self.after.get(number, ()):
            t, x, p, outputs = self.seen[sample]  # type: ignore[misc]
            rows = outputs.slopes(t, x, p)
            moves = carried.time if self.ended is not None else np.zeros(len(carried.time))
            whole = np.c_[carried.state, carried.p, moves]
            out[sample] = rows @ whole.T

    def adjoints(
        self,
        weights: Array,
        variables: Sequence[Variable],
        controls: Mapping[str, int],
        start: Array,
    ) -> Array:
        """Derivative of sum(weights * values) by the variables, back; weights (samples, outputs).

        start : derivatives of the start (rows: variables)
        """
        flow, places = self.flow, self.grid.places
        carried = Adjoints(np.zeros(flow.nx), 0.0, np.zeros(flow.given))
        held = np.zeros((max(1, len(self.grid.controls)), flow.given))
        row = 0
        for number in range(len(self.pieces) - 1, -1, -1):
            piece = self.pieces[number]
            self._put(number, carried, weights)
            piece.pull(carried)
            if isinstance(piece, Piece):
                row = max(piece.control, 0)
                moves = np.array([carried.time])
                self._fix_time(number, moves)
                carried.time = float(moves[0])
                held[row, places] += carried.p[places]
                carried.p[places] = 0.0
        self._put(-1, carried, weights)
        held[row, places] += carried.p[places]
        carried.p[places] = 0.0
        made = start @ carried.state + self.slopes_of_entries(variables) @ carried.p
        for j, variable in enumerate(variables):
            if variable.kind == CONTROL:
                made[j] += held[variable.place, controls[variable.name]]
        return made

    def _put(self, number: int, carried: Adjoints, weights: Array) -> None:
        for sample in self.after.get(number, ()):
            t, x, p, outputs = self.seen[sample]  # type: ignore[misc]
            back = weights[sample] @ outputs.slopes(t, x, p)
            carried.state += back[: self.flow.nx]
            carried.p += back[self.flow.nx : -1]
            if self.ended is not None:
                carried.time += back[-1]
