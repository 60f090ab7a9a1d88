"""Forces on bodies that are none of the model's force elements, at the samples of a run.

What is reported of bodies follows from their equations, M V' = F + J^T lam. Some forces are known
only to the run itself; with them among F the equations give the accelerations and multipliers of
the run.

* Rotors of drives (armature). A rotor of inertia I_a about the axis of a joint, geared up, adds
  I_a to the diagonal of M of the tree (Featherstone 2008, sec. 9.6). Seen from the bodies it is a
  torque -I_a v' between the two that the joint connects; it has the kinetic energy 1/2 I_a v^2.
* Contacts and one-sided rows of a run on a tree, whose joints have no rows there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.formulas import parameter
from dalembert.mechanics.measure import HeldCommands, measure, room_for
from dalembert.mechanics.tree_columns import carried_columns
from dalembert.simulation.motion.trajectory import Trajectory
from dalembert.simulation.motion.turns import Turns
from dalembert.simulation.prepare.arrays import open_measure
from dalembert.simulation.prepare.controllers import places
from dalembert.simulation.prepare.on_tree import OnTree, on_tree
from dalembert.simulation.results.contact_results import Touch
from dalembert.system.bodies import SpecificAction
from dalembert.system.body_system import BodySystem
from dalembert.system.state_layout import State
from dalembert.system.tree_system import TreeSystem

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Loads:
    """Forces on bodies at the samples (k, 6 n), and the kinetic energy of what is no body."""

    system: BodySystem
    """System of the bodies, with parameters for these forces."""
    values: list[float]
    forces: Array
    energy: Array

    def places(self, state: State) -> NDArray[np.int64]:
        """(place in `work`, column of `forces`)."""
        count = self.forces.shape[1]
        first = state.start_of("parameters") + len(self.values) - count
        return np.stack([first + np.arange(count), np.arange(count)], axis=1)


def loads(setup: Any, samples: Any, touch: Touch | None) -> Loads | None:
    """Loads that act besides the force elements; None where there are none."""
    heavy, touching = _has_rotors(setup), touch is not None and setup.on_tree is not None
    if not heavy and not touching:
        return None
    count = len(setup.model.bodies)
    forces, energy = np.zeros((len(samples.q), 6 * count)), np.zeros(len(samples.q))
    if heavy:
        _add_rotors(setup, samples, touch, forces, energy)
    if touching:
        assert touch is not None
        _add_contacts(setup.model, touch, samples.q, forces)
        _add_sides(setup, samples, touch, forces)
    return Loads(*system_with_loads(setup), forces, energy)


def act_besides(setup: Any) -> bool:
    """Whether anything but force elements acts on bodies in runs of a setup."""
    return _has_rotors(setup) or (setup.contacts is not None and setup.on_tree is not None)


def _has_rotors(setup: Any) -> bool:
    return any(any(values) for values in getattr(setup.model, "armature", {}).values())


def system_with_loads(setup: Any) -> tuple[BodySystem, list[float]]:
    """The system of bodies with a force on each as parameters, and values of all of these."""
    if "loads" not in setup.memory:
        setup.memory["loads"] = _system_with(setup)
    found: tuple[BodySystem, list[float]] = setup.memory["loads"]
    return found


def _system_with(setup: Any) -> tuple[BodySystem, list[float]]:
    bodies = list(setup.model.bodies)
    names = [f"loads:{body}:{i}" for body in bodies for i in range(6)]
    leaves = [parameter(name, 0.0) for name in names]
    acting = [(b, leaves[6 * b : 6 * b + 6]) for b in range(len(bodies))]
    parts = setup.system.parts
    system = replace(
        setup.system,
        parts=replace(
            parts, specific_actions=[*parts.specific_actions, SpecificAction("loads", acting)]
        ),
        parameter_names=(*setup.system.parameter_names, *names),
    )
    return system, [*setup.values, *([0.0] * len(names))]


# -- rotors ----------------------------------------------------------------------------------------


def _add_rotors(
    setup: Any, samples: Any, touch: Touch | None, forces: Array, energy: Array
) -> None:
    on = setup.on_tree or on_tree(
        TreeSystem.of(setup.model), setup.values, setup.system, setup.start
    )
    tree = on.system.tree
    q, v = on.states(samples)
    if touch is None or touch.smooth.any():
        a = _accelerations(setup, on, samples, q, v)
    if touch is not None:
        by_impulses = touch.accelerations
        a = (
            by_impulses
            if not touch.smooth.any()
            else np.where(touch.smooth[:, None], a, by_impulses)
        )
    _add_torques(tree, on.numbers, (q, v), -tree.armature * a, samples.q, forces)
    energy += energy_of_rotors(tree, v)


def energy_of_rotors(tree: Any, v: Array) -> Array:
    """Kinetic energy of rotors at velocities of a tree, one a row."""
    return np.asarray(0.5 * (v * v) @ tree.armature)


def _accelerations(setup: Any, on: OnTree, samples: Any, q: Array, v: Array) -> Array:
    """v' of the tree at the samples."""
    count = len(q)
    opened = open_measure(on.system, setup.values, on.start)
    held = np.zeros((0, 2), dtype=np.int64), np.zeros((count, 0))
    if samples.commands is not None:
        where = places(on.system, opened.state, setup.model, samples.commands.names)
        held = where, np.ascontiguousarray(samples.commands.at(samples.t))
    found = room_for(count, on.system.extents)
    measure(*opened.state, 0, samples.t, q, v, HeldCommands(*held), found)
    made: Array = found.a
    return made


