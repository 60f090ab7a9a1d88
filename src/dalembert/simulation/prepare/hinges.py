"""Hinges whose full turns a run counts (`motion.turns`), put into its arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.formulas import Expression
from dalembert.mechanics import winding
from dalembert.model.joints.revolute import Revolute
from dalembert.simulation.motion.turns import hinges_of
from dalembert.simulation.prepare.on_tree import OnTree
from dalembert.system.layout import extended
from dalembert.system.state_layout import State

Array = NDArray[np.float64]


def attach(
    model: Any,
    on_tree: OnTree | None,
    system: Any,
    state: State,
    angles: Array | None = None,
) -> State:
    """The state of a run of `system` with the hinges of its model behind it.

    `angles` are those of a run that this one goes on from.
    """
    hinges = list(hinges_of(model).items())
    if not hinges:
        return state
    number = {name: k for k, name in enumerate(model.bodies)}
    known = _coordinates(on_tree)
    table = np.zeros((len(hinges), winding.TABLE), dtype=np.int64)
    numbers = np.zeros((len(hinges), winding.NUMBERS))
    for k, (raw, hinge) in enumerate(hinges):
        bodies = [number.get(frame.body.name, -1) for frame in (hinge.a, hinge.b)]
        table[k] = (winding.OF_TREE, *known[raw]) if raw in known else (0, *bodies)
        axes = hinge.a.orientation.matrix
        numbers[k, :12] = *axes[:, 0], *axes[:, 1], *axes[:, 2], *hinge.b.orientation.matrix[:, 0]
        numbers[k, winding.FORETOLD] = 0.0 if angles is None else angles[k]
    room = 0
    if on_tree is not None:
        tree = on_tree.system.tree
        room = 13 * len(tree.bodies) + len(tree.room())
    which = {raw: k for k, (raw, _) in enumerate(hinges)}
    wound = np.array([which.get(w.angle, -1) for w in system.parts.wound], dtype=np.int64)
    work, sizes = state
    state.hinges, state.hinge_table = len(hinges), len(sizes)
    state.wound_hinges = len(sizes) + table.size
    state.hinge_numbers, state.hinge_time = len(work), len(work) + numbers.size
    state.hinge_room = len(work) + numbers.size + 1
    more = np.concatenate([numbers.ravel(), np.zeros(room + 2)])  # the last is a spare one
    return extended(state, np.concatenate([table.ravel(), wound]), more)


def _coordinates(on_tree: OnTree | None) -> dict[Expression, tuple[int, int]]:
    """Angle -> coordinate of a tree and its velocity, where it is one."""
    if on_tree is None:
        return {}
    return {
        edge.joint.angles(edge.joint.views)[0]: (edge.q.start, edge.v.start)
        for edge in on_tree.system.tree.joints
        if isinstance(edge.joint, Revolute) and not edge.parts
    }
