"""Effort of an actuator, or of another force in a joint."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from dalembert.formulas.expression import Expression, lift
from dalembert.formulas.orientation import turns as turns_of
from dalembert.model.basics.names import nearest
from dalembert.model.basics.reading import Findings
from dalembert.model.forces.joint_actuator import JointActuator
from dalembert.model.forces.on_joint import OnJoint
from dalembert.model.joints.references import References
from dalembert.model.sensors.base import Sensor, part_of_model

if TYPE_CHECKING:
    from dalembert.model.core.model import Model


@dataclass(frozen=True, eq=False, repr=False)
class EffortSensor(Sensor):
    """Torque [N m] or force [N] of an actuator along its joint's coordinate: effort.

    Parameters
    ----------
    actuator : actuator, motor or friction of a joint, or its name
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("arm")
    >>> arm = model.add_body("arm", dl.Inertia.rod(mass=1.0, length=1.0))
    >>> hinge = model.add_joint(dl.Revolute(model.world, arm.at(x=-0.5), axis="y", name="hinge"))
    >>> motor = model.add_force(dl.DirectDrive(hinge, command=2.0, gear=3.0, name="motor"))
    >>> model.add_sensor(dl.EffortSensor(motor, name="torque"))["effort"]
    6
    """

    actuator: Any

    ends: ClassVar[tuple[str, ...]] = ("actuator",)

    def resolved(self, model: Model, names: References, name: str, findings: Findings) -> Self:
        """A copy of the sensor on an actuator of the model."""
        given = self.actuator
        label = given if isinstance(given, str) else getattr(given, "name", "")
        forces = model.forces
        found = forces.get(label)
        if found is None or (found is not given and not isinstance(given, str)):
            near = nearest(str(label), list(forces))
            shown = f"{label or given!r:.60}"
            findings.add(f"sensor '{name}'", f"there is no actuator {shown}{near}")
        elif not isinstance(found, OnJoint) or not _has_effort(found):
            findings.add(f"sensor '{name}'", f"'{label}' ({found.kind}) acts along no coordinate.")
        return replace(self, actuator=found, name=name)

    @property
    def units(self) -> dict[str, str]:
        """By the coordinate."""
        sliding = getattr(self.actuator, "coordinate", None) == "displacement"
        return {"effort": "N" if sliding else "N m"}

    @property
    def formulas(self) -> dict[str, Expression]:
        """The effort; turns are those of the joints. None where it is found with the motion."""
        force = part_of_model(self, self.actuator, OnJoint)
        if force.is_found_with_motion:
            return {}
        own = isinstance(force, JointActuator) and force.counts_turns
        counted = [force.joint] if own else []
        turns = [turns_of(joint.name) for joint in (*counted, *force.watched.joints)]
        effort = force.effort(force.views, [lift(x) for x in force.data()], turns)
        return {"effort": lift(effort)}

    def __repr__(self) -> str:
        label = getattr(self.actuator, "name", self.actuator)
        return f"{type(self).__name__}({label!r}, name={self.name!r})"


def _has_effort(force: OnJoint) -> bool:
    return type(force).effort is not OnJoint.effort and force.coordinate in (
        "angle",
        "displacement",
    )
