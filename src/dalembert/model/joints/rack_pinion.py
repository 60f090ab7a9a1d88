"""Rack and pinion: a hinge drives a slide."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Self

from dalembert.model.basics.quantity import Quantity, value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.joints.joint import read_quantity
from dalembert.model.joints.references import References
from dalembert.model.joints.relation import Relation, Term, resolved_joint


@dataclass(frozen=True, eq=False, repr=False)
class RackPinion(Relation):
    """Rack and pinion:  displacement = radius * angle + offset.

    Parameters
    ----------
    pinion : Revolute or another joint with an angle, or its name
    rack : Prismatic or another joint with a displacement, or its name
    radius : float or formula of parameters  [m]
        Of the pitch circle; negative when a positive angle drives the rack backwards.
    offset : float or formula of parameters  [m]
        Displacement at zero angle.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("steering")
    >>> wheel = model.add_body("wheel", dl.Inertia.cylinder(mass=1.0, radius=0.02, length=0.02))
    >>> bar = model.add_body("bar", dl.Inertia.rod(mass=2.0, length=0.5))
    >>> pinion = model.add_joint(dl.Revolute(model.world, wheel, name="pinion"))
    >>> rack = model.add_joint(dl.Prismatic(model.world, bar, axis="x", name="rack"))
    >>> model.add_joint(dl.RackPinion(pinion, rack, radius=0.02, name="mesh"))
    RackPinion('pinion', 'rack', radius=0.02, name='mesh')
    """

    pinion: Any
    rack: Any
    _: KW_ONLY
    radius: Quantity
    offset: Quantity = 0.0

    def read(self, findings: Findings) -> None:
        """Check radius and offset."""
        if value_of(read_quantity(self, "radius", findings)) == 0.0:
            findings.append("radius is 0. Give the radius of the pitch circle.")
        read_quantity(self, "offset", findings)

    def resolved(self, names: References, name: str, findings: Findings) -> Self:
        """A copy of the relation between joints of the model."""
        element = f"joint '{name}'"
        pinion, _ = resolved_joint(self.pinion, None, names, element, findings, "angle")
        rack, _ = resolved_joint(self.rack, None, names, element, findings, "displacement")
        return replace(self, pinion=pinion, rack=rack, name=name)

    @property
    def terms(self) -> tuple[Term, ...]:
        """displacement - radius * angle."""
        return (Term(self.rack, "displacement", 1.0), Term(self.pinion, "angle", -self.radius))

    @property
    def shift(self) -> Quantity:
        """The offset."""
        return self.offset

    @property
    def ends(self) -> tuple[Any, ...]:
        """The two joints."""
        return (self.pinion, self.rack)

    def options(self) -> list[tuple[str, str]]:
        """The radius."""
        return [("radius", repr(self.radius))]
