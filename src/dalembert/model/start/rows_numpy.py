"""The constraint rows of a model of bodies at any states, interpreted: nothing is compiled.

Residuals and J of many states at once, for what is asked once and not at every step: checks,
assembly, reactions. Joints of one kind are evaluated together, as arrays over instances and states,
by the same formulas that `system.kinds` compiles. J multiplies v = (velocity of the centre of
mass, angular velocity) of each body, world components; the rows stand in the order of the system:
position rows of joints and constraints, then velocity rows.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dalembert.formulas.derivative import directional, jacobian, time_derivative
from dalembert.formulas.evaluate import Prepared
from dalembert.formulas.expression import ONE, TIME, ZERO, Expression, coordinate, lift, load
from dalembert.formulas.graph import substitute, symbols
from dalembert.formulas.orientation import arm, rotation, turning
from dalembert.formulas.orientation import turns as turns_of
from dalembert.formulas.recent import Recent
from dalembert.model.basics.element import FrameView, cross
from dalembert.model.start.states import States, body_values, from_center, number, size

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

Array = npt.NDArray[np.float64]

HOLONOMIC, VELOCITY = "holonomic", "velocity"

TURN = 2.0 * np.pi

_FIRST, _SECOND = "@a", "@b"


@dataclass(frozen=True)
class Block:
    """Entries of J: those of I groups of c rows with one body each, at k states.

    rows : (I, c), bodies : (I,), entries : (I, k, c, 6)
    """

    rows: npt.NDArray[np.int64]
    bodies: npt.NDArray[np.int64]
    entries: Array


@dataclass(frozen=True)
class Linearised:
    """Rows at k states.

    Attributes
    ----------
    phi : (k, position rows)
    phi_dot : (k, rows)       phi' = J v + phi_t, or psi of a velocity row
    phi_t : (k, rows)         what of it does not come from v
    blocks : entries of J
    """

    phi: Array
    phi_dot: Array
    phi_t: Array
    blocks: list[Block]
    velocities: int

    def dense(self) -> Array:
        """J as full matrices, (k, rows, velocities)."""
        k, m = self.phi_dot.shape
        J = np.zeros((k, m, self.velocities))
        for block in self.blocks:
            for rows, body, entries in zip(block.rows, block.bodies, block.entries, strict=True):
                J[:, rows, 6 * body : 6 * body + 6] += entries
        return J

    def sparse(self) -> Any:
        """J of the first state as a sparse matrix by rows."""
        from scipy.sparse import csr_array

        parts = []
        for block in self.blocks:
            columns = 6 * block.bodies[:, None] + np.arange(6)
            shape = block.entries[:, 0].shape
            parts.append(
                (
                    np.broadcast_to(block.rows[:, :, None], shape).ravel(),
                    np.broadcast_to(columns[:, None, :], shape).ravel(),
                    block.entries[:, 0].ravel(),
                )
            )
        i, j, x = map(np.concatenate, zip(*parts, strict=True)) if parts else ([], [], [])
        return csr_array((x, (i, j)), shape=(self.phi_dot.shape[1], self.velocities))

    def wrenches(self, lam: Array) -> dict[int, Array]:
        """J^T lam by body, (k, 6): force, and torque about the centre of mass."""
        total: dict[int, Array] = {}
        for block in self.blocks:
            for rows, body, entries in zip(block.rows, block.bodies, block.entries, strict=True):
                pull = np.einsum("kcj,kc->kj", entries, lam[:, rows])
                total[int(body)] = total.get(int(body), 0.0) + pull
        return total


@dataclass(frozen=True, eq=False)
class _Formulas:
    """Rows of one level, J by bodies (row by row), and the angles whose turns they contain."""

    phi: list[Expression]
    phi_dot: list[Expression]
    phi_t: list[Expression]
    J: list[list[Expression]]
    angles: dict[Expression, Expression]

    @classmethod
    def of(
        cls,
        level: str,
        rows: Sequence[Expression],
        columns: Sequence[Sequence[Expression]],
        angles: Mapping[Expression, Expression],
    ) -> _Formulas:
        """`columns`: the velocities of each body; `angles`: symbol of turns -> raw angle."""
        rows = list(rows)
        if level == HOLONOMIC:
            phi, phi_dot = rows, time_derivative(rows)
            phi_t = directional(rows, {TIME: ONE})
        else:
            phi, phi_dot = [], rows
            phi_t = substitute(rows, dict.fromkeys(symbols(rows, "velocity"), ZERO))
        J = [[x for row in jacobian(phi_dot, list(part)) for x in row] for part in columns]
        used = set(symbols([*phi, *phi_dot], "load", "coordinate"))
        return cls(phi, phi_dot, phi_t, J, {x: a for x, a in angles.items() if x in used})

    @property
    def count(self) -> int:
        return len(self.phi_dot)

    @cached_property
    def residuals(self) -> Prepared:
        return Prepared([*self.phi, *self.phi_dot])

    @cached_property
    def everything(self) -> Prepared:
        flat = [x for part in self.J for x in part]
        return Prepared([*self.phi, *self.phi_dot, *self.phi_t, *flat])

    @cached_property
    def winding(self) -> Prepared:
        raw = list(self.angles.values())
        return Prepared([*raw, *time_derivative(raw)])

    @cached_property
    def symbols(self) -> list[Expression]:
        return symbols(
            [*self.phi, *self.phi_dot, *self.angles.values()], "coordinate", "velocity", "parameter"
        )


class _Group:
    """The joints of a kind, at one level."""

    def __init__(self, formulas: _Formulas) -> None:
        self.formulas = formulas
        self.joints: list[Any] = []
        self.rows: list[list[int]] = []
        self.bodies: list[tuple[int, int]] = []

    def numbered(self, parameters: Mapping[str, float]) -> None:
        """Numbers of the instances as arrays."""
        self.row_array = np.array(self.rows)
        self.body_array = np.array(self.bodies)
        self.offset, self.axes = [], []
        for side in range(2):
            frames = [joint.frames[side] for joint in self.joints]
            self.offset.append(np.array([from_center(frame, parameters) for frame in frames]))
            self.axes.append(np.array([frame.orientation.matrix for frame in frames]))
        data = [[number(x, parameters) for x in joint.data()] for joint in self.joints]
        self.data = np.array(data).reshape(len(self.joints), -1)

    def values(self, states: States) -> dict[Any, Any]:
        """Symbol -> (I, k) for the two frames of every instance."""
        found: dict[Any, Any] = {}
        for side, name in enumerate((_FIRST, _SECOND)):
            bodies = self.body_array[:, side]
            R = states.R[bodies]
            series = np.concatenate(
                [
                    states.center[bodies],
                    np.einsum("ikab,ib->ika", R, self.offset[side]),
                    states.velocity[bodies],
                    states.spin[bodies],
                    np.einsum("ikab,ibc->ikac", R, self.axes[side]).reshape(*R.shape[:2], 9),
                ],
                axis=2,
            )
            found |= {x: series[:, :, i] for i, x in enumerate(_frame_leaves(name))}
        return found | {load("data", i): column[:, None] for i, column in enumerate(self.data.T)}


@dataclass(frozen=True)
class _Single:
    """Rows with formulas of their own, over the symbols of some bodies."""

    formulas: _Formulas
    bodies: list[int]
    rows: list[int]


_kinds: Recent[_Formulas | None] = Recent(128)
"""Kinds met lately, by class and structure; None where only formulas of their own will do."""


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
        self._groups: dict[Any, _Group] = {}
        self._singles: list[_Single] = []
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
            formulas = _kinds.get(key, lambda: _of_kind(joint, level))
        if formulas is not None:
            if formulas.count:
                group = self._groups.setdefault(key, _Group(formulas))
                group.joints.append(joint)
                group.rows.append(self._name(joint.name, _labels(joint, level, formulas.count)))
                group.bodies.append((bodies[0], bodies[1]))
            return
        views = [frame.view for frame in joint.frames]
        angles = {turns_of(f"{joint.name}@{k}"): x for k, x in enumerate(joint.angles(views))}
        write = joint.rows if level == HOLONOMIC else joint.velocity_rows
        rows = write(views, [lift(x) for x in joint.data()], list(angles))
        if rows:
            self._add_own(joint.name, level, rows, _labels(joint, level, len(rows)), angles)

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
        angles = dict(angles)
        for leaf in leaves:
            name, _, part = leaf.name.partition(":")
            if part == "turns" and name in self.model.joints:
                joint: Any = self.model.joints[name]
                angles[leaf] = substitute([joint.angle], {leaf: ZERO})[0]
        owners = {_owner(leaf.name) for leaf in leaves}
        bodies = sorted(self._number[name] for name in owners if name in self._number)
        columns = [list(self.bodies[b].velocity_symbols) for b in bodies]
        formulas = _Formulas.of(level, rows, columns, angles)
        self._singles.append(_Single(formulas, bodies, self._name(owner, labels)))

    # -- evaluating ------------------------------------------------------------------------------

    def at(self, t: Any, q: Array, v: Array) -> Linearised:
        """Residuals and J at states; turns are counted from the first one on."""
        return self._evaluated(States.of(t, q, v), with_J=True)

    def residuals(self, t: Any, q: Array, v: Array) -> tuple[Array, Array]:
        """phi and phi' only."""
        found = self._evaluated(States.of(t, q, v), with_J=False)
        return found.phi, found.phi_dot

    def _evaluated(self, states: States, *, with_J: bool) -> Linearised:
        k, m = len(states.t), self.count
        zeros = [np.zeros((k, m)) for _ in range(3)]
        made = Linearised(zeros[0], zeros[1], zeros[2], [], self.velocities)
        for group in self._groups.values():
            values = self._common(group.formulas, states) | group.values(states)
            pairs = list(group.body_array.T)
            self._write(group.formulas, values, group.row_array, pairs, states.t, made, with_J)
        for single in self._singles:
            values = self._common(single.formulas, states)
            owners = {_owner(leaf.name) for leaf in single.formulas.symbols}
            for name in owners & set(self._number):
                values |= body_values(self.bodies[self._number[name]], self._number[name], states)
            rows, bodies = np.array([single.rows]), [np.array([b]) for b in single.bodies]
            self._write(single.formulas, values, rows, bodies, states.t, made, with_J)
        return replace(made, phi=made.phi[:, : self.holonomic])

    def _write(
        self,
        formulas: _Formulas,
        values: dict[Any, Any],
        rows: npt.NDArray[np.int64],
        bodies: Sequence[npt.NDArray[np.int64]],
        t: Array,
        made: Linearised,
        with_J: bool,
    ) -> None:
        """Evaluate formulas for rows (I, c) on some bodies (I,) each."""
        if formulas.angles:
            values |= _wound(formulas, values, t)
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

    def _common(self, formulas: _Formulas, states: States) -> dict[Any, Any]:
        values: dict[Any, Any] = {TIME: states.t}
        for leaf in formulas.symbols:
            if leaf.op == "parameter":
                values[leaf] = self.parameters.get(leaf.name, leaf.value)
        return values


