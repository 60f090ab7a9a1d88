"""Joints, constraints and forces of a model of bodies, gathered by their kinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.body_kinds import kinds, load_kind, owner_name, row_kind
from dalembert.analysis.equations.groups import Group, Single, common
from dalembert.analysis.equations.pieces import HOLONOMIC, VELOCITY, LoadPiece, Owner, RowPiece
from dalembert.analysis.equations.turning import Turning
from dalembert.errors import OptionError
from dalembert.formulas.expression import ZERO, Expression, lift, load
from dalembert.formulas.graph import symbols
from dalembert.formulas.orientation import turns as turns_of
from dalembert.formulas.variables import reaction_of
from dalembert.model.basics.element import cross
from dalembert.model.start.row_formulas import labels_of
from dalembert.model.start.states import States

Array = NDArray[np.float64]


class BodyElements:
    """Everything in a model of bodies that has formulas, and how they are evaluated."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self._parameters: Mapping[str, float] = model.parameters
        self.turns: Mapping[Expression, float] = {}
        """Full turns [rad] of angles in (-pi, pi], zero where they are not told."""
        self.turning: Turning | None = None
        """Counts them, where there are any."""
        self.bodies = list(model.bodies.values())
        self._number = {body.name: k for k, body in enumerate(self.bodies)}
        self.n = len(self.bodies)
        self.nv = 6 * self.n
        self.row_names: list[str] = []
        self.owners: list[str] = []
        self._row_groups: dict[Any, Group] = {}
        self._row_singles: list[Single] = []
        self._load_groups: dict[Any, Group] = {}
        self._load_singles: list[Single] = []
        for level in (HOLONOMIC, VELOCITY):
            for joint in model.joints.values():
                self._add_joint(joint, level)
            for constraint in model.constraints:
                if constraint.kind == level:
                    self._add_rows(constraint.name, level, constraint.rows, constraint.row_names)
            if level == HOLONOMIC:
                self.holonomic = len(self.row_names)
        for force in model.forces.values():
            self._add_force(force)
        for group in (*self._row_groups.values(), *self._load_groups.values()):
            group.numbered(self._parameters)

    def parameters(self) -> Mapping[str, float]:
        """Values of the parameters."""
        return self._parameters

    # -- reading ---------------------------------------------------------------------------------

    def body_number(self, frame: Any) -> int:
        """Which body a frame is on; one more than there are for the world."""
        return self._number.get(frame.body.name, self.n)

    def _named(self, owner: str, labels: Sequence[str]) -> list[int]:
        first = len(self.row_names)
        self.row_names += labels
        self.owners += [owner] * len(labels)
        return list(range(first, len(self.row_names)))

    def _add_joint(self, joint: Any, level: str) -> None:
        bodies = tuple(self.body_number(frame) for frame in joint.frames)
        piece = None
        if len(bodies) == 2 and bodies[0] != bodies[1]:
            key = (type(joint), level, joint.structure(), len(joint.data()))
            piece = kinds.get(key, lambda: row_kind(joint, level))
        if piece is not None:
            if piece.count:
                group = self._row_groups.setdefault(key, Group(piece))
                rows = self._named(joint.name, labels_of(joint, level, piece.count))
                group.add(joint, bodies, rows)
            return
        views = joint.views
        turns = [turns_of(f"{joint.name}@{k}") for k in range(len(joint.angles(views)))]
        write = joint.rows if level == HOLONOMIC else joint.velocity_rows
        rows = write(views, [lift(x) for x in joint.data()], turns)
        if rows:
            self._add_rows(joint.name, level, rows, labels_of(joint, level, len(rows)))

    def _add_rows(self, name: str, level: str, rows: Sequence[Any], labels: Sequence[str]) -> None:
        made = self._single(rows, lambda owners: RowPiece(level, rows, owners))
        made.row_list = self._named(name, labels)
        self._row_singles.append(made)

    def _single(self, formulas: Sequence[Any], make: Any) -> Single:
        """A piece over the bodies whose symbols stand in formulas."""
        leaves = symbols([lift(x) for x in formulas], "coordinate", "velocity", "acceleration")
        names = {owner_name(leaf.name) for leaf in leaves}
        bodies = sorted(self._number[name] for name in names if name in self._number)
        owners = [Owner(self.bodies[b].name, self.bodies[b].center_symbols) for b in bodies]
        return Single(make(owners), bodies, list(range(len(formulas))))

    def _add_force(self, force: Any) -> None:
        given = [x for x in (*force.data(), *force.formulas()) if isinstance(x, Expression)]
        reacting = [x.name for x in symbols(given, "parameter") if reaction_of(x.name)]
        if reacting:
            raise OptionError(
                f"model {self.model.name!r}: force {force.name!r} contains the reaction"
                f" {reacting[0]!r}, and friction by reactions is not linearised. Leave the force"
                " out, or simulate."
            )
        bodies = tuple(self.body_number(frame) for frame in force.frames)
        if len(set(bodies)) == len(bodies):
            key = (type(force), "force", force.structure(), len(force.data()), len(bodies))
            piece = kinds.get(key, lambda: load_kind(force))
            if piece is not None:
                group = self._load_groups.setdefault(key, Group(piece))
                group.add(force, bodies, [])
                return
        self._add_loads(force)

    def _add_loads(self, force: Any) -> None:
        """A force by its own formulas, over bodies of the model."""
        views = force.views
        turns = [turns_of(f"{force.name}@{k}") for k in range(len(force.angles(views)))]
        loads = force.loads(views, [lift(x) for x in force.data()], turns)
        total: dict[int, list[Any]] = {}
        for frame, view, (pull, torque) in zip(force.frames, views, loads, strict=True):
            b = self.body_number(frame)
            if b < self.n:
                about = view.origin - np.array(self.bodies[b].center_symbols, dtype=object)
                part = [*pull, *(np.asarray(torque, dtype=object) + cross(about, pull))]
                old = total.get(b, [ZERO] * 6)
                total[b] = [x + y for x, y in zip(old, part, strict=True)]
        flat = [lift(x) for part in total.values() for x in part]
        marks = [self.bodies[b].center_symbols[0] for b in total]  # bodies that are acted on

        def make(owners: list[Owner]) -> LoadPiece:
            order = [self._number[o.name] for o in owners]
            return LoadPiece([x for b in order for x in total.get(b, [ZERO] * 6)], owners)

        if total:
            self._load_singles.append(self._single([*flat, *marks], make))

    # -- evaluating ------------------------------------------------------------------------------

    @property
    def _row_parts(self) -> Iterator[Any]:
        yield from self._row_groups.values()
        yield from self._row_singles

    @property
    def _load_parts(self) -> Iterator[Any]:
        yield from self._load_groups.values()
        yield from self._load_singles

    def _evaluated(
        self, table: Any, part: Any, states: States, more: Mapping[Any, Any] | None = None
    ) -> dict[str, tuple[Any, Any, Any]]:
        """The entries of a table for all instances of a part."""
        values = part.values(states, self.bodies)
        values |= more or {}
        if self.turns:
            values |= self._turns_of(part, table.leaves)
        values |= common(table.leaves, float(states.t[0]), self._parameters, values)
        found: dict[str, tuple[Any, Any, Any]] = table(values, len(part.body_array))
        return found

    def states(self, t: float, q: Array, v: Array) -> States:
        """Bodies at a state, the turns counted up to there."""
        if self.turning is not None:
            self.turns = self.turning.turns(t, q)
        return States.of(t, q, v)

    @cached_property
    def rows_turn(self) -> bool:
        """Whether rows of positions contain counted turns."""
        return any(
            leaf in (part.angles if isinstance(part, Group) else ())
            or (leaf.op == "coordinate" and leaf.name in self._turning_symbols)
            for part in self._row_parts
            if part.piece.level == HOLONOMIC
            for leaf in part.piece.residuals.leaves
        )

    def _turns_of(self, part: Any, leaves: Sequence[Any]) -> dict[Any, Any]:
        """Symbol -> full turns, for every instance of a part."""
        slots = part.angles if isinstance(part, Group) else {}
        found: dict[Any, Any] = {
            x: np.array([self.turns.get(a, 0.0) for a in each]) for x, each in slots.items()
        }
        for leaf in leaves:
            raw = self._turning_symbols.get(leaf.name) if leaf.op == "coordinate" else None
            if raw is not None:
                found[leaf] = self.turns.get(raw, 0.0)
        return found

    @cached_property
    def _turning_symbols(self) -> dict[str, Expression]:
        """Name of a symbol of counted turns -> the angle in (-pi, pi]."""
        found: dict[str, Expression] = {}
        for element in (*self.model.joints.values(), *self.model.forces.values()):
            angles = element.angles(element.views)
            found |= {turns_of(f"{element.name}@{k}").name: x for k, x in enumerate(angles)}
            if hasattr(type(element), "angle") and len(angles) == 1:
                found[turns_of(element.name).name] = angles[0]
        return found

    def _columns(self, part: Any, local: Any) -> Any:
        """Places of local columns (6 a body) among all velocities, (entries, I)."""
        return 6 * part.body_array.T[local // 6] + (local % 6)[:, None]

    def _add(
        self, target: Array, part: Any, found: Any, *, by_body: bool = False, rows: Any = None
    ) -> None:
        """Add entries; their rows are those of the part, other ones, or velocities."""
        if found is None:
            return
        local, columns, numbers = found
        if by_body:
            places = self._columns(part, local)
        else:
            places = (part.row_array if rows is None else rows).T[local]
        if target.ndim == 1:
            np.add.at(target, places, numbers)
        else:
            np.add.at(target, (places, self._columns(part, columns)), numbers)

    def _held(self, part: Any, a: Array, lam: Any) -> dict[Any, Any]:
        """Accelerations of the bodies of a part and multipliers (I, rows), as symbols."""
        wide = np.concatenate([a, np.zeros(6)])
        bodies = part.body_array
        found: dict[Any, Any] = {}
        for side in range(bodies.shape[1]):
            for k in range(6):
                found[load("acc", 6 * side + k)] = wide[6 * bodies[:, side] + k]
        return found | {load("lam", i): column for i, column in enumerate(np.asarray(lam).T)}
