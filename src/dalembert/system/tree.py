"""A model of bodies as a tree: which joints carry which bodies, as flat tables for kernels.

The joints of a model are the edges of a graph whose nodes are the bodies and the world. A spanning
tree of it, grown from the world breadth first so that paths are short, gives every body a parent
and a joint to it. Coordinates q and velocities v of the tree are those of these joints; what is
left over, loop joints and constraints, stays a constraint. A body no usable joint reaches is free.

A joint is seen from the parent. Where its first frame is on the child, the two frames change places
and are turned by half a turn about x: angle and displacement keep their sign. The arms of a cross
change places too; a ball joint gives the child's frame in the parent's.

    kind          q                                v
    fixed         -                                -
    revolute      angle                            its rate
    prismatic     displacement                     its rate
    screw         angle                            its rate
    cylindrical   angle, displacement              their rates
    universal     two angles                       their rates
    planar        x, y, angle                      their rates
    spherical     quaternion (w, x, y, z)          relative angular velocity in the parent's frame
    free          centre of mass, quaternion       its velocity, angular velocity, world axes
    compound      displacements, angles            their rates
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dalembert.errors import ModelError
from dalembert.model.basics.frame import WORLD
from dalembert.model.basics.quantity import value_of
from dalembert.model.basics.rigid_body import QUATERNION
from dalembert.system.tree_layout import (
    COMPOUND,
    COORDINATES,
    DOF,
    FREE,
    GRAVITY_LENGTH,
    HEAD,
    LINK,
    NUMBERS,
    SPHERICAL,
    VELOCITIES,
    Head,
    link_tables,
    reserve,
)
from dalembert.system.tree_links import KINDS, compound_parts, links_of, turns_freely

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class TreeJoint:
    """One edge of the tree.

    Attributes
    ----------
    name : of the joint; of the body for a free one
    joint : the joint of the model, or None
    kind : REVOLUTE, ...
    body, parent : names
    reversed : True where the joint's first frame is on the child
    q, v : its slices of the coordinates and velocities
    parts : names of the coordinates of a compound joint or of a free body, in the order of q
    """

    name: str
    joint: Any
    kind: int
    body: str
    parent: str
    reversed: bool
    q: slice
    v: slice
    parts: tuple[str, ...] = ()

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of its coordinates, without its own."""
        return self.parts or COORDINATES[self.kind]

    @property
    def velocities(self) -> tuple[str, ...]:
        """Names of its velocities, without its own."""
        if self.kind in (SPHERICAL, FREE):
            return VELOCITIES[self.kind]
        return tuple(f"{part}.dot" for part in self.coordinates)


@dataclass(frozen=True)
class TreeTables:
    """The tree of a model.

    Attributes
    ----------
    joints : edges, parents first
    bodies : names, in the model's order
    parameters : their values, as read
    loops : joints of the model that remain as constraints
    constraints : formula constraints of the model, all of which remain
    integers, numbers : what kernels read
    armature, damping : views into `numbers`, one entry for each velocity
    nq, nv : number of coordinates and velocities
    """

    joints: list[TreeJoint]
    loops: list[Any]
    constraints: list[Any]
    integers: npt.NDArray[np.int64]
    numbers: Array
    nq: int
    nv: int
    bodies: list[str] = field(default_factory=list)
    parameters: dict[str, float] = field(default_factory=dict)

    @property
    def armature(self) -> Array:
        """Inertia of the drives, added to the diagonal of M."""
        start = Head(self.integers, 0).armature_start
        return self.numbers[start : start + self.nv]

    @property
    def damping(self) -> Array:
        """Force against every velocity, per unit of it."""
        start = Head(self.integers, 0).damping_start
        return self.numbers[start : start + self.nv]

    def room(self) -> Array:
        """Scratch for kernels."""
        return np.zeros(Head(self.integers, 0).room_length)

    @property
    def coordinate_names(self) -> list[str]:
        """``elbow.angle``, ``torso.center_x``, one for each entry of q."""
        return [f"{j.name}.{part}" for j in self.joints for part in j.coordinates]

    @property
    def velocity_names(self) -> list[str]:
        """``elbow.angle.dot``, ``torso.wx``, one for each entry of v."""
        return [f"{j.name}.{part}" for j in self.joints for part in j.velocities]


