"""Orders of steps with contact: their error beside located events, on scenes of the catalog.

    .venv/bin/python benchmarks/contact_orders.py

Fixed steps of first and second order; the error is the largest of a coordinate at 21 moments of a
second, the order the slope of its logarithm over all steps. `results/contact-orders.csv` has it.
"""

from __future__ import annotations

import warnings

import numpy as np
import one_thread  # noqa: F401
from tables import table, write_csv

import dalembert as dl

SCENES = ("bouncing-ball", "stick-slip-belt", "string-pendulum", "top-on-floor", "cradle")
STEPS = (4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4)


def errors(name: str, order: int) -> list[float]:
    """The error for every step."""
    model, times = dl.catalog.load(name), np.linspace(0.0, 1.0, 21)
    exact = dl.simulate(model, until=1.0, times=times, mode="events", progress=False)
    found = []
    for step in STEPS:
        method = dl.ContactImpulse(order=order)
        solution = dl.simulate(
            model, until=1.0, times=times, step=step, method=method, progress=False
        )
        off = np.abs(solution.q - exact.q) / np.maximum(1.0, np.abs(exact.q))
        found.append(float(off.max()))
    return found


def main() -> None:
    warnings.simplefilter("ignore")
    rows, lines = [], []
    for name in SCENES:
        for order in (1, 2):
            found = errors(name, order)
            slope = float(np.polyfit(np.log(STEPS), np.log(found), 1)[0])
            lines.append((name, str(order), *(f"{e:.1e}" for e in found), f"{slope:.2f}"))
            rows += [
                {"scene": name, "order": order, "step": step, "error": e}
                for step, e in zip(STEPS, found, strict=True)
            ]
    write_csv("contact-orders", ("scene", "order", "step", "error"), rows)
    print(table(("scene", "order", *(f"{1e3 * h:g} ms" for h in STEPS), "slope"), lines))


if __name__ == "__main__":
    main()
