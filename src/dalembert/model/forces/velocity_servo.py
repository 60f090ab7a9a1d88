"""A servo that holds the speed of a joint."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from dalembert.formulas.expression import ZERO
from dalembert.model.basics.element import Formulas
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.forces.joint_actuator import JointActuator
from dalembert.model.joints.joint import read_quantity


@dataclass(frozen=True, eq=False, repr=False)
class VelocityServo(JointActuator):
    """Servo for a speed:  force = kd * (command - l').

    Parameters
    ----------
    kd : float or formula of parameters  [N m s/rad] or [N s/m]
        Force for a unit of wrong speed. Without it the speed is kept exactly as long as the limits
        allow, which only methods that solve for impulses can do.
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
    kd: Quantity | None = None

    own: ClassVar[tuple[str, ...]] = ("kd",)
    positive: ClassVar[tuple[str, ...]] = ("kd",)

    def read(self, findings: Findings) -> None:
        """The gain is positive."""
        super().read(findings)
        if self.kd is not None:
            read_quantity(self, "kd", findings, positive="a positive number")
        elif self.limits is None:
            findings.append("has neither kd nor limits. Give one of them, or use a dl.Motion.")

    @property
    def is_rigid(self) -> bool:
        """Whether the speed is kept exactly."""
        return self.kd is None

    @property
    def is_found_with_motion(self) -> bool:
        """Whether the servo is rigid: its effort is whatever keeps the speed."""
        return self.is_rigid

    def force(self, u: Any, own: Formulas, length: Any, speed: Any) -> Any:
        """By the wrong speed; that of a rigid servo is found with the motion."""
        return own[0] * (u - speed) if own else ZERO
