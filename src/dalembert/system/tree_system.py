"""TreeSystem: a model of bodies in the coordinates of its joints, with the face of a `BodySystem`.

The joints of a spanning tree (`system.tree`) carry the bodies; what is left over, loop joints and
constraints, keeps its rows. Formulas, joints and forces see the same records of bodies as in
maximal coordinates: what they say of bodies is mapped onto the tree by V = S v.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dalembert._once import once_property
from dalembert.formulas import symbols
from dalembert.formulas.expression import coordinate
from dalembert.formulas.graph import Store, substitute
from dalembert.formulas.orientation import quaternion
from dalembert.system.bodies import PairAction
from dalembert.system.body_system import DENSE_LIMIT, BodySystem
from dalembert.system.body_writing import write_world
from dalembert.system.dual import Dual
from dalembert.system.layout import Extents, offset
from dalembert.system.loop_rows import LoopRows, loop_rows
from dalembert.system.loop_tables import Loops, Touched
from dalembert.system.read_mechanism import mechanism
from dalembert.system.state_layout import State
from dalembert.system.tables import PAIR_STRIDE
from dalembert.system.tree import TreeJoint, TreeTables, tree_of
from dalembert.system.tree_layout import FREE, REVOLUTE, SPHERICAL, Dof, Head, Joint


def _angle_of(edge: TreeJoint) -> Any:
    """Symbol of the first coordinate of a joint."""
    return coordinate(f"{edge.name}:coordinate")


@dataclass(frozen=True, eq=False)
class TreeSystem(BodySystem):
    """The compiled model of bodies on a tree."""

    model: Any = None
    tree: TreeTables = field(default=None)  # type: ignore[assignment]
    full: bool = False
    """Whether there is room for full matrices, needed or not."""

    is_tree = True
    force_field = "body_force"

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

    @once_property
    def loops(self) -> LoopRows:
        """Rows on the tree."""
        _ = self._bare_extents  # gives blocks their places
        return loop_rows(self.parts.constraints, self.tree.integers, self.left_out)

    @property
    def dual(self) -> Dual | None:
        """Tables of J M^-1 J^T; None without rows, or where a constraint has very many."""
        return self.loops.dual

    @once_property
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
            tree_room=Head(tree.integers, 0).room_length,
            dense=(m > 0 or self.full) and tree.nv + m <= DENSE_LIMIT,
        )

    @once_property
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
        """The system with room for full matrices."""
        return self if self.full else replace(self, full=True)

    def without(self, rows: Iterable[int]) -> TreeSystem:
        """The system with its forces computed without rows that others imply."""
        left_out = self.left_out | {int(r) for r in rows}
        return self if left_out == self.left_out else replace(self, left_out=left_out)

    # -- tables ------------------------------------------------------------------------------

    @once_property
    def quaternions(self) -> list[tuple[int, int]]:
        """Where quaternions begin in q, and their angular velocities in v."""
        kind, q, v = (self._of_links(name) for name in ("kind", "q_start", "v_start"))
        more = np.where(kind == FREE, 3, 0)
        places = np.stack([q + more, v + more], axis=1)[kind >= SPHERICAL]
        return sorted((int(q), int(v)) for q, v in places)

    def _of_links(self, name: str) -> Any:
        """A field of the joints of all links."""
        head = Head(self.tree.integers, 0)
        return Joint.column(self.tree.integers[head.link_table :], name, head.links)

    @once_property
    def _tables(self) -> dict[str, Any]:
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
            "pair_table": [row + [0] * (PAIR_STRIDE - len(row)) for row in pairs],
            "action_table": [[x.kind.act.address, *x.bodies, x.start] for x in parts.actions],
            "incidence_table": [
                [body, block, s.row, s.count, int(k == 0)]
                for s in parts.specifics
                for k, (body, block) in enumerate(zip(s.bodies, s.blocks, strict=True))
            ],
            "turns_table": self._turn_places,
            "quaternion_table": self.quaternions,
            "tree_table": self.tree.integers,
            "tree_seen": self._seen,
            **self.loops.tables,
            **({} if self.dual is None else self.dual.tables),
        }

    @property
    def _seen(self) -> list[int]:
        """Whether rows see the body of each link; angles may be those of any."""
        parts, links = self.parts, self._of_links("body").tolist()
        if any(not isinstance(w.element, PairAction) for w in parts.wound):
            return [int(body >= 0) for body in links]
        seen = {body for constraint in parts.constraints for body in constraint.bodies}
        return [int(body >= 0 and body in seen) for body in links]

    # -- functions of this model alone ---------------------------------------------------------

    @once_property
    def bindings(self) -> dict[Any, tuple[str, int | None]]:
        """Where the value of each symbol is read; quaternions are not among the coordinates."""
        where = dict(super().bindings)
        first = offset(self.extents, "tree_state")
        for b, body in enumerate(self.parts.bodies):
            for k, x in enumerate(quaternion(body.name)):
                where[x] = ("work", first + 7 * b + 3 + k)
        for edge in self.tree.joints:
            where[_angle_of(edge)] = ("q", edge.q.start)
        return where

    @once_property
    def _known_angles(self) -> dict[Any, Any]:
        """Angles of hinges that are coordinates: nobody has to find them from how bodies stand."""
        return {
            edge.joint.angles(edge.joint.views)[0]: _angle_of(edge)
            for edge in self.tree.joints
            if edge.kind == REVOLUTE and not edge.parts
        }

    def _function(self, name: str, stores: list[Store]) -> Callable[[], int]:
        formulas = substitute([store[2] for store in stores], self._known_angles)
        made = [(*store[:2], x) for store, x in zip(stores, formulas, strict=True)]
        return super()._function(name, made)

    @property
    def _wound_angles(self) -> list[Any]:
        """Angles whose turns are counted; elements find theirs from how bodies stand."""
        known = self._known_angles
        return [
            w.angle if w.element is not None else known.get(w.angle, w.angle)
            for w in self.parts.wound
        ]

    @once_property
    def _angles(self) -> Callable[[], int]:
        return super()._function("angles", self._rows("angles", 0, self._wound_angles))

    @once_property
    def sees_quaternions(self) -> bool:
        """Whether rows or forces hold quaternions of bodies."""
        formulas: list[Any] = []
        for s in self.parts.specifics:
            formulas += [*s.formulas.phi, *s.formulas.phi_dot, *s.formulas.rhs_a]
        formulas += [x for a in self.parts.specific_actions for _, part in a.loads for x in part]
        own = {x for body in self.parts.bodies for x in quaternion(body.name)}
        formulas = [*substitute(formulas, self._known_angles), *self._wound_angles]
        return not own.isdisjoint(symbols(formulas, "coordinate"))

    # -- arrays ------------------------------------------------------------------------------

    def _write_own(self, state: State, values: Mapping[str, float]) -> None:
        """Write what only this kind of coordinates has."""
        state.tree_length = len(self.tree.integers)
        state.tree_elements = len(self.parts.constraints)
        state.tree_product_count = self.loops.products
        state.tree_sees_quaternions = int(self.sees_quaternions)
        write_world(state)
        tree = self.tree
        if values != {name: tree.parameters.get(name) for name in values}:
            tree = tree_of(self.model.with_parameters(**values))
        state.tree_numbers[: len(tree.numbers)] = tree.numbers
        # Angle, sine and cosine that belong together.
        dofs = state.tree_room[Head(tree.integers, 0).dof_room :]
        Dof.column(dofs, "angle", tree.nv)[:] = 0.0
        Dof.column(dofs, "cosine", tree.nv)[:] = 1.0

    def jacobian(self, state: State) -> np.ndarray:
        """J of the last evaluated state as a full matrix."""
        J = np.zeros((self.parts.rows, self.tree.nv))
        loops, table, rows = Loops(state), state.sizes[state.tree_element_table :], state.tree_rows
        for loop in (loops[e] for e in range(len(loops))):
            dofs = Touched.column(table[loop.velocities :], "dof", loop.width)
            block = rows[loop.start : loop.start + loop.count * loop.width]
            J[loop.row : loop.row + loop.count, dofs] = block.reshape(loop.count, loop.width)
        return J
