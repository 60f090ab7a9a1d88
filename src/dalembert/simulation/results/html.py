"""A solution as a notebook shows it: report, small curves, and the page that plays it."""

from __future__ import annotations

import html
import importlib
import itertools
import re
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.model.text.html import STYLE, table

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

Array = NDArray[np.float64]

FRAMES = 1500
"""Moments the embedded page carries; a notebook keeps every output."""

WIDTH, HEIGHT = 220, 34
LOWEST = float(np.finfo(float).eps) / 50


def of_solution(solution: Solution) -> str:
    """Report, curves of energy and drift, and the player where it can be made."""
    lines = solution.summary().splitlines()
    parts = [STYLE, '<div class="dalembert-html">']
    parts.append(f'<div class="head">{html.escape(lines[0])}</div>')
    parts.append(_verdict(solution))
    rest = [pair for pair in _pairs(lines[1:]) if pair[0] != "verdict"]
    parts.append(table((), rest))
    curves = _curves(solution)
    if curves:
        parts.append("<table>")
        parts += [
            f"<tr><th>{html.escape(name)}</th><td>{svg}</td><td>{html.escape(note)}</td></tr>"
            for name, svg, note in curves
        ]
        parts.append("</table>")
    parts.append(player(solution))
    parts.append("</div>")
    return "\n".join(part for part in parts if part)


def _verdict(solution: Solution) -> str:
    """The word, with a reason a line."""
    verdict = solution.verdict
    lines = [f"<b>{verdict.word}</b>", *(html.escape(str(reason)) for reason in verdict.reasons)]
    kind = {"good": "fine", "doubtful": "doubt", "failed": "wrong"}[verdict.word]
    return f'<div class="{kind}">{"<br>".join(lines)}</div>'


def player(solution: Solution) -> str:
    """The page in a frame of its own; a sentence where it cannot be made."""
    if len(solution.t) < 2:
        return ""
    try:
        # the page is made by a folder above this one, and only when somebody looks
        page = importlib.import_module("dalembert.viewer.page").page
        span = float(solution.t[-1] - solution.t[0])
        text = page(solution, fps=min(60.0, FRAMES / span))
    except Exception as problem:  # a notebook must show the rest
        reason = html.escape(f"{type(problem).__name__}: {problem}"[:300])
        return f'<div class="note">The motion cannot be shown here ({reason}).</div>'
    return (
        f'<iframe srcdoc="{html.escape(text, quote=True)}" title="player" loading="lazy"'
        ' style="width:100%;height:520px;border:1px solid rgba(128,128,128,.35);border-radius:6px"'
        " allowfullscreen></iframe>"
    )


def _pairs(lines: list[str]) -> list[tuple[str, str]]:
    """Lines of the report as label and text; what is indented further goes on."""
    found: list[tuple[str, str]] = []
    for line in lines:
        match = re.fullmatch(r"  (\S.*?)\s{2,}(\S.*)", line)
        if match is not None:
            found.append((match[1], match[2]))
        elif found and line.strip():
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
        elif line.strip():
            found.append(("", line.strip()))
    return found


def _curves(solution: Solution) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    if len(solution.t) < 2:
        return found
    if solution.energy is not None:
        found.append(("total energy", sparkline(solution.energy), _span(solution.energy, "J")))
    for name, block in (("drift |phi|", solution.phi), ("drift |phi'|", solution.phi_dot)):
        if block.shape[1]:
            series = np.max(np.abs(block), axis=1)
            largest = float(np.nanmax(series)) if np.isfinite(series).any() else float("nan")
            found.append((name, sparkline(series, log=True), f"at most {largest:.2g}"))
    return found


def sparkline(series: Array, *, log: bool = False) -> str:
    """A curve a line high, as SVG in the colour of the text."""
    y = np.asarray(series, dtype=float)
    if log:
        y = np.log10(np.clip(y, LOWEST, 1e30))
    edges = np.linspace(0, len(y), min(len(y), WIDTH) + 1).astype(int)
    columns = [y[a:b] for a, b in itertools.pairwise(edges)]
    finite = y[np.isfinite(y)]
    if not len(finite):
        return ""
    low, high = float(finite.min()), float(finite.max())
    if log:
        low, high = min(low, float(np.log10(LOWEST))), max(high, low + 1.0)
    # rounding must not look like a wave
    room = max(high - low, 1e-9 * max(abs(low), abs(high)), 1e-300)
    places = []
    for i, column in enumerate(columns):
        good = column[np.isfinite(column)]
        if len(good):
            value = float(good.max() if log else good.mean())
            x = WIDTH * (i + 0.5) / len(columns)
            places.append(f"{x:.1f},{HEIGHT - 3 - (HEIGHT - 6) * (value - low) / room:.1f}")
    return (
        f'<svg width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f'<polyline points="{" ".join(places)}" fill="none" stroke="currentColor"'
        ' stroke-width="1.4" opacity="0.85"/></svg>'
    )


def _span(series: Any, unit: str) -> str:
    finite = series[np.isfinite(series)]
    if not len(finite):
        return ""
    return f"{float(finite.min()):.6g} to {float(finite.max()):.6g} {unit}"
