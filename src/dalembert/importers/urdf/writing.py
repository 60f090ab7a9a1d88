"""A model written as URDF, where URDF can say it; what it cannot is refused by name.

URDF puts the frame of a link at the joint it hangs on. A body whose joint is elsewhere keeps its
motion, but its link's frame is that of the joint.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from dalembert._files import writing
from dalembert.errors import ModelError
from dalembert.importers.urdf.beyond_urdf import unsaid
from dalembert.importers.urdf.link_tree import KINDS, Branch, LinkTree
from dalembert.importers.urdf.robot import BEYOND, Pose
from dalembert.model import Body, Model
from dalembert.model.basics.frame import WORLD
from dalembert.model.basics.rotation import unit_vector
from dalembert.model.forces.joint_friction import JointFriction
from dalembert.model.one_sided.limits import Limits
from dalembert.model.shapes.solid import Solid


def save_urdf(model: Model, path: str | Path, *, strict: bool = True) -> tuple[str, ...]:
    """Write a model as URDF.

    Parameters
    ----------
    path : str or Path
    strict : bool
        Refuse a model that URDF cannot say; otherwise write what can be said.

    Returns
    -------
    tuple of str
        What is not in the file; empty with `strict`.

    Raises
    ------
    ModelError      URDF cannot say the model; everything is named
    FileError       the file cannot be written

    Examples
    --------
    >>> import tempfile
    >>> import dalembert as dl
    >>> model = dl.Model("pendulum")
    >>> rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    >>> hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = save_urdf(model, Path(folder) / "pendulum.urdf")
    ...     dl.load_urdf(Path(folder) / "pendulum.urdf")
    Model('pendulum': 1 body, 1 joint, 5 constraint rows)
    """
    path = Path(path)
    written = _Writer(model, path.parent)
    text = written.text()
    if strict:
        written.refuse()
    with writing(path, "the robot") as file:
        file.write(text.encode())
    return tuple(written.lost)


def urdf_text(model: Model, folder: Path | None = None) -> str:
    """The content of a URDF file; what it cannot say is refused."""
    written = _Writer(model, folder)
    text = written.text()
    written.refuse()
    return text


class _Writer(LinkTree):
    def __init__(self, model: Model, folder: Path | None) -> None:
        super().__init__(model)
        self.folder = folder
        self.lines: list[str] = []
        self.links: dict[str, str] = {}

    def refuse(self) -> None:
        if self.lost:
            raise ModelError(
                f"model '{self.model.name}': URDF cannot say all of it:\n"
                + "\n".join(self.lost)
                + "\nKeep it as YAML, or write what can be said: dl.save_urdf(..., strict=False)."
            )

    def text(self) -> str:
        model = self.model
        if not model.bodies:
            raise ModelError(
                f"model '{model.name}': is made of formulas, URDF of bodies and joints. Keep it as "
                "YAML."
            )
        branches = self.branches()
        self.lost += unsaid(self)
        self.lines = ['<?xml version="1.0"?>', f"<robot name={quoteattr(model.name)}>"]
        taken = set(model.bodies)
        is_world = branches[0].body == WORLD
        if is_world:
            self.links[WORLD] = self.root_name(taken)
        self.links |= {name: name for name in model.bodies}
        for branch in branches:
            self.link(branch)
        mimics = self.mimics({b.joint.name: b for b in branches if b.joint is not None})
        frames = {branch.body: branch.frame for branch in branches}
        for branch in branches:
            if branch.parent is not None:
                self.joint(branch, frames[branch.parent], mimics)
        for branch in branches:
            self.frames(branch, taken)
        self.lines.append("</robot>")
        return "\n".join(self.lines) + "\n"

    def root_name(self, taken: set[str]) -> str:
        """The world as a link: by a frame that coincides with it, if there is one."""
        for name, frame in self.model.world.frames.items():
            pose = self.pose(frame)
            if not pose.position.any() and pose.rotation.is_identity and name not in taken:
                taken.add(name)
                return name
        name = WORLD
        while name in taken:
            name += "_"
        taken.add(name)
        return name

    # -- links and joints ------------------------------------------------------------------------

    def link(self, branch: Branch) -> None:
        model, name = self.model, branch.body
        shapes = model.shapes.get(name, ())
        back = branch.frame.inverse
        add = self.lines.append
        add(f"  <link name={quoteattr(self.links[name])}>")
        if name != WORLD:
            self.inertial(model.bodies[name], back)
        for shape in shapes:
            self.shape("visual", shape, back, name)
        for touching in model.contact_shapes:
            if touching.body == name:
                self.shape("collision", touching.solid, back, name, touching.name)
        add("  </link>")

    def inertial(self, body: Body, back: Pose) -> None:
        inertia = body.inertia
        center = Pose(np.array([self.number(x) for x in inertia.center]))
        I = [[self.number(x) for x in row] for row in inertia.matrix]
        at = back @ center
        self.lines += [
            "    <inertial>",
            f"      {_origin(Pose(at.position, back.rotation))}",
            f'      <mass value="{self.number(inertia.mass)!r}"/>',
            f'      <inertia ixx="{I[0][0]!r}" ixy="{I[0][1]!r}" ixz="{I[0][2]!r}" '
            f'iyy="{I[1][1]!r}" iyz="{I[1][2]!r}" izz="{I[2][2]!r}"/>',
            "    </inertial>",
        ]

    def shape(self, role: str, shape: Solid, back: Pose, name: str, label: str = "") -> None:
        """A <visual> or <collision>."""
        body = f"body '{name}'" if name != WORLD else "the world"
        sizes = [self.number(x) for x in shape.sizes]
        if shape.kind == "box":
            tag = f'<box size="{_words(sizes)}"/>'
        elif shape.kind == "sphere":
            tag = f'<sphere radius="{sizes[0]!r}"/>'
        elif shape.kind in ("cylinder", "capsule"):
            tag = f'<{shape.kind} radius="{sizes[0]!r}" length="{sizes[1]!r}"/>'
        elif shape.kind == "mesh" and getattr(shape, "file", None) is not None:
            tag = self.mesh(shape)
        else:
            what = "a mesh without a file" if shape.kind == "mesh" else f"a {shape.kind}"
            does = "draw" if role == "visual" else "touch with"
            self.lost.append(f"{body}: URDF cannot {does} {what}.")
            return
        at = back @ Pose(np.array([self.number(x) for x in shape.middle]), shape.turn)
        opening = f"    <{role} name={quoteattr(label)}>" if label else f"    <{role}>"
        self.lines += [opening, f"      {_origin(at)}", f"      <geometry>{tag}</geometry>"]
        color = shape.color or self.model.colors.get(name) if role == "visual" else None
        if color is not None:
            rgb = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
            label = f"{color[1:]}_{round(255 * shape.opacity):02X}"
            rgba = _words([*rgb, float(shape.opacity)])
            self.lines.append(f'      <material name="{label}"><color rgba="{rgba}"/></material>')
        self.lines.append(f"    </{role}>")

    def mesh(self, shape: Any) -> str:
        from dalembert.importers.writing import named_from

        file = str(Path(shape.file).absolute())
        file = file if self.folder is None else named_from(file, self.folder)
        factors = np.broadcast_to(np.asarray(shape.scale, dtype=float), 3)
        scale = "" if (factors == 1.0).all() else f' scale="{_words(factors)}"'
        return f"<mesh filename={quoteattr(file)}{scale}/>"

    def joint(
        self, branch: Branch, above: Pose, mimics: dict[str, tuple[str, float, float]]
    ) -> None:
        joint, add = branch.joint, self.lines.append
        if joint is None:
            name, kind = f"{branch.body}_floating", "floating"
        else:
            name, kind = joint.name, KINDS[type(joint)]
        limits = self.model.limits.get(name, Limits())
        if branch.sign < 0:
            limits = replace(limits, lower=-limits.upper, upper=-limits.lower)
        if limits.law.stated():
            self.lost.append(f"joint '{name}': URDF says nothing of how a joint stops.")
        if kind == "continuous" and limits.is_bounded:
            kind = "revolute"
        add(f'  <joint name={quoteattr(name)} type="{kind}">')
        add(f"    {_origin(above.inverse @ branch.origin)}")
        assert branch.parent is not None
        add(f"    <parent link={quoteattr(self.links[branch.parent])}/>")
        add(f"    <child link={quoteattr(self.links[branch.body])}/>")
        if joint is not None and kind != "fixed":
            axis = branch.sign * unit_vector(joint.axis, "") + 0.0  # type: ignore[attr-defined]
            add(f'    <axis xyz="{_words(axis)}"/>')
        if kind in ("revolute", "prismatic") or replace(limits, **STOPS) != Limits():
            add(_limit(limits, bounded=kind != "continuous"))
        own = [
            force
            for force in self.model.forces.values()
            if isinstance(force, JointFriction) and force.joint is joint
        ]
        damping = sum(self.number(force.damping) for force in own)
        dry = sum(self.number(force.dry) for force in own)
        if damping or dry:
            friction = f' friction="{float(dry)!r}"' if dry else ""
            add(f'    <dynamics damping="{float(damping)!r}"{friction}/>')
        if name in mimics:
            other, multiplier, offset = mimics[name]
            add(
                f'    <mimic joint={quoteattr(other)} multiplier="{multiplier!r}" '
                f'offset="{offset!r}"/>'
            )
        add("  </joint>")

    def frames(self, branch: Branch, taken: set[str]) -> None:
        """Named frames of a body, as links without mass that are fixed to it."""
        model = self.model
        holder = model.world if branch.body == WORLD else model.bodies[branch.body]
        for name, frame in holder.frames.items():
            if name == self.links[branch.body]:
                continue
            own = name
            while own in taken:
                own = f"{branch.body}_{own}"
            taken.add(own)
            self.lines += [
                f"  <link name={quoteattr(own)}/>",
                f'  <joint name={quoteattr(f"{own}_fixed")} type="fixed">',
                f"    {_origin(branch.frame.inverse @ self.pose(frame))}",
                f"    <parent link={quoteattr(self.links[branch.body])}/>",
                f"    <child link={quoteattr(own)}/>",
                "  </joint>",
            ]


STOPS: dict[str, Any] = {
    "restitution": 0.0,
    **dict.fromkeys(("stiffness", "damping", "frequency", "damping_ratio")),
}
"""Parts of limits that URDF does not say, with their defaults."""


def _limit(limits: Limits, *, bounded: bool) -> str:
    """All four numbers, which ROS wants; those that are infinite are beyond everything."""
    parts = {"lower": limits.lower, "upper": limits.upper} if bounded else {}
    parts |= {"effort": limits.effort, "velocity": limits.velocity}
    shown = (f'{key}="{min(max(value, -BEYOND), BEYOND)!r}"' for key, value in parts.items())
    return f"    <limit {' '.join(shown)}/>"


def _origin(pose: Pose) -> str:
    rpy = pose.rotation.roll_pitch_yaw if not pose.rotation.is_identity else np.zeros(3)
    return f'<origin xyz="{_words(pose.position)}" rpy="{_words(rpy)}"/>'


def _words(values: Iterable[float]) -> str:
    return " ".join(repr(float(value) + 0.0) for value in values)
