"""The arrays of one run: every border in place, options and scales written, constants computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert import _jit
from dalembert.contact import memory
from dalembert.contact.automatic import AUTO
from dalembert.contact.borders import (
    close_gaps,
    find_contacts,
    share_impulses,
    solve_impulses,
)
from dalembert.contact.tables import arrays_of
from dalembert.enforcement import Projection, VelocitySplitting
from dalembert.enforcement.protocol import Method
from dalembert.formulas import load, substitute, symbols
from dalembert.integration.protocol import Integrator
from dalembert.mechanics.dense import install_lean
from dalembert.mechanics.forms import FULL, install, install_tree, needs_matrices
from dalembert.mechanics.maximal import guard_bodies, see_bodies
from dalembert.mechanics.motion import displace
from dalembert.mechanics.tree_evaluate import guard_tree, see_tree
from dalembert.model.sensors.force_sensor import MULTIPLIER
from dalembert.model.sensors.imu import ACCELERATION
from dalembert.simulation.body_rows import dependent_rows, independent_rows
from dalembert.simulation.consistent import Start
from dalembert.simulation.contacts import Contacts, attach, enlarge, first_room, part_of, tables_of
from dalembert.simulation.lasting import lasting_rows, with_errors
from dalembert.simulation.on_tree import relative_rows
from dalembert.simulation.specialise import specialise, worthwhile
from dalembert.system.body_system import BodySystem
from dalembert.system.borders import evaluate
from dalembert.system.dual_blocks import PLANES
from dalembert.system.layout import (
    ADVANCE,
    BEGIN_STEP,
    CONTACT_CLOSE,
    CONTACT_COLLIDE,
    CONTACT_SHARE,
    CONTACT_SOLVE,
    END_STEP,
    GYROSCOPIC,
    INPUT_RATES,
    INPUT_VALUES,
    INTEGRATOR_OPTIONS,
    LENGTH,
    LONG_STEPS,
    METHOD_FLAG,
    OPTIONS,
    RANK_LIMIT,
    RANK_MAX,
    RATES,
    RATES_GENERAL,
    ROW_SCALE,
    ROW_SIZE,
    ROW_TOLERANCE,
    SEE,
    SEE_RATES,
    SIDE_PHI,
    SIDE_ROWS,
    SMOOTH_ADVANCE,
    SMOOTH_END,
    SMOOTH_OUTPUT,
    SMOOTH_PREPARE,
    SPECIFIC_GUARD,
    SPECIFIC_SEE,
    Extents,
)
from dalembert.system.system import System
from dalembert.system.tree_system import TreeSystem

AnySystem = System | BodySystem

UNSEEN = 1e-12
"""Largest entry of a row for motion in a plane, over all, that is rounding."""


@dataclass(frozen=True)
class Opened:
    """`work` and `sizes` ready to run.

    `keep` holds whatever the addresses in `sizes` point to; `guard` compiles the event functions.
    """

    work: Any
    sizes: Any
    method: Method
    guard: Callable[[], int] | None
    keep: tuple[Any, ...]
    least: bool = False
    tables: Any = None
    """Tables of contact (`simulation.contacts`)."""

    def hold(self, work: Any, sizes: Any, *more: Any) -> None:
        """Other arrays, with more room behind them; and what `sizes` points to."""
        object.__setattr__(self, "work", work)
        object.__setattr__(self, "sizes", sizes)
        object.__setattr__(self, "keep", (*self.keep, *more))

    def enlarge(self) -> None:
        """More room for contacts."""
        self.hold(*enlarge(self.work, self.sizes, self.tables))

    def provide_general(self) -> None:
        """Compile the general rates, which a small full-rank model may never need."""
        install(self.method.form, self.sizes, least=self.least)
        # Only the continuous output asks a method with its own step for rates.
        rates = self.method.rates or Projection.rates
        assert rates is not None
        self.sizes[RATES_GENERAL] = rates.address
        if not self.sizes[RATES]:
            self.sizes[RATES] = self.sizes[RATES_GENERAL]


def open_run(
    system: AnySystem,
    values: Sequence[float],
    method: Method,
    integrator: Integrator,
    start: Start,
    event_formulas: Sequence[Any] = (),
    inputs: Sequence[Any] = (),
    contacts: Contacts | None = None,
    hinges: Callable[[Any, Any, Any], tuple[Any, Any]] | None = None,
) -> Opened:
    """Arrays for `method` and `integrator` on `system`; `hinges` puts those behind (`turns`)."""
    smooth = contacts is not None and contacts.may_be_smooth(method)
    between = Projection() if smooth else method  # what steps without impulses are made by
    fast = _straight_line(system, between, start)
    felt = any(leaf.data[0].startswith(MULTIPLIER) for leaf in symbols(list(inputs), "load"))
    implied = lasting_rows(system, values, start) if _drifts(system, between) else []
    if isinstance(system, TreeSystem):
        implied_loops = _implied_loops(system, values, start, between)
        if not smooth or len(implied_loops) < system.extents.rows:  # without any it has matrices
            system = system.without(implied_loops)
    elif felt:
        pass  # rows that others imply carry their share of what a controller reads
    elif isinstance(system, BodySystem) and between.drift == "machine" and between.advance is None:
        if method.form not in FULL and not smooth:
            system = _in_plane(system, values, start)
        system = system.without(_implied_rows(system, values, start))
        start = with_errors(system, values, start) if system.left_out else start
    elif isinstance(system, BodySystem) and system.dual is not None:
        system = system.without(implied)
    e = system.extents
    dense = method.uses_matrices or needs_matrices(method.form, system)
    if isinstance(system, TreeSystem):
        dense = dense or bool(implied) or not _keeps_to_borders(system, method)
        if dense or method.needs_tangent:
            system = system.in_full()
            e = system.extents
    full = {"dense": dense} if system.has_bodies else {}
    work, sizes, extents = system.open(
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
        work, sizes = hinges(system, work, sizes)
    tables = None
    if contacts is not None:
        tables = tables_of(contacts, system, values)
        part = arrays_of(tables, first_room(tables))
        work, sizes = attach(work, sizes, part)
    guard = _guard(system, event_formulas, extents, sizes) if event_formulas else None
    see = _see(system, inputs, extents, sizes) if inputs else None
    # Multipliers that will be reported must be the least ones, where all rows take part.
    least = felt or (between.own_multipliers and not implied)
    # Rows kept from the start may hold badly later, as bodies turn: a step of its own takes all.
    least = least or between.advance is not None
    least = least and start.rank < e.rows
    keep = (system, fast, guard, see, contacts)
    opened = Opened(work, sizes, method, guard, keep, least, tables)
    _write_rates(opened, fast, needed=method.end_step is not None)
    if contacts is not None and not sizes[RATES_GENERAL]:
        opened.provide_general()  # a step with impulses needs more than rates
    if sizes[SEE_RATES] and not sizes[RATES]:
        opened.provide_general()
    for slot, border in ((BEGIN_STEP, method.begin_step), (END_STEP, method.end_step)):
        sizes[slot] = border.address if border is not None else 0
    sizes[ADVANCE] = (method.advance or integrator.advance).address
    sizes[METHOD_FLAG] = method.flag()
    sizes[LONG_STEPS] = int(integrator.adaptive and method.advance is None)
    # A method of first order takes v* from the integrator and nothing else.
    sizes[GYROSCOPIC] = int(integrator.spins_implicitly or method.order == 1)
    for slot, options in (
        (OPTIONS, method.options()),
        (INTEGRATOR_OPTIONS, integrator.options(start.length)),
    ):
        work[sizes[slot] : sizes[slot] + len(options)] = options
    _write_rows(opened, start)
    sizes[RANK_LIMIT] = e.rows - len(implied)
    system.prepare(work, sizes)
    if contacts is not None:
        _write_contacts(opened, contacts, extents, redundant=0 <= start.rank < e.rows)
        if smooth:
            _write_smooth(opened, integrator)
    return opened


def open_measure(system: AnySystem, values: Sequence[float], start: Start) -> Opened:
    """Arrays whose rates are the plain constrained equations."""
    method = Projection()
    fast = _straight_line(system, method, start)
    work, sizes, _ = system.open(values)
    opened = Opened(work, sizes, method, None, (system, fast), least=True)
    _write_rates(opened, fast, needed=False)
    _write_rows(opened, start)
    system.prepare(work, sizes)
    return opened


def _write_contacts(
    opened: Opened, contacts: Contacts, extents: Extents, *, redundant: bool
) -> None:
    """Options of the method, and the functions that a step calls."""
    system: Any = opened.keep[0]
    method: Any = opened.method
    tables = opened.tables
    part = part_of(opened.work, opened.sizes)
    jointed = system.is_tree or system.extents.rows > 0
    smooth = contacts.may_be_smooth(method)
    method.write_settings(*part, tables.surface_size, jointed, smooth)
    part[0][memory.REDUNDANT] = int(redundant)
    if contacts.sides.count:
        function = system.guard(contacts.formulas(system), extents, SIDE_PHI)
        opened.hold(opened.work, opened.sizes, function)
        opened.sizes[SIDE_ROWS] = function()
    if len(tables.surfaces):
        opened.sizes[CONTACT_COLLIDE] = find_contacts.address
    opened.sizes[CONTACT_SOLVE] = method.solve_border.address
    opened.sizes[CONTACT_SHARE] = share_impulses.address if method.forces == "min_norm" else 0
    # the default solver may do both: it is then compiled once
    own = method.solve_border is solve_impulses and part[0][memory.SOLVER] == AUTO
    opened.sizes[CONTACT_CLOSE] = (solve_impulses if own else close_gaps).address


def _write_smooth(opened: Opened, integrator: Integrator) -> None:
    """Write what a step in which nothing is near calls: the integrator, and the default method."""
    sizes, rest = opened.sizes, Projection()
    assert rest.end_step is not None
    sizes[SMOOTH_ADVANCE], sizes[SMOOTH_END] = integrator.advance.address, rest.end_step.address
    sizes[SMOOTH_PREPARE] = integrator.interpolate_prepare.address
    sizes[SMOOTH_OUTPUT] = integrator.interpolate.address
    system: Any = opened.keep[0]
    if isinstance(system, TreeSystem) and _keeps_to_borders(system, rest):
        install_tree(rest.form, sizes, matrices=False)


def _in_plane(system: BodySystem, values: Sequence[float], start: Start) -> BodySystem:
    """The system restricted to the plane in which its joints keep all bodies, if there is one.

    The rows left out are those that motion in the plane meets at the start and wherever else the
    bodies may be in it.
    """
    plane = system.parts.plane
    if plane < 0 or system.dual is None:
        return system
    work, sizes, extents = system.open(values)
    install("automatic", sizes)
    within = np.zeros(extents.nv).reshape(-1, 6)
    within[:, PLANES[plane]] = 1.0
    wave = np.arange(1.0, extents.nv + 1.0)
    seen = np.zeros(extents.rows)
    for sample in range(3):
        q = start.q.copy()
        displace(work, sizes, 1.0, sample * np.cos((2.0 + sample) * wave) * within.ravel(), q)
        evaluate(work, sizes, start.t, q, start.v)
        seen = np.maximum(seen, system.row_sizes(work, sizes, PLANES[plane]))
    return system.in_plane(np.flatnonzero(seen <= UNSEEN))


def _implied_rows(system: BodySystem, values: Sequence[float], start: Start) -> list[int]:
    """Rows that, at the start, others imply; a projection will tell if they do not always."""
    if system.dual is None or start.rank == system.extents.rows:
        return []
    work, sizes, _ = system.open(values)
    install("automatic", sizes, least=False)
    evaluate(work, sizes, start.t, start.q, start.v)
    return dependent_rows(work, sizes, system)


def _implied_loops(
    system: TreeSystem, values: Sequence[float], start: Start, method: Method
) -> list[int]:
    """Rows of loops that, at the start, those before them imply; a projection will tell."""
    if method.drift != "machine" or start.rank == system.extents.rows:
        return []
    work, sizes, _ = system.open(values)
    install("automatic", sizes)
    evaluate(work, sizes, start.t, start.q, start.v)
    kept = independent_rows(relative_rows(system, work, sizes))
    return sorted(set(range(system.extents.rows)) - set(kept))


def _drifts(system: AnySystem, method: Method) -> bool:
    """Whether a method solves with all rows off the constraints, and by their rank.

    In the stages of a step every one does. Bodies leave rows out for methods that come back.
    """
    by_rank = method.keeps_to_borders or isinstance(method, VelocitySplitting)
    comes_back = isinstance(system, BodySystem) and method.drift == "machine"
    return by_rank and method.redundant and not comes_back


def _keeps_to_borders(system: TreeSystem, method: Method) -> bool:
    """Whether a method can do with what the tree has in place of full matrices."""
    plain = method.keeps_to_borders and getattr(method, "norm", "mass") == "mass"
    return plain and (system.dual is not None or not system.extents.rows)


def _straight_line(system: AnySystem, method: Method, start: Start) -> Any:
    """Straight-line rates for a small model of formulas; None for others."""
    if isinstance(system, BodySystem) or not _jit.COMPILED or start.rank < system.extents.rows:
        return None
    return specialise(system, method) if worthwhile(system, method) else None


def _guard(
    system: AnySystem, formulas: Sequence[Any], extents: Extents, sizes: Any
) -> Callable[[], int]:
    """Compiles the event functions; those of bodies read records that must be made first."""
    function = system.guard(formulas, extents)
    if not system.has_bodies:
        return function

    def compiled() -> int:
        sizes[SPECIFIC_GUARD] = function()
        return guard_tree.address if system.is_tree else guard_bodies.address

    return compiled


def _see(
    system: AnySystem, formulas: Sequence[Any], extents: Extents, sizes: Any
) -> Callable[[], int]:
    """The function of what controllers see, put in place."""
    first = int(sizes[INPUT_RATES]) + extents.nq
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
        sizes[SEE_RATES] = 1
    function = system.guard(formulas, extents, INPUT_VALUES)
    if system.has_bodies:
        look = see_tree if system.is_tree else see_bodies
        sizes[SPECIFIC_SEE], sizes[SEE] = function(), look.address
    else:
        sizes[SEE] = function()
    return function


def _write_rates(opened: Opened, fast: Any, *, needed: bool) -> None:
    """The straight-line rates where there are any; `needed`: corrections will be asked for."""
    if fast is not None:
        opened.sizes[RATES] = fast.address
    if fast is None:
        opened.provide_general()
    elif needed:
        install_lean(opened.sizes)


def _write_rows(opened: Opened, start: Start) -> None:
    work, sizes = opened.work, opened.sizes
    for slot, rows in (
        (ROW_SCALE, start.row_scale),
        (ROW_TOLERANCE, start.row_tolerance),
        (ROW_SIZE, start.row_size),
    ):
        work[sizes[slot] : sizes[slot] + len(rows)] = rows
    work[sizes[LENGTH]] = start.length
    sizes[RANK_MAX] = start.rank
