"""Reactions and applied forces as arrows.

What acts on the second body of a joint or force is drawn (on the first, where the second is the
world). Reactions are worked out at samples of the run and interpolated between them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dalembert.errors import DalembertError
from dalembert.formulas.derivative import jacobian
from dalembert.formulas.expression import ZERO, Expression
from dalembert.model.core.by_angles import SLIP
from dalembert.model.joints.relation import Relation
from dalembert.model.shapes.solid import measured
from dalembert.scene.attachments import offset
from dalembert.scene.description import Array, Scene, SceneArrow, Vector, vector
from dalembert.scene.formula_points import points_of
from dalembert.simulation.motion.trajectory import Trajectory, of_element
from dalembert.simulation.results import reaction

LONGEST = 0.22
"""Length of a large arrow in the size of the scene."""

MOST_PAIRS = 60
"""Pairs of shapes whose forces are drawn."""

SMALL = 1e-9
"""Share of the largest arrow below which one is left out: rounding, not a force."""


@dataclass
class Arrows:
    """Arrows and the curves of their lengths, at the moments of a motion."""

    t: Array
    entries: list[tuple[SceneArrow, Array, Array]] = field(default_factory=list)
    sizes: dict[str, Array] = field(default_factory=dict)

    def add(
        self,
        arrow: SceneArrow,
        t: Array,
        vectors: Array,
        tails: Array | None = None,
    ) -> None:
        """One arrow known at moments t."""
        seen = between(self.t, t, vectors)
        where = np.full_like(seen, np.nan) if tails is None else between(self.t, t, tails)
        self.entries.append((arrow, seen, where))

    def result(self, scene: Scene, p: Array, R: Array) -> tuple[tuple[SceneArrow, ...], Any, Any]:
        """Arrows with their scale, tails (k, n, 3) and vectors (k, n, 3)."""
        largest = {unit: self.largest(unit) for unit in ("N", "N m")}
        kept, tails, vectors = [], [], []
        for arrow, seen, where in self.entries:
            biggest = float(np.max(np.linalg.norm(np.nan_to_num(seen), axis=1), initial=0.0))
            if biggest <= SMALL * largest[arrow.unit] or biggest == 0.0:
                continue
            scale = LONGEST * scene.size / largest[arrow.unit]
            kept.append(replace(arrow, scale=float(scale)))
            if arrow.body is not None:
                at = np.array(arrow.offset)
                k = arrow.body
                where = np.broadcast_to(at, seen.shape) if k == -1 else p[:, k] + R[:, k] @ at
            tails.append(where)
            vectors.append(seen)
        shape = (len(self.t), 0, 3)
        if not kept:
            return (), np.zeros(shape), np.zeros(shape)
        return tuple(kept), np.stack(tails, axis=1), np.stack(vectors, axis=1)

    def largest(self, unit: str) -> float:
        """Length that most of the largest arrows do not pass: a single peak must not hide all."""
        series = [np.linalg.norm(x, axis=1) for arrow, x, _ in self.entries if arrow.unit == unit]
        if not series:
            return 0.0
        at_once = np.max(np.nan_to_num(np.stack(series)), axis=0)
        return float(np.percentile(at_once, 95)) or float(np.max(at_once))


def arrows_of(solution: Any, scene: Scene, t: Array, reactions: bool) -> Arrows:
    """Every arrow of a run; `solution` may hold fewer samples than there are moments."""
    found = Arrows(t)
    if not len(solution.t):
        return found
    if scene.bodies:
        _applied(solution, found)
        if solution.touch is not None:
            _contacts(solution, found)
        if reactions:
            _reactions(solution, found)
    elif reactions:
        _on_points(solution, scene, found)
    return found


def _applied(solution: Any, found: Arrows) -> None:
    """Forces and torques of the model."""
    model, parameters = solution.model, solution.model.parameters
    number_of = _numbers(model)
    path = Trajectory(model, solution.t, solution.q, solution.v, turned=solution.turned)
    for name, force in model.forces.items():
        if force.kind in ("potential",):
            continue
        try:
            frames = force.acted_frames()
            views, data, angles = of_element(force)
            loads = force.loads(views, data, list(angles))
            side = len(frames) - 1
            if frames[side].body.name == model.world.name:
                side = 0
            k = number_of[frames[side].body.name]
            if k == -1:
                continue
            at = offset(frames[side], parameters)
            for entries, kind, unit in zip(
                loads[side], ("force", "torque"), ("N", "N m"), strict=True
            ):
                if all(isinstance(x, Expression) and x is ZERO for x in entries):
                    continue
                series = np.stack(path.series(list(entries), angles), axis=1)
                found.add(SceneArrow(name, kind, unit, body=k, offset=at), solution.t, series)
        except DalembertError:
            continue


def _contacts(solution: Any, found: Arrows) -> None:
    """Forces of contacts: of each pair of shapes the whole, where it acts in the mean.

    Of very many pairs those with the largest forces are shown.
    """
    touch = solution.touch
    rows = touch.table
    sizes = np.linalg.norm(rows[:, 11:14], axis=1)
    rows, sizes = rows[sizes > 0.0], sizes[sizes > 0.0]
    pairs, which = np.unique(rows[:, 1:3].astype(int), axis=0, return_inverse=True)
    which = which.ravel()
    strongest = np.zeros(len(pairs))
    np.maximum.at(strongest, which, sizes)
    for k in np.sort(np.argsort(-strongest, kind="stable")[:MOST_PAIRS]):
        mine, weights = rows[which == k], sizes[which == k]
        sample = mine[:, 0].astype(int)
        force, place = np.zeros((len(solution.t), 3)), np.zeros((len(solution.t), 3))
        weight = np.zeros(len(solution.t))
        np.add.at(force, sample, mine[:, 11:14])
        np.add.at(place, sample, weights[:, None] * mine[:, 4:7])
        np.add.at(weight, sample, weights)
        there = weight > 0.0
        place[there] /= weight[there, None]
        # where nothing touches, the arrow without length waits where it was last
        last = np.maximum.accumulate(np.where(there, np.arange(len(there)), np.argmax(there)))
        a, b = (touch.shapes[i] for i in pairs[k])
        name = f"{a} on {b}"
        found.add(SceneArrow(name, "contact", "N"), solution.t, force, place[last])


def _reactions(solution: Any, found: Arrows) -> None:
    """Forces of joints and of constraints given as formulas."""
    model = solution.model
    number_of = _numbers(model)
    for name, joint in model.joints.items():
        if isinstance(joint, Relation) or joint.kind == "motion" or not len(joint):
            continue
        side = 1 if joint.frames[1].body.name != model.world.name else 0
        body = joint.frames[side].body.name
        try:
            seen = solution.reaction(name, on=body)
        except DalembertError:
            continue
        at = offset(joint.frames[side], model.parameters)
        note = "" if seen.unique else "not unique"
        arrow = SceneArrow(name, "reaction", "N", body=number_of[body], offset=at, note=note)
        found.add(arrow, solution.t, seen.force)
        found.sizes[name] = between(found.t, solution.t, np.linalg.norm(seen.force, axis=1))
    taken = {label for label in solution.constraint_slices if label in model.joints}
    for label in solution.constraint_slices:
        owner = label.removesuffix(f" {SLIP}")
        if label in taken or owner in model.joints:
            continue
        try:
            acting = reaction.wrenches(solution, label)
        except DalembertError:
            continue
        for body, pull in acting.items():
            at = _center(model.bodies[body], model.parameters)
            arrow = SceneArrow(label, "reaction", "N", body=number_of[body], offset=at)
            found.add(arrow, solution.t, pull[:, :3])
            size = between(found.t, solution.t, np.linalg.norm(pull[:, :3], axis=1))
            found.sizes[label if len(acting) == 1 else f"{label} on {body}"] = size


def _on_points(solution: Any, scene: Scene, found: Arrows) -> None:
    """Constraint forces on points whose places are coordinates: entries of J^T lam."""
    model = solution.model
    number_of = {x: k for k, x in enumerate(model.coordinates)}
    moving = {
        name: [number_of[x] for x in place]
        for name, place in points_of(model).items()
        if all(x in number_of for x in place)
    }
    if not moving:
        return
    for constraint in model.constraints:
        if constraint.kind != "holonomic" or constraint.name not in solution.constraint_slices:
            continue
        lam = solution.lam[:, solution.constraint_slices[constraint.name]]
        J = jacobian(list(constraint.rows), model.coordinates)
        for name, columns in moving.items():
            if all(J[r][c] is ZERO for r in range(len(constraint.rows)) for c in columns):
                continue
            force = np.zeros((len(solution.t), 3))
            for i, c in enumerate(columns):
                for r in range(len(constraint.rows)):
                    if J[r][c] is not ZERO:
                        force[:, i] += lam[:, r] * solution[J[r][c]]
            tails = np.zeros_like(force)
            tails[:, : len(columns)] = solution.q[:, columns]
            arrow = SceneArrow(f"{constraint.name} on {name}", "reaction", "N")
            found.add(arrow, solution.t, force, tails)
            found.sizes[arrow.name] = between(found.t, solution.t, np.linalg.norm(force, axis=1))


def _numbers(model: Any) -> dict[str, int]:
    return {name: k for k, name in enumerate(model.bodies)} | {model.world.name: -1}


def _center(body: Any, parameters: dict[str, float]) -> Vector:
    return vector(np.nan_to_num(measured(body.inertia.center, parameters)))


def between(t: Array, known: Array, series: Array) -> Array:
    """A series (j,) or (j, n) at other moments, linear between those at which it is known."""
    if len(known) == 1:
        return np.repeat(series, len(t), axis=0)
    if series.ndim == 1:
        return np.interp(t, known, series)
    return np.stack([np.interp(t, known, column) for column in series.T], axis=1)
