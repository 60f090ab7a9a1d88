"""Equations beside kernels (docs/theory): what is shown stands in the file that is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/theory/kernels-beside-equations.md").read_text(encoding="utf-8")


def shown():
    """(file or folder, line of a kernel): the last cells of a table, and what is named above it."""
    where = ""
    for line in PAGE.splitlines():
        named = [] if line.startswith("|") else re.findall(r"in `([\w/]+(?:\.py|/))`", line)
        where = named[0] if named else where
        for found in re.findall(r"\| `([^`]+)` \|$", line):
            yield where, found


@pytest.mark.parametrize(("where", "line"), [*dict.fromkeys(shown())])
def test_it_stands_in_the_file_that_is_named(where, line):
    place = ROOT / "src/dalembert" / where
    files = [place] if place.is_file() else sorted(place.glob("*.py"))
    texts = [" ".join(path.read_text(encoding="utf-8").split()) for path in files]
    assert any(line in text for text in texts)


def test_there_are_many():
    found = [*shown()]
    assert len(found) > 32
    assert {where for where, _ in found} >= {
        "mechanics/tree_aba.py",
        "integration/rk4.py",
        "contact/solvers/gauss_seidel.py",
        "contact/step/",
        "contact/rows/second_order.py",
    }
