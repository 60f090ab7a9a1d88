"""Pair of gears: the angles of two hinges in a fixed ratio."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Self

from dalembert.model.basics.quantity import Quantity, value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.joints.joint import read_quantity
from dalembert.model.joints.references import References
from dalembert.model.joints.relation import Relation, Term, resolved_joint


@dataclass(frozen=True, eq=False, repr=False)
class Gear(Relation):
    """Gears:  angle_1 = ratio * angle_2 + offset.

    Parameters
    ----------
    first, second : Revolute or another joint with an angle, or its name
    ratio : float or formula of parameters
        Speed of the first over that of the second, each about the axis of its own joint; negative
        for outer gears on parallel axes of the same sense, -teeth_2/teeth_1.
    offset : float or formula of parameters  [rad]
        First angle when the second is zero.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("gears")
    >>> disc = dl.Inertia.cylinder(mass=1.0, radius=0.1, length=0.02)
    >>> pinion, wheel = model.add_body("pinion", disc), model.add_body("wheel", disc)
    >>> a = model.add_joint(dl.Revolute(model.world, pinion, name="a"))
    >>> b = model.add_joint(dl.Revolute(model.world.at(x=0.3), wheel, name="b"))
    >>> model.add_joint(dl.Gear(a, b, ratio=-2.0, name="mesh")).row_names
    ('mesh: relation of angle of a, angle of b',)
    """

    first: Any
    second: Any
    _: KW_ONLY
    ratio: Quantity
    offset: Quantity = 0.0

    def read(self, findings: Findings) -> None:
        """Check ratio and offset."""
        if value_of(read_quantity(self, "ratio", findings)) == 0.0:
            findings.append("ratio is 0. Give the ratio of the speeds.")
        read_quantity(self, "offset", findings)

    def resolved(self, names: References, name: str, findings: Findings) -> Self:
        """A copy of the gear between joints of the model."""
        ends = [
            resolved_joint(end, None, names, f"joint '{name}'", findings, "angle")[0]
            for end in (self.first, self.second)
        ]
        if ends[0] is not None and ends[0] is ends[1]:
            findings.add(f"joint '{name}'", "relates a joint to itself. Give two joints.")
        return replace(self, first=ends[0], second=ends[1], name=name)

    @property
    def terms(self) -> tuple[Term, ...]:
        """angle_1 - ratio * angle_2."""
        return (Term(self.first, "angle", 1.0), Term(self.second, "angle", -self.ratio))

    @property
    def shift(self) -> Quantity:
        """The offset."""
        return self.offset

    @property
    def ends(self) -> tuple[Any, ...]:
        """The two joints."""
        return (self.first, self.second)

    def options(self) -> list[tuple[str, str]]:
        """The ratio."""
        return [("ratio", repr(self.ratio))]
