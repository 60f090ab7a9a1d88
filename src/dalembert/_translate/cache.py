"""Where compiled code is kept: a folder for exactly the sources it was made from."""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

from dalembert._translate import trust

_ROOT = Path(__file__).parent.parent

KERNEL_FOLDERS = (
    "numerics",
    "system",
    "mechanics",
    "collision",
    "contact",
    "enforcement",
    "integration",
    "batch",
    "gradients",
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
    return sorted([*(_ROOT / f"{name}.py" for name in ("_jit", "_records", "_traceable")), *files])


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


def cache_folder() -> Path:
    """Folder of compiled code for exactly these sources; created on first use.

    A folder that others may write to is not used, one that cannot be written is read.
    """
    with _looking:  # several threads may ask at once
        return _folder()


_looking = threading.Lock()


@functools.cache
def _folder() -> Path:
    given = os.environ.get("DALEMBERT_CACHE")
    base = Path(given).absolute() if given else _user_cache() / "dalembert"
    folder = base / source_hash()
    try:
        reason = _prepared(base, folder, own=not given)
    except OSError as problem:
        reason = f"it cannot be written ({problem.strerror})"
    if reason is None:
        return folder
    sys.stderr.write(
        f"dalembert: compiled code is not kept in {base}: {reason}. It is kept in a temporary"
        " folder until this program ends. Set DALEMBERT_CACHE to a folder that is yours and that"
        " nobody else can write to.\n"
    )
    return _temporary()


def _prepared(base: Path, folder: Path, *, own: bool) -> str | None:
    """Make the folder where it is missing; why it cannot be used, or None.

    A base that is this program's own is closed to others first: some systems let a group write to
    whatever its members make.
    """
    if own and hasattr(os, "getuid") and base.is_dir():
        mode = base.stat().st_mode
        if mode & trust.OTHERS and base.stat().st_uid == os.geteuid():
            base.chmod(mode & ~trust.OTHERS & 0o7777)
    reason = trust.distrusted(folder, base)
    if reason is not None:
        return reason
    if not folder.exists():
        if base.exists():
            _discard(base)
        base.parent.mkdir(parents=True, exist_ok=True)
        base.mkdir(mode=0o700, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    try:
        # writing also says when a folder was last in use
        with tempfile.NamedTemporaryFile(dir=folder, prefix="probe-"):
            pass
    except OSError:
        if not any(folder.glob("*.o")):
            raise
    return trust.distrusted(folder, base)


def _temporary() -> Path:
    """A folder of the user's own that is removed when the process ends."""
    folder, process = Path(tempfile.mkdtemp(prefix="dalembert-")), os.getpid()

    def remove() -> None:
        if os.getpid() == process:  # a process that was forked leaves it to its parent
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
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
