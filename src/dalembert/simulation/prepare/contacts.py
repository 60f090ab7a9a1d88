"""Needs of a run that solves for impulses besides its system: one-sided rows, shapes, memory.

`Contacts` is read from a model once; `attach` puts its part behind `work` and `sizes`; `enlarge`
makes more room in the midst of a run, with nothing lost.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dalembert.collision.layout import Scene
from dalembert.collision.scene import build_scene, enlarged_scene
from dalembert.contact.problem.capacity import Capacity, grown
from dalembert.contact.problem.record_layout import MOST_ROWS
from dalembert.contact.run.record_layout import CLASS_FLOATS, Law
from dalembert.contact.run.run_layout import SCENE_ROOM, ContactRun
from dalembert.contact.run.tables import (
    Room,
    Tables,
    arrays_of,
    carry,
    room_of,
    scene_of,
    with_contacts,
)
from dalembert.formulas import constant, substitute, symbols
from dalembert.model.basics.quantity import AS_FORMULAS, value_of
from dalembert.model.check.contact import require
from dalembert.model.contact.combine import PairLaw
from dalembert.model.contact.surface_classes import surface_classes
from dalembert.model.core.model import Model
from dalembert.simulation.prepare.one_sided import Sides, sides_of
from dalembert.system.body_system import BodySystem
from dalembert.system.build import build
from dalembert.system.layout import extended
from dalembert.system.state_layout import State
from dalembert.system.system import System
from dalembert.system.tree_system import TreeSystem

APART = -1.0
"""Friction that marks two classes of surfaces that pass through each other."""

ROWS, FLOATS = 6, 72
"""Rows of a contact, and floats of its J, at most."""


@dataclass(frozen=True)
class Contacts:
    """One-sided rows and shapes of a model."""

    model: Model
    sides: Sides

    @classmethod
    def of(cls, model: Model) -> Contacts:
        """Contacts of a model."""
        return cls(model, sides_of(model))

    def at(self, model: Model) -> Contacts:
        """Contacts with the values of parameters that a model has."""
        own, given = self.model.parameters, model.parameters
        changed = {k: given[k] for k in own if k in given and given[k] != own[k]}
        return replace(self, model=self.model.with_parameters(**changed)) if changed else self

    def may_be_smooth(self, method: Any) -> bool:
        """Whether a method may take steps in which nothing is near as if there were none of it."""
        one_sided = self.sides.count > 0 or self.model.has_contact
        return bool(method.may_be_smooth(self.sides.drives, one_sided))

    def formulas(self, system: Any) -> list[Any]:
        """Formulas of the one-sided rows; parameters unknown to the equations become values."""
        formulas = list(self.sides.formulas)
        for place, number in self.sides.loads(system).items():
            formulas[place] = constant(number)
        return self._known(formulas, system)

    def biases(self, system: Any) -> list[Any]:
        """Formulas of J' v of the one-sided rows."""
        return self._known(list(self.sides.biases), system)

    def _known(self, formulas: list[Any], system: Any) -> list[Any]:
        unknown = {
            leaf: constant(self.model.parameters.get(leaf.name, leaf.value))
            for leaf in symbols(formulas, "parameter")
            if leaf.name not in system.parameter_names
        }
        return substitute(formulas, unknown) if unknown else formulas


def build_for(
    model: Model, method: Any, watched: Sequence[Any] = (), held: frozenset[str] = frozenset()
) -> tuple[System | BodySystem, Contacts | None]:
    """The system of a model for a method, and what the method keeps besides constraints."""
    if not getattr(method, "impulses", False):
        return build(model, watched, held), None
    require(model)
    contacts = Contacts.of(model)
    rows = contacts.sides.formulas
    return build(model, [*watched, *rows], held, contacts.sides.replaced), contacts


# -- tables ----------------------------------------------------------------------------------------


