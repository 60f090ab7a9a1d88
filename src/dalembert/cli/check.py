"""Degrees of freedom, rank and redundant rows of a model at its start; doubts about it."""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING

from dalembert.cli.parser import add_json, add_model, add_values

if TYPE_CHECKING:
    from dalembert.analysis.rank import RankReport
    from dalembert.model import Model

LARGEST = 40
"""Coordinates up to which the start is tried out; a larger model would have to be compiled."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    add_model(parser)
    add_values(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check and print."""
    from dalembert.cli import BAD_INPUT, OK
    from dalembert.cli.models import initial_of, load_model, parameters_of
    from dalembert.cli.output import print_json, print_report

    model = load_model(arguments.model)
    if arguments.parameters:
        model = model.with_parameters(**parameters_of(arguments.parameters, model))
    initial = initial_of(arguments.initial, model)
    if model.is_maximal:
        return _run_bodies(model, initial, as_json=arguments.json)
    from dalembert.analysis.rank import constraint_rank
    from dalembert.model.check.check import check

    doubts = check(model, initial or None)
    found = constraint_rank(model, initial)
    refusal, move, moved = _start(model, initial)
    doubts += moved
    if arguments.json:
        more = {
            "degrees_of_freedom": found.degrees_of_freedom,
            "singular": found.is_singular,
            "doubts": list(doubts),
        }
        print_json(dataclasses.asdict(found) | more | {"start_refused": refusal})
    else:
        print_report(_text(model, found, list(doubts), refusal, move))
    return BAD_INPUT if refusal else OK


def _run_bodies(model: Model, initial: dict[str, float], *, as_json: bool) -> int:
    from dalembert.cli import BAD_INPUT, OK
    from dalembert.cli.output import print_json, print_report
    from dalembert.model.check.check import check
    from dalembert.simulation.assembly.body_start import read_body_state

    start = read_body_state(model, initial) if initial else None
    given = {key.removesuffix(".dot").rpartition(".")[0] for key in initial}
    found = check(model, start, given, initial)
    if as_json:
        print_json(found.report())
    else:
        print_report(found.summary())
    return BAD_INPUT if found.refused else OK


def _start(model: Model, initial: dict[str, float]) -> tuple[str | None, float | None, list[str]]:
    """Why `run` refuses the start; how far it moves it, where that is known; what was given."""
    from dalembert.errors import SimulationError
    from dalembert.simulation.prepare import given_places
    from dalembert.simulation.prepare.asked_speeds import Speeds
    from dalembert.simulation.prepare.consistent import make_consistent
    from dalembert.simulation.prepare.initial_state import read_initial
    from dalembert.simulation.prepare.options import INITIAL_LIMIT
    from dalembert.system.build import build

    if len(model.coordinates) > LARGEST:
        return None, None, []
    system = build(model)
    values = [model.parameters[name] for name in system.parameter_names]
    q, v = read_initial(model, initial)
    try:
        speeds = Speeds(model, initial, INITIAL_LIMIT)
        start = make_consistent(
            system, values, 0.0, q, v, limit=INITIAL_LIMIT, move=True, speeds=speeds
        )
    except SimulationError as problem:
        return str(problem), None, []
    moved = given_places.moved_places(model, initial, q, start.q)[:3]
    told = [f"start: {given_places.sentence(one)}." for one in moved]
    return None, max(start.move_q, start.move_v), told


def _text(
    model: Model,
    found: RankReport,
    doubts: list[str],
    refusal: str | None,
    move: float | None,
) -> str:
    from dalembert.simulation.results.report import count

    names = ", ".join(coordinate.name for coordinate in model.coordinates)
    lines = [
        f"Model {found.model}",
        f"  coordinates         {found.coordinates}: {names}",
        f"  constraint rows     {len(found.rows)}"
        + (": " if found.rows else "")
        + ", ".join(found.rows),
        f"  rank                {_rank(found)}",
        f"  degrees of freedom  {found.degrees_of_freedom}",
    ]
    label = "dependent here" if found.is_singular else "redundant"
    for name, others in found.redundant:
        reason = f"follows from {', '.join(others)}" if others else "its gradient vanishes"
        lines.append(f"  {label:<18}  {name}: {reason}")
    lines += _residual("position", found.phi) + _residual("velocity", found.phi_dot)
    if refusal:
        lines.append(f"  start               refused by run. {refusal}")
    elif move:
        lines.append(f"  start               moved onto the constraints by {move:.1e}")
    lines += [f"  doubt               {doubt}" for doubt in doubts]
    if found.is_singular:
        lines.append(
            f"Note: a singular position: of {count(len(found.rows), 'row')}, {found.rank} are "
            f"independent here and {found.rank_elsewhere} beside it. Motions may branch; start "
            "beside it if that is not meant."
        )
    elif found.redundant:
        rows = count(len(found.redundant), "redundant row")
        lines.append(
            f"Note: {rows} at this state. The motion is still unique; single multipliers are not."
            " Choose a method that accepts dependent rows (the default does)."
        )
    return "\n".join(lines)


def _rank(found: RankReport) -> str:
    if found.is_singular:
        return f"{found.rank_elsewhere}, at the initial state {found.rank} (a singular position)"
    return f"{found.rank} at the initial state"


def _residual(level: str, residuals: object) -> list[str]:
    values: dict[str, float] = dict(residuals)  # type: ignore[call-overload]
    if not values:
        return []
    row = max(values, key=lambda name: abs(values[name]))
    worst = abs(values[row])
    if worst == 0:
        return [f"  initial {level}    satisfies the constraints"]
    return [f"  initial {level}    off by at most {worst:.1e}, in {row}"]
