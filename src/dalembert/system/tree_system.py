"""TreeSystem: a model of bodies in the coordinates of its joints, with the face of a `BodySystem`.

The joints of a spanning tree (`system.tree`) carry the bodies; what is left over, loop joints and
constraints, keeps its rows. Formulas, joints and forces see the same records of bodies as in
maximal coordinates: what they say of bodies is mapped onto the tree by V = S v.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dalembert.formulas import Expression, load, symbols
from dalembert.formulas.orientation import quaternion
from dalembert.system.bodies import mechanism
from dalembert.system.body_system import DENSE_LIMIT, BodySystem
from dalembert.system.dual import Dual
from dalembert.system.layout import (
    ACTION_TABLE,
    ACTIONS,
    ANGLES_OF,
    BODY_FORCE,
    BODY_RECORDS,
    DENSE,
    DUAL_COLUMN_COUNT,
    DUAL_ROW_COUNT,
    FORCE_HAS_VELOCITY,
    INCIDENCE_TABLE,
    INCIDENCES,
    LENGTH,
    PAIR_TABLE,
    PAIRS,
    PARAMETERS,
    QUATERNION_TABLE,
    QUATERNIONS,
    RECORD,
    ROW_SCALE,
    SPECIFIC,
    SPECIFIC_ACTION,
    SPECIFIC_RESIDUAL,
    TREE_ELEMENT_TABLE,
    TREE_ELEMENTS,
    TREE_LENGTH,
    TREE_NUMBERS,
    TREE_PRODUCT_COUNT,
    TREE_ROWS,
    TREE_SEES_QUATERNIONS,
    TREE_STATE,
    TREE_TABLE,
    TURNS_TABLE,
    Extents,
    allocate,
    offset,
)
from dalembert.system.loop_rows import ELEMENT, VELOCITY, LoopRows, loop_rows
from dalembert.system.tables import PAIR_STRIDE
from dalembert.system.tree import TreeTables, tree_of
from dalembert.system.tree_layout import (
    FREE,
    KIND,
    LINK,
    LINK_TABLE,
    LINKS,
    Q_START,
    ROOM_LENGTH,
    SPHERICAL,
    V_START,
)


@dataclass(frozen=True, eq=False)
class TreeSystem(BodySystem):
    """The compiled model of bodies on a tree."""

    model: Any = None
    tree: TreeTables = field(default=None)  # type: ignore[assignment]
    full: bool = False
    """Whether there is room for full matrices, needed or not."""

    is_tree = True

    @classmethod
    def of(
        cls, model: Any, watched: Sequence[Any] = (), without: frozenset[str] = frozenset()
    ) -> TreeSystem:
        """The system of a model, `without` some forces; raises ModelError where it has no tree."""
        tree = tree_of(model)
        carrying = frozenset(edge.joint.name for edge in tree.joints if edge.joint is not None)
        return cls(
            parts=mechanism(model, watched, without=carrying | without),
            gravity=tuple(model.gravity),
            parameter_names=tuple(sorted(model.parameters)),
            model=model,
            tree=tree,
        )

    # -- names -------------------------------------------------------------------------------

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of q."""
        return tuple(self.tree.coordinate_names)

    @property
    def velocity_names(self) -> tuple[str, ...]:
        """Names of v."""
        return tuple(self.tree.velocity_names)

    # -- counts ------------------------------------------------------------------------------

    @functools.cached_property
    def loops(self) -> LoopRows:
        """Rows on the tree."""
        _ = self._bare_extents  # gives blocks their places
        return loop_rows(self.parts.constraints, self.tree.integers, self.left_out)

    @property
    def dual(self) -> Dual | None:
        """Tables of J M^-1 J^T; None without rows, or where a constraint has very many."""
        return self.loops.dual

    @functools.cached_property
    def _bare_extents(self) -> Extents:
        parts, tree = self.parts, self.tree
        m = parts.rows
        data = blocks = 0
        for element in parts.recorded:
            element.start, data = data, data + len(element.data)
        for pair in parts.pairs:
            pair.blocks, blocks = (blocks, blocks + 6 * pair.count), blocks + 12 * pair.count
        for s in parts.specifics:
            size = 6 * s.count
            s.blocks = tuple(blocks + size * k for k in range(len(s.bodies)))
            blocks += size * len(s.bodies)
        return Extents(
            nq=tree.nq,
            nv=tree.nv,
            holonomic=parts.holonomic,
            rows=m,
            parameters=len(self.parameter_names),
            placed=len(parts.names),
            element_data=data + sum(w.element is None for w in parts.wound),
            jacobian_blocks=blocks,
            wound=len(parts.wound),
            tree_numbers=len(tree.numbers),
            tree_room=int(tree.integers[ROOM_LENGTH]),
            dense=(m > 0 or self.full) and tree.nv + m <= DENSE_LIMIT,
        )

    @functools.cached_property
    def extents(self) -> Extents:
        """Counts without the scratch of a method or integrator."""
        bare, loops = self._bare_extents, self.loops
        return replace(
            bare,
            tree_rows=loops.floats,
            dual=0 if loops.dual is None else loops.dual.floats,
            dual_scratch=0 if loops.dual is None else loops.dual.scratch,
        )

    @property
    def massless(self) -> tuple[int, ...]:
        """A joint that has no inertia to move is an error here."""
        return ()

    def in_full(self) -> TreeSystem:
        """The same system with room for full matrices."""
        return replace(self, full=True)

    def without(self, rows: Iterable[int]) -> TreeSystem:
        """The same system, the forces of which are computed without rows that others imply."""
        return replace(self, left_out=self.left_out | {int(r) for r in rows})

    # -- tables ------------------------------------------------------------------------------

    @functools.cached_property
    def quaternions(self) -> list[tuple[int, int]]:
        """Where quaternions begin in q, and their angular velocities in v."""
        integers, found = self.tree.integers, []
        for i in range(integers[LINKS]):
            at = integers[LINK_TABLE] + LINK * i
            if integers[at + KIND] >= SPHERICAL:
                more = 3 if integers[at + KIND] == FREE else 0
                found.append(
                    (int(integers[at + Q_START]) + more, int(integers[at + V_START]) + more)
                )
        return sorted(found)

    @functools.cached_property
    def _tables(self) -> dict[int, Any]:
        parts = self.parts
        pairs = [
            [
                p.kind.rows.address,
                p.kind.residual.address,
                *(*p.bodies, p.start, p.row, p.count, *p.blocks),
            ]
            for p in parts.pairs
        ]
        return {
            PAIR_TABLE: [row + [0] * (PAIR_STRIDE - len(row)) for row in pairs],
            ACTION_TABLE: [[x.kind.act.address, *x.bodies, x.start] for x in parts.actions],
            INCIDENCE_TABLE: [
                [body, block, s.row, s.count, int(k == 0)]
                for s in parts.specifics
                for k, (body, block) in enumerate(zip(s.bodies, s.blocks, strict=True))
            ],
            TURNS_TABLE: self._turn_places,
            QUATERNION_TABLE: self.quaternions,
            TREE_TABLE: self.tree.integers,
            **self.loops.tables,
            **({} if self.dual is None else self.dual.tables),
        }

    # -- functions of this model alone ---------------------------------------------------------

    @functools.cached_property
    def bindings(self) -> dict[Any, tuple[str, int | None]]:
        """Where the value of each symbol is read; quaternions are not among the coordinates."""
        where = dict(super().bindings)
        first = offset(self.extents, TREE_STATE)
        for b, body in enumerate(self.parts.bodies):
            for k, x in enumerate(quaternion(body.name)):
                where[x] = ("work", first + 7 * b + 3 + k)
        return where

    @functools.cached_property
    def _specific_action(self) -> Any:
        start = offset(self.extents, BODY_FORCE)
        total: dict[int, Expression] = {}
        for action in self.parts.specific_actions:
            for body, parts in action.loads:
                for k, x in enumerate(parts):
                    place = start + 6 * body + k
                    total[place] = total.get(place, load("work", place)) + x
        return self._function("specific_action", [("work", k, x) for k, x in total.items()])

    @functools.cached_property
    def sees_quaternions(self) -> bool:
        """Whether rows or forces hold quaternions of bodies."""
        formulas: list[Any] = [w.angle for w in self.parts.wound]
        for s in self.parts.specifics:
            formulas += [*s.formulas.phi, *s.formulas.phi_dot, *s.formulas.rhs_a]
        formulas += [x for a in self.parts.specific_actions for _, part in a.loads for x in part]
        own = {x for body in self.parts.bodies for x in quaternion(body.name)}
        return not own.isdisjoint(symbols(formulas, "coordinate"))

    # -- arrays ------------------------------------------------------------------------------

    def open(
        self,
        parameters: Sequence[float],
        *,
        tangent: bool = False,
        dense: bool = False,
        method_scratch: int = 0,
        integrator_scratch: int = 0,
        events: int = 0,
        inputs: int = 0,
        sides: tuple[int, int] = (0, 0),
    ) -> tuple[Any, Any, Extents]:
        """`work` and `sizes` with tables and data; the mechanics puts its borders in place."""
        extents = replace(
            self.extents,
            events=events,
            inputs=inputs,
            sides=sides[0],
            side_jacobian=sides[1],
            method_scratch=method_scratch,
            integrator_scratch=integrator_scratch,
        )
        work, sizes = allocate(extents, self._tables)
        parts = self.parts
        if self.dual is not None:
            sizes[DUAL_COLUMN_COUNT : DUAL_ROW_COUNT + 1] = self.dual.counts
        sizes[PAIRS], sizes[ACTIONS] = len(parts.pairs), len(parts.actions)
        sizes[INCIDENCES] = sum(len(s.bodies) for s in parts.specifics)
        sizes[SPECIFIC], sizes[SPECIFIC_RESIDUAL] = self._specific(), self._specific_residual()
        sizes[SPECIFIC_ACTION], sizes[ANGLES_OF] = self._specific_action(), self._angles()
        sizes[FORCE_HAS_VELOCITY] = 1
        sizes[QUATERNIONS] = len(self.quaternions)
        sizes[TREE_LENGTH] = len(self.tree.integers)
        sizes[TREE_ELEMENTS] = len(parts.constraints)
        sizes[TREE_PRODUCT_COUNT] = self.loops.products
        sizes[TREE_SEES_QUATERNIONS] = int(self.sees_quaternions)
        sizes[DENSE] = int((dense or tangent) and extents.dense)
        start = sizes[PARAMETERS]
        work[start : start + len(self.parameter_names)] = np.asarray(parameters, dtype=float)
        work[sizes[ROW_SCALE] : sizes[ROW_SCALE] + extents.rows] = 1.0
        work[sizes[LENGTH]] = 1.0
        values = dict(zip(self.parameter_names, map(float, parameters), strict=True))
        self._write_data(work, sizes, values)
        self._write_tree(work, sizes, values)
        return work, sizes, extents

    def _write_tree(self, work: Any, sizes: Any, values: Mapping[str, float]) -> None:
        world = int(sizes[BODY_RECORDS]) + RECORD * len(self.parts.names)
        work[world + 3 : world + 12] = np.eye(3).ravel()
        tree = self.tree
        if values != {name: tree.parameters.get(name) for name in values}:
            tree = tree_of(self.model.with_parameters(**values))
        start = int(sizes[TREE_NUMBERS])
        work[start : start + len(tree.numbers)] = tree.numbers

    def jacobian(self, work: Any, sizes: Any) -> np.ndarray:
        """J of the last evaluated state as a full matrix."""
        J = np.zeros((self.parts.rows, self.tree.nv))
        table = int(sizes[TREE_ELEMENT_TABLE])
        for e in range(len(self.parts.constraints)):
            row, count, width, place, _, _, _, first, *_ = sizes[table + ELEMENT * e :][:ELEMENT]
            at = int(sizes[TREE_ROWS]) + place
            dofs = sizes[table + first :][: VELOCITY * width : VELOCITY]
            J[row : row + count, dofs] = work[at : at + count * width].reshape(count, width)
        return J
