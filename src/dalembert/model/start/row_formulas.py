"""Formulas of the rows of one kind of joint, with the symbols of its frames."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.formulas.derivative import directional, jacobian, time_derivative
from dalembert.formulas.evaluate import Prepared
from dalembert.formulas.expression import ONE, TIME, ZERO, Expression, coordinate, lift, load
from dalembert.formulas.graph import substitute, symbols
from dalembert.formulas.orientation import arm, rotation, turning
from dalembert.formulas.recent import Recent
from dalembert.model.basics.element import FrameView, cross
from dalembert.model.start.linearised import Array
from dalembert.model.start.states import States, from_center, number

TURN = 2.0 * np.pi

HOLONOMIC, VELOCITY = "holonomic", "velocity"
"""Levels of rows: of positions, or of velocities alone."""

_FIRST, _SECOND = "@a", "@b"
"""Names of the two bodies in the formulas of a kind."""


@dataclass(frozen=True, eq=False)
class RowFormulas:
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
    ) -> RowFormulas:
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
        """Number of rows."""
        return len(self.phi_dot)

    @cached_property
    def residuals(self) -> Prepared:
        """Phi and its rate, to be evaluated."""
        return Prepared([*self.phi, *self.phi_dot])

    @cached_property
    def everything(self) -> Prepared:
        """Phi, its rate, its derivative by time, and J."""
        flat = [x for part in self.J for x in part]
        return Prepared([*self.phi, *self.phi_dot, *self.phi_t, *flat])

    @cached_property
    def winding(self) -> Prepared:
        """Angles whose turns are counted, and their rates."""
        raw = list(self.angles.values())
        return Prepared([*raw, *time_derivative(raw)])

    @cached_property
    def symbols(self) -> list[Expression]:
        """Symbols that need values."""
        return symbols(
            [*self.phi, *self.phi_dot, *self.angles.values()], "coordinate", "velocity", "parameter"
        )

    @cached_property
    def owners(self) -> frozenset[str]:
        """Names of bodies and joints whose symbols need values."""
        return frozenset(owner_of(leaf.name) for leaf in self.symbols)


class Group:
    """The joints of a kind, at one level."""

    def __init__(self, formulas: RowFormulas) -> None:
        self.formulas = formulas
        self.joints: list[Any] = []
        self.rows: list[list[int]] = []
        self.bodies: list[tuple[int, int]] = []

    def numbered(self, parameters: Mapping[str, float]) -> None:
        """Numbers of the instances as arrays, and their angles: symbol of turns -> one for each."""
        self.row_array = np.array(self.rows)
        self.body_array = np.array(self.bodies)
        self.offset, self.axes = [], []
        for side in range(2):
            frames = [joint.frames[side] for joint in self.joints]
            self.offset.append(np.array([from_center(frame, parameters) for frame in frames]))
            self.axes.append(np.array([frame.orientation.matrix for frame in frames]))
        data = [[number(x, parameters) for x in joint.data()] for joint in self.joints]
        self.data = np.array(data).reshape(len(self.joints), -1)
        self.angles: dict[Expression, list[Expression]] = {}
        if self.formulas.angles:
            of_each = [joint.angles([f.view for f in joint.frames]) for joint in self.joints]
            first = self.data.shape[1]
            slots = {load("data", first + k): k for k in range(len(of_each[0]))}
            self.angles = {x: [one[slots[x]] for one in of_each] for x in self.formulas.angles}

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
class Single:
    """Rows with formulas of their own, over the symbols of some bodies."""

    formulas: RowFormulas
    bodies: list[int]
    rows: list[int]

    @property
    def angles(self) -> dict[Expression, list[Expression]]:
        """Symbol of turns -> angle in (-pi, pi], of the one instance there is."""
        return {slot: [raw] for slot, raw in self.formulas.angles.items()}


kinds: Recent[RowFormulas | None] = Recent(128)
"""Kinds met lately, by class and structure; None where only formulas of their own will do."""


def labels_of(joint: Any, level: str, count: int) -> Sequence[str]:
    """Names of the rows of one level."""
    names: Sequence[str] = joint.row_names
    return names[:count] if level == HOLONOMIC else names[len(names) - count :]


@functools.cache
def _frame_leaves(name: str) -> list[Expression]:
    """Symbols of a frame: centre of mass, arm, velocity, angular velocity, axes."""
    place = [coordinate(f"{name}.{x}") for x in "xyz"]
    speed = [x.dot for x in place]
    return [*place, *arm(name), *speed, *turning(name), *rotation(name).ravel()]


def wound(
    formulas: RowFormulas, values: Mapping[Any, Any], t: Array, first: Mapping[Any, Any]
) -> dict[Any, Any]:
    """Full turns of each angle, over the states: nearest to what the rates foretell.

    `first`: turns at the first state, one for each instance.
    """
    found = formulas.winding(values)
    count = len(formulas.angles)
    result: dict[Any, Any] = {}
    for slot, raw, speed in zip(formulas.angles, found[:count], found[count:], strict=True):
        angle, rate = np.broadcast_arrays(raw, speed, t)[:2]
        turns = np.zeros(angle.shape)
        foretold = 0.5 * (rate[..., 1:] + rate[..., :-1]) * np.diff(t)
        missing = np.round((foretold - np.diff(angle, axis=-1)) / TURN)
        turns[..., 1:] = TURN * np.cumsum(missing, axis=-1)
        result[slot] = turns + np.asarray(first[slot])[..., None]
    return result


def formulas_of_kind(joint: Any, level: str) -> RowFormulas | None:
    """Formulas over two frames; None where they contain anything else that moves."""
    views = [_view(_FIRST), _view(_SECOND)]
    nd = len(joint.data())
    angles = {load("data", nd + k): x for k, x in enumerate(joint.angles(views))}
    data = [load("data", k) for k in range(nd)]
    write: Callable[..., Any] = joint.rows if level == HOLONOMIC else joint.velocity_rows
    rows = [lift(x) for x in write(views, data, list(angles))]
    known = {_FIRST, _SECOND}
    if any(owner_of(x.name) not in known for x in symbols(rows, "coordinate", "velocity")):
        return None
    return RowFormulas.of(level, rows, [_velocities(_FIRST), _velocities(_SECOND)], angles)


def _view(name: str) -> FrameView:
    place = np.array([coordinate(f"{name}.{x}") for x in "xyz"], dtype=object)
    speed = np.array([x.dot for x in place], dtype=object)
    r, w = arm(name), turning(name)
    return FrameView(place + r, rotation(name), speed + cross(w, r), w)


def _velocities(name: str) -> list[Expression]:
    return [*(coordinate(f"{name}.{x}").dot for x in "xyz"), *turning(name)]


def owner_of(name: str) -> str:
    """Name of the body a symbol belongs to."""
    return name.partition(":")[0] if ":" in name else name.rpartition(".")[0]
