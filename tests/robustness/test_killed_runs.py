"""A run that is killed often at random moments ends as if nothing had happened."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest
from tests.conformance.test_resume import fingerprint

import dalembert as dl
from dalembert.simulation.rundir.place import is_busy

KILLS = {"bodies": 6, "formulas": 6, "actions": 4}

CHILD = """
import sys, warnings
from pathlib import Path
import dalembert as dl
from dalembert.simulation.rundir import recorder
from dalembert.simulation.run.run import Run
from tests.robustness.test_killed_runs import CASES

warnings.simplefilter("error")
# Much more often than usual, so that many a kill comes while something is written.
recorder.SECONDS, recorder.SHARE = 0.02, 2
go = Run.go

def told(self, progress):
    print("running", flush=True)
    return go(self, progress)

Run.go = told
name, folder = sys.argv[1:]
model, options = CASES[name]()
if folder == "-":
    dl.simulate(model, progress=False, **options).save("whole.npz")
elif Path(folder).exists():
    dl.resume(folder, progress=False)
else:
    dl.simulate(model, progress=False, save=folder, **options)
"""


def bodies():
    """Warm starts of the solve, events on the continuous output, every step recorded."""
    model = dl.catalog.load("four-bar-3d")
    event = dl.Event(model.coordinates[0] - 0.01, name="passing")
    return model, {"until": 20.0, "step": 5e-4, "every": 1, "events": [event]}


def formulas():
    """Error control and samples that are thinned again and again."""
    model = dl.catalog.load("four-bars")
    return model, {"until": 4000.0, "integrator": dl.DormandPrince(order=5, max_step=5e-3)}


def actions():
    """Carts that are coupled and let go again and again: some kills come between two parts."""
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        name="carts",
        kinetic=x.dot**2 + 1.5 * y.dot**2,
        potential=(x**2 + 0.3 * y**2) / 2,
        coordinates=[x, y],
        constraints={"coupling": y - x},
        initial={"x": 0.0, "y": 1.0, "x.dot": 1.0},
    )
    events = [
        dl.Event(y - x, action=dl.Engage("coupling"), name="docking"),
        dl.Event(x.dot, action=[dl.Release("coupling"), {"x.dot": 1.0, "y.dot": -0.5}]),
    ]
    return model, {"until": 12.0, "step": 5e-4, "released": ["coupling"], "events": events}


CASES = {"bodies": bodies, "formulas": formulas, "actions": actions}


def child(name, folder, cwd):
    path = os.pathsep.join(p for p in sys.path if p)
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, name, folder],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process):
    _, error = process.communicate(timeout=300)
    assert process.returncode == 0, error[-2000:]


def check_what_is_there(folder, whole):
    """Every finished segment can be read, and holds the states of the undisturbed run."""
    for path in sorted(folder.rglob("segment-*.npz")):
        with np.load(path, allow_pickle=False) as segment:
            assert len({len(segment[name]) for name in ("t", "q", "v", "step")}) == 1
    assert not is_busy(folder)
    found = dl.load(folder)
    assert "dalembert resume" in found.message
    _, mine, theirs = np.intersect1d(found.t, whole.t, return_indices=True)
    # Samples of the whole run may be thinner; none of its own are missing. The end of a part is
    # moved by the least time before the next one begins.
    assert np.count_nonzero(whole.t <= found.t[-1]) in (len(mine), len(mine) + 1)
    for name in ("q", "v", "lam", "phi"):
        one, two = getattr(found, name)[mine], getattr(whole, name)[theirs]
        assert np.array_equal(one, two, equal_nan=name == "phi")  # of rows that do not act


def killed_often(name, folder, longest, whole):
    """Kill the run often, each time at a random moment of its next life; False: it was over."""
    for _ in range(KILLS[name]):
        process = child(name, str(folder), folder.parent)
        assert process.stdout.readline() == "running\n", process.stderr.read()[-2000:]
        time.sleep(random.uniform(0.0, longest))
        if process.poll() is not None:
            finish(process)
            return False
        process.kill()
        process.communicate()
        if dl.load(folder).message.startswith("Finished"):
            return False  # only its process had not ended yet
        check_what_is_there(folder, whole)
    return True


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
@pytest.mark.parametrize("name", CASES)
@pytest.mark.share(3)
def test_killed_often(name, tmp_path):
    began = child(name, "-", tmp_path)
    began.stdout.readline()
    clock = time.perf_counter()
    finish(began)
    lasted = time.perf_counter() - clock
    whole = dl.load(tmp_path / "whole.npz")
    folder = tmp_path / "run"
    longest = lasted / KILLS[name]
    while not killed_often(name, folder, longest, whole):
        # A machine less busy than it was: the run was over before it could be killed so often.
        shutil.rmtree(folder)
        longest /= 2
    finish(child(name, str(folder), tmp_path))
    resumed = dl.load(folder)
    assert fingerprint(resumed) == fingerprint(whole)
    assert resumed.worst == whole.worst
    assert resumed.statistics["steps"] == whole.statistics["steps"]
    assert resumed.statistics["evaluations"] == whole.statistics["evaluations"]
    assert not list(folder.glob(".*")), "nothing half written is left"
