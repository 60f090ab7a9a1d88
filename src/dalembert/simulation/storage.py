"""A solution as one .npz file: arrays as arrays, names as JSON, the model as restricted pickle.

The model, method and integrator are pickled into bytes. Reading them back resolves names of this
package and of a few harmless builtins only, so that a file from elsewhere cannot run code.
"""

from __future__ import annotations

import io
import json
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert._files import writing
from dalembert.errors import FileError
from dalembert.simulation.contact_log import ContactLog
from dalembert.simulation.controllers import Commands
from dalembert.simulation.status import Status
from dalembert.simulation.touch import Touch

if TYPE_CHECKING:
    from dalembert.simulation.solution import EventRecord, Solution

FORMAT = "dalembert-solution"
VERSION = 1

_ARRAYS = ("t", "q", "v", "a", "lam", "phi", "phi_dot", "kinetic")
_TOUCH_NAMES = ("shapes", "bodies", "sides", "elements")
_PLAIN = ("message", "step", "statistics", "worst", "initial_move")


def save(solution: Solution, path: str | Path) -> Path:
    """Write the solution; the file appears complete or not at all."""
    path = Path(path)
    header = {
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
    objects = pickle.dumps(described, protocol=4)
    arrays["objects"] = np.frombuffer(objects, dtype=np.uint8)
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    with writing(path, "the solution") as file:
        np.savez(file, allow_pickle=False, **arrays)
    return path


def load(
    path: str | Path, solution_class: type[Solution], event_class: type[EventRecord]
) -> Solution:
    """Read the solution; every way a file can be wrong is a `FileError` with a sentence."""
    path = Path(path)
    header, arrays = _read(path)
    try:
        objects = Unpickler(io.BytesIO(arrays["objects"].tobytes())).load()
        model, method, integrator = objects
        return solution_class(
            **{name: arrays[name] for name in _ARRAYS},
            potential=arrays.get("potential"),
            coordinate_names=tuple(header["coordinate_names"]),
            row_names=tuple(header["row_names"]),
            constraint_slices={
                name: np.array(rows["rows"]) if isinstance(rows, dict) else slice(*rows)
                for name, rows in header["constraint_slices"].items()
            },
            events=tuple(
                event_class(name, float(t), q, v)
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
    except Exception as problem:  # whatever the damage is, the user needs the file's name
        raise FileError(
            f"{path}: the saved run is damaged or was written by other code ({problem})."
            " Save it again from the run."
        ) from problem


def _commands(header: dict[str, Any], arrays: dict[str, Any]) -> Commands | None:
    """What controllers commanded; None where there were none."""
    if "commands" not in header:
        return None
    return Commands(tuple(header["commands"]), arrays["command_t"], arrays["command_values"])


def _touch(header: dict[str, Any], arrays: dict[str, Any]) -> Touch | None:
    """Contacts; None where the run knew none."""
    if "touch" not in header:
        return None
    names = {name: tuple(header["touch"][name]) for name in _TOUCH_NAMES}
    log = ContactLog(arrays["touch_steps"], arrays["touch_contacts"])
    return Touch(**names, log=log, samples=len(arrays["t"]), velocities=arrays["v"].shape[1])


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        header = json.loads(arrays["header"].tobytes())
        name, version = header["format"], int(header["version"])
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise FileError(f"{path}: cannot be read ({reason}). Check the path.") from problem
    except Exception as problem:  # a foreign file breaks anywhere: zip, npy, json
        raise FileError(
            f"{path}: is not a solution saved by dalembert, or it is damaged."
            " Give a file written by `solution.save` or `dalembert run --out`."
        ) from problem
    if name != FORMAT:
        raise FileError(f"{path}: holds {name!r}, not a saved solution.")
    if version > VERSION:
        raise FileError(
            f"{path}: was saved by a newer dalembert (file version {version}, this one reads up to"
            f" {VERSION}). Update dalembert."
        )
    return header, arrays


def portable(part: Any) -> Any:
    """The object itself when every reader has its class, else its text."""
    known = part is None or type(part).__module__.startswith("dalembert.")
    return part if known else repr(part)


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


class Unpickler(pickle.Unpickler):
    """Resolves names of this package's descriptions, NumPy arrays and harmless builtins only."""

    OWN = tuple(
        f"dalembert.{folder}."
        for folder in ("formulas", "model", "enforcement", "integration", "catalog")
    )
    OTHERS = frozenset(
        {
            ("builtins", "set"),
            ("builtins", "frozenset"),
            ("builtins", "slice"),
            ("builtins", "complex"),
            ("collections", "OrderedDict"),
            ("numpy", "ndarray"),
            ("numpy", "dtype"),
            ("numpy._core.multiarray", "_reconstruct"),
            ("numpy._core.multiarray", "scalar"),
            ("numpy._core.numeric", "_frombuffer"),
            ("types", "MappingProxyType"),
            ("copyreg", "_reconstructor"),
            ("builtins", "object"),
        }
    )

    def find_class(self, module: str, name: str) -> Any:
        """The class of that name, if it may be had."""
        if (module, name) in self.OTHERS:
            return super().find_class(module, name)
        if f"{module}.".startswith(self.OWN) and "." not in name:
            found = super().find_class(module, name)
            if f"{getattr(found, '__module__', '')}.".startswith(self.OWN):
                return found
        raise pickle.UnpicklingError(f"it refers to {module}.{name}, which is not allowed")
