"""`dalembert view`: the page of a run, and the live view ended from the terminal."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import dalembert as dl
from dalembert.cli import main


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "pendulum.npz"
    return dl.simulate(dl.catalog.load("pendulum"), until=0.2, step=1e-2).save(path)


def test_the_page_of_a_run_is_written_and_its_path_printed(saved, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main(["view", str(saved), "--no-browser"]) == 0
    path = Path(capsys.readouterr().out.strip())
    assert path.suffix == ".html"
    assert tmp_path in path.parents
    assert path.read_text().startswith("<!doctype html>")


def test_where_the_page_goes_can_be_said(saved, tmp_path, capsys, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    page = tmp_path / "page.html"
    assert main(["view", str(saved), "--html", str(page)]) == 0
    assert page.exists()
    assert opened == [page.as_uri()]


def test_a_model_is_simulated_first_for_a_page(tmp_path, capsys):
    page = tmp_path / "page.html"
    words = ["view", "pendulum", "--until", "0.1", "--html", str(page), "--no-browser"]
    assert main(words) == 0
    assert page.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["view", "pendulm"], "pendulum"),
        (["view", "nothing.npz"], "nothing.npz"),
        (["view", "pendulum", "--speed", "0"], "speed is 0.0"),
        (["view", "pendulum", "--port", "70000"], "port is 70000"),
        (["view", "pendulum", "--port", "here"], "not a whole number"),
    ],
)
def test_bad_input_is_told(words, told, capsys):
    pytest.importorskip("viser")
    assert main([*words, "--no-browser"]) == 2
    message = " ".join(capsys.readouterr().err.split())
    assert told in message
    assert "Traceback" not in message


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to another process")
def test_ctrl_c_ends_it_and_tells_how_long_was_simulated():
    pytest.importorskip("viser")
    words = ["view", "pendulum", "--no-browser", "--port", "8981"]
    run = subprocess.Popen(
        [sys.executable, "-m", "dalembert", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a shell in the background ignores Ctrl-C, and its children with it
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    first = run.stdout.readline()
    assert first.startswith("Live view of pendulum at http://127.0.0.1:")
    run.send_signal(signal.SIGINT)
    out, problems = run.communicate(timeout=60)
    assert run.returncode == 0
    assert "Simulated 0 s in" in out  # nobody looked
    assert "Traceback" not in problems
