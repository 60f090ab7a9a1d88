"""Runs in folders: Ctrl-C, and the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest
from tests.unit.simulation.folders import simulate

import dalembert as dl
from dalembert.cli import main
from dalembert.errors import RunFileError
from dalembert.simulation.run.patience import patient
from dalembert.simulation.rundir import manifest
from dalembert.simulation.status import Status

SIGNALLED = """
import os, signal, sys, threading, time
from dalembert.cli import main

signal.signal(signal.SIGINT, signal.default_int_handler)

def interrupt():
    while not os.path.exists("run"):
        time.sleep(0.05)
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
sys.exit(main(["run", "pendulum", "--until", "1e9", "--step", "1e-3", "-o", "run"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_interrupted_on_the_command_line(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", SIGNALLED],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 130, done.stderr
    told = " ".join(done.stderr.split())
    assert "What was computed is kept" in told
    assert "dalembert resume" in told
    found = dl.load(tmp_path / "run")
    assert found.status is Status.INTERRUPTED
    assert 0 < found.t[-1] < 1e9
    assert found.statistics["end"] == found.t[-1]


def test_a_second_signal_does_not_wait(monkeypatch):
    monkeypatch.setattr(signal, "getsignal", lambda _: signal.default_int_handler)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with patient() as asked:
            os.kill(os.getpid(), signal.SIGINT)
            assert asked()
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_commands_take_folders(kept, tmp_path, capsys):
    assert main(["export", str(kept), "-o", str(tmp_path / "series.csv")]) == 0
    header = (tmp_path / "series.csv").read_text().splitlines()[0]
    assert header.startswith("t,x,y,x.dot")
    assert main(["plot", str(kept), "drift", "-o", str(tmp_path / "drift.png")]) == 0
    assert (tmp_path / "drift.png").stat().st_size > 1000
    assert main(["resume", str(kept), "--until", "1.5", "--json"]) == 0
    out = capsys.readouterr().out
    assert json.loads(out[out.index("{") :])["end"] == 1.5
    assert main(["resume", str(tmp_path / "series.csv")]) == 2
    assert "is a file" in capsys.readouterr().err


def test_a_new_version_of_the_format_is_ours(monkeypatch, tmp_path):
    """Written by the future, read by us: refused by its number."""
    monkeypatch.setattr(manifest, "VERSION", 2)
    simulate(save=tmp_path / "run")
    monkeypatch.setattr(manifest, "VERSION", 1)
    with pytest.raises(RunFileError, match=r"format 2.*reads up to 1"):
        dl.load(tmp_path / "run")
