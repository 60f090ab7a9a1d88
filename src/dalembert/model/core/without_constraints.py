"""A copy of a model without some of its constraints and joints, for runs that release them."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Collection
from typing import Any

from dalembert.errors import ModelError
from dalembert.model.basics.names import nearest
from dalembert.model.core.model import Model
from dalembert.model.forces.base import ForceElement
from dalembert.model.joints.joint import Joint


def removable(model: Model) -> list[str]:
    """Names of constraints, joints, one-sided constraints and forces."""
    own = [constraint.name for constraint in model._constraints]
    return [*model._joints, *own, *model._unilaterals, *model._elements]


def without(model: Model, names: Collection[str]) -> Model:
    """The model itself where nothing is left out, else a copy.

    What acts on a joint goes with it: motors, limits, sensors.

    Raises
    ------
    ModelError      no such constraint, or another joint is made of the joint
    """
    if not names:
        return model
    known = removable(model)
    for name in names:
        if name not in known:
            raise ModelError(
                f"Model {model.name!r} has no joint or constraint"
                f" {name!r}{nearest(str(name), known)}"
            )
    made = copy.copy(model)
    made._constraints = [c for c in model._constraints if c.name not in names]
    made._joint_rows = [c for c in model._joint_rows if c.name not in names]
    made._unilaterals = _others(model._unilaterals, names)
    made._joints, made._limits = _others(model._joints, names), _others(model._limits, names)
    made._closing = [name for name in model._closing if name not in names]
    made._armature = _others(model._armature, names)
    for name, joint in made._joints.items():
        for other in _of(joint, names):
            raise ModelError(
                f"joint {name!r} is made of joint {other!r}, which is released. Release both."
            )
    made._elements = {
        name: element
        for name, element in model._elements.items()
        if name not in names and not _of(element, names)
    }
    gone = {*names, *(set(model._elements) - set(made._elements))}
    made._sensors = {
        name: sensor for name, sensor in model._sensors.items() if not _of(sensor, gone)
    }
    made._changed()
    return made


def _others(table: Any, names: Collection[str]) -> Any:
    return {name: part for name, part in table.items() if name not in names}


def _of(element: Any, names: Collection[str]) -> list[str]:
    """Names of joints and forces, among these, that an element is said by."""
    found = []
    for field in dataclasses.fields(element):
        part = getattr(element, field.name)
        if isinstance(part, Joint | ForceElement) and part.name in names:
            found.append(str(part.name))
    return found
