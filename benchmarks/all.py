"""Everything in one command: peers installed, scenes run, one table, accuracy beside every time.

    python benchmarks/all.py            the whole: an hour and more
    python benchmarks/all.py --short    ten minutes at most
    python benchmarks/all.py --tables   tables and figures of what was measured before

Tables of this machine go to machines/NAME/*.csv, RESULTS.md and figures/ are made of them.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import peer_environments
import summary
from tables import RESULTS

HERE = Path(__file__).parent
SHORT = [
    ["run.py", "pendulum", "four-bars", "tree", "--repeats", "3"],
    ["run.py", "linkage", "--repeats", "2"],
    ["contact.py", "incline", "stack", "boxes 10"],
]
WHOLE = [
    ["run.py"],
    ["contact.py"],
    ["cenic.py"],
    ["worlds.py"],
    ["analysis.py"],
    ["contact_orders.py"],
]
MOST = 600.0
"""Seconds after which the short form begins nothing more."""


def machine() -> str:
    """A name of this machine: its processor."""
    name = platform.processor() or platform.machine()
    try:
        found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
        name = found[1] if found else name
    except OSError:
        pass
    return re.sub(r"\W+", "-", name).strip("-").lower()


def run(programs: list[list[str]], most: float) -> list[str]:
    """Run programs one after the other; a line about each."""
    variables, told = peer_environments.make()
    print("\n".join(told), flush=True)
    began = time.monotonic()
    for command in programs:
        left = most - (time.monotonic() - began)
        if left <= 0:
            told.append(f"{' '.join(command)}: not begun, the time was over")
            continue
        try:
            done = subprocess.run(
                [sys.executable, *command], cwd=HERE, env=os.environ | variables, timeout=left
            )
            told.append(f"{' '.join(command)}: exit {done.returncode}")
        except subprocess.TimeoutExpired:
            told.append(f"{' '.join(command)}: cut off after {left:.0f} s; what was written counts")
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--tables", action="store_true")
    args = parser.parse_args()
    place = HERE / "machines" / machine()
    if not args.tables:
        shutil.rmtree(RESULTS, ignore_errors=True)
        told = run(SHORT if args.short else WHOLE, MOST if args.short else 1e9)
        place.mkdir(parents=True, exist_ok=True)
        for file in sorted(RESULTS.glob("*.csv")):
            shutil.copy(file, place / file.name)
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
        lines = [
            f"date: {dt.date.today()}",
            f"form: {'short' if args.short else 'whole'}",
            f"load at the end: {load:.1f} on {os.cpu_count()} processors",
            f"python: {platform.python_version()}",
            *told,
        ]
        (place / "about.txt").write_text("\n".join(lines) + "\n")
    print(summary.write(HERE))


if __name__ == "__main__":
    main()