def tree_of(model: Model) -> TreeTables:
    """The spanning tree of a model of bodies.

    Raises
    ------
    ModelError
        The model has no bodies, or bodies described by roll, pitch and yaw.
    """
    bodies = dict(model.bodies)
    if not bodies:
        raise ModelError("tree: the model has no bodies. Add them with add_body.")
    for body in bodies.values():
        if body.orientation != QUATERNION:
            raise ModelError(
                f"tree: body '{body.name}' has roll, pitch and yaw as coordinates. Leave "
                "orientation out, so that joints can carry it."
            )
    tables = _tables(model, _with_rotors(model, _grown(model, list(bodies))))
    for edge in tables.joints:
        own = model.armature.get(edge.name, ())
        if own:
            # the parts of a compound joint stand in the order from parent to child
            tables.armature[edge.v] = own[::-1] if edge.reversed and edge.parts else own
    return tables


# -- growing the tree ------------------------------------------------------------------------------

Edge = tuple[str, str, Any, bool]
"""Body, parent, joint or None, and whether the joint's first frame is on the body."""


def _with_rotors(model: Model, edges: list[Edge]) -> list[Edge]:
    """The edges, or others, so that every joint whose drive has inertia carries a body.

    A rotor has its place in the mass matrix of a tree, and none in a joint that closes a loop.
    """
    heavy = [model.joints[name] for name, values in model.armature.items() if any(values)]
    carrying = {id(joint) for _, _, joint, _ in edges}
    if all(id(joint) in carrying for joint in heavy):
        return edges
    taken = [joint for _, _, joint, _ in edges if joint is not None]
    chosen = _without_cycles([*heavy, *taken, *model.joints.values()])
    left = [joint.name for joint in heavy if id(joint) not in chosen]
    if left:
        raise ModelError(
            f"tree: the armature of joint '{left[0]}' has no place: the joint closes a loop whose "
            "other joints have armature, too, or is of a kind that carries no body. Give the "
            "rotor as a body of its own."
        )
    return _grown(model, list(model.bodies), chosen)


