"""The command line as a process: pipes that close, no output at all, full disks, Ctrl-C, terminals.

Whatever becomes of its streams, it ends with the right code and never with a traceback.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Sequence
from pathlib import Path

import pytest

DALEMBERT = [sys.executable, "-m", "dalembert"]
PLAIN = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
COLOUR = "\x1b["


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which `dalembert` is this program."""
    script = f'dalembert() {{ "{sys.executable}" -m dalembert "$@"; }}; set -o pipefail; {command}'
    return subprocess.run(
        ["bash", "-c", script], cwd=folder, capture_output=True, text=True, env=PLAIN, timeout=120
    )


def terminal(
    *words: str, program: Sequence[str] = DALEMBERT, columns: int = 80, **environment: str
) -> tuple[int, str]:
    """Exit code and everything a terminal of that width is sent."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [*program, *words],
        stdin=child,
        stdout=child,
        stderr=child,
        env={**PLAIN, "TERM": "xterm-256color", "COLUMNS": "", **environment},
    )
    os.close(child)
    seen = b""
    while True:
        try:
            part = os.read(parent, 4096)
        except OSError:  # Linux: nobody holds the other end any more
            break
        if not part:
            break
        seen += part
    os.close(parent)
    return process.wait(), seen.decode().replace("\r\n", "\n")


# -- pipes and closed streams ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("dalembert models | head -n 1", 0),
        ("dalembert models | true", 0),
        ("dalembert --help | true", 0),
        ("dalembert models >&-", 0),
        ("dalembert models >&- 2>&- <&-", 0),
        ("dalembert run pendulun 2>&1 | true", 2),
        ("dalembert run pendulun 2>&-", 2),
        ("dalembert models > /dev/full", 3),
        ("dalembert run pendulun 2> /dev/full", 2),
    ],
)
def test_streams(command, code, tmp_path):
    done = shell(command, tmp_path)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_a_file_does_not_become_the_closed_output(tmp_path):
    """The first file that is opened must not get the number of standard output."""
    done = shell("dalembert import pendulum --out model.yaml >&-", tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "model.yaml").read_text().startswith("version: 1\nname: pendulum")


def test_a_full_disk_is_told(tmp_path):
    done = shell("dalembert models > /dev/full", tmp_path)
    assert "No space left on device" in done.stderr


# -- Ctrl-C ----------------------------------------------------------------------------------------


def interrupted(words: list[str], at: str, **environment: str) -> tuple[int, str]:
    """Ctrl-C when standard error has said `at`; exit code and the rest of standard error."""
    process = subprocess.Popen(
        [*DALEMBERT, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**PLAIN, **environment},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stderr is not None
    for line in process.stderr:
        if at in line:
            process.send_signal(signal.SIGINT)
            break
    rest = process.stderr.read()
    return process.wait(), rest


def test_interrupted_while_compiling(tmp_path):
    words = ["run", "pendulum", "--until", "100000"]
    code, rest = interrupted(words, "compiling", DALEMBERT_CACHE=str(tmp_path / "cache"))
    assert code == 130
    assert "Traceback" not in rest


def test_interrupted_while_running_keeps_what_it_has(tmp_path):
    out = tmp_path / "part.npz"
    words = ["run", "pendulum", "--until", "1e5", "--progress", "--out", str(out)]
    code, rest = interrupted(words, "left, drift")
    assert code == 130
    assert "Traceback" not in rest
    assert out.exists()
    assert f"Saved {out}" in rest


@pytest.mark.parametrize("where", ["parsing", "importing", "printing"])
def test_interrupted_at_any_place(where, monkeypatch, capsys):
    import dalembert.cli.list_models
    from dalembert import catalog
    from dalembert.cli import main, parser

    def stop(*arguments, **options):
        raise KeyboardInterrupt

    place = {
        "parsing": (parser, "build_parser"),
        "importing": (dalembert.cli.list_models, "run"),
        "printing": (catalog, "describe"),
    }[where]
    monkeypatch.setattr(*place, stop)
    assert main(["models"]) == 130
    assert capsys.readouterr().err == "dalembert: Interrupted.\n"


def test_an_interrupt_that_python_would_ignore(monkeypatch, capsys):
    import time

    import dalembert.cli.list_models
    from dalembert.cli import main

    class Part:
        def __del__(self):
            raise KeyboardInterrupt  # as when Ctrl-C meets a callback within an import

    def run(arguments):
        Part()
        time.sleep(60)

    monkeypatch.setattr(dalembert.cli.list_models, "run", run)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert main(["models"]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().err == "dalembert: Interrupted.\n"


# -- terminals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "environment", "coloured"),
    [
        ([], {}, True),
        (["--no-color"], {}, False),
        ([], {"NO_COLOR": "1"}, False),
        ([], {"TERM": "dumb"}, False),
    ],
)
def test_colour(words, environment, coloured):
    code, seen = terminal("check", "pendulun", *words, **environment)
    assert code == 2
    assert "did you mean 'pendulum'" in " ".join(seen.split()).replace("\x1b[0m \x1b[31m", " ")
    assert (COLOUR in seen) is coloured


def test_no_colour_in_a_pipe(tmp_path):
    done = shell("dalembert check pendulun", tmp_path)
    assert COLOUR not in done.stderr


@pytest.mark.parametrize("columns", [50, 200])
def test_lines_fit_the_terminal(columns):
    for words in (["check", "four-bar-3d"], ["models"], ["check", "no-such-model"]):
        _, seen = terminal(*words, columns=columns)
        lines = re.sub(r"\x1b\[[0-9;]*m", "", seen).splitlines()
        assert max(map(len, lines)) <= columns
        assert len(lines) > 1


IMPATIENT = """
import sys
from dalembert.cli import main
from dalembert.simulation.run import progress
progress.PATIENCE = progress.PAUSE = 0.0
sys.exit(main(sys.argv[1:]))
"""
SHORT = ["run", "pendulum", "--until", "5", "--step", "1e-3"]


def test_progress_is_a_bar_on_a_terminal():
    code, seen = terminal(*SHORT, program=[sys.executable, "-c", IMPATIENT], columns=100)
    assert code == 0
    assert re.search(r"drift \d\.\de-\d\d, worst \d\.\de-\d\d", seen)


@pytest.mark.parametrize(
    ("more", "shown"), [([], False), (["--progress"], True), (["--progress", "-q"], True)]
)
def test_progress_elsewhere_only_when_asked_for(more, shown):
    done = subprocess.run(
        [sys.executable, "-c", IMPATIENT, *SHORT, *more], capture_output=True, text=True, env=PLAIN
    )
    line = r"t = \S+ of 5 s, \d+ %, \d+ s left, drift \S+, worst \S+\n"
    assert bool(re.search(line, done.stderr)) is shown
    assert done.stdout.startswith("Fidelity report")


def test_quiet(tmp_path):
    words = "run pendulum --until 0.1 --step 1e-3 --out run.npz"
    assert "Saved" in shell(f"dalembert {words}", tmp_path).stderr
    done = shell(f"dalembert {words.replace('run.npz', 'other.npz')} -q", tmp_path)
    assert done.stderr == ""
    assert done.stdout.startswith("Fidelity report")
