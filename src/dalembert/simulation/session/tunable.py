"""Numbers of forces, drives and gravity as parameters, so that they can be turned during a run.

A user names some numbers of a model (`dl.parameters`); others stand as they are in its springs,
motors and drives. `exposed` gives those a name too: ``motor.stall_torque``, ``drive.value``,
``gravity.z``. The equations are the same; only where the numbers are kept is different.
"""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dalembert.errors import DalembertError
from dalembert.formulas import evaluate, symbols, time
from dalembert.formulas.expression import Expression, parameter
from dalembert.formulas.variables import reaction_of
from dalembert.model.core.model import Model
from dalembert.model.core.replacing import replace_parts
from dalembert.model.joints.motion import Motion
from dalembert.simulation.session.target_range import target_range

COMMANDS = ("value", "command")
"""Fields that may be exposed where they are zero: an actuator at rest is still one."""

TARGET = "command"
"""Field of an actuator that says what it shall do."""

DIRECTIONS = ("about", "axis", "direction", "orientation")
"""Fields whose numbers are directions, not strengths."""

TURNING = ("angle", "roll", "yaw")
"""Coordinates of drives that have a phase."""

PHASE = ".phase"

HALVINGS = 30
"""Halvings of a range in which the last value is looked for that a model takes."""

PARTS = {3: ("x", "y", "z"), 6: ("x", "y", "z", "roll", "pitch", "yaw")}


@dataclass(frozen=True)
class Knob:
    """A number that can be changed during a run.

    Attributes
    ----------
    name : of the parameter
    group : "parameter" for the model's own, "target" of an actuator, "force", "drive" or "gravity"
    value : what the model states
    low, high : a sensible range; other values are allowed
    """

    name: str
    group: str
    value: float
    low: float
    high: float


def exposed(model: Model) -> tuple[Model, tuple[Knob, ...]]:
    """A copy of the model with every number that can be turned as a parameter, and these."""
    made = copy.copy(model)
    found = [
        ("parameter", name, value)
        for name, value in model.parameters.items()
        if reaction_of(name) is None
    ]
    taken = set(model.parameters)

    def turned(group: str, name: str, given: Any, *, also_zero: bool) -> Any:
        """`given` as a parameter of that name, or as it is where it is no plain number."""
        value = _number(given)
        if value is None or name in taken or (value == 0.0 and not also_zero):
            return given
        taken.add(name)
        found.append((group, name, value))
        return parameter(name, value)

    forces: dict[str, Any] = {}
    for name, force in model.forces.items():
        changes = {
            field: _each(
                given,
                lambda label, x, n=name, f=field: turned(
                    "target" if f == TARGET else "force",
                    f"{n}.{f}{label}",
                    x,
                    also_zero=f in COMMANDS,
                ),
            )
            for field, given in _fields(force)
        }
        if any(changes[field] is not given for field, given in _fields(force)):
            forces[name] = dataclasses.replace(force, **changes)
    joints: dict[str, Any] = {}
    for name, joint in model.joints.items():
        if isinstance(joint, Motion):
            value = turned("drive", f"{name}.value", joint.value, also_zero=True)
            if joint.coordinate in TURNING and symbols([joint.value], "time"):
                value = value + turned("drive", f"{name}{PHASE}", 0.0, also_zero=True)
            if value is not joint.value:
                joints[name] = dataclasses.replace(joint, value=value)
    gravity = None
    if model.is_maximal:
        gravity = tuple(
            turned("gravity", f"gravity.{axis}", g, also_zero=False)
            for axis, g in zip("xyz", model.gravity, strict=True)
        )
    replace_parts(made, forces=forces, joints=joints, gravity=gravity)
    # dry friction alone is no part of the equations: nothing would turn it
    known = [one for one in found if one[1] in made.parameters]
    return made, tuple(Knob(n, g, v, *_range(model, g, n, v)) for g, n, v in known)


