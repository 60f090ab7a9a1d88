"""Work and precision: processor time of ten seconds over the error at their end, for many steps.

    DALEMBERT_PEERS=/path/to/peers/bin/python .venv/bin/python benchmarks/precision.py [SCENE ...]

The pendulum, two four-bars of formulas and two of rigid bodies, which pass singular positions. Ours
are whole calls of `simulate` that record the last state, with fixed steps and with error control;
peers are their steps alone, with the settings of `run.py`. Errors are distances from closed forms.
"""

from __future__ import annotations

# isort: off
import one_thread  # noqa: F401  (before numpy)
# isort: on

import argparse
import os
import time
import warnings
from collections.abc import Callable
from typing import Any

import bodies
import families
import numpy as np
from asking import ask_peer
from scenes import CHECK, SCENES
from tables import Row, table, text, write_csv

import dalembert as dl

STEPS = (2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4)
TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
COLUMNS = ("scene", "engine", "version", "variant", "setting", "milliseconds", "error", "worst_phi")
PEERS = {
    "pendulum": ("mujoco_pendulum.py", "exudyn_pendulum.py"),
    "four-bars": ("mujoco_four_bars.py",),
    "linkage": ("mujoco_linkage.py RK4", "exudyn_linkage.py"),
}
LOOPS = 2  # of the linkage

Ending = Callable[[Any], float]


def model_of(scene: str) -> tuple[Any, Ending]:
    """Our model, and the error of a run at its end."""
    if scene == "linkage":
        return bodies.linkage_model(LOOPS), lambda s: families.linkage_measures(LOOPS, s)["error"]
    (known,) = (one for one in SCENES if one.name == scene)
    exact = np.array(known.exact)
    return (
        dl.catalog.load(known.model, **known.options),
        lambda s: float(np.linalg.norm(known.output(s, -1) - exact)),
    )


def settings() -> list[tuple[str, str, dict[str, Any]]]:
    """Variant, setting, options of `simulate`."""
    asked: list[tuple[str, str, dict[str, Any]]] = []
    for step in STEPS:
        fixed = {"step": step, "integrator": dl.RK4(), "every": round(CHECK / step)}
        asked.append(("Projection, RK4", f"{step:g} s", fixed))
        asked.append(("BraunGoldfarb, RK4", f"{step:g} s", fixed | {"method": dl.BraunGoldfarb()}))
    for tolerance in TOLERANCES:
        for order in (5, 8):
            control = dl.DormandPrince(order=order, rtol=tolerance, atol=tolerance)
            options = {"integrator": control, "times": [0.0, CHECK]}
            asked.append((f"Projection, Dormand-Prince {order}", f"rtol {tolerance:g}", options))
    return asked


def ours(scene: str, repeats: int) -> list[Row]:
    """Rows of this package; the first call of each may compile."""
    model, ending = model_of(scene)
    rows = []
    for variant, setting, options in settings():
        least, solution = np.inf, None
        for _ in range(repeats + 1):
            began = time.process_time()
            solution = dl.simulate(model, until=CHECK, progress=False, **options)
            least = min(least, time.process_time() - began)
        row = {"scene": scene, "engine": "dalembert", "version": dl.__version__}
        row |= {"variant": variant, "setting": setting, "milliseconds": 1e3 * least}
        row |= {"error": ending(solution), "worst_phi": float(solution.worst["phi"])}
        rows.append(row)
    return rows


def peers(scene: str, interpreter: str, repeats: int) -> list[Row]:
    """Rows of the peers, asked for every step."""
    rows = []
    for step in STEPS:
        asked = {"step": step, "steps": round(CHECK / step), "repeats": repeats}
        asked["largest"] = LOOPS
        for program in PEERS[scene]:
            for row in ask_peer(program, interpreter, **asked):
                if row.get("size", LOOPS) == LOOPS:
                    row |= {"scene": scene, "setting": f"{step:g} s"}
                    row["milliseconds"] = 1e-3 * row["us_per_step"] * CHECK / step
                    rows.append(row)
    return rows


def main() -> None:
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="*", choices=[*PEERS, []])
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    interpreter, rows = os.environ.get("DALEMBERT_PEERS"), []
    for scene in given.scenes or PEERS:
        rows += ours(scene, given.repeats)
        if interpreter:
            rows += peers(scene, interpreter, given.repeats)
        write_csv("precision", COLUMNS, rows)
    print(table(COLUMNS, [tuple(text(row.get(c, "")) for c in COLUMNS) for row in rows]))


if __name__ == "__main__":
    main()
