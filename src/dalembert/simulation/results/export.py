"""The series of a solution for other programs: CSV, JSON, NPZ, HDF5, Parquet, netCDF.

CSV, JSON, NPZ and Parquet hold one column a series, named as `Solution.to_numpy` names them; HDF5
and netCDF hold the arrays q, v, a, ... with the names of their columns, and what was run. Beside a
CSV goes NAME-events.csv, the log of located events, where there is one. The
packages of the last three are asked for only when they are used.
"""

from __future__ import annotations

import importlib
import io
import json
import math
from collections.abc import Callable
from dataclasses import astuple, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from dalembert._files import writing
from dalembert.errors import FileError, OptionError
from dalembert.simulation.hybrid.log import Happening

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

FORMATS = {
    ".csv": "csv",
    ".json": "json",
    ".npz": "npz",
    ".h5": "hdf5",
    ".hdf5": "hdf5",
    ".parquet": "parquet",
    ".nc": "netcdf",
}
"""Ending of a name -> format."""

ENDINGS = {"csv": ".csv", "json": ".json", "npz": ".npz", "hdf5": ".h5"} | {
    "parquet": ".parquet",
    "netcdf": ".nc",
}

TEXTS = ("csv", "json")


def export(solution: Solution, path: str | Path, kind: str | None = None) -> Path:
    """Write the series; the file appears complete or not at all.

    Parameters
    ----------
    path : str or Path      its ending says the format
    kind : "csv", "json", "npz", "hdf5", "parquet" or "netcdf", where the ending does not
    """
    path = Path(path)
    kind = kind_of(path) if kind is None else kind
    if kind not in _WRITERS:
        raise OptionError(f"export: {kind!r} is no format. Known: {', '.join(_WRITERS)}.")
    data = None if kind in TEXTS else _WRITERS[kind](solution)
    with writing(path, "the series") as file:
        if data is not None:
            file.write(data)
        else:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="")
            write_text(solution, kind, text)
            text.detach()  # written out; the file itself is closed by its owner
    if kind == "csv" and solution.log:
        _write_log(solution, log_beside(path))
    return path


def log_beside(path: Path) -> Path:
    """Where the log of located events goes: beside the series."""
    return path.with_name(f"{path.stem}-events.csv")


def _write_log(solution: Solution, path: Path) -> None:
    """The log as a table: one entry a line."""
    import csv

    with writing(path, "the log of events") as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(field.name for field in fields(Happening))
        writer.writerows(astuple(entry) for entry in solution.log)
        text.detach()


def kind_of(path: Path) -> str:
    """The format that the ending of a name says."""
    kind = FORMATS.get(path.suffix.lower())
    if kind is None:
        raise FileError(
            f"{path}: {path.suffix or 'a name without an ending'} says no format."
            f" Use one of {', '.join(FORMATS)}."
        )
    return kind


def write_text(solution: Solution, kind: str, file: TextIO) -> None:
    """CSV or JSON into an open file."""
    _WRITERS[kind](solution, file)


# -- formats -----------------------------------------------------------------------------------


def _csv(solution: Solution, file: TextIO) -> None:
    import csv

    columns = solution.to_numpy()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    # repr of a float is the shortest text that reads back to the same number
    writer.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))


def _json(solution: Solution, file: TextIO) -> None:
    columns = {
        name: [x if math.isfinite(x) else None for x in column.tolist()]
        for name, column in solution.to_numpy().items()
    }
    json.dump(columns, file)
    file.write("\n")


def _npz(solution: Solution) -> bytes:
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **solution.to_numpy())
    return packed.getvalue()


def _hdf5(solution: Solution) -> bytes:
    h5py = _wanted("h5py", "HDF5", "pip install 'dalembert[hdf5]'")
    packed = io.BytesIO()
    with h5py.File(packed, "w") as file:
        file.attrs.update(about(solution))
        for name, (array, columns, unit) in blocks(solution).items():
            made = file.create_dataset(name, data=array, compression="gzip" if array.size else None)
            if columns is not None:
                made.attrs["columns"] = np.array(columns, dtype=h5py.string_dtype())
            made.attrs["unit"] = unit
        events = file.create_group("events")
        labels = [event.name for event in solution.events]
        events.create_dataset("name", data=np.array(labels, dtype=h5py.string_dtype()))
        events.create_dataset("t", data=np.array([event.t for event in solution.events]))
        for name in ("q", "v"):
            width = getattr(solution, name).shape[1]
            rows = np.array([getattr(event, name) for event in solution.events], dtype=float)
            events.create_dataset(name, data=rows.reshape(-1, width))
    return packed.getvalue()


