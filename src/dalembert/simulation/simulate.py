"""`simulate`: check what is asked, prepare, run, wrap."""

from __future__ import annotations

import time as clocks
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dalembert._files import checked
from dalembert.enforcement.protocol import Method
from dalembert.errors import OptionError, RunFileError
from dalembert.integration import RK4
from dalembert.integration.protocol import Integrator
from dalembert.model.basics.contents import unchanged
from dalembert.model.core.model import Model
from dalembert.simulation.actions.chain import Chain
from dalembert.simulation.actions.perform import check_released
from dalembert.simulation.actions.plan import Plan
from dalembert.simulation.hybrid.make_run import make_run
from dalembert.simulation.prepare import announce, options
from dalembert.simulation.prepare.controllers import Controller
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.model_for_run import model_for_run
from dalembert.simulation.prepare.options import INITIAL_LIMIT
from dalembert.simulation.prepare.prepare import Wanted, prepare
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.prepare.step_choice import span_of
from dalembert.simulation.prepare.tolerance import with_tolerance
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.rundir.actions_run import run_with_actions
from dalembert.simulation.rundir.conclude import conclude
from dalembert.simulation.rundir.place import Place, choose
from dalembert.simulation.rundir.recorder import FolderRecorder

AS_GIVEN = (
    *("step", "mode", "rtol", "atol", "method", "integrator", "formulation", "initial", "every"),
    *("times", "initial_limit", "consistent", "controllers", "progress", "on_failure"),
)
"""Options that a run with actions takes as they are."""


def simulate(
    model: Model,
    until: float,
    *,
    step: float | None = None,
    mode: str = "auto",
    rtol: float | None = None,
    atol: float | None = None,
    method: Method | None = None,
    integrator: Integrator | None = None,
    formulation: str = "auto",
    initial: Any = None,
    start: float = 0.0,
    every: int | None = None,
    times: Sequence[float] | None = None,
    events: Sequence[Event] = (),
    released: Sequence[Any] = (),
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
    step : float            fixed step; without it the step follows a tolerance  [s]
    mode : "events", "stepping" or "auto"   how contacts and stops are met: events located in time
        between smooth phases; steps with impulses; "auto": events where contacts are few and
        rigid and no step is given
    rtol, atol : float      tolerances of runs without a step: those of `DormandPrince`, 1e-11
        with and without located events; of steps with impulses the relative and the absolute
        error of a second, 1e-3 and `rtol` times the size of the model
    method : Method         how constraints are kept; default `Projection(norm="mass")`
    integrator : Integrator default `RK4` with a step, `DormandPrince(order=8)` without
    formulation : "maximal": bodies with constraints for their joints; "generalized": the
        coordinates of joints, loops apart, have constraints; "auto" takes what costs less
    initial : dict {coordinate or velocity, or its name: value} or a pair of arrays (q0, v0);
        what is missing comes from ``model.initial``, else it is 0
    every : int             record every k-th step; by default all, up to 100 000 samples
    times : moments to record instead, from the continuous output; increasing, within the run
    events : `Event` objects to be located. What is done there (`action=`) begins a new part of
        the run
    released : names of joints and constraints of the model that do not act at the start
    controllers : `Controller` objects: Python functions that command actuators at a rate
    parameters : dict {parameter or its name: value}
        other values for this run; nothing is compiled again
    initial_limit : float   how far the initial position may be moved onto the constraints,
        relative to the largest coordinate, which counts as at least 1; bodies that were given no
        position are placed by their joints and may be moved any distance. The same part of the
        largest speed that was given, or 1, is allowed for speeds; those not given follow
    consistent : bool       False leaves the initial state as given, to study imperfect starts
    on_failure : "raise" or "return" a solution that ends where the run failed or was interrupted
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
    model = options.model_with(model, parameters, "simulate")
    options.check_events(events)
    if released or any(event.acts for event in events):
        return _in_parts(locals())
    with unchanged():
        method, integrator = options.choose(
            method, integrator, step, model, mode=mode, tolerances=(rtol, atol)
        )
        integrator, rule = with_tolerance(
            integrator,
            method,
            step,
            model,
            initial,
            span_of(start, until),
            controllers,
            (rtol, atol),
        )
        options.check_options(until, start, step, every, times, on_failure, integrator, method)
        options.check_limit(initial_limit)
        moments = None if times is None else options.read_times(times, float(start), float(until))
        place = None if save is None else _place(save, overwrite)
        model, bound = model_for_run(model, method, step, controllers, rule)
        wanted = Wanted(
            method,
            integrator,
            step,
            formulation,
            initial,
            start,
            tuple(event.formula for event in events),
            bound,
            limit=initial_limit,
            consistent=consistent,
        )
    with announce.compiling(method, silent=progress is False), unchanged():
        setup = prepare(model, wanted)
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
    assert recorder is not None
    said = _said(wanted, setup, until, every, moments, events, controllers)
    recorder.begin(place, run, said, events, prepared)
    return conclude(setup, run, recorder, prepared, progress, on_failure)


def _in_parts(given: dict[str, Any]) -> Solution:
    """A run in which something is done at events; `given`: options of `simulate`."""
    model, start, until = given["model"], given["start"], given["until"]
    place = None if given["save"] is None else _place(given["save"], given["overwrite"])
    released = check_released(model, given["released"])
    asked = {name: given[name] for name in AS_GIVEN}
    plan = Plan(start, until, **asked, events=tuple(given["events"]), released=released)
    plan.check(model)
    moments = None
    if plan.times is not None:
        moments = options.read_times(plan.times, float(start), float(until))
    plan = replace(plan, start=float(start), until=float(until), times=moments)
    if isinstance(place, Place):
        return run_with_actions(model, plan, place)
    solution = Chain(model, plan).run()
    if place is not None:
        solution.save(place)
    return solution


def _said(
    wanted: Wanted,
    setup: Setup,
    until: float,
    every: int | None,
    moments: Sequence[float] | None,
    events: Sequence[Event],
    controllers: Sequence[Controller],
) -> dict[str, Any]:
    """Options of a run, as they are written beside it."""
    finds = wanted.integrator.finds_steps(wanted.method)
    own = wanted.method.steps_itself(wanted.integrator)
    own = own and (not wanted.method.goes_between(wanted.integrator) or wanted.integrator == RK4())
    return {
        "until": until,
        "start": wanted.start,
        "step": wanted.step,
        "every": every,
        "times": None if moments is None else len(moments),
        "method": wanted.method,
        "integrator": None if own and not finds else wanted.integrator,
        "events": [event.label for event in events],
        "controllers": [[c.name, c.rate] for c in controllers],
        "initial": wanted.initial,
        "formulation": "maximal" if setup.on_tree is None else "generalized",
        "initial_limit": wanted.limit,
        "consistent": wanted.consistent,
        "own_multipliers": wanted.method.own_multipliers,
    }


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