def tables_of(contacts: Contacts, system: Any, values: Sequence[float]) -> Tables:
    """Tables that a run holds from the beginning, at the given values of parameters."""
    known = dict(zip(system.parameter_names, map(float, values), strict=True))
    model = contacts.model
    if any(model.parameters.get(name) != value for name, value in known.items()):
        own = {k: v for k, v in known.items() if k in model.parameters}
        model = model.with_parameters(**own)
    body_table, cliques, velocities = _cliques(system, contacts.sides)
    blocks, rows = _fixed(system, contacts.sides)
    shapes = model.contact_shapes
    classes = surface_classes(model) if shapes else None
    size = 0 if classes is None else len(classes.laws)
    laws = np.zeros((size, size, CLASS_FLOATS))
    if classes is not None:
        for i, row in enumerate(classes.laws):
            for j, law in enumerate(row):
                laws[i, j] = _law(law)
    surfaces = np.zeros((len(shapes), 3))
    for k, shape in enumerate(shapes):
        surfaces[k] = [
            value_of(x, model.parameters) or 0.0 for x in shape.material.surface_velocity
        ]
    names = list(system.parts.names) if isinstance(system, BodySystem) else []
    scene = build_scene(model, names, () if classes is None else classes.of_shape)
    return Tables(
        body_table=body_table,
        cliques=cliques,
        dof_cliques=velocities,
        laws=contacts.sides.table,
        classes=laws,
        surfaces=surfaces,
        scene=scene,
        fixed_blocks=blocks,
        fixed_rows=rows,
        surface_size=_smallest(scene),
        state=system.extents.nq + system.extents.nv,
        logged=contacts.sides.count + system.extents.nv,
    )


def _smallest(scene: Scene) -> float:
    """Smallest bounding radius of a shape that ends somewhere; 1 m where there is none."""
    radii = [scene.shape(k).bounding_radius for k in range(scene.shapes)]
    return float(min((r for r in radii if 0.0 < r < math.inf), default=1.0))


def _law(law: PairLaw | None) -> list[Any]:
    """The record of a pair of classes, in numbers or formulas."""
    numbers: list[Any] = [0.0] * CLASS_FLOATS
    if law is None:
        numbers[Law.offsets("friction")[0]] = APART
        return numbers
    frequency = None if law.frequency is None else 2.0 * math.pi * law.frequency
    for name, value in (
        ("friction", law.friction),
        ("spinning", law.torsional),
        ("rolling", law.rolling),
        ("restitution", law.restitution),
        ("stiffness", law.stiffness),
        ("damping", law.damping),
        ("frequency", frequency),
        ("damping_ratio", law.damping_ratio),
        ("tangential_stiffness", law.tangential_stiffness),
        ("tangential_damping", law.tangential_damping),
        ("dissipation", law.dissipation),
        ("viscous", law.viscous),
        ("static", law.static_friction),
    ):
        numbers[Law.offsets(name)[0]] = 0.0 if value is None else value
    return numbers


def law_formulas(model: Model) -> tuple[list[Any], list[Any]]:
    """Entries of `Tables.classes` and `Tables.surfaces`, formulas where parameters decide them."""
    classes = surface_classes(model, AS_FORMULAS)
    laws = [x for row in classes.laws for law in row for x in _law(law)]
    return laws, [x for shape in model.contact_shapes for x in shape.material.surface_velocity]


NO_VELOCITIES = np.zeros((0, 2), dtype=np.int64)


def _cliques(system: Any, sides: Sides) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Clique and place in it of every body, sizes of cliques; on a tree the same of velocities.

    A block knows two cliques: bodies that a row of more than two connects share one.
    """
    if not isinstance(system, BodySystem):
        only = np.array([system.extents.nv], dtype=np.int64)
        return np.zeros((0, 2), dtype=np.int64), only, NO_VELOCITIES
    if isinstance(system, TreeSystem):
        return _branches(system, sides)
    count = len(system.parts.names)
    groups = [list(s.bodies) for s in system.parts.specifics if len(s.bodies) > 2]
    table = np.zeros((count, 2), dtype=np.int64)
    sizes: list[int] = []
    numbers: dict[int, int] = {}
    for body, root in enumerate(_joined(count, [*groups, *sides.groups])):
        if root not in numbers:
            numbers[root] = len(sizes)
            sizes.append(0)
        clique = numbers[root]
        table[body] = clique, sizes[clique]
        sizes[clique] += 6
    return table, np.array(sizes, dtype=np.int64), NO_VELOCITIES


def _branches(system: TreeSystem, sides: Sides) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cliques of a tree: what one joint carries from the world; more where rows join them."""
    tree, count = system.tree, len(system.parts.names)
    number = {name: b for b, name in enumerate(tree.bodies)}
    carried = [
        [number[edge.body], number[edge.parent]] for edge in tree.joints if edge.parent in number
    ]
    groups = [list(s.bodies) for s in system.parts.specifics if len(s.bodies) > 2]
    roots = _joined(count, [*carried, *groups, *sides.groups])
    cliques: dict[int, int] = {}
    table, velocities = np.zeros((count, 2), dtype=np.int64), np.zeros((tree.nv, 2), dtype=np.int64)
    sizes: list[int] = []
    for edge in tree.joints:
        body = number[edge.body]
        clique = cliques.setdefault(roots[body], len(cliques))
        if clique == len(sizes):
            sizes.append(0)
        table[body] = clique, 0
        for k in range(edge.v.start, edge.v.stop):
            velocities[k] = clique, sizes[clique]
            sizes[clique] += 1
    return table, np.array(sizes, dtype=np.int64), velocities


