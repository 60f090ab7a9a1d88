"""`simulate`: check, build, make consistent, run, wrap."""

from __future__ import annotations

import functools
import math
import time as clocks
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dalembert._files import checked
from dalembert.enforcement import ContactImpulse, Projection
from dalembert.enforcement.protocol import Method
from dalembert.errors import (
    DoubtfulWarning,
    FileError,
    MassMatrixError,
    OptionError,
    RedundancyError,
    RunFileError,
)
from dalembert.formulas import Expression
from dalembert.integration import RK4, DormandPrince
from dalembert.integration.protocol import Integrator
from dalembert.mechanics.forms import needs_matrices
from dalembert.model.model import Model
from dalembert.model.one_sided.rows import hard_only
from dalembert.model.quantity import value_of
from dalembert.simulation import announce, turns, wrap
from dalembert.simulation.asked import Speeds
from dalembert.simulation.calling import Calling
from dalembert.simulation.coincident import refuse_coincident
from dalembert.simulation.consistent import AnySystem, Start, make_consistent, read_initial
from dalembert.simulation.contacts import build_for
from dalembert.simulation.controllers import Controller, bind
from dalembert.simulation.events import Event
from dalembert.simulation.formulation import Situation, choose_tree
from dalembert.simulation.misplaced import misplaced
from dalembert.simulation.on_tree import OnTree, on_tree
from dalembert.simulation.opening import open_run
from dalembert.simulation.placing import Placing
from dalembert.simulation.run import Recorder, Run
from dalembert.simulation.rundir.place import Place, choose
from dalembert.simulation.rundir.recorder import FolderRecorder
from dalembert.simulation.setup import Setup
from dalembert.simulation.solution import Solution
from dalembert.simulation.status import Status, error_class
from dalembert.system.body_system import DENSE_LIMIT, BodySystem

INITIAL_LIMIT = 0.1
"""How far the initial position is moved by default, over the largest coordinate or 1."""

MOST_NAMES = 8
"""Rows that a message names."""

WEIGHTLESS = 1e-12
"""Smallest moment of inertia over the largest below which a body has none about that axis."""


