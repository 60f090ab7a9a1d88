"""Motion of a model by name: ``trunk.x``, ``trunk.roll.dot``, ``knee.angle``, ``knee.angle.ddot``.

Names are looked up one at a time: a large model has very many, and few are ever asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dalembert.errors import ModelError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.rigid_body import ANGLE_NAMES, POSITION_NAMES, QuaternionBody

PARTS = (*POSITION_NAMES, *ANGLE_NAMES)
"""Coordinates of the frame of a body."""

RATE = ".dot"
SECOND = ".ddot"


def formula_of(model: Any, name: str) -> Expression | None:
    """The formula that a name stands for, derivatives with respect to time included, or None.

    Parameters
    ----------
    name : ``body.x``, ``body.roll``, ``body.wx``, ``joint.angle``, ``point.x``, or a coordinate of
        a model of formulas; behind each ``.dot`` or ``.ddot``
    """
    for ending, derivative in ((SECOND, "ddot"), (RATE, "dot")):
        if name.endswith(ending):
            inner = _plain(model, name.removesuffix(ending))
            return None if inner is None else getattr(inner, derivative)
    return _plain(model, name)


def _plain(model: Any, name: str) -> Expression | None:
    owner, _, part = name.rpartition(".")
    body = model.bodies.get(owner)
    if body is not None:
        if part in PARTS:
            return getattr(body, part)  # type: ignore[no-any-return]
        if isinstance(body, QuaternionBody):
            for names, symbols in (
                (body.state_names, body.state_symbols),
                (body.velocity_names, body.velocity_symbols),
            ):
                if name in names:
                    return symbols[names.index(name)]
    joint = model.joints.get(owner)
    if joint is not None and part in joint.named_parts:
        try:
            return joint.named_part(part)  # type: ignore[no-any-return]
        except ModelError:  # angles of slanting hinges are no formulas
            return None
    if owner in model.points and part in POSITION_NAMES[: len(model.points[owner])]:
        return model.points[owner][POSITION_NAMES.index(part)]  # type: ignore[no-any-return]
    if not model.bodies:
        for coordinate in model.coordinates:
            if coordinate.name == name:
                return coordinate  # type: ignore[no-any-return]
    return None


def unwritten(model: Any, name: str) -> str:
    """A sentence why a coordinate of a joint that is there has no formula; "" for others."""
    for ending in (SECOND, RATE):
        name = name.removesuffix(ending)
    owner, _, part = name.rpartition(".")
    joint = model.joints.get(owner)
    if joint is None or part not in joint.named_parts:
        return ""
    try:
        joint.named_part(part)
    except ModelError as problem:
        text = str(problem).removeprefix(f"{joint.title}: ")
        return f" {text[:1].upper()}{text[1:]}"
    return ""


def joint_names(model: Any) -> Iterator[str]:
    """``knee.angle``, one for each coordinate of a joint that has a formula."""
    for name, joint in model.joints.items():
        for part in joint.named_parts:
            if formula_of(model, f"{name}.{part}") is not None:
                yield f"{name}.{part}"


def frame_names(model: Any) -> Iterator[str]:
    """``trunk.x`` ... ``trunk.yaw``, of each body, where they are no coordinates of the state."""
    for body in model.bodies.values():
        if isinstance(body, QuaternionBody):
            for part in PARTS:
                if f"{body.name}.{part}" not in body.center_names:
                    yield f"{body.name}.{part}"


def free_bodies(model: Any) -> list[str]:
    """Bodies that no chain of joints connects with the world, the first of each such group."""
    around: dict[str, list[str]] = {}
    for joint in model.joints.values():
        ends = [frame.body.name for frame in joint.frames]
        for end in ends:
            around.setdefault(end, []).extend(ends)
    seen: set[str] = set()
    found = []
    for first in (model.world.name, *model.bodies):
        if first in seen:
            continue
        if first in model.bodies:
            found.append(first)
        waiting = [first]
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += around.get(name, [])
    return found


def name_of(model: Any, formula: Expression) -> str | None:
    """The name of a coordinate of a body or joint, or of its rate, given as a formula."""
    if formula.op in ("coordinate", "velocity"):
        return repr(formula)
    for kind, owners in (("body", model.bodies), ("joint", model.joints)):
        for owner, thing in owners.items():
            for part in PARTS if kind == "body" else thing.named_parts:
                mine = _plain(model, f"{owner}.{part}") if kind == "joint" else getattr(thing, part)
                if mine is None:
                    continue
                if mine is formula:
                    return f"{owner}.{part}"
                if formula is mine.dot:
                    return f"{owner}.{part}{RATE}"
    return None


def unit_of(model: Any, name: str) -> str:
    """The unit of a coordinate of a body or joint, or of its derivatives."""
    ending = next((e for e in (SECOND, RATE) if name.endswith(e)), "")
    part = name.removesuffix(ending).rpartition(".")[2]
    per = {"": "", RATE: "/s", SECOND: "/s^2"}[ending]
    if part in ANGLE_NAMES or part.startswith("angle"):
        return f"rad{per}"
    return f"m{per}" if model.bodies else ""
