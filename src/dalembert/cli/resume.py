"""Go on with a run kept in a folder, and print the fidelity report.

RUN was written by `dalembert run MODEL --out RUN` and was killed, interrupted, ran out of disk, or
is to go on further (--until). The result is that of a run that was never stopped, to the bit.

Exit codes are those of `run`.
"""

from __future__ import annotations

import argparse
import warnings
from typing import TYPE_CHECKING

from dalembert.cli.parser import add_json, number, seconds

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("run", metavar="RUN", help="folder of a run")
    parser.add_argument("--until", type=seconds, metavar="T", help="another end of the run [s]")
    parser.add_argument(
        "--progress",
        action=argparse.BooleanOptionalAction,
        help="show time left and drift; by default in a terminal",
    )
    parser.add_argument("--html", metavar="FILE.html", help="write a page that plays the motion")
    parser.add_argument(
        "--tolerance",
        type=number,
        metavar="X",
        help="exit with 1 when the worst violation, at either level, exceeds X",
    )
    add_json(parser, "the report as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Resume, report."""
    from pathlib import Path

    from dalembert.cli.output import check_writable, print_note
    from dalembert.cli.run import progress_of, told
    from dalembert.errors import RunFileError
    from dalembert.simulation.rundir.resume import resume

    if Path(arguments.run).is_file():
        raise RunFileError(
            f"{arguments.run}: is a file. A run can be resumed from a folder, which"
            " dalembert run --out RUN writes when RUN does not end in .npz."
        )
    if arguments.html:
        check_writable(arguments.html)

    def resumed() -> Solution:
        with warnings.catch_warnings():
            # Other versions: a sentence, not the line of a program.
            warnings.showwarning = lambda message, *_: print_note(f"dalembert: {message}")
            return resume(
                arguments.run,
                arguments.until,
                on_failure="return",
                progress=progress_of(arguments),
            )

    return told(resumed, arguments)
