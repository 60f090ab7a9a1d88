"""Every Python block of README, docs and CONTRIBUTING runs, the blocks of one page in order.

A block that is not meant to run says so in its first line: ```python no-run.
"""

import re
from pathlib import Path

import pytest
from tests.programs.running import run

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = sorted([*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.md")])
BLOCK = re.compile(r"^```python[ \t]*\n(.*?)^```", flags=re.DOTALL | re.MULTILINE)


def blocks(page: Path) -> list[str]:
    return BLOCK.findall(page.read_text())


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if blocks(page)],
    ids=lambda page: str(page.relative_to(REPOSITORY)),
)
def test_page(page, tmp_path):
    run("\n\n".join(blocks(page)), tmp_path)


def test_the_readme_shows_a_program():
    assert blocks(REPOSITORY / "README.md")


def test_shell_commands_of_the_readme_exist():
    """Every command the README shows is known to the command line."""
    from dalembert.cli.parser import build_parser

    known = build_parser().format_help()
    shown = re.findall(r"^dalembert (\w+)", (REPOSITORY / "README.md").read_text(), re.MULTILINE)
    assert shown
    for command in shown:
        assert command in known
