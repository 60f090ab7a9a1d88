"""Simulate a model and print the fidelity report.

Exit codes: 0 fine, 1 the verdict is not good or the worst violation exceeds --tolerance, 2 bad
input, 3 the run stopped before its end, 130 it was interrupted (what was computed is still saved).
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dalembert.cli.parser import (
    add_json,
    add_method,
    add_model,
    add_run_options,
    add_tolerances,
    number,
)
from dalembert.errors import OptionError

if TYPE_CHECKING:
    from dalembert.model import Model
    from dalembert.simulation.results.solution import Solution

UNTIL = 5.0
"""End of a run of bodies that neither the command nor the model says  [s]."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    add_model(parser)
    add_run_options(parser)
    add_tolerances(parser)
    add_method(parser)
    parser.add_argument(
        "-o",
        "--out",
        metavar="RUN",
        help="keep the run: a folder, written while it runs, or one file RUN.npz",
    )
    parser.add_argument(
        "--overwrite", action="store_true", help="replace RUN, once the new one is complete"
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
    """Simulate, report, save."""
    from dalembert.cli.models import load_model
    from dalembert.cli.output import check_writable

    model = load_model(arguments.model)
    method, integrator = chosen(arguments, model, arguments.model)
    options = run_options(arguments, model, integrator)
    if arguments.out:
        options |= kept(arguments)
    if arguments.html:
        from dalembert.viewer.page import check_page_name

        check_page_name(arguments.html)
        check_writable(arguments.html)
    return told(
        lambda: simulated(model, arguments, method=method, integrator=integrator, **options),
        arguments,
        arguments.out if "save" not in options else None,
    )


def kept(arguments: argparse.Namespace) -> dict[str, Any]:
    """Options for `simulate` to keep the run in a folder; one file is written in the end."""
    from dalembert.cli.output import check_writable
    from dalembert.errors import RunFileError

    path = Path(arguments.out)
    if path.suffix.lower() != ".npz" or path.is_dir():
        return {"save": arguments.out, "overwrite": arguments.overwrite}
    if check_writable(path).exists() and not arguments.overwrite:
        raise RunFileError(
            f"{path}: is there already and is kept. Give another name, or --overwrite."
        )
    return {}


def told(
    simulate: Callable[[], Solution], arguments: argparse.Namespace, file: str | None = None
) -> int:
    """Run, report, write the files asked for, and give the exit code."""
    from dalembert.cli import INTERRUPTED, NOT_GOOD, OK, RUN_FAILED
    from dalembert.cli.output import print_error, print_json, print_note, print_report
    from dalembert.errors import RunFileError
    from dalembert.simulation.status import Status

    refused: RunFileError | None = None
    try:
        solution = simulate()
    except RunFileError as problem:
        if problem.solution is None:
            raise
        refused, solution = problem, problem.solution
    # The report first: it is then seen even when the disk is full.
    if arguments.json:
        print_json(solution.report())
    else:
        print_report(solution.summary())
    if file:
        solution.save(file)
        print_note(f"Saved {file}")
    elif getattr(arguments, "out", None) and not solution.status.failed and refused is None:
        print_note(f"Kept in {arguments.out}")
    if arguments.html and len(solution.t):
        from dalembert.viewer.page import save_html

        save_html(solution, arguments.html)
        print_note(f"Saved {arguments.html}: open it in a browser")
    if refused is not None:
        print_error(str(refused))
        return RUN_FAILED
    if solution.status is Status.INTERRUPTED:
        print_error(solution.message)
        return INTERRUPTED
    if solution.status.failed:
        print_error(solution.message)
        return RUN_FAILED
    if not solution.verdict.is_good:
        print_error(str(solution.verdict))
        return NOT_GOOD
    if arguments.tolerance is not None:
        worst = worst_violation(solution)
        if not worst <= arguments.tolerance:
            print_error(
                f"The worst violation, {worst:.1e}, exceeds the tolerance {arguments.tolerance:g}."
                " Take a smaller step, or a method without drift (projection)."
            )
            return NOT_GOOD
    return OK


def simulated(model: Model, arguments: argparse.Namespace, **options: Any) -> Solution:
    """The run, with progress as it was asked for; a failed one ends where it failed."""
    from dalembert.simulation.simulate import simulate

    return simulate(model, on_failure="return", progress=progress_of(arguments), **options)


def progress_of(arguments: argparse.Namespace) -> bool | None:
    """As it was asked for; none with -q."""
    asked: bool | None = arguments.progress
    return False if asked is None and arguments.quiet else asked


def chosen(arguments: argparse.Namespace, model: Model, name: str) -> tuple[Any, Any]:
    """Method and integrator: those of the command, else those the model's file names."""
    from dalembert.cli.choices import integrator_of, method_of

    suggested = suggestions(model)
    found = []
    for key, read in (("method", method_of), ("integrator", integrator_of)):
        given = getattr(arguments, key)
        try:
            found.append(read(given or suggested.get(key)))
        except OptionError as problem:
            place = f"--{key}" if given else f"{name}: simulate.{key}"
            raise OptionError(f"{place}: {problem}") from None
    if found[0] is not None and found[0].steps_itself(found[1]) and not arguments.integrator:
        found[1] = None  # the method brings its own; the one of the file is for other methods
    return found[0], found[1]


def run_options(arguments: argparse.Namespace, model: Model, integrator: Any) -> dict[str, Any]:
    """Arguments of `simulate` from those of the command; the model suggests what is missing.

    An integrator with error control chooses its own step, whatever the model suggests.
    """
    from dalembert.cli.models import initial_of, parameters_of

    until, step = arguments.until, arguments.step
    suggested = suggestions(model)
    if until is None:
        until = suggested.get("until")
    chosen = {name: getattr(arguments, name, None) for name in ("mode", "rtol", "atol")}
    adaptive = getattr(integrator, "adaptive", False) or chosen["mode"] == "events"
    if step is None and not adaptive and chosen["rtol"] is None and chosen["atol"] is None:
        step = suggested.get("step")
    if arguments.step is None:  # the file's own, unless a step is asked for
        chosen = {k: suggested.get(k) if x is None else x for k, x in chosen.items()}
    if until is None:
        until = end_of(model)
    options: dict[str, Any] = {"until": until, "step": step, "every": arguments.every}
    formulation = arguments.formulation or suggested.get("formulation")
    if formulation:
        options["formulation"] = formulation
    options |= {name: value for name, value in chosen.items() if value is not None}
    if arguments.parameters:
        options["parameters"] = parameters_of(arguments.parameters, model)
    if arguments.initial:
        options["initial"] = initial_of(arguments.initial, model)
    if arguments.initial_limit is not None:
        options["initial_limit"] = arguments.initial_limit
    return options


def end_of(model: Model) -> float:
    """End of a run of bodies that says none [s], with a note; formulas have no such time."""
    from dalembert.cli.output import print_note

    if not model.is_maximal:
        raise OptionError(
            f"Model {model.name!r} suggests no end of the interval. Give --until, in seconds."
        )
    print_note(f"Note: simulated for {UNTIL:g} s, as the model says no end; --until gives another.")
    return UNTIL


def suggestions(model: Model) -> dict[str, Any]:
    """Interval, step, method and integrator the model brings with it."""
    return dict(getattr(model, "suggested", None) or {})


def worst_violation(solution: Any) -> float:
    """The larger of worst |phi| and worst |phi'| over all steps."""
    levels = [solution.worst.get(level) or 0.0 for level in ("phi", "phi_dot")]
    return float("nan") if any(math.isnan(level) for level in levels) else float(max(levels))
