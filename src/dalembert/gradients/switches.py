"""Formulas at whose zeros forces switch, of `where`, `sign`, `abs` ... (sensitivity 4.2).

Where forces only have a kink, a step ends at the zero. Where they may jump, the side is a parameter
that is held during a step and turned about at the zero, so that no stage of a step sees the other.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from dalembert.formulas import Expression, parameter, reachable, substitute, symbols
from dalembert.formulas.expression import ZERO, lift
from dalembert.formulas.orientation import turns
from dalembert.formulas.variables import side_of_switch
from dalembert.model.basics.contents import remembered
from dalembert.model.core.replacing import replace_parts, resolved, with_force
from dalembert.model.forces.soft_contact import SoftContact
from dalembert.simulation.motion.trajectory import of_element

MOVING = ("coordinate", "velocity", "time", "load")
"""Leaves that change during a run."""

COMPARED = ("<", "<=", ">", ">=")
JUMPING = ("sign", *COMPARED)


@dataclass(frozen=True)
class Switch:
    """A formula at whose zero forces switch.

    side : the parameter that is 1 where it is positive and 0 where it is not; None: a kink alone
    """

    guard: Expression
    side: Expression | None


def switches(model: Any) -> list[Switch]:
    """Each once: those at which forces may jump, then kinks."""
    return list(_read(model)[0])


def held_sides(model: Any) -> Any:
    """A copy of a model whose forces read the sides of its switches as parameters."""
    return _read(model)[1]


@remembered
def _read(model: Any) -> tuple[list[Switch], Any]:
    """The switches of a model, and the model with their sides held."""
    model = copy.copy(model)  # whoever remembers must not keep the model itself alive
    jumps = Sides()
    held = _held_bodies(model, jumps) if model.is_maximal else _held_formulas(model, jumps)
    kinks: dict[Expression, None] = {}
    for node in reachable(_formulas(held)):
        guard, turned = _guard(node)
        if _moves(guard) and not {guard, turned} & {*kinks, *jumps.known}:
            kinks[guard] = None
    made = [Switch(guard, side) for guard, side in jumps.known.items()]
    return made + [Switch(guard, None) for guard in kinks], held


class Sides:
    """Parameters that are the sides of formulas, one for each formula or its negative."""

    def __init__(self) -> None:
        self.known: dict[Expression, Expression] = {}

    def of(self, guard: Expression, turned: Expression) -> Expression:
        """1 where a formula is positive; `turned` is its negative."""
        if turned in self.known:
            return 1.0 - self.known[turned]
        return self.known.setdefault(guard, side_of_switch(len(self.known)))


def _on_side(node: Any, side: Any) -> Any:
    """A comparison or sign as it is on a side of its zero."""
    if node.op == "sign":
        return 2.0 * side - 1.0
    return side > 0.5 if node.op in (">", ">=") else side < 0.5


def _held_formulas(model: Any, jumps: Sides) -> Any:
    known: dict[Any, Any] = {}
    for node in reachable([lift(x) for x in model.force]):
        guard, turned = _guard(node)
        if node.op in JUMPING and _moves(guard):
            known[node] = _on_side(node, jumps.of(guard, turned))
    return with_force(model, known, list(jumps.known.values())) if known else model


def _guard(node: Any) -> tuple[Any, Any]:
    """The formula at whose zero an operation switches, and its negative."""
    if node.op in ("abs", "sign"):
        return node.args[0], -node.args[0]
    if node.op in ("minimum", "maximum", *COMPARED):
        a, b = node.args
        return a - b, b - a
    return None, None


def _moves(guard: Any) -> bool:
    return guard is not None and bool(symbols([guard], *MOVING))


# -- forces on bodies ------------------------------------------------------------------------------


def _held_bodies(model: Any, jumps: Sides) -> Any:
    """The formulas that users gave to forces, with sides for what may jump in them."""
    new: dict[str, Any] = {}
    for force in model.forces.values():
        nodes = [
            node
            for node in reachable(list(_own_formulas(force)))
            if node.op in JUMPING and _moves(_guard(node)[0])
        ]
        seen = _seen_guards(model, force, nodes) if nodes else {}
        if seen:
            known = {node: _on_side(node, jumps.of(g, -g)) for node, g in seen.items()}
            new[force.name] = _with(model, force, known)
    if new:
        replace_parts(model, forces=new)
    return model


def _own_formulas(force: Any) -> Iterator[Expression]:
    """Formulas that stand in the fields of a force."""
    for field in fields(force):
        given = getattr(force, field.name)
        for x in given if isinstance(given, tuple | list) else (given,):
            if isinstance(x, Expression):
                yield x


def _with(model: Any, force: Any, known: Mapping[Any, Any]) -> Any:
    """The force with parts of its formulas replaced."""

    def put(given: Any) -> Any:
        if isinstance(given, tuple | list):
            return type(given)(put(x) for x in given)
        return substitute([given], known)[0] if isinstance(given, Expression) else given

    changed = {
        field.name: made
        for field in fields(force)
        if field.init and (made := put(getattr(force, field.name))) is not None
    }
    return resolved(model, replace(force, **changed))


def _seen_guards(model: Any, force: Any, nodes: Sequence[Any]) -> dict[Any, Expression]:
    """The formulas of switches as the loads of a force contain them, in symbols of bodies.

    Each is found by a factor of its own that is put to it.
    """
    marks = {parameter(f"switch:mark{k}", 1.0): node for k, node in enumerate(nodes)}
    marked: dict[Any, Any] = {}
    for mark, node in marks.items():
        guard, _ = _guard(node)
        marked[node] = np.sign(guard * mark) if node.op == "sign" else guard * mark < 0.0
    found: dict[Any, Expression] = {}
    for made in reachable(_loads(model, _with(model, force, marked))):
        guard, _ = _guard(made)
        own = [] if guard is None else [x for x in symbols([guard], "parameter") if x in marks]
        if own:
            (found[marks[own[0]]],) = substitute([guard], {x: lift(1.0) for x in own})
    return found


def _loads(model: Any, force: Any) -> list[Expression]:
    """The loads of a force, with angles that go on beyond a turn as those of joints."""
    views, data, angles = of_element(force)
    loads = np.array(force.loads(views, data, list(angles)), dtype=object).ravel()
    joints = {
        joint.angles(joint.views)[0]: joint
        for joint in model.joints.values()
        if joint.angles(joint.views)
    }
    own = {
        symbol: turns(joints[angle].name) if angle in joints else ZERO
        for symbol, angle in angles.items()
    }
    return substitute([lift(x) for x in loads], own)


def _formulas(model: Any) -> Sequence[Expression]:
    """Forces as formulas of the model; smooth contacts are watched by their gaps."""
    if not model.is_maximal:
        return [lift(x) for x in model.force]
    made: list[Expression] = [lift(x) for x in model.generalised_forces.values()]
    for force in model.forces.values():
        if not isinstance(force, SoftContact):
            made += _loads(model, force)
    return made
