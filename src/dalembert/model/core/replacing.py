"""Parts of a model replaced in place, for whoever works on a copy of it: sessions, controllers.

Users describe a model once. A run may need another one with the same equations: numbers as
parameters, a damper as a servo.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dalembert.formulas.expression import Expression
from dalembert.formulas.graph import substitute
from dalembert.model.basics.reading import Findings
from dalembert.model.core.model import Model
from dalembert.model.core.read_body import formulas_of_element
from dalembert.model.forces.base import ForceElement
from dalembert.model.joints.joint import Joint
from dalembert.model.sensors.effort_sensor import EffortSensor


def replace_parts(
    model: Model,
    *,
    forces: Mapping[str, ForceElement | None] | None = None,
    joints: Mapping[str, Joint] | None = None,
    gravity: tuple[Expression, ...] | None = None,
) -> None:
    """Put forces and joints in the place of those of their names; None takes a force out.

    Sensors of a force read the new one, and parameters of new parts are parameters of the model.
    """
    formulas: list[Expression] = list(gravity or ())
    for name, force in (forces or {}).items():
        old = model._elements[name]
        if force is None:
            del model._elements[name]
            continue
        model._elements[name] = force
        formulas += [*formulas_of_element(force), *force.formulas()]
        for other, sensor in model._sensors.items():
            if isinstance(sensor, EffortSensor) and sensor.actuator is old:
                model._sensors[other] = replace(sensor, actuator=force)
    for name, joint in (joints or {}).items():
        model._joints[name] = joint
        formulas += formulas_of_element(joint)
    if gravity is not None:
        model._gravity = gravity
    model._register(formulas, Findings())
    model._changed()


def with_force(model: Model, known: Mapping[Any, Any], parameters: Sequence[Expression]) -> Model:
    """A copy of a model of formulas with parts of its forces replaced, and further parameters."""
    made = copy.copy(model)
    equations = made._assembled()
    force = tuple(substitute(list(equations.force), known))
    made._equations = replace(equations, force=force)
    made._parameters = {**made._parameters, **{x.name: x for x in parameters}}
    return made


def resolved(model: Model, force: ForceElement) -> ForceElement:
    """The force on bodies and joints of the model, those in its formulas included."""
    findings = Findings()
    made = force.resolved(model._references(), force.name, findings)
    findings.raise_if_any(f"model '{model.name}'")
    return made


def take_values(model: Model, values: Mapping[str, float]) -> None:
    """Take over values of parameters that were checked elsewhere."""
    model._values |= values


def free_name(model: Model, name: Any) -> str:
    """The name, with underscores behind it where an element of the model has it already."""
    while model._holder(name):
        name += "_"
    return str(name)
