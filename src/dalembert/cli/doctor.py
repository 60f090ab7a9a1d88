"""Examine a model, or this installation.

With a MODEL: mobility beside Gruebler's count, redundancy in words, reactions that are not unique,
conditioning along a short run, stiffness, and a step, method and tolerance with the reason; --html
writes it as a page. Without one: versions, processor, cache folder, and a self test of about one
second.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from pathlib import Path
from typing import Any

from dalembert.cli.parser import add_json, add_values, seconds

PACKAGES = ("numpy", "llvmlite", "scipy", "pydantic", "pyyaml", "rich", "matplotlib")
OPTIONAL = ("sympy", "pandas")

PENDULUM_X_10 = 0.27508746257612
"""x(10 s) of the pendulum m = l = 1, g = 9.81 from rest at (1, 0), by elliptic functions [m]."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument(
        "model",
        metavar="MODEL",
        nargs="?",
        help="catalog name, file.py[:name], YAML, JSON, TOML, URDF file",
    )
    add_values(parser)
    parser.add_argument("--until", type=seconds, metavar="T", help="length of the run; 0 for none")
    parser.add_argument("--html", metavar="FILE", help="write the findings as a page")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Look, test, print."""
    from dalembert.cli import OK, RUN_FAILED
    from dalembert.cli.output import print_error, print_json

    if arguments.model is not None:
        return _examine(arguments)

    findings = {**_versions(), **_machine(), **_cache()}
    test = _self_test()
    if arguments.json:
        print_json({**findings, "self_test": test})
    else:
        for label, value in findings.items():
            print(f"{label:<14}{value}")
        print(f"{'self test':<14}{test['sentence']}")
    if not test["passed"]:
        print_error("The self test failed. Delete the cache folder above and try once more.")
        return RUN_FAILED
    return OK


def _examine(arguments: argparse.Namespace) -> int:
    """Print what is found about a model."""
    from dalembert.analysis.doctor.doctor import doctor
    from dalembert.cli import OK
    from dalembert.cli.models import initial_of, load_model, parameters_of
    from dalembert.cli.output import print_json, print_note, print_report

    model = load_model(arguments.model)
    if arguments.parameters:
        model = model.with_parameters(**parameters_of(arguments.parameters, model))
    initial = initial_of(arguments.initial, model)
    found = doctor(model, initial=initial or None, until=arguments.until)
    if arguments.html:
        print_note(f"dalembert: {found.save_html(arguments.html)} written")
    if arguments.json:
        print_json(found.report())
    else:
        print_report(found.summary())
    return OK


def _versions() -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    import dalembert

    found = {"dalembert": dalembert.__version__, "python": platform.python_version()}
    for name in (*PACKAGES, *OPTIONAL):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed (optional)" if name in OPTIONAL else "MISSING"
    return found


def _machine() -> dict[str, str]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": f"{_processor()}, {cores} cores usable",
    }


def _processor() -> str:
    if sys.platform.startswith("linux"):
        try:
            for line in Path("/proc/cpuinfo").read_text().splitlines():
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
        except OSError:
            pass
    return platform.processor() or "unknown processor"


def _cache() -> dict[str, str]:
    from dalembert._translate import shipped
    from dalembert._translate.cache import cache_folder

    folder = cache_folder()
    total = sum(file.stat().st_size for file in folder.parent.rglob("*") if file.is_file())
    own = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    return {
        "cache": str(folder),
        "machine code": shipped.in_words(),
        "cache size": f"{own / 1e6:.1f} MB, {total / 1e6:.1f} MB with those of other versions",
    }


def _self_test() -> dict[str, Any]:
    """The pendulum for 10 s against its closed form, and its drift."""
    import time

    from dalembert import catalog
    from dalembert.simulation.simulate import simulate

    start = time.perf_counter()
    solution = simulate(
        catalog.load("pendulum"), until=10.0, step=1e-3, every=100, on_failure="return"
    )
    elapsed = time.perf_counter() - start
    error = abs(float(solution["x"][-1]) - PENDULUM_X_10)
    drift = float(solution.worst["phi"])
    passed = not solution.status.failed and error < 1e-8 and drift < 1e-12
    verdict = "passed" if passed else "FAILED"
    return {
        "passed": passed,
        "seconds": elapsed,
        "error": error,
        "drift": drift,
        "sentence": f"{verdict} in {elapsed:.1f} s: pendulum after 10 s off by {error:.1e} m,"
        f" drift {drift:.1e}",
    }
