"""A shape on a body that touches others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dalembert.model.basics.frame import WORLD
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.rotation import Rotation
from dalembert.model.contact.material import Material
from dalembert.model.shapes.solid import Solid

TOUCHING = (
    *("box", "capsule", "cylinder", "ellipsoid", "mesh", "plane", "sphere"),
    *("hull", "height_field", "signed_distance"),
)
"""Kinds of shapes that touch others; the rest are only drawn."""

EVERYTHING = -1
"""Mask of a shape that touches all groups: all bits of a 64-bit number."""

MOST_GROUPS = 62
"""Groups of one model: each is a bit of a 64-bit number."""


@dataclass(frozen=True, eq=False)
class ContactShape:
    """A shape on a body that touches others; `Model.add_shape` makes it.

    Attributes
    ----------
    name : str
    body : str
        Name of the body it is fixed to; "world" for what does not move.
    solid : Solid
        The shape, placed in the frame of the body.
    material : Material
    group : int
        One bit: the group it belongs to.
    mask : int
        Bits of the groups it touches; two shapes touch when each allows the other's group.
    drawn : bool
        Whether it is part of what the body looks like.
    """

    name: str
    body: str
    solid: Solid
    material: Material
    group: int = 1
    mask: int = EVERYTHING
    drawn: bool = True

    @property
    def kind(self) -> str:
        """Kind of solid: "sphere", "box", ...; a mesh on a body touches with its convex "hull"."""
        if self.solid.kind == "mesh" and not self.is_fixed:
            return "hull"
        return self.solid.kind

    @property
    def is_fixed(self) -> bool:
        """Whether it stands still."""
        return self.body == WORLD

    @property
    def sizes(self) -> tuple[Quantity, ...]:
        """Lengths of the shape [m]: as `dalembert.scene.Shape` has them; of a plane none."""
        return () if self.kind == "plane" else self.solid.sizes

    @property
    def position(self) -> tuple[Quantity, ...]:
        """Middle of the shape in the frame of its body (of a plane any point of it)  [m]."""
        return self.solid.middle

    @property
    def rotation(self) -> Rotation:
        """Axes of the shape in its body: z is the axis of a cylinder, the normal of a plane."""
        return self.solid.turn

    def allows(self, other: ContactShape) -> bool:
        """Whether the groups let both touch."""
        return bool(self.group & other.mask) and bool(other.group & self.mask)

    def __repr__(self) -> str:
        return f"ContactShape({self.name!r}: {type(self.solid).__name__} on {self.body})"


def group_bits(
    given: Any, known: Mapping[str, int], element: str, findings: Any
) -> tuple[int, dict[str, int]]:
    """Bits of one or several groups by name, and the groups with those met for the first time."""
    names = [given] if isinstance(given, str) else given
    groups = dict(known)
    if not isinstance(names, list | tuple | set | frozenset):
        findings.add(element, f"{given!r:.60} names no group. Give a text, or a list of them.")
        return 0, groups
    bits = 0
    for name in sorted(names, key=str) if isinstance(names, set | frozenset) else names:
        if not isinstance(name, str) or not name.strip():
            findings.add(element, f"{name!r:.60} names no group. Give a text.")
            continue
        if name not in groups and len(groups) >= MOST_GROUPS:
            findings.add(element, f"'{name}' is one group too many: there are {MOST_GROUPS} bits.")
            continue
        bits |= groups.setdefault(name, 1 << len(groups))
    return bits, groups


def read_filters(
    group: Any,
    collides_with: Any,
    ignores: Any,
    known: Mapping[str, int],
    element: str,
    findings: Any,
) -> tuple[int, int, dict[str, int]]:
    """Bits of a shape's group, of the groups it touches, and the groups with new ones."""
    bits, groups = group_bits([group], known, element, findings)
    mask = EVERYTHING
    if collides_with is not None:
        mask, groups = group_bits(collides_with, groups, element, findings)
    if ignores is not None:
        if collides_with is not None:
            findings.add(element, "has collides_with and ignores. Keep one.")
        not_these, groups = group_bits(ignores, groups, element, findings)
        mask = EVERYTHING & ~not_these
    return bits, mask, groups
