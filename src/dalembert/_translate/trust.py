"""Whose code is run: what is found on disk is machine code, and who can write it can do anything.

On POSIX systems a folder is trusted when it belongs to the user or to root and nobody else may
write to it. Windows keeps the folder of a user's own data from others by access lists, which are
not read here: there the folder that is given is trusted.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

OTHERS = stat.S_IWGRP | stat.S_IWOTH


def distrusted(folder: Path, base: Path) -> str | None:
    """Why code in a folder is not to be run; None where it may be.

    The folder, everything between it and `base`, and `base` belong to the user or to root, and
    nobody else may write to them. Above, nobody else may put another folder in the place of `base`.
    Those that do not exist are left out: whoever asks makes them.
    """
    if not hasattr(os, "getuid"):
        return None
    places = [base.resolve()]
    for part in folder.relative_to(base).parts:
        places.append(places[-1] / part)
    for place in places:
        reason = _of_others(place)
        if reason is not None:
            return reason
    for place in places[0].parents:
        mode = place.stat().st_mode if place.exists() else 0
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            return f"everybody may rename what is in {place}"
    return None


def _of_others(place: Path) -> str | None:
    """Why a folder is not the user's own; None for one that is, or does not exist."""
    try:
        found = place.lstat()
    except OSError:
        return None
    if stat.S_ISLNK(found.st_mode):
        return f"{place} is a link"
    if not is_own(found):
        return f"{place} belongs to another user"
    if found.st_mode & OTHERS:
        return f"others may write to {place}"
    return None


def is_own(found: os.stat_result) -> bool:
    """Whether something belongs to the user or to root."""
    return not hasattr(os, "getuid") or found.st_uid in (os.geteuid(), 0)


def read_own(path: Path) -> bytes | None:
    """Contents of a regular file that nobody else can have written; None for any other."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    flags |= getattr(os, "O_NONBLOCK", 0)  # a pipe is not waited for
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            found = os.fstat(file.fileno())
            shared = hasattr(os, "getuid") and found.st_mode & OTHERS
            if not stat.S_ISREG(found.st_mode) or not is_own(found) or shared:
                return None
            return file.read()
    except OSError:
        return None
