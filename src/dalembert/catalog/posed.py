"""Robots described by one pose: places of joints and parts are those of the world at the start.

All body frames begin parallel to the world's. A place on a body is then the place in the world less
that of the body's frame, loops close without any calculation, and every joint begins at zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dalembert.model import Body, Frame, Inertia, Model
from dalembert.model.basics.frame import WORLD
from dalembert.model.basics.rotation import axis_frame
from dalembert.model.forces.position_servo import PositionServo
from dalembert.model.forces.torsion_spring import TorsionSpring
from dalembert.model.joints.revolute import Revolute
from dalembert.model.shapes.solid import Solid
from dalembert.model.shapes.solids import Box, Capsule, Cylinder, Sphere

Place = Sequence[float] | npt.NDArray[np.float64]


def beside(place: Place, x: float, y: float, z: float) -> npt.NDArray[np.float64]:
    """A place moved on along the axes of the world."""
    moved: npt.NDArray[np.float64] = np.asarray(place, dtype=float) + np.array([x, y, z])
    return moved


class Part(NamedTuple):
    """Something of uniform density at a place of the world, and how it looks."""

    inertia: Inertia
    shape: Solid


def bar(mass: float, start: Place, end: Place, radius: float) -> Part:
    """A round bar between two places."""
    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    length = float(np.sqrt((b - a) @ (b - a)))
    middle, turn = (a + b) / 2, axis_frame((b - a) / length)
    inertia = Inertia.cylinder(mass, radius, length=length, axis="z")
    shape = Capsule(radius=radius, length=length, position=middle, rotation=turn)
    return Part(inertia.moved(middle, rotation=turn), shape)


def wheel(mass: float, middle: Place, radius: float, width: float) -> Part:
    """A disc about y."""
    inertia = Inertia.cylinder(mass, radius, length=width, axis="y").moved(list(middle))
    return Part(inertia, Cylinder(radius=radius, length=width, axis="y", position=middle))


def block(mass: float, middle: Place, size: Sequence[float]) -> Part:
    """A box along the axes of the world."""
    return Part(Inertia.box(mass, size).moved(list(middle)), Box(size=size, position=middle))


def ball(mass: float, middle: Place, radius: float) -> Part:
    """A ball."""
    inertia = Inertia.sphere(mass, radius).moved(list(middle))
    return Part(inertia, Sphere(radius=radius, position=middle))


class Pose:
    """Adds bodies and hinges to a model by their places at the start."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._origins: dict[str, npt.NDArray[np.float64]] = {WORLD: np.zeros(3)}

    def body(
        self,
        name: str,
        origin: Place,
        *parts: Part,
        color: str | None = None,
        free: bool = False,
        shapes: Sequence[Solid] = (),
    ) -> Body:
        """A body of parts; its frame is at a place. A free one is put there, others by joints."""
        here = np.array(origin, dtype=float)
        self._origins[name] = here
        inertias = [part.inertia.moved(list(-here)) for part in parts]
        drawn = [*(part.shape for part in parts), *shapes]
        return self.model.add_body(
            name,
            inertias[0] if len(inertias) == 1 else Inertia.combined(inertias),
            position=list(here) if free else None,
            shapes=[replace(s, position=np.array(s.position) - here) for s in drawn],
            color=color,
        )

    def at(self, body: str, place: Place) -> Frame:
        """The frame of a body, or of "world", at a place."""
        owner = self.model.world if body == WORLD else self.model.bodies[body]
        return owner.at(*(np.asarray(place, dtype=float) - self._origins[body]))

    def hinge(self, name: str, first: str, second: str, place: Place, axis: Any) -> Revolute:
        """A hinge of two bodies at a place."""
        ends = (self.at(first, place), self.at(second, place))
        made: Revolute = self.model.add_joint(Revolute(*ends, axis=axis, name=name))
        return made

    def line(self, *ends: tuple[str, str, Place]) -> None:
        """A line of the drawing through points, each with its name, body and place."""
        for name, body, place in ends:
            if name not in self.model.points:
                self.model.add_point(name, self.at(body, place))
        self.model.add_line(*(name for name, _, _ in ends))


def drive(joint: Revolute, command: Any, kp: Any, kd: Any, limits: float | None = None) -> Any:
    """A servo in a hinge, called as the hinge with "_servo"."""
    return PositionServo(
        joint, kp=kp, kd=kd, command=command, limits=limits, name=f"{joint.name}_servo"
    )


def hold(joint: Revolute, stiffness: Any, free: Any = 0.0) -> TorsionSpring:
    """A spring in its place: as stiff, but nothing is lost."""
    return TorsionSpring(joint, stiffness=stiffness, free_angle=free, name=f"{joint.name}_spring")
