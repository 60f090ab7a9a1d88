"""The command line doing real runs."""

from __future__ import annotations

import json

import pytest

from dalembert.cli import main
from dalembert.simulation.rundir.loading import load_solution
from dalembert.simulation.status import Status

OK, TOLERANCE_MISSED, BAD_INPUT, RUN_FAILED = range(4)


def test_run_reports_and_saves(tmp_path, capsys):
    out = tmp_path / "run.npz"
    words = ["run", "pendulum", "--until", "2", "--step", "1e-3", "--out", str(out)]
    assert main([*words, "--every", "10", "--parameters", "l=2.0", "--initial", "x=2"]) == OK
    text = capsys.readouterr().out
    assert "Fidelity report: pendulum" in text
    assert "Projection(norm='mass')" in text
    solution = load_solution(out)
    assert len(solution.t) == 201
    assert solution.model.parameters["l"] == 2.0
    assert solution.q[0, 0] == pytest.approx(2.0)


def test_run_json_is_json(capsys):
    words = ["run", "pendulum", "--until", "0.1", "--step", "1e-3"]
    assert main([*words, "--method", "braun-goldfarb", "--integrator", "rk4", "--json"]) == OK
    report = json.loads(capsys.readouterr().out)
    assert report["steps"] == 100
    assert report["worst_phi"] < 1e-12
    assert report["method"] == "BraunGoldfarb()"


def test_tolerance(capsys):
    words = ["run", "pendulum", "--until", "1", "--step", "1e-2", "--tolerance", "1e-10"]
    assert main(words) == OK
    assert main([*words, "--method", "udwadia-kalaba"]) == TOLERANCE_MISSED
    assert "exceeds the tolerance" in capsys.readouterr().err


def test_a_failing_run_keeps_what_it_computed(tmp_path, capsys):
    out = tmp_path / "lost.npz"
    words = ["run", "four-bars", "--until", "10", "--step", "1e-2", "--out", str(out)]
    assert main([*words, "--method", "udwadia-kalaba"]) == RUN_FAILED
    assert "Traceback" not in capsys.readouterr().err
    solution = load_solution(out)
    assert solution.status is Status.NON_FINITE
    assert len(solution.t) > 100


def test_python_file(tmp_path, capsys):
    path = tmp_path / "own.py"
    path.write_text(
        "import dalembert as dl\n"
        "x, y = dl.coordinates('x y')\n"
        "m, l, g = dl.parameters(m=1.0, l=1.0, g=9.81)\n"
        "model = dl.Model.from_lagrangian(\n"
        "    name='mine', kinetic=m * (x.dot**2 + y.dot**2) / 2, potential=m * g * y,\n"
        "    constraints=[x**2 + y**2 - l**2], initial={x: 1.0},\n"
        ")\n"
    )
    assert main(["run", str(path), "--until", "0.5", "--step", "1e-3"]) == OK
    assert "Fidelity report: mine" in capsys.readouterr().out
    assert main(["run", str(path)]) == BAD_INPUT
    assert "--until" in capsys.readouterr().err


def test_compare(tmp_path, capsys):
    words = ["compare", "pendulum", "--until", "1", "--step", "1e-2"]
    words += ["--methods", "projection,udwadia-kalaba", "baumgarte:alpha=50,beta=50"]
    assert main([*words, "--json", "--out", str(tmp_path)]) == OK
    result = json.loads(capsys.readouterr().out)
    assert [row["method"] for row in result["rows"]] == [
        "Projection",
        "UdwadiaKalaba",
        "Baumgarte",
    ]
    errors = [row["error"] for row in result["rows"]]
    assert errors[0] < errors[1] < 1e-4
    assert {path.name for path in tmp_path.iterdir()} == {
        "pendulum-drift.png",
        "pendulum-work-precision.png",
    }


def test_compare_prints_a_table(capsys):
    words = ["compare", "sleigh", "--until", "0.5", "--step", "1e-2"]
    assert main([*words, "--methods", "projection", "rattle"]) == OK
    text = capsys.readouterr().out
    assert "us/step" in text
    assert "Rattle: " in text  # refuses velocity constraints with a sentence


def test_check_names_redundant_rows(capsys):
    assert main(["check", "biped:exercise=3"]) == OK
    text = capsys.readouterr().out
    assert "rank                9" in text
    assert "redundant           backward foot" in text
    assert main(["check", "biped:exercise=3", "--json"]) == OK
    assert json.loads(capsys.readouterr().out)["rank"] == 9


def test_demo(tmp_path, capsys):
    assert main(["demo", "--out", str(tmp_path / "demo")]) == OK
    text = capsys.readouterr().out
    assert text.count("Fidelity report") == 2
    assert "lose their lengths" in text
    names = sorted(path.name for path in (tmp_path / "demo").iterdir())
    assert names == ["drift.png", "energy.png", "four-bar.html", "stroboscope.png"]


def test_doctor(capsys):
    assert main(["doctor", "--json"]) == OK
    found = json.loads(capsys.readouterr().out)
    assert found["self_test"]["passed"]
    assert found["numpy"] != "MISSING"


@pytest.mark.slow
def test_warmup(capsys):
    assert main(["warmup"]) == OK
    assert "Ready after" in capsys.readouterr().out


def test_a_model_file_says_how_it_is_run(tmp_path, capsys):
    path = tmp_path / "own.yaml"
    path.write_text(
        "version: 1\nname: own\ncoordinates: [x, y]\nkinetic: (x.dot**2 + y.dot**2)/2\n"
        "potential: 9.81*y\nconstraints: {bar: x**2 + y**2 - 1}\ninitial: {x: 1}\n"
        "simulate: {until: 0.2, step: 1e-2, method: braun-goldfarb, integrator: rk4}\n"
    )
    assert main(["run", str(path), "--json"]) == OK
    report = json.loads(capsys.readouterr().out)
    assert report["method"] == "BraunGoldfarb()"
    assert report["end"] == pytest.approx(0.2)
    assert main(["run", str(path), "--json", "--method", "projection", "--until", "0.1"]) == OK
    assert "Projection" in json.loads(capsys.readouterr().out)["method"]
