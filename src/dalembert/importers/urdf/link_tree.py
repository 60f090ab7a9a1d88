"""The bodies of a model as the tree of links that URDF knows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.importers.urdf.robot import Pose
from dalembert.model import Model
from dalembert.model.basics.frame import WORLD, Frame
from dalembert.model.basics.quantity import value_of
from dalembert.model.basics.rotation import Rotation
from dalembert.model.joints.fixed import Fixed
from dalembert.model.joints.joint import Joint
from dalembert.model.joints.planar import Planar
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.joints.relation import Relation
from dalembert.model.joints.revolute import Revolute

KINDS: dict[type, str] = {
    Revolute: "continuous",
    Prismatic: "prismatic",
    Fixed: "fixed",
    Planar: "planar",
}


@dataclass
class Branch:
    """A body, the joint it hangs on, and where its link's frame is in the body."""

    body: str
    joint: Joint | None
    parent: str | None
    frame: Pose
    origin: Pose
    """Pose of the joint in the frame of the parent's body."""
    sign: float = 1.0
    """-1 where the joint was given from the child to the parent."""


class LinkTree:
    """A model as a tree of links; what no tree has is noted in `lost`."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.lost: list[str] = []
        self.parameters = model.parameters

    def branches(self) -> list[Branch]:
        """The spanning tree, parents first; what closes it is lost."""
        model = self.model
        around: dict[str, list[Joint]] = {name: [] for name in (WORLD, *model.bodies)}
        for joint in model.joints.values():
            if type(joint) in KINDS:
                for frame in joint.frames:
                    around[frame.body.name].append(joint)
            elif not isinstance(joint, Relation):
                self.lost.append(f"joint '{joint.name}': URDF has no {joint.kind} joint.")
        found: list[Branch] = []
        used: set[str] = set()
        known: set[str] = set()

        def grow(root: Branch) -> None:
            found.append(root)
            known.add(root.body)
            waiting = [root.body]
            while waiting:
                name = waiting.pop(0)
                for joint in around[name]:
                    first, second = joint.first, joint.second  # type: ignore[attr-defined]
                    forward = first.body.name == name
                    near, far = (first, second) if forward else (second, first)
                    if far.body.name in known:
                        continue
                    used.add(joint.name)
                    known.add(far.body.name)
                    waiting.append(far.body.name)
                    sign = 1.0 if forward else -1.0
                    found.append(
                        Branch(far.body.name, joint, name, self.pose(far), self.pose(near), sign)
                    )

        grow(Branch(WORLD, None, None, Pose(), Pose()))
        loose = [name for name in model.bodies if name not in known]
        placed = model.placement() if loose else {}
        bare = len(found) == 1 and not model.world.frames and WORLD not in model.shapes
        roots = []
        for name in loose:
            if name not in known:
                at = Pose(np.array(placed[name][0]), Rotation(placed[name][1]))
                roots.append(at)
                grow(Branch(name, None, WORLD, Pose(), at))
        if bare and len(roots) == 1:  # a robot that floats as a whole: its first body is the root
            name, at = found[1].body, roots[0]
            found[:2] = [Branch(name, None, None, Pose(), Pose())]
            if np.abs(at.position).max() > 0.0 or not at.rotation.is_identity:
                self.lost.append(f"body '{name}': URDF does not say where a free robot starts.")
        for joint in model.joints.values():
            if type(joint) in KINDS and joint.name not in used:
                self.lost.append(
                    f"joint '{joint.name}': closes a loop, URDF is a tree. Give it as a loop when "
                    "the file is loaded."
                )
        return found

    def pose(self, frame: Frame) -> Pose:
        """Where a frame stands in its body."""
        return Pose(np.array([self.number(x) for x in frame.offset]), frame.orientation)

    def number(self, quantity: Any) -> float:
        """The value of a quantity with the current parameters."""
        value = value_of(quantity, self.parameters)
        return math.nan if value is None else value

    def mimics(self, tree: dict[str, Branch]) -> dict[str, tuple[str, float, float]]:
        """Joint -> the joint it follows, multiplier and offset."""
        found: dict[str, tuple[str, float, float]] = {}
        for joint in self.model.joints.values():
            if not isinstance(joint, Relation):
                continue
            terms = [t for t in joint.terms if self.number(t.factor) != 0.0]
            names = [t.joint.name for t in terms]
            fits = len(terms) == 2 and all(
                name in tree and len(tree[name].joint.coordinates) == 1  # type: ignore[union-attr]
                for name in names
            )
            free = [k for k in (0, 1) if fits and names[k] not in found]
            if not free or any(not isinstance(t.joint, Revolute | Prismatic) for t in terms):
                self.lost.append(
                    f"joint '{joint.name}' ({joint.kind}): a joint of URDF can follow one other "
                    "only."
                )
                continue
            k = free[0]
            own, other = terms[k], terms[1 - k]
            a, b = self.number(own.factor), self.number(other.factor)
            signs = tree[names[k]].sign, tree[names[1 - k]].sign
            multiplier = -b / a * signs[0] * signs[1]
            offset = self.number(joint.shift) / a * signs[0]
            found[names[k]] = names[1 - k], multiplier + 0.0, offset + 0.0
        return found
