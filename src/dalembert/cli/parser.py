"""The argument parser: commands, shared options, and nearest names for misspelt ones."""

from __future__ import annotations

import argparse
import difflib
import importlib
import re
from typing import NoReturn

import dalembert

COMMANDS = ("demo", "run", "check", "plot", "compare", "export", "warmup", "doctor")


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` whose errors are one sentence with the nearest known name."""

    def error(self, message: str) -> NoReturn:
        """Explain and leave with exit code 2."""
        wrong = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message)
        if wrong:
            known = [name.strip(" '") for name in wrong[2].split(",")]
            near = difflib.get_close_matches(wrong[1], known, n=1, cutoff=0.5)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            message = f"{wrong[1]!r} is not known here.{hint} Choose from: {', '.join(known)}."
        unknown = re.search(r"unrecognized arguments: (\S+)", message)
        if unknown:
            options = [o for action in self._actions for o in action.option_strings]
            near = difflib.get_close_matches(unknown[1].partition("=")[0], options, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            message = f"{unknown[1]!r} is not understood.{hint}"
        self.exit(2, f"dalembert: {message}\nSee: {self.prog} --help\n")


class CommandParser(Parser):
    """The parser of one command; it reports what it does not know, because it knows its options."""

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """Like the original, but nothing may remain unknown."""
        namespace, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return namespace, rest


def build_parser() -> Parser:
    """The parser of the whole command line."""
    parser = Parser(
        prog="dalembert",
        description="Simulate constrained mechanical systems without drift.",
        epilog="MODEL is a catalog name (pendulum, biped:exercise=3), a Python file (file.py or"
        " file.py:name) or a YAML/JSON model. Start with: dalembert demo",
    )
    parser.add_argument("--version", action="version", version=f"dalembert {dalembert.__version__}")
    commands = parser.add_subparsers(
        metavar="COMMAND", required=True, title="commands", parser_class=CommandParser
    )
    for name in COMMANDS:
        module = importlib.import_module(f"dalembert.cli.{name}")
        text = module.__doc__ or ""
        summary = text.partition("\n")[0].rstrip(".")
        sub = commands.add_parser(
            name,
            help=summary[:1].lower() + summary[1:],
            description=text,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(sub)
        sub.add_argument("--debug", action="store_true", help="show the traceback of an error")
        sub.set_defaults(command=module.run)
    return parser


def add_model(parser: argparse.ArgumentParser) -> None:
    """The MODEL argument."""
    parser.add_argument("model", metavar="MODEL", help="catalog name, file.py[:name], or YAML/JSON")


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """What `simulate` needs, the same for every command that runs a model."""
    parser.add_argument("--until", type=float, metavar="T", help="end of the interval [s]")
    parser.add_argument("--step", type=float, metavar="H", help="fixed step [s]")
    parser.add_argument(
        "--integrator", metavar="NAME[:key=value,...]", help="for example rk4, dormand-prince"
    )
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
    parser.add_argument("--every", type=int, metavar="K", help="record every K-th step")
