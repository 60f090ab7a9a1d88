"""Linear model and equilibrium of mechanisms with fifty bodies: processor time of the best run.

    .venv/bin/python benchmarks/analysis.py

OPENBLAS_NUM_THREADS=1 measures one core.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from tables import table, text, write_csv

import dalembert as dl

REPEATS = 7
COLUMNS = ("mechanism", "states", "linearize_ms", "unpaired", "equilibrium_ms", "residual")
"""Unpaired: the largest |lambda + lambda'| of eigenvalues that should be opposite, relative."""


def chain(count: int = 50) -> dl.Model:
    """Equal rods, hanging."""
    model = dl.Model("chain", gravity=(0, -9.81, 0))
    end, length = model.world.at(), 1.0 / count
    for i in range(count):
        rod = model.add_body(f"rod{i}", dl.Inertia.rod(length, length=length))
        start = 0.0 if i else -np.pi / 2
        model.add_joint(dl.Revolute(end, rod.at(x=-length / 2), name=f"joint{i}", initial=start))
        end = rod.at(x=length / 2)
    return model


def best(function: Callable[[], object]) -> float:
    """Processor time of the fastest of some calls  [ms]."""
    function()
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return 1e3 * min(times)


def main() -> None:
    hanging = chain()
    loops = dl.catalog.load("n-four-bar-bodies", count=25)
    rows = []
    for name, model, guess in (
        ("chain of 50 rods", hanging, {"joint0.angle": -1.2}),
        ("25 four-bars, 51 bodies", loops, dl.assemble(loops, {"ground0": -1.0})),
        ("the same, from upright", loops, None),
    ):
        near = dl.linearize(model)
        linear = best(lambda m=model: dl.linearize(m))  # type: ignore[misc]
        rest = dl.equilibrium(model, guess)
        search = best(lambda m=model, g=guess: dl.equilibrium(m, g))  # type: ignore[misc]
        rates = np.linalg.eigvals(near.A)
        paired = np.abs(rates[:, None] + rates).min(axis=1).max()
        row = (name, len(near.states), linear, paired / np.abs(rates).max(), search, rest.residual)
        rows.append(dict(zip(COLUMNS, row, strict=True)))
    print(table(COLUMNS, [tuple(text(row[c]) for c in COLUMNS) for row in rows]))
    write_csv("analysis", COLUMNS, rows)


if __name__ == "__main__":
    main()
