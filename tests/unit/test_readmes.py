"""Every folder of the package says what is in it: no file is missing, and none is made up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dalembert as dl

ROOT = Path(dl.__file__).parent
FOLDERS = sorted({path.parent for path in ROOT.rglob("*.py")})
NAME = re.compile(r"`([\w./]+)`|\[(\w+)\]\(")


def label(folder):
    return str(folder.relative_to(ROOT))


def contents(folder):
    """Names of the files and rooms of a folder."""
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    return files | {one.name for one in FOLDERS if one.parent == folder}


def names(text):
    """Everything in a text that stands in code marks, or is a link."""
    return [(found[0] or found[1]).rstrip("/") for found in NAME.findall(text)]


def listed(text):
    """Names in the first column of tables of files and rooms."""
    found, inside = [], False
    for line in text.splitlines():
        first = line.split("|")[1].strip() if line.startswith("|") else ""
        if first in ("file", "room", "room or file"):
            inside = True
        elif not first:
            inside = False
        elif inside:
            found += names(first)
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=label)
def test_the_readme_of_a_folder_names_its_files(folder):
    readme = folder / "README.md"
    assert readme.exists(), "write a README.md: job, table of files, what comes in and goes out"
    text = readme.read_text()
    there = contents(folder)
    said = {name.removesuffix(".py") for name in names(text)}
    assert there - said == set(), "these are not named"
    strangers = {name.removesuffix(".py") for name in listed(text)} - there
    assert strangers == set(), "these are not here"
    assert len(text.splitlines()) <= max(50, len(there) + 10), "one screen, or a row a file"


@pytest.mark.parametrize("folder", FOLDERS, ids=label)
def test_files_that_a_readme_mentions_are_there(folder):
    for name in names((folder / "README.md").read_text()):
        if name.endswith(".py"):
            places = (folder, ROOT, ROOT.parent.parent)
            assert any((place / name).exists() for place in places), f"there is no {name}"
