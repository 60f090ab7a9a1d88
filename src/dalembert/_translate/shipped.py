"""Machine code that came with the package: looked for before anything is compiled.

A wheel of a platform has one file for each kind of processor (`ship` writes them). It begins with
a line that says what it is, a line of JSON with the hash of the sources it was made from and the
place, length and SHA-256 of every program, and then has the programs, packed. A file of other
sources, or a program that is not what its hash says, is as good as none.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dalembert._translate.cache import source_hash
from dalembert._translate.processor import processor

FOLDER = Path(__file__).parent.parent / "_code"
"""Where the files are; a package from its sources has no such folder."""

HEAD = b"dalembert machine code 1\n"

USED = os.environ.get("DALEMBERT_SHIPPED", "1") == "1"
"""False: everything is compiled for the processor of this machine."""

Make = Callable[[Any], bytes]
"""Compiles a program for a machine of LLVM's."""

_V2 = "cx16 popcnt sse4.2 ssse3"
_V3 = f"{_V2} avx2 bmi bmi2 f16c fma lzcnt movbe"
_V4 = f"{_V3} avx512f avx512bw avx512cd avx512dq avx512vl"

LEVELS = {
    "x86_64": {"x86-64-v4": _V4, "x86-64-v3": _V3, "x86-64-v2": _V2},
    "aarch64": {"generic": ""},
    "arm64": {"generic": ""},
}
"""Kinds of processors that files are made for, the fastest first, and the features each has."""


@dataclass(frozen=True)
class Index:
    """Contents of a file: places by name, counted from where the programs begin."""

    path: Path
    begin: int
    programs: dict[str, list[Any]]


def in_words() -> str:
    """A line that says what came with the package."""
    index = _index()
    if index is not None:
        return f"came with the package: {len(index.programs)} programs ({index.path.stem})"
    return "none came with the package: it is compiled on first use, and kept in the cache"


def recall(name: str) -> bytes | None:
    """Code of a program with its note; None where none came with the package."""
    index = _index()
    return None if index is None or name not in index.programs else read(index, name)


def read(index: Index, name: str) -> bytes | None:
    """Code of a program of a file; None where it is not what was written."""
    try:
        at, length, digest = index.programs[name]
        with index.path.open("rb") as file:
            file.seek(index.begin + at)
            code = zlib.decompress(file.read(length))
    except (OSError, ValueError, TypeError, zlib.error):
        return None
    return code if hashlib.sha256(code).hexdigest() == digest else None


@functools.cache
def _index() -> Index | None:
    """The file for this processor."""
    if not USED or not FOLDER.is_dir():
        return None
    _, triple, _, features = processor()
    found = {each[1:] for each in features.split(",") if each.startswith("+")}
    for level, needed in LEVELS.get(triple.split("-")[0], {}).items():
        if set(needed.split()) <= found:
            index = opened(FOLDER / file_name(triple, level))
            if index is not None:
                return index
    return None


def file_name(triple: str, level: str) -> str:
    """Name of the file for a platform and a kind of processor."""
    machine, *_, system = (*triple.split("-")[:3],)
    return f"{machine}-{system.rstrip('0123456789.')}-{level}.bin"


def opened(path: Path) -> Index | None:
    """Index of a file; None for one that is missing, damaged or of other sources."""
    try:
        with path.open("rb") as file:
            if file.readline(len(HEAD)) != HEAD:
                return None
            told = json.loads(file.readline())
            if told["sources"] != source_hash() or not isinstance(told["programs"], dict):
                return None
            return Index(path, file.tell(), told["programs"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


# --- what is compiled after all ------------------------------------------------------------------

collecting: list[dict[str, Make]] = []
"""Who wants to have what is compiled, by name (`ship.collected`)."""


def tell(name: str, make: Make) -> None:
    """Let those who collect programs know of one that was compiled."""
    for programs in collecting:
        programs[name] = make
