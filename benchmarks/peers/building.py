"""Build a peer's own program in C++ against the library of its wheel, and run it.

A compiler and Eigen's headers are needed (PEER_EIGEN names their folder). Optimised as the peer
recommends, -O3 -march=native; it takes minutes and is kept until the source changes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

KEPT = Path(__file__).parents[1] / "results"
BUILDING, RUNNING = 600.0, 300.0  # [s]


def output_of(source: str, package: str, library: str, *arguments: str) -> list[str] | None:
    """Lines printed by the program of `source`, a file beside this; None where it is not built.

    `package` is the `__file__` of the peer's module: headers and library are those of its wheel.
    """
    program = _built(Path(__file__).with_name(source), Path(package), library)
    if program is None:
        return None
    done = subprocess.run(
        [program, *arguments], check=True, capture_output=True, text=True, timeout=RUNNING
    )
    return done.stdout.splitlines()


def _built(source: Path, package: Path, library: str) -> Path | None:
    """The program, as it was kept or new."""
    program = KEPT / source.stem
    if program.exists() and program.stat().st_mtime >= source.stat().st_mtime:
        return program
    eigen, compiler = os.environ.get("PEER_EIGEN"), shutil.which("g++")
    if not eigen or compiler is None:
        return None
    prefix = next(p for p in package.parents if (p / "include" / "pinocchio").is_dir())
    KEPT.mkdir(exist_ok=True)
    subprocess.run(
        [
            *(compiler, "-O3", "-march=native", "-DNDEBUG", "-std=c++17", str(source)),
            # Boost's lists of types are too short for the joints of Pinocchio 4
            *("-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DBOOST_MPL_LIMIT_LIST_SIZE=30"),
            *(f"-I{prefix / 'include'}", f"-I{eigen}", f"-L{prefix / 'lib'}"),
            *(f"-l{library}", f"-Wl,-rpath,{prefix / 'lib'}", "-o", str(program)),
        ],
        check=True,
        timeout=BUILDING,
        capture_output=True,
    )
    return program
