"""Figures of one table of results: error over time, work and precision, growth with size."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TIMES = ("us_per_step", "us/step", "us_per_call", "milliseconds")
ERRORS = ("error", "residual p95", "worst_phi", "angle")
SIZES = ("size", "bodies", "worlds")
LEAST = 1e-17
"""What is drawn in place of an error of zero."""

Point = tuple[float, float]


def number(text: str | None) -> float | None:
    """A positive number, or None."""
    try:
        return max(float(text or ""), LEAST)
    except ValueError:
        return None


def first(row: dict[str, str], names: tuple[str, ...]) -> float | None:
    """The first of the columns that has a number."""
    return next((found for name in names if (found := number(row.get(name))) is not None), None)


def who(row: dict[str, str]) -> str:
    """Engine and variant of a row."""
    engine = row.get("engine") or row.get("who") or ""
    variant = row.get("variant") or (row.get("setting", "") if "who" in row else "")
    return f"{engine}, {variant}" if variant else engine


def series(
    rows: list[dict[str, str]], x: tuple[str, ...], y: tuple[str, ...]
) -> dict[str, list[Point]]:
    """Points of two columns, by engine and variant."""
    found: dict[str, list[Point]] = {}
    for row in rows:
        a, b = first(row, x), first(row, y)
        if a is not None and b is not None:
            found.setdefault(who(row), []).append((a, b))
    return {name: sorted(points) for name, points in found.items()}


def parts(rows: list[dict[str, str]]) -> dict[str, list[dict[str, str]]]:
    """Rows by scene; one part where there are no scenes."""
    found: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        found.setdefault(row.get("scene", ""), []).append(row)
    return found


def draw(file: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Draw what a table can show; names of files and words about them."""
    with file.open(newline="") as opened:
        rows = list(csv.DictReader(opened))
    name = f"{file.parent.name}-{file.stem}".replace(" ", "-")
    if file.stem in ("precision", "cenic"):
        yield from panels(rows, folder / f"{name}.png", f"Work and precision, {file.stem}")
        return
    grown = growing(file.stem, rows)
    if grown:
        chart(grown, folder / f"{name}-growth.png", file.stem, ("size", "us a step"))
        yield f"{name}-growth.png", f"Growth of the time of a step, {file.stem}"
    if file.stem == "worlds-growth":
        return
    yield from panels(rows, folder / f"{name}.png", f"Error over time, {file.stem}")


def growing(table: str, rows: list[dict[str, str]]) -> dict[str, list[Point]]:
    """Time over size by engine, where there are three sizes."""
    sized = [dict(row) for row in rows]
    for row in sized:
        boxes = re.fullmatch(r"boxes (\d+)", row.get("scene", ""))
        if boxes:
            row["size"] = boxes[1]
        elif table == "contact":
            row["size"] = ""
    found = series(sized, SIZES, TIMES)
    found = {name: points for name, points in found.items() if len({p[0] for p in points}) > 1}
    sizes = {point[0] for points in found.values() for point in points}
    return found if len(sizes) > 1 and table not in ("tree", "collision") else {}


def panels(rows: list[dict[str, str]], goal: Path, words: str) -> Iterator[tuple[str, str]]:
    """One panel a scene, error over time."""
    shown = {}
    for scene, own in parts(rows).items():
        found = series(own, TIMES, ERRORS)
        found = {name: sorted(points, key=lambda p: -p[1]) for name, points in found.items()}
        if len({name.partition(",")[0] for name in found}) > 1:
            shown[scene] = found
    if not shown:
        return
    chart_of(shown, goal, words)
    yield goal.name, words


def chart_of(shown: dict[str, dict[str, list[Point]]], goal: Path, words: str) -> None:
    """Panels beside one another, one legend for all."""
    plt = pyplot()
    columns = min(3, len(shown))
    lines = -(-len(shown) // columns)
    figure, axes = plt.subplots(
        lines,
        columns,
        figsize=(max(8.0, 4.2 * columns), 3.4 * lines + 0.8),
        squeeze=False,
        layout="constrained",
    )
    names = sorted({name for found in shown.values() for name in found})
    for place, (scene, found) in zip(axes.flat, shown.items(), strict=False):
        for name, points in found.items():
            style(place, name, names, points)
        place.set(xlabel="time", ylabel="error", title=scene)
    for place in list(axes.flat)[len(shown) :]:
        place.set_axis_off()
    handles = {}
    for place in axes.flat:
        for handle, label in zip(*place.get_legend_handles_labels(), strict=True):
            handles[label] = handle
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", fontsize=7, ncols=2)
    figure.savefig(goal, dpi=80, metadata={"Software": None})
    plt.close(figure)


def chart(found: dict[str, list[Point]], goal: Path, title: str, labels: tuple[str, str]) -> None:
    """One panel of lines."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(6, 4.2), layout="constrained")
    for name, points in found.items():
        style(axes, name, sorted(found), points)
    axes.set(xlabel=labels[0], ylabel=labels[1], title=title)
    figure.legend(loc="outside lower center", fontsize=7, ncols=2)
    figure.savefig(goal, dpi=80, metadata={"Software": None})
    plt.close(figure)


MARKS = "osD^vPX*<>ph"


def style(axes: Any, name: str, names: list[str], points: list[Point]) -> None:
    """A line with marks; ours in blue and green, thick."""
    own = name.startswith(("dalembert", "error control", "steps"))
    colours = ("C0", "C2", "C9", "tab:blue") if own else ("C1", "C3", "C4", "C5", "C6", "C7", "C8")
    same = [one for one in names if one.startswith(("dalembert", "error", "steps")) == own]
    k = same.index(name) if name in same else 0
    x, y = zip(*points, strict=True)
    axes.loglog(
        *(x, y),
        marker=MARKS[k % len(MARKS)],
        linestyle="-" if len(points) > 2 else "none",
        color=colours[k % len(colours)],
        linewidth=2 if own else 1,
        markersize=5,
        label=name,
    )
    axes.grid(alpha=0.3)


def pyplot() -> Any:
    """The drawing library, without a window."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    return plt
