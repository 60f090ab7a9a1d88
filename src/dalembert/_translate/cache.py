"""Where compiled code is kept: a folder for exactly the sources it was made from."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

_ROOT = Path(__file__).parent.parent

KERNEL_FOLDERS = (
    "numerics",
    "system",
    "mechanics",
    "collision",
    "contact",
    "enforcement",
    "integration",
)
"""Where kernels live."""

HASH = 16
"""Letters of a folder's name."""

KEPT = 60 * 24 * 3600.0
"""Time that code of other versions is kept since it was last in use  [s]."""


@functools.cache
def _sources() -> list[Path]:
    """Every file that kernels, or their translation, are made from."""
    folders = (*KERNEL_FOLDERS, "_translate")
    files = [p for folder in folders for p in (_ROOT / folder).rglob("*.py")]
    return sorted([_ROOT / "_jit.py", _ROOT / "_by_numba.py", *files])


@functools.cache
def source_hash() -> str:
    """Hash of the sources of kernels."""
    digest = hashlib.sha256()
    for path in _sources():
        digest.update(str(path.relative_to(_ROOT)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:HASH]


_began = time.time()


def sources_changed() -> bool:
    """Whether somebody has worked on the sources since this process began.

    Then the hash may belong to one text and the functions in memory to another.
    """
    try:
        return max(path.stat().st_mtime for path in _sources()) >= _began
    except OSError:
        return True


@functools.cache
def cache_folder() -> Path:
    """Folder of compiled code for exactly these sources; created on first use."""
    given = os.environ.get("DALEMBERT_CACHE")
    base = Path(given) if given else _user_cache() / "dalembert"
    folder = base / source_hash()
    try:
        if not folder.exists():
            _discard(base)
        folder.mkdir(parents=True, exist_ok=True)
        # writing also says when a folder was last in use; several threads may ask at once
        with tempfile.NamedTemporaryFile(dir=folder, prefix="probe-"):
            pass
    except OSError as problem:
        folder = Path(tempfile.mkdtemp(prefix="dalembert-"))
        sys.stderr.write(
            f"dalembert: no compiled code can be kept in {base} ({problem.strerror}); "
            "set DALEMBERT_CACHE to a folder that can be written.\n"
        )
    return folder


def _discard(base: Path) -> None:
    """Remove what other versions have compiled, and nobody has used for long."""
    for folder in base.glob("[0-9a-f]" * HASH):
        with contextlib.suppress(OSError):
            if time.time() - folder.stat().st_mtime > KEPT:
                shutil.rmtree(folder, ignore_errors=True)


def _user_cache() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home())))
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
