"""`dalembert check`: what it prints about formulas and bodies, and its exit code."""

from __future__ import annotations

import json
import re

import pytest

import dalembert as dl
from dalembert.cli import BAD_INPUT, OK, main
from dalembert.cli.models import load_model

DOUBTFUL = """
import dalembert as dl
x, y = dl.coordinates("x y")
model = dl.Model.from_map(
    particles=[dl.Particle(1.0, (x, 0.0), name="a"), dl.Particle(1e6, (0.0, y), name="b")],
    name="doubtful",
)
"""

FOUR_BAR = """
import dalembert as dl
model = dl.Model("four-bar")
inertia = dl.Inertia.box(mass=1.0, size=(1.0, 0.1, 0.1))
a, b, c = (model.add_body(name, inertia{place}) for name in ("crank", "coupler", "rocker"))
model.add_joint(dl.Revolute(model.world, a.at(x=-0.5), axis="y", name="hinge_A", initial=-1.0))
model.add_joint(dl.Revolute(a.at(x=0.5), b.at(x=-1.0), axis="y", name="hinge_B", initial=1.0))
far = model.world.at(x=2)
model.add_joint(dl.Revolute(far, c.at(x=-0.5), axis="y", name="hinge_D", initial=-1.0))
model.add_joint(dl.Revolute(b.at(x=1.0), c.at(x=0.5), axis="y", name="hinge_C"))
"""


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "model.py"
        path.write_text(text)
        return str(path)

    return write


def test_doubts_are_printed(file, capsys):
    assert main(["check", file(DOUBTFUL)]) == OK
    assert "doubt               masses of 'b' and 'a': differ by" in capsys.readouterr().out
    assert main(["check", file(DOUBTFUL), "--json"]) == OK
    assert "masses of 'b' and 'a'" in json.loads(capsys.readouterr().out)["doubts"][0]


def test_starts_that_run_refuses(capsys):
    assert main(["check", "pendulum", "--initial", "x=3"]) == BAD_INPUT
    out = capsys.readouterr().out
    assert "refused by run. Initial state: coordinate 'x' would have to move by 2" in out
    assert main(["run", "pendulum", "--initial", "x=3", "--until", "1", "--step", "0.1"]) != OK


def test_starts_that_are_moved(capsys):
    assert main(["check", "pendulum", "--initial", "x=1.01"]) == OK
    assert "start               moved onto the constraints by 1.0e-02" in capsys.readouterr().out


def test_bodies(file, capsys):
    path = file(FOUR_BAR.replace("{place}", ""))
    assert main(["check", path]) == OK
    out = capsys.readouterr().out
    assert "degrees of freedom  1" in out
    assert "hinge_C: rotation about x repeats what hinge_A, hinge_B, hinge_D already fix" in out
    assert "make hinge_C a dl.PointOnLine(axis='y')" in out
    assert main(["check", path, "--json"]) == OK
    found = json.loads(capsys.readouterr().out)
    assert (found["rank"], found["degrees_of_freedom"]) == (17, 1)


def test_bodies_far_from_closed(file, capsys):
    path = file(FOUR_BAR.replace("{place}", ", position=(0, 0, 3)"))
    assert main(["check", path]) == BAD_INPUT
    assert "would have to move by" in capsys.readouterr().out


def test_another_start_of_bodies(file, capsys):
    path = file(FOUR_BAR.replace("{place}", ""))
    # an angle asked for by name is held while the loop is closed, and the mechanism moves there
    assert main(["check", path, "--initial", "crank.pitch=-1.1"]) == OK
    assert re.search(r"start +closed", capsys.readouterr().out)
    made = load_model(path)
    start = dl.simulate(made, until=0.01, step=1e-3, initial={"crank.pitch": -1.1})
    assert start["crank.pitch"][0] == pytest.approx(-1.1, abs=1e-9)
    assert made.initial["crank.qy"] != pytest.approx(start["crank.qy"][0], abs=1e-3)
    assert main(["check", path, "--initial", "crank.x=3"]) == BAD_INPUT
    assert "body 'crank': would have to move by" in capsys.readouterr().out
    assert main(["check", path, "--initial", "crank.pich=-1.1"]) == BAD_INPUT
    assert "crank.pitch" in capsys.readouterr().err
