"""The argument parser: commands, shared options, and nearest names for misspelt ones.

The table below is all that is needed to show the commands; the file of a command is imported when
that command is typed. A new command is one line in the table and one file `cli/<name>.py` with

    add_arguments(parser)       its options; `add_model`, `add_run_options`, `add_json` are shared
    run(arguments) -> int       does it and returns an exit code of `dalembert.cli`
"""

from __future__ import annotations

import argparse
import difflib
import functools
import importlib
import os
import re
import shutil
import sys
import textwrap
from typing import Any, NoReturn

import dalembert

COMMANDS = {
    "demo": "two four-bar linkages through their singular positions",
    "models": "the models of the catalog, one line each",
    "run": "simulate a model and print the fidelity report",
    "resume": "go on with a run kept in a folder",
    "view": "look at a model live, or at a run, in the browser",
    "page": "a page in which a model runs, as one file for any browser",
    "lesson": "Markdown with models that run in it, as one file for any browser",
    "check": "degrees of freedom, rank, redundant rows, doubts",
    "plot": "draw figures of a run or of a model",
    "reactions": "the largest reactions, motor torques and powers of a run",
    "size": "what bearings and motors of a run must carry",
    "compare": "run a model by several methods and print the table",
    "sweep": "run a model in many variants, as one table",
    "export": "write the series of a run as CSV, HDF5 and more",
    "import": "read a model of any kind, report, write it as ours",
    "warmup": "compile everything ahead of the first run",
    "doctor": "examine a model; without one versions, cache, self test",
    "completion": "what makes bash, zsh or fish complete words",
}
"""Name -> what it does; the order is that of the help."""

FILES = {"import": "import_model", "models": "list_models"}
"""Commands whose file is not called like them."""

SHARED = ("-q", "--quiet", "--no-color", "--debug")
"""Options of every command."""

NEGATIVE = re.compile(r"-(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$|-(inf|nan)$", re.IGNORECASE)
"""A number below zero, which may follow an option."""

