"""Coordinates of bodies and joints that were asked for at the start: held while loops are closed.

Joints place bodies one after the other, from the world outwards. A joint within a loop may not be
among those, and what was placed is moved when the loop is closed; what was asked for by name is
held then. Coordinates of bodies are given up where the joints do not allow them, within the limit
of every start; those of joints are not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import AssemblyError
from dalembert.formulas import Expression
from dalembert.model.basics.by_name import PARTS, RATE, formula_of
from dalembert.model.check.conflict import conflict
from dalembert.model.start.closing import Closing
from dalembert.model.start.given_names import is_of_joint
from dalembert.model.start.rows_numpy import Rows
from dalembert.model.start.started import started
from dalembert.simulation.assembly.held_coordinates import position_rows, values_at

Array = NDArray[np.float64]

NEAR = 0.5
"""How far from an angle that was asked for, full turns aside, a place may be  [rad]."""

OPEN = 1e-9
"""Residual of joints, over the largest coordinate, that counts as closed."""


def with_asked(model: Any, layers: Sequence[Mapping[str, float]], q: Array) -> Array:
    """The closed configuration near q with the asked coordinates; q itself where it is closed."""
    given = {name: value for layer in layers for name, value in layer.items()}
    asked = {name: value for name, value in given.items() if _is_held(model, name)}
    of_joints = {name: value for name, value in asked.items() if is_of_joint(model, name)}
    if not asked:
        return q
    rows = Rows(model)
    rows.known = near(rows, started(model, layers).angles(model.parameters), q)
    if _is_closed(rows, q) and _is_closed(Rows(model, [], position_rows(model, asked, 0.0, q)), q):
        return q
    found = _held(model, rows, asked, q)
    if found is None and of_joints:
        found = _held(model, rows, of_joints, q)
        if found is None:
            raise _refusal(model, rows, of_joints, q)
    return q if found is None else found


def near(
    rows: Rows, asked: Mapping[Expression, float], q: Array, t: float = 0.0
) -> dict[Expression, float]:
    """Angles that were asked for and that a place has, full turns aside."""
    if not asked:
        return {}
    raw = values_at(rows.model, list(asked), t, q)
    pairs = zip(asked.items(), raw, strict=True)
    return {a: x for (a, x), there in pairs if abs(math.remainder(x - there, math.tau)) <= NEAR}


def _is_held(model: Any, name: str) -> bool:
    """Whether a name is a coordinate, with a formula, of a joint or of the frame of a body."""
    if name.endswith(RATE):
        return False
    owner, _, part = name.rpartition(".")
    mine = is_of_joint(model, name) or (owner in model.bodies and part in PARTS)
    return mine and formula_of(model, name) is not None


def _is_closed(rows: Rows, q: Array) -> bool:
    phi = rows.residuals(0.0, q, np.zeros(rows.velocities))[0][0]
    return float(np.abs(phi).max(initial=0.0)) <= OPEN * max(1.0, float(np.abs(q).max()))


def _held(model: Any, rows: Rows, asked: Mapping[str, float], q: Array) -> Array | None:
    holds = Rows(model, [], position_rows(model, asked, 0.0, q))
    closing = Closing(rows, holds, angles=rows.known)
    found = closing.close(0.0, q)
    return closing.nearer(0.0, q, found).q if found.is_closed else None


def _refusal(model: Any, rows: Rows, asked: Mapping[str, float], q: Array) -> AssemblyError:
    holds = Rows(model, [], position_rows(model, asked, 0.0, q))
    found = Closing(rows, holds, angles=rows.known).close(0.0, q)
    reason = conflict(rows, holds, 0.0, q, found)
    names = ", ".join(f"{name} = {value:g}" for name, value in asked.items())
    return AssemblyError(
        f"initial: model {model.name!r} has no start with {names}. {reason} Change a value, or "
        "leave one out.",
        conflict=reason.names,
    )
