"""A servo that holds the position of a joint."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from dalembert.model.basics.element import Formulas
from dalembert.model.basics.quantity import Quantity, value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.forces.joint_actuator import JointActuator
from dalembert.model.joints.joint import read_quantity


@dataclass(frozen=True, eq=False, repr=False)
class PositionServo(JointActuator):
    """Servo for a position:  force = kp * (command - l) - kd * l'.

    Parameters
    ----------
    kp : float or formula of parameters  [N m/rad] or [N/m]
        Force for a unit of wrong position.
    kd : float or formula of parameters  [N m s/rad] or [N s/m]
        Damping.
    command : number or formula  [rad] or [m]
        The position wanted, behind the gear; full turns of an angle count.

    Other parameters are those of every actuator (`DirectDrive`).

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("arm")
    >>> arm = model.add_body("arm", dl.Inertia.rod(mass=1.0, length=1.0))
    >>> hinge = model.add_joint(dl.Revolute(model.world, arm.at(x=-0.5), axis="y", name="hinge"))
    >>> model.add_force(dl.PositionServo(hinge, kp=80.0, kd=8.0, command=0.5, name="servo"))
    PositionServo('hinge', kp=80, kd=8, command=0.5, name='servo')
    """

    _: KW_ONLY
    kp: Quantity
    kd: Quantity = 0.0

    own: ClassVar[tuple[str, ...]] = ("kp", "kd")
    positive: ClassVar[tuple[str, ...]] = ("kp",)

    def read(self, findings: Findings) -> None:
        """Gains are not negative."""
        super().read(findings)
        read_quantity(self, "kp", findings, positive="a positive number")
        damping = value_of(self.kd)
        if damping is not None and damping < 0.0:
            findings.append(f"kd is {damping:g}. Give a number that is not negative.")

    @property
    def feels_position(self) -> bool:
        """It does."""
        return True

    def force(self, u: Any, own: Formulas, length: Any, speed: Any) -> Any:
        """By the wrong position, and against the speed."""
        kp, kd = own
        return kp * (u - length) - kd * speed
