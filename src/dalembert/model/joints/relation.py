"""Linear relations between the coordinates of joints: the common part of gears and couplers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dalembert.errors import ModelError
from dalembert.formulas.expression import ZERO, Expression
from dalembert.model.basics.element import Formulas, FrameView
from dalembert.model.basics.frame import Frame
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.joints.joint import Joint, along_z, angle_about_z
from dalembert.model.joints.references import References

UNIT = {"angle": "rad", "displacement": "m"}


@dataclass(frozen=True)
class Term:
    """One joint coordinate with its factor."""

    joint: Any
    coordinate: str
    factor: Quantity


@dataclass(frozen=True, eq=False, repr=False)
class Relation(Joint):
    """Sum of factor * joint coordinate = offset."""

    counts_turns: ClassVar[bool] = True

    @property
    @abstractmethod
    def terms(self) -> tuple[Term, ...]:
        """Joint coordinates and their factors."""

    @property
    def shift(self) -> Quantity:
        """Value that the sum is equal to."""
        return 0.0

    @property
    def frames(self) -> tuple[Frame, ...]:
        """Frames of all its joints, one after the other."""
        found: tuple[Frame, ...] = ()
        for term in self.terms:
            if not isinstance(term.joint, Joint):
                raise ModelError(
                    f"{self.title}: is part of no model yet. Use what add_joint returns."
                )
            found += term.joint.frames
        return found

    def data(self) -> tuple[Quantity, ...]:
        """Factors and offset."""
        return (*(term.factor for term in self.terms), self.shift)

    def structure(self) -> Hashable:
        """Which coordinates are related."""
        return tuple(term.coordinate for term in self.terms)

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for the coordinates that the row relates."""
        named = [f"{term.coordinate} of {term.joint.name}" for term in self.terms]
        return (f"relation of {', '.join(named)}",)

    def angles(self, views: Sequence[FrameView]) -> list[Expression]:
        """The angles among the coordinates, each in (-pi, pi]."""
        pairs = _pairs(views)
        return [
            angle_about_z(*pair)
            for term, pair in zip(self.terms, pairs, strict=True)
            if term.coordinate == "angle"
        ]

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """The sum less the offset; angles with their turns."""
        total, counted = ZERO, iter(turns)
        for term, pair, factor in zip(self.terms, _pairs(views), data, strict=False):
            if term.coordinate == "angle":
                value = angle_about_z(*pair) + next(counted)
            else:
                value = along_z(*pair)
            total = total + factor * value
        return [total - data[-1]]


def _pairs(views: Sequence[FrameView]) -> list[Sequence[FrameView]]:
    return [views[k : k + 2] for k in range(0, len(views), 2)]


def resolved_joint(
    given: Any,
    coordinate: str | None,
    names: References,
    element: str,
    findings: Findings,
    wanted: str | None = None,
) -> tuple[Joint | None, str]:
    """A joint of the model and which of its coordinates is meant."""
    joint = names.joint(given, element, findings)
    if joint is None:
        return None, wanted or coordinate or "angle"
    has = joint.coordinates
    coordinate = wanted or coordinate or (has[0] if len(has) == 1 else None)
    if not has or (coordinate is not None and coordinate not in has):
        what = f"no {coordinate}" if coordinate else "no coordinate"
        known = f"It has: {', '.join(has)}." if has else "Give a revolute or prismatic joint."
        findings.add(element, f"joint '{joint.name}' ({joint.kind}) has {what}. {known}")
        return joint, "angle"
    if coordinate is None:
        findings.add(
            element,
            f"joint '{joint.name}' has {' and '.join(has)}. Say which with coordinate=.",
        )
        return joint, has[0]
    return joint, coordinate
