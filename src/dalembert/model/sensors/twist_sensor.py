"""How fast a frame moves and turns."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from dalembert.formulas.expression import Expression
from dalembert.model.basics.frame import Frame
from dalembert.model.basics.reading import Findings
from dalembert.model.forces.base import read_axes
from dalembert.model.joints.references import References
from dalembert.model.sensors.base import Sensor, components, named, part_of_model

if TYPE_CHECKING:
    from dalembert.model.core.model import Model


@dataclass(frozen=True, eq=False, repr=False)
class TwistSensor(Sensor):
    """Velocity of a frame's origin vx, vy, vz [m/s] and its angular velocity wx, wy, wz [rad/s].

    Parameters
    ----------
    frame : Frame, Body or "body/frame"
    axes : "world" or "body"
        Whose axes the components are along; those of the frame for "body".
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("kite")
    >>> kite = model.add_body("kite", dl.Inertia.box(mass=1.0, size=(1.0, 0.5, 0.1)))
    >>> model.add_sensor(dl.TwistSensor(kite, name="speed"))["vz"]
    kite.z.dot
    """

    frame: Any
    _: KW_ONLY
    axes: str = "world"

    def read(self, findings: Findings) -> None:
        """Check the axes."""
        read_axes(self, findings)

    def resolved(self, model: Model, names: References, name: str, findings: Findings) -> Self:
        """A copy of the sensor on a frame of the model."""
        frame = names.frame(self.frame, f"sensor '{name}'", findings)
        return replace(self, frame=frame, name=name)

    @property
    def units(self) -> dict[str, str]:
        """Units of velocity and angular velocity."""
        return components("v", "m/s") | components("w", "rad/s")

    @property
    def formulas(self) -> dict[str, Expression]:
        """All of it."""
        frame = part_of_model(self, self.frame, Frame)
        v, w = frame.velocity, frame.angular_velocity
        if self.axes == "body":
            v, w = frame.rotation.T @ v, frame.rotation.T @ w
        return named("v", v) | named("w", w)

    def options(self) -> list[tuple[str, str]]:
        """Axes."""
        return [("axes", repr(self.axes))] if self.axes != "world" else []
