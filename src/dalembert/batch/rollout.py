"""`rollout`: many worlds of one model, arrays in and arrays out."""

from __future__ import annotations

import itertools
import os
import time as clocks
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from dalembert.batch import drive as driving
from dalembert.batch.compiled import Compiled, compiled, control_places, tables
from dalembert.batch.drive import Batch, Block
from dalembert.batch.general import General
from dalembert.batch.given import (
    Controls,
    column,
    count_worlds,
    initial_states,
    name_of,
    read_controls,
)
from dalembert.batch.result import Rollout
from dalembert.errors import OptionError
from dalembert.formulas import Expression
from dalembert.model.basics.by_name import formula_of
from dalembert.model.core.model import Model
from dalembert.simulation.prepare import announce, options
from dalembert.simulation.prepare.arrays import open_setup
from dalembert.simulation.prepare.controllers import commanded
from dalembert.simulation.prepare.model_for_run import model_for_run
from dalembert.simulation.prepare.prepare import Wanted, prepare
from dalembert.simulation.prepare.setup import Setup, values_of

REDUCTIONS = {"all": 0, "final": 1, "min": 2, "max": 3, "mean": 4}

PIECES = 4
"""Pieces of work for each thread: the last one to finish keeps the others waiting less."""


def rollout(
    model: Model,
    initial: Any = None,
    *,
    step: float,
    steps: int,
    worlds: int | None = None,
    controls: Mapping[Any, Any] | None = None,
    parameters: Mapping[Any, Any] | None = None,
    record: Sequence[Any] | str = "states",
    reduce: str = "all",
    every: int = 1,
    start: float = 0.0,
    method: Any = None,
    integrator: Any = None,
    threads: int | None = None,
    into: Any = None,
    engine: str = "auto",
) -> Rollout:
    """Motion of many worlds of one model, in steps of one length.

    Parameters
    ----------
    initial : {coordinate or velocity, or its name: a number, or one for each world}, or a pair of
        tables (q, v) with a row for each world, in the coordinates of the run
        (`Rollout.coordinate_names`); what is missing comes from the model
    step : float            length of a step  [s]
    steps : int             how many
    worlds : int            how many, where nothing else says it
    controls : {actuator or parameter, or its name: (worlds, steps) numbers}; a row for all worlds,
        fewer columns, which are held, or one number will do
    parameters : {parameter or its name: a number, or one for each world}
    record : "states", or names and formulas of signals
    reduce : "all" samples, or "final", "min", "max", "mean" of them
    every : int             steps from sample to sample
    method, integrator : as in `simulate`; `RK4` by default
    threads : int           as many as there are processors by default
    into : array            where results are written, (worlds, samples, width): memory-mapped if
        you like
    engine : "lanes": several worlds in a register; "general": one at a time, by the kernels of
        `simulate`; "auto": lanes where the model allows it

    Returns
    -------
    Rollout                 arrays, and for every world how it ended

    Examples
    --------
    >>> import dalembert as dl, numpy as np
    >>> model = dl.catalog.load("pendulum")
    >>> found = dl.rollout(model, {"x.dot": np.linspace(0, 1, 5), "y": -1, "x": 0},
    ...                    step=1e-3, steps=100)
    >>> found.q.shape
    (5, 101, 2)
    """
    began = clocks.perf_counter()
    _check(step, steps, every, reduce, engine, threads)
    asked = dict(controls or {})
    varied = {name_of(k): x for k, x in (parameters or {}).items()}
    single = {k: float(np.ravel(x)[0]) for k, x in varied.items()}
    model = options.model_with(model, single or None, "rollout")
    method, integrator = options.choose(method, integrator, step, model)
    model, names = commanded(model, "rollout", list(asked))
    model, _ = model_for_run(model, method, step, ())
    count = count_worlds(worlds, initial, varied, _control_rows(asked, steps))
    changing = {k: column("parameter", k, x, count) for k, x in varied.items() if np.ndim(x)}
    with announce.compiling(method, silent=False):
        setup = _setup(model, method, integrator, step, start, names)
        made = _Rolling(setup, names, changing, _signals(model, record), engine)
        read = read_controls(asked, names, count, steps)
        made.plan(initial, read, count, steps, every, reduce, start)
    made.go(threads or os.cpu_count() or 1, into)
    return made.result(clocks.perf_counter() - began)


