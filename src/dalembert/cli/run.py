"""Simulate a model and print the fidelity report.

Exit codes: 0 fine, 1 the worst violation exceeds --tolerance, 2 bad input, 3 the run failed, 130 it
was interrupted (what was computed is still saved).
"""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from dalembert.cli.parser import add_json, add_method, add_model, add_run_options
from dalembert.errors import OptionError

if TYPE_CHECKING:
    from dalembert.model import Model
    from dalembert.simulation.solution import Solution


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    add_model(parser)
    add_run_options(parser)
    add_method(parser)
    parser.add_argument("-o", "--out", metavar="FILE.npz", help="save the solution")
    parser.add_argument("--html", metavar="FILE.html", help="write a page that plays the motion")
    parser.add_argument(
        "--tolerance",
        type=float,
        metavar="X",
        help="exit with 1 when the worst violation, at either level, exceeds X",
    )
    add_json(parser, "the report as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Simulate, report, save."""
    from dalembert.cli import INTERRUPTED, OK, RUN_FAILED, TOLERANCE_MISSED
    from dalembert.cli.choices import integrator_of, method_of
    from dalembert.cli.models import load_model
    from dalembert.cli.output import check_writable, print_error, print_json, print_note

    model = load_model(arguments.model)
    suggested = suggestions(model)
    method = method_of(arguments.method or suggested.get("method"))
    integrator = integrator_of(arguments.integrator or suggested.get("integrator"))
    options = run_options(arguments, model, integrator)
    if arguments.out:
        check_writable(arguments.out)
    if arguments.html:
        check_writable(arguments.html)

    from dalembert.simulation.status import Status

    solution = simulated(model, arguments, method=method, integrator=integrator, **options)
    # The report first: it is then seen even when the disk is full.
    if arguments.json:
        print_json(solution.report())
    else:
        print(solution.summary())
    if arguments.out:
        solution.save(arguments.out)
        print_note(f"Saved {arguments.out}")
    if arguments.html and len(solution.t):
        from dalembert.viewer.page import save_html

        save_html(solution, arguments.html)
        print_note(f"Saved {arguments.html}: open it in a browser")
    if solution.status is Status.INTERRUPTED:
        print_error(solution.message)
        return INTERRUPTED
    if solution.status.failed:
        print_error(solution.message)
        return RUN_FAILED
    if arguments.tolerance is not None:
        worst = worst_violation(solution)
        if not worst <= arguments.tolerance:
            print_error(
                f"The worst violation, {worst:.1e}, exceeds the tolerance {arguments.tolerance:g}."
                " Take a smaller step, or a method without drift (projection)."
            )
            return TOLERANCE_MISSED
    return OK


def simulated(model: Model, arguments: argparse.Namespace, **options: Any) -> Solution:
    """The run, with progress as it was asked for; a failed one ends where it failed."""
    from dalembert.simulation.simulate import simulate

    progress = arguments.progress
    if progress is None and arguments.quiet:
        progress = False
    return simulate(model, on_failure="return", progress=progress, **options)


def run_options(arguments: argparse.Namespace, model: Model, integrator: Any) -> dict[str, Any]:
    """Arguments of `simulate` from those of the command; the model suggests what is missing.

    An integrator with error control chooses its own step, whatever the model suggests.
    """
    from dalembert.cli.models import initial_of, parameters_of

    until, step = arguments.until, arguments.step
    suggested = suggestions(model)
    if until is None:
        until = suggested.get("until")
    if step is None and not getattr(integrator, "adaptive", False):
        step = suggested.get("step")
    if until is None:
        raise OptionError(
            f"Model {model.name!r} suggests no end of the interval. Give --until, in seconds."
        )
    options: dict[str, Any] = {"until": until, "step": step, "every": arguments.every}
    if arguments.parameters:
        options["parameters"] = parameters_of(arguments.parameters, model)
    if arguments.initial:
        options["initial"] = initial_of(arguments.initial, model)
    return options


def suggestions(model: Model) -> dict[str, Any]:
    """Interval, step, method and integrator the model brings with it."""
    return dict(getattr(model, "suggested", None) or {})


def worst_violation(solution: Any) -> float:
    """The larger of worst |phi| and worst |phi'| over all steps."""
    levels = [solution.worst.get(level) or 0.0 for level in ("phi", "phi_dot")]
    return float("nan") if any(math.isnan(level) for level in levels) else float(max(levels))
