"""The README's table of speed and accuracy, taken from the tables of one machine.

Between two marks of README.md; a test compares it with the tables, so that it cannot grow old.
"""

from __future__ import annotations

import csv
import datetime as dt
import re
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- figures of benchmarks -->\n", "<!-- end of figures -->\n"
Row = dict[str, str]


def table(place: Path, name: str) -> list[Row]:
    """Rows of a table of a machine."""
    with (place / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def figure(text: str) -> str:
    """A number with two digits, as one reads it."""
    value = float(text)
    if value == 0 or 0.01 <= abs(value) < 10_000:
        return f"{value:.2g}" if abs(value) < 10 else f"{value:.0f}"
    mantissa, exponent = f"{value:.0e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def found(rows: list[Row], **wanted: str) -> Row:
    """The row with these words in its columns."""
    return next(row for row in rows if all(v in row[c] for c, v in wanted.items()))


def lines(place: Path) -> list[tuple[str, str, str]]:
    """Scene, ours, peers."""
    pendulum, bars, contact = (table(place, n) for n in ("pendulum", "four-bars", "contact"))

    def us(row: Row, column: str = "us_per_step") -> str:
        return f"{figure(row[column])} us"

    def crept(row: Row) -> str:
        return f"{us(row, 'us/step')}, creep {figure(row['creep'])} m"

    ours = found(pendulum, engine="dalembert", variant="Braun")
    exudyn = found(pendulum, engine="Exudyn", variant="hinge")
    mujoco = found(pendulum, engine="MuJoCo")
    both, stiff = found(bars, variant="Projection"), found(bars, variant="stiffest")
    made = [
        (
            "pendulum in x, y, RK4, 1 ms",
            f"{us(ours)}, error {figure(ours['error'])} after 10 s",
            f"Exudyn, hinge {us(exudyn)}, {figure(exudyn['error'])};"
            f" MuJoCo, hinge {us(mujoco)}, {figure(mujoco['error'])}",
        ),
        (
            "two four-bars through singular positions",
            f"{us(both)}, loops {figure(both['worst_phi'])}, error {figure(both['error'])}",
            f"MuJoCo, stiffest {us(stiff)}, loops {figure(stiff['worst_phi'])},"
            f" error {figure(stiff['error'])}",
        ),
    ]
    for scene, words in (
        ("incline", "block a thousandth below slipping, 4 contacts"),
        ("stack", "tower of ten, mass ratio 1000"),
    ):
        rows = [row for row in contact if row["scene"] == scene and row["creep"]]
        peers: dict[str, Row] = {}
        for row in rows:  # of every peer the setting that creeps least
            best = peers.get(row["who"])
            if best is None or float(row["creep"]) < float(best["creep"]):
                peers[row["who"]] = row
        ours = found(rows, who="dalembert", setting="default")
        told = [f"{w} {crept(row)}" for w, row in peers.items() if w != "dalembert"]
        made.append((words, crept(ours), "; ".join(told)))
    return made


def block(place: Path) -> str:
    """What stands between the marks."""
    with (place / "about.csv").open(newline="") as file:
        known = {row["table"]: row for row in csv.DictReader(file)}
    told: Any = known["contact"]
    day = dt.date.fromisoformat(told["date"])
    head = (
        f"Processor time of a step, one thread, {day.day} {day:%B %Y}, {machine(place)}, "
        f"load {told['load']}; of every peer the setting that creeps least:\n\n"
    )
    rows = [f"| {' | '.join(one)} |" for one in lines(place)]
    return head + "\n".join(
        ["| scene | here | peers, with their accuracy |", "|---|---|---|", *rows, ""]
    )


def machine(place: Path) -> str:
    """Processor and how many there are."""
    words = place.name.replace("-r-", " ").replace("-", " ")
    counted = re.search(r"(\d+) processors", (place / "about.txt").read_text())
    return f"{words}, {counted[1]} processors" if counted else words


def parts(text: str) -> tuple[str, str, str]:
    """Before the mark, between the marks, after them."""
    before, _, rest = text.partition(BEGIN)
    between, _, after = rest.partition(END)
    return before, between, after


def write(here: Path) -> None:
    """Put the table of the first machine that has all of it into the README."""
    page = here.parent / "README.md"
    before, _, after = parts(page.read_text())
    place = quoted(here)
    if place is not None:
        page.write_text(f"{before}{BEGIN}{block(place)}{END}{after}")


def quoted(here: Path) -> Path | None:
    """The machine that the README quotes: the first with all tables."""
    wanted = ("pendulum", "four-bars", "contact", "about")
    places = sorted((here / "machines").glob("*/"))
    return next((p for p in places if all((p / f"{w}.csv").exists() for w in wanted)), None)
