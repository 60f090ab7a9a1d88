"""Sentences on joints beyond their limits and shapes within one another, above all at the start."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dalembert.errors import DalembertError
from dalembert.model.check.contact import overlaps
from dalembert.simulation.prepare.placed_shapes import deepest
from dalembert.simulation.results.scales import weight_of

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

OUTSIDE = 1e-6
"""Angle beyond a limit that is no rounding  [rad]."""


SEEN = 1e-2
"""Overlap, over the smallest shape, that is looked for exactly where none is certain."""


def overlap(solution: Solution, least: float = 0.0) -> str | None:
    """Part of a sentence: the shapes that overlap most at the start; None where none do.

    Those that do by more than `least` [m]: what is certain from their middles, or a way out.
    """
    model = solution.model
    if not model.contact_shapes or not len(solution.t):
        return None
    start = solution.q[0], solution.v[0]
    certain = overlaps(model, start)
    if certain and certain[0][0] > least:
        depth, one, two = certain[0]
        return f"{one.name!r} and {two.name!r} overlap by {depth:.2g} m at the start"
    contact = solution.statistics.get("contact") or {}
    least = max(least, SEEN * float(contact.get("size") or math.inf))
    found = deepest(model, *start)
    if found is None or -found.distance <= least:
        return None
    first, second = found.shape_a.name, found.shape_b.name
    return f"{first!r} and {second!r} overlap by {-found.distance:.2g} m at the start"


def lifted(solution: Solution) -> float:
    """Energy that bodies gain as they are pushed out of one another  [J]: at most m g d.

    d is the deepest penetration, at the start or later.
    """
    model, contact = solution.model, solution.statistics.get("contact") or {}
    depth = float(contact.get("penetration", 0.0))
    if model.contact_shapes and len(solution.t):
        start = solution.q[0], solution.v[0]
        found, seen = overlaps(model, start, least=0.0), deepest(model, *start)
        depth = max(depth, found[0][0] if found else 0.0)
        depth = max(depth, 0.0 if seen is None else -seen.distance)
    return weight_of(model) * depth


def limit_passed(solution: Solution, angle: float) -> tuple[str, str]:
    """A sentence and a remedy, with the joints that start outside by name."""
    found = starts_outside(solution)
    if not found:
        return f"A limit was passed by {angle:.1e} rad.", "Take a smaller step."
    name, value, lower, upper = found[0]
    others = f", and {len(found) - 1} more do" if len(found) > 1 else ""
    text = (
        f"Joint {name!r} starts at {value:.4g} rad, outside its limits from {lower:.4g} to"
        f" {upper:.4g} rad{others}."
    )
    inside = lower if value < lower else upper
    if math.isfinite(lower + upper):
        inside = 0.5 * (lower + upper)
    return text, f'Start within them: model.set_initial({{"{name}.angle": {inside:.3g}}}).'


def starts_outside(solution: Solution) -> list[tuple[str, float, float, float]]:
    """Joints whose angle begins beyond an end: name, angle, both ends; the farthest first."""
    found = []
    for name, limits in solution.model.limits.items():
        try:
            value = float(solution[f"{name}.angle"][0])
        except (DalembertError, IndexError):
            continue  # a slide, or nothing was recorded
        beyond = max(limits.lower - value, value - limits.upper)
        if beyond > OUTSIDE:
            value = value if abs(value) > OUTSIDE else 0.0  # rounding is not told
            found.append((beyond, name, value, limits.lower, limits.upper))
    return [(one[1], one[2], one[3], one[4]) for one in sorted(found, reverse=True)]
