"""Which shapes of a model may touch.

Two shapes never touch when both stand on the same body or both on the world. Shapes of two bodies
that one joint connects do not touch either unless `Model.allow_contact` says so, as links overlap
at their joint; the world is an exception, whose floor a hinged link may hit. Then groups decide,
and rules for pairs have the last word.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dalembert.model.basics.frame import WORLD
from dalembert.model.contact.contact_shape import ContactShape
from dalembert.model.contact.rules import ALLOW, IGNORE

if TYPE_CHECKING:
    from dalembert.model.core.model import Model


def neighbours(model: Model) -> set[frozenset[str]]:
    """Pairs of bodies that a joint connects; of those with the world only the fixed ones."""
    found: set[frozenset[str]] = set()
    for joint in model.joints.values():
        bodies = frozenset(frame.body.name for frame in joint.frames)
        if len(joint.frames) == 2 == len(bodies) and (WORLD not in bodies or joint.kind == "fixed"):
            found.add(bodies)
    return found


def pairs(model: Model) -> Iterator[tuple[ContactShape, ContactShape]]:
    """Every pair of shapes that may touch, in the order they were given."""
    shapes = model.contact_shapes
    joined = neighbours(model)
    for k, a in enumerate(shapes):
        for b in shapes[k + 1 :]:
            if not reason(model, a, b, joined):
                yield a, b


def excluded(model: Model) -> list[tuple[int, int]]:
    """Pairs (i < j) of `contact_shapes` that do not touch although their groups would let them.

    Shapes of one body, and two of the world, are not listed.
    """
    shapes = model.contact_shapes
    joined = neighbours(model)
    on: dict[str, list[int]] = {}
    for i, shape in enumerate(shapes):
        on.setdefault(shape.body, []).append(i)
    near = {(i, j) for a, b in map(sorted, joined) for i in on.get(a, ()) for j in on.get(b, ())}
    for rule in model.contact_rules:
        if rule.action == IGNORE:
            first = [i for i, shape in enumerate(shapes) if rule.a.fits(shape)]
            second = [i for i, shape in enumerate(shapes) if rule.b.fits(shape)]
            near |= {(i, j) for i in first for j in second}
    return sorted(
        (i, j)
        for i, j in {(min(pair), max(pair)) for pair in near}
        if shapes[i].body != shapes[j].body
        and shapes[i].allows(shapes[j])
        and reason(model, shapes[i], shapes[j], joined)
    )


def reason(model: Model, a: ContactShape, b: ContactShape, joined: Any = None) -> str:
    """Why two shapes do not touch, in words; "" when they may."""
    if a.body == b.body:
        return "both stand still" if a.is_fixed else "both are on one body"
    verdict = model.contact_rules.verdict(a, b)
    if verdict == IGNORE:
        return "a rule says so"
    if not a.allows(b):
        return "their groups do not touch"
    joined = neighbours(model) if joined is None else joined
    if frozenset((a.body, b.body)) in joined and verdict != ALLOW:
        return "a joint connects their bodies"
    return ""
