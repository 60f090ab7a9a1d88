"""`resume`: go on with a run that is kept in a folder, as if it had never stopped."""

from __future__ import annotations

import math
import time as clocks
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.enforcement.protocol import Method
from dalembert.errors import DoubtfulWarning, OptionError
from dalembert.integration.protocol import Integrator
from dalembert.simulation.prepare.controllers import Controller
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.rundir import actions_resume, manifest, objects, reading
from dalembert.simulation.rundir.conclude import conclude
from dalembert.simulation.rundir.place import Lock, Place, clean, target_of
from dalembert.simulation.rundir.recorder import FolderRecorder
from dalembert.simulation.rundir.reopened import extended, reopened, setup_of, standing_at
from dalembert.simulation.status import Status

EXACT = ("dalembert", "kernels", "compiled", "numpy", "cpu")
"""Versions that the last bit may depend on."""


def resume(
    path: str | Path,
    until: float | None = None,
    *,
    times: Sequence[float] | None = None,
    method: Method | None = None,
    integrator: Integrator | None = None,
    controllers: Sequence[Controller] = (),
    on_failure: str = "raise",
    progress: bool | None = None,
) -> Solution:
    """Go on with a run that was killed, interrupted, or is to be longer.

    The result is, to the bit, that of a run that was never stopped, on the same machine and with
    the same versions.

    Parameters
    ----------
    path : str or Path      run folder, written by ``simulate(..., save=path)``
    until : float           another end of the run  [s]; a finished run is extended
    times : further moments to record, for a run that was given `times` and is extended
    method, integrator : to be given only where they are of your own classes
    controllers : those of the run, again, if it has any: functions are kept in no file. What such
        a function remembers by itself is not brought back
    on_failure, progress : as for `simulate`

    Returns
    -------
    Solution
        Of the whole run. A finished run is read and returned.

    Raises
    ------
    RunFileError            not a run, damaged, of a newer version, or being computed elsewhere
    SimulationError         the run stopped; ``.solution`` holds everything up to that moment

    Examples
    --------
    >>> import tempfile
    >>> import dalembert as dl
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = f"{folder}/swing"
    ...     half = dl.simulate(dl.catalog.load("pendulum"), until=1.0, step=1e-2, save=run)
    ...     resume(run, until=2.0)
    Solution('pendulum', 0 to 2 s, 201 samples, OK)
    """
    began = clocks.perf_counter()
    folder = Path(path)
    if on_failure not in ("raise", "return"):
        raise OptionError(f"resume: on_failure is {on_failure!r}. Give 'raise' or 'return'.")
    found = manifest.read(folder)
    end = _end(found, until)
    if _is_finished(found) and end is None:
        return reading.load(folder)
    lock = Lock(folder)
    try:
        _warn_about_versions(found)
        if found.get("parts"):
            if times is not None:
                raise OptionError("resume: `times` of a run with actions are given once.")
            return actions_resume.go_on(
                *(folder, found, lock, end, (method, integrator), controllers),
                *(progress, on_failure),
            )
        return _go_on(
            folder,
            found,
            lock,
            end,
            times,
            (method, integrator),
            controllers,
            began,
            progress,
            on_failure,
        )
    finally:
        lock.release()


def _end(found: dict[str, Any], until: float | None) -> float | None:
    """The new end, None where it stays."""
    if until is None:
        return None
    if not isinstance(until, (int, float, np.number)) or not math.isfinite(until):
        raise OptionError(f"resume: until is {until!r}. Give a finite time in seconds.")
    result = found.get("result")
    known = float(found["options"]["until"])
    if float(until) == known:
        return None
    if result is not None and int(result["status"]) == int(Status.EVENT):
        raise OptionError(
            "resume: the run ended with a terminal event, as it was asked to, and does not go on."
            " Simulate anew without the event."
        )
    if result is not None and until < known:
        raise OptionError(
            f"resume: the run has reached {known:g} s already, until is {until:g} s. Give a later"
            " end."
        )
    return float(until)


def _is_finished(found: dict[str, Any]) -> bool:
    result = found.get("result")
    return result is not None and not Status(result["status"]).failed


def _go_on(
    folder: Path,
    found: dict[str, Any],
    lock: Lock,
    end: float | None,
    times: Sequence[float] | None,
    own: tuple[Any, Any],
    controllers: Sequence[Controller],
    began: float,
    progress: bool | None,
    on_failure: str,
) -> Solution:
    clean(folder)
    kept = objects.with_own(objects.read(folder, str(found["model"].get("sha256"))), *own)
    at, name = standing_at(folder, end)
    options = found["options"]
    setup = setup_of(folder, kept, at, str(options.get("formulation")), controllers)
    until = float(options["until"] if end is None else end)
    moments = _moments(kept.times, times, end, until)
    recorder = FolderRecorder(setup, len(kept.events))
    run, fresh = reopened(
        folder, found, kept, (at, name), setup, recorder, until, moments, progress
    )
    place = Place(target_of(folder, found.get("replaces")), folder.absolute())
    recorder.rejoin(place, lock, found, at, clocks.perf_counter() - began)
    if end is not None:
        if len(moments) > len(kept.times):
            objects.write_start(folder, setup, moments)
        extended(run, recorder, end, fresh, free=options["every"] is None)
    return conclude(setup, run, recorder, 0.0, progress, on_failure)


def _moments(
    kept: np.ndarray, further: Sequence[float] | None, end: float | None, until: float
) -> np.ndarray:
    if further is None:
        if end is not None and len(kept) and end > kept[-1]:
            raise OptionError(
                f"resume: the run records given moments, the last at {kept[-1]:g} s. Give those"
                " after it, too: times=[...]."
            )
        if end is not None and len(kept) and kept[-1] > end:
            raise OptionError(
                f"resume: moments up to {kept[-1]:g} s are to be recorded. Give a later end."
            )
        return kept
    if not len(kept):
        raise OptionError("resume: the run records by steps. Leave `times` out.")
    try:
        more = np.array(further, dtype=float)
    except (TypeError, ValueError):
        more = np.empty(0)
    if more.ndim != 1 or not len(more) or not np.all(np.isfinite(more)):
        raise OptionError("resume: times must be a list of finite moments in seconds.")
    joined = np.concatenate([kept, more[more > kept[-1]]])
    if np.any(np.diff(joined) <= 0) or joined[-1] > until:
        raise OptionError(
            f"resume: times must increase from one to the next, up to until = {until:g} s."
        )
    return joined


def _warn_about_versions(found: dict[str, Any]) -> None:
    """A run that goes on by other code does so within rounding, not to the bit."""
    now = manifest.versions()
    before = found["versions"]
    changed = [name for name in EXACT if before.get(name) != now[name]]
    if changed:
        names = ", ".join(f"{name} {before.get(name)} -> {now[name]}" for name in changed)
        warnings.warn(
            f"The run was begun with other versions ({names}): it goes on within rounding, not to"
            " the bit.",
            DoubtfulWarning,
            stacklevel=3,
        )
