"""One table and the figures of everything that was measured, made of machines/*/*.csv."""

from __future__ import annotations

import csv
from pathlib import Path

TIMES = ("us_per_step", "us/step", "us")
SKIP = ("note",)


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


def figure(file: Path, goal: Path) -> bool:
    """Error over time of a scene, one point a row; whether it has both."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    points = []
    with file.open(newline="") as opened:
        for row in csv.DictReader(opened):
            time = next((row[c] for c in TIMES if row.get(c)), "")
            error = row.get("error") or row.get("residual p95") or row.get("worst_phi") or ""
            try:
                if float(time) > 0 and float(error) > 0:
                    engine = row.get("engine") or row.get("who") or ""
                    points.append((float(time), float(error), engine))
            except ValueError:
                continue
    if len({engine for *_, engine in points}) < 2:
        return False
    chart, axes = plt.subplots(figsize=(6, 4))
    for engine in sorted({one[2] for one in points}):
        own = [one for one in points if one[2] == engine]
        axes.loglog([p[0] for p in own], [p[1] for p in own], "o", label=engine)
    axes.set(xlabel="us a step", ylabel="error", title=file.stem)
    axes.legend(fontsize=8)
    axes.grid(alpha=0.3)
    chart.tight_layout()
    chart.savefig(goal, dpi=80)
    plt.close(chart)
    return True


def write(here: Path) -> str:
    """RESULTS.md and figures/; the text."""
    parts = [
        "# Results\n",
        "Made by `make bench` or `make bench-short` of `machines/*/*.csv`; what columns mean: "
        "[benchmarks](README.md). Times are processor time, in one thread; a time without the "
        "accuracy beside it says nothing.\n",
    ]
    (here / "figures").mkdir(exist_ok=True)
    for place in sorted((here / "machines").glob("*/")):
        about = (place / "about.txt").read_text().strip() if (place / "about.txt").exists() else ""
        parts += [f"## {place.name}\n", f"```text\n{about}\n```\n"]
        for file in sorted(place.glob("*.csv")):
            rows = rows_of(file)
            if not rows:
                continue
            parts += [f"### {file.stem}\n", markdown(rows) + "\n"]
            goal = here / "figures" / f"{place.name}-{file.stem.replace(' ', '-')}.png"
            if figure(file, goal):
                parts.append(f"![Error over time, {file.stem}](figures/{goal.name})\n")
    text = "\n".join(parts)
    (here / "RESULTS.md").write_text(text)
    return text
