"""Files written whole or not at all, and read within bounds; nothing but regular files."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from dalembert.errors import FileError

ADVICE = "Choose a folder that exists and may be written."


MOST_BYTES = 256 * 2**20
"""Most bytes of a file that is read at once."""


def read_bytes(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """The content of a regular file of at most so many bytes.

    Raises
    ------
    OSError     its `strerror` says why, also of a device, a pipe, and a file that is too large
    """
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        data = file.read(min(size, most) + 1) if size <= most else b""
        if size > most or len(data) > most:
            raise OSError(
                errno.EFBIG,
                f"it has {max(size, len(data))} bytes, and {most} at most are read",
                str(path),
            )
        if len(data) > size:  # it grew, or the system does not know how much there is
            data += file.read(most + 1 - len(data))
            if len(data) > most:
                raise OSError(errno.EFBIG, f"it has more than {most} bytes", str(path))
        return data


@contextlib.contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """A regular file to read from; opening a pipe would wait for whoever writes into it."""
    path = Path(path)
    try:
        found = path.stat()
    except ValueError as problem:  # a NUL in the name
        raise OSError(errno.EINVAL, str(problem), str(path)) from problem
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is a device or a pipe, not a file", str(path))
    with path.open("rb") as file:
        yield file


@contextlib.contextmanager
def writing(path: str | Path, what: str, advice: str = ADVICE) -> Iterator[BinaryIO]:
    """A file to write into; when the block ends well it takes the place of `path`, else it goes.

    Parameters
    ----------
    path : str or Path      symlinks are followed, so that the file they name is written
    what : str              for the message: "the solution", "the figure"
    advice : str            last sentence of the message

    Raises
    ------
    FileError               a folder, device or pipe is in the way, or the system refused
    """
    target = checked(path, what)
    # Random, so that two programs writing one file do not meet; cut, as names have a limit.
    temporary = target.with_name(f".{target.name[:40]}.{secrets.token_hex(4)}.part")
    try:
        try:
            with temporary.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())  # a full disk may show itself only here
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            temporary.replace(target)
        except OSError as problem:
            raise _refused(path, what, problem, advice) from problem
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder written to the disk, where the system can."""
    with contextlib.suppress(OSError):  # Windows opens no folders, some disks do not synchronise
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def checked(path: str | Path, what: str = "the file") -> Path:
    """Where `path` leads, if a regular file is there or can be made there."""
    head = f"{path}: cannot write {what}:"
    try:
        target = Path(path).resolve()
        found = target.stat() if target.exists() else None
    except (OSError, RuntimeError) as problem:  # a loop of symlinks is either of them
        raise FileError(f"{head} it leads nowhere. Choose another name.") from problem
    if found is None:
        if not target.parent.is_dir():
            raise FileError(f"{head} the folder {target.parent} does not exist. Create it first.")
        if target.is_symlink() or not os.access(target.parent, os.W_OK):
            raise FileError(f"{head} the folder {target.parent} may not be written. {ADVICE}")
        return target
    if stat.S_ISDIR(found.st_mode):
        raise FileError(f"{head} it is a folder. Give the name of a file to write.")
    if not stat.S_ISREG(found.st_mode):
        raise FileError(
            f"{head} it is a device or a pipe, not a regular file. Give the name of a file."
        )
    if any(_is_stream(found, descriptor) for descriptor in (1, 2)):
        raise FileError(f"{head} the program's own output goes there. Give another file.")
    if not os.access(target, os.W_OK):
        raise FileError(f"{head} it may not be written. Choose another place.")
    return target


def _is_stream(found: os.stat_result, descriptor: int) -> bool:
    try:
        return os.path.samestat(found, os.fstat(descriptor))
    except OSError:  # closed
        return False


def _refused(path: str | Path, what: str, problem: OSError, advice: str) -> FileError:
    if isinstance(problem, FileError):
        return problem
    return FileError(f"{path}: cannot write {what} ({problem.strerror or problem}). {advice}")
