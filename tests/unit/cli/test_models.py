"""MODEL on the command line, `dalembert models`, and errors in files of users."""

from __future__ import annotations

import json

import pytest

from dalembert import catalog
from dalembert.cli import BAD_INPUT, OK, main

HEAD = "import dalembert as dl\nx, y = dl.coordinates('x y')\n"
PYTHON = {
    "name": (HEAD + "model = q\n", "line 3: NameError: name 'q' is not defined\n    model = q\n"),
    "syntax": (HEAD + "model = (\n", "line 3: '(' was never closed\n    model = (\n"),
    "ours": (
        HEAD + "model = dl.Model.from_lagrangian(kinetic=x.dot**2, initial={'z': 1})\n",
        "line 3: model 'model': initial 'z': there is no such coordinate",
    ),
    "within": (
        HEAD + "def model():\n    return dl.Inertia(-1.0, [1, 1, 1])\n",
        "line 4: Inertia: mass is -1 kg. Give a positive mass.\n    return dl.Inertia(",
    ),
    "arguments": (HEAD + "def model(a):\n    return a\n", "missing 1 required positional argument"),
    "class": (HEAD + "class model: pass\n", "'model' is not a Model but a class."),
    "number": (HEAD + "model = 3\n", "'model' is not a Model but 3."),
    "recursion": ("def model():\n    return model()\n", "RecursionError"),
    "null": ("model = '\0'\n", "is not a Python file"),
}


def said(capsys, *words: str) -> str:
    assert main(list(words)) == BAD_INPUT
    text = capsys.readouterr().err
    assert "Traceback" not in text
    return text


@pytest.mark.parametrize("case", PYTHON)
def test_python_files_show_the_line_of_the_user(case, tmp_path, capsys):
    content, words = PYTHON[case]
    path = tmp_path / "own.py"
    path.write_text(content)
    text = said(capsys, "check", str(path))
    assert str(path) in text
    assert words in text
    assert "dalembert/cli" not in text


def test_an_error_in_a_file_beside(tmp_path, capsys):
    (tmp_path / "parts.py").write_text("length = 1\nmass = length / 0\n")
    (tmp_path / "own.py").write_text("import parts\nmodel = parts.model\n")
    text = said(capsys, "check", str(tmp_path / "own.py"))
    assert f"{tmp_path / 'parts.py'}, line 2: ZeroDivisionError" in text
    assert text.endswith("    mass = length / 0\n")


def test_files_that_are_not_there(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "linkage.yaml").write_text("version: 1\n")
    (tmp_path / "parts").mkdir()
    assert "Did you mean 'linkage.yaml'?" in said(capsys, "check", "linkge.yaml")
    assert "Did you mean 'linkage.yaml'?" in said(capsys, "check", "linkage.yml")
    assert "but a file: give linkage.yaml" in said(capsys, "check", "linkage")
    assert "folder 'part'. Did you mean 'parts'?" in said(capsys, "check", "part/linkage.yaml")
    assert "is a folder, not a file. Models in it: linkage.yaml" in said(capsys, "check", "./")
    assert "is a folder" in said(capsys, "check", "parts")
    assert "there is no such file" in said(capsys, "check", "linkage.py:model")
    assert "ending in '.txt' are not understood" in _of_a_file(capsys, "notes.txt")


def _of_a_file(capsys, name: str) -> str:
    with open(name, "w") as file:
        file.write("text")
    return said(capsys, "check", name)


def test_a_run_is_no_model(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "morning").mkdir()
    (tmp_path / "morning" / "run.json").write_text("{}")
    assert "is the folder of a run, not a model" in said(capsys, "check", "morning")
    assert "there is no such run. Did you mean 'morning'?" in said(capsys, "plot", "mornig")
    assert "no catalog model 'evening'" in said(capsys, "plot", "evening")


def test_unreadable_files(tmp_path, capsys, monkeypatch):
    path = tmp_path / "model.yaml"
    path.write_text("version: 1\n")

    def refuse(self, *arguments, **options):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr("pathlib.Path.open", refuse)
    assert "cannot be read: Permission denied" in said(capsys, "check", str(path))


def test_list(capsys):
    assert main(["models"]) == OK
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == catalog.names()
    assert main(["models", "--json"]) == OK
    found = json.loads(capsys.readouterr().out)
    assert [entry["description"] for entry in found] == list(map(catalog.describe, catalog.names()))


def test_one_model(capsys):
    assert main(["models", "biped"]) == OK
    text = capsys.readouterr().out
    assert "options     exercise=1" in text
    assert "dalembert run biped:exercise=1" in text
    assert main(["models", "biped:exercise=3", "--json"]) == OK
    assert json.loads(capsys.readouterr().out)["parameters"]["g"] == 9.81
    assert "pendulum" in said(capsys, "models", "pendulun")


def test_a_method_with_its_own_discretisation_leaves_the_integrator_of_the_file(tmp_path, capsys):
    path = tmp_path / "own.yaml"
    path.write_text(
        "version: 1\ncoordinates: [x, y]\nkinetic: (x.dot**2 + y.dot**2)/2\n"
        "constraints: {bar: x**2 + y**2 - 1}\ninitial: {x: 1}\n"
        "simulate: {until: 0.1, step: 1e-2, integrator: rk4}\n"
    )
    assert main(["run", str(path), "--method", "rattle"]) == OK
    assert "Rattle" in capsys.readouterr().out
    assert main(["run", str(path), "--method", "rattle", "--integrator", "rk4"]) == BAD_INPUT


def test_a_misspelt_method_in_a_file(tmp_path, capsys):
    path = tmp_path / "own.yaml"
    path.write_text(
        "version: 1\ncoordinates: [x]\nkinetic: x.dot**2\nsimulate: {until: 1, method: ratle}\n"
    )
    text = " ".join(said(capsys, "run", str(path)).split())
    assert f"{path}: simulate.method: No method 'ratle'; did you mean 'rattle'?" in text
