"""Full turns of angles that were asked for at the start.

A hinge that begins at 4 rad is not one at 4 - 2 pi: springs and stops know the difference. Bodies
are placed alike by both; the turns are handed to the run as those of another one that went before.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from dalembert.formulas import Expression, symbols
from dalembert.model.basics.quantity import value_of
from dalembert.model.joints.cylindrical import Cylindrical
from dalembert.model.joints.revolute import Revolute
from dalembert.simulation.assembly.body_start import read_layer
from dalembert.simulation.assembly.held_coordinates import values_at
from dalembert.simulation.motion.turns import hinges_of
from dalembert.simulation.prepare.turned import Turned
from dalembert.system.bodies import PairAction

NEAR = 0.5
"""How far from an angle that was asked for, full turns aside, a start may be  [rad]."""


def asked_turns(model: Any, initial: Any, system: Any, t: float, q: np.ndarray) -> Turned | None:
    """Angles of hinges at a start q, with the turns that were asked for; None: nobody did.

    Where relations of angles count turns (gears), angles begin within half a turn of zero.
    """
    if not model.is_maximal or (initial is not None and not isinstance(initial, Mapping)):
        return None
    asked = _asked(model, initial)
    if not asked or _relate_angles(model, system):
        return None
    there = dict(zip(asked, values_at(model, list(asked), t, q), strict=True))
    for raw, x in list(asked.items()):
        if abs(math.remainder(x - there[raw], math.tau)) > NEAR:
            del asked[raw]  # its body was placed otherwise
    if not asked:
        return None
    angles = np.array([asked.get(raw, 0.0) for raw in hinges_of(model)])
    return Turned(model, angles, system, np.zeros(len(system.parts.wound)), None, np.zeros(0))


def _relate_angles(model: Any, system: Any) -> bool:
    """Whether joints or constraints are relations of angles with their turns."""
    for wound in system.parts.wound:
        if wound.element is None:
            owner, at, _ = wound.name.partition("@")
            if at and owner in model.joints:
                return True
        elif not isinstance(wound.element, PairAction):
            return True
    rows = [row for constraint in model.constraints for row in constraint.rows]
    return any(leaf.name.endswith(":turns") for leaf in symbols(rows, "coordinate"))


def _asked(model: Any, initial: Any) -> dict[Expression, float]:
    """Raw angle -> one beyond half a turn that was asked for: by name, or as `initial`."""
    named = {**model.initial_numbers(), **(read_layer(model, initial) if initial else {})}
    found: dict[Expression, float] = {}
    for name, joint in model.joints.items():
        if not isinstance(joint, Revolute | Cylindrical):
            continue
        own = joint.initial if isinstance(joint, Revolute) else joint.initial[0]
        value = float(named.get(f"{name}.angle", value_of(own, model.parameters)) or 0.0)
        if abs(value) > math.pi:
            found[joint.angles(joint.views)[0]] = value
    return found
