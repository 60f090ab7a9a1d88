"""What a TAB offers, asked of Python and of a real bash."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dalembert import catalog
from dalembert.cli import main
from dalembert.cli.complete import candidates, names_in
from dalembert.cli.completion import SCRIPTS
from dalembert.cli.parser import COMMANDS
from dalembert.enforcement import METHODS
from dalembert.integration import INTEGRATORS


def offered(line: str) -> list[str]:
    return [word for word, _ in candidates(line.split(" "))]


def test_commands():
    assert offered("") == list(COMMANDS)
    assert offered("ch") == ["check"]


def test_options_that_are_not_given_yet():
    assert {"--until", "--method", "--json", "--quiet"} <= set(offered("run pendulum --"))
    assert "--until" not in offered("run pendulum --until 3 --")
    assert "--initial" in offered("run pendulum --initial x=1 --")  # may be repeated


def test_models_and_files():
    found = offered("run ")
    assert set(catalog.names()) < set(found)
    assert found[-1].startswith(":files .yaml")
    assert offered("run pendu")[0] == "pendulum"
    assert ":files" not in " ".join(offered("models "))


def test_options_of_a_catalog_model():
    assert offered("run biped:ex")[0] == "biped:exercise="
    assert "biped:exercise=2,gravity=" in offered("run biped:exercise=2,")
    assert "biped:exercise=2,exercise=" not in offered("run biped:exercise=2,")


def test_methods_and_integrators():
    assert offered("run pendulum --method ") == list(METHODS)
    assert offered("compare pendulum --methods rattle ") == [*METHODS, "all"]
    assert offered("run pendulum --integrator rk") == ["rk4"]
    assert offered("run pendulum --integrator=rk") == ["--integrator=rk4"]
    assert offered("run pendulum --method baumgarte:a") == ["baumgarte:alpha="]


def test_names_are_read_without_importing():
    assert names_in("METHODS") == list(METHODS)
    assert names_in("INTEGRATORS") == list(INTEGRATORS)


def test_names_of_the_model():
    assert offered("run pendulum --parameters ") == ["g=", "l=", "m="]
    assert offered("run pendulum --initial x=1,y") == ["x=1,y=", "x=1,y.dot="]


def test_choices():
    assert offered("completion ") == ["bash", "fish", "zsh"]
    assert offered("plot run.npz dri") == ["drift"]


@pytest.mark.parametrize("line", ["nonsense ", "run nonsense:", "run x.yaml --parameters ", "-"])
def test_nothing_to_offer_is_no_error(line, capsys):
    assert main(["__complete", "line", f"dalembert {line}"]) in (0, 1)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("shell", SCRIPTS)
def test_scripts_are_accepted_by_their_shell(shell, capsys, tmp_path):
    assert main(["completion", shell]) == 0
    script = tmp_path / "script"
    script.write_text(capsys.readouterr().out)
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} on this machine")
    subprocess.run([shell, "-n", str(script)], check=True)


BASH = """
dalembert() {{ "{python}" -m dalembert "$@"; }}
eval "$(dalembert completion bash)"
COMP_LINE="{line}"; COMP_POINT=${{#COMP_LINE}}; COMP_WORDS=({words}); COMP_CWORD={at}
compopt() {{ :; }}
_dalembert
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash on this machine")
@pytest.mark.parametrize(
    ("line", "words", "reply"),
    [
        ("dalembert ru", ["dalembert", "ru"], ["run"]),
        ("dalembert run mod", ["dalembert", "run", "mod"], ["model.yaml", "models"]),
        # bash cuts words at : and =, and wants the rest only
        (
            "dalembert run p --method baumgarte:",
            ["dalembert", "run", "p", "--method", "baumgarte", ":"],
            ["alpha=", "beta="],
        ),
        (
            "dalembert run p --method baumgarte:al",
            ["dalembert", "run", "p", "--method", "baumgarte", ":", "al"],
            ["alpha="],
        ),
        (
            "dalembert plot x.npz --out f",
            ["dalembert", "plot", "x.npz", "--out", "f"],
            ["figures"],
        ),
    ],
)
def test_bash(line, words, reply, tmp_path: Path):
    (tmp_path / "model.yaml").touch()
    (tmp_path / "model.txt").touch()
    (tmp_path / "models").mkdir()
    (tmp_path / "figures").mkdir()
    text = BASH.format(
        python=sys.executable,
        line=line,
        words=" ".join(f"'{word}'" for word in words),
        at=len(words) - 1,
    )
    done = subprocess.run(
        ["bash", "-c", text], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert sorted(done.stdout.split()) == sorted(reply), done.stderr


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish on this machine")
def test_fish(tmp_path: Path):
    (tmp_path / "model.yaml").touch()
    text = (
        f"function dalembert; {sys.executable} -m dalembert $argv; end; "
        "dalembert completion fish | source; "
        'complete -C "dalembert run --method baumgarte:al"; complete -C "dalembert run mod"'
    )
    done = subprocess.run(
        ["fish", "-c", text], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    words = [line.partition("\t")[0] for line in done.stdout.splitlines() if line]
    assert words == ["baumgarte:alpha=", "model.yaml"]
