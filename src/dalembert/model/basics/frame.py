"""Frames fixed to bodies, and the world they are seen from."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dalembert.errors import ModelError
from dalembert.formulas.expression import ONE, ZERO, lift
from dalembert.model.basics.element import FrameView
from dalembert.model.basics.quantity import Quantity, as_quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rotation import IDENTITY, Rotation, as_rotation
from dalembert.model.basics.unchanging import Settled

if TYPE_CHECKING:
    from dalembert.model.basics.rigid_body import Body

WORLD = "world"

_views: weakref.WeakKeyDictionary[Frame, FrameView] = weakref.WeakKeyDictionary()


@dataclass(frozen=True, eq=False, repr=False)
class Frame(Settled):
    """A frame fixed to a body; `Body.at` makes it.

    Attributes
    ----------
    body : Body or World
    offset : 3 numbers or formulas of parameters  [m]
        Origin, in the axes of the body's own frame.
    orientation : Rotation
        Of the frame's axes in the body.
    name : str or None
        "tip" of the frame that others call "crank/tip".

    `position`, `rotation`, `velocity` and `angular_velocity` are formulas of the motion, in world
    components.
    """

    body: Body | World
    offset: tuple[Quantity, ...] = (0.0, 0.0, 0.0)
    orientation: Rotation = IDENTITY
    name: str | None = None

    @property
    def position(self) -> npt.NDArray[Any]:
        """World position of the origin (object array of 3 formulas)  [m]."""
        return self.body.point(self.offset)

    @property
    def velocity(self) -> npt.NDArray[Any]:
        """World velocity of the origin (object array of 3 formulas)  [m/s]."""
        return self.body.point_velocity(self.offset)

    @property
    def rotation(self) -> npt.NDArray[Any]:
        """R from the frame's axes to world (3 x 3 object array)."""
        R = self.body.rotation
        if self.orientation.is_identity:
            return R
        turned: npt.NDArray[Any] = R @ self.orientation.matrix.astype(object)
        return turned

    @property
    def angular_velocity(self) -> npt.NDArray[Any]:
        """Angular velocity of the body in world components (object array of 3 formulas)."""
        return self.body.angular_velocity

    @property
    def view(self) -> FrameView:
        """The frame as joints and forces see it; made once."""
        if self not in _views:
            parts = (self.position, self.rotation, self.velocity, self.angular_velocity)
            for part in parts:
                part.flags.writeable = False
            _views[self] = FrameView(*parts)
        return _views[self]

    @property
    def label(self) -> str:
        """``crank/tip``, or the place on the body in numbers."""
        if self.name is not None:
            return f"{self.body.name}/{self.name}"
        place = [
            f"{axis}={entry:g}" if isinstance(entry, float) else f"{axis}={entry!r}"
            for axis, entry in zip("xyz", self.offset, strict=True)
            if not (isinstance(entry, float) and entry == 0.0)
        ]
        if not self.orientation.is_identity:
            place.append(f"rotation={self.orientation!r}")
        return f"{self.body.name}.at({', '.join(place)})" if place else self.body.name

    def turned(self, rotation: Rotation) -> Frame:
        """The frame with its axes turned further, at the same place."""
        if rotation.is_identity:
            return self
        return Frame(self.body, self.offset, self.orientation @ rotation, self.name)

    def same_place(self, other: Frame) -> bool:
        """True when both are the same frame of the same body, names aside."""
        return (
            self.body is other.body
            and self.orientation == other.orientation
            and all(a is b or a == b for a, b in zip(self.offset, other.offset, strict=True))
        )

    def __repr__(self) -> str:
        return f"Frame({self.label})"


class Placeable(Settled):
    """Base of bodies and the world: frames can be put on them."""

    name: str
    frames: dict[str, Frame]

    def at(
        self,
        x: Any = 0.0,
        y: Any = 0.0,
        z: Any = 0.0,
        *,
        rotation: Any = None,
        name: str | None = None,
    ) -> Frame:
        """Frame fixed to the body.

        Parameters
        ----------
        x, y, z : numbers or formulas of parameters  [m]
            Origin, in body axes.
        rotation : Rotation, 3 x 3, quaternion (w, x, y, z), or (axis, angle)
            Of the frame's axes in the body; by default they are the body's.
        name : str
            Joints and files may then call the frame "body/name".

        Examples
        --------
        >>> from dalembert.model import Inertia, Model
        >>> ship = Model().add_body("ship", Inertia.point(1.0), orientation="roll-pitch-yaw")
        >>> bow = ship.at(x=0.5, name="bow")
        >>> bow
        Frame(ship/bow)
        >>> bow.position[2]
        ship.z - 0.5*sin(ship.pitch)
        """
        subject = f"frame on '{self.name}'" if name is None else f"frame '{self.name}/{name}'"
        findings = Findings()
        offset = tuple(
            as_quantity(entry, axis, findings) for axis, entry in zip("xyz", (x, y, z), strict=True)
        )
        try:
            orientation = as_rotation(rotation)
        except ModelError as problem:
            findings.append(str(problem))
            orientation = IDENTITY
        if name is not None and not (isinstance(name, str) and name.isidentifier()):
            findings.append(
                f"the name {name!r} cannot be used. Use letters, digits and underscores."
            )
        findings.raise_if_any(subject)
        made = Frame(self, offset, orientation, name)  # type: ignore[arg-type]
        if name is None:
            return made
        known = self.frames.setdefault(name, made)
        if not known.same_place(made):
            raise ModelError(
                f"{subject}: there is a frame of that name elsewhere on the body. Choose another "
                "name."
            )
        return known


@dataclass(frozen=True, eq=False, repr=False)
class World(Placeable):
    """The surroundings, which do not move; `Model.world`. It is used like a body.

    Examples
    --------
    >>> from dalembert.model import Model
    >>> Model().world.at(z=1.0).position
    array([0, 0, 1], dtype=object)
    """

    name: str = WORLD
    frames: dict[str, Frame] = field(default_factory=dict)

    @property
    def position(self) -> npt.NDArray[Any]:
        """The origin."""
        return _vector(ZERO, ZERO, ZERO)

    @property
    def rotation(self) -> npt.NDArray[Any]:
        """No rotation."""
        matrix = np.full((3, 3), ZERO, dtype=object)
        matrix[range(3), range(3)] = ONE
        return matrix

    @property
    def velocity(self) -> npt.NDArray[Any]:
        """Zero."""
        return _vector(ZERO, ZERO, ZERO)

    @property
    def angular_velocity(self) -> npt.NDArray[Any]:
        """Zero."""
        return _vector(ZERO, ZERO, ZERO)

    def point(self, offset: tuple[Quantity, ...]) -> npt.NDArray[Any]:
        """World position of a point given in world axes."""
        return _vector(*(lift(entry) for entry in offset))

    def point_velocity(self, offset: tuple[Quantity, ...]) -> npt.NDArray[Any]:
        """Zero, wherever the point is."""
        return self.velocity

    def __repr__(self) -> str:
        return "World()"


def _vector(*entries: Any) -> npt.NDArray[Any]:
    array = np.empty(len(entries), dtype=object)
    array[:] = entries
    return array
