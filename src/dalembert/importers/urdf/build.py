"""A robot as a model: bodies, joints, couplers, friction, shapes."""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.errors import DalembertError
from dalembert.importers.urdf.robot import JointEntry, Pose, Robot, Visual
from dalembert.importers.urdf.tree import Group, Tree, along_chain, displaced
from dalembert.importers.urdf.visuals import TOUCHES, Shapes
from dalembert.model import Body, Inertia, Model, World
from dalembert.model.basics.frame import WORLD, Frame
from dalembert.model.contact.material import Material
from dalembert.model.forces.compound_spring import CompoundSpring
from dalembert.model.forces.joint_friction import JointFriction
from dalembert.model.joints.compound import Compound
from dalembert.model.joints.coupler import Coupler
from dalembert.model.joints.fixed import Fixed
from dalembert.model.joints.joint import Joint
from dalembert.model.joints.planar import Planar
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.joints.revolute import Revolute
from dalembert.model.joints.spherical import Spherical
from dalembert.model.one_sided.limits import Limits

ROUNDING = 1e-15
"""Square of a radius of gyration that is none [m^2]: a thirtieth of a micrometre."""

RESERVED = (WORLD, "t", "time", "dot")


@dataclass(frozen=True)
class Contact:
    """Use of <collision>: taken over or not, with each other or not, of what material."""

    wanted: bool = True
    within: bool = False
    material: Material | None = None


class Names:
    """Names of a file as the model can have them; each change is told once."""

    def __init__(self, taken: Iterable[str] = RESERVED) -> None:
        self.given: dict[str, str] = {}
        self.taken = set(taken)

    def fit(self, name: str, *, any_sign: bool = False) -> str:
        """A name of its own: letters, digits and underscores, or for joints any but : and /."""
        if name in self.given:
            return self.given[name]
        base = re.sub(r"[:/]" if any_sign else r"\W", "_", name)
        if not any_sign and not base.isidentifier():
            base = f"_{base}"
        if keyword.iskeyword(base):
            base = f"{base}_"
        found, k = base, 2
        while found in self.taken:
            found = f"{base}_{k}" if base not in RESERVED else f"{base}_" + "_" * (k - 2)
            k += 1
        self.taken.add(found)
        self.given[name] = found
        return found


