"""commands.npz: what controllers commanded, and which controllers they were.

The functions themselves are in no file: to resume such a run they are given again. The file is
written before the segments and checkpoints that need it; it may hold more than these, never less.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dalembert.errors import OptionError
from dalembert.model.core.model import Model
from dalembert.simulation.prepare.controllers import Bound, Commands, bind
from dalembert.simulation.run.run import Run
from dalembert.simulation.rundir import archive

FILE = "commands.npz"
WHAT = "the commands of controllers"


def write(folder: Path, run: Run) -> None:
    """Write what was commanded so far, where there are controllers."""
    bound = run.calling.bound
    if bound is None:
        return
    count = run.clock.logged
    header = {"names": list(bound.names), "controllers": _described(bound)}
    arrays = {"t": run.calling.log_t[:count], "values": run.calling.log_held[:count]}
    archive.write(folder / FILE, WHAT, header, arrays)


def read(folder: Path) -> Commands | None:
    """Commands of the controllers; None for a run without any."""
    if not (folder / FILE).is_file():
        return None
    header, t, values = _content(folder)
    if not len(t):
        t, values = np.full(1, -np.inf), np.zeros((1, len(header["names"])))
    return Commands(tuple(header["names"]), t, values)


def _content(folder: Path) -> tuple[dict[str, Any], np.ndarray, np.ndarray]:
    """Header, moments and values, if they belong together."""
    header, arrays = archive.read(folder / FILE, WHAT)
    try:
        t, values = arrays["t"], arrays["values"]
        names, before = header["names"], header["controllers"]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError("the commands have no names")
        if t.ndim != 1 or values.shape != (len(t), len(names)):
            raise ValueError(f"{values.shape} values at {t.shape} moments")
        if t.dtype != np.float64 or values.dtype != np.float64:
            raise ValueError("the commands are no real numbers")
        for name, rate, outputs in before:
            if not (isinstance(name, str) and isinstance(rate, int | float)):
                raise ValueError("a controller has no name and rate")
            if not isinstance(outputs, list):
                raise ValueError("a controller has no outputs")
    except (KeyError, TypeError, ValueError) as problem:
        raise archive.damaged(folder / FILE, WHAT, str(problem)) from problem
    return header, t, values


def with_controllers(folder: Path, model: Model, given: Any) -> tuple[Model, Bound | None]:
    """The model with its commands as parameters, and the controllers of the run, given again."""
    if not (folder / FILE).is_file():
        if given:
            raise OptionError(
                "resume: the run was made without controllers. Leave them out, or simulate anew."
            )
        return model, None
    before = _content(folder)[0]["controllers"]
    said = ", ".join(f"{name!r} at {rate:g} Hz" for name, rate, _ in before)
    if not given:
        raise OptionError(
            f"resume: the run was made with controllers ({said}), which are Python functions and"
            " in no file. Give them again: dl.resume(path, controllers=[...])."
        )
    model, bound = bind(model, given)
    assert bound is not None
    if _described(bound) != before:
        raise OptionError(
            f"resume: the run was made with controllers {said}; those given have other names,"
            " rates or outputs. A run goes on as it began; give the same, or simulate anew."
        )
    return model, bound


def take_back(folder: Path, run: Run) -> None:
    """Put what was commanded before into a run that is resumed."""
    if run.calling.bound is None:
        return
    count = run.clock.logged
    header, t, values = _content(folder)
    if len(t) < count or header["names"] != list(run.calling.bound.names):
        raise archive.damaged(folder / FILE, WHAT, "calls are missing")
    while count >= len(run.calling.log_t):
        run.calling.make_room(len(run.calling.log_t))
    run.calling.log_t[:count] = t[:count]
    run.calling.log_held[:count] = values[:count]


def _described(bound: Bound) -> list[list[Any]]:
    """Name, rate and outputs of each controller, as JSON keeps them."""
    return [
        [controller.name, controller.rate, list(bound.names[columns])]
        for controller, columns in zip(bound.controllers, bound.output_slices, strict=True)
    ]
