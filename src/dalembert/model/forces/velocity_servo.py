"""A servo that holds the speed of a joint."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from dalembert.model.element import Formulas
from dalembert.model.forces.joint_actuator import JointActuator
from dalembert.model.joints.joint import read_quantity
from dalembert.model.quantity import Quantity
from dalembert.model.reading import Findings


@dataclass(frozen=True, eq=False, repr=False)
class VelocityServo(JointActuator):
    """Servo for a speed:  force = kd * (command - l').

    Parameters
    ----------
    kd : float or formula of parameters  [N m s/rad] or [N s/m]
        Force for a unit of wrong speed.
    command : number or formula  [rad/s] or [m/s]
        The speed wanted, behind the gear.

    Other parameters are those of every actuator (`DirectDrive`).

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("fan")
    >>> blade = model.add_body("blade", dl.Inertia.rod(mass=0.2, length=0.5))
    >>> hinge = model.add_joint(dl.Revolute(model.world, blade, axis="z", name="hinge"))
    >>> model.add_force(dl.VelocityServo(hinge, kd=0.5, command=30.0, limits=2.0, name="motor"))
    VelocityServo('hinge', kd=0.5, command=30, limits=(-2, 2), name='motor')
    """

    _: KW_ONLY
    kd: Quantity

    own: ClassVar[tuple[str, ...]] = ("kd",)
    positive: ClassVar[tuple[str, ...]] = ("kd",)

    def read(self, findings: Findings) -> None:
        """The gain is positive."""
        super().read(findings)
        read_quantity(self, "kd", findings, positive="a positive number")

    def force(self, u: Any, own: Formulas, length: Any, speed: Any) -> Any:
        """By the wrong speed."""
        (kd,) = own
        return kd * (u - speed)
