"""study.json, task.npz and design.npz: what a study is, by which versions.

study.json is for people and other programs; task.npz holds the model and the options as data of
declared classes (`simulation.described`), design.npz the axes and what was drawn, to the bit.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dalembert import _npz
from dalembert.errors import DalembertError, RunFileError, StudyFileError
from dalembert.simulation.rundir import archive
from dalembert.simulation.rundir import manifest as of_run
from dalembert.study.axes import Axis, Distribution, Listed
from dalembert.study.design import DESIGNS, Design
from dalembert.study.segments import FORMS
from dalembert.study.task import Parts, Task

MANIFEST, TASK, DESIGN = "study.json", "task.npz", "design.npz"

FORMAT, VERSION = "dalembert-study", 1


@dataclass(frozen=True)
class Plan:
    """A study as it was asked for: its design, its task (None where only a program has it).

    `signature` is the same for the same study, `form` the format of its segments, `columns` the
    recorded columns with their lengths.
    """

    design: Design
    task: Task | None
    columns: tuple[tuple[str, int], ...]
    signature: str
    form: str
    versions: dict[str, str]


def make_plan(design: Design, task: Task, form: str) -> Plan:
    """The plan of a new study."""
    columns = tuple((one.name, task.samples if one.is_series else 0) for one in task.records)
    return Plan(design, task, columns, signature_of(design, task), form, of_run.versions())


def signature_of(design: Design, task: Task) -> str:
    """SHA-256 of everything that the rows depend on."""
    found = hashlib.sha256()
    parts = task.described()
    described, arrays = parts if parts is not None else (_by_text(task), {})
    found.update(json.dumps(described, default=repr).encode())
    for name, entries in {**arrays, **_design_arrays(design)}.items():
        found.update(f"{name}{entries.shape}".encode())
        found.update(np.ascontiguousarray(entries).tobytes())
    found.update(json.dumps([design.kind, design.names, design.count]).encode())
    return found.hexdigest()


def _by_text(task: Task) -> dict[str, Any]:
    """A task with functions, by names: the same program gives the same."""
    function = task.function
    name = f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', '')}"
    return {
        "function": name,
        "model": None if task.model is None else of_run.model_text(task.model),
        "targets": [repr(target) for target in task.targets],
        "records": [(one.name, _shown(one.signal), one.reduction) for one in task.records],
        "options": {key: _shown(value) for key, value in task.options.items()},
        "samples": task.samples,
    }


def _shown(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_shown(part) for part in value]
    if hasattr(value, "rate") and hasattr(value, "name"):  # a controller
        return [value.name, value.rate]
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    return repr(value)


# -- writing ---------------------------------------------------------------------------------------


def write(folder: Path, plan: Plan) -> None:
    """Write the three files into a new folder."""
    task, design = plan.task, plan.design
    assert task is not None
    parts: Parts | None = task.described()
    sha256 = None
    if parts is not None:
        sha256 = archive.write(folder / TASK, "the task of the study", *parts)
    drawn = archive.write(
        folder / DESIGN,
        "the design of the study",
        {"axes": [_said(axis) for axis in design.axes]},
        _design_arrays(design),
    )
    said = {
        "format": FORMAT,
        "version": VERSION,
        "design": {
            "kind": design.kind,
            "count": design.count,
            "seed": design.seed,
            "axes": dict(zip(design.names, map(_said, design.axes), strict=True)),
            "sha256": drawn,
        },
        "model": _model(task),
        "task": sha256,
        "axes": [[name, t.kind, t.name] for name, t in zip(task.names, task.targets, strict=True)],
        "record": [[one.name, _shown(one.signal), one.reduction] for one in task.records],
        "columns": [list(one) for one in plan.columns],
        "options": {name: of_run.plain(value) for name, value in task.options.items()},
        "samples": task.samples,
        "form": plan.form,
        "signature": plan.signature,
        "versions": plan.versions,
    }
    text = json.dumps(of_run.strict(said), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    archive.write_bytes(folder / MANIFEST, text.encode(), "the study")


def _model(task: Task) -> dict[str, Any]:
    """The model as text for people."""
    if task.function is not None:
        return {"function": _shown(task.function)}
    if task.catalog is not None:
        return {"catalog": task.catalog[0], "options": of_run.plain(task.catalog[1])}
    assert task.model is not None
    return {"name": task.model.name, "text": of_run.model_text(task.model)}


def _said(axis: Axis) -> dict[str, Any]:
    if isinstance(axis, Distribution):
        return {axis.kind: [axis.a, axis.b]}
    few = list(axis.values) if len(axis.values) <= 100 else [axis.values[0], "...", axis.values[-1]]
    return {"values": few, "count": len(axis.values), "whole": axis.whole}


def _design_arrays(design: Design) -> dict[str, np.ndarray]:
    arrays = {
        f"axis{i}": np.asarray(axis.values if isinstance(axis, Listed) else (axis.a, axis.b))
        for i, axis in enumerate(design.axes)
    }
    return arrays if design.drawn is None else {**arrays, "drawn": design.drawn}


# -- reading ---------------------------------------------------------------------------------------


def read(folder: Path) -> Plan:
    """The plan of a study on disk."""
    path = folder / MANIFEST
    if not path.is_file():
        what = "a folder, but not a study" if folder.is_dir() else "no study"
        raise StudyFileError(
            f"{folder}: is {what}: it holds no {MANIFEST}. Give a folder that dl.sweep or"
            " dalembert sweep wrote."
        )
    try:
        found = _npz.loads(archive.read_bytes(path, "the description of the study"))
        if found["format"] != FORMAT:
            raise ValueError(f"it describes {found['format']!r}")
        if int(found["version"]) > VERSION:
            raise ValueError("a newer dalembert wrote it; update dalembert")
        design = _read_design(folder, found)
        task = _read_task(folder, found["task"], design)
        columns = tuple((str(name), int(length)) for name, length in found["columns"])
        if found["form"] not in FORMS:
            raise ValueError(f"the format of its rows is {found['form']!r:.20}")
        return Plan(
            design, task, columns, str(found["signature"]), found["form"], dict(found["versions"])
        )
    except RunFileError as problem:
        raise StudyFileError(str(problem)) from problem
    except (DalembertError, KeyError, TypeError, ValueError, AttributeError) as problem:
        raise StudyFileError(
            f"{path}: is not the description of a study, or it is damaged"
            f" ({problem!s:.200}). Restore it from a copy."
        ) from problem


def _read_design(folder: Path, found: dict[str, Any]) -> Design:
    said = found["design"]
    header, arrays = archive.read(folder / DESIGN, "the design of the study", said["sha256"])
    names = tuple(str(name) for name, _, _ in found["axes"])
    axes: list[Axis] = []
    for i, axis in enumerate(header["axes"]):
        numbers = tuple(map(float, arrays[f"axis{i}"]))
        if "values" in axis:
            axes.append(Listed(numbers, bool(axis["whole"])))
        else:
            axes.append(Distribution(str(next(iter(axis))), *numbers))
    if said["kind"] not in DESIGNS or len(axes) != len(names):
        raise ValueError("its design is none")
    drawn = arrays.get("drawn")
    made = Design(said["kind"], names, tuple(axes), int(said["count"]), int(said["seed"]), drawn)
    if drawn is not None and drawn.shape != (made.count, len(names)):
        raise ValueError("it has drawn other rows")
    return made


def _read_task(folder: Path, sha256: Any, design: Design) -> Task | None:
    if sha256 is None:
        return None
    task = Task.from_data(*archive.read(folder / TASK, "the task of the study", str(sha256)))
    if task.names != design.names:
        raise ValueError("task and design have different axes")
    return task
