"""Write machine code that travels with the package (`shipped` reads it).

The text of a program does not depend on the machine it is written on, so that code for every
platform LLVM knows is made on one.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from dalembert._translate import shipped
from dalembert._translate.cache import source_hash
from dalembert._translate.processor import machine_for
from dalembert._translate.shipped import Make


@contextmanager
def collected() -> Iterator[dict[str, Make]]:
    """Programs with a name that are compiled within the block, and how each is made."""
    programs: dict[str, Make] = {}
    shipped.collecting.append(programs)
    try:
        yield programs
    finally:
        shipped.collecting.remove(programs)


def write(folder: Path, triple: str, level: str, programs: Mapping[str, Make]) -> Path:
    """Compile programs for a platform and a kind of processor; the file they are in."""

    def code_of(name: str) -> bytes:
        return programs[name](machine_for(triple, level))

    names = sorted(programs)
    with ThreadPoolExecutor(2) as pool:
        codes = list(pool.map(code_of, names))
    packed = [zlib.compress(code, 9) for code in codes]
    places, at = {}, 0
    for name, code, short in zip(names, codes, packed, strict=True):
        places[name] = [at, len(short), hashlib.sha256(code).hexdigest()]
        at += len(short)
    told = {"sources": source_hash(), "triple": triple, "level": level, "programs": places}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / shipped.file_name(triple, level)
    path.write_bytes(b"".join([shipped.HEAD, json.dumps(told).encode(), b"\n", *packed]))
    return path
