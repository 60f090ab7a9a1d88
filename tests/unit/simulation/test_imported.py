"""A first run does not wait for libraries that it does not use."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
import dalembert as dl
dl.simulate(dl.catalog.load({name!r}), until=0.01, step=1e-3, progress=False)
print(*sorted(sys.modules))
"""
UNUSED = ("scipy.optimize", "scipy.interpolate", "scipy.stats", "matplotlib", "sympy", "pandas")


@pytest.mark.parametrize("name", ["heavy-top", "stack"])
def test_first_run(name):
    command = [sys.executable, "-c", PROGRAM.format(name=name)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not set(UNUSED) & set(done.stdout.split())
