"""Rigid bodies free in space: coordinates of their own, orientation by quaternion or angles.

Both kinds give the same formulas (`position`, `rotation`, `velocity`, ...), so that a joint or a
user's formula does not ask which it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from dalembert.formulas import orientation as symbols_of
from dalembert.formulas.expression import Expression, coordinate, lift
from dalembert.formulas.variables import check_name
from dalembert.model.basics.element import cross
from dalembert.model.basics.frame import Frame, Placeable
from dalembert.model.basics.inertia import Inertia
from dalembert.model.basics.masses import SpatialBody
from dalembert.model.basics.quantity import Quantity

POSITION_NAMES = ("x", "y", "z")
CENTER_NAMES = ("center_x", "center_y", "center_z")
ANGLE_NAMES = ("roll", "pitch", "yaw")

QUATERNION = "quaternion"
ROLL_PITCH_YAW = "roll-pitch-yaw"


@dataclass(frozen=True, eq=False, repr=False)
class Body(Placeable, ABC):
    """A rigid body; `Model.add_body` makes it.

    Attributes
    ----------
    name : str
    inertia : Inertia
    frames : dict name -> Frame
        Those that were given a name.
    """

    name: str
    inertia: Inertia
    frames: dict[str, Frame] = field(default_factory=dict)
    orientation: ClassVar[str]

    @staticmethod
    def named(name: str, inertia: Inertia, *, orientation: str = QUATERNION) -> Body:
        """Body whose coordinates carry its name."""
        kind = QuaternionBody if orientation == QUATERNION else AngleBody
        return kind(check_name(name), inertia)

    @property
    @abstractmethod
    def coordinates(self) -> tuple[Expression, ...]:
        """The coordinates, in the order of every array."""

    @property
    def position(self) -> npt.NDArray[Any]:
        """World position of the body frame's origin (object array of 3 formulas)  [m]."""
        return self.point((0.0, 0.0, 0.0))

    @property
    def velocity(self) -> npt.NDArray[Any]:
        """World velocity of the body frame's origin (object array of 3 formulas)  [m/s]."""
        return self.point_velocity((0.0, 0.0, 0.0))

    @property
    @abstractmethod
    def rotation(self) -> npt.NDArray[Any]:
        """R_WB, body to world (3 x 3 object array)."""

    @property
    @abstractmethod
    def angular_velocity(self) -> npt.NDArray[Any]:
        """w_WB in world components (object array of 3 formulas)  [rad/s]."""

    @property
    def x(self) -> Expression:
        """World x of the body frame's origin."""
        return self.position[0]  # type: ignore[no-any-return]

    @property
    def y(self) -> Expression:
        """World y of the body frame's origin."""
        return self.position[1]  # type: ignore[no-any-return]

    @property
    def z(self) -> Expression:
        """World z of the body frame's origin."""
        return self.position[2]  # type: ignore[no-any-return]

    @property
    @abstractmethod
    def roll(self) -> Expression:
        """Roll of R = Rz(yaw) Ry(pitch) Rx(roll)  [rad]."""

    @property
    @abstractmethod
    def pitch(self) -> Expression:
        """Pitch; with z up, positive turns the nose (body x) down  [rad]."""

    @property
    @abstractmethod
    def yaw(self) -> Expression:
        """Yaw  [rad]."""

    @property
    @abstractmethod
    def quaternion(self) -> npt.NDArray[Any]:
        """Unit quaternion (w, x, y, z), body to world (object array of 4 formulas)."""

    @property
    def center(self) -> Frame:
        """Frame at the centre of mass, along the body axes."""
        return Frame(self, self.inertia.center)

    @abstractmethod
    def point(self, offset: tuple[Quantity, ...]) -> npt.NDArray[Any]:
        """World position of a point given in body axes."""

    @abstractmethod
    def point_velocity(self, offset: tuple[Quantity, ...]) -> npt.NDArray[Any]:
        """World velocity of a point fixed to the body."""

    def findings(self, parameters: Mapping[str, float]) -> list[str]:
        """Reasons why the given parameter values are impossible."""
        return [f"body '{self.name}': {what}" for what in self.inertia.findings(parameters)]

    def __repr__(self) -> str:
        return f"Body({self.name!r}, {self.inertia!r}, orientation={self.orientation!r})"


