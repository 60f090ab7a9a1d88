"""run.json: what is run, by which versions, and, at the end, how it went."""

from __future__ import annotations

import json
import math
import platform
from pathlib import Path
from typing import Any

import numpy as np

from dalembert import __version__, _jit, _npz
from dalembert._translate import cache
from dalembert.errors import DalembertError, RunFileError
from dalembert.formulas import Expression
from dalembert.simulation.prepare.start import SEED
from dalembert.simulation.results import facts
from dalembert.simulation.results.storage import old_form
from dalembert.simulation.rundir import archive
from dalembert.simulation.rundir.place import MANIFEST

FORMAT = "dalembert-run"
VERSION = 2

LARGEST, MOST_TIME = 2**53, 1e300
"""Largest counts and moments."""

MOST_TEXT = 1_000_000
"""Characters of a model's text beyond which run.json would no longer be read by people."""


def new(model: Any, options: dict[str, Any], model_hash: str) -> dict[str, Any]:
    """The manifest of a run that begins.

    The model stands here as text for people and other programs. What is run is in model.npz: a text
    that is read again need not give sums in the same order, and the last bit depends on it.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "model": {"name": model.name, "sha256": model_hash, "text": model_text(model)},
        "options": {name: plain(value) for name, value in options.items()},
        "versions": versions(),
        "seed": SEED,
        "epoch": 0,
        "result": None,
    }


def versions() -> dict[str, str]:
    """Versions and machine, on which the last bit of a result may depend."""
    cpu = platform.machine()
    if _jit.COMPILED:
        from llvmlite import binding  # the compiler: code is made for this processor

        cpu = binding.get_host_cpu_name()
    return {
        "dalembert": __version__,
        "kernels": cache.source_hash(),
        "compiled": str(_jit.COMPILED),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "platform": platform.platform(),
        "cpu": cpu,
    }


def write(folder: Path, manifest: dict[str, Any]) -> None:
    """Replace run.json."""
    text = json.dumps(strict(manifest), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    archive.write_bytes(folder / MANIFEST, text.encode(), "the run")


def read(folder: Path) -> dict[str, Any]:
    """Read and check run.json."""
    path = folder / MANIFEST
    if not folder.exists():
        raise RunFileError(f"{folder}: there is no such run. {_near(folder)}")
    if folder.is_dir() and not path.exists():
        raise RunFileError(
            f"{folder}: is a folder, but not a run: it holds no {MANIFEST}. Give a folder written"
            " by dalembert run --out or simulate(save=...)."
        )
    data = archive.read_bytes(path, "the description of the run")
    try:
        found = _npz.loads(data)
        name, version = found["format"], int(found["version"])
    except Exception as problem:  # not JSON, not a mapping, no such key
        raise RunFileError(
            f"{path}: is not the description of a run, or it is damaged"
            f" ({str(problem) or type(problem).__name__}). Restore it from a copy; the segments"
            " beside it are plain NumPy files."
        ) from problem
    if name != FORMAT:
        raise RunFileError(f"{path}: describes {name!r}, not a run of dalembert.")
    if version > VERSION:
        raise RunFileError(
            f"{path}: was written by a newer dalembert (format {version}, this one reads up to"
            f" {VERSION}). Update dalembert."
        )
    if version < VERSION:
        raise RunFileError(
            f"{folder}: {old_form(version)} The segments beside it are plain NumPy files."
        )
    missing = [key for key in ("model", "options", "versions", "epoch") if key not in found]
    if missing:
        raise RunFileError(f"{path}: is damaged: {missing[0]!r} is missing. Restore it.")
    try:
        _check(found)
    except (KeyError, TypeError, ValueError) as problem:
        raise RunFileError(
            f"{path}: is damaged: {problem!s:.200} is missing or wrong. Restore it."
        ) from problem
    return dict(found)


def _check(found: dict[str, Any]) -> None:
    """Raise for what readers of a run rely on and is not there."""
    for part in (found["model"], found["options"], found["versions"]):
        if not isinstance(part, dict):
            raise TypeError("a table")
    options, result = found["options"], found.get("result")
    for name in ("start", "until"):
        if not _is_number(options[name]):
            raise ValueError(name)
    every = options["every"]
    if every is not None and (type(every) is not int or not 0 < every < LARGEST):
        raise ValueError("every")
    if type(found["epoch"]) is not int or not 0 <= found["epoch"] < LARGEST:
        raise ValueError("epoch")
    if not isinstance(found["model"]["sha256"], str):
        raise TypeError("sha256")
    if found.get("replaces") is not None and not _is_file_name(found["replaces"]):
        raise ValueError("replaces")
    if result is None:
        return
    facts.check(result)
    if not all(isinstance(h, str) and len(h) == 64 for h in result["segments"]):
        raise ValueError("segments")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) <= MOST_TIME


def _is_file_name(value: Any) -> bool:
    """Whether a text names a file beside, and nothing elsewhere."""
    return isinstance(value, str) and value == Path(value).name and value not in ("", ".", "..")


def _near(folder: Path) -> str:
    """A new run that did not take this place, or the old one that had to leave it."""
    try:
        beside = [p for p in folder.parent.glob(f"{folder.name}.*") if (p / MANIFEST).is_file()]
    except OSError:
        beside = []
    return f"Did you mean {beside[0]}?" if beside else "Check the path."


def model_text(model: Any) -> Any:
    """The content of its model file; None where there is no such thing."""
    from dalembert.importers.writing import as_data

    try:
        data = as_data(model)
        return data if len(json.dumps(data)) <= MOST_TEXT else None
    except (DalembertError, TypeError, ValueError):
        return None


def plain(value: Any) -> Any:
    """Options as what JSON knows; formulas and objects by their text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {
            str(key) if isinstance(key, str | Expression) else repr(key): plain(part)
            for key, part in value.items()
        }
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return repr(value)


def strict(value: Any) -> Any:
    """Numbers that JSON does not have, as null; infinities of a failed run among them."""
    if isinstance(value, dict):
        return {key: strict(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [strict(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
