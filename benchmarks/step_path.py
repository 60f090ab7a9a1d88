"""Functions and files that one step passes through, as a reader who follows it would open them.

    python benchmarks/step_path.py              an RK4 step, a step of a stack of boxes
    python benchmarks/step_path.py --files      the files as well, with their functions

The step is run as plain Python (`DALEMBERT_JIT=0`). Counted are the functions of `src/dalembert`
that are entered from the call of `integration.loop.attempts.take_step` until it returns: borders,
collision, the solver, methods of records. Not counted are the files that only stand for what the
translator writes (`_jit`, `_memory`, `_records`, `_native`, `_signature`, `_traceable`) and for the
machine code of formulas (`formulas`, `system/straight.py`), functions without a name (lambda,
comprehensions), and what the loop does around a step (samples, events, controllers).
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections import defaultdict
from pathlib import Path

os.environ["DALEMBERT_JIT"] = "0"

import dalembert as dl
from dalembert.integration.loop import attempts

ROOT = Path(dl.__file__).parent
MACHINERY = {"_jit.py", "_memory.py", "_records.py", "_native.py", "_signature.py", "_traceable.py"}
STEPS = 3
"""Steps that are made; the last one is counted, which has those before it to begin with."""


def rk4():
    """A pendulum in Cartesian coordinates: `Projection` and `RK4`."""
    dl.simulate(dl.catalog.load("pendulum"), until=STEPS * 1e-3, step=1e-3)


def contact():
    """Three boxes on one another at rest: `ContactImpulse` with the default solver."""
    model = dl.catalog.load("stack", count=3)
    dl.simulate(model, until=STEPS * 4e-3, step=4e-3, method=dl.ContactImpulse())


def stands_for_another(path):
    """Whether a file is not in the way of compiled code: instructions are written in its place."""
    is_code = path.parent.name == "formulas" or path == ROOT / "system" / "straight.py"
    return is_code or path.name in MACHINERY


def passed(run):
    """{file: names of functions} of the last step that a run makes."""
    found = defaultdict(set)
    inside = 0
    step = attempts.take_step.function.__code__

    def note(frame, event, _argument):
        nonlocal inside
        code = frame.f_code
        if code is step:
            if event == "call":
                found.clear()
                inside += 1
            elif event == "return":
                inside -= 1
        if not inside or event != "call" or code.co_name.startswith("<"):
            return
        path = Path(code.co_filename)
        if path.is_relative_to(ROOT) and not stands_for_another(path):
            found[str(path.relative_to(ROOT))].add(code.co_qualname)

    sys.setprofile(note)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run()
    finally:
        sys.setprofile(None)
    return found


def main():
    """The program."""
    parser = argparse.ArgumentParser(prog="python benchmarks/step_path.py")
    parser.add_argument("--files", action="store_true")
    args = parser.parse_args()
    for run in (rk4, contact):
        found = passed(run)
        functions = sum(map(len, found.values()))
        print(f"{run.__name__}: {functions} functions in {len(found)} files")
        if args.files:
            for name in sorted(found):
                print(f"  {name}: {len(found[name])} ({', '.join(sorted(found[name]))})")


if __name__ == "__main__":
    main()