@dataclass(frozen=True, eq=False, repr=False)
class QuaternionBody(Body):
    """A rigid body with the state of its centre of mass and a unit quaternion.

    The state is (centre of mass, quaternion), the velocity (that of the centre of mass, angular
    velocity), all in world components. When the inertia has a ``center`` away from the frame's
    origin its coordinates are called ``name.center_x`` ..., and ``name.x`` is a formula of them.

    Notes
    -----
    Roll, pitch and yaw are formulas of the rotation; they jump by a turn at +-pi, and at pitch =
    +-pi/2 roll and yaw have no value. The motion itself has no such places.
    """

    orientation: ClassVar[str] = QUATERNION

    @cached_property
    def is_centered(self) -> bool:
        """True when the body frame's origin is the centre of mass."""
        return all(isinstance(c, float) and c == 0.0 for c in self.inertia.center)

    @cached_property
    def center_names(self) -> tuple[str, ...]:
        """Names of the coordinates of the centre of mass."""
        parts = POSITION_NAMES if self.is_centered else CENTER_NAMES
        return tuple(f"{self.name}.{part}" for part in parts)

    @cached_property
    def center_symbols(self) -> tuple[Expression, ...]:
        """Coordinates of the centre of mass."""
        return tuple(coordinate(name) for name in self.center_names)

    @cached_property
    def state_symbols(self) -> tuple[Expression, ...]:
        """Centre of mass (3) and quaternion (4)."""
        return (*self.center_symbols, *symbols_of.quaternion(self.name))

    @cached_property
    def velocity_symbols(self) -> tuple[Expression, ...]:
        """Velocity of the centre of mass (3) and angular velocity (3)."""
        return (*(q.dot for q in self.center_symbols), *symbols_of.turning(self.name))

    @cached_property
    def state_names(self) -> tuple[str, ...]:
        """The names of `state_symbols` as users read them: ``ship.x`` ... ``ship.qz``."""
        return tuple(
            symbols_of.shown(q.name) if ":" in q.name else q.name for q in self.state_symbols
        )

    @cached_property
    def velocity_names(self) -> tuple[str, ...]:
        """The names of `velocity_symbols` as users read them: ``ship.x.dot`` ... ``ship.wz``."""
        return (
            *(f"{q.name}.dot" for q in self.center_symbols),
            *(f"{self.name}.w{axis}" for axis in POSITION_NAMES),
        )

    @property
    def coordinates(self) -> tuple[Expression, ...]:
        """The seven coordinates: centre of mass and quaternion."""
        return self.state_symbols

    @property
    def rotation(self) -> npt.NDArray[Any]:
        """R_WB, body to world (3 x 3 object array)."""
        return symbols_of.rotation(self.name)

    @property
    def quaternion(self) -> npt.NDArray[Any]:
        """Unit quaternion (w, x, y, z), body to world (object array of 4 formulas)."""
        return symbols_of.quaternion(self.name)

    @property
    def angular_velocity(self) -> npt.NDArray[Any]:
        """w_WB in world components (object array of 3 formulas)  [rad/s]."""
        return symbols_of.turning(self.name)

    def point(self, offset: tuple[Quantity, ...]) -> npt.NDArray[Any]:
        """World position of a point given in body axes: centre + R (offset - center)."""
        place: npt.NDArray[Any] = _array(self.center_symbols) + self._arm(offset)
        return place

    def point_velocity(self, offset: tuple[Quantity, ...]) -> npt.NDArray[Any]:
        """World velocity of a point fixed to the body: v + w x R (offset - center)."""
        rates = _array([q.dot for q in self.center_symbols])
        moved: npt.NDArray[Any] = rates + cross(self.angular_velocity, self._arm(offset))
        return moved

    def _arm(self, offset: tuple[Quantity, ...]) -> npt.NDArray[Any]:
        """From the centre of mass to a point of the body, in world components."""
        local = _array(
            [lift(a) - lift(c) for a, c in zip(offset, self.inertia.center, strict=True)]
        )
        turned: npt.NDArray[Any] = self.rotation @ local
        return turned

    @property
    def roll(self) -> Expression:
        """Roll of R = Rz(yaw) Ry(pitch) Rx(roll)."""
        R = self.rotation
        return np.arctan2(R[2, 1], R[2, 2])  # type: ignore[no-any-return]

    @property
    def pitch(self) -> Expression:
        """Pitch, in [-pi/2, pi/2]."""
        R = self.rotation  # not arcsin: it loses half the digits near +-pi/2 and all beyond
        return np.arctan2(-R[2, 0], np.sqrt(R[0, 0] ** 2 + R[1, 0] ** 2))  # type: ignore[no-any-return]

    @property
    def yaw(self) -> Expression:
        """Yaw of R = Rz(yaw) Ry(pitch) Rx(roll)."""
        R = self.rotation
        return np.arctan2(R[1, 0], R[0, 0])  # type: ignore[no-any-return]


