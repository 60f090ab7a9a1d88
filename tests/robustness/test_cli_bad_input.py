"""Bad input on the command line: one readable paragraph, the right exit code, no traceback."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert.cli import main

BAD_INPUT = 2

PYTHON_FILES = {
    "empty": ("", "defines no Model"),
    "syntax": ("model = (", "line 1"),
    "raises": ("x = 1\ny = x / 0\n", "line 2: ZeroDivisionError"),
    "exits": ("import sys\nsys.exit(3)\n", "ended itself"),
    "missing": ("import not_installed_anywhere\n", "not_installed_anywhere"),
    "other": (
        "from dalembert import catalog\npendulum = catalog.load('pendulum')\n",
        ":pendulum",
    ),
    "branch": (
        "import dalembert as dl\n(x,) = dl.coordinates('x')\nforce = 1.0 if x > 0 else -1.0\n",
        "dl.where",
    ),
}


def bad(capsys, *argv: str, code: int = BAD_INPUT) -> str:
    """Run, expect the code, and return the paragraph after checking its form."""
    assert main(list(argv)) == code
    text = capsys.readouterr().err
    assert text.startswith("dalembert: ")
    assert "Traceback" not in text
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["run"], "MODEL is missing"),
        (["rnu", "pendulum"], "'run'"),
        (["run", "pendulum", "--untill", "3"], "'--until'"),
        (["run", "pendulum", "--until", "soon"], "soon"),
        (["run", "pendulun"], "pendulum"),
        (["run", "pendulum:lenght=3"], "length"),
        (["run", "pendulum:length"], "key=value"),
        (["run", "nowhere.yaml"], "no such file"),
        (["run", "nowhere.py"], "no such file"),
        (["run", "nowhere.py:model"], "no such file"),
        (["run", "folder/model.urdf"], "no such folder"),
        (["run", "pendulum", "--until", "1", "--method", "baumgart"], "baumgarte"),
        (["run", "pendulum", "--until", "1", "--method", "baumgarte:alfa=3"], "alpha"),
        (["run", "pendulum", "--until", "1", "--method", "projection:norm=big"], "norm"),
        (["run", "pendulum", "--until", "1", "--integrator", "rk5"], "rk4"),
        (["run", "pendulum", "--until", "1", "--parameters", "L=3"], "'L'"),
        (["run", "pendulum", "--until", "1", "--parameters", "l=three"], "three"),
        (["run", "pendulum", "--until", "1", "--initial", "z=1"], "'z'"),
        (["run", "pendulum", "--until", "1", "--out", "no/such/folder/run.npz"], "does not exist"),
        (["run", "pendulum", "--until", "1", "--out", "."], "folder"),
        (["check", "pendulun"], "pendulum"),
        (["compare", "pendulum", "--methods", "projektion"], "projection"),
        (["export", "nowhere.npz", "--to", "csv"], ""),
        (["export", "nowhere.npz", "--to", "xls"], "csv"),
        (["plot", "nowhere.npz"], "no such file"),
    ],
)
def test_words(argv, words, capsys):
    assert words in bad(capsys, *argv)


@pytest.mark.parametrize("case", PYTHON_FILES)
def test_python_files(case, tmp_path, capsys):
    content, words = PYTHON_FILES[case]
    path = tmp_path / "own.py"
    path.write_text(content)
    assert words in bad(capsys, "check", str(path))


def test_python_file_with_a_name_and_a_function(tmp_path, capsys):
    path = tmp_path / "own.py"
    path.write_text(
        "from dalembert import catalog\n"
        "second = catalog.load('pendulum')\n"
        "def made():\n    return catalog.load('four-bars')\n"
    )
    assert main(["check", f"{path}:second"]) == 0
    assert main(["check", f"{path}:made"]) == 0
    assert "four-bars" in capsys.readouterr().out


def test_yaml_with_a_misspelt_key(tmp_path, capsys):
    path = tmp_path / "m.yaml"
    path.write_text("version: 1\nname: m\ncoordinate: [x]\nkinetic: x.dot**2/2\n")
    text = bad(capsys, "run", str(path))
    assert "coordinate" in text
    assert "m.yaml" in text


def test_foreign_npz(tmp_path, capsys):
    path = tmp_path / "other.npz"
    np.savez(path, a=np.ones(2))
    assert "not a solution" in bad(capsys, "plot", str(path))


@pytest.mark.parametrize("step", ["0", "-1e-3", "nan", "inf"])
def test_step(step, capsys):
    text = bad(capsys, "run", "pendulum", "--until", "1", "--step", step)
    assert f"step is {float(step)}. Give a positive time in seconds." in text


@pytest.mark.parametrize("until", ["-1", "nan", "inf"])
def test_until(until, capsys):
    text = bad(capsys, "run", "pendulum", "--until", until, "--step", "1e-3")
    assert ("until (-1 s) is not after start" if until == "-1" else f"until is {until}.") in text


def test_debug_shows_the_traceback(capsys):
    assert main(["check", "pendulun", "--debug"]) == BAD_INPUT
    assert "Traceback" in capsys.readouterr().err
