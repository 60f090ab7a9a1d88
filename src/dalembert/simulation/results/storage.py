"""A solution as one .npz file: arrays as arrays, names and descriptions as JSON.

Model, method and integrator are plain data of declared classes (`simulation.described`): reading a
file runs nothing that is in it.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from dalembert import _npz
from dalembert._files import opened, writing
from dalembert.errors import FileError
from dalembert.model.core.model import Model
from dalembert.simulation.described import decode, encode, is_declared
from dalembert.simulation.motion.turns import hinges_of
from dalembert.simulation.prepare.controllers import Commands
from dalembert.simulation.results.contact_results import Touch
from dalembert.simulation.results.solution import EventRecord, Solution
from dalembert.simulation.run.contact_log import ContactLog
from dalembert.simulation.status import Status

FORMAT = "dalembert-solution"
VERSION = 2

_ARRAYS = ("t", "q", "v", "a", "lam", "phi", "phi_dot", "kinetic")
_TOUCH_NAMES = ("shapes", "bodies", "sides", "elements")
_PLAIN = ("message", "step", "statistics", "worst", "initial_move")


def save(solution: Solution, path: str | Path) -> Path:
    """Write the solution; the file appears complete or not at all."""
    path = Path(path)
    header, arrays = packed(solution)
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    with writing(path, "the solution") as file:
        np.savez(file, allow_pickle=False, **arrays)
    return path


def packed(solution: Solution) -> tuple[dict[str, Any], dict[str, Any]]:
    """The solution as what JSON can say, and arrays by name."""
    header: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "status": int(solution.status),
        "coordinate_names": list(solution.coordinate_names),
        "row_names": list(solution.row_names),
        "constraint_slices": {
            name: [columns.start, columns.stop]
            if isinstance(columns, slice)
            else {"rows": columns.tolist()}
            for name, columns in solution.constraint_slices.items()
        },
        "events": [event.name for event in solution.events],
        **{name: _plain(getattr(solution, name)) for name in _PLAIN},
    }
    arrays: dict[str, Any] = {name: getattr(solution, name) for name in _ARRAYS}
    if solution.potential is not None:
        arrays["potential"] = solution.potential
    if solution.angles is not None:
        arrays["angles"] = solution.angles
    if solution.commands is not None:
        header["commands"] = list(solution.commands.names)
        arrays |= {"command_t": solution.commands.t, "command_values": solution.commands.values}
    if solution.touch is not None:
        touch = solution.touch
        header["touch"] = {name: list(getattr(touch, name)) for name in _TOUCH_NAMES}
        arrays |= {"touch_steps": touch.log.steps, "touch_contacts": touch.log.contacts}
    n = len(solution.coordinate_names)
    arrays["event_t"] = np.array([event.t for event in solution.events], dtype=float)
    arrays["event_q"] = np.array([event.q for event in solution.events], dtype=float).reshape(-1, n)
    n = solution.v.shape[1]
    arrays["event_v"] = np.array([event.v for event in solution.events], dtype=float).reshape(-1, n)
    described = (solution.model, portable(solution.method), portable(solution.integrator))
    header["description"], more = encode(described)
    return header, arrays | more


def load(path: str | Path) -> Solution:
    """Read the solution; every way a file can be wrong is a `FileError` with a sentence."""
    path = Path(path)
    header, arrays = _read(path)
    try:
        return unpacked(header, arrays)
    except Exception as problem:  # whatever the damage is, the user needs the file's name
        raise FileError(
            f"{path}: the saved run is damaged or was written by other code ({problem!s:.200})."
            " Save it again from the run."
        ) from problem


def unpacked(header: dict[str, Any], arrays: dict[str, Any]) -> Solution:
    """The solution again; any error tells of data that is none of a solution."""
    model, method, integrator = decode(header["description"], arrays)
    _check(header, arrays, model)
    return Solution(
        **{name: arrays[name] for name in _ARRAYS},
        potential=arrays.get("potential"),
        coordinate_names=tuple(header["coordinate_names"]),
        row_names=tuple(header["row_names"]),
        constraint_slices=_slices(header["constraint_slices"], len(header["row_names"])),
        events=tuple(
            EventRecord(name, float(t), q, v)
            for name, t, q, v in zip(
                header["events"],
                arrays["event_t"],
                arrays["event_q"],
                arrays["event_v"],
                strict=True,
            )
        ),
        model=model,
        method=method,
        integrator=integrator,
        status=Status(header["status"]),
        commands=_commands(header, arrays),
        touch=_touch(header, arrays),
        angles=arrays.get("angles"),
        **{name: header[name] for name in _PLAIN},
    )


def _check(header: dict[str, Any], arrays: dict[str, Any], model: Any) -> None:
    """Raise for arrays and texts that are not those of one run of the model."""
    for name in ("coordinate_names", "row_names", "events"):
        _names(header[name], name)
    n, m = len(header["coordinate_names"]), len(header["row_names"])
    if not isinstance(model, Model) or n != len(model.coordinates):
        raise ValueError(f"its model has other coordinates than the {n} that are named")
    k, nv = len(arrays["t"]), len(model.velocities)
    events = len(header["events"])
    wanted: dict[str, tuple[int, ...]] = {
        "t": (k,),
        "q": (k, n),
        "v": (k, nv),
        "a": (k, nv),
        "lam": (k, m),
        "phi_dot": (k, m),
        "kinetic": (k,),
        "event_t": (events,),
        "event_q": (events, n),
        "event_v": (events, nv),
    }
    if "potential" in arrays:
        wanted["potential"] = (k,)
    if "angles" in arrays:
        wanted["angles"] = (k, len(hinges_of(model)))
    for name, shape in wanted.items():
        if arrays[name].shape != shape or arrays[name].dtype != np.float64:
            raise ValueError(f"{name!r} has {arrays[name].shape} entries, {shape} expected")
    phi = arrays["phi"]
    if phi.ndim != 2 or len(phi) != k or phi.shape[1] > m or phi.dtype != np.float64:
        raise ValueError(f"'phi' has {phi.shape} entries, {(k, m)} at most expected")
    for name, kind in (("message", str), ("statistics", dict), ("worst", dict)):
        if not isinstance(header[name], kind):
            raise ValueError(f"{name!r} is {header[name]!r:.40}")
    step = header["step"]
    if step is not None and not (isinstance(step, float | int) and 0.0 < step < math.inf):
        raise ValueError(f"'step' is {step!r:.40}")
    if not isinstance(header["initial_move"], dict):
        raise ValueError("'initial_move' is no table")


def _names(given: Any, what: str) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise ValueError(f"{what!r} is no list of names")
    return tuple(given)


def _slices(given: Any, rows: int) -> dict[str, Any]:
    """Rows of constraints by name."""
    made: dict[str, Any] = {}
    for name, columns in given.items():
        if isinstance(columns, dict):
            found = np.array(columns["rows"], dtype=np.int64).reshape(-1)
            made[name] = found
        else:
            first, stop = columns
            made[name] = slice(first, stop)
            found = np.array([first, stop - 1 if stop > first else first], dtype=np.int64)
            rows = max(rows, int(stop == first) + rows)
        if len(found) and not (found.min() >= 0 and found.max() < rows):
            raise ValueError(f"constraint {name!r:.40} has rows that there are not")
    return made


def _commands(header: dict[str, Any], arrays: dict[str, Any]) -> Commands | None:
    """Commands of controllers; None where there were none."""
    if "commands" not in header:
        return None
    names = _names(header["commands"], "commands")
    t, values = arrays["command_t"], arrays["command_values"]
    if t.ndim != 1 or values.shape != (len(t), len(names)):
        raise ValueError(f"commands have {values.shape} entries at {t.shape} moments")
    return Commands(names, t, values)


def _touch(header: dict[str, Any], arrays: dict[str, Any]) -> Touch | None:
    """Contacts; None where the run knew none."""
    if "touch" not in header:
        return None
    names = {name: _names(header["touch"][name], name) for name in _TOUCH_NAMES}
    log = ContactLog(arrays["touch_steps"], arrays["touch_contacts"])
    samples, velocities = len(arrays["t"]), arrays["v"].shape[1]
    log.check(len(names["shapes"]), len(names["sides"]))
    if len(names["bodies"]) != len(names["shapes"]) or len(names["elements"]) != len(
        names["sides"]
    ):
        raise ValueError("contacts have other names than shapes")
    return Touch(**names, log=log, samples=samples, velocities=velocities)


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    try:
        with opened(path) as file:
            arrays: dict[str, Any] = _npz.read(file)
        header = _npz.loads(arrays.pop("header").tobytes())
        name, version = header["format"], int(header["version"])
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise FileError(f"{path}: cannot be read ({reason}). Check the path.") from problem
    except Exception as problem:  # a foreign file breaks anywhere: zip, npy, json
        raise FileError(
            f"{path}: is not a solution saved by dalembert, or it is damaged ({problem!s:.200})."
            " Give a file written by `solution.save` or `dalembert run --out`."
        ) from problem
    if name != FORMAT:
        raise FileError(f"{path}: holds {name!r:.60}, not a saved solution.")
    if version > VERSION:
        raise FileError(
            f"{path}: was saved by a newer dalembert (file version {version}, this one reads up to"
            f" {VERSION}). Update dalembert."
        )
    if version < VERSION:
        raise FileError(
            f"{path}: {old_form(version)} Its numbers can be read with numpy.load(...)['q']."
        )
    return header, arrays


def old_form(version: int) -> str:
    """Why a file is not read that holds pickled objects, and what to do."""
    return (
        f"was saved by an older dalembert (file version {version}), as objects whose reading can"
        " run code. Such files are no longer read. Run the model again, or load the file with the"
        " version that wrote it, if you trust it."
    )


def portable(part: Any) -> Any:
    """The object itself when every reader has its class, else its text."""
    return part if is_declared(part) else repr(part)


def _plain(value: Any) -> Any:
    """NumPy scalars and mappings as what JSON knows."""
    if isinstance(value, dict) or hasattr(value, "items"):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value
