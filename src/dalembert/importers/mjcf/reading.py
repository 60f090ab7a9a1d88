"""One file on its way to a model: what has been made so far, and what was lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.errors import DalembertError
from dalembert.formulas.expression import Expression, parameter
from dalembert.importers.mjcf.compiled import Compiled, Names
from dalembert.importers.readers import Loss
from dalembert.model import Body, Frame, Model
from dalembert.model.basics.frame import World
from dalembert.model.joints.compound import Compound
from dalembert.model.joints.joint import Joint

Vector = npt.NDArray[np.float64]

SHOWN = 12
"""Names that one loss lists; the others are counted."""


@dataclass(frozen=True)
class Place:
    """A frame of MuJoCo's on a body of the model: origin and axes in the body's frame."""

    body: Body | World
    p: Vector
    R: Vector

    def at(self, offset: Any, rotation: Any = None, name: str | None = None) -> Frame:
        """The frame at an offset from here, its axes turned further."""
        x, y, z = self.p + self.R @ np.asarray(offset, dtype=float)
        turned = self.R if rotation is None else self.R @ rotation
        return self.body.at(x, y, z, rotation=tidy(turned), name=name)


@dataclass(frozen=True)
class Coordinate:
    """A slide or hinge of the file as a coordinate of a joint of the model.

    Attributes
    ----------
    joint : the model's joint       which : "angle", "displacement", or its number in a `Compound`
    sign : -1 where the model's joint goes from the child to the parent
    zero : value of MuJoCo's coordinate where that of the joint is zero
    """

    joint: Any
    which: str | int
    sign: float
    zero: float

    @property
    def is_named(self) -> bool:
        """True where `Coupler`, `Actuator` and others know the coordinate."""
        return isinstance(self.which, str)

    def value(self) -> Expression:
        """The coordinate less its zero, as a formula."""
        if isinstance(self.joint, Compound):
            return self.joint.value(self.which) * self.sign  # type: ignore[arg-type]
        return getattr(self.joint, str(self.which)) * self.sign  # type: ignore[no-any-return]


@dataclass
class Reading:
    """Everything known while a file is turned into a model."""

    c: Compiled
    model: Model
    places: dict[int, Place] = field(default_factory=dict)
    """By MuJoCo's number of the body."""
    joints: dict[int, Joint | None] = field(default_factory=dict)
    """By MuJoCo's number of the joint; None where nothing is held."""
    coordinates: dict[int, Coordinate] = field(default_factory=dict)
    sites: dict[int, Frame] = field(default_factory=dict)
    actuators: dict[str, str] = field(default_factory=dict)
    """Name in the file -> parameter that is its control."""
    losses: list[Loss] = field(default_factory=list)
    changed: dict[str, str] = field(default_factory=dict)
    """Names of bodies, sites and joints in the file -> in the model, where they differ."""
    element_names: Names = field(default_factory=Names)
    parameter_names: Names = field(default_factory=Names)

    @property
    def m(self) -> Any:
        """MuJoCo's compiled model."""
        return self.c.m

    def lose(self, what: str, names: Iterable[str], why: str) -> None:
        """Note elements that are not taken over, if there are any."""
        found = list(names)
        if not found:
            return
        shown = ", ".join(f"'{name}'" for name in found[:SHOWN])
        more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        self.losses.append(Loss(f"{what} {shown}{more}: {why}", names=tuple(found)))

    def attempt(self, what: str, name: str, make: Callable[[], Any]) -> bool:
        """Whether an element could be made; what the model says against it is a loss."""
        try:
            make()
        except DalembertError as problem:
            self.lose(what, [name], f"the model refuses it: {' '.join(str(problem).split())}")
            return False
        return True

    def control(self, name: str, value: float) -> Expression:
        """A parameter that stands for the control of an actuator."""
        made = self.parameter_names.take(f"ctrl_{name}")
        self.actuators[name] = made
        return parameter(made, value)


def matrix(quaternion: Any) -> Vector:
    """Rotation matrix of a quaternion (w, x, y, z) that need not have length one."""
    w, x, y, z = np.asarray(quaternion, dtype=float)
    n = w * w + x * x + y * y + z * z
    s = 2.0 / n
    return np.array(
        [
            [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
            [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
            [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
        ]
    )


def tidy(R: Vector) -> Vector | None:
    """None for no rotation, which files and formulas then leave out."""
    return None if np.array_equal(R, np.eye(3)) else R
