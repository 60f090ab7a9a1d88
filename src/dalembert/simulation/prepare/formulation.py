"""Maximal or generalized coordinates: what a run may take, and what costs less.

Both are the same mechanics. In maximal coordinates every joint has rows; in generalized ones only
what closes a loop has, and the inertia is that of the tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.errors import ModelError, OptionError
from dalembert.formulas import symbols
from dalembert.mechanics.tree_kinematics import move
from dalembert.mechanics.tree_pivots import inertia_pivots
from dalembert.mechanics.tree_states import read_bodies
from dalembert.model.core.model import Model
from dalembert.model.sensors.force_sensor import MULTIPLIER
from dalembert.model.sensors.imu import ACCELERATION
from dalembert.simulation.prepare.controllers import Bound
from dalembert.simulation.prepare.on_tree import neutral
from dalembert.simulation.prepare.start import Start
from dalembert.system.body_system import BodySystem
from dalembert.system.tree import TreeTables
from dalembert.system.tree_layout import COMPOUND, UNIVERSAL, Dof, Head
from dalembert.system.tree_links import RESISTS, inertia_about
from dalembert.system.tree_system import TreeSystem

RATES = (ACCELERATION, MULTIPLIER)
"""Beginnings of names of arrays in inputs that are known with the accelerations."""

FORMULATIONS = ("auto", "maximal", "generalized")

SINGULAR = 1e-12
"""Pivot of M, over its diagonal, below which a joint moves nothing."""
BODY, ROW, PLANAR_ROW, BY_FORMULAS = 0.2, 0.29, 0.17, 1.6
"""Work of a step in maximal coordinates: per body and row, of which those of planar mechanisms cost
less; factor where constraints of several bodies stand in the way of J M^-1 J^T. Units are about a
microsecond of a Runge-Kutta step; only their ratios matter."""

LINK, VELOCITY, LOOP, ENTRY, PAIR = 0.6, 0.2, 0.1, 0.05, 0.003
"""Work of a step on a tree: per link and velocity; per row of a loop and velocity that it touches;
with loops, per pair of velocities on the way from one to the world."""

DEEP = 50
"""Velocities on the way to the world up to which a step with contact costs less on a tree.

