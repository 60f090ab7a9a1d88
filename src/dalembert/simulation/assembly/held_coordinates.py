"""Requests to hold things during assembly: coordinates, joint coordinates, bodies, speeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.formulas import Expression, time_derivative
from dalembert.formulas.expression import lift
from dalembert.formulas.functions import cos, sin
from dalembert.formulas.graph import symbols
from dalembert.formulas.node import Node
from dalembert.model.basics.by_name import PARTS, formula_of, unwritten
from dalembert.model.basics.constraint import Constraint
from dalembert.model.basics.names import nearest
from dalembert.model.basics.rigid_body import ANGLE_NAMES, Body
from dalembert.model.joints.joint import Joint
from dalembert.model.start.rows_numpy import Rows
from dalembert.model.start.turns import turning_joints

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Held:
    """A formula to be held; an angle counts without full turns."""

    label: str
    formula: Expression
    is_angle: bool


def position_rows(model: Any, hold: Any, t: float, q: Array) -> list[Constraint]:
    """Rows that hold coordinates: at given values, or where they are in the guess."""
    found: list[Constraint] = []
    for key, value in _pairs(hold, "hold"):
        body = _body(model, key)
        if body is not None:
            if value is not None:
                raise OptionError(
                    f"hold: '{body.name}' is a body; it can be held where it is, not at {value!r}."
                    f" Name one of its coordinates: '{body.name}.x'."
                )
            found.append(_whole(model, body, t, q))
            continue
        held = read(model, key, "hold")
        if symbols([held.formula], "velocity"):
            raise OptionError(f"hold: {held.label!r} is a velocity. Give it in velocities=.")
        target = _number(value, held.label, "hold")
        if target is None:
            (target,) = values_at(model, [held.formula], t, q)
        name = f"{held.label} held at {target:.6g}"
        rows: tuple[Expression, ...] = (held.formula - target,)
        if held.is_angle:
            turned = held.formula
            rows = (sin(turned) - float(np.sin(target)), cos(turned) - float(np.cos(target)))
        found.append(Constraint(name, rows))
    return found


def held_angles(model: Any, hold: Any) -> dict[Expression, float]:
    """Angles of joints that are held at values, turns included, by the angle in (-pi, pi]."""
    found: dict[Expression, float] = {}
    for key, value in _pairs(hold, "hold"):
        if value is not None and _body(model, key) is None:
            formula = read(model, key, "hold").formula
            for turns, raw in turning_joints(model, [formula]).items():
                if formula is raw + turns:
                    found[raw] = float(value)
    return found


def held_at(model: Any, hold: Any, angles: Mapping[Expression, float]) -> dict[Any, Any]:
    """Values to hold, with other ones for angles of joints, by the angle in (-pi, pi]."""
    found: dict[Any, Any] = {}
    for key, value in _pairs(hold, "hold"):
        (raw,) = held_angles(model, {key: value}) or (None,)
        found[key] = value if raw is None else angles.get(raw, value)
    return found


def velocity_rows(model: Any, velocities: Any) -> list[Constraint]:
    """Rows that hold speeds."""
    found: list[Constraint] = []
    for key, value in _pairs(velocities, "velocities"):
        target = _number(value, str(key), "velocities")
        if target is None:
            raise OptionError(f"velocities: give a number for {key!r}.")
        if isinstance(key, str) and key.endswith(".dot"):
            held = read(model, key.removesuffix(".dot"), "velocities")
        else:
            held = read(model, key, "velocities")
        formula = held.formula
        if not symbols([formula], "velocity"):
            (formula,) = time_derivative([formula])
        found.append(Constraint(f"speed of {held.label} held at {target:.6g}", (formula - target,)))
    return found


def _pairs(given: Any, what: str) -> Iterable[tuple[Any, Any]]:
    if given is None:
        return []
    if isinstance(given, Mapping):
        return list(given.items())
    if what == "velocities":
        raise OptionError(
            f"velocities: {given!r:.60} is no dict. Write for example {{'bearing': 2.0}}."
        )
    if isinstance(given, list | tuple | set):
        return [(key, None) for key in given]
    return [(given, None)]


def _number(value: Any, label: str, what: str) -> float | None:
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise OptionError(f"{what}: {label!r} is {value!r:.60}. Give a number.") from None
    if not np.isfinite(number):
        raise OptionError(f"{what}: {label!r} is {number}. Give a finite number.")
    return number


def _body(model: Any, key: Any) -> Any:
    if isinstance(key, Body):
        if model.bodies.get(key.name) is not key:
            raise OptionError(f"hold: '{key.name}' is a body of another model.")
        return key
    return model.bodies.get(key) if isinstance(key, str) else None


def read(model: Any, key: Any, what: str) -> Held:
    """The formula that is meant by a joint, a name or a formula."""
    if isinstance(key, Joint) or (isinstance(key, str) and key in model.joints):
        return _of_joint(model, key, what)
    if isinstance(key, Node):
        return _of_formula(model, lift(key), what)
    if isinstance(key, str):
        formula = formula_of(model, key)
        if formula is not None:
            part = key.rpartition(".")[2]
            return Held(key, formula, part in ANGLE_NAMES or part.startswith("angle"))
    known = [*model.joints, *model.bodies]
    known += [f"{name}.{part}" for name in model.bodies for part in PARTS]
    known += [f"{name}.{part}" for name, j in model.joints.items() for part in j.named_parts]
    near = nearest(key, known) if isinstance(key, str) else "."
    if isinstance(key, str) and (reason := unwritten(model, key)):
        near = f".{reason}"
    raise OptionError(
        f"{what}: {key!r:.60} is no joint, body or coordinate of model {model.name!r}{near}"
    )


def _of_joint(model: Any, key: Any, what: str) -> Held:
    joint = model.joints.get(key if isinstance(key, str) else key.name)
    if joint is None or (isinstance(key, Joint) and joint is not key):
        raise OptionError(f"{what}: {key!r:.60} is no joint of model {model.name!r}.")
    names = joint.coordinates
    if len(names) != 1:
        some = " or ".join(f"'{joint.name}.{name}'" for name in names)
        raise OptionError(
            f"{what}: joint '{joint.name}' ({joint.kind}) has"
            + (f" several coordinates. Give {some}." if names else " no coordinate to hold.")
        )
    return Held(joint.name, getattr(joint, names[0]), names[0] == "angle")


def _of_formula(model: Any, formula: Expression, what: str) -> Held:
    for joint in model.joints.values():
        for part in joint.coordinates:
            if getattr(joint, part) is formula:
                return Held(f"{joint.name}.{part}", formula, part == "angle")
    for body in model.bodies.values():
        for part in PARTS:
            if getattr(body, part) is formula:
                return Held(f"{body.name}.{part}", formula, part in ANGLE_NAMES)
    for leaf in symbols([formula], "coordinate", "velocity"):
        owner = leaf.name.partition(":")[0] if ":" in leaf.name else leaf.name.rpartition(".")[0]
        if owner not in model.bodies and owner not in model.joints:
            raise OptionError(f"{what}: {leaf!r} is nothing of model {model.name!r}.")
    return Held(f"{formula!r:.40}", formula, False)


def _whole(model: Any, body: Any, t: float, q: Array) -> Constraint:
    """All six coordinates of a body."""
    formulas = [*body.center_symbols, *body.rotation.ravel()]
    values = values_at(model, formulas, t, q)
    rows = tuple(f - x for f, x in zip(formulas, values, strict=True))
    return Constraint(f"body {body.name} held", rows)


def values_at(model: Any, formulas: list[Expression], t: float, q: Array) -> list[float]:
    """Values of formulas of bodies at a place."""
    rows = Rows(model, [], [Constraint("value", tuple(formulas))])
    return [float(x) for x in rows.residuals(t, q, np.zeros(rows.velocities))[0][0]]