def simulate(
    model: Model,
    until: float,
    *,
    step: float | None = None,
    method: Method | None = None,
    integrator: Integrator | None = None,
    formulation: str = "auto",
    initial: Any = None,
    start: float = 0.0,
    every: int | None = None,
    times: Sequence[float] | None = None,
    events: Sequence[Event] = (),
    controllers: Sequence[Controller] = (),
    parameters: Mapping[Any, float] | None = None,
    initial_limit: float = INITIAL_LIMIT,
    consistent: bool = True,
    on_failure: str = "raise",
    progress: bool | None = None,
    save: str | Path | None = None,
    overwrite: bool = False,
) -> Solution:
    """Motion of a model from `start` to `until`.

    Parameters
    ----------
    until : float           end of the run  [s]
    step : float            fixed step; without it the step follows an error tolerance  [s]
    method : Method         how constraints are kept; default `Projection(norm="mass")`
    integrator : Integrator default `RK4` with a step, `DormandPrince(order=8)` without
    formulation : "maximal": bodies with constraints for their joints; "generalized": the
        coordinates of joints, loops apart, have constraints; "auto" takes what costs less
    initial : dict {coordinate or velocity, or its name: value} or a pair of arrays (q0, v0);
        what is missing comes from ``model.initial``, else it is 0
    every : int             record every k-th step; by default all, up to 100 000 samples
    times : moments to record instead, from the continuous output; increasing, within the run
    events : `Event` objects to be located; two crossings within one step are not seen
    controllers : `Controller` objects: Python functions that command actuators at a rate
    parameters : dict {parameter or its name: value}
        other values for this run; nothing is compiled again
    initial_limit : float   how far the initial position may be moved onto the constraints,
        relative to the largest coordinate, which counts as at least 1; bodies that were given no
        position are placed by their joints and may be moved any distance. The same part of the
        largest speed that was given, or 1, is allowed for speeds; those not given follow
    consistent : bool       False leaves the initial state as given, to study imperfect starts
    on_failure : "raise" or "return" a solution that ends where the run failed
    progress : bool         show time left and drift on standard error; None shows them for long
        runs in a terminal; False also leaves out the note that something is being compiled

    save : str or Path      where the run is kept: a folder, written while it runs, which `resume`
        goes on with after an interruption; or one file, when the name ends in .npz
    overwrite : bool        replace the run that is there, once the new one is complete

    Returns
    -------
    Solution
        ``summary()`` is its fidelity report.

    Raises
    ------
    SimulationError         the run stopped; ``.solution`` holds everything up to that moment
    RunFileError            the run could not be written; so does its ``.solution``

    Examples
    --------
    >>> import dalembert as dl
    >>> solution = dl.simulate(dl.catalog.load("pendulum"), until=1.0, step=1e-3)
    >>> bool(solution.worst["phi"] < 1e-14)
    True
    """
    began = clocks.perf_counter()
    if not isinstance(model, Model):
        raise OptionError(
            f"simulate: {model!r} is not a model. Give a dl.Model, dl.load(path) or "
            "dl.catalog.load(name)."
        )
    if parameters is not None:
        model = model.with_parameters(**_by_name(parameters))
    method, integrator = _choose(method, integrator, step, model)
    _check_options(until, start, step, every, times, on_failure, integrator, method)
    _check_limit(initial_limit)
    _check_events(events)
    moments = None if times is None else _moments(times, float(start), float(until))
    place = None if save is None else _place(save, overwrite)
    model, bound = bind(model, controllers)
    watched = [event.formula for event in events]
    if bound is None:
        system, contacts = build_for(model, method, watched)
    else:
        names = frozenset(bound.names)
        system, contacts = build_for(model, method, [*watched, *bound.inputs], names)
        if step is not None:
            bound.strides(float(step))
    _refuse_combination(system, method, integrator, step)
    values = [model.parameters[name] for name in system.parameter_names]

    with announce.compiling(method, integrator, contacts, silent=progress is False):
        q0, v0 = read_initial(model, initial)
        consistent_start = make_consistent(
            system,
            values,
            start,
            q0,
            v0,
            limit=initial_limit,
            move=consistent,
            bodies=Placing(model, initial) if model.is_maximal else None,
            speeds=Speeds(model, initial, initial_limit) if consistent else None,
        )
        if consistent:
            elsewhere = misplaced(model, initial, start, consistent_start.q)
            changed = (*elsewhere, *consistent_start.changed)
            consistent_start = replace(consistent_start, changed=changed)
        if contacts is not None and model.is_maximal:
            refuse_coincident(model, consistent_start.q, consistent_start.v)
        situation = Situation(
            model, system, method, integrator, step, consistent, bound, watched, contacts
        )
        on = start_on_tree(formulation, situation, values, consistent_start)
        setup = Setup(
            model,
            system,
            values,
            method,
            integrator,
            step,
            consistent_start,
            consistent=bool(consistent),
            controllers=bound,
            contacts=contacts,
            on_tree=on,
        )
        recorder = FolderRecorder(setup, len(events)) if isinstance(place, Place) else None
        run = make_run(
            setup,
            start=float(start),
            until=float(until),
            every=every,
            times=moments,
            events=events,
            recorder=recorder,
        )
        run.warm()
    prepared = clocks.perf_counter() - began
    if not isinstance(place, Place):
        return conclude(setup, run, None, prepared, progress, on_failure, file=place)
    options = {
        "until": until,
        "start": start,
        "step": step,
        "every": every,
        "times": None if moments is None else len(moments),
        "method": method,
        "integrator": integrator if method.advance is None else None,
        "events": [event.label for event in events],
        "controllers": [[c.name, c.rate] for c in controllers],
        "initial": initial,
        "formulation": "maximal" if on is None else "generalized",
        "initial_limit": initial_limit,
        "consistent": consistent,
        "own_multipliers": method.own_multipliers,
    }
    assert recorder is not None
    recorder.begin(place, run, options, events, prepared)
    return conclude(setup, run, recorder, prepared, progress, on_failure)


