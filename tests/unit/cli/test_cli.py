"""The command line: words in, exit code and text out. Whole runs are in test_cli_runs.py."""

from __future__ import annotations

import csv
import json
import subprocess
import sys

import numpy as np
import pytest
from tests.support.synthetic import turning

from dalembert.analysis.choices import split_options
from dalembert.cli import main
from dalembert.cli.choices import key_values, methods_of
from dalembert.cli.parser import COMMANDS, SHARED, command_parsers
from dalembert.errors import OptionError


@pytest.fixture
def saved(tmp_path):
    return str(turning().save(tmp_path / "turn.npz"))


# --- help ------------------------------------------------------------------------------------


def test_help_lists_every_command(capsys):
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"\n    {command}" in text for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command, capsys):
    assert main([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert all(option in text for option in SHARED)


def test_results_can_be_had_as_json():
    without = [n for n, p in command_parsers().items() if "--json" not in p.format_help()]
    assert without == ["view", "page", "lesson", "completion"]  # they print no results


def test_no_command_shows_the_help(capsys):
    assert main([]) == 2
    assert "commands:" in capsys.readouterr().out


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("dalembert 0.")


def test_help_is_light():
    code = (
        "import sys, resource\n"
        "from dalembert.cli import main\n"
        "main(['--help'])\n"
        "heavy = {'scipy', 'sympy', 'matplotlib', 'rich', 'pydantic', 'pandas', 'numpy'}\n"
        "usage = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(sorted(heavy & set(sys.modules)), usage.ru_utime + usage.ru_stime, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy, cpu = done.stderr.rsplit(maxsplit=1)
    assert heavy == "[]"
    assert float(cpu) < 0.4


def test_module_entry():
    done = subprocess.run(
        [sys.executable, "-m", "dalembert", "--version"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert done.stdout.startswith("dalembert")


# --- words to objects ------------------------------------------------------------------------


def test_options_are_literals_else_text():
    assert split_options("projection:norm=mass,n=3,x=1e-3") == (
        "projection",
        {"norm": "mass", "n": 3, "x": 1e-3},
    )
    assert split_options("rk4") == ("rk4", {})
    assert split_options("a:b=true,c=False") == ("a", {"b": True, "c": False})


def test_methods():
    assert methods_of(["all"]) == "all"
    chosen = methods_of(["projection,udwadia-kalaba", "baumgarte:alpha=5,beta=7", "BraunGoldfarb"])
    names = [type(method).__name__ for method in chosen]
    assert names == ["Projection", "UdwadiaKalaba", "Baumgarte", "BraunGoldfarb"]
    assert chosen[2].beta == 7


def test_key_values():
    assert key_values(["l=2.0,m=1", "g=9.8"], "--parameters", ["l", "m", "g"]) == {
        "l": 2.0,
        "m": 1.0,
        "g": 9.8,
    }
    assert key_values(["x.dot=-1e-3"], "--initial", ["x", "x.dot"]) == {"x.dot": -1e-3}


@pytest.mark.parametrize("text", ["l", "l=two", "z=1"])
def test_key_values_refuse(text):
    with pytest.raises(OptionError):
        key_values([text], "--parameters", ["l"])


# --- readers of saved runs -------------------------------------------------------------------


def test_export_csv_reads_back_exactly(saved, tmp_path, capsys):
    assert main(["export", saved, "--to", "csv"]) == 0
    path = tmp_path / "turn.csv"
    assert capsys.readouterr().out.strip() == str(path)
    with path.open() as file:
        rows = list(csv.DictReader(file))
    np.testing.assert_array_equal([float(row["x.dot"]) for row in rows], turning().v[:, 0])


def test_export_json_and_npz(saved, tmp_path):
    assert main(["export", saved, "--to", "json"]) == 0
    columns = json.loads((tmp_path / "turn.json").read_text())
    np.testing.assert_array_equal(columns["y"], turning().q[:, 1])
    assert main(["export", saved, "--to", "npz"]) == 0
    with np.load(tmp_path / "turn-columns.npz") as arrays:
        np.testing.assert_array_equal(arrays["y"], turning().q[:, 1])


def test_export_to_stdout(saved, capsys):
    assert main(["export", saved, "--to", "csv", "--out", "-"]) == 0
    assert capsys.readouterr().out.startswith("t,x,y,x.dot")
    assert main(["export", saved, "--to", "npz", "--out", "-"]) == 2


def test_export_does_not_overwrite_the_run(saved, capsys):
    assert main(["export", saved, "--to", "npz", "--out", saved]) == 2
    assert "overwrite" in capsys.readouterr().err


def test_json_has_no_nan(tmp_path):
    lam = np.full((61, 1), np.nan)
    path = turning(lam=lam).save(tmp_path / "nan.npz")
    assert main(["export", str(path), "--to", "json"]) == 0
    assert json.loads((tmp_path / "nan.json").read_text())["lam[bar]"][0] is None


def test_plot_writes_a_file_each(saved, tmp_path, capsys):
    out = tmp_path / "figures"
    assert main(["plot", saved, "drift", "stroboscope", "x", "x**2 + y*l", "--out", str(out)]) == 0
    names = sorted(path.name for path in out.iterdir())
    assert names == ["turn-drift.png", "turn-signals.png", "turn-stroboscope.png"]
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_plot_one_file_and_json(saved, tmp_path, capsys):
    out = tmp_path / "picture.svg"
    assert main(["plot", saved, "energy", "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"figures": [str(out)]}
    assert out.read_text().startswith("<?xml")


def test_plot_of_a_model(tmp_path, capsys):
    words = ["plot", "pendulum", "x", "--until", "0.1", "--step", "1e-2", "--out", str(tmp_path)]
    assert main(words) == 0
    assert (tmp_path / "pendulum-signals.png").exists()


def test_plot_lists_what_it_can_draw(saved, capsys):
    assert main(["plot", saved, "--list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["signals"] == ["x", "y", "x.dot", "y.dot"]
    assert found["constraint forces"] == ["bar.force"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["drift", "energy", "--out", "a.png"], "one file, but 2 figures"),
        (["--out", "a.jpg"], "figures are .png, .pdf or .svg"),
        (["--out", "a.png", "--format", "svg"], "but --format is svg"),
        (["--show", "--out", "a.png"], "Give one of them"),
        (["--show"], "no screen"),
        (["engery"], "Or the figure 'energy'"),
    ],
)
def test_plot_refuses(saved, words, sentence, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    assert main(["plot", saved, *words]) == 2
    assert sentence in " ".join(capsys.readouterr().err.split())


def test_plot_misspelt(saved, tmp_path, capsys):
    assert main(["plot", saved, "bra.force", "--out", str(tmp_path)]) == 2
    assert "bar.force" in capsys.readouterr().err
