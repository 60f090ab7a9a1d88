"""Lines that `model.check()` and `dalembert check` print about a model of bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.model.contact.pairs import pairs

if TYPE_CHECKING:
    from dalembert.model.check.bodies import BodyCheck
    from dalembert.model.core.model import Model

FEW = 8
"""Names in one line."""

MANY = 300
"""Shapes up to which pairs are counted."""

SMALL = 1e-9
"""Moves that are not worth a word  [m], [rad]."""


def summary(found: BodyCheck) -> str:
    """Aligned lines."""
    model, seen = found.model, found.mobility
    joints = [f"{joint.name} ({joint.kind})" for joint in model.joints.values()]
    lines = [
        ("bodies", _counted(list(model.bodies))),
        ("joints", _counted(joints)),
    ]
    if model.constraints:
        lines.append(("constraints", _counted([c.name for c in model.constraints])))
    lines += contact_lines(model)
    if seen is not None:
        lines += [
            ("constraint rows", str(seen.rows)),
            ("rank", _rank(found)),
            ("degrees of freedom", str(seen.degrees_of_freedom)),
        ]
        lines += [("redundant", str(part)) for part in seen.redundant]
    lines += [("remedy", way) for way in found.relax]
    lines += [("not connected", ", ".join(group[:FEW])) for group in found.unconnected]
    lines.append(("start", _start(found)))
    lines += [("doubt", sentence) for sentence in found if sentence not in found.shown]
    width = max(len(label) for label, _ in lines) + 2
    text = "\n".join(f"  {label:<{width}}{value}" for label, value in lines)
    text = f"Model {model.name}\n{text}"
    if seen is not None and seen.redundancy:
        text += (
            "\nNote: the motion is unique all the same. Reactions of the joints named here are not:"
            " the least ones are given, and marked."
        )
    return text


def contact_lines(model: Model) -> list[tuple[str, str]]:
    """Lines about shapes that touch, limits, one-sided constraints, drives and friction."""
    lines = []
    shapes = model.contact_shapes
    if shapes:
        lines.append(("shapes that touch", _counted([f"{s.name} ({s.kind})" for s in shapes])))
        materials = {id(s.material): s.material for s in shapes}.values()
        shown = sorted(
            {(m.name or "unnamed") + f" (friction {_short(m.friction)})" for m in materials}
        )
        lines.append(("materials", _counted(sorted(shown))))
        if len(shapes) <= MANY:
            found = [f"{a.name} - {b.name}" for a, b in pairs(model)]
            lines.append(("pairs that may touch", _counted(found)))
    rows = model.one_sided()
    for label, sources in (
        ("limits", ("limit",)),
        ("one-sided", ("formula", "cable", "stop")),
        ("bounded drives", ("drive",)),
        ("brakes, dry friction", ("brake", "friction")),
    ):
        names = list(dict.fromkeys(row.element for row in rows if row.source in sources))
        if label == "limits":
            names = [f"{name} ({_range(model.limits[name])})" for name in names]
        if names:
            lines.append((label, _counted(names)))
    return lines


def _short(x: Any) -> str:
    return f"{x:g}" if isinstance(x, float) else f"{x!r:.30}"


def _range(limits: Any) -> str:
    return f"{limits.lower:.4g} to {limits.upper:.4g}"


def _counted(names: list[str]) -> str:
    more = f", ... ({len(names) - FEW} more)" if len(names) > FEW else ""
    return f"{len(names)}{': ' if names else ''}{', '.join(names[:FEW])}{more}"


def _rank(found: BodyCheck) -> str:
    seen = found.mobility
    assert seen is not None
    if seen.start_rank < seen.rank:
        return f"{seen.rank}, at the start {seen.start_rank} (a singular position)"
    return str(seen.rank)


def _start(found: BodyCheck) -> str:
    if not found.open_row:
        return "nothing to close"
    moves = {
        name: move
        for name, move in found.moves.items()
        if move.distance > SMALL or move.angle > SMALL
    }
    if not moves:
        return "closed"
    far = sorted(moves, key=lambda name: -max(moves[name].distance, moves[name].angle))
    shown = ", ".join(
        f"{name} by {moves[name].distance:.2g} m and {np.degrees(moves[name].angle):.2g} degrees"
        for name in far[:3]
    )
    more = f" and {len(far) - 3} more" if len(far) > 3 else ""
    return f"open by {found.open_by:.2g} in '{found.open_row}'; closing moves {shown}{more}"
