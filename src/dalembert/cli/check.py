"""Degrees of freedom, rank and redundant constraints of a model at its initial state."""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING

from dalembert.cli.parser import add_model

if TYPE_CHECKING:
    from dalembert.analysis.rank import RankReport
    from dalembert.model import Model

FAR = 0.1
"""`simulate` refuses an initial state farther than this from the constraints by default."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    add_model(parser)
    parser.add_argument(
        "--initial", action="append", default=[], metavar="x=1.0,...", help="another state"
    )
    parser.add_argument(
        "--parameters", action="append", default=[], metavar="l=2.0,...", help="change parameters"
    )
    parser.add_argument("--json", action="store_true", help="print as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Check and print."""
    from dalembert.analysis.rank import constraint_rank
    from dalembert.cli import OK
    from dalembert.cli.models import initial_of, load_model, parameters_of
    from dalembert.cli.output import print_json

    model = load_model(arguments.model)
    if arguments.parameters:
        model = model.with_parameters(**parameters_of(arguments.parameters, model))
    model.check()
    found = constraint_rank(model, initial_of(arguments.initial, model))
    if arguments.json:
        print_json(dataclasses.asdict(found) | {"degrees_of_freedom": found.degrees_of_freedom})
    else:
        print(_text(model, found))
    return OK


def _text(model: Model, found: RankReport) -> str:
    from dalembert.simulation.report import count

    names = ", ".join(coordinate.name for coordinate in model.coordinates)
    lines = [
        f"Model {found.model}",
        f"  coordinates         {found.coordinates}: {names}",
        f"  constraint rows     {len(found.rows)}"
        + (": " if found.rows else "")
        + ", ".join(found.rows),
        f"  rank                {found.rank} at the initial state",
        f"  degrees of freedom  {found.degrees_of_freedom}",
    ]
    for name, others in found.redundant:
        reason = f"follows from {', '.join(others)}" if others else "its gradient vanishes"
        lines.append(f"  redundant           {name}: {reason}")
    lines += _residual("position", found.phi) + _residual("velocity", found.phi_dot)
    if found.redundant:
        rows = count(len(found.redundant), "redundant row")
        lines.append(
            f"Note: {rows} at this state. The motion is still unique; single multipliers are not."
            " Choose a method that accepts dependent rows (the default does)."
        )
    return "\n".join(lines)


def _residual(level: str, residuals: object) -> list[str]:
    values: dict[str, float] = dict(residuals)  # type: ignore[call-overload]
    if not values:
        return []
    row = max(values, key=lambda name: abs(values[name]))
    worst = abs(values[row])
    if worst == 0:
        return [f"  initial {level}    satisfies the constraints"]
    remark = " (will be moved onto them)" if worst > 1e-12 else ""
    return [f"  initial {level}    off by at most {worst:.1e}, in {row}{remark}"]
