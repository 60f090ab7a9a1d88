"""The command line: one file a command, nothing heavy imported before it is needed.

Exit codes: 0 fine, 1 a tolerance was missed, 2 bad input, 3 the run failed.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence

from dalembert.cli.parser import build_parser
from dalembert.errors import DalembertError, SimulationError

__all__ = ["main"]

OK, TOLERANCE_MISSED, BAD_INPUT, RUN_FAILED = range(4)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; errors become one readable paragraph."""
    try:
        arguments = build_parser().parse_args(argv)
    except SystemExit as stop:  # --help, --version, or a misspelt option already explained
        return stop.code if isinstance(stop.code, int) else BAD_INPUT
    try:
        code: int = arguments.command(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader (`| head`) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        return _explain("Interrupted before anything was computed.", RUN_FAILED)
    except Exception as problem:
        if arguments.debug:
            traceback.print_exc()
        return _explain(*_sentence(problem))
    return code


def _sentence(problem: Exception) -> tuple[str, int]:
    if isinstance(problem, SimulationError):
        return str(problem), RUN_FAILED
    if isinstance(problem, DalembertError):
        return str(problem), BAD_INPUT
    if isinstance(problem, OSError):  # what is printed does not fit, a disk went away
        place = problem.filename or "The output"
        return f"{place} cannot be written or read: {problem.strerror or problem}.", RUN_FAILED
    text = (
        f"Something went wrong inside dalembert: {type(problem).__name__}: {problem}."
        " Run the command again with --debug and report what it prints."
    )
    return text, RUN_FAILED


def _explain(message: str, code: int) -> int:
    from dalembert.cli.output import print_error

    print_error(message)
    return code
