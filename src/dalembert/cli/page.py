"""Write a page in which a model runs: one HTML file, for any browser, offline.

The page has the model itself in it, as WebAssembly: whoever opens it plays, pulls with mouse or
finger, turns parameters and the start, and saves what was seen as CSV. With --against the model
runs by two methods side by side.
"""

from __future__ import annotations

import argparse

from dalembert.cli.parser import add_method, add_model, add_steps, number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    add_model(parser)
    parser.add_argument(
        "-o", "--out", metavar="FILE.html", help="where to; by default the model's name"
    )
    add_method(parser)
    parser.add_argument(
        "--against", metavar="NAME[:key=value,...]", help="a second method beside the first"
    )
    add_steps(parser)
    parser.add_argument(
        "--speed", type=number, default=1.0, metavar="X", help="simulated seconds a second"
    )
    parser.add_argument("--paused", action="store_true", help="wait for the button")
    parser.add_argument("--open", action="store_true", help="open it in the browser")


def run(arguments: argparse.Namespace) -> int:
    """Write it and print where it is."""
    import webbrowser

    from dalembert.cli import OK
    from dalembert.cli.choices import method_of
    from dalembert.cli.models import initial_of, load_model, parameters_of
    from dalembert.cli.output import check_writable
    from dalembert.cli.run import chosen, suggestions
    from dalembert.viewer.page import save_html

    model = load_model(arguments.model)
    path = check_writable(arguments.out or f"{file_name(model.name)}.html")
    method, integrator = chosen(arguments, model, arguments.model)
    step, suggested = arguments.step, suggestions(model)
    if step is None and not getattr(integrator, "adaptive", False):
        step = suggested.get("step")
    methods = method if arguments.against is None else [method, method_of(arguments.against)]
    made = save_html(
        model,
        path,
        live=True,
        step=step,
        method=methods,
        integrator=integrator,
        formulation=arguments.formulation or suggested.get("formulation") or "auto",
        initial=initial_of(arguments.initial, model) if arguments.initial else None,
        parameters=parameters_of(arguments.parameters, model) if arguments.parameters else None,
        speed=arguments.speed,
        play=not arguments.paused,
    )
    print(made)
    if arguments.open:
        webbrowser.open(made.resolve().as_uri())
    return OK


def file_name(name: str) -> str:
    """The name of a model without what no file should be called."""
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip("-.") or "model"
