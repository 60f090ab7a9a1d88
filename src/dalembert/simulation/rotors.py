"""Rotors of drives (armature) in what is reported of bodies.

A rotor of inertia I_a about the axis of a joint, geared up, adds I_a to the diagonal of M of the
tree (Featherstone 2008, sec. 9.6). Seen from the bodies it is a torque -I_a v' between the two that
the joint connects, and it has the kinetic energy 1/2 I_a v^2. With that torque among the forces,
the equations of bodies give the accelerations and multipliers of the run.
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
from dalembert.system.bodies import SpecificAction
from dalembert.system.body_system import BodySystem
from dalembert.system.layout import PARAMETERS
from dalembert.system.tree_system import TreeSystem

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Rotors:
    """Forces of rotors on bodies at the samples, and their kinetic energy."""

    system: BodySystem
    """That of the bodies, with parameters for these forces."""
    values: list[float]
    forces: Array
    energy: Array

    def places(self, sizes: Any) -> NDArray[np.int64]:
        """(place in `work`, column of `forces`)."""
        count = self.forces.shape[1]
        first = int(sizes[PARAMETERS]) + len(self.values) - count
        return np.stack([first + np.arange(count), np.arange(count)], axis=1)


def rotors(setup: Any, samples: Any) -> Rotors | None:
    """Rotors of the model's joints; None where it has none."""
    if not any(any(values) for values in getattr(setup.model, "armature", {}).values()):
        return None
    on = setup.on_tree or on_tree(
        TreeSystem.of(setup.model), setup.values, setup.system, setup.start
    )
    tree = on.system.tree
    q, v = states_of_tree(tree, on.numbers, on.start.q, samples.q * on.signs, samples.v)
    a = _accelerations(setup, on, samples, q, v)
    inertia = tree.armature
    forces = np.zeros((len(q), 6 * len(tree.bodies)))
    for k in range(len(q)):
        _add_torques(tree, on.numbers, q[k], v[k], -inertia * a[k], samples.q[k], forces[k])
    names = [f"rotors:{body}:{i}" for body in tree.bodies for i in range(6)]
    leaves = [parameter(name, 0.0) for name in names]
    loads = [(b, leaves[6 * b : 6 * b + 6]) for b in range(len(tree.bodies))]
    parts = setup.system.parts
    acting = [*parts.specific_actions, SpecificAction("rotors", loads)]
    system = replace(
        setup.system,
        parts=replace(parts, specific_actions=acting),
        parameter_names=(*setup.system.parameter_names, *names),
    )
    energy = 0.5 * (v * v) @ inertia
    return Rotors(system, [*setup.values, *([0.0] * len(names))], forces, energy)


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
