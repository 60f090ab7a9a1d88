"""The command line: one file a command, nothing heavy imported before it is needed.

Exit codes, the same for every command: 0 fine, 1 a verdict that is not good or a tolerance that was
missed, 2 bad input, 3 the run stopped before its end, 130 interrupted.
"""

from __future__ import annotations

import _thread
import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

__all__ = ["main"]

OK, NOT_GOOD, BAD_INPUT, RUN_FAILED = range(4)
INTERRUPTED = 130
"""Exit code that shells give to a process that Ctrl-C ended."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; errors become one readable paragraph."""
    try:
        _open_streams()
        with _no_lost_interrupt():
            return _main(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:  # at any moment: while importing, compiling, printing
        code = _explain("Interrupted.", INTERRUPTED)
        _leave_compiling(code)
        return code
    except BrokenPipeError:  # the reader (`| head`) has seen enough
        _drop_output()
        return OK


def _leave_compiling(code: int) -> None:
    """End at once where a thread is compiling: an ordinary end would wait for it."""
    if any(thread.name == "dalembert-compile" for thread in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _main(argv: list[str]) -> int:
    if argv[:1] == ["__complete"]:  # what the shell asks at a TAB
        from dalembert.cli.complete import answer

        return answer(argv[1:])
    from dalembert.cli.parser import build_parser

    parser = build_parser()
    if argv[:1] == ["help"]:  # as some others have it
        argv = [*argv[1:2], "--help"]
    if not argv:
        parser.print_help()
        return BAD_INPUT
    try:
        arguments = parser.parse_args(argv)
    except SystemExit as stop:  # --help, --version, or a misspelt option already explained
        sys.stdout.flush()
        return stop.code if isinstance(stop.code, int) else BAD_INPUT
    with _without_colour(arguments.no_color):
        try:
            from dalembert.cli import output

            output.quiet, output.of_file = arguments.quiet, False
            code: int = arguments.run_command(arguments)
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except Exception as problem:
            if arguments.debug:
                import traceback

                traceback.print_exc()
            return _explain(*_sentence(problem))
    return code


def _sentence(problem: Exception) -> tuple[str, int]:
    from dalembert.errors import DalembertError, SimulationError

    if isinstance(problem, SimulationError):
        return str(problem), RUN_FAILED
    if isinstance(problem, DalembertError):
        return str(problem), BAD_INPUT
    if isinstance(problem, OSError):  # what is printed does not fit, a disk went away
        place = problem.filename or "The output"
        return f"{place} cannot be written or read: {problem.strerror or problem}.", RUN_FAILED
    if isinstance(problem, MemoryError):
        return "The machine has not enough memory for this. Record less (--every).", RUN_FAILED
    text = (
        f"Something went wrong inside dalembert: {type(problem).__name__}: {problem}."
        " Run the command again with --debug and report what it prints."
    )
    return text, RUN_FAILED


def _explain(message: str, code: int) -> int:
    from dalembert.cli.output import print_error

    try:
        with contextlib.suppress(OSError):
            sys.stdout.flush()  # what was said before the error stands before it
        print_error(message)
    except OSError:  # standard error is gone or full too: the code is all that is left
        _drop_output()
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


@contextlib.contextmanager
def _no_lost_interrupt() -> Iterator[None]:
    """Ctrl-C in a place where Python cannot raise (a callback within an import) comes once more.

    Otherwise Python prints a traceback, ignores it, and goes on.
    """
    before = sys.unraisablehook

    def again() -> None:
        time.sleep(0.02)  # until that place is left
        os.kill(os.getpid(), signal.SIGINT)

    def hook(problem: Any) -> None:
        if problem.exc_type is KeyboardInterrupt:
            _thread.start_new_thread(again, ())
        else:
            before(problem)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


# -- streams ---------------------------------------------------------------------------------------


def _open_streams() -> None:
    """Give a stream that was closed (``>&-``) to nobody.

    Otherwise the next file that is opened takes its number, and what is printed goes there.
    """
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if descriptor == 0 else "w"))
    for stream in (sys.stdout, sys.stderr):
        # a name that the terminal cannot show is shown by its numbers, and ends no command
        if hasattr(stream, "reconfigure"):
            with contextlib.suppress(ValueError, OSError):
                stream.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """Let nothing more reach a pipe nobody reads; Python flushes both streams when it ends."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            try:
                stream.flush()
            except OSError:
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextlib.contextmanager
def _without_colour(wanted: bool) -> Iterator[None]:
    """``--no-color`` is NO_COLOR for this command; whatever prints knows the variable."""
    before = os.environ.get("NO_COLOR")
    if wanted:
        os.environ["NO_COLOR"] = "1"
    try:
        yield
    finally:
        if wanted and before is None:
            os.environ.pop("NO_COLOR", None)
