"""Draw figures of a saved run.

WHAT is drift, energy, trajectory, multipliers, stroboscope, or any signals: coordinates (x),
velocities (x.dot), constraint forces (mount.force), formulas ("x**2 + y**2"). Each named figure
becomes a file of its own; all signals share one.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

FIGURES = ("drift", "energy", "trajectory", "multipliers", "stroboscope")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("run", metavar="RUN.npz", help="a run saved by: dalembert run --out")
    parser.add_argument("what", metavar="WHAT", nargs="*", default=["drift"], help="see above")
    parser.add_argument(
        "--out", metavar="FOLDER", default=".", help="where the figures go (default: here)"
    )
    parser.add_argument("--format", choices=("png", "pdf", "svg"), default="png")


def run(arguments: argparse.Namespace) -> int:
    """Write the figures and print their paths."""
    from dalembert.cli import OK
    from dalembert.cli.output import make_folder
    from dalembert.simulation.solution import load_solution

    solution = load_solution(arguments.run)
    named = [name for name in arguments.what if name in FIGURES]
    signals = [signal_of(text, solution) for text in arguments.what if text not in FIGURES]

    from dalembert.plotting.plot import plot

    folder = make_folder(arguments.out)
    stem = Path(arguments.run).stem
    jobs: list[tuple[str, tuple[Any, ...]]] = [(name, (name,)) for name in named]
    if signals:
        jobs.append(("signals", tuple(signals)))
    for label, what in jobs:
        path = folder / f"{stem}-{label}.{arguments.format}"
        plot(solution, *what, path=path)
        print(path)
    return OK


def signal_of(text: str, solution: Any) -> Any:
    """The name when the solution has it, else the text read as a formula of its symbols."""
    from dalembert.errors import OptionError
    from dalembert.formulas.parser import parse
    from dalembert.formulas.variables import time

    try:
        solution[text]
    except OptionError:
        if text.replace(".", "").replace("_", "").isalnum():
            raise  # a misspelt name, not a formula
    else:
        return text
    symbols = {coordinate.name: coordinate for coordinate in solution.model.coordinates}
    for name, value in solution.model.parameters.items():
        symbols.setdefault(name, _parameter(name, value))
    symbols.setdefault("t", time)
    return parse(text, symbols, where="WHAT")


def _parameter(name: str, value: float) -> Any:
    from dalembert.formulas.variables import parameters

    return parameters(**{name: value})[0]
