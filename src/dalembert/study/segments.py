"""Segments: rows of a study as one file that is there whole or not at all.

Parquet where pyarrow is installed (extra `study`), else .npz. The name of a file has its number and
the beginning of the SHA-256 of its content, so that damage is seen:
``rows-000001-0123456789abcdef.parquet``.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dalembert import _files, _npz
from dalembert._files import sync_folder, writing
from dalembert.errors import StudyFileError
from dalembert.study.rows import STATUS, VERDICT, Rows

PARQUET, NPZ = FORMS = ("parquet", "npz")

MARK = 16
"""Digits of the hash in a name."""

FULL = "Make room or move the folder; dl.resume_study(folder) goes on from what is there."

_NAME = re.compile(rf"rows-(\d{{6,}})-([0-9a-f]{{{MARK}}})\.(parquet|npz)")

Columns = Sequence[tuple[str, int]]
"""Name and length of recorded columns; length 0 is one number."""


def usual_form() -> str:
    """The format of new studies: Parquet if it can be written."""
    return PARQUET if importlib.util.find_spec("pyarrow") is not None else NPZ


def listed(folder: Path) -> list[Path]:
    """Segments of a folder, in the order in which they were written."""
    try:
        found = [path for path in folder.iterdir() if _NAME.fullmatch(path.name)]
    except OSError as problem:
        raise StudyFileError(
            f"{folder}: the study cannot be read ({problem.strerror}). Check the path."
        ) from problem
    return sorted(found, key=lambda path: (_number(path), path.name))


def packed(folder: Path, rows: Rows, names: Sequence[str], form: str) -> tuple[Path, bytes]:
    """Where a new segment goes, and its content."""
    data = (_parquet if form == PARQUET else _archive)(rows, names)
    number = max((_number(path) for path in listed(folder)), default=0) + 1
    mark = hashlib.sha256(data).hexdigest()[:MARK]
    return folder / f"rows-{number:06d}-{mark}.{form}", data


def put(path: Path, data: bytes) -> None:
    """Write a segment, on the disk itself, unless it is there."""
    if not path.exists():
        with writing(path, "rows of the study", FULL) as file:
            file.write(data)
    sync_folder(path.parent)


def read(path: Path, names: Sequence[str], columns: Columns) -> Rows:
    """Rows of a segment, if they are those that were written."""
    try:
        data = _files.read_bytes(path)
    except OSError as problem:
        reason = problem.strerror or problem
        raise StudyFileError(
            f"{path}: rows of the study cannot be read ({reason}). Check that it may be read."
        ) from problem
    name = _NAME.fullmatch(path.name)
    assert name is not None
    if hashlib.sha256(data).hexdigest()[:MARK] != name[2]:
        raise damaged(path, "its content is not what was written")
    try:
        rows = (_from_parquet if name[3] == PARQUET else _from_archive)(data, names, columns)
        _check(rows, names, columns)
        return rows
    except StudyFileError:
        raise
    except Exception as problem:  # damage breaks anywhere
        raise damaged(path, str(problem) or type(problem).__name__) from problem


def damaged(path: Path, reason: str) -> StudyFileError:
    """The error for a segment that is there but not as it was written."""
    return StudyFileError(
        f"{path}: rows of the study are damaged ({reason:.200}). Restore the file from a copy, or"
        f" delete it: dl.resume_study({str(path.parent)!r}) computes its rows again."
    )


def _number(path: Path) -> int:
    found = _NAME.fullmatch(path.name)
    return int(found[1]) if found else 0


def _check(rows: Rows, names: Sequence[str], columns: Columns) -> None:
    """Raise a ValueError for arrays that are not rows of this study."""
    n = len(rows.ids)
    shapes: dict[str, Any] = {
        "values": (rows.values, (n, len(names))),
        "seconds": (rows.seconds, (n,)),
    }
    shapes |= {"status": (rows.status, (n,)), "verdict": (rows.verdict, (n,))}
    for name, length in columns:
        shapes[name] = (rows.columns[name], (n, length) if length else (n,))
    for name, (found, wanted) in shapes.items():
        if found.shape != wanted:
            raise ValueError(f"{name!r} has the shape {found.shape}, not {wanted}")
    if rows.ids.ndim != 1 or len(rows.error) != n:
        raise ValueError("columns have different lengths")


# -- .npz ------------------------------------------------------------------------------------------


def _archive(rows: Rows, names: Sequence[str]) -> bytes:
    errors = {str(i): text for i, text in enumerate(rows.error) if text}
    header = {"axes": list(names), "columns": list(rows.columns), "error": errors}
    arrays = {f"column{i}": column for i, column in enumerate(rows.columns.values())}
    packed = io.BytesIO()
    text = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    np.savez(
        packed,
        allow_pickle=False,
        header=text,
        ids=rows.ids,
        values=rows.values,
        status=rows.status,
        verdict=rows.verdict,
        seconds=rows.seconds,
        **arrays,
    )
    return packed.getvalue()


def _from_archive(data: bytes, names: Sequence[str], columns: Columns) -> Rows:
    arrays = _npz.read(io.BytesIO(data))
    header = _npz.loads(arrays.pop("header").tobytes())
    if header["axes"] != list(names) or header["columns"] != [name for name, _ in columns]:
        raise ValueError("it has columns of another study")
    errors = [""] * len(arrays["ids"])
    for i, text in header["error"].items():
        errors[int(i)] = str(text)
    return Rows(
        arrays["ids"],
        arrays["values"],
        arrays["status"],
        arrays["verdict"],
        arrays["seconds"],
        tuple(errors),
        {name: arrays[f"column{i}"] for i, (name, _) in enumerate(columns)},
    )


# -- Parquet ---------------------------------------------------------------------------------------


def _pyarrow(part: str = "") -> Any:
    try:
        return importlib.import_module(f"pyarrow{part}")
    except ImportError as problem:
        raise StudyFileError(
            "The study is kept in Parquet files, and pyarrow is not installed. Install"
            " dalembert[study]."
        ) from problem


def _parquet(rows: Rows, names: Sequence[str]) -> bytes:
    pa, pq = _pyarrow(), _pyarrow(".parquet")
    table: dict[str, Any] = {"id": pa.array(rows.ids)}
    for i, name in enumerate(names):
        table[name] = pa.array(np.ascontiguousarray(rows.values[:, i]))
    table["status"] = pa.array([STATUS[int(code)] for code in rows.status], pa.string())
    table["verdict"] = pa.array([VERDICT[int(code)] for code in rows.verdict], pa.string())
    table["seconds"] = pa.array(rows.seconds)
    table["error"] = pa.array(rows.error, pa.string())
    for name, column in rows.columns.items():
        flat = pa.array(np.ascontiguousarray(column).ravel())
        two = column.ndim == 2
        table[name] = pa.FixedSizeListArray.from_arrays(flat, column.shape[1]) if two else flat
    packed = io.BytesIO()
    pq.write_table(pa.table(table), packed, use_dictionary=["status", "verdict", "error"])
    return packed.getvalue()


def _from_parquet(data: bytes, names: Sequence[str], columns: Columns) -> Rows:
    pa, pq = _pyarrow(), _pyarrow(".parquet")
    table = pq.read_table(pa.BufferReader(data), use_threads=False).combine_chunks()
    codes = {word: code for code, word in STATUS.items()}
    words = {word: code for code, word in VERDICT.items()}

    def numbers(name: str, length: int = 0) -> Any:
        column = table.column(name).combine_chunks()
        if length:
            return column.flatten().to_numpy(zero_copy_only=False).reshape(-1, length)
        return column.to_numpy(zero_copy_only=False)

    return Rows(
        numbers("id").astype(np.int64),
        np.stack([numbers(name) for name in names], axis=1),
        np.array([codes[word] for word in table.column("status").to_pylist()], np.int64),
        np.array([words[word] for word in table.column("verdict").to_pylist()], np.int64),
        numbers("seconds"),
        tuple(table.column("error").to_pylist()),
        {name: numbers(name, length) for name, length in columns},
    )
