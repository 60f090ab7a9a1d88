"""How a run with contact goes along its time: from event to event, or by steps of impulses.

| mode | way |
|---|---|
| events | smooth phases; events are located, impacts are made at their instants (contact 20) |
| stepping | steps of impulses, in which events have no instant of their own |
| auto | events where contacts are few; else, or when a step is given, stepping |
"""

from __future__ import annotations

import functools
from dataclasses import fields
from typing import Any

from dalembert.contact.events.layout import MOST
from dalembert.enforcement import ContactImpulse
from dalembert.enforcement.contact_impulse import LOCATED
from dalembert.enforcement.protocol import Method
from dalembert.errors import OptionError
from dalembert.formulas import symbols
from dalembert.formulas.expression import lift
from dalembert.integration.protocol import Integrator
from dalembert.model.core.model import Model
from dalembert.model.one_sided.rows import BOX, hard_only, one_sided_rows
from dalembert.simulation.prepare.located import ContactEvents

MODES = ("auto", "events", "stepping")

FEW = 6
"""Moving shapes up to which `auto` locates events."""


def with_mode(
    mode: str, method: Method, integrator: Integrator | None, step: float | None, model: Model
) -> Method:
    """The method of a run: that of located events where the mode says so, and it can be."""
    if mode not in MODES:
        raise OptionError(f"simulate: mode is {mode!r}. Give 'auto', 'events' or 'stepping'.")
    if isinstance(method, ContactEvents):
        return method
    if not isinstance(method, ContactImpulse):
        if mode == "events" and not hard_only(model):
            raise OptionError(
                f"simulate: mode='events': model {model.name!r} has nothing that touches or stops."
                " Leave `mode` out."
            )
        if mode == "events" and method.impulses is False:
            raise OptionError(
                f"simulate: mode='events' is for contacts and stops, which {type(method).__name__}"
                " does not know. Leave `method` out, or give dl.ContactImpulse(...)."
            )
        return method
    if mode == "stepping" or step is not None:
        why = "mode='stepping' is asked for." if step is None else "a step is given."
        _refuse_located(method, [why])
    if mode == "stepping" or (mode == "auto" and step is not None):
        return method
    found = reasons_against(model, method, integrator)
    if mode == "events":
        if step is not None:
            raise OptionError("simulate: mode='events' chooses its own steps. Leave `step` out.")
        if found:
            raise OptionError(f"simulate: mode='events': {found[0]} Use mode='stepping'.")
    elif found or not are_few(model) or not _plain(method):
        _refuse_located(method, found or _too_much(model, method))
        return method
    options = {field.name: getattr(method, field.name) for field in fields(ContactImpulse)}
    return ContactEvents(**options)


def why_steps(model: Model, method: Any, step: float | None) -> str | None:
    """Why a run takes steps of impulses instead of locating events, as a sentence.

    None where it locates them, or where there are none.
    """
    if not isinstance(method, ContactImpulse) or method.locates or not hard_only(model):
        return None
    if step is not None:
        return "a step is given."
    found = reasons_against(model, method) or _too_much(model, method)
    if not found:
        return "mode='stepping' is asked for."
    more = f" And {len(found) - 1} more such." if len(found) > 1 else ""
    return found[0] + more


def _too_much(model: Model, method: ContactImpulse) -> list[str]:
    """Sentences on why `auto` takes steps where events could be located."""
    found, moving, rows = [], _moving(model), len(one_sided_rows(model))
    if moving > FEW:
        found.append(f"{moving} shapes move, and events are located for up to {FEW}.")
    if rows > MOST:
        found.append(f"there are {rows} stops and drives, and a phase holds {MOST}.")
    found += [f"ContactImpulse({name}=...) is an option of steps." for name in _of_steps(method)]
    return found


def _refuse_located(method: ContactImpulse, why: list[str]) -> None:
    """Refuse what needs the instants of impacts where a run takes steps, and why it does."""
    if method.stabilised is not None:
        raise OptionError(
            "simulate: stabilised is the form of contacts between located events, and this run"
            f" takes steps: {why[0]} Leave `stabilised` out."
        )
    for name, values in (("restitution", LOCATED), ("impacts", ("sequential",))):
        value = getattr(method, name)
        if value in values:
            raise OptionError(
                f"simulate: {name}={value!r} is a law of impacts that are located in time, and this"
                f" run takes steps: {why[0]} Change that, or leave `{name}` out."
            )


def reasons_against(
    model: Model, method: ContactImpulse, integrator: Integrator | None = None
) -> list[str]:
    """Sentences on what located events do not know of a model."""
    found = []
    if integrator is not None and not integrator.adaptive:
        found.append(f"{type(integrator).__name__} has a fixed step.")
    for name in OF_STEPS:
        found += [f"{who} has {name}, which acts in steps only." for who in who_gives(model, name)]
    soft = [who for name in SOFT for who in who_gives(model, name)]
    for shape in model.contact_shapes if soft else ():
        if shape.kind == "cylinder":
            found.append(
                f"{soft[0]} is soft, which cylinders such as {shape.name!r} know in steps only."
            )
    for row in one_sided_rows(model):
        if row.law == BOX and row.joint:
            found.append(f"{row.name!r} has friction by the force in a joint, known to steps only.")
        if row.law == BOX and row.kd is None and symbols([lift(row.target_rate)], "velocity"):
            found.append(f"the command of {row.name!r} has velocities in it, known to steps only.")
    if method.sleeping:
        found.append("sleeping is of steps.")
    return found


OF_STEPS = ("tangential_stiffness", "viscous")
"""Properties of a surface that located events do not know."""

SOFT = ("stiffness", "frequency")
"""Properties of a surface that make it soft."""


def who_gives(model: Model, name: str) -> list[str]:
    """Shapes, and rules for pairs, that give a property of surfaces."""
    if not model.has_contact:
        return []
    found = [f"shape {x.name!r}" for x in model.contact_shapes if given(getattr(x.material, name))]
    rules = [rule for rule in model.contact_rules if given(rule.values.get(name))]
    return found + ["a pair of `set_contact`"] * len(rules)


def given(value: Any) -> bool:
    """Whether a property is there, and not zero."""
    return value is not None and not (isinstance(value, (int, float)) and value == 0.0)


def are_few(model: Model) -> bool:
    """Whether contacts are so few that events pay."""
    return _moving(model) <= FEW and len(one_sided_rows(model)) <= MOST


def _moving(model: Model) -> int:
    """Number of shapes that move."""
    shapes = model.contact_shapes if model.has_contact else ()
    return sum(1 for shape in shapes if str(shape.body or "world") != "world")


@functools.cache
def _usual() -> ContactImpulse:
    """Options that nobody gave."""
    return ContactImpulse()


def _plain(method: ContactImpulse) -> bool:
    """Whether no option was given that is of steps only."""
    return not _of_steps(method)


def _of_steps(method: ContactImpulse) -> list[str]:
    """Options that were given and are of steps only."""
    default = _usual()
    names = ("solver", "friction", "tolerance", "profile", "forces", "order", "strict", "slop")
    return [name for name in names if getattr(method, name) != getattr(default, name)]
