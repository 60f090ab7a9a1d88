"""No kernel leaves its arrays: methods, integrators and contact compiled with bounds checks.

An index out of range is silent in compiled code. The run is in a process of its own, which such an
index ends.
"""

import os
import subprocess
import sys

import pytest
from tests.support.of_the_day import of_the_day

SCRIPT = """
import dalembert as dl
from dalembert.enforcement import METHODS
from dalembert.integration import INTEGRATORS

runs = 0
models = [dl.catalog.load(name) for name in ("four-bars", "sleigh", "biped")]
for method in METHODS.values():
    for model in models:
        event = dl.Event(model.coordinates[0] - 0.01)
        try:
            dl.simulate(model, until=0.05, step=1e-3, method=method(), events=[event],
                        times=[0.0, 0.0101, 0.05], on_failure="return")
            runs += 1
        except (dl.errors.OptionError, dl.errors.RedundancyError):
            pass
for integrator in INTEGRATORS.values():
    step = None if integrator.adaptive else 1e-3
    dl.simulate(models[0], until=0.05, step=step, integrator=integrator(),
                times=[0.0, 0.0101, 0.05], on_failure="return")
    runs += 1
ground = dl.Model("two rods", gravity=(0, 0, -9.81))
rod = dl.Inertia.rod(mass=1.0, length=1.0)
upper = ground.add_body("upper", rod, position=(0.5, 0, 0))
lower = ground.add_body("lower", rod, position=(1.5, 0, 0))
ground.add_joint(dl.Revolute(ground.world, upper.at(x=-0.5), axis="y", name="hinge"))
ground.add_joint(dl.Spherical(upper.at(x=0.5), lower.at(x=-0.5), name="ball"))
for method in (dl.Projection(), dl.BraunGoldfarb(), dl.UdwadiaKalaba()):
    for step in (1e-3, None):
        dl.simulate(ground, until=0.05, step=step, method=method, times=[0.0, 0.0101, 0.05])
        runs += 1
print("runs", runs)
"""

CONTACT = """
import dalembert as dl

scenes = {"stack": {"count": 3}, "boxes": {"count": 4}, "cradle": {}, "painleve-rod": {},
          "chain-on-ground": {"count": 5, "height": 0.05}, "falling-humanoid": {}}
runs = 0
for name, options in scenes.items():
    for order in (1, 2, None):
        method = dl.ContactImpulse(order=order, sleeping=name == "stack")
        dl.simulate(dl.catalog.load(name, **options), until=0.2, step=4e-3, method=method)
        runs += 1
for coordinates in ("maximal", "generalized"):
    dl.simulate(dl.catalog.load("arm"), until=0.05, step=1e-3, formulation=coordinates)
    runs += 1
print("runs", runs)
"""

EVENTS = """
import warnings
import dalembert as dl
from tests.support.random_events import random_events

warnings.simplefilter("ignore")
runs = 0
for name in ("bouncing-ball", "cradle", "geneva-drive", "hopper", "painleve-rod", "ratchet",
             "rocking-block", "stick-slip-belt", "string-pendulum"):
    dl.simulate(dl.catalog.load(name), until=0.6, mode="events", progress=False)
    runs += 1
for seed in range(20):
    scene = random_events(seed)
    dl.simulate(scene.model, until=scene.until, initial=scene.initial, progress=False,
                method=dl.ContactImpulse(restitution=scene.law))
    runs += 1
print("runs", runs)
"""


SCRIPTS = [(SCRIPT, 40), (CONTACT, 20), (EVENTS, 29)]


@pytest.fixture(scope="module")
def code(tmp_path_factory):
    """A folder for code with bounds checks, one for all processes: runs share most of it."""
    root = tmp_path_factory.getbasetemp()
    root = root.parent if "PYTEST_XDIST_WORKER" in os.environ else root
    folder = root / "code-with-bounds-checks"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(("script", "count"), of_the_day(SCRIPTS, 6))
def test_bounds_are_kept(code, script, count):
    settings = {
        **os.environ,
        "DALEMBERT_BOUNDS": "1",
        "DALEMBERT_JIT": "1",
        "DALEMBERT_CACHE": str(code),
    }
    done = subprocess.run(
        [sys.executable, "-c", script], env=settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Error" not in done.stderr, done.stderr
    assert int(done.stdout.split()[-1]) >= count
