"""Print what bearings and motors of a run must carry.

RUN_OR_MODEL is the folder of a run, a .npz saved by `dalembert run --out`, or a MODEL, which is
simulated first. NAME is a joint or a drive; by default all of them. Bearings: peak and RMS force,
across and along the axis, peak and RMS torque. Drives: peak and RMS effort, power, work, what they
drive and what they brake; with --cycle the work of the last cycle. --histogram NAME counts load
cycles of one of them by their range (rainflow), for fatigue.
"""

from __future__ import annotations

import argparse
from typing import Any

from dalembert.cli.parser import (
    add_json,
    add_method,
    add_run_options,
    add_tolerances,
    count,
    seconds,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("run", metavar="RUN_OR_MODEL", help="folder of a run, RUN.npz, or MODEL")
    parser.add_argument("names", metavar="NAME", nargs="*", default=[], help="see above")
    parser.add_argument("--cycle", type=seconds, metavar="T", help="length of a cycle [s]")
    parser.add_argument("--histogram", metavar="NAME", help="load cycles of a joint or drive")
    parser.add_argument(
        "--load",
        choices=("force", "torque", "radial", "axial", "effort"),
        default="force",
        help="which load of a joint the histogram counts",
    )
    parser.add_argument("--bins", type=count, default=10, metavar="N", help="of the histogram")
    add_method(parser)
    add_run_options(parser)
    add_tolerances(parser)
    add_json(parser, "all numbers as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the tables."""
    from dalembert.analysis.sizing.sizing import sizing
    from dalembert.cli import OK, RUN_FAILED
    from dalembert.cli.output import print_error, print_json
    from dalembert.cli.saved import solution_of

    solution = solution_of(arguments.run, arguments)
    found = sizing(solution, arguments.names, cycle=arguments.cycle)
    counted = None
    if arguments.histogram:
        counted = found.histogram(arguments.histogram, arguments.load, arguments.bins)
    if arguments.json:
        more = {}
        if counted is not None:
            more["histogram"] = {"counts": counted[0].tolist(), "edges": counted[1].tolist()}
        print_json(found.report() | more)
    else:
        print(found.summary())
        if counted is not None:
            print(f"\n{_histogram(*counted)}")
    if solution.status.failed:
        print_error(solution.message)
        return RUN_FAILED
    return OK


def _histogram(counts: Any, edges: Any) -> str:
    from dalembert.analysis.table import text_table

    rows = [
        [f"{low:.4g} to {high:.4g}", f"{number:g}"]
        for low, high, number in zip(edges[:-1], edges[1:], counts, strict=True)
    ]
    return text_table(["range", "cycles"], rows)