class Build:
    """One robot on its way to a model."""

    def __init__(
        self, robot: Robot, tree: Tree, shapes: Shapes, *, is_free: bool, contact: Contact
    ) -> None:
        self.robot = robot
        self.tree = tree
        self.shapes = shapes
        self.is_free = is_free
        self.contact = contact
        self.links = Names()
        self.joints = Names(())
        self.frames: dict[str, Frame] = {}
        self.bodies: dict[str, Body] = {}
        self.made: dict[str, Joint] = {}
        self.file = robot.file

    def model(self, **options: Any) -> Model:
        """The model."""
        self.into = Model(self.robot.name, **options)
        if not self.is_free:
            # the root's own name may be "world": it is a frame of the world then
            self.links.given[self.robot.root] = self.frame_name(self.robot.root)
        bodies = [group for group in self.tree.groups if not group.is_absorbed]
        for group in bodies:
            for name, _ in group.members:
                self.rename(self.links, "link", name, self.robot.links[name].element)
        poses = self.free_poses()
        for k, group in enumerate(bodies):
            body: Body | World = self.into.world
            if k > 0 or self.is_free:
                body = self.body(group, poses.get(group.root))
            self.members(group, body)
        for group in bodies:
            if group.chain:
                self.compound(group)
            elif group.joint is not None:
                self.joint(group, group.joint)
        self.mimics()
        return self.into

    def frame_name(self, name: str) -> str:
        """The root as a frame of the world, which may be called "world"."""
        return name if name.isidentifier() else self.links.fit(name)

    def rename(self, names: Names, what: str, name: str, element: Any, **how: Any) -> str:
        """A name as the model has it; a change is told."""
        known = name in names.given
        made = names.fit(name, **how)
        if made != name and (not known or (what == "link" and name == self.robot.root)):
            self.file.lose(element, f"{what} '{name}' is called '{made}' in the model.")
        return made

    def free_poses(self) -> dict[str, Pose]:
        """Where bodies start that no joint places: the root if free, children of floating joints.

        Found from the joints outwards, in one pass.
        """
        world: dict[str, Pose] = {self.tree.groups[0].root: Pose()}
        wanted: dict[str, Pose] = {}
        if self.is_free:
            wanted[self.tree.groups[0].root] = Pose()
        for group in self.tree.groups[1:]:
            joint = group.joint
            assert joint is not None
            owner, at = self.tree.place[joint.parent]
            value = self.tree.starts.get(joint.name, 0.0)
            pose = world[owner.root] @ at @ joint.origin @ displaced(joint, value)
            world[group.root] = pose
            if joint.kind == "floating":
                wanted[group.root] = pose
        return wanted

    # -- bodies --------------------------------------------------------------------------------

    def body(self, group: Group, pose: Pose | None) -> Body:
        """The links of a group as a body, in the frame of its root."""
        link = self.robot.links[group.root]
        own = group.inertial
        assert own is not None
        start: dict[str, Any] = {}
        if pose is not None:
            start["position"] = tuple(map(float, pose.position))
            if not pose.rotation.is_identity:
                start["rotation"] = pose.rotation
        matrix = own.matrix
        moments = np.linalg.eigvalsh(matrix)
        if moments[0] < 0.0 and np.abs(moments).max() <= ROUNDING * own.mass:
            matrix = np.zeros((3, 3))
            self.file.lose(
                link.element,
                f"link '{group.root}': its moments, {moments[0]:.1g} kg m^2 and the like, are "
                "rounding: taken as 0, those of a point mass.",
            )
        names = [name for name, _ in group.members]
        several = f" (with {', '.join(names[1:4])})" if len(names) > 1 else ""
        try:
            inertia = Inertia(own.mass, matrix.tolist(), own.center.tolist(), doubtful=True)
            made = self.into.add_body(self.links.fit(group.root), inertia, **start)
        except DalembertError as problem:
            element = next((e for e in link.element if e.tag == "inertial"), link.element)
            self.file.refuse(element, f"link '{group.root}'{several}: {problem}")
        self.bodies[group.root] = made
        return made

    def members(self, group: Group, body: Body | World) -> None:
        """Frames and shapes of the links that move with a body."""
        shown: list[Any] = []
        for name, pose in group.members:
            is_body = isinstance(body, Body) and name == group.root
            own = None if is_body else self.links.fit(name)
            self.frames[name] = body.at(
                *map(float, pose.position), rotation=pose.rotation, name=own
            )
            for visual in self.robot.links[name].visuals:
                shape = self.shapes.shape(visual, pose, f"link '{name}'")
                if shape is not None:
                    shown.append(shape)
        if shown:
            self.into.add_shape(shown, on=body, contact=False)
        for name, pose in group.members:
            for given in self.robot.links[name].collisions:
                self.touching(given, pose, body, f"link '{name}'", drawn=not shown)

    def touching(
        self, given: Visual, pose: Pose, body: Body | World, owner: str, *, drawn: bool
    ) -> None:
        """A shape that touches; it is drawn where nothing else of its body is."""
        if not self.contact.wanted:
            why = "touches nothing (contact=False)"
            self.file.lose(given.element, f"{owner}: <collision> {why}.")
            return
        shape = self.shapes.shape(given, pose, owner, TOUCHES)
        if shape is None:
            return
        group = self.robot.name if self.robot.name.strip() else "robot"
        options: dict[str, Any] = {} if self.contact.within else {"ignores": [group]}
        taken = {one.name for one in self.into.contact_shapes} | {WORLD, *self.into.bodies}
        free = given.name and given.name not in taken and not set(given.name) & set(":/")
        self.into.add_shape(
            shape,
            on=body,
            material=self.contact.material,
            name=given.name if free else None,
            group=group,
            drawn=drawn,
            **options,
        )

    # -- joints --------------------------------------------------------------------------------

    def joint(self, group: Group, given: JointEntry) -> None:
        """The joint a group hangs on, with its friction and limits."""
        owner, at = self.tree.place[given.parent]
        pose = at @ given.origin
        if given.kind == "floating":
            return  # it holds nothing; the body starts where the joint is
        name = self.rename(self.joints, "joint", given.name, given.element, any_sign=True)
        first = self.frames[owner.root].body.at(*map(float, pose.position), rotation=pose.rotation)
        second = self.bodies[group.root]
        options: dict[str, Any] = {"name": name}
        if given.kind not in ("fixed", "spherical"):
            options["axis"] = _axis(given.axis)
        start = self.tree.starts.get(given.name, 0.0)
        if start:
            options["initial"] = start
        kinds: dict[str, Any] = {
            "fixed": Fixed,
            "planar": Planar,
            "prismatic": Prismatic,
            "spherical": Spherical,
        }
        try:
            made = self.into.add_joint(kinds.get(given.kind, Revolute)(first, second, **options))
            self.made[given.name] = made
            if given.damping:
                friction = self.joints.fit(f"{name}_damping", any_sign=True)
                self.into.add_force(JointFriction(made, damping=given.damping, name=friction))
            if given.friction:
                friction = self.joints.fit(f"{name}_friction", any_sign=True)
                self.into.add_force(JointFriction(made, dry=given.friction, name=friction))
            if given.limit is not None:
                self.limit(given, made)
        except DalembertError as problem:
            self.file.refuse(given.element, f"joint '{given.name}': {problem}")

    def compound(self, group: Group) -> None:
        """Joints through links without mass as one joint, called as the last of them."""
        chain, last = group.chain, group.chain[-1]
        names = ", ".join(f"'{joint.name}'" for joint in chain)
        name = self.rename(self.joints, "joint", last.name, last.element, any_sign=True)
        axes, end = along_chain(chain, self.tree.place)
        owner, at = self.tree.place[chain[0].parent]
        pose = at @ chain[0].origin @ Pose(end.position)
        body = self.frames[owner.root].body
        first = body.at(*map(float, pose.position), rotation=pose.rotation)
        second = self.bodies[group.root].at(rotation=end.rotation.inverse)
        slides = sum(joint.kind == "prismatic" for joint in chain)
        every = [_axis(tuple(axis)) for axis in axes]
        starts = tuple(self.tree.starts[joint.name] for joint in chain)
        for joint in chain[:-1]:
            self.file.lose(
                self.robot.links[joint.child].element,
                f"link '{joint.child}' has no mass: it is not in the model, and the joints "
                f"{names} are one joint '{name}' with these coordinates.",
            )
        try:
            made = self.into.add_joint(
                Compound(
                    first,
                    second,
                    slides=every[:slides],
                    hinges=every[slides:],
                    initial=starts,
                    name=name,
                )
            )
            for k, joint in enumerate(chain):
                self.within(made, k, joint)
        except DalembertError as problem:
            self.file.refuse(last.element, f"joints {names}: {problem}")

    def within(self, made: Compound, k: int, given: JointEntry) -> None:
        """Damping and limits along a coordinate of a compound joint."""
        known = given.kind == "prismatic" or made.has_angles
        if given.limit is not None:
            self.limit_within(made, k, given, known)
        if given.friction:
            element = next(e for e in given.element if e.tag == "dynamics")
            self.file.lose(element, f"joint '{given.name}': dry friction within a joint is dropped")
        if not given.damping:
            return
        if known:
            name = self.joints.fit(f"{given.name}_damping", any_sign=True)
            friction = CompoundSpring(made, coordinate=k, damping=given.damping, name=name)
            self.into.add_force(friction)
            return
        element = next(e for e in given.element if e.tag == "dynamics")
        self.file.lose(
            element, f"joint '{given.name}': damping of hinges at such angles is dropped."
        )

    def limit_within(self, made: Compound, k: int, given: JointEntry, known: bool) -> None:
        """Ends of a coordinate of a compound joint, as one-sided constraints."""
        limit = given.limit
        assert limit is not None
        element = next(e for e in given.element if e.tag == "limit")
        what = "limits within a joint are dropped"
        if known:
            value = made.value(k)
            ends = [value >= limit.lower] if math.isfinite(limit.lower) else []
            ends += [value <= limit.upper] if math.isfinite(limit.upper) else []
            if ends:
                name = self.joints.fit(f"{given.name}_limits", any_sign=True)
                self.into.keep(*ends, name=name)
            what = "effort and velocity of limits within a joint are dropped"
            if not (math.isfinite(limit.effort) or math.isfinite(limit.velocity)):
                return
        self.file.lose(element, f"joint '{given.name}': {what}.")

    def limit(self, given: JointEntry, made: Any) -> None:
        """Limits: the joint stops at its ends; the rest is data."""
        limit = given.limit
        assert limit is not None
        kept = Limits(limit.lower, limit.upper, effort=limit.effort, velocity=limit.velocity)
        if kept == Limits():
            return
        self.into.set_limits(made, kept)
        element = next(e for e in given.element if e.tag == "limit")
        if math.isfinite(kept.effort) or math.isfinite(kept.velocity):
            self.file.lose(
                element,
                f"joint '{given.name}': its largest effort and velocity are kept in model.limits, "
                "but nothing holds it to them.",
            )

    def mimics(self) -> None:
        """Joints that follow others, by a linear relation."""
        for given in self.robot.joints.values():
            mimic = given.mimic
            if mimic is None or given.name not in self.made:
                continue  # it is held
            own, other = self.made[given.name], self.made[mimic.joint]
            name = self.joints.fit(f"{own.name}_mimic", any_sign=True)
            parts = [(1.0, own), (-mimic.multiplier, other)]
            # angles of the model begin within half a turn: the rest is in the offset
            turns = mimic.multiplier * self.turns(mimic.joint) - self.turns(given.name)
            offset = mimic.offset + 2 * math.pi * turns if turns else mimic.offset
            try:
                self.into.add_joint(Coupler(parts, offset=offset, name=name))
            except DalembertError as problem:
                self.file.refuse(mimic.element, f"joint '{given.name}': {problem}")

    def turns(self, joint: str) -> int:
        """Full turns of a hinge at the start."""
        if self.robot.joints[joint].kind == "prismatic":
            return 0
        return round(self.tree.starts[joint] / (2 * math.pi))


def _axis(axis: tuple[float, ...]) -> Any:
    """An axis by its name where it has one."""
    for k, name in enumerate("xyz"):
        if axis[k] != 0.0 and all(axis[i] == 0.0 for i in range(3) if i != k):
            return name if axis[k] > 0.0 else f"-{name}"
    return tuple(float(entry) for entry in np.array(axis))


def build(
    robot: Robot,
    tree: Tree,
    *,
    packages: Mapping[str, str | Path],
    meshes: bool,
    is_free: bool,
    contact: Contact,
    **options: Any,
) -> Model:
    """The model of a robot."""
    shapes = Shapes(robot.file, packages, meshes)
    return Build(robot, tree, shapes, is_free=is_free, contact=contact).model(**options)
