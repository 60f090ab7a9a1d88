"""The wheel brings its types: a program of a user passes `mypy --strict` against it, and runs."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAM = HERE / "typed_program.py"


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """An environment with nothing in it but the wheel, and NumPy by a link."""
    folder = tmp_path_factory.mktemp("typed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    venv.create(folder / "env", with_pip=False)
    (packages,) = (folder / "env").glob("lib/python*/site-packages")
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(packages)
    (packages / "numpy").symlink_to(Path(np.__file__).parent)
    return folder


def check(environment, program):
    """What mypy says of a program."""
    settings = environment / "settings.ini"
    settings.write_text("[mypy]\n", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(settings)]
    command += ["--cache-dir", str(environment / "cache"), str(program)]
    command += ["--python-executable", str(environment / "env" / "bin" / "python")]
    return subprocess.run(command, cwd=environment, capture_output=True, text=True).stdout


def test_a_strict_program_passes(environment):
    assert check(environment, PROGRAM).startswith("Success")


def test_mistakes_are_found(environment):
    """Types that were lost on the way would let everything pass."""
    program = environment / "mistaken.py"
    text = PROGRAM.read_text(encoding="utf-8")
    program.write_text(text.replace("solution.summary()", "solution.sumary()"), encoding="utf-8")
    assert 'has no attribute "sumary"; maybe "summary"' in check(environment, program)


def test_it_runs():
    done = subprocess.run([sys.executable, PROGRAM], capture_output=True, text=True, check=True)
    assert [float(word) for word in done.stdout.split()[-3:]] == pytest.approx(
        [0.1, 0.19, -0.99], abs=0.006
    )