def start_on_tree(
    formulation: str, situation: Situation, values: Sequence[float], start: Start
) -> OnTree | None:
    """The start in the coordinates of joints where the run takes place in these.

    Refuses a method that the model is not for.
    """
    system, method = situation.system, situation.method
    tree = choose_tree(formulation, situation, start)
    if tree is None:
        _refuse_weightless(system, method, situation.model)
        _refuse_redundancy(system, method, start.rank)
        return None
    found = on_tree(tree, values, system, start)
    _refuse_redundancy(tree, method, found.start.rank)
    return found


def conclude(
    setup: Setup,
    run: Run,
    recorder: FolderRecorder | None,
    prepared: float,
    progress: bool | None,
    on_failure: str,
    file: Path | None = None,
) -> Solution:
    """Run to the end, keep what is to be kept, and say how it went."""
    if recorder is None:
        status = run.go(progress)
        solution = wrap.solution(setup, run, status, prepared)
        if file is not None:
            _save(solution, file)
    else:
        try:
            status = run.go(progress)
            solution = recorder.end(run, status)
        except FileError as problem:
            raise RunFileError(str(problem), recorder.given_up(run)) from problem
        finally:
            recorder.release()
    if Status(status).failed and on_failure == "raise":
        raise error_class(status)(solution.message, solution) from run.calling.cause
    return solution


def _place(save: str | Path, overwrite: bool) -> Place | Path:
    """Where the run goes, if it may: asked before a long run, not after."""
    if not isinstance(save, str | Path):
        raise OptionError(f"simulate: save is {save!r}. Give the name of a folder or .npz file.")
    path = Path(save)
    if path.suffix.lower() != ".npz" or path.is_dir():
        return choose(save, overwrite=overwrite)
    if checked(path, "the solution").exists() and not overwrite:
        raise RunFileError(
            f"{path}: is there already and is kept. Give another name, or ask for it to be"
            " replaced (--overwrite, overwrite=True)."
        )
    return path


def _save(solution: Solution, file: Path) -> None:
    try:
        solution.save(file)
    except FileError as problem:
        raise RunFileError(str(problem), solution) from problem


def make_run(
    setup: Setup,
    *,
    start: float,
    until: float,
    every: int | None,
    times: Sequence[float] | None,
    events: Sequence[Event],
    recorder: Recorder | None = None,
    angles: Any = None,
) -> Run:
    """A run at its start, not yet compiled; `angles` of hinges where another one ended."""
    formulas = _known_formulas(setup, [event.formula for event in events], "Event")
    bound = setup.controllers
    inputs = [] if bound is None else _known_formulas(setup, bound.inputs, "Controller")
    state = setup.start if setup.on_tree is None else setup.on_tree.start
    opened = open_run(
        setup.running,
        setup.values,
        setup.method,
        setup.integrator,
        state,
        formulas,
        inputs,
        setup.contacts,
        functools.partial(turns.attach, setup.model, setup.on_tree, angles=angles),
    )
    q, v = state.q.copy(), state.v.copy()
    adaptive = bool(setup.integrator.adaptive and setup.method.advance is None)
    calling = Calling(bound, opened, setup.model, (q, v), setup.step, adaptive)
    return Run(
        opened=opened,
        integrator=setup.integrator,
        method=setup.method,
        q=q,
        v=v,
        start=start,
        until=until,
        step=setup.step,
        every=every,
        times=times,
        events=events,
        recorder=recorder,
        calling=calling,
        on_tree=setup.on_tree,
    )


def _choose(
    method: Method | None, integrator: Integrator | None, step: float | None, model: Model
) -> tuple[Method, Integrator]:
    """Documented defaults."""
    if method is None:
        method = ContactImpulse() if hard_only(model) else Projection()
    for value, kind, table in (
        (method, Method, "dl.BraunGoldfarb()"),
        (integrator, Integrator, "dl.RK4()"),
    ):
        if value is not None and not isinstance(value, kind):
            what = "a method" if kind is Method else "an integrator"
            shown = f"the class {value.__name__}" if isinstance(value, type) else f"{value!r:.60}"
            if isinstance(value, type) and issubclass(value, kind):
                table = f"{value.__name__}(), with brackets"
            raise OptionError(f"{shown} is not {what}. Give an object such as {table}.")
    _tell_unknown(method, model)
    if integrator is None:
        integrator = DormandPrince() if step is None and method.advance is None else RK4()
    elif method.advance is not None:
        raise OptionError(
            f"{type(method).__name__} brings its own time discretisation and cannot be combined "
            f"with {type(integrator).__name__}. Leave the integrator out."
        )
    return method, integrator


