"""`dalembert page`: a page in which a model runs, written and told."""

import pytest

from dalembert.cli import main


def test_the_page_is_written_and_its_path_printed(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["page", "pendulum", "--step", "1e-2"]) == 0
    assert capsys.readouterr().out.strip() == "pendulum.html"
    text = (tmp_path / "pendulum.html").read_text()
    assert text.startswith("<!doctype html>")
    assert "'wasm-unsafe-eval'" in text
    assert len(text) < 1_200_000


def test_two_methods_side_by_side_and_opened(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    page = tmp_path / "both.html"
    words = ["page", "pendulum", "--step", "1e-2", "--against", "udwadia-kalaba", "--open"]
    assert main([*words, "-o", str(page)]) == 0
    assert opened == [page.as_uri()]
    text = page.read_text()
    assert 'id="engine-0"' in text
    assert 'id="engine-1"' in text


def test_parameters_are_those_of_the_command(tmp_path):
    page = tmp_path / "page.html"
    words = ["page", "pendulum", "--step", "1e-2", "--parameters", "l=2.5", "-o", str(page)]
    assert main(words) == 0
    assert '"name":"l","group":"parameter","value":2.5' in page.read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["page", "pendulm"], "pendulum"),
        (["page", "pendulum", "--against", "projektion"], "projection"),
        (["page", "pendulum", "--speed", "0"], "speed must be a positive number"),
        (["page", "pendulum", "-o", "page.png"], "Let it end in .html"),
    ],
)
def test_mistakes_are_told(words, told, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert told in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
