"""The arrays of one run: every border in place, options and scales written, constants computed."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dalembert.contact.run.log import log_is_full, note_sample
from dalembert.contact.run.run_layout import ContactRun, is_smooth
from dalembert.contact.run.tables import arrays_of
from dalembert.contact.solvers.automatic import AutomaticContact
from dalembert.contact.step.impulses import close_gaps, share_impulses
from dalembert.contact.step.step_problem import find_contacts
from dalembert.enforcement import Projection
from dalembert.enforcement.projection import end_of
from dalembert.enforcement.protocol import Method
from dalembert.errors import DoubtfulWarning, OptionError
from dalembert.formulas import constant, load, substitute, symbols
from dalembert.integration.dormand_prince import ErrorControl
from dalembert.integration.protocol import Integrator
from dalembert.mechanics.choose_solve import install, install_lean, install_tree
from dalembert.mechanics.maximal import guard_bodies, see_bodies
from dalembert.mechanics.tree_evaluate import guard_tree, see_tree
from dalembert.model.one_sided.rows import hard_only
from dalembert.model.sensors.force_sensor import MULTIPLIER
from dalembert.model.sensors.imu import ACCELERATION
from dalembert.simulation.prepare import hinges as counting
from dalembert.simulation.prepare.contacts import (
    Contacts,
    attach,
    enlarge,
    first_room,
    part_of,
    tables_of,
)
from dalembert.simulation.prepare.counted_angles import counted
from dalembert.simulation.prepare.reduction import (
    Reduced,
    keeps_to_borders,
    reduced,
    straight_line,
)
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.prepare.start import AnySystem, Start
from dalembert.system.body_system import BodySystem
from dalembert.system.layout import Extents
from dalembert.system.state_layout import State
from dalembert.system.tree_system import TreeSystem

MOST_KEPT = 1_000_000
"""Length of `work` up to which arrays are kept for the next run of a setup."""


@dataclass(frozen=True)
class Opened:
    """`work` and `sizes` ready to run.

    `keep` holds whatever the addresses in `sizes` point to.
    """

    work: Any
    sizes: Any
    method: Method
    guard: Callable[[], int] | None
    """Compiles the event functions."""
    keep: tuple[Any, ...]
    least: bool = False
    tables: Any = None
    """Tables of contact (`simulation.prepare.contacts`)."""

    @property
    def state(self) -> State:
        """The arrays by name."""
        return State(self.work, self.sizes)

    def copy(self) -> Opened:
        """A run that has not begun either, in arrays of its own."""
        return replace(self, work=self.work.copy(), sizes=self.sizes.copy())

    def compile_guard(self) -> None:
        """Put the event functions in place; those of bodies read records that must be made."""
        if self.guard is None:
            return
        system: Any = self.keep[0]
        state = self.state
        if system.has_bodies:
            state.specific_guard = self.guard()
            state.guard = (guard_tree if system.is_tree else guard_bodies).address
        else:
            state.guard = self.guard()

    def hold(self, state: State, *more: Any) -> None:
        """Other arrays, with more room behind them; and what `sizes` points to."""
        object.__setattr__(self, "work", state.work)
        object.__setattr__(self, "sizes", state.sizes)
        object.__setattr__(self, "keep", (*self.keep, *more))

    def enlarge(self) -> None:
        """More room for contacts."""
        self.hold(enlarge(self.state, self.tables))

    def provide_general(self) -> None:
        """Compile the general rates, which a small full-rank model may never need."""
        install(self.method.form, self.state, least=self.least)
        # Only the continuous output asks a method with its own step for rates.
        rates = self.method.rates or Projection.rates
        assert rates is not None
        state = self.state
        state.rates_general = rates.address
        if not state.rates:
            state.rates = state.rates_general


def open_setup(setup: Setup, angles: Any = None) -> Opened:
    """Arrays of a run of a setup; `angles` of hinges where another run ended."""
    if angles is not None or "arrays" not in setup.memory:
        opened = _opened(setup, angles)
        if angles is not None or len(opened.work) > MOST_KEPT:
            return opened
        setup.memory["arrays"] = opened
    found: Opened = setup.memory["arrays"]
    return found.copy()


def _opened(setup: Setup, angles: Any) -> Opened:
    bound = setup.controllers
    events = _known_formulas(setup, setup.watched, "Event")
    inputs = [] if bound is None else _known_formulas(setup, bound.inputs, "Controller")
    system, values, method = setup.running, setup.values, setup.method
    chosen = reduced(system, values, method, setup.beginning, inputs, setup.contacts)
    turned = setup.turned if angles is None else None
    angles = angles if turned is None else turned.angles
    hinges = functools.partial(counting.attach, setup.model, setup.on_tree, angles=angles)
    opened = open_run(
        chosen, values, method, setup.integrator, events, inputs, setup.contacts, hinges
    )
    if turned is not None:
        counted(opened)[:] = turned.wound_of(chosen.system)
    return opened


def open_measuring(
    setup: Setup, system: AnySystem | None = None, values: Sequence[float] = ()
) -> Opened:
    """Arrays of a setup whose rates are the plain constrained equations.

    `system` and `values` are the setup's own with further forces, always the same ones.
    """
    key = "measuring" if system is None else "measuring with loads"
    if key not in setup.memory:
        if system is None:
            system, values = setup.system, setup.values
        opened = open_measure(system, values, setup.start)
        if len(opened.work) > MOST_KEPT:
            return opened
        setup.memory[key] = opened
    found: Opened = setup.memory[key]
    return found.copy()


def open_run(
    chosen: Reduced,
    values: Sequence[float],
    method: Method,
    integrator: Integrator,
    event_formulas: Sequence[Any] = (),
    inputs: Sequence[Any] = (),
    contacts: Contacts | None = None,
    hinges: Callable[[Any, State], State] | None = None,
) -> Opened:
    """Arrays for `method` and `integrator`; `hinges` puts those behind (`turns`)."""
    system, start = chosen.system, chosen.start
    e = system.extents
    full = {"dense": chosen.dense} if system.has_bodies else {}
    state, extents = system.open(
        values,
        tangent=method.needs_tangent,
        **full,
        method_scratch=method.scratch(e.nq, e.nv, e.holonomic, e.rows),
        integrator_scratch=integrator.scratch(e.nq, e.nv, e.rows),
        events=len(event_formulas),
        inputs=len(inputs),
        sides=(0, 0) if contacts is None else contacts.sides.extents,
    )
    if hinges is not None:
        state = hinges(system, state)
    tables = None
    if contacts is not None:
        tables = tables_of(contacts, system, values)
        # a run with located events may have to go on with steps
        tables = replace(tables, controlled=integrator.controls_impulses or method.locates)
        part = arrays_of(tables, first_room(tables))
        state = attach(state, part)
    guard = system.guard(event_formulas, extents) if event_formulas else None
    see = _see(system, inputs, extents, state) if inputs else None
    if state.see_rates and contacts is not None and not method.locates:
        _tell_unfelt(contacts)
    keep = (system, chosen.straight, guard, see, contacts)
    opened = Opened(state.work, state.sizes, method, guard, keep, chosen.least, tables)
    _write_rates(opened, chosen.straight, needed=method.end_step is not None)
    if contacts is not None and not state.rates_general:
        opened.provide_general()  # a step with impulses needs more than rates
    if state.see_rates and not state.rates:
        opened.provide_general()
    _write_method(opened, integrator, start)
    _write_start(state, start)
    state.rank_limit = e.rows - chosen.implied
    state.lasting_rank = chosen.lasting
    system.prepare(state)
    if contacts is not None:
        _write_contacts(opened, contacts, extents, redundant=0 <= start.rank < e.rows)
        if isinstance(integrator, ErrorControl):
            touching = ContactRun(*reversed(part_of(opened.state)))
            stepping: Any = opened.method
            stepping.write_tolerance(touching, integrator.steps_rtol)
        if chosen.smooth:
            _write_smooth(opened, integrator)
    return opened


def open_measure(system: AnySystem, values: Sequence[float], start: Start) -> Opened:
    """Arrays whose rates are the plain constrained equations."""
    method = Projection()
    straight = straight_line(system, method, start)
    state, _ = system.open(values)
    opened = Opened(state.work, state.sizes, method, None, (system, straight), least=True)
    _write_rates(opened, straight, needed=False)
    _write_start(opened.state, start)
    system.prepare(opened.state)
    return opened


def _write_method(opened: Opened, integrator: Integrator, start: Start) -> None:
    """Borders, flags and options of the method and the integrator."""
    state, method = opened.state, opened.method
    state.begin_step = method.begin_step.address if method.begin_step is not None else 0
    state.end_step = method.end_step.address if method.end_step is not None else 0
    state.advance = method.stepping(integrator).address
    solving = None if method.steps_itself(integrator) else method.backward
    state.backward = 0 if solving is None else solving.address
    state.method_flag = method.flag()
    state.long_steps = int(integrator.finds_steps(method))
    # A method of first order takes v* from the integrator and nothing else.
    spins = integrator.spins_implicitly and not method.impulses
    state.gyroscopic = int(spins or method.order == 1)
    for room, options in (
        (state.options, method.options()),
        (state.integrator_options, integrator.options(start.length)),
        (state.method_scratch, method.scratch_start(opened.keep[0])),
    ):
        room[: len(options)] = options


def _write_contacts(
    opened: Opened, contacts: Contacts, extents: Extents, *, redundant: bool
) -> None:
    """Options of the method, and the functions that a step calls."""
    system: Any = opened.keep[0]
    method: Any = opened.method
    tables = opened.tables
    integers, numbers = part_of(opened.state)
    run = ContactRun(numbers, integers)
    jointed = system.is_tree or system.extents.rows > 0
    smooth = contacts.may_be_smooth(method)
    method.write_settings(run, tables.surface_size, jointed, smooth)
    run.redundant = int(redundant)
    if contacts.sides.count:
        function = system.guard(contacts.formulas(system), extents, "side_phi")
        opened.hold(opened.state, function)
        opened.state.side_rows = function()
        if method.locates:
            bias = system.guard(contacts.biases(system), extents, "side_bias")
            opened.hold(opened.state, bias)
            opened.state.side_bias_rows = bias()
    state = opened.state
    if len(tables.surfaces):
        state.contact_collide = find_contacts.address
    state.contact_note = note_sample.address
    state.contact_log_full = log_is_full.address
    state.contact_was_smooth = is_smooth.address
    if not method.locates:
        write_stepping(state, method)


def write_stepping(state: State, method: Any) -> None:
    """Write what a step with impulses calls."""
    state.contact_solve = method.solve_border.address
    state.contact_share = share_impulses.address if method.forces == "min_norm" else 0
    # the default solver may do both: it is then compiled once
    own = isinstance(method.contact_solver(), AutomaticContact)
    state.contact_close = (method.solve_border if own else close_gaps).address


def _write_smooth(opened: Opened, integrator: Integrator) -> None:
    """Write what a step in which nothing is near calls: the integrator, and the default method."""
    state, rest = opened.state, Projection()
    state.smooth_advance, state.smooth_end = integrator.advance.address, end_of(state.rows).address
    state.smooth_prepare = integrator.interpolate_prepare.address
    state.smooth_output = integrator.interpolate.address
    system: Any = opened.keep[0]
    if isinstance(system, TreeSystem) and keeps_to_borders(system, rest):
        install_tree(rest.form, state, matrices=False)


def _tell_unfelt(contacts: Contacts) -> None:
    """Warn of inputs of controllers that steps with impulses do not know beforehand."""
    felt = "; ".join(hard_only(contacts.model))
    if felt:
        warnings.warn(
            f"model '{contacts.model.name}': a controller reads an IMU or a force sensor, which in"
            f" steps with impulses shows the motion without {felt}. Leave out step= or give"
            " mode='events', where it shows all.",
            DoubtfulWarning,
            stacklevel=2,
        )


def _see(
    system: AnySystem, formulas: Sequence[Any], extents: Extents, state: State
) -> Callable[[], int]:
    """The function of what controllers see, put in place."""
    first = state.start_of("input_rates") + extents.nq
    places = {}
    for leaf in symbols(formulas, "load"):
        array, k = leaf.data
        if array == ACCELERATION:
            places[leaf] = load("work", first + k)
        elif array.startswith(MULTIPLIER):
            rows = system.constraint_slices[array.removeprefix(MULTIPLIER)]
            places[leaf] = load("work", first + extents.nv + range(extents.rows)[rows][k])
    if places:
        formulas = substitute(list(formulas), places)
        state.see_rates = 1
    function = system.guard(formulas, extents, "input_values")
    if system.has_bodies:
        look = see_tree if system.is_tree else see_bodies
        state.specific_see, state.see = function(), look.address
    else:
        state.see = function()
    return function


def _write_rates(opened: Opened, fast: Any, *, needed: bool) -> None:
    """The straight-line rates where there are any; `needed`: corrections will be asked for."""
    if fast is not None:
        opened.state.rates = fast.address
    if fast is None:
        opened.provide_general()
    elif needed:
        install_lean(opened.state)


def _write_start(state: State, start: Start) -> None:
    """Write what is known of the rows at the start."""
    start.write_rows(state)
    state.rank_max = start.rank


def _known_formulas(setup: Setup, formulas: Sequence[Any], what: str) -> list[Any]:
    """Formulas of events or inputs; a parameter the equations do not hold becomes its value."""
    system, model, formulas = setup.system, setup.model, list(formulas)
    if not formulas:
        return []
    known = set(system.equations.coordinates) | set(system.equations.velocities)
    if isinstance(system, BodySystem):
        known |= set(system.bindings)
    for leaf in symbols(formulas, "coordinate", "velocity"):
        if leaf not in known:
            raise OptionError(
                f"{what}: {leaf!r} is not a coordinate of model {model.name!r}. "
                f"Its coordinates are {', '.join(system.coordinate_names)}."
            )
    unknown = {
        leaf: constant(model.parameters.get(leaf.name, leaf.value))
        for leaf in symbols(formulas, "parameter")
        if leaf.name not in system.parameter_names
    }
    return substitute(formulas, unknown) if unknown else formulas
