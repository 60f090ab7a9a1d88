"""Inputs of a linear model: forces by the names of parameters, joints, actuators, coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.body_coordinates import BodyCoordinates
from dalembert.analysis.equations.body_kinds import load_kind
from dalembert.analysis.equations.groups import Group
from dalembert.analysis.equations.point import At, Equations
from dalembert.errors import OptionError
from dalembert.formulas.expression import Expression, lift, parameter
from dalembert.model.basics.names import nearest
from dalembert.model.forces.force import Force
from dalembert.model.forces.joint_actuator import JointActuator
from dalembert.model.forces.on_joint import OnJoint
from dalembert.model.forces.torque import Torque
from dalembert.model.joints.joint import Joint
from dalembert.model.start.states import States

Array = NDArray[np.float64]


def input_columns(
    equations: Equations, at: At, given: Sequence[Any] | None
) -> tuple[list[str], Array]:
    """Names of inputs, and the forces on all velocities that one unit of each is.

    A parameter: d(force)/d(parameter). A joint, or one coordinate of it: torque or force along it.
    An actuator: its command. Another force on a joint, a `Torque`: its torque or force. A `Force`:
    its three components, "push.x" ... for one. A coordinate: a force on it.
    """
    names: list[str] = []
    columns: list[Array] = []
    for one in given or ():
        found = _read(equations, at, one)
        names += [name for name, _ in found]
        columns += [column for _, column in found]
    return names, np.array(columns).T.reshape(equations.nv, len(columns))


def _read(equations: Equations, at: At, given: Any) -> list[tuple[str, Array]]:
    model = equations.model
    name = _name(given)
    if name in equations.parameters():
        return [(name, equations.by_parameters(at, [name])[:, 0])]
    if name in model.joints:
        parts = [f"{name}.{part}" for part in model.joints[name].coordinates]
        if not parts:
            raise OptionError(
                f"inputs: joint {name!r} has no coordinate along which a force could act. Name a"
                " force, a parameter, or a coordinate of a body."
            )
        return [(part, equations.gradients([part], at)[0]) for part in parts]
    if name in model.forces and isinstance(equations, BodyCoordinates):
        return _of_force(equations, at, model.forces[name])
    owner, _, part = name.rpartition(".")
    if owner in model.forces and part in "xyz" and isinstance(equations, BodyCoordinates):
        found = [x for x in _of_force(equations, at, model.forces[owner]) if x[0] == name]
        if found:
            return found
    try:
        return [(name, equations.gradients([given if _is_formula(given) else name], at)[0])]
    except OptionError:
        known = [*equations.parameters(), *model.joints, *model.forces, *equations.candidates()]
        raise OptionError(
            f"inputs: model {model.name!r} has no parameter, joint, force or coordinate"
            f" {name!r}{nearest(name, known)}"
        ) from None


def _is_formula(given: Any) -> bool:
    return isinstance(given, Expression) and given.op != "parameter"


def _name(given: Any) -> str:
    if isinstance(given, str):
        return given
    if isinstance(given, Expression):
        return given.name if given.op in ("parameter", "coordinate") else str(given)
    name = getattr(given, "name", None)
    if isinstance(name, str):
        return name
    raise OptionError(
        f"inputs: {given!r:.60} is no name. Give names of parameters, joints, forces or"
        " coordinates."
    )


def _of_force(equations: BodyCoordinates, at: At, force: Any) -> list[tuple[str, Array]]:
    if isinstance(force, JointActuator):
        return [(force.name, _by_command(equations, at, force))]
    if isinstance(force, OnJoint) and isinstance(force.joint, Joint):
        coordinate = f"{force.joint.name}.{force.coordinate}"
        return [(force.name, equations.gradients([coordinate], at)[0])]
    if isinstance(force, Torque):
        symbol = parameter("input:torque", 0.0)
        more = replace(force, value=lift(force.value) + symbol)
        return [(force.name, _slope(equations, at, more, symbol))]
    if isinstance(force, Force):
        return [
            (f"{force.name}.{axis}", column)
            for axis, column in zip("xyz", _components(equations, at, force), strict=True)
        ]
    raise OptionError(
        f"inputs: force {force.name!r} ({type(force).__name__}) has no input. Make one of its"
        " numbers a parameter (dl.parameters) and name that."
    )


def _by_command(equations: BodyCoordinates, at: At, force: Any) -> Array:
    """d(force)/d(command) of an actuator."""
    symbol = parameter("input:command", 0.0)
    return _slope(equations, at, replace(force, command=lift(force.command) + symbol), symbol)


def _components(equations: BodyCoordinates, at: At, force: Any) -> list[Array]:
    found = []
    for k in range(3):
        symbol = parameter("input:component", 0.0)
        value = tuple(lift(x) + symbol if i == k else x for i, x in enumerate(force.value))
        found.append(_slope(equations, at, replace(force, value=value), symbol))
    return found


def _slope(equations: BodyCoordinates, at: At, force: Any, symbol: Expression) -> Array:
    """Forces on all velocities for one unit of a symbol in the data of an element."""
    piece = load_kind(force)
    if piece is None:
        raise OptionError(
            f"inputs: {force.name!r} contains motion of bodies it does not act on, and has no"
            " input of its own. Name the joint it acts on instead."
        )
    group = Group(piece)
    bodies = tuple(equations.body_number(frame) for frame in force.frames)
    group.add(force, bodies, [])
    group.numbered(equations.parameters())
    return equations.by_symbol(group, States.of(at.t, at.q, at.v), symbol)
