"""Stiffness and damping of constraints that are springs: one for all, or one for each.

| given | meaning |
|---|---|
| a number | of every row |
| {name: number} | of constraints, joints or single rows; what is not named has the default |
| a sequence | one for each constraint, in the order of `solution.constraint_slices`, or each row |

A velocity constraint has a damper only (methods 5.3, 5.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dalembert._memory import Part, over
from dalembert._records import Numbers
from dalembert.enforcement.protocol import Method, is_number
from dalembert.errors import OptionError
from dalembert.model.basics.names import nearest
from dalembert.system.state_layout import State

Gain = float | Sequence[float] | Mapping[str, float]


class RowGains(Part, of=State):
    """Gains of the rows, at the beginning of a method's own memory."""

    stiffness: Numbers = over("rows")  # kp; 0 of velocity constraints
    damping: Numbers = over("rows")  # kd


@dataclass(frozen=True)
class SpringMethod(Method):
    """A method with a spring and a damper on every constraint row."""

    stiffness: Gain
    damping: Gain

    drift = "bounded"
    own_multipliers = True
    traceable = False

    def __post_init__(self) -> None:
        for name, least in (("stiffness", "positive"), ("damping", "not negative")):
            value = read_gain(type(self).__name__, name, getattr(self, name), least)
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        return hash(repr(self))

    def scratch(self, nq: int, nv: int, holonomic: int, rows: int) -> int:
        return RowGains.length(rows=rows)

    def scratch_start(self, system: Any) -> list[float]:
        return gains_of_rows(self, system)

    def refuse(self, system: Any, integrator: Any, step: float | None) -> str | None:
        return refuse_gains(self, system)


def read_gain(owner: str, name: str, given: Any, least: str) -> Any:
    """A number, a tuple or a dict of numbers; `least` is "positive" or "not negative"."""
    if isinstance(given, Mapping):
        values = {getattr(key, "name", key): value for key, value in given.items()}
        for key, value in values.items():
            if not isinstance(key, str):
                raise OptionError(
                    f"{owner}: {name}: the key {key!r} is no name. Write {{'hinge': 1e6}}."
                )
            _require(owner, f"{name} of '{key}'", value, least)
        return {key: float(value) for key, value in values.items()}
    if not isinstance(given, str) and (isinstance(given, Sequence) or hasattr(given, "__array__")):
        if getattr(given, "ndim", 1) == 0:
            given = [given]
        for i, value in enumerate(given):
            _require(owner, f"{name}[{i}]", value, least)
        if not len(given):
            raise OptionError(f"{owner}: {name} is empty. Give one number, or one a constraint.")
        return tuple(map(float, given))
    _require(owner, name, given, least)
    return given


def _require(owner: str, name: str, value: Any, least: str) -> None:
    if is_number(value) and (value > 0 or (value == 0 and least != "positive")):
        if value < float("inf"):
            return
    wanted = "a positive number" if least == "positive" else "zero or a positive number"
    raise OptionError(f"{owner}: {name} is {value!r}. Give {wanted}.")


def refuse_gains(method: Any, system: Any) -> str | None:
    """A sentence on gains that do not fit the constraints of a system, or None."""
    known, owner = system.constraint_slices, type(method).__name__
    for field in ("stiffness", "damping"):
        given = getattr(method, field)
        if isinstance(given, tuple) and len(given) not in (len(known), len(system.row_names)):
            counts = f"{len(known)} constraints with {len(system.row_names)} rows"
            return (
                f"{owner}: {field} has {len(given)} entries for {counts}"
                f"{_some(list(known))}. Give one a constraint, one a row, or values by name."
            )
        if isinstance(given, dict):
            for name in given:
                if name not in known and name not in system.row_names:
                    return _unknown(f"{owner}: {field}", name, system)
    return None


def _unknown(what: str, name: str, system: Any) -> str:
    known = list(system.constraint_slices)
    if system.is_tree and any(joint.joint.name == name for joint in system.tree.joints):
        return (
            f"{what}: joint '{name}' is rigid in the coordinates of joints. "
            "Use formulation='maximal'."
        )
    return f"{what}: there is no constraint or joint '{name}'{nearest(name, known)}"


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
    return f" ({shown})" if names else ""


def gains_of_rows(method: Any, system: Any) -> list[float]:
    """Stiffness, then damping of all rows."""
    holonomic = system.extents.holonomic
    stiffness = _spread(method, "stiffness", system)
    stiffness[holonomic:] = [0.0] * (len(stiffness) - holonomic)
    return [*stiffness, *_spread(method, "damping", system)]


def _spread(method: Any, field: str, system: Any) -> list[float]:
    """One entry a row."""
    given, names = getattr(method, field), list(system.row_names)
    if isinstance(given, tuple):
        if len(given) == len(names):
            return list(given)
        given = dict(zip(system.constraint_slices, given, strict=True))
    if not isinstance(given, dict):
        return [float(given)] * len(names)
    found = [float(type(method).__dataclass_fields__[field].default)] * len(names)
    for name, rows in system.constraint_slices.items():
        if name in given:
            for i in range(len(names))[rows] if isinstance(rows, slice) else rows:
                found[i] = given[name]
    for i, name in enumerate(names):
        found[i] = given.get(name, found[i])
    return found