def _range(model: Model, group: str, name: str, value: float) -> tuple[float, float]:
    """A range to try: what an actuator and its joint take, where that is known, else `span`."""
    if group == "target":
        known = target_range(model, model.forces[name.removesuffix(f".{TARGET}")], value)
        if known is not None:
            return known
    low, high = span(value, name)
    if group != "parameter":
        return low, high
    return _allowed(model, name, value, low), _allowed(model, name, value, high)


def _allowed(model: Model, name: str, value: float, bound: float) -> float:
    """The bound, or where between the value and it the model begins to refuse the parameter."""
    if _is_taken(model, name, bound):
        return bound
    good, bad = value, bound
    for _ in range(HALVINGS):
        middle = 0.5 * (good + bad)
        good, bad = (middle, bad) if _is_taken(model, name, middle) else (good, middle)
    near = float(f"{good:.3g}")  # what is meant by 0.999999999
    return near if _is_taken(model, name, near) else good


def _is_taken(model: Model, name: str, value: float) -> bool:
    try:
        model.with_parameters(**{name: value})
    except DalembertError:
        return False
    return True


def slipped(model: Model, t: float, asked: Mapping[str, float]) -> dict[str, float]:
    """Changes of phases that keep driven cranks where they are while `asked` is changed at t.

    A drive f(t) that turns faster from now on has not turned faster before: what f(t) - f(0)
    would gain by the new values is taken back. What f(0) gains is meant.
    """
    found = {}
    before = model.parameters
    after = before | dict(asked)
    for name, joint in model.joints.items():
        phase = f"{name}{PHASE}"
        if not isinstance(joint, Motion) or phase not in before or phase in asked:
            continue
        held = symbols([joint.value], "parameter")
        if not any(leaf.name in asked for leaf in held):
            continue
        gained = 0.0
        for values, sign in ((before, 1.0), (after, -1.0)):
            for moment, way in ((t, sign), (0.0, -sign)):
                known = {leaf: values[leaf.name] for leaf in held}
                gained += way * float(evaluate([joint.value], {time: moment, **known})[0])
        if gained:
            found[phase] = gained
    return found


def span(value: float, name: str = "") -> tuple[float, float]:
    """A range to try around a value: a tenth to three times, both signs for a command."""
    if name.endswith(PHASE):
        return -math.pi, math.pi
    if value == 0.0:
        return -1.0, 1.0
    if name.endswith(".command"):
        return -max(1.0, abs(value)), max(1.0, abs(value))
    low, high = _round(value / 10.0), _round(value * 3.0)
    if name.endswith(tuple(f".value{part}" for part in ("", ".x", ".y", ".z"))):
        return -abs(high), abs(high)
    return (low, high) if value > 0.0 else (high, low)


def _round(x: float) -> float:
    """To two digits."""
    return float(f"{x:.1e}")


def _number(given: Any) -> float | None:
    if isinstance(given, Expression):
        return float(given.value) if given.op == "constant" else None
    if isinstance(given, bool) or not isinstance(given, int | float):
        return None
    return float(given)


def _fields(force: Any) -> Iterator[tuple[str, Any]]:
    """Fields that hold strengths: numbers, formulas, or tuples of them."""
    for field in dataclasses.fields(force):
        # an "int" is a number that points something out: which coordinate of a joint
        if field.type == "int" or field.name in ("name", "watched", *force.ends, *DIRECTIONS):
            continue
        given = getattr(force, field.name)
        if isinstance(given, tuple | float | int | Expression) and not isinstance(given, bool):
            yield field.name, given


def _each(given: Any, change: Any) -> Any:
    """`change` of a number, or of each of several; the same object when nothing changed."""
    if not isinstance(given, tuple):
        return change("", given)
    labels = PARTS.get(len(given), tuple(map(str, range(len(given)))))
    made = tuple(change(f".{label}", x) for label, x in zip(labels, given, strict=True))
    return given if all(a is b for a, b in zip(made, given, strict=True)) else made
