"""model.npz and start.npz: what is run, and from where.

Objects are data of declared classes (`simulation.described`), so that a folder from elsewhere
cannot run code. A method or integrator of the user's own class is kept by
its text; to resume such a run it has to be given again.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.enforcement.protocol import Method
from dalembert.errors import OptionError, RunFileError
from dalembert.integration.protocol import Integrator
from dalembert.model.core.model import Model
from dalembert.simulation.described import decode, encode
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.prepare import Wanted, resumed
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.prepare.start import Start
from dalembert.simulation.results import storage
from dalembert.simulation.rundir import archive
from dalembert.simulation.rundir.place import MODEL, OLD_MODEL, START

STARTING = "the start of the run"

_START_ARRAYS = ("q", "v", "row_scale", "row_tolerance", "row_size")
_TURNS = ("near", "wound")
"""Turns at the start of a run in the coordinates of joints, where it goes on from another one."""
_START_NUMBERS = ("move_q", "move_v", "rank", "t", "length")


def pack(setup: Setup, events: Sequence[Event]) -> bytes:
    """The content of model.npz."""
    parts = (storage.portable(setup.method), storage.portable(setup.integrator))
    return archive.pack(*encode((setup.model, *parts, setup.step, setup.consistent, tuple(events))))


def write_start(folder: Path, setup: Setup, times: np.ndarray) -> None:
    """Write start.npz."""
    start, on = setup.start, setup.on_tree
    arrays = {name: getattr(start, name) for name in _START_ARRAYS}
    if on is not None and on.near is not None:
        arrays |= {name: getattr(on, name) for name in _TURNS}
    numbers = {name: getattr(start, name) for name in _START_NUMBERS}
    archive.write(folder / START, STARTING, numbers, {**arrays, "times": times})


@dataclasses.dataclass(frozen=True)
class Objects:
    """Contents of the two files."""

    setup: Setup
    events: tuple[Event, ...]
    times: np.ndarray
    """Moments to record; empty: by steps."""
    turns: tuple[Any, Any] = (None, None)
    """Turns at the start."""


def read(
    folder: Path, sha256: str, held: frozenset[str] = frozenset(), formulation: str = "maximal"
) -> Objects:
    """Model, method, integrator and events, the equations built again, and the start.

    `held`: parameters that controllers changed. `formulation`: of a run whose contacts are read.
    """
    what = "the model of the run"
    path = folder / MODEL
    if not path.exists() and (folder / OLD_MODEL).exists():
        raise RunFileError(f"{folder}: {storage.old_form(1)}")
    described, arrays = archive.read(path, what, sha256)
    try:
        model, method, integrator, step, consistent, events = _parts(decode(described, arrays))
    except Exception as problem:  # whatever it is, the user needs the file's name
        raise archive.damaged(path, what, f"or made by other code: {problem}") from problem
    start, times, turns = _read_start(folder / START)
    watched = tuple(event.formula for event in events)
    touching = getattr(method, "impulses", False)
    wanted = Wanted(
        method,
        integrator,
        step,
        formulation if touching else "maximal",
        watched=watched,
        held=held,
        consistent=bool(consistent),
    )
    try:
        setup = resumed(model, wanted, start, turns)
        _fitting(start, times, setup)
    except ValueError as problem:
        raise archive.damaged(folder / START, STARTING, str(problem)) from problem
    return Objects(setup, events, times, turns)


def _parts(found: Any) -> tuple[Any, ...]:
    """Parts of model.npz, each checked to be of its kind."""
    if not isinstance(found, tuple) or len(found) != 6:
        raise ValueError("parts are missing")
    model, method, integrator, step, consistent, events = found
    for part, kinds, what in (
        (model, Model, "model"),
        (method, Method | str, "method"),
        (integrator, Integrator | str, "integrator"),
        (consistent, bool, "choice of a consistent start"),
        (events, tuple, "list of events"),
    ):
        if not isinstance(part, kinds):
            raise ValueError(f"it has no {what}")
    if step is not None and not (isinstance(step, float | int) and 0.0 < step < math.inf):
        raise ValueError(f"the step is {step!r:.40}")
    if not all(isinstance(event, Event) for event in events):
        raise ValueError("an event is none")
    return found


def _read_start(path: Path) -> tuple[Start, np.ndarray, tuple[Any, Any]]:
    """Numbers and arrays of start.npz."""
    numbers, arrays = archive.read(path, STARTING)
    try:
        start = Start(
            **{name: numbers[name] for name in _START_NUMBERS},
            **{name: arrays[name] for name in _START_ARRAYS},
        )
        near, wound = (arrays.get(name) for name in _TURNS)
        return start, arrays["times"], (near, wound)
    except KeyError as problem:
        raise archive.damaged(path, STARTING, f"no {problem}") from problem


def _fitting(start: Start, times: np.ndarray, setup: Setup) -> None:
    """Raise a ValueError for a start that is not one of this model."""
    e = setup.system.extents
    lengths = {"q": e.nq, "v": e.nv, "row_scale": e.rows, "row_tolerance": e.rows}
    lengths |= {"row_size": e.rows}
    for name, length in lengths.items():
        entries = getattr(start, name)
        if entries.shape != (length,) or entries.dtype != np.float64:
            raise ValueError(f"{name} has {entries.shape} entries of {entries.dtype}, not {length}")
        if not np.all(np.isfinite(entries)):
            raise ValueError(f"{name} holds a number that is not finite")
    for name in _START_NUMBERS:
        number = getattr(start, name)
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise ValueError(f"{name} is no number")
        if not math.isfinite(number):
            raise ValueError(f"{name} is {number}")
    if type(start.rank) is not int or not 0 <= start.rank <= e.rows:
        raise ValueError(f"the rank is {start.rank}, of {e.rows} rows")
    if times.ndim != 1 or times.dtype != np.float64 or not np.all(np.isfinite(times)):
        raise ValueError("the moments to record are no finite numbers")
    if np.any(np.diff(times) <= 0.0):
        raise ValueError("the moments to record do not increase")


def with_own(objects: Objects, method: Any, integrator: Any) -> Objects:
    """The objects with the user's own method and integrator, where these are known by text."""
    changed = {
        name: given_again(name, getattr(objects.setup, name), given)
        for name, given in (("method", method), ("integrator", integrator))
    }
    return dataclasses.replace(objects, setup=dataclasses.replace(objects.setup, **changed))


def given_again(name: str, kept: Any, given: Any) -> Any:
    """The method or integrator of a run; one that is known by its text has to be given again."""
    if isinstance(kept, str):
        if given is None:
            raise OptionError(
                f"resume: the run was made with {kept}, a class of your own, which cannot be"
                f" read from a file. Give it again: dl.resume(path, {name}={kept})."
            )
        if not _is_said_by(given, kept):
            raise OptionError(
                f"resume: the run was made with {kept}, and {name} is {given!r}. A run goes"
                " on as it began; give the same, or simulate anew."
            )
        return given
    if given is not None and repr(given) != repr(kept):
        raise OptionError(
            f"resume: the run was made with {kept!r}, and {name} is {given!r}. A run goes on"
            f" as it began; leave {name} out, or simulate anew."
        )
    return kept


def _is_said_by(given: Any, text: str) -> bool:
    """Whether the text of an object may have been that of another run's."""
    if " object at 0x" in text:  # no text of its own
        return f"{type(given).__qualname__} object" in text
    return repr(given) == text
