"""The findings of a doctor as one page of HTML."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

from dalembert.model.text.html import STYLE, table

WIDTH, HEIGHT = 560, 110

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>body{{font-family:system-ui,sans-serif;margin:2em auto;max-width:62em;padding:0 1em}}
@media (prefers-color-scheme: dark){{body{{background:#15181c;color:#dfe3e8}}}}
h2{{font-size:1.05em;margin:1.4em 0 .3em}} p{{margin:.25em 0}}
.dalembert-html{{font-size:15px}}</style></head>
<body>{body}</body></html>
"""


def page(found: Any) -> str:
    """A whole page."""
    title = html.escape(f"{found.model.name}: examined")
    return PAGE.format(title=title, body=body(found))


def body(found: Any) -> str:
    """The contents of the page."""
    c = found.counts
    parts = [STYLE, '<div class="dalembert-html">']
    parts.append(f'<div class="head">{html.escape(found.model.name)}</div>')
    rows = [
        ("velocities", c.velocities),
        ("constraint rows", c.rows),
        ("rank", c.rank),
        ("mobility", c.mobility),
        ("Gruebler's count", c.gruebler),
    ]
    if c.planar is not None:
        rows.append(("counted in the plane", c.planar))
    parts.append(table((), [(a, str(b)) for a, b in rows]))
    for head, sentences in found.sections():
        parts.append(f"<h2>{html.escape(head)}</h2>")
        if head == "Suggested":
            parts.append(f"<p><code>{html.escape(sentences[0])}</code></p>")
            sentences = sentences[1:]
        kind = "doubt" if head == "Doubts" else "fine" if head == "Suggested" else ""
        parts += [f'<p class="{kind}">{html.escape(x)}</p>' for x in sentences]
        if head == "Along the motion" and found.along is not None and len(found.along.t) > 1:
            parts.append(_curve(found.along.t, found.along.margin))
    parts.append("</div>")
    return "\n".join(parts)


def _curve(t: Any, margin: Any) -> str:
    """The margin over time, on a logarithmic axis."""
    y = np.log10(np.maximum(margin, 1e-16))
    low, high = float(np.floor(min(y.min(), -1.0))), 0.0
    x = 40 + (WIDTH - 50) * (t - t[0]) / (t[-1] - t[0])
    z = 8 + (HEIGHT - 26) * (high - y) / (high - low)
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, z, strict=True))
    lines = []
    for k in range(int(low), 1):
        level = 8 + (HEIGHT - 26) * (high - k) / (high - low)
        lines.append(
            f'<line x1="40" x2="{WIDTH - 10}" y1="{level:.1f}" y2="{level:.1f}"'
            ' stroke="currentColor" opacity=".18"/>'
            f'<text x="34" y="{level + 4:.1f}" font-size="10" text-anchor="end"'
            f' fill="currentColor">1e{k}</text>'
        )
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img"'
        ' aria-label="smallest singular value of the constraints over time">'
        + "".join(lines)
        + f'<polyline points="{points}" fill="none" stroke="#4878a8" stroke-width="1.6"/>'
        f'<text x="{WIDTH - 10}" y="{HEIGHT - 4}" font-size="10" text-anchor="end"'
        f' fill="currentColor">t = {t[-1]:.4g} s</text></svg>'
    )
