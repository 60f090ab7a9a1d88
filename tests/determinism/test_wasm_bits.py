"""The same bits in node and in Chromium as natively, for models of every kind."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.browser.conftest import NAMES as BROWSERS
from tests.support.of_the_day import of_the_day
from tests.wasm_bits import NODE

ROOT = Path(__file__).parents[2]

FEW = ("pendulum", "four-bars", "four-bar-3d", "arm", "cassie-leg")
MANY = (
    "bennett",
    "biped",
    "bouncing-ball",
    "car-axis",
    "chain",
    "cradle",
    "double-wishbone",
    "gripper",
    "hopper",
    "jansen-leg",
    "quadruped",
    "ratchet",
    "rolling-disc",
    "stack",
    "stick-slip-belt",
)


def compare(models, steps):
    """Lines of `tests.wasm_bits`, in a process whose native code is portable."""
    if NODE is None:
        if os.environ.get("DALEMBERT_BROWSER") == "required":
            pytest.fail("no node was found, and DALEMBERT_BROWSER=required")
        pytest.skip("no node was found")
    browser = ["--chromium"] * any(map(shutil.which, BROWSERS))
    done = subprocess.run(
        [sys.executable, "-m", "tests.wasm_bits", "--steps", str(steps), *browser, *models],
        cwd=ROOT,
        env={**os.environ, "DALEMBERT_PORTABLE": "1"},
        capture_output=True,
        text=True,
    )
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(lines) == len(models)
    # each ran to the end of its steps, in every way
    ends = "same bits (100, 100, 100)" if browser else "same bits (100, 100)"
    assert all(line.endswith(ends) for line in lines), done.stdout


@pytest.mark.slow
def test_formulas_bodies_and_trees():
    compare(FEW, 10_000)


@pytest.mark.slow
def test_models_of_every_kind():
    compare(of_the_day(MANY, 6), 10_000)
