"""One table and the figures of everything that was measured, made of machines/*/*.csv."""

from __future__ import annotations

import csv
from pathlib import Path

import figures
import readme

SKIP = ("note",)
ABOUT = ("table", "date", "form", "load", "command")
"""Columns of about.csv, which says of every table when and beside what it was made."""


def about(path: Path) -> dict[str, dict[str, str]]:
    """Rows of about.csv by table."""
    if not path.exists():
        return {}
    with path.open(newline="") as opened:
        return {row["table"]: row for row in csv.DictReader(opened)}


def rows_of(file: Path) -> list[dict[str, str]]:
    """Rows of a table, without columns that are empty."""
    with file.open(newline="") as opened:
        rows = list(csv.DictReader(opened))
    filled = [c for c in (rows[0] if rows else {}) if any(r[c] for r in rows) and c not in SKIP]
    return [{c: short(r[c]) for c in filled} for r in rows]


def short(value: str) -> str:
    """A number with three digits."""
    try:
        number = float(value)
    except ValueError:
        return value
    if value.isdigit():
        return value
    return f"{number:.3g}" if abs(number) < 1000 else f"{number:.0f}"


def markdown(rows: list[dict[str, str]]) -> str:
    """A table."""
    names = list(rows[0])
    lines = [
        "| " + " | ".join(n.replace("_", " ") for n in names) + " |",
        "|---" * len(names) + "|",
    ]
    return "\n".join(lines + ["| " + " | ".join(r[n] or " " for n in names) + " |" for r in rows])


def section(file: Path, known: dict[str, dict[str, str]], here: Path) -> list[str]:
    """A table with its date, its load and its figures."""
    rows = rows_of(file)
    if not rows:
        return []
    parts = [f"### {file.stem}\n"]
    if file.stem in known:
        told = known[file.stem]
        parts.append(
            f"{told['date']}, {told['form']} form, load {told['load']}: `{told['command']}`\n"
        )
    parts.append(markdown(rows) + "\n")
    for goal, words in figures.draw(file, here / "figures"):
        parts.append(f"![{words}](figures/{goal})\n")
    return parts


def write(here: Path) -> str:
    """RESULTS.md, figures/ and the README's table; the text of the first."""
    parts = [
        "# Results\n",
        "Made by `make bench` or `make bench-short` of `machines/*/*.csv`; what columns mean: "
        "[benchmarks](README.md). Times are processor time, in one thread; a time without the "
        "accuracy beside it says nothing.\n",
    ]
    (here / "figures").mkdir(exist_ok=True)
    for place in sorted((here / "machines").glob("*/")):
        text = (place / "about.txt").read_text().strip() if (place / "about.txt").exists() else ""
        parts += [f"## {place.name}\n", f"```text\n{text}\n```\n"]
        known = about(place / "about.csv")
        for file in sorted(place.glob("*.csv")):
            if file.name != "about.csv":
                parts += section(file, known, here)
    text = "\n".join(parts)
    (here / "RESULTS.md").write_text(text)
    readme.write(here)
    return text
