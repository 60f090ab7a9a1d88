"""A study of very many runs kept in a folder: its time, and the most memory it takes.

    python benchmarks/million.py [--runs 1000000] [--steps 100] [--workers 2]

Double pendulums from random angles, fixed steps, two numbers recorded of each run; then the table
is read back. Memory is the largest that the process held (`ru_maxrss`), before and after.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time

import dalembert as dl


def largest():
    """Most memory so far  [MiB]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main():
    """One line for each part."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    axes = {"theta1": dl.uniform(-3.0, 3.0), "theta2": dl.uniform(-3.0, 3.0)}
    options = {"until": 1e-2 * given.steps, "step": 1e-2, "batch": True, "progress": False}
    options |= {"design": "random", "workers": given.workers}
    record = {"end": "final(theta2)", "fast": "max(theta1.dot)"}
    dl.sweep("double-pendulum", axes, count=100, record=record, **options)
    before = largest()
    with tempfile.TemporaryDirectory() as folder:
        began, cpu = time.perf_counter(), time.process_time()
        study = dl.sweep(
            "double-pendulum",
            axes,
            count=given.runs,
            record=record,
            folder=f"{folder}/study",
            **options,
        )
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
        running = largest()
        table = study.table
        good = sum(status == "OK" for status in table["status"])
        print(f"{given.runs} runs of {given.steps} steps: {wall:.0f} s, {cpu:.0f} s of processor")
        print(f"most memory {before:.0f} MiB before, {running:.0f} while it ran", end="")
        print(f", {largest():.0f} with the table; {good} rows are OK")


if __name__ == "__main__":
    main()
