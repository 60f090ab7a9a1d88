"""Everything in one command: peers installed, scenes run, one table, accuracy beside every time.

    python benchmarks/all.py            the whole: two hours
    python benchmarks/all.py --short    ten minutes at most, peers' installation aside
    python benchmarks/all.py --tiny     a minute: whether every program works; nothing is kept
    python benchmarks/all.py --tables   tables and figures of what was measured before

Tables of this machine go to machines/NAME/*.csv, RESULTS.md, figures/ and the README's are made of
them.
"""

from __future__ import annotations

import argparse
import csv
import datetime as dt
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import peer_environments
import summary
from tables import RESULTS

HERE = Path(__file__).parent
SHORT = {  # seconds that each may take; the sum is ten minutes
    "run.py pendulum four-bars slider-crank biped --repeats 3": 60,
    "run.py linkage chain --repeats 2": 90,
    "run.py tree loops collision --repeats 2": 90,
    "contact.py incline stack cards boxes-10 boxes-100": 150,
    "precision.py pendulum linkage --repeats 2": 70,
    "worlds.py --only cartpole/Euler,arm7/Euler,fourbar --repeats 3 --grow": 50,
    "cenic.py ball": 60,
    "callbacks.py": 30,
}
WHOLE = {
    "run.py": 2700,
    "contact.py": 2700,
    "precision.py": 900,
    "worlds.py --grow": 900,
    "cenic.py": 2700,
    "contact_orders.py": 600,
    "analysis.py": 300,
    "adjoint.py": 300,
    "callbacks.py": 120,
}
TINY = {
    "run.py four-bars linkage --repeats 1": 120,
    "contact.py incline boxes-10 --repeats 1": 120,
    "precision.py pendulum --repeats 1": 120,
    "worlds.py --only cartpole/Euler --worlds 8 --repeats 1 --grow": 120,
    "cenic.py ball": 120,
    "callbacks.py": 60,
}
SETTINGS = {"short": {"DALEMBERT_LARGEST": "100"}, "tiny": {"DALEMBERT_LARGEST": "2"}, "whole": {}}
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


def load() -> float:
    """Mean number of processes of the last minute."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")


def run(form: str, programs: dict[str, int], variables: dict[str, str]) -> list[str]:
    """Run programs one after the other; a line about each, and what it wrote into about.csv."""
    told, began = [], time.monotonic()
    for command, seconds in programs.items():
        left = min(seconds, MOST - (time.monotonic() - began)) if form == "short" else seconds
        if left <= 0:
            told.append(f"{command}: not begun, the time was over")
            continue
        started, before, at = time.monotonic(), load(), time.time()
        ended = finished(command, left, os.environ | variables | SETTINGS[form])
        told.append(f"{command}: {ended}, {time.monotonic() - started:.0f} s")
        print(told[-1], flush=True)
        for file in RESULTS.glob("*.csv"):
            if file.stat().st_mtime >= at and file.name != "about.csv":
                note(file.stem, form, command, before)
    return told


def finished(command: str, seconds: float, variables: dict[str, str]) -> str:
    """How a program ended; with it end the programs it has begun."""
    words = [sys.executable, *(word.replace("boxes-", "boxes ") for word in command.split())]
    child = subprocess.Popen(words, cwd=HERE, env=variables, start_new_session=True)
    try:
        return f"exit {child.wait(seconds)}"
    except subprocess.TimeoutExpired:
        return f"cut off after {seconds:.0f} s; what was written counts"
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()


def note(table: str, form: str, command: str, before: float) -> None:
    """One line of about.csv: when, in which form, beside which load a table was made."""
    path = RESULTS / "about.csv"
    kept = summary.about(path) | {
        table: {
            "table": table,
            "date": str(dt.date.today()),
            "form": form,
            "load": f"{before:.1f} to {load():.1f}",
            "command": command,
        }
    }
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, summary.ABOUT)
        writer.writeheader()
        writer.writerows(kept[name] for name in sorted(kept))


def keep(place: Path, told: list[str]) -> None:
    """Tables into the folder of this machine, beside those of earlier runs."""
    place.mkdir(parents=True, exist_ok=True)
    earlier = summary.about(place / "about.csv")
    for file in RESULTS.glob("*.csv"):
        if file.name != "about.csv":
            shutil.copy(file, place / file.name)
    kept = earlier | summary.about(RESULTS / "about.csv")
    with (place / "about.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, summary.ABOUT)
        writer.writeheader()
        writer.writerows(kept[name] for name in sorted(kept))
    lines = [f"python {platform.python_version()}, {os.cpu_count()} processors", *told]
    (place / "about.txt").write_text("\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for form in ("short", "tiny", "tables"):
        parser.add_argument(f"--{form}", action="store_true")
    args = parser.parse_args()
    form = "short" if args.short else "tiny" if args.tiny else "whole"
    if not args.tables:
        for file in RESULTS.glob("*.csv"):
            file.unlink()
        variables, told = peer_environments.make()
        print("\n".join(told), flush=True)
        if form != "whole":
            variables.pop("PEER_EIGEN", None)  # the peer's programs in C++ take minutes to compile
        RESULTS.mkdir(exist_ok=True)
        told += run(form, {"short": SHORT, "tiny": TINY, "whole": WHOLE}[form], variables)
        if form == "tiny":
            print("\n".join(told))
            sys.exit(any("exit 0" not in line for line in told if ".py" in line))
        keep(HERE / "machines" / machine(), told)
    print(summary.write(HERE))


if __name__ == "__main__":
    main()
