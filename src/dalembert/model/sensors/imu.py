"""Inertial measurement unit: specific force and rate of turn in its own axes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from dalembert.formulas import jacobian, time_derivative
from dalembert.formulas.expression import Expression, lift, load
from dalembert.model.basics.frame import Frame
from dalembert.model.basics.reading import Findings
from dalembert.model.joints.references import References
from dalembert.model.sensors.base import Sensor, components, named, part_of_model

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

ACCELERATION = "acceleration"
"""Array of v' in formulas that contain accelerations."""


@dataclass(frozen=True, eq=False, repr=False)
class IMU(Sensor):
    """Accelerometer ax, ay, az [m/s^2] and gyroscope wx, wy, wz [rad/s], along its own axes.

    The accelerometer reads specific force, acceleration less gravity: at rest 1 g upwards, in free
    fall nothing.

    Parameters
    ----------
    frame : Frame, Body or "body/frame"
        Where it is fixed and how it is turned.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("phone")
    >>> phone = model.add_body("phone", dl.Inertia.box(mass=0.2, size=(0.07, 0.15, 0.01)))
    >>> model.add_sensor(dl.IMU(phone.at(y=0.05), name="imu"))
    IMU(phone.at(y=0.05), name='imu')
    """

    frame: Any

    def resolved(self, model: Model, names: References, name: str, findings: Findings) -> Self:
        """A copy of the sensor on a frame of the model."""
        frame = names.frame(self.frame, f"sensor '{name}'", findings)
        return replace(self, frame=frame, name=name)

    @property
    def units(self) -> dict[str, str]:
        """Units of acceleration and angular velocity."""
        return components("a", "m/s^2") | components("w", "rad/s")

    @property
    def formulas(self) -> dict[str, Expression]:
        """The gyroscope."""
        frame = part_of_model(self, self.frame, Frame)
        return named("w", frame.rotation.T @ frame.angular_velocity)

    def with_accelerations(self, model: Model) -> dict[str, Expression]:
        """The accelerometer:  R^T (p'' - g),  p'' = (dp'/dv) v' + p'' at v' = 0."""
        frame = part_of_model(self, self.frame, Frame)
        moving = [lift(x) for x in frame.velocity]
        rest = time_derivative(moving)
        J = jacobian(moving, model.velocities)
        force = np.empty(3, dtype=object)
        for i, (row, part, g) in enumerate(zip(J, rest, model.gravity, strict=True)):
            total = part - g
            for k, entry in enumerate(row):
                total = total + entry * load(ACCELERATION, k)
            force[i] = total
        return named("a", frame.rotation.T @ force)
