"""Print the largest reactions, motor torques and powers of a run.

RUN_OR_MODEL is the folder of a run, a .npz saved by `dalembert run --out`, or a MODEL, which is
simulated first. NAME is a joint, a constraint, a drive or a force; by default all of them. Forces
and torques of joints act on their second body, along the axes of the world, torques about the
joint; efforts of motors and drives have the sign of the coordinate, powers that of work done on the
bodies.
"""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING

from dalembert.cli.parser import add_json, add_method, add_run_options, add_tolerances

if TYPE_CHECKING:
    from dalembert.simulation.results.peaks import Peak


ROUNDING = 1e-12
"""Part of the largest value of a unit that is shown as zero."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("run", metavar="RUN_OR_MODEL", help="folder of a run, RUN.npz, or MODEL")
    parser.add_argument("names", metavar="NAME", nargs="*", default=[], help="see above")
    add_method(parser)
    add_run_options(parser)
    add_tolerances(parser)
    add_json(parser, "the largest values as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the table."""
    from dalembert.cli import OK, RUN_FAILED
    from dalembert.cli.output import print_error, print_json, print_note
    from dalembert.cli.saved import solution_of
    from dalembert.simulation.results.peaks import peaks

    solution = solution_of(arguments.run, arguments)
    found = peaks(solution, arguments.names)
    if arguments.json:
        print_json([dataclasses.asdict(peak) for peak in found])
    else:
        print(_table(found) if found else "Nothing is held, driven or pushed.")
    if solution.status.failed:
        print_error(f"{solution.message} The values are those up to there.")
        return RUN_FAILED
    if not solution.verdict.is_good:
        print_note(f"dalembert: {solution.verdict}")
    return OK


def _table(found: list[Peak]) -> str:
    """Aligned columns: what, how large, when, in which direction."""
    rows = [("name", "", "largest", "at t", "on", "vector")]
    scale: dict[str, float] = {}
    for peak in found:
        scale[peak.unit] = max(scale.get(peak.unit, 0.0), abs(peak.value))
    for peak in found:
        nothing = ROUNDING * scale[peak.unit]
        shown = [0.0 if abs(x) <= nothing else x for x in (peak.value, *peak.vector)]
        vector = f"({', '.join(f'{x:.5g}' for x in shown[1:])})" if peak.vector else ""
        vector += "" if peak.unique else " not unique"
        rows.append(
            (
                peak.name,
                f"|{peak.what}|" if peak.vector else peak.what,
                f"{shown[0]:.6g} {peak.unit}".rstrip(),
                f"{peak.t:.6g} s",
                peak.on,
                vector,
            )
        )
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = ("  ".join(f"{x:<{w}}" for x, w in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)
