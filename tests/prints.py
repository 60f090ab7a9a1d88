"""Fingerprints of runs that together pass through every kernel: equal before and after a rewriting.

    python -m tests.prints --out before.json                all of them (some minutes)
    python -m tests.prints --against before.json            the same again; tells what differs
    python -m tests.prints --against before.json contact    only groups whose names begin so
    python -m tests.prints --unfused ...                    without fused multiply-adds

Which of two products is fused with their sum changes with the shape of a kernel. Without fusing
two texts with the same operations have the same bits.

Groups: methods, integrators, bodies, trees, contact, solvers, scenes, resumed.
A difference is told with the largest change of the state: another order of a sum can be told so
from another motion.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import hashlib
import json
import os
import sys
import tempfile
import warnings
import zlib
from pathlib import Path

import numpy as np
from tests.support.random_scenes import random_scene

import dalembert as dl
from dalembert._translate import operations
from dalembert.enforcement import METHODS
from dalembert.integration import INTEGRATORS

FORMULAS = ("pendulum", "slider-crank", "four-bars", "biped", "towing-tank", "sleigh")
MECHANISMS = (
    *("chain", "bennett", "four-bar-3d", "slider-crank-bodies", "stewart-platform", "delta"),
    *("governor", "gear-train", "double-wishbone", "heavy-top", "grid", "cassie-leg"),
)
TREES = ("arm", "quadruped", "humanoid", "gyroscope", "jansen-leg", "gripper", "n-four-bar-bodies")
SCENES = {
    "incline": {},
    "stack": {"count": 5},
    "wall": {},
    "cards": {"levels": 2},
    "arch": {},
    "boxes": {"count": 6},
    "pile": {"count": 20},
    "cradle": {},
    "cup": {},
    "dominoes": {},
    "chain-on-ground": {"count": 8, "height": 0.1},
    "falling-humanoid": {},
    "gripper-with-box": {},
    "painleve-rod": {},
    "rolling-coin": {},
    "top-on-floor": {},
}
SOLVERS = ("newton", "nsgs", "interior", "admm", "convex", "lemke", "pgs")


def cases():
    """(name, function that runs it) of all runs."""
    for name in FORMULAS:
        for method, kind in METHODS.items():
            yield f"methods {name} {method}", run(name, 40, 5e-3, method=kind())
        for integrator, kind in INTEGRATORS.items():
            yield f"integrators {name} {integrator}", run(name, 40, 5e-3, integrator=kind())
    for name in MECHANISMS:
        for coordinates in ("maximal", "generalized"):
            for method in ("projection", "braun-goldfarb", "rattle", "baumgarte", "compliant"):
                said = {"formulation": coordinates, "method": METHODS[method]()}
                yield f"bodies {name} {coordinates} {method}", run(name, 30, 2e-3, **said)
            for integrator in ("dormand-prince", "radau-iia", "generalized-alpha"):
                if integrator in INTEGRATORS:
                    said = {"formulation": coordinates, "integrator": INTEGRATORS[integrator]()}
                    yield f"bodies {name} {coordinates} {integrator}", run(name, 15, 2e-3, **said)
    for name in TREES:
        yield f"trees {name}", run(name, 60, 2e-3)
        yield f"trees {name} maximal", run(name, 20, 2e-3, formulation="maximal")
    for name, options in SCENES.items():
        for order in (1, 2, None):
            yield (
                f"contact {name} {order}",
                run(name, 60, 4e-3, options, method=dl.ContactImpulse(order=order)),
            )
    for solver in SOLVERS:
        for name in ("stack", "cards", "boxes", "painleve-rod", "chain-on-ground"):
            said = {"method": dl.ContactImpulse(solver=solver)}
            yield f"solvers {name} {solver}", run(name, 25, 4e-3, SCENES[name], **said)
    for seed in range(60):
        yield f"scenes {seed}", lambda seed=seed: scene(seed)
    for name in ("arm", "stack", "pendulum", "bennett"):
        yield f"resumed {name}", lambda name=name: resumed(name)


def run(name, steps, step, options=None, **said):
    """A run of a catalog model; without the step where the integrator finds its own."""
    given = {} if getattr(said.get("integrator"), "adaptive", False) else {"step": step}

    def made():
        model = dl.catalog.load(name, **(options or {}))
        return dl.simulate(model, until=steps * step, **given, **said)

    return made


def scene(seed):
    """A random scene with contact."""
    plan = random_scene(seed)
    return dl.simulate(
        plan.model,
        until=min(plan.steps, 20) * plan.step,
        step=plan.step,
        method=plan.method,
        formulation=plan.formulation,
        on_failure="return",
    )


def resumed(name):
    """A run that was kept in a folder, and went on."""
    with tempfile.TemporaryDirectory() as folder:
        where = str(Path(folder) / "run")
        dl.simulate(dl.catalog.load(name), until=0.05, step=1e-3, save=where)
        return dl.resume(where, until=0.1)


def print_of(make):
    """(hash, last state as text) of a run, or what it ended with."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            solution = make()
    except (dl.errors.DalembertError, TypeError) as error:
        return {"hash": type(error).__name__, "said": str(error)[:200]}
    digest = hashlib.sha256()
    for name in ("t", "q", "v", "a", "lam", "phi", "phi_dot", "kinetic"):
        digest.update(np.ascontiguousarray(getattr(solution, name)).tobytes())
    with contextlib.suppress(dl.errors.OptionError):  # it knows no contacts
        for values in solution.solve_info.values():
            digest.update(np.ascontiguousarray(values).tobytes())
    last = np.concatenate([solution.q[-1], solution.v[-1]])
    return {"hash": digest.hexdigest(), "last": _packed(last)}


def _packed(numbers):
    return base64.b64encode(zlib.compress(numbers.tobytes())).decode()


def _opened(text):
    return np.frombuffer(zlib.decompress(base64.b64decode(text)))


def difference(a, b):
    """What changed from one print to another, in words; empty if nothing did."""
    if a["hash"] == b["hash"]:
        return ""
    if "last" not in a or "last" not in b:
        return f"{a.get('said', 'ran')} -> {b.get('said', 'ran')}"
    x, y = _opened(a["last"]), _opened(b["last"])
    if x.shape != y.shape:
        return f"{x.shape} numbers -> {y.shape}"
    return f"last state by {np.abs(x - y).max():.1e} of {np.abs(x).max():.1e}"


def main():
    """The program."""
    parser = argparse.ArgumentParser(prog="python -m tests.prints")
    parser.add_argument("--out")
    parser.add_argument("--against")
    parser.add_argument("--unfused", action="store_true")
    parser.add_argument("groups", nargs="*")
    args = parser.parse_args()
    if args.unfused:
        operations.FUSING = ""
        os.environ["DALEMBERT_CACHE"] = str(Path(tempfile.gettempdir()) / "dalembert-unfused")
    known = json.loads(Path(args.against).read_text()) if args.against else {}
    prints, differ = {}, 0
    for name, make in cases():
        if args.groups and not name.startswith(tuple(args.groups)):
            continue
        prints[name] = print_of(make)
        told = difference(known[name], prints[name]) if name in known else ""
        if told:
            differ += 1
            print(f"{name}: {told}", flush=True)
    if args.out:
        Path(args.out).write_text(json.dumps(prints))
    print(f"{len(prints)} runs, {differ} differ" if known else f"{len(prints)} runs")
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())
