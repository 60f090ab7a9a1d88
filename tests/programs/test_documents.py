"""README, CONTRIBUTING and docs/ do what they print.

- The ```python blocks of one page are one program, run in a process of its own in an empty folder.
  A block that is not meant to run says so in its first line: ```python no-run.
- A ```text block right behind a ```python block is what the latter prints. Words must agree;
  numbers are not compared (the last digits differ between machines, and times always do), and a
  line ``...`` stands for any text.
- A ```yaml block is a model file: it loads, and the model passes its own check.
- A line ``dalembert ...`` of a block without a language, or of ```sh, is accepted by the command
  line's own parser, its methods, integrator and catalog model included.
- A relative link leads to a file, and its #fragment to a heading.
"""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.programs.running import run

import dalembert as dl
from dalembert.cli.choices import integrator_of, method_of, methods_of
from dalembert.cli.parser import build_parser

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = sorted([*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.md")])

FENCE = re.compile(r"^```(.*?)\s*$")
NUMBER = re.compile(r"[-+]?(?:\d(?:[\d ]*\d)?\.?\d*(?:e[-+]?\d+)?|\binf\b|\bnan\b)", re.IGNORECASE)
CHANCE = re.compile(r"(?<=in )'[^']*'(?=\.?$)|(?<= s, )'[^']*'(?=: )", re.MULTILINE)
LINK = re.compile(r"\[[^\]\[]*(?:\[[^\]]*\][^\]\[]*)*\]\(([^)\s]+)\)")
MARK = "\x00"


def name(page: Path) -> str:
    return page.relative_to(REPOSITORY).as_posix()


# -- the parts of a page --------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """What stands between two fences; `start` is the number of its first line, from 0."""

    language: str
    start: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    @property
    def end(self) -> int:
        """Number of the closing fence."""
        return self.start + len(self.lines)


def blocks(page: Path, *languages: str) -> list[Block]:
    """The blocks of the given languages, of all without any."""
    found: list[Block] = []
    opened: tuple[str, int] | None = None
    lines = page.read_text().splitlines()
    for number, line in enumerate(lines):
        fence = FENCE.match(line)
        if opened is None and fence:
            opened = fence[1], number + 1
        elif opened is not None and line.strip() == "```":
            found.append(Block(*opened, tuple(lines[opened[1] : number])))
            opened = None
    assert opened is None, f"{name(page)}: a block is opened and not closed: {opened}"
    return [block for block in found if not languages or block.language in languages]


def having(*languages: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, *languages)]


# -- programs -------------------------------------------------------------------------------------


def program(page: Path) -> str:
    """The page's program: every line keeps its number, each block ends by printing a mark."""
    lines = [""] * len(page.read_text().splitlines())
    for block in blocks(page, "python"):
        lines[block.start : block.end] = block.lines
        lines[block.end] = f"print({MARK!r}, end='')"
    return "\n".join(lines) + "\n"


def words(text: str) -> str:
    """The text with numbers as #, any space as one, and rules of any length as one.

    In which row rounding is worst, or which coordinate leaves the numbers first, is chance too.
    """
    text = NUMBER.sub("#", CHANCE.sub("#", text))
    return " ".join(re.sub(r"-{3,}", "---", text).split())


def agrees(shown: str, printed: str) -> bool:
    parts = re.split(r"^\s*\.\.\.\s*$", shown, flags=re.MULTILINE)
    pattern = ".*".join(re.escape(words(part)) for part in parts)
    return re.fullmatch(pattern, words(printed), flags=re.DOTALL) is not None


def shares(pages: list[Path]) -> list[object]:
    """Pages as cases; all but the README and the tutorials take turns."""
    first = ("README.md", "docs/tutorial/")
    return [
        page if name(page).startswith(first) else pytest.param(page, marks=pytest.mark.share(3))
        for page in pages
    ]


@pytest.mark.parametrize("page", shares(having("python")), ids=name)
def test_programs(page, tmp_path):
    text = program(page)
    for extra in ("sympy", "pandas"):
        if re.search(rf"import {extra}\b|to_{extra}\(|\.latex\(\)", text):
            pytest.importorskip(extra)
    for call, extra in (("dl.view(", "viser"), ("load_mjcf(", "mujoco")):
        if call in text:
            pytest.importorskip(extra)
    printed = run(text, tmp_path).split(MARK)
    shown = {block.start: block for block in blocks(page, "text")}
    for block, output in zip(blocks(page, "python"), printed, strict=False):
        behind = shown.get(block.end + 3)  # fence, empty line, fence
        if behind is not None and not agrees(behind.text, output):
            pytest.fail(f"{name(page)}, line {behind.start + 1}: the program prints\n{output}")


@pytest.mark.parametrize("page", having("yaml"), ids=name)
def test_model_files(page, tmp_path):
    for block in blocks(page, "yaml"):
        file = tmp_path / f"line{block.start}.yaml"
        file.write_text(block.text)
        model = dl.load(file)
        model.check()
        assert model.coordinates, f"{name(page)}, line {block.start}: nothing moves"


def test_the_readme_shows_a_program():
    assert blocks(REPOSITORY / "README.md", "python")


# -- command lines --------------------------------------------------------------------------------


def commands(page: Path) -> list[str]:
    lines = [line for block in blocks(page, "", "sh") for line in block.lines]
    return [line.strip() for line in lines if line.startswith("dalembert ")]


COMMANDS = [(page, line) for page in PAGES for line in commands(page)]


def test_the_readme_shows_commands():
    assert commands(REPOSITORY / "README.md")


@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=[f"{name(p)}: {c}" for p, c in COMMANDS])
def test_command(page, line):
    typed = shlex.split(re.split(r" [|>] ", line)[0], comments=True)[1:]
    if typed[-1] in ("--help", "--version"):
        with pytest.raises(SystemExit) as stop:
            build_parser().parse_args(typed)
        assert stop.value.code == 0
        return
    arguments = vars(build_parser().parse_args(typed))
    integrator_of(arguments.get("integrator"))
    method_of(arguments.get("method"))
    methods_of(arguments.get("methods", []))
    model = arguments.get("model", "")
    if model and "." not in model:
        assert model.partition(":")[0] in dl.catalog.names()


# -- links ----------------------------------------------------------------------------------------


def prose(page: Path) -> list[str]:
    """The lines of a page, those of blocks empty."""
    lines = page.read_text().splitlines()
    for block in blocks(page):
        lines[block.start : block.end] = [""] * len(block.lines)
    return lines


def anchors(page: Path) -> set[str]:
    """The #fragments of the headings, as the usual renderers make them."""
    titles = [line.lstrip("#").strip().lower() for line in prose(page) if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links(page):
    broken = []
    for target in LINK.findall(re.sub(r"`[^`\n]*`", "", "\n".join(prose(page)))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, fragment = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (fragment and fragment not in anchors(file)):
            broken.append(target)
    assert not broken
