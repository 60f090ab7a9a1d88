"""Where a run is written; what is there already is never lost unless asked."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dalembert._files import sync_folder
from dalembert.errors import FileError, RunFileError

MANIFEST = "run.json"
MODEL = "model.npz"
OLD_MODEL = "model.pickle"
START = "start.npz"
PARTS = "parts.npz"
CHECKPOINT = "checkpoint.npz"
ENDING = "ending.npz"
LOCK = "lock"

EXPORTS = (".csv", ".json", ".h5", ".hdf5", ".parquet", ".nc", ".html", ".png", ".gif", ".mp4")
"""Endings that were meant for something else than a run."""


def segment(folder: Path, number: int) -> Path:
    """File of the n-th segment, from 1 on."""
    return folder / f"segment-{number:06d}.npz"


def piece(folder: Path, number: int) -> Path:
    """File of the n-th piece of a run with actions, from 1 on."""
    return folder / f"piece-{number:06d}.npz"


def part_folder(folder: Path, number: int) -> Path:
    """Folder of the n-th part of a run with actions, from 1 on."""
    return folder / f"part-{number:06d}"


def is_run(path: Path) -> bool:
    """Whether a folder holds a run."""
    return (path / MANIFEST).is_file()


@dataclass(frozen=True)
class Place:
    """A folder to be written: at `folder`, which in the end takes the place of `target`."""

    target: Path
    folder: Path

    @property
    def replaces(self) -> bool:
        """Whether another run is to be replaced."""
        return self.target != self.folder


def target_of(folder: Path, replaced: Any) -> Path:
    """The folder whose place a run takes in the end; `replaced`: its name, if it is another."""
    target = folder.absolute().with_name(str(replaced)) if replaced else folder.absolute()
    return target if target.is_dir() else folder.absolute()


def choose(path: str | Path, *, overwrite: bool) -> Place:
    """The place for a new run, if one may be made there.

    With `overwrite` the new run is written beside the old one, as NAME.new, and takes its place
    when it is complete.
    """
    target = Path(os.path.abspath(path))
    head = f"{path}: cannot write the run:"
    if target.suffix.lower() in EXPORTS:
        raise FileError(
            f"{head} {target.suffix} is no format of a run. Give a name ending in .npz for one"
            " file, or without an ending for a folder; dalembert export writes other formats."
        )
    if not target.parent.is_dir():
        raise FileError(f"{head} the folder {target.parent} does not exist. Create it first.")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise FileError(
            f"{head} the folder {target.parent} may not be written. Choose another place."
        )
    if target.is_symlink() or target.is_file() or (target.exists() and not target.is_dir()):
        raise FileError(
            f"{head} a file is in the way. Give the name of a folder, or one ending in .npz."
        )
    if not target.is_dir() or _is_empty(target, head):
        return Place(target, target)
    if not is_run(target):
        raise FileError(
            f"{head} the folder holds other files. Give the name of a new or an empty folder."
        )
    if not overwrite:
        raise RunFileError(
            f"{path}: holds a run already, which is kept. Continue it with dalembert resume"
            f" {path}, give another name, or ask for it to be replaced (--overwrite,"
            " overwrite=True)."
        )
    beside = target.with_name(f"{target.name}.new")
    if beside.exists():
        raise RunFileError(
            f"{beside}: is left from an earlier attempt to replace {path}. Continue it with"
            f" dalembert resume {beside}, or delete it."
        )
    return Place(target, beside)


def _is_empty(folder: Path, head: str) -> bool:
    try:
        return not any(folder.iterdir())
    except OSError as problem:
        raise FileError(
            f"{head} the folder cannot be read ({problem.strerror}). Choose another place."
        ) from problem


@contextlib.contextmanager
def appearing(place: Place, what: str = "the run") -> Any:
    """A folder to be filled; when the block ends well it appears under its name at once."""
    target = place.folder
    temporary = target.with_name(f".{target.name[:40]}.{secrets.token_hex(4)}.part")
    try:
        temporary.mkdir()
        yield temporary
        sync_folder(temporary)
        if os.name == "nt" and target.is_dir():
            target.rmdir()  # empty; elsewhere a folder may take the place of an empty one
        temporary.rename(target)
        sync_folder(target.parent)
    except FileError:
        raise
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise RunFileError(
            f"{target}: cannot write {what} ({reason}). Choose another place."
        ) from problem
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def swap(place: Place) -> None:
    """Put a complete run in the place of the old one, which is gone only then."""
    if not place.replaces:
        return
    old = place.target.with_name(f"{place.target.name}.old-{secrets.token_hex(4)}")
    try:
        place.target.rename(old)
        place.folder.rename(place.target)
    except OSError as problem:
        with contextlib.suppress(OSError):
            if old.exists() and not place.target.exists():
                old.rename(place.target)
        raise RunFileError(
            f"{place.target}: could not be replaced ({problem.strerror or problem}). The new run"
            f" is complete in {place.folder}."
        ) from problem
    sync_folder(place.target.parent)
    shutil.rmtree(old, ignore_errors=True)


class Lock:
    """Held by the one process that writes a run; the system lets go of it with the process."""

    def __init__(self, folder: Path, what: str = "run") -> None:
        self._file: Any = None
        try:
            self._file = (folder / LOCK).open("ab")
        except OSError as problem:
            raise RunFileError(
                f"{folder}: the {what} may not be written ({problem.strerror}). Copy the folder"
                " to a place of your own and resume it there."
            ) from problem
        if not _take(self._file):
            self.release()
            raise RunFileError(
                f"{folder}: another process is computing this {what}. Wait for it, or stop"
                " it first."
            )

    def release(self) -> None:
        """Let go."""
        if self._file is not None:
            self._file.close()
            self._file = None


def is_busy(folder: Path) -> bool:
    """Whether some process is writing the run just now."""
    try:
        with (folder / LOCK).open("rb") as file:
            return not _take(file)
    except OSError:
        return False


def _take(file: Any) -> bool:
    """Lock an open file until it is closed; False when another process has it."""
    try:
        import fcntl
    except ImportError:  # Windows: whoever resumes a run twice is not told
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a disk that knows no locks
        return True
    return True


def clean(folder: Path) -> None:
    """Remove what a killed process left half written."""
    for left in folder.glob(".*.part"):
        with contextlib.suppress(OSError):
            left.unlink()
