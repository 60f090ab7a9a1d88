"""Look at a model or a run in the browser.

A MODEL is simulated in real time in a page of this computer, where it can be paused, steered by
sliders and pulled with the mouse; Ctrl-C ends it. Needs viser: pip install 'dalembert[viewer]'.
A run (folder or .npz) is not simulated again: the page that plays it is written to a temporary
file, or to --html, and opened. With --html a MODEL is simulated first and its page written.
"""

from __future__ import annotations

import argparse

from dalembert.cli.parser import add_method, add_run_options, count, number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("run", metavar="RUN_OR_MODEL", help="folder of a run, RUN.npz, or MODEL")
    parser.add_argument("--html", metavar="FILE.html", help="write the page that plays the run")
    parser.add_argument(
        "--speed", type=number, default=1.0, metavar="X", help="simulated seconds a second"
    )
    parser.add_argument("--paused", action="store_true", help="wait for the button")
    parser.add_argument(
        "--record", action="store_true", help="keep a sample a frame, to be saved from the page"
    )
    parser.add_argument("--port", type=count, default=8080, metavar="N", help="default 8080")
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="who may look; by default this computer only",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="only print where the page is to be found"
    )
    add_method(parser)
    add_run_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Show it."""
    from dalembert.cli.saved import is_saved

    if arguments.html is not None or is_saved(arguments.run):
        return _play(arguments)
    return _live(arguments)


def _play(arguments: argparse.Namespace) -> int:
    """The page of a finished run."""
    from dalembert.cli import OK, RUN_FAILED
    from dalembert.cli.output import check_writable, print_error, print_note
    from dalembert.cli.saved import solution_of
    from dalembert.viewer.live import view_solution

    if arguments.html is not None:
        check_writable(arguments.html)
    solution = solution_of(arguments.run, arguments)
    path = view_solution(solution, path=arguments.html, open_browser=not arguments.no_browser)
    print(path)
    if solution.status.failed:
        print_error(f"{solution.message} The page ends there.")
        return RUN_FAILED
    if not solution.verdict.is_good:
        print_note(f"dalembert: {solution.verdict}")
    return OK


def _live(arguments: argparse.Namespace) -> int:
    """The live view of a model."""
    from dalembert.cli import OK
    from dalembert.cli.models import initial_of, load_model, parameters_of
    from dalembert.cli.run import chosen, suggestions
    from dalembert.viewer.live import view

    model = load_model(arguments.run)
    method, integrator = chosen(arguments, model, arguments.run)
    step = arguments.step
    suggested = suggestions(model)
    if step is None and not getattr(integrator, "adaptive", False):
        step = suggested.get("step")
    view(
        model,
        step=step,
        method=method,
        integrator=integrator,
        formulation=arguments.formulation or suggested.get("formulation") or "auto",
        initial=initial_of(arguments.initial, model) if arguments.initial else None,
        parameters=parameters_of(arguments.parameters, model) if arguments.parameters else None,
        speed=arguments.speed,
        play=not arguments.paused,
        record=arguments.record,
        host=arguments.host,
        port=arguments.port,
        open_browser=not arguments.no_browser,
    )
    return OK
