"""dalembert plot --gif, --mp4, --sheet."""

import json

import pytest
from PIL import Image
from tests.support.synthetic import turning

from dalembert.cli import main


@pytest.fixture
def saved(tmp_path):
    return str(turning(until=2.0).save(tmp_path / "turn.npz"))


def test_pictures_of_a_saved_run(saved, tmp_path, capsys):
    film, sheet = tmp_path / "a.gif", tmp_path / "b.png"
    words = ["plot", saved, "--gif", str(film), "--sheet", str(sheet), "--size", "120x90"]
    assert main([*words, "--fps", "5", "--window", "0:1", "--frames", "4", "--trail", "mass"]) == 0
    assert capsys.readouterr().out.splitlines() == [str(film), str(sheet)]
    assert Image.open(film).n_frames == 6
    assert Image.open(sheet).size == (120, 90)
    assert not (tmp_path / "turn-drift.png").exists()  # only what was asked for


def test_pictures_beside_figures_as_json(saved, tmp_path, capsys):
    film = tmp_path / "a.gif"
    words = ["plot", saved, "drift", "--out", str(tmp_path), "--gif", str(film), "--json"]
    assert main([*words, "--fps", "2", "--size", "120x90"]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert figures == [str(tmp_path / "turn-drift.png"), str(film)]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--gif", "a.png"], "--gif a.png: the name must end in .gif"),
        (["--sheet", "a.gif"], "must end in .png or .pdf or .svg"),
        (["--gif", "a.gif", "--size", "big"], "such as 800x600"),
        (["--gif", "a.gif", "--window", "3"], "such as 0:2.5"),
        (["--gif", "a.gif", "--window", "0:99"], "within 0 to"),
        (["--gif", "a.gif", "--trail", "mas"], "no point 'mas'"),
        (["--out", "a.gif"], "--gif a.gif"),
    ],
)
def test_wrong_options_are_told_and_nothing_is_written(
    saved, tmp_path, monkeypatch, capsys, options, said
):
    monkeypatch.chdir(tmp_path)
    try:
        code = main(["plot", saved, *options])
    except SystemExit as stop:
        code = stop.code
    assert code not in (0, None)
    assert said in capsys.readouterr().err.replace("\n", " ")
    assert [path.name for path in tmp_path.iterdir()] == ["turn.npz"]
