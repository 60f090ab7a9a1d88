"""What the pages show of a terminal is what a terminal shows.

The ```console blocks of a page are one session in a folder with the model files of `examples`. Each
line behind ``$`` is typed into bash; what follows it is what was printed, on either stream. Words
must agree; numbers, spaces and line ends are not compared, and a line ``...`` stands for any text.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.programs.test_documents import REPOSITORY, agrees, blocks, having, name

pytestmark = pytest.mark.share(2)

PAGES = having("console")
EXAMPLES = REPOSITORY / "examples"
MARK = "\x01"


def typed(page: Path) -> list[tuple[str, str]]:
    """Commands of a page and what is shown below each."""
    found: list[tuple[str, str]] = []
    for block in blocks(page, "console"):
        for line in block.lines:
            if line.startswith("$ "):
                found.append((line[2:], ""))
            else:
                command, shown = found[-1]
                found[-1] = command, f"{shown}{line}\n"
    return found


def test_there_are_some():
    assert "docs/how-to/command-line.md" in map(name, PAGES)


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash on this machine")
@pytest.mark.parametrize("page", PAGES, ids=name)
def test_transcript(page, tmp_path):
    for file in [*EXAMPLES.glob("*.yaml"), *EXAMPLES.glob("*.xml")]:
        shutil.copy(file, tmp_path)
    session = typed(page)
    lines = [f'dalembert() {{ "{sys.executable}" -m dalembert "$@"; }}']
    for command, _ in session:
        lines += [command, f"printf '{MARK}'"]
    done = subprocess.run(
        ["bash", "-c", "\n".join(lines)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"MPLBACKEND": "Agg"},
        check=True,
    )
    printed = done.stdout.split(MARK)
    for (command, shown), output in zip(session, printed, strict=False):
        if not agrees(shown, output):
            pytest.fail(f"{name(page)}: $ {command}\nprints\n{output}")
