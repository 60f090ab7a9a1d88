"""Equations beside kernels (docs/theory/kernels.md): what is shown of a kernel stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/theory/kernels.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## From the equation to the file")[2]
SOURCES = [
    " ".join(path.read_text(encoding="utf-8").split())
    for path in (ROOT / "src/dalembert").rglob("*.py")
]


def shown():
    """Lines of kernels in the last cells of the tables."""
    for line in SECTION.splitlines():
        yield from re.findall(r"\| `([^`]+)` \|$", line)


@pytest.mark.parametrize("line", [*dict.fromkeys(shown())])
def test_it_stands_in_a_kernel(line):
    assert any(line in text for text in SOURCES)


def test_there_are_many():
    assert len([*shown()]) > 25
