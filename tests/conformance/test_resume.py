"""A resumed run is the uninterrupted one, to the bit: every method, integrator, event, option.

Each run is stopped after a random number of steps here and resumed in one other process, whose
compiled code lies elsewhere in memory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from tests.support import battery
from tests.support.fingerprint import digest_of
from tests.support.of_the_day import of_the_day
from tests.support.random_mechanisms import random_mechanism

import dalembert as dl
from dalembert.enforcement import METHODS
from dalembert.integration import INTEGRATORS
from dalembert.simulation.run.run import Run
from dalembert.simulation.rundir.recorder import FolderRecorder


def fingerprint(solution):
    """Hash of every number a run returns."""
    digest = digest_of(solution)
    # the error of steps that are not recorded is an estimate, from where the run was looked at
    left_out = ("_time", "missed")
    counts = {k: v for k, v in solution.statistics.items() if not k.endswith(left_out)}
    told = (dict(solution.worst), counts, solution.message, int(solution.status))
    digest.update(json.dumps(told, default=str).encode())
    return digest.hexdigest()


def body_case(name, step=1e-3):
    return dl.catalog.load(name), step


def formula_case(case):
    return case.model(), case.step


MODELS = {
    "pendulum": lambda: formula_case(battery.PENDULUM),
    "four-bars": lambda: formula_case(battery.FOUR_BARS),
    "sleigh": lambda: formula_case(battery.SLEIGH),
    "governor": lambda: body_case("governor", 5e-5),
    "four-bar-3d": lambda: body_case("four-bar-3d"),
    "rolling-coin": lambda: body_case("rolling-coin"),
}


def cases():
    """Name, model, options; combinations that are refused are left out by the caller."""
    for label in of_the_day(MODELS, 2):
        model, step = MODELS[label]()
        for name, kind in METHODS.items():
            yield f"{label} {name}", model, {"until": 60.5 * step, "step": step, "method": kind()}
        for name, kind in INTEGRATORS.items():
            given = kind()
            h = None if given.adaptive else step
            yield f"{label} {name}", model, {"until": 60 * step, "step": h, "integrator": given}
        pair = {"method": dl.IndexTwo(), "integrator": dl.BDF()}
        yield f"{label} index-two bdf", model, {"until": 60 * step, **pair}
    model, _ = MODELS["pendulum"]()
    x, y = model.coordinates
    events = [dl.Event(x), dl.Event(y + 0.5, direction=-1)]
    stop = dl.Event(x - 0.1, terminal=True)
    for name, kind in INTEGRATORS.items():
        given = kind()
        plain = {
            "until": 3.0,
            "step": None if given.adaptive else 1e-2,
            "integrator": given,
            "events": events,
        }
        yield f"events {name}", model, plain
        yield f"times {name}", model, {**plain, "times": np.linspace(0.0, 3.0, 37)}
        yield f"terminal {name}", model, {**plain, "events": [*events, stop]}
    yield "shared parts", shared_parts(), {"until": 0.3, "step": 1e-3, "initial_limit": 10.0}
    model, _ = MODELS["governor"]()
    passing = dl.Event(model.coordinates[0] - 1e-3)
    yield "body events", model, {"until": 5e-3, "step": 5e-5, "events": [passing], "every": 7}
    yield "body times", model, {"until": 0.2, "times": [0.0, 0.03, 0.1004, 0.2]}


def shared_parts():
    """Formulas whose parts are written in one order and read from the file in another."""
    x, y, z, w = dl.coordinates("x y z w")
    third, second, first = x * w, x * z, x * y
    return dl.Model.from_lagrangian(
        name="shared",
        kinetic=(x.dot**2 + y.dot**2 + z.dot**2 + w.dot**2) / 2,
        potential=0.1 * first + x**2 + y**2 + z**2 + w**2,
        coordinates=[x, y, z, w],
        constraints={
            "a": first + 0.01 * z - 0.221,
            "b": np.sin(first) + 1.3 * np.cos(second) + np.exp(0.3 * third) + 0.7 * x - 2.3,
        },
        initial={"x": 0.3, "y": 0.7, "z": 1.1, "w": -0.4, "y.dot": 0.9},
    )


def stopped_after(steps, monkeypatch):
    """Runs stop after so many steps, looking around often, with a checkpoint every time."""
    chunk, between = Run.chunk, FolderRecorder.between

    def short(self, length):
        left = steps - self.clock.done
        if length and left <= 0:
            raise KeyboardInterrupt
        return chunk(self, min(length, left, 13))

    def always(self, run):
        self._due = 0.0
        between(self, run)

    monkeypatch.setattr(Run, "chunk", short)
    monkeypatch.setattr(FolderRecorder, "between", always)


SCRIPT = """
import json, sys, warnings
import dalembert as dl
from tests.conformance.test_resume import fingerprint

warnings.simplefilter("error", dl.errors.DoubtfulWarning)
found = {}
for name in json.load(sys.stdin):
    folder = name.replace(" ", "_")
    solution = dl.resume(folder, on_failure="return", progress=False)
    found[name] = [fingerprint(solution), fingerprint(dl.load(folder))]
json.dump(found, sys.stdout)
"""


@pytest.fixture(scope="module")
def resumed(tmp_path_factory):
    """Name -> fingerprint of the whole run, of the resumed one, and of what is kept of it."""
    folder = tmp_path_factory.mktemp("runs")
    chance = np.random.default_rng(20)
    wanted = {}
    for name, model, options in cases():
        try:
            whole = dl.simulate(model, on_failure="return", progress=False, **options)
        except dl.errors.DalembertError:  # a combination that is refused
            continue
        with pytest.MonkeyPatch.context() as patch:
            stopped_after(int(chance.integers(0, whole.statistics["steps"] + 1)), patch)
            place = folder / name.replace(" ", "_")
            part = dl.simulate(model, on_failure="return", progress=False, save=place, **options)
        assert part.status.name in ("INTERRUPTED", whole.status.name)
        wanted[name] = fingerprint(whole)
    path = os.pathsep.join(p for p in sys.path if p)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        input=json.dumps(list(wanted)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    return {name: (wanted[name], *found[name]) for name in wanted}


@pytest.mark.slow
def test_resumed_to_the_bit(resumed):
    assert len(resumed) > 70
    assert {name for name, (whole, again, _) in resumed.items() if again != whole} == set()


@pytest.mark.slow
def test_what_is_kept_is_what_was_returned(resumed):
    assert {name for name, (_, again, kept) in resumed.items() if kept != again} == set()


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_resumed_where_chosen_rows_hold_badly(formulation, tmp_path):
    """From 0.70 to 0.77 of this time steps are taken with all rows (`mechanics.all_rows`)."""
    plan = random_mechanism(208164)
    given = {"until": plan.period, "step": plan.period / 64, "formulation": formulation}
    whole = dl.simulate(plan.model(), progress=False, **given)
    for steps in (45, 47, 49):
        place = tmp_path / str(steps)
        with pytest.MonkeyPatch.context() as patch:
            stopped_after(steps, patch)
            dl.simulate(plan.model(), on_failure="return", progress=False, save=place, **given)
        assert fingerprint(dl.resume(place, progress=False)) == fingerprint(whole)
