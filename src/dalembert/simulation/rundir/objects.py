"""model.pickle and start.npz: what is run, and from where.

Objects are read back as those of a saved solution are: names of this package only, so that a
folder from elsewhere cannot run code. A method or integrator of the user's own class is kept by
its text; to resume such a run it has to be given again.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.errors import OptionError
from dalembert.simulation import storage
from dalembert.simulation.consistent import Start
from dalembert.simulation.contacts import build_for
from dalembert.simulation.events import Event
from dalembert.simulation.rundir import archive
from dalembert.simulation.rundir.place import MODEL, START
from dalembert.simulation.setup import Setup

_START_ARRAYS = ("q", "v", "row_scale", "row_tolerance", "row_size")
_START_NUMBERS = ("move_q", "move_v", "rank", "t", "length")


def pack(setup: Setup, events: Sequence[Event]) -> bytes:
    """The content of model.pickle."""
    found = tuple((e.formula, e.terminal, e.direction, e.name) for e in events)
    parts = (storage.portable(setup.method), storage.portable(setup.integrator))
    return pickle.dumps((setup.model, *parts, setup.step, setup.consistent, found), protocol=4)


def write_start(folder: Path, start: Start, times: np.ndarray) -> None:
    """Write start.npz."""
    arrays = {name: getattr(start, name) for name in _START_ARRAYS}
    numbers = {name: getattr(start, name) for name in _START_NUMBERS}
    archive.write(folder / START, "the start of the run", numbers, {**arrays, "times": times})


@dataclasses.dataclass(frozen=True)
class Objects:
    """What the two files hold."""

    setup: Setup
    events: tuple[Event, ...]
    times: np.ndarray
    """Moments to record; empty: by steps."""


def read(folder: Path, sha256: str, held: frozenset[str] = frozenset()) -> Objects:
    """Model, method, integrator and events, the equations built again, and the start.

    `held`: parameters that controllers changed.
    """
    what = "the model of the run"
    path = folder / MODEL
    data = archive.read_bytes(path, what)
    if hashlib.sha256(data).hexdigest() != sha256:
        raise archive.damaged(path, what, "its content is not what was written")
    try:
        found = storage.Unpickler(io.BytesIO(data)).load()
        model, method, integrator, step, consistent, kinds = found
        events = tuple(Event(*parts) for parts in kinds)
    except Exception as problem:  # whatever it is, the user needs the file's name
        raise archive.damaged(path, what, f"or made by other code: {problem}") from problem
    numbers, arrays = archive.read(folder / START, "the start of the run")
    try:
        start = Start(
            **{name: numbers[name] for name in _START_NUMBERS},
            **{name: arrays[name] for name in _START_ARRAYS},
        )
        times = arrays["times"]
    except KeyError as problem:
        raise archive.damaged(folder / START, "the start of the run", f"no {problem}") from problem
    system, contacts = build_for(model, method, [event.formula for event in events], held)
    values = [model.parameters[name] for name in system.parameter_names]
    setup = Setup(
        model,
        system,
        values,
        method,
        integrator,
        step,
        start,
        consistent=bool(consistent),
        contacts=contacts,
    )
    return Objects(setup, events, times)


def with_own(objects: Objects, method: Any, integrator: Any) -> Objects:
    """The objects with the user's own method and integrator, where these are known by text."""
    changed = {}
    for name, given in (("method", method), ("integrator", integrator)):
        kept = getattr(objects.setup, name)
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
            changed[name] = given
        elif given is not None and repr(given) != repr(kept):
            raise OptionError(
                f"resume: the run was made with {kept!r}, and {name} is {given!r}. A run goes on"
                f" as it began; leave {name} out, or simulate anew."
            )
    return dataclasses.replace(objects, setup=dataclasses.replace(objects.setup, **changed))


def _is_said_by(given: Any, text: str) -> bool:
    """Whether the text of an object may have been that of another run's."""
    if " object at 0x" in text:  # no text of its own
        return f"{type(given).__qualname__} object" in text
    return repr(given) == text
