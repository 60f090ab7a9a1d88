"""From a model of bodies to its parts, numbered (`system.bodies`)."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.formulas import Expression, load, symbols
from dalembert.formulas.expression import ZERO, lift
from dalembert.formulas.graph import substitute
from dalembert.formulas.orientation import turns as turns_of
from dalembert.formulas.recent import Recent
from dalembert.formulas.variables import reaction_of
from dalembert.model.basics.element import cross
from dalembert.model.joints.joint import Joint
from dalembert.model.start.planar_motion import plane_of, turning_axes
from dalembert.system.bodies import (
    Data,
    Mechanism,
    Pair,
    PairAction,
    Specific,
    SpecificAction,
    Wound,
)
from dalembert.system.kinds import (
    FIRST,
    FRAME_DATA,
    SECOND,
    ActionKind,
    Kind,
    RowFormulas,
    holonomic,
    nonholonomic,
    view,
)

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

_kinds: Recent[Any] = Recent(128)
"""Kinds of joints and forces met lately in this process, by class and structure."""


def mechanism(
    model: Model, watched: Sequence[Expression] = (), without: frozenset[str] = frozenset()
) -> Mechanism:
    """Number the parts of a model; `watched` are formulas besides its own.

    `without`: joints that are met otherwise, forces that something else takes the place of.
    """
    bodies = list(model.bodies.values())
    made = Mechanism([b.name for b in bodies], bodies)
    reader = _Reader(model, made)
    for level in ("holonomic", "velocity"):
        for joint in model.joints.values():
            if joint.name not in without:
                reader.joint(joint, level)
        for constraint in model.constraints:
            if constraint.kind == level:
                rows = list(constraint.rows)
                formulas = holonomic(rows) if level == "holonomic" else nonholonomic(rows)
                reader.specific(constraint.name, formulas, constraint.row_names)
        if level == "holonomic":
            made.holonomic = made.rows
    for name, force in model.forces.items():
        if name not in without:
            reader.force(force)
    reader.wind_joints(watched)
    for name, axes in turning_axes(model.joints.values()).items():
        made.turning[reader.number[name]] = axes
    made.plane = plane_of(model.joints.values(), made.names)
    return made


class _Reader:
    """Fills a `Mechanism` element by element."""

    def __init__(self, model: Model, made: Mechanism) -> None:
        self.model = model
        self.made = made
        self.number = {name: k for k, name in enumerate(made.names)}
        self.world = len(made.names)

    def body(self, frame: Any) -> int:
        return self.number.get(frame.body.name, self.world)

    # -- joints --------------------------------------------------------------------------------

    def joint(self, joint: Any, level: str) -> None:
        labels = joint.row_names
        count = _holonomic_count(joint)
        labels = labels[:count] if level == "holonomic" else labels[count:]
        if not labels:
            return
        kind = self._pair_kind(joint, level)
        if kind is None:
            views, turns = (
                joint.views,
                [turns_of(f"{joint.name}@{k}") for k in range(_wound(joint))],
            )
            data = [lift(x) for x in joint.data()]
            rows = joint.rows if level == "holonomic" else joint.velocity_rows
            formulas = (holonomic if level == "holonomic" else nonholonomic)(
                rows(views, data, turns)
            )
            self.specific(joint.name, formulas, labels)
            if level == "holonomic" or not count:
                for k, angle in enumerate(joint.angles(views)):
                    self.made.wound.append(Wound(angle, None, 0, f"{joint.name}@{k}"))
            return
        pair = Pair(
            joint.name,
            kind,
            (self.body(joint.frames[0]), self.body(joint.frames[1])),
            _data(joint, kind.parameters, self.model),
            self.made.rows,
        )
        self.made.pairs.append(pair)
        self._name(joint.name, labels)
        self._wind(joint, pair)

    def _pair_kind(self, joint: Any, level: str) -> Kind | None:
        """The kind of a joint of two frames; None where its rows hold other bodies' symbols."""
        bodies = {self.body(frame) for frame in joint.frames}
        if len(joint.frames) != 2 or len(bodies) != 2:
            return None
        nd, nt = len(joint.data()), _wound(joint)
        key = (type(joint), level, joint.structure(), nd, nt)

        def make() -> Kind | None:
            data, turns = _slots(nd, nt)
            write = joint.rows if level == "holonomic" else joint.velocity_rows
            rows = write([view(FIRST), view(SECOND)], data, turns)
            if _foreign(rows):
                return None
            formulas = holonomic(rows) if level == "holonomic" else nonholonomic(rows)
            return Kind(formulas, _named(rows), 2 * FRAME_DATA + nd + nt)

        kind: Kind | None = _kinds.get(key, make)
        return kind

    def _wind(self, element: Any, made: Pair | PairAction) -> None:
        first = 2 * FRAME_DATA + len(element.data())
        if not _wound(element):
            return
        for k, angle in enumerate(element.angles([frame.view for frame in element.frames])):
            self.made.wound.append(Wound(angle, made, first + k))

    def specific(self, name: str, formulas: RowFormulas, labels: Sequence[str]) -> None:
        """Rows by their own formulas."""
        used = self._bodies_in([*formulas.phi, *formulas.phi_dot])
        self.made.specifics.append(Specific(name, formulas, used, self.made.rows))
        self._name(name, labels)

    def _bodies_in(self, formulas: Sequence[Expression]) -> tuple[int, ...]:
        names = {_owner(leaf.name) for leaf in symbols(formulas, "coordinate", "velocity")}
        return tuple(sorted(self.number[name] for name in names if name in self.number))

    def _name(self, name: str, labels: Sequence[str]) -> None:
        rows = range(self.made.rows, self.made.rows + len(labels))
        self.made.slices.setdefault(name, []).extend(rows)
        self.made.row_names.extend(labels)

    # -- forces --------------------------------------------------------------------------------

    def force(self, force: Any) -> None:
        nd, nt = len(force.data()), _wound(force)
        bodies = [self.body(frame) for frame in force.frames]
        moving = [b for b in bodies if b != self.world]
        plain = not _has_reactions(force)
        if plain and len(force.frames) <= 2 and len(set(bodies)) == len(bodies):
            key = (type(force), "force", force.structure(), nd, nt, len(bodies))
            kind = _kinds.get(key, lambda: _action_kind(force, nd, nt, len(bodies)))
            if kind is not None:
                data = _data(force, kind.parameters, self.model)
                two = (bodies[0], bodies[1] if len(bodies) == 2 else self.world)
                action = PairAction(force.name, kind, two, data)
                self.made.actions.append(action)
                self._wind(force, action)
                return
        if not moving:
            return
        views = [frame.view for frame in force.frames]
        turns = [turns_of(f"{force.name}@{k}") for k in range(nt)]
        loads = force.loads(views, [lift(x) for x in force.data()], turns)
        parts: list[tuple[int, list[Expression]]] = []
        for frame, at, (pull, torque) in zip(force.frames, views, loads, strict=True):
            body = self.body(frame)
            if body != self.world:
                arm = at.origin - np.array(self.made.bodies[body].center_symbols, dtype=object)
                parts.append((body, _about_center(arm, pull, torque)))
        self.made.specific_actions.append(SpecificAction(force.name, parts))
        for k, angle in enumerate(force.angles(views)):
            self.made.wound.append(Wound(angle, None, 0, f"{force.name}@{k}"))

    # -- turns ---------------------------------------------------------------------------------

    def wind_joints(self, watched: Sequence[Expression]) -> None:
        """Count the turns of joints whose angle stands in a formula."""
        known = {w.name for w in self.made.wound}
        formulas = list(watched)
        formulas += [f for s in self.made.specifics for f in (*s.formulas.phi, *s.formulas.phi_dot)]
        formulas += [f for a in self.made.specific_actions for _, part in a.loads for f in part]
        for leaf in symbols(formulas, "coordinate"):
            name, _, part = leaf.name.partition(":")
            if part == "turns" and name not in known and name in self.model.joints:
                joint: Any = self.model.joints[name]
                raw = substitute([joint.angle], {turns_of(name): ZERO})[0]
                self.made.wound.append(Wound(raw, None, 0, name))


