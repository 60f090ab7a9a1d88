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
from dalembert.mechanics.measure import measure
from dalembert.mechanics.tree_kinematics import move, spread_velocity
from dalembert.mechanics.tree_states import states_of_tree
from dalembert.simulation.controllers import places
from dalembert.simulation.on_tree import OnTree, on_tree
from dalembert.simulation.opening import open_measure
from dalembert.simulation.touch import Touch
from dalembert.simulation.trajectory import Trajectory
from dalembert.simulation.turns import Turns
from dalembert.system.bodies import SpecificAction
from dalembert.system.body_system import BodySystem
from dalembert.system.layout import PARAMETERS
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

    def places(self, sizes: Any) -> NDArray[np.int64]:
        """(place in `work`, column of `forces`)."""
        count = self.forces.shape[1]
        first = int(sizes[PARAMETERS]) + len(self.values) - count
        return np.stack([first + np.arange(count), np.arange(count)], axis=1)


def loads(setup: Any, samples: Any, touch: Touch | None) -> Loads | None:
    """Loads that act besides the force elements; None where there are none."""
    heavy = any(any(values) for values in getattr(setup.model, "armature", {}).values())
    touching = touch is not None and setup.on_tree is not None
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
    return _with_parameters(setup, forces, energy)


def _with_parameters(setup: Any, forces: Array, energy: Array) -> Loads:
    """The system of bodies with these forces as parameters."""
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
    return Loads(system, [*setup.values, *([0.0] * len(names))], forces, energy)


# -- rotors ----------------------------------------------------------------------------------------


def _add_rotors(
    setup: Any, samples: Any, touch: Touch | None, forces: Array, energy: Array
) -> None:
    on = setup.on_tree or on_tree(
        TreeSystem.of(setup.model), setup.values, setup.system, setup.start
    )
    tree = on.system.tree
    q, v = states_of_tree(tree, on.numbers, on.start.q, samples.q * on.signs, samples.v)
    if touch is None or touch.smooth.any():
        a = _accelerations(setup, on, samples, q, v)
    if touch is not None:
        by_impulses = touch.accelerations
        a = (
            by_impulses
            if not touch.smooth.any()
            else np.where(touch.smooth[:, None], a, by_impulses)
        )
    for k in range(len(q)):
        _add_torques(tree, on.numbers, q[k], v[k], -tree.armature * a[k], samples.q[k], forces[k])
    energy += 0.5 * (v * v) @ tree.armature


def _accelerations(setup: Any, on: OnTree, samples: Any, q: Array, v: Array) -> Array:
    """v' of the tree at the samples."""
    e, count = on.system.extents, len(q)
    opened = open_measure(on.system, setup.values, on.start)
    held = np.zeros((0, 2), dtype=np.int64), np.zeros((count, 0))
    if samples.commands is not None:
        where = places(on.system, opened.sizes, setup.model, samples.commands.names)
        held = where, np.ascontiguousarray(samples.commands.at(samples.t))
    a, lam, phi_dot = np.zeros((count, e.nv)), np.zeros((count, e.rows)), np.zeros((count, e.rows))
    phi, rank = np.zeros((count, e.holonomic)), np.zeros(count, dtype=np.int64)
    measure(opened.work, opened.sizes, 0, samples.t, q, v, *held, a, lam, phi, phi_dot, rank)
    return a


def _add_torques(
    tree: Any, numbers: Array, q: Array, v: Array, tau: Array, bodies: Array, out: Array
) -> None:
    """Add to forces on bodies those of torques in joints: S^T F = tau, action and reaction."""
    room, unit = tree.room(), np.zeros(tree.nv)
    move(tree.integers, numbers, room, q, v)
    number = {name: b for b, name in enumerate(tree.bodies)}
    moved = np.zeros(6 * len(tree.bodies))
    for edge in tree.joints:
        if not np.any(tau[edge.v]):
            continue
        b, parent = number[edge.body], number.get(edge.parent)
        columns = []
        for k in range(edge.v.start, edge.v.stop):
            unit[k] = 1.0
            spread_velocity(tree.integers, room, unit, moved)
            columns.append(moved[6 * b : 6 * b + 6].copy())
            unit[k] = 0.0
        # about the axis itself where it is a turn: a couple, and no force
        S = np.array(columns)
        turns = np.linalg.norm(S[:, 3:], axis=1) > 0.0
        S[turns, :3] = 0.0
        wrench = np.linalg.lstsq(S, tau[edge.v], rcond=None)[0]
        out[6 * b : 6 * b + 6] += wrench
        if parent is not None:
            arm = bodies[7 * b : 7 * b + 3] - bodies[7 * parent : 7 * parent + 3]
            out[6 * parent : 6 * parent + 3] -= wrench[:3]
            out[6 * parent + 3 : 6 * parent + 6] -= wrench[3:] + np.cross(arm, wrench[:3])


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
    held = None if samples.commands is None else samples.commands.held(samples.t)
    turned = Turns.of(setup.model, samples.t, samples.q, samples.v, samples.angles)
    along = Trajectory(setup.model, samples.t, samples.q, samples.v, held, turned)
    entries = along.series(sides.formulas[3 * sides.count : 3 * sides.count + sides.jacobian])
    J = np.stack([np.broadcast_to(x, samples.t.shape) for x in entries], axis=1)
    found = np.nan_to_num(touch.side_forces)
    for row, (_, first, count) in enumerate(sides.laws):
        for body, start in sides.incidences[first : first + count]:
            part = J[:, start : start + 6] * found[:, row : row + 1]
            forces[:, 6 * body : 6 * body + 6] += part
