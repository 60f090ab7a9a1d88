"""Two four-bar linkages through their singular positions: report, figures and a page that plays.

Runs the linkages with the default method, and beside it with the uncorrected equations of Udwadia
and Kalaba, which drift and fail; prints both reports, draws drift, energy and the motion, and
writes four-bar.html, which plays both runs side by side in a browser.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from dalembert.cli.parser import add_json

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

UNTIL = 20.0
STEP = 1e-3
LINKAGE = "four-bars"
BROKEN = 1e-2
"""A squared length off by this much: it is no longer the same mechanism [m^2]."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument(
        "-o", "--out", metavar="FOLDER", default="dalembert-demo", help="default: dalembert-demo"
    )
    add_json(parser, "both reports as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Simulate twice, print, draw."""
    from dalembert import catalog
    from dalembert.cli import NOT_GOOD, OK, RUN_FAILED
    from dalembert.cli.output import (
        make_folder,
        print_error,
        print_heading,
        print_json,
        print_note,
        print_report,
    )
    from dalembert.cli.run import worst_violation
    from dalembert.enforcement.udwadia_kalaba import UdwadiaKalaba
    from dalembert.simulation.simulate import simulate

    folder = make_folder(arguments.out)
    model = catalog.load(LINKAGE)
    print_note("Simulating; the first run on a machine compiles for a few seconds.")
    kept = simulate(model, until=UNTIL, step=STEP, on_failure="return")
    lost = simulate(model, until=UNTIL, step=STEP, method=UdwadiaKalaba(), on_failure="return")
    figures = _draw(kept, lost, folder)
    page = _page(kept, lost, folder)
    if arguments.json:
        print_json(
            {
                "default": kept.report(),
                "uncorrected": lost.report(),
                "figures": figures,
                "page": page,
            }
        )
    else:
        print_heading("With the default method")
        print_report(kept.summary())
        print()
        print_heading("The same equations without correction (Udwadia-Kalaba)")
        print_report(lost.summary())
        print()
        print(_verdict(kept, lost))
        print("Figures: " + ", ".join(figures))
        print(f"Page: {page} (open it in a browser)")
    if kept.status.failed:
        print_error(kept.message)
        return RUN_FAILED
    worst = worst_violation(kept)
    if not worst <= 1e-12:
        print_error(f"The worst violation is {worst:.1e}; 1e-12 was expected.")
        return NOT_GOOD
    return OK


def _verdict(kept: Solution, lost: Solution) -> str:
    import numpy as np

    broken = np.flatnonzero(~(np.max(np.abs(lost.phi), axis=1) < BROKEN))
    kept_to = f"the default method keeps them to {kept.worst['phi']:.1e} m^2"
    if not len(broken):
        worst = lost.worst["phi"]
        return f"Without correction the squared lengths are off by {worst:.1e} m^2; {kept_to}."
    return (
        f"Without correction the bars lose their lengths at t = {lost.t[broken[0]]:.4g} s, in a"
        f" position where all bars are in one line,\nand the run ends at {lost.t[-1]:.4g} of"
        f" {kept.t[-1]:g} s; {kept_to} through every such position."
    )


def _draw(kept: Solution, lost: Solution, folder: Path) -> list[str]:
    from dalembert.analysis.compare import compare
    from dalembert.plotting.plot import plot

    both = compare(kept, lost)
    paths = []
    for what, subject in (("stroboscope", kept), ("drift", both), ("energy", both)):
        path = folder / f"{what}.png"
        plot(subject, what, path=path)
        paths.append(str(path))
    return paths


def _page(kept: Solution, lost: Solution, folder: Path) -> str:
    from dalembert.viewer.page import save_html

    names = ["default method", "without correction"]
    title = "Two four-bar linkages through their singular positions"
    return str(save_html([kept, lost], folder / "four-bar.html", names=names, title=title))
