"""Run a model by several methods and print the table.

The error is measured against the finer of two independent runs that agree best; their difference is
printed as the uncertainty of the reference.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys

from dalembert.cli.parser import add_json, add_model, add_run_options, add_tolerances

DEFAULT_STEP = 1e-3
DEFAULT_UNTIL = 10.0
"""A comparison of fifteen methods need not be as long as a catalog model's published run [s]."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    add_model(parser)
    add_run_options(parser)
    add_tolerances(parser)
    parser.add_argument(
        "--methods",
        nargs="+",
        default=["all"],
        metavar="NAME[:key=value,...]",
        help="all (default), or names",
    )
    parser.add_argument(
        "-o", "--out", metavar="FOLDER", help="write drift and work-precision figures"
    )
    add_json(parser, "the rows as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Compare, print, draw."""
    from dalembert.cli import OK, RUN_FAILED
    from dalembert.cli.choices import integrator_of, methods_of
    from dalembert.cli.models import load_model
    from dalembert.cli.output import (
        make_folder,
        print_error,
        print_heading,
        print_json,
        print_note,
        print_report,
        print_table,
    )
    from dalembert.cli.run import progress_of, run_options, suggestions

    model = load_model(arguments.model)
    methods = methods_of(arguments.methods)
    integrator = integrator_of(arguments.integrator)
    suggested = suggestions(model)
    if arguments.until is None:
        arguments.until = min(suggested.get("until", DEFAULT_UNTIL), DEFAULT_UNTIL)
    if arguments.step is None:
        arguments.step = suggested.get("step", DEFAULT_STEP)
    options = run_options(arguments, model, integrator)
    folder = make_folder(arguments.out) if arguments.out else None

    from dalembert.analysis.compare import compare

    options["progress"] = progress_of(arguments)
    result = compare(model, methods=methods, integrator=integrator, **options)
    if arguments.json:
        print_json(
            {
                "title": result.title,
                "reference": result.reference,
                "rows": [dataclasses.asdict(row) for row in result.rows],
            }
        )
    else:
        if sys.stdout.isatty():
            print_heading(result.title)
            print_report(f"error: {result.reference}")
        print_table(result.head, result.cells(), plain=result.table())
        if sys.stdout.isatty() and result.notes():
            print_report("\n".join(result.notes()))
    if not result.solutions:
        print_error("No method ran this model; the reasons are in the table.")
        return RUN_FAILED
    if folder is not None:
        from dalembert.plotting.plot import plot

        for what in ("drift", "work-precision"):
            path = folder / f"{model.name}-{what}.png"
            plot(result, what, path=path)
            print_note(f"Wrote {path}")
    return OK