LEAST_LIKENESS = 0.6
"""Below it a known name is no help."""


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` whose errors are one sentence with the nearest known name."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # argparse takes -1e-3 for an option
        self._negative_number_matcher = NEGATIVE

    def error(self, message: str) -> NoReturn:
        """Explain and leave with exit code 2."""
        from dalembert.cli.output import print_error

        print_error(f"{_plain_words(message, self)}\nSee: {self.prog} --help")
        sys.exit(2)


class CommandParser(Parser):
    """The parser of one command; it asks the command for its options when it needs them."""

    command = ""
    typed: tuple[str, ...] = ()

    def fill(self) -> CommandParser:
        """Ask the command's file for its options and long description, once."""
        if self.command and self.get_default("run_command") is None:
            file = FILES.get(self.command, self.command)
            module = importlib.import_module(f"dalembert.cli.{file}")
            self.description = _filled(module.__doc__ or "")
            module.add_arguments(self)
            self.add_argument(
                "-q", "--quiet", action="store_true", help="only results and errors: no notes"
            )
            self.add_argument("--no-color", action="store_true", help="plain text; as NO_COLOR=1")
            self.add_argument("--debug", action="store_true", help="show the traceback of an error")
            self.set_defaults(run_command=module.run)
        return self

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """Like the original, but nothing may remain unknown."""
        self.fill()
        self.typed = tuple(args or ())
        namespace, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return namespace, rest


def build_parser() -> Parser:
    """The parser of the whole command line; commands fill themselves when they are used."""
    parser = Parser(
        prog="dalembert",
        formatter_class=functools.partial(argparse.HelpFormatter, max_help_position=18),
        description="Simulate constrained mechanical systems without drift.",
        epilog="MODEL is a catalog name (pendulum, biped:exercise=3), a Python file (file.py or"
        " file.py:name) or a YAML, JSON, TOML or URDF model. Start with: dalembert demo",
    )
    parser.add_argument("--version", action="version", version=f"dalembert {dalembert.__version__}")
    commands = parser.add_subparsers(
        metavar="COMMAND", dest="command", title="commands", parser_class=CommandParser
    )
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(
            name, help=summary, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        sub.command = name
    return parser


def command_parsers() -> dict[str, CommandParser]:
    """The parser of every command with all its options."""
    (commands,) = (
        action
        for action in build_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    return {name: sub.fill() for name, sub in commands.choices.items()}


# -- options that commands share -------------------------------------------------------------------


def add_model(parser: argparse.ArgumentParser) -> None:
    """The MODEL argument."""
    parser.add_argument(
        "model",
        metavar="MODEL",
        help="catalog name, file.py[:name], YAML, JSON, TOML, URDF file",
    )


def add_json(parser: argparse.ArgumentParser, what: str = "as JSON") -> None:
    """``--json``."""
    parser.add_argument("--json", action="store_true", help=f"print {what}")


def add_values(parser: argparse.ArgumentParser) -> None:
    """Other parameters, another start."""
    parser.add_argument(
        "--parameters", action="append", default=[], metavar="l=2.0,...", help="change parameters"
    )
    parser.add_argument(
        "--initial",
        action="append",
        default=[],
        metavar="x=1.0,x.dot=0,...",
        help="change the initial state",
    )


def add_method(parser: argparse.ArgumentParser) -> None:
    """``--method``."""
    parser.add_argument("--method", metavar="NAME[:key=value,...]", help="default: projection")


def add_steps(parser: argparse.ArgumentParser) -> None:
    """Add how steps are taken, and what they begin with."""
    parser.add_argument("--step", type=seconds, metavar="H", help="fixed step [s]")
    parser.add_argument(
        "--integrator", metavar="NAME[:key=value,...]", help="for example rk4, dormand-prince"
    )
    parser.add_argument(
        "--formulation",
        choices=("auto", "maximal", "generalized"),
        help="coordinates of bodies or of joints; by default what costs less",
    )
    add_values(parser)


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `simulate`, the same for every command that runs a model."""
    parser.add_argument("--until", type=seconds, metavar="T", help="end of the interval [s]")
    add_steps(parser)
    parser.add_argument(
        "--initial-limit",
        type=number,
        metavar="X",
        help="how far the start may be moved onto the constraints, over its size; default 0.1",
    )
    parser.add_argument("--every", type=count, metavar="K", help="record every K-th step")
    parser.add_argument(
        "--progress",
        action=argparse.BooleanOptionalAction,
        help="time left and drift while it runs; by default on a terminal only",
    )


def add_tolerances(parser: argparse.ArgumentParser) -> None:
    """Add the options of runs that choose their steps."""
    parser.add_argument(
        "--mode",
        choices=("auto", "events", "stepping"),
        help="contacts by located events or by steps; by default events where they are few",
    )
    parser.add_argument("--rtol", type=number, metavar="X", help="relative tolerance")
    parser.add_argument("--atol", type=number, metavar="X", help="absolute tolerance")


def seconds(text: str) -> float:
    """A number of seconds; ``10s`` and ``1ms`` are refused with the number that is meant."""
    try:
        return float(text)
    except ValueError:
        pass
    if re.fullmatch(r"\d+,\d+", text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a number of seconds. Write {text.replace(',', '.')}."
        )
    unit = re.fullmatch(r"([-+.\deE]+)\s*(ms|s|min)", text)
    try:
        meant = float(unit[1]) * {"ms": 1e-3, "s": 1.0, "min": 60.0}[unit[2]] if unit else None
    except ValueError:
        meant = None
    hint = f" Write {meant:g}." if meant is not None else " Write for example 0.01 or 1e-2."
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds.{hint}")


def number(text: str) -> float:
    """Any number."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a number. Write for example 1e-6."
        ) from None


def count(text: str) -> int:
    """A whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a whole number. Write for example 10."
        ) from None


def _filled(text: str) -> str:
    """Paragraphs as wide as the terminal; what is indented stays as it is."""
    columns = max(40, min(100, shutil.get_terminal_size().columns - 2))
    return "\n\n".join(
        part if "\n    " in f"\n{part}" else textwrap.fill(part, columns)
        for part in text.strip("\n").split("\n\n")
    )


# -- sentences -------------------------------------------------------------------------------------


def near(name: str, known: Any) -> str:
    """`` Did you mean 'run'?`` or nothing."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=LEAST_LIKENESS)
    return f" Did you mean {close[0]!r}?" if close else ""


def _plain_words(message: str, parser: Parser) -> str:
    """A message of argparse, as a sentence."""
    options = [o for action in parser._actions for o in action.option_strings]
    wrong = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message, re.DOTALL)
    if wrong:
        known = [name.strip(" '") for name in wrong[2].split(",")]
        given = wrong[1]
        option = re.match(r"argument (--?[\w-]+)", message)
        place = f"{option[1]}: " if option else ""
        hint = near(given, known)
        if parser.prog == "dalembert":
            if _is_model(given):
                return f"There is no command {given!r}, but a model: dalembert run {given}"
            return f"There is no command {given!r}.{hint} Commands: {', '.join(known)}."
        return f"{place}{given!r} is not known here.{hint} Choose from: {', '.join(known)}."
    unknown = re.search(r"unrecognized arguments: (\S+)", message)
    if unknown:
        word = unknown[1]
        if not word.startswith("-"):
            many = [a.metavar for a in parser._actions if a.nargs == "*" and not a.option_strings]
            if many:
                return f"{word!r} comes too late. Write each {many[0]} before the options."
            return f"{word!r} is one word too many: nothing is expected there."
        word = word.partition("=")[0]
        return f"There is no option {word!r}.{near(word, options)}"
    missing = re.search(r"the following arguments are required: (.*)", message)
    if missing:
        for word in getattr(parser, "typed", ()):  # a misspelt option comes first
            name = word.partition("=")[0]
            if name.startswith("--") and not any(o.startswith(name) for o in options):
                return f"There is no option {name!r}.{near(name, options)}"
        words = [str(a.metavar or a.dest) for a in parser._actions if not a.option_strings]
        return f"{missing[1]} is missing. Write: {parser.prog} {' '.join(words)}"
    value = re.fullmatch(r"argument (?:-\w/)?(\S+?)(?:/\S+)?: (.*)", message, re.DOTALL)
    if value:
        if value[2].startswith("expected"):
            return f"{value[1]} needs a value behind it."
        return f"{value[1]}: {value[2]}"
    return message


def _is_model(word: str) -> bool:
    """Whether somebody forgot `run`."""
    ends = (".yaml", ".yml", ".json", ".toml", ".urdf", ".xml", ".mjcf", ".py")
    if word.endswith(ends) and os.path.exists(word):
        return True
    from dalembert import catalog

    return word.partition(":")[0] in catalog.names()
