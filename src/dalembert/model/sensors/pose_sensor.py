"""Where a frame is and how it is turned."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from dalembert.formulas.expression import Expression, lift
from dalembert.model.basics.frame import Frame, World
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rigid_body import AngleBody, QuaternionBody
from dalembert.model.joints.joint import end_text
from dalembert.model.joints.references import References
from dalembert.model.sensors.base import Sensor, part_of_model

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

UNITS = {"x": "m", "y": "m", "z": "m", "qw": "1", "qx": "1", "qy": "1", "qz": "1"}


@dataclass(frozen=True, eq=False, repr=False)
class PoseSensor(Sensor):
    """Position and orientation of a frame: x, y, z [m] and the quaternion qw, qx, qy, qz.

    Parameters
    ----------
    frame : Frame, Body or "body/frame"
    relative_to : Frame, Body, World or "body/frame"
        Seen from there, in its axes; by default the world.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("kite")
    >>> kite = model.add_body("kite", dl.Inertia.box(mass=1.0, size=(1.0, 0.5, 0.1)))
    >>> model.add_sensor(dl.PoseSensor(kite.at(x=0.5), name="nose")).signals
    ('x', 'y', 'z', 'qw', 'qx', 'qy', 'qz')
    """

    frame: Any
    _: KW_ONLY
    relative_to: Any = None

    def resolved(self, model: Model, names: References, name: str, findings: Findings) -> Self:
        """A copy of the sensor on frames of the model."""
        element = f"sensor '{name}'"
        frame = names.frame(self.frame, element, findings)
        given = self.relative_to
        other = None if given is None else names.frame(given, element, findings)
        return replace(self, frame=frame, relative_to=other, name=name)

    @property
    def units(self) -> dict[str, str]:
        """Metres, and the quaternion."""
        return UNITS

    @property
    def formulas(self) -> dict[str, Expression]:
        """All of it."""
        frame = part_of_model(self, self.frame, Frame)
        place, turned = frame.position, _quaternion(frame)
        if self.relative_to is not None:
            other = part_of_model(self, self.relative_to, Frame)
            place = other.rotation.T @ (place - other.position)
            w, *u = _quaternion(other)
            turned = _product([w, *(-x for x in u)], turned)
        return dict(zip(UNITS, map(lift, [*place, *turned]), strict=True))

    def options(self) -> list[tuple[str, str]]:
        """From where it is seen."""
        seen = self.relative_to
        return [] if seen is None else [("relative_to", end_text(seen))]


def _quaternion(frame: Frame) -> list[Any]:
    """Orientation of a frame in the world, as formulas."""
    body = frame.body
    own = list(frame.orientation.quaternion)
    if isinstance(body, World):
        return own
    if isinstance(body, QuaternionBody):
        turned = list(body.quaternion)
    else:
        assert isinstance(body, AngleBody)
        half = [0.5 * x for x in (body.yaw, body.pitch, body.roll)]
        axes = ([0, 0, 1], [0, 1, 0], [1, 0, 0])
        turns = [
            [np.cos(x), *(np.sin(x) * a for a in axis)] for x, axis in zip(half, axes, strict=True)
        ]
        turned = _product(_product(turns[0], turns[1]), turns[2])
    return turned if frame.orientation.is_identity else _product(turned, own)


def _product(a: list[Any], b: list[Any]) -> list[Any]:
    """Product of two quaternions."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ]
