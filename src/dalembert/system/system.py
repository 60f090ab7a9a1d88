"""System: a model as flat counts, names and functions with addresses."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dalembert import _jit
from dalembert._once import once_property
from dalembert._signature import Registered
from dalembert.formulas import Expression, computed, split_constant, symbols, time
from dalembert.formulas.expression import ZERO
from dalembert.formulas.llvm import CompiledFunction, compile_function
from dalembert.system import equations as eq
from dalembert.system.layout import Extents, allocate, offset, offsets
from dalembert.system.reactions import Reactive
from dalembert.system.state_layout import State

Stores = list[tuple[str, int, Expression]]


@dataclass
class _Counter:
    """How many entries of CONSTANTS the compiled functions use, and who fills them.

    Runs in several threads share a system: arrays that were opened before a function was compiled
    have no room for its constants, so that `prologues` know how many there are with theirs.
    """

    used: int = 0
    prologues: list[tuple[int, CompiledFunction]] = field(default_factory=list)
    lock: Any = field(default_factory=threading.RLock)


@dataclass(frozen=True, eq=False)
class System(Reactive):
    """The compiled model.

    Attributes
    ----------
    equations : the formulas
    coordinate_names, row_names, constraint_slices : for reading results by name
    parameter_names, parameter_values : in the order of the PARAMETERS field
    """

    equations: eq.Equations
    coordinate_names: tuple[str, ...]
    row_names: tuple[str, ...]
    constraint_slices: dict[str, slice]
    parameter_names: tuple[str, ...]
    held: frozenset[str] = frozenset()
    """Parameters that controllers change during a run."""
    _constants: _Counter = field(default_factory=_Counter)

    has_bodies = False
    is_tree = False

    @property
    def velocity_names(self) -> tuple[str, ...]:
        """Names of v."""
        return tuple(f"{name}.dot" for name in self.coordinate_names)

    # -- counts ------------------------------------------------------------------------------

    @once_property
    def extents(self) -> Extents:
        """Counts without the scratch of a method or integrator."""
        e = self.equations
        n = len(e.coordinates)
        count = len(self.reactions)
        return Extents(n, n, e.holonomic, e.rows, len(self.parameter_names), reactions=count)

    @once_property
    def mass_is_constant(self) -> bool:
        """The mass matrix holds no coordinate, velocity or time."""
        entries = [x for row in self.equations.mass for x in row]
        return not eq.depends(entries, ("coordinate", "velocity", "time"))

    @once_property
    def force_has_velocity(self) -> bool:
        """The right-hand side depends on velocities."""
        return bool(self.reactions) or eq.depends(self.equations.force, ("velocity",))

    # -- functions ---------------------------------------------------------------------------

    @once_property
    def _offsets(self) -> Mapping[str, int]:
        """Where fields start in `work`; those behind CONSTANTS move with what is compiled."""
        return offsets(self.extents)

    @once_property
    def bindings(self) -> dict[Any, tuple[str, int | None]]:
        """Where the value of each symbol is read."""
        e = self.equations
        where: dict[Any, tuple[str, int | None]] = {time: ("t", None)}
        for i, (x, v) in enumerate(zip(e.coordinates, e.velocities, strict=True)):
            where[x] = ("q", i)
            where[v] = ("v", i)
        return where

    def bound(self, formulas: Sequence[Any]) -> dict[Any, tuple[str, int | None]]:
        """`bindings` and the parameters these formulas hold."""
        where = dict(self.bindings)
        start = self._offsets["parameters"]
        for leaf in symbols(formulas, "parameter"):
            where[leaf] = ("work", start + self.parameter_names.index(leaf.name))
        return where

    def compile(
        self,
        name: str,
        arguments: Sequence[str],
        stores: Stores,
        positive: Sequence[Expression] = (),
    ) -> CompiledFunction:
        """Compile stores; what depends on parameters and options only is computed once a run.

        The function returns 1 unless all formulas in `positive` are.
        """
        guards: Stores = [("guard", k, x) for k, x in enumerate(positive)]
        counter = self._constants
        with counter.lock:
            first = self._offsets["constants"] + counter.used
            prologue, body = split_constant([*stores, *guards], self._is_constant, first)
            if prologue:
                nodes = [s[2] for s in prologue]
                made = compile_function(f"{name}_constants", ["t"], prologue, self.bound(nodes))
                counter.used += len(prologue)
                counter.prologues.append((counter.used, made))
        bound = self.bound([s[2] for s in body])
        body, guards = body[: len(stores)], body[len(stores) :]
        status = None
        for _, _, value in guards:
            status = value > 0.0 if status is None else status & (value > 0.0)
        return compile_function(name, arguments, body, bound, status)

    def _is_constant(self, leaf: Expression) -> bool:
        if leaf.op == "parameter":
            return leaf.name not in self.held
        if leaf.op != "load" or leaf.data[0] != "work":
            return False
        # Options and row scales stand between PARAMETERS and what changes during a run.
        return int(leaf.data[1]) < self._offsets["row_scale"] + self.extents.rows

    def prepare(self, state: State) -> None:
        """Compute the constants of a run; call after parameters and options are in place."""
        for function in self.prologues(state):
            function(work=state.work, sizes=state.sizes, t=0.0)

    def prologues(self, state: State) -> list[CompiledFunction]:
        """The functions of `prepare`, in their order."""
        room = len(state.constants)
        # others are of functions that these arrays do not have
        return [function for used, function in list(self._constants.prologues) if used <= room]

    @property
    def preparing(self) -> Any:
        """Lock of whoever has functions of the system compiled."""
        return self._constants.lock

    @property
    def constants_count(self) -> int:
        """Entries the CONSTANTS field needs for what is compiled so far."""
        return self._constants.used

    def _interpreted(self, stores: Stores) -> Callable[..., int]:
        """Function that evaluates the stores with NumPy."""
        formulas = [s[2] for s in stores]
        loads = symbols(formulas, "load")
        parameters = symbols(formulas, "parameter")
        e, start = self.equations, self._offsets["parameters"]

        def run(work: Any, sizes: Any, t: float, q: Any, v: Any) -> int:
            values: dict[Any, Any] = {time: t}
            values.update(zip(e.coordinates, q, strict=False))
            values.update(zip(e.velocities, v, strict=False))
            for leaf in parameters:
                values[leaf] = work[start + self.parameter_names.index(leaf.name)]
            for leaf in loads:
                values[leaf] = work[leaf.data[1]]
            for (_, index, _), value in zip(stores, computed(formulas, values), strict=True):
                work[index] = value
            return 0

        return run

    def _function(self, name: str, stores: Stores) -> Callable[[], int]:
        if _jit.runs_texts():
            return Registered(self._interpreted(stores))
        compiled = self.compile(name, ["t", "q", "v"], stores)
        return lambda: compiled.address

    def _rows(self, field_: str, values: Sequence[Expression]) -> Stores:
        start = self._offsets[field_]
        return [("work", start + i, x) for i, x in enumerate(values)]

    def _matrix(self, field_: str, rows: Sequence[Sequence[Expression]], columns: int) -> Stores:
        start = self._offsets[field_]
        return [
            ("work", start + i * columns + k, x)
            for i, row in enumerate(rows)
            for k, x in enumerate(row)
        ]

    @once_property
    def evaluate_stores(self) -> Stores:
        """Everything `evaluate` writes; of the mass matrix the lower triangle."""
        e, n = self.equations, self.extents.nv
        return [
            *self._rows("phi", e.phi),
            *self._rows("phi_dot", e.phi_dot),
            *self._rows("phi_t", e.phi_t),
            *self._rows("rhs_a", e.rhs_a),
            *self._matrix("jacobian", e.J, n),
            *self._matrix("mass", [row[: i + 1] for i, row in enumerate(e.mass)], n),
            *self._rows("force", e.force),
        ]

    @once_property
    def _evaluate(self) -> Callable[[], int]:
        # Entries of J and of right-hand sides that are zero keep the zero they were allocated with;
        # M and Q are written whole, since some methods add to them in place.
        kept = range(self._offsets["phi"], self._offsets["mass"])
        stores = [s for s in self.evaluate_stores if not (s[2] is ZERO and s[1] in kept)]
        return self._function("evaluate", stores)

    @once_property
    def _residual(self) -> Callable[[], int]:
        e = self.equations
        stores = [*self._rows("phi", e.phi), *self._rows("phi_dot", e.phi_dot)]
        return self._function("residual", stores)

    @once_property
    def _tangent(self) -> Callable[[], int]:
        e, n = self.equations, self.extents.nv
        a = eq.loads(self._offsets["vdot"], n)
        lam = eq.loads(self._offsets["lam"], e.rows)
        d = eq.tangent(e, a, lam)
        stores = [
            *self._matrix("stiffness", d.K, n),
            *self._matrix("damping", d.D, n),
            *self._matrix("jacobian_dot", d.Jdot, n),
        ]
        return self._function("tangent", stores)

    def guard(
        self, formulas: Sequence[Expression], extents: Extents, field_: str = "event_values"
    ) -> Callable[[], int]:
        """Function of the event formulas; EVENT_VALUES must stand where `extents` puts it."""
        start = offset(extents, field_)
        stores: Stores = [("work", start + i, x) for i, x in enumerate(formulas)]
        if _jit.runs_texts():
            return Registered(self._interpreted(stores))
        compiled = compile_function("guard", ["t", "q", "v"], stores, self.bound(formulas))
        return lambda: compiled.address

    # -- arrays ------------------------------------------------------------------------------

    def open(
        self,
        parameters: Sequence[float],
        *,
        tangent: bool = False,
        method_scratch: int = 0,
        integrator_scratch: int = 0,
        events: int = 0,
        inputs: int = 0,
        sides: tuple[int, int] = (0, 0),
    ) -> tuple[State, Extents]:
        """The state with the model's borders, and the counts it was made for."""
        # compiled first: that says how many constants there are
        with self._constants.lock:
            borders = {"evaluate": self._evaluate(), "residual": self._residual()}
            if tangent:
                borders["tangent"] = self._tangent()
            count = self.constants_count
        extents = replace(
            self.extents,
            constants=count,
            events=events,
            inputs=inputs,
            sides=sides[0],
            side_jacobian=sides[1],
            method_scratch=method_scratch,
            integrator_scratch=integrator_scratch,
        )
        state = allocate(extents)
        for name, address in borders.items():
            setattr(state, name, address)
        state.force_has_velocity = int(self.force_has_velocity)
        state.parameters[: len(self.parameter_names)] = np.asarray(parameters, dtype=float)
        state.reaction_places[:] = self.reaction_table
        state.row_scale[:] = 1.0
        state.length = 1.0
        return state, extents

    def jacobian(self, state: State) -> np.ndarray:
        """J of the last evaluated state."""
        return np.array(state.jacobian)
