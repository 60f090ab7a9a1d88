"""`dalembert import`: what it reads, what it says is lost, and that what it writes is the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dalembert import catalog
from dalembert.cli import BAD_INPUT, OK, main
from dalembert.importers import readers
from dalembert.importers.native import load
from dalembert.importers.readers import Loss, Read
from dalembert.importers.same_model import differing
from dalembert.importers.writing import as_data, save_model

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.yaml"))
DESCRIBED = """version: 1
description: a mass on a spring
coordinates: [x]
definitions: {half: 1/2}
kinetic: half*x.dot**2
potential: half*x**2
"""


@pytest.mark.parametrize("suffix", [".yaml", ".json"])
@pytest.mark.parametrize("source", EXAMPLES, ids=lambda path: path.name)
def test_examples_stay_the_same(source, suffix, tmp_path, capsys):
    out = tmp_path / f"again{suffix}"
    assert main(["import", str(source), "--out", str(out)]) == OK
    assert differing(as_data(load(out)), as_data(load(source))) == []
    assert "it is the same model" in capsys.readouterr().err


def test_the_whole_catalog_can_be_written(tmp_path):
    for name in catalog.names():
        model = catalog.load(name)
        path = save_model(model, tmp_path / f"{name}.yaml")
        assert differing(as_data(model), as_data(load(path))) == [], name


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2*x*3", "6*x", True),
        ("x + y", "y + x", True),
        ("x", "y", False),
        ("x.dot", "x", False),
        ("x**2", "x**2.000001", False),
        (["x", 1.0], ["x", 1.0, 2.0], False),
        ({"a": "x"}, {"b": "x"}, False),
        ("revolute", "prismatic", False),
        (1.0, 1.0000001, False),
        (None, "0", False),
    ],
)
def test_comparing(one, other, same):
    assert (differing({"key": one}, {"key": other}) == []) is same


def test_catalog_and_python(tmp_path, capsys):
    assert main(["import", "four-bar-3d", "--out", str(tmp_path / "a.json")]) == OK
    assert "hinge_A (revolute)" in capsys.readouterr().out
    own = tmp_path / "own.py"
    own.write_text("from dalembert import catalog\nsecond = catalog.load('pendulum')\n")
    assert main(["import", f"{own}:second", "--out", "-"]) == OK
    seen = capsys.readouterr()
    assert seen.out.startswith("version: 1\nname: pendulum\n")
    assert "coordinates  2: x, y" in seen.err


def test_losses_are_told_and_refused(tmp_path, capsys):
    path, out = tmp_path / "m.yaml", tmp_path / "out.yaml"
    path.write_text(DESCRIBED)
    assert main(["import", str(path), "--strict", "--out", str(out)]) == BAD_INPUT
    seen = capsys.readouterr()
    assert f"lost         {path}, line 2: the description" in seen.out
    assert "definition 'half' is written out" in seen.out
    assert "--strict" in seen.err
    assert not out.exists()
    assert main(["import", str(path), "--json", "--out", str(out)]) == OK
    found = json.loads(capsys.readouterr().out)
    assert found["understood"]["coordinates"] == ["x"]
    assert len(found["lost"]) == 2
    assert found["written"] == str(out)
    assert out.exists()


def test_nothing_is_lost(tmp_path, capsys):
    assert main(["import", "pendulum", "--strict"]) == OK
    assert "lost         nothing" in capsys.readouterr().out


@pytest.mark.parametrize("suffix", [".sdf", ".usd"])
def test_formats_of_others(suffix, tmp_path, capsys):
    path = tmp_path / f"robot{suffix}"
    path.write_text("<robot/>")
    for command in ("import", "check"):
        assert main([command, str(path)]) == BAD_INPUT
        assert "is not read yet" in capsys.readouterr().err


def test_a_reader_is_one_line_in_the_table(tmp_path, capsys, monkeypatch):
    path = tmp_path / "robot.urdf"
    path.write_text("<robot/>")
    read = Read(catalog.load("pendulum"), (Loss("<visual> is not understood.", f"{path}, line 7"),))
    monkeypatch.setitem(readers.READERS, ".urdf", lambda given: read)
    assert main(["import", str(path)]) == OK
    assert f"{path}, line 7: <visual> is not understood." in capsys.readouterr().out
    assert main(["check", str(path)]) == OK


def test_what_cannot_be_written(tmp_path, capsys):
    assert main(["import", "pendulum", "--out", str(tmp_path / "a.txt")]) == BAD_INPUT
    assert "Use .yaml, .json or .urdf" in capsys.readouterr().err
    assert main(["import", "pendulum", "--out", str(tmp_path / "a.urdf")]) == BAD_INPUT
    assert "is made of formulas, URDF of bodies" in capsys.readouterr().err
    assert main(["import", "pendulum", "--out", str(tmp_path / "no" / "a.yaml")]) == BAD_INPUT
    assert "does not exist" in capsys.readouterr().err


def test_a_file_that_reads_back_differently_is_told(tmp_path, capsys, monkeypatch):
    out = tmp_path / "a.yaml"
    other = catalog.load("pendulum", length=2.0)
    monkeypatch.setattr("dalembert.importers.native.load", lambda path: other)
    assert main(["import", "pendulum", "--out", str(out)]) == BAD_INPUT
    assert "not the same model: parameters" in capsys.readouterr().err
