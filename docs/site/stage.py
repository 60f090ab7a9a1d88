"""Pages of the repository into one folder, links turned to where things are on the site."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
DOCS = REPOSITORY / "docs"
FIGURES = REPOSITORY / "benchmarks" / "figures"
ALSO = {  # pages outside docs/
    "README.md": "readme.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "benchmarks/README.md": "benchmarks.md",
    "benchmarks/RESULTS.md": "benchmark-results.md",
}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```\s*?$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`[^`\n]+`")
MODEL = re.compile(r"^```dalembert\n(.*?)^```\s*?$", re.MULTILINE | re.DOTALL)


def pages() -> dict[Path, Path]:
    """Every page, and where it goes, from the folder of the staged ones."""
    found = {page: page.relative_to(DOCS) for page in sorted(DOCS.rglob("*.md"))}
    found = {page: place for page, place in found.items() if place.parts[0] != "site"}
    for name, place in ALSO.items():
        if (REPOSITORY / name).exists():
            found[REPOSITORY / name] = Path(place)
    found[DOCS / "index.md"] = Path("map.md")
    return found


def example_page(file: Path) -> Path:
    """Page of a file of examples/."""
    return Path("examples") / (file.stem.replace("-", "_") + file.suffix.replace(".", "_") + ".md")


def stage(folder: Path) -> list[Path]:
    """Copy all pages and pictures; the examples that pages link to."""
    places = pages()
    for page, place in places.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(turned(page, place, places))
    shutil.copytree(DOCS / "images", folder / "images", ignore=shutil.ignore_patterns("*.py"))
    if FIGURES.exists():
        shutil.copytree(FIGURES, folder / "images" / "bench")
    shutil.copytree(DOCS / "site" / "static", folder / "static")
    shutil.copy(DOCS / "reference" / "model.schema.json", folder / "reference")
    return list(places)


def turned(page: Path, place: Path, places: dict[Path, Path]) -> str:
    """Text of a page with links to where their targets are on the site."""
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\x00{len(kept) - 1}\x00"

    text = SPAN.sub(keep, FENCE.sub(keep, MODEL.sub(running, page.read_text())))
    text = LINK.sub(lambda match: link(match, page, place, places), text)
    while "\x00" in text:
        text = re.sub(r"\x00(\d+)\x00", lambda match: kept[int(match[1])], text)
    return text


def running(match: re.Match[str]) -> str:
    """A block of a model as the directive by which it runs on the site."""
    lines = yaml.safe_load(match[1])
    name = lines.pop("model")
    return f"```{{dalembert}} {name}\n\n{yaml.safe_dump(lines, allow_unicode=True)}```"


def link(match: re.Match[str], page: Path, place: Path, places: dict[Path, Path]) -> str:
    """One link; what is not on the site becomes its words."""
    mark, words, target = match[1], match[2], match[3]
    path, hash_, fragment = target.partition("#")
    if re.match(r"[a-z]+:", target) or not path:
        return match[0]
    goal = whereto((page.parent / path).resolve(), places)
    if goal is None:
        return words
    way = os.path.relpath(Path("/") / goal, Path("/") / place.parent)
    return f"{mark}[{words}]({way}{hash_}{fragment})"


def whereto(file: Path, places: dict[Path, Path]) -> Path | None:
    """Place of a file or folder of the repository on the site."""
    if file in places:
        return places[file]
    if file == REPOSITORY / "examples":
        return Path("gallery.md")
    if file == REPOSITORY / "benchmarks":
        return Path("benchmarks.md")
    if file.parent == FIGURES and file.is_file():
        return Path("images") / "bench" / file.name
    if (REPOSITORY / "examples") in file.parents and file.is_file():
        return example_page(file)
    if DOCS in file.parents and file.is_file():
        return file.relative_to(DOCS)
    return None