def _add_torques(
    tree: Any, numbers: Array, states: tuple[Array, Array], tau: Array, bodies: Array, out: Array
) -> None:
    """Add to forces on bodies those of torques in joints: S^T F = tau, action and reaction.

    All of them at every sample: states, torques and forces have one row each.
    """
    count = len(tau)
    number = {name: b for b, name in enumerate(tree.bodies)}
    carried = np.zeros(tree.nv, dtype=np.int64)
    for edge in tree.joints:
        carried[edge.v] = number[edge.body]
    columns = np.zeros((count, 6 * tree.nv))
    carried_columns(tree.integers, numbers, tree.room(), *states, carried, columns)
    columns = columns.reshape(count, tree.nv, 6)
    places = bodies.reshape(count, -1, 7)[:, :, :3]
    loads_out = out.reshape(count, -1, 6)
    for edge in tree.joints:
        if not np.any(tau[:, edge.v]):
            continue
        b, parent = number[edge.body], number.get(edge.parent)
        wrench = _wrench(columns[:, edge.v], tau[:, edge.v])
        loads_out[:, b] += wrench
        if parent is not None:
            arm = places[:, b] - places[:, parent]
            loads_out[:, parent, :3] -= wrench[:, :3]
            loads_out[:, parent, 3:] -= wrench[:, 3:] + np.cross(arm, wrench[:, :3])


def _wrench(S: Array, tau: Array) -> Array:
    """Smallest force along the slides of a joint and couple about its turns with S F = tau.

    A couple does work in turns alone, of whatever axis; a force in slides and where turns move it.
    """
    along, about = S[:, :, :3], S[:, :, 3:]
    turns = np.linalg.norm(about, axis=2).max(axis=0) > 0.0
    wrench = np.zeros((len(S), 6))
    if not turns.all():
        wrench[:, :3] = _least(along[:, ~turns], tau[:, ~turns])
    if turns.any():
        moved = (along[:, turns] @ wrench[:, :3, None])[:, :, 0]
        wrench[:, 3:] = _least(about[:, turns], tau[:, turns] - moved)
    return wrench


def _least(S: Array, tau: Array) -> Array:
    """Smallest F with S F = tau, row by row."""
    if S.shape[1] == 1:
        column = S[:, 0]
        size = (column * column).sum(axis=1, keepdims=True)
        return np.asarray(column * (tau / np.where(size > 0.0, size, 1.0)))
    return np.asarray((np.linalg.pinv(S) @ tau[:, :, None])[:, :, 0])


# -- contacts --------------------------------------------------------------------------------------


def _add_contacts(model: Any, touch: Touch, q: Array, forces: Array) -> None:
    """Forces of contacts on both bodies, and their torques about the centres of mass."""
    number = {name: b for b, name in enumerate(model.bodies)}
    of_shape = np.array([number.get(body, -1) for body in touch.bodies], dtype=np.int64)
    rows = touch.table
    sample, point = rows[:, 0].astype(np.int64), rows[:, 4:7]
    for column, sign in ((1, -1.0), (2, 1.0)):
        body = of_shape[rows[:, column].astype(np.int64)]
        mine = body >= 0
        at, b = sample[mine], body[mine]
        push = sign * rows[mine, 11:14]
        center = q.reshape(len(q), -1, 7)[at, b, :3]
        turn = sign * rows[mine, 14:17] + np.cross(point[mine] - center, push)
        for i in range(3):
            np.add.at(forces, (at, 6 * b + i), push[:, i])
            np.add.at(forces, (at, 6 * b + 3 + i), turn[:, i])


def _add_sides(setup: Any, samples: Any, touch: Touch, forces: Array) -> None:
    """J^T times the forces of one-sided rows."""
    sides = setup.contacts.sides
    if not sides.count:
        return
    found = np.nan_to_num(touch.side_forces)
    acting = [
        (row, body, start)
        for row, (_, first, count) in enumerate(sides.laws)
        for body, start in sides.incidences[first : first + count]
        if found[:, row].any()
    ]
    if not acting:
        return
    held = None if samples.commands is None else samples.commands.held(samples.t)
    turned = Turns.of(setup.model, samples.t, samples.q, samples.v, samples.angles)
    along = Trajectory(setup.model, samples.t, samples.q, samples.v, held, turned)
    entries = sides.formulas[3 * sides.count : 3 * sides.count + sides.jacobian]
    series = along.series([entries[start + i] for _, _, start in acting for i in range(6)])
    J = np.stack([np.broadcast_to(x, samples.t.shape) for x in series], axis=1)
    for k, (row, body, _) in enumerate(acting):
        part = J[:, 6 * k : 6 * k + 6] * found[:, row : row + 1]
        forces[:, 6 * body : 6 * body + 6] += part
