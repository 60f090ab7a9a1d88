"""`dalembert reactions`: the largest reactions, torques and powers, from the shell alone."""

from __future__ import annotations

import json

import numpy as np
import pytest

import dalembert as dl
from dalembert.cli import BAD_INPUT, OK, main
from dalembert.scene import follow

CRANK = """
version: 1
name: crank
gravity: [0, 0, -9.81]
bodies:
  - {name: crank, mass: 2.0, inertia: {type: rod, length: 1.0, axis: x}, center: [0.5, 0, 0]}
joints:
  bearing: {type: revolute, first: world, second: crank, axis: y}
  drive: {type: motion, target: bearing, value: 3*t}
forces:
  brake: {type: torque, frame: crank, about: y, value: -4}
simulate: {until: 2, step: 1e-3}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crank.yaml").write_text(CRANK)
    return tmp_path


def test_values_moments_and_signs_are_those_of_the_solution(folder, capsys):
    assert main(["run", "crank.yaml", "-o", "run.npz"]) == OK
    capsys.readouterr()
    assert main(["reactions", "run.npz", "--json"]) == OK
    found = {(p["name"], p["what"], p["value"] > 0): p for p in json.loads(capsys.readouterr().out)}
    solution = dl.load("run.npz")
    bearing = solution.reaction("bearing")
    peak = found["bearing", "force", True]
    k = int(np.argmax(np.linalg.norm(bearing.force, axis=1)))
    assert (peak["t"], peak["unit"], peak["on"]) == (solution.t[k], "N", "crank")
    assert peak["vector"] == pytest.approx(list(bearing.force[k]))
    # the crank hangs on its end: m w^2 r and the weight, at the bottom
    assert peak["value"] == pytest.approx(2.0 * 9.0 * 0.5 + 2.0 * 9.81, rel=1e-6)
    # constant speed: the drive balances weight and brake, M = -m g r cos(angle) + 4 about y
    effort = -2.0 * 9.81 * 0.5 * np.cos(3 * solution.t) + 4.0
    assert found["drive", "effort", True]["value"] == pytest.approx(effort.max(), rel=1e-5)
    assert found["drive", "effort", False]["value"] == pytest.approx(effort.min(), rel=1e-5)
    assert found["drive", "effort", True]["unit"] == "N m"
    assert found["drive", "power", True]["value"] == pytest.approx(3 * effort.max(), rel=1e-5)
    assert found["drive", "power", True]["unit"] == "W"
    assert found["brake", "torque", True]["vector"] == pytest.approx([0, -4, 0])
    assert found["brake", "power", False]["value"] == pytest.approx(-12.0)


def test_the_table_and_names(folder, capsys):
    assert main(["reactions", "crank.yaml", "drive"]) == OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["name", "largest", "at", "t", "on", "vector"]
    assert [line.split()[0] for line in lines[1:]] == ["drive"] * 4
    assert main(["reactions", "crank.yaml", "bering"]) == BAD_INPUT
    assert "did you mean 'bearing'?" in capsys.readouterr().err
    assert main(["reactions", "pendulum", "--until", "1"]) == OK
    assert "bar   multiplier" in capsys.readouterr().out


def test_a_second_plot_keeps_the_first(folder, capsys):
    assert main(["run", "crank.yaml", "-o", "run.npz", "-q"]) == OK
    for _ in range(2):
        assert main(["plot", "run.npz", "bearing.angle"]) == OK
    names = sorted(path.name for path in folder.glob("*.png"))
    assert names == ["run-signals-2.png", "run-signals.png"]


def test_torques_of_motors_are_curves_of_the_page(folder):
    scene, motion = follow(dl.simulate(dl.load("crank.yaml"), until=1.0, step=1e-2), fps=10)
    column = [signal.name for signal in scene.signals].index("drive.effort")
    assert scene.signals[column].unit == "N m"
    assert motion.values[0, column] == pytest.approx(-2.0 * 9.81 * 0.5 + 4.0, rel=1e-4)
