"""Compile what runs need, for the processors of this platform or of others.

    python packaging/machine_code.py FOLDER                           files of this platform
    python packaging/machine_code.py FOLDER --platform macos-arm64    those of another one

Programs are those that runs of the catalog, every method, integrator and contact solver, and
the commonest questions about a model ask for. Whatever else a user needs is compiled there.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any


def main() -> int:
    """Write the files."""
    os.environ["DALEMBERT_SHIPPED"] = "0"
    from dalembert._translate import ship, shipped
    from dalembert._translate.platforms import PLATFORMS
    from dalembert._translate.processor import processor

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--platform", action="append", choices=PLATFORMS, help="not this one")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        # an empty cache: everything is compiled here, and so collected
        os.environ["DALEMBERT_CACHE"] = cache
        programs = collect()
    others = [PLATFORMS[name].triple for name in arguments.platform or ()]
    for triple in others or [processor()[1]]:
        for level in shipped.LEVELS[triple.split("-")[0]]:
            began = time.perf_counter()
            path = ship.write(arguments.folder, triple, level, programs)
            size, spent = path.stat().st_size / 2**20, time.perf_counter() - began
            print(
                f"{path.name}: {len(programs)} programs, {size:.1f} MiB, {spent:.0f} s", flush=True
            )
    return 0


def collect() -> dict[str, Any]:
    """How each program is made, by name."""
    from dalembert._translate import ship
    from dalembert._translate.cache import sources_changed
    from dalembert.cli import main as command

    with ship.collected() as programs:
        if command(["warmup"]) != 0:
            sys.exit("machine_code: a part of warmup does not run.")
        for name in catalog_names():
            began = time.perf_counter()
            try_out(name)
            print(f"{name:<32}{len(programs):5d} programs{time.perf_counter() - began:7.1f} s")
    if sources_changed():
        sys.exit("machine_code: sources were changed meanwhile. Begin again.")
    return programs


def catalog_names() -> list[str]:
    """Names of all models of the catalog."""
    from dalembert import catalog

    return list(catalog.names())


def try_out(name: str) -> None:
    """Do with a model what people do first: check it, run it, step it, ask about it."""
    import dalembert as dl
    from dalembert.errors import DalembertError

    def session() -> None:
        dl.Session(dl.catalog.load(name)).advance(0.01)

    questions = (
        lambda: dl.catalog.load(name).check(),
        lambda: dl.simulate(dl.catalog.load(name), until=0.05, progress=False),
        lambda: dl.simulate(dl.catalog.load(name), until=0.01, step=1e-3, progress=False),
        session,
        lambda: dl.evaluate(dl.catalog.load(name)),
        lambda: dl.linearize(dl.catalog.load(name)),
        lambda: dl.equilibrium(dl.catalog.load(name)),
    )
    for ask in questions:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                ask()
            except DalembertError as problem:  # not every question suits every model
                print(f"    {str(problem).splitlines()[0][:90]}")


if __name__ == "__main__":
    sys.exit(main())
