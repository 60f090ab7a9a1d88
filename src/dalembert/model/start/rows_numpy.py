"""The constraint rows of a model of bodies at any states, interpreted: nothing is compiled.

Residuals and J of many states at once, for what is asked once and not at every step: checks,
assembly, reactions. Joints of one kind are evaluated together, as arrays over instances and states,
by the same formulas that `system.kinds` compiles. J multiplies v = (velocity of the centre of
mass, angular velocity) of each body, world components; the rows stand in the order of the system:
position rows of joints and constraints, then velocity rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dalembert.formulas.expression import TIME, Expression, lift
from dalembert.formulas.graph import symbols
from dalembert.formulas.orientation import turns as turns_of
from dalembert.model.basics.constraint import Constraint
from dalembert.model.start.linearised import Array, Block, Linearised
from dalembert.model.start.row_formulas import (
    HOLONOMIC,
    VELOCITY,
    Group,
    RowFormulas,
    Single,
    formulas_of_kind,
    kinds,
    labels_of,
    owner_of,
    wound,
)
from dalembert.model.start.states import States, body_values, size
from dalembert.model.start.turns import TURN, Relations, relations_of, turning_joints

if TYPE_CHECKING:
    from dalembert.model.core.model import Model


class Rows:
    """All rows of a model, or those of some of its joints and constraints.

    Parameters
    ----------
    model : Model of bodies with quaternions
    joints, constraints : what to take; all of the model's when left out
    bodies : those that q and v hold, in their order; by default all of the model

    Attributes
    ----------
    names, owners : of each row, and the joint or constraint it belongs to
    holonomic : number of position rows, which come first
    slices : joint or constraint -> its rows
    known : angles with their turns near the first state, by the angle in (-pi, pi]; of others the
        fewest turns are taken that close the rows of the model (`model.start.turns`)
    """

    def __init__(
        self,
        model: Model,
        joints: Iterable[Any] | None = None,
        constraints: Iterable[Any] | None = None,
        bodies: Iterable[Any] | None = None,
    ) -> None:
        self.model = model
        self.parameters = model.parameters
        self.bodies = list(model.bodies.values() if bodies is None else bodies)
        self.names: list[str] = []
        self.owners: list[str] = []
        self.slices: dict[str, list[int]] = {}
        self._number = {body.name: k for k, body in enumerate(self.bodies)}
        self._groups: dict[Any, Group] = {}
        self._singles: list[Single] = []
        self.known: Mapping[Expression, float] = {}
        joints = list(model.joints.values() if joints is None else joints)
        constraints = list(model.constraints if constraints is None else constraints)
        self.holonomic = 0
        for level in (HOLONOMIC, VELOCITY):
            for joint in joints:
                self._add_joint(joint, level)
            for constraint in constraints:
                if constraint.kind == level:
                    self._add_own(constraint.name, level, constraint.rows, constraint.row_names, {})
            if level == HOLONOMIC:
                self.holonomic = len(self.names)
        for group in self._groups.values():
            group.numbered(self.parameters)

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.names)

    @property
    def velocities(self) -> int:
        """Number of velocities, six a body."""
        return 6 * len(self.bodies)

    @cached_property
    def length(self) -> float:
        """The size of the mechanism, by which turns become lengths  [m]."""
        return size(self.model)

    @cached_property
    def turning(self) -> list[Expression]:
        """Angles in (-pi, pi] whose turns are in rows."""
        parts: list[Any] = [*self._groups.values(), *self._singles]
        return list(dict.fromkeys(x for p in parts for each in p.angles.values() for x in each))

    @cached_property
    def _relations(self) -> Relations | None:
        """Rows of the model that tell turns; None where not all of its bodies are here."""
        return relations_of(self.model) if len(self.bodies) == len(self.model.bodies) else None

    @cached_property
    def _angles(self) -> Rows:
        """Angles and relations, without turns, as rows."""
        told = self._relations
        formulas = [*self.turning, *(() if told is None else (*told.angles, *told.rows))]
        return Rows(self.model, [], [Constraint("angles", tuple(formulas))], self.bodies)

    def bodies_of(self, owner: str) -> list[int]:
        """The bodies a joint or constraint acts on, in the order of the model."""
        rows = set(self.slices[owner])
        found: set[int] = set()
        for group in self._groups.values():
            for mine, pair in zip(group.rows, group.bodies, strict=True):
                if rows & set(mine):
                    found |= set(pair)
        for single in self._singles:
            if rows & set(single.rows):
                found |= set(single.bodies)
        return sorted(found - {len(self.bodies)})

    # -- reading the model -----------------------------------------------------------------------

    def _body(self, frame: Any) -> int:
        return self._number.get(frame.body.name, len(self.bodies))

    def _name(self, owner: str, labels: Sequence[str]) -> list[int]:
        rows = list(range(len(self.names), len(self.names) + len(labels)))
        self.names += labels
        self.owners += [owner] * len(labels)
        self.slices.setdefault(owner, []).extend(rows)
        return rows

    def _add_joint(self, joint: Any, level: str) -> None:
        bodies = [self._body(frame) for frame in joint.frames]
        formulas = None
        if len(bodies) == 2 and bodies[0] != bodies[1]:
            key = (type(joint), level, joint.structure(), len(joint.data()))
            formulas = kinds.get(key, lambda: formulas_of_kind(joint, level))
        if formulas is not None:
            if formulas.count:
                group = self._groups.setdefault(key, Group(formulas))
                group.joints.append(joint)
                group.rows.append(self._name(joint.name, labels_of(joint, level, formulas.count)))
                group.bodies.append((bodies[0], bodies[1]))
            return
        views = [frame.view for frame in joint.frames]
        angles = {turns_of(f"{joint.name}@{k}"): x for k, x in enumerate(joint.angles(views))}
        write = joint.rows if level == HOLONOMIC else joint.velocity_rows
        rows = write(views, [lift(x) for x in joint.data()], list(angles))
        if rows:
            self._add_own(joint.name, level, rows, labels_of(joint, level, len(rows)), angles)

    def _add_own(
        self,
        owner: str,
        level: str,
        rows: Sequence[Expression],
        labels: Sequence[str],
        angles: Mapping[Expression, Expression],
    ) -> None:
        """Rows of any number of bodies, by formulas over their symbols."""
        leaves = symbols(rows, "coordinate", "velocity")
        angles = {**angles, **turning_joints(self.model, rows)}
        owners = {owner_of(leaf.name) for leaf in leaves}
        bodies = sorted(self._number[name] for name in owners if name in self._number)
        columns = [list(self.bodies[b].velocity_symbols) for b in bodies]
        formulas = RowFormulas.of(level, rows, columns, angles)
        self._singles.append(Single(formulas, bodies, self._name(owner, labels)))

    # -- evaluating ------------------------------------------------------------------------------

    def at(self, t: Any, q: Array, v: Array) -> Linearised:
        """Residuals and J at states; turns are counted on from those of the first (`known`)."""
        return self._evaluated(States.of(t, q, v), with_J=True)

    def residuals(self, t: Any, q: Array, v: Array) -> tuple[Array, Array]:
        """phi and phi' only."""
        found = self._evaluated(States.of(t, q, v), with_J=False)
        return found.phi, found.phi_dot

    def _evaluated(self, states: States, *, with_J: bool) -> Linearised:
        k, m = len(states.t), self.count
        zeros = [np.zeros((k, m)) for _ in range(3)]
        made = Linearised(zeros[0], zeros[1], zeros[2], [], self.velocities)
        turns = self._turns(states.first) if self.turning else {}
        for group in self._groups.values():
            values = self._common(group.formulas, states) | group.values(states)
            pairs = list(group.body_array.T)
            if group.formulas.angles:
                values |= wound(group.formulas, values, states.t, self._begun(group, turns))
            self._write(group.formulas, values, group.row_array, pairs, states.t, made, with_J)
        for single in self._singles:
            values = self._common(single.formulas, states)
            for name in single.formulas.owners & self._number.keys():
                values |= body_values(self.bodies[self._number[name]], self._number[name], states)
            if single.formulas.angles:
                values |= wound(single.formulas, values, states.t, self._begun(single, turns))
            rows, bodies = np.array([single.rows]), [np.array([b]) for b in single.bodies]
            self._write(single.formulas, values, rows, bodies, states.t, made, with_J)
        return replace(made, phi=made.phi[:, : self.holonomic])

    def _turns(self, states: States) -> dict[Expression, float]:
        """Full turns [rad] of angles at one state, nearest to those known, else the fewest."""
        relations, raw = self._relations, self._angles._evaluated(states, with_J=False).phi[0]
        found = dict(zip(self.turning, map(float, raw), strict=False))
        turns = {
            x: TURN * float(np.round((self.known.get(x, y) - y) / TURN)) for x, y in found.items()
        }
        if relations is not None:
            n = len(relations.angles)
            raw, rest = raw[len(found) : len(found) + n], raw[len(found) + n :]
            known = [self.known.get(x) for x in relations.angles]
            turns |= zip(relations.angles, relations.turns(raw, rest, known).tolist(), strict=True)
        return turns

    def angles_at(self, t: float, q: Array) -> dict[Expression, float]:
        """Angles in rows at one state with their turns, by the angle in (-pi, pi]."""
        if not self.turning:
            return {}
        states = States.of(t, q, np.zeros(self.velocities))
        raw = self._angles._evaluated(states, with_J=False).phi[0]
        turns = self._turns(states)
        return {x: float(y) + turns[x] for x, y in zip(self.turning, raw, strict=False)}

    @staticmethod
    def _begun(part: Any, turns: Mapping[Expression, float]) -> dict[Expression, list[float]]:
        """Symbol of turns -> turns of every instance at the first state."""
        return {slot: [turns[x] for x in each] for slot, each in part.angles.items()}

    def _write(
        self,
        formulas: RowFormulas,
        values: dict[Any, Any],
        rows: npt.NDArray[np.int64],
        bodies: Sequence[npt.NDArray[np.int64]],
        t: Array,
        made: Linearised,
        with_J: bool,
    ) -> None:
        """Evaluate formulas for rows (I, c) on some bodies (I,) each."""
        program = formulas.everything if with_J else formulas.residuals
        found = iter(program(values))
        parts = [(made.phi, formulas.phi), (made.phi_dot, formulas.phi_dot)]
        parts += [(made.phi_t, formulas.phi_t)] if with_J else []
        for target, part in parts:
            for c in range(len(part)):
                target.T[rows[:, c]] = next(found)
        for numbers, part in zip(bodies, formulas.J, strict=True) if with_J else ():
            flat = np.empty((len(rows), len(t), len(part)))
            for c in range(len(part)):
                flat[:, :, c] = next(found)
            entries = flat.reshape(len(rows), len(t), len(part) // 6, 6)
            moving = numbers < len(self.bodies)
            if moving.any():
                made.blocks.append(Block(rows[moving], numbers[moving], entries[moving]))

    def _common(self, formulas: RowFormulas, states: States) -> dict[Any, Any]:
        values: dict[Any, Any] = {TIME: states.t}
        for leaf in formulas.symbols:
            if leaf.op == "parameter":
                values[leaf] = self.parameters.get(leaf.name, leaf.value)
        return values
