"""Every file of examples/ runs as it stands; each ends in its own assertions."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.share(3)

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_example(path, tmp_path):
    if "sympy" in path.name and importlib.util.find_spec("sympy") is None:
        pytest.skip("needs sympy")
    done = subprocess.run(
        [sys.executable, str(path)],
        cwd=tmp_path,
        env=os.environ | {"MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
