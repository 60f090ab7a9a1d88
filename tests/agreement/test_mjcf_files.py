"""MJCF files found in installed packages: every one loads or is refused by name, as MuJoCo has it.

The files are those of dm_control, gymnasium, gymnasium_robotics, robosuite, metaworld and myosuite
where these are installed, and of the folders in DALEMBERT_MJCF (separated as in PATH), for example
unpacked wheels. Nothing of them is part of this project.
"""

import importlib.util
import os
import warnings
from pathlib import Path

import numpy as np
import pytest

from dalembert.errors import DalembertError

mujoco = pytest.importorskip("mujoco", reason="needs the mjcf extra: pip install 'dalembert[mjcf]'")

from tests.support.mjcf_compare import (  # noqa: E402
    accelerations_differ,
    mass_matrix_differs,
    moved,
    places_differ,
    without_what_is_lost,
)

from dalembert.importers.mjcf.compiled import Compiled  # noqa: E402
from dalembert.importers.mjcf.load import understand  # noqa: E402

PACKAGES = (
    *("dm_control", "gymnasium", "gymnasium_robotics", "robosuite", "metaworld", "myosuite"),
    "mujoco",
)
ENOUGH = 30
TEN = (
    *("hopper.xml", "acrobot.xml", "fish.xml", "half_cheetah.xml", "ant.xml", "humanoid.xml"),
    *("quadruped.xml", "humanoid_CMU.xml", "ball_in_cup.xml", "manipulator.xml", "walker2d.xml"),
)


def folders():
    given = [Path(part) for part in os.environ.get("DALEMBERT_MJCF", "").split(os.pathsep) if part]
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        given += [Path(p) for p in (spec.submodule_search_locations or [])] if spec else []
    return given


@pytest.fixture(scope="module")
def files():
    found = {
        path
        for folder in folders()
        for path in folder.rglob("*.xml")
        if "<mujoco" in path.read_text(errors="ignore")
    }
    if len(found) < ENOUGH:
        pytest.skip(
            f"{len(found)} MJCF files are installed here. Unpack wheels of dm_control, gymnasium "
            "and others, and name their folders in DALEMBERT_MJCF."
        )
    return sorted(found)


@pytest.mark.slow
def test_every_file_loads_or_is_refused_and_places_agree(files):
    rng = np.random.default_rng(1)
    loaded = weighed = 0
    for path in files:
        try:
            reading = understand(path, shapes=False)
        except DalembertError:
            continue
        loaded += 1
        m = reading.m
        moving = [b for b, place in reading.places.items() if place.body.name != "world"]
        mass = sum(reading.model.masses().values())
        assert mass == pytest.approx(float(m.body_mass[moving].sum()), rel=1e-12), path
        for size in (0.0, 0.4):
            found = places_differ(mujoco, reading, moved(mujoco, m, rng, size))
            assert max(found.values()) < 1e-10, (path, found)
        heavy = mass_matrix_differs(mujoco, reading, moved(mujoco, m, rng))
        weighed += heavy is not None
        assert heavy is None or heavy < 1e-10, path
    assert loaded >= ENOUGH
    assert weighed >= ENOUGH


@pytest.mark.slow
@pytest.mark.parametrize("actuated", [False, True])
def test_accelerations_agree(files, actuated):
    compared = 0
    for path in (path for path in files if path.name in TEN):
        try:
            m = Compiled(path).m
            m = without_what_is_lost(mujoco, m, actuated)
            reading = understand(m, shapes=False)
        except DalembertError:
            continue
        said = [loss.what for loss in reading.losses]
        if actuated and (not m.nu or any(s.startswith(("actuator", "force range")) for s in said)):
            continue
        compared += 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert accelerations_differ(mujoco, m, np.random.default_rng(3)) < 1e-8, path
    assert compared >= 10
