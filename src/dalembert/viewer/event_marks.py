"""Happenings of a run with located events, as the page carries it."""

from __future__ import annotations

from typing import Any

MOST_TICKS, MOST_CONTACTS, MOST_SPANS = 2000, 12, 4000
"""Entries, contacts and spans that are carried; nobody looks at more."""


def happened(solution: Any) -> dict[str, Any] | None:
    """Ticks of the time axis and phases of contacts; None where there is no log.

    A tick is [t, lines], all entries of one moment together; a phase [from, to, mode].
    """
    log = solution.log
    if not log:
        return None
    phases = solution.phases
    shown = [
        {"contact": name, "spans": [list(span) for span in spans[:MOST_SPANS]]}
        for name, spans in list(phases.items())[:MOST_CONTACTS]
    ]
    ticks = _ticks(log)
    return {
        "ticks": ticks[:MOST_TICKS],
        "phases": shown,
        "left": max(0, len(ticks) - MOST_TICKS),
        "hidden": max(0, len(phases) - MOST_CONTACTS),
    }


def _ticks(log: Any) -> list[list[Any]]:
    """Entries by their moments, in the order of time."""
    moments: dict[float, dict[str, None]] = {}
    for entry in sorted(log, key=lambda e: e.t):
        # several points of one contact say the same
        moments.setdefault(float(entry.t), {})[_line(entry)] = None
    return [[t, list(lines)] for t, lines in moments.items()]


def _line(entry: Any) -> str:
    """One entry in words."""
    said = f"{entry.kind}: {entry.contact}"
    if entry.kind == "impact":
        said += f", {entry.before:.3g} to {entry.after:.3g} m/s"
    return said
