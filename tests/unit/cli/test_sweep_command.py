"""`dalembert sweep` and `plot FOLDER`: files in, rows and figures out, words for mistakes."""

from __future__ import annotations

import json

import numpy as np
import pytest

import dalembert as dl
from dalembert.cli import main
from dalembert.importers.writing import save_model

TEXT = """
model: pendulum
over:
  l: {from: 0.5, to: 1.0, count: 2}
  g: [9.0, 10.0]
until: 0.5
step: 0.01
initial: {x: 0.3, y: -0.4}
initial_limit: 10.0
events: {below: {formula: x, terminal: true}}
record: {swing: max(x), when: at below(t)}
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.yaml").write_text(TEXT)
    return tmp_path


def test_a_study_file_is_run_kept_and_gone_on_with(here, capsys):
    assert main(["sweep", "s.yaml", "-q"]) == 0
    assert "4 of 4 rows" in capsys.readouterr().out
    study = dl.load_study("s")
    model = dl.catalog.load("pendulum")
    below = dl.Event(model.coordinates[0], terminal=True, name="below")
    same = dl.sweep(
        "pendulum",
        {"l": dl.span(0.5, 1.0, 2), "g": [9.0, 10.0]},
        until=0.5,
        step=0.01,
        initial={"x": 0.3, "y": -0.4},
        initial_limit=10.0,
        events=[below],
        record={"swing": "max(x)", "when": "at below(t)"},
    )
    assert np.array_equal(study["swing"], same["swing"])
    assert np.array_equal(study["when"], same["when"], equal_nan=True)
    assert main(["sweep", "s", "--json", "--row", "1", "--html", "row.html"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["rows"], said["done"], said["failed"]) == (4, 4, [])
    assert (here / "row.html").stat().st_size > 10_000
    assert main(["sweep", "s.yaml", "--resume", "--workers", "1"]) == 0


def test_rows_that_fail_are_told_and_change_the_exit_code(here, capsys):
    (here / "s.yaml").write_text(TEXT.replace("g: [9.0, 10.0]", "m: [1.0, -1.0]"))
    assert main(["sweep", "s.yaml", "-o", "out"]) == 1
    printed = capsys.readouterr().out
    assert "4 of 4 rows, 2 with errors" in printed
    assert "row 1: MassMatrixError" in printed


def test_the_model_may_be_a_file_beside_the_study(here, capsys):
    (here / "sub").mkdir()
    save_model(dl.catalog.load("pendulum"), here / "sub" / "mine.yaml")
    (here / "sub" / "s.yaml").write_text(TEXT.replace("model: pendulum", "model: mine.yaml"))
    assert main(["sweep", "sub/s.yaml"]) == 0
    assert dl.load_study("s").is_complete


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("until", "untill", "line 6: there is no key 'untill'; did you mean 'until'"),
        ("model: pendulum", "model: pendulumm", "no catalog model 'pendulumm'"),
        ("model: pendulum", "", "model is missing"),
        ("count: 2", "count: two", "line 4: span: count is 'two'"),
        ("{from: 0.5, to: 1.0, count: 2}", "{from: 0.5}", "line 4: 'l' is no axis"),
        ("max(x)", "maxx(x)", "did you mean 'max'"),
        ("max(x)", "max(xx)", "no signal 'xx'"),
        ("{formula: x, terminal: true}", "{formel: x}", "line 10: event 'below' needs formula"),
        ("step: 0.01", "method: projektion", "line 7: No method 'projektion'"),
    ],
)
def test_mistakes_are_told_with_their_line(here, capsys, old, new, said):
    (here / "s.yaml").write_text(TEXT.replace(old, new, 1))
    assert main(["sweep", "s.yaml"]) == 2
    assert said in capsys.readouterr().err
    assert not (here / "s").exists()


def test_words_that_do_not_fit(here, capsys):
    for words, said in (
        (["s.yaml", "--resume"], "there is no study to go on with"),
        (["s.yaml", "--row", "1"], "--row and --html belong together"),
        (["nothing.yaml"], "there is no such file"),
        ([str(here)], "is a folder, but not a study"),
        (["s.yaml", "--engine", "thread"], "Did you mean 'threads'?"),
    ):
        assert main(["sweep", *words]) == 2
        assert said in capsys.readouterr().err


def test_a_damaged_study_is_told_in_the_language_of_the_shell(here, capsys):
    assert main(["sweep", "s.yaml"]) == 0
    (rows,) = (here / "s").glob("rows-*")
    rows.write_bytes(b"")
    assert main(["sweep", "s"]) == 2
    said = capsys.readouterr().err
    assert f"{rows}: rows of the study are damaged" in said
    assert f"dalembert sweep {here / 's'} computes its rows again" in said


def test_figures_of_a_folder(here, capsys):
    assert main(["sweep", "s.yaml"]) == 0
    capsys.readouterr()
    assert main(["plot", "s"]) == 0
    assert capsys.readouterr().out == "s-heat-map.png\n"
    assert main(["plot", "s", "heat-map:x=g,y=l,value=when", "-o", "a.svg"]) == 0
    assert "<svg" in (here / "a.svg").read_text()
    words = ["scatter-matrix:columns=l+swing", "parallel-coordinates:color=swing"]
    assert main(["plot", "s", *words, "--json", "-o", "."]) == 0
    assert main(["plot", "s", "--list"]) == 0
    assert "swing, when" in capsys.readouterr().out
    assert main(["plot", "s", "heatmap"]) == 2
    assert "Did you mean 'heat-map'?" in capsys.readouterr().err
    assert main(["plot", "s", "heat-map:z=l"]) == 2
    assert "it has x, y, value" in capsys.readouterr().err
    assert main(["view", "s"]) == 2
    assert "is a study of many runs" in capsys.readouterr().err
