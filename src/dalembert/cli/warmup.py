"""Compile everything ahead of the first run.

Runs every method and every integrator for a few steps on small models with full-rank, redundant
and velocity constraints; then compiles what contact may need, every solver and pair of shapes.
Compiled code is kept on disk; the next process starts at once.
"""

from __future__ import annotations

import argparse
from typing import Any

from dalembert.cli.parser import add_json

MODELS = ("pendulum", "four-bars", "sleigh")
STEP = 1e-3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    add_json(parser, "the seconds of each part as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Compile, one line for each part."""
    import time

    from dalembert import catalog
    from dalembert._translate.cache import cache_folder
    from dalembert.cli import OK, RUN_FAILED
    from dalembert.cli.output import print_error, print_json, print_note
    from dalembert.enforcement import METHODS
    from dalembert.integration import INTEGRATORS

    start = time.perf_counter()
    models = [catalog.load(name) for name in MODELS]
    failures = []
    parts: list[tuple[str, dict[str, Any]]] = [
        (f"method {name}", {"method": kind()}) for name, kind in METHODS.items()
    ]
    parts += [(f"integrator {name}", {"integrator": kind()}) for name, kind in INTEGRATORS.items()]
    seconds = {}
    for k, (label, choice) in enumerate([*parts, ("contact", {})]):
        before = time.perf_counter()
        problem = _exercise(models, choice) if choice else None
        if not choice:
            _compile_contact()
        if problem:
            failures.append(f"{label}: {problem}")
        seconds[label] = time.perf_counter() - before
        print_note(f"{k + 1:2d} of {len(parts) + 1}  {label:<34}{seconds[label]:6.1f} s")
    total = time.perf_counter() - start
    if arguments.json:
        found = {"seconds": total, "parts": seconds, "failures": failures}
        print_json({**found, "cache": str(cache_folder())})
    else:
        print(f"Ready after {total:.1f} s. Compiled code: {cache_folder()}")
    if failures:
        print_error("Some parts did not run: " + " ".join(failures))
        return RUN_FAILED
    return OK


def _compile_contact() -> None:
    """Compile the step with contact, what it calls, and what that seldom calls."""
    from dalembert._jit import compile_whole
    from dalembert.contact.step.impulses import close_gaps, share_impulses
    from dalembert.contact.step.step_problem import find_contacts
    from dalembert.enforcement import METHODS
    from dalembert.integration import RK4
    from dalembert.integration.dormand_prince import ErrorControl

    methods = [m() for m in METHODS.values() if m.impulses and m.advance is not None]
    steps = [m.stepping(way) for m in methods for way in (RK4(), ErrorControl())]
    compile_whole([find_contacts, share_impulses, close_gaps, *steps])


def _exercise(models: list[Any], choice: dict[str, Any]) -> str | None:
    """Run a few steps on every model; an unsuitable combination is not a failure."""
    from dalembert.errors import DalembertError, OptionError
    from dalembert.simulation.simulate import simulate

    adaptive = getattr(choice.get("integrator"), "adaptive", False)
    step = None if adaptive else STEP
    for model in models:
        try:
            simulate(model, 10 * STEP, step=step, on_failure="return", progress=False, **choice)
        except OptionError:
            continue
        except DalembertError as problem:
            return str(problem)
    return None
