"""A user's formula seen through frames: coordinates of bodies replaced by what views say of them.

`-k*ship.x` in a force becomes a formula of the origin of a frame at the ship's centre of mass; two
such forces on two ships then share one compiled formula. The turns of a joint, in `hinge.angle`,
become turns the element counts itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dalembert.formulas import orientation
from dalembert.formulas.expression import Expression, coordinate
from dalembert.formulas.graph import substitute, symbols
from dalembert.model.basics.element import Formulas, FrameView
from dalembert.model.basics.frame import Frame
from dalembert.model.basics.names import nearest
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rigid_body import AngleBody, QuaternionBody

if TYPE_CHECKING:
    from dalembert.model.joints.joint import Joint
    from dalembert.model.joints.references import References


EXTENSION = coordinate("law:extension")
RATE = coordinate("law:rate")
"""Symbols for extension and rate in the law of a spring, for the speed in that of a motor."""


@dataclass(frozen=True)
class Watched:
    """Bodies and joints that occur in an element's formulas.

    Attributes
    ----------
    frames : tuple of Frame     at the centre of mass of each body, along its axes
    joints : tuple of Joint     those whose turns are counted
    """

    frames: tuple[Frame, ...] = ()
    joints: tuple[Joint, ...] = ()

    @property
    def key(self) -> Hashable:
        """A key that tells the formulas of two elements apart: which symbol is which frame."""
        names = tuple(frame.body.name for frame in self.frames)
        return names, tuple(joint.name for joint in self.joints)

    @property
    def turn_count(self) -> int:
        """Angles whose turns the element counts for these joints."""
        return len(self.joints)

    def angles(self, views: Sequence[FrameView]) -> list[Expression]:
        """The joints' angles in (-pi, pi], seen through the views."""
        raw = [joint.angles(joint.views)[0] for joint in self.joints]
        return substitute(raw, self._mapping(views)) if raw else []

    def seen(
        self, formulas: Sequence[Expression], views: Sequence[FrameView], turns: Formulas
    ) -> list[Expression]:
        """The formulas with every symbol of a body or joint replaced."""
        mapping = self._mapping(views)
        for joint, angle in zip(self.joints, turns, strict=True):
            mapping[orientation.turns(joint.name)] = angle
        return substitute(list(formulas), mapping) if mapping else list(formulas)

    def _mapping(self, views: Sequence[FrameView]) -> dict[Any, Any]:
        mapping: dict[Any, Any] = {}
        for frame, view in zip(self.frames, views, strict=True):
            body = frame.body
            assert isinstance(body, QuaternionBody)
            for q, place, rate in zip(body.center_symbols, view.origin, view.velocity, strict=True):
                mapping |= {q: place, q.dot: rate}
            mapping |= zip(body.rotation.ravel(), view.axes.ravel(), strict=True)
            mapping |= zip(body.angular_velocity, view.angular_velocity, strict=True)
        return mapping


def watch(
    formulas: Sequence[Expression], names: References, element: str, findings: Findings
) -> Watched:
    """The bodies and joints of the model that occur in the formulas."""
    leaves = symbols(formulas, "coordinate", "velocity")
    if not leaves:
        return Watched()
    joints: dict[str, Joint] = {}
    for leaf in leaves:
        name, _, part = leaf.name.partition(":")
        if part == "turns" and name in names.joints:
            joints[name] = names.joints[name]
    # the angle of a joint contains symbols of its bodies
    raw = [joint.angles(joint.views)[0] for joint in joints.values()]
    bodies: dict[str, QuaternionBody] = {}
    for leaf in symbols([*formulas, *raw], "coordinate", "velocity"):
        name, _, part = leaf.name.partition(":")
        if leaf in (EXTENSION, RATE) or (part == "turns" and name in joints):
            continue
        owner = names.bodies.get(name if part else leaf.name.rpartition(".")[0])
        if isinstance(owner, QuaternionBody) and part.startswith("q"):
            findings.add(element, f"contains {leaf!r}. Use the body's rotation instead.")
        elif isinstance(owner, QuaternionBody) and (part or leaf.name in owner.center_names):
            bodies[owner.name] = owner
        elif not (isinstance(owner, AngleBody) and coordinate(leaf.name) in owner.coordinates):
            known = [q.name for body in names.bodies.values() for q in body.coordinates[:3]]
            findings.add(
                element,
                f"contains {leaf!r}, which is nothing of this model's bodies"
                f"{nearest(leaf.name, known)}",
            )
    # in the order of the model, not in that of symbols, which depends on what was made before
    return Watched(
        tuple(bodies[name].center for name in names.bodies if name in bodies),
        tuple(joints[name] for name in names.joints if name in joints),
    )
