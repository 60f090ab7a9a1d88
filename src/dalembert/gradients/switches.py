"""Formulas at whose zeros forces switch, of `where`, `sign`, `abs` ... (sensitivity 4.2).

Where forces only have a kink, a step ends at the zero. Where they may jump, the side is a parameter
that is held during a step and turned about at the zero, so that no stage of a step sees the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.formulas import Expression, parameter, reachable, substitute, symbols
from dalembert.formulas.expression import lift
from dalembert.model.core.replacing import with_force
from dalembert.model.forces.soft_contact import SoftContact
from dalembert.simulation.motion.trajectory import of_element

MOVING = ("coordinate", "velocity", "time", "load")
"""Leaves that change during a run."""

COMPARED = ("<", "<=", ">", ">=")


@dataclass(frozen=True)
class Switch:
    """A formula at whose zero forces switch.

    side : the parameter that is 1 where it is positive and 0 where it is not; None: a kink alone
    """

    guard: Expression
    side: Expression | None


def switches(model: Any) -> list[Switch]:
    """Each once, in the order of the forces."""
    found: dict[Expression, bool] = {}
    for node in reachable(_formulas(model)):
        guard, turned = _guard(node)
        if guard is None or not symbols([guard], *MOVING):
            continue
        guard = turned if turned in found else guard
        jumps = node.op in ("sign", *COMPARED) and not model.is_maximal
        found[guard] = found.get(guard, False) or jumps
    return [
        Switch(guard, parameter(f"switch:{k}", 0.0) if jumps else None)
        for k, (guard, jumps) in enumerate(found.items())
    ]


def held_sides(model: Any) -> Any:
    """A copy of a model of formulas whose forces read the sides of its switches as parameters."""
    sides = {one.guard: one.side for one in switches(model) if one.side is not None}
    if not sides:
        return model
    known: dict[Any, Any] = {}
    for node in reachable(_formulas(model)):
        guard, turned = _guard(node)
        side = sides.get(guard)
        positive = (
            side if side is not None else None if turned not in sides else 1.0 - sides[turned]
        )
        if positive is None or node.op not in ("sign", *COMPARED):
            continue
        if node.op == "sign":
            known[node] = 2.0 * positive - 1.0
        else:
            known[node] = positive > 0.5 if node.op in (">", ">=") else positive < 0.5
    return with_force(model, known, list(sides.values()))


def _guard(node: Any) -> tuple[Any, Any]:
    """The formula at whose zero an operation switches, and its negative."""
    if node.op in ("abs", "sign"):
        return node.args[0], -node.args[0]
    if node.op in ("minimum", "maximum", *COMPARED):
        a, b = node.args
        return a - b, b - a
    return None, None


def _formulas(model: Any) -> Sequence[Expression]:
    """Forces as formulas of the model; smooth contacts are watched by their gaps."""
    if not model.is_maximal:
        return [lift(x) for x in model.force]
    made: list[Expression] = [lift(x) for x in model.generalised_forces.values()]
    for force in model.forces.values():
        if isinstance(force, SoftContact):
            continue
        views, data, angles = of_element(force)
        loads = np.array(force.loads(views, data, list(angles)), dtype=object).ravel()
        made += substitute([lift(x) for x in loads], angles)
    return made
