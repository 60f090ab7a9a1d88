"""A model compiled for many worlds: its program in lanes, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert._translate.processor import processor
from dalembert.batch.equations import Places, TracedEquations, between
from dalembert.batch.expand import expanded
from dalembert.batch.impulse_step import write_impulses
from dalembert.batch.kernels.layout import BATCH, CODE, CODE_NUMBERS, PLAN, PLAN_NUMBERS, Code
from dalembert.batch.step import Program, compile_step
from dalembert.batch.traced_pieces import Written, compile_parts
from dalembert.enforcement import Projection
from dalembert.formulas.llvm import CompiledFunction, compile_function
from dalembert.simulation.prepare.controllers import places as places_of
from dalembert.simulation.prepare.reduction import reduced
from dalembert.simulation.prepare.setup import Setup
from dalembert.system.state_layout import State

MOST_OPERATIONS = 60_000
"""Operations of a step beyond which it is not compiled in lanes: compiling takes too long."""


def lanes_here() -> int:
    """Worlds in a register of this processor."""
    features = processor()[3].split(",")
    if "+avx512f" in features:
        return 8
    return 4 if "+avx2" in features else 2


@dataclass(frozen=True)
class AtStops:
    """Programs of steps at stops, of first and of second order, and what a world remembers."""

    first: Program | None
    second: Program | None
    memory: int

    @property
    def programs(self) -> tuple[Program | None, ...]:
        """Programs of first and of second order, in this order."""
        return self.first, self.second


@dataclass(frozen=True)
class Compiled:
    """The program of a setup, or why it has none, and where parameters and controls stand.

    `reason` is a sentence where the model takes the general form.
    """

    program: Program | None
    signal_code: CompiledFunction | None
    reason: str = ""
    stops: AtStops | None = None
    """Steps at stops, where these are in lanes, too."""
    angles: tuple[tuple[int, float, float], ...] = ()
    """For every angle whose turns are counted its coordinate, a sign and an offset."""

    @property
    def programs(self) -> list[Program]:
        """All programs, that of smooth steps first."""
        own = (self.program,) if self.stops is None else (self.program, *self.stops.programs)
        return [program for program in own if program is not None]

    @property
    def lanes(self) -> int:
        """Worlds at a time."""
        return 1 if self.program is None else self.program.lanes


def control_places(setup: Setup, names: Sequence[str], state: State) -> Places:
    """Places of `work` where parameters of the model stand as they are."""
    found: list[list[int]] = [[] for _ in names]
    if names:
        system: Any = setup.running
        for place, k in places_of(system, state, setup.model, names):
            found[k].append(int(place))
    return tuple(map(tuple, found))


def compiled(setup: Setup, names: Sequence[str], more: Sequence[int], signals: Any) -> Compiled:
    """The program of a setup; the same one for the same wishes.

    Parameters
    ----------
    names : parameters that stand in forces as they are, the last entries of "p"
    more : other places of `work` that differ from world to world, its first entries
    signals : formulas to be recorded
    """
    key = f"batch {lanes_here()} {names!r} {list(more)!r} {[x.id for x in signals]!r}"
    if key not in setup.memory:
        setup.memory[key] = _compile(setup, tuple(names), tuple(more), tuple(signals)), signals
    made: Compiled = setup.memory[key][0]
    return made


def _compile(
    setup: Setup, names: tuple[str, ...], more: tuple[int, ...], signals: tuple[Any, ...]
) -> Compiled:
    reason = reason_against(setup)
    lanes = lanes_here()
    if reason:
        return Compiled(None, None, reason)
    chosen = reduced(setup.running, setup.values, between(setup), setup.beginning)

    def places(state: State) -> Places:
        return (*((k,) for k in more), *control_places(setup, names, state))

    try:
        equations = TracedEquations(setup, chosen, places, signals)
        program = compile_step(equations, between(setup), setup.integrator, lanes)
        code = _signal_code(equations, lanes)
    except LookupError as problem:
        return Compiled(None, None, f"{problem.args[0]}.")
    stops = None if setup.contacts is None else _at_stops(setup, places, lanes)
    return Compiled(program, code, stops=stops, angles=tuple(equations.angles))


def _at_stops(setup: Setup, places: Any, lanes: int) -> AtStops | None:
    """Programs of steps at stops; None where these are left to the kernels of a run."""
    method: Any = setup.method
    if not setup.running.is_tree or setup.running.extents.rows:
        return None
    chosen = reduced(setup.running, setup.values, method, setup.beginning, contacts=setup.contacts)
    made: list[Written | None] = []
    try:
        for second in (False, True):
            if method.order in (None, 1 + second):
                equations = TracedEquations(setup, chosen, places, method=method)
                made.append(write_impulses(equations, second, lanes))
            else:
                made.append(None)
    except LookupError:
        return None
    programs = iter(compile_parts([one for one in made if one is not None]))
    first, last = (None if one is None else next(programs) for one in made)
    return AtStops(first, last, 1 + equations.nv + equations.state.sides)


def _signal_code(equations: TracedEquations, lanes: int) -> CompiledFunction | None:
    found = equations.signals()
    if not found:
        return None
    formulas, _ = expanded(found, [])
    stores = [("y", k, x) for k, x in enumerate(formulas)]
    return compile_function("batch_signals", BATCH.arguments, stores, {}, lanes=lanes)


def reason_against(setup: Setup, *, implicit: bool = False) -> str:
    """Why a setup takes the general form, or an empty text.

    implicit : whether stages may be solved for
    """
    method, integrator, system = setup.method, setup.integrator, setup.running
    if setup.contacts is not None:
        if setup.model.has_contact:
            return "shapes touch, which is solved for in every world by itself"
        if not setup.contacts.may_be_smooth(method):
            return "drives, brakes or dry friction act in every step"
        method = Projection()
    if system.has_bodies and not system.is_tree:
        return "its bodies are in maximal coordinates"
    if not (implicit and integrator.collocation is not None) and (
        not integrator.explicit or integrator.adaptive
    ):
        return f"{type(integrator).__name__} is not explicit with a fixed step"
    if method.advance is not None or method.rates is None:
        return f"{type(method).__name__} brings its own step"
    if method.end_step is not None and not isinstance(method, Projection):
        return f"the end of a step of {type(method).__name__} is not traced"
    if isinstance(method, Projection) and method.norm != "mass":
        return "Projection in another norm than that of the mass is not traced"
    if system.extents.reactions:
        return "reactions stand in its forces"
    return ""


def tables(programs: Sequence[Program]) -> tuple[Any, Any]:
    """Integers and numbers of a batch, with the parts of all programs."""
    parts = [part for program in programs for part in program.parts]
    integers = np.zeros(PLAN + CODE * len(parts), dtype=np.int64)
    numbers = np.zeros(PLAN_NUMBERS + CODE_NUMBERS * len(parts))
    for i, part in enumerate(parts):
        code = Code(integers, PLAN + CODE * i, numbers, PLAN_NUMBERS + CODE_NUMBERS * i)
        code.address, code.x, code.y = part.function.address, part.x, part.y
        code.most, code.rest, code.asks = part.most, part.rest, int(part.asks)
        code.offset = part.offset
    return integers, numbers