def _check(
    step: float, steps: int, every: int, reduce: str, engine: str, threads: int | None
) -> None:
    if not isinstance(step, (int, float)) or not 0 < step < float("inf"):
        raise OptionError(f"rollout: step is {step!r}. Give a length of time, for example 1e-3.")
    for what, number in (("steps", steps), ("every", every), ("threads", threads or 1)):
        if not isinstance(number, (int, np.integer)) or number < 1:
            raise OptionError(f"rollout: {what} is {number!r}. Give a whole number, 1 or more.")
    if reduce not in REDUCTIONS:
        raise OptionError(f"rollout: reduce is {reduce!r}. Give {', '.join(REDUCTIONS)}.")
    if engine not in ("auto", "lanes", "general"):
        raise OptionError(f"rollout: engine is {engine!r}. Give 'auto', 'lanes' or 'general'.")


def _control_rows(controls: Mapping[Any, Any], steps: int) -> Any:
    """One of the controls that has a row for each world."""
    return next((x for x in controls.values() if np.ndim(x) == 2 and len(x) > 1), None)


def _signals(model: Model, record: Any) -> dict[str, Expression]:
    if isinstance(record, str) and record == "states":
        return {}
    found: dict[str, Expression] = {}
    for given in [record] if isinstance(record, str | Expression) else record:
        formula = formula_of(model, given) if isinstance(given, str) else given
        if not isinstance(formula, Expression):
            raise OptionError(
                f"rollout: record names {given!r}, which is no signal of model {model.name!r}."
                " Give 'states', a formula, or a name such as 'hinge.angle' or 'box.x'."
            )
        found[given if isinstance(given, str) else repr(given)] = formula
    return found


def _setup(
    model: Model, method: Any, integrator: Any, step: float, start: float, names: Sequence[str]
) -> Setup:
    """The setup of the model's own start, in coordinates of joints where there is a tree."""
    wanted = Wanted(method, integrator, step, start=start, held=frozenset(names))
    setup = prepare(model, wanted)
    if setup.on_tree is None and model.is_maximal and not method.impulses:
        from dataclasses import replace

        from dalembert.errors import ModelError

        try:
            setup = prepare(model, replace(wanted, formulation="generalized"))
        except ModelError:
            return setup
    return setup


