"""Elements of one kind, evaluated together: numbers of their frames as arrays."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert._once import once_property
from dalembert.analysis.equations.pieces import Owner
from dalembert.formulas.expression import TIME, Expression, coordinate, load
from dalembert.formulas.orientation import arm, rotation, turning
from dalembert.model.basics.element import FrameView, cross
from dalembert.model.start.states import States, body_values, from_center, number

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@functools.cache
def frame_owner(k: int) -> Owner:
    """Symbols of the k-th frame of a kind."""
    return Owner(f"@{k}", tuple(coordinate(f"@{k}.{x}") for x in "xyz"))


@functools.cache
def frame_view(k: int) -> FrameView:
    """The k-th frame of a kind, as joints and forces see it."""
    owner = frame_owner(k)
    place = np.array(owner.place, dtype=object)
    speed = np.array([x.dot for x in place], dtype=object)
    r, w = arm(owner.name), turning(owner.name)
    return FrameView(place + r, rotation(owner.name), speed + cross(w, r), w)


@functools.cache
def _leaves(k: int) -> list[Expression]:
    owner = frame_owner(k)
    return [
        *owner.place,
        *arm(owner.name),
        *(x.dot for x in owner.place),
        *turning(owner.name),
        *rotation(owner.name).ravel(),
    ]


class Group:
    """Instances of a kind: bodies (I, frames), rows (I, count), and the numbers they hold.

    A piece of `frames_alone` reads no other numbers of its elements: a coordinate, which joints of
    several kinds have in common.
    """

    def __init__(self, piece: Any, *, frames_alone: bool = False) -> None:
        self.piece = piece
        self.frames_alone = frames_alone
        self.elements: list[Any] = []
        self.bodies: list[tuple[int, ...]] = []
        self.rows: list[list[int]] = []

    def add(self, element: Any, bodies: tuple[int, ...], rows: list[int]) -> None:
        """One more instance."""
        self.elements.append(element)
        self.bodies.append(bodies)
        self.rows.append(rows)

    def numbered(self, parameters: Mapping[str, float]) -> None:
        """Fill the arrays."""
        self.body_array: Ints = np.array(self.bodies, dtype=np.int64)
        self.row_array: Ints = np.array(self.rows, dtype=np.int64)
        self._offset, self._axes = [], []
        for side in range(self.body_array.shape[1]):
            frames = [element.frames[side] for element in self.elements]
            self._offset.append(np.array([from_center(f, parameters) for f in frames]))
            self._axes.append(np.array([f.orientation.matrix for f in frames]))
        kept = [() if self.frames_alone else element.data() for element in self.elements]
        data = [[number(x, parameters) for x in given] for given in kept]
        self.data = np.array(data).reshape(len(self.elements), -1)

    @once_property
    def angles(self) -> dict[Any, list[Any]]:
        """Symbol of turns -> angle in (-pi, pi] of every instance."""
        if self.frames_alone:
            return {}
        each = [element.angles(element.views) for element in self.elements]
        first = self.data.shape[1]
        return {load("data", first + k): [x[k] for x in each] for k in range(len(each[0]))}

    def values(self, states: States, bodies: Sequence[Any]) -> dict[Any, Any]:
        """Symbol -> (I,)."""
        found: dict[Any, Any] = {}
        for side in range(self.body_array.shape[1]):
            mine = self.body_array[:, side]
            R = states.R[mine, 0]
            series = np.concatenate(
                [
                    states.center[mine, 0],
                    np.einsum("iab,ib->ia", R, self._offset[side]),
                    states.velocity[mine, 0],
                    states.spin[mine, 0],
                    (R @ self._axes[side]).reshape(len(mine), 9),
                ],
                axis=1,
            )
            found |= {x: series[:, i] for i, x in enumerate(_leaves(side))}
        return found | {load("data", i): column for i, column in enumerate(self.data.T)}


@dataclass
class Single:
    """Rows or loads by formulas of their own, over some bodies of the model."""

    piece: Any
    bodies: list[int]
    row_list: list[int]

    @property
    def body_array(self) -> Ints:
        """(1, bodies)."""
        return np.array([self.bodies], dtype=np.int64)

    @property
    def row_array(self) -> Ints:
        """(1, rows)."""
        return np.array([self.row_list], dtype=np.int64)

    def values(self, states: States, bodies: Sequence[Any]) -> dict[Any, Any]:
        """Symbol -> (1,)."""
        found: dict[Any, Any] = {}
        for b in self.bodies:
            found |= body_values(bodies[b], b, states)
        return found


def common(
    leaves: Sequence[Any],
    t: float,
    parameters: Mapping[str, float],
    known: Mapping[Any, Any],
) -> dict[Any, Any]:
    """Values of time, parameters and counted turns, zero unless known, where they are wanted."""
    found: dict[Any, Any] = {TIME: t}
    for leaf in leaves:
        if leaf in known:
            continue
        if leaf.op == "parameter":
            found[leaf] = parameters.get(leaf.name, leaf.value)
        elif leaf.op == "load" and leaf.data[0] in ("data", "turns"):
            found[leaf] = 0.0
        elif leaf.op == "coordinate" and leaf.name.endswith(":turns"):
            found[leaf] = 0.0
    return found
