"""Every file of examples/museum/ runs and meets its own assertions; each has its section and issue.

They run in this process, one after the other, so that what they share is compiled once.
"""

import re
import runpy
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
EXHIBITS = sorted((REPOSITORY / "examples" / "museum").glob("[0-9]*.py"))
PAGE = REPOSITORY / "docs" / "museum" / "index.md"


@pytest.mark.parametrize("path", EXHIBITS, ids=lambda path: path.stem)
def test_exhibit(path, tmp_path, monkeypatch):
    if "sympy" in path.name:
        pytest.importorskip("sympy")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")


@pytest.mark.parametrize("path", EXHIBITS, ids=lambda path: path.stem)
def test_page_tells_of_it(path):
    sections = re.split(r"^## ", PAGE.read_text(), flags=re.MULTILINE)[1:]
    [section] = [text for text in sections if f"examples/museum/{path.name}" in text]
    assert re.search(r"https://github\.com/[\w.-]+/[\w.-]+/(?:issues|pull)/\d+", section)


def test_there_are_enough():
    assert len(EXHIBITS) >= 25