def _tell_unknown(method: Method, model: Model) -> None:
    """Warn of what is in the model and the method does not know."""
    unknown = [] if method.impulses else hard_only(model)
    if unknown:
        warnings.warn(
            f"model '{model.name}': {type(method).__name__} does not know {'; '.join(unknown)}: "
            "the run is without them. Use method=dl.ContactImpulse(), the default.",
            DoubtfulWarning,
            stacklevel=4,
        )


def _check_options(
    until: float,
    start: float,
    step: float | None,
    every: int | None,
    times: Any,
    on_failure: str,
    integrator: Integrator,
    method: Method,
) -> None:
    for name, value in (("until", until), ("start", start)):
        if not isinstance(value, (int, float, np.number)) or not math.isfinite(value):
            raise OptionError(f"simulate: {name} is {value!r}. Give a finite time in seconds.")
    if not until > start:
        raise OptionError(
            f"simulate: until ({until:g} s) is not after start ({start:g} s). Give a later end."
        )
    adaptive = integrator.adaptive and method.advance is None
    if step is not None:
        if adaptive:
            raise OptionError(
                f"simulate: {type(integrator).__name__} chooses its own step. Leave `step` out, "
                "or give first_step / max_step to the integrator."
            )
        if not isinstance(step, (int, float, np.number)) or not 0 < step < math.inf:
            raise OptionError(f"simulate: step is {step!r}. Give a positive time in seconds.")
        if step > until - start:
            raise OptionError(
                f"simulate: step {step:g} s is longer than the whole run of {until - start:g} s. "
                "Give a smaller step."
            )
        if (until - start) / step > 2**53:
            raise OptionError(
                f"simulate: step {step:g} s is too small for a run of {until - start:g} s: "
                "time could not advance. Give a larger step."
            )
    elif not adaptive:
        name = type(integrator if method.advance is None else method).__name__
        raise OptionError(f"simulate: {name} needs a fixed step. Give step=..., in seconds.")
    if every is not None and (not isinstance(every, (int, np.integer)) or every < 1):
        raise OptionError(f"simulate: every is {every!r}. Give a whole number of steps, 1 or more.")
    if every is not None and times is not None:
        raise OptionError("simulate: `every` and `times` exclude one another. Give one of them.")
    if on_failure not in ("raise", "return"):
        raise OptionError(f"simulate: on_failure is {on_failure!r}. Give 'raise' or 'return'.")


def _by_name(parameters: Any) -> dict[str, float]:
    """Values by name; parameters themselves may be the keys, as coordinates may in `initial`."""
    if not isinstance(parameters, Mapping):
        raise OptionError(
            f"simulate: parameters is {parameters!r}. Give a dict of values, such as {{'l': 2.0}}."
        )
    values: dict[str, float] = {}
    for key, value in parameters.items():
        name = key.name if isinstance(key, Expression) and key.op == "parameter" else key
        if not isinstance(name, str):
            raise OptionError(
                f"simulate: parameters: the key {key!r} is neither a parameter nor a name. "
                "Write for example {'l': 2.0}."
            )
        if name in values:
            raise OptionError(f"simulate: parameters: {name!r} is given twice. Give it once.")
        values[name] = value
    return values


def _check_limit(limit: Any) -> None:
    if not isinstance(limit, (int, float, np.number)) or not limit >= 0:
        raise OptionError(
            f"simulate: initial_limit is {limit!r}. Give a number, 0 or more (0.1 by default)."
        )


def _check_events(events: Any) -> None:
    if isinstance(events, Event):
        raise OptionError(f"simulate: events takes a list. Write events=[{events!r}].")
    if isinstance(events, str) or not isinstance(events, Sequence):
        raise OptionError(f"simulate: events is {events!r}. Give a list such as [dl.Event(x)].")
    for i, event in enumerate(events):
        if not isinstance(event, Event):
            raise OptionError(
                f"simulate: events[{i}] is {event!r}, not an Event. Write dl.Event(formula) with "
                "a formula of the model's coordinates."
            )