class _Rolling:
    """A rollout on its way."""

    def __init__(
        self,
        setup: Setup,
        names: Sequence[str],
        changing: Mapping[str, Any],
        signals: Mapping[str, Expression],
        engine: str,
    ) -> None:
        self.setup, self.names, self.changing, self.signals = setup, names, changing, signals
        self.opened = open_setup(setup)
        self._read_parameters()
        self.code: Compiled = compiled(
            setup, [*names], self.trace_places, list(signals.values())
        )
        if engine == "general":
            self.code = Compiled(None, None, "it was asked for")
        if engine == "lanes" and self.code.program is None:
            raise OptionError(
                f"rollout: engine='lanes': {self.code.reason} Leave `engine` out."
            )

    # -- parameters of each world ----------------------------------------------------------------

    def _read_parameters(self) -> None:
        """Places of `work` that parameters change, and their values in every world."""
        self.places = np.zeros(0, dtype=np.int64)
        self.trace_places: list[int] = []
        self.given = np.zeros((0, 0))
        if not self.changing:
            return
        system: Any = self.opened.keep[0]
        rows = np.stack(list(self.changing.values()), axis=1)
        kinds, which = np.unique(rows, axis=0, return_inverse=True)
        opened = [self._opened_with(system, kind) for kind in kinds]
        table = np.array(opened)
        self.places = np.flatnonzero(np.any(table != table[0], axis=0))
        self.trace_places = self.places.tolist()
        self.given = np.ascontiguousarray(table[:, self.places][which.ravel()])

    def _opened_with(self, system: Any, kind: Any) -> Any:
        """`work` of the system with other values of parameters."""
        values = dict(zip(self.changing, map(float, kind), strict=True))
        model = self.setup.model.with_parameters(**values)
        e = system.extents
        work, _, _ = system.open(
            values_of(system, model),
            method_scratch=self.setup.method.scratch(e.nq, e.nv, e.holonomic, e.rows),
            integrator_scratch=self.setup.integrator.scratch(e.nq, e.nv, e.rows),
        )
        return work

    # -- the plan --------------------------------------------------------------------------------

    def plan(
        self,
        initial: Any,
        controls: Controls,
        worlds: int,
        steps: int,
        every: int,
        reduce: str,
        start: float,
    ) -> None:
        """Tables of all worlds."""
        system, begin = self.setup.running, self.setup.beginning
        names = system.coordinate_names, system.velocity_names
        self.q0, self.v0 = initial_states(initial, names, (begin.q, begin.v), worlds)
        self.controls, self.worlds = controls, worlds
        integers, numbers = tables(self.code.program)
        plan = driving.Plan(integers, 0, numbers, 0)
        plan.lanes, plan.worlds, plan.steps, plan.every = self.code.lanes, worlds, steps, every
        plan.parts = 0 if self.code.program is None else len(self.code.program.parts)
        plan.nq, plan.nv = len(begin.q), len(begin.v)
        plan.controls, plan.control_rows = len(controls.names), controls.rows
        plan.given = len(self.places) + len(controls.names)
        plan.signals = len(self.signals)
        plan.signal_code = 0 if self.code.signal_code is None else self.code.signal_code.address
        plan.reduction = REDUCTIONS[reduce]
        plan.start, plan.step = float(start), float(self.setup.step or 0.0)
        self.integers, self.numbers, self.settings = integers, numbers, plan
        self.samples = 1 if reduce != "all" else steps // every + 1
        self.width = len(self.signals) or plan.nq + plan.nv

    # -- the run ---------------------------------------------------------------------------------

    def go(self, threads: int, into: Any) -> None:
        """All worlds, in blocks, then those that have left."""
        n, plan = self.worlds, self.settings
        self.out = self._room(into)
        self.status = np.zeros(n, dtype=np.int64)
        given = self.given if len(self.given) else np.zeros((n, 0))
        self.batch = Batch(
            self.integers,
            self.numbers,
            self.q0,
            self.v0,
            given,
            self.controls.table,
            np.full(n, -1, dtype=np.int64),
            np.zeros((n, plan.nq)),
            np.zeros((n, plan.nv)),
            self.out.reshape(n, self.samples * self.width),
        )
        if self.code.program is None:
            self.batch.left[:] = 0
        else:
            blocks = -(-n // plan.lanes)
            count = PIECES * threads if threads > 1 else 1
            bounds = np.unique(np.linspace(0, blocks, count + 1).astype(int)).tolist()
            _in_threads(threads, self._drive, list(itertools.pairwise(bounds)))
        self.left = self.batch.left.copy()
        gone = np.flatnonzero(self.left >= 0)
        if len(gone):
            self._finish(threads, gone)

    def _room(self, into: Any) -> Any:
        shape = (self.worlds, self.samples, self.width)
        if into is None:
            return np.empty(shape)
        if into.shape != shape or into.dtype != np.float64 or not into.flags.c_contiguous:
            raise OptionError(
                f"rollout: into has the shape {into.shape} and holds {into.dtype}. Give a"
                f" contiguous array of float64 of the shape {shape}."
            )
        return into

    def _drive(self, first: int, last: int) -> None:
        driving.drive(self.batch, self._block(), int(first), int(last))

    def _block(self) -> Block:
        plan, program = self.settings, self.code.program
        scratch = 1 if program is None else max(1, program.scratch)
        lengths = (plan.nq, plan.nv, plan.given, scratch, plan.nq, plan.nv, plan.signals)
        return Block(
            *(_aligned(plan.lanes * max(1, n)) for n in lengths), np.zeros(1, dtype=np.int64)
        )

    def _finish(self, threads: int, gone: Any) -> None:
        """Finish worlds by the kernels of a run."""
        state = self.opened.state
        own = control_places(self.setup, self.controls.names, state)
        general = General(self.setup, [p[0] if p else -1 for p in own])

        def finish(world: int) -> None:
            entries = (self.places, self.given[world]) if len(self.places) else None
            first = int(self.left[world])
            self.status[world] = general.run(self.batch, self._block(), world, first, entries)

        _in_threads(threads, finish, [(int(world),) for world in gone])

    def result(self, seconds: float) -> Rollout:
        """What was found."""
        system, plan = self.setup.running, self.settings
        samples = np.arange(self.samples) * plan.every
        if self.samples == 1:
            samples = np.array([plan.steps])
        return Rollout(
            t=plan.start + plan.step * samples,
            data=self.out,
            coordinate_names=tuple(system.coordinate_names),
            velocity_names=tuple(system.velocity_names),
            signal_names=tuple(self.signals),
            status=self.status,
            left=self.left if self.code.program is not None else np.full(self.worlds, -1),
            engine="general" if self.code.program is None else "lanes",
            reason=self.code.reason,
            seconds=seconds,
        )


def _in_threads(threads: int, function: Callable[..., None], given: list[Any]) -> None:
    """Call a function with each of these arguments, in so many threads."""
    if threads == 1 or len(given) == 1:
        for arguments in given:
            function(*arguments)
        return
    with ThreadPoolExecutor(min(threads, len(given))) as pool:
        list(pool.map(lambda arguments: function(*arguments), given))


def _aligned(count: int) -> Any:
    """Zeros that begin at a multiple of 64 bytes."""
    room = np.zeros(count + 8)
    first = (-room.ctypes.data // 8) % 8
    return room[first : first + count]
