"""`rollout`: many worlds of one model, arrays in and arrays out."""

from __future__ import annotations

import time as clocks
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from dalembert.batch.core import REDUCTIONS, Core, Ended, Wishes
from dalembert.batch.describe import core_of, formulas_of, threads_or_all, whole
from dalembert.batch.fed_back import roll_with
from dalembert.batch.feedback import Feedback, with_formulas
from dalembert.batch.given import count_worlds, read_controls
from dalembert.batch.result import Rollout
from dalembert.batch.starts import starts
from dalembert.batch.stored import is_store, roll_into, store_of
from dalembert.errors import OptionError
from dalembert.model.core.model import Model


def rollout(
    model: Model,
    initial: Any = None,
    *,
    step: float,
    steps: int,
    worlds: int | None = None,
    controls: Mapping[Any, Any] | None = None,
    parameters: Mapping[Any, Any] | None = None,
    feedback: Mapping[Any, Any] | Feedback | None = None,
    record: Sequence[Any] | str = "states",
    reduce: str = "all",
    every: int = 1,
    stop: Sequence[Any] = (),
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
    feedback : {actuator: formula}, compiled into the steps, or a `Feedback`: a Python function of
        all worlds at once
    record : "states", or names and formulas of signals
    reduce : "all" samples, or "final", "min", "max", "mean" of them
    every : int             steps from sample to sample
    stop : names and formulas; a world ends where one of them is negative, and stays as it is
    method, integrator : as in `simulate`; `RK4` by default
    threads : int           as many as there are processors by default
    into : array            where results are written, (worlds, samples, width): memory-mapped if
        you like; an array of Zarr or a data set of HDF5, or the path of a new one that ends in
        .zarr, is written part by part, so that memory stays bounded
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
    whole("rollout", steps=steps, every=every, threads=threads or 1)
    if reduce not in REDUCTIONS:
        raise OptionError(f"rollout: reduce is {reduce!r}. Give {', '.join(REDUCTIONS)}.")
    asked = dict(controls or {})
    if isinstance(feedback, Mapping):
        model, feedback = with_formulas(model, "rollout", feedback), None
    elif feedback is not None and not isinstance(feedback, Feedback):
        raise OptionError(
            f"rollout: feedback is {feedback!r:.60}. Give {{actuator: formula}}, or"
            " dl.Feedback(function, outputs=[...], inputs=[...])."
        )
    count = count_worlds("rollout", worlds, initial, parameters, _many(asked))
    signals = {} if _is_states(record) else formulas_of("rollout", "record", model, record)
    made = partial(
        core_of,
        "rollout",
        model,
        worlds=count,
        step=step,
        start=start,
        parameters=parameters,
        method=method,
        integrator=integrator,
        engine=engine,
    )
    core = made(
        controls=[*asked, *(feedback.outputs if feedback else ())],
        signals=list(signals.values()),
        stops=list(formulas_of("rollout", "stop", model, stop).values()),
    )
    q, v = starts("rollout", core, initial, count)
    several = threads_or_all(threads)
    read = read_controls(asked, core.controls[: len(asked)], count, steps, several)
    wishes = Wishes(steps, every, reduce, float(start))
    shape = (count, wishes.samples, core.width)
    if is_store(into) and feedback is None:
        system = core.setup.running
        names = tuple(signals) or (*system.coordinate_names, *system.velocity_names)
        out = store_of(into, shape, names)
        given = (q, v, read.table, read.rows, wishes, out, several)
        return _result(
            core,
            wishes,
            out,
            tuple(signals),
            roll_into(core, *given),
            clocks.perf_counter() - began,
        )
    out = _room(into, shape)
    if feedback is None:
        ended = core.roll(q, v, read.table, read.rows, wishes, out, several)
    else:
        seen = list(formulas_of("rollout", "feedback", model, feedback.inputs).values())
        looking = made(controls=list(asked), signals=seen, stops=[])
        ended = roll_with(core, looking, feedback, (q, v), read, wishes, out, several)
    return _result(core, wishes, out, tuple(signals), ended, clocks.perf_counter() - began)


def _is_states(record: Any) -> bool:
    return isinstance(record, str) and record == "states"


def _many(controls: Mapping[Any, Any]) -> Any:
    """A control that has a row for each world, if there is one."""
    return next((x for x in controls.values() if np.ndim(x) == 2 and len(x) > 1), None)


def _room(into: Any, shape: tuple[int, ...]) -> Any:
    if into is None:
        return np.empty(shape)
    if is_store(into):
        raise OptionError(
            "rollout: with a `Feedback` all worlds go together, and into a store they go part by"
            " part. Give an array, or feedback as formulas."
        )
    given = tuple(getattr(into, "shape", ()))
    if not isinstance(into, np.ndarray) or into.dtype != np.float64 or given != shape:
        raise OptionError(
            f"rollout: into is no array of float64 of the shape {shape}"
            f"{f', but of {given}' if given else ''}."
        )
    if not into.flags.c_contiguous or not into.flags.writeable:
        raise OptionError("rollout: into is not contiguous, or cannot be written to.")
    return into


def _result(
    core: Core, wishes: Wishes, out: Any, signals: tuple[str, ...], ended: Ended, seconds: float
) -> Rollout:
    system, code = core.setup.running, core.code
    samples = np.arange(wishes.samples) * wishes.every
    if wishes.reduce != "all":
        samples = np.array([wishes.steps])
    return Rollout(
        t=np.asarray(wishes.start + float(core.setup.step or 0.0) * samples, dtype=np.float64),
        data=out,
        coordinate_names=tuple(system.coordinate_names),
        velocity_names=tuple(system.velocity_names),
        signal_names=signals,
        status=ended.status,
        ended=ended.ended,
        left=ended.left,
        engine="general" if code.program is None else "lanes",
        reason=code.reason,
        seconds=seconds,
    )
