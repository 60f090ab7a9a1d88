"""Every catalog model through everything that can be asked of a model.

    python -m tests.battery                 all models, with the time of each question
    python -m tests.battery five-bar delta  some of them

No question may end in a raw error: what a model is not for is refused by name. Questions that
compute the same thing must agree:

* `rollout` and `simulate`, in the same coordinates, with the same steps;
* accelerations of `evaluate`, `linearize` and of the first sample of a run;
* values of `sensitivity` and the run itself.
"""

from __future__ import annotations

import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

import dalembert as dl
from dalembert.errors import DalembertError

STEP, STEPS = 1e-3, 20

SAME = 1e-11
"""Difference over the size of a motion that is rounding, carried through steps and projections."""

CONDITION = 1e-15
"""Rounding of accelerations, beside the condition of the equations they solve."""


class Battery:
    """The questions to one model; `complaints` tells what was wrong."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.model = dl.catalog.load(name)
        self.complaints: list[str] = []
        self.seconds: dict[str, float] = {}
        self.refused: dict[str, str] = {}
        self.run = None

    def ask(self, what, question):
        """What a question answers; None where it was refused by name."""
        before = time.process_time()
        try:
            return question()
        except DalembertError as refusal:
            self.refused[what] = str(refusal)
            if len(str(refusal)) < 20:
                self.complaints.append(f"{what}: refused with {refusal!r}")
        except Exception as problem:
            self.complaints.append(f"{what}: {type(problem).__name__}: {problem}")
        finally:
            self.seconds[what] = time.process_time() - before
        return None

    def compare(self, what, a, b, tolerance=SAME):
        """Complain where two answers differ by more than rounding."""
        a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
        size = max(1.0, float(np.abs(b).max(initial=0.0)))
        off = float(np.abs(a - b).max(initial=0.0)) / size
        if a.shape != b.shape or not off <= tolerance:
            self.complaints.append(f"{what}: {off:.2g} apart")

    # -- questions -------------------------------------------------------------------------------

    def all(self, folder: Path) -> Battery:
        """All questions, and what they must agree on."""
        model = self.model
        run = self.ask("simulate", lambda: dl.simulate(model, until=STEP * STEPS, step=STEP))
        self.ask("check", lambda: model.check() if hasattr(model, "check") else None)
        self.ask("doctor", lambda: dl.doctor(model).summary())
        self.rolled(run)
        self.moments(run)
        self.ask("equilibrium", lambda: dl.equilibrium(model))
        self.sensitive(run)
        self.ask("export_c", lambda: dl.export_c(model, folder / f"{self.name}-c"))
        if run is not None:
            self.ask("page", lambda: dl.save_html(run, folder / f"{self.name}.html"))
            self.ask("sizing", lambda: dl.sizing(run))
        return self

    def rolled(self, run):
        """A world is a run."""
        options = {"step": STEP, "steps": STEPS, "worlds": 1}
        worlds = self.ask("rollout", lambda: dl.rollout(self.model, **options))
        if worlds is None or run is None:
            return
        model, options = self.model, {"until": STEP * STEPS, "step": STEP}
        if model.is_maximal:
            # other coordinates have another error of the step
            bodies = len(worlds.coordinate_names) == 7 * len(model.bodies)
            options["formulation"] = "maximal" if bodies else "generalized"
        run = self.ask("simulate as rolled", lambda: dl.simulate(model, **options))
        for name in worlds.coordinate_names if run is not None else ():
            owner, _, part = name.rpartition(".")
            if part.startswith("q") and owner in {**model.bodies, **model.joints}:
                continue  # quaternions of bodies and balls are no signals in joint coordinates
            self.compare(f"rollout of {name}", worlds[name][0], run[name])

    def moments(self, run):
        """Accelerations at the start."""
        model = self.model
        at = self.ask("evaluate", lambda: dl.evaluate(model))
        near = self.ask("linearize", lambda: dl.linearize(model))
        if at is None or near is None or near.left_out:
            return
        tolerance = SAME + CONDITION * float(np.linalg.cond(at.M))
        if float(np.abs(at.phi).max(initial=0.0)) < 1e-12 and np.abs(near.q - at.q).max() < 1e-12:
            self.compare("linearize, a", near.a, at.a, tolerance)
        if run is not None and run.a is not None and np.array_equal(run.q[0], at.q):
            self.compare("a of the run", run.a[0], at.a, tolerance)

    def sensitive(self, run):
        """The run in values of derivatives."""
        model = self.model
        parameters = list(model.parameters)[:1]
        names = [x.name for x in model.coordinates[:1]]
        if not parameters:
            return
        found = self.ask(
            "sensitivity",
            lambda: dl.sensitivity(model, names, parameters, until=STEP * STEPS, step=STEP),
        )
        if found is None or run is None:
            return
        runs = [run]
        if model.is_maximal:  # other coordinates have another error of the step
            options = {"until": STEP * STEPS, "step": STEP, "formulation": "generalized"}
            runs.append(
                self.ask("simulate on joints", lambda: dl.simulate(model, **options)) or run
            )
        ends = [float(one[names[0]][-1]) for one in runs]
        nearest = min(ends, key=lambda end: abs(end - float(found.values[-1][0])))
        self.compare("values of sensitivity", found.values[-1], [nearest], 1e-9)


def battery(name: str) -> Battery:
    """All questions to a model of the catalog."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Battery(name).all(Path(folder))


if __name__ == "__main__":
    failed = False
    for one in sys.argv[1:] or dl.catalog.names():
        asked = battery(one)
        failed = failed or bool(asked.complaints)
        times = ", ".join(f"{what} {s:.2f}" for what, s in asked.seconds.items())
        print(f"{one}: {sum(asked.seconds.values()):.1f} s ({times})", flush=True)
        print("".join(f"    refused {k}: {x:.100}\n" for k, x in asked.refused.items()), end="")
        print("".join(f"    WRONG {x}\n" for x in asked.complaints), end="", flush=True)
    sys.exit(failed)
