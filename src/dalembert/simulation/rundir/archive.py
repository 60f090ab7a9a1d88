"""Arrays and a header as one .npz file; what is wrong with a file is said with its name."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from dalembert import _files, _npz
from dalembert._files import sync_folder, writing
from dalembert.errors import RunFileError

FULL = "Make room or choose another disk; dalembert resume goes on from what is there."

Arrays = dict[str, Any]


def write_bytes(path: Path, data: bytes, what: str) -> str:
    """Put the bytes in place, on the disk itself, and return their SHA-256."""
    with writing(path, what, FULL) as file:
        file.write(data)
    sync_folder(path.parent)
    return hashlib.sha256(data).hexdigest()


def pack(header: Mapping[str, Any], arrays: Mapping[str, Any]) -> bytes:
    """The content of a file."""
    text = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    packed = io.BytesIO()
    np.savez(packed, allow_pickle=False, header=text, **arrays)
    return packed.getvalue()


def write(path: Path, what: str, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    """Write the file and return its SHA-256."""
    return write_bytes(path, pack(header, arrays), what)


def read_bytes(path: Path, what: str, sha256: str | None = None) -> bytes:
    """The bytes, if they are those that were written."""
    try:
        data = _files.read_bytes(path)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise RunFileError(
            f"{path}: {what} cannot be read ({reason}). Check that the folder is complete and may"
            " be read."
        ) from problem
    if sha256 is not None and hashlib.sha256(data).hexdigest() != sha256:
        raise damaged(path, what, "its content is not what was written")
    return data


def read(path: Path, what: str, sha256: str | None = None) -> tuple[dict[str, Any], Arrays]:
    """Header and arrays of a file."""
    data = read_bytes(path, what, sha256)
    try:
        # every member is read, so that its checksum is looked at
        arrays: Arrays = _npz.read(io.BytesIO(data))
        header = _npz.loads(arrays.pop("header").tobytes())
        if not isinstance(header, dict):
            raise ValueError("the header holds no keys")
    except Exception as problem:  # damage breaks anywhere: zip, npy, json
        raise damaged(path, what, str(problem) or type(problem).__name__) from problem
    return header, arrays


def damaged(path: Path, what: str, reason: str) -> RunFileError:
    """The error for a file that is there but not as it was written."""
    return RunFileError(
        f"{path}: {what} is damaged ({reason:.200}). Restore the file from a copy, or run again"
        " under another name."
    )
