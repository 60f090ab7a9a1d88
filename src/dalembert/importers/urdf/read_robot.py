"""Links, joints and materials of a URDF file; what is wrong with it, by line."""

from __future__ import annotations

import difflib
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.importers.urdf.reading import HOW_TO_EXPAND, OTHERS, XmlFile, read_xml, tag
from dalembert.importers.urdf.robot import (
    BEYOND,
    DOES,
    IGNORED,
    ONE_COORDINATE,
    TYPES,
    Bounds,
    JointEntry,
    Link,
    MassEntry,
    Mimic,
    Pose,
    Robot,
    Visual,
)
from dalembert.importers.urdf.root_link import root_link
from dalembert.model.basics.names import nearest
from dalembert.model.basics.rotation import Rotation


def read_robot(path: str | Path) -> Robot:
    """The robot in a file, checked by itself: names, numbers, and that it is one tree."""
    path = Path(path)
    if path.suffix.lower() == ".xacro":
        from dalembert.errors import ImportFileError

        raise ImportFileError(f"{path}: is xacro, from which URDF is made. {HOW_TO_EXPAND}")
    return _Reader(read_xml(path)).robot()


class _Reader:
    def __init__(self, file: XmlFile) -> None:
        self.file = file
        self.materials: dict[str, tuple[str | None, float]] = {}

    def robot(self) -> Robot:
        file, root = self.file, self.file.root
        if root.tag != "robot":
            what = OTHERS.get(str(root.tag), f"begins with {tag(root)}")
            is_ = "is " if str(root.tag) in OTHERS else ""
            near = difflib.get_close_matches(str(root.tag).lower(), ["robot"], n=1)
            hint = " Did you mean <robot>?" if near else " A URDF file begins with <robot>."
            file.refuse(root, f"{is_}{what}, not URDF.{hint}")
        version = root.get("version")
        if version is not None and version.strip() not in ("1", "1.0", "1.1", "1.2"):
            file.refuse(root, f"version {version!r:.20} of URDF is unknown. Known: 1.0, 1.1, 1.2.")
        file.extra(root, ("name", "version"), "the robot")
        known = ("link", "joint", "material", *IGNORED)
        elements = list(file.children(root, known, "the robot"))
        for element in elements:
            if element.tag == "material":
                self.material(element, "the robot", is_global=True)
        links: dict[str, Link] = {}
        joints: dict[str, JointEntry] = {}
        for element in elements:
            if element.tag == "link":
                link = self.link(element)
                self.once("link", link.name, element, links)
                links[link.name] = link
            elif element.tag == "joint":
                joint = self.joint(element)
                self.once("joint", joint.name, element, joints)
                joints[joint.name] = joint
            elif element.tag in IGNORED:
                name = element.get("name") or element.get("reference")
                shown = f" {name!r:.60}" if name else ""
                file.lose(element, f"{tag(element)}{shown}: {IGNORED[element.tag]}")
        if not links:
            file.refuse(root, 'the robot has no links. Add <link name="...">.')
        name = (root.get("name") or "").strip() or self.file.path.stem
        return Robot(name, links, joints, root_link(file, links, joints), file)

    def once(self, what: str, name: str, element: Any, known: dict[str, Any]) -> None:
        if name in known:
            line = known[name].element.sourceline
            self.file.refuse(
                element, f"{what} '{name}' stands here and on line {line}. Rename one of them."
            )

    # -- parts ---------------------------------------------------------------------------------

    def origin(self, element: Any, owner: str) -> Pose:
        """<origin> inside an element; without one the frames coincide."""
        file = self.file
        found = file.only(element, "origin", owner)
        if found is None:
            return Pose()
        at = np.array(file.numbers(found, "xyz", 3, owner, (0.0, 0.0, 0.0)))
        file.extra(found, ("xyz", "rpy", "quat_xyzw"), owner)
        if found.get("quat_xyzw") is not None:
            if found.get("rpy") is not None:
                file.refuse(found, f"{owner}: both 'rpy' and 'quat_xyzw' are given. Keep one.")
            x, y, z, w = file.numbers(found, "quat_xyzw", 4, owner)
            length = math.hypot(w, x, y, z)
            if abs(length - 1.0) > 1e-3:
                file.refuse(found, f"{owner}: 'quat_xyzw' has length {length:g}, expected 1.")
            return Pose(at, Rotation.from_quaternion([part / length for part in (w, x, y, z)]))
        angles = file.numbers(found, "rpy", 3, owner, (0.0, 0.0, 0.0))
        if not any(angles):
            return Pose(at)
        return Pose(at, Rotation.from_roll_pitch_yaw(*angles))

    def link(self, element: Any) -> Link:
        file = self.file
        name = file.text(element, "name", "a link")
        owner = f"link '{name}'"
        file.extra(element, ("name",), owner)
        inertial = file.only(element, "inertial", owner)
        shapes: dict[str, list[Visual]] = {"visual": [], "collision": []}
        for part in file.children(element, ("inertial", *shapes), owner):
            if part.tag in shapes:
                made = self.shape(part, owner)
                if made is not None:
                    shapes[part.tag].append(made)
        mass = None if inertial is None else self.inertial(inertial, owner)
        return Link(name, element, mass, tuple(shapes["visual"]), tuple(shapes["collision"]))

    def inertial(self, element: Any, owner: str) -> MassEntry:
        """Mass and moments; the axes of the moments may be turned against the link."""
        file = self.file
        owner = f"<inertial> of {owner}"
        list(file.children(element, ("origin", "mass", "inertia"), owner))
        pose = self.origin(element, owner)
        holder = file.needed(element, "mass", owner)
        mass = file.number(holder, "value", owner)
        if mass < 0.0:
            file.refuse(holder, f"{owner}: the mass is {mass:g} kg. Give a positive mass.")
        moments = file.needed(element, "inertia", owner)
        names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        xx, xy, xz, yy, yz, zz = (file.number(moments, part, owner) for part in names)
        matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if not pose.rotation.is_identity:
            R = pose.rotation.matrix
            matrix = R @ matrix @ R.T
            matrix = (matrix + matrix.T) / 2
        if not np.isfinite(matrix).all():
            file.refuse(moments, f"{owner}: the moments are too large to be numbers.")
        return MassEntry(mass, pose.position, matrix)

    def joint(self, element: Any) -> JointEntry:
        file = self.file
        name = file.text(element, "name", "a joint")
        owner = f"joint '{name}'"
        kind = file.text(element, "type", owner)
        if kind not in TYPES:
            file.refuse(element, f"{owner}: type '{kind:.40}' is unknown{nearest(kind, TYPES)}")
        if kind == "spherical":
            file.lose(element, f"{owner}: URDF has no type 'spherical'; read as a ball joint.")
        file.extra(element, ("name", "type"), owner)
        known = ("parent", "child", "origin", "axis", "dynamics", "limit", "mimic")
        more = ("calibration", "safety_controller")
        for part in file.children(element, (*known, *more), owner):
            if part.tag in more:
                file.lose(part, f"{owner}: {tag(part)} is for a real robot; it is not taken over.")
        ends = [
            file.text(file.needed(element, role, owner), "link", owner)
            for role in ("parent", "child")
        ]
        one = kind in ONE_COORDINATE
        return JointEntry(
            name,
            kind,
            element,
            ends[0],
            ends[1],
            self.origin(element, owner),
            self.axis(element, owner),
            *self.dynamics(element, owner, kind),
            self.limit(element, owner, one, kind),
            self.mimic(element, owner, name, kind),
        )

    def axis(self, element: Any, owner: str) -> tuple[float, ...]:
        """The axis as given, normalised where the model does it; x by default."""
        found = self.file.only(element, "axis", owner)
        if found is None:
            return (1.0, 0.0, 0.0)
        axis = self.file.numbers(found, "xyz", 3, owner, (1.0, 0.0, 0.0))
        largest = max(map(abs, axis))
        if largest == 0.0:
            if element.get("type") in ("fixed", "floating", "spherical"):
                return (1.0, 0.0, 0.0)  # written by some exporters; it means nothing there
            self.file.refuse(found, f"{owner}: the axis is 0 0 0. Give a direction.")
        if 1e-100 < largest < 1e100:  # squares neither vanish nor overflow: the bits are kept
            return axis
        return tuple(part / largest for part in axis)

    def dynamics(self, element: Any, owner: str, kind: str) -> tuple[float, float]:
        """Damping and dry friction."""
        file = self.file
        found = file.only(element, "dynamics", owner)
        if found is None:
            return 0.0, 0.0
        file.extra(found, ("damping", "friction"), owner)
        damping = file.number(found, "damping", owner, 0.0)
        friction = file.number(found, "friction", owner, 0.0)
        for what, value in (("damping", damping), ("friction", friction)):
            if value < 0.0:
                file.refuse(found, f"{owner}: the {what} is {value:g}. Give 0 or more.")
            if value and kind not in ONE_COORDINATE:
                file.lose(found, f"{owner}: a {kind} joint has no {what}; {value:g} is dropped.")
        return (damping, friction) if kind in ONE_COORDINATE else (0.0, 0.0)

    def limit(self, element: Any, owner: str, one: bool, kind: str) -> Bounds | None:
        file = self.file
        found = file.only(element, "limit", owner)
        if found is None:
            return None
        file.extra(found, ("lower", "upper", "effort", "velocity"), owner)
        effort = file.number(found, "effort", owner, math.inf, math.inf)
        velocity = file.number(found, "velocity", owner, math.inf, math.inf)
        if kind == "continuous" or not one:
            lower, upper = -math.inf, math.inf
            for part in ("lower", "upper"):
                file.number(found, part, owner, 0.0, math.inf)
        else:
            # by the letter both are 0 where neither is given, and the joint could not move
            said = found.get("lower") is not None or found.get("upper") is not None
            lower = file.number(found, "lower", owner, 0.0 if said else -math.inf, math.inf)
            upper = file.number(found, "upper", owner, 0.0 if said else math.inf, math.inf)
            if not said:
                file.lose(found, f"{owner}: says no range; it has no ends in the model.")
            if lower > upper:
                file.refuse(
                    found,
                    f"{owner}: the limits are {lower:g} to {upper:g}. Swap them, or leave them out"
                    " where there are none, as PyBullet reads it.",
                )
        if not one:
            return None
        given = (lower, upper, effort, velocity)
        lower, upper, effort, velocity = (
            math.copysign(math.inf, x) if abs(x) >= BEYOND else x for x in given
        )
        return Bounds(lower, upper, effort, velocity)

    def mimic(self, element: Any, owner: str, name: str, kind: str) -> Mimic | None:
        file = self.file
        found = file.only(element, "mimic", owner)
        if found is None:
            return None
        file.extra(found, ("joint", "multiplier", "offset"), owner)
        joint = file.text(found, "joint", owner)
        multiplier = file.number(found, "multiplier", owner, 1.0)
        offset = file.number(found, "offset", owner, 0.0)
        if kind not in ONE_COORDINATE:
            file.lose(found, f"{owner}: a {kind} joint has nothing that could mimic.")
            return None
        return Mimic(joint, multiplier, offset, found)

    # -- looks ---------------------------------------------------------------------------------

    def shape(self, element: Any, owner: str) -> Visual | None:
        """A <visual> or <collision>; URDF lets both be empty of known shapes."""
        file = self.file
        does = DOES[element.tag]
        owner = f"<{element.tag}> of {owner}"
        file.extra(element, ("name",), owner)
        list(file.children(element, ("origin", "geometry", "material"), owner))
        if element.tag == "collision" and file.only(element, "geometry", owner) is None:
            file.lose(element, f"{owner}: has no <geometry>; it touches nothing.")
            return None
        pose = self.origin(element, owner)
        holder = file.needed(element, "geometry", owner)
        color: str | None = None
        opacity = 1.0
        paint = file.only(element, "material", owner)
        if paint is not None:
            color, opacity = self.material(paint, owner, is_global=False)
        kinds = ("box", "cylinder", "sphere", "capsule", "mesh")
        shapes = list(file.children(holder, kinds, owner))
        if not shapes:
            file.lose(holder, f"{owner}: <geometry> holds no known shape; nothing {does}.")
            return None
        if len(shapes) > 1:
            two = f"Give two <{element.tag}>."
            file.refuse(shapes[1], f"{owner}: <geometry> holds two shapes. {two}")
        made = self.geometry(shapes[0], owner, pose, color, opacity)
        name = (element.get("name") or "").strip()
        return None if made is None else replace(made, name=name)

    def geometry(
        self, shape: Any, owner: str, pose: Pose, color: str | None, opacity: float
    ) -> Visual | None:
        file = self.file
        text = ""
        if shape.tag == "mesh":
            text = file.text(shape, "filename", owner)
            measures = file.numbers(shape, "scale", 3, owner, (1.0, 1.0, 1.0))
            file.extra(shape, ("filename", "scale"), owner)
            if 0.0 in measures:
                file.lose(shape, f"{owner}: the scale has a 0, so the mesh cannot be seen.")
                return None
        elif shape.tag == "box":
            measures = file.numbers(shape, "size", 3, owner)
        elif shape.tag == "sphere":
            measures = file.numbers(shape, "radius", 1, owner)
        else:
            measures = tuple(file.number(shape, part, owner) for part in ("radius", "length"))
        if shape.tag != "mesh" and any(part <= 0.0 for part in measures):
            file.lose(shape, f"{owner}: a measure of {tag(shape)} is not positive; left out.")
            return None
        return Visual(shape.tag, measures, pose, color, opacity, shape, text)

    def material(self, element: Any, owner: str, *, is_global: bool) -> tuple[str | None, float]:
        """Colour and opacity; a material without a colour is looked up by its name."""
        file = self.file
        name = (element.get("name") or "").strip()
        found: tuple[str | None, float] | None = None
        for part in file.children(element, ("color", "texture"), f"material '{name}'"):
            if part.tag == "texture":
                file.lose(part, f"material '{name}': textures are not drawn.")
            else:
                rgba = file.numbers(part, "rgba", 4, f"material '{name}'")
                r, g, b, a = (min(max(entry, 0.0), 1.0) for entry in rgba)
                if (r, g, b, a) != rgba:
                    file.lose(part, f"material '{name}': colours go from 0 to 1; cut to that.")
                found = f"#{round(255 * r):02X}{round(255 * g):02X}{round(255 * b):02X}", a
        if found is not None:
            if name:  # URDF lets a visual define a material that others name
                self.materials.setdefault(name, found)
            return found
        if name in self.materials:
            return self.materials[name]
        if not is_global and not any(child.tag == "texture" for child in element):
            near = nearest(name, list(self.materials))
            near = near if near.startswith(";") else "."
            file.lose(element, f"{owner}: material '{name}' has no colour{near}")
        return None, 1.0