@dataclass(frozen=True, eq=False, repr=False)
class AngleBody(Body):
    """A rigid body with position and roll-pitch-yaw coordinates.

    R_WB = Rz(yaw) Ry(pitch) Rx(roll): angles about the world axes z, y, x applied from right to
    left. The coordinates x, y, z are those of the body frame's origin; they are the centre of
    mass when the inertia has no ``center``.

    Notes
    -----
    With z up, positive pitch turns the nose (body x) *down*. The angles lose a degree of freedom
    at pitch = +-pi/2.
    """

    orientation: ClassVar[str] = ROLL_PITCH_YAW

    @property
    def coordinates(self) -> tuple[Expression, ...]:
        """The six coordinates: x, y, z, roll, pitch, yaw."""
        return tuple(coordinate(f"{self.name}.{part}") for part in POSITION_NAMES + ANGLE_NAMES)

    @property
    def roll(self) -> Expression:
        """Angle about the body's x axis."""
        return coordinate(f"{self.name}.roll")

    @property
    def pitch(self) -> Expression:
        """Angle about the turned y axis."""
        return coordinate(f"{self.name}.pitch")

    @property
    def yaw(self) -> Expression:
        """Angle about the world's z axis."""
        return coordinate(f"{self.name}.yaw")

    @property
    def rotation(self) -> npt.NDArray[Any]:
        """R_WB, body to world (3 x 3 object array)."""
        cr, sr = np.cos(self.roll), np.sin(self.roll)
        cp, sp = np.cos(self.pitch), np.sin(self.pitch)
        cy, sy = np.cos(self.yaw), np.sin(self.yaw)
        return np.array(
            [
                [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
                [-sp, cp * sr, cp * cr],
            ],
            dtype=object,
        )

    @property
    def angular_velocity(self) -> npt.NDArray[Any]:
        """w_WB in world components (object array of 3 formulas)  [rad/s]."""
        cp, sp = np.cos(self.pitch), np.sin(self.pitch)
        cy, sy = np.cos(self.yaw), np.sin(self.yaw)
        roll, pitch, yaw = self.roll.dot, self.pitch.dot, self.yaw.dot
        return np.array(
            [cy * cp * roll - sy * pitch, sy * cp * roll + cy * pitch, yaw - sp * roll],
            dtype=object,
        )

    @property
    def quaternion(self) -> npt.NDArray[Any]:
        """Unit quaternion (w, x, y, z), body to world (object array of 4 formulas)."""
        cr, sr = np.cos(self.roll / 2), np.sin(self.roll / 2)
        cp, sp = np.cos(self.pitch / 2), np.sin(self.pitch / 2)
        cy, sy = np.cos(self.yaw / 2), np.sin(self.yaw / 2)
        return np.array(
            [
                cr * cp * cy + sr * sp * sy,
                sr * cp * cy - cr * sp * sy,
                cr * sp * cy + sr * cp * sy,
                cr * cp * sy - sr * sp * cy,
            ],
            dtype=object,
        )

    def point(self, offset: tuple[Quantity, ...]) -> npt.NDArray[Any]:
        """World position of a point given in body axes."""
        place: npt.NDArray[Any] = _array(self.coordinates[:3]) + self.rotation @ _array(offset)
        return place

    def point_velocity(self, offset: tuple[Quantity, ...]) -> npt.NDArray[Any]:
        """World velocity of a point fixed to the body."""
        rates = _array([q.dot for q in self.coordinates[:3]])
        arm = self.rotation @ _array([lift(entry) for entry in offset])
        moved: npt.NDArray[Any] = rates + cross(self.angular_velocity, arm)
        return moved

    def as_spatial(self) -> SpatialBody:
        """The body as `Model.from_map` takes it: placed by its centre of mass."""
        return SpatialBody(
            self.inertia.mass,
            self.inertia.matrix,
            position=tuple(self.point(self.inertia.center)),
            rotation=tuple(tuple(row) for row in self.rotation),
            name=self.name,
            w_WB_B=tuple(self._body_rates()),
        )

    def _body_rates(self) -> list[Expression]:
        """w_WB_B of z-y-x Euler angles; shorter than what follows from the rotation matrix."""
        cr, sr = np.cos(self.roll), np.sin(self.roll)
        cp, sp = np.cos(self.pitch), np.sin(self.pitch)
        roll, pitch, yaw = self.roll.dot, self.pitch.dot, self.yaw.dot
        return [roll - yaw * sp, pitch * cr + yaw * cp * sr, yaw * cp * cr - pitch * sr]


def _array(entries: Any) -> npt.NDArray[Any]:
    array = np.empty(len(entries), dtype=object)
    array[:] = entries
    return array
