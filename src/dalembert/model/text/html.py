"""A model as a notebook shows it: small tables without anything from outside.

Colours are those of the notebook, so that it reads on light and on dark ground.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dalembert.errors import DalembertError
from dalembert.model.basics.quantity import value_of

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

MOST = 40
"""Rows of a table; of the others only the number is given."""

LARGE = 40
"""Bodies or coordinates above which rank and redundancy are not worked out for a picture."""

# The class twice: notebooks have rules of their own for tables.
STYLE = """<style>
.dalembert-html{font-size:13px;line-height:1.45;max-width:60em;color:inherit}
.dalembert-html.dalembert-html table{font-size:inherit;color:inherit;border-collapse:collapse;
margin:.35em 0 .6em;background:transparent}
.dalembert-html.dalembert-html th,.dalembert-html.dalembert-html td{text-align:left;
vertical-align:top;padding:.18em .9em .18em 0;border:0;
border-bottom:1px solid rgba(128,128,128,.28);background:transparent;color:inherit}
.dalembert-html.dalembert-html tr{background:transparent!important}
.dalembert-html.dalembert-html th{font-weight:600;opacity:.72;white-space:nowrap}
.dalembert-html td.number{font-variant-numeric:tabular-nums}
.dalembert-html .head{font-weight:700;font-size:14px}
.dalembert-html .note{opacity:.72}
.dalembert-html .fine{border-left:3px solid #5b9a5f;padding-left:.6em;margin:.25em 0}
.dalembert-html .doubt{border-left:3px solid #d98a4b;padding-left:.6em;margin:.25em 0}
.dalembert-html .wrong{border-left:3px solid #c0504d;padding-left:.6em;margin:.25em 0}
.dalembert-html code{background:rgba(128,128,128,.14);padding:0 .25em;border-radius:3px}
.dalembert-html svg{vertical-align:middle}
</style>"""


def of_model(model: Model) -> str:
    """The model as HTML; a part that cannot be worked out says so instead of failing."""
    parts = [STYLE, '<div class="dalembert-html">', f'<div class="head">{_text(model.name)}</div>']
    parts.append(f'<div class="note">{_text(repr(model))}</div>')
    parts += _bodies(model) if model.bodies else _coordinates(model)
    if model.parameters:
        shown = ", ".join(f"{name} = {value:g}" for name, value in model.parameters.items())
        parts.append(f'<div class="note">parameters: {_text(shown)}</div>')
    parts += _findings(model)
    parts.append("</div>")
    return "\n".join(parts)


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table of plain texts; long ones are cut."""
    made = [list(row) for row in rows]
    lines = ["<table>"]
    if head:
        lines.append("<tr>" + "".join(f"<th>{_text(name)}</th>" for name in head) + "</tr>")
    for row in made[:MOST]:
        lines.append("<tr>" + "".join(_cell(entry) for entry in row) + "</tr>")
    if len(made) > MOST:
        width = max(len(head), 1)
        lines.append(
            f'<tr><td colspan="{width}" class="note">and {len(made) - MOST} more</td></tr>'
        )
    return "\n".join([*lines, "</table>"])


def titled_table(
    title: str,
    told: str,
    head: Sequence[str],
    cells: Sequence[Sequence[str]],
    notes: Sequence[str] = (),
) -> str:
    """A table with its title, what is said of it, and notes below it."""
    below = "".join(f'<div class="note">{_text(note)}</div>' for note in notes)
    top = f'<div class="head">{_text(title)}</div><div class="note">{_text(told)}</div>'
    return f'{STYLE}<div class="dalembert-html">{top}{table(head, cells)}{below}</div>'


def _bodies(model: Model) -> list[str]:
    joined: dict[str, list[str]] = {name: [] for name in model.bodies}
    rows = []
    for name, joint in model.joints.items():
        names = list(dict.fromkeys(frame.body.name for frame in joint.frames))
        for body in names:
            if body in joined:
                joined[body].append(name)
        rows.append((name, joint.kind.replace("_", " "), " – ".join(names), len(joint)))
    parameters = model.parameters
    bodies = [
        (name, _mass(body.inertia.mass, parameters), ", ".join(joined[name]) or "free")
        for name, body in model.bodies.items()
    ]
    parts = [table(("body", "mass [kg]", "joints"), bodies)]
    if rows:
        parts.append(table(("joint", "kind", "between", "rows"), rows))
    if model.forces:
        forces = [
            (
                name,
                force.kind.replace("_", " "),
                ", ".join(dict.fromkeys(frame.body.name for frame in force.frames)),
            )
            for name, force in model.forces.items()
        ]
        parts.append(table(("force", "kind", "on"), forces))
    given = [c for c in model.constraints if not c.labels]
    if given:
        parts.append(
            table(("constraint", "kind", "rows"), [(c.name, c.kind, len(c)) for c in given])
        )
    return parts


def _coordinates(model: Model) -> list[str]:
    try:
        initial = model.initial
    except DalembertError:
        initial = {}
    rows = [
        (
            q.name,
            f"{initial.get(q.name, 0.0):.6g}",
            f"{initial.get(f'{q.name}.dot', 0.0):.6g}",
        )
        for q in model.coordinates
    ]
    parts = [table(("coordinate", "start", "speed at start"), rows)]
    if model.constraints:
        shown = [(c.name, c.kind, _short(row)) for c in model.constraints for row in c.rows]
        parts.append(table(("constraint", "kind", "is zero"), shown))
    return parts


def _findings(model: Model) -> list[str]:
    """Degrees of freedom and what is doubtful."""
    if max(len(model.bodies), len(model.coordinates) // 7) > LARGE:
        return ['<div class="note">large model: <code>model.check()</code> tells its rank</div>']
    try:
        found = model.check()
    except DalembertError as problem:
        return [f'<div class="wrong">{_text(str(problem))}</div>']
    mobility = getattr(found, "mobility", None)
    if mobility is not None:
        freedom = len(model.velocities) - mobility.rank
        note = f"{freedom} degree{'s' * (freedom != 1)} of freedom"
        if mobility.rank != mobility.rows:
            note += f"; {mobility.rows} rows of rank {mobility.rank}"
    else:
        left = len(model.coordinates) - model.row_count
        note = f"{left} degree{'s' * (left != 1)} of freedom if the rows are independent"
    parts = [f'<div class="note">{note}</div>']
    return parts + [f'<div class="doubt">{_text(doubt)}</div>' for doubt in list(found)[:MOST]]


def _mass(quantity: Any, parameters: dict[str, float]) -> str:
    value = value_of(quantity, parameters)
    return "?" if value is None else f"{value:.6g}"


def _short(formula: Any) -> str:
    shown = repr(formula)
    return shown if len(shown) <= 90 else f"{shown[:87]}..."


def _cell(entry: Any) -> str:
    kind = ' class="number"' if isinstance(entry, int | float) else ""
    return f"<td{kind}>{_text(entry)}</td>"


def _text(entry: Any) -> str:
    return html.escape(str(entry))
