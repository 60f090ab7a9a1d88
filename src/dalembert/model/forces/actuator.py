"""General actuator of a joint: affine in its command, position and speed."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

from dalembert.formulas.expression import Expression
from dalembert.model.basics.element import Formulas
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.forces.base import is_zero, shown
from dalembert.model.forces.joint_actuator import JointActuator
from dalembert.model.joints.joint import read_quantities, read_quantity


@dataclass(frozen=True, eq=False, repr=False)
class Actuator(JointActuator):
    """General actuator:  force = gain * command + bias[0] + bias[1] * l + bias[2] * l'.

    Parameters
    ----------
    gain : float or formula of parameters
    bias : 3 numbers or formulas of parameters
        Constant part, and factors of travel and speed behind the gear.

    Other parameters are those of every actuator (`DirectDrive`).

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("arm")
    >>> arm = model.add_body("arm", dl.Inertia.rod(mass=1.0, length=1.0))
    >>> hinge = model.add_joint(dl.Revolute(model.world, arm.at(x=-0.5), axis="y", name="hinge"))
    >>> model.add_force(dl.Actuator(hinge, gain=20.0, bias=(0, -20, -2), name="servo"))
    Actuator('hinge', gain=20, bias=(0, -20, -2), name='servo')
    """

    _: KW_ONLY
    gain: Quantity = 1.0
    bias: Any = (0.0, 0.0, 0.0)

    def read(self, findings: Findings) -> None:
        """Check gain and bias as well."""
        super().read(findings)
        read_quantity(self, "gain", findings)
        read_quantities(self, "bias", 3, findings)

    @property
    def feels_position(self) -> bool:
        """Unless bias[1] is 0."""
        return not is_zero(self.bias[1])

    def numbers(self) -> tuple[Quantity, ...]:
        """Gain and bias."""
        return (self.gain, *self.bias)

    def force(self, u: Any, own: Formulas, length: Any, speed: Any) -> Expression:
        """Affine in all of them."""
        gain, constant, by_length, by_speed = own
        return gain * u + constant + by_length * length + by_speed * speed  # type: ignore[no-any-return]

    def options(self) -> list[tuple[str, str]]:
        """Gain and bias first."""
        own = [("gain", shown(self.gain)), ("bias", f"({', '.join(map(shown, self.bias))})")]
        return own + super().options()