def _labels(joint: Any, level: str, count: int) -> Sequence[str]:
    """Names of the rows of one level."""
    names: Sequence[str] = joint.row_names
    return names[:count] if level == HOLONOMIC else names[len(names) - count :]


@functools.cache
def _frame_leaves(name: str) -> list[Expression]:
    """Symbols of a frame: centre of mass, arm, velocity, angular velocity, axes."""
    place = [coordinate(f"{name}.{x}") for x in "xyz"]
    speed = [x.dot for x in place]
    return [*place, *arm(name), *speed, *turning(name), *rotation(name).ravel()]


def _wound(formulas: _Formulas, values: Mapping[Any, Any], t: Array) -> dict[Any, Any]:
    """Full turns of each angle, over the states: nearest to what the rates foretell."""
    found = formulas.winding(values)
    count = len(formulas.angles)
    result: dict[Any, Any] = {}
    for slot, raw, speed in zip(formulas.angles, found[:count], found[count:], strict=True):
        angle, rate = np.broadcast_arrays(raw, speed, t)[:2]
        turns = np.zeros(angle.shape)
        foretold = 0.5 * (rate[..., 1:] + rate[..., :-1]) * np.diff(t)
        missing = np.round((foretold - np.diff(angle, axis=-1)) / TURN)
        turns[..., 1:] = TURN * np.cumsum(missing, axis=-1)
        result[slot] = turns
    return result