def _has_reactions(force: Any) -> bool:
    """Whether a force contains reactions, which are no data: they change with the state."""
    given = [x for x in (*force.data(), *force.formulas()) if isinstance(x, Expression)]
    return any(reaction_of(leaf.name) for leaf in symbols(given, "parameter"))


def _holonomic_count(joint: Any) -> int:
    """Number of position rows of a joint."""
    key = (type(joint), "count", joint.structure(), len(joint.data()))

    def counted() -> int:
        views = [view(f"@{k}") for k in range(len(joint.frames))]
        data, turns = _slots(len(joint.data()), _wound(joint))
        return len(joint.rows(views, data, turns))

    count: int = _kinds.get(key, counted)
    return count


def _action_kind(force: Any, nd: int, nt: int, bodies: int) -> ActionKind | None:
    """The kind of a force on up to two frames; None where it holds other bodies' symbols."""
    data, turns = _slots(nd, nt)
    loads = force.loads([view(FIRST), view(SECOND)][:bodies], data, turns)
    flat = [lift(x) for pair in loads for part in pair for x in part]
    if _foreign(flat):
        return None
    return ActionKind(loads, _named(flat), 2 * FRAME_DATA + nd + nt)


def _named(formulas: Sequence[Expression]) -> list[Expression]:
    """The parameters of formulas by name: their places follow from the formulas alone."""
    return sorted(symbols(formulas, "parameter"), key=attrgetter("name"))


