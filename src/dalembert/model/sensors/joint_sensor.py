"""Coordinate of a joint and its speed."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from dalembert.formulas.expression import Expression
from dalembert.model.basics.reading import Findings
from dalembert.model.joints.joint import Joint
from dalembert.model.joints.references import References
from dalembert.model.joints.relation import UNIT, resolved_joint
from dalembert.model.sensors.base import Sensor, part_of_model

if TYPE_CHECKING:
    from dalembert.model.core.model import Model


@dataclass(frozen=True, eq=False, repr=False)
class JointSensor(Sensor):
    """Encoder of a joint: angle [rad] (with full turns) or displacement [m], and speed.

    Parameters
    ----------
    joint : joint with an angle or displacement, or its name
    coordinate : "angle" or "displacement"
        May be left out for a joint that has one coordinate.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("arm")
    >>> arm = model.add_body("arm", dl.Inertia.rod(mass=1.0, length=1.0))
    >>> hinge = model.add_joint(dl.Revolute(model.world, arm.at(x=-0.5), axis="y", name="hinge"))
    >>> model.add_sensor(dl.JointSensor(hinge, name="encoder")).units
    {'angle': 'rad', 'speed': 'rad/s'}
    """

    joint: Any
    _: KW_ONLY
    coordinate: str | None = None

    ends: ClassVar[tuple[str, ...]] = ("joint",)

    def resolved(self, model: Model, names: References, name: str, findings: Findings) -> Self:
        """A copy of the sensor on a joint of the model."""
        joint, which = resolved_joint(
            self.joint, self.coordinate, names, f"sensor '{name}'", findings
        )
        return replace(self, joint=joint, coordinate=which, name=name)

    @property
    def units(self) -> dict[str, str]:
        """Units of coordinate and speed."""
        which = self.coordinate or "angle"
        return {which: UNIT[which], "speed": f"{UNIT[which]}/s"}

    @property
    def formulas(self) -> dict[str, Expression]:
        """All of it."""
        joint = part_of_model(self, self.joint, Joint)
        formula = getattr(joint, str(self.coordinate))
        return {str(self.coordinate): formula, "speed": formula.dot}
