"""Files of compiled code in a folder: written whole, read only as written, removed when old."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import tempfile
import time
from pathlib import Path

from dalembert._translate.trust import read_own

DIGEST = 32
"""Bytes of SHA-256 before the code."""

DAY = 24 * 3600.0

MOST_BYTES, LONGEST = 64 * 2**20, 60 * DAY
"""Formulas: code of one version that is kept on disk [byte], and for how long without use [s]."""

LEFT = 0.75
"""Share of `MOST_BYTES` that is left when there is more."""

EVERY = 256
"""Files written by a process between two looks at what there is."""

_written = itertools.count(1)


def recall(folder: Path, key: str) -> bytes | None:
    """Code from the folder; None when missing, of others, unreadable or damaged."""
    path = _path(folder, key)
    stored = read_own(path)
    if stored is None:
        return None
    digest, code = stored[:DIGEST], stored[DIGEST:]
    if hashlib.sha256(key.encode() + code).digest() != digest:
        return None
    with contextlib.suppress(OSError):
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)  # it is in use; once a day will do
    return code


def remember(folder: Path, key: str, code: bytes) -> None:
    """Write code so that no reader ever sees half of it; a full disk is no error."""
    with contextlib.suppress(OSError):
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(key.encode() + code).digest() + code)
            os.replace(temporary, _path(folder, key))
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def remember_bounded(folder: Path, key: str, code: bytes) -> None:
    """`remember`, where there is no end of what may be written: now and then `trim`."""
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
    remember(folder, key, code)
    if next(_written) % EVERY == 1:
        trim(folder)


def trim(folder: Path, most: float = MOST_BYTES, longest: float = LONGEST) -> None:
    """Remove what was not used for long, then what was used least lately until there is room."""
    found = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                state = entry.stat(follow_symlinks=False)
                if entry.is_file(follow_symlinks=False):
                    found.append((state.st_mtime, state.st_size, entry.path))
    now, total = time.time(), sum(size for _, size, _ in found)
    goal = LEFT * most if total > most else most
    for used, size, path in sorted(found):
        if total <= goal and now - used <= longest:
            break
        with contextlib.suppress(OSError):
            os.unlink(path)
            total -= size


def _path(folder: Path, key: str) -> Path:
    return folder / f"{key[:32]}.o"
