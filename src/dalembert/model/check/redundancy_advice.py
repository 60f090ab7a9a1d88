"""Which joint to relax so that no row repeats another.

A joint that repeats others may be exchanged for one that holds less, as long as the mechanism can
do no more than before: the rank stays what it is. Candidates hold a part of what the joint holds;
each is tried on the rows themselves, at ordinary positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dalembert.model.check.mobility import Mobility, rank_of, unit_rows
from dalembert.model.joints.cylindrical import Cylindrical
from dalembert.model.joints.joint import AxisJoint, PairJoint
from dalembert.model.joints.planar import Planar
from dalembert.model.joints.point_on_line import PointOnLine
from dalembert.model.joints.point_on_plane import PointOnPlane
from dalembert.model.joints.revolute import Revolute
from dalembert.model.joints.spherical import Spherical
from dalembert.model.start.closing import Closing
from dalembert.model.start.rows_numpy import Rows

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

Array = npt.NDArray[np.float64]

LARGEST = 250
"""Rows up to which exchanges are tried."""

TRIED = 4
"""Joints to begin with where one exchange will not do."""

COMMON = (Spherical, Cylindrical, Revolute)
SPECIAL = (PointOnLine, Planar, PointOnPlane)


@dataclass(frozen=True)
class Exchange:
    """A joint and what to put in its place; nothing when it can be left out."""

    name: str
    by: str

    def __str__(self) -> str:
        return f"make {self.name} a {self.by}" if self.by else f"leave {self.name} out"


def relaxed(model: Model, rows: Rows, found: Mobility) -> list[str]:
    """Joints to change, in words: one way, and one with common joints if the first is special."""
    if not found.redundant or found.rows > LARGEST:
        return []
    search = _Search(model, rows, found)
    blamed = [x.owner for x in reversed(found.redundant)]
    order = list(dict.fromkeys([*blamed, *_explaining(found)]))
    first = search.shortest(order, COMMON + SPECIAL)
    ways = [] if first is None else [first]
    if first and any(kind.__name__ in x.by for x in first for kind in SPECIAL):
        common = search.shortest(order, COMMON)
        ways += [] if common is None else [common]
    return [" and ".join(map(str, way)) for way in ways]


def _explaining(found: Mobility) -> list[str]:
    return [name for x in found.redundant for name in reversed(x.fixed_by)]


class _Search:
    """Rows at ordinary positions, with some joints exchanged."""

    def __init__(self, model: Model, rows: Rows, found: Mobility) -> None:
        self.model, self.rows = model, rows
        self.rank = found.rank
        self.positions = found.positions[-2:]
        self.closing = Closing(rows)
        self.J = unit_rows(rows, self.closing, 0.0, self.positions)

    def shortest(self, order: Sequence[str], kinds: tuple[Any, ...]) -> list[Exchange] | None:
        """One joint if that will do, else several, beginning with each in turn."""
        several = [[x, *(y for y in order if y != x)] for x in order[:TRIED]]
        found = None
        for names in [*([x] for x in order), *several]:
            way, left = self.greedy(names, kinds)
            if not left and (found is None or len(way) < len(found)):
                found = way
                if len(way) == 1:
                    break
        return found

    def greedy(self, names: Sequence[str], kinds: tuple[Any, ...]) -> tuple[list[Exchange], int]:
        """Exchanges of joints, one after the other, and how many rows still repeat others."""
        parts = {owner: self.J[:, mine] for owner, mine in self.rows.slices.items()}
        total = sum(part.shape[1] for part in parts.values())
        way: list[Exchange] = []
        for name in names:
            if total == self.rank:
                break
            others = [part for owner, part in parts.items() if owner != name]
            best: tuple[str, Array] | None = None
            for by, part in self._candidates(name, kinds):
                fewer = best is None or part.shape[1] < best[1].shape[1]
                enough = total - parts[name].shape[1] + part.shape[1] >= self.rank
                if fewer and enough and self._keeps(others, part):
                    best = by, part
            if best is not None:
                total += best[1].shape[1] - parts[name].shape[1]
                parts[name] = best[1]
                way.append(Exchange(name, best[0]))
        return way, total - self.rank

    def _keeps(self, others: list[Array], part: Array) -> bool:
        """Whether the mechanism can do no more than before."""
        whole = np.concatenate([*others, part], axis=1)
        return all(rank_of(J) == self.rank for J in whole)

    def _candidates(self, name: str, kinds: tuple[Any, ...]) -> Iterator[tuple[str, Array]]:
        own = self.J[:, self.rows.slices[name]]
        yield "", own[:, :0]
        joint = self.model.joints.get(name)
        if not isinstance(joint, PairJoint):
            return
        size = [rank_of(J) for J in own]
        for kind in kinds:
            for axis in _axes(joint) if issubclass(kind, AxisJoint) else [None]:
                made, by = _made(kind, joint, axis)
                part = Rows(self.model, [made], [], self.rows.bodies)
                J = unit_rows(part, self.closing, 0.0, self.positions)
                both = np.concatenate([own, J], axis=1)
                # it must hold a part of what the joint holds
                if J.shape[1] < own.shape[1] and [rank_of(x) for x in both] == size:
                    yield by, J


def _axes(joint: Any) -> list[Any]:
    """The joint's own axis, or any."""
    return [joint.axis] if isinstance(joint, AxisJoint) else ["x", "y", "z"]


def _made(kind: Any, joint: Any, axis: Any) -> tuple[Any, str]:
    ends = {"first": joint.first, "second": joint.second, "name": joint.name}
    if axis is None:
        return kind(**ends), f"dl.{kind.__name__}"
    shown = repr(axis) if isinstance(axis, str) else f"({', '.join(f'{x:g}' for x in axis)})"
    return kind(**ends, axis=axis), f"dl.{kind.__name__}(axis={shown})"