def _parquet(solution: Solution) -> bytes:
    pyarrow = _wanted("pyarrow", "Parquet", "pip install pyarrow")
    parquet = importlib.import_module("pyarrow.parquet")
    table = pyarrow.table(solution.to_numpy())
    table = table.replace_schema_metadata(
        {f"dalembert.{key}": str(value) for key, value in about(solution).items()}
    )
    packed = io.BytesIO()
    parquet.write_table(table, packed)
    return packed.getvalue()


def _netcdf(solution: Solution) -> bytes:
    dataset = to_xarray(solution)
    # scipy, which is always there, knows version 3 of the format; other engines are welcome
    return bytes(dataset.to_netcdf(None, engine="scipy"))


def to_xarray(solution: Solution) -> Any:
    """The arrays as an xarray.Dataset over t, with named columns."""
    xarray = _wanted("xarray", "netCDF", "pip install xarray")
    variables: dict[str, Any] = {}
    labels: dict[str, Any] = {"t": ("t", solution.t, {"units": "s"})}
    for name, (array, columns, unit) in blocks(solution).items():
        if name == "t":
            continue
        attributes = {"units": unit} if unit else {}
        if columns is None:
            variables[name] = ("t", array, attributes)
        elif columns:
            axis = _AXES[name]
            labels[axis] = (axis, np.array(columns))
            variables[name] = (("t", axis), array, attributes)
    return xarray.Dataset(variables, coords=labels, attrs=about(solution))


_AXES = {
    "q": "coordinate",
    "v": "velocity",
    "a": "acceleration",
    "lam": "row",
    "phi": "position_row",
    "phi_dot": "row",
}


def blocks(solution: Solution) -> dict[str, tuple[np.ndarray, list[str] | None, str]]:
    """The arrays of a solution, names of their columns, and units where all columns share one."""
    rows = list(solution.row_names)
    found: dict[str, tuple[np.ndarray, list[str] | None, str]] = {
        "t": (solution.t, None, "s"),
        "q": (solution.q, list(solution.coordinate_names), ""),
        "v": (solution.v, list(solution.velocity_names), ""),
        "a": (solution.a, list(solution.acceleration_names), ""),
        "lam": (solution.lam, rows, ""),
        "phi": (solution.phi, rows[: solution.phi.shape[1]], ""),
        "phi_dot": (solution.phi_dot, rows, ""),
        "kinetic": (solution.kinetic, None, "J"),
    }
    if solution.potential is not None:
        found["potential"] = (solution.potential, None, "J")
    return found


def about(solution: Solution) -> dict[str, Any]:
    """A description of the run, as plain values."""
    from dalembert import __version__

    return {
        "model": solution.model.name,
        "method": repr(solution.method),
        "integrator": repr(solution.integrator),
        "step": math.nan if solution.step is None else float(solution.step),
        "verdict": solution.verdict.word,
        "reasons": "\n".join(map(str, solution.verdict.reasons)),
        "status": solution.status.name,
        "message": solution.message,
        "worst_phi": float(solution.worst.get("phi") or 0.0),
        "worst_phi_dot": float(solution.worst.get("phi_dot") or 0.0),
        "dalembert": __version__,
    }


def _wanted(module: str, what: str, command: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as problem:
        raise OptionError(
            f"export: {what} needs {module}, which is not installed. Install it ({command}), or"
            " choose CSV or NPZ."
        ) from problem


_WRITERS: dict[str, Callable[..., Any]] = {
    "csv": _csv,
    "json": _json,
    "npz": _npz,
    "hdf5": _hdf5,
    "parquet": _parquet,
    "netcdf": _netcdf,
}
