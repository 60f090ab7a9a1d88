"""The equations of a model as a trace: what its borders compute, over formulas.

A second system with the same contents is opened whose borders are texts, not machine code; the
numbers of its state become an array of objects. What differs from world to world, coordinates,
velocities, parameters and data, stands there as symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert._signature import Registered
from dalembert.batch.recognise import Limit, coordinates_of_angles, limits_of_coordinates
from dalembert.batch.tracing import Trace, formula, loads
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.run.tables import arrays_of
from dalembert.enforcement import Projection
from dalembert.formulas import Expression, load, time
from dalembert.mechanics.choose_solve import OPEN, use
from dalembert.mechanics.dense import (
    BY_DUAL,
    WELL_APART,
    factor_full_rank,
    respond_full_rank,
    solve_full_rank,
)
from dalembert.mechanics.dual import factor_rows
from dalembert.mechanics.tree_evaluate import evaluate_tree, look_around, residual_tree
from dalembert.mechanics.tree_solve import (
    factor_inertia,
    half_rows,
    multiply_rows,
    respond_tree,
    solve_tree,
)
from dalembert.simulation.prepare.contacts import attach, first_room, part_of, tables_of
from dalembert.simulation.prepare.reduction import Reduced
from dalembert.simulation.prepare.setup import Setup
from dalembert.system.borders import OK, evaluate_sides, guard
from dalembert.system.state_layout import State
from dalembert.system.tree_system import TreeSystem

APART = 1e-5
"""Rest of a row beside those before it, squared, from which on W may be used."""


FAR = 1e300
"""An angle that no other is near."""

ALONG_TREE = ("tree_half", "tree_mass", "tree_roots", "dual", "dual_inverse")
OF_MATRICES = ("rows_y", "mass_l", "mass_inverse", "delassus_l", "delassus_inverse")
"""Fields of the state that a correction reads."""


Places = tuple[tuple[int, ...], ...]
"""For every entry of "p" the places of `work` that it stands at."""


def between(setup: Setup) -> Any:
    """The method of steps in which nothing touches: that of the setup, where nothing can."""
    return setup.method if setup.contacts is None else Projection()


class TracedEquations:
    """The state of a run over formulas, with the texts of its borders in place.

    Attributes
    ----------
    state : State over an array of objects
    trace : Trace
    q, v : symbols of coordinates and velocities
    """

    def __init__(
        self,
        setup: Setup,
        chosen: Reduced,
        places: Callable[[State], Places],
        signals: Sequence[Expression] = (),
        method: Any = None,
    ) -> None:
        """`places`: of what differs from world to world, in a state that is opened.

        method : of the steps; that of steps in which nothing touches where it is left out
        """
        system, integrator, contacts = chosen.system, setup.integrator, setup.contacts
        method = between(setup) if method is None else method
        e = system.extents
        self.nq, self.nv, self.rows = e.nq, e.nv, e.rows
        self.q, self.v = loads("q", e.nq), loads("v", e.nv)
        q0, v0 = chosen.start.q, chosen.start.v
        known: dict[Any, float] = {
            time: float(chosen.start.t),
            load("h", 0): float(setup.step or 0),
        }
        known |= zip([*self.q, *self.v], [*q0, *v0], strict=True)
        self.trace = Trace(known)
        self._keep: list[Any] = []
        self.angles: list[tuple[int, float, float]] = []
        self.limits: dict[int, Limit] = {}
        with self.trace.running():
            self._system = replace(system)  # borders are texts as long as it is there
            full = {"dense": chosen.dense} if system.has_bodies and method.impulses else {}
            state, extents = self._system.open(
                setup.values,
                **full,
                events=len(signals),
                method_scratch=method.scratch(e.nq, e.nv, e.holonomic, e.rows),
                integrator_scratch=integrator.scratch(e.nq, e.nv, e.rows),
                sides=(0, 0) if contacts is None else contacts.sides.extents,
            )
            if contacts is not None:
                tables = tables_of(contacts, self._system, setup.values)
                state = attach(state, arrays_of(tables, first_room(tables)))
            numbers, sizes = state
            if contacts is not None and method.impulses:
                jointed, smooth = system.is_tree or e.rows > 0, contacts.may_be_smooth(method)
                run = ContactRun(*reversed(part_of(state)))
                method.write_settings(run, tables.surface_size, jointed, smooth)
            chosen.start.write_rows(state)
            self.row_tolerance = [float(x) for x in state.row_tolerance]
            self.length = float(state.length)
            for room, options in (
                (state.options, method.options()),
                (state.integrator_options, integrator.options(chosen.start.length)),
                (state.method_scratch, method.scratch_start(system)),
            ):
                room[: len(options)] = options
            work = np.empty(len(numbers), dtype=object)
            work[:] = numbers.tolist()
            found = places(state)
            self.given = loads("p", len(found))
            for symbol, own in zip(self.given, found, strict=True):
                self.trace.example[symbol] = numbers[own[0]] if own else np.float64(0.0)
                for place in own:
                    work[place] = symbol
            self.state = State(work, sizes)
            self.state.method_flag = method.flag()
            self._install(system)
            self._see = self._system.guard(list(signals), extents) if len(signals) else None
            if contacts is not None and contacts.sides.count:
                formulas = contacts.formulas(self._system)
                self._sides = self._system.guard(formulas, extents, "side_phi")
                self.state.side_rows = self._sides()
                if isinstance(self._system, TreeSystem):
                    self._write_limits_plainly()

    def _write_limits_plainly(self) -> None:
        """Let one-sided rows that are coordinates be written so."""
        state, rows = self.state, self.state.side_rows
        self._wind(self.q)
        look_around(state, time, self.q, self.v)
        evaluate_sides(state, time, self.q, self.v)
        self.limits = limits_of_coordinates(state, self.q, self.v)

        def write(work: Any, sizes: Any, t: Any, q: Any, v: Any) -> int:
            status = guard(State(work, sizes), rows, t, q, v)
            for row, limit in self.limits.items():
                limit.write(State(work, sizes), row, q, v)
            return int(status)

        state.side_rows = self.key(write)

    def _install(self, system: Any) -> None:
        """Put the borders in place: along a tree, or with full matrices that have all ranks."""
        state = self.state
        if not isinstance(system, TreeSystem):
            use(state, (factor_full_rank, solve_full_rank, respond_full_rank))
            state.factor = self.key(self._factor_matrices)
            return
        if state.wound:
            self.angles = coordinates_of_angles(state, self.q, self.v)
        state.evaluate, state.residual = self.key(self._evaluate), self.key(self._residual)
        if not self.rows:
            use(state, OPEN)
            return
        state.factor = self.key(self._factor_along_tree)
        state.solve, state.respond = solve_tree.address, respond_tree.address

    def key(self, function: Callable[..., int]) -> int:
        """Key by which a border calls a function."""
        self._keep.append(Registered(function))
        return int(self._keep[-1].key)

    def signals(self) -> list[Expression]:
        """Formulas of the signals."""
        if self._see is None:
            return []
        state = self.state
        with self.trace.running():
            if isinstance(self._system, TreeSystem):
                self._wind(self.q)
                look_around(state, time, self.q, self.v)
            state.guard = self._see()
            guard(state, state.guard, time, self.q, self.v)
        return [formula(x) for x in state.event_values]

    def _evaluate(self, work: Any, sizes: Any, t: Any, q: Any, v: Any) -> int:
        self._wind(q)
        return int(evaluate_tree(work, sizes, t, q, v))

    def _residual(self, work: Any, sizes: Any, t: Any, q: Any, v: Any) -> int:
        self._wind(q)
        self.forget_angles()
        return int(residual_tree(work, sizes, t, q, v))

    def forget_angles(self) -> None:
        """Let no sine follow from that of an angle nearby."""
        for k in range(self.nv):
            self.state.tree.dof(k).angle = FAR

    def _wind(self, q: Any) -> None:
        """Let turns of angles be those of the coordinates they follow: nothing is remembered."""
        for k, (j, sign, offset) in enumerate(self.angles):
            self.state.last_angles[k] = sign * q[j] + offset

    def _factor_matrices(self, work: Any, sizes: Any, tolerance: float) -> int:
        """M and W, with guards: positive pivots, and rows well apart."""
        state = State(work, sizes)
        factor_full_rank(state, tolerance)
        for k in range(self.nv):
            self._require_positive(state.mass_pivot[k])
        if self.rows > 1:
            self._require_positive(state.margin - WELL_APART)
        return OK

    def _factor_along_tree(self, work: Any, sizes: Any, tolerance: float) -> int:
        """`factor_tree` far from singular positions."""
        state = State(work, sizes)
        status = factor_inertia(state)
        if status != OK:
            return int(status)
        half_rows(state)
        multiply_rows(state)
        factor_rows(state)
        for i in range(state.dual_row_count):
            self._require_positive(state.dual_ratio[i] - APART)
        state.branch = BY_DUAL
        return OK

    def factor_places(self) -> list[int]:
        """Places of `work` that hold the factors by which corrections are made."""
        names = ALONG_TREE if isinstance(self._system, TreeSystem) else OF_MATRICES
        places: list[int] = []
        for name in names:
            start = self.state.start_of(name)
            places += range(start, start + np.size(getattr(self.state, name)))
        return places

    def _require_positive(self, x: Any) -> None:
        if hasattr(x, "op") and not x > 0.0:
            raise LookupError("rows that depend on one another, or an inertia that is none")
