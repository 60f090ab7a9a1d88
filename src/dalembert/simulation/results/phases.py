"""Phases of contacts between the entries of a log: open, closed, stick, slip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

MODES = ("stick", "slip", "closed", "open")
"""State of a contact of several points: the first that one of them does."""

BEGINS = {"open": "open", "close": "closed", "stick": "stick", "slip": "slip", "reverse": "slip"}
"""Kind of an entry -> what the contact does from there on."""

Span = tuple[float, float, str]


def phases_of(log: Iterable[Any], begin: float, end: float) -> dict[str, tuple[Span, ...]]:
    """Spans (from, to, mode) of every contact, from `begin` to `end` without a gap.

    Those of a run that went on with steps of impulses end there.
    """
    entries = list(log)
    stepping = [entry.t for entry in entries if entry.kind == "stepping"]
    end = min([end, *stepping])
    contacts = dict.fromkeys(e.contact for e in entries if e.kind not in ("stepping", "rest"))
    return {
        name: _spans([e for e in entries if e.contact == name], begin, end) for name in contacts
    }


def _spans(entries: Sequence[Any], begin: float, end: float) -> tuple[Span, ...]:
    """Spans of one contact, from the modes of its points."""
    points: dict[int, str] = {}
    found: list[Span] = []
    since, mode = begin, "open"
    for entry in sorted(entries, key=lambda e: e.t):
        if entry.kind not in BEGINS or entry.t > end:
            continue
        points[entry.point] = BEGINS[entry.kind]
        now = next(one for one in MODES if one in points.values())
        if now != mode:
            if entry.t > since:
                found.append((since, entry.t, mode))
            since, mode = max(entry.t, begin), now
    if end > since or not found:
        found.append((since, end, mode))
    merged = found[:1]
    for one in found[1:]:
        if one[2] == merged[-1][2]:
            merged[-1] = (merged[-1][0], one[1], one[2])
        else:
            merged.append(one)
    return tuple(merged)


def counts_of(log: Iterable[Any]) -> dict[str, int]:
    """How many entries there are of each kind, in the order in which they come first."""
    found: dict[str, int] = {}
    for entry in log:
        found[entry.kind] = found.get(entry.kind, 0) + 1
    return found