def _of_kind(joint: Any, level: str) -> _Formulas | None:
    """Formulas over two frames; None where they contain anything else that moves."""
    views = [_view(_FIRST), _view(_SECOND)]
    nd = len(joint.data())
    angles = {load("data", nd + k): x for k, x in enumerate(joint.angles(views))}
    data = [load("data", k) for k in range(nd)]
    write: Callable[..., Any] = joint.rows if level == HOLONOMIC else joint.velocity_rows
    rows = [lift(x) for x in write(views, data, list(angles))]
    known = {_FIRST, _SECOND}
    if any(_owner(x.name) not in known for x in symbols(rows, "coordinate", "velocity")):
        return None
    return _Formulas.of(level, rows, [_velocities(_FIRST), _velocities(_SECOND)], angles)


def _view(name: str) -> FrameView:
    place = np.array([coordinate(f"{name}.{x}") for x in "xyz"], dtype=object)
    speed = np.array([x.dot for x in place], dtype=object)
    r, w = arm(name), turning(name)
    return FrameView(place + r, rotation(name), speed + cross(w, r), w)


def _velocities(name: str) -> list[Expression]:
    return [*(coordinate(f"{name}.{x}").dot for x in "xyz"), *turning(name)]


def _owner(name: str) -> str:
    """Name of the body a symbol belongs to."""
    return name.partition(":")[0] if ":" in name else name.rpartition(".")[0]
