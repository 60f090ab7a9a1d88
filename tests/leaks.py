"""Memory over many steps and many models: what is left behind, told in figures.

    python -m tests.leaks [--steps 1000000] [--models 10000]

Steps of one session, with contact and without; models of formulas, each with numbers of its own,
and of bodies, built, simulated and let go. Told are resident memory and mapped regions after a
tenth and at the end; more than 5 MB and a tenth of growth between them is a leak, and exit code 1.
"""

from __future__ import annotations

import argparse
import gc
import sys
from pathlib import Path

import dalembert as dl

ALLOWED, PART = 5.0, 0.1
"""Growth that is none: megabytes, and as a part of what is there."""


def memory():
    """Resident megabytes and number of mapped regions."""
    gc.collect()
    status = Path("/proc/self/status").read_text()
    resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    maps = len(Path("/proc/self/maps").read_text().splitlines())
    return float(resident.split()[1]) / 1024, maps


def watched(name, count, once):
    """Call `once(k)` so often; whether memory grows between a tenth and the end."""
    early = max(1, count // 10)
    for k in range(early):
        once(k)
    first, regions = memory()
    for k in range(early, count):
        once(k)
    last, later = memory()
    grown = last - first > ALLOWED and last - first > PART * first
    words = "LEAKS" if grown else "stays"
    print(f"{name}: {first:.1f} MB after {early}, {last:.1f} MB after {count},", end=" ")
    print(f"regions {regions} and {later}: {words}", flush=True)
    return grown


def stepping(name, step, chunk=1000):
    """Advance one session by a chunk of steps."""
    session = dl.Session(dl.catalog.load(name), step=step)

    def once(k):
        session.advance(chunk * step)

    return once


def formulas(k):
    """A pendulum with a length of its own in its formulas."""
    x, y = dl.coordinates("x y")
    length = 1.0 + 1e-4 * k
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        potential=9.81 * y,
        constraints=[x**2 + y**2 - length**2],
    )
    dl.simulate(model, until=0.05, step=1e-2, initial={x: length, y: 0.0}, progress=False)


def bodies(k):
    """A row of four-bars of bodies."""
    dl.simulate(
        dl.catalog.load("n-four-bar-bodies", count=1 + k % 3), until=0.05, step=1e-2, progress=False
    )


def main():
    """Everything; 1 where something grows."""
    parser = argparse.ArgumentParser(prog="python -m tests.leaks")
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--models", type=int, default=10_000)
    given = parser.parse_args()
    chunks = max(10, given.steps // 1000)
    grown = [
        watched("thousand steps of four-bars", chunks, stepping("four-bars", 1e-3)),
        watched("thousand steps of a stack", max(10, chunks // 20), stepping("stack", 2e-3)),
        watched("models of formulas", given.models, formulas),
        watched("models of bodies", max(10, given.models // 10), bodies),
    ]
    return int(any(grown))


if __name__ == "__main__":
    sys.exit(main())
