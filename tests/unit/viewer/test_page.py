"""The page as a text and as a file."""

import json
import re

import pytest

import dalembert as dl
from dalembert.errors import FileError, OptionError
from dalembert.viewer.page import page


@pytest.fixture(scope="module")
def pendulum():
    return dl.simulate(dl.catalog.load("pendulum"), until=0.5, step=1e-2)


def header(text):
    found = re.search(r'<script type="application/json" id="header">(.*?)</script>', text, re.S)
    return json.loads(found[1])


def test_the_page_needs_nothing_from_outside(pendulum):
    text = page(pendulum)
    addresses = set(re.findall(r"https?://[^\s\"'`)<]+", text))
    assert addresses <= {"http://www.w3.org/1999/xhtml"}  # a name, not an address
    assert "default-src 'none'" in text
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=(?!\"data:)", text)


def test_titles_and_names_cannot_leave_their_place(pendulum):
    nasty = '</script><script>alert("x")</script>'
    text = page([pendulum, pendulum], title=nasty, names=[nasty, "b"])
    assert nasty not in text
    assert header(text)["title"] == nasty
    assert header(text)["runs"][0]["label"] == nasty


def test_the_report_and_the_settings_are_carried(pendulum):
    found = header(page(pendulum, theme="dark", arrows=True, trails=["mass"], speed=0.5))
    assert found["runs"][0]["report"]["worst_phi"] == pendulum.worst["phi"]
    assert found["settings"]["theme"] == "dark"
    assert found["settings"]["trails"] == ["mass"]
    assert found["version"] == dl.__version__


def test_the_same_run_gives_the_same_page(pendulum):
    assert page(pendulum) == page(pendulum)


def test_runs_are_named_by_what_differs():
    model = dl.catalog.load("pendulum")
    runs = [
        dl.simulate(model, until=0.1, step=1e-2, method=method)
        for method in (dl.Projection(), dl.UdwadiaKalaba())
    ]
    labels = [run["label"] for run in header(page(runs))["runs"]]
    assert labels == ["Projection", "UdwadiaKalaba"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"theme": "pink"}, "theme='pink'"),
        ({"layout": "above"}, "layout='above'"),
        ({"view": "below"}, "view='below'"),
        ({"fps": 0}, "fps must be a positive number"),
        ({"speed": float("nan")}, "speed must be a positive number"),
        ({"follow": "mas"}, "Did you mean 'mass'"),
        ({"trails": ["nobody"]}, "no body or point 'nobody'"),
        ({"names": ["a", "b"]}, "names must be a list of 1"),
    ],
)
def test_wrong_options_are_named(pendulum, options, message):
    with pytest.raises(OptionError, match=message):
        page(pendulum, **options)


def test_what_is_not_a_run_is_refused():
    with pytest.raises(OptionError, match="not a Solution"):
        page([3])
    with pytest.raises(OptionError, match="no run was given"):
        page([])


def test_the_file_is_written_whole_or_not_at_all(pendulum, tmp_path, monkeypatch):
    path = tmp_path / "run.html"
    assert pendulum.save_html(path) == path
    before = path.read_bytes()
    assert before.startswith(b"<!doctype html>")
    with pytest.raises(OptionError):
        dl.save_html(pendulum, path, theme="pink")
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["run.html"]
    with pytest.raises(FileError, match="does not exist"):
        dl.save_html(pendulum, tmp_path / "nowhere" / "run.html")


def test_the_command_line_writes_the_page(tmp_path, capsys):
    from dalembert.cli import main

    path = tmp_path / "out.html"
    assert main(["run", "pendulum", "--until", "0.2", "--step", "1e-2", "--html", str(path)]) == 0
    assert header(path.read_text(encoding="utf-8"))["runs"][0]["scene"]["name"] == "pendulum"
    assert "out.html" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("until", "speed"), [(0.2, 0.1), (0.9, 0.25), (1e-4, 0.01), (1.0, 1.0), (3.0, 1.0)]
)
def test_short_runs_are_played_slowly(until, speed):
    run = dl.simulate(dl.catalog.load("pendulum"), until=until, step=until / 100)
    text = page(run)
    found = header(text)
    assert found["settings"]["speed"] == speed
    assert header(page(run, speed=2.0))["settings"]["speed"] == 2.0