def _joined(count: int, groups: Iterable[Sequence[int]]) -> list[int]:
    """For every body the smallest of those it is joined with."""
    parent = list(range(count))

    def root(k: int) -> int:
        while parent[k] != k:
            k = parent[k]
        return k

    for group in groups:
        for other in group[1:]:
            a, b = sorted((root(group[0]), root(other)))
            parent[b] = a
    return [root(k) for k in range(count)]


def _fixed(system: Any, sides: Sides) -> tuple[int, int]:
    """Blocks and rows that are there in every step."""
    if isinstance(system, BodySystem):
        counts = [element.count for element in system.parts.constraints]
    else:
        counts = [system.extents.rows]
    blocks = sum(-(-count // MOST_ROWS) for count in counts)
    return blocks + sides.count, sum(counts) + sides.count + sides.flat


def first_room(tables: Tables) -> Room:
    """Room to begin with: a few contacts for every shape."""
    contacts = 0 if not len(tables.surfaces) else 16 + 6 * len(tables.surfaces)
    sizes = tables.cliques
    widest = int(sizes.max(initial=1))
    floats = tables.fixed_rows * 2 * widest + contacts * FLOATS
    bodies = len(sizes)
    usual = Capacity.of_bodies(bodies, tables.fixed_blocks + contacts)
    problem = replace(
        usual,
        velocities=int(sizes.sum()),
        rows=tables.fixed_rows + 3 * contacts,
        matrix=int((sizes**2).sum()),
        jacobian=floats,
    )
    return Room(contacts, problem)


# -- in a run --------------------------------------------------------------------------------------


def attach(state: State, part: tuple[np.ndarray, np.ndarray]) -> State:
    """The state with the memory of contact behind it, instead of what was there."""
    # the last float of `work` is a spare one (`system.layout.allocate`)
    start = state.contact_numbers or len(state.work)
    first = state.contact_integers or len(state.sizes)
    made = extended(State(state.work[:start], state.sizes[:first]), *part)
    made.contact_integers, made.contact_integers_length = first, len(part[0])
    made.contact_numbers, made.contact_numbers_length = start, len(part[1])
    return made


def part_of(state: State) -> tuple[np.ndarray, np.ndarray]:
    """Views of the integers and numbers of contact."""
    first, count = state.contact_integers, state.contact_integers_length
    start, length = state.contact_numbers, state.contact_numbers_length
    return state.sizes[first : first + count], state.work[start : start + length]


def enlarge(state: State, tables: Tables) -> State:
    """The state of the same run with more of the room that was missing."""
    integers, numbers = part_of(state)
    run = ContactRun(numbers, integers)
    room, scene = room_of(run), scene_of(run)
    tables = replace(tables, scene=scene)
    if run.room_wanted == SCENE_ROOM:
        tables = replace(tables, scene=enlarged_scene(scene))
        more = max(2 * room.contacts, run.contacts_found)
        room = with_contacts(room, more, ROWS, FLOATS) if more > room.contacts else room
    else:
        room = replace(room, problem=grown(run.problem))
    made = arrays_of(tables, room)
    carry((integers, numbers), made)
    return attach(state, made)


def roomy(
    state: State, tables: Tables, needed: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """The memory of contact of a run with room for twice the contacts of another run of it."""
    integers, numbers = needed
    other = ContactRun(numbers, integers)
    room = room_of(other)
    scene = enlarged_scene(scene_of(other)) if room.contacts else scene_of(other)
    room = with_contacts(room, 2 * room.contacts, ROWS, FLOATS) if room.contacts else room
    made = arrays_of(replace(tables, scene=scene), room)
    carry(part_of(state), made)
    return made


__all__ = [
    "Contacts",
    "attach",
    "build_for",
    "enlarge",
    "first_room",
    "law_formulas",
    "part_of",
    "roomy",
    "tables_of",
]