def _without_cycles(joints: list[Any]) -> set[int]:
    """The joints, by `id`, of those that carry bodies which close no loop with the ones before."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.get(name, name) != name:
            name = parent[name]
        return name

    chosen: set[int] = set()
    for joint in joints:
        if type(joint) in KINDS:
            first, second = (root(frame.body.name) for frame in joint.frames)
            if first != second:
                parent[first] = second
                chosen.add(id(joint))
    return chosen


def _grown(model: Model, names: list[str], among: set[int] | None = None) -> list[Edge]:
    """Edges, parents before their children, from the world, then from bodies that are free.

    Breadth first, so that paths are short and loops close midway. What is said to close a loop, or
    turns a body that does not resist (a point mass on a slide), is taken only where nothing else
    goes on. `among`: the joints, by `id`, that may be taken.
    """
    links: dict[str, list[tuple[Any, int]]] = {}
    rest: list[Any] = []
    closing = set(model.closing)
    for joint in model.joints.values():
        if type(joint) not in KINDS or (among is not None and id(joint) not in among):
            continue
        if joint.name in closing or turns_freely(joint, model.parameters):
            rest.append(joint)
            continue
        for side, frame in enumerate(joint.frames):
            links.setdefault(frame.body.name, []).append((joint, side))
    rest.sort(key=lambda joint: joint.name in closing)
    edges: list[Edge] = []
    known = {WORLD}

    def hang(body: str, parent: str, joint: Any, turned: bool) -> None:
        """A body on a joint, and all that follows from it."""
        edges.append((body, parent, joint, turned))
        known.add(body)
        grow(body)

    def grow(root: str) -> None:
        waiting = [root]
        for name in waiting:  # grows while it is read
            for joint, side in links.get(name, []):
                far = joint.frames[1 - side].body.name
                if far not in known:
                    known.add(far)
                    waiting.append(far)
                    edges.append((far, name, joint, side == 1))

    def grow_on() -> None:
        """By what was left over, the first one that leads further, again and again."""
        while True:
            for joint in rest:
                first, second = (frame.body.name for frame in joint.frames)
                if (first in known) != (second in known):
                    turned = second in known
                    hang(*((first, second) if turned else (second, first)), joint, turned)
                    break
            else:
                return

    grow(WORLD)
    grow_on()
    for name in names:
        if name not in known:
            hang(name, WORLD, None, False)
            grow_on()
    return _depth_first(edges)


def _depth_first(edges: list[Edge]) -> list[Edge]:
    """Edges of the tree, every branch in one piece: what kernels touch together lies together."""
    children: dict[str, list[Edge]] = {}
    for edge in edges:
        children.setdefault(edge[1], []).append(edge)
    ordered: list[Edge] = []
    stack = list(reversed(children.get(WORLD, [])))
    while stack:
        edge = stack.pop()
        ordered.append(edge)
        stack += reversed(children.get(edge[0], []))
    return ordered


# -- tables ----------------------------------------------------------------------------------------


def _tables(model: Model, edges: list[Edge]) -> TreeTables:
    parameters = model.parameters
    bodies: dict[str, Any] = dict(model.bodies)
    number_of = {name: k for k, name in enumerate(bodies)}
    link_of, axes = {WORLD: 0}, {WORLD: np.eye(3)}
    joints: list[TreeJoint] = []
    rows: list[LinkRow] = []
    records: list[Array] = []
    nq = nv = 0
    for name, parent, joint, turned in edges:
        kind = FREE if joint is None else KINDS[type(joint)]
        parts: tuple[str, ...] = compound_parts(joint, turned) if kind == COMPOUND else ()
        if kind == FREE:  # those of its centre of mass
            parts = tuple(x.rpartition(".")[2] for x in bodies[name].state_names)
        begin = nq, nv
        links, own = links_of(joint, kind, turned, bodies[name], axes[parent], parameters)
        above = link_of[parent]
        for k, (sort, record) in enumerate(links):
            count = len(VELOCITIES[sort])
            last = k == len(links) - 1
            rows.append(LinkRow(above, sort, nq, nv, count, number_of[name] if last else -1))
            records.append(record)
            nq, nv, above = nq + len(COORDINATES[sort]), nv + count, len(rows)
        link_of[name], axes[name] = above, own
        called = name if joint is None else joint.name
        here = slice(begin[0], nq), slice(begin[1], nv)
        joints.append(TreeJoint(called, joint, kind, name, parent, turned, *here, parts))
    integers, numbers = _filled(rows, records, nv, len(bodies))
    numbers[:GRAVITY_LENGTH] = [value_of(g, parameters) or 0.0 for g in model.gravity]
    used = {id(edge.joint) for edge in joints}
    loops = [joint for joint in model.joints.values() if id(joint) not in used]
    rest = loops, list(model.constraints)
    return TreeTables(joints, *rest, integers, numbers, nq, nv, list(bodies), parameters)


class LinkRow(NamedTuple):
    """How a link hangs on the tree: the first integers of a `Joint`."""

    parent: int
    kind: int
    q_start: int
    v_start: int
    dofs: int
    body: int


def _filled(
    rows: list[LinkRow], records: list[Array], nv: int, bodies: int
) -> tuple[npt.NDArray[np.int64], Array]:
    """The integers and numbers of links in their order."""
    n = len(rows)
    integers = np.zeros(HEAD + LINK * n + DOF * nv + bodies, dtype=np.int64)
    numbers = np.zeros(GRAVITY_LENGTH + NUMBERS * n + 2 * nv)
    head, dofs = Head(integers, 0), HEAD + LINK * n
    head.links, head.nv = n, nv
    head.nq = sum(len(COORDINATES[row.kind]) for row in rows)
    head.link_table, head.dof_table, head.body_table = HEAD, dofs, dofs + DOF * nv
    head.armature_start = GRAVITY_LENGTH + NUMBERS * n
    head.damping_start = head.armature_start + nv
    link_of, (links, values) = integers[head.body_table :], link_tables(integers, numbers)
    reserve(integers, n, nv)
    last = [-1] * (n + 1)  # velocity nearest the link on the way to the world
    last_child = {row.parent: k + 1 for k, row in enumerate(rows)}
    for k, row in enumerate(rows):
        ends = k + 1 not in last_child, last_child[row.parent] == k + 1
        links[k] = *row, *ends
        last[k + 1] = last[row.parent]
        for dof in range(row.v_start, row.v_start + row.dofs):
            integers[dofs + DOF * dof :][:DOF] = last[k + 1], k + 1
            last[k + 1] = dof
        if row.body >= 0:
            link_of[row.body] = k + 1
        values[k] = records[k]
    return integers, numbers
