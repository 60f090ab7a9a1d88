"""BodySystem: a model of bodies as tables, with the same face as a `System` of formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dalembert import _jit
from dalembert._once import once_property
from dalembert._signature import Registered
from dalembert.formulas import Expression, computed, jacobian, load, symbols, time
from dalembert.formulas.graph import Store
from dalembert.formulas.llvm import CompiledFunction, compile_function
from dalembert.formulas.orientation import quaternion, rotation
from dalembert.formulas.orientation import turns as turns_of
from dalembert.model.basics.quantity import value_of
from dalembert.system.bodies import Mechanism, PairAction
from dalembert.system.body_blocks import body_tables
from dalembert.system.body_numbers import body_numbers, inertias
from dalembert.system.body_writing import MISSING, write_elements, write_inertias, write_world
from dalembert.system.dual import Dual, dual_tables
from dalembert.system.element_tables import element_tables
from dalembert.system.graph import Elimination, eliminate
from dalembert.system.jacobian_blocks import blocks_of_bodies
from dalembert.system.layout import Extents, allocate, offset
from dalembert.system.reactions import Reactive
from dalembert.system.state_layout import State
from dalembert.system.tables import RECORD

DENSE_LIMIT = 1300
"""Velocities and rows together up to which room for full matrices is set aside."""

IDLE = 1e-9
"""Cosine of the angle to the axis of rotation up to which an axis of the body is at right angles to
it: an inertia about it then counts for 1e-18 of itself."""


@dataclass(frozen=True)
class Symbols:
    """The part of `Equations` that readers of results ask for."""

    coordinates: list[Expression]
    velocities: list[Expression]
    holonomic: int
    rows: int


@dataclass(frozen=True, eq=False)
class BodySystem(Reactive):
    """The compiled model of bodies."""

    parts: Mechanism
    gravity: tuple[Any, ...]
    parameter_names: tuple[str, ...]
    initial_angles: Mapping[str, float] = field(default_factory=dict)
    left_out: frozenset[int] = frozenset()
    plane: int = -1

    has_bodies = True
    is_tree = False
    mass_is_constant = False
    force_has_velocity = True
    constants_count = 0
    force_field = "force"
    """Where forces on bodies are summed up."""

    # -- names -------------------------------------------------------------------------------

    @once_property
    def equations(self) -> Symbols:
        """Symbols of positions and velocities, and the counts of rows."""
        q = [x for b in self.parts.bodies for x in b.state_symbols]
        v = [x for b in self.parts.bodies for x in b.velocity_symbols]
        return Symbols(q, v, self.parts.holonomic, self.parts.rows)

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of q."""
        return tuple(name for b in self.parts.bodies for name in b.state_names)

    @property
    def velocity_names(self) -> tuple[str, ...]:
        """Names of v."""
        return tuple(name for b in self.parts.bodies for name in b.velocity_names)

    @property
    def row_names(self) -> tuple[str, ...]:
        """Names of the rows."""
        return tuple(self.parts.row_names)

    @property
    def constraint_slices(self) -> dict[str, Any]:
        """Rows of each joint or constraint by name: a slice, or indices where they are apart."""
        return {
            name: slice(rows[0], rows[-1] + 1)
            if rows == list(range(rows[0], rows[-1] + 1))
            else np.array(rows)
            for name, rows in self.parts.slices.items()
        }

    # -- counts ------------------------------------------------------------------------------

    @once_property
    def elimination(self) -> Elimination:
        """Order and fill of the factorisation."""
        world = len(self.parts.names)
        cliques = [[b for b in pair.bodies if b != world] for pair in self.parts.pairs]
        cliques += [list(s.bodies) for s in self.parts.specifics]
        return eliminate(world, cliques)

    @once_property
    def extents(self) -> Extents:
        """Counts without the scratch of a method or integrator."""
        parts = self.parts
        n, m = 6 * len(parts.names), parts.rows
        data = blocks = 0
        for pair in parts.pairs:
            pair.start, data = data, data + len(pair.data)
            pair.blocks, blocks = (blocks, blocks + 6 * pair.count), blocks + 12 * pair.count
        for action in parts.actions:
            action.start, data = data, data + len(action.data)
        for s in parts.specifics:
            size = 6 * s.count
            s.blocks = tuple(blocks + size * k for k in range(len(s.bodies)))
            blocks += size * len(s.bodies)
        named = sum(w.element is None for w in parts.wound)
        # the tables below read the places given above
        below = self.elimination.columns[:, 3]
        return Extents(
            nq=7 * len(parts.names),
            nv=n,
            holonomic=parts.holonomic,
            rows=m,
            parameters=len(self.parameter_names),
            reactions=len(self.reactions),
            bodies=len(parts.names),
            element_data=data + named,
            jacobian_blocks=blocks,
            blocks=self.elimination.blocks,
            most_below=int(below.max(initial=0)),
            wound=len(parts.wound),
            massless=len(self.massless),
            dual=0 if self.dual is None else self.dual.floats,
            dual_scratch=0 if self.dual is None else self.dual.scratch,
            dense=n + m <= DENSE_LIMIT,
        )

    @once_property
    def dual(self) -> Dual | None:
        """Tables of J M^-1 J^T; None where constraints of several bodies are in the way."""
        if self.parts.specifics or not self.parts.pairs:
            return None
        return dual_tables(self.parts, self.left_out, self.plane)

    def without(self, rows: Iterable[int]) -> BodySystem:
        """The system with its forces computed without rows that others imply."""
        left_out = self.left_out | {int(r) for r in rows}
        return self if left_out == self.left_out else replace(self, left_out=left_out)

    def in_plane(self, rows: Iterable[int]) -> BodySystem:
        """A copy of the system, its forces computed for motion in its plane only.

        `rows` are those that such motion meets anyhow.
        """
        return replace(self.without(rows), plane=self.parts.plane)

    @once_property
    def massless(self) -> tuple[int, ...]:
        """Bodies whose inertia, at the parameters' own values, vanishes about some axis.

        A rod is a line and a point mass a point: nothing resists turning about that axis. What
        turns there by no torque is left as it turns; what joints hold needs no inertia.
        """
        found = []
        moments, axes = np.linalg.eigh(inertias(self.parts, {}))
        bare = moments <= MISSING * np.maximum(moments[:, 2:], 0.0)
        for b in map(int, np.flatnonzero(bare.any(axis=1))):
            if not self._is_idle(b, axes[b][:, bare[b]]):
                found.append(b)
        return tuple(found)

    def _is_idle(self, b: int, axes: np.ndarray) -> bool:
        """True when joints never let the body turn about any of these axes of its own.

        Whatever inertia it is given there, neither motion nor forces notice.
        """
        return any(np.all(np.abs(n @ axes) <= IDLE) for n in self.parts.turning.get(b, []))

    # -- tables ------------------------------------------------------------------------------

    @once_property
    def quaternions(self) -> list[tuple[int, int]]:
        """Where quaternions begin in q, and their angular velocities in v."""
        return [(7 * b + 3, 6 * b + 3) for b in range(len(self.parts.names))]

    @once_property
    def _tables(self) -> dict[str, Any]:
        e = self.elimination
        return {
            **element_tables(self.parts, e),
            **body_tables(e),
            "turns_table": self._turn_places,
            "quaternion_table": self.quaternions,
            "massless_table": [(b, e.places[b, b]) for b in self.massless],
            **({} if self.dual is None else self.dual.tables),
        }

    @once_property
    def _turn_places(self) -> list[int]:
        """Where the turns of each counted angle are written."""
        start, places = offset(self.extents, "element_data"), []
        spare = sum(len(x.data) for x in self.parts.recorded)
        for wound in self.parts.wound:
            if wound.element is None:
                places.append(start + spare)
                spare += 1
            else:
                places.append(start + wound.element.start + wound.slot)
        return places

    # -- functions of this model alone ---------------------------------------------------------

    @once_property
    def bindings(self) -> dict[Any, tuple[str, int | None]]:
        """Where the value of each symbol is read."""
        where: dict[Any, tuple[str, int | None]] = {time: ("t", None)}
        records = offset(self.extents, "body_records")
        for b, body in enumerate(self.parts.bodies):
            start = records + RECORD * b
            leaves = [*body.center_symbols, *rotation(body.name).ravel(), *body.velocity_symbols]
            where |= {x: ("work", start + k) for k, x in enumerate(leaves)}
            where |= {x: ("q", 7 * b + 3 + k) for k, x in enumerate(quaternion(body.name))}
        for wound, place in zip(self.parts.wound, self._turn_places, strict=True):
            if wound.name:
                where[turns_of(wound.name)] = ("work", place)
        return where

    def bound(self, formulas: Sequence[Any]) -> dict[Any, tuple[str, int | None]]:
        """`bindings` and the parameters these formulas hold."""
        where = dict(self.bindings)
        start = offset(self.extents, "parameters")
        for leaf in symbols(formulas, "parameter"):
            where[leaf] = ("work", start + self.parameter_names.index(leaf.name))
        return where

    def _function(self, name: str, stores: list[Store]) -> Callable[[], int]:
        """Function of (t, q, v) that makes the stores; reads the records of the bodies."""
        if not stores:
            return lambda: 0
        formulas = [s[2] for s in stores]
        where = self.bound(formulas)
        if not _jit.runs_texts():
            compiled: CompiledFunction = compile_function(name, ["t", "q", "v"], stores, where)
            return lambda: compiled.address
        leaves = symbols(formulas, "coordinate", "velocity", "parameter", "load", "time")

        def run(work: Any, sizes: Any, t: float, q: Any, v: Any) -> int:
            arrays = {"work": work, "q": q, "v": v}
            values: dict[Any, Any] = {}
            for leaf in leaves:
                array, index = where.get(leaf) or leaf.data
                values[leaf] = t if index is None else arrays[array][index]
            for (_, index, _), value in zip(stores, computed(formulas, values), strict=True):
                work[index] = value
            return 0

        return Registered(run)

    def _rows(self, field_: str, row: int, values: Sequence[Expression]) -> list[Store]:
        start = offset(self.extents, field_) + row
        return [("work", start + k, x) for k, x in enumerate(values)]

    @once_property
    def _specific(self) -> Callable[[], int]:
        stores: list[Store] = []
        start = offset(self.extents, "jacobian_blocks")
        for s in self.parts.specifics:
            f = s.formulas
            rows = {"phi": f.phi, "phi_dot": f.phi_dot, "phi_t": f.phi_t, "rhs_a": f.rhs_a}
            for field_, values in rows.items():
                stores += self._rows(field_, s.row, values)
            for body, block in zip(s.bodies, s.blocks, strict=True):
                J = jacobian(f.phi_dot, list(self.parts.bodies[body].velocity_symbols))
                flat = [x for row in J for x in row]
                stores += [("work", start + block + k, x) for k, x in enumerate(flat)]
        return self._function("specific", stores)

    @once_property
    def _specific_residual(self) -> Callable[[], int]:
        stores: list[Store] = []
        for s in self.parts.specifics:
            stores += self._rows("phi", s.row, s.formulas.phi)
            stores += self._rows("phi_dot", s.row, s.formulas.phi_dot)
        return self._function("specific_residual", stores)

    @once_property
    def _specific_action(self) -> Callable[[], int]:
        start = offset(self.extents, self.force_field)
        total: dict[int, Expression] = {}
        for action in self.parts.specific_actions:
            for body, parts in action.loads:
                for k, x in enumerate(parts):
                    place = start + 6 * body + k
                    total[place] = total.get(place, load("work", place)) + x
        return self._function("specific_action", [("work", k, x) for k, x in total.items()])

    @once_property
    def _angles(self) -> Callable[[], int]:
        angles = [w.angle for w in self.parts.wound]
        return self._function("angles", self._rows("angles", 0, angles))

    def guard(
        self, formulas: Sequence[Expression], extents: Extents, field_: str = "event_values"
    ) -> Callable[[], int]:
        """Function of the event formulas; the records must be those of the state it is given."""
        start = offset(extents, field_)
        return self._function("guard", [("work", start + i, x) for i, x in enumerate(formulas)])

    # -- arrays ------------------------------------------------------------------------------

    def open(
        self,
        parameters: Sequence[float],
        *,
        tangent: bool = False,
        dense: bool = False,
        method_scratch: int = 0,
        integrator_scratch: int = 0,
        events: int = 0,
        inputs: int = 0,
        sides: tuple[int, int] = (0, 0),
    ) -> tuple[State, Extents]:
        """The state with tables and data; the mechanics puts its borders in place."""
        extents = replace(
            self.extents,
            events=events,
            inputs=inputs,
            sides=sides[0],
            side_jacobian=sides[1],
            method_scratch=method_scratch,
            integrator_scratch=integrator_scratch,
        )
        state, parts = allocate(extents, self._tables), self.parts
        if self.dual is not None:
            self.dual.counts.write(state)
        state.quaternions = len(self.quaternions)
        state.pairs, state.actions = len(parts.pairs), len(parts.actions)
        state.incidences = sum(len(s.bodies) for s in parts.specifics)
        state.specific, state.specific_residual = self._specific(), self._specific_residual()
        state.specific_action, state.angles_of = self._specific_action(), self._angles()
        state.force_has_velocity = 1
        state.turns_in_rows = int(any(not isinstance(w.element, PairAction) for w in parts.wound))
        state.dense = int((dense or tangent) and extents.dense)
        state.parameters[: len(self.parameter_names)] = np.asarray(parameters, dtype=float)
        state.reaction_places[:] = self.reaction_table
        state.row_scale[:], state.length = 1.0, 1.0
        values = dict(zip(self.parameter_names, map(float, parameters), strict=True))
        write_elements(state, parts, values, self.initial_angles)
        self._write_own(state, values)
        return state, extents

    def prepare(self, state: State) -> None:
        """Nothing is left to be computed once a run."""

    def prologues(self, state: State) -> list[CompiledFunction]:
        """Functions that compute something once a run: none."""
        return []

    def _write_own(self, state: State, values: Mapping[str, float]) -> None:
        """Write what only this kind of coordinates has."""
        specifics = self.parts.specifics
        state.empty, state.plane = len(self._tables["empty_table"]), self.plane
        state.terms = sum(len(s.bodies) * (len(s.bodies) + 1) // 2 for s in specifics)
        state.gravity[:] = [value_of(g, values) or 0.0 for g in self.gravity]
        write_world(state)
        write_inertias(state, body_numbers(self.parts, values), self.massless, self._is_idle)

    # -- the last evaluated state ----------------------------------------------------------------

    def row_sizes(self, state: State, velocities: Sequence[int]) -> np.ndarray:
        """Largest entry of J of the last evaluated state, per row, over some velocities of a body.

        Relative to the largest over all velocities.
        """
        some, most = np.zeros(self.parts.rows), np.zeros(self.parts.rows)
        for rows, _, block in blocks_of_bodies(state, self.parts):
            entries = np.abs(block)
            most[rows] = np.maximum(most[rows], entries.max(axis=1))
            some[rows] = np.maximum(some[rows], entries[:, velocities].max(axis=1))
        return np.divide(some, most, out=np.zeros_like(some), where=most > 0)

    def jacobian(self, state: State) -> np.ndarray:
        """J of the last evaluated state as a full matrix."""
        J = np.zeros((self.parts.rows, 6 * len(self.parts.names)))
        for rows, body, block in blocks_of_bodies(state, self.parts):
            J[rows, 6 * body : 6 * body + 6] = block
        return J