def _wound(element: Any) -> int:
    """How many angles of an element are counted: those whose turns its formulas contain."""
    key = (type(element), "wound", element.structure(), len(element.frames))

    def counted() -> int:
        views = [view(f"@{k}") for k in range(len(element.frames))]
        number = len(element.angles(views))
        return number if number and _has_turns(element, views, number) else 0

    count: int = _kinds.get(key, counted)
    return count


def _has_turns(element: Any, views: Sequence[Any], count: int) -> bool:
    data, turns = _slots(len(element.data()), count)
    if isinstance(element, Joint):
        formulas = element.rows(views, data, turns) + element.velocity_rows(views, data, turns)
    else:
        loads = element.loads(views, data, turns)
        formulas = [lift(x) for pair in loads for part in pair for x in part]
    return not set(turns).isdisjoint(symbols(formulas, "load"))


def _slots(own: int, wound: int) -> tuple[list[Expression], list[Expression]]:
    first = 2 * FRAME_DATA
    data = [load("data", first + k) for k in range(own)]
    return data, [load("data", first + own + k) for k in range(wound)]


def _foreign(formulas: Sequence[Expression]) -> bool:
    """Whether the formulas hold symbols of anything but the two frames."""
    owners = {_owner(leaf.name) for leaf in symbols(formulas, "coordinate", "velocity")}
    return bool(owners - {FIRST, SECOND})


def _owner(name: str) -> str:
    """Name of the body (or joint) a symbol belongs to."""
    return name.partition(":")[0] if ":" in name else name.rpartition(".")[0]


def _about_center(arm: Any, force: Any, torque: Any) -> list[Expression]:
    total = np.asarray(torque, dtype=object) + cross(arm, force)
    return [lift(x) for x in (*force, *total)]


def _data(element: Any, parameters: Sequence[Expression], model: Model) -> Data:
    """Frames, own numbers, turns (0 to begin with), parameters."""
    data: Data = []
    for frame in element.frames:
        center = frame.body.inertia.center if hasattr(frame.body, "inertia") else (0.0, 0.0, 0.0)
        data += [
            a if _is_zero(c) else lift(a) - c for a, c in zip(frame.offset, center, strict=True)
        ]
        data += [float(x) for x in frame.orientation.matrix.ravel()]
    data += [0.0] * (FRAME_DATA * (2 - len(element.frames)))
    data += list(element.data())
    data += [0.0] * _wound(element)
    return data + list(parameters)


def _is_zero(x: Any) -> bool:
    return isinstance(x, float) and x == 0.0