def _moments(times: Any, start: float, until: float) -> list[float]:
    """The moments as numbers, moved onto the ends of the run where they miss them by rounding."""
    try:
        moments = np.array(times, dtype=float)
    except (TypeError, ValueError):
        moments = np.empty(0)
    if moments.ndim != 1 or not len(moments):
        raise OptionError(
            f"simulate: times is {times!r}. Give a list of moments in seconds, such as [0.5, 1.0]."
        )
    slack = 1e-9 * max(abs(start), abs(until), until - start)
    low = (moments < start) & (moments >= start - slack)
    high = (moments > until) & (moments <= until + slack)
    return list(np.where(low, start, np.where(high, until, moments)))


def _refuse_combination(
    system: AnySystem, method: Method, integrator: Integrator, step: float | None
) -> None:
    e = system.equations
    if e.rows > e.holonomic and not method.velocity_rows:
        rows = system.row_names[e.holonomic :]
        names = ", ".join(repr(n) for n in rows)
        verb = "is a velocity constraint" if len(rows) == 1 else "are velocity constraints"
        raise OptionError(
            f"{type(method).__name__} works on position constraints only; {names} {verb}. "
            "Use Projection, BraunGoldfarb or Baumgarte."
        )
    sentence = _too_large(system, method, integrator)
    if method.advance is None:
        sentence = sentence or integrator.refuse(method)
    sentence = sentence or method.refuse(system, integrator, step)
    if sentence:
        raise OptionError(sentence)


def _too_large(system: AnySystem, method: Method, integrator: Integrator) -> str | None:
    """A sentence for more bodies than full matrices have room for."""
    e = system.extents
    if e.dense:
        return None
    parts: list[Method | Integrator] = [method] + (
        [] if method.advance is not None else [integrator]
    )
    for part in parts:
        form = part.form if isinstance(part, Method) else "automatic"
        if part.uses_matrices or needs_matrices(form, system):
            return (
                f"{type(part).__name__} works on full matrices, which {e.nv} velocities and "
                f"{e.rows} constraint rows are too many for; {DENSE_LIMIT} together are the limit. "
                "Use Projection or BraunGoldfarb with RK4 or DormandPrince."
            )
    return None


def _refuse_weightless(system: AnySystem, method: Method, model: Model) -> None:
    """Refuse bodies without inertia about an axis where the method inverts M by itself."""
    if not method.inverts_mass or not isinstance(system, BodySystem):
        return
    for body in system.parts.bodies:
        theta = [[value_of(x, model.parameters) or 0.0 for x in row] for row in body.inertia.matrix]
        moments = np.linalg.eigvalsh(np.array(theta))
        if not moments[0] > WEIGHTLESS * moments[-1]:
            raise MassMatrixError(
                f"{type(method).__name__} inverts the mass matrix, but body {body.name!r} has no "
                "rotational inertia about one of its axes. Give it some (Inertia.cylinder or "
                "Inertia.box instead of a rod or a point), or use Projection."
            )


def _refuse_redundancy(system: AnySystem, method: Method, rank: int) -> None:
    # The rank of very many rows is not known beforehand (-1): the run will tell.
    if 0 <= rank < system.extents.rows and not method.redundant:
        names = ", ".join(system.row_names[:MOST_NAMES])
        names += ", ..." if len(system.row_names) > MOST_NAMES else ""
        raise RedundancyError(
            f"{type(method).__name__} needs independent constraint rows, but at the start only "
            f"{rank} of the {system.extents.rows} rows ({names}) are independent. Remove the "
            "redundant ones, or use Projection, BraunGoldfarb or UdwadiaKalaba."
        )


def _known_formulas(setup: Setup, formulas: Sequence[Any], what: str) -> list[Any]:
    """Formulas of events or inputs; a parameter the equations do not hold becomes its value."""
    from dalembert.formulas import constant, substitute, symbols

    system, model, formulas = setup.system, setup.model, list(formulas)
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