Matrices of branches are full, those of bodies sparse: a chain of 60 links lying on the ground takes
as long in both ways, one of 100 half as long with bodies, one of 30 a quarter on the tree."""

MARGIN = 0.8
"""Part of the work that a tree with loops must not exceed."""


@dataclass(frozen=True)
class Situation:
    """Everything that the choice depends on."""

    model: Model
    system: Any
    method: Any
    integrator: Any
    step: float | None
    consistent: bool
    controllers: Bound | None
    watched: Sequence[Any]
    contacts: Any = None


def choose_tree(formulation: str, s: Situation, start: Start) -> TreeSystem | None:
    """The system of the tree where the run takes place on it, else None; `start` of the bodies."""
    if formulation not in FORMULATIONS:
        raise OptionError(
            f"simulate: formulation is {formulation!r}. Give one of "
            f"{', '.join(map(repr, FORMULATIONS))}."
        )
    if not isinstance(s.system, BodySystem):
        if formulation == "generalized":
            raise OptionError(
                "simulate: formulation='generalized' is for models of bodies with quaternions; "
                "others have the coordinates they were written in. Leave it out."
            )
        return None
    heavy = [name for name, values in s.model.armature.items() if any(values)]
    loaded = [] if s.contacts is None else [row for row in s.contacts.sides.rows if row.joint]
    if loaded and (formulation == "generalized" or heavy):
        raise OptionError(
            f"simulate: friction '{loaded[0].element}' is that of the force in joint "
            f"'{loaded[0].joint}', which the coordinates of joints do not have. Use "
            "formulation='maximal', without armature."
        )
    if s.system.reactions and (formulation == "generalized" or heavy):
        raise OptionError(
            "simulate: a force contains a reaction, which is that of rows in maximal coordinates. "
            "Use formulation='maximal', without armature."
        )
    if formulation == "maximal" or loaded or s.system.reactions:
        if heavy:
            raise OptionError(
                f"simulate: the armature of joint {heavy[0]!r} has no place in maximal "
                "coordinates. Use formulation='generalized'."
            )
        return None
    wanted = formulation == "generalized" or bool(heavy)
    if not wanted and not _may_cost_less(s):
        return None
    tree, reason = _possible(s)
    if not wanted and (tree is None or not _costs_less(s, tree) or _loses_inertia(tree.tree)):
        return None
    if tree is not None:
        reason = _without_inertia(tree, start)
    if not reason:
        return tree
    if wanted:
        why = f"joint {heavy[0]!r} has armature" if heavy else "formulation='generalized'"
        raise OptionError(f"simulate: {why}, but {reason}")
    return None


def tree_for(model: Model, watched: Sequence[Any], contacts: Any) -> TreeSystem:
    """The tree of a model; forces that act as one-sided rows are left to these."""
    if contacts is None:
        return TreeSystem.of(model, watched)
    sides = contacts.sides
    return TreeSystem.of(model, [*watched, *sides.formulas], sides.replaced)


def _possible(s: Situation) -> tuple[TreeSystem | None, str]:
    """The tree, or why a run cannot take place on it."""
    if not s.consistent:
        return None, "consistent=False may leave joints open. Leave one of them out."
    bound = s.controllers
    if bound is not None and any(found is None for found in bound.input_slices):
        return None, (
            "a controller without inputs reads the state of bodies. Name its inputs, or use "
            "formulation='maximal'."
        )
    inputs = [] if bound is None else list(bound.inputs)
    if any(leaf.data[0].startswith(RATES) for leaf in symbols(inputs, "load")):
        return None, (
            "a controller reads accelerations or reactions, which it gets in maximal coordinates "
            "only. Use formulation='maximal'."
        )
    try:
        tree = tree_for(s.model, [*s.watched, *inputs], s.contacts)
    except ModelError as problem:
        return None, f"the model has no tree. {problem}"
    sentence = s.method.refuse(tree, s.integrator, s.step)
    if sentence:
        return None, f"the method does not work on it. {sentence}"
    return tree, ""


def _without_inertia(tree: TreeSystem, start: Start) -> str:
    """A sentence on a velocity without inertia, alone or with others, at the start or at all."""
    tables = tree.tree
    elsewhere = np.full(tables.nq, 0.3)
    for place, _ in tree.quaternions:
        elsewhere[place : place + 4] = 1.0, 0.0, 0.0, 0.0
    here = read_bodies(tables, start.q, start.v, neutral(tree))[0]
    room = tables.room()
    diagonals, pivots = np.zeros((2, tables.nv)), np.full((2, tables.nv), np.inf)
    for diagonal, pivot, q in zip(diagonals, pivots, (here, elsewhere), strict=True):
        move(tables.integers, tables.numbers, room, q, np.zeros(tables.nv))
        inertia_pivots(tables.integers, tables.numbers, room, diagonal, pivot)
    bad = np.flatnonzero(~(pivots > SINGULAR * diagonals.max(axis=0)).all(axis=0))
    if not bad.size:
        return ""
    return (
        f"nothing resists the velocity {tree.velocity_names[int(bad[-1])]!r}. Give the bodies it "
        "moves inertia about that axis, or use formulation='maximal'."
    )


def _loses_inertia(tables: TreeTables) -> bool:
    """Whether some configuration leaves a body at the end of a cross without inertia.

    The axes of a cross and those of several hinges meet every direction of the body that they
    carry: a point mass or a rod is turned about its own axis by some of them.
    """
    carrying = {edge.parent for edge in tables.joints}
    for edge in tables.joints:
        several = edge.kind == UNIVERSAL or (edge.kind == COMPOUND and len(edge.joint.hinges) > 1)
        if several and edge.body not in carrying:
            frame = edge.joint.frames[0 if edge.reversed else 1]
            moments = np.linalg.eigvalsh(inertia_about(frame, tables.parameters))
            if not moments[0] > RESISTS * moments[-1]:
                return True
    return False


def _may_cost_less(s: Situation) -> bool:
    """False where no tree need be looked at."""
    if s.contacts is not None:
        # without anything that stops, touches or is bounded, the method was chosen for the joints
        stops = s.model.needs_impulses or s.contacts.sides.count
        return bool(s.system.parts.rows and stops)
    # a method that leaves something open was chosen for what it does to every joint
    if not (s.method.keeps_to_borders and s.method.drift == "machine"):
        return False
    parts = s.system.parts
    bodies, freedoms = len(parts.names), 6 * len(parts.names) - parts.rows
    return bool(LINK * bodies + VELOCITY * freedoms < _maximal_work(s.system))


def _costs_less(s: Situation, tree: TreeSystem) -> bool:
    """Counted work of an evaluation on the tree against one in maximal coordinates."""
    if s.contacts is not None:
        return _solves_faster(tree)
    tables, rows, maximal = tree.tree, tree.parts.rows, _maximal_work(s.system)
    generalized = LINK * len(tables.joints) + VELOCITY * tables.nv
    if not rows:
        return bool(generalized < maximal)
    depth = _depths(tables)
    generalized += LOOP * rows + PAIR * float(depth @ depth)
    # the entries of the rows are counted last: many deep loops take seconds to be laid out
    if not generalized < MARGIN * maximal:
        return False
    return bool(generalized + ENTRY * tree.extents.tree_rows < MARGIN * maximal)


def _maximal_work(system: BodySystem) -> float:
    """Counted work of an evaluation in maximal coordinates."""
    parts = system.parts
    work = (PLANAR_ROW if parts.plane >= 0 else ROW) * parts.rows + BODY * len(parts.names)
    return BY_FORMULAS * work if system.dual is None and parts.rows else work


def _solves_faster(tree: TreeSystem) -> bool:
    """Whether cliques of branches cost less than bodies with rows for their joints.

    Factors of both: squares of the velocities of a branch, and six a body with its neighbours.
    """
    depth = _depths(tree.tree)
    return bool(len(depth) and depth.max() <= DEEP)


def _depths(tables: Any) -> Any:
    """Velocities on the way from each velocity to the world, itself included."""
    depth, dofs = np.zeros(tables.nv), tables.integers[Head(tables.integers, 0).dof_table :]
    for k, before in enumerate(Dof.column(dofs, "parent", tables.nv).tolist()):
        depth[k] = 1.0 + (depth[before] if before >= 0 else 0.0)
    return depth
